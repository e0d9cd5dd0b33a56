// SPDX-License-Identifier: MIT
#include "limber/io/base/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace limber::io {

namespace {

constexpr int kLineWidth = 110;

/// Subtracts about the number of characters of the value on one line from `budget`; false when that is exceeded.
bool fitsOnLine(const OrderedJson& value, int& budget) {
  if (!value.is_structured()) budget -= value.is_number() ? 8 : static_cast<int>(compactJson(value).size());
  for (auto item = value.begin(); value.is_structured() && item != value.end() && budget >= 0; ++item) {
    budget -= 2 + (value.is_object() ? static_cast<int>(item.key().size()) + 4 : 0);
    fitsOnLine(*item, budget);
  }
  return budget >= 0;
}

/// True for ASCII text that JSON writes without escapes.
bool isPlainText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void appendText(const std::string& text, std::string& out) {
  if (isPlainText(text)) (out += '"').append(text) += '"';
  else out += OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Writes the same as dump() in half the time: replies of `limber serve` are long lists of names and numbers.
void appendCompact(const OrderedJson& value, std::string& out) {
  if (value.is_object()) {
    char separator = '{';
    for (const auto& [key, member] : value.get_ref<const OrderedJson::object_t&>()) {
      out += std::exchange(separator, ',');
      appendText(key, out);
      out += ':';
      appendCompact(member, out);
    }
    out += value.empty() ? "{}" : "}";
  } else if (value.is_array()) {
    char separator = '[';
    for (const OrderedJson& element : value.get_ref<const OrderedJson::array_t&>()) {
      out += std::exchange(separator, ',');
      appendCompact(element, out);
    }
    out += value.empty() ? "[]" : "]";
  } else if (value.is_string()) {
    appendText(value.get_ref<const std::string&>(), out);
  } else if (value.is_number_float() && std::isfinite(value.get<double>())) {
    std::array<char, 64> digits;
    out.append(digits.data(),
               nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value.get<double>()));
  } else {
    out += value.dump();
  }
}

bool isRow(const OrderedJson& value) {
  return value.is_array() && std::none_of(value.begin(), value.end(), [](const auto& v) { return !v.is_number(); });
}

/// `mayBreak`: the value may take several lines.
void append(const OrderedJson& value, std::size_t indent, bool mayBreak, std::string& out) {
  if (!value.is_structured()) {
    out += compactJson(value);
    return;
  }
  int budget = kLineWidth - static_cast<int>(indent);
  const bool breaks = mayBreak && !isRow(value) && !fitsOnLine(value, budget);
  const std::string separator = breaks ? "\n" + std::string(indent + 2, ' ') : " ";
  out += value.is_object() ? '{' : '[';
  if (breaks) out += separator;
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) out += ',' + separator;
    if (value.is_object()) out += compactJson(item.key()) + ": ";
    append(*item, indent + 2, breaks, out);
  }
  if (breaks) out.append("\n").append(indent, ' ');
  out += value.is_object() ? '}' : ']';
}

}  // namespace

OrderedJson toJson(double number) {
  if (!std::isfinite(number)) throw JsonFault{"", "a number is not finite and cannot be written"};
  return number;
}

OrderedJson toJson(const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  OrderedJson out = OrderedJson::array();
  for (const double number : numbers) out.push_back(toJson(number));
  return out;
}

OrderedJson toJson(const std::vector<double>& numbers) {
  return toJson(Eigen::VectorXd::Map(numbers.data(), std::ssize(numbers)));
}

OrderedJson rotationToJson(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond quaternion(rotation);
  Eigen::Vector4d xyzw = quaternion.coeffs();
  if (normalizeQuaternion(xyzw)) {
    const Eigen::Matrix3d back = Eigen::Quaterniond(xyzw).toRotationMatrix();
    if (std::memcmp(back.data(), rotation.data(), sizeof(double) * 9) == 0) return toJson(xyzw);
  }
  OrderedJson rows = OrderedJson::array();
  for (int i = 0; i < 3; ++i) rows.push_back(toJson(Eigen::Vector3d(rotation.row(i))));
  return rows;
}

std::string compactJson(const OrderedJson& value) {
  std::string out;
  if (value.is_structured()) out.reserve(4096);  // an answer of `limber serve` with the pose of a body
  appendCompact(value, out);
  return out;
}

std::string formatJson(const OrderedJson& value) {
  std::string out;
  append(value, 0, true, out);
  return out + "\n";
}

std::optional<Error> writeJsonFile(const std::filesystem::path& path, const std::string& what,
                                   const std::function<OrderedJson()>& make) {
  try {
    const std::string text = formatJson(make());
    if (text.size() > kMaxJsonBytes) return Error{path.string(), "", "the " + what + " is too large to be read again"};
    return writeFileAtomically(path, text);
  } catch (const JsonFault& fault) {
    return Error{path.string(), fault.place, fault.cause};
  }
}

}  // namespace limber::io
