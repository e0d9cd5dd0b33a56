// SPDX-License-Identifier: MIT
// The contents of a BVH file before they are converted to a figure.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/motion.h"

namespace limber::io {

struct BvhJoint {
  std::string name;
  int parent = -1;  ///< index of a joint before this one
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  std::vector<ChannelType> channels;
  int firstColumn = 0;                    ///< of its channels in a frame's values
  std::vector<Eigen::Vector3d> endSites;  ///< their offsets
};

struct BvhText {
  std::vector<BvhJoint> joints;  ///< in file order, parents first
  int channelCount = 0;
  int frameCount = 0;
  double frameTime = 0.0;        ///< seconds
  std::vector<double> values;    ///< frameCount x channelCount, degrees and file units
  std::size_t leftoverRows = 0;  ///< rows beyond the number in "Frames:"
  std::size_t motionAt = 0;      ///< byte offset of the word MOTION in the text
  std::size_t valuesAt = 0;      ///< byte offset behind "Frame Time:" and its number
};

/// Reads hierarchy and motion without recursion, so that deep hierarchies cannot overflow the stack. Accepts keywords
/// in any case, names with spaces, missing End Sites, several roots and rows broken over lines. An error's place is the
/// line.
Result<BvhText> parseBvhText(std::string_view text, const std::string& file);

}  // namespace limber::io
