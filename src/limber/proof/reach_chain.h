// SPDX-License-Identifier: MIT
// The chain from a fixed frame to an end effector as a product of simple motions:
//
//   x = B_1 M_1(q_1) B_2 M_2(q_2) ... B_n M_n(q_n) p        B fixed transforms, M one of the motions below
//
// Each q may have any value in its range, independently of the others: couplings, linear limits and other links are
// ignored. The chain can therefore reach every point that the end effector of the figure can reach, but not vice versa.
//
// A figure has one chain that begins at the world, and one per pinned link, which goes from that link up the tree and
// down again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

struct ChainMotion {
  enum class Kind {
    Turn,   ///< by an angle about the axis, through the origin
    Slide,  ///< along the axis
    Swing,  ///< about any axis perpendicular to this one, by at most range.upper; with pi a point can be anywhere on
            ///< its sphere
  };
  Kind kind = Kind::Turn;
  Transform before;  ///< B: the motion's frame in that of the motion before it; for the first in the world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit, in the motion's own frame
  Interval range;  ///< radians, metres for a slide; at most a whole turn; [0, upper] for a swing
};

struct ReachChain {
  std::vector<ChainMotion> motions;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< p, in the frame of the last motion, else in the world
  std::string unbounded;                            ///< the first joint that can slide without a limit; empty: none

  /// Every point is within `radius` of the centre, and at least `least` from it.
  struct Ball {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double radius = 0.0, least = 0.0;
  };
  Ball ball() const;
  /// The ball of all points of motion i and those after it: about the origin of the motion's frame.
  Ball ballOf(std::size_t motion) const;
};

/// moves: per step coordinate, != 0 if it may change (followers like their drivers); other coordinates stay as in
/// `pose`. The chain from the world comes first.
std::vector<ReachChain> reachChains(const IkProblem& problem, const Pose& pose, std::span<const char> moves, int link,
                                    const Eigen::Vector3d& pointInLink);

}  // namespace limber
