// SPDX-License-Identifier: MIT
// Tables as text: lines of cells, of which some may be empty.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

/// The lines of a text one after the other, whatever ends them; a byte order mark is skipped.
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  /// The next line without its end; nothing at the end of the text.
  std::optional<std::string_view> next();
  /// Of the line last read, from 1.
  std::size_t line() const { return line_; }
  /// "line 12", as errors have it.
  std::string place() const { return "line " + std::to_string(line_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_ = 0;
};

std::string_view trimmed(std::string_view text);

inline constexpr std::size_t kMaxCells = 300'000;  ///< of a line

/// The cells between separators, trimmed; a ' ' separates by any run of blanks. Quotes as in RFC 4180. Out is reused.
/// False when the line could have more than kMaxCells: there are then none.
bool splitCells(std::string_view line, char separator, std::vector<std::string>& cells);

/// Of a line: a tab, a semicolon or a comma, the first of them that it has; else ' '.
char separatorOf(std::string_view line);

/// True for what says that there is no number: nothing, "nan", "null", "na", in any case.
bool isMissing(std::string_view cell);

/// A finite number in full; nothing for anything else.
std::optional<double> numberOf(std::string_view cell);

/// ASCII letters in lower case.
std::string lowerCase(std::string_view text);

/// Appends the shortest decimals that read back as the same number.
template <typename Number>
void appendNumber(Number value, std::string& text) {
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, end);
}
/// A number for people, with so many significant digits: "1.75".
std::string inShort(double value, int digits);

}  // namespace limber::io
