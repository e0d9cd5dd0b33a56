// SPDX-License-Identifier: MIT
#include "limber/io/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace limber::io {

namespace {

/// Removes a quoted cell and the separator after it from the line; goesOn: whether there was a separator.
std::string takeQuoted(std::string_view& line, char separator, bool& goesOn) {
  std::string cell;
  std::size_t i = 1;
  for (; i < line.size(); ++i) {
    if (line[i] != '"') cell += line[i];
    else if (i + 1 < line.size() && line[i + 1] == '"') cell += line[i++];
    else break;
  }
  i = line.find(separator, std::min(i, line.size()));
  goesOn = i != std::string_view::npos;
  if (goesOn) line.remove_prefix(i + 1);
  return cell;
}

}  // namespace

std::optional<std::string_view> LineReader::next() {
  if (at_ >= text_.size()) return std::nullopt;
  ++line_;
  const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = end + 1;
  if (end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n') ++at_;
  return line;
}

std::string_view withoutMark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool splitCells(std::string_view line, char separator, std::vector<std::string>& cells) {
  cells.clear();
  if (static_cast<std::size_t>(std::ranges::count(line, separator)) >= kMaxCells) return false;
  if (separator == ' ') {
    for (std::size_t i = 0; i < line.size();) {
      while (i < line.size() && isSpace(line[i])) ++i;
      const std::size_t start = i;
      while (i < line.size() && !isSpace(line[i])) ++i;
      if (i > start) cells.emplace_back(line.substr(start, i - start));
    }
    return true;
  }
  bool goesOn = true;
  while (goesOn) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start != std::string_view::npos && line[start] == '"') {
      line.remove_prefix(start);
      cells.push_back(takeQuoted(line, separator, goesOn));
      continue;
    }
    const std::size_t end = line.find(separator);
    cells.emplace_back(trimmed(line.substr(0, end)));
    goesOn = end != std::string_view::npos;
    if (goesOn) line.remove_prefix(end + 1);
  }
  return true;
}

char separatorOf(std::string_view line) {
  for (const char separator : {'\t', ';', ','})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

bool isMissing(std::string_view cell) {
  constexpr std::array<std::string_view, 6> kWords = {"", "nan", "-nan", "null", "na", "n/a"};
  return std::ranges::find(kWords, lowerCase(cell)) != kWords.end();
}

std::optional<double> numberOf(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, status] = readDecimal(cell.data(), cell.data() + cell.size(), value);
  if (status != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool isAmong(std::string_view word, std::string_view words) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  const auto isEnd = [&](std::size_t i) { return i == words.size() || words[i] == ' '; };
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1))
    if ((at == 0 || words[at - 1] == ' ') && isEnd(at + word.size())) return true;
  return false;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string inShort(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

bool comesBefore(std::string_view a, std::string_view b) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto runOf = [&](std::string_view text) {  // a number without leading zeros
    const std::size_t zeros = std::min(text.find_first_not_of('0'), text.size());
    std::size_t end = zeros;
    while (end < text.size() && isDigit(text[end])) ++end;
    return text.substr(zeros, end - zeros);
  };
  std::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    if (isDigit(left.front()) && isDigit(right.front())) {
      const std::string_view m = runOf(left), n = runOf(right);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      left.remove_prefix(static_cast<std::size_t>(m.data() - left.data()) + m.size());
      right.remove_prefix(static_cast<std::size_t>(n.data() - right.data()) + n.size());
    } else if (left.front() != right.front()) {
      return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;  // equal but for leading zeros
}

bool isUtf8(std::string_view text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

std::string asUtf8(std::string_view text) {
  if (isUtf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) out += static_cast<char>(0xc0 | byte >> 6);
    out += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3f));
  }
  return out;
}

void makeUnique(std::vector<std::string>& names) {
  std::unordered_map<std::string, int> count;
  for (const std::string& name : names) ++count[name];
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (count[names[i]] == 1) continue;
    std::string name = names[i] + "#" + std::to_string(i);
    while (count.contains(name)) name += "#";  // another name is equal to it
    names[i] = std::move(name);
  }
}

}  // namespace limber::io
