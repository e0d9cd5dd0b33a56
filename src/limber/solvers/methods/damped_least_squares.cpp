// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/damped_least_squares.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/bounded_step.h"

namespace limber {

namespace {

constexpr OptionInfo kDampedLeastSquaresOptions[] = {
    option<&DampedLeastSquaresOptions::damping>("damping", "Damping", "of the diagonal", 0.0, 1e3,
                                                "mu in J'J + mu diag(max(floor, diag J'J)).", kLogarithmic),
    option<&DampedLeastSquaresOptions::diagonalFloor>(
        "diagonalFloor", "Least diagonal", "", 1e-15, 1.0,
        "floor in J'J + mu diag(max(floor, diag J'J)): damps coordinates that move no goal.", kLogarithmic),
    option<&DampedLeastSquaresOptions::relaxation>("relaxation", "Relaxation", "", 1e-3, 1.0,
                                                   "relax in theta - relax d: the part of the step that is taken."),
    option<&DampedLeastSquaresOptions::moveRoot>(
        "moveRoot", "Move the root joint", "", 0, 1,
        "On: the joints of links that hang on the world move, too. Off: they stay, as in the source."),
    kIterationCap<&DampedLeastSquaresOptions::maxIterations>,
    option<&DampedLeastSquaresOptions::tolerance>("tolerance", "Tolerance", "rad", 0.0, 1.0,
                                                  "Stops when no coordinate moves by more than this in one step.",
                                                  kLogarithmic),
};
constexpr SolverInfo kDampedLeastSquaresInfo{
    .name = "dls",
    .title = "Damped least squares",
    .description =
        "J. Gregson's solver: rotation vectors, damping by the diagonal of J'J; every step is shortened to "
        "three quarters and taken untested. The root joint stays unless moveRoot is on.",
    .limits = LimitHandling::None,
    .options = kDampedLeastSquaresOptions,
    .needsDenseHessian = true,
    .isMonotone = false,
};

struct DampedLeastSquaresMemory final : SolverMemory {
  Eigen::MatrixXd hessian;  ///< (active x active)
  Eigen::PartialPivLU<Eigen::MatrixXd> factors;
  std::vector<Residual> multipliers;  ///< per goal: zero, so that the matrix is J'J
};

class DampedLeastSquaresRun : public SolverRun<DampedLeastSquaresOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    clearMultipliers(objective_, memory_.multipliers);
    while (objective_.activeCount() > 0) {
      if (loop_.iterationsOfPhase() >= options_.maxIterations) return SolveStatus::IterationCap;
      if (!findStep()) return SolveStatus::Stalled;
      const double moved = stepNorm(objective_, workspace_.direction);
      moveTrial();
      if (!std::isfinite(loop_.evaluateTrial())) return SolveStatus::Stalled;
      loop_.acceptTrial();
      const bool mayGoOn = loop_.endIteration(moved, options_.damping);
      if (moved <= options_.tolerance) return SolveStatus::Converged;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::Converged;
  }

 private:
  /// Sets direction = -relax d, in theta. False if the system has no finite solution.
  bool findStep() {
    Eigen::MatrixXd& a = memory_.hessian;
    Eigen::VectorXd& b = workspace_.projected;
    objective_.computeHessian(workspace_.current, memory_.multipliers, a, Curvature::GaussNewton);
    a /= largestWeight_;
    b = workspace_.gradient / largestWeight_;
    eachRotation(
        [&](int, Eigen::Index k, const Eigen::Vector3d& theta) { turnIntoTheta(k, rightJacobian(theta), a, b); });
    if (!options_.moveRoot) holdRoots(a, b);
    for (Eigen::Index k = 0; k < a.rows(); ++k) a(k, k) += options_.damping * std::max(options_.diagonalFloor, a(k, k));
    memory_.factors.compute(a);
    workspace_.direction = memory_.factors.solve(-b);
    workspace_.direction *= options_.relaxation;
    return workspace_.direction.allFinite();
  }

  /// a <- A'a A, b <- A'b, with A the identity except for one rotation's block.
  static void turnIntoTheta(Eigen::Index k, const Eigen::Matrix3d& block, Eigen::MatrixXd& a, Eigen::VectorXd& b) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) a.row(i).segment<3>(k) = (a.row(i).segment<3>(k) * block).eval();
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      a.col(j).segment<3>(k) = (block.transpose() * a.col(j).segment<3>(k)).eval();
    b.segment<3>(k) = (block.transpose() * b.segment<3>(k)).eval();
  }

  /// Removes the columns of joints whose parent is the world.
  void holdRoots(Eigen::MatrixXd& a, Eigen::VectorXd& b) const {
    const Figure& figure = objective_.figure();
    for (int i = 0; i < figure.linkCount(); ++i) {
      if (figure.link(i).parent >= 0) continue;
      const Joint& joint = figure.joint(i);
      for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
        const int k = objective_.activeIndex(c);
        if (k < 0) continue;
        a.row(k).setZero();
        a.col(k).setZero();
        b[k] = 0.0;
      }
    }
  }

  /// The trial pose: theta + direction, within the limits.
  void moveTrial() {
    const Figure& figure = objective_.figure();
    workspace_.step.setZero(figure.stepSize());
    for (int k = 0; k < objective_.activeCount(); ++k)
      workspace_.step[objective_.active()[k]] = workspace_.direction[k];
    eachRotation([&](int joint, Eigen::Index, const Eigen::Vector3d&) {
      workspace_.step.segment<3>(rotationIndex(figure.joint(joint))).setZero();
    });
    integrate(figure, pose_, workspace_.step, workspace_.trialPose);
    eachRotation([&](int joint, Eigen::Index k, const Eigen::Vector3d& theta) {
      setJointRotation(figure, joint, exponential(theta + workspace_.direction.segment<3>(k)), workspace_.trialPose);
    });
    objective_.feasibleSet().project(workspace_.trialPose);
  }

  static int rotationIndex(const Joint& joint) { return joint.stepIndex + scalarCount(joint); }

  /// visit(joint, first active coordinate, theta) for every active rotation.
  template <typename Visit>
  void eachRotation(const Visit& visit) const {
    const Figure& figure = objective_.figure();
    for (int i = 0; i < figure.linkCount(); ++i) {
      const Joint& joint = figure.joint(i);
      if (!hasRotation(joint)) continue;
      if (const int k = objective_.activeIndex(rotationIndex(joint)); k >= 0)
        visit(i, k, logarithm(jointRotation(figure, pose_, i)));
    }
  }

  DampedLeastSquaresMemory& memory_ = workspace_.memoryOf<DampedLeastSquaresMemory>();
  const double largestWeight_ = largestWeight(objective_);
};

}  // namespace

Eigen::Matrix3d rightJacobian(const Eigen::Vector3d& theta) {
  const double phi = theta.norm();
  // (1 - cos) / phi^2 and (phi - sin) / phi^3, by series where they cancel
  const double first = phi < 1e-2 ? 0.5 - phi * phi / 24.0 : (1.0 - std::cos(phi)) / (phi * phi);
  const double second = phi < 1e-2 ? 1.0 / 6.0 - phi * phi / 120.0 : (phi - std::sin(phi)) / (phi * phi * phi);
  const Eigen::Matrix3d cross = skew(theta);
  return Eigen::Matrix3d::Identity() - first * cross + second * cross * cross;
}

const TypedSolver<DampedLeastSquaresOptions>& DampedLeastSquaresOptions::solver() {
  static const TypedSolver solver(kDampedLeastSquaresInfo, iterate<DampedLeastSquaresRun>);
  return solver;
}

}  // namespace limber
