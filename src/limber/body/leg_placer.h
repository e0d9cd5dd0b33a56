// SPDX-License-Identifier: MIT
// Places the foot of a human body by the joints of its leg: first by the law of cosines at the knee and the shortest
// turn of the thigh, then by Gauss-Newton steps within the limits, which finish what limits and hinges leave.
#pragma once

#include <vector>

#include "limber/body/limited_joints.h"
#include "limber/body/sole.h"

namespace limber {

class LegPlacer {
 public:
  LegPlacer(const IkProblem& problem, const PoseParts& parts, const Sole& sole);

  /// False for a leg without thigh or shank, or with too many joints; it must not be placed then.
  bool isLeg() const { return thigh_ >= 0 && shank_ >= 0; }
  /// The link above the leg.
  int base() const { return base_; }
  /// The hip: the last link of the hip's row, whose origin the thigh begins at.
  int thigh() const { return thigh_; }
  int shank() const { return shank_; }
  /// From below base() to the foot.
  const std::vector<int>& links() const { return links_; }
  double upperLength() const { return upperLength_; }  ///< metres
  double lowerLength() const { return lowerLength_; }

  /// How much each point of the foot counts where not all of them can be placed.
  struct Weights {
    double heel = 1.0, ball = 1.0, side = 1.0;
  };

  /// Moves the joints of the leg until the foot has the wanted place and rotation, as far as their limits allow. Starts
  /// at `pose`, and so does not depend on other frames.
  ///
  /// worldFromBase  of the link above the leg
  /// wanted         of the foot, world
  void place(const Transform& worldFromBase, const Transform& wanted, const Weights& weights, Pose& pose);

  /// The rotation vector, world, by which the ankle's limits turn the foot away from its wanted rotation when the ankle
  /// is where it is wanted. Does not change a pose.
  Eigen::Vector3d turnByLimits(const Transform& worldFromBase, const Transform& wanted, Pose pose);

  /// After place(): the small shift of the link above the leg with which the points of weight 1 would be where they are
  /// wanted; zero if they are. World, metres.
  Eigen::Vector3d missingShift(const Transform& wanted, Weights weights, const Pose& pose);

  /// The foot after place().
  const Transform& worldFromFoot() const { return worldFromLink_.back(); }

 private:
  using Residual = Eigen::Matrix<double, 9, 1>;
  using Slopes = Eigen::Matrix<double, 9, Eigen::Dynamic, 0, 9, LimitedJoints::kMost>;

  void computeTransforms(const Pose& pose);
  void start(const Transform& wanted, Pose& pose);
  void turnTo(std::size_t entry, const Eigen::Matrix3d& world, Pose& pose);
  Residual residual(const Transform& wanted, const Weights& weights) const;
  Slopes slopes(const Weights& weights, bool movesBase) const;
  void improve(const Transform& wanted, const Weights& weights, bool movesBase, Pose& pose);

  const IkProblem& problem_;
  const Figure& figure_;
  Sole sole_;
  Eigen::Vector3d side_;        ///< a point beside the ankle, in the foot
  Eigen::Vector3d leftInBase_;  ///< to the body's left, in the link above the leg: a straight leg bends about it
  std::vector<int> links_;      ///< from below base() to the foot
  LimitedJoints joints_;        ///< of links_
  std::size_t thighEntry_ = 0, shankEntry_ = 0;
  int base_ = -1, thigh_ = -1, shank_ = -1;
  double upperLength_ = 0.0, lowerLength_ = 0.0;
  Transform worldFromBase_;
  std::vector<Transform> worldFromLink_, worldFromJoint_;  ///< by entry
};

}  // namespace limber
