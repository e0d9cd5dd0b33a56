// SPDX-License-Identifier: MIT
#include "limber/body/blend_pose.h"

#include <algorithm>

namespace limber {

Pose blendPoses(const IkProblem& problem, const Pose& from, const Pose& to, double share) {
  if (share <= 0.0) return from;
  if (share >= 1.0) return to;
  const Figure& figure = *problem.figure;
  Eigen::VectorXd step;
  difference(figure, from, to, step);
  for (int i = 0; i < figure.linkCount(); ++i)
    if (goesRound(problem, i)) step[figure.joint(i).stepIndex] = wrapAngle(step[figure.joint(i).stepIndex]);
  step *= share;
  Pose pose;
  integrate(figure, from, step, pose);
  return pose;
}

Pose takeFrom(const Figure& figure, const Pose& base, const Pose& pose, const std::vector<int>& joints) {
  if (joints.empty()) return pose;
  Pose taken = base;
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (std::ranges::none_of(joints, [&](int joint) { return figure.isAncestorOrSelf(joint, i); })) continue;
    const int at = figure.joint(i).poseIndex, size = poseSize(figure.joint(i).type);
    taken.coordinates.segment(at, size) = pose.coordinates.segment(at, size);
  }
  return taken;
}

}  // namespace limber
