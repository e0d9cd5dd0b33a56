// SPDX-License-Identifier: MIT
// The way from something that stands to an end effector as a product of simple motions:
//
//   x = B_1 M_1(q_1) B_2 M_2(q_2) ... B_n M_n(q_n) p        B fixed transforms, M one of the motions below
//
// Each q may be anything in its range whatever the others are: couplings, linear limits, and what else hangs on the
// joints are left out. So wherever the figure can put its end effector the chain can, though not the other way round.
//
// A figure has one chain that begins at the world, and one for each pinned link, which begins at the link and goes up
// the tree and down again.
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
    Swing,  ///< about any axis across this one, by at most range.upper; pi puts a point anywhere on its sphere
  };
  Kind kind = Kind::Turn;
  Transform before;  ///< B: the motion's frame in the frame of the motion before it, of the first one in the world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit, in the motion's own frame
  Interval range;  ///< radians; metres of a slide. Of a turn within a whole one; of a swing [0, upper]
};

struct ReachChain {
  std::vector<ChainMotion> motions;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< p, in the frame of the last motion (the world without any)
  std::string unbounded;                            ///< the first joint that can slide without end; empty: none

  /// Every place lies within `radius` of the centre, and no nearer than `least`.
  struct Ball {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double radius = 0.0, least = 0.0;
  };
  Ball ball() const;
  /// Of what hangs on motion i, moved by it: about the origin of the motion's frame.
  Ball ballOf(std::size_t motion) const;
};

/// moves: one a step coordinate, != 0 where it may change (followers with their drivers); what does not move stands as
/// in `pose`. The chain from the world comes first.
std::vector<ReachChain> reachChains(const IkProblem& problem, const Pose& pose, std::span<const char> moves, int link,
                                    const Eigen::Vector3d& pointInLink);

}  // namespace limber
