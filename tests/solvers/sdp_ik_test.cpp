// SPDX-License-Identifier: MIT
// SDP-IK by itself: global minima if its relaxation is tight, rank and gap, refusals.
#include "limber/solvers/methods/sdp_ik.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/goals/direction_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/registry.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"
#include "support/observed_figure.h"

namespace limber::sdp_ik_test {
namespace {

constexpr double kExact = 1e-5;   // mean link lengths: the refinement ends at a gradient of 1e-6
constexpr double kAsGood = 1e-6;  // of the cost: two solvers at one minimum

const Solver& sdpIk() { return *findSolver("sdp-ik"); }

Summary solve(const Objective& objective, Pose& pose, bool tightens = true) {
  Workspace workspace;
  return SdpIkOptions::solver().solve(objective, pose, SdpIkOptions{.tightens = tightens}, workspace);
}

std::vector<Relaxation::Point> everyLink(const Figure& figure) {
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure.linkCount(); ++i) points.push_back({i, {0.05, 0.2, -0.1}, 1.0});
  return points;
}

test::ObservedFigure observedTree(double noise, std::mt19937& random) {
  const auto figure = test::makeHingeTree(12, 3, true);
  return test::observe(figure, everyLink(*figure), noise, random);
}

/// Two hinges about z, each 1 m long, with a goal at the end.
test::ObservedFigure planarArm(const Interval& limits, const Eigen::Vector3d& target) {
  FigureBuilder builder("arm");
  int parent = -1;
  for (int i = 0; i < 2; ++i) {
    Joint joint{.type = JointType::Revolute, .axis = Eigen::Vector3d::UnitZ(), .limits = limits};
    joint.parentFromJoint = Transform::fromTranslation({i == 0 ? 0.0 : 1.0, 0.0, 0.0});
    parent = builder.addLink({.name = std::to_string(i), .parent = parent}, joint);
  }
  const std::shared_ptr<const Figure> figure = test::built(builder);
  return {figure, {{1, {1.0, 0.0, 0.0}, 1.0}}, restPose(*figure), {target}};
}

TEST(SdpIk, MeetsWhatAPoseMeetsWhereverItBegins) {
  std::mt19937 random(2);
  for (int i = 0; i < 10; ++i) {
    const test::ObservedFigure observed = observedTree(0.0, random);
    const Objective objective = observed.objective();
    Pose first = restPose(*observed.figure), second = test::samplePose(*observed.figure, random);
    const Summary summary = solve(objective, first);
    solve(objective, second);
    EXPECT_LT(observed.cost(first), kExact * observed.figure->meanLinkLength()) << i;
    EXPECT_TRUE(summary.relaxation.isTight) << i;
    EXPECT_GT(summary.relaxation.rank, 0) << i;
    EXPECT_EQ(first, second) << i << ": the pose that is there is no start";
  }
}

TEST(SdpIk, ATightRelaxationGivesTheMinimumThatTheGlobalSearchProves) {
  std::mt19937 random(3);
  const Solver& global = *findSolver("global");
  int tight = 0;
  for (int i = 0; i < 10; ++i) {
    const test::ObservedFigure observed = observedTree(0.02, random);
    const Objective objective = observed.objective();
    Pose pose = restPose(*observed.figure), best = pose;
    const Summary summary = solve(objective, pose);
    Workspace workspace;
    global.solve(objective, best, defaultOptions(global), workspace);
    const Certificate certificate = certify(objective, limitsOf(*observed.figure), best);
    EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0);
    EXPECT_NEAR(summary.relaxation.cost, observed.cost(pose), 1e-12);
    EXPECT_LE(summary.relaxation.leastCost, observed.cost(best) * (1.0 + 1e-9)) << "no bound of what global finds";
    EXPECT_TRUE(summary.relaxation.isTight || summary.relaxation.rank > 1) << i;
    if (!summary.relaxation.isTight) continue;
    ++tight;
    EXPECT_TRUE(certificate.isCertified) << i;
    EXPECT_NEAR(observed.cost(pose), observed.cost(best), kAsGood * observed.cost(best)) << i;
  }
  EXPECT_GE(tight, 5) << "nothing was tested";
}

TEST(SdpIk, OneHingeIsTightAndOfRankOne) {
  // The end of the first link beyond its reach: one pose is best, and E[q q'] of the best pose is all there is.
  test::ObservedFigure observed = planarArm({-1.0, 1.0}, {1.5, 1.0, 0.0});
  observed.points[0] = {0, {1.0, 0.0, 0.0}, 1.0};
  Pose pose = restPose(*observed.figure);
  const Summary summary = solve(observed.objective(), pose);
  EXPECT_EQ(summary.relaxation.rank, 1);
  EXPECT_TRUE(summary.relaxation.isTight);
  EXPECT_NEAR(summary.relaxation.cost, std::hypot(1.5, 1.0) - 1.0, 1e-9);
  EXPECT_NEAR(summary.relaxation.leastCost, summary.relaxation.cost, 1e-3);
  EXPECT_NEAR(pose.coordinates[0], std::atan2(1.0, 1.5), 1e-6);
}

TEST(SdpIk, SaysThatThePapersRelaxationIsNotTight) {
  // Within limits of 60 degrees about the stretched arm its end comes no nearer to the base than sqrt(3). The mean of
  // the two bends does: the relaxation meets the target, no pose does.
  const double limit = std::numbers::pi / 3.0;
  const test::ObservedFigure observed = planarArm({-limit, limit}, {1.5, 0.0, 0.0});
  Pose pose = restPose(*observed.figure);
  const Summary summary = solve(observed.objective(), pose, false);
  EXPECT_GT(summary.relaxation.rank, 1);
  EXPECT_FALSE(summary.relaxation.isTight);
  EXPECT_LT(summary.relaxation.leastCost, 0.5 * summary.relaxation.cost);
  EXPECT_NEAR(summary.relaxation.cost, observed.cost(pose), 1e-12);
  EXPECT_GT(summary.relaxation.cost, std::sqrt(3.0) - 1.5 - 1e-6);

  const Summary tightened = solve(observed.objective(), pose);
  EXPECT_GT(tightened.relaxation.leastCost, summary.relaxation.leastCost) << "the hull form has the higher bound";
}

TEST(SdpIk, TheBoundIsBelowWhatAnyPoseComesTo) {
  std::mt19937 random(5);
  for (int i = 0; i < 5; ++i) {
    const test::ObservedFigure observed = observedTree(0.3, random);
    for (const bool tightens : {false, true}) {
      Pose pose = restPose(*observed.figure);
      const Summary summary = solve(observed.objective(), pose, tightens);
      EXPECT_LE(summary.relaxation.leastCost, observed.cost(pose));
      EXPECT_LE(summary.relaxation.leastCost, observed.cost(observed.pose));
      EXPECT_EQ(summary.relaxation.isTight,
                std::pow(summary.relaxation.cost, 2) * 0.99 <= std::pow(summary.relaxation.leastCost, 2))
          << "far above what counts as exact";
    }
  }
}

TEST(SdpIk, IsNeverWorseThanThePoseThatItWasGiven) {
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    const test::ObservedFigure observed = observedTree(0.3, random);
    const Objective objective = observed.objective();
    Pose pose = restPose(*observed.figure);
    const Summary first = solve(objective, pose);
    EXPECT_LE(first.objective, first.objectiveBefore);
    const Summary again = solve(objective, pose);
    EXPECT_LE(again.objective, again.objectiveBefore);
    EXPECT_EQ(again.objectiveBefore, first.objective);
    EXPECT_EQ(again.relaxation.rank, first.relaxation.rank);
  }
}

TEST(SdpIk, SlicesGiveTheSameBitsAndSayWhatItSaysOnlyInTheEnd) {
  std::mt19937 random(11);
  const test::ObservedFigure observed = observedTree(0.1, random);
  const Objective objective = observed.objective();
  Pose whole = restPose(*observed.figure), pose = whole;
  const Summary once = solve(objective, whole);
  Workspace workspace;
  Summary summary;
  int slices = 0;
  for (Start begin = Start::Here;; begin = Start::Resume) {
    summary = sdpIk().solve(objective, pose, defaultOptions(sdpIk()), workspace, {4}, begin);
    ++slices;
    if (summary.status != SolveStatus::BudgetSpent) break;
    EXPECT_EQ(summary.relaxation.rank, 0);
  }
  EXPECT_GT(slices, 2);
  EXPECT_EQ(pose, whole);
  EXPECT_EQ(summary.status, once.status);
  EXPECT_EQ(summary.iterations(), once.iterations());
  EXPECT_EQ(summary.relaxation.rank, once.relaxation.rank);
  EXPECT_EQ(summary.relaxation.cost, once.relaxation.cost);
  EXPECT_EQ(summary.relaxation.leastCost, once.relaxation.leastCost);
}

TEST(SdpIk, AStoppedSolveKeepsThePoseAndSaysNothing) {
  struct StopAt final : Observer {
    int left;
    explicit StopAt(int count) : left(count) {}
    bool onIteration(const IterationRecord&, const Pose&) override { return --left > 0; }
  };
  std::mt19937 random(13);
  const test::ObservedFigure observed = observedTree(0.1, random);
  const Objective objective = observed.objective();
  for (const int count : {1, 5, 20, 40}) {
    StopAt stop(count);
    Pose pose = restPose(*observed.figure);
    Workspace workspace;
    const Summary summary = sdpIk().solve(objective, pose, defaultOptions(sdpIk()), workspace, {}, Start::Here, &stop);
    EXPECT_EQ(summary.status, SolveStatus::Cancelled) << count;
    EXPECT_LE(summary.objective, summary.objectiveBefore) << count;
    EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0) << count;
    EXPECT_EQ(summary.relaxation.rank, 0) << count;
  }
}

TEST(SdpIk, NamesWhatItRefuses) {
  std::mt19937 random(17);
  const test::ObservedFigure observed = observedTree(0.0, random);
  const Objective places = observed.objective();
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<DirectionGoal>(3, Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), 1.0, 1.0));
  const Objective direction(observed.figure, std::move(goals), places.regularisers()[0], places.feasibleSet(),
                            places.active());
  EXPECT_EQ(sdpIk().refusal(direction), "SDP-IK needs a position goal");
  Pose pose = restPose(*observed.figure);
  EXPECT_EQ(solve(direction, pose).status, SolveStatus::BadInput);
  EXPECT_EQ(pose, restPose(*observed.figure));

  std::string error;
  FigureBuilder slide("slide");
  slide.addLink({.name = "carriage"}, {.name = "rail", .type = JointType::Prismatic});
  const std::shared_ptr<const Figure> rail = slide.build(error);
  EXPECT_EQ(sdpIk().refusal(test::observe(rail, {{0, {1, 0, 0}, 1.0}}, 0.0, random).objective()),
            "SDP-IK does not support sliding joints; joint rail slides");

  FigureBuilder loose("loose");
  const int base = loose.addLink({.name = "base"}, {.name = "turn", .type = JointType::Revolute});
  loose.addLink({.name = "kite", .parent = base}, {.name = "float", .type = JointType::Free});
  const std::shared_ptr<const Figure> kite = loose.build(error);
  EXPECT_EQ(sdpIk().refusal(test::observe(kite, {{1, {1, 0, 0}, 1.0}}, 0.0, random).objective()),
            "SDP-IK supports free joints only at the root; joint float is not a root");
}

TEST(SdpIk, SaysNothingWhereNoJointMovesAPlace) {
  // The point stands on the axes of all hinges: there is no relaxation, and no pose is better than another.
  FigureBuilder builder("point");
  int parent = -1;
  for (int i = 0; i < 3; ++i)
    parent = builder.addLink({.name = std::to_string(i), .parent = parent},
                             {.type = JointType::Revolute, .axis = Eigen::Vector3d::Unit(i), .limits = {-1.0, 1.0}});
  const std::shared_ptr<const Figure> figure = test::built(builder);
  std::mt19937 random(19);
  const test::ObservedFigure still = test::observe(figure, {{2, {0, 0, 0}, 1.0}}, 0.1, random);
  Pose pose = restPose(*figure);
  const Summary summary = solve(still.objective(), pose);
  EXPECT_NE(summary.status, SolveStatus::BadInput);
  EXPECT_EQ(summary.relaxation.rank, 0);
  EXPECT_TRUE(std::isnan(summary.relaxation.leastCost));
}

}  // namespace
}  // namespace limber::sdp_ik_test
