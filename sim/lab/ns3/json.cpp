// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace lab {

class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  Json whole() {
    Json value = read("");
    skip();
    if (at_ != text_.size()) fail("nothing more");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& wanted) const {
    throw std::runtime_error("JSON, byte " + std::to_string(at_) + ": expected " + wanted);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char wanted) {
    skip();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void need(char wanted) {
    if (!take(wanted)) fail(std::string("'") + wanted + "'");
  }
  bool take_word(const char* word) {
    if (text_.compare(at_, std::string(word).size(), word) != 0) return false;
    at_ += std::string(word).size();
    return true;
  }

  std::string string() {
    need('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char letter = text_[at_++];
      if (letter == '\\' && at_ < text_.size()) {
        letter = text_[at_++];
        if (letter == 'n') letter = '\n';
        if (letter == 't') letter = '\t';
        if (letter == 'u') fail("no \\u: the runner's input is plain");
      }
      result += letter;
    }
    need('"');
    return result;
  }

  Json read(const std::string& path) {
    skip();
    Json value;
    value.path_ = path.empty() ? "(root)" : path;
    if (at_ >= text_.size()) fail("a value");
    const char start = text_[at_];
    if (start == '{') {
      value.kind_ = Json::Kind::kObject;
      ++at_;
      while (!take('}')) {
        if (!value.members_.empty()) need(',');
        skip();
        const std::string name = string();
        need(':');
        value.members_[name] = read(path.empty() ? name : path + "." + name);
      }
    } else if (start == '[') {
      value.kind_ = Json::Kind::kList;
      ++at_;
      while (!take(']')) {
        if (!value.items_.empty()) need(',');
        value.items_.push_back(read(path + "[" + std::to_string(value.items_.size()) + "]"));
      }
    } else if (start == '"') {
      value.kind_ = Json::Kind::kText;
      value.text_ = string();
    } else if (take_word("true") || take_word("false")) {
      value.kind_ = Json::Kind::kFlag;
      value.flag_ = text_[at_ - 2] == 'u';
    } else if (!take_word("null")) {
      value.kind_ = Json::Kind::kNumber;
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-' ||
                                    text_[at_] == '+' || text_[at_] == '.'))
        value.text_ += text_[at_++];
      char* end = nullptr;
      std::strtod(value.text_.c_str(), &end);
      if (value.text_.empty() || *end != '\0') fail("a value");
    }
    return value;
  }

  const std::string& text_;
  size_t at_ = 0;
};

Json Json::parse(const std::string& text) { return JsonReader(text).whole(); }

void Json::wrong(const char* wanted) const { throw std::runtime_error(path_ + ": " + wanted + " is wanted"); }

const Json& Json::operator[](const std::string& key) const {
  if (kind_ != Kind::kObject) wrong("an object");
  const auto found = members_.find(key);
  if (found == members_.end()) throw std::runtime_error(path_ + ": '" + key + "' is missing");
  return found->second;
}

const std::vector<Json>& Json::items() const {
  if (kind_ != Kind::kList) wrong("a list");
  return items_;
}

double Json::number() const {
  if (kind_ != Kind::kNumber) wrong("a number");
  return std::strtod(text_.c_str(), nullptr);
}

uint64_t Json::natural() const {
  if (kind_ != Kind::kNumber || text_.find_first_not_of("0123456789") != std::string::npos)
    wrong("an integer of 0 or more");
  return std::strtoull(text_.c_str(), nullptr, 10);
}

bool Json::flag() const {
  if (kind_ != Kind::kFlag) wrong("true or false");
  return flag_;
}

const std::string& Json::text() const {
  if (kind_ != Kind::kText) wrong("a text");
  return text_;
}

void JsonWriter::separate() {
  if (!first_) out_ << ",";
  first_ = false;
}

JsonWriter& JsonWriter::key(const std::string& name) {
  value(name);
  out_ << ":";
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ << bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ << bracket;
  if (bracket == '}') out_ << "\n";
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(const std::string& text) {
  separate();
  out_ << '"';
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out_ << '\\';
    out_ << (letter == '\n' ? ' ' : letter);
  }
  out_ << '"';
  return *this;
}

JsonWriter& JsonWriter::value(uint64_t number) {
  separate();
  out_ << number;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  out_ << (std::isfinite(number) ? text : "null");
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  out_ << (flag ? "true" : "false");
  return *this;
}

}  // namespace lab
