// SPDX-License-Identifier: MIT
// The contents of ASF and AMC files before they are converted to a figure.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

/// A degree of freedom of a bone: one number in each frame.
struct AsfDof {
  enum class Kind { Rotation, Translation, Length } kind = Kind::Rotation;
  int axis = 0;     ///< 0 x, 1 y, 2 z
  Interval limits;  ///< radians, of a rotation
};

/// A bone, or the root. With C = axes, the bone turns by C M C^-1 relative to its parent, where M is the product of the
/// rotations of its dofs, the first on the right.
struct AsfBone {
  std::string name;
  int parent = -1;                                     ///< index, below that of this bone
  Eigen::Vector3d end = Eigen::Vector3d::Zero();       ///< relative to its joint, file units, all angles zero
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< C; for the root, its orientation
  std::vector<AsfDof> dofs;
};

struct AsfText {
  std::vector<AsfBone> bones;  ///< the root first, parents before children
  double lengthUnit = 1.0;     ///< the number of file units in an inch, in most files
  bool isDegrees = true;       ///< unit of angles, also in a motion that does not state it
};

/// An error's place is the line.
Result<AsfText> parseAsfText(std::string_view text, const std::string& file);

struct AmcText {
  int frameCount = 0;
  bool isDegrees = true;
  /// frameCount x the numbers of all bones in order; a bone that a frame does not name keeps its previous numbers.
  std::vector<double> values;
};

Result<AmcText> parseAmcText(std::string_view text, const AsfText& skeleton, const std::string& file);

}  // namespace limber::io
