// SPDX-License-Identifier: MIT
// A motion clip that came with a figure: raw channel values, as the file had them, and how they make a pose.
#pragma once

#include <memory>
#include <vector>

#include "kinematics/figure.h"
#include "kinematics/pose.h"

namespace limber {

enum class ChannelType { XPosition, YPosition, ZPosition, XRotation, YRotation, ZRotation };

/// One channel: which joint it moves, and how. Rotations of a joint multiply in the order listed, left to right.
struct Channel {
  int joint = 0;
  ChannelType type = ChannelType::XPosition;
};

struct Motion {
  std::vector<Channel> channels;  ///< in file order
  std::vector<double> values;     ///< frameCount x channels.size(), row by row; degrees and file units
  int frameCount = 0;
  double frameTime = 1.0 / 30.0;  ///< seconds

  /// The pose of one frame (0 <= frame < frameCount, asserted). Position channels shift a free joint by
  /// value * figure.fileFrame().metresPerUnit; on other joints they are constant and already part of the figure.
  Pose poseAt(const Figure& figure, int frame) const;
};

}  // namespace limber
