// SPDX-License-Identifier: MIT
#include "limber/problem/decimal.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <type_traits>

namespace limber {

namespace portable {

namespace {

bool isDecimalDigit(char c) { return c >= '0' && c <= '9'; }

/// Skips digits; returns how many there were.
int skipDigits(const char*& at, const char* last) {
  const char* start = at;
  while (at != last && isDecimalDigit(*at)) ++at;
  return static_cast<int>(at - start);
}

bool skipWord(const char*& at, const char* last, std::string_view word) {
  const auto isSame = [](char a, char b) { return (a | 0x20) == b; };
  if (static_cast<std::size_t>(last - at) < word.size() ||
      !std::equal(word.begin(), word.end(), at, [&](char b, char a) { return isSame(a, b); }))
    return false;
  at += word.size();
  return true;
}

/// The end of the number at the start of the text; `first` if there is none.
const char* endOfNumber(const char* first, const char* last) {
  const char* at = first;
  if (at != last && *at == '-') ++at;
  if (skipWord(at, last, "infinity") || skipWord(at, last, "inf") || skipWord(at, last, "nan")) return at;
  int digits = skipDigits(at, last);
  if (at != last && *at == '.') {
    const char* point = at++;
    const int after = skipDigits(at, last);
    if (digits + after == 0) at = point;
    digits += after;
  }
  if (digits == 0) return first;
  if (at != last && (*at | 0x20) == 'e') {
    const char* exponent = at + 1;
    if (exponent != last && (*exponent == '-' || *exponent == '+')) ++exponent;
    if (skipDigits(exponent, last) > 0) at = exponent;
  }
  return at;
}

/// The character that the locale of the C library writes and reads between whole and fraction.
char localPoint() {
  char text[8];
  std::snprintf(text, sizeof text, "%.1f", 0.5);
  return text[1];
}

template <typename Number>
Number parsed(const char* text) {
  if constexpr (std::is_same_v<Number, float>) return std::strtof(text, nullptr);
  else return std::strtod(text, nullptr);
}

/// d1.d2d3... x 10^exponent.
struct Digits {
  bool isNegative = false;
  std::string digits;
  int exponent = 0;
};

/// The fewest digits of which the nearest decimal reads back as the value. At powers of two another decimal may have
/// one digit less; both read back.
template <typename Number>
Digits digitsOf(Number value) {
  char text[40];
  for (int precision = 0; precision < std::numeric_limits<Number>::max_digits10; ++precision) {
    std::snprintf(text, sizeof text, "%.*e", precision, static_cast<double>(value));
    if (parsed<Number>(text) == value) break;
  }
  Digits found{std::signbit(value), {}, 0};
  const char* at = text;
  for (; *at != 'e'; ++at)
    if (isDecimalDigit(*at)) found.digits += *at;
  found.exponent = std::atoi(at + 1);
  return found;
}

std::string scientific(const Digits& number) {
  std::string text = number.isNegative ? "-" : "";
  text += number.digits.front();
  if (number.digits.size() > 1) text.append(1, '.').append(number.digits, 1);
  const int size = std::abs(number.exponent);
  text += number.exponent < 0 ? "e-" : "e+";
  if (size < 10) text += '0';
  return text + std::to_string(size);
}

std::string fixed(const Digits& number, double value) {
  const int count = static_cast<int>(number.digits.size()), exponent = number.exponent;
  const std::string sign = number.isNegative ? "-" : "";
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + number.digits;
  if (exponent < count - 1)
    return sign + number.digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." +
           number.digits.substr(static_cast<std::size_t>(exponent) + 1);
  char text[400];  // a whole number, exactly: the largest has 309 digits
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

std::string unusual(double value) {
  return std::string(std::signbit(value) ? "-" : "") + (std::isnan(value) ? "nan" : "inf");
}

/// As std::to_chars: the shorter of both forms, and fixed if they have the same length.
template <typename Number>
void appendShortest(Number value, std::string& text) {
  if (!std::isfinite(value)) {
    text += unusual(static_cast<double>(value));
    return;
  }
  const Digits digits = digitsOf(value);
  const std::string a = fixed(digits, static_cast<double>(value)), b = scientific(digits);
  text += a.size() <= b.size() ? a : b;
}

}  // namespace

std::from_chars_result readDecimal(const char* first, const char* last, double& value) {
  const char* end = endOfNumber(first, last);
  if (end == first) return {first, std::errc::invalid_argument};
  std::string copy(first, end);
  std::replace(copy.begin(), copy.end(), '.', localPoint());
  const double read = std::strtod(copy.c_str(), nullptr);
  const bool isWord = copy.find_first_of("nN") != std::string::npos;
  const std::size_t mantissa = std::min(copy.find_first_of("eE"), copy.size());
  const bool isZero = copy.substr(0, mantissa).find_first_of("123456789") == std::string::npos;
  if (!isWord && (std::isinf(read) || (read == 0.0 && !isZero))) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

void appendDecimal(double value, std::string& text) { appendShortest(value, text); }
void appendDecimal(float value, std::string& text) { appendShortest(value, text); }

void appendDecimal(double value, std::chars_format format, std::string& text) {
  if (!std::isfinite(value)) text += unusual(value);
  else text += format == std::chars_format::fixed ? fixed(digitsOf(value), value) : scientific(digitsOf(value));
}

}  // namespace portable

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L

std::from_chars_result readDecimal(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

void appendDecimal(double value, std::string& text) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void appendDecimal(float value, std::string& text) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void appendDecimal(double value, std::chars_format format, std::string& text) {
  char buffer[400];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
}

#else

std::from_chars_result readDecimal(const char* first, const char* last, double& value) {
  return portable::readDecimal(first, last, value);
}
void appendDecimal(double value, std::string& text) { portable::appendDecimal(value, text); }
void appendDecimal(float value, std::string& text) { portable::appendDecimal(value, text); }
void appendDecimal(double value, std::chars_format format, std::string& text) {
  portable::appendDecimal(value, format, text);
}

#endif

}  // namespace limber
