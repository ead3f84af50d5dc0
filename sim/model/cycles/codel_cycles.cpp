// SPDX-License-Identifier: BSD-3-Clause
#include "codel_cycles.h"

#include <algorithm>
#include <limits>

namespace truemark {
namespace {

constexpr uint64_t kNotYetKnown = std::numeric_limits<uint64_t>::max();

}  // namespace

void CodelCycles::commit(const LawChanges& changes) {
  if (!changes.codel_reset) return;
  first_above_set_ = dropping_ = entered_ = false;
  largest_ = largest_now_ = 0;
}

bool CodelCycles::busy(uint64_t now) const {
  return request_ && now > request_->cycle && (!request_->started || now <= request_->law_cycle + latency::kCodelBusy);
}

bool CodelCycles::holds(uint64_t now) const {
  if (holding_) return true;
  return request_ && request_->from_now && now > request_->cycle && (!request_->started || now <= request_->hold_until);
}

bool CodelCycles::above(const CodelConfig& config, uint64_t now, const Pulled& frame, bool* over) {
  *over = false;
  if (!config.on || frame.verdict_cycle + latency::kCodelLook > now) return false;
  const uint32_t sojourn = now_ - frame.stamp;
  edges()[Edge::CodelYounger] += ce_threshold_ == CodelConfig::kNever && later_by(sojourn, 0) < 0;
  *over = is_over(ce_threshold_, sojourn);
  return later_by(sojourn, config.target) >= 0;
}

std::optional<Departure> CodelCycles::pull(const CodelConfig& config, uint64_t now, const Pulled& frame) {
  bool over = false;
  const bool is_above = above(config, now, frame, &over);
  if (config.on) schedule({now + latency::kCodelSettle, false, false, false, is_above, frame.arriving});
  drops_now_ = 0;
  if (pauses(config, now, frame)) {
    ++edges()[Edge::CodelPaused];
    pending_ = Pending{frame, now, over, false, false, false};
    holding_ = true;
    return std::nullopt;
  }
  const Departure kind = with_threshold(config, Departure::Plain, frame.ecn, over);
  return kind;
}

void CodelCycles::fail_to_pull(const CodelConfig& config, uint64_t now) {
  if (config.on) schedule({now + latency::kCodelSettle, true, false, false, false, false});
}

std::optional<Departure> CodelCycles::decide(const CodelConfig& config, uint64_t now, bool is_protected, bool row_there,
                                             bool may_decide) {
  holding_ = true;
  Pending& frame = *pending_;
  const Departure signalled = codel_fate(config, frame.frame.ecn, is_protected);
  if (!frame.fate && may_decide && now >= frame.cycle + latency::kCodelDecide) frame.fate = fate(config, now);
  frame.signalled_before = frame.signalled;
  frame.signalled = signalled;
  if (!frame.fate || *frame.fate == Departure::HeadDropped) return frame.fate;
  edges()[Edge::CodelWaitedForRow] += !row_there;
  if (!row_there) return std::nullopt;
  const Departure sent = *frame.fate;
  pending_.reset();
  return sent;
}

// Decided by the state of the cycle before.
std::optional<Departure> CodelCycles::fate(const CodelConfig& config, uint64_t now) {
  const Pending& frame = *pending_;
  Departure kind = Departure::Plain;
  if (frame.ok && !frame.after_entering) {
    edges()[Edge::CodelWaitedForEngine] += !may_decide_;
    if (!may_decide_) return std::nullopt;
    if (meets_) {
      kind = frame.signalled_before;
      request(config, now, kind);
    }
  }
  if (kind == Departure::HeadDropped) {
    ++edges()[Edge::CodelDrops];
    edges()[Edge::CodelSeveralDrops] += ++drops_now_ == 2;
    return kind;
  }
  edges()[Edge::CodelProtectEndsLoop] += kind == Departure::Protected && frame.in_loop;
  return with_threshold(config, kind, frame.frame.ecn, frame.over);
}

void CodelCycles::request(const CodelConfig& config, uint64_t now, Departure kind) {
  if (kind == Departure::Protected) return;
  Request wanted;
  wanted.cycle = now;
  wanted.entering = !dropping_;
  const bool drop = kind == Departure::HeadDropped;
  wanted.from_now = wanted.entering || (!drop && config.mark_from_now);
  wanted.waits_for_ok = drop && !wanted.entering;
  wanted.moves = !wanted.waits_for_ok;
  edges()[Edge::CodelMarkWhileDropping] += !drop && dropping_;
  wanted.may_be_again = entered_;
  wanted.reentry_past = config.reentry_past;
  enters_ = wanted.entering;
  entered_ = true;
  request_ = wanted;
}

void CodelCycles::pull_next(const CodelConfig& config, uint64_t now, const Pulled& frame) {
  bool over = false;
  const bool is_above = above(config, now, frame, &over);
  const bool after_entering = request_->entering;
  schedule({now + latency::kCodelSettle, false, false, after_entering, is_above, frame.arriving});
  pending_ = Pending{frame, now, over, after_entering, true, false};
}

void CodelCycles::run_out(uint64_t now) {
  ++edges()[Edge::CodelEmptied];
  schedule({now + latency::kCodelSettle, true, true, request_->entering, false, false});
  pending_.reset();
}

void CodelCycles::start_program(uint64_t now) {
  Request& program = *request_;
  program.started = true;
  program.start = now;
  program.law_cycle = now;
  engine_free_ = kNotYetKnown;
  if (program.entering) {
    program.hold_until = now + latency::kCodelTakesUp;
    program.law_cycle += latency::kCodelEntering;  // later, if the count is taken up
  } else {
    law_.next();
    program.hold_until = now + latency::kCodelAhead;
  }
  program.from = now_;
}

void CodelCycles::step_program(const CodelConfig& config, uint64_t now) {
  Request& program = *request_;
  const uint64_t more = config.converge ? latency::kCodelConverge : 0;
  if (program.entering && now == program.start + latency::kCodelRead) {
    if (!program.may_be_again) law_ = CodelLaw{};
    CodelConfig asked = config;  // except for what the request itself went by
    asked.reentry_past = program.reentry_past;
    program.takes_up = law_.enter(asked, now_, drop_next_);
    ++edges()[Edge::CodelEntered];
    edges()[Edge::CodelReentered] += program.takes_up;
  }
  if (program.takes_up && now == program.start + latency::kCodelTakesUp) {
    law_.improve(config);
    program.law_cycle += latency::kCodelNewton + more;
  }
  if (now == program.law_cycle + latency::kCodelAhead) {
    law_.look_ahead(config);
    engine_free_ = program.law_cycle + latency::kCodelNext + more;
  }
  if (now == program.law_cycle + latency::kCodelInterval) program.gap = law_.gap(config.interval);
  if (now == program.law_cycle + latency::kCodelMoves && program.moves) {
    drop_next_ = (program.from_now ? program.from : drop_next_) + program.gap;
  }
  if (now >= program.law_cycle + latency::kCodelBusy) request_.reset();
}

void CodelCycles::look_behind(const CodelConfig& config, uint64_t now, uint64_t bytes) {
  const bool few = config.exempt_below ? bytes < exempt_ : bytes <= exempt_;
  const uint64_t settles = now - latency::kCodelSmall + latency::kCodelSettle;
  Move& due = moves_[settles % moves_.size()];
  if (due.cycle == settles) due.small |= few;
}

void CodelCycles::move(const CodelConfig& config, uint64_t now) {
  Move& due = moves_[now % moves_.size()];
  if (due.cycle != now || now == 0) return;
  if (due.failed) {
    if (due.always_clears || !config.keep_first_above) first_above_set_ = false;
    edges()[Edge::CodelLeft] += dropping_ && !due.after_entering;
    if (!due.after_entering) dropping_ = false;
    return;
  }
  bool ok = false;
  if (!due.above || due.small) {
    first_above_set_ = false;
  } else if (!first_above_set_) {
    first_above_set_ = !first_above_void_;
    edges()[Edge::CodelSentinel] += first_above_void_;
  } else {
    ok = late_;
  }
  if (!ok && !due.after_entering) {
    edges()[Edge::CodelLeft] += dropping_;
    dropping_ = false;
  }
  if (pending_ && pending_->cycle + latency::kCodelSettle == now) pending_->ok = ok;
  if (request_ && request_->waits_for_ok && request_->cycle + latency::kCodelSettle == now) request_->moves = ok;
}

void CodelCycles::close(const CodelConfig& config, uint64_t now, uint64_t bytes, uint64_t time) {
  const uint32_t unit = static_cast<uint32_t>(time / 1024);
  const bool holding = holds(now);
  const uint32_t next_now = holding ? now_ : unit;
  const uint32_t next_first = first_above_set_ ? first_above_ : now_ + config.interval;
  const bool next_late =
      first_above_set_ && (config.at_once ? later_by(now_, first_above_) >= 0 : later_by(first_above_, now_) < 0);
  const bool next_due = later_by(now_, drop_next_) >= 0;
  const bool engine_free = !busy(now);
  armed_ = first_above_set_ && late_ && (!dropping_ || (due_ && engine_free));
  may_decide_ = engine_free;
  meets_ = !dropping_ || due_;
  const bool next_void = first_above_ == 0;
  look_behind(config, now, bytes);
  move(config, now);
  if (enters_) dropping_ = true;
  enters_ = false;
  if (request_ && request_->started) step_program(config, now);
  edges()[Edge::CodelClockWrapped] += next_now < now_ && now_ - next_now > 0xF0000000;
  now_ = next_now;
  if (!holding) ce_threshold_ = config.ce_threshold;
  first_above_ = next_first;
  first_above_void_ = next_void;
  late_ = next_late;
  due_ = next_due;
  held_before_ = holding;
  holding_ = false;
  exempt_ = config.exempt_largest ? largest_ : config.exempt_bytes;
  largest_ = largest_now_;
}

}  // namespace truemark
