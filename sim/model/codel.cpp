// SPDX-License-Identifier: BSD-3-Clause
#include "codel.h"

namespace truemark {

Departure Codel::meet(const CodelConfig& config, uint32_t now, const Head& head) {
  const bool standing = stands(config, now, head);
  const Departure kind = decide(config, now, head, standing);
  if (kind == Departure::HeadDropped) return kind;
  stage_ = Stage::First;
  return with_threshold(config, kind, head.ecn, is_over(config.ce_threshold, now - head.stamp));
}

void Codel::ran_out(const CodelConfig& config) {
  // What was entered by dropping the last frame stays so until the queue is found empty or short again.
  if (stage_ != Stage::Entered) dropping_ = false;
  if (stage_ != Stage::First || !config.keep_first_above) first_above_ = 0;
  stage_ = Stage::First;
}

// The sojourn time has been above the target for an interval, and the queue is no mere remainder.
bool Codel::stands(const CodelConfig& config, uint32_t now, const Head& head) {
  const uint64_t exempt = config.exempt_largest ? largest_ : config.exempt_bytes;
  const bool small = config.exempt_below ? head.behind < exempt : head.behind <= exempt;
  if (small || later_by(now - head.stamp, config.target) < 0) {
    first_above_ = 0;
    return false;
  }
  if (first_above_ == 0) {
    first_above_ = now + config.interval;
    return false;
  }
  return config.at_once ? later_by(now, first_above_) >= 0 : later_by(first_above_, now) < 0;
}

Departure Codel::decide(const CodelConfig& config, uint32_t now, const Head& head, bool standing) {
  if (stage_ == Stage::Entered) return Departure::Plain;
  if (stage_ == Stage::First && !dropping_) {
    if (!standing) return Departure::Plain;
    const Departure kind = codel_fate(config, head.ecn, head.is_protected);
    if (kind == Departure::Protected) return kind;
    if (law_.enter(config, now, drop_next_)) law_.improve(config);
    law_.look_ahead(config);
    dropping_ = true;
    drop_next_ = now + law_.gap(config.interval);
    if (kind == Departure::HeadDropped) stage_ = Stage::Entered;
    return kind;
  }
  if (!standing) {
    dropping_ = false;
    return Departure::Plain;
  }
  if (stage_ == Stage::Loop) drop_next_ += law_.gap(config.interval);
  if (later_by(now, drop_next_) < 0) return Departure::Plain;
  return signal_while_dropping(config, now, head);
}

Departure Codel::signal_while_dropping(const CodelConfig& config, uint32_t now, const Head& head) {
  const Departure kind = codel_fate(config, head.ecn, head.is_protected);
  if (kind == Departure::Protected) return kind;
  law_.next();
  law_.look_ahead(config);
  if (kind == Departure::HeadDropped) {
    stage_ = Stage::Loop;
  } else {
    drop_next_ = (config.mark_from_now ? now : drop_next_) + law_.gap(config.interval);
  }
  return kind;
}

}  // namespace truemark
