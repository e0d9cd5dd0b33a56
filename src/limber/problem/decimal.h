// SPDX-License-Identifier: MIT
// Decimal numbers as text, with the same result on all systems and in all locales. The C++ library does this where it
// can: libc++ reads no floating-point numbers before version 20, and writes none before version 14.
#pragma once

#include <charconv>
#include <string>

namespace limber {

/// Reads a number at the start of the text as std::from_chars does: no white space, no plus sign, no locale.
std::from_chars_result readDecimal(const char* first, const char* last, double& value);

/// Appends the shortest decimal that reads back as the same number.
void appendDecimal(double value, std::string& text);
void appendDecimal(float value, std::string& text);
/// The same as chars_format::fixed (1500.0 gives "1500") or chars_format::scientific ("1.5e+03").
void appendDecimal(double value, std::chars_format format, std::string& text);

/// The functions above for C++ libraries that lack them; tests compare the two.
namespace portable {
std::from_chars_result readDecimal(const char* first, const char* last, double& value);
void appendDecimal(double value, std::string& text);
void appendDecimal(float value, std::string& text);
void appendDecimal(double value, std::chars_format format, std::string& text);
}  // namespace portable

}  // namespace limber
