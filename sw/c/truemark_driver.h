/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Truemark's registers for firmware: find the device, configure ports, read counters. C11, no heap, no libc, no global
 * state. The caller supplies two functions that read and write one 32-bit word of the 4 kB window (docs/registers.md).
 *
 * Units: bytes from the destination MAC to the last payload byte without FCS; packets; nanoseconds unless a name says
 * otherwise. What talks to the device returns a truemark_result; TRUEMARK_OK is 0. Nothing is written before the
 * identification register has been read and found right. A device is used by one thread at a time; programs that share
 * one use truemark_lock().
 */
#ifndef TRUEMARK_DRIVER_H
#define TRUEMARK_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "truemark_config.h"
#include "truemark_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRUEMARK_PORTS = 16,
  TRUEMARK_CODES = TRUEMARK__CODE__COUNT,
  TRUEMARK_CLASSES = TRUEMARK__CLASS__COUNT,
  TRUEMARK_BINS = TRUEMARK__BINS
};

typedef enum truemark_result {
  TRUEMARK_OK = 0,
  TRUEMARK_ACCESS_FAILED, /* the caller's read or write said so */
  TRUEMARK_NOT_FOUND,     /* the identification register does not read TRMK */
  TRUEMARK_WRONG_VERSION, /* another major number than this driver knows */
  TRUEMARK_ARGUMENT,      /* a port or value the device lacks; nothing was written */
  TRUEMARK_LOCKED,        /* another owner has the lock */
  TRUEMARK_BUSY,          /* a command did not end within the device's patience */
  TRUEMARK_REFUSED        /* the commit was refused: the port goes on as before; `fault` says which field */
} truemark_result;

/* `offset` is a byte offset in the window, a multiple of 4. Return 0 for success. The functions see to order and width:
 * one 32-bit access for each call, done when it returns. */
typedef struct truemark_access {
  int (*read)(void* context, uint32_t offset, uint32_t* value);
  int (*write)(void* context, uint32_t offset, uint32_t value);
  void* context;
} truemark_access;

/* What the build is; filled by truemark_open. */
typedef struct truemark_info {
  uint32_t version;      /* major << 16 | minor << 8 | patch */
  uint32_t ports;        /* 1 to 16, times `queues` */
  uint32_t queues;       /* of a line, 1 to 8: ports next to one another */
  uint32_t beat_bytes;   /* bytes of a row */
  uint32_t rows;         /* per port; of all ports with POOL */
  uint32_t descriptors;  /* frames a port can hold */
  uint32_t storage;      /* bytes of these rows */
  uint32_t max_frame;    /* bytes */
  uint32_t capabilities; /* TRUEMARK__CAPABILITIES__*_bm of truemark_regs.h */
} truemark_info;

typedef struct truemark_device {
  truemark_access access;
  uint32_t patience; /* reads of STATUS a command may take; set by truemark_open, may be changed */
  truemark_info info;
} truemark_device;

typedef struct truemark_count {
  uint64_t packets;
  uint64_t bytes;
} truemark_count;

/* Which queue of its line takes a frame: numbers below info.queues. */
typedef struct truemark_queues {
  uint32_t mode;         /* TRUEMARK__QUEUE_MODE__*: which table says it */
  uint8_t default_queue; /* of frames that the table does not speak of */
  uint8_t dscp[64];
  uint8_t pcp[8];          /* by the first VLAN tag */
  uint8_t ecn[4];          /* by codepoint */
  uint8_t class_ece[2][7]; /* by the ECE flag, and by class */
} truemark_queues;

typedef struct truemark_held {
  uint32_t bytes;
  uint32_t packets;
  uint32_t most_bytes; /* since truemark_clear_watermarks, as the two below */
  uint32_t most_packets;
  uint64_t longest_sojourn; /* ns */
  uint32_t cut_short;       /* frames */
  /* Of a port with a share of a pool; else 0. */
  uint32_t cells; /* with those that are being freed; a frame for several ports counts at each */
  uint32_t most_cells;
  uint32_t refused; /* frames, by the threshold, since the reset */
} truemark_held;

/* What RED goes by in each slot; of a slot with another law it says nothing. */
typedef struct truemark_red_state {
  uint32_t average[2]; /* bytes, or 64ths of a packet */
  uint32_t maxp[2];    /* 2^24 is 1 */
} truemark_red_state;

/* The memory of all ports, in cells. At one instant free, held and walking are all it has; each is read by itself. */
typedef struct truemark_pool {
  uint32_t free;
  uint32_t held;    /* each frame once, whatever its copies */
  uint32_t walking; /* being freed */
  uint32_t most;    /* that were not free since the watermarks of port 0 were cleared */
  uint32_t faults;  /* wrong parities, 255 and more as 255: no frame is stored any more until a reset */
  uint32_t broken;  /* where: TRUEMARK__POOL_FAULTS__*_bm */
} truemark_pool;

/* What the link partner of a port must hold back. */
typedef struct truemark_pause {
  uint32_t xoff;     /* bit c: priority c must pause */
  bool fault;        /* a wrong parity: xoff means nothing until a reset */
  uint32_t overruns; /* cells that came beyond headroom, at all ports */
} truemark_pause;

/* Frames that broke the stream's rules (docs/ports.md), at all ports, since the reset. */
typedef struct truemark_bad {
  uint32_t no_destination;
  uint32_t runt;
  uint32_t oversize;
  uint32_t keep_hole;
  uint32_t length_mismatch;
  uint32_t error_bit;
  uint32_t reset; /* since the FPGA was configured: arriving as a reset came */
} truemark_bad;

/* ---- Finding it */

truemark_result truemark_open(truemark_device* device, const truemark_access* access);
truemark_result truemark_time(truemark_device* device, uint64_t* ns);
/* Nanoseconds per cycle of the core's clock: 8 integer and 24 fractional bits. */
truemark_result truemark_set_time_step(truemark_device* device, uint32_t step);
/* RED's random generators of all ports begin from it. */
truemark_result truemark_set_seed(truemark_device* device, uint32_t seed);

/* `owner` is 1 to 0x7FFF. The lock is a courtesy between programs; the device does not enforce it. */
truemark_result truemark_lock(truemark_device* device, uint32_t owner);
truemark_result truemark_unlock(truemark_device* device, uint32_t owner);

/* ---- Configuring: truemark_config.h has a member for each field of docs/registers.md. All of them take effect at
 * once, or none: `fault` is then TRUEMARK__FAULT__*. A member that its register has no bits for is TRUEMARK_ARGUMENT:
 * an exponent of -2 is 14, its four bits.
 */

void truemark_plain(truemark_config* config);
/* Marks what can carry ECN above `k` bytes, never drops early; `limit_bytes` 0 is off. */
void truemark_true_mark(truemark_config* config, uint32_t k, uint32_t limit_bytes);
/* Fills in slopes, scales and reciprocal from min, max, maxp, spacing, gentle and adaptive, rounded to the nearest; for
 * spacing LINUX down. */
void truemark_red_curve(truemark_red* red);
truemark_result truemark_configure(truemark_device* device, uint32_t port, const truemark_config* config,
                                   uint32_t* fault);
truemark_result truemark_configuration(truemark_device* device, uint32_t port, truemark_config* config);
/* One set for all ports, each of which keeps its configuration. TRUEMARK_ARGUMENT where a line has one queue, or for a
 * queue that it lacks. */
truemark_result truemark_set_queues(truemark_device* device, const truemark_queues* queues, uint32_t* fault);
truemark_result truemark_get_queues(truemark_device* device, truemark_queues* queues);
truemark_result truemark_flush(truemark_device* device, uint32_t port);
truemark_result truemark_soft_reset(truemark_device* device, uint32_t port);
truemark_result truemark_clear_watermarks(truemark_device* device, uint32_t port);

/* ---- Reading. A snapshot freezes the counters of all ports; queries read what it froze. */

truemark_result truemark_snapshot(truemark_device* device);
/* Sum over codes that agree with `code` in `code_mask`, and class * 2 + ece too; a mask of 0 selects all.
 * TRUEMARK_ARGUMENT: the build counts none. */
truemark_result truemark_query(truemark_device* device, uint32_t port, uint32_t code, uint32_t code_mask,
                               uint32_t class_ece, uint32_t class_ece_mask, truemark_count* count);
/* Every code of TRUEMARK__CODE__* over all classes. 0: the histogram's two codes, and those the build does not count.
 */
truemark_result truemark_counters(truemark_device* device, uint32_t port, truemark_count counts[TRUEMARK_CODES]);
truemark_result truemark_histogram(truemark_device* device, uint32_t port, uint64_t bins[TRUEMARK_BINS]);
truemark_result truemark_holding(truemark_device* device, uint32_t port, truemark_held* held);
truemark_result truemark_red_averages(truemark_device* device, uint32_t port, truemark_red_state* state);
/* TRUEMARK_ARGUMENT: the build has no pool, or no levels of PFC. */
truemark_result truemark_pool_state(truemark_device* device, truemark_pool* pool);
truemark_result truemark_pause_state(truemark_device* device, uint32_t port, truemark_pause* pause);
truemark_result truemark_bad_frames(truemark_device* device, truemark_bad* bad);

/* ---- Decoding: words for people, never NULL */

const char* truemark_result_text(truemark_result result);
const char* truemark_fault_text(uint32_t fault);
const char* truemark_code_text(uint32_t code);
const char* truemark_class_text(uint32_t class_id);

#ifdef __cplusplus
}
#endif
#endif /* TRUEMARK_DRIVER_H */
