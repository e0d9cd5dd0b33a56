// SPDX-License-Identifier: MIT
// The human that the window opens with, dragged and posed.
#include <gtest/gtest.h>

#include <random>

#include "example_scenes.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"
#include "puller.h"
#include "support/repetitions.h"

namespace limber::human_test {
namespace {

using test::openFigure;
using test::Puller;
using V = Eigen::Vector3d;

class HumanDrags : public testing::TestWithParam<const char*> {};

Eigen::Vector3d anyWay(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return size * V(x, y, z);
}

/// Drags of any part to anywhere, each from where the last one ended.
TEST_P(HumanDrags, HundredsStayWithinLimitsAndNeverRaiseTheObjective) {
  Document document = openFigure(GetParam());
  document.mode = Mode::Inverse;
  document.solver.posing = PosingChoice::Natural;
  document.solver.reference = RestReference::StartPose;
  const Figure& figure = *document.figure;
  std::mt19937 random(7);
  Posing posing;
  for (int drag = 0; drag < test::repetitions(400, 40); ++drag) {
    if (drag % 50 == 0) document.pose = restPose(figure);
    const int link = std::uniform_int_distribution<int>(0, figure.linkCount() - 1)(random);
    Kinematics kinematics;
    computeTransforms(figure, document.pose, kinematics);
    PosingRequest request{.startPose = document.pose};
    request.drag =
        DragGoal{.link = link,
                 .target = kinematics.worldFromLink[static_cast<std::size_t>(link)].translation + anyWay(random, 0.6)};
    // Contacts that enter during a solve add to its objective.
    document.selfAvoidance = drag % 2 == 0 ? SelfAvoidance::Off : SelfAvoidance::Arms;
    const PosingReport report = solveToEnd(posing, document, request);
    EXPECT_NE(report.outcome, Outcome::BadInput) << drag << ": " << report.sentence;
    if (document.selfAvoidance == SelfAvoidance::Off) {
      EXPECT_LE(report.summary.objective, report.summary.objectiveBefore) << drag << " " << figure.link(link).name;
    }
    ASSERT_TRUE(isValid(figure, document.pose));
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << drag << " " << figure.link(link).name;
  }
}

INSTANTIATE_TEST_SUITE_P(, HumanDrags, testing::Values("human", "human-without-fingers"),
                         [](const auto& each) { return each.index == 0 ? "WithFingers" : "WithoutFingers"; });

TEST(Human, AHandWithinReachMovesItsArmAndNothingElse) {
  for (const V& way : {V(0.2, 0.1, 0.1), V(0.1, 0.3, 0.2), V(-0.1, 0.2, 0.3), V(0.15, 0.2, 0.25)}) {
    Puller puller(openFigure("human"), "left hand");
    puller.to(puller.start() + way);
    EXPECT_LT(puller.miss(), 5e-5) << way.transpose();
    EXPECT_EQ(puller.report.outcome, Outcome::Reached) << puller.report.sentence;
    EXPECT_LT(puller.turn("chest"), 3.0) << way.transpose();
    EXPECT_LT(puller.way("right hand"), 5e-3) << way.transpose();
    EXPECT_EQ(puller.report.heldFeet.size(), 2u);
  }
}

TEST(Human, ALockedClavicleStaysAndTheArmMovesWithoutIt) {
  for (const double rigidity : {0.0, 1.0}) {
    Puller puller(openFigure("human-without-fingers"), "left hand");
    const int clavicle = puller.document.figure->findJoint("left clavicle");
    ASSERT_GE(clavicle, 0);
    auto& settings = puller.document.joints[static_cast<std::size_t>(clavicle)];
    if (rigidity > 0.0) settings.rigidity = rigidity;
    else settings.locked = true;
    const int at = puller.document.figure->joint(clavicle).poseIndex;
    const double before = puller.document.pose.coordinates[at];
    puller.to(puller.start() + V(0.3, 0.5, 0.2));
    EXPECT_LT(puller.miss(), 5e-5);
    EXPECT_EQ(puller.document.pose.coordinates[at], before);
    EXPECT_LT(puller.turn("chest"), 3.0);
    settings = settingsOf(puller.document.figure->joint(clavicle));
    puller.to(puller.start() + V(0.3, 0.5, 0.2));
    EXPECT_GT(std::abs(puller.document.pose.coordinates[at] - before), 0.05) << "unlocked, it follows again";
    EXPECT_LT(puller.miss(), 5e-5);
  }
}

/// Drawn out to the side and up and on over the head: no joint jumps, as hinges in a row do at 90 degrees.
TEST(Human, AnArmGoesRoundWithoutAJump) {
  Puller puller(openFigure("human"), "left hand");
  const Figure& figure = *puller.document.figure;
  const V shoulder =
      puller.before.worldFromLink[static_cast<std::size_t>(figure.findLink("left upper arm"))].translation;
  const double radius = 0.9 * (puller.start() - shoulder).norm();
  Pose last = puller.document.pose;
  Eigen::VectorXd step;
  for (int i = 0; i <= 120; ++i) {
    const double angle = (12.0 + 1.3 * i) / test::kDegree;
    puller.to(shoulder + radius * V(std::sin(angle), -std::cos(angle), 0.1));
    difference(figure, last, puller.document.pose, step);
    if (i > 0) {
      EXPECT_LT(step.cwiseAbs().maxCoeff(), 0.15) << i;
    }
    last = puller.document.pose;
  }
}

}  // namespace
}  // namespace limber::human_test
