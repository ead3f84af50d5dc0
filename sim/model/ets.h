// SPDX-License-Identifier: BSD-3-Clause
// Ets: which queue of a line sends next, the rule of Linux's qdisc of that name word for word: strict queues before a
// list of those that share, which are served by deficit round robin.
//
// The highest number is the first of the strict queues, as a traffic class is in IEEE 802.1Q; of Linux's bands the
// lowest.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace truemark {

class Ets {
 public:
  explicit Ets(unsigned queues) : queues_(queues) {}

  void configure(unsigned queue, bool strict, uint32_t quantum) {
    queues_[queue].strict = strict;
    queues_[queue].quantum = quantum;
  }

  // Takes notice of who waits, by the length of the oldest frame, and of who does not. Of several that begin at once
  // the highest number is the first.
  void see(const std::vector<std::optional<uint32_t>>& heads) {
    for (unsigned q = static_cast<unsigned>(queues_.size()); q-- > 0;) {
      Queue& queue = queues_[q];
      const bool active = heads[q] && !queue.strict;
      if (queue.active && !active) round_.remove(q);
      if (!queue.active && active) {
        round_.push_back(q);
        queue.deficit = queue.quantum;
      }
      queue.active = active;
    }
  }

  // Whose frame is looked at next: that of the first strict queue, else of the first of the round; none if none waits.
  std::optional<unsigned> next(const std::vector<std::optional<uint32_t>>& heads) const {
    if (const auto first = strict(heads)) return first;
    return round_.empty() ? std::nullopt : std::optional(round_.front());
  }

  // That queue sends its frame, of this length; or it is given a quantum and moves to the end of the round.
  bool sends(unsigned next, uint32_t length) {
    Queue& queue = queues_[next];
    if (queue.strict) return true;
    if (int64_t{length} <= queue.deficit) {
      queue.deficit -= length;
      return true;
    }
    queue.deficit += queue.quantum;
    round_.splice(round_.end(), round_, round_.begin());
    return false;
  }

  // Selects the queue that sends, where the frames that leave are known; none if none waits, or if its frame is `late`:
  // it waits, but cannot be sent yet.
  std::optional<unsigned> select(const std::vector<std::optional<uint32_t>>& heads,
                                 const std::vector<bool>& late = {}) {
    while (const auto queue = next(heads)) {
      if (comes_late(*queue, heads, late)) return std::nullopt;
      if (sends(*queue, *heads[*queue])) return queue;
    }
    return std::nullopt;
  }

  // What the RTL does of that in one cycle: it goes round once, until a queue is found whose deficit covers its frame.
  // None: no deficit does, or it comes to a queue that has `begun` in this cycle, or none waits, or its frame is
  // `late`. A queue alone sends with the quantum that it is given, if that holds any frame.
  std::optional<unsigned> visit(const std::vector<std::optional<uint32_t>>& heads, const std::vector<bool>& begun,
                                const std::vector<bool>& late, uint32_t max_frame) {
    if (const auto first = strict(heads)) return late[*first] ? std::nullopt : first;
    const bool alone = round_.size() == 1 && queues_[round_.front()].quantum >= max_frame;
    for (size_t left = round_.size() + alone; left > 0; --left) {
      const unsigned first = round_.front();
      if (begun[first] || comes_late(first, heads, late)) return std::nullopt;
      if (sends(first, *heads[first])) return first;
    }
    return std::nullopt;
  }

 private:
  struct Queue {
    bool strict = false;
    uint32_t quantum = 0;  // bytes, at least 1 if it is not strict
    int64_t deficit = 0;
    bool active = false;
  };

  std::optional<unsigned> strict(const std::vector<std::optional<uint32_t>>& heads) const {
    for (unsigned q = static_cast<unsigned>(queues_.size()); q-- > 0;) {
      if (queues_[q].strict && heads[q]) return q;
    }
    return std::nullopt;
  }

  // It is its turn, and it cannot send.
  bool comes_late(unsigned next, const std::vector<std::optional<uint32_t>>& heads,
                  const std::vector<bool>& late) const {
    return !late.empty() && late[next] && (queues_[next].strict || int64_t{*heads[next]} <= queues_[next].deficit);
  }

  std::vector<Queue> queues_;
  std::list<unsigned> round_;  // those that wait and are not strict, in their order
};

}  // namespace truemark
