// SPDX-License-Identifier: MIT
// An objective of a serial planar chain, reduced to arrays of numbers.
//
//   All active coordinates are hinges about +z or -z of the world without limits, on one path from the root;
//   all goals are position goals; every hinge has a regulariser.
//
// Locked joints between two active hinges make one rigid piece, whose projection is a segment from its own hinge to the
// next one, or, for the last piece, to the goal. With x_i the direction of segment i in the world,
//
//   f = sum over goals 1/2 w |e|^2 + sum over hinges 1/2 w_i (x_i - x_(i-1) - rest_i)^2 + constant,
//   e = sum over segments length_i (cos x_i, sin x_i), up to the goal's own,  - target.
#pragma once

#include <vector>

#include "limber/objective/objective.h"

namespace limber {

struct PlanarGoal {
  int segment = 0;                                   ///< the last segment that moves it
  Eigen::Vector2d end = Eigen::Vector2d::Zero();     ///< from the segment's hinge, in the segment's axes
  Eigen::Vector2d target = Eigen::Vector2d::Zero();  ///< from the first hinge, minus the residual's shift
  double weight = 0.0;                               ///< of |e|^2 / 2, e in metres

  /// Its point from the segment's hinge, in the world, for a segment of this direction.
  Eigen::Vector2d endAt(double sine, double cosine) const {
    return {end.x() * cosine - end.y() * sine, end.x() * sine + end.y() * cosine};
  }
};

class PlanarChain {
 public:
  /// Reads the chain from the objective, with the angles of locked joints from the pose. False if it is not such a
  /// chain.
  bool take(const Objective& objective, const Pose& pose);

  int count() const { return static_cast<int>(lengths_.size()); }  ///< of hinges and of segments
  const std::vector<double>& lengths() const { return lengths_; }
  const std::vector<double>& stiffnesses() const { return stiffnesses_; }
  const std::vector<double>& rests() const { return rests_; }
  const std::vector<PlanarGoal>& goals() const { return goals_; }
  double constant() const { return constant_; }
  double sign(int i) const { return hinges_[i].sign; }  ///< of the axis of hinge i along z
  double reach() const { return reach_; }               ///< sum of the lengths

  /// The direction of segment i, given that of the segment before (0 for the first) and the pose.
  double angle(int i, double before, const Pose& pose) const {
    const Hinge& hinge = hinges_[i];
    return before + (hinge.sign * pose.coordinates[hinge.poseIndex] + hinge.bend);
  }
  /// Sets the pose's coordinate of hinge i, given the directions of its segment and of the one before.
  void setCoordinate(int i, double before, double direction, Pose& pose) const {
    const Hinge& hinge = hinges_[i];
    pose.coordinates[hinge.poseIndex] = hinge.sign * ((direction - before) - hinge.bend);
  }

 private:
  struct Hinge {
    int poseIndex = 0, stepIndex = 0;
    double sign = 1.0;  ///< of its axis along z
    double bend = 0.0;  ///< angle from the segment before to this one at coordinate zero
  };

  bool mayTake(const Objective& objective) const;
  void findPath(const Objective& objective);
  bool takePieces(const Objective& objective, const Pose& pose);
  bool takeGoals(const Objective& objective, const Pose& pose);
  void takeSegments();
  void takeRegularisers(const Objective& objective, const Pose& pose);
  bool isSound(const Pose& pose) const;

  std::vector<int> path_;           ///< links from the root to the last active one
  std::vector<int> segmentOfLink_;  ///< by link: the last hinge at or above it on the path, -1 for none
  std::vector<Hinge> hinges_;
  std::vector<double> turns_;             ///< angle of the next hinge's frame within a piece
  std::vector<Eigen::Vector2d> offsets_;  ///< of a hinge in the frame of the piece before (the world for the first)
  std::vector<double> heights_;           ///< above the first hinge
  std::vector<double> lengths_, stiffnesses_, rests_;
  std::vector<PlanarGoal> goals_;
  Eigen::Vector3d base_ = Eigen::Vector3d::Zero();  ///< position of the first hinge, world
  double constant_ = 0.0, reach_ = 0.0;
  Eigen::VectorXd offsetScratch_;
};

}  // namespace limber
