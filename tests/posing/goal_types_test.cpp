// SPDX-License-Identifier: MIT
// Every goal type through the document: derivatives on the awkward figure with couplings, the paper's potentials, what
// "reached" and "out of reach" mean for each, and messages about invalid goals.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/posing/potential.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"
#include "support/repetitions.h"

namespace limber::goal_types_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

V randomVector(std::mt19937& random, double size = 1.0) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Eigen::Matrix3d randomRotation(std::mt19937& random) {
  return exponential(randomVector(random, 2.0)).toRotationMatrix();
}

/// A goal of the type in which every number has an effect, near the awkward figure, which is far from the origin.
GoalItem randomGoal(GoalType type, const Figure& figure, std::mt19937& random) {
  GoalItem goal;
  goal.type = type;
  goal.id = 1;
  goal.link = 6;
  goal.pointInLink = randomVector(random, 0.3);
  goal.frameInLink = randomRotation(random);
  goal.target = V(40, -30, 20) + randomVector(random, 2.0);
  goal.targetFrame = randomRotation(random);
  goal.directionScale = {1.3, 0.7};
  goal.positionShare = 0.3;
  goal.otherLink = infoOf(type).other != OtherLink::None ? 9 : -1;
  goal.pointInOther = randomVector(random, 0.3);
  goal.frameInOther = randomRotation(random);
  goal.distance = {0.1, 0.2};
  if (infoOf(type).kept) goal.kept = test::randomPose(figure, random);
  goal.weight = 0.8;
  return goal;
}

TEST(GoalTypes, DerivativesAgreeOnTheCoupledAwkwardFigure) {
  std::mt19937 random(71);
  const auto figure = test::makeCoupledFigure();
  for (const GoalTypeInfo& info : goalTypes())
    for (int trial = 0; trial < 5; ++trial) {
      Document document = makeDocument(figure);
      document.pose = test::randomPose(*figure, random);
      document.goals = {randomGoal(info.type, *figure, random)};
      const DerivativeCheck check = checkDerivatives(document);
      EXPECT_EQ(check.fault, "") << info.name;
      EXPECT_LT(check.worstGradientError, 1e-7) << info.name << " " << check.worstGradientEntry;
      EXPECT_LT(check.worstHessianError, 1e-7) << info.name << " " << check.worstHessianEntry;
    }
}

TEST(GoalTypes, TogetherTheyAreSolvedWithoutEverRaisingTheObjective) {
  std::mt19937 random(72);
  const auto figure = test::makeCoupledFigure();
  for (int trial = 0; trial < test::repetitions(20, 3); ++trial) {
    Document document = makeDocument(figure);
    document.pose = test::randomPose(*figure, random);
    for (const GoalTypeInfo& info : goalTypes()) {
      document.goals.push_back(randomGoal(info.type, *figure, random));
      document.goals.back().id = static_cast<int>(document.goals.size());
    }
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_TRUE(isValid(*figure, document.pose));
    double last = report.summary.objectiveBefore;
    for (const IterationRecord& record : posing.history()) {
      EXPECT_LE(record.objective, last * (1 + 1e-12));
      last = record.objective;
    }
    double sum = 0.0;
    for (const GoalReport& goal : report.goals) sum += goal.objective;
    EXPECT_LE(sum, report.summary.objective * (1 + 1e-9)) << "shares of f, without the pull to rest";
    EXPECT_GT(sum, 0.5 * report.summary.objective);
  }
}

TEST(GoalTypes, PotentialsAreHalfOfThePapers) {
  std::mt19937 random(73);
  const auto figure = test::makeAwkwardFigure();
  for (const GoalTypeInfo& info : goalTypes()) {
    Document document = makeDocument(figure);
    document.pose = test::randomPose(*figure, random);
    Kinematics kinematics;
    computeTransforms(*figure, document.pose, kinematics);
    for (int trial = 0; trial < 10; ++trial) {
      const GoalItem goal = randomGoal(info.type, *figure, random);
      const auto paper = paperPotential(document, kinematics, goal);
      EXPECT_EQ(paper.has_value(), !info.equation.empty()) << info.name;
      // An aim is softened by 1e-3 units of length: the square of that, relative to a distance of order one.
      if (!paper) continue;
      EXPECT_NEAR(2.0 * potentialOf(document, kinematics, goal), *paper, 1e-5 * (1 + *paper)) << info.name;
    }
  }
}

/// One ball joint at the origin with a pointer of a metre along x, with a goal of the given type on its tip.
Document makePointer(GoalType type) {
  FigureBuilder builder("pointer");
  builder.addLink({.name = "pointer", .mass = 1.0, .centreOfMass = V(0.5, 0, 0)},
                  {.name = "ball", .type = JointType::Ball});
  builder.addSite({.name = "tip", .link = 0, .linkFromSite = Transform::fromTranslation(V(1, 0, 0))});
  std::string error;
  Document document = makeDocument(builder.build(error));
  document.goals.clear();
  document.solver.restWeight = 1e-6;
  GoalItem goal;
  goal.id = 1;
  goal.type = type;
  goal.pointInLink = V(1, 0, 0);
  document.goals.push_back(goal);
  return document;
}

GoalReport solved(Document& document) {
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.goals.size(), 1u) << report.sentence;
  return report.goals.empty() ? GoalReport{} : report.goals[0];
}

TEST(GoalTypes, AnglesAreReachedInRadiansAndLengthsInMetres) {
  Document document = makePointer(GoalType::Direction);
  document.goals[0].targetFrame = Eigen::AngleAxisd(2.0, V::UnitZ()).toRotationMatrix();
  GoalReport report = solved(document);
  EXPECT_TRUE(report.reached);
  EXPECT_EQ(report.error, 0.0);
  EXPECT_LT(report.angle, 1e-3);

  document = makePointer(GoalType::Plane);
  document.goals[0].target = V(0, 0.5, 0);
  document.goals[0].targetFrame = Eigen::AngleAxisd(std::numbers::pi / 2, V::UnitZ()).toRotationMatrix();  // x up
  report = solved(document);
  EXPECT_TRUE(report.reached);
  EXPECT_EQ(report.angle, 0.0);

  document = makePointer(GoalType::HalfSpace);
  document.goals[0].target = V(0, -0.5, 0);
  document.goals[0].targetFrame = Eigen::AngleAxisd(std::numbers::pi / 2, V::UnitZ()).toRotationMatrix();
  report = solved(document);
  EXPECT_TRUE(report.reached);
  EXPECT_EQ(report.objective, 0.0);
}

TEST(GoalTypes, OutOfReachIsSaidOfWhatLengthsProve) {
  const Eigen::Matrix3d up = Eigen::AngleAxisd(std::numbers::pi / 2, V::UnitZ()).toRotationMatrix();
  const auto isProved = [&](GoalType type, const V& target, const Interval& distance = {}) {
    Document document = makePointer(type);
    document.goals[0].target = target;
    document.goals[0].targetFrame = up;
    document.goals[0].distance = distance;
    const GoalReport report = solved(document);
    EXPECT_FALSE(report.outOfReach && report.reached);
    return report.outOfReach;
  };
  EXPECT_TRUE(isProved(GoalType::Position, V(0, 1.05, 0)));
  EXPECT_FALSE(isProved(GoalType::Position, V(0, 0.5, 0)))
      << "nearer than any pose comes, but the lengths do not say so";
  EXPECT_TRUE(isProved(GoalType::Line, V(0, 7, 1.05)));  // along y
  EXPECT_FALSE(isProved(GoalType::Line, V(0, 7, 0.99)));
  EXPECT_TRUE(isProved(GoalType::Plane, V(5, 1.05, 5)));
  EXPECT_FALSE(isProved(GoalType::Plane, V(5, -0.99, 5)));
  EXPECT_TRUE(isProved(GoalType::HalfSpace, V(5, 1.05, 5)));
  EXPECT_FALSE(isProved(GoalType::HalfSpace, V(5, -7, 5)));
  EXPECT_TRUE(isProved(GoalType::Distance, V(0, 3, 0), {0.0, 1.9}));
  EXPECT_TRUE(isProved(GoalType::Distance, V(0, 3, 0), {4.1, kInfinity}));
  EXPECT_FALSE(isProved(GoalType::Distance, V(0, 3, 0), {2.1, 3.9}));
}

TEST(GoalTypes, OrientationTheOtherWayRoundIsLeftAndMet) {
  for (const GoalType type : {GoalType::Orientation, GoalType::Direction}) {
    Document document = makePointer(type);
    document.goals[0].targetFrame = Eigen::AngleAxisd(std::numbers::pi, V::UnitZ()).toRotationMatrix();
    EXPECT_TRUE(solved(document).reached);
  }
  Document document = makePointer(GoalType::Aim);
  document.goals[0].target = V(-5, 0, 0);
  EXPECT_TRUE(solved(document).reached);
}

TEST(GoalTypes, TwoHandsHoldOneTube) {
  std::mt19937 random(74);
  Document document = makeDocument(test::makeAwkwardFigure());
  document.pose = test::randomPose(*document.figure, random);
  GoalItem goal = randomGoal(GoalType::Relative, *document.figure, random);
  document.goals = {goal};
  document.solver.restWeight = 1e-4;
  EXPECT_TRUE(solved(document).reached);
}

TEST(GoalTypes, KeepPoseHoldsItsChainAlone) {
  Document document = makeDocument(makePlanarChain(4));
  document.goals.clear();
  document.solver.restWeight = 1e-6;
  GoalItem goal;
  goal.id = 1;
  goal.type = GoalType::KeepPose;
  goal.kept.coordinates = Eigen::Vector4d(0.5, -0.4, 0.3, 0.2);
  goal.chain = {1, 2};
  document.goals.push_back(goal);
  const GoalReport report = solved(document);
  EXPECT_TRUE(report.reached) << report.angle;
  EXPECT_NEAR(document.pose.coordinates[1], -0.4, 1e-6);
  EXPECT_NEAR(document.pose.coordinates[2], 0.3, 1e-6);
  EXPECT_EQ(document.pose.coordinates[0], 0.0);
  EXPECT_EQ(document.pose.coordinates[3], 0.0);
}

TEST(GoalTypes, BalanceBringsTheWeightOverThePoint) {
  Document document = makePointer(GoalType::CentreOfMass);
  document.goals[0].target = V(0.1, 9.0, -0.2);
  EXPECT_TRUE(solved(document).reached);
}

TEST(GoalTypes, BadGoalsAreSaidInWords) {
  const auto faultOf = [](const std::function<void(GoalItem&)>& spoil, GoalType type = GoalType::PositionOrientation) {
    Document document = makeDocument(makeBallChain(3));
    GoalItem goal;
    goal.id = 7;
    goal.name = "left";
    goal.type = type;
    goal.otherLink = 1;
    goal.kept = document.pose;
    spoil(goal);
    document.goals = {goal};
    Posing posing;
    EXPECT_FALSE(posing.start(document));
    EXPECT_EQ(posing.report().outcome, Outcome::BadInput);
    EXPECT_EQ(posing.report().sentence.rfind("goal \"left\": ", 0), 0u) << posing.report().sentence;
    return posing.report().sentence;
  };
  const double nan = std::nan("");
  EXPECT_NE(faultOf([](GoalItem& g) { g.link = 3; }).find("link"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.target.x() = nan; }).find("target"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.weight = nan; }).find("weight"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.targetFrame *= 2.0; }).find("rotation"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.directionScale[1] = -1.0; }).find("scale"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.positionShare = 1.5; }).find("share"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.chain = {0, 9}; }).find("chain"), std::string::npos);
  EXPECT_NE(faultOf(
                [&](GoalItem& g) {
                  g.distance = {2.0, 1.0};
                },
                GoalType::Distance)
                .find("distance"),
            std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.otherLink = 0; }, GoalType::Distance).find("itself"), std::string::npos);
  EXPECT_NE(faultOf([&](GoalItem& g) { g.otherLink = -1; }, GoalType::Relative).find("other link"), std::string::npos);
  EXPECT_NE(
      faultOf([&](GoalItem& g) { g.kept.coordinates.resize(2); }, GoalType::KeepPose).find("does not fit this figure"),
      std::string::npos);
}

TEST(GoalTypes, ZeroWeightsContradictionsAndTwoOnOnePointEnd) {
  for (const double weight : {0.0, 1.0}) {
    Document document = makeDocument(makePlanarChain(4));
    const int other = addGoal(document, 3, V::UnitX());  // the same point as the chain's own goal
    document.goals[0].target = V(1, 2, 0);
    findGoal(document, other)->target = V(1, -2, 0);
    for (GoalItem& goal : document.goals) goal.weight = weight;
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.summary.status, SolveStatus::Converged) << report.sentence;
    EXPECT_EQ(report.outcome, Outcome::NearestFound) << report.sentence;
    EXPECT_TRUE(isValid(*document.figure, document.pose));
  }
}

TEST(GoalTypes, OnARootThatMayNotMoveNothingReaches) {
  Document document = makeDocument(test::makeAwkwardFigure());
  document.joints[0].locked = true;
  addGoal(document, 0, V(0.1, 0.2, 0.3));
  document.goals[0].target += V(0.1, 0, 0);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::OutOfReach) << report.sentence;
  EXPECT_NEAR(report.goals[0].error, 0.1, 1e-12);
}

TEST(GoalTypes, ChainsBringInOnlyTheirJoints) {
  Document document = makeDocument(makePlanarChain(6));
  document.goals[0].target = V(3, 3, 0);
  document.goals[0].chain = {3, 5};
  Posing posing;
  solveToEnd(posing, document);
  for (const int still : {0, 1, 2, 4}) EXPECT_EQ(document.pose.coordinates[still], 0.0);
  EXPECT_GT(std::abs(document.pose.coordinates[3]), 0.1);

  document.joints[3].locked = true;
  document.joints[5].rigidity = 1.0;
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("no joint of its chain"), std::string::npos) << posing.report().sentence;
}

}  // namespace
}  // namespace limber::goal_types_test
