// SPDX-License-Identifier: MIT
// Tight kinematics of a tree of hinges, for peers that bring an optimiser but no figure: the residual of a pose and its
// exact derivatives, in flat arrays.
//
//   r = (x - x*; s log(R*' R)) for each target,   f = 1/2 |r|^2,   s in metres a radian
//   d x = a x (x - p),   d log = Jl^-1 a,   with the hinge's axis a through p
#pragma once

#include <random>

#include "bench/peers/contest.h"

namespace limber::bench {

class HingeModel {
 public:
  /// True when every joint is a hinge and nothing couples them.
  static bool fits(const Figure& figure);

  /// turnScale is s.
  void build(const Figure& figure, double turnScale);
  void setTargets(std::span<const FrameTarget> targets) { targets_ = targets; }

  int size() const { return static_cast<int>(hinges_.size()); }
  int residualSize() const;
  const Eigen::VectorXd& lower() const { return lower_; }
  const Eigen::VectorXd& upper() const { return upper_; }

  void computeFrames(const double* q);
  /// After computeFrames. residual (residualSize), jacobian (residualSize x size, row-major) or null.
  void computeResidual(double* residual, double* jacobian) const;
  /// After computeFrames; gradient (size) or null. One sweep from the leaves.
  double computeObjective(double* gradient);
  /// After computeFrames: true when every target is met with a margin.
  bool isSolved(double length, double angle) const;
  bool isInside(const double* q) const;

  /// Uniform within the limits; unlimited hinges within half a turn.
  void drawStart(std::mt19937& random, double* q) const;
  /// Brings angles that went round back by whole turns, where the limits are.
  void wrap(double* q) const;

 private:
  struct Hinge {
    int parent = -1;
    bool isTurned = false;  ///< the joint frame is turned in its parent
    Transform parentFromJoint;
    Eigen::Vector3d axis;
  };
  Eigen::Vector3d turnOf(const FrameTarget& target) const;  ///< log(R*' R) in world axes

  std::vector<Hinge> hinges_;
  std::vector<Transform> frames_;      ///< of the links
  std::vector<Eigen::Vector3d> axes_;  ///< in the world
  std::vector<Vector6d> wrenches_;     ///< (moment about the world's origin; force)
  std::span<const FrameTarget> targets_;
  Eigen::VectorXd lower_, upper_;
  double turnScale_ = 1.0;
};

/// Most random starts after the first that an entrant may take.
inline constexpr int kMaxRestarts = 100;

}  // namespace limber::bench
