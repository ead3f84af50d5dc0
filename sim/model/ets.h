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

  // Selects the queue that sends; none if none waits.
  std::optional<unsigned> select(const std::vector<std::optional<uint32_t>>& heads) {
    for (unsigned q = static_cast<unsigned>(queues_.size()); q-- > 0;) {
      if (queues_[q].strict && heads[q]) return q;
    }
    while (!round_.empty()) {
      const unsigned q = round_.front();
      Queue& queue = queues_[q];
      if (*heads[q] <= queue.deficit) {
        queue.deficit -= *heads[q];
        return q;
      }
      queue.deficit += queue.quantum;
      round_.splice(round_.end(), round_, round_.begin());
    }
    return std::nullopt;
  }

 private:
  struct Queue {
    bool strict = false;
    uint32_t quantum = 0;  // bytes, at least 1 if it is not strict
    uint64_t deficit = 0;
    bool active = false;
  };

  std::vector<Queue> queues_;
  std::list<unsigned> round_;  // those that wait and are not strict, in their order
};

}  // namespace truemark
