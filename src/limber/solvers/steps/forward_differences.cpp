// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/forward_differences.h"

namespace limber {

namespace {

constexpr double kForwardStep = 1e-7;  // radians, metres; from the assignment

struct ForwardDifferenceMemory final : SolverMemory {
  Evaluation moved;
  Pose pose;
  Eigen::VectorXd step;      ///< (stepSize x 1)
  Eigen::VectorXd gradient;  ///< (active x 1), of differences, or at the moved pose
  Eigen::MatrixXd hessian;   ///< (active x active), of differences
};

/// Moves the k-th active coordinate with its followers, regardless of limits.
void moveBy(const Objective& objective, const Pose& pose, int k, ForwardDifferenceMemory& memory) {
  memory.step.setZero(objective.figure().stepSize());
  memory.step[objective.active()[k]] = kForwardStep;
  integrate(objective.figure(), pose, memory.step, memory.pose);
  objective.feasibleSet().couplings().apply(memory.pose);
}

/// fmax ignores the NaN of a solve without a comparison yet.
template <typename Derived>
void note(const Eigen::MatrixBase<Derived>& analytic, const Eigen::MatrixBase<Derived>& difference,
          Workspace::Progress::Compared& compared) {
  if (analytic.size() == 0) return;
  compared.difference = std::fmax(compared.difference, (analytic - difference).cwiseAbs().maxCoeff());
  compared.entry = std::fmax(compared.entry, analytic.cwiseAbs().maxCoeff());
}

}  // namespace

void compareGradient(const Objective& objective, const Pose& pose, Workspace& workspace) {
  auto& memory = workspace.memoryOf<ForwardDifferenceMemory>();
  const double f = workspace.current.objective;
  memory.gradient.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) {
    moveBy(objective, pose, k, memory);
    memory.gradient[k] = (objective.evaluate(memory.pose, memory.moved) - f) / kForwardStep;
  }
  note(workspace.gradient, memory.gradient, workspace.progress.gradient);
}

void compareHessian(const Objective& objective, const Pose& pose, const Eigen::MatrixXd& hessian,
                    Workspace& workspace) {
  auto& memory = workspace.memoryOf<ForwardDifferenceMemory>();
  const int n = objective.activeCount();
  memory.hessian.resize(n, n);
  for (int k = 0; k < n; ++k) {
    moveBy(objective, pose, k, memory);
    objective.evaluate(memory.pose, memory.moved);
    objective.computeGradient(memory.moved, memory.gradient);
    memory.hessian.col(k) = (memory.gradient - workspace.gradient) / kForwardStep;
  }
  // The gradient at a moved pose is with respect to the axes there. For the axes of one rotation this adds half a
  // commutator, which is antisymmetric.
  memory.hessian = (0.5 * (memory.hessian + memory.hessian.transpose())).eval();
  note(hessian, memory.hessian, workspace.progress.hessian);
}

}  // namespace limber
