// SPDX-License-Identifier: MIT
#include "limber/body/body_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace limber {

namespace {

/// All that a part is called.
struct PartWords {
  std::string_view bone, pose, spoken, limb;  ///< boneName(), poseName(), spokenName(), limbName()
  BodyPart above;
  std::string_view inNames;  ///< words of names that mean it regardless of the other names
};

constexpr std::array<PartWords, kBodyPartCount> kWords = {{
    {"hips", "hips", "pelvis", "body", BodyPart::Hips, "hips hip pelvis"},
    {"spine", "trunk", "spine", "trunk", BodyPart::Hips,
     "spine chest upperchest lowerback upperback lumbar lowerthorax abdomen torso"},
    {"chest", "", "chest", "trunk", BodyPart::Spine, ""},
    {"upperChest", "", "chest", "trunk", BodyPart::Chest, ""},
    {"neck", "neck", "neck", "head", BodyPart::UpperChest, "neck"},
    {"head", "head", "head", "head", BodyPart::Neck, "head"},
    {"shoulder", "clavicle", "shoulder", "arm", BodyPart::UpperChest, "collar clavicle"},
    {"upperArm", "upper arm", "upper arm", "arm", BodyPart::Clavicle, "arm upperarm"},
    {"lowerArm", "forearm", "forearm", "arm", BodyPart::UpperArm, "forearm lowerarm elbow"},
    {"hand", "hand", "hand", "hand", BodyPart::LowerArm, "wrist"},
    {"upperLeg", "thigh", "thigh", "leg", BodyPart::Hips, "upleg upperleg thigh"},
    {"lowerLeg", "shank", "shin", "leg", BodyPart::UpperLeg, "knee shin shank calf lowerleg"},
    {"foot", "foot", "foot", "foot", BodyPart::LowerLeg, "ankle"},
    {"toes", "toes", "toes", "foot", BodyPart::Foot, "toe toes toebase ball"},
    {"thumb", "thumb", "thumb", "thumb", BodyPart::Hand, "thumb"},
    {"index", "index finger", "index finger", "finger", BodyPart::Hand, "index"},
    {"middle", "middle finger", "middle finger", "finger", BodyPart::Hand, "middle"},
    {"ring", "ring finger", "ring finger", "finger", BodyPart::Hand, "ring"},
    {"little", "little finger", "little finger", "finger", BodyPart::Hand, "pinky little"},
    {"", "fingers", "fingers", "finger", BodyPart::Hand, "finger"},
}};

/// The parts by whose words a finger is recognised, in the order in which a name is searched for them: "ring_middle" is
/// the middle joint of a ring finger.
constexpr std::array kDigits = {BodyPart::Thumb,      BodyPart::IndexFinger,  BodyPart::LittleFinger,
                                BodyPart::RingFinger, BodyPart::MiddleFinger, BodyPart::Fingers};

const PartWords& rowOf(BodyPart part) { return kWords[static_cast<std::size_t>(part)]; }

enum class Letter { Gap, Upper, Lower, Digit };

Letter letterOf(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (std::isupper(u)) return Letter::Upper;
  if (std::islower(u)) return Letter::Lower;
  return std::isdigit(u) ? Letter::Digit : Letter::Gap;
}

/// "mixamorig:LHipJoint01" is mixamorig, l, hip, joint, 01: a capital begins a word, and the last of several does.
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

/// Reads the two letters of a leg: "fl" and "lf" are front left, "rl" is rear left, "rr" rear right.
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

constexpr std::size_t kShortestPart = 3;  // letters, of "armright" and "legleft"; "bright" and "upright" name none

/// Removes the side from a word; false if it contains none.
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

void takePrefix(std::string& name, std::string_view prefix) {
  if (name.starts_with(prefix) && name.size() > prefix.size()) name.erase(0, prefix.size());
}

void takeSuffix(std::string& name, std::string_view suffix) {
  if (name.ends_with(suffix) && name.size() > suffix.size()) name.resize(name.size() - suffix.size());
}

bool isCapital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// ---- Parts by names -------------------------------------------------------------------------------------------------

/// The stems of a figure's names that have a side. The meaning of some words depends on others: a shoulder is a
/// clavicle if the figure also has arms.
struct Vocabulary {
  std::set<std::string> stems;

  bool has(BodyPart part) const {
    return std::ranges::any_of(stems, [&](const std::string& stem) { return isNamedBy(part, stem); });
  }
  static bool isNamedBy(BodyPart part, const std::string& stem) {
    return !stem.empty() && (' ' + std::string(rowOf(part).inNames) + ' ').find(' ' + stem + ' ') != std::string::npos;
  }
};

/// The part of a word whose meaning depends on other words.
std::optional<BodyPart> partInContext(const std::string& stem, const Vocabulary& words) {
  if (stem == "shoulder") {
    const bool hasArms = words.has(BodyPart::UpperArm) || words.stems.contains("upperarm01");
    return hasArms ? BodyPart::Clavicle : BodyPart::UpperArm;
  }
  if (stem == "leg") return words.has(BodyPart::UpperLeg) ? BodyPart::LowerLeg : BodyPart::UpperLeg;
  if (stem == "foot") return words.stems.contains("ankle") ? BodyPart::Toes : BodyPart::Foot;
  if (stem == "hand" && !words.stems.contains("wrist")) return BodyPart::Hand;
  if (stem == "hip" && !words.has(BodyPart::UpperLeg) && !words.stems.contains("leg")) return BodyPart::UpperLeg;
  return std::nullopt;
}

std::optional<BodyPart> partNamed(const SidedName& name, const Vocabulary& words) {
  const bool hasSide = name.side != BodySide::Middle;
  if (hasSide)
    if (const auto digit = digitNamed(name.stem)) return *digit == BodyPart::Thumb ? *digit : BodyPart::Fingers;
  std::string stem = name.stem;
  while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
  if (hasSide)
    if (const auto part = partInContext(stem, words)) return part;
  for (int i = 0; i < static_cast<int>(BodyPart::Thumb); ++i)
    if (const auto part = static_cast<BodyPart>(i); isPaired(part) == hasSide && Vocabulary::isNamedBy(part, stem))
      return part;
  return std::nullopt;
}

}  // namespace

BodyPart partAbove(BodyPart part) { return rowOf(part).above; }
std::string_view boneName(BodyPart part) { return rowOf(part).bone; }
std::string_view spokenName(BodyPart part) { return rowOf(part).spoken; }
std::string_view limbName(BodyPart part) { return rowOf(part).limb; }
std::string poseName(BodyPlace place) { return withSide(place.side, std::string(rowOf(place.part).pose)); }

std::optional<BodyPlace> findPosePlace(std::string_view name) {
  for (int i = 0; i < kBodyPartCount; ++i)
    for (const BodySide side : {BodySide::Middle, BodySide::Left, BodySide::Right}) {
      const BodyPlace place{static_cast<BodyPart>(i), side};
      const bool isThere = isPaired(place.part) == (side != BodySide::Middle) && !rowOf(place.part).pose.empty();
      if (isThere && poseName(place) == name) return place;
    }
  return std::nullopt;
}

std::string withSide(BodySide side, const std::string& name) {
  return (side == BodySide::Left ? "left " : side == BodySide::Right ? "right " : "") + name;
}

int linkAt(const BodyPlaces& places, BodyPlace place) {
  for (const auto& [link, found] : places)
    if (found == place) return link;
  return -1;
}

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

SidedName bareName(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  SidedName bare = sidedName(name);
  // In a name in capitals, which is a single word, the first letter may be the side: "LHIP".
  const bool isOneWord = name.size() > 2 && isCapital(name[0]) && isCapital(name[1]);
  const auto first = static_cast<char>(name.empty() ? ' ' : std::tolower(static_cast<unsigned char>(name[0])));
  if (bare.side == BodySide::Middle && isOneWord && sideOfLetter(first) != BodySide::Middle) {
    bare = sidedName(name.substr(1));
    bare.side = sideOfLetter(first);
  }
  std::erase(bare.stem, ' ');
  for (const std::string_view prefix : {"mixamorig", "bip001", "bip01", "def"}) takePrefix(bare.stem, prefix);
  takePrefix(bare.stem, bare.side == BodySide::Middle ? "jbipc" : "jbip");  // VRoid's "J_Bip_C_Hips"
  for (const std::string_view ofRobots : {"link", "pitch", "roll", "yaw"}) takeSuffix(bare.stem, ofRobots);
  return bare;
}

std::optional<BodyPart> digitNamed(std::string_view stem) {
  for (const BodyPart digit : kDigits) {
    std::string_view words = rowOf(digit).inNames;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (stem.find(words.substr(0, end)) != std::string_view::npos) return digit;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return std::nullopt;
}

bool maybeSeveral(BodyPart part) { return part == BodyPart::Spine || part == BodyPart::Neck || isDigit(part); }

BodyPlaces recogniseParts(const std::vector<std::string>& names) {
  std::vector<SidedName> bare;
  Vocabulary words;
  for (const std::string& name : names) {
    bare.push_back(bareName(name));
    if (bare.back().side != BodySide::Middle) words.stems.insert(bare.back().stem);
  }
  BodyPlaces out;
  std::set<BodyPlace> taken;
  for (int i = 0; i < static_cast<int>(bare.size()); ++i) {
    const std::optional<BodyPart> part = partNamed(bare[i], words);
    if (!part) continue;
    const BodyPlace place{*part, bare[i].side};
    if (taken.insert(place).second || maybeSeveral(*part)) out.emplace(i, place);
  }
  return out;
}

}  // namespace limber
