/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One C interface to every Truemark engine: the golden model, the Verilated RTL, and both of them compared.
 *
 *   libtruemark_model.so          the golden model; any build
 *   libtruemark_rtl_<config>.so   the RTL, Verilated for one build: tm_open refuses every other build
 *   libtruemark_both_<config>.so  drives both, returns what they agree on and fails at the first difference
 *   libtruemark_netfpga_<board>.so the reference pipeline, Verilated: registers of its queues, NetFPGA's among them;
 *                                 offers and takes fail
 *
 * Frame level. Time is an argument: it stands still while a call runs, and no call takes a time of its own. Frames are
 * offered whole and taken whole; within a call an engine does everything that the call causes (a verdict, an abort, a
 * commit, a snapshot), so that two calls in the same order give the same answers on every engine. Registers are those
 * of rtl/control/truemark.rdl.
 *
 * Units: bytes from the destination MAC to the last payload byte without FCS; time in nanoseconds; all integers are in
 * host order. Ports count from 0; a port set is a bitmap, bit p = port p.
 *
 * Errors: functions that return int give a value >= 0 for success and TM_ERROR (-1) for failure; tm_last_error then
 * says what, where and the offending value. A device is used from one thread at a time; devices are independent. After
 * TM_ERROR from an engine that compares, every later call but tm_last_error and tm_close fails as well.
 */
#ifndef TRUEMARK_H
#define TRUEMARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TM_API __attribute__((visibility("default")))
#else
#define TM_API
#endif

/* In C++20 what an engine answers can be compared, every field of it. */
#if defined(__cplusplus) && __cplusplus >= 202002L
#define TM_COMPARED(type) bool operator==(const type&) const = default;
#else
#define TM_COMPARED(type)
#endif

enum { TM_ERROR = -1, TM_OK = 0, TM_SLVERR = 2 };

/* Build parameters, those of rtl/truemark.sv. Zero in a field with a default in brackets asks for it, on an
 * RTL library for what it was built with; there, zeros throughout ask for that build, whatever it is. */
typedef struct tm_build {
  uint32_t ports;       /* 1..16 [5] */
  uint32_t data_w;      /* stream width in bits: 64, 128, 256, 512, 1024 [256] */
  uint32_t rows;        /* storage rows of data_w/8 bytes, per port [room for `shallow`, 300,000 B] */
  uint32_t descriptors; /* frames a port can hold [5001, 300,000 B in frames of 60 B and one more; rows if fewer] */
  uint32_t max_frame;   /* bytes, 64..16384 - data_w/8 [9216] */
  uint32_t ultra;       /* 0 rows in block RAM, 1 in UltraRAM; the same at this interface */
  uint32_t switches;    /* what a build can have or not, by its bits of the register CAPABILITIES; red_linux needs red;
                         * bits that no build can choose are left out */
  uint32_t queues;      /* of a line: 1, 2, 4 or 8 ports next to one another [1] */
} tm_build;

typedef struct tm_device tm_device;

/* Open a device: reset, default configuration, empty, time 0. NULL: `error` (of `size` bytes, may be NULL) says why. */
TM_API tm_device* tm_open(const tm_build* build, char* error, size_t size);
TM_API void tm_close(tm_device* device); /* NULL is allowed */

/* The build as it is, defaults filled in. */
TM_API int tm_get_build(const tm_device* device, tm_build* build);

/* "model", "rtl", "both" or "netfpga". */
TM_API const char* tm_engine_name(const tm_device* device);

/* What went wrong in the last call that returned TM_ERROR; "" before the first. Valid until the next call. */
TM_API const char* tm_last_error(const tm_device* device);

/* ---- Registers: 32-bit accesses, byte addresses 0x000..0xFFC in steps of 4.
 * TM_OK, TM_SLVERR (no such register: value reads 0), or TM_ERROR (address unaligned or beyond 0xFFC).
 * A write to COMMAND returns when the command has completed: the busy bits of STATUS read 0, `refused` and `fault` are
 * those of this command. */
TM_API int tm_read(tm_device* device, uint32_t address, uint32_t* value);
TM_API int tm_write(tm_device* device, uint32_t address, uint32_t value);

/* ---- Frames */

typedef struct tm_frame {
  const uint8_t* data;      /* destination MAC first */
  uint32_t length;          /* bytes that really come, 1..65535 */
  uint32_t promised_length; /* what the first beat says; 0 = `length` */
  uint32_t ports;  /* destinations, one copy each; of a build with several queues a line: lines. Bits beyond the
                    * build's count as absent */
  uint32_t error;  /* 1: error bit on the last beat (bad FCS upstream) */
  uint32_t hole;   /* n > 0: beat n-1 comes with tkeep bit 0 cleared (bad input); 0 for good input */
  uint32_t source; /* the port that it came in by, 0..15, where a build has PFC: one beyond the build's is of none */
} tm_frame;

/* Offer a frame at `time_ns`. It has fully arrived, and every copy has its outcome, when the call returns.
 * One verdict event per copy is queued (ports in ascending order); a frame that is refused at the door (no destination,
 * runt, oversize) has none. A time before the last one is allowed (time that jumps backwards must not wedge anything).
 */
TM_API int tm_offer(tm_device* device, uint64_t time_ns, const tm_frame* frame);

typedef struct tm_departure {
  uint64_t time_ns;    /* of the departure: the time given to tm_take */
  uint64_t sojourn_ns; /* since the verdict, modulo 2^42 */
  uint32_t port;
  uint32_t length; /* bytes written to the buffer */
  uint32_t error;  /* 1: error flag on the last beat (a frame cut short; never for frames offered whole) */
  uint32_t kind; /* what the laws at the head did: TM_DEPART_PLAIN .. TM_DEPART_WAITED, never TM_DEPART_HEAD_DROPPED */
  TM_COMPARED(tm_departure)
} tm_departure;

/* departure_e of tm_pkg */
enum {
  TM_DEPART_PLAIN = 0,
  TM_DEPART_HEAD_DROPPED = 1,
  TM_DEPART_MARKED = 2,
  TM_DEPART_THRESHOLD = 3,
  TM_DEPART_MARKED_THRESHOLD = 4,
  TM_DEPART_PROTECTED = 5,
  TM_DEPART_CE_SIGNALLED = 6,
  TM_DEPART_WAITED = 7
};

/* Take the next frame of `port`, or in a build with several queues a line of the line of that number, at `time_ns`:
 * 1 with the frame in `buffer`, 0 when none is held. Of a line `departure` says which port sent. Frames that CoDel
 * drops at the head on the way to it are gone (counted head-dropped).
 * `capacity` must be at least max_frame. The frame's CE mark and checksum are as they leave the device. */
TM_API int tm_take(tm_device* device, uint32_t port, uint64_t time_ns, uint8_t* buffer, size_t capacity,
                   tm_departure* departure);

/* The queues of `port`'s line that its link partner pauses, as a bitmap, until the next call: none of them begins a
 * frame. The golden model alone has it; every other engine answers TM_ERROR. */
TM_API int tm_pause(tm_device* device, uint32_t port, uint32_t queues);

/* Let time pass without traffic. TM_OK. */
TM_API int tm_advance(tm_device* device, uint64_t time_ns);

/* ---- Verdict events, in order, kept until fetched. */

/* outcome: outcome_e of tm_pkg, 0..11 */
enum {
  TM_PASS = 0,
  TM_PASS_CE = 1,
  TM_MARK = 2,
  TM_CE_SIGNALLED = 3,
  TM_PROTECTED = 4,
  TM_EARLY_PROBABILITY = 5,
  TM_EARLY_FORCED = 6,
  TM_TAIL_BYTES = 7,
  TM_TAIL_PACKETS = 8,
  TM_NO_ROOM = 9,
  TM_DISABLED = 10,
  TM_ABORTED = 11
};

/* class_id: class_e of tm_pkg */
enum { TM_NON_IP = 0, TM_OTHER_IP = 1, TM_SYN_ACK = 2, TM_SYN = 3, TM_TCP_CTRL = 4, TM_DATA = 5, TM_ACK = 6 };

typedef struct tm_event {
  uint64_t time_ns;  /* of the verdict */
  uint32_t port;     /* of the copy */
  uint32_t length;   /* that was judged: promised, or counted when store_and_forward */
  uint32_t class_id; /* TM_NON_IP .. TM_ACK */
  uint32_t ece;      /* the ECE flag, 0 unless TCP */
  uint32_t ecn;      /* codepoint as it arrived: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE */
  uint32_t outcome;  /* TM_PASS .. TM_ABORTED, final */
  uint32_t bytes;    /* held in the queue as the verdict saw it (before this frame) */
  TM_COMPARED(tm_event)
} tm_event;

/* 1 with the next event, 0 when there is none. */
TM_API int tm_next_event(tm_device* device, tm_event* event);

#ifdef __cplusplus
}
#endif
#endif /* TRUEMARK_H */
