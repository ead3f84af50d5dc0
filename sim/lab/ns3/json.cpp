// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lab {

Json Json::parse(const std::string& text) {
  return {std::make_shared<const nlohmann::json>(nlohmann::json::parse(text)), ""};
}

void Json::require(bool right, const char* wanted) const {
  if (!right) throw std::runtime_error((path_.empty() ? "(root)" : path_) + ": " + wanted + " is wanted");
}

Json Json::operator[](const std::string& key) const {
  require(value_->is_object(), "an object");
  const auto found = value_->find(key);
  if (found == value_->end())
    throw std::runtime_error((path_.empty() ? "(root)" : path_) + ": '" + key + "' is missing");
  return {std::shared_ptr<const nlohmann::json>(value_, &*found), path_.empty() ? key : path_ + "." + key};
}

bool Json::has(const std::string& key) const { return value_->is_object() && value_->contains(key); }

std::vector<Json> Json::items() const {
  require(value_->is_array(), "a list");
  std::vector<Json> found;
  for (const nlohmann::json& item : *value_)
    found.push_back(
        {std::shared_ptr<const nlohmann::json>(value_, &item), path_ + "[" + std::to_string(found.size()) + "]"});
  return found;
}

double Json::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

uint64_t Json::natural() const {
  require(value_->is_number_unsigned(), "an integer of 0 or more");
  return value_->get<uint64_t>();
}

bool Json::flag() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

const std::string& Json::text() const {
  require(value_->is_string(), "a text");
  return value_->get_ref<const std::string&>();
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
  out_ << nlohmann::json(text).dump();
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
