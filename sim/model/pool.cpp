// SPDX-License-Identifier: BSD-3-Clause
#include "pool.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace truemark {
namespace {

constexpr uint64_t kMostCells = uint64_t{1} << 32;  // so that no product below leaves 64 bits

void require(bool good, const char* field, int64_t value, const std::string& allowed) {
  if (good) return;
  throw std::invalid_argument(std::string("pool: ") + field + " = " + std::to_string(value) + ", allowed: " + allowed);
}

std::string up_to(uint64_t most, const char* what) { return "0 to " + std::to_string(most) + ", " + what; }

}  // namespace

Pool::Pool(uint64_t cells, uint32_t cell_bytes, uint64_t headroom)
    : cells_(cells), cell_bytes_(cell_bytes), headroom_(headroom) {
  require(cells >= 1 && cells <= kMostCells, "cells", static_cast<int64_t>(cells), "1 to 2^32");
  require(cell_bytes == 64 || cell_bytes == 128, "cell_bytes", cell_bytes, "64, 128");
  require(headroom <= cells, "headroom", static_cast<int64_t>(headroom), up_to(cells, "the cells of the pool"));
}

size_t Pool::add(const PoolShare& share) {
  if (held_ + walking_ != 0) throw std::logic_error("pool: a queue comes after the first frame");
  require(share.reserve <= free(), "reserve", static_cast<int64_t>(share.reserve),
          up_to(free(), "the cells that other reserves and the headroom leave"));
  const Threshold& beyond = share.beyond;
  if (beyond.fixed)
    require(*beyond.fixed <= cells_, "fixed", static_cast<int64_t>(*beyond.fixed),
            up_to(cells_, "the cells of the pool"));
  require(beyond.exponent >= Threshold::kLeast && beyond.exponent <= Threshold::kMost, "exponent", beyond.exponent,
          "-7 to 3");
  reserved_ += share.reserve;
  queues_.push_back({.share = share});
  return queues_.size() - 1;
}

void Pool::set_share(size_t number, const PoolShare& share) {
  Queue& queue = queues_[number];
  follow(queue, [&] { queue.share = share; });
}

uint64_t Pool::threshold(size_t number) const { return queues_[number].share.beyond.of(free()); }

PoolRefusal Pool::ask(size_t number, uint32_t bytes, bool alone) const {
  const Queue& queue = queues_[number];
  const uint64_t cells = cells_of(bytes);
  const bool crowds = queue.beyond(queue.taken() + cells) > threshold(number);
  if (crowds && !(alone && cells <= queue.reserved())) return PoolRefusal::Threshold;
  return cells > (alone ? room(number) : room_for_copies()) ? PoolRefusal::Cells : PoolRefusal::None;
}

void Pool::take(uint64_t cells) {
  held_ += cells;
  watermark_ = std::max(watermark_, held_);
}

void Pool::give_back(uint64_t cells) {
  if (cells > held_) throw std::logic_error("pool: cells come back that nobody holds");
  held_ -= cells;
}

void Pool::take(size_t number, uint64_t cells, bool alone) {
  Queue& queue = queues_[number];
  follow(queue, [&] {
    queue.held += cells;
    queue.copies += alone ? 0 : cells;
  });
  queue.watermark = std::max(queue.watermark, queue.held);
}

void Pool::give_back(size_t number, uint64_t cells, bool alone) {
  Queue& queue = queues_[number];
  if (cells > queue.held) throw std::logic_error("pool: a frame leaves that its queue does not hold");
  follow(queue, [&] {
    queue.held -= cells;
    queue.copies -= alone ? 0 : cells;
  });
}

void Pool::store(size_t number, uint32_t bytes) {
  if (ask(number, bytes) != PoolRefusal::None) throw std::logic_error("pool: a frame is stored that was refused");
  take(cells_of(bytes));
  take(number, cells_of(bytes));
}

void Pool::release(size_t number, uint32_t bytes) {
  give_back(number, cells_of(bytes));
  give_back(cells_of(bytes));
}

void Pool::drop(size_t number, uint32_t bytes) {
  release(number, bytes);
  const uint64_t cells = cells_of(bytes);
  Queue& queue = queues_[number];
  follow(queue, [&] { queue.walking += cells; });
  walking_ += cells;
  chains_.push_back({number, cells});
}

void Pool::walk(uint64_t cells) {
  while (cells > 0 && !chains_.empty()) {
    Chain& chain = chains_.front();
    const uint64_t now = std::min(cells, chain.cells);
    Queue& queue = queues_[chain.queue];
    follow(queue, [&] { queue.walking -= now; });
    walking_ -= now;
    cells -= now;
    chain.cells -= now;
    if (chain.cells == 0) chains_.pop_front();
  }
}

void Pool::clear_watermarks() {
  clear_watermark();
  for (size_t number = 0; number < queues_.size(); ++number) clear_watermark(number);
}

}  // namespace truemark
