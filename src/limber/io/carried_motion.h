// SPDX-License-Identifier: MIT
// A motion put onto another body: each frame part by part, then as a whole, so that feet which stand in the source
// motion stand in the result (scene/held_stances.h).
#pragma once

#include <memory>

#include "limber/problem/ik_problem.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// Carries motions of one figure to another. Both figures must outlive it.
class MotionCarrier {
 public:
  /// By the bones of VRM between avatars and VRM animations (io/gltf/vrm_rig.h), otherwise by the parts of the body
  /// (body/retarget_pose.h).
  MotionCarrier(const Figure& from, const IkProblem& to, bool holdsStances = true);

  /// False if one of the figures is not a human body; nothing can then be carried.
  bool isPossible() const { return static_cast<bool>(carryPose_); }

  /// The arms are outside of the body unless the problem's self-avoidance is off. Joints are within their limits.
  ///
  ///   root     as far from its rest along the ground as in the motion, and as high above the floor of the motion,
  ///            both in lengths of the leg; by bones, as VRM defines it
  ///   stances  those of the source motion, stored in the result with the frames before they were held
  std::shared_ptr<const Motion> operator()(const Motion& motion) const;

 private:
  Pose carriedPose(const Pose& pose, double floor) const;

  const Figure& from_;
  const IkProblem& to_;
  bool holdsStances_, isByBones_;
  std::function<Pose(const Pose&)> carryPose_;
};

}  // namespace limber::io
