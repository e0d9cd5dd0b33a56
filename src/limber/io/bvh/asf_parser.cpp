// SPDX-License-Identifier: MIT
#include "limber/io/bvh/asf_parser.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/json/figure_json.h"

namespace limber::io {

namespace {

constexpr double kMostAsfNumber = 1e9;
constexpr std::size_t kMostAmcValues = 32'000'000;  // 256 MB
constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

/// Words of a file line by line, without comments, which begin with #.
class AsfLines {
 public:
  explicit AsfLines(std::string_view text) : lines_(text) {}

  /// The words of the next line that has any; brackets and commas separate words. False at the end.
  bool next(std::vector<std::string>& words) {
    while (const auto line = lines_.next()) {
      std::string plain(line->substr(0, line->find('#')));
      std::ranges::replace_if(
          plain, [](char c) { return c == '(' || c == ')' || c == ','; }, ' ');
      if (!splitCells(plain, ' ', words)) fail("has too many words");
      if (!words.empty()) return true;
    }
    words.clear();
    return false;
  }
  [[noreturn]] void fail(std::string cause) const { throw Fault{lines_.place(), std::move(cause)}; }

  double number(const std::vector<std::string>& words, std::size_t i) const {
    if (i >= words.size()) fail("a number is missing after " + inQuotes(words.front()));
    const auto value = numberOf(words[i]);
    if (!value || std::abs(*value) > kMostAsfNumber) fail(inQuotes(words[i]) + " is not a number");
    return *value;
  }
  Eigen::Vector3d vector(const std::vector<std::string>& words) const {
    return {number(words, 1), number(words, 2), number(words, 3)};
  }

 private:
  LineReader lines_;
};

Eigen::Matrix3d turnAbout(int axis, double radians) {
  return Eigen::AngleAxisd(radians, Eigen::Vector3d::Unit(axis)).toRotationMatrix();
}

class AsfParser {
 public:
  explicit AsfParser(std::string_view text) : lines_(text) {}

  AsfText parse() {
    bones_.push_back({.name = "root"});
    for (bool goesOn = lines_.next(words_); goesOn;) {
      const std::string section = lowerCase(words_[0]);
      if (section == ":units") goesOn = readUnits();
      else if (section == ":root") goesOn = readRoot();
      else if (section == ":bonedata") goesOn = readBones();
      else if (section == ":hierarchy") goesOn = readHierarchy();
      else goesOn = nextInSection() || !words_.empty();
    }
    if (!hasHierarchy_) lines_.fail("there is no :hierarchy");
    return {sorted(), lengthUnit_, isDegrees_};
  }

 private:
  /// The next line; false at the end of the section, with the line that begins the next one in words_.
  bool nextInSection() { return lines_.next(words_) && words_[0][0] != ':'; }

  bool readUnits() {
    while (nextInSection()) {
      const std::string word = lowerCase(words_[0]);
      if (word == "length") lengthUnit_ = lines_.number(words_, 1);
      if (word == "length" && !(lengthUnit_ > 0.0)) lines_.fail("the unit of length must be above zero");
      if (word == "angle" && words_.size() > 1) isDegrees_ = lowerCase(words_[1]).starts_with("deg");
    }
    return !words_.empty();
  }

  bool readRoot() {
    Eigen::Vector3d angles = Eigen::Vector3d::Zero();
    std::string order = "xyz";
    while (nextInSection()) {
      const std::string word = lowerCase(words_[0]);
      if (word == "order") readDofs(bones_[0]);
      if (word == "axis" && words_.size() > 1) order = words_[1];
      if (word == "orientation") angles = lines_.vector(words_);
    }
    bones_[0].axes = axesOf(angles, order);
    return !words_.empty();
  }

  bool readBones() {
    bool isInside = false;
    while (nextInSection()) {
      const std::string word = lowerCase(words_[0]);
      if (word == "begin") {
        if (bones_.size() >= kMaxLinks) lines_.fail("more than 100000 bones");
        bones_.emplace_back();
        direction_ = Eigen::Vector3d::Zero();
        length_ = 0.0;
        limitCount_ = 0;
        isInside = true;
      } else if (word == "end") {
        if (isInside) endBone(bones_.back());
        isInside = false;
      } else if (isInside) {
        readBoneLine(word, bones_.back());
      }
    }
    if (isInside) lines_.fail("a bone has no end");
    return !words_.empty();
  }

  void readBoneLine(const std::string& word, AsfBone& bone) {
    if (word == "name" && words_.size() > 1) bone.name = printable(asUtf8(words_[1]));
    else if (word == "direction") direction_ = lines_.vector(words_);
    else if (word == "length") length_ = lines_.number(words_, 1);
    else if (word == "axis") bone.axes = axesOf(lines_.vector(words_), words_.size() > 4 ? words_[4] : "xyz");
    else if (word == "dof") readDofs(bone);
    else if (word == "limits") readLimits(1, bone);
    else if (limitCount_ > 0 && isLimit(words_[0])) readLimits(0, bone);
  }

  void endBone(AsfBone& bone) {
    if (bone.name.empty()) lines_.fail("a bone has no name");
    if (!byName_.emplace(bone.name, static_cast<int>(bones_.size()) - 1).second || bone.name == bones_[0].name)
      lines_.fail("the bone " + inQuotes(bone.name) + " occurs twice");
    if (direction_.norm() > 0.0) bone.end = length_ * direction_.normalized();
  }

  /// "rx ry rz", "TX TY TZ RX RY RZ", "l"
  void readDofs(AsfBone& bone) {
    bone.dofs.clear();
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const std::string word = lowerCase(words_[i]);
      const bool isLength = word == "l";
      if (!isLength && (word.size() != 2 || (word[0] != 'r' && word[0] != 't') || word[1] < 'x' || word[1] > 'z'))
        lines_.fail(inQuotes(words_[i]) + " is not one of rx ry rz tx ty tz l");
      if (bone.dofs.size() >= 7) lines_.fail("a bone has 7 numbers at most");
      using Kind = AsfDof::Kind;
      bone.dofs.push_back(isLength ? AsfDof{Kind::Length, 0, {}}
                                   : AsfDof{word[0] == 'r' ? Kind::Rotation : Kind::Translation, word[1] - 'x', {}});
    }
  }

  static bool isLimit(const std::string& word) {
    return numberOf(word).has_value() || lowerCase(word).ends_with("inf");
  }

  /// Pairs of numbers, one for each dof in order.
  void readLimits(std::size_t first, AsfBone& bone) {
    for (std::size_t i = first; i + 1 < words_.size(); i += 2, ++limitCount_) {
      if (limitCount_ >= bone.dofs.size()) lines_.fail("there are more limits than numbers");
      const auto limit = [&](const std::string& word) {
        const double open = word[0] == '-' ? -INFINITY : INFINITY;
        const auto value = numberOf(word);
        if (!value && !isLimit(word)) lines_.fail(inQuotes(word) + " is not a number");
        return value ? *value * angleUnit() : open;
      };
      const double lower = limit(words_[i]), upper = limit(words_[i + 1]);
      bone.dofs[limitCount_].limits = {std::min(lower, upper), std::max(lower, upper)};
    }
  }

  bool readHierarchy() {
    hasHierarchy_ = true;
    while (nextInSection()) {
      if (words_.size() < 2) continue;  // begin, end
      const int parent = indexOf(words_[0]);
      for (std::size_t i = 1; i < words_.size(); ++i) {
        AsfBone& bone = bones_[indexOf(words_[i])];
        if (&bone == &bones_[0] || bone.parent >= 0)
          lines_.fail("the bone " + inQuotes(bone.name) + " has two parents");
        bone.parent = parent;
      }
    }
    return !words_.empty();
  }

  int indexOf(const std::string& word) const {
    const std::string name = printable(asUtf8(word));
    if (name == bones_[0].name) return 0;
    const auto found = byName_.find(name);
    if (found == byName_.end()) lines_.fail("there is no bone " + inQuotes(name));
    return found->second;
  }

  /// The bones, parents before children.
  std::vector<AsfBone> sorted() {
    std::vector<std::vector<int>> children(bones_.size());
    for (std::size_t i = 1; i < bones_.size(); ++i)
      if (bones_[i].parent >= 0) children[bones_[i].parent].push_back(static_cast<int>(i));
    std::vector<int> order = {0}, place(bones_.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = static_cast<int>(i);
      order.insert(order.end(), children[order[i]].begin(), children[order[i]].end());
    }
    for (std::size_t i = 0; i < bones_.size(); ++i)
      if (place[i] < 0) lines_.fail("the bone " + inQuotes(bones_[i].name) + " is not connected to the root");
    std::vector<AsfBone> out;
    for (const int i : order) {
      out.push_back(bones_[i]);
      if (out.back().parent >= 0) out.back().parent = place[out.back().parent];
    }
    return out;
  }

  double angleUnit() const { return isDegrees_ ? kRadiansPerDegree : 1.0; }

  /// The first axis of the order turns first.
  Eigen::Matrix3d axesOf(const Eigen::Vector3d& angles, const std::string& order) const {
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    const std::string letters = lowerCase(order);
    if (letters.size() != 3 || letters.find_first_not_of("xyz") != std::string::npos)
      lines_.fail(inQuotes(order) + " is not an order of three axes");
    for (std::size_t i = 0; i < 3; ++i) axes = turnAbout(letters[i] - 'x', angles[i] * angleUnit()) * axes;
    return axes;
  }

  AsfLines lines_;
  std::vector<std::string> words_;
  std::vector<AsfBone> bones_;
  std::map<std::string, int> byName_;
  Eigen::Vector3d direction_ = Eigen::Vector3d::Zero();  ///< of the current bone
  double length_ = 0.0, lengthUnit_ = 1.0;
  std::size_t limitCount_ = 0;
  bool isDegrees_ = true, hasHierarchy_ = false;
};

class AmcParser {
 public:
  AmcParser(std::string_view text, const AsfText& skeleton) : lines_(text), skeleton_(skeleton) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      firstOf_.emplace(skeleton.bones[i].name, Place{i, first});
      first += skeleton.bones[i].dofs.size();
    }
    row_.assign(first, 0.0);
    out_.isDegrees = skeleton.isDegrees;
  }

  AmcText parse() {
    std::vector<std::string> words;
    while (lines_.next(words)) {
      const std::string first = lowerCase(words[0]);
      if (first == ":degrees") out_.isDegrees = true;
      else if (first == ":radians") out_.isDegrees = false;
      else if (first[0] == ':') continue;
      else if (words.size() == 1 && numberOf(first)) beginFrame();
      else readBone(words);
    }
    endFrame();
    if (out_.frameCount == 0) lines_.fail("there is no frame");
    return std::move(out_);
  }

 private:
  struct Place {
    std::size_t bone, first;
  };

  void beginFrame() {
    endFrame();
    if (out_.values.size() + row_.size() > kMostAmcValues || out_.frameCount >= static_cast<int>(kMostAmcValues))
      lines_.fail("the motion is too long");
    ++out_.frameCount;
  }
  void endFrame() {
    if (out_.frameCount > 0) out_.values.insert(out_.values.end(), row_.begin(), row_.end());
  }

  void readBone(const std::vector<std::string>& words) {
    if (out_.frameCount == 0) lines_.fail("the number of a frame is missing");
    const auto found = firstOf_.find(printable(asUtf8(words[0])));
    if (found == firstOf_.end()) lines_.fail("the skeleton has no bone " + inQuotes(words[0]));
    const std::size_t count = skeleton_.bones[found->second.bone].dofs.size();
    if (words.size() != count + 1)
      lines_.fail("the bone " + inQuotes(words[0]) + " has " + std::to_string(count) +
                  " numbers in the skeleton, and " + std::to_string(words.size() - 1) + " here");
    for (std::size_t i = 0; i < count; ++i) row_[found->second.first + i] = lines_.number(words, i + 1);
  }

  AsfLines lines_;
  const AsfText& skeleton_;
  std::map<std::string, Place> firstOf_;
  std::vector<double> row_;
  AmcText out_;
};

}  // namespace

Result<AsfText> parseAsfText(std::string_view text, const std::string& file) {
  return faultsAsErrors<AsfText>(file, [&] { return AsfParser(text).parse(); });
}

Result<AmcText> parseAmcText(std::string_view text, const AsfText& skeleton, const std::string& file) {
  return faultsAsErrors<AmcText>(file, [&] { return AmcParser(text, skeleton).parse(); });
}

}  // namespace limber::io
