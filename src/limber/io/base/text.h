// SPDX-License-Identifier: MIT
// Text: lines of cells, some of them empty; numbers; and UTF-8 for names, which Limber's formats and its window
// require.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "limber/problem/decimal.h"

namespace limber::io {

/// True for white space.
inline bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
/// The text without white space at its ends.
std::string_view trimmed(std::string_view text);
/// The text without a byte order mark.
std::string_view withoutMark(std::string_view text);

/// Reads a text line by line. Line ends are LF, CR or CRLF; a byte order mark is skipped.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(withoutMark(text)) {}

  /// The next line without its line end; nothing at the end of the text.
  std::optional<std::string_view> next();
  /// The number of the last line that was read, from 1.
  std::size_t line() const { return line_; }
  /// "line 12", for Error::place.
  std::string place() const { return "line " + std::to_string(line_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_ = 0;
};

inline constexpr std::size_t kMaxCells = 300'000;  ///< in one line

/// Splits a line into trimmed cells, with quotation marks as in RFC 4180. The separator ' ' means any run of blanks.
/// The memory of `cells` is reused. False, with no cells, when the line may have more than kMaxCells.
bool splitCells(std::string_view line, char separator, std::vector<std::string>& cells);

/// The separator of a line: tab, semicolon or comma, in this order of precedence, else ' '.
char separatorOf(std::string_view line);

/// True for the marks of a missing number: an empty cell, "nan", "null", "na" and "n/a" in any case.
bool isMissing(std::string_view cell);

/// The finite number that the whole cell is; else nothing.
std::optional<double> numberOf(std::string_view cell);

/// True if `word` is one of `words`, which blanks separate.
bool isAmong(std::string_view word, std::string_view words);

/// "1 bone", "2 bones".
inline std::string countInWords(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// The text with ASCII letters in lower case.
std::string lowerCase(std::string_view text);

/// Order as people count: "frame 2" before "frame 10". Runs of digits compare as numbers, other letters as bytes.
bool comesBefore(std::string_view a, std::string_view b);

/// Appends the shortest decimal that reads back as the same number.
template <typename Number>
void appendNumber(Number value, std::string& text) {
  if constexpr (std::is_floating_point_v<Number>) appendDecimal(value, text);
  else text += std::to_string(value);
}
/// A number for people, with this many significant digits: "1.75".
std::string inShort(double value, int digits);

bool isUtf8(std::string_view text);

/// The text itself if it is UTF-8, else its bytes read as Latin-1, so that different texts stay different.
std::string asUtf8(std::string_view text);

/// Appends "#" and the index to names that occur more than once.
void makeUnique(std::vector<std::string>& names);

}  // namespace limber::io
