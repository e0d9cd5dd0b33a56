// SPDX-License-Identifier: MIT
// The text of a BVH file as it stands, before anything is made of it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// What separates the words of a BVH file.
inline bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

struct BvhJoint {
  std::string name;
  int parent = -1;  ///< index of a joint before this one
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  std::vector<ChannelType> channels;
  std::vector<Eigen::Vector3d> endSites;  ///< offsets
};

struct BvhText {
  std::vector<BvhJoint> joints;  ///< in file order, parents first
  int channelCount = 0;
  int frameCount = 0;
  double frameTime = 0.0;       ///< seconds
  std::vector<double> values;   ///< frameCount x channelCount, degrees and file units
  std::size_t leftoverRows = 0; ///< rows beyond those that "Frames:" announces
  std::size_t motionAt = 0;     ///< where the word MOTION begins in the text, bytes
  std::size_t valuesAt = 0;     ///< where the first value can begin
};

/// Reads hierarchy and motion without recursion, so that depth costs no stack. Keywords in any case, names with
/// spaces, a missing End Site, several roots, rows broken over lines are all accepted. The error's place is the line.
Result<BvhText> parseBvhText(std::string_view text, const std::string& file);

}  // namespace limber::io
