// SPDX-License-Identifier: GPL-2.0-only
// JSON as the runner needs it: nlohmann's reader with errors that name the place, and a writer that keeps nothing, as
// a run has more samples than one wants in memory twice.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace lab {

// A value of the runner's input and the path to it from the root. A view: the text's tree outlives it.
class Json {
 public:
  // Keeps the tree that `text` holds; throws with the line and column of the first error.
  static Json parse(const std::string& text);

  // Each of these throws if the value is something else or absent; the message names the path.
  Json operator[](const std::string& key) const;
  bool has(const std::string& key) const;
  std::vector<Json> items() const;
  double number() const;
  uint64_t natural() const;
  bool flag() const;
  const std::string& text() const;

 private:
  Json(std::shared_ptr<const nlohmann::json> value, std::string path)
      : value_(std::move(value)), path_(std::move(path)) {}
  void require(bool right, const char* wanted) const;

  std::shared_ptr<const nlohmann::json> value_;  // shares the ownership of the whole tree
  std::string path_;
};

// Writes values in order; commas and quotes are its affair.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}
  JsonWriter& key(const std::string& name);
  JsonWriter& open(char bracket);   // '{' or '['
  JsonWriter& close(char bracket);  // '}' or ']'
  JsonWriter& value(const std::string& text);
  JsonWriter& value(const char* text) { return value(std::string(text)); }
  JsonWriter& value(uint64_t number);
  JsonWriter& value(double number);
  JsonWriter& value(bool flag);
  template <typename Value>
  JsonWriter& pair(const std::string& name, Value&& content) {
    return key(name).value(std::forward<Value>(content));
  }

 private:
  void separate();
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace lab
