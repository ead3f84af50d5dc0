// SPDX-License-Identifier: BSD-3-Clause
// Ring: a first-in first-out queue in one piece of memory, which grows and never shrinks.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace truemark {

template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  const T& front() const { return slots_[first_]; }
  const T& back() const { return slots_[(first_ + size_ - 1) & mask()]; }

  void push_back(const T& value) {
    if (size_ == slots_.size()) grow();
    slots_[(first_ + size_) & mask()] = value;
    ++size_;
  }

  void pop_back() { --size_; }

  T pop_front() {
    T value = std::move(slots_[first_]);
    first_ = (first_ + 1) & mask();
    --size_;
    return value;
  }

 private:
  size_t mask() const { return slots_.size() - 1; }

  void grow() {
    std::vector<T> larger(slots_.empty() ? 16 : 2 * slots_.size());
    for (size_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[(first_ + i) & mask()]);
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> slots_;
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace truemark
