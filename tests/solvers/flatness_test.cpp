// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/flatness.h"

#include <gtest/gtest.h>

#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"
#include "support/repetitions.h"

namespace limber::flatness_test {
namespace {

constexpr double kPart = 1e-12;  // of f; see isFlat
constexpr double kRoundings = 10.0;

/// The least decrease of f left at a flat pose, |P g|^2 / 2 |H|, divided by the allowed one.
double leftOver(const Objective& objective, Evaluation& evaluation, const FreeSpace& space, Eigen::VectorXd gradient) {
  Eigen::MatrixXd hessian;
  objective.computeHessian(evaluation, hessian);
  space.project(gradient);
  const double norm = hessian.cwiseAbs().rowwise().sum().maxCoeff();
  return 0.5 * gradient.squaredNorm() / norm / (kPart * evaluation.objective + kRoundings * evaluation.rounding);
}

/// Tests at each iterate.
class Asking final : public Observer {
 public:
  explicit Asking(const Objective& objective) : objective_(objective) {}

  bool onIteration(const IterationRecord&, const Pose& pose) override {
    objective_.evaluate(pose, at_.current);
    objective_.computeGradient(at_.current, at_.gradient);
    objective_.feasibleSet().findFreeSpace(pose, at_.gradient, at_.freeSpace);
    isFlatNow_ = isFlat(objective_, at_, memory_);
    if (isFlatNow_) {
      EXPECT_LE(leftOver(objective_, at_.current, at_.freeSpace, at_.gradient), 1.0);
    }
    asked_ += 1;
    return true;
  }
  int asked() const { return asked_; }
  bool isFlatNow() const { return isFlatNow_; }

 private:
  const Objective& objective_;
  Workspace at_;
  FlatnessMemory memory_;
  int asked_ = 0;
  bool isFlatNow_ = false;
};

/// The iterates of a solver have all degrees of flatness.
TEST(Flatness, IsSaidOfNoPlaceFromWhichFCanStillFall) {
  const int kTrials = test::repetitions(120, 20);
  std::mt19937 random(61);
  int asked = 0, ends = 0, flatEnds = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 3 + trial % 10});
    const Objective objective = test::makeLimitedObjective(figure, 1 + trial % 3, trial % 2 == 0, random, true);
    const Pose start = test::randomPose(*figure, random);
    for (const char* name : {"newton", "lm", "lbfgs"}) {
      const Solver& solver = *findSolver(name);
      Workspace workspace;
      Asking asking(objective);
      Pose pose = start;
      const Summary summary =
          solver.solve(objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &asking);
      asked += asking.asked();
      if (summary.status != SolveStatus::Converged || asking.asked() == 0) continue;
      ends += 1;
      flatEnds += asking.isFlatNow();
    }
  }
  EXPECT_GT(asked, 25 * kTrials);
  EXPECT_GT(ends, 5 * kTrials / 3);
  EXPECT_GE(flatEnds, 0.98 * ends);
}

}  // namespace
}  // namespace limber::flatness_test
