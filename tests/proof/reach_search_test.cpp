// SPDX-License-Identifier: MIT
// Maps of the reachable workspace against exactly known sets, and properties of every map.
#include "limber/proof/reach_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/limited_figure.h"
#include "support/loop_figures.h"
#include "support/repetitions.h"
#include "support/says.h"

namespace limber::reach_search_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

/// A chain of hinges about z in the plane z = 0, its links along x.
std::shared_ptr<const Figure> makeChain(const std::vector<double>& lengths) {
  FigureBuilder builder("chain");
  int parent = -1;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    parent = builder.addLink({.name = "link" + std::to_string(i), .parent = parent},
                             {.type = JointType::Revolute,
                              .parentFromJoint = Transform::fromTranslation({i > 0 ? lengths[i - 1] : 0.0, 0.0, 0.0})});
  builder.addSite(
      {.name = "tip", .link = parent, .linkFromSite = Transform::fromTranslation({lengths.back(), 0.0, 0.0})});
  return test::built(builder);
}

ReachQuestion tipOf(const Figure& figure, int cells) {
  const Site& site = figure.sites().front();
  return {.link = site.link, .pointInLink = site.linkFromSite.translation, .cellsAcross = cells};
}

/// From the centre of a cell to its corners.
double circumradius(const ReachMap& map) { return 0.5 * map.edge * std::sqrt(map.isPlanar ? 2.0 : 3.0); }

Vector3d placeOf(const Document& document, const ReachQuestion& question, const Pose& pose) {
  const Kinematics kinematics = transformsOf(*document.figure, pose);
  return kinematics.worldFromLink[static_cast<std::size_t>(question.link)] * question.pointInLink;
}

/// Every reachable cell has a pose of its own within the limits, and forward kinematics computed anew agrees.
void expectPosesToHold(const Document& document, const ReachQuestion& question, const ReachAnswer& answer) {
  const FeasibleSet set(*document.figure, limitsOf(document));
  for (int cell = 0; cell < answer.map.cellCount(); ++cell) {
    if (answer.map.state(cell) != CellState::Reachable) continue;
    const Pose pose = answer.poseOf(cell);
    ASSERT_TRUE(isValid(*document.figure, pose));
    ASSERT_LT(set.violation(pose), 1e-9) << "cell " << cell;  // rounding of balls and of tied scalars
    ASSERT_EQ(answer.map.cellAt(placeOf(document, question, pose)), cell);
  }
}

/// Random poses within the limits put the end effector into no cell that was proved outside, and into none that is not
/// in the grid.
void expectNoPoseOutside(const Document& document, const ReachQuestion& question, const ReachAnswer& answer,
                         int poses) {
  std::mt19937 random(7);
  const FeasibleSet set(*document.figure, limitsOf(document));
  const Figure& figure = *document.figure;
  for (int i = 0; i < poses; ++i) {
    const Pose wild = test::randomPose(figure, random);
    Pose pose = document.pose;
    for (int j = 0; j < figure.linkCount(); ++j) {
      const Joint& joint = figure.joint(j);
      if (document.joints[static_cast<std::size_t>(j)].locked || joint.type == JointType::Free) continue;
      pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
          wild.coordinates.segment(joint.poseIndex, poseSize(joint.type));
    }
    set.project(pose);
    const int cell = answer.map.cellAt(placeOf(document, question, pose));
    ASSERT_GE(cell, 0);
    ASSERT_NE(answer.map.state(cell), CellState::ProvedOutside) << "pose " << i;
  }
}

/// distance: from a place to the boundary of the set, > 0 inside it and < 0 outside; exact, or less by magnitude where
/// it is > 0 and more where it is < 0. Cells wholly inside are reachable; those wholly outside are not, and are proved
/// to be outside when they are more than a cell away.
void expectExactWithinOneCell(const ReachMap& map, const std::function<double(const Vector3d&)>& distance) {
  const double rounding = 1e-9 * map.edge;
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const Vector3d centre = map.centreOf(cell);
    const double inside = distance(centre);
    ASSERT_NE(map.state(cell), CellState::Undecided);
    if (inside > circumradius(map)) {
      ASSERT_EQ(map.state(cell), CellState::Reachable) << centre.transpose();
    }
    if (inside < -circumradius(map) - rounding) {
      ASSERT_NE(map.state(cell), CellState::Reachable) << centre.transpose();
    }
    if (inside < -circumradius(map) - map.edge) {
      ASSERT_EQ(map.state(cell), CellState::ProvedOutside) << centre.transpose();
    }
  }
}

double insideAnnulus(const Vector3d& place, const Vector3d& middle, double inner, double outer) {
  const double r = (place - middle).norm();
  return inner > 0.0 ? std::min(r - inner, outer - r) : outer - r;
}

TEST(ReachSearch, PlanarChainsFillTheirAnnulus) {
  const std::vector<std::vector<double>> chains = {
      {1.0, 1.0}, {1.0, 0.4}, {0.3, 1.0, 0.5}, {2.0, 0.5, 0.4}, {1.0, 0.7, 0.5, 0.3, 0.2}, {0.2, 3.0, 0.3, 0.4, 0.5}};
  for (const std::vector<double>& lengths : chains) {
    const Document document = makeDocument(makeChain(lengths));
    const ReachQuestion question = tipOf(*document.figure, 40);
    const ReachAnswer answer = findReachable(document, question);
    ASSERT_EQ(answer.fault, "");
    double sum = 0.0, longest = 0.0;
    for (const double length : lengths) {
      sum += length;
      longest = std::max(longest, length);
    }
    const double inner = std::max(0.0, 2.0 * longest - sum);
    EXPECT_TRUE(answer.map.isPlanar);
    EXPECT_NEAR(answer.map.edge, 2.0 * sum / 40.0, 1e-5);
    expectExactWithinOneCell(answer.map,
                             [&](const Vector3d& x) { return insideAnnulus(x, Vector3d::Zero(), inner, sum); });
    expectPosesToHold(document, question, answer);
  }
}

/// From x to the arc of a circle about `middle` between two angles.
double distanceToArc(const Vector3d& x, const Vector3d& middle, double radius, double from, double to) {
  const Vector3d off = x - middle;
  const double angle = 0.5 * (from + to);
  const double away = std::remainder(std::atan2(off.y(), off.x()) - angle, 2.0 * kPi);
  const double turn = std::clamp(away, from - angle, to - angle);
  return (off - radius * Vector3d(std::cos(angle + turn), std::sin(angle + turn), 0.0)).norm();
}

TEST(ReachSearch, LimitedTwoLinkArmFillsItsSector) {
  constexpr double a = 1.0, b = 0.6;
  constexpr Interval shoulder{-0.4, 1.3}, elbow{0.3, 2.2};
  Document document = makeDocument(makeChain({a, b}));
  document.joints[0].limits = shoulder;
  document.joints[1].limits = elbow;
  clampToLimits(document, document.pose);
  // Four arcs bound it: the elbow turns at either end of the shoulder, the shoulder at either end of the elbow.
  const auto radiusAt = [&](double q) { return std::sqrt(a * a + b * b + 2.0 * a * b * std::cos(q)); };
  const auto angleAt = [&](double q) { return std::atan2(b * std::sin(q), a + b * std::cos(q)); };
  const auto distance = [&](const Vector3d& x) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const double q : {shoulder.lower, shoulder.upper})
      nearest = std::min(
          nearest, distanceToArc(x, a * Vector3d(std::cos(q), std::sin(q), 0.0), b, q + elbow.lower, q + elbow.upper));
    for (const double q : {elbow.lower, elbow.upper})
      nearest = std::min(nearest, distanceToArc(x, Vector3d::Zero(), radiusAt(q), shoulder.lower + angleAt(q),
                                                shoulder.upper + angleAt(q)));
    const double bend = std::acos(std::clamp((x.squaredNorm() - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
    const double turn = std::atan2(x.y(), x.x()) - angleAt(bend);
    const bool isBetween = x.norm() < radiusAt(elbow.lower) && x.norm() > radiusAt(elbow.upper);
    const double middle = 0.5 * (shoulder.lower + shoulder.upper);
    const bool isInside = isBetween && std::abs(std::remainder(turn - middle, 2.0 * kPi)) < shoulder.upper - middle;
    return isInside ? nearest : -nearest;
  };
  const ReachQuestion question = tipOf(*document.figure, 60);
  const ReachAnswer answer = findReachable(document, question);
  expectExactWithinOneCell(answer.map, distance);
  expectPosesToHold(document, question, answer);
  EXPECT_GT(answer.map.counts()[1], 150);
}

/// A ball and a hinge: links of 1 m and 0.6 m along x.
std::shared_ptr<const Figure> makeBallArm() {
  FigureBuilder builder("ball arm");
  const int upper = builder.addLink({.name = "upper"}, {.type = JointType::Ball});
  const int lower =
      builder.addLink({.name = "lower", .parent = upper},
                      {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({1, 0, 0})});
  builder.addSite({.name = "tip", .link = lower, .linkFromSite = Transform::fromTranslation({0.6, 0, 0})});
  return test::built(builder);
}

TEST(ReachSearch, BallAndHingeFillASphereShell) {
  const Document document = makeDocument(makeBallArm());
  const ReachQuestion question = tipOf(*document.figure, 20);
  const ReachAnswer answer = findReachable(document, question);
  EXPECT_FALSE(answer.map.isPlanar);
  expectExactWithinOneCell(answer.map, [](const Vector3d& x) { return insideAnnulus(x, Vector3d::Zero(), 0.4, 1.6); });
  expectPosesToHold(document, question, answer);
}

TEST(ReachSearch, HandOnAConeStaysOnItsCap) {
  FigureBuilder builder("pole");
  const int pole = builder.addLink({.name = "pole"}, {.type = JointType::Ball, .ballLimits = {.swing = 0.7}});
  builder.addSite({.name = "tip", .link = pole, .linkFromSite = Transform::fromTranslation({0, 1, 0})});
  const Document document = makeDocument(test::built(builder));
  const ReachQuestion question = tipOf(*document.figure, 24);
  const ReachAnswer answer = findReachable(document, question);
  const ReachMap& map = answer.map;
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const Vector3d x = map.centreOf(cell);
    const double tilt = std::atan2(std::hypot(x.x(), x.z()), x.y());
    const double past = std::max(0.0, tilt - 0.7);
    // How far from the cap x is, at most: from the nearest direction of the cone, or across its edge.
    const double off = std::hypot(x.norm() - std::cos(past), std::sin(std::min(past, 0.5 * kPi)));
    const bool isOn = past == 0.0 && std::abs(x.norm() - 1.0) < 0.25 * map.edge;
    if (isOn) {
      ASSERT_EQ(map.state(cell), CellState::Reachable) << x.transpose();
    }
    if (off > circumradius(map) + map.edge) {
      ASSERT_EQ(map.state(cell), CellState::ProvedOutside) << x.transpose();
    }
  }
  expectPosesToHold(document, question, answer);
}

TEST(ReachSearch, LockedElbowLeavesACircle) {
  Document document = makeDocument(makeChain({1.0, 1.0}));
  document.joints[1].locked = true;
  document.pose.coordinates[1] = 1.0;
  const double radius = 2.0 * std::cos(0.5);
  const ReachQuestion question = tipOf(*document.figure, 40);
  const ReachAnswer answer = findReachable(document, question);
  const ReachMap& map = answer.map;
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const double off = std::abs(map.centreOf(cell).norm() - radius);
    if (off < 0.4 * map.edge) {
      ASSERT_EQ(map.state(cell), CellState::Reachable);
    }
    if (off > circumradius(map) + 1e-9) {
      ASSERT_EQ(map.state(cell), CellState::ProvedOutside);
    }
  }
  expectPosesToHold(document, question, answer);
}

TEST(ReachSearch, PinNarrowsItToWhatHangsOnThePin) {
  Document document = makeDocument(makeChain({1.0, 1.0, 0.8, 0.5}));
  const Eigen::Vector4d bent(0.4, 0.8, -0.3, 0.5);
  document.pose.coordinates = bent;
  pinLink(document, 1, true, false, {1.0, 0.0, 0.0});
  const Vector3d pin = document.pins[0].worldFromLink * document.pins[0].pointInLink;
  const ReachQuestion question = tipOf(*document.figure, 30);
  const ReachAnswer answer = findReachable(document, question);
  ASSERT_EQ(answer.fault, "");
  EXPECT_NEAR(answer.map.edge, 2.6 / 30.0, 1e-5);
  expectExactWithinOneCell(answer.map, [&](const Vector3d& x) { return insideAnnulus(x, pin, 0.3, 1.3); });
  expectPosesToHold(document, question, answer);
  for (int cell = 0; cell < answer.map.cellCount(); ++cell) {
    if (answer.map.state(cell) != CellState::Reachable) continue;
    const Kinematics kinematics = transformsOf(*document.figure, answer.poseOf(cell));
    ASSERT_LT((kinematics.worldFromLink[1] * Vector3d(1, 0, 0) - pin).norm(), 1e-4);
  }
}

TEST(ReachSearch, PinOfTheBaseBoundsAFigureThatMayWander) {
  FigureBuilder builder("wanderer");
  const int body = builder.addLink({.name = "body"}, {.name = "root", .type = JointType::Free});
  const int arm =
      builder.addLink({.name = "arm", .parent = body},
                      {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({0.5, 0, 0})});
  builder.addSite({.name = "tip", .link = arm, .linkFromSite = Transform::fromTranslation({0.4, 0, 0})});
  Document document = makeDocument(test::built(builder));
  document.joints[0].locked = false;
  const ReachQuestion question = tipOf(*document.figure, 12);
  EXPECT_NE(findReachable(document, question).fault.find("root"), std::string::npos);
  pinLink(document, 0, true, false);
  const ReachAnswer answer = findReachable(document, question);
  ASSERT_EQ(answer.fault, "");
  expectExactWithinOneCell(answer.map, [](const Vector3d& x) { return insideAnnulus(x, Vector3d::Zero(), 0.1, 0.9); });
}

TEST(ReachSearch, SlideCarriesACircleAlong) {
  FigureBuilder builder("crane");
  const int cart = builder.addLink({.name = "cart"},
                                   {.type = JointType::Prismatic, .axis = Vector3d::UnitX(), .limits = {-0.5, 0.8}});
  const int arm = builder.addLink({.name = "arm", .parent = cart}, {.type = JointType::Revolute});
  builder.addSite({.name = "tip", .link = arm, .linkFromSite = Transform::fromTranslation({1, 0, 0})});
  const Document document = makeDocument(test::built(builder));
  const ReachQuestion question = tipOf(*document.figure, 24);
  const ReachAnswer answer = findReachable(document, question);
  const ReachMap& map = answer.map;
  ASSERT_GT(map.counts()[1], 50);
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const Vector3d x = map.centreOf(cell);
    // The set: circles in z = 0 about (s, 0), -0.5 <= s <= 0.8.
    double off = std::numeric_limits<double>::infinity();
    for (double s = -0.5; s <= 0.8 + 1e-12; s += 0.001)
      off = std::min(off, std::hypot(std::hypot(x.x() - s, x.y()) - 1.0, x.z()));
    if (off < 0.3 * map.edge) {
      ASSERT_EQ(map.state(cell), CellState::Reachable) << x.transpose();
    }
    if (off > circumradius(map) + map.edge) {
      ASSERT_EQ(map.state(cell), CellState::ProvedOutside) << x.transpose();
    }
  }
  expectPosesToHold(document, question, answer);
}

TEST(ReachSearch, ArmIsNeverFoundWhereItIsProvedNotToBe) {
  Document document = makeDocument(makeArm());
  const ReachQuestion question = tipOf(*document.figure, 16);
  const ReachAnswer answer = findReachable(document, question);
  expectPosesToHold(document, question, answer);
  expectNoPoseOutside(document, question, answer, 20000);
  const auto counts = answer.map.counts();
  EXPECT_EQ(counts[0], 0);
  EXPECT_GT(counts[1], 800);
  EXPECT_LT(counts[2], counts[1] / 2);
}

TEST(ReachSearch, EveryKindOfJointLimitAndTieIsKept) {
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeCoupledFigure(), test::makeBallTree()}) {
    Document document = makeDocument(figure);
    for (int i = 0; i < figure->linkCount(); ++i)
      if (figure->joint(i).type == JointType::Prismatic && !figure->joint(i).limits.isBounded())
        document.joints[static_cast<std::size_t>(i)].limits = {-0.5, 0.5};
    document.joints[0].locked = true;
    for (const int link : {figure->linkCount() - 1, 3}) {
      SCOPED_TRACE(figure->name() + ", link " + std::to_string(link));
      const ReachQuestion question{
          .link = link, .pointInLink = {0.1, 0.05, 0.0}, .cellsAcross = test::repetitions(8, 5)};
      const ReachAnswer answer = findReachable(document, question);
      ASSERT_EQ(answer.fault, "");
      expectPosesToHold(document, question, answer);
      expectNoPoseOutside(document, question, answer, test::repetitions(3000, 500));
    }
  }
}

TEST(ReachSearch, LinkWithoutLengthChangesNothing) {
  const Document with = makeDocument(makeChain({1.0, 0.0, 0.5})), without = makeDocument(makeChain({1.0, 0.5}));
  const ReachMap a = findReachable(with, tipOf(*with.figure, 24)).map;
  const ReachMap b = findReachable(without, tipOf(*without.figure, 24)).map;
  EXPECT_EQ(a.edge, b.edge);
  const auto inside = [](const Vector3d& x) { return insideAnnulus(x, Vector3d::Zero(), 0.5, 1.5); };
  expectExactWithinOneCell(a, inside);
  expectExactWithinOneCell(b, inside);
}

TEST(ReachSearch, EndEffectorThatCannotMoveHasOneCell) {
  Document document = makeDocument(makeChain({1.0, 1.0}));
  const ReachQuestion onRoot{.link = 0, .cellsAcross = 20};
  const ReachAnswer answer = findReachable(document, onRoot);
  ASSERT_EQ(answer.fault, "");
  ASSERT_EQ(answer.map.cellCount(), 1);
  EXPECT_EQ(answer.map.state(0), CellState::Reachable);
  EXPECT_EQ(answer.map.cellAt(Vector3d::Zero()), 0);
  for (JointSettings& joint : document.joints) joint.locked = true;
  const ReachQuestion tip = tipOf(*document.figure, 20);
  const ReachAnswer locked = findReachable(document, tip);
  ASSERT_EQ(locked.fault, "");
  ASSERT_EQ(locked.map.cellCount(), 1);
  EXPECT_EQ(locked.map.cellAt(placeOf(document, tip, document.pose)), 0);
}

TEST(ReachSearch, GoalsPlayNoPart) {
  Document document = makeDocument(makeChain({1.0, 0.6}));
  const ReachQuestion question = tipOf(*document.figure, 20);
  const ReachAnswer before = findReachable(document, question);
  document.goals.clear();
  const int goal = addGoal(document, 1, {0.6, 0.0, 0.0});
  findGoal(document, goal)->target = {0.3, 5.0, 0.0};
  document.solver.solver = "gd";
  const ReachAnswer after = findReachable(document, question);
  EXPECT_EQ(before.map.cells, after.map.cells);
  EXPECT_EQ(before.kept, after.kept);
}

TEST(ReachSearch, SameBitsTwice) {
  const Document document = makeDocument(makeArm());
  const ReachQuestion question = tipOf(*document.figure, test::repetitions(10, 6));
  const ReachAnswer a = findReachable(document, question), b = findReachable(document, question);
  EXPECT_EQ(a.map.cells, b.map.cells);
  EXPECT_EQ(a.kept, b.kept);
  EXPECT_EQ(a.solves, b.solves);
}

TEST(ReachSearch, PlanSaysTheGridThatIsSearched) {
  const Document document = makeDocument(makeArm());
  const ReachQuestion question = tipOf(*document.figure, test::repetitions(12, 6));
  ReachMap plan;
  ASSERT_EQ(planReach(document, question, plan), "");
  const ReachMap map = findReachable(document, question).map;
  EXPECT_EQ(plan.edge, map.edge);
  EXPECT_EQ(plan.size, map.size);
  EXPECT_EQ(plan.corner, map.corner);
}

TEST(ReachSearch, CancelsInEveryPhaseAndKeepsWhatItHas) {
  const Document document = makeDocument(makeArm());
  const ReachQuestion question = tipOf(*document.figure, test::repetitions(14, 8));
  using Phase = ReachProgress::Phase;
  for (const Phase phase : {Phase::Bound, Phase::Flood, Phase::Boundary}) {
    std::array<int, 4> told{};
    const ReachAnswer answer = findReachable(document, question, [&](const ReachProgress& progress) {
      told = progress.counts;
      return progress.phase != phase;
    });
    EXPECT_EQ(answer.fault, "");
    EXPECT_TRUE(answer.isCancelled);
    EXPECT_EQ(answer.map.counts(), told);
    EXPECT_GT(told[0], 0);
    EXPECT_EQ(told[1] > 0, phase != Phase::Bound);
    expectPosesToHold(document, question, answer);
  }
}

TEST(ReachSearch, BadQuestionsAreFaultsInWords) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Document document = makeDocument(makeChain({1.0, 1.0}));
  EXPECT_EQ(findReachable(document, {.link = -1}).fault, "there is no such link");
  EXPECT_EQ(findReachable(document, {.link = 2}).fault, "there is no such link");
  EXPECT_EQ(findReachable(document, {.link = 1, .pointInLink = {0, nan, 0}}).fault,
            "the end effector's point is not finite");
  for (const int cells : {-1, 0, 3, 161})
    EXPECT_EQ(findReachable(document, {.link = 1, .cellsAcross = cells}).fault, "cells across must be from 4 to 160");
  document.pose.coordinates[0] = nan;
  EXPECT_EQ(findReachable(document, {.link = 1}).fault, "the pose holds a number that is not finite");
}

TEST(ReachSearch, PinsThatCannotHoldAreAFault) {
  Document document = makeDocument(makeChain({1.0, 1.0, 1.0}));
  pinLink(document, 1, true, false, {1.0, 0.0, 0.0});
  document.pins[0].worldFromLink.translation = {5.0, 0.0, 0.0};
  EXPECT_TRUE(test::says(findReachable(document, tipOf(*document.figure, 20)).fault, {"pins cannot hold"}));
}

/// The coupler's point of a four-bar linkage draws a curve: its cells are reached with the loop closed, and few others.
TEST(ReachSearch, LoopsAreClosedInEveryPose) {
  const auto figure = test::makeFourBar();
  const Document document = makeDocument(figure);
  const ReachQuestion question = tipOf(*figure, 40);
  const ReachAnswer answer = findReachable(document, question);
  ASSERT_EQ(answer.fault, "");
  expectPosesToHold(document, question, answer);
  int reachable = 0;
  for (int cell = 0; cell < answer.map.cellCount(); ++cell) {
    if (answer.map.state(cell) != CellState::Reachable) continue;
    ++reachable;
    EXPECT_TRUE(largestGap(*figure, answer.poseOf(cell)).isClosed()) << cell;
  }
  EXPECT_GT(reachable, 20);
  EXPECT_LT(reachable, answer.map.cellCount() / 5);
}

}  // namespace
}  // namespace limber::reach_search_test
