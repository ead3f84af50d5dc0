/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver of truemark_driver.h. Freestanding: nothing here needs a library but the compiler's own,
 * which 32-bit targets take 64-bit division from.
 */
#include "truemark_driver.h"

#include <stddef.h>

#define TRMK TRUEMARK__ID__VALUE_reset
#define KNOWN_MAJOR 0u
#define TCN_SINCE 4u /* minor number of the first map with TCN_THRESHOLD */
#define PATIENCE 1000000u
#define BUSY (TRUEMARK__STATUS__COMMIT_BUSY_bm | TRUEMARK__STATUS__SNAPSHOT_BUSY_bm | TRUEMARK__STATUS__QUERY_BUSY_bm)
#define FLUSHES (TRUEMARK__COMMAND__FLUSH_bm | TRUEMARK__COMMAND__SOFT_RESET_bm)
#define TRY(call)                           \
  do {                                      \
    const truemark_result tried = (call);   \
    if (tried != TRUEMARK_OK) return tried; \
  } while (0)

/* The lowest bit of a mask is the field's place. */
static uint32_t place(uint32_t mask, uint32_t value) { return (value * (mask & (0u - mask))) & mask; }
static uint32_t field(uint32_t mask, uint32_t word) { return (word & mask) / (mask & (0u - mask)); }

static truemark_result get(truemark_device* device, uint32_t offset, uint32_t* value) {
  return device->access.read(device->access.context, offset, value) ? TRUEMARK_ACCESS_FAILED : TRUEMARK_OK;
}

static truemark_result put(truemark_device* device, uint32_t offset, uint32_t value) {
  return device->access.write(device->access.context, offset, value) ? TRUEMARK_ACCESS_FAILED : TRUEMARK_OK;
}

/* The low word first, for what stands still: TIME's holds the high one, snapshot and sums are kept. */
static truemark_result get_wide(truemark_device* device, uint32_t low, uint32_t high, uint64_t* value) {
  uint32_t words[2];
  TRY(get(device, low, &words[0]));
  TRY(get(device, high, &words[1]));
  *value = (uint64_t)words[1] << 32 | words[0];
  return TRUEMARK_OK;
}

/* For what may rise between two accesses: the low word between two equal high ones. */
static truemark_result get_rising(truemark_device* device, uint32_t low, uint32_t high, uint64_t* value) {
  uint32_t before, after;
  TRY(get(device, high, &after));
  do {
    before = after;
    TRY(get_wide(device, low, high, value));
    after = (uint32_t)(*value >> 32);
  } while (before != after);
  return TRUEMARK_OK;
}

/* Before truemark_open it has none. */
static bool has(const truemark_device* device, uint32_t capability) {
  return device->info.ports != 0 && device->info.capabilities & capability;
}

static truemark_result wait_for(truemark_device* device, uint32_t busy, uint32_t* status) {
  for (uint32_t i = 0; i < device->patience; i++) {
    TRY(get(device, TRUEMARK__STATUS_offset, status));
    if (!(*status & busy)) return TRUEMARK_OK;
  }
  return TRUEMARK_BUSY;
}

static truemark_result settle(truemark_device* device, uint32_t* status) { return wait_for(device, BUSY, status); }

/* Only what flushes waits for a flush: one whose sink stands still does not keep other ports from commands. */
static truemark_result command(truemark_device* device, uint32_t port, uint32_t bits, uint32_t* status) {
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  TRY(settle(device, status));
  TRY(put(device, TRUEMARK__PAGE_offset, port));
  TRY(put(device, TRUEMARK__COMMAND_offset, bits));
  return wait_for(device, bits & FLUSHES ? BUSY | TRUEMARK__STATUS__FLUSH_BUSY_bm : BUSY, status);
}

truemark_result truemark_open(truemark_device* device, const truemark_access* access) {
  uint32_t word, status;
  device->access = *access;
  device->patience = PATIENCE;
  device->info.ports = 0;
  TRY(get(device, TRUEMARK__ID_offset, &word));
  if (word != TRMK) return TRUEMARK_NOT_FOUND;
  TRY(get(device, TRUEMARK__VERSION_offset, &device->info.version));
  if (field(TRUEMARK__VERSION__MAJOR_bm, device->info.version) != KNOWN_MAJOR) return TRUEMARK_WRONG_VERSION;
  TRY(get(device, TRUEMARK__BUILD_offset, &word));
  device->info.beat_bytes = field(TRUEMARK__BUILD__DATA_BYTES_bm, word);
  TRY(get(device, TRUEMARK__ROWS_offset, &device->info.rows));
  TRY(get(device, TRUEMARK__DESCRIPTORS_offset, &device->info.descriptors));
  TRY(get(device, TRUEMARK__STORAGE_offset, &device->info.storage));
  TRY(get(device, TRUEMARK__MAX_FRAME_offset, &device->info.max_frame));
  TRY(get(device, TRUEMARK__CAPABILITIES_offset, &device->info.capabilities));
  device->info.ports = field(TRUEMARK__BUILD__PORTS_bm, word);
  device->info.queues = field(TRUEMARK__BUILD__MORE_QUEUES_bm, word) + 1;
  /* After a reset the counters are being cleared for a while. */
  return settle(device, &status);
}

truemark_result truemark_time(truemark_device* device, uint64_t* ns) {
  return get_wide(device, TRUEMARK__TIME_LOW_offset, TRUEMARK__TIME_HIGH_offset, ns);
}

truemark_result truemark_set_time_step(truemark_device* device, uint32_t step) {
  if (device->info.ports == 0) return TRUEMARK_NOT_FOUND;
  return put(device, TRUEMARK__TIME_STEP_offset, step);
}

truemark_result truemark_set_seed(truemark_device* device, uint32_t seed) {
  if (device->info.ports == 0) return TRUEMARK_NOT_FOUND;
  return put(device, TRUEMARK__SEED_offset, seed);
}

truemark_result truemark_lock(truemark_device* device, uint32_t owner) {
  uint32_t word;
  if (device->info.ports == 0) return TRUEMARK_NOT_FOUND;
  if (owner == 0 || owner > 0x7FFF) return TRUEMARK_ARGUMENT;
  TRY(put(device, TRUEMARK__LOCK_offset, owner));
  TRY(get(device, TRUEMARK__LOCK_offset, &word));
  return field(TRUEMARK__LOCK__OWNER_bm, word) == owner ? TRUEMARK_OK : TRUEMARK_LOCKED;
}

truemark_result truemark_unlock(truemark_device* device, uint32_t owner) {
  uint32_t word;
  if (device->info.ports == 0) return TRUEMARK_NOT_FOUND;
  if (owner == 0 || owner > 0x7FFF) return TRUEMARK_ARGUMENT;
  /* Asked before: once it is given back, the next owner may have it at once. */
  TRY(get(device, TRUEMARK__LOCK_offset, &word));
  word = field(TRUEMARK__LOCK__OWNER_bm, word);
  if (word != 0 && word != owner) return TRUEMARK_LOCKED;
  return put(device, TRUEMARK__LOCK_offset, TRUEMARK__LOCK__RELEASE_bm | owner);
}

/* Byte by byte: the compiler may not call a memset that is not there. */
void truemark_plain(truemark_config* config) {
  volatile unsigned char* bytes = (volatile unsigned char*)config;
  for (uint32_t i = 0; i < sizeof *config; i++) bytes[i] = 0;
  config->enable = true;
}

void truemark_true_mark(truemark_config* config, uint32_t k, uint32_t limit_bytes) {
  truemark_plain(config);
  config->limit_bytes = limit_bytes;
  config->slot_of = 1; /* Not-ECT: the slot without a law */
  config->law[0] = TRUEMARK__LAW__STEP;
  config->k[0] = k;
}

/* dividend * 2^(8 + 8 * scale) / divisor, with the largest scale that fits into 32 bits. */
static uint32_t scaled(uint64_t dividend, uint32_t divisor, uint32_t* scale) {
  uint64_t best = ((dividend << 8) + divisor / 2) / divisor;
  *scale = 0;
  for (uint32_t s = 1; s < 4; s++) {
    const uint64_t next = ((dividend << (8 + 8 * s)) + divisor / 2) / divisor;
    if (next > UINT32_MAX) break;
    best = next;
    *scale = s;
  }
  return best > UINT32_MAX ? UINT32_MAX : (uint32_t)best;
}

/* Linux's divisor, 1 and up. The device refuses one that is too steep, of more than 24 bits. */
static uint32_t linux_slope(uint32_t maxp, uint32_t band) {
  const uint64_t divisor = ((uint64_t)maxp << 8) / band;
  if (divisor > UINT32_MAX) return UINT32_MAX;
  return divisor == 0 ? 1 : (uint32_t)divisor;
}

void truemark_red_curve(truemark_red* red) {
  const uint32_t band = red->max > red->min ? red->max - red->min : 0;
  const uint32_t rest = red->maxp < 0x1000000u ? 0x1000000u - red->maxp : 0;
  red->slope = red->slope_scale = red->reciprocal = red->gentle_slope = red->gentle_scale = 0;
  if (red->spacing == TRUEMARK__SPACING__LINUX) {
    if (band != 0) red->slope = linux_slope(red->maxp, band);
    return; /* it has one scale, and nothing else */
  }
  if (band != 0) {
    red->slope = scaled(red->maxp, band, &red->slope_scale);
    /* 1/band in units of 2^-(32 + 8 * scale); 33 bits at most, saturated as the device expects. The scale is that of
     * the slope: with ARED the greatest maxp must fit too. */
    if (red->adaptive) {
      uint32_t scale;
      (void)scaled(0x1000000u, band, &scale);
      if (scale < red->slope_scale) {
        red->slope_scale = scale;
        red->slope = (uint32_t)((((uint64_t)red->maxp << (8 + 8 * scale)) + band / 2) / band);
      }
    }
    const uint64_t one = (uint64_t)1 << (32 + 8 * red->slope_scale);
    const uint64_t reciprocal = (one + band / 2) / band;
    red->reciprocal = reciprocal > UINT32_MAX ? UINT32_MAX : (uint32_t)reciprocal;
  }
  if (red->gentle && red->max != 0) red->gentle_slope = scaled(rest, red->max, &red->gentle_scale);
}

/* The fields of a configuration, those of a register side by side. */
enum kind { VALUE, SWITCH, SWITCHED };
#define FIELD(member, offset, mask, kind) \
  {offsetof(truemark_config, member), sizeof(((truemark_config*)0)->member) == sizeof(bool), kind, offset, mask},
static const struct field {
  uint16_t at; /* in the struct */
  bool is_bool;
  uint8_t kind;
  uint32_t offset;
  uint32_t mask;
} fields[] = {TRUEMARK_CONFIG_FIELDS(FIELD)};
enum { FIELDS = sizeof fields / sizeof *fields };

static uint32_t member(const truemark_config* config, const struct field* f) {
  const void* at = (const unsigned char*)config + f->at;
  const uint32_t value = f->is_bool ? *(const bool*)at : *(const uint32_t*)at;
  return f->kind == SWITCH ? value != 0 : value;
}

static void set_member(truemark_config* config, const struct field* f, uint32_t value) {
  void* at = (unsigned char*)config + f->at;
  /* A word that is switched off is 0. */
  if (f->kind == SWITCHED && *(const uint32_t*)at == 0) return;
  if (f->is_bool)
    *(bool*)at = value != 0;
  else
    *(uint32_t*)at = value;
}

/* Builds with one queue a line do not have when a queue sends, those without shaping no rates and bursts,
 * those without a pool no share of one, those without levels of PFC no lossless classes, older maps no threshold of
 * waiting-time marking. That is written where only the law is missing: a program before may have left one there. */
static bool lacks(const truemark_device* device, const struct field* f) {
  switch (f->offset) {
    case TRUEMARK__QUEUE_SCHEDULE_offset:
      return device->info.queues < 2;
    case TRUEMARK__SHAPE_RATE_offset:
    case TRUEMARK__SHAPE_BURST_offset:
    case TRUEMARK__LINE_RATE_offset:
    case TRUEMARK__LINE_BURST_offset:
      return !has(device, TRUEMARK__CAPABILITIES__SHAPING_bm);
    case TRUEMARK__POOL_RESERVE_offset:
    case TRUEMARK__POOL_THRESHOLD_offset:
      return !has(device, TRUEMARK__CAPABILITIES__POOL_bm);
    case TRUEMARK__PFC_THRESHOLD_offset:
    case TRUEMARK__PFC_XON_offset:
    case TRUEMARK__PFC_CLASSES_offset:
      return !has(device, TRUEMARK__CAPABILITIES__PFC_bm);
    case TRUEMARK__TCN_THRESHOLD_offset:
      return field(TRUEMARK__VERSION__MINOR_bm, device->info.version) < TCN_SINCE;
    default:
      return false;
  }
}

static truemark_result commit(truemark_device* device, uint32_t port, uint32_t* fault) {
  uint32_t status;
  TRY(command(device, port, TRUEMARK__COMMAND__COMMIT_bm, &status));
  if (!(status & TRUEMARK__STATUS__REFUSED_bm)) return TRUEMARK_OK;
  *fault = field(TRUEMARK__STATUS__FAULT_bm, status);
  return TRUEMARK_REFUSED;
}

truemark_result truemark_configure(truemark_device* device, uint32_t port, const truemark_config* config,
                                   uint32_t* fault) {
  uint32_t status, word = 0;
  *fault = TRUEMARK__FAULT__NONE;
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  for (const struct field* f = fields; f < fields + FIELDS; f++) {
    if (field(f->mask, place(f->mask, member(config, f))) != member(config, f)) return TRUEMARK_ARGUMENT;
    if (lacks(device, f) && member(config, f) != 0) return TRUEMARK_ARGUMENT;
  }
  TRY(settle(device, &status));
  /* What says which queue takes a frame is committed, too: as it is in force. */
  if (device->info.queues > 1) TRY(command(device, port, TRUEMARK__COMMAND__LOAD_bm, &status));
  for (const struct field* f = fields; f < fields + FIELDS; f++) {
    word |= place(f->mask, member(config, f));
    if (lacks(device, f)) continue;
    if (f + 1 < fields + FIELDS && f[1].offset == f->offset) continue;
    TRY(put(device, f->offset, word));
    word = 0;
  }
  return commit(device, port, fault);
}

truemark_result truemark_configuration(truemark_device* device, uint32_t port, truemark_config* config) {
  uint32_t status, word = 0;
  TRY(command(device, port, TRUEMARK__COMMAND__LOAD_bm, &status));
  truemark_plain(config);
  for (const struct field* f = fields; f < fields + FIELDS; f++) {
    if (lacks(device, f)) continue;
    if (f == fields || f[-1].offset != f->offset) TRY(get(device, f->offset, &word));
    set_member(config, f, field(f->mask, word));
  }
  return TRUEMARK_OK;
}

/* A table: `count` entries of three bits in each of its words, which stand next to one another. */
static const struct table {
  uint16_t at; /* in the struct */
  uint8_t words, count;
  uint32_t offset;
} tables[] = {
    {offsetof(truemark_queues, dscp), 8, 8, TRUEMARK__QUEUE_DSCP0_offset},
    {offsetof(truemark_queues, pcp), 1, 8, TRUEMARK__QUEUE_PCP_offset},
    {offsetof(truemark_queues, ecn), 1, 4, TRUEMARK__QUEUE_ECN_offset},
    {offsetof(truemark_queues, class_ece), 2, 7, TRUEMARK__QUEUE_CLASS_offset},
};
enum { TABLES = sizeof tables / sizeof *tables };

truemark_result truemark_set_queues(truemark_device* device, const truemark_queues* queues, uint32_t* fault) {
  uint32_t status;
  *fault = TRUEMARK__FAULT__NONE;
  if (device->info.queues < 2 || queues->default_queue >= device->info.queues) return TRUEMARK_ARGUMENT;
  if (queues->mode >= TRUEMARK__QUEUE_MODE__COUNT) return TRUEMARK_ARGUMENT;
  for (const struct table* t = tables; t < tables + TABLES; t++) {
    const uint8_t* entry = (const uint8_t*)queues + t->at;
    for (uint32_t i = 0; i < (uint32_t)t->words * t->count; i++) {
      if (entry[i] >= device->info.queues) return TRUEMARK_ARGUMENT;
    }
  }
  TRY(command(device, 0, TRUEMARK__COMMAND__LOAD_bm, &status));
  for (const struct table* t = tables; t < tables + TABLES; t++) {
    const uint8_t* entry = (const uint8_t*)queues + t->at;
    for (uint32_t w = 0; w < t->words; w++) {
      uint32_t word = 0;
      for (uint32_t i = 0; i < t->count; i++) word |= (uint32_t)*entry++ << 3 * i;
      TRY(put(device, t->offset + 4 * w, word));
    }
  }
  TRY(put(device, TRUEMARK__QUEUE_SETTINGS_offset,
          place(TRUEMARK__QUEUE_SETTINGS__MODE_bm, queues->mode) |
              place(TRUEMARK__QUEUE_SETTINGS__DEFAULT_QUEUE_bm, queues->default_queue)));
  return commit(device, 0, fault);
}

truemark_result truemark_get_queues(truemark_device* device, truemark_queues* queues) {
  uint32_t status, word;
  if (device->info.queues < 2) return TRUEMARK_ARGUMENT;
  TRY(command(device, 0, TRUEMARK__COMMAND__LOAD_bm, &status));
  for (const struct table* t = tables; t < tables + TABLES; t++) {
    uint8_t* entry = (uint8_t*)queues + t->at;
    for (uint32_t w = 0; w < t->words; w++) {
      TRY(get(device, t->offset + 4 * w, &word));
      for (uint32_t i = 0; i < t->count; i++) *entry++ = word >> 3 * i & 7;
    }
  }
  TRY(get(device, TRUEMARK__QUEUE_SETTINGS_offset, &word));
  queues->mode = field(TRUEMARK__QUEUE_SETTINGS__MODE_bm, word);
  queues->default_queue = (uint8_t)field(TRUEMARK__QUEUE_SETTINGS__DEFAULT_QUEUE_bm, word);
  return TRUEMARK_OK;
}

truemark_result truemark_flush(truemark_device* device, uint32_t port) {
  uint32_t status;
  return command(device, port, TRUEMARK__COMMAND__FLUSH_bm, &status);
}

truemark_result truemark_soft_reset(truemark_device* device, uint32_t port) {
  uint32_t status;
  return command(device, port, TRUEMARK__COMMAND__SOFT_RESET_bm, &status);
}

truemark_result truemark_clear_watermarks(truemark_device* device, uint32_t port) {
  uint32_t status;
  return command(device, port, TRUEMARK__COMMAND__CLEAR_WATERMARKS_bm, &status);
}

truemark_result truemark_snapshot(truemark_device* device) {
  uint32_t status;
  return command(device, 0, TRUEMARK__COMMAND__SNAPSHOT_bm, &status);
}

/* The last code that the build counts. */
static uint32_t last_code(const truemark_device* device) {
  uint32_t last = TRUEMARK__LAST_CODE;
#define LAST(capability, code) \
  if (has(device, TRUEMARK__CAPABILITIES__##capability##_bm) && code > last) last = code;
  TRUEMARK__LAST_CODES(LAST)
  return last;
}

truemark_result truemark_query(truemark_device* device, uint32_t port, uint32_t code, uint32_t code_mask,
                               uint32_t class_ece, uint32_t class_ece_mask, truemark_count* count) {
  uint32_t status;
  if (port >= device->info.ports || code > 31 || code_mask > 31 || class_ece > 15 || class_ece_mask > 15)
    return TRUEMARK_ARGUMENT;
  /* The least code that agrees. A build without codes above 15 ignores bit 4: it would answer with others' counts. */
  if ((code & code_mask) > last_code(device)) return TRUEMARK_ARGUMENT;
  TRY(put(
      device, TRUEMARK__QUERY_offset,
      place(TRUEMARK__QUERY__CODE_bm, code) | place(TRUEMARK__QUERY__CODE_MASK_bm, code_mask) |
          place(TRUEMARK__QUERY__CLASS_ECE_bm, class_ece) | place(TRUEMARK__QUERY__CLASS_ECE_MASK_bm, class_ece_mask) |
          place(TRUEMARK__QUERY__CODE_HIGH_bm, code >> 4) | place(TRUEMARK__QUERY__CODE_MASK_HIGH_bm, code_mask >> 4)));
  TRY(command(device, port, TRUEMARK__COMMAND__QUERY_bm, &status));
  TRY(get_wide(device, TRUEMARK__SUM_PACKETS_LOW_offset, TRUEMARK__SUM_PACKETS_HIGH_offset, &count->packets));
  return get_wide(device, TRUEMARK__SUM_BYTES_LOW_offset, TRUEMARK__SUM_BYTES_HIGH_offset, &count->bytes);
}

truemark_result truemark_counters(truemark_device* device, uint32_t port, truemark_count counts[TRUEMARK_CODES]) {
  const uint32_t last = last_code(device);
  for (uint32_t code = 0; code < TRUEMARK_CODES; code++) {
    counts[code].packets = counts[code].bytes = 0;
    if (code > last) continue;
    if (code == TRUEMARK__CODE__SOJOURN_LOW || code == TRUEMARK__CODE__SOJOURN_HIGH) continue;
    TRY(truemark_query(device, port, code, 31, 0, 0, &counts[code]));
  }
  return TRUEMARK_OK;
}

truemark_result truemark_histogram(truemark_device* device, uint32_t port, uint64_t bins[TRUEMARK_BINS]) {
  for (uint32_t bin = 0; bin < TRUEMARK_BINS; bin++) {
    truemark_count count;
    TRY(truemark_query(device, port, TRUEMARK__CODE__SOJOURN_LOW + (bin >> 4), 31, bin & 15, 15, &count));
    bins[bin] = count.packets;
  }
  return TRUEMARK_OK;
}

truemark_result truemark_holding(truemark_device* device, uint32_t port, truemark_held* held) {
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  TRY(put(device, TRUEMARK__PAGE_offset, port));
  TRY(get(device, TRUEMARK__OCCUPANCY_BYTES_offset, &held->bytes));
  TRY(get(device, TRUEMARK__OCCUPANCY_PACKETS_offset, &held->packets));
  TRY(get(device, TRUEMARK__WATERMARK_BYTES_offset, &held->most_bytes));
  TRY(get(device, TRUEMARK__WATERMARK_PACKETS_offset, &held->most_packets));
  TRY(get_rising(device, TRUEMARK__WATERMARK_SOJOURN_LOW_offset, TRUEMARK__WATERMARK_SOJOURN_HIGH_offset,
                 &held->longest_sojourn));
  TRY(get(device, TRUEMARK__CUT_SHORT_offset, &held->cut_short));
  held->cells = held->most_cells = held->refused = 0;
  if (!has(device, TRUEMARK__CAPABILITIES__POOL_bm)) return TRUEMARK_OK;
  TRY(get(device, TRUEMARK__POOL_CELLS_offset, &held->cells));
  TRY(get(device, TRUEMARK__WATERMARK_CELLS_offset, &held->most_cells));
  return get(device, TRUEMARK__POOL_REFUSED_offset, &held->refused);
}

truemark_result truemark_red_averages(truemark_device* device, uint32_t port, truemark_red_state* state) {
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  TRY(put(device, TRUEMARK__PAGE_offset, port));
  for (uint32_t slot = 0; slot < 2; slot++) {
    TRY(get(device, TRUEMARK__AVERAGE0_offset + 4 * slot, &state->average[slot]));
    TRY(get(device, TRUEMARK__MAXP0_offset + 4 * slot, &state->maxp[slot]));
  }
  return TRUEMARK_OK;
}

truemark_result truemark_pool_state(truemark_device* device, truemark_pool* pool) {
  uint32_t word;
  if (!has(device, TRUEMARK__CAPABILITIES__POOL_bm)) return TRUEMARK_ARGUMENT;
  TRY(get(device, TRUEMARK__POOL_FREE_offset, &pool->free));
  TRY(get(device, TRUEMARK__POOL_HELD_offset, &pool->held));
  TRY(get(device, TRUEMARK__POOL_WALKING_offset, &pool->walking));
  TRY(get(device, TRUEMARK__POOL_WATERMARK_offset, &pool->most));
  TRY(get(device, TRUEMARK__POOL_FAULTS_offset, &word));
  pool->faults = field(TRUEMARK__POOL_FAULTS__FAULTS_bm, word);
  pool->broken = word & ~TRUEMARK__POOL_FAULTS__FAULTS_bm;
  return TRUEMARK_OK;
}

truemark_result truemark_pause_state(truemark_device* device, uint32_t port, truemark_pause* pause) {
  uint32_t word;
  if (port >= device->info.ports || !has(device, TRUEMARK__CAPABILITIES__PFC_bm)) return TRUEMARK_ARGUMENT;
  TRY(put(device, TRUEMARK__PAGE_offset, port));
  TRY(get(device, TRUEMARK__PFC_XOFF_offset, &word));
  pause->xoff = field(TRUEMARK__PFC_XOFF__XOFF_bm, word);
  pause->fault = word & TRUEMARK__PFC_XOFF__FAULT_bm;
  return get(device, TRUEMARK__PFC_OVERRUNS_offset, &pause->overruns);
}

truemark_result truemark_bad_frames(truemark_device* device, truemark_bad* bad) {
  if (device->info.ports == 0) return TRUEMARK_NOT_FOUND;
  TRY(get(device, TRUEMARK__BAD_NO_DESTINATION_offset, &bad->no_destination));
  TRY(get(device, TRUEMARK__BAD_RUNT_offset, &bad->runt));
  TRY(get(device, TRUEMARK__BAD_OVERSIZE_offset, &bad->oversize));
  TRY(get(device, TRUEMARK__BAD_KEEP_HOLE_offset, &bad->keep_hole));
  TRY(get(device, TRUEMARK__BAD_LENGTH_MISMATCH_offset, &bad->length_mismatch));
  TRY(get(device, TRUEMARK__BAD_ERROR_BIT_offset, &bad->error_bit));
  return get(device, TRUEMARK__BAD_RESET_offset, &bad->reset);
}

/* ---- Decoding */

#define TEXT(table, index) ((index) < sizeof(table) / sizeof(*(table)) ? (table)[index] : "unknown")

const char* truemark_result_text(truemark_result result) {
  static const char* const texts[] = {"done",
                                      "register access failed",
                                      "no Truemark at this address",
                                      "a register map of another major version",
                                      "an argument the device cannot take",
                                      "another program has the lock",
                                      "a command did not end",
                                      "the commit was refused"};
  return TEXT(texts, (uint32_t)result);
}

const char* truemark_fault_text(uint32_t fault) {
  static const char* const texts[] = {TRUEMARK__FAULT__TEXTS};
  return TEXT(texts, fault);
}

const char* truemark_code_text(uint32_t code) {
  static const char* const texts[] = {TRUEMARK__CODE__TEXTS};
  return TEXT(texts, code);
}

const char* truemark_class_text(uint32_t class_id) {
  static const char* const texts[] = {TRUEMARK__CLASS__TEXTS};
  return TEXT(texts, class_id);
}
