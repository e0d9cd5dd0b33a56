// SPDX-License-Identifier: MIT
// The default solver on trees in space: drags, warm starts, a thousand links, hostile numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"

namespace limber::tree_newton_test {
namespace {

const Solver& newton() { return *findSolver("newton"); }

/// One objective per event: targets that move by a few millimetres each time.
std::vector<std::unique_ptr<Objective>> makeDrag(const std::shared_ptr<const Figure>& figure, int events,
                                                 double stretch = 1.0) {
  std::vector<std::unique_ptr<Objective>> drag;
  const Pose rest = test::bentPose(*figure, 0.3, 0.0);
  for (int event = 0; event < events; ++event)
    drag.push_back(std::make_unique<Objective>(test::makeReachObjective(
        figure, test::limbEnds(*figure), test::bentPose(*figure, 0.3, 0.01 * (event + 1)), rest, stretch)));
  return drag;
}

struct Played {
  Pose pose;
  int iterations = 0, converged = 0;
  std::vector<double> objectives;
};

Played play(const std::vector<std::unique_ptr<Objective>>& drag, Start start) {
  Workspace workspace;
  Played played{test::bentPose(drag.front()->figure(), 0.3, 0.0)};
  for (const auto& objective : drag) {
    const Summary summary = newton().solve(*objective, played.pose, defaultOptions(newton()), workspace, {}, start);
    played.iterations += summary.iterations();
    played.converged += summary.status == SolveStatus::Converged;
    played.objectives.push_back(summary.objective);
  }
  return played;
}

TEST(TreeNewton, AWarmDragOutOfReachNeedsFarFewerIterations) {
  for (const auto& [joints, limbs] : {std::pair{23, 3}, {61, 5}}) {
    const auto drag = makeDrag(test::makeHingeTree(joints, limbs, true), 40, 2.0);
    const Played cold = play(drag, Start::Here), warm = play(drag, Start::Warm);
    EXPECT_EQ(warm.converged, 40);
    EXPECT_LT(2 * warm.iterations, cold.iterations);
  }
}

TEST(TreeNewton, AWarmDragTakesThreeIterationsAnEventAndEndsAtTheSamePoses) {
  for (const auto& [joints, limbs] : {std::pair{23, 3}, {61, 5}, {200, 1}}) {
    const auto drag = makeDrag(test::makeHingeTree(joints, limbs, true), 40);
    const Played cold = play(drag, Start::Here), warm = play(drag, Start::Warm);
    EXPECT_EQ(cold.converged, 40);
    EXPECT_EQ(warm.converged, 40);
    EXPECT_LE(warm.iterations, cold.iterations);
    EXPECT_LE(warm.iterations, 40 * 3) << joints;
    for (std::size_t i = 0; i < drag.size(); ++i)
      EXPECT_NEAR(warm.objectives[i], cold.objectives[i], 1e-9 * cold.objectives[i]) << joints << ", event " << i;
    EXPECT_LT((warm.pose.coordinates - cold.pose.coordinates).cwiseAbs().maxCoeff(), 1e-4);
  }
}

TEST(TreeNewton, TheSameSequenceOfWarmSolvesGivesTheSameBits) {
  const auto drag = makeDrag(test::makeHingeTree(40, 3, true), 25);
  const Played first = play(drag, Start::Warm), second = play(drag, Start::Warm);
  EXPECT_TRUE(first.pose == second.pose);
  EXPECT_EQ(first.objectives, second.objectives);
}

TEST(TreeNewton, AWarmStartOfAnotherProblemDoesNoHarm) {
  const auto small = makeDrag(test::makeHingeTree(10, 1, true), 1),
             large = makeDrag(test::makeHingeTree(30, 4, true), 1);
  Workspace workspace;
  Pose pose = test::bentPose(small.front()->figure(), 0.3, 0.0);
  newton().solve(*small.front(), pose, defaultOptions(newton()), workspace);
  pose = test::bentPose(large.front()->figure(), 0.3, 0.0);
  const Summary summary = newton().solve(*large.front(), pose, defaultOptions(newton()), workspace, {}, Start::Warm);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
}

TEST(TreeNewton, AWarmDragAllocatesNothing) {
  const auto drag = makeDrag(test::makeHingeTree(61, 5, true), 6);
  Workspace workspace;
  const OptionValues options = defaultOptions(newton());
  Pose pose = test::bentPose(drag.front()->figure(), 0.3, 0.0);
  newton().solve(*drag[0], pose, options, workspace);
  const std::size_t before = test::allocationCount();
  for (std::size_t i = 1; i < drag.size(); ++i) newton().solve(*drag[i], pose, options, workspace, {}, Start::Warm);
  EXPECT_EQ(test::allocationCount() - before, 0u);
}

TEST(TreeNewton, AThousandLinksConvergeAtTheRoundingFloorAndStayThere) {
  for (const int limbs : {1, 6}) {
    const auto figure = test::makeHingeTree(1000, limbs, true);
    const Objective objective = test::makeReachObjective(
        figure, test::limbEnds(*figure), test::bentPose(*figure, 0.3, 0.05), test::bentPose(*figure, 0.3, 0.0));
    Workspace workspace;
    Pose pose = test::bentPose(*figure, 0.3, 0.0);
    const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace);
    EXPECT_EQ(summary.status, SolveStatus::Converged);
    EXPECT_LE(summary.iterations(), 60);
    for (std::size_t i = 1; i < workspace.history.size(); ++i)
      EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective) << "iteration " << i;
    Pose again = pose;
    const Summary second = newton().solve(objective, again, defaultOptions(newton()), workspace, {}, Start::Warm);
    EXPECT_EQ(second.status, SolveStatus::Converged);
    EXPECT_LE(second.iterations(), 2);
    EXPECT_LE(second.objective, summary.objective);
    EXPECT_LT((again.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-5);
  }
}

/// Levers of hundreds of links make the goal ten orders stiffer than the pull.
TEST(TreeNewton, AThousandBallsWithAPullConverge) {
  const auto figure = makeBallChain(1000);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(999, Eigen::Vector3d::UnitY(), Eigen::Vector3d(200.0, -300.0, 400.0),
                                                 1000.0, 1.0));
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  std::iota(active.begin(), active.end(), 0);
  const Objective objective(figure, std::move(goals),
                            Regulariser(*figure, restPose(*figure), 1.0, std::vector<double>(1000, 0.0)),
                            FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
  Workspace workspace;
  Pose pose = restPose(*figure);
  const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_LE(summary.iterations(), 40);
}

/// A pull a million times weaker than the goal, or weaker, leaves the Hessian nearly singular. A step is rounding then,
/// and its predicted decrease may be negative: this is not a minimum.
TEST(TreeNewton, ConvergesAtKuhnTuckerPointsAloneWhereThePullIsWeak) {
  std::mt19937 random(91);
  const auto figure = makeBallChain(6);
  const Pose rest = restPose(*figure);
  const std::vector<double> rigidities(6, 0.0);
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  std::iota(active.begin(), active.end(), 0);
  const Eigen::Vector3d tip = figure->meanLinkLength() * Eigen::Vector3d::UnitX();
  int converged = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Kinematics there;
    computeTransforms(*figure, test::randomPose(*figure, random), there);
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(
        std::make_unique<PositionGoal>(5, tip, there.worldFromLink[5] * tip, 1e3, figure->meanLinkLength()));
    const Objective objective(figure, std::move(goals), Regulariser(*figure, rest, 1e-6, rigidities),
                              FeasibleSet(*figure, limitsOf(*figure)), active);
    Pose pose = rest;
    Workspace workspace;
    const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    const double f = objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.computeHessian(evaluation, hessian);
    const double left = 0.5 * gradient.squaredNorm() / hessian.cwiseAbs().rowwise().sum().maxCoeff();
    EXPECT_LE(left, 1e-12 * f + 10.0 * evaluation.rounding) << "trial " << trial;
  }
  EXPECT_GE(converged, 100);
}

/// A root joint of the given type with two links of a metre on hinges.
std::shared_ptr<const Figure> makeTravellingArm(JointType root, const Interval& range = {}) {
  FigureBuilder builder("travelling arm");
  int link = builder.addLink({.name = "base"},
                             {.name = "travel", .type = root, .axis = Eigen::Vector3d::UnitX(), .limits = range});
  for (const char* name : {"upper", "lower"})
    link = builder.addLink({.name = name, .parent = link},
                           {.name = name,
                            .type = JointType::Revolute,
                            .parentFromJoint = Transform::fromTranslation({link > 0 ? 1.0 : 0.0, 0, 0}),
                            .axis = Eigen::Vector3d::UnitZ()});
  return test::built(builder);
}

Objective makeFarReach(const std::shared_ptr<const Figure>& figure, const Eigen::Vector3d& target) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(figure->linkCount() - 1, Eigen::Vector3d::UnitX(), target, 1e3,
                                                 figure->meanLinkLength()));
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
  return Objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), 1e-6, rigidities),
                   FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
}

TEST(TreeNewton, LengthsGoAsFarAsTheirGoalsAsk) {
  constexpr int kMostIterations = 30;  // half a link per iteration would take hundreds
  constexpr double kReached = 1e-3;    // mean links
  for (const JointType root : {JointType::Prismatic, JointType::Free})
    for (const double distance : {40.0, 100.0, 10000.0})
      for (const double height : {0.1, 1.0, -1.7}) {
        SCOPED_TRACE(testing::Message() << jointTypeName(root) << ", " << distance << " m, " << height << " m up");
        const auto figure = makeTravellingArm(root);
        const Objective objective = makeFarReach(figure, {distance, height, 0});
        Pose pose = restPose(*figure);
        Workspace workspace;
        const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace);
        EXPECT_EQ(summary.status, SolveStatus::Converged);
        EXPECT_LE(summary.iterations(), kMostIterations);
        Evaluation evaluation;
        objective.evaluate(pose, evaluation);
        EXPECT_LT(evaluation.residuals[0].norm(), kReached);
        for (std::size_t i = 1; i < workspace.history.size(); ++i)
          EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective);
      }
}

TEST(TreeNewton, ALengthStopsAtItsLimitAndTheArmDoesTheRest) {
  const auto figure = makeTravellingArm(JointType::Prismatic, {-1.0, 39.0});
  const Objective objective = makeFarReach(figure, {40.0, 0.5, 0});
  Pose pose = restPose(*figure);
  Workspace workspace;
  const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_LE(summary.iterations(), 30);
  EXPECT_LE(pose.coordinates[0], 39.0);
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  EXPECT_LT(evaluation.residuals[0].norm(), 1e-3);
}

TEST(TreeNewton, HostileNumbersGiveNoNaN) {
  const auto figure = test::makeHingeTree(30, 3);
  const std::vector<int> ends = test::limbEnds(*figure);
  const Pose rest = test::bentPose(*figure, 0.3, 0.0);
  for (const double scale : {1e-300, 1e-12, 1e12, 1e150, 1e300})
    for (const double weight : {1e-300, 1.0, 1e300}) {
      std::vector<std::unique_ptr<Goal>> goals;
      for (const int end : ends)
        goals.push_back(std::make_unique<PositionGoal>(end, Eigen::Vector3d(0, 0.1, 0),
                                                       scale * Eigen::Vector3d(1, 2, 3), weight, 0.1));
      std::vector<int> active;
      for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
      const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
      const Objective objective(figure, std::move(goals), Regulariser(*figure, rest, 1.0, rigidities),
                                FeasibleSet(*figure, limitsOf(*figure)), active);
      Workspace workspace;
      Pose pose = test::bentPose(*figure, 1e3, 0.1);
      for (const Start start : {Start::Here, Start::Warm}) {
        const Summary summary = newton().solve(objective, pose, defaultOptions(newton()), workspace, {50}, start);
        EXPECT_TRUE(pose.coordinates.allFinite()) << scale << " " << weight;
        if (summary.status != SolveStatus::BadInput) {
          EXPECT_LE(summary.objective, summary.objectiveBefore);
        }
      }
    }
}

}  // namespace
}  // namespace limber::tree_newton_test
