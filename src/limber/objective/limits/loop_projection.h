// SPDX-License-Identifier: MIT
// Closes the loops of a pose within limits and couplings, by the smallest steps that do. With r the equations of the
// loops (kinematics/loops.h), J their Jacobian by the active coordinates (followers folded into their drivers), and P
// the projector onto the directions that the limits leave free,
//
//   s = -P J' (J P J' + damping)^-1 r,     q <- project(q + s)
//
// which is the step of least norm that closes the loops to first order (Levenberg 1944). Damping grows only where a
// step does not bring the sides nearer; at its least value it regularises equations that depend on each other.
// docs/theory/loops.md derives it.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Cholesky>

#include "limber/kinematics/loops.h"
#include "limber/objective/limits/feasible_set.h"

namespace limber {

class LoopProjection {
 public:
  LoopProjection() = default;
  /// active: step coordinates that may move, ascending, without followers. Loops that they do not move are ignored.
  LoopProjection(std::shared_ptr<const Figure> figure, FeasibleSet feasibleSet, const std::vector<int>& active);

  /// True if the active coordinates move no loop.
  bool isEmpty() const { return equations_.rowCount() == 0; }
  const std::vector<int>& active() const { return active_; }

  /// Moves a valid pose to a near one within limits in which the loops are closed, or as nearly closed as was found.
  /// False if a loop that the active coordinates move is then open (LoopGap::isClosed), or a limit is exceeded.
  bool close(Pose& pose);

  /// Moves a closed pose along closed poses within limits toward `wanted`, to the nearest one in the neighbourhood. The
  /// distance is the length of the step between two poses, in radians and mean link lengths.
  void approach(const Pose& wanted, Pose& pose);

  /// d r / d step by the active coordinates at a pose (rows x active), followers folded into their drivers.
  void jacobianAt(const Pose& pose, Eigen::MatrixXd& jacobian);

  /// Number of independent equations at a pose, in the active coordinates and without limits.
  int rankAt(const Pose& pose);

 private:
  static constexpr int kMaxSteps = 100;
  static constexpr int kMaxHolds = 20;
  static constexpr int kMaxApproaches = 30;
  static constexpr double kLeastDamping = 1e-13;  // of the mean diagonal entry
  static constexpr double kMostDamping = 1e6;
  static constexpr double kFirstDamping = 1e-6;  // after a step that did not help
  static constexpr double kMostTurn = 0.5;       // radians or mean link lengths: farther, the linear model is poor
  static constexpr double kRounding = 1e-14;     // of |r|: smaller residuals are rounding
  static constexpr double kNear = 1e-4;          // of |r|: the factors hold for another step
  static constexpr double kHelps = 0.9999;       // a step that leaves more of |r| does not help
  static constexpr double kAtLimit = 1e-11;      // radians, metres
  static constexpr double kKept = 1e-9;          // a larger violation of a limit is reported
  static constexpr double kRankThreshold = 1e-7;
  static constexpr double kStill = 1e-7;  // radians, mean link lengths: approach() ends at smaller steps

  double evaluate(const Pose& pose);
  void linearise(const Pose& pose);
  bool factor(double damping);
  bool findStep(const Pose& pose, double damping);
  bool stepAgain(Pose& pose, double& size);
  bool findApproach(const Pose& pose);
  void integrateActive(const Pose& pose, double part, Pose& out);
  bool holdBlocked(const Pose& pose);

  std::shared_ptr<const Figure> figure_;
  FeasibleSet feasibleSet_;
  std::vector<int> active_;
  LoopEquations equations_;
  Kinematics kinematics_;
  FreeSpace space_;
  Pose trial_;
  Eigen::VectorXd residual_, residualBefore_, gradient_, step_, activeStep_, row_, forces_, toward_, way_;
  Eigen::MatrixXd jacobian_;  ///< (rows x stepSize)
  Eigen::MatrixXd whole_;     ///< (rows x active), lengths in mean link lengths
  Eigen::MatrixXd free_;      ///< the same within the free space
  Eigen::MatrixXd gram_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  Eigen::VectorXd units_;  ///< (active x 1): mean link length for lengths, 1 for angles
  std::vector<double> slopes_, curvatures_, crossCurvatures_;
};

/// All step coordinates but followers.
std::vector<int> independentCoordinates(const Figure& figure, const Couplings& couplings);

/// The step coordinates that move freely when couplings and loops hold.
struct Freedom {
  int coordinates = 0;  ///< without followers
  int lost = 0;         ///< independent equations of the loops, near the rest pose
  int left() const { return coordinates - lost; }
};
Freedom freedomOf(const std::shared_ptr<const Figure>& figure);

/// The figure with a rest pose that closes its loops within its limits, as nearly as was found. The same figure if its
/// rest pose closes them already.
std::shared_ptr<const Figure> closedAtRest(const std::shared_ptr<const Figure>& figure);

}  // namespace limber
