// SPDX-License-Identifier: MIT
#include "limber/body/sided_name.h"

#include <cctype>
#include <utility>
#include <vector>

namespace limber {

namespace {

enum class Letter { Gap, Upper, Lower, Digit };

Letter letterOf(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (std::isupper(u)) return Letter::Upper;
  if (std::islower(u)) return Letter::Lower;
  return std::isdigit(u) ? Letter::Digit : Letter::Gap;
}

/// "mixamorig:LHipJoint01" is mixamorig, l, hip, joint, 01: a capital begins a word; of several capitals, the last one
/// does.
std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words;
  Letter before = Letter::Gap;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const Letter now = letterOf(name[i]), after = i + 1 < name.size() ? letterOf(name[i + 1]) : Letter::Gap;
    if (now != Letter::Gap) {
      const bool isNext = now == before || (before == Letter::Upper && now == Letter::Lower);
      const bool isLastCapital = now == Letter::Upper && before == Letter::Upper && after == Letter::Lower;
      if (!isNext || isLastCapital) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    before = now;
  }
  return words;
}

BodySide sideOfLetter(char c) { return c == 'l' ? BodySide::Left : c == 'r' ? BodySide::Right : BodySide::Middle; }

/// The two letters of a leg: "fl" and "lf" are front left, "rl" is rear left, "rr" rear right.
bool takeLeg(std::string& word, BodySide& side) {
  if (word.size() != 2) return false;
  for (const int at : {1, 0}) {
    const char letter = word[at], other = word[1 - at];
    if (sideOfLetter(letter) == BodySide::Middle || std::string_view("fbhr").find(other) == std::string_view::npos)
      continue;
    side = sideOfLetter(letter);
    word = std::string(1, other) + " leg";
    return true;
  }
  return false;
}

constexpr std::size_t kShortestPart = 3;  // letters, of "armright" and "legleft"; "bright" and "upright" have no side

/// Removes the side from a word; false if it has none.
bool takeSide(std::string& word, BodySide& side) {
  if (word.size() == 1 && sideOfLetter(word[0]) != BodySide::Middle) {
    side = sideOfLetter(word[0]);
    word.clear();
    return true;
  }
  for (const auto& [text, which] :
       {std::pair{std::string_view("left"), BodySide::Left}, std::pair{std::string_view("right"), BodySide::Right}}) {
    const bool begins = word.starts_with(text);
    const bool ends = word.ends_with(text) && word.size() >= text.size() + kShortestPart;
    if (!begins && !ends) continue;
    side = which;
    word.erase(begins ? 0 : word.size() - text.size(), text.size());
    return true;
  }
  return takeLeg(word, side);
}

}  // namespace

SidedName sidedName(std::string_view name) {
  SidedName sided;
  bool hasSide = false;
  for (std::string& word : wordsOf(name)) {
    if (!hasSide) hasSide = takeSide(word, sided.side);
    if (word.empty()) continue;
    if (!sided.stem.empty()) sided.stem += ' ';
    sided.stem += word;
  }
  return sided;
}

}  // namespace limber
