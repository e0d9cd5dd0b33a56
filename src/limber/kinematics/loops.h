// SPDX-License-Identifier: MIT
// The equations of closed kinematic loops (LoopClosure in kinematics/figure.h). With the point x and the axes of the
// frames on both sides, in the world,
//
//   ball    x_a - x_b                                      3 rows
//   hinge   x_a - x_b,  z_a - z_b                          6 rows, at most 5 of them independent
//   weld    x_a - x_b,  x axes,  y axes                    9 rows, at most 6 of them independent
//
// A difference of unit vectors is 2 sin(angle / 2) long: it is smooth and vanishes only where the axes coincide. Rows
// that depend on others are no fault; planar loops have many. docs/theory/loops.md derives what is done with them.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

/// How far a loop is from being closed.
struct LoopGap {
  double length = 0.0;  ///< metres between the two points
  double angle = 0.0;   ///< radians between the axes of a hinge, or the frames of a weld; 0 for a ball

  bool isClosed() const { return length <= kLength && angle <= kAngle; }  // false for NaN
  static constexpr double kLength = 1e-9, kAngle = 1e-6;
  bool operator==(const LoopGap&) const = default;
};

/// At these transforms.
LoopGap gapOf(const LoopClosure& loop, const Kinematics& kinematics);

/// The largest length and the largest angle of all loops of a pose.
LoopGap largestGap(const Figure& figure, const Pose& pose);

/// The links whose joints move the two sides of a loop relative to each other, ascending.
std::vector<int> linksAround(const Figure& figure, const LoopClosure& loop);
/// True if a step coordinate with a mark (one per step coordinate) is among those of linksAround().
bool isMovedBy(const Figure& figure, const LoopClosure& loop, std::span<const char> marks);

/// Number of rows.
int equationCount(LoopClosure::Kind kind);

/// The equations of some loops of a figure. Points are divided by the figure's mean link length.
class LoopEquations {
 public:
  LoopEquations() = default;
  /// The figure must outlive the object.
  LoopEquations(const Figure& figure, std::vector<int> loops);

  std::span<const int> loops() const { return loops_; }
  int rowCount() const { return rowCount_; }

  /// r (rows x 1); the transforms must be those of the pose.
  void computeResidual(const Kinematics& kinematics, Eigen::VectorXd& residual) const;
  /// d r / d step (rows x stepSize); transforms and twists must be those of the pose. A follower counts as a coordinate
  /// of its own. Columns of joints that move both sides alike are zero: they turn r, but do not change its length.
  void computeJacobian(const Kinematics& kinematics, Eigen::MatrixXd& jacobian) const;

 private:
  const Figure* figure_ = nullptr;
  std::vector<int> loops_;
  std::vector<std::vector<int>> linksAround_;  ///< by loop
  int rowCount_ = 0;
};

}  // namespace limber
