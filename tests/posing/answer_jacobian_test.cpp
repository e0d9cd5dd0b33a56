// SPDX-License-Identifier: MIT
// Ik::answerJacobian(): the derivative of an answer by its targets is that of central differences of whole solves.
#include <gtest/gtest.h>

#include <numbers>

#include "limber/ik.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "support/built_figure.h"
#include "support/says.h"
#include "support/standing_body.h"

namespace limber::answer_jacobian_test {
namespace {

using V = Eigen::Vector3d;

/// Solves from a pose with one target moved by a step along its column.
Pose solvedAt(Ik ik, const Pose& from, GoalId goal, bool turns, int axis, double step) {
  ik.setPose(from);
  GoalItem& item = ik[goal];
  if (turns) item.targetFrame = Eigen::AngleAxisd(step, V::Unit(axis)).toRotationMatrix() * item.targetFrame;
  else item.target[axis] += step;
  return ik.solve().pose;
}

/// Solves, and compares every column with central differences of solves from the same pose, which end at rounding.
/// worst: relative to 1 + the largest entry of the columns of a target
/// move: of a target to each side, radians and the unit of the axes
void expectDifferences(Ik& ik, bool isReached, double worst, double move = 1e-4) {
  ik.setSolver(GlobalisedNewtonOptions{.tolerance = 1e-16});
  const Pose start = ik.pose();
  ik.setPose(start);
  const Answer& solved = ik.solve();
  ASSERT_EQ(solved.isReached(), isReached) << solved.sentence;
  const AnswerJacobian jacobian = ik.answerJacobian();
  ASSERT_EQ(jacobian.fault, "");
  const Pose answer = ik.pose();
  int columns = 0;
  for (const AnswerJacobian::Columns& goal : jacobian.goals)
    for (const bool turns : {false, true}) {
      const int first = turns ? goal.rotation : goal.position;
      if (first < 0) continue;
      columns += 3;
      const double scale = 1.0 + jacobian.matrix.middleCols<3>(first).cwiseAbs().maxCoeff();
      for (int axis = 0; axis < 3; ++axis) {
        Eigen::VectorXd plus, minus;
        difference(ik.figure(), answer, solvedAt(ik, start, goal.goal, turns, axis, move), plus);
        difference(ik.figure(), answer, solvedAt(ik, start, goal.goal, turns, axis, -move), minus);
        const Eigen::VectorXd expected = (plus - minus) / (2.0 * move);
        const Eigen::VectorXd is = jacobian.matrix.col(first + axis);
        EXPECT_LT((is - expected).cwiseAbs().maxCoeff(), worst * scale)
            << (turns ? "turn " : "shift ") << axis << "\nis       " << is.transpose() << "\nexpected "
            << expected.transpose();
      }
    }
  EXPECT_EQ(jacobian.matrix.cols(), columns);
  EXPECT_EQ(jacobian.matrix.rows(), ik.figure().stepSize());
}

/// The arm of seven joints, bent.
Ik bentArm(std::shared_ptr<const Figure> arm = makeArm()) {
  Ik ik(std::move(arm));
  Pose pose = ik.pose();
  for (Eigen::Index j = 0; j < pose.coordinates.size(); ++j) pose.coordinates[j] = 0.3 + 0.1 * double(j % 3);
  ik.setPose(pose);
  return ik;
}

TEST(AnswerJacobian, OfARedundantArmThatReachesAPlacement) {
  Ik ik = bentArm();
  Transform place = ik.placeOf("tool");
  place.translation += V(0.05, -0.08, 0.06);
  ik.add(placement("tool", place));
  expectDifferences(ik, true, 1e-4);
}

TEST(AnswerJacobian, OfTwoGoalsAndAPullToThePose) {
  Ik ik = bentArm();
  const V target = ik.placeOf("tool").translation + V(0.05, -0.08, 0.06);
  ik.add(position("tool", target));
  ik.add(direction("tool", V(0, 0, 1), V(0.2, 0.1, 1.0)));
  expectDifferences(ik, true, 1e-4);
}

TEST(AnswerJacobian, OfATargetOutOfReach) {
  Ik ik = bentArm();
  ik.add(position("tool", V(1.4, 0.9, 0.5)));
  expectDifferences(ik, false, 1e-4, 3e-3);  // the bends of a straight arm change least
}

TEST(AnswerJacobian, OfGoalsThatContradictEachOther) {
  Ik ik = bentArm();
  const V target = ik.placeOf("tool").translation;
  ik.add(position("tool", target + V(0.1, 0.05, 0.0)).weight(2.0));
  ik.add(position("tool", target - V(0.02, 0.0, 0.1)));
  ik.add(orientation("tool", Eigen::AngleAxisd(0.4, V(1, 2, 3).normalized()).toRotationMatrix()).weight(0.3));
  expectDifferences(ik, false, 1e-4);
}

TEST(AnswerJacobian, HoldsALimitThatIsActive) {
  Ik ik = bentArm();
  const V target = ik.placeOf("tool").translation;
  ik.add(position("tool", target + V(0.1, -0.1, 0.05)));
  ASSERT_TRUE(ik.solve().isReached());
  const double now = ik.pose().coordinates[3];
  ik.setLimits("elbow", now + 0.1, 2.0);
  ik.lock("forearm");
  expectDifferences(ik, true, 1e-4);
  ASSERT_NEAR(ik.pose().coordinates[3], now + 0.1, 1e-12) << "the limit is active";
  const AnswerJacobian jacobian = ik.answerJacobian();
  EXPECT_EQ(jacobian.matrix.row(3).norm(), 0.0) << "a joint at its limit stays there";
  EXPECT_EQ(jacobian.matrix.row(4).norm(), 0.0) << "a locked joint stays where it is";
}

TEST(AnswerJacobian, MovesFollowersOfACoupling) {
  FigureParts parts = takeApart(*makeArm());
  parts.couplings.push_back({.name = "wrist", .follower = 5, .terms = {{.driver = 3, .coefficients = {0.5, 0.2}}}});
  const FigureEdit edit = putTogether(parts, {});
  ASSERT_EQ(edit.fault, "");
  Ik ik(edit.figure);
  Pose pose = ik.pose();
  pose.coordinates << 0.3, 0.4, 0.5, 0.6, 0.2, 0.0, 0.1;
  ik.setPose(pose);
  ik.add(position("tool", V(0.5, 0.5, 0.3)));
  expectDifferences(ik, true, 1e-4);
  EXPECT_GT(ik.answerJacobian().matrix.row(5).norm(), 1e-3) << "the follower moves";
}

TEST(AnswerJacobian, IsInTheAxesAndUnitOfTheFile) {
  FigureParts parts = takeApart(*makeArm());
  parts.fileFrame.metresPerUnit = 0.1;
  parts.fileFrame.sceneFromFile = Eigen::AngleAxisd(-0.5 * std::numbers::pi, V::UnitX()).toRotationMatrix();
  parts.fileFrame.origin = V(1.0, 2.0, 3.0);
  const FigureEdit edit = putTogether(parts, {});
  ASSERT_EQ(edit.fault, "");
  Ik ik = bentArm(edit.figure);
  Transform place = ik.placeOf("tool");
  place.translation += V(0.5, -0.3, 0.2);
  ik.add(placement("tool", place));
  expectDifferences(ik, true, 1e-4);
}

TEST(AnswerJacobian, OfAPersonWithTwoGoalsAndAPin) {
  Ik ik(test::makeStandingBody());
  ik.pin("LeftFoot");
  ik.add(position("LeftHand", ik.placeOf("LeftHand").translation + V(-0.15, -0.2, 0.25)));
  ik.add(position("RightHand", ik.placeOf("RightHand").translation + V(0.2, 0.1, 0.2)));
  expectDifferences(ik, true, 1e-3);
}

TEST(AnswerJacobian, OfAPersonWhoDoesNotReachOneOfTwoGoals) {
  Ik ik(test::makeStandingBody());
  ik.add(position("LeftHand", ik.placeOf("LeftHand").translation + V(0.4, 0.1, 0.2)));
  ik.add(direction("RightHand", V(1, 0, 0), V(0.3, -1.0, 0.2)));
  expectDifferences(ik, false, 1e-3, 1e-3);
}

TEST(AnswerJacobian, OfGoalsOfTwoPriorities) {
  Ik ik = bentArm();
  const V target = ik.placeOf("tool").translation;
  ik.add(position("tool", target + V(0.05, -0.05, 0.05)));
  ik.add(position("elbow", ik.placeOf("elbow").translation + V(0.1, 0.05, 0.2)).priority(2));
  expectDifferences(ik, false, 1e-3);
}

TEST(AnswerJacobian, SaysWhyThereIsNone) {
  Ik before = bentArm();
  EXPECT_TRUE(test::says(before.answerJacobian().fault, {"solve first"}));

  Ik idle = bentArm();
  idle.setRestWeight(0.0);
  idle.add(position("tool", idle.placeOf("tool").translation + V(0.02, 0.0, 0.0)));
  ASSERT_TRUE(idle.solve().isReached());
  const AnswerJacobian free = idle.answerJacobian();
  EXPECT_TRUE(test::says(free.fault, {"can move without a change"}));
  EXPECT_EQ(free.matrix.size(), 0);

  Ik touching = bentArm();
  const V target = touching.placeOf("tool").translation;
  touching.addSphere(target, 0.1, "ball");
  touching.add(position("tool", target));
  ASSERT_FALSE(touching.solve().isReached());
  EXPECT_TRUE(test::says(touching.answerJacobian().fault, {"contact"}));
}

TEST(AnswerJacobian, OfACopyNeedsASolve) {
  Ik ik = bentArm();
  const Pose start = ik.pose();
  ik.add(position("tool", ik.placeOf("tool").translation + V(0.02, 0.0, 0.0)));
  ik.solve();
  Ik copy = ik;
  EXPECT_TRUE(test::says(copy.answerJacobian().fault, {"solve first"}));
  copy.setPose(start);
  copy.solve();
  EXPECT_EQ((copy.answerJacobian().matrix - ik.answerJacobian().matrix).norm(), 0.0);
}

}  // namespace
}  // namespace limber::answer_jacobian_test
