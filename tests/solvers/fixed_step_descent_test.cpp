// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/fixed_step_descent.h"

#include <gtest/gtest.h>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::fixed_step_descent_test {
namespace {

const auto& descent = FixedStepDescentOptions::solver();

/// C of the lecture: the goal's position minus its target, one goal of weight w_max in links of length 1.
Eigen::Vector3d missOf(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  return evaluation.residuals[0];
}

TEST(FixedStepDescent, StepsByAlphaTimesTwoJTransposedC) {
  const Objective objective = test::makeChainObjective(4, {2, 1, 0}, 1e3, 0.0);
  const Pose start{Eigen::Vector4d(0.3, -0.2, 0.5, 0.1)};
  Eigen::Matrix<double, 3, 4> jacobian;
  constexpr double h = 1e-6, kCentral = 1e-8;  // central differences leave h^2 and rounding / h
  for (int j = 0; j < 4; ++j) {
    Pose ahead = start, behind = start;
    ahead.coordinates[j] += h;
    behind.coordinates[j] -= h;
    jacobian.col(j) = (missOf(objective, ahead) - missOf(objective, behind)) / (2.0 * h);
  }
  FixedStepDescentOptions options;
  options.relative = false;
  options.alpha = 0.003;
  for (const bool byDifferences : {false, true}) {
    options.finiteDifference = byDifferences;
    Pose pose = start;
    Workspace workspace;
    EXPECT_EQ(descent.solve(objective, pose, options, workspace, {1}).status, SolveStatus::BudgetSpent);
    const Eigen::Vector4d expected = start.coordinates - 0.003 * 2.0 * jacobian.transpose() * missOf(objective, start);
    EXPECT_LT((pose.coordinates - expected).cwiseAbs().maxCoeff(), byDifferences ? 1e-6 : kCentral);
  }
}

TEST(FixedStepDescent, StopsOnceTheSquaredDistanceIsWithinEpsilon) {
  for (const double epsilon : {1e-2, 1e-4, 1e-8})
    for (const bool byDifferences : {false, true}) {
      const Objective objective = test::makeChainObjective(3, {1.2, 1.5, 0}, 50.0, 0.0);
      FixedStepDescentOptions options;
      options.epsilon = epsilon;
      options.finiteDifference = byDifferences;
      Pose pose{Eigen::Vector3d(0.2, 0.1, 0.3)};
      double before = 0.0;  // |C|^2 one iteration earlier
      struct Watch final : Observer {
        Watch(const Objective& o, double& last) : objective(o), before(last) {}
        bool onIteration(const IterationRecord&, const Pose& p) override {
          before = now;
          now = missOf(objective, p).squaredNorm();
          return true;
        }
        const Objective& objective;
        double& before;
        double now = 1e9;
      } watch(objective, before);
      Workspace workspace;
      EXPECT_EQ(descent.solve(objective, pose, options, workspace, {}, Start::Here, &watch).status,
                SolveStatus::Converged);
      EXPECT_LE(missOf(objective, pose).squaredNorm(), epsilon);
      EXPECT_GT(before, epsilon) << "it went on beyond the test";
    }
}

TEST(FixedStepDescent, WeightAndSizeOfTheSceneDoNotChangeThePath) {
  // One goal, no pull: w falls out of C, and lengths are in links.
  Pose light{Eigen::Vector3d(0.2, 0.1, 0.3)}, heavy = light;
  Workspace workspace;
  const Objective one = test::makeChainObjective(3, {1, 1, 0}, 1.0, 0.0);
  const Objective thousand = test::makeChainObjective(3, {1, 1, 0}, 1000.0, 0.0);
  const int few = descent.solve(one, light, FixedStepDescentOptions{}, workspace).iterations();
  const int same = descent.solve(thousand, heavy, FixedStepDescentOptions{}, workspace).iterations();
  EXPECT_EQ(few, same);
  EXPECT_LT((light.coordinates - heavy.coordinates).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FixedStepDescent, AStepThatWouldRaiseTheObjectiveEndsTheSolve) {
  const Objective objective = test::makeChainObjective(10, {3, 4, 0});
  FixedStepDescentOptions options;
  options.relative = false;
  options.alpha = 1.0;  // 1 / |J|^2 is about 1 / 385
  Pose pose = restPose(objective.figure());
  const Pose start = pose;
  Workspace workspace;
  const Summary summary = descent.solve(objective, pose, options, workspace);
  EXPECT_EQ(summary.status, SolveStatus::Stalled);
  EXPECT_LE(summary.objective, summary.objectiveBefore);
}

TEST(FixedStepDescent, RelativeStepSuitsLongAndShortChains) {
  for (const int n : {2, 5, 20, 60}) {
    const Objective objective = test::makeChainObjective(n, {0.4 * n, 0.5 * n, 0}, 1e3, 0.0);
    Pose pose = restPose(objective.figure());
    FixedStepDescentOptions options;
    options.maxIterations = 1000000;
    Workspace workspace;
    const Summary summary = descent.solve(objective, pose, options, workspace);
    EXPECT_LT(summary.objective, 0.05 * summary.objectiveBefore) << n;
  }
}

/// A quadruped's front leg in the manner of the lecture: hip about x, thigh and shin about y, in metres; the toe is a
/// point of the shin's frame, as the lecture's p0.
TEST(FixedStepDescent, BringsALegsToeToADoorsCorner) {
  FigureBuilder builder("leg");
  const auto hinge = [](const char* name, const Eigen::Vector3d& place, const Eigen::Vector3d& axis) {
    return Joint{
        .name = name, .type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation(place), .axis = axis};
  };
  const int hip = builder.addLink({.name = "hip"}, hinge("hip", {0.07, 0.04, 0}, {1, 0, 0}));
  const int thigh = builder.addLink({.name = "thigh", .parent = hip}, hinge("thigh", {0, 0.05, 0}, {0, 1, 0}));
  const int shin = builder.addLink({.name = "shin", .parent = thigh}, hinge("shin", {-0.06, 0.01, -0.08}, {0, 1, 0}));
  const Eigen::Vector3d toe(0.062, 0.018, -0.062);
  builder.addSite({.name = "toe", .link = shin, .linkFromSite = Transform::fromTranslation(toe)});
  std::shared_ptr<const Figure> figure = test::built(builder);
  Pose there = restPose(*figure);
  there.coordinates << 0.4, -0.9, 0.7;
  Kinematics kinematics;
  computeTransforms(*figure, there, kinematics);
  const Eigen::Vector3d corner = kinematics.worldFromLink[2] * toe;
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(shin, toe, corner, 1.0, figure->meanLinkLength()));
  const Objective objective(figure, std::move(goals),
                            Regulariser(*figure, restPose(*figure), 0.0, std::vector<double>(3)),
                            FeasibleSet(*figure, limitsOf(*figure)), {0, 1, 2});
  FixedStepDescentOptions options;
  options.finiteDifference = true;
  Pose pose = restPose(*figure);
  Workspace workspace;
  EXPECT_EQ(descent.solve(objective, pose, options, workspace).status, SolveStatus::Converged);
  computeTransforms(*figure, pose, kinematics);
  EXPECT_LT((kinematics.worldFromLink[2] * toe - corner).norm(), 1e-3 * figure->meanLinkLength());
}

}  // namespace
}  // namespace limber::fixed_step_descent_test
