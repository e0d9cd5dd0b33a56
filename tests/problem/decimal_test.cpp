// SPDX-License-Identifier: MIT
// Numbers as text: the functions for C++ libraries that lack them give what the C++ library gives.
#include "limber/problem/decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace limber {
namespace {

/// Doubles of all sizes, whole numbers and decimals of few digits among them.
std::vector<double> someNumbers() {
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 1.0,
                                 10.0,
                                 1e4,
                                 1e5,
                                 123456.0,
                                 1e15,
                                 1e16,
                                 1e17,
                                 1e21,
                                 1e22,
                                 1e23,
                                 0.1,
                                 0.001,
                                 1e-4,
                                 1e-5,
                                 0.3,
                                 1e-300,
                                 5e-324,
                                 1e308,
                                 1.5e300,
                                 0.00012,
                                 -2.5,
                                 1.0 / 3.0,
                                 9007199254740991.0,
                                 std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::min(),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};
  std::mt19937_64 random(7);
  for (int i = 0; i < 4000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (std::isfinite(number)) numbers.push_back(number);
    numbers.push_back(static_cast<double>(static_cast<std::int64_t>(random()) >> (i % 60)));
    numbers.push_back(static_cast<double>(random() % 1000000) * std::pow(10.0, i % 20 - 15));
  }
  return numbers;
}

/// True for powers of two, at which the portable text may have one digit more.
bool isPowerOfTwo(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5;
}

TEST(Decimal, PortableTextIsThatOfTheLibrary) {
  for (const double number : someNumbers()) {
    if (isPowerOfTwo(number)) continue;
    std::string expected, text;
    appendDecimal(number, expected);
    portable::appendDecimal(number, text);
    EXPECT_EQ(text, expected);
    if (!std::isfinite(number)) continue;
    for (const auto format : {std::chars_format::fixed, std::chars_format::scientific}) {
      if (format == std::chars_format::fixed && std::abs(number) > 1e300) continue;
      expected.clear();
      text.clear();
      appendDecimal(number, format, expected);
      portable::appendDecimal(number, format, text);
      EXPECT_EQ(text, expected);
    }
  }
}

TEST(Decimal, PortableTextOfFloatsIsThatOfTheLibrary) {
  for (const double number : someNumbers()) {
    const auto single = static_cast<float>(number);
    if (isPowerOfTwo(static_cast<double>(single)) || !std::isfinite(single)) continue;
    std::string expected, text;
    appendDecimal(single, expected);
    portable::appendDecimal(single, text);
    EXPECT_EQ(text, expected);
  }
}

TEST(Decimal, EveryTextReadsBack) {
  for (const double number : someNumbers()) {
    std::string text;
    portable::appendDecimal(number, text);
    double read = -1.0;
    const auto result = portable::readDecimal(text.data(), text.data() + text.size(), read);
    EXPECT_EQ(result.ec, std::errc()) << text;
    EXPECT_EQ(result.ptr, text.data() + text.size()) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << text;
  }
}

TEST(Decimal, PortableReadingIsThatOfTheLibrary) {
  for (const std::string_view text :
       {"1",     "-1.5e3 tail", "+1",       " 1",        "",      "-",
        ".",     ".5",          "5.",       "5.e1",      "1e",    "1e+",
        "1e400", "1e-400",      "-1e400",   "0e999",     "0x10",  "1.2.3",
        "inf",   "-INF",        "nan",      "infinityx", "infin", "1,5",
        "--1",   "1e-310",      "4.9e-324", "00012",     "1E5",   "123456789012345678901234567890",
        "e5",    "0.1e-1x",     "-.5",      "-.e1"}) {
    double expected = -7.0, read = -7.0;
    const char *first = text.data(), *last = first + text.size();
    const auto a = readDecimal(first, last, expected), b = portable::readDecimal(first, last, read);
    EXPECT_EQ(a.ec, b.ec) << text;
    EXPECT_EQ(a.ptr - first, b.ptr - first) << text;
    EXPECT_TRUE(read == expected || (std::isnan(read) && std::isnan(expected))) << text;
  }
}

}  // namespace
}  // namespace limber
