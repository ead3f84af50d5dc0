// SPDX-License-Identifier: BSD-3-Clause
#include "parse.h"

#include <algorithm>

namespace truemark {
namespace {

constexpr uint32_t kWindow = 128;           // the walk reads the first 128 bytes only
constexpr uint32_t kLongestExtension = 68;  // what follows a longer one begins at byte 126 or later: out of the window
constexpr unsigned kMaxTags = 3;
constexpr unsigned kMaxExtensions = 2;

enum Protocol : uint8_t { HopByHop = 0, Tcp = 6, Routing = 43, FragmentHeader = 44, Authentication = 51, Options = 60 };
enum Flag : uint16_t { Fin = 1, Syn = 2, Rst = 4, AckFlag = 16, Ece = 64 };

// Bytes of the frame by index; beyond what arrived they read as zero.
class Bytes {
 public:
  explicit Bytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  uint8_t at(uint32_t index) const { return index < bytes_.size() ? bytes_[index] : 0; }
  uint16_t word(uint32_t index) const { return static_cast<uint16_t>(at(index) << 8 | at(index + 1)); }

 private:
  std::span<const uint8_t> bytes_;
};

bool is_tag(uint16_t ethertype) { return ethertype == 0x8100 || ethertype == 0x88A8; }

bool is_extension(uint8_t protocol) {
  return protocol == HopByHop || protocol == Routing || protocol == Options || protocol == FragmentHeader ||
         protocol == Authentication;
}

uint32_t extension_length(uint8_t protocol, uint8_t length_field) {
  if (protocol == FragmentHeader) return 8;
  if (protocol == Authentication) return 4 * (length_field + 2u);
  return 8 * (length_field + 1u);
}

Class tcp_class(uint16_t flags, bool payload) {
  if (flags & Syn) return flags & AckFlag ? Class::SynAck : Class::Syn;
  if (flags & Rst) return Class::TcpCtrl;
  if (payload) return Class::Data;
  if (flags & Fin) return Class::TcpCtrl;
  return flags & AckFlag ? Class::Ack : Class::TcpCtrl;
}

// The TCP header at `l4` of a datagram that ends at `ip_end`: fills in class, flags and when they are known.
void read_tcp(const Bytes& frame, uint32_t length, uint32_t l4, int64_t ip_end, Meta& meta) {
  if (l4 + 13 >= kWindow) return;
  meta.flags_byte = std::max(meta.ecn_byte, l4 + 13);
  if (length < l4 + 20) return;
  const uint32_t data_offset = frame.at(l4 + 12) >> 4;
  const int64_t payload = ip_end - l4 - 4 * int64_t{data_offset};
  if (data_offset < 5 || payload < 0) return;
  meta.flags = static_cast<uint16_t>(frame.word(l4 + 12) & 0x1FF);
  meta.payload = payload > 0;
  meta.class_id = tcp_class(meta.flags, meta.payload);
  meta.ece = (meta.flags & Ece) != 0;
}

void read_ipv4(const Bytes& frame, uint32_t length, Meta& meta) {
  const uint32_t o = meta.l3_offset;
  meta.ecn_byte = meta.flags_byte = o + 11;
  const uint32_t header = 4u * (frame.at(o) & 15u);
  if (frame.at(o) >> 4 != 4 || header < 20 || length < o + header) return;
  meta.l3 = L3::Ipv4;
  meta.ecn = static_cast<Ecn>(frame.at(o + 1) & 3);
  meta.dscp = frame.at(o + 1) >> 2;
  meta.class_id = Class::OtherIp;
  const bool later_fragment = (frame.word(o + 6) & 0x1FFF) != 0;
  if (later_fragment || frame.at(o + 9) != Tcp) return;
  read_tcp(frame, length, o + header, int64_t{o} + frame.word(o + 2), meta);
}

void read_ipv6(const Bytes& frame, uint32_t length, Meta& meta) {
  const uint32_t o = meta.l3_offset;
  meta.ecn_byte = meta.flags_byte = o + 1;
  if (frame.at(o) >> 4 != 6 || length < o + 40) return;
  meta.l3 = L3::Ipv6;
  meta.ecn = static_cast<Ecn>(frame.at(o + 1) >> 4 & 3);
  meta.dscp = frame.word(o) >> 6 & 63;
  meta.class_id = Class::OtherIp;
  meta.flags_byte = o + 6;
  uint8_t next = frame.at(o + 6);
  uint32_t h = o + 40;
  for (unsigned seen = 0; is_extension(next); ++seen) {
    if (seen == kMaxExtensions || h + 1 >= kWindow) return;
    const bool fragment = next == FragmentHeader;
    meta.flags_byte = h + (fragment ? 3 : 1);
    if (fragment && frame.word(h + 2) >> 3 != 0) return;
    const uint32_t step = extension_length(next, frame.at(h + 1));
    if (step > kLongestExtension) return;
    next = frame.at(h);
    h += step;
  }
  // A payload length of 0 (jumbogram) makes every TCP header too long for its packet.
  if (next == Tcp) read_tcp(frame, length, h, int64_t{o} + 40 + frame.word(o + 4), meta);
}

}  // namespace

Meta parse(std::span<const uint8_t> bytes, uint32_t length) {
  const Bytes frame(bytes);
  Meta meta;
  unsigned tags = 0;
  while (tags < kMaxTags && is_tag(frame.word(12 + 4 * tags))) ++tags;
  if (tags > 0 && length >= 18) meta.pcp = frame.at(14) >> 5;
  meta.l3_offset = 14 + 4 * tags;
  meta.ecn_byte = meta.flags_byte = 13 + 4 * tags;
  const uint16_t ethertype = frame.word(12 + 4 * tags);
  if (ethertype == 0x0800) read_ipv4(frame, length, meta);
  if (ethertype == 0x86DD) read_ipv6(frame, length, meta);
  return meta;
}

}  // namespace truemark
