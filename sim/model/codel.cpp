// SPDX-License-Identifier: BSD-3-Clause
#include "codel.h"

namespace truemark {
namespace {

// Of two times less than 2^31 units apart: which is the later, and by how much.
int32_t later_by(uint32_t time, uint32_t than) { return static_cast<int32_t>(time - than); }

bool is_ect(Ecn ecn) { return ecn == Ecn::Ect0 || ecn == Ecn::Ect1; }

// What a signal does to the frame that it meets.
Departure fate(const CodelConfig& config, const Codel::Head& head) {
  if (head.ecn == Ecn::NotEct) return head.is_protected ? Departure::Protected : Departure::HeadDropped;
  if (!config.ecn) return Departure::HeadDropped;
  return head.ecn == Ecn::Ce ? Departure::CeSignalled : Departure::Marked;
}

}  // namespace

Departure Codel::meet(const CodelConfig& config, uint32_t now, const Head& head) {
  const bool standing = stands(config, now, head);
  Departure kind = decide(config, now, head, standing);
  if (kind == Departure::HeadDropped) {
    ++events_.drops;
    events_.several_drops += ++drops_now_ == 2;
    return kind;
  }
  events_.protects += kind == Departure::Protected;
  events_.protects_ending_loop += kind == Departure::Protected && stage_ == Stage::Loop;
  events_.marks += kind == Departure::Marked;
  events_.ce_signals += kind == Departure::CeSignalled;
  stage_ = Stage::First;
  drops_now_ = 0;

  const bool over = later_by(now - head.stamp, config.ce_threshold) > 0;
  if (!over || !is_ect(head.ecn)) return kind;
  if (kind == Departure::Marked && config.threshold_once) return kind;
  ++events_.thresholds;
  events_.thresholds_on_marks += kind == Departure::Marked;
  return kind == Departure::Marked ? Departure::MarkedThreshold : Departure::Threshold;
}

void Codel::ran_out(const CodelConfig& config) {
  const bool within = stage_ != Stage::First;
  events_.emptied += within;
  // What was entered by dropping the last frame stays so until the queue is found empty or short again.
  if (stage_ != Stage::Entered) dropping_ = false;
  if (within || !config.keep_first_above) first_above_ = 0;
  stage_ = Stage::First;
  drops_now_ = 0;
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
  const int32_t since = later_by(now, first_above_);
  return config.at_once ? since >= 0 : since > 0;
}

Departure Codel::decide(const CodelConfig& config, uint32_t now, const Head& head, bool standing) {
  if (stage_ == Stage::Entered) return Departure::Plain;
  if (stage_ == Stage::First && !dropping_) {
    if (!standing) return Departure::Plain;
    const Departure kind = fate(config, head);
    if (kind == Departure::Protected) return kind;
    enter(config, now);
    if (kind == Departure::HeadDropped) stage_ = Stage::Entered;
    return kind;
  }
  if (!standing) {
    events_.left += dropping_;
    dropping_ = false;
    return Departure::Plain;
  }
  if (stage_ == Stage::Loop) drop_next_ = next_after(config, drop_next_);
  if (later_by(now, drop_next_) < 0) return Departure::Plain;
  return signal_while_dropping(config, now, head);
}

Departure Codel::signal_while_dropping(const CodelConfig& config, uint32_t now, const Head& head) {
  const Departure kind = fate(config, head);
  if (kind == Departure::Protected) return kind;
  ++count_;
  newton(config);
  if (kind == Departure::HeadDropped) {
    stage_ = Stage::Loop;
  } else {
    ++events_.marks_while_dropping;
    drop_next_ = next_after(config, config.mark_from_now ? now : drop_next_);
  }
  return kind;
}

void Codel::enter(const CodelConfig& config, uint32_t now) {
  const uint32_t gained = count_ - last_count_;
  const uint32_t since = now - drop_next_;
  const uint32_t soon = 16 * config.interval;
  const bool again = config.reentry_past ? since < soon : later_by(since, soon) < 0;
  ++events_.entered;
  dropping_ = true;
  if (gained > 1 && again) {
    ++events_.reentered;
    count_ = gained;
    newton(config);
  } else {
    count_ = 1;
    root_ = 0xFFFF;
  }
  last_count_ = count_;
  drop_next_ = next_after(config, now);
}

// root' = root * (3 - count * root^2) / 2 in 64 bits that wrap, with the precision that Linux gives each factor.
void Codel::newton(const CodelConfig& config) {
  for (int i = 0; i < (config.converge ? 4 : 1); ++i) {
    const uint64_t root = uint64_t{root_} * 65536;
    const uint64_t square = root * root / (uint64_t{1} << 32);
    const uint64_t rest = (uint64_t{3} << 32) - count_ * square;
    const uint64_t next = rest / 4 * root / (uint64_t{1} << 31);
    root_ = static_cast<uint16_t>(next / 65536);
  }
}

uint32_t Codel::next_after(const CodelConfig& config, uint32_t time) const {
  return time + static_cast<uint32_t>(uint64_t{config.interval} * root_ / 65536);
}

}  // namespace truemark
