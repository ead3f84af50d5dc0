// SPDX-License-Identifier: BSD-3-Clause
// Pool: who may have the cells of a memory that all queues of a switch share.
//
// A queue may have its reserve, and beyond it as many cells as its threshold says: a number, or the cells that are free
// times 2^n (SAI's SHARED_STATIC_TH and SHARED_DYNAMIC_TH). Free for a threshold are the cells that no queue has and
// that are kept for none: neither headroom nor what is left of a reserve. Room for a frame leaves only reserves of
// others alone: headroom is for frames that no threshold refuses. So a frame that fits into what is left of its
// queue's reserve is never refused.
//
// A frame takes whole cells. Those of one that was dropped after it was stored are freed one by one, by a walker; until
// then they are its queue's. A frame with several copies takes its cells once, and from no reserve; it is its size to
// each of their queues.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "threshold.h"

namespace truemark {

// What a queue may have, in cells.
struct PoolShare {
  uint64_t reserve = 0;
  Threshold beyond = {};  // beyond the reserve
};

enum class PoolRefusal {
  None,
  Threshold,  // the queue would have more than it may
  Cells,      // it might, but so many cells are not free
};

class Pool {
 public:
  // Throws std::invalid_argument with the field's name, its value and what is allowed; so does add.
  Pool(uint64_t cells, uint32_t cell_bytes, uint64_t headroom);
  // The number of a new queue. All of them come before the first frame.
  size_t add(const PoolShare& share);
  // From now on, whatever is held. Who calls has seen to it that all reserves and the headroom fit.
  void set_share(size_t queue, const PoolShare& share);
  void set_headroom(uint64_t cells) { headroom_ = cells; }

  // Whether a frame, or a copy of one that is not for its queue alone, may be stored. Changes nothing.
  PoolRefusal ask(size_t queue, uint32_t bytes, bool alone = true) const;
  // It was stored, and it has left: std::logic_error if it may not, or if the queue has fewer cells.
  void store(size_t queue, uint32_t bytes);
  void release(size_t queue, uint32_t bytes);
  // The same in parts, of a frame with several copies: its cells, and what a queue has of them. Nothing is asked.
  void take(uint64_t cells);
  void give_back(uint64_t cells);
  void take(size_t queue, uint64_t cells, bool alone = true);
  void give_back(size_t queue, uint64_t cells, bool alone = true);
  // It was dropped at the head, or flushed: its cells wait for the walker.
  void drop(size_t queue, uint32_t bytes);
  // The walker frees so many cells, or as many as wait.
  void walk(uint64_t cells);

  uint64_t cells_of(uint32_t bytes) const { return (uint64_t{bytes} + cell_bytes_ - 1) / cell_bytes_; }
  // For thresholds.
  uint64_t free() const { return all_but(held_ + walking_ + reserved_ + headroom_); }
  // That a frame of the queue may take; and a copy, for which no reserve is.
  uint64_t room(size_t queue) const { return all_but(held_ + walking_ + reserved_ - queues_[queue].reserved()); }
  uint64_t room_for_copies() const { return all_but(held_ + walking_ + reserved_); }
  // What the queue may have beyond its reserve, as things are.
  uint64_t threshold(size_t queue) const;

  uint64_t held() const { return held_; }        // by frames that are stored
  uint64_t walking() const { return walking_; }  // of frames that were dropped
  uint64_t held(size_t queue) const { return queues_[queue].held; }
  uint64_t watermark() const { return watermark_; }  // the most that were held
  uint64_t watermark(size_t queue) const { return queues_[queue].watermark; }
  void clear_watermarks();
  void clear_watermark() { watermark_ = held_; }
  void clear_watermark(size_t queue) { queues_[queue].watermark = queues_[queue].held; }

 private:
  struct Queue {
    PoolShare share;
    uint64_t held = 0;
    uint64_t copies = 0;  // of what is held, cells of frames that were for others as well: no reserve's
    uint64_t walking = 0;
    uint64_t watermark = 0;
    uint64_t taken() const { return held + walking; }
    uint64_t beyond(uint64_t taken) const { return taken > share.reserve ? taken - share.reserve : 0; }
    // What is left of it.
    uint64_t reserved() const { return share.reserve > taken() - copies ? share.reserve + copies - taken() : 0; }
  };
  struct Chain {
    size_t queue;
    uint64_t cells;
  };

  uint64_t all_but(uint64_t cells) const { return cells_ > cells ? cells_ - cells : 0; }
  // What is left of its reserve changes with what `change` does to a queue.
  template <typename Change>
  void follow(Queue& queue, Change change) {
    reserved_ -= queue.reserved();
    change();
    reserved_ += queue.reserved();
  }

  uint64_t cells_;
  uint32_t cell_bytes_;
  uint64_t headroom_;
  uint64_t reserved_ = 0;  // what is left of all reserves
  uint64_t held_ = 0, walking_ = 0, watermark_ = 0;
  std::vector<Queue> queues_;
  std::deque<Chain> chains_;  // for the walker, oldest first
};

}  // namespace truemark
