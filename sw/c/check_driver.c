/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C driver against an engine library (sim/engine/truemark.h): frames go in and out through the C ABI, all else
 * through the driver. Prints what it has seen; the exit status is the number of the line that found something wrong.
 *
 * Run by sw/tests/test_c_driver.py on the golden model and on the Verilated RTL.
 */
#include <stdio.h>
#include <string.h>

#include "../../sim/engine/truemark.h"
#include "truemark_driver.h"
#include "truemark_pfc_regs.h"
#include "truemark_regs.h"

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      return __LINE__ & 0xFF ? __LINE__ & 0xFF : 1;                           \
    }                                                                         \
  } while (0)
#define DONE(call) CHECK((call) == TRUEMARK_OK)

/* Switches of the build: all, none, or only marking at departure. */
#ifndef CHECK_FULL
#define CHECK_FULL 0
#endif
#define CHECK_LATE ((CHECK_FULL & ~TRUEMARK__CAPABILITIES__SHAPING_bm) == TRUEMARK__CAPABILITIES__MARK_ON_DEPARTURE_bm)
#define CHECK_EVERY_LAW (CHECK_FULL & TRUEMARK__CAPABILITIES__TCN_bm)

/* Whether every bit of every field is tried: RTL with a pool takes five minutes. */
#ifndef CHECK_WALK
#define CHECK_WALK 1
#endif

/* Queues of a line, of two. */
#ifndef CHECK_QUEUES
#define CHECK_QUEUES 0
#endif

/* A compiler that may think of single bytes accesses registers byte by byte. */
_Static_assert(_Alignof(truemark_t) == 4 && _Alignof(truemark__NETFPGA_t) == 4, "registers are whole words");
_Static_assert(_Alignof(truemark__RED0_t) == 4 && _Alignof(truemark__RED1_t) == 4, "registers are whole words");
_Static_assert(_Alignof(truemark_pfc_t) == 4, "registers are whole words");

enum { LENGTH = 1000, FRAMES = 60, K = 20000, LIMIT = 40000, STEP_NS = 1000 };

/* Register access through the engine; `broken` makes every access fail from some count on. */
struct engine {
  tm_device* device;
  unsigned accesses;
  unsigned broken;
};

static int engine_read(void* context, uint32_t offset, uint32_t* value) {
  struct engine* engine = context;
  if (engine->broken && engine->accesses++ >= engine->broken) return 1;
  return tm_read(engine->device, offset, value);
}

static int engine_write(void* context, uint32_t offset, uint32_t value) {
  struct engine* engine = context;
  if (engine->broken && engine->accesses++ >= engine->broken) return 1;
  return tm_write(engine->device, offset, value);
}

static int nothing_read(void* context, uint32_t offset, uint32_t* value) {
  (void)context, (void)offset;
  *value = 0xFFFFFFFFu;
  return 0;
}

static int nothing_write(void* context, uint32_t offset, uint32_t value) {
  (void)offset, (void)value;
  ++*(int*)context;
  return 0;
}

/* An engine whose port 1 never ends a flush. */
static int stalled_read(void* context, uint32_t offset, uint32_t* value) {
  uint32_t page;
  if (engine_read(context, offset, value) || engine_read(context, TRUEMARK__PAGE_offset, &page)) return 1;
  if (offset == TRUEMARK__STATUS_offset && page == 1) *value |= TRUEMARK__STATUS__FLUSH_BUSY_bm;
  return 0;
}

/* A flush that cannot end says so, and leaves the other ports to be configured. */
static int check_stalled_flush(struct engine* engine) {
  const truemark_access access = {stalled_read, engine_write, engine};
  truemark_device device;
  truemark_config config;
  uint32_t fault;
  DONE(truemark_open(&device, &access));
  device.patience = 10000;
  CHECK(truemark_flush(&device, 1) == TRUEMARK_BUSY);
  DONE(truemark_configuration(&device, 0, &config));
  DONE(truemark_configure(&device, 0, &config, &fault));
  DONE(truemark_snapshot(&device));
  return 0;
}

/* An engine with the register map 0.3, in which no register stood from TCN_THRESHOLD on, and with what there was then.
 */
static int older_read(void* context, uint32_t offset, uint32_t* value) {
  if (offset >= TRUEMARK__TCN_THRESHOLD_offset || engine_read(context, offset, value)) return 1;
  if (offset == TRUEMARK__VERSION_offset) *value = 3u << TRUEMARK__VERSION__MINOR_bp;
  if (offset == TRUEMARK__CAPABILITIES_offset) *value &= TRUEMARK__CAPABILITIES__TCN_bm - 1;
  if (offset == TRUEMARK__BUILD_offset) *value &= ~TRUEMARK__BUILD__MORE_QUEUES_bm;
  return 0;
}

static int older_write(void* context, uint32_t offset, uint32_t value) {
  return offset >= TRUEMARK__TCN_THRESHOLD_offset || engine_write(context, offset, value);
}

static int check_older_map(struct engine* engine) {
  const truemark_access access = {older_read, older_write, engine};
  truemark_device device;
  truemark_config config, again;
  uint32_t fault;
  DONE(truemark_open(&device, &access));
  truemark_true_mark(&config, K, LIMIT);
  DONE(truemark_configure(&device, 0, &config, &fault));
  DONE(truemark_configuration(&device, 0, &again));
  CHECK(memcmp(&config, &again, sizeof config) == 0);
  config.tcn_threshold = 1;
  CHECK(truemark_configure(&device, 0, &config, &fault) == TRUEMARK_ARGUMENT);
  return 0;
}

/* An engine whose longest wait rises from `SHORT_WAIT` to `LONG_WAIT` before the access that counts `rises` down. */
#define SHORT_WAIT 0xFFFFFFF0u
#define LONG_WAIT ((uint64_t)1 << 32 | 7)
static unsigned rises;

static int rising_read(void* context, uint32_t offset, uint32_t* value) {
  if (engine_read(context, offset, value)) return 1;
  if (rises) rises--;
  const uint64_t wait = rises ? SHORT_WAIT : LONG_WAIT;
  if (offset == TRUEMARK__WATERMARK_SOJOURN_LOW_offset) *value = (uint32_t)wait;
  if (offset == TRUEMARK__WATERMARK_SOJOURN_HIGH_offset) *value = (uint32_t)(wait >> 32);
  return 0;
}

/* Whenever it rises, what is read is what it was or what it is. */
static int check_rising_wait(struct engine* engine) {
  const truemark_access access = {rising_read, engine_write, engine};
  truemark_device device;
  truemark_held held;
  unsigned shorter = 0;
  DONE(truemark_open(&device, &access));
  for (unsigned at = 1; at < 20; at++) {
    rises = at;
    DONE(truemark_holding(&device, 0, &held));
    CHECK(held.longest_sojourn == SHORT_WAIT || held.longest_sojourn == LONG_WAIT);
    shorter += held.longest_sojourn == SHORT_WAIT;
  }
  CHECK(shorter > 0 && shorter < 19);
  return 0;
}

/* An engine whose pool had three wrong parities, in two memories, and one more in the levels of PFC. */
static int faulty_read(void* context, uint32_t offset, uint32_t* value) {
  if (engine_read(context, offset, value)) return 1;
  if (offset == TRUEMARK__POOL_FAULTS_offset)
    *value = TRUEMARK__POOL_FAULTS__NEXT_CELLS_bm | TRUEMARK__POOL_FAULTS__COPIES_bm |
             3u << TRUEMARK__POOL_FAULTS__FAULTS_bp;
  if (offset == TRUEMARK__PFC_XOFF_offset) *value = TRUEMARK__PFC_XOFF__FAULT_bm;
  return 0;
}

static int check_faults(struct engine* engine) {
  const truemark_access access = {faulty_read, engine_write, engine};
  truemark_device device;
  truemark_pool pool;
  truemark_pause pause;
  DONE(truemark_open(&device, &access));
  if (!(device.info.capabilities & TRUEMARK__CAPABILITIES__PFC_bm)) return 0;
  DONE(truemark_pool_state(&device, &pool));
  CHECK(pool.faults == 3);
  CHECK(pool.broken == (TRUEMARK__POOL_FAULTS__NEXT_CELLS_bm | TRUEMARK__POOL_FAULTS__COPIES_bm));
  DONE(truemark_pause_state(&device, 0, &pause));
  CHECK(pause.fault && pause.xoff == 0);
  return 0;
}

/* Codes that the build does not count are refused, where it would answer with others' counts. */
static int check_codes(truemark_device* device) {
  const uint32_t switches = device->info.capabilities;
  truemark_count count;
  uint32_t last = TRUEMARK__CODE__SOJOURN_HIGH;
  if (switches & TRUEMARK__CAPABILITIES__MARK_ON_DEPARTURE_bm) last = TRUEMARK__CODE__DEPARTED_MARKED;
  if (switches & TRUEMARK__CAPABILITIES__CODEL_bm) last = TRUEMARK__CODE__DEPARTED_CE_SIGNALLED;
  if (switches & TRUEMARK__CAPABILITIES__TCN_bm) last = TRUEMARK_CODES - 1;
  DONE(truemark_snapshot(device));
  for (uint32_t code = 0; code < 32; code++) {
    const truemark_result expected = code > last ? TRUEMARK_ARGUMENT : TRUEMARK_OK;
    CHECK(truemark_query(device, 0, code, 31, 0, 0, &count) == expected);
    DONE(truemark_query(device, 0, code, 15, 0, 0, &count));
  }
  CHECK(truemark_query(device, 0, 16, 16, 0, 0, &count) == (last < 16 ? TRUEMARK_ARGUMENT : TRUEMARK_OK));
  return 0;
}

/* What a port held at the most is forgotten, and that of no other. */
static int check_watermarks(truemark_device* device) {
  truemark_held held;
  if (device->info.ports > 1) DONE(truemark_clear_watermarks(device, 1));
  DONE(truemark_holding(device, 0, &held));
  CHECK(held.most_bytes == LIMIT && held.most_packets == LIMIT / LENGTH && held.longest_sojourn > STEP_NS);
  DONE(truemark_clear_watermarks(device, 0));
  DONE(truemark_holding(device, 0, &held));
  CHECK(held.most_bytes == held.bytes && held.most_packets == held.packets && held.longest_sojourn == 0);
  CHECK(truemark_clear_watermarks(device, device->info.ports) == TRUEMARK_ARGUMENT);
  return 0;
}

/* Curves as Linux counts: the hardware takes its divisor alone, and none that is too steep. */
static int check_linux_curve(truemark_device* device) {
  static const uint32_t bands[][3] = {{5000, 15000, 1677722}, {30000, 30257, 1 << 24}, {1, 16000000, 1}, {9, 9, 5}};
  truemark_config config;
  uint32_t fault;
  truemark_plain(&config);
  config.limit_bytes = LIMIT;
  config.law[0] = TRUEMARK__LAW__RED;
  config.idle_reciprocal = 1;
  truemark_red* red = &config.red[0];
  red->weight = 9;
  red->spacing = TRUEMARK__SPACING__LINUX;
  for (unsigned i = 0; i < sizeof bands / sizeof *bands; i++) {
    red->min = bands[i][0], red->max = bands[i][1], red->maxp = bands[i][2];
    truemark_red_curve(red);
    const truemark_result result = truemark_configure(device, 0, &config, &fault);
    if (result != TRUEMARK_OK) fprintf(stderr, "band %u: %s\n", i, truemark_fault_text(fault));
    CHECK(result == TRUEMARK_OK);
  }
  red->min = 30000, red->max = 30256, red->maxp = 1 << 24;
  truemark_red_curve(red);
  CHECK(truemark_configure(device, 0, &config, &fault) == TRUEMARK_REFUSED && fault == TRUEMARK__FAULT__SLOPE0);
  printf("red: curves as Linux counts accepted\n");
  return 0;
}

/* An IPv4 TCP data segment, ECT(0). */
static void make_frame(uint8_t* frame) {
  static const uint8_t header[] = {0x02, 0,    0,  0, 0,    2,    0x02, 0,    0,    0,    0, 1, 0x08, 0,
                                   0x45, 0x02, 0,  0, 0,    1,    0,    0,    64,   6,    0, 0, 10,   0,
                                   0,    1,    10, 0, 0,    2,    0x27, 0x10, 0x4E, 0x20, 0, 0, 0,    1,
                                   0,    0,    0,  1, 0x50, 0x10, 0xFF, 0xFF, 0,    0,    0, 0};
  memset(frame, 0x5A, LENGTH);
  memcpy(frame, header, sizeof header);
  frame[16] = (LENGTH - 14) >> 8;
  frame[17] = (LENGTH - 14) & 0xFF;
  uint32_t sum = 0;
  for (int i = 14; i < 34; i += 2) sum += (uint32_t)frame[i] << 8 | frame[i + 1];
  sum = (sum & 0xFFFF) + (sum >> 16);
  sum = (sum & 0xFFFF) + (sum >> 16);
  frame[24] = (uint8_t)(~sum >> 8);
  frame[25] = (uint8_t)~sum;
}

/* The fields of a configuration, from the register map and not from the driver's own list. */
#define FIELD(reg, field) {TRUEMARK__##reg##_offset, TRUEMARK__##reg##__##field##_bm, #reg "." #field},
static const struct {
  uint32_t offset, mask;
  const char* name;
} fields[] = {TRUEMARK__CONFIG_FIELDS(FIELD)};
enum { FIELDS = sizeof fields / sizeof *fields, EXPONENT = TRUEMARK__POOL_THRESHOLD__EXPONENT_bm };
_Static_assert(EXPONENT == TRUEMARK__PFC_THRESHOLD__XOFF_EXPONENT_bm, "both thresholds are laid out alike");

/* When a queue sends is in builds with several of them, rates and bursts in those with shaping, a share in those with a
 * pool, lossless classes in those with levels of PFC. */
static bool in_build(int i) {
  switch (fields[i].offset) {
    case TRUEMARK__QUEUE_SCHEDULE_offset:
      return CHECK_QUEUES;
    case TRUEMARK__SHAPE_RATE_offset:
    case TRUEMARK__SHAPE_BURST_offset:
    case TRUEMARK__LINE_RATE_offset:
    case TRUEMARK__LINE_BURST_offset:
      return CHECK_FULL & TRUEMARK__CAPABILITIES__SHAPING_bm;
    case TRUEMARK__POOL_RESERVE_offset:
    case TRUEMARK__POOL_THRESHOLD_offset:
      return CHECK_FULL & TRUEMARK__CAPABILITIES__POOL_bm;
    case TRUEMARK__PFC_THRESHOLD_offset:
    case TRUEMARK__PFC_XON_offset:
    case TRUEMARK__PFC_CLASSES_offset:
      return CHECK_FULL & TRUEMARK__CAPABILITIES__PFC_bm;
    default:
      return true;
  }
}

static int write_all(struct engine* engine, const uint32_t* words) {
  for (int i = 0; i < FIELDS; i++) CHECK(!in_build(i) || engine_write(engine, fields[i].offset, words[i]) == 0);
  return 0;
}

static int read_all(struct engine* engine, uint32_t* words) {
  memset(words, 0, FIELDS * sizeof *words);
  for (int i = 0; i < FIELDS; i++) CHECK(!in_build(i) || engine_read(engine, fields[i].offset, &words[i]) == 0);
  return 0;
}

/* Every bit of every field, where the device takes it: what stands in the registers comes back whole through a read and
 * a write by the driver. */
static int walk(struct engine* engine, truemark_device* device) {
  uint32_t base[FIELDS], there[FIELDS], status, fault;
  static const uint32_t nothing[FIELDS];
  truemark_config config;
  unsigned taken = 0;
  truemark_true_mark(&config, K, LIMIT);
  config.limit_packets = 1;
  config.codel.interval = 100;
  config.codel.exempt_bytes = 1;
  config.quantum = CHECK_QUEUES ? LENGTH : 0;
  if (CHECK_FULL & TRUEMARK__CAPABILITIES__SHAPING_bm) config.shape_burst = config.line_burst = device->info.max_frame;
  DONE(truemark_configure(device, 0, &config, &fault));
  CHECK(engine_write(engine, TRUEMARK__COMMAND_offset, TRUEMARK__COMMAND__LOAD_bm) == 0);
  CHECK(read_all(engine, base) == 0);
  for (int i = 0; i < FIELDS; i++) {
    if (!in_build(i)) continue;
    unsigned bits = 0;
    /* An exponent is one of a dynamic threshold; where that is fixed, xon is not above it. */
    for (int j = 0; j < FIELDS; j++) {
      const bool pause = fields[j].offset == TRUEMARK__PFC_THRESHOLD_offset;
      if (!pause && fields[j].offset != TRUEMARK__POOL_THRESHOLD_offset) continue;
      const bool exponent = fields[i].offset == fields[j].offset && fields[i].mask == EXPONENT;
      const bool xon = pause && fields[i].offset == TRUEMARK__PFC_XON_offset;
      base[j] = exponent || xon ? TRUEMARK__POOL_THRESHOLD__DYNAMIC_bm : 0;
    }
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
      if (!(fields[i].mask & bit)) continue;
      CHECK(write_all(engine, base) == 0);
      CHECK(engine_write(engine, fields[i].offset, base[i] ^ bit) == 0);
      CHECK(engine_write(engine, TRUEMARK__COMMAND_offset, TRUEMARK__COMMAND__COMMIT_bm) == 0);
      CHECK(engine_read(engine, TRUEMARK__STATUS_offset, &status) == 0);
      if (status & TRUEMARK__STATUS__REFUSED_bm) continue;
      bits++;
      DONE(truemark_configuration(device, 0, &config));
      /* The shadow registers keep nothing of it. */
      CHECK(write_all(engine, nothing) == 0);
      DONE(truemark_configure(device, 0, &config, &fault));
      CHECK(engine_write(engine, TRUEMARK__COMMAND_offset, TRUEMARK__COMMAND__LOAD_bm) == 0);
      CHECK(read_all(engine, there) == 0);
      for (int j = 0; j < FIELDS; j++) {
        const uint32_t expected = fields[j].offset == fields[i].offset ? base[j] ^ bit : base[j];
        const bool off =
            (fields[j].offset == TRUEMARK__LIMIT_BYTES_offset && !(there[0] & TRUEMARK__CONTROL__LIMIT_BYTES_ON_bm)) ||
            (fields[j].offset == TRUEMARK__LIMIT_PACKETS_offset &&
             !(there[0] & TRUEMARK__CONTROL__LIMIT_PACKETS_ON_bm));
        if (there[j] == (off ? 0 : expected)) continue;
        fprintf(stderr, "%s, bit 0x%X: %s reads 0x%X\n", fields[i].name, (unsigned)bit, fields[j].name,
                (unsigned)there[j]);
        CHECK(!"a field is lost");
      }
    }
    taken += bits;
    /* A line of one queue has no rate of its own. */
    const bool none = !CHECK_QUEUES && fields[i].offset == TRUEMARK__LINE_RATE_offset;
    if (bits == 0 && CHECK_EVERY_LAW && !none) {
      fprintf(stderr, "%s: the device took no value\n", fields[i].name);
      CHECK(!"a field is not walked");
    }
  }
  printf("%u bits of %d fields there and back\n", taken, FIELDS);
  return 0;
}

/* A rate: what the last line's first queue sends at once, and when the rest follows; what is refused. */
static int shape(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  static uint8_t buffer[16384];
  truemark_config config;
  uint32_t fault;
  const uint32_t line = device->info.ports / device->info.queues - 1, port = line * device->info.queues;
  truemark_plain(&config);
  config.shape_rate = 1u << 20; /* a byte a cycle, of 5 ns */
  config.shape_burst = device->info.max_frame;
  if (!(device->info.capabilities & TRUEMARK__CAPABILITIES__SHAPING_bm)) {
    CHECK(truemark_configure(device, port, &config, &fault) == TRUEMARK_ARGUMENT);
    return 0;
  }
  const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 1u << line};
  const uint32_t at_once = device->info.max_frame / LENGTH + 1;
  config.shape_burst--;
  CHECK(truemark_configure(device, port, &config, &fault) == TRUEMARK_REFUSED);
  CHECK(fault == TRUEMARK__FAULT__SHAPE_BURST);
  config.shape_burst++;
  DONE(truemark_configure(device, port, &config, &fault));
  for (uint32_t i = 0; i <= at_once; i++) CHECK(tm_offer(engine->device, 1, &offered) == TM_OK);
  tm_departure departure;
  for (uint32_t i = 0; i < at_once; i++)
    CHECK(tm_take(engine->device, line, 1, buffer, sizeof buffer, &departure) == 1);
  CHECK(tm_take(engine->device, line, 1, buffer, sizeof buffer, &departure) == 0);
  CHECK(tm_take(engine->device, line, 1 + 5 * LENGTH, buffer, sizeof buffer, &departure) == 1);
  truemark_plain(&config);
  DONE(truemark_configure(device, port, &config, &fault));
  printf("%u frames at once, and one more at its rate\n", at_once);
  return 0;
}

/* When a queue of line 1 sends: a strict one before others, which take turns. */
static int schedule(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  static uint8_t buffer[16384];
  truemark_config config;
  uint32_t fault;
  const uint32_t own = device->info.queues, order[] = {3, 0, 1, 0, 1};
  truemark_plain(&config);
  config.shares = true;
  config.quantum = 1;
  if (own == 1) {
    CHECK(truemark_configure(device, 0, &config, &fault) == TRUEMARK_ARGUMENT);
    return 0;
  }
  config.quantum = 0;
  CHECK(truemark_configure(device, own, &config, &fault) == TRUEMARK_REFUSED);
  CHECK(fault == TRUEMARK__FAULT__QUEUE_QUANTUM);
  config.quantum = LENGTH;
  for (uint32_t queue = 0; queue < 2; queue++) DONE(truemark_configure(device, own + queue, &config, &fault));
  truemark_queues queues = {.mode = TRUEMARK__QUEUE_MODE__FIXED};
  for (uint32_t i = 0; i < 5; i++) {
    queues.default_queue = i == 4 ? 3 : (uint8_t)(i & 1);
    DONE(truemark_set_queues(device, &queues, &fault));
    const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 2};
    CHECK(tm_offer(engine->device, 1, &offered) == TM_OK);
  }
  for (uint32_t i = 0; i < 5; i++) {
    tm_departure departure;
    CHECK(tm_take(engine->device, 1, 2, buffer, sizeof buffer, &departure) == 1);
    CHECK(departure.port == own + order[i]);
  }
  queues.default_queue = 0;
  DONE(truemark_set_queues(device, &queues, &fault));
  printf("5 frames of a line in turn\n");
  return 0;
}

/* Which queue takes a frame: what is set is read back and acts, and what no line has is refused. */
static int queue_map(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  truemark_queues queues, again;
  truemark_config config;
  truemark_held held;
  uint32_t fault;
  memset(&queues, 0, sizeof queues);
  if (device->info.queues == 1) {
    CHECK(truemark_set_queues(device, &queues, &fault) == TRUEMARK_ARGUMENT);
    return 0;
  }
  const uint32_t own = device->info.queues;
  CHECK(own == CHECK_QUEUES);
  DONE(truemark_get_queues(device, &again));
  CHECK(again.mode == TRUEMARK__QUEUE_MODE__FIXED && again.default_queue == 0);
  queues.mode = TRUEMARK__QUEUE_MODE__DSCP;
  queues.default_queue = 1;
  for (int i = 0; i < 64; i++) queues.dscp[i] = (uint8_t)((uint32_t)i * 5 % own);
  for (int i = 0; i < 14; i++) queues.class_ece[i / 7][i % 7] = (uint8_t)((uint32_t)i * 3 % own);
  queues.dscp[0] = (uint8_t)(own - 1);
  queues.pcp[7] = queues.ecn[3] = 2;
  DONE(truemark_set_queues(device, &queues, &fault));
  memset(&again, 0xFF, sizeof again);
  DONE(truemark_get_queues(device, &again));
  CHECK(again.mode == queues.mode && again.default_queue == 1);
  CHECK(memcmp(again.dscp, queues.dscp, 64) == 0 && memcmp(again.pcp, queues.pcp, 8) == 0);
  CHECK(memcmp(again.ecn, queues.ecn, 4) == 0 && memcmp(again.class_ece, queues.class_ece, 14) == 0);
  /* A port's configuration leaves it alone, whatever stands in the shadow. */
  CHECK(tm_write(engine->device, TRUEMARK__QUEUE_DSCP0_offset, 0xFFFFFFFFu) == TM_OK);
  DONE(truemark_configuration(device, 1, &config));
  CHECK(tm_write(engine->device, TRUEMARK__QUEUE_DSCP0_offset, 0xFFFFFFFFu) == TM_OK);
  DONE(truemark_configure(device, 1, &config, &fault));
  DONE(truemark_get_queues(device, &again));
  CHECK(memcmp(again.dscp, queues.dscp, 64) == 0);
  /* DSCP 0 to line 1: its last queue. */
  const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 2};
  CHECK(tm_offer(engine->device, 1, &offered) == TM_OK);
  for (uint32_t port = 0; port < device->info.ports; port++) {
    DONE(truemark_holding(device, port, &held));
    CHECK(held.packets == (port == 2 * own - 1));
  }
  DONE(truemark_flush(device, 2 * own - 1));
  queues.dscp[63] = (uint8_t)own;
  CHECK(truemark_set_queues(device, &queues, &fault) == TRUEMARK_ARGUMENT);
  queues.dscp[63] = queues.dscp[0] = 0;
  queues.mode = TRUEMARK__QUEUE_MODE__CLASS_ECE;
  if (!(device->info.capabilities & TRUEMARK__CAPABILITIES__FLAGS_VERDICT_bm)) {
    CHECK(truemark_set_queues(device, &queues, &fault) == TRUEMARK_REFUSED && fault == TRUEMARK__FAULT__QUEUE_MODE);
  }
  queues.mode = TRUEMARK__QUEUE_MODE__FIXED;
  queues.default_queue = 0;
  DONE(truemark_set_queues(device, &queues, &fault));
  printf("%u queues a line: set, read back, in force\n", device->info.queues);
  return 0;
}

/* What RED without a memory goes by is what it found at the last arrival; without RED it is 0. */
static int averages(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  static uint8_t buffer[16384];
  const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 1};
  const uint32_t red = device->info.capabilities & TRUEMARK__CAPABILITIES__RED_bm ? 1 : 0;
  truemark_config config;
  truemark_red_state state;
  tm_departure departure;
  uint32_t fault, seed;
  truemark_plain(&config);
  if (red) {
    config.idle_reciprocal = 1;
    for (uint32_t slot = 0; slot < 2; slot++) {
      config.law[slot] = TRUEMARK__LAW__RED;
      config.red[slot].max = 1u << 23;
      config.red[slot].maxp = 5 + slot;
      truemark_red_curve(&config.red[slot]);
    }
  }
  DONE(truemark_configure(device, 0, &config, &fault));
  for (int i = 0; i < 3; i++) CHECK(tm_offer(engine->device, 1, &offered) == TM_OK);
  DONE(truemark_red_averages(device, 0, &state));
  CHECK(state.average[0] == red * 2 * LENGTH && state.maxp[0] == red * 5 && state.maxp[1] == red * 6);
  CHECK(truemark_red_averages(device, device->info.ports, &state) == TRUEMARK_ARGUMENT);
  for (int i = 0; i < 3; i++) CHECK(tm_take(engine->device, 0, 1, buffer, sizeof buffer, &departure) == 1);
  DONE(truemark_set_seed(device, 0xCAFE));
  CHECK(engine_read(engine, TRUEMARK__SEED_offset, &seed) == 0 && seed == 0xCAFE);
  return 0;
}

/* Frames that break a rule are counted by what is wrong. */
static int bad_frames(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  const tm_frame none = {.data = frame, .length = LENGTH}, runt = {.data = frame, .length = 13, .ports = 1};
  const tm_frame wrong = {.data = frame, .length = LENGTH, .ports = 1, .error = 1};
  truemark_bad before, bad;
  DONE(truemark_bad_frames(device, &before));
  CHECK(tm_offer(engine->device, 1, &none) == TM_OK);
  for (int i = 0; i < 2; i++) CHECK(tm_offer(engine->device, 1, &runt) == TM_OK);
  for (int i = 0; i < 3; i++) CHECK(tm_offer(engine->device, 1, &wrong) == TM_OK);
  DONE(truemark_bad_frames(device, &bad));
  CHECK(bad.no_destination - before.no_destination == 1 && bad.runt - before.runt == 2);
  CHECK(bad.error_bit - before.error_bit == 3 && bad.oversize == before.oversize);
  CHECK(bad.keep_hole == before.keep_hole && bad.length_mismatch == before.length_mismatch);
  CHECK(bad.reset == before.reset);
  return 0;
}

/* Frames to port 0, up to its threshold of the pool; on the way there their source must pause, and has headroom. */
static int pool(struct engine* engine, truemark_device* device, const uint8_t* frame) {
  static uint8_t buffer[16384];
  enum { CELLS = (LENGTH + 63) / 64, ALLOWED = 20, XOFF = 10, HEADROOM = 5 };
  const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 1};
  const bool pfc = device->info.capabilities & TRUEMARK__CAPABILITIES__PFC_bm;
  truemark_config config;
  truemark_held held;
  truemark_pool empty, full;
  truemark_pause pause;
  tm_departure departure;
  uint32_t fault;
  DONE(truemark_holding(device, 0, &held));
  CHECK(held.cells == 0);
  if (!(device->info.capabilities & TRUEMARK__CAPABILITIES__POOL_bm)) {
    CHECK(held.most_cells == 0 && held.refused == 0);
    CHECK(truemark_pool_state(device, &empty) == TRUEMARK_ARGUMENT);
    CHECK(truemark_pause_state(device, 0, &pause) == TRUEMARK_ARGUMENT);
    return 0;
  }
  const uint32_t refused = held.refused;
  DONE(truemark_pool_state(device, &empty));
  CHECK(empty.held == 0 && empty.faults == 0 && empty.broken == 0);
  truemark_plain(&config);
  config.cells = ALLOWED * CELLS;
  if (pfc) {
    config.lossless = 1;
    config.xoff_cells = XOFF * CELLS;
    config.headroom = HEADROOM * CELLS;
  }
  DONE(truemark_configure(device, 0, &config, &fault));
  DONE(truemark_clear_watermarks(device, 0));
  for (uint32_t i = 0; i < ALLOWED + 2; i++) {
    if (pfc) DONE(truemark_pause_state(device, 0, &pause));
    if (pfc) CHECK(pause.xoff == (i > XOFF) && !pause.fault);
    CHECK(tm_offer(engine->device, 1, &offered) == TM_OK);
  }
  DONE(truemark_holding(device, 0, &held));
  DONE(truemark_pool_state(device, &full));
  CHECK(held.packets == ALLOWED && held.cells == ALLOWED * CELLS && held.most_cells == held.cells);
  CHECK(held.refused - refused == 2);
  CHECK(full.held == held.cells && full.most >= full.held && full.walking == 0);
  CHECK(full.free + full.held == empty.free + empty.walking);
  if (pfc) {
    DONE(truemark_pause_state(device, 0, &pause));
    CHECK(pause.overruns == (ALLOWED - XOFF - HEADROOM) * CELLS);
    CHECK(truemark_pause_state(device, device->info.ports, &pause) == TRUEMARK_ARGUMENT);
  }
  for (uint32_t i = 0; i < ALLOWED; i++) CHECK(tm_take(engine->device, 0, 1, buffer, sizeof buffer, &departure) == 1);
  DONE(truemark_holding(device, 0, &held));
  CHECK(held.cells == 0 && held.most_cells == ALLOWED * CELLS);
  truemark_plain(&config);
  DONE(truemark_configure(device, 0, &config, &fault));
  printf("%u cells of the pool counted\n", (unsigned)(ALLOWED * CELLS));
  return 0;
}

int main(void) {
  static uint8_t frame[LENGTH], buffer[16384];
  static truemark_count counts[TRUEMARK_CODES], before[TRUEMARK_CODES];
  static uint64_t bins[TRUEMARK_BINS];
  /* As built for the RTL; the model has everything. */
  const tm_build any = {.switches = CHECK_FULL, .ports = 2 * CHECK_QUEUES, .queues = CHECK_QUEUES};
  char error[200] = "";
  struct engine engine = {tm_open(&any, error, sizeof error), 0, 0};
  if (engine.device == NULL) fprintf(stderr, "%s\n", error);
  CHECK(engine.device != NULL);
  truemark_access access = {engine_read, engine_write, &engine};
  truemark_device device;
  truemark_config config, again;
  truemark_count count;
  truemark_held held;
  truemark_bad bad;
  truemark_pool of_all;
  uint32_t fault;

  /* Nothing there: nothing is written. */
  int writes = 0;
  const truemark_access nothing = {nothing_read, nothing_write, &writes};
  CHECK(truemark_open(&device, &nothing) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_set_time_step(&device, 1) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_set_seed(&device, 1) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_bad_frames(&device, &bad) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_pool_state(&device, &of_all) == TRUEMARK_ARGUMENT);
  CHECK(truemark_lock(&device, 7) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_unlock(&device, 7) == TRUEMARK_NOT_FOUND);
  CHECK(truemark_flush(&device, 0) == TRUEMARK_ARGUMENT);
  CHECK(truemark_configure(&device, 0, &config, &fault) == TRUEMARK_ARGUMENT);
  CHECK(writes == 0);

  DONE(truemark_open(&device, &access));
  printf("%s: %u ports, %u bytes and %u frames each\n", tm_engine_name(engine.device), device.info.ports,
         device.info.storage, device.info.descriptors);
  tm_build build;
  CHECK(tm_get_build(engine.device, &build) == TM_OK);
  CHECK(device.info.ports == build.ports && device.info.rows == build.rows);
  CHECK(device.info.storage == build.rows * build.data_w / 8 && device.info.descriptors == build.descriptors);

  /* The lock is one owner's. */
  DONE(truemark_lock(&device, 7));
  CHECK(truemark_lock(&device, 8) == TRUEMARK_LOCKED);
  DONE(truemark_unlock(&device, 7));
  DONE(truemark_lock(&device, 8));
  CHECK(truemark_unlock(&device, 9) == TRUEMARK_LOCKED);
  DONE(truemark_unlock(&device, 8));
  DONE(truemark_unlock(&device, 8));

  if (device.info.ports > 1) CHECK(check_stalled_flush(&engine) == 0);
  CHECK(check_older_map(&engine) == 0);
  CHECK(check_rising_wait(&engine) == 0);
  CHECK(check_faults(&engine) == 0);
  CHECK(check_codes(&device) == 0);

  /* A commit that is refused says why and changes nothing. */
  truemark_true_mark(&config, K, LIMIT);
  DONE(truemark_configure(&device, 0, &config, &fault));
  truemark_true_mark(&again, LIMIT + 1, LIMIT);
  CHECK(truemark_configure(&device, 0, &again, &fault) == TRUEMARK_REFUSED);
  CHECK(fault == TRUEMARK__FAULT__K0);
  printf("refused: %s\n", truemark_fault_text(fault));
  CHECK(truemark_configure(&device, device.info.ports, &config, &fault) == TRUEMARK_ARGUMENT);
  DONE(truemark_configuration(&device, 0, &again));
  CHECK(memcmp(&config, &again, sizeof config) == 0);

  if (CHECK_WALK) CHECK(walk(&engine, &device) == 0);
  DONE(truemark_configure(&device, 0, &config, &fault));
  make_frame(frame);
  CHECK(queue_map(&engine, &device, frame) == 0);
  CHECK(schedule(&engine, &device, frame) == 0);
  CHECK(shape(&engine, &device, frame) == 0);
  again = config;
  again.red[1].weight = 32;
  CHECK(truemark_configure(&device, 0, &again, &fault) == TRUEMARK_ARGUMENT);

  /* The step law at departure, which drops nothing. */
  if (device.info.capabilities & TRUEMARK__CAPABILITIES__MARK_ON_DEPARTURE_bm) {
    truemark_true_mark(&again, K, LIMIT);
    again.mark_on_departure = true;
    DONE(truemark_configure(&device, 0, &again, &fault));
    again.mark_on_departure = false;
    DONE(truemark_configuration(&device, 0, &again));
    CHECK(again.mark_on_departure);
    again.harddrop = true;
    CHECK(truemark_configure(&device, 0, &again, &fault) == TRUEMARK_REFUSED && fault == TRUEMARK__FAULT__CONTROL);
    DONE(truemark_configure(&device, 0, &config, &fault));
  }

  /* Frames up to the limit, every one above K marked, as it comes or as it leaves; then all out again. */
  make_frame(frame);
  config.mark_on_departure = CHECK_LATE;
  DONE(truemark_configure(&device, 0, &config, &fault));
  const tm_frame offered = {.data = frame, .length = LENGTH, .ports = 1};
  uint64_t now = 0, marked = 0;
  DONE(truemark_snapshot(&device));
  DONE(truemark_counters(&device, 0, before));
  for (int i = 0; i < FRAMES; i++) CHECK(tm_offer(engine.device, now += STEP_NS, &offered) == TM_OK);
  tm_event event;
  while (tm_next_event(engine.device, &event) == 1) marked += event.outcome == TM_MARK;
  DONE(truemark_holding(&device, 0, &held));
  CHECK(held.bytes == LIMIT && held.packets == LIMIT / LENGTH && held.most_bytes == LIMIT);
  tm_departure departure;
  uint64_t left = 0, ce = 0;
  while (tm_take(engine.device, 0, now += STEP_NS, buffer, sizeof buffer, &departure) == 1) {
    left++;
    ce += (buffer[15] & 3) == 3;
  }
  DONE(truemark_snapshot(&device));
  DONE(truemark_counters(&device, 0, counts));
  const unsigned code_of_marks = CHECK_LATE ? TRUEMARK__CODE__DEPARTED_MARKED : TRUEMARK__CODE__MARK;
  CHECK(ce == LIMIT / LENGTH - K / LENGTH - 1 && marked == (CHECK_LATE ? 0 : ce));
  CHECK(counts[code_of_marks].packets - before[code_of_marks].packets == ce);
  CHECK(counts[code_of_marks].bytes == ce * LENGTH);
  CHECK(counts[TRUEMARK__CODE__TAIL_BYTES].packets == FRAMES - LIMIT / LENGTH);
  CHECK(left == LIMIT / LENGTH);
  uint64_t departed = counts[TRUEMARK__CODE__DEPARTED].packets, arrived = 0;
  for (uint32_t code = TRUEMARK__CODE__DEPARTED_MARKED; code < TRUEMARK_CODES; code++) departed += counts[code].packets;
  for (uint32_t code = 0; code < TRUEMARK__CODE__DEPARTED; code++) arrived += counts[code].packets;
  CHECK(departed == left && arrived == FRAMES);
  for (uint32_t code = 0; code < TRUEMARK_CODES; code++) {
    if (counts[code].packets == 0) continue;
    printf("%-12s %3u packets %6u bytes\n", truemark_code_text(code), (unsigned)counts[code].packets,
           (unsigned)counts[code].bytes);
  }
  /* By class: all of it was data without ECE. */
  DONE(truemark_query(&device, 0, TRUEMARK__CODE__DEPARTED, 31, 2 * TM_DATA, 15, &count));
  const uint64_t unmarked = left - (CHECK_LATE ? ce : 0);
  CHECK(count.packets == unmarked && count.bytes == unmarked * LENGTH);
  DONE(truemark_query(&device, 0, TRUEMARK__CODE__DEPARTED, 31, 2 * TM_ACK, 14, &count));
  CHECK(count.packets == 0);
  DONE(truemark_histogram(&device, 0, bins));
  uint64_t total = 0;
  for (int bin = 0; bin < TRUEMARK_BINS; bin++) total += bins[bin];
  CHECK(total == left);
  DONE(truemark_holding(&device, 0, &held));
  CHECK(held.bytes == 0 && held.packets == 0 && held.longest_sojourn > STEP_NS);
  CHECK(check_watermarks(&device) == 0);
  CHECK(averages(&engine, &device, frame) == 0);
  CHECK(bad_frames(&engine, &device, frame) == 0);
  CHECK(pool(&engine, &device, frame) == 0);

  if (device.info.capabilities & TRUEMARK__CAPABILITIES__RED_LINUX_bm) CHECK(check_linux_curve(&device) == 0);

  /* RED with the curve this driver computes: the hardware checks it against min, max and maxp. */
  if (device.info.capabilities & TRUEMARK__CAPABILITIES__RED_bm) {
    static const uint32_t bands[][3] = {{0, 1, 1}, {5000, 15000, 1677722}, {30000, 30001, 1 << 24}, {1, 290000, 3}};
    for (unsigned i = 0; i < sizeof bands / sizeof *bands; i++) {
      for (int gentle = 0; gentle < 2; gentle++) {
        truemark_plain(&config);
        config.limit_bytes = LIMIT;
        config.law[0] = TRUEMARK__LAW__RED;
        config.idle_reciprocal = 1;
        config.adapt_interval = 500000000;
        truemark_red* red = &config.red[0];
        red->weight = 9;
        red->min = bands[i][0], red->max = bands[i][1], red->maxp = bands[i][2];
        red->gentle = gentle, red->adaptive = i == 1;
        red->bottom = 167772, red->band_low = 9000, red->band_high = 11000;
        truemark_red_curve(red);
        const truemark_result result = truemark_configure(&device, 0, &config, &fault);
        if (result != TRUEMARK_OK) fprintf(stderr, "band %u: %s\n", i, truemark_fault_text(fault));
        CHECK(result == TRUEMARK_OK);
        red->slope += red->slope / 100 + 2 * (red->max - red->min);
        CHECK(truemark_configure(&device, 0, &config, &fault) == TRUEMARK_REFUSED);
        CHECK(fault == TRUEMARK__FAULT__SLOPE0);
      }
    }
    printf("red: slopes of %u bands accepted\n", (unsigned)(sizeof bands / sizeof *bands));
  }

  /* An access that fails is said at once, wherever it happens; the port goes on as it was. */
  truemark_true_mark(&config, K, LIMIT);
  DONE(truemark_configure(&device, 0, &config, &fault));
  truemark_true_mark(&again, K + 1, LIMIT);
  unsigned failures = 0, kept = 0;
  for (unsigned limit = 1; limit < 200; limit++) {
    engine.broken = limit, engine.accesses = 0;
    const truemark_result result = truemark_configure(&device, 0, &again, &fault);
    engine.broken = 0;
    if (result == TRUEMARK_OK) break;
    CHECK(result == TRUEMARK_ACCESS_FAILED);
    failures++;
    /* Whole as it was, or, once the commit has been asked for, whole as it should be. */
    truemark_config now_there;
    DONE(truemark_configuration(&device, 0, &now_there));
    const bool old = memcmp(&now_there, &config, sizeof config) == 0;
    CHECK(old || memcmp(&now_there, &again, sizeof again) == 0);
    CHECK(!old || kept == failures - 1);
    kept += old;
  }
  CHECK(kept > 20 && kept < failures);
  CHECK(failures > 20 && failures < 199);
  printf("%u places to fail, each reported: %s; %u left the old configuration\n", failures,
         truemark_result_text(TRUEMARK_ACCESS_FAILED), kept);
  for (fault = 0; fault <= TRUEMARK__FAULT__COUNT; fault++)
    printf("fault %u: %s\n", (unsigned)fault, truemark_fault_text(fault));
  for (uint32_t class_id = 0; class_id <= TRUEMARK_CLASSES; class_id++)
    printf("class %u: %s\n", (unsigned)class_id, truemark_class_text(class_id));
  tm_close(engine.device);
  return 0;
}
