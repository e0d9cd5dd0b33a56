// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "limber/body/balance.h"
#include "limber/io/open.h"
#include "limber/posing/held_feet.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_error.h"
#include "support/repetitions.h"

namespace limber::keep_balance_test {
namespace {

using V = Eigen::Vector3d;

/// The humanoid on its feet, a hand in hand.
struct Reacher {
  Document document;
  Posing posing;
  PosingRequest request;
  std::vector<int> feet;
  Kinematics before;

  Reacher() {
    auto opened = io::openAny("humanoid");
    EXPECT_TRUE(opened) << opened.error().message();
    document = std::move(opened->document);
    document.keepsBalance = true;
    before = now();
    feet = plantedLinks(document, before);
    const int hand = document.figure->findLink("left_hand");
    EXPECT_GE(hand, 0);
    request.startPose = document.pose;
    request.drag = DragGoal{hand, V::Zero(), before.worldFromLink[static_cast<std::size_t>(hand)].translation, 1.0};
  }

  Kinematics now() const {
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    return kinematics;
  }
  double margin() const {
    const Kinematics kinematics = now();
    return supportMargin(supportPolygon(*document.figure, kinematics, feet),
                         onGround(centreOfMassOf(*document.figure, kinematics)));
  }
  double slide() const {
    double worst = 0.0;
    const Kinematics kinematics = now();
    for (const int foot : feet) {
      const auto i = static_cast<std::size_t>(foot);
      worst = std::max(worst, (kinematics.worldFromLink[i].translation - before.worldFromLink[i].translation).norm());
    }
    return worst;
  }
  const PosingReport& dragTo(const V& target) {
    request.drag->target = target;
    solveToEnd(posing, document, request);
    request.followsLast = true;
    return posing.report();
  }
};

TEST(KeepBalance, HoldsTheCentreAboveTheFeetWhileAHandIsDraggedAway) {
  const V ways[] = {V(0.0, -0.6, 1.2), V(1.2, 0.0, 0.2), V(0.4, 0.6, -1.0)};
  for (int i = 0; i < test::repetitions(3, 1); ++i) {
    const V& way = ways[i];
    Reacher reacher;
    ASSERT_EQ(reacher.feet.size(), 2u);
    ASSERT_GT(reacher.margin(), 0.0) << "at rest it stands";
    const V start = reacher.request.drag->target;
    bool heldBack = false;
    for (int event = 1; event <= 60; ++event) {
      const PosingReport& report = reacher.dragTo(start + event / 60.0 * way);
      ASSERT_TRUE(report.balance) << report.sentence;
      EXPECT_TRUE(report.balance->isKept) << event << ": " << report.sentence;
      EXPECT_GE(reacher.margin(), -1e-4) << event;
      EXPECT_LE(reacher.slide(), 1e-3) << event;
      heldBack = heldBack || report.balance->holdsBack;
    }
    EXPECT_TRUE(heldBack) << "the way goes too far for nothing but balance to stop it";
  }
}

TEST(KeepBalance, WithoutItTheFigureLeansOver) {
  Reacher reacher;
  reacher.document.keepsBalance = false;
  reacher.request.freeRoot = true;
  reacher.request.holds = heldFeet(*reacher.document.figure, reacher.before);
  const V start = reacher.request.drag->target;
  for (int event = 1; event <= 60; ++event) reacher.dragTo(start + event / 60.0 * V(0.0, -0.6, 1.2));
  EXPECT_FALSE(reacher.posing.report().balance);
  EXPECT_LT(reacher.margin(), -0.02);
}

TEST(KeepBalance, SaysWhenNoPoseKeepsIt) {
  Reacher reacher;
  // All joints locked except those of an arm: the centre of mass stays between the feet.
  const Figure& figure = *reacher.document.figure;
  for (int i = 0; i < figure.linkCount(); ++i)
    reacher.document.joints[static_cast<std::size_t>(i)].locked =
        !figure.isAncestorOrSelf(figure.findLink("left_upper_arm"), i);
  const int foot = reacher.feet.front();
  reacher.document.pins.push_back(
      {.link = foot, .worldFromLink = reacher.before.worldFromLink[static_cast<std::size_t>(foot)]});
  const PosingReport& report = reacher.dragTo(reacher.request.drag->target + V(0.1, 0.1, 0.0));
  ASSERT_TRUE(report.balance);
  EXPECT_FALSE(report.balance->isKept) << report.sentence;
  EXPECT_NE(report.outcome, Outcome::Reached);
  EXPECT_NE(report.sentence.find("balance is lost: the centre of mass is "), std::string::npos) << report.sentence;
  EXPECT_LT((reacher.now().worldFromLink[static_cast<std::size_t>(foot)].translation -
             reacher.before.worldFromLink[static_cast<std::size_t>(foot)].translation)
                .norm(),
            1e-3)
      << "what carries it is not torn off the ground";
}

TEST(KeepBalance, IsNotAskedOfWhatCannotFall) {
  auto opened = io::openAny("planar:3");
  ASSERT_TRUE(opened) << opened.error().message();
  Document& document = opened->document;
  document.keepsBalance = true;
  Posing posing;
  EXPECT_FALSE(solveToEnd(posing, document).balance);
  EXPECT_EQ(posing.report().outcome, Outcome::Reached) << posing.report().sentence;
}

}  // namespace
}  // namespace limber::keep_balance_test
