// SPDX-License-Identifier: BSD-3-Clause
#include "port_cycles.h"

#include <algorithm>

#include "../rewrite.h"

namespace truemark {
namespace {

constexpr int64_t kSpareRows = 8;        // free behind a frame that is stored, as counted two cycles before its verdict
constexpr int64_t kNearlyFull = 4;       // free rows with which a frame not yet judged loses its next
constexpr uint64_t kDepartureTally = 4;  // cycles from the last row taken to the count
constexpr uint64_t kStampAtHand = 4;     // cycles from the verdict until its time can be compared
constexpr uint64_t kStoredSeen = 3;      // and until its bytes count for the step law at departure

bool waits_for_flags(const Build& build, const PortConfig& config) {
  return build.flags_verdict && config.waits_for_flags();
}

}  // namespace

ExpectedRow PortCycles::output() const {
  if (!standing_ || discard_) return {};
  const Framed& framed = copy_.frame->framed;
  ExpectedRow row;
  row.valid = true;
  row.last = framed.ended && row_ + 1 == copy_.frame->row_cycle.size();
  row.error = row.last && cut_;
  row.length = copy_.length;
  row.count = row.last ? framed.stored_bytes - row_ * build_.beat_bytes() : build_.beat_bytes();
  row.bytes = row_bytes_;
  return row;
}

std::optional<ExpectedEvent> PortCycles::event(const BusCycle& bus) const {
  if (!bus.tally) return std::nullopt;
  for (const Incoming* copy : {&ended_, &ended_before_}) {
    if (bus.tally == copy->frame)
      return ExpectedEvent{copy->verdict_time, bus.tally->framed.length, bus.tally->tally, copy->outcome, copy->bytes};
  }
  return std::nullopt;
}

void PortCycles::step(uint64_t now, const BusCycle& bus, const PortConfig& config, const PortConfig& shown,
                      const PortInputs& in) {
  // CoDel counts without what has departed.
  const uint64_t bytes_before = admit_.bytes() - departed_[0] - departed_[1];
  const bool arriving_here = incoming_.frame && (!incoming_.judged || incoming_.held);
  levels_[now % levels_.size()] = {unread_, unread_ + (arriving_here ? incoming_.rows : 0)};
  const bool was_pending = codel_.pending();
  if (build_.red) red_.open(now, admit_.bytes(), admit_.packets());
  if (const auto event = this->event(bus)) {
    tallies_.push_back({now, static_cast<unsigned>(event->outcome), event->meta, event->length, 0, {}});
  }
  if (!queue_.empty() && queue_.back().verdict_cycle + 1 == now) codel_.stored(queue_.back().length);
  write_row(now, bus);
  stored_[now % stored_.size()] = stored_[(now - 1) % stored_.size()];
  const auto offered = [&](const Frame& frame) { return frame && frame == incoming_.frame; };
  if (offered(bus.ecn) || offered(bus.flags)) judge(now, bus, config, in);
  if (offered(bus.end)) finish(now);
  uint32_t& departed = departed_[now % departed_.size()];
  if (departed) {
    edges()[Edge::ArrivalWithDeparture] += !queue_.empty() && queue_.back().verdict_cycle == now;
    admit_.remove(departed);
  }
  departed = departing_ ? copy_.length : 0;
  if (departing_) departed_time_ = in.time;
  departing_ = false;
  admit_.settle();
  const bool was_flushing = flushing();
  const bool frees = skipped_ != 0;
  send(now, shown, in);
  if (frees) {
    --skipped_;
    --unread_;
  }
  // A flush takes what has had its verdict before this cycle and does not leave in it; a second is ignored.
  if (in.flush && !was_flushing) {
    for (Copy& copy : queue_) copy.flushed = copy.verdict_cycle < now;
  }
  if (build_.red) red_.close(shown, in.time);
  if (build_.codel) codel_.close(shown.codel, now, bytes_before, in.time);
  // The time stands still while a frame is looked at.
  if (build_.tcn && !was_pending && !codel_.pending()) tcn_ = {shown.tcn_threshold, in.time};
  if (build_.mark_on_departure) step_config_ = shown;
  if (build_.pool) follow_pool(shown, in.pool);
}

void PortCycles::follow_pool(const PortConfig& config, const PoolCycle& pool) {
  pool_ = pool;
  std::rotate(pool_limited_.begin(), pool_limited_.end() - 1, pool_limited_.end());
  pool_limited_[0] = config.pool_share.limited();
  pool_limits_ = {pool_threshold_ + pool_share_[1].reserve, pool_limits_[0], pool_limits_[1]};
  pool_threshold_ = pool_share_[0].threshold(pool.available);
  pool_share_ = {config.pool_share, pool_share_[0]};
}

// Whether a frame would give its port more cells than it may have. One for one line alone that fits into its reserve
// never would.
bool PortCycles::crowded(uint32_t length, bool alone) const {
  const uint32_t cell_bytes = std::max(64u, build_.beat_bytes());
  const int64_t cells = (length + cell_bytes - 1) / cell_bytes;
  if (!build_.pool || !pool_limited_[4]) return false;
  if (alone && cells <= static_cast<int64_t>(pool_.reserved)) return false;
  return pool_.had + cells > static_cast<int64_t>(pool_limits_[2]);
}

void PortCycles::judge(uint64_t now, const BusCycle& bus, const PortConfig& config, const PortInputs& in) {
  const bool at_flags = bus.flags == incoming_.frame;
  const bool waits = waits_for_flags(build_, config) || incoming_.frame->by_class;
  if (incoming_.judged || (!at_flags && waits)) return;
  if (incoming_.frame->queue != build_.queue_of(port_)) {
    ++edges()[Edge::Elsewhere];
    edges()[Edge::ElsewhereAtEnd] += bus.end == incoming_.frame;
    edges()[Edge::ElsewhereOverflow] += incoming_.overflow;
    incoming_ = Incoming{};
    return;
  }
  if (at_flags && bus.ecn != bus.flags) ++edges()[Edge::WaitedForFlags];
  const Framed& framed = incoming_.frame->framed;
  const Meta& meta = at_flags ? incoming_.frame->flags_meta : incoming_.frame->ecn_meta;
  const Level& level = levels_[(now - 2) % levels_.size()];
  const int64_t used = incoming_.frame->row_cycle.front() + 2 > now ? level.all : level.ended;
  const bool rows = (build_.pool ? pool_.used : used) + build_.rows_of(framed.length) <= build_.rows - kSpareRows;
  if (build_.pool) incoming_.overflow = in.pool.overflow;
  const bool descriptor = admit_.packets() < build_.descriptors;
  const bool crowds = crowded(framed.length, std::has_single_bit(framed.lines));
  const bool room = rows && descriptor && !incoming_.overflow && !crowds;
  const bool bad_now = bus.end == incoming_.frame && framed.bad;
  incoming_.judged = true;
  incoming_.verdict_time = in.time;
  incoming_.bytes = admit_.bytes();
  Signal red = Signal::None;
  if (build_.red) red = red_.step(red_config_, config.slot(meta.ecn), in.time);
  incoming_.outcome = admit_.judge(config, meta, framed.length, room, red);
  note_edges(config, framed.length, room);
  const bool tail = incoming_.outcome == Outcome::TailBytes || incoming_.outcome == Outcome::TailPackets;
  edges()[Edge::TailAfterMark] += marked_last_ && tail;
  marked_last_ = incoming_.outcome == Outcome::Mark;
  const bool protects = meta.ecn == Ecn::NotEct && config.protects(meta.class_id, meta.ece);
  edges()[Edge::LinuxDroppedProtected] += protects && incoming_.outcome == Outcome::EarlyForced;
  if (incoming_.outcome == Outcome::NoRoom && crowds) {
    ++pool_refused_;
    ++edges()[Edge::Crowded];
  } else if (incoming_.outcome == Outcome::NoRoom)
    ++(!descriptor ? edges()[Edge::NoDescriptor] : rows ? edges()[Edge::Overflow] : edges()[Edge::NoRow]);
  if (!is_stored(incoming_.outcome)) return;
  if (bad_now) {
    incoming_.outcome = Outcome::Aborted;
    return;
  }
  incoming_.held = true;
  admit_.store(framed.length);
  stored_[now % stored_.size()] += framed.length;
  Meta known = meta;
  if (!waits_for_flags(build_, config)) {
    // A verdict that did not wait for the class knows none.
    known.class_id = Class::NonIp;
    known.ece = false;
  }
  Copy copy{incoming_.frame, framed.length, known, meta.ecn, now, in.time, config.defers(meta.ecn), false, {}};
  if (incoming_.outcome == Outcome::Mark) {
    copy.ecn = Ecn::Ce;
    copy.patches = patches(framed, meta);
  }
  queue_.push_back(std::move(copy));
}

void PortCycles::note_edges(const PortConfig& config, uint32_t length, bool room) {
  if (config.limit_bytes) {
    const uint64_t after = admit_.bytes() + length;
    edges()[Edge::LimitMet] += after == *config.limit_bytes;
    edges()[Edge::LimitMetByOne] += after + 1 == *config.limit_bytes;
    edges()[Edge::LimitMissedByOne] += after == *config.limit_bytes + 1;
  }
  edges()[Edge::PacketsAtLimit] += config.limit_packets && admit_.packets() == *config.limit_packets;
  for (unsigned slot = 0; slot < 2; ++slot) {
    edges()[Edge::BytesAtK] += room && config.law[slot] == Law::Step && admit_.bytes() == config.k[slot];
  }
}

// The arriving frame's last row is in this cycle.
void PortCycles::finish(uint64_t now) {
  const bool bad = incoming_.frame->framed.bad.has_value();
  if (incoming_.held && bad && incoming_.leaving) {
    cut_ = true;
    cut_cycle_ = now;
    ++cut_short_;
    ++edges()[Edge::CutShort];
  } else if (incoming_.held && bad) {
    edges()[Edge::AbortWhenFull] +=
        unread_ + build_.rows_of(incoming_.frame->framed.length) + kNearlyFull >= build_.rows - kSpareRows;
    edges()[Edge::WrapInAbort] += incoming_.first_row + incoming_.rows > build_.rows;
    admit_.remove(queue_.back().length);
    stored_[now % stored_.size()] -= queue_.back().length;
    queue_.pop_back();
    incoming_.held = false;
    incoming_.outcome = Outcome::Aborted;
    taken_back_cycle_ = now;
  }
  if (incoming_.held) {
    unread_ += incoming_.rows;
    next_row_ = (next_row_ + incoming_.rows) % build_.rows;
  }
  ended_before_ = std::move(ended_);
  ended_ = incoming_;
  ended_cycle_ = now;
  incoming_ = Incoming{};
}

void PortCycles::write_row(uint64_t now, const BusCycle& bus) {
  if (!bus.row) return;
  if (bus.first) {
    incoming_ = Incoming{};
    if (!(bus.row->framed.lines >> build_.line_of(port_) & 1)) return;
    incoming_.frame = bus.row;
    incoming_.first_row = next_row_;
  }
  if (incoming_.frame != bus.row || (incoming_.judged && !incoming_.held)) return;
  if (!build_.pool && levels_[(now - 2) % levels_.size()].all >= build_.rows - kNearlyFull)
    incoming_.overflow = true;
  else
    ++incoming_.rows;
}

std::string PortCycles::describe() const {
  std::string text = "holds " + std::to_string(admit_.bytes()) + " bytes in " + std::to_string(admit_.packets()) +
                     " frames, " + std::to_string(unread_) + " rows of ended frames not read";
  if (codel_.pending()) text += "; CoDel looks at frame " + std::to_string(copy_.frame->id);
  if (standing_ || open_) {
    text += "; sends frame " + std::to_string(copy_.frame->id) + (discard_ ? " (flushed)" : "") + ", row " +
            std::to_string(row_) + " of " + std::to_string(build_.rows_of(copy_.length)) +
            (standing_ ? " stands" : " was taken") + ", verdict in cycle " + std::to_string(copy_.verdict_cycle);
  }
  if (!queue_.empty()) {
    text +=
        "; next is frame " + std::to_string(queue_.front().frame->id) + (queue_.front().flushed ? " (flushed)" : "");
  }
  if (incoming_.frame) {
    text += "; frame " + std::to_string(incoming_.frame->id) + " arrives" + (incoming_.held ? ", held" : "") +
            (incoming_.leaving ? ", leaving" : "");
  }
  return text;
}

bool PortCycles::row_available(uint64_t now, uint32_t row) const {
  const auto& cycles = copy_.frame->row_cycle;
  return row < cycles.size() && cycles[row] < now;
}

void PortCycles::send(uint64_t now, const PortConfig& config, const PortInputs& in) {
  soon_.reset();
  const bool last = standing_ && copy_.frame->framed.ended && row_ + 1 == copy_.frame->row_cycle.size();
  const bool taken = standing_ && (in.ready || discard_);
  const bool can_load = taken || !standing_;
  // A frame that ends before its time: only the memory knows its last row, and says so when the row has been taken.
  const bool asks = taken && cut_ && cut_cycle_ < now && row_ + 1 < build_.rows_of(copy_.length);
  if (standing_) open_ = !last;
  if (taken && last) {
    const uint64_t sojourn = (departed_time_ - copy_.verdict_time) & kStampMask;
    tallies_.push_back(
        {now + asks + kDepartureTally, Counters::code_of(kind_), copy_.frame->tally, copy_.length, sojourn, kind_});
    cut_ = false;
    gone_cycle_ = now + asks;
    if (asks) opens_cycle_ = now + 2;
  }
  if (!can_load) return;
  standing_ = false;
  if (asks || now < opens_cycle_) return;
  if (!open_) soon_ = soon(now, config, in);
  if (open_) {
    const uint32_t next = row_ + 1;
    if (!row_available(now, next)) {
      ++edges()[Edge::Starved];
      return;
    }
    if (!in.pool.at_hand) {
      ++edges()[Edge::PoolReads];
      return;
    }
    row_ = next;
  } else if (codel_.pending() ? !resolve(now, config, in.pool) : !select(now, config, in)) {
    return;
  }
  standing_ = true;
  --unread_;
  fill_row();
}

// A frame ends in the cycle of its last row, and counts as arriving in it.
bool PortCycles::still_arrives(const Copy& copy, uint64_t now) const {
  return copy.frame == incoming_.frame || (copy.frame == ended_.frame && ended_cycle_ == now);
}

// What a line is told of a frame whether its first row has been read or not: not of one that CoDel would have paused.
std::optional<uint32_t> PortCycles::soon(uint64_t now, const PortConfig& config, const PortInputs& in) const {
  if (!build_.pool || queue_.empty() || !codel_.may_pull() || !in.tx_enable) return std::nullopt;
  const Copy& head = queue_.front();
  if (head.flushed || head.verdict_cycle + 1 >= now) return std::nullopt;
  if (codel_.pauses(config.codel, now, {0, head.ecn, head.verdict_cycle, still_arrives(head, now)}))
    return std::nullopt;
  return head.length;
}

// Takes the next frame for the output, if it may; false if no row can be fetched yet.
bool PortCycles::select(uint64_t now, const PortConfig& config, const PortInputs& in) {
  if (!codel_.may_pull()) return false;
  if (queue_.empty() || queue_.front().verdict_cycle == now) {
    // A frame that is taken back in this cycle has not gone yet.
    if (in.tx_enable && taken_back_cycle_ != now) codel_.fail_to_pull(config.codel, now);
    return false;
  }
  const Copy& head = queue_.front();
  if (!in.pool.at_hand) return false;
  // A flush waits until the frame has ended.
  if (skipped_ != 0 || (head.flushed ? still_arrives(head, now) : !in.tx_enable)) return false;
  edges()[Edge::Bypass] += head.verdict_cycle + 1 == now;
  edges()[Edge::Flushed] += head.flushed;
  take_head(now);
  discard_ = copy_.flushed;
  kind_ = discard_ ? Departure::HeadDropped : Departure::Plain;
  if (discard_) return true;
  if (!build_.codel) {
    leave_as(kind_);
    return true;
  }
  const auto kind = codel_.pull(config.codel, now, pulled());
  if (kind) leave_as(*kind);
  return kind.has_value();
}

void PortCycles::take_head(uint64_t now) {
  if (queue_.front().frame == incoming_.frame) incoming_.leaving = true;
  copy_ = std::move(queue_.front());
  queue_.pop_front();
  departing_ = true;
  row_ = 0;
  arriving_when_pulled_ = copy_.verdict_cycle + 1 < now && still_arrives(copy_, now);
  const bool at_hand = copy_.verdict_cycle + kStampAtHand <= now;
  waited_ = at_hand && waited_too_long(tcn_.threshold, copy_.ecn, copy_.verdict_time, tcn_.now);
  if (tcn_.threshold != 0 && !copy_.flushed && at_hand) note_wait();
  pulled_ += copy_.length;
  const int64_t behind = stored_[(now - kStoredSeen) % stored_.size()] - pulled_;
  // One that leaves at its verdict leaves nothing behind, but perhaps what was just taken back.
  const bool waited = copy_.verdict_cycle + 1 < now;
  signalled_ = waited && copy_.deferred && step_config_.marks_before(behind);
  if (step_config_.mark_on_departure && !copy_.flushed) note_behind(behind);
}

void PortCycles::note_behind(int64_t bytes) {
  const int64_t k = step_config_.k_at_departure();
  edges()[Edge::DepartureMarked] += signalled_;
  edges()[Edge::DepartureAtK] += copy_.deferred && bytes == k;
  edges()[Edge::DepartureJustAbove] += signalled_ && bytes == k + 1;
  edges()[Edge::DepartureOthers] += !copy_.deferred && bytes > k;
}

void PortCycles::note_wait() {
  const uint64_t waited = (tcn_.now - copy_.verdict_time) & kStampMask;
  edges()[Edge::TcnMarked] += waited_;
  edges()[Edge::TcnAtThreshold] += is_ect(copy_.ecn) && waited == tcn_.threshold;
  edges()[Edge::TcnJustAbove] += waited_ && waited == uint64_t{tcn_.threshold} + 1;
  edges()[Edge::TcnOthers] += !is_ect(copy_.ecn) && waited > tcn_.threshold;
}

CodelCycles::Pulled PortCycles::pulled() const {
  return {static_cast<uint32_t>(copy_.verdict_time / 1024), copy_.ecn, copy_.verdict_cycle, arriving_when_pulled_};
}

void PortCycles::leave_as(Departure kind) {
  Leaving leaving(kind);
  edges()[Edge::TcnBesideCodel] += waited_ && leaving.marked;
  edges()[Edge::DepartureBesideOthers] += signalled_ && (waited_ || leaving.marked);
  if (signalled_) leaving.mark_signalled();
  if (waited_) leaving.mark_waited();
  kind_ = leaving.kind;
  if (leaving.marked) copy_.patches = patches(copy_.frame->framed, copy_.meta);
}

// The frame that CoDel paused: true if it is sent now.
bool PortCycles::resolve(uint64_t now, const PortConfig& config, const PoolCycle& pool) {
  const Meta& meta = copy_.meta;
  const bool row_there = pool.at_hand && skipped_ == 0;
  const auto kind =
      codel_.decide(config.codel, now, config.protects(meta.class_id, meta.ece), row_there, pool_.at_hand);
  if (!kind) return false;
  if (*kind != Departure::HeadDropped) {
    leave_as(*kind);
    return true;
  }
  tallies_.push_back({now + kDepartureTally, Counters::kHeadDropped, copy_.frame->tally, copy_.length, 0, kind});
  if (build_.ultra)
    skipped_ += build_.rows_of(copy_.length);
  else
    unread_ -= build_.rows_of(copy_.length);
  const bool none_waits = queue_.empty() || queue_.front().flushed || queue_.front().verdict_cycle + 1 >= now;
  // Of a pool only a frame that has arrived may be read late.
  if (none_waits || (build_.pool && still_arrives(queue_.front(), now))) {
    codel_.run_out(now);
    return false;
  }
  take_head(now);
  codel_.pull_next(config.codel, now, pulled());
  return false;
}

void PortCycles::fill_row() {
  const uint32_t width = build_.beat_bytes();
  const auto begin = copy_.frame->framed.raw.begin() + size_t{row_} * width;
  row_bytes_.assign(begin, begin + width);
  for (const Patch& patch : copy_.patches) {
    if (patch.at / width == row_) row_bytes_[patch.at % width] = patch.value;
  }
}

std::vector<PortCycles::Patch> PortCycles::patches(const Framed& framed, const Meta& meta) {
  std::vector<uint8_t> marked(framed.raw.begin(), framed.raw.begin() + std::min<size_t>(framed.raw.size(), 128));
  mark_ce(marked, meta);
  std::vector<Patch> changed;
  for (uint32_t i = 0; i < marked.size(); ++i) {
    if (marked[i] != framed.raw[i]) changed.push_back({i, marked[i]});
  }
  return changed;
}

}  // namespace truemark
