// SPDX-License-Identifier: MIT
// A pose told by the parts of a body in place of the joints of a figure, so that any other body can take it.
//
// Every turn is one against the T-pose with straight fingers (problem/pose_parts.h): of the body's parts as the world sees
// them, the figure looking ahead as it does at rest; of fingers as the hand does, so that a left hand's turns are those
// of a right hand. Lengths are in lengths of the leg, from hip to sole.
#pragma once

#include <map>
#include <vector>

#include "limber/problem/pose_parts.h"

namespace limber {

struct RolePose {
  /// By part the turns of its links, outward; never empty.
  std::map<PosePlace, std::vector<Eigen::Quaterniond>> turns;
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< of the hips, to the left and ahead; 0 at rest
  double clearance = 0.0;                           ///< of the body's lowest point above the ground; 0 standing
  std::map<BodySide, double> feet;                  ///< how much higher the lowest point of each is than at rest

  bool hasBody() const { return turns.contains({PosePart::Hips, BodySide::Middle}); }
  bool hasHand(BodySide side) const;
  bool isEmpty() const { return turns.empty(); }
};

/// What the pose is by parts; empty where the figure has none.
RolePose rolePoseOf(const Figure& figure, const PoseParts& parts, const Pose& pose);

/// The turn at `place` in (0, 1] of the way from `from` through a part's links, by the shortest turns between them.
Eigen::Quaterniond turnAlong(const Eigen::Quaterniond& from, const std::vector<Eigen::Quaterniond>& turns,
                             double place);

}  // namespace limber
