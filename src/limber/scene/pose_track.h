// SPDX-License-Identifier: MIT
// Poses at times, and their interpolation. Rotations are interpolated in SO(3) along the shortest turn, and the angle
// of a hinge without limits takes the shorter turn (from 350 to 10 degrees through 0). The first and the last key hold
// before and after them.
//
// From pose a to b, h seconds later, with d the step from a to b and t in [0, 1]:
//
//   Linear   a (+) t d                                                       constant angular velocity
//   Smooth   a (+) B1(t) s1 (+) B2(t) s2 (+) B3(t) s3,                       s1 = h v_a / 3, s3 = h v_b / 3,
//            B1 = 1 - (1-t)^3, B2 = 3 t^2 - 2 t^3, B3 = t^3                  s2 = (a (+) s1)^-1 (b (+) -s3)
//
// the cubic Bezier curve in its cumulative form, for rotations that of Kim, Kim and Shin (1995, "A general construction
// scheme for unit quaternion curves with simple high order derivatives"). v is the velocity at a key: the mean of the
// velocities of the two adjoining intervals, each weighted by the other's duration; zero where these have opposite
// directions, and at most three times the slower one (Fritsch and Carlson 1980). A coordinate that is equal at two keys
// therefore stays constant between them, and a single coordinate never leaves the interval of its two keys. At the
// first and last key, v is the velocity of the only adjoining interval.
//
// A key with an ease of its own is blended by  a (+) e(t) d  to the next one, with e from timeline.h.
#pragma once

#include <memory>
#include <vector>

#include "limber/kinematics/pose.h"
#include "limber/scene/timeline.h"

namespace limber {

class PoseTrack {
 public:
  PoseTrack() = default;
  /// times: ascending, seconds, one for each pose. poses: valid. goesRound: by joint, 1 for a hinge without limits.
  /// eases: of the ways from each key to the next; empty if none has one of its own.
  PoseTrack(std::shared_ptr<const Figure> figure, std::vector<char> goesRound, Blend blend, std::vector<double> times,
            std::vector<Pose> poses, std::vector<Ease> eases = {});

  bool empty() const { return poses_.empty(); }
  /// The track must not be empty (asserted). Limits of ball joints and couplings are not applied.
  Pose at(double time) const;

  /// The step from one pose to the other, by the shorter turn for hinges without limits.
  Eigen::VectorXd stepBetween(const Pose& from, const Pose& to) const;

 private:
  Eigen::VectorXd velocityAt(std::size_t key) const;

  std::shared_ptr<const Figure> figure_;
  std::vector<char> goesRound_;
  Blend blend_ = Blend::Linear;
  std::vector<double> times_;
  std::vector<Pose> poses_;
  std::vector<Ease> eases_;
  struct Way {
    Eigen::VectorXd whole;                ///< d
    Eigen::VectorXd first, middle, last;  ///< s1, s2, s3; Smooth only
  };
  std::vector<Way> ways_;  ///< one per pair of successive keys
};

}  // namespace limber
