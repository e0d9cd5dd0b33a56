// SPDX-License-Identifier: MIT
// Checked access to JSON. Faults name the place by its JSON path ("links[3].joint.limits") or by line and column.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/io/base/file.h"
#include "limber/io/base/result.h"

namespace limber::io {

using Json = nlohmann::json;  // members are sorted, so that finding one in a large object is fast

inline constexpr std::uintmax_t kMaxJsonBytes = 128u << 20;  ///< in memory a value takes at most 8 times as much
inline constexpr int kMaxJsonDepth = 64;                     ///< Limber's own formats need 8

using JsonFault = Fault;  ///< its place is a JSON path or "line 3, column 7"

/// "goals[2]" and "target" are "goals[2].target".
std::string joinPaths(const std::string& path, const std::string& rest);

/// True for text that begins as an object or array of JSON.
bool looksLikeJson(std::string_view text);

/// Parses strict JSON. Refuses nesting beyond kMaxJsonDepth, a key that occurs twice in one object, NaN, Infinity
/// and numbers beyond the range of double. Throws JsonFault.
Json parseJson(std::string_view text);

/// A value within a document of JSON; every accessor throws a JsonFault that names its path. The document must outlive
/// it.
class JsonValue {
 public:
  explicit JsonValue(const Json& document) : value_(&document), document_(&document) {}

  /// The path from the root: "goals[2].target". Computed by a search of the document, for faults only.
  std::string path() const;
  const Json& json() const { return *value_; }
  bool isNull() const { return value_->is_null(); }
  bool isNumber() const { return value_->is_number(); }
  bool isText() const { return value_->is_string(); }
  bool isObject() const { return value_->is_object(); }
  bool isArray() const { return value_->is_array(); }
  bool isBoolean() const { return value_->is_boolean(); }

  /// A required member, and an optional one.
  JsonValue at(std::string_view key) const;
  std::optional<JsonValue> find(std::string_view key) const;
  /// Throws on members that are not among `keys` and `more`, which separate keys by blanks: a misspelt key must not be
  /// taken for a default.
  void allowOnly(std::string_view keys, std::string_view more = {}) const;
  /// The members of an object, sorted by key, and the elements of an array.
  std::vector<std::pair<const std::string&, JsonValue>> members() const;
  std::vector<JsonValue> elements() const;
  std::size_t size() const { return value_->size(); }

  double number() const;
  double numberIn(double lower, double upper) const;
  int integerIn(int lower, int upper) const;
  bool boolean() const;
  const std::string& text() const;
  const std::string& name() const;  ///< non-empty text
  std::vector<double> numbers() const;
  std::vector<double> numbers(std::size_t count) const;
  Eigen::Vector3d vector3() const;
  /// (x, y, z, w). Its length must be within 1e-3 of 1 and is normalised; lengths within rounding are kept bit for bit.
  Eigen::Vector4d quaternion() const;
  /// A rotation as a quaternion or as the three rows of a matrix.
  Eigen::Matrix3d rotation() const;

  [[noreturn]] void fail(const std::string& cause) const { throw JsonFault{path(), cause}; }

 private:
  JsonValue(const Json& value, const Json& document) : value_(&value), document_(&document) {}
  std::string pathOf(std::string_view key) const;
  const Json* value_;
  const Json* document_;
};

/// The result of `read`, a function of the text's JsonValue that returns T or Result<T>. A JsonFault becomes an Error
/// that names `file`.
template <typename T, typename Read>
Result<T> readJsonText(std::string_view text, const std::string& file, const Read& read) {
  return faultsAsErrors<T>(file, [&]() -> Result<T> {
    const Json json = parseJson(text);
    return read(JsonValue(json));
  });
}

/// The same for a file of at most `maxBytes`.
template <typename T, typename Read>
Result<T> readJsonFile(const std::filesystem::path& path, const Read& read, std::uintmax_t maxBytes = kMaxJsonBytes) {
  const Result<std::string> text = readFile(path, maxBytes);
  if (!text) return text.error();
  return readJsonText<T>(*text, path.string(), read);
}

/// Normalises (x, y, z, w); false when its length differs from 1 by more than 1e-3.
bool normalizeQuaternion(Eigen::Ref<Eigen::Vector4d> xyzw);

/// `text` without control characters, shortened for a message.
std::string printable(std::string_view text);
std::string inQuotes(std::string_view text);  ///< the same in quotation marks

// Writing JSON: members keep their order, numbers are the shortest decimals that read back the same.

using OrderedJson = nlohmann::ordered_json;

/// Throws JsonFault for a number that is not finite.
OrderedJson toJson(double number);
OrderedJson toJson(const Eigen::Ref<const Eigen::VectorXd>& numbers);
OrderedJson toJson(const std::vector<double>& numbers);
/// The quaternion (x, y, z, w) when it gives the same matrix to the last bit, else the three rows.
OrderedJson rotationToJson(const Eigen::Matrix3d& rotation);
/// Text on one line. Invalid UTF-8 in strings becomes U+FFFD, here and in everything that Limber writes.
std::string compactJson(const OrderedJson& value);
/// Text with an indentation of two spaces; short values and rows of numbers stay on one line. Ends in a newline.
std::string formatJson(const OrderedJson& value);
/// Writes what `make` returns atomically: an existing file is kept on failure. A JsonFault becomes an Error that names
/// the file, and so does a text that is too large to be read again; `what` is the word for it ("scene").
std::optional<Error> writeJsonFile(const std::filesystem::path& path, const std::string& what,
                                   const std::function<OrderedJson()>& make);

}  // namespace limber::io
