// SPDX-License-Identifier: BSD-3-Clause
// What every block's lockstep has in common: random numbers that like corners, the compare of the witnesses, and floors
// on what must have been met.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>

#include "../../model/random.h"

namespace truemark {

// One run: `NAME --decisions N --seed N`. The first difference ends it with 1, a floor that was missed with 2.
class Cross {
 public:
  Cross(int argc, char** argv, const char* name) : name_(name), random(1) {
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
      const uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
      if (!std::strcmp(argv[i], "--decisions")) {
        wanted_ = value;
      } else if (!std::strcmp(argv[i], "--seed")) {
        seed = value;
      } else {
        std::fprintf(stderr, "%s: no option %s: --decisions N --seed N\n", name, argv[i]);
        std::exit(3);
      }
    }
    random = Random(seed);
  }

  bool more() const { return done_ < wanted_; }
  uint64_t done() const { return done_; }

  // A number of `bits` bits: one of `corners` (or next to it), a power of two or next to it, short, or any.
  uint64_t number(unsigned bits, std::initializer_list<uint64_t> corners = {}) {
    const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const uint32_t kind = random.below(8);
    if (kind < 3 && corners.size()) {
      return (corners.begin()[random.below(static_cast<uint32_t>(corners.size()))] + random.below(3) - 1) & all;
    }
    if (kind == 3) return ((uint64_t{1} << random.below(bits + 1)) + random.below(3) - 1) & all;
    if (kind == 4) return random.next() & all & ((uint64_t{2} << random.below(bits)) - 1);
    return random.next() & all;
  }

  // One decision: what the reference, the twin and the model say of it must be the same. `inputs` is said at a
  // difference.
  template <class Inputs>
  void decide(uint64_t reference, uint64_t twin, uint64_t model, const char* what, Inputs inputs) {
    ++done_;
    check(reference, twin, model, what, inputs);
  }
  template <class Inputs>
  void check(uint64_t reference, uint64_t twin, uint64_t model, const char* what, Inputs inputs) {
    if (reference == twin && twin == model) return;
    std::printf("%s: decision %" PRIu64 ", %s: reference %" PRIx64 ", RTL %" PRIx64 ", model %" PRIx64 " for %s\n",
                name_, done_, what, reference, twin, model, std::string(inputs()).c_str());
    std::exit(1);
  }

  // Count an edge that random numbers might miss.
  void met(const char* edge, bool happened) { edges_[edge] += happened; }

  // Say what was compared and met; every edge once in 10,000 decisions at least, or the run says nothing.
  int finish() const {
    std::printf("%s: %" PRIu64 " decisions, all witnesses agree", name_, done_);
    bool missed = false;
    for (const auto& [edge, count] : edges_) {
      std::printf("; %s %" PRIu64, edge.c_str(), count);
      if (count < wanted_ / 10000) {
        std::printf(" (TOO FEW)");
        missed = true;
      }
    }
    std::printf("\n");
    return missed ? 2 : 0;
  }

 private:
  const char* name_;
  uint64_t wanted_ = 1000000;
  uint64_t done_ = 0;
  std::map<std::string, uint64_t> edges_;

 public:
  Random random;
};

// "name value" pairs of what a decision was about.
class Words {
 public:
  Words& operator()(const char* name, uint64_t value) {
    text_ += std::string(text_.empty() ? "" : ", ") + name + " " + std::to_string(value);
    return *this;
  }
  operator std::string() const { return text_; }

 private:
  std::string text_;
};

template <class Top>
void clock(Top& top) {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

}  // namespace truemark
