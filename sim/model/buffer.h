// SPDX-License-Identifier: BSD-3-Clause
// Buffer: a port's storage, a ring of rows of one beat each.
// A frame that is stored leaves pkg::kSpareRows of them free.
//
// Rows are given in arrival order and released in the same order; the youngest reservation alone can be undone.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "types.h"

namespace truemark {

class Buffer {
 public:
  explicit Buffer(const Build& build) : rows_(build.rows), beat_bytes_(build.beat_bytes()) {}

  uint32_t used() const { return used_; }
  bool has_room(uint32_t rows) const { return used_ + rows + pkg::kSpareRows <= rows_; }

  // The first row of the reservation.
  uint32_t reserve(uint32_t rows) {
    const uint32_t first = (head_ + used_) % rows_;
    used_ += rows;
    return first;
  }

  void undo(uint32_t rows) { used_ -= rows; }

  void release(uint32_t rows) {
    head_ = (head_ + rows) % rows_;
    used_ -= rows;
  }

  // Bytes of a frame into and out of its rows. Storage grows as far as rows have been used: a lab has hundreds of
  // ports.
  void write(uint32_t first_row, std::span<const uint8_t> bytes) {
    const size_t start = size_t{first_row} * beat_bytes_;
    const size_t before_wrap = std::min(bytes.size(), size() - start);
    if (data_.size() < start + before_wrap) data_.resize(start + before_wrap);
    std::memcpy(data_.data() + start, bytes.data(), before_wrap);
    std::memcpy(data_.data(), bytes.data() + before_wrap, bytes.size() - before_wrap);
  }

  void read(uint32_t first_row, std::span<uint8_t> bytes) const {
    const size_t start = size_t{first_row} * beat_bytes_;
    const size_t before_wrap = std::min(bytes.size(), size() - start);
    std::memcpy(bytes.data(), data_.data() + start, before_wrap);
    std::memcpy(bytes.data() + before_wrap, data_.data(), bytes.size() - before_wrap);
  }

 private:
  size_t size() const { return size_t{rows_} * beat_bytes_; }

  uint32_t rows_;
  uint32_t beat_bytes_;
  uint32_t head_ = 0;
  uint32_t used_ = 0;
  std::vector<uint8_t> data_;
};

}  // namespace truemark
