// SPDX-License-Identifier: GPL-2.0-only
#include "measures.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace lab {
namespace {

constexpr unsigned kOccupancyBins = 120;  // up to the limit; the last bin takes what is beyond
constexpr unsigned kFine = 7;             // 2^7 bins per doubling

unsigned bin_of(uint64_t value) {
  if (value < (1u << kFine)) return static_cast<unsigned>(value);
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kFine;
  return (shift << kFine) + static_cast<unsigned>(value >> shift);
}

double top_of(unsigned bin) {
  if (bin < (2u << kFine)) return bin;
  const unsigned shift = (bin >> kFine) - 1;
  return std::ldexp(static_cast<double>((bin & ((1u << kFine) - 1)) + (1u << kFine) + 1), static_cast<int>(shift)) - 1;
}

}  // namespace

void Histogram::add(uint64_t value) {
  const unsigned bin = bin_of(value);
  if (bin >= bins_.size()) bins_.resize(bin + 1);
  ++bins_[bin];
  ++count_;
  sum_ += static_cast<double>(value);
  maximum_ = std::max(maximum_, value);
}

void Histogram::add(const Histogram& other) {
  if (other.bins_.size() > bins_.size()) bins_.resize(other.bins_.size());
  for (size_t bin = 0; bin < other.bins_.size(); ++bin) bins_[bin] += other.bins_[bin];
  count_ += other.count_;
  sum_ += other.sum_;
  maximum_ = std::max(maximum_, other.maximum_);
}

double Histogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  uint64_t below = 0;
  for (size_t bin = 0; bin < bins_.size(); ++bin) {
    below += bins_[bin];
    if (bins_[bin] && static_cast<double>(below) >= wanted)
      return std::min(top_of(static_cast<unsigned>(bin)), static_cast<double>(maximum_));
  }
  return static_cast<double>(maximum_);
}

void Histogram::write(JsonWriter& out, const std::string& name) const {
  out.key(name).open('{').pair("count", count_).pair("mean", mean()).pair("p50", quantile(0.5));
  out.pair("p90", quantile(0.9)).pair("p99", quantile(0.99)).pair("p999", quantile(0.999));
  out.pair("max", maximum_).close('}');
}

DecisionLog::DecisionLog(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_ = std::fopen(path.c_str(), "w");
  if (!file_) throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

DecisionLog::~DecisionLog() {
  if (file_) std::fclose(file_);
}

void DecisionLog::close() {
  if (!file_) return;
  const bool failed = std::ferror(file_) != 0;
  const bool unflushed = std::fclose(file_) != 0;
  file_ = nullptr;
  if (failed || unflushed) throw std::runtime_error(path_ + ": cannot be written whole; is the disk full?");
}

void DecisionLog::add(uint64_t now, uint32_t port, char kind, uint64_t identity) {
  ++count_;
  for (const uint64_t word : {now, uint64_t{port} << 8 | static_cast<uint8_t>(kind), identity}) {
    digest_ = (digest_ ^ word) * 0x9E3779B97F4A7C15u;
    digest_ ^= digest_ >> 29;
  }
  if (file_) std::fprintf(file_, "%" PRIu64 " %u %c %016" PRIx64 "\n", now, port, kind, identity);
}

std::string DecisionLog::digest() const {
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, digest_);
  return text;
}

PortMeasures::PortMeasures(std::string name, std::string engine, uint64_t rate, uint64_t occupancy_top, uint32_t index,
                           uint32_t queues, DecisionLog* log)
    : name_(std::move(name)),
      engine_(std::move(engine)),
      rate_(rate),
      bin_bytes_(occupancy_top / kOccupancyBins + 1),
      index_(index),
      log_(log),
      queues_(queues > 1 ? queues : 0),
      occupancy_(kOccupancyBins + 1) {}

void PortMeasures::occupy(uint64_t now, uint32_t class_id, int64_t bytes) {
  const uint64_t span = counting_ ? now - since_ : 0;
  occupancy_[std::min<uint64_t>(held_ / bin_bytes_, kOccupancyBins)] += span;
  integral_ += static_cast<double>(held_) * static_cast<double>(span);
  elapsed_ += span;
  since_ = now;
  held_ += static_cast<uint64_t>(bytes);
  if (counting_) most_ = std::max(most_, held_);
  held_by_class_[class_id] += static_cast<uint32_t>(bytes);
}

void PortMeasures::verdict(uint64_t now, const Verdict& verdict) {
  ++arrived_;
  verdicts_[verdict.class_id][verdict.ece][verdict.outcome].add(verdict.length);
  if (verdict.ecn != 0 && is_control(verdict.class_id)) ++ect_control_;
  const bool stored = is_stored(verdict.outcome);
  if (stored)
    occupy(now, verdict.class_id, verdict.length);
  else
    ++dropped_;
  log_->add(now, index_, !stored ? 'd' : verdict.outcome == TM_MARK ? 'm' : 's', verdict.identity);
}

void PortMeasures::departure(uint64_t now, const Verdict& stored, uint64_t wait_ns, bool marked) {
  if (counting_) {
    wait_.add(wait_ns), departed_.add(stored.length);
    if (!queues_.empty()) queues_[stored.queue].wait.add(wait_ns), queues_[stored.queue].departed.add(stored.length);
  }
  if (marked && stored.outcome != TM_MARK) head_marks_[stored.class_id].add(stored.length);
  occupy(now, stored.class_id, -static_cast<int64_t>(stored.length));
  log_->add(now, index_, marked ? 'C' : 'o', stored.identity);
}

void PortMeasures::head_drop(uint64_t now, const Verdict& stored) {
  head_drops_[stored.class_id].add(stored.length);
  ++dropped_;
  occupy(now, stored.class_id, -static_cast<int64_t>(stored.length));
  log_->add(now, index_, 'h', stored.identity);
}

void PortMeasures::sample() { series_.push_back(held_by_class_); }

void PortMeasures::open_window(uint64_t now) {
  occupy(now, 0, 0);
  counting_ = true;
  std::fill(occupancy_.begin(), occupancy_.end(), 0);
  integral_ = 0;
  elapsed_ = 0;
  most_ = held_;
  wait_ = Histogram();
  departed_ = Count();
  std::fill(queues_.begin(), queues_.end(), Queue());
}

void PortMeasures::close_window(uint64_t now) {
  occupy(now, 0, 0);
  counting_ = false;
}

void PortMeasures::write(JsonWriter& out) const {
  out.open('{').pair("name", name_).pair("engine", engine_).pair("rate_bit_s", rate_);
  out.pair("arrived", arrived_).pair("dropped", dropped_).pair("departed", departed_.packets);
  out.pair("departed_bytes", departed_.bytes).pair("mean_bytes", mean_bytes()).pair("max_bytes", most_);
  wait_.write(out, "wait_ns");
  if (!queues_.empty()) out.key("queues").open('[');
  for (const Queue& queue : queues_) {
    out.open('{').pair("departed", queue.departed.packets).pair("departed_bytes", queue.departed.bytes);
    queue.wait.write(out, "wait_ns");
    out.close('}');
  }
  if (!queues_.empty()) out.close(']');
  out.pair("occupancy_bin_bytes", bin_bytes_).key("occupancy_ns").open('[');
  const auto last = std::find_if(occupancy_.rbegin(), occupancy_.rend(), [](uint64_t span) { return span != 0; });
  for (auto bin = occupancy_.begin(); bin != last.base(); ++bin) out.value(*bin);
  out.close(']').close('}');
}

void PortMeasures::write_series(JsonWriter& out) const {
  out.open('{').pair("name", name_);
  for (unsigned kind = 0; kind < kClasses; ++kind) {
    const bool seen = std::any_of(series_.begin(), series_.end(), [&](const auto& held) { return held[kind] != 0; });
    if (!seen) continue;
    out.key(kClassNames[kind]).open('[');
    for (const auto& held : series_) out.value(uint64_t{held[kind]});
    out.close(']');
  }
  out.close('}');
}

}  // namespace lab
