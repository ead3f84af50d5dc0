// SPDX-License-Identifier: GPL-2.0-only
#include "truemark_queue_disc.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ns3/simulator.h"

namespace lab {
namespace {

constexpr uint32_t kIpHeader = 20;   // without options: ns-3's TCP sends none
constexpr uint32_t kTcpHeader = 60;  // with all the options there can be
constexpr uint32_t kFrameMost = 9216;
constexpr uint32_t kHeadersAtOnce = 1024;  // of which one is compared with ns-3's
constexpr uint32_t kEcnByte = kEthernetHeader + 1;

// identity_of of the header in a frame.
uint64_t identity_of(const uint8_t* frame) {
  constexpr uint32_t identification = kEthernetHeader + 4, source = kEthernetHeader + 12, destination = source + 4;
  uint64_t identity = 0;
  for (const uint32_t start : {source + 1, destination + 1})
    for (uint32_t byte = start; byte < start + 3; ++byte) identity = identity << 8 | frame[byte];
  return identity << 16 | uint64_t{frame[identification]} << 8 | frame[identification + 1];
}

uint64_t now_ns() { return static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds()); }

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(TruemarkQueueDisc);

ns3::TypeId TruemarkQueueDisc::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::TruemarkQueueDisc").SetParent<ns3::QueueDisc>().AddConstructor<TruemarkQueueDisc>();
  return type;
}

TruemarkQueueDisc::TruemarkQueueDisc() : QueueDisc(ns3::QueueDiscSizePolicy::NO_LIMITS), frame_(kFrameMost) {
  // Locally administered addresses; the type is IPv4.
  const uint8_t ethernet[kEthernetHeader] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0};
  std::copy(std::begin(ethernet), std::end(ethernet), frame_.begin());
}

void TruemarkQueueDisc::setup(std::unique_ptr<EngineDevice> device, std::vector<PoolQueue*> pool,
                              PortMeasures* measures, bool drops_at_head, bool apply_marks) {
  device_ = std::move(device);
  pool_ = std::move(pool);
  measures_ = measures;
  drops_at_head_ = drops_at_head;
  apply_marks_ = apply_marks;
}

bool TruemarkQueueDisc::CheckConfig() {
  if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0 || !device_) return false;
  // The engine limits what is held; these queues only keep the packets in its order.
  while (GetNInternalQueues() < device_->queues()) AddInternalQueue(endless_queue());
  return GetNInternalQueues() == device_->queues();
}

void TruemarkQueueDisc::broken(const std::string& what) const {
  throw std::runtime_error("port " + measures_->name() + " at " + std::to_string(now_ns()) + " ns: " + what);
}

// An Ipv4Header writes itself through two iterators over a buffer: twice a packet and port, that was 2 % of a run.
void TruemarkQueueDisc::write_ip_header(const ns3::Ipv4Header& header, uint8_t* const to) {
  if (header.GetSerializedSize() != kIpHeader) broken("an IPv4 header with options");
  const uint32_t flags = (header.IsDontFragment() ? 2u : 0u) | (header.IsLastFragment() ? 0u : 1u);
  const uint32_t source = header.GetSource().Get(), destination = header.GetDestination().Get();
  std::array<uint32_t, kIpHeader / 2> words{0x4500u | header.GetTos(),
                                            header.GetPayloadSize() + kIpHeader,
                                            header.GetIdentification(),
                                            flags << 13 | header.GetFragmentOffset() / 8u,
                                            uint32_t{header.GetTtl()} << 8 | header.GetProtocol(),
                                            0,
                                            source >> 16,
                                            source & 0xFFFF,
                                            destination >> 16,
                                            destination & 0xFFFF};
  uint32_t sum = std::accumulate(words.begin(), words.end(), 0u);  // RFC 1071
  sum = (sum & 0xFFFF) + (sum >> 16);
  words[5] = ~(sum + (sum >> 16)) & 0xFFFF;
  for (size_t word = 0; word < words.size(); ++word) {
    to[2 * word] = static_cast<uint8_t>(words[word] >> 8);
    to[2 * word + 1] = static_cast<uint8_t>(words[word]);
  }
  const bool fresh = !(checked_ >> header.GetEcn() & 1);
  checked_ |= 1u << header.GetEcn();
  if (fresh || ++headers_ % kHeadersAtOnce == 0) check_ip_header(header, to);
}

// As ns-3 would write it?
void TruemarkQueueDisc::check_ip_header(ns3::Ipv4Header header, const uint8_t* ours) const {
  ns3::Buffer buffer;
  buffer.AddAtStart(kIpHeader);
  header.EnableChecksum();
  header.Serialize(buffer.Begin());
  std::array<uint8_t, kIpHeader> theirs;
  buffer.CopyData(theirs.data(), kIpHeader);
  if (std::memcmp(theirs.data(), ours, kIpHeader) != 0) broken("the lab writes another IPv4 header than ns-3");
}

void TruemarkQueueDisc::serialize(const FrameItem& item) {
  if (item.GetSize() > frame_.size()) broken("a frame of " + std::to_string(item.GetSize()) + " bytes");
  write_ip_header(item.GetHeader(), frame_.data() + kEthernetHeader);
  // Applications send zeros, so that behind the TCP header there is nothing to copy.
  constexpr uint32_t start = kEthernetHeader + kIpHeader;
  const uint32_t end = start + item.GetPacket()->CopyData(frame_.data() + start, kTcpHeader);
  if (end < written_) std::fill(frame_.begin() + end, frame_.begin() + written_, uint8_t{0});
  written_ = end;
}

bool TruemarkQueueDisc::drop(ns3::Ptr<ns3::QueueDiscItem> item, const Verdict& verdict) {
  measures_->verdict(now_ns(), verdict);
  DropBeforeEnqueue(item, kOutcomeNames[verdict.outcome]);
  return false;
}

bool TruemarkQueueDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) {
  auto& frame = static_cast<FrameItem&>(*item);
  const uint32_t number = queue_of(frame);
  PoolQueue* pool = pool_.empty() ? nullptr : pool_[number];
  if (pool) {
    if (const auto refused = pool->refused(frame.GetSize())) return drop(item, frame.judged(*refused));
    if (pool->pauses()) frame.source = source_of(*frame.GetPacket());
  }
  serialize(frame);
  const uint64_t now = now_ns();
  const tm_event event = device_->offer(now, frame_.data(), frame.GetSize());
  const auto& queue = GetInternalQueue(number);
  if (event.port != number)
    broken("queue " + std::to_string(event.port) + " takes a packet of priority " + std::to_string(number));
  if (event.bytes != queue->GetNBytes())
    broken("the engine holds " + std::to_string(event.bytes) + " bytes, ns-3 " + std::to_string(queue->GetNBytes()));
  frame.verdict = {event.class_id, event.ece, event.ecn, event.outcome, event.length, identity_of(frame.GetHeader())};
  frame.verdict.queue = number;
  if (!is_stored(event.outcome)) return drop(item, frame.verdict);
  measures_->verdict(now, frame.verdict);
  if (pool) pool->store(frame.GetSize(), frame.source);
  return queue->Enqueue(item);
}

// A port of one queue takes all priorities there.
uint32_t TruemarkQueueDisc::queue_of(const FrameItem& item) const {
  if (device_->queues() == 1) return 0;
  const uint32_t priority = priority_of(item.GetHeader());
  if (priority >= device_->queues()) broken("a packet of priority " + std::to_string(priority) + " has no queue");
  return priority;
}

void TruemarkQueueDisc::pause(uint32_t priority, bool paused) {
  paused_ = paused ? paused_ | 1u << priority : paused_ & ~(1u << priority);
  device_->pause(paused_);
  if (!paused) Run();
}

uint32_t TruemarkQueueDisc::source_of(const ns3::Packet& packet) const {
  SourceTag tag;
  if (!packet.PeekPacketTag(tag)) broken("a packet of no link");
  return tag.source;
}

void TruemarkQueueDisc::check_head(const FrameItem& item, const uint8_t* frame, uint32_t length) {
  uint8_t expected[kIpHeader];
  write_ip_header(item.GetHeader(), expected);
  if (length != item.GetSize()) broken("a frame leaves with another length than it came");
  if (std::memcmp(expected, frame + kEthernetHeader, kIpHeader) != 0)
    broken("a frame leaves with another IPv4 header than its packet has");
  if (item.verdict.outcome == TM_MARK && (frame[kEcnByte] & 3) != 3) broken("a marked frame leaves without its mark");
}

void TruemarkQueueDisc::left(const FrameItem& item) {
  if (!pool_.empty()) pool_[queue_of(item)]->release(item.GetSize(), item.source);
}

// The engine had nothing to give.
void TruemarkQueueDisc::check_nothing_waits() const {
  for (uint32_t number = 0; number < device_->queues(); ++number)
    if (!(paused_ >> number & 1) && GetInternalQueue(number)->GetNPackets() > 0)
      broken("the engine gives nothing, and queue " + std::to_string(number) + " may send");
}

ns3::Ptr<ns3::QueueDiscItem> TruemarkQueueDisc::DoDequeue() {
  // Asked of an empty queue too: that is when CoDel learns that it has run out.
  const uint64_t now = now_ns();
  const uint8_t* data = nullptr;
  tm_departure departure{};
  const bool taken = device_->take(now, data, departure);
  if (!taken && !drops_at_head_) {
    check_nothing_waits();
    return nullptr;
  }
  if (paused_ >> departure.port & 1) broken("queue " + std::to_string(departure.port) + " sends, and is paused");
  const auto& queue = GetInternalQueue(departure.port);
  while (auto item = queue->Dequeue()) {
    auto& frame = static_cast<FrameItem&>(*item);
    left(frame);
    const bool same = taken && identity_of(data) == frame.verdict.identity;
    if (!same) {  // what CoDel dropped at the head
      if (!drops_at_head_) broken("the engine gives another frame than the next, and no law drops at the head");
      measures_->head_drop(now, frame.verdict);
      DropAfterDequeue(item, "head_drop");
      continue;
    }
    const bool marked = (data[kEcnByte] & 3) == 3 && frame.GetHeader().GetEcn() != ns3::Ipv4Header::ECN_CE;
    if (marked && apply_marks_ && !Mark(item, "mark")) broken("the engine marked a packet that is not ECN-capable");
    check_head(frame, data, departure.length);
    measures_->departure(now, frame.verdict, departure.sojourn_ns, marked);
    return item;
  }
  if (taken) broken("the engine gives a frame that ns-3 does not hold");
  return nullptr;
}

}  // namespace lab
