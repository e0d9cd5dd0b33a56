// SPDX-License-Identifier: MIT
// A pose expressed by the parts of a body in place of the joints of one figure, so that it can be retargeted to others.
//
// Every rotation is relative to the T-pose with straight fingers (problem/pose_parts.h). Rotations of the body's parts
// are in the body's axes at rest, those of fingers in the axes of the hand, which are mirrored for a left hand, so that
// both hands have the same numbers. Lengths are in lengths of the leg, from hip to sole.
#pragma once

#include <map>
#include <vector>

#include "limber/problem/pose_parts.h"

namespace limber {

struct RolePose {
  /// By part: the rotations of its links, outward; at least one each.
  std::map<PosePlace, std::vector<Eigen::Quaterniond>> turns;
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< of the hips, to the left and ahead; 0 at rest
  double clearance = 0.0;                           ///< of the body's lowest point above the ground; 0 standing
  std::map<BodySide, double> feet;                  ///< height of the lowest point of each above that at rest

  bool hasBody() const { return turns.contains({PosePart::Hips, BodySide::Middle}); }
  bool hasHand(BodySide side) const;
  bool isEmpty() const { return turns.empty(); }
};

/// A pose of a figure, by parts; empty where the figure has none.
RolePose rolePoseOf(const Figure& figure, const PoseParts& parts, const Pose& pose);

/// The rotation at a fraction `place` in (0, 1] of the way from `from` through a part's links, interpolated along the
/// shortest turns.
Eigen::Quaterniond turnAlong(const Eigen::Quaterniond& from, const std::vector<Eigen::Quaterniond>& turns,
                             double place);

}  // namespace limber
