// SPDX-License-Identifier: MIT
// Disabled pairs, the safety distance, and round obstacles: distances are computed anew by posing/apart.h.
#include <gtest/gtest.h>

#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/contacts.h"
#include "limber/posing/ik.h"
#include "posing/apart.h"

namespace limber::safety_distance_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kSafety = 0.03;
constexpr double kRounding = 1e-6;

/// True if the answer names the pair as too near.
bool isNamed(const Answer& answer, int link, int obstacle, int otherLink) {
  return std::ranges::any_of(answer.contacts, [&](const ContactReport& contact) {
    if (!contact.isInside || contact.obstacle != obstacle) return false;
    return (contact.link == link && contact.otherLink == otherLink) ||
           (contact.link == otherLink && contact.otherLink == link);
  });
}

/// Pairs of links of an arm that avoid each other: two or more links between them, and apart at rest.
std::vector<std::pair<int, int>> selfPairsOf(const Figure& figure) {
  const Kinematics rest = transformsOf(figure, restPose(figure));
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < figure.linkCount(); ++a)
    for (int b = a + 3; b < figure.linkCount(); ++b)
      if (test::apart(figure, rest, a, b) > 0.0) pairs.emplace_back(a, b);
  return pairs;
}

/// Checks that every pair of an arm with an obstacle or itself keeps the distance or is named. Returns how many pairs
/// are within a millimetre of it, and counts the named ones.
int expectKept(const Ik& ik, const Answer& answer, double distance, int& named) {
  const Figure& figure = ik.figure();
  const Kinematics kinematics = transformsOf(figure, answer.pose);
  int atIt = 0;
  const auto judge = [&](double apart, bool isSaid, const std::string& what) {
    named += isSaid;
    EXPECT_TRUE(apart > distance - kRounding || isSaid) << what << " are " << apart << " apart: " << answer.sentence;
    EXPECT_FALSE(isSaid && answer.isReached()) << answer.sentence;
    atIt += apart < distance + 1e-3;
  };
  for (int link = 0; link < figure.linkCount(); ++link)
    for (const Obstacle& obstacle : ik.problem().obstacles)
      judge(test::apart(figure, kinematics, link, obstacle), isNamed(answer, link, obstacle.id, -1),
            figure.link(link).name + " and " + obstacle.name);
  if (!ik.avoidsItself()) return atIt;
  for (const auto& [a, b] : selfPairsOf(figure))
    judge(test::apart(figure, kinematics, a, b), isNamed(answer, a, -1, b),
          figure.link(a).name + " and " + figure.link(b).name);
  return atIt;
}

/// An arm among a box, a floor, a ball and a pole.
Ik makeCrowdedArm() {
  Ik ik(makeArm());
  ik.addBox({Eigen::AngleAxisd(0.4, V(1, 2, 3).normalized()).toRotationMatrix(), V(0.45, 0.6, 0.0)}, {0.3, 0.2, 0.3},
            "box");
  ik.addPlane({-0.55, 0, 0}, V::UnitX(), "wall");
  ik.addSphere({0.0, 0.6, 0.5}, 0.15, "ball");
  ik.addCapsule({-0.3, 0.3, -0.45}, {0.3, 0.9, -0.45}, 0.06, "pole");
  return ik;
}

TEST(SafetyDistance, EveryPairKeepsItOrIsNamed) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> anywhere(-0.7, 0.7);
  int atIt = 0, named = 0, reached = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Ik ik = makeCrowdedArm();
    ik.setAvoidsItself(true);
    ik.setSafetyDistance(kSafety);
    const double x = anywhere(random), y = 0.6 + anywhere(random), z = anywhere(random);
    ik.add(position("tool", {x, y, z}));
    const Answer& answer = trial % 3 == 0 ? ik.search() : ik.solve();
    atIt += expectKept(ik, answer, kSafety, named);
    reached += answer.isReached();
  }
  EXPECT_GT(atIt, 20) << "or nothing is in the way";
  EXPECT_GT(reached, 10);
  RecordProperty("named", named);
}

TEST(SafetyDistance, AWarmArmKeepsItAlongAPath) {
  Ik ik = makeCrowdedArm();
  ik.setSafetyDistance(kSafety);
  const GoalId tool = ik.add(position("tool", {0.3, 0.9, 0.0}));
  int atIt = 0, named = 0;
  for (int i = 0; i <= 100; ++i) {
    ik[tool].target = V(0.3 + 0.003 * i, 0.9 - 0.006 * i, 0.0);
    atIt += expectKept(ik, ik.solve(), kSafety, named);
  }
  EXPECT_GT(atIt, 20);
  EXPECT_EQ(named, 0);
}

TEST(SafetyDistance, APoseThatBeginsNearerIsMovedAway) {
  Ik ik(makeArm());
  ik.add(position("tool", ik.placeOf("tool").translation));
  ASSERT_TRUE(ik.solve().isReached());
  const Kinematics kinematics = transformsOf(ik.figure(), ik.pose());
  const V tip = ik.placeOf("tool").translation;
  ik.addPlane(tip + V(0, 0.2, 0), -V::UnitY(), "ceiling");
  const int last = ik.figure().linkCount() - 1;
  const double before = test::apart(ik.figure(), kinematics, last, ik.problem().obstacles[0]);
  ASSERT_GT(before, 0.0);
  ASSERT_TRUE(ik.solve().isReached());
  EXPECT_TRUE(ik.solve().contacts.empty());
  ik.setSafetyDistance(before + 0.02);
  const Answer answer = ik.solve();
  EXPECT_FALSE(answer.isReached());
  const Kinematics after = transformsOf(ik.figure(), answer.pose);
  EXPECT_NEAR(test::apart(ik.figure(), after, last, ik.problem().obstacles[0]), before + 0.02, 1e-3);
  ASSERT_FALSE(answer.contacts.empty());
  EXPECT_DOUBLE_EQ(answer.contacts[0].asked, before + 0.02);
  EXPECT_GE(answer.contacts[0].clearance, before + 0.02 - kRounding);
  EXPECT_FALSE(answer.contacts[0].isInside);
  EXPECT_NE(answer.sentence.find("obstacle \"ceiling\" stops"), std::string::npos) << answer.sentence;
  ik.setSafetyDistance(0.0);
  EXPECT_TRUE(ik.solve().isReached());
}

TEST(SafetyDistance, WhatCannotKeepItIsNamed) {
  Ik ik(makePlanarChain(3));
  ik.addPlane({0, -0.3, 0}, V::UnitY(), "below");
  ik.addPlane({0, 0.3, 0}, -V::UnitY(), "above");
  ik.setSafetyDistance(0.5);
  ik.add(position("tip", ik.placeOf("tip").translation));
  const Answer answer = ik.solve();
  int named = 0;
  expectKept(ik, answer, 0.5, named);
  EXPECT_GT(named, 0);
  EXPECT_FALSE(answer.isReached());
  EXPECT_NE(answer.sentence.find("is only "), std::string::npos) << answer.sentence;
}

TEST(SafetyDistance, IsInTheUnitOfTheFile) {
  FigureBuilder builder("arm");
  builder.setFileFrame({.metresPerUnit = 0.01});
  const int upper = builder.addLink({.name = "upper"}, {.name = "shoulder", .type = JointType::Revolute});
  Joint elbow{.name = "elbow", .type = JointType::Revolute};
  elbow.parentFromJoint.translation = V(0.5, 0, 0);
  const int lower = builder.addLink({.name = "lower", .parent = upper}, elbow);
  builder.addSite({"tool", lower, Transform::fromTranslation({0.5, 0, 0})});
  std::string error;
  Ik ik(builder.build(error));
  ASSERT_EQ(error, "");
  ik.addSphere({80, -60, 0}, 20, "ball");
  EXPECT_EQ(ik.problem().obstacles[0].size, V::Constant(0.4));
  ik.addCapsule({80, -60, 0}, {80, -60, 50}, 10);
  EXPECT_NEAR((capsuleInWorld(ik.problem().obstacles[1]).end - V(0.8, -0.6, 0.5)).norm(), 0.0, 1e-12);
  ik.removeObstacle(ik.problem().obstacles[1].id);
  ik.setSafetyDistance(5);
  EXPECT_EQ(ik.safetyDistance(), 5.0);
  EXPECT_EQ(ik.problem().safetyDistance, 0.05);
  ik.add(position("tool", {70, -60, 0}));
  const Answer answer = ik.solve();
  ASSERT_FALSE(answer.contacts.empty());
  EXPECT_NEAR(answer.contacts[0].asked, 5.0, 1e-12);
  EXPECT_GE(answer.contacts[0].clearance, 5.0 - 1e-4);
  EXPECT_LT(answer.contacts[0].clearance, 5.6);
}

TEST(DisabledPairs, AreNeitherHeldApartNorReported) {
  const auto solved = [](bool isDisabled) {
    Ik ik(makePlanarChain(6));
    ik.lock("link0");
    ik.setAvoidsItself(true);
    if (isDisabled)
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) ik.disableCollision("link" + std::to_string(a), "link" + std::to_string(b));
    ik.add(position("tip", {0.5, 0.0, 0.0}));  // on the first link
    Answer answer = ik.solve();
    const Kinematics kinematics = transformsOf(ik.figure(), answer.pose);
    return std::tuple(answer, test::apart(ik.figure(), kinematics, 0, 5), ik.problem().disabledPairs.size());
  };
  const auto [apart, distance, none] = solved(false);
  EXPECT_FALSE(apart.isReached());
  EXPECT_FALSE(apart.contacts.empty());
  EXPECT_GT(distance, -1e-3);
  EXPECT_EQ(none, 0u);
  const auto [through, overlap, all] = solved(true);
  EXPECT_TRUE(through.isReached()) << through.sentence;
  EXPECT_TRUE(through.contacts.empty());
  EXPECT_LT(overlap, -0.01);
  EXPECT_EQ(all, 15u) << "each pair once, and no link with itself";
}

TEST(DisabledPairs, ChangeBetweenWarmSolves) {
  Ik ik(makePlanarChain(6));
  ik.lock("link0");
  ik.setAvoidsItself(true);
  ik.add(position("tip", {0.5, 0.0, 0.0}));
  ASSERT_FALSE(ik.solve().isReached());
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a; ++b) ik.disableCollision("link" + std::to_string(a), "link" + std::to_string(b));
  EXPECT_TRUE(ik.solve().isReached());
  EXPECT_TRUE(findContacts(ik.problem()).empty());
  ik.disableCollision("link0", "link5", false);
  EXPECT_EQ(ik.problem().disabledPairs.size(), 14u);
  EXPECT_FALSE(findContacts(ik.problem()).empty());
  const Answer answer = ik.solve();
  EXPECT_FALSE(answer.isReached());
  for (const ContactReport& contact : answer.contacts)
    EXPECT_TRUE(contact.link + contact.otherLink == 5 && contact.link * contact.otherLink == 0) << contact.other;
}

TEST(DisabledPairs, WrongCallsSayWhy) {
  Ik ik(makeArm());
  EXPECT_THROW(ik.disableCollision("nose", "tool"), std::invalid_argument);
  EXPECT_THROW(ik.setSafetyDistance(-0.1), std::invalid_argument);
  EXPECT_THROW(ik.setSafetyDistance(std::nan("")), std::invalid_argument);
  EXPECT_THROW(ik.addSphere(V::Zero(), 0.0), std::invalid_argument);
  EXPECT_THROW(ik.addCapsule(V::Zero(), V::Ones(), -1.0), std::invalid_argument);
  IkProblem problem = makeIkProblem(makeArm());
  problem.disabledPairs = {{3, 99}};
  EXPECT_NE(findFault(problem).find("disabled pair"), std::string::npos);
  problem.disabledPairs.clear();
  problem.safetyDistance = -1.0;
  EXPECT_NE(findFault(problem).find("safety distance"), std::string::npos);
}

TEST(RoundObstacles, StopALinkAtTheirSurface) {
  Ik ik(makeArm());
  const V there(0.4, 0.6, 0.2);
  ik.add(position("tool", there));
  for (const bool isCapsule : {false, true}) {
    const int number = isCapsule ? ik.addCapsule(there - V(0, 0.2, 0), there + V(0, 0.2, 0), 0.08, "pole")
                                 : ik.addSphere(there, 0.1, "ball");
    const Answer answer = ik.solve();
    EXPECT_FALSE(answer.isReached());
    EXPECT_NE(answer.sentence.find("the target is inside"), std::string::npos) << answer.sentence;
    const Kinematics kinematics = transformsOf(ik.figure(), answer.pose);
    double least = 1.0;
    for (int link = 0; link < ik.figure().linkCount(); ++link)
      least = std::min(least, test::apart(ik.figure(), kinematics, link, ik.problem().obstacles[0]));
    EXPECT_NEAR(least, 0.0, 1e-4);
    ASSERT_FALSE(answer.contacts.empty());
    EXPECT_NEAR(test::apart(ik.problem().obstacles[0], answer.contacts[0].point), 0.0, 1e-3);
    ik.removeObstacle(number);
  }
  EXPECT_TRUE(ik.search().isReached());
}

}  // namespace
}  // namespace limber::safety_distance_test
