// SPDX-License-Identifier: BSD-3-Clause
#include "both_engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "../model/parse.h"
#include "../model/registers.h"
#include "describe.h"

namespace truemark {
namespace {

constexpr size_t kCallsPerState = 256;

std::string temporary_name(const void* owner, const char* which) {
  char name[96];
  std::snprintf(name, sizeof name, "truemark-%d-%p.%s", static_cast<int>(getpid()), owner, which);
  return (std::filesystem::temp_directory_path() / name).string();
}

}  // namespace

BothEngine::BothEngine(const tm_build& asked)
    : model_(kRtlBuild),
      rtl_(std::make_unique<RtlEngine>(asked)),
      older_(temporary_name(this, "older")),
      newer_(temporary_name(this, "newer")),
      rtl_buffer_(65536) {
  rtl_->pins().save(older_);
  rtl_->pins().save(newer_);
}

BothEngine::~BothEngine() { forget_states(); }

void BothEngine::forget_states() {
  std::error_code ignored;
  std::filesystem::remove(older_, ignored);
  std::filesystem::remove(newer_, ignored);
}

void BothEngine::begin(Call call) {
  if (!failed_.empty()) throw std::runtime_error(failed_);
  if (since_newer_.size() >= kCallsPerState) {
    std::swap(older_, newer_);
    since_older_ = std::move(since_newer_);
    since_newer_.clear();
    rtl_->pins().save(newer_);
  }
  since_newer_.push_back(std::move(call));
}

template <typename Body>
auto BothEngine::on_rtl(Body body) {
  try {
    return body();
  } catch (const std::exception& error) {
    differ(error.what());
  }
}

std::string BothEngine::doing() const {
  const Call& call = since_newer_.back();
  const std::string at = " at " + std::to_string(call.time) + " ns";
  switch (call.kind) {
    case Call::Kind::Read:
      return "read of register " + hex(call.a);
    case Call::Kind::Write:
      return "write of " + hex(call.b) + " to register " + hex(call.a);
    case Call::Kind::Offer:
      return "offer of " + describe(call.frame) + at;
    case Call::Kind::Take:
      return "take from port " + std::to_string(call.a) + at;
    default:
      return "advance to " + std::to_string(call.time) + " ns";
  }
}

std::optional<uint32_t> BothEngine::read(uint32_t address) {
  begin({Call::Kind::Read, 0, address, 0, {}, {}});
  const auto ours = model_.read(address);
  const auto theirs = on_rtl([&] { return rtl_->read(address); });
  if (ours != theirs) {
    const auto show = [](const std::optional<uint32_t>& value) { return value ? hex(*value) : "SLVERR"; };
    differ("model " + show(ours) + ", rtl " + show(theirs));
  }
  return ours;
}

bool BothEngine::write(uint32_t address, uint32_t value) {
  begin({Call::Kind::Write, 0, address, value, {}, {}});
  const bool ours = model_.write(address, value);
  const bool theirs = on_rtl([&] { return rtl_->write(address, value); });
  if (ours != theirs) differ(std::string("answered with an error by the ") + (ours ? "rtl" : "model") + " only");
  return ours;
}

void BothEngine::offer(uint64_t time, const tm_frame& frame) {
  packet_.assign(frame.data, frame.data + frame.length);
  begin({Call::Kind::Offer, time, 0, 0, frame, packet_});
  model_.offer(time, frame);
  on_rtl([&] { rtl_->offer(time, frame); });
  for (;;) {
    const auto ours = model_.next_event();
    const auto theirs = rtl_->next_event();
    if (!ours && !theirs) break;
    if (ours != theirs) {
      const auto show = [](const std::optional<tm_event>& event) { return event ? describe(*event) : "none"; };
      differ("verdict of the model: " + show(ours) + "\n  verdict of the rtl:   " + show(theirs));
    }
    events_.push_back(*ours);
  }
}

bool BothEngine::take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) {
  begin({Call::Kind::Take, time, port, 0, {}, {}});
  tm_departure theirs{};
  const bool ours_took = model_.take(port, time, buffer, departure);
  if (ours_took) packet_.assign(buffer.begin(), buffer.begin() + departure.length);
  const bool theirs_took = on_rtl([&] { return rtl_->take(port, time, rtl_buffer_, theirs); });
  if (ours_took != theirs_took) differ(std::string("only the ") + (ours_took ? "model" : "rtl") + " had a frame");
  if (!ours_took) return false;
  if (departure != theirs) {
    differ("model: " + describe(departure) + "\n  rtl:   " + describe(theirs));
  }
  const auto [at, other] = std::mismatch(packet_.begin(), packet_.end(), rtl_buffer_.begin());
  if (at != packet_.end()) {
    differ("byte " + std::to_string(at - packet_.begin()) + " of the frame: model " + hex(*at) + ", rtl " +
           hex(*other));
  }
  return true;
}

void BothEngine::advance(uint64_t time) {
  begin({Call::Kind::Advance, time, 0, 0, {}, {}});
  model_.advance(time);
  on_rtl([&] { rtl_->advance(time); });
}

std::optional<tm_event> BothEngine::next_event() {
  if (!failed_.empty()) throw std::runtime_error(failed_);
  if (events_.empty()) return std::nullopt;
  const tm_event event = events_.front();
  events_.pop_front();
  return event;
}

std::string BothEngine::state_of(Engine& engine) const {
  std::string text;
  try {
    for (uint32_t port = 0; port < kRtlBuild.ports; ++port) {
      engine.write(reg::kPage, port);
      const auto value = [&](uint32_t address) { return std::to_string(engine.read(address).value_or(0)); };
      text += "    port " + std::to_string(port) + ": holds " + value(reg::kOccupancyBytes) + " bytes in " +
              value(reg::kOccupancyPackets) + " frames, most " + value(reg::kWatermarkBytes) + " bytes, " +
              value(reg::kWatermarkPackets) + " frames\n";
    }
  } catch (const std::exception& error) {
    text += std::string("    not readable: ") + error.what() + "\n";
  }
  return text;
}

// Plays the calls since the older saved state again on a fresh RTL, this time with a waveform.
std::string BothEngine::replay_with_waves() {
  const char* folder = std::getenv("TRUEMARK_WAVES");
  const std::string path =
      (std::filesystem::path(folder ? folder : ".") / ("difference-" + std::to_string(getpid()) + ".vcd")).string();
  RtlEngine rtl(kRtlBuild);
  rtl.pins().restore(older_);
  rtl.pins().open_waves(path);
  since_older_.insert(since_older_.end(), since_newer_.begin(), since_newer_.end());
  try {
    for (Call& call : since_older_) {
      tm_departure departure{};
      call.frame.data = call.bytes.data();
      switch (call.kind) {
        case Call::Kind::Read:
          rtl.read(call.a);
          break;
        case Call::Kind::Write:
          rtl.write(call.a, call.b);
          break;
        case Call::Kind::Offer:
          rtl.offer(call.time, call.frame);
          break;
        case Call::Kind::Take:
          rtl.take(call.a, call.time, rtl_buffer_, departure);
          break;
        case Call::Kind::Advance:
          rtl.advance(call.time);
          break;
      }
    }
  } catch (const std::exception&) {
    // The failure that is being shown.
  }
  rtl.pins().close_waves();
  return path;
}

void BothEngine::differ(const std::string& what) {
  failed_ = "model and rtl differ at the " + doing() + "\n  " + what + "\n";
  if (!packet_.empty()) failed_ += "  packet: " + describe_packet(packet_) + "\n" + hex_dump(packet_);
  failed_ += "  model:\n" + state_of(model_) + "  rtl:\n" + state_of(*rtl_);
  try {
    failed_ += "  waveform of the last " + std::to_string(since_older_.size() + since_newer_.size()) +
               " calls: " + replay_with_waves() + "\n";
  } catch (const std::exception& error) {
    failed_ += std::string("  no waveform: ") + error.what() + "\n";
  }
  forget_states();
  throw std::runtime_error(failed_);
}

}  // namespace truemark
