// SPDX-License-Identifier: MIT
// Guesses from a motion what its BVH file does not say: whether position channels replace a joint's OFFSET or are added
// to it, which axis points up, and the unit of length.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "limber/io/bvh/bvh_parser.h"
#include "limber/scene/document.h"

namespace limber::io {

/// The position channels of a joint.
struct BvhPositions {
  std::array<int, 3> columns = {-1, -1, -1};  ///< of x, y and z in a frame's values; -1 for none
  bool isConstant = true;                     ///< over all frames, and without frames
  bool replaces = false;                      ///< the channels replace OFFSET; else they are added to it

  bool isPresent() const { return columns[0] >= 0 || columns[1] >= 0 || columns[2] >= 0; }
};

struct BvhGuess {
  std::vector<BvhPositions> positions;  ///< by joint
  FileFrame frame;
};

/// Adds a sentence to `notes` for each guess.
BvhGuess guessBvh(const BvhText& text, OffsetRule rule, std::vector<std::string>& notes);

/// The offset of the unshifted joint in its parent, file units. It includes position channels of an inner joint that
/// never change.
Eigen::Vector3d offsetInFigure(const BvhText& text, const BvhPositions& positions, int joint);

/// The box around joints and End Sites, file units.
struct BvhExtent {
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(1e300);
  Eigen::Vector3d upper = Eigen::Vector3d::Constant(-1e300);

  Eigen::Vector3d size() const { return upper - lower; }
};

/// The box around the skeleton with all rotations zero, where no joint is shifted.
BvhExtent zeroExtent(const BvhText& text, const std::vector<BvhPositions>& positions);

}  // namespace limber::io
