// SPDX-License-Identifier: MIT
// The swivel of a limb: it turns the bend if that is free; limits, pins and targets take precedence if it is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/posing/posing.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/document.h"

namespace limber::swivel_test {
namespace {

using V = Eigen::Vector3d;

constexpr int kUpper = 0, kLower = 1, kHand = 2;
const V kHandPoint(0, -0.1, 0);

/// A ball shoulder with a cone, an elbow that bends one way, a ball wrist; bones of 0.3 m hang down. It has a goal for
/// the hand at its current position, bent, and a swivel on the lower bone.
Document makeArm(double coneHalfAngle = std::numbers::pi, const Interval& twist = {}) {
  FigureBuilder builder("arm");
  BallLimits limits;
  limits.coneAxis = limits.twistAxis = -V::UnitY();
  limits.swing = coneHalfAngle;
  limits.twist = twist;
  builder.addLink({.name = "upper"}, {.type = JointType::Ball, .ballLimits = limits});
  builder.addLink({.name = "lower", .parent = kUpper}, {.name = "elbow",
                                                        .type = JointType::Revolute,
                                                        .parentFromJoint = Transform::fromTranslation({0, -0.3, 0}),
                                                        .axis = V(-1, 0, 0),
                                                        .limits = {0.0, 2.6}});
  builder.addLink({.name = "hand", .parent = kLower},
                  {.type = JointType::Ball, .parentFromJoint = Transform::fromTranslation({0, -0.3, 0})});
  builder.addSite({.name = "palm", .link = kHand, .linkFromSite = Transform::fromTranslation(kHandPoint)});
  std::string error;
  Document document = makeDocument(builder.build(error));
  EXPECT_EQ(error, "");
  document.pose.coordinates[document.figure->joint(kLower).poseIndex] = 1.2;
  addGoal(document, kHand, kHandPoint);
  addGoal(document, GoalType::Swivel, {kLower});
  return document;
}

GoalItem& swivel(Document& document) { return document.goals[1]; }

Kinematics kinematicsOf(const Document& document) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics;
}

/// Sets the swivel to the bend turned by an angle about the line from shoulder to wrist.
void turnSwivel(Document& document, double angle) {
  const auto limb = limbOf(document, kinematicsOf(document), swivel(document));
  const Eigen::AngleAxisd turn(angle, (limb->end - limb->root).normalized());
  swivel(document).targetFrame = turn * swivel(document).targetFrame;
}

double angleLeft(Document& document) { return goalErrorOf(document, kinematicsOf(document), swivel(document)).angle; }

TEST(Swivel, IsPlantedOnTheBonesAroundTheBend) {
  Document document = makeArm();
  EXPECT_EQ(swivel(document).link, kLower);
  EXPECT_LT((swivel(document).pointInLink - V(0, -0.3, 0)).norm(), 1e-15) << "to the wrist";
  const UpperBone bone = upperBoneOf(*document.figure, kLower);
  EXPECT_EQ(bone.link, kUpper);
  EXPECT_LT((bone.middle - V(0, -0.3, 0)).norm(), 1e-15);
  EXPECT_LT(angleLeft(document), 1e-9) << "met where it is planted";
}

TEST(Swivel, TurnsTheBendWhileTheHandStays) {
  for (const double angle : {0.3, -1.0, 2.0, 3.0}) {
    Document document = makeArm();
    const V hand = document.goals[0].target;
    turnSwivel(document, angle);
    EXPECT_NEAR(angleLeft(document), std::abs(angle), 0.05 * std::abs(angle)) << "before";
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.outcome, Outcome::Reached) << angle << ": " << report.sentence;
    EXPECT_LT(angleLeft(document), 1e-3) << angle;
    EXPECT_LT((kinematicsOf(document).worldFromLink[kHand] * kHandPoint - hand).norm(), 1e-4);
  }
}

TEST(Swivel, OfAStraightArmAsksForNothing) {
  Document document = makeArm();
  document.pose.coordinates[document.figure->joint(kLower).poseIndex] = 0.0;
  moveTargetsToEndEffectors(document);
  const Pose straight = document.pose;
  turnSwivel(document, 1.5);
  Posing posing;
  EXPECT_EQ(solveToEnd(posing, document).outcome, Outcome::Reached);
  Eigen::VectorXd moved;
  difference(*document.figure, straight, document.pose, moved);
  EXPECT_LT(moved.norm(), 1e-6);
}

TEST(Swivel, OfAStraightLimbIsPlantedTowardWhereItBends) {
  Document document = makeArm();
  document.pose.coordinates[document.figure->joint(kLower).poseIndex] = 0.0;
  const auto limb = limbOf(document, kinematicsOf(document), swivel(document));
  ASSERT_TRUE(limb);
  const V straight = limb->bend;
  document.pose.coordinates[document.figure->joint(kLower).poseIndex] = 0.2;
  const auto bent = limbOf(document, kinematicsOf(document), swivel(document));
  EXPECT_GT(straight.dot(bent->bend), 0.99);
}

TEST(Swivel, NeverOverridesALimitNorMovesTheHandByMoreThanWhatIsReached) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> uniform(-std::numbers::pi, std::numbers::pi);
  int blocked = 0;
  for (int k = 0; k < 60; ++k) {
    Document document = makeArm(0.9, {-0.6, 0.6});  // the upper arm cannot reach most of these angles
    const double reached = document.solver.reachedTolerance * document.figure->meanLinkLength();
    turnSwivel(document, uniform(random));
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    Pose clamped = document.pose;
    clampToLimits(document, clamped);
    EXPECT_LT((clamped.coordinates - document.pose.coordinates).cwiseAbs().maxCoeff(), 1e-9) << k;
    EXPECT_LT(report.goals[0].error, reached) << k << ": " << report.sentence;
    if (angleLeft(document) < 1e-3) continue;
    ++blocked;
    EXPECT_FALSE(report.activeLimits.empty()) << k << ": something holds it back: " << report.sentence;
  }
  EXPECT_GT(blocked, 20);
  EXPECT_LT(blocked, 60);
}

TEST(Swivel, APinnedElbowStaysWhereItIs) {
  Document document = makeArm();
  pinLink(document, kLower, true, false);
  const V elbow = kinematicsOf(document).worldFromLink[kLower].translation;
  turnSwivel(document, 1.0);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_LT((kinematicsOf(document).worldFromLink[kLower].translation - elbow).norm(), 3e-4) << report.sentence;
  EXPECT_EQ(report.outcome, Outcome::Reached) << "a bend is a preference";
  const auto swivelReport = std::ranges::find_if(report.goals, &GoalReport::isPreference);
  ASSERT_NE(swivelReport, report.goals.end());
  EXPECT_FALSE(swivelReport->reached);
}

TEST(Swivel, ADragWithItIsCalm) {
  Document document = makeArm();
  turnSwivel(document, 1.2);
  Posing posing;
  PosingRequest request;
  request.startPose = document.pose;
  solveToEnd(posing, document, request);
  const V from = document.goals[0].target;
  constexpr int kEvents = 80;
  Eigen::VectorXd moved;
  for (int event = 1; event <= kEvents; ++event) {
    const double angle = 2.0 * std::numbers::pi * event / kEvents;
    document.goals[0].target = from + V(0.08 * std::sin(angle), 0.08 * (1.0 - std::cos(angle)), 0.0);
    request.followsLast = event > 1;
    const Pose before = document.pose;
    const PosingReport report = solveToEnd(posing, document, request);
    EXPECT_EQ(report.outcome, Outcome::Reached) << event << ": " << report.sentence;
    difference(*document.figure, before, document.pose, moved);
    EXPECT_LT(moved.cwiseAbs().maxCoeff(), 0.15) << event << ": the hand moves 6 mm";
  }
}

TEST(Swivel, WithoutABoneAboveIsRefusedInWords) {
  Document document = makeArm();
  swivel(document).link = kUpper;
  Posing posing;
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("no bone above"), std::string::npos) << posing.report().sentence;
}

}  // namespace
}  // namespace limber::swivel_test
