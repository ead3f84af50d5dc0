// SPDX-License-Identifier: BSD-3-Clause
#include "headers.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>

namespace truemark {
namespace {

// Writes big-endian fields, one after another, over what `bytes` held.
class Writer {
 public:
  Writer(Random& random, std::vector<uint8_t>& bytes, std::size_t expected) : random_(random), bytes_(bytes) {
    bytes.resize(expected);
  }
  void byte(uint32_t value) { *room(1) = static_cast<uint8_t>(value); }
  void word(uint32_t value) {
    byte(value >> 8);
    byte(value);
  }
  void noise(std::size_t count) {
    uint8_t* to = room(count);
    for (; count >= 8; count -= 8, to += 8) {
      const uint64_t eight = random_.next();
      std::memcpy(to, &eight, 8);
    }
    if (count == 0) return;
    const uint64_t eight = random_.next();
    std::memcpy(to, &eight, count);
  }
  std::size_t size() const { return size_; }

 private:
  uint8_t* room(std::size_t count) {
    const std::size_t at = size_;
    size_ += count;
    if (size_ > bytes_.size()) bytes_.resize(2 * size_);
    return bytes_.data() + at;
  }

  Random& random_;
  std::vector<uint8_t>& bytes_;
  std::size_t size_ = 0;
};

template <typename T, std::size_t N>
T pick(Random& random, const std::array<T, N>& from) {
  return from[random.below(N)];
}

uint32_t random_flags(Random& random) {
  constexpr std::array<uint32_t, 14> usual = {0x02, 0x12, 0x10, 0x18, 0x11, 0x04, 0x14,
                                              0xC2, 0x52, 0x50, 0x90, 0x00, 0x01, 0x40};
  return random.chance(75) ? pick(random, usual) : random.below(256);
}

void tcp(Writer& out, Random& random, uint32_t data_offset) {
  out.noise(12);
  out.byte(data_offset << 4 | (random.one_in(8) ? random.below(16) : 0));
  out.byte(random_flags(random));
}

// What the IP length says behind its header: mostly the truth about TCP, sometimes anything.
uint32_t ip_payload(Random& random, uint32_t tcp_bytes, uint32_t rest) {
  switch (random.below(10)) {
    case 0:
      return random.below(65536);
    case 1:
      return tcp_bytes > 1 ? tcp_bytes - 1 : 0;
    case 2:
    case 3:
    case 4:
      return tcp_bytes;
    case 5:
      return tcp_bytes + 1;
    default:
      return rest;
  }
}

uint32_t data_offset(Random& random) {
  return random.chance(80) ? 5 + (random.one_in(3) ? random.below(11) : 0) : random.below(16);
}

void ipv4(Writer& out, Random& random, uint32_t length) {
  const uint32_t ihl = random.chance(75) ? 5 : random.below(16);
  const uint32_t header = ihl < 5 ? 20 : 4 * ihl;
  const uint32_t offset = data_offset(random);
  const uint32_t rest = length > out.size() + header ? length - static_cast<uint32_t>(out.size()) - header : 0;
  out.byte((random.one_in(20) ? random.below(16) : 4) << 4 | ihl);
  out.byte(random.below(256));
  out.word((header + ip_payload(random, 4 * offset, rest)) & 0xFFFF);
  out.noise(2);
  out.word(random.chance(94) ? random.below(2) << 14 : random.below(65536));
  out.byte(64);
  out.byte(random.chance(90) ? 6 : random.one_in(2) ? 17 : random.below(256));
  // Any checksum will do: what was wrong stays as wrong; the corners of one's complement more often.
  constexpr std::array<uint32_t, 6> corners = {0, 1, 2, 0xFFFF, 0xFFFE, 0xFFFD};
  out.word(random.one_in(4) ? pick(random, corners) : random.below(65536));
  out.noise(header - 12);
  tcp(out, random, offset);
}

void ipv6(Writer& out, Random& random, uint32_t length) {
  constexpr std::array<uint32_t, 5> extensions = {0, 43, 44, 51, 60};
  const uint32_t chain = random.chance(60) ? 0 : random.between(1, 3);
  std::array<uint32_t, 4> next{};
  for (uint32_t i = 0; i < chain; ++i) next[i] = pick(random, extensions);
  next[chain] = random.chance(85) ? 6 : random.below(256);
  const uint32_t offset = data_offset(random);
  std::array<uint32_t, 3> units{};
  uint32_t headers = 0;
  for (uint32_t i = 0; i < chain; ++i) {
    units[i] = random.chance(85) ? random.below(4) : random.below(256);
    headers += next[i] == 44 ? 8 : next[i] == 51 ? 4 * (units[i] + 2) : 8 * (units[i] + 1);
  }
  const uint32_t base = static_cast<uint32_t>(out.size()) + 40;
  const uint32_t rest = length > base ? length - base : 0;
  out.byte((random.one_in(20) ? random.below(16) : 6) << 4 | random.below(16));
  out.byte(random.below(256));
  out.noise(2);
  out.word(random.one_in(30) ? 0 : ip_payload(random, headers + 4 * offset, rest) & 0xFFFF);
  out.byte(next[0]);
  out.noise(33);
  for (uint32_t i = 0; i < chain; ++i) {
    const std::size_t begin = out.size();
    out.byte(next[i + 1]);
    out.byte(units[i]);
    if (next[i] == 44) out.word(random.chance(70) ? random.below(8) : random.below(65536));
    const uint32_t bytes = next[i] == 44 ? 8 : next[i] == 51 ? 4 * (units[i] + 2) : 8 * (units[i] + 1);
    out.noise(bytes - (out.size() - begin));
  }
  tcp(out, random, offset);
}

}  // namespace

void random_packet(Random& random, uint32_t length, std::vector<uint8_t>& bytes) {
  constexpr std::array<uint32_t, 6> others = {0x0806, 0x8847, 0x8864, 0x9100, 0x0026, 0x8808};
  Writer out(random, bytes, length + 128);
  out.noise(12);
  const uint32_t tags = random.chance(70) ? 0 : random.between(1, 4);
  for (uint32_t i = 0; i < tags; ++i) {
    out.word(random.one_in(2) ? 0x8100 : 0x88A8);
    out.noise(2);
  }
  const uint32_t kind = random.below(100);
  if (kind < 55) {
    out.word(0x0800);
    ipv4(out, random, length);
  } else if (kind < 90) {
    out.word(0x86DD);
    ipv6(out, random, length);
  } else {
    out.word(random.one_in(3) ? random.below(65536) : pick(random, others));
  }
  if (out.size() < length) out.noise(length - out.size());
  bytes.resize(length);
  if (random.one_in(25)) bytes[random.below(length < 100 ? length : 100)] = static_cast<uint8_t>(random.below(256));
}

}  // namespace truemark
