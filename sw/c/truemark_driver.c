/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver of truemark_driver.h. Freestanding: nothing here needs a library.
 */
#include "truemark_driver.h"

#define TRMK TRUEMARK__ID__VALUE_reset
#define KNOWN_MAJOR 0u
#define PATIENCE 1000000u
#define RED_STRIDE (TRUEMARK__RED1_SETTINGS_offset - TRUEMARK__RED0_SETTINGS_offset)
#define BUSY                                                                                                 \
  (TRUEMARK__STATUS__COMMIT_BUSY_bm | TRUEMARK__STATUS__SNAPSHOT_BUSY_bm | TRUEMARK__STATUS__QUERY_BUSY_bm | \
   TRUEMARK__STATUS__FLUSH_BUSY_bm)
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

/* The low word first: it holds the high one. */
static truemark_result get_wide(truemark_device* device, uint32_t low, uint32_t high, uint64_t* value) {
  uint32_t words[2];
  TRY(get(device, low, &words[0]));
  TRY(get(device, high, &words[1]));
  *value = (uint64_t)words[1] << 32 | words[0];
  return TRUEMARK_OK;
}

static truemark_result settle(truemark_device* device, uint32_t* status) {
  for (uint32_t i = 0; i < device->patience; i++) {
    TRY(get(device, TRUEMARK__STATUS_offset, status));
    if (!(*status & BUSY)) return TRUEMARK_OK;
  }
  return TRUEMARK_BUSY;
}

static truemark_result command(truemark_device* device, uint32_t port, uint32_t bits, uint32_t* status) {
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  TRY(settle(device, status));
  TRY(put(device, TRUEMARK__PAGE_offset, port));
  TRY(put(device, TRUEMARK__COMMAND_offset, bits));
  return settle(device, status);
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

truemark_result truemark_lock(truemark_device* device, uint32_t owner) {
  uint32_t word;
  if (owner == 0 || owner > 0x7FFF) return TRUEMARK_ARGUMENT;
  TRY(put(device, TRUEMARK__LOCK_offset, owner));
  TRY(get(device, TRUEMARK__LOCK_offset, &word));
  return field(TRUEMARK__LOCK__OWNER_bm, word) == owner ? TRUEMARK_OK : TRUEMARK_LOCKED;
}

truemark_result truemark_unlock(truemark_device* device, uint32_t owner) {
  if (owner == 0 || owner > 0x7FFF) return TRUEMARK_ARGUMENT;
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
  config->slot_of[0] = 1; /* Not-ECT: the slot without a law */
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

void truemark_red_curve(truemark_red* red) {
  const uint32_t band = red->max > red->min ? red->max - red->min : 0;
  const uint32_t rest = red->maxp < 0x1000000u ? 0x1000000u - red->maxp : 0;
  red->slope = red->slope_scale = red->reciprocal = red->gentle_slope = red->gentle_scale = 0;
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

static truemark_result put_red(truemark_device* device, uint32_t slot, const truemark_red* red) {
  const uint32_t at = slot * RED_STRIDE;
  const uint32_t settings = place(TRUEMARK__RED0_SETTINGS__WEIGHT_bm, red->weight) |
                            place(TRUEMARK__RED0_SETTINGS__SPACING_bm, red->spacing) |
                            place(TRUEMARK__RED0_SETTINGS__GENTLE_bm, red->gentle) |
                            place(TRUEMARK__RED0_SETTINGS__ADAPTIVE_bm, red->adaptive) |
                            place(TRUEMARK__RED0_SETTINGS__SLOPE_SCALE_bm, red->slope_scale) |
                            place(TRUEMARK__RED0_SETTINGS__GENTLE_SCALE_bm, red->gentle_scale);
  TRY(put(device, TRUEMARK__RED0_SETTINGS_offset + at, settings));
  TRY(put(device, TRUEMARK__RED0_MIN_offset + at, red->min));
  TRY(put(device, TRUEMARK__RED0_MAX_offset + at, red->max));
  TRY(put(device, TRUEMARK__RED0_MAXP_offset + at, red->maxp));
  TRY(put(device, TRUEMARK__RED0_SLOPE_offset + at, red->slope));
  TRY(put(device, TRUEMARK__RED0_GENTLE_SLOPE_offset + at, red->gentle_slope));
  TRY(put(device, TRUEMARK__RED0_RECIPROCAL_offset + at, red->reciprocal));
  TRY(put(device, TRUEMARK__RED0_BOTTOM_offset + at, red->bottom));
  TRY(put(device, TRUEMARK__RED0_BAND_LOW_offset + at, red->band_low));
  return put(device, TRUEMARK__RED0_BAND_HIGH_offset + at, red->band_high);
}

static truemark_result get_red(truemark_device* device, uint32_t slot, truemark_red* red) {
  const uint32_t at = slot * RED_STRIDE;
  uint32_t settings;
  TRY(get(device, TRUEMARK__RED0_SETTINGS_offset + at, &settings));
  red->weight = field(TRUEMARK__RED0_SETTINGS__WEIGHT_bm, settings);
  red->spacing = field(TRUEMARK__RED0_SETTINGS__SPACING_bm, settings);
  red->gentle = field(TRUEMARK__RED0_SETTINGS__GENTLE_bm, settings) != 0;
  red->adaptive = field(TRUEMARK__RED0_SETTINGS__ADAPTIVE_bm, settings) != 0;
  red->slope_scale = field(TRUEMARK__RED0_SETTINGS__SLOPE_SCALE_bm, settings);
  red->gentle_scale = field(TRUEMARK__RED0_SETTINGS__GENTLE_SCALE_bm, settings);
  TRY(get(device, TRUEMARK__RED0_MIN_offset + at, &red->min));
  TRY(get(device, TRUEMARK__RED0_MAX_offset + at, &red->max));
  TRY(get(device, TRUEMARK__RED0_MAXP_offset + at, &red->maxp));
  TRY(get(device, TRUEMARK__RED0_SLOPE_offset + at, &red->slope));
  TRY(get(device, TRUEMARK__RED0_GENTLE_SLOPE_offset + at, &red->gentle_slope));
  TRY(get(device, TRUEMARK__RED0_RECIPROCAL_offset + at, &red->reciprocal));
  TRY(get(device, TRUEMARK__RED0_BOTTOM_offset + at, &red->bottom));
  TRY(get(device, TRUEMARK__RED0_BAND_LOW_offset + at, &red->band_low));
  return get(device, TRUEMARK__RED0_BAND_HIGH_offset + at, &red->band_high);
}

truemark_result truemark_configure(truemark_device* device, uint32_t port, const truemark_config* config,
                                   uint32_t* fault) {
  uint32_t status, slots = 0;
  *fault = TRUEMARK__FAULT__NONE;
  if (port >= device->info.ports) return TRUEMARK_ARGUMENT;
  for (uint32_t i = 0; i < 4; i++) {
    if (config->slot_of[i] > 1) return TRUEMARK_ARGUMENT;
    slots |= (uint32_t)config->slot_of[i] << i;
  }
  if (config->law[0] > 3 || config->law[1] > 3) return TRUEMARK_ARGUMENT;
  TRY(settle(device, &status));
  TRY(put(device, TRUEMARK__CONTROL_offset,
          place(TRUEMARK__CONTROL__ENABLE_bm, config->enable) |
              place(TRUEMARK__CONTROL__LIMIT_BYTES_ON_bm, config->limit_bytes != 0) |
              place(TRUEMARK__CONTROL__LIMIT_PACKETS_ON_bm, config->limit_packets != 0) |
              place(TRUEMARK__CONTROL__SLOT_OF_bm, slots) | place(TRUEMARK__CONTROL__LAW0_bm, config->law[0]) |
              place(TRUEMARK__CONTROL__LAW1_bm, config->law[1]) |
              place(TRUEMARK__CONTROL__MARK_ON_DEPARTURE_bm, config->mark_on_departure) |
              place(TRUEMARK__CONTROL__HARDDROP_bm, config->harddrop) |
              place(TRUEMARK__CONTROL__NOECN_bm, config->noecn)));
  TRY(put(device, TRUEMARK__LIMIT_BYTES_offset, config->limit_bytes));
  TRY(put(device, TRUEMARK__LIMIT_PACKETS_offset, config->limit_packets));
  TRY(put(device, TRUEMARK__K0_offset, config->k[0]));
  TRY(put(device, TRUEMARK__K1_offset, config->k[1]));
  TRY(put(device, TRUEMARK__PROTECT_offset, config->protect));
  for (uint32_t slot = 0; slot < 2; slot++) TRY(put_red(device, slot, &config->red[slot]));
  TRY(put(device, TRUEMARK__IDLE_RECIPROCAL_offset, config->idle_reciprocal));
  TRY(put(device, TRUEMARK__IDLE_SHIFT_offset, config->idle_shift));
  TRY(put(device, TRUEMARK__ADAPT_INTERVAL_offset, config->adapt_interval));
  TRY(put(device, TRUEMARK__CODEL_SETTINGS_offset, config->codel.settings));
  TRY(put(device, TRUEMARK__CODEL_TARGET_offset, config->codel.target));
  TRY(put(device, TRUEMARK__CODEL_INTERVAL_offset, config->codel.interval));
  TRY(put(device, TRUEMARK__CODEL_CE_THRESHOLD_offset, config->codel.ce_threshold));
  TRY(put(device, TRUEMARK__CODEL_EXEMPT_BYTES_offset, config->codel.exempt_bytes));
  TRY(command(device, port, TRUEMARK__COMMAND__COMMIT_bm, &status));
  if (!(status & TRUEMARK__STATUS__REFUSED_bm)) return TRUEMARK_OK;
  *fault = field(TRUEMARK__STATUS__FAULT_bm, status);
  return TRUEMARK_REFUSED;
}

truemark_result truemark_configuration(truemark_device* device, uint32_t port, truemark_config* config) {
  uint32_t status, control, value;
  TRY(command(device, port, TRUEMARK__COMMAND__LOAD_bm, &status));
  truemark_plain(config);
  TRY(get(device, TRUEMARK__CONTROL_offset, &control));
  config->enable = field(TRUEMARK__CONTROL__ENABLE_bm, control) != 0;
  config->mark_on_departure = field(TRUEMARK__CONTROL__MARK_ON_DEPARTURE_bm, control) != 0;
  config->harddrop = field(TRUEMARK__CONTROL__HARDDROP_bm, control) != 0;
  config->noecn = field(TRUEMARK__CONTROL__NOECN_bm, control) != 0;
  for (uint32_t i = 0; i < 4; i++) {
    config->slot_of[i] = (uint8_t)(field(TRUEMARK__CONTROL__SLOT_OF_bm, control) >> i & 1);
  }
  config->law[0] = (uint8_t)field(TRUEMARK__CONTROL__LAW0_bm, control);
  config->law[1] = (uint8_t)field(TRUEMARK__CONTROL__LAW1_bm, control);
  TRY(get(device, TRUEMARK__LIMIT_BYTES_offset, &value));
  if (control & TRUEMARK__CONTROL__LIMIT_BYTES_ON_bm) config->limit_bytes = value;
  TRY(get(device, TRUEMARK__LIMIT_PACKETS_offset, &value));
  if (control & TRUEMARK__CONTROL__LIMIT_PACKETS_ON_bm) config->limit_packets = value;
  TRY(get(device, TRUEMARK__K0_offset, &config->k[0]));
  TRY(get(device, TRUEMARK__K1_offset, &config->k[1]));
  TRY(get(device, TRUEMARK__PROTECT_offset, &config->protect));
  for (uint32_t slot = 0; slot < 2; slot++) TRY(get_red(device, slot, &config->red[slot]));
  TRY(get(device, TRUEMARK__IDLE_RECIPROCAL_offset, &config->idle_reciprocal));
  TRY(get(device, TRUEMARK__IDLE_SHIFT_offset, &config->idle_shift));
  TRY(get(device, TRUEMARK__ADAPT_INTERVAL_offset, &config->adapt_interval));
  TRY(get(device, TRUEMARK__CODEL_SETTINGS_offset, &config->codel.settings));
  TRY(get(device, TRUEMARK__CODEL_TARGET_offset, &config->codel.target));
  TRY(get(device, TRUEMARK__CODEL_INTERVAL_offset, &config->codel.interval));
  TRY(get(device, TRUEMARK__CODEL_CE_THRESHOLD_offset, &config->codel.ce_threshold));
  return get(device, TRUEMARK__CODEL_EXEMPT_BYTES_offset, &config->codel.exempt_bytes);
}

truemark_result truemark_flush(truemark_device* device, uint32_t port) {
  uint32_t status;
  return command(device, port, TRUEMARK__COMMAND__FLUSH_bm, &status);
}

truemark_result truemark_soft_reset(truemark_device* device, uint32_t port) {
  uint32_t status;
  return command(device, port, TRUEMARK__COMMAND__SOFT_RESET_bm, &status);
}

truemark_result truemark_snapshot(truemark_device* device) {
  uint32_t status;
  return command(device, 0, TRUEMARK__COMMAND__SNAPSHOT_bm, &status);
}

truemark_result truemark_query(truemark_device* device, uint32_t port, uint32_t code, uint32_t code_mask,
                               uint32_t class_ece, uint32_t class_ece_mask, truemark_count* count) {
  uint32_t status;
  if (port >= device->info.ports || code > 31 || code_mask > 31 || class_ece > 15 || class_ece_mask > 15)
    return TRUEMARK_ARGUMENT;
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
  /* A build without CoDel has no codes above these, and would answer with the low bits' own. */
  const uint32_t there =
      device->info.capabilities & TRUEMARK__CAPABILITIES__CODEL_bm ? TRUEMARK_CODES : TRUEMARK__CODE__DEPARTED_MARKED;
  for (uint32_t code = 0; code < TRUEMARK_CODES; code++) {
    counts[code].packets = counts[code].bytes = 0;
    if (code >= there) continue;
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
  TRY(get_wide(device, TRUEMARK__WATERMARK_SOJOURN_LOW_offset, TRUEMARK__WATERMARK_SOJOURN_HIGH_offset,
               &held->longest_sojourn));
  return get(device, TRUEMARK__CUT_SHORT_offset, &held->cut_short);
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
  static const char* const texts[] = {
      "none",
      "the byte limit is 0 or more than the storage",
      "the packet limit is 0 or more than the descriptors",
      "a law that is reserved or not in this build",
      "k of slot 0 is above the byte limit",
      "k of slot 1 is above the byte limit",
      "protection this build or this policy cannot give",
      "no such port",
      "a reserved bit is set",
      "weight of slot 0",
      "weight of slot 1",
      "min and max of slot 0",
      "min and max of slot 1",
      "maxp of slot 0",
      "maxp of slot 1",
      "slope of slot 0",
      "slope of slot 1",
      "gentle slope of slot 0",
      "gentle slope of slot 1",
      "adaptive settings of slot 0",
      "adaptive settings of slot 1",
      "idle reciprocal",
      "CoDel's settings",
      "without ECN nothing can be protected",
  };
  return TEXT(texts, fault);
}

const char* truemark_code_text(uint32_t code) {
  static const char* const texts[] = {TRUEMARK__CODE__TEXTS};
  return TEXT(texts, code);
}

const char* truemark_class_text(uint32_t class_id) {
  static const char* const texts[TRUEMARK_CLASSES] = {"non_ip",   "other_ip", "syn_ack", "syn",
                                                      "tcp_ctrl", "data",     "ack"};
  return TEXT(texts, class_id);
}
