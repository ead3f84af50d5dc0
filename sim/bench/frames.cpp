// SPDX-License-Identifier: BSD-3-Clause
#include "frames.h"

#include <cstring>

namespace truemark::bench {
namespace {

constexpr uint32_t kSequenceAt = 2;         // in the destination address: every frame has one
constexpr uint16_t kExperimental = 0x88B5;  // ethertype of a frame too short for IP, or without

uint32_t l3_offset(const FrameSpec& spec) { return 14 + 4u * spec.tags; }

// Of IPv4 and of IPv6 alike.
uint32_t traffic_class(const FrameSpec& spec, Ecn ecn) { return uint32_t{spec.dscp} << 2 | static_cast<uint32_t>(ecn); }

uint32_t l4_offset(const FrameSpec& spec) {
  if (spec.l3 == L3::Ipv4) return l3_offset(spec) + 20 + 4u * spec.ipv4_options;
  return l3_offset(spec) + 40 + 8u * spec.ipv6_extensions;
}

// Writes into a frame and ignores what lies behind its end.
class Writer {
 public:
  explicit Writer(std::vector<uint8_t>& frame) : frame_(frame) {}
  void byte(uint32_t at, uint32_t value) {
    if (at < frame_.size()) frame_[at] = static_cast<uint8_t>(value);
  }
  void word(uint32_t at, uint32_t value) {
    byte(at, value >> 8);
    byte(at + 1, value);
  }

 private:
  std::vector<uint8_t>& frame_;
};

uint16_t header_checksum(std::span<const uint8_t> header) {
  uint32_t sum = 0;
  for (size_t i = 0; i + 1 < header.size(); i += 2) sum += static_cast<uint32_t>(header[i] << 8 | header[i + 1]);
  while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

void write_ipv4(std::vector<uint8_t>& frame, const FrameSpec& spec, uint32_t total, Ecn ecn) {
  Writer to(frame);
  const uint32_t at = l3_offset(spec), bytes = 20 + 4u * spec.ipv4_options;
  to.byte(at, 0x40u | bytes / 4);
  to.byte(at + 1, traffic_class(spec, ecn));
  to.word(at + 2, total);
  to.word(at + 6, 0x4000);  // do not fragment
  to.byte(at + 9, 6);
  to.word(at + 10, 0);
  if (at + bytes <= frame.size()) to.word(at + 10, header_checksum(std::span(frame).subspan(at, bytes)));
}

void write_ipv6(std::vector<uint8_t>& frame, const FrameSpec& spec, uint32_t payload, Ecn ecn) {
  constexpr uint8_t kHopByHop = 0, kTcp = 6, kOptions = 60;
  Writer to(frame);
  const uint32_t at = l3_offset(spec);
  to.byte(at, 0x60 | traffic_class(spec, ecn) >> 4);
  to.byte(at + 1, traffic_class(spec, ecn) << 4);
  to.word(at + 4, payload);
  uint32_t next_at = at + 6, header = at + 40;
  for (unsigned i = 0; i < spec.ipv6_extensions; i++, header += 8) {
    to.byte(next_at, i == 0 ? kHopByHop : kOptions);
    next_at = header;
    to.byte(header + 1, 0);  // 8 bytes
  }
  to.byte(next_at, kTcp);
}

}  // namespace

bool has_ecn(const FrameSpec& spec) {
  if (spec.l3 == L3::Ipv4) return spec.size >= l3_offset(spec) + 20 + 4u * spec.ipv4_options;
  return spec.l3 == L3::Ipv6 && spec.size >= l3_offset(spec) + 40;
}

uint32_t tcp_flags_byte(const FrameSpec& spec) { return l4_offset(spec) + 13; }

std::vector<uint8_t> make_frame(uint32_t sequence, const FrameSpec& spec, bool marked) {
  std::vector<uint8_t> frame((spec.size + 7) / 8 * 8);
  Random fill(0x1000003u * uint64_t{sequence} + spec.size);
  for (size_t at = 0; at < frame.size(); at += 8) {
    const uint64_t word = fill.next();
    std::memcpy(frame.data() + at, &word, 8);
  }
  frame.resize(spec.size);
  Writer to(frame);
  to.word(kSequenceAt, sequence >> 16);
  to.word(kSequenceAt + 2, sequence);
  for (unsigned i = 0; i < spec.tags; i++) to.word(12 + 4 * i, i == 0 && spec.tags > 1 ? 0x88A8 : 0x8100);
  const uint32_t type_at = l3_offset(spec) - 2;
  if (!has_ecn(spec)) {
    to.word(type_at, kExperimental);
    return frame;
  }
  const Ecn ecn = marked ? Ecn::Ce : spec.ecn;
  const uint32_t l4 = l4_offset(spec);
  uint32_t ip_end = spec.size;
  if (spec.ip_payload) ip_end = l4 + 20 + *spec.ip_payload;
  to.byte(l4 + 12, 0x50);  // data offset 5 words
  to.byte(l4 + 13, spec.tcp_flags);
  to.word(type_at, spec.l3 == L3::Ipv4 ? 0x0800 : 0x86DD);
  if (spec.l3 == L3::Ipv4)
    write_ipv4(frame, spec, ip_end - l3_offset(spec), ecn);
  else
    write_ipv6(frame, spec, ip_end - l3_offset(spec) - 40, ecn);
  return frame;
}

std::optional<uint32_t> sequence_of(std::span<const uint8_t> frame) {
  if (frame.size() < kSequenceAt + 4) return std::nullopt;
  uint32_t sequence = 0;
  for (uint32_t i = 0; i < 4; i++) sequence = sequence << 8 | frame[kSequenceAt + i];
  return sequence;
}

}  // namespace truemark::bench
