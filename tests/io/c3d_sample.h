// SPDX-License-Identifier: MIT
// Writes C3D files, for tests.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace limber::test {

/// A C3D file of one processor: 84 Intel, 85 DEC, 86 MIPS.
class C3dSample {
 public:
  int processor = 84;
  bool isFloat = true;
  double scale = 0.1;  ///< of integers
  std::string unit = "mm", upAxis = "+Z";
  std::vector<std::string> labels;
  std::vector<std::vector<std::optional<Eigen::Vector3d>>> frames;  ///< file units
  std::size_t labelsInFirst = 255;                                  ///< the others go into LABELS2
  int analogs = 0;                                                  ///< samples of a frame
  std::vector<std::string> angles;
  std::optional<std::uint32_t> announced;  ///< frames in TRIAL:ACTUAL_END_FIELD
  double rate = 100.0;

  std::string bytes() const {
    const std::string parameters = parameterBytes();
    const auto blocks = static_cast<unsigned>((parameters.size() + 511) / 512);
    std::string out = header(2 + blocks);
    out += parameters;
    out.resize(512 * (1 + blocks));
    out[514] = static_cast<char>(blocks);
    for (const auto& frame : frames) {
      for (const auto& place : frame) appendPoint(place, out);
      for (int i = 0; i < analogs; ++i) isFloat ? appendReal(7.0f, out) : appendWord(7, out);
    }
    return out;
  }

 private:
  void appendWord(unsigned value, std::string& out) const {
    const char low = static_cast<char>(value & 255), high = static_cast<char>(value >> 8 & 255);
    out += processor == 86 ? high : low;
    out += processor == 86 ? low : high;
  }

  void appendReal(float value, std::string& out) const {
    const auto bits = std::bit_cast<std::uint32_t>(processor == 85 ? value * 4.0f : value);
    appendWord(processor == 84 ? bits & 0xffff : bits >> 16, out);
    appendWord(processor == 84 ? bits >> 16 : bits & 0xffff, out);
  }

  void appendPoint(const std::optional<Eigen::Vector3d>& place, std::string& out) const {
    const Eigen::Vector3d p = place.value_or(Eigen::Vector3d::Zero());
    for (int axis = 0; axis < 3; ++axis)
      isFloat ? appendReal(static_cast<float>(p[axis]), out)
              : appendWord(static_cast<unsigned>(static_cast<int>(p[axis] / scale)), out);
    isFloat ? appendReal(place ? 1.5f : -1.0f, out) : appendWord(place ? 0x0102 : 0xffff, out);
  }

  std::string header(unsigned dataBlock) const {
    std::string out("\x02\x50", 2);
    appendWord(static_cast<unsigned>(labels.size()), out);
    appendWord(static_cast<unsigned>(analogs), out);
    appendWord(1, out);
    appendWord(static_cast<unsigned>(std::min<std::size_t>(frames.size(), 65535)), out);
    appendWord(10, out);
    appendReal(static_cast<float>(isFloat ? -scale : scale), out);
    appendWord(dataBlock, out);
    appendWord(analogs > 0 ? 1 : 0, out);
    appendReal(static_cast<float>(rate), out);
    out.resize(512);
    return out;
  }

  /// A record: group > 0 for a parameter, with its type, dimensions and data; else a group.
  void appendRecord(const std::string& name, int group, const std::string& content, std::string& out) const {
    out += static_cast<char>(name.size());
    out += static_cast<char>(group);
    out += name;
    appendWord(static_cast<unsigned>(2 + content.size() + 1), out);
    out += content;
    out += '\0';  // no description
  }

  void appendTexts(const std::string& name, int group, const std::vector<std::string>& texts, std::string& out) const {
    constexpr std::size_t kLength = 12;
    std::string content("\xff\x02\x0c", 3);
    content += static_cast<char>(texts.size());
    for (std::string text : texts) {
      text.resize(kLength, ' ');
      content += text;
    }
    appendRecord(name, group, content, out);
  }

  std::string parameterBytes() const {
    std::string out("\x01\x50\x00", 3);
    out += static_cast<char>(processor);
    appendTexts("LABELS", 1, {labels.begin(), labels.begin() + std::min(labels.size(), labelsInFirst)}, out);
    if (labels.size() > labelsInFirst) appendTexts("Labels2", 1, {labels.begin() + labelsInFirst, labels.end()}, out);
    appendRecord("POINT", -1, "", out);  // a group may follow its parameters
    if (!unit.empty()) appendTexts("UNITS", 1, {unit}, out);
    if (!upAxis.empty()) appendTexts("Y_SCREEN", 1, {upAxis}, out);
    if (!angles.empty()) appendTexts("ANGLES", 1, angles, out);
    appendRecord("TRIAL", -2, "", out);
    if (announced) {
      std::string start("\x02\x01\x02", 3), end = start;
      appendWord(1, start);
      appendWord(0, start);
      appendWord(*announced & 0xffff, end);
      appendWord(*announced >> 16, end);
      appendRecord("ACTUAL_START_FIELD", 2, start, out);
      appendRecord("ACTUAL_END_FIELD", 2, end, out);
    }
    out.append(2, '\0');
    return out;
  }
};

}  // namespace limber::test
