// SPDX-License-Identifier: MIT
// The README's use of the library, word for word, and a check that it solved.
#include <cstdlib>
#include <memory>
#include <vector>

#include <limber/goals/position_goal.h>
#include <limber/kinematics/standard_figures.h>
#include <limber/solvers/registry.h>

int main() {
  auto figure = limber::makePlanarChain(4);
  std::vector<std::unique_ptr<limber::Goal>> goals;
  goals.push_back(
      std::make_unique<limber::PositionGoal>(3, Eigen::Vector3d::UnitX(), Eigen::Vector3d(3, 1, 0), 1e3, 1.0));
  limber::Pose pose = limber::restPose(*figure);
  limber::Objective objective(figure, std::move(goals), limber::Regulariser(*figure, pose, 1.0, std::vector<double>(4)),
                              limber::FeasibleSet(*figure, limber::limitsOf(*figure)), {0, 1, 2, 3});
  limber::Workspace workspace;
  const limber::Solver& newton = *limber::findSolver("newton");
  limber::Summary summary = newton.solve(objective, pose, limber::defaultOptions(newton), workspace);
  return summary.status == limber::SolveStatus::Converged ? EXIT_SUCCESS : EXIT_FAILURE;
}
