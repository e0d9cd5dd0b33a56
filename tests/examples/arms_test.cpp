// SPDX-License-Identifier: MIT
// Arms of people do not penetrate their bodies (docs/obstacles.md, "Self-avoidance"): measured by samples on the
// capsules, independently of the posing's own code.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "clearances.h"
#include "example_scenes.h"
#include "limber/body/arm_pairs.h"
#include "limber/body/limited_joints.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/arms_out.h"

namespace limber::arms_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kMostInside = 1e-3;  // metres

Document openHuman() {
  auto opened = io::openAny("human");
  EXPECT_TRUE(opened) << opened.error().message();
  Document document = opened->document;
  document.solver.posing = PosingChoice::Natural;
  document.solver.reference = RestReference::StartPose;
  return document;
}

Transform placeOf(const Document& document, const char* link) {
  return transformsOf(*document.figure, document.pose).worldFromLink[document.figure->findLink(link)];
}

double turnOf(const Document& before, const Document& after, const char* link) {
  return Eigen::AngleAxisd(placeOf(before, link).rotation.transpose() * placeOf(after, link).rotation).angle();
}

PosingReport reach(Document& document, const char* link, const V& target) {
  document.goals.clear();
  addGoal(document, document.figure->findLink(link), V::Zero());
  document.goals[0].target = target;
  Posing posing;
  return solveToEnd(posing, document);
}

constexpr double kDegree = 0.0174533;

TEST(Arms, ReachPlacesOnTheOwnBodyFromOutside) {
  const Document rest = openHuman();
  for (const double side : {-1.0, 1.0})
    for (const V& target : {V(0.0, 1.08, 0.17), V(-0.15, 0.98, 0.16), V(-0.16, 1.42, 0.12)}) {
      Document document = rest;
      const PosingReport report =
          reach(document, side < 0 ? "right hand" : "left hand", {side * target.x(), target.y(), target.z()});
      EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
      EXPECT_GT(test::leastOfArms(document), -kMostInside) << side << " " << target.transpose();
      EXPECT_LT(turnOf(rest, document, "pelvis"), kDegree);
      EXPECT_LT(turnOf(rest, document, "chest"), kDegree);
    }
}

TEST(Arms, ReachBehindTheNeck) {
  const Document rest = openHuman();
  for (const double side : {-1.0, 1.0}) {
    Document document = rest;
    const PosingReport report = reach(document, side < 0 ? "right hand" : "left hand", {0.0, 1.50, -0.14});
    EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
    EXPECT_GT(test::leastOfArms(document), -kMostInside);
    EXPECT_LT(turnOf(rest, document, "pelvis"), kDegree);
    EXPECT_LT(turnOf(rest, document, "chest"), 3.0 * kDegree);
  }
}

TEST(Arms, DraggedThroughTheChestStopThereAndTheBodyStays) {
  const Document rest = openHuman();
  Document document = rest;
  PosingRequest request{.startPose = document.pose};
  request.drag = DragGoal{.link = document.figure->findLink("right hand")};
  Posing posing;
  PosingReport report;
  for (int event = 0; event < 24; ++event) {
    request.drag->target = V(-0.05, 1.25, 0.4 - 0.02 * event);
    report = solveToEnd(posing, document, request);
    request.followsLast = true;
    if (event % 8 == 7) {
      EXPECT_GT(test::leastOfArms(document), -kMostInside) << event;
    }
    EXPECT_LT(turnOf(rest, document, "pelvis"), kDegree) << event;
  }
  EXPECT_NE(report.sentence.find("stops right "), std::string::npos) << report.sentence;
  EXPECT_GT(placeOf(document, "right hand").translation.z(), 0.05) << "before the chest";
}

TEST(Arms, PassThroughTheBodyIfSelfAvoidanceIsOffOrThePosingIsEven) {
  for (const bool isEven : {false, true}) {
    Document off = openHuman();
    if (isEven) off.solver.posing = PosingChoice::Even;
    else off.selfAvoidance = SelfAvoidance::Off;
    Document same = off;
    same.selfAvoidance = SelfAvoidance::Off;
    reach(off, "right hand", {0.0, 1.08, 0.12});
    reach(same, "right hand", {0.0, 1.08, 0.12});
    EXPECT_EQ(off.pose, same.pose) << "to the bit";
    if (!isEven) {
      EXPECT_LT(test::leastOfArms(off), -0.01);
    }
  }
}

/// A pose with a hand in the trunk.
Document withHandInside() {
  Document document = openHuman();
  document.selfAvoidance = SelfAvoidance::Off;
  reach(document, "right hand", {0.0, 1.15, 0.08});
  document.selfAvoidance.reset();
  document.goals.clear();
  EXPECT_LT(test::leastOfArms(document), -0.02);
  return document;
}

TEST(Arms, ThatBeginInsideNeitherJumpNorGoDeeper) {
  Document document = withHandInside();
  const double began = test::leastOfArms(document);
  const Pose before = document.pose;
  PosingRequest request{.startPose = document.pose};
  request.drag = DragGoal{.link = document.figure->findLink("right hand")};
  const V start = placeOf(document, "right hand").translation;
  Posing posing;
  request.drag->target = start;
  solveToEnd(posing, document, request);
  EXPECT_LT((document.pose.coordinates - before.coordinates).cwiseAbs().maxCoeff(), 1e-6);
  request.followsLast = true;
  for (int event = 1; event <= 5; ++event) {
    request.drag->target = start - event * V(0.0, 0.0, 0.02);
    solveToEnd(posing, document, request);
    EXPECT_GT(test::leastOfArms(document), began - kMostInside) << event;
  }
}

TEST(ArmsOut, BringsAnArmOutAndKeepsTheRest) {
  Document document = withHandInside();
  const Pose before = document.pose;
  ArmsOut arms(document);
  EXPECT_TRUE(arms.isInside(document.pose));
  EXPECT_TRUE(arms.bringOut(document.pose));
  EXPECT_GT(test::leastOfArms(document), -kMostInside);
  EXPECT_FALSE(arms.isInside(document.pose));
  EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9);
  const Figure& figure = *document.figure;
  for (const char* const name : {"pelvis", "chest", "head", "left thigh", "right foot"}) {
    const Joint& joint = figure.joint(figure.findLink(name));
    EXPECT_EQ(document.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)),
              before.coordinates.segment(joint.poseIndex, poseSize(joint.type)))
        << name;
  }
}

TEST(ArmsOut, ClearsRandomArmsWithinTheirLimits) {
  Document document = openHuman();
  ArmsOut arms(document);
  const LimitedJoints joints(document, arms.joints());
  std::mt19937 random(5);
  std::normal_distribution<double> by(0.0, 0.6);
  int inside = 0;
  for (int trial = 0; trial < 200; ++trial) {
    LimitedJoints::Step step(std::ssize(joints.coordinates()));
    for (double& turn : step) turn = by(random);
    document.pose = joints.moved(restPose(*document.figure), step);
    if (!arms.isInside(document.pose)) continue;
    ++inside;
    arms.bringOut(document.pose);
    EXPECT_FALSE(arms.isInside(document.pose)) << "trial " << trial;
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << "trial " << trial;
  }
  EXPECT_GT(inside, 50);
}

TEST(ArmsOut, KeepsPosesThatHaveNothingInsideAndOtherFigures) {
  Document document = openHuman();
  const Pose before = document.pose;
  EXPECT_FALSE(ArmsOut(document).bringOut(document.pose));
  EXPECT_EQ(document.pose, before);
  Document arm = io::openAny("arm")->document;
  EXPECT_TRUE(findArmPairs(*arm.figure).empty());
  EXPECT_FALSE(ArmsOut(arm).bringOut(arm.pose));
}

TEST(ArmPairs, LeaveOutTheShoulderAndTheSameArm) {
  const Document document = openHuman();
  const Figure& figure = *document.figure;
  const auto has = [&](const char* a, const char* b) {
    for (const auto& [link, other] : findArmPairs(*document.figure))
      if (link == figure.findLink(a) && other == figure.findLink(b)) return true;
    return false;
  };
  for (const char* const trunk : {"pelvis", "chest", "neck", "head", "left thigh", "right shank"})
    EXPECT_TRUE(has("right hand", trunk)) << trunk;
  EXPECT_TRUE(has("left index finger tip", "right hand"));
  EXPECT_TRUE(has("right upper arm", "lower back"));
  EXPECT_FALSE(has("right upper arm", "chest"));
  EXPECT_FALSE(has("right upper arm", "upper back"));
  EXPECT_FALSE(has("right hand", "right upper arm"));
}

}  // namespace
}  // namespace limber::arms_test
