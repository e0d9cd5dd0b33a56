// SPDX-License-Identifier: MIT
// Broken copies of a file, the same from the same number on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace limber::test {

class Mutation {
 public:
  explicit Mutation(std::uint32_t seed) : random_(seed) {}

  /// One to eight changes, most often one: bits, bytes, pieces cut out or repeated, the end cut off; and such as leave
  /// the file readable, so that more than the parser is tried: numbers made extreme, lines and quoted words exchanged.
  std::string operator()(std::string bytes) {
    for (std::uint32_t changes = below(3) == 0 ? 1 + below(8) : 1; changes > 0 && !bytes.empty(); --changes)
      change(bytes);
    return bytes;
  }

 private:
  /// In [0, count): not by a standard distribution, which differs from library to library.
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }

  void change(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    switch (below(14)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); return;
      case 1: bytes[at] = static_cast<char>(below(256)); return;
      case 2: bytes[at] = "0123456789-+.eE<>/={}[]()\"', \n"[below(30)]; return;
      case 3: bytes.erase(at, below(64)); return;
      case 4: bytes.insert(at, bytes.substr(below(bytes.size()), below(256))); return;
      case 5:
        if (below(8) == 0) bytes.resize(at);
        return;
      case 6: return overwrite(bytes, at);
      case 7: return exchange(bytes, '"', at);
      case 8: return exchange(bytes, '"', at);
      case 9: return exchange(bytes, '\n', at);
      default: return exaggerate(bytes, at);
    }
  }

  /// Four bytes that lie about a count.
  void overwrite(std::string& bytes, std::size_t at) {
    static constexpr std::array<std::uint32_t, 6> kLies = {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x10000u};
    const std::uint32_t word = kLies[below(kLies.size())];
    at -= at % 4;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
      bytes[at + i] = static_cast<char>(word >> 8 * i & 255u);
  }

  /// The piece between two marks after `at` makes place for another such piece, or is left out.
  void exchange(std::string& bytes, char mark, std::size_t at) {
    const auto pieceFrom = [&](std::size_t from, std::size_t& first, std::size_t& length) {
      first = bytes.find(mark, from);
      const std::size_t last = first == std::string::npos ? first : bytes.find(mark, first + 1);
      length = last == std::string::npos ? 0 : last - ++first;
      return last != std::string::npos;
    };
    std::size_t first = 0, length = 0, otherFirst = 0, otherLength = 0;
    if (!pieceFrom(at, first, length)) return;
    std::string other;
    if (below(4) != 0 && pieceFrom(below(bytes.size()), otherFirst, otherLength))
      other = bytes.substr(otherFirst, otherLength);
    bytes.replace(first, length, other);
  }

  /// Another number in the place of the next one.
  void exaggerate(std::string& bytes, std::size_t at) {
    static constexpr std::array<std::string_view, 12> kNumbers = {
        "0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "2000000000", "4294967296", "1e999", "0.5", "1e9"};
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto first = std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), isDigit);
    const auto last = std::find_if_not(first, bytes.end(), [&](char c) { return isDigit(c) || c == '.'; });
    bytes.replace(first, last, kNumbers[below(kNumbers.size())]);
  }

  std::mt19937 random_;
};

}  // namespace limber::test
