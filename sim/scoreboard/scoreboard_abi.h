/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The scoreboard for programs that load it: libtruemark_scoreboard.so (sw/cocotbext). Called in every cycle of a clock
 * with what the pins showed when it ended. Vectors are texts of 0, 1 and other digits, the highest bit first.
 */
#ifndef TRUEMARK_SCOREBOARD_H
#define TRUEMARK_SCOREBOARD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TMS_ABI_VERSION 3u
#define TMS_API __attribute__((visibility("default")))

typedef struct tms_build {
  uint32_t ports, data_w, rows, descriptors, max_frame, capabilities, queues; /* as the registers say */
} tms_build;

typedef struct tms_board tms_board;

TMS_API uint32_t tms_abi_version(void);
TMS_API tms_board* tms_open(const tms_build* build);
TMS_API void tms_close(tms_board* board);

/* One cycle. `source` is NULL or tdata, tkeep, tlast, tdest, tuser of the beat that is taken, `sinks` NULL or tdata,
 * tkeep, tlast, tuser of all ports; texts with a blank between. `bus` is NULL or six numbers in hexadecimal, with
 * blanks: bit 0 a write, 1 a read, 2 an answer to a read; write address, data, strobe; read address; read data. 1:
 * there is a difference, tms_report says which. -1: the model failed, tms_report says why. */
TMS_API int tms_cycle(tms_board* board, uint32_t reset, uint64_t time_ns, uint32_t tx_enable, uint32_t ready,
                      uint32_t valid, const char* source, const char* sinks, const char* bus);
/* No more cycles will come: what is suspected is told. As tms_cycle. */
TMS_API int tms_conclude(tms_board* board);
/* kind, port, cycle, frame, what, state, the frame in hexadecimal: a line each. Valid until the next call. */
TMS_API const char* tms_report(tms_board* board);
/* 0: frames that came in, 1: that left, 2: reads that were compared, 3: whether nothing moves. */
TMS_API uint64_t tms_count(const tms_board* board, uint32_t which);

#ifdef __cplusplus
}
#endif
#endif /* TRUEMARK_SCOREBOARD_H */
