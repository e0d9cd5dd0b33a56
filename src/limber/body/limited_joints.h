// SPDX-License-Identifier: MIT
// The hinges and ball joints of some links, moved by small steps within their limits. A step has one coordinate for a
// hinge, and three for a ball joint, along the axes of its link. Locked and rigid joints, followers of couplings, and
// sliding joints do not move.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/problem/ik_problem.h"

namespace limber {

class LimitedJoints {
 public:
  static constexpr int kMost = 48;  ///< coordinates of a step, and of what a caller adds to it
  using Step = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;

  struct Coordinate {
    int entry = 0;  ///< index in links()
    int axis = -1;  ///< of a ball joint; -1 for a hinge
  };

  LimitedJoints() = default;
  /// The problem must outlive them.
  LimitedJoints(const IkProblem& problem, std::vector<int> links);

  const std::vector<int>& links() const { return links_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  bool isFree(int link) const;
  const BallRange& rangeOf(std::size_t entry) const { return ranges_[entry]; }

  /// The unit axis of a coordinate in the axes of the link's transform. It passes through the link's origin.
  Eigen::Vector3d axisOf(const Coordinate& coordinate, const Transform& fromLink) const;

  /// Adds `weight` to the square of a quadratic function for each coordinate, or swing or twist of a ball, that the
  /// step `by` would move past a limit, so that its next minimum leaves them. False if there are none.
  bool holdLimits(const Step& by, const Pose& pose, double weight, Square& square) const;

  /// The pose after a step, within limits, with the followers of these joints set.
  Pose moved(const Pose& pose, const Step& step) const;

 private:
  const IkProblem* problem_ = nullptr;
  const Figure* figure_ = nullptr;
  Couplings couplings_;  ///< with drivers in links_
  std::vector<int> links_;
  std::vector<BallRange> ranges_;  ///< by entry
  std::vector<Coordinate> coordinates_;
};

}  // namespace limber
