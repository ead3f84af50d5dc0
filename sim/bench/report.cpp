// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <algorithm>
#include <sstream>

#include "device.h"

namespace truemark::bench {
namespace {

std::string tagged(const std::string& key) {
  const size_t dot = key.find('.');
  const std::string metric = key.substr(0, dot);
  // Only builds with FLAGS_VERDICT have this one, so its keys need not say so.
  const std::string tag = metric == "latency_after_flags" ? std::to_string(build().data_bits) : build_tag();
  return metric + "." + tag + (dot == std::string::npos ? "" : key.substr(dot));
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

}  // namespace

std::string build_tag() {
  std::string tag = std::to_string(build().data_bits);
  if (build().full()) return tag;  // its keys name a policy that no other build has
  if (build().flags_verdict) tag += ".flags";
  if (build().ultra) tag += ".ultra";
  if (build().store_and_forward) tag += ".store_and_forward";
  return tag;
}

void Report::figure(const std::string& key, double value) { figures_[tagged(key)] = value; }

void Report::at_most(const std::string& key, double value) {
  const auto [at, fresh] = figures_.try_emplace(tagged(key), value);
  if (!fresh) at->second = std::max(at->second, value);
}

void Report::at_least(const std::string& key, double value) {
  const auto [at, fresh] = figures_.try_emplace(tagged(key), value);
  if (!fresh) at->second = std::min(at->second, value);
}

void Report::expect(bool fulfilled, const std::string& what) {
  if (!fulfilled) failure(build_tag() + ": " + what);
}

std::string Report::json() const {
  std::ostringstream out;
  out.precision(9);
  out << "{\"figures\": {";
  const char* comma = "";
  for (const auto& [key, value] : figures_) {
    out << comma << "\n  " << quoted(key) << ": " << value;
    comma = ",";
  }
  out << "\n}, \"failures\": [";
  comma = "";
  for (const std::string& what : failures_) {
    out << comma << "\n  " << quoted(what);
    comma = ",";
  }
  out << "\n]}\n";
  return out.str();
}

}  // namespace truemark::bench
