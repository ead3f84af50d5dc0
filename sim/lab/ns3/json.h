// SPDX-License-Identifier: GPL-2.0-only
// JSON as the runner needs it: read a tree whose errors name the place, write one without building it.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace lab {

class Json {
 public:
  // Throws std::runtime_error with the place of the first error.
  static Json parse(const std::string& text);

  // Each of these throws if the value is something else or absent; the message names the path from the root.
  const Json& operator[](const std::string& key) const;
  const std::vector<Json>& items() const;
  double number() const;
  uint64_t natural() const;
  bool flag() const;
  const std::string& text() const;

 private:
  friend class JsonReader;
  enum class Kind { kNull, kFlag, kNumber, kText, kList, kObject };
  [[noreturn]] void wrong(const char* wanted) const;

  Kind kind_ = Kind::kNull;
  std::string path_;
  std::string text_;  // of a number too, so that 64-bit integers stay exact
  bool flag_ = false;
  std::vector<Json> items_;
  std::map<std::string, Json> members_;
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
