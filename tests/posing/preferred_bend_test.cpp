// SPDX-License-Identifier: MIT
// A leg whose knee could bend both ways, from exactly straight: with a preference it never bends backward.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/posing/posing.h"
#include "limber/problem/bend.h"
#include "limber/scene/document.h"
#include "posing/refined.h"

namespace limber::preferred_bend_test {
namespace {

using V = Eigen::Vector3d;

using test::kShank, test::kShankLink, test::kThigh;
constexpr double kMetres = 1e-3 * 0.5 * (kThigh + kShank);  // "reached": a thousandth of a mean link

Document makeLeg(std::optional<double> preferred, const Interval& knee = {-2.4, 2.4}, double rest = 0.0) {
  Document document = makeDocument(test::makeLeg(knee, rest));
  document.joints[kShankLink].preferred = preferred;
  return document;
}

PosingRequest pullAnkleTo(const Document& document, const V& target) {
  PosingRequest request;
  request.startPose = document.pose;
  request.drag = DragGoal{kShankLink, V(0, -kShank, 0), target, 1.0};
  return request;
}

double knee(const Document& document) { return document.pose.coordinates[3]; }

V ankleOf(const Document& document) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics.worldFromLink[kShankLink] * V(0, -kShank, 0);
}

/// Where the ankle is in a random pose within the limits, the knee bent forward by 17 degrees or more: nearer to
/// straight, the pull to rest may keep the forward bend half a millimetre from the target, and then the other bend is
/// kept.
V anyFootPlace(std::mt19937& random) {
  Document document = makeLeg({});
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double flexion = uniform(-0.4, 1.6), abduction = uniform(-0.5, 0.5), rotation = uniform(-0.5, 0.5);
  document.pose.coordinates << flexion, abduction, rotation, uniform(0.3, 2.2);
  return ankleOf(document);
}

/// How many of a hundred random foot targets, each from exactly straight, are reached with the knee bent backward.
int backwardKnees(std::optional<double> preferred) {
  std::mt19937 random(11);
  int backward = 0;
  for (int k = 0; k < 100; ++k) {
    Document document = makeLeg(preferred);
    const V target = anyFootPlace(random);
    Posing posing;
    const PosingReport report = solveToEnd(posing, document, pullAnkleTo(document, target));
    EXPECT_EQ(report.outcome, Outcome::Reached) << k << ": " << report.sentence;
    EXPECT_LT((ankleOf(document) - target).norm(), kMetres) << k;
    EXPECT_LE(report.summary.objective, report.summary.objectiveBefore);
    backward += knee(document) < 0.0;
  }
  return backward;
}

TEST(PreferredBend, NoneOfAHundredFootTargetsGivesABackwardKnee) {
  EXPECT_GT(backwardKnees({}), 10) << "without a preference the nearer bend is often the backward one";
  EXPECT_EQ(backwardKnees(0.5), 0);
}

TEST(PreferredBend, TheOtherSideCanBePreferredAsWell) {
  std::mt19937 random(12);
  for (int k = 0; k < 20; ++k) {
    Document document = makeLeg(-0.5);
    Posing posing;
    solveToEnd(posing, document, pullAnkleTo(document, V(0.1 * (k % 3), 0.5 + 0.01 * k, 0.02 * k - 0.2)));
    EXPECT_LT(knee(document), 0.0) << k;
  }
}

TEST(PreferredBend, StraightUpAlongTheLegItselfIsReached) {
  for (const double shorter : {1e-3, 0.01, 0.1, 0.5}) {
    Document document = makeLeg(0.5);
    Posing posing;
    const V target(0, 1 - kThigh - kShank + shorter, 0);
    EXPECT_EQ(solveToEnd(posing, document, pullAnkleTo(document, target)).outcome, Outcome::Reached) << shorter;
    EXPECT_GT(knee(document), 0.0) << shorter;
  }
}

TEST(PreferredBend, ADragFromStraightStaysForwardAndDoesNotJump) {
  for (const V& way : {V(0, 0.4, 0), V(0, 0.3, 0.4), V(0, 0.3, -0.3), V(0.2, 0.2, 0.3)}) {
    Document document = makeLeg(0.5);
    Posing posing;
    PosingRequest request = pullAnkleTo(document, V::Zero());
    const V from = ankleOf(document);
    double before = knee(document);
    constexpr int kEvents = 100;
    for (int event = 1; event <= kEvents; ++event) {
      request.drag->target = from + way * event / kEvents;
      request.followsLast = event > 1;
      solveToEnd(posing, document, request);
      EXPECT_GT(knee(document), -0.02) << event;
      // Two bones straighten like the root of the remaining distance: 2 sqrt(step / bone), and twice that in sum.
      EXPECT_LT(std::abs(knee(document) - before), 4.0 * std::sqrt(way.norm() / kEvents / kShank)) << event;
      before = knee(document);
    }
    EXPECT_GT(knee(document), 0.3);
  }
}

TEST(PreferredBend, OutOfReachALegStaysStraightAndStill) {
  Document document = makeLeg(0.5);
  Posing posing;
  PosingRequest request = pullAnkleTo(document, V(0, -0.5, 0.3));
  solveToEnd(posing, document, request);
  EXPECT_LT(std::abs(knee(document)), 0.02);
  const Pose once = document.pose;
  for (int event = 0; event < 10; ++event) {
    request.followsLast = true;
    solveToEnd(posing, document, request);
    EXPECT_LT((document.pose.coordinates - once.coordinates).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(PreferredBend, AKneeThatAPersonBentBackwardStaysSo) {
  Document document = makeLeg(0.5);
  document.pose.coordinates << 0.0, 0.0, 0.0, -0.8;
  Posing posing;
  solveToEnd(posing, document, pullAnkleTo(document, ankleOf(document) + V(0, 0.05, 0.05)));
  EXPECT_LT(knee(document), -0.5);
}

TEST(PreferredBend, APreferenceThatWouldMissTheTargetGivesWay) {
  Document document = makeLeg(0.5, {-2.4, 0.1});  // forward there is next to nothing
  Posing posing;
  const V target(0, 0.6, 0.1);
  EXPECT_EQ(solveToEnd(posing, document, pullAnkleTo(document, target)).outcome, Outcome::Reached);
  EXPECT_LT(knee(document), 0.0);
}

TEST(PreferredBend, LimitsOnOneSideOfStraightAndTheRestPoseSayItToo) {
  const auto sideOf = [](const Interval& limits, double rest = 0.0) {
    Document document = makeLeg({}, limits, rest);
    document.pose.coordinates.setZero();
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    const auto bend = bendOf(document, document.pose, kinematics, kShankLink, kShankLink, V(0, -kShank, 0));
    EXPECT_NEAR(bend->angle, 0.0, 1e-12);
    return bend->side;
  };
  EXPECT_EQ(sideOf({0.0, 2.4}), 1);
  EXPECT_EQ(sideOf({-0.2, 2.4}), 1);
  EXPECT_EQ(sideOf({-2.4, 0.2}), -1);
  EXPECT_EQ(sideOf({-1.2, 1.4}), 0);
  EXPECT_EQ(sideOf({}), 0);
  EXPECT_EQ(sideOf({}, 0.1), 1);
  EXPECT_EQ(sideOf({-1.2, 1.4}, -0.1), -1);
  std::mt19937 random(13);
  for (int k = 0; k < 30; ++k) {  // an elbow that can bend slightly backward
    Document document = makeLeg({}, {-0.2, 2.4});
    Posing posing;
    EXPECT_EQ(solveToEnd(posing, document, pullAnkleTo(document, anyFootPlace(random))).outcome, Outcome::Reached);
    EXPECT_GT(knee(document), -0.02) << k;
  }
}

TEST(PreferredBend, SlicesOfOneIterationGiveTheSameBits) {
  std::mt19937 random(14);
  for (int k = 0; k < 10; ++k) {
    Document whole = makeLeg(0.5), sliced = whole;
    const PosingRequest request = pullAnkleTo(whole, anyFootPlace(random));
    Posing one, other;
    solveToEnd(one, whole, request);
    ASSERT_TRUE(other.start(sliced, request));
    while (!other.advance(sliced, 1)) {
    }
    EXPECT_TRUE(whole.pose == sliced.pose) << k;
  }
}

}  // namespace
}  // namespace limber::preferred_bend_test
