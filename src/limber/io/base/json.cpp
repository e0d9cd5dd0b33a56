// SPDX-License-Identifier: MIT
#include "limber/io/base/json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr std::size_t kMaxQuotedLength = 160;
constexpr double kQuaternionTolerance = 1e-3;  // rounding of numbers typed with four digits
constexpr double kQuaternionRounding = 1e-12;  // smaller deviations from unit length are not corrected

/// An iterator over the text that records its position for the builder, to which the parser does not pass it.
class WatchedCharacter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedCharacter(const char* at, const char** reached) : at_(at), reached_(reached) {}
  const char& operator*() const { return *at_; }
  WatchedCharacter& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  WatchedCharacter operator++(int) {
    const WatchedCharacter old = *this;
    ++*this;
    return old;
  }
  bool operator==(const WatchedCharacter& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedCharacter& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

std::string lineAndColumn(std::string_view text, std::size_t length) {
  const std::string_view before = text.substr(0, length);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() : before.size() - start - 1;
  return std::string("line ") + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

/// The parser's message without its prefix "[json.exception.parse_error.101] parse error at line 1, column 2: ".
std::string causeOf(std::string_view what) {
  const std::size_t column = what.find("column ");
  const std::size_t colon = what.find(": ", column == std::string_view::npos ? 0 : column);
  if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
  return printable(what);
}

/// Builds the value, and refuses deep nesting and repeated keys. The library's own parser with a callback takes
/// quadratic time, because it goes through all elements of an array after each object in it.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const char** reached) : text_(text), reached_(reached) {}

  Json& value() { return root_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    const auto [member, isNew] = open_.back()->get_ref<Json::object_t&>().emplace(key, nullptr);
    if (!isNew) refuse(std::string("the key ") + inQuotes(key) + " occurs twice");
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    if (const auto* syntax = dynamic_cast<const Json::parse_error*>(&error))
      throw JsonFault{lineAndColumn(text_, std::min(syntax->byte, text_.size())), causeOf(error.what())};
    refuse("a number is too large");  // out_of_range, the only other exception of the parser
  }

 private:
  Json& place(Json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& container = *open_.back();
    if (container.is_object()) return *member_ = std::move(value);
    return container.emplace_back(std::move(value));
  }

  bool put(Json&& value) {
    place(std::move(value));
    return true;
  }

  bool open(Json&& container) {
    if (open_.size() >= kMaxJsonDepth)
      refuse(std::string("values are nested deeper than ") + std::to_string(kMaxJsonDepth));
    open_.push_back(&place(std::move(container)));  // an array grows only while none of its elements is open
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  [[noreturn]] void refuse(const std::string& cause) const {
    throw JsonFault{lineAndColumn(text_, *reached_ - text_.data()), cause};
  }

  std::string_view text_;
  const char** reached_;
  Json root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;  ///< of the last key
};

std::string_view typeName(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "an array";
    case Json::value_t::string: return "text";
    case Json::value_t::boolean: return "true or false";
    default: return "a number";
  }
}

std::string wanted(std::string_view what, const Json& value) {
  return std::string("must be ") + std::string(what) + ", not " + std::string(typeName(value));
}

/// A bound as text: 1, not 1.0.
std::string plain(double number) {
  const bool isWhole = std::abs(number) < 1e15 && number == std::floor(number);
  return isWhole ? Json(static_cast<std::int64_t>(number)).dump() : Json(number).dump();
}

std::string keyPath(std::string_view key) {
  const bool isSimple =
      !key.empty() && std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return isSimple ? std::string(key) : "[\"" + printable(key) + "\"]";
}

/// Finds the path from `value` down to `sought`, which is identified by its address; false if `sought` is not within.
bool findPath(const Json& value, const Json& sought, std::string& path) {
  if (&value == &sought) return true;
  if (!value.is_structured()) return false;
  std::size_t i = 0;
  for (auto item = value.begin(); item != value.end(); ++item, ++i) {
    if (!findPath(*item, sought, path)) continue;
    path = joinPaths(value.is_object() ? keyPath(item.key()) : "[" + std::to_string(i) + "]", path);
    return true;
  }
  return false;
}

}  // namespace

std::string joinPaths(const std::string& path, const std::string& rest) {
  const bool isMember = !path.empty() && !rest.empty() && rest.front() != '[';
  return isMember ? path + "." + rest : path + rest;
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kMaxQuotedLength)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  // The text may not be UTF-8, or may be cut within a character; the library replaces invalid bytes.
  out = Json(out).dump(-1, ' ', false, Json::error_handler_t::replace);
  out = Json::parse(out).get<std::string>();
  return text.size() > kMaxQuotedLength ? out + "..." : out;
}

std::string inQuotes(std::string_view text) { return std::string("\"") + printable(text) + "\""; }

bool looksLikeJson(std::string_view text) {
  text = withoutMark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

Json parseJson(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw JsonFault{"", "the file is empty"};
  const char* reached = text.data();
  const char* end = text.data() + text.size();
  Builder builder(text, &reached);
  Json::sax_parse(WatchedCharacter(text.data(), &reached), WatchedCharacter(end, &reached), &builder);
  return std::move(builder.value());
}

std::string JsonValue::path() const {
  std::string path;
  findPath(*document_, *value_, path);
  return path;
}

std::string JsonValue::pathOf(std::string_view key) const { return joinPaths(path(), keyPath(key)); }

JsonValue JsonValue::at(std::string_view key) const {
  if (std::optional<JsonValue> member = find(key)) return *member;
  throw JsonFault{pathOf(key), "is missing"};
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  if (!value_->is_object()) fail(wanted("an object", *value_));
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonValue(*found, *document_);
}

void JsonValue::allowOnly(std::string_view keys, std::string_view more) const {
  if (!value_->is_object()) fail(wanted("an object", *value_));
  for (const auto& [key, member] : value_->get_ref<const Json::object_t&>())
    if (!isAmong(key, keys) && !isAmong(key, more)) throw JsonFault{pathOf(key), "is not a known key"};
}

std::vector<std::pair<const std::string&, JsonValue>> JsonValue::members() const {
  if (!value_->is_object()) fail(wanted("an object", *value_));
  std::vector<std::pair<const std::string&, JsonValue>> out;
  for (const auto& [key, member] : value_->get_ref<const Json::object_t&>())
    out.emplace_back(key, JsonValue(member, *document_));
  return out;
}

std::vector<JsonValue> JsonValue::elements() const {
  if (!value_->is_array()) fail(wanted("an array", *value_));
  std::vector<JsonValue> out;
  out.reserve(value_->size());
  for (const Json& element : *value_) out.push_back(JsonValue(element, *document_));
  return out;
}

double JsonValue::number() const {
  if (!value_->is_number()) fail(wanted("a number", *value_));
  return value_->get<double>();
}

double JsonValue::numberIn(double lower, double upper) const {
  const double value = number();
  if (value < lower || value > upper)
    fail(std::string("is ") + value_->dump() + ", outside [" + plain(lower) + ", " + plain(upper) + "]");
  return value;
}

int JsonValue::integerIn(int lower, int upper) const {
  const double value = number();
  if (value != std::floor(value)) fail("must be a whole number");
  return static_cast<int>(numberIn(lower, upper));
}

bool JsonValue::boolean() const {
  if (!value_->is_boolean()) fail(wanted("true or false", *value_));
  return value_->get<bool>();
}

const std::string& JsonValue::text() const {
  if (!value_->is_string()) fail(wanted("text", *value_));
  return value_->get_ref<const std::string&>();
}

const std::string& JsonValue::name() const {
  if (text().empty()) fail("must not be empty");
  return text();
}

std::vector<double> JsonValue::numbers() const {
  if (!value_->is_array()) fail(wanted("an array of numbers", *value_));
  std::vector<double> out;
  out.reserve(value_->size());
  for (const Json& element : *value_) {
    if (!element.is_number()) JsonValue(element, *document_).fail(wanted("a number", element));
    out.push_back(element.get<double>());
  }
  return out;
}

std::vector<double> JsonValue::numbers(std::size_t count) const {
  if (value_->is_array() && value_->size() != count)
    fail(std::string("must hold ") + std::to_string(count) + " numbers, not " + std::to_string(value_->size()));
  return numbers();
}

Eigen::Vector3d JsonValue::vector3() const { return Eigen::Vector3d(numbers(3).data()); }

Eigen::Vector4d JsonValue::quaternion() const {
  Eigen::Vector4d xyzw(numbers(4).data());
  if (!normalizeQuaternion(xyzw)) fail("is not a quaternion (x, y, z, w) of unit length");
  return xyzw;
}

Eigen::Matrix3d JsonValue::rotation() const {
  if (value_->is_array() && !value_->empty() && value_->front().is_array()) {
    const std::vector<JsonValue> rows = elements();
    if (rows.size() != 3) fail("must hold three rows");
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) matrix.row(i) = rows[i].vector3();
    const Eigen::Matrix3d product = matrix.transpose() * matrix;
    if (!((product - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6) || !(matrix.determinant() > 0.0))
      fail("is not a rotation");
    return matrix;
  }
  return Eigen::Quaterniond(quaternion()).toRotationMatrix();
}

bool normalizeQuaternion(Eigen::Ref<Eigen::Vector4d> xyzw) {
  const double length = xyzw.norm();
  if (!(std::abs(length - 1.0) <= kQuaternionTolerance)) return false;
  if (std::abs(length - 1.0) > kQuaternionRounding) xyzw /= length;
  return true;
}

}  // namespace limber::io
