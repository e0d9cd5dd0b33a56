// SPDX-License-Identifier: MIT
// The self-motion of arms of seven joints as paths, and drags that hold an end effector exactly.
#include "limber/posing/self_motion_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"
#include "support/says.h"

namespace limber::self_motion_path_test {
namespace {

using State = SelfMotionPath::State;
using V = Eigen::Vector3d;

/// The arm with its tool held where it is in a bent pose.
IkProblem bentArm() {
  IkProblem problem = makeIkProblem(makeArm());
  problem.pose.coordinates << 0.3, 0.5, 0.4, 1.2, -0.5, 0.7, 0.2;
  addGoal(problem, GoalType::PositionOrientation, mainEndEffector(*problem.figure));
  return problem;
}

Transform toolOf(const IkProblem& problem, const Pose& pose) {
  const GoalItem& goal = problem.goals.front();
  const Transform& link = transformsOf(*problem.figure, pose).worldFromLink[goal.link];
  return {link.rotation * goal.frameInLink, link * goal.pointInLink};
}

void expectToolStays(const IkProblem& problem, const Pose& pose) {
  const Transform tool = toolOf(problem, pose);
  EXPECT_LT((tool.translation - problem.goals.front().target).norm(), 1e-9);
  EXPECT_LT((tool.rotation - problem.goals.front().targetFrame).norm(), 1e-8);
}

bool isInside(const IkProblem& problem, const Pose& pose) {
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const double q = pose.coordinates[problem.figure->joint(i).poseIndex];
    if (q < problem.joints[i].limits.lower - 1e-9 || q > problem.joints[i].limits.upper + 1e-9) return false;
  }
  return true;
}

TEST(SelfMotionPath, HasTheToolInPlaceEverywhere) {
  const IkProblem problem = bentArm();
  const SelfMotionPaths found(problem);
  ASSERT_EQ(found.fault(), "");
  ASSERT_FALSE(found.paths().empty());
  for (int path = 0; path < static_cast<int>(found.paths().size()); ++path)
    for (double at = 0.0; at <= 1.0; at += 0.00317) {
      const Pose pose = found.poseAt(path, at, problem.pose);
      expectToolStays(problem, pose);
      if (found.paths()[path].stateAt(at) != State::OutsideLimits) {
        EXPECT_TRUE(isInside(problem, pose)) << path << " " << at;
      }
    }
}

TEST(SelfMotionPath, IsContinuous) {
  const IkProblem problem = bentArm();
  const SelfMotionPaths found(problem);
  const auto place = found.nearest(problem.pose);
  ASSERT_GE(place.path, 0);
  EXPECT_LT(place.distance, 0.02) << "the problem's own pose is on a path";
  EXPECT_LT((found.poseAt(place.path, place.at, problem.pose).coordinates - problem.pose.coordinates).norm(), 0.02);
  Pose last = found.poseAt(place.path, 0.0, problem.pose);
  for (double at = 0.001; at <= 1.0; at += 0.001) {
    const Pose next = found.poseAt(place.path, at, last);
    Eigen::VectorXd step = next.coordinates - last.coordinates;
    for (double& angle : step) angle = wrapAngle(angle);
    EXPECT_LT(step.norm(), 0.05) << at;
    last = next;
  }
}

TEST(SelfMotionPath, FindsThePlaceOfItsOwnPoses) {
  const IkProblem problem = bentArm();
  const SelfMotionPaths found(problem);
  const int path = found.nearest(problem.pose).path;
  ASSERT_GE(path, 0);
  for (const double at : {0.12, 0.5, 0.77}) {
    const auto place = found.nearestOn(path, found.poseAt(path, at, problem.pose));
    EXPECT_NEAR(place.at, at, 2e-3);
    EXPECT_LT(place.distance, 2e-3);
  }
}

TEST(SelfMotionPath, EndsAtLimitsToRounding) {
  IkProblem problem = bentArm();
  problem.joints[2].limits = {0.0, 0.8};
  const SelfMotionPaths found(problem);
  constexpr double kStep = 0.001;
  int ends = 0;
  for (int i = 0; i < static_cast<int>(found.paths().size()); ++i)
    for (double at = 0.0; at + kStep <= 1.0; at += kStep) {
      const SelfMotionPath& path = found.paths()[i];
      const bool isOut = path.stateAt(at) == State::OutsideLimits;
      if (isOut == (path.stateAt(at + kStep) == State::OutsideLimits)) continue;
      ++ends;
      const auto end = path.nearestInside(isOut ? at : at + kStep);
      ASSERT_TRUE(end);
      EXPECT_NEAR(*end, at, kStep);
      const Pose pose = found.poseAt(i, *end, problem.pose);
      EXPECT_TRUE(isInside(problem, pose));
      double nearest = 1.0;
      for (int joint = 0; joint < problem.figure->linkCount(); ++joint)
        for (const double limit : {problem.joints[joint].limits.lower, problem.joints[joint].limits.upper})
          nearest = std::min(nearest, std::abs(pose.coordinates[problem.figure->joint(joint).poseIndex] - limit));
      EXPECT_LT(nearest, 1e-7) << "a joint is at a limit";
    }
  EXPECT_GE(ends, 1);
}

TEST(SelfMotionPath, MarksCollisions) {
  IkProblem problem = bentArm();
  const SelfMotionPaths open(problem);
  const auto place = open.nearest(problem.pose);
  ASSERT_GE(place.path, 0);
  // A ball at the elbow of a pose elsewhere on the path.
  const double there = place.at < 0.5 ? place.at + 0.25 : place.at - 0.25;
  ASSERT_NE(open.paths()[place.path].stateAt(there), State::OutsideLimits);
  const Pose other = open.poseAt(place.path, there, problem.pose);
  Obstacle ball;
  ball.shape = Obstacle::Shape::Sphere;
  ball.size = V::Constant(0.06);
  ball.worldFromObstacle.translation = transformsOf(*problem.figure, other).worldFromLink[3].translation;
  addObstacle(problem, ball);
  const SelfMotionPaths found(problem);
  ASSERT_EQ(found.paths().size(), open.paths().size());
  EXPECT_EQ(found.paths()[place.path].stateAt(there), State::Colliding);
  EXPECT_EQ(found.paths()[place.path].stateAt(place.at), State::Free);
}

TEST(SelfMotionPath, OfOtherFiguresSaysWhyThereIsNone) {
  IkProblem problem = bentArm();
  problem.joints[3].locked = true;
  EXPECT_TRUE(test::says(SelfMotionPaths(problem).fault(), {"seven joints"}));
  problem.goals.clear();
  EXPECT_TRUE(test::says(SelfMotionPaths(problem).fault(), {"exactly one goal"}));
}

TEST(SelfMotionPath, StopsWhenProgressSaysSo) {
  int calls = 0;
  const SelfMotionPaths found(bentArm(), [&](double, std::string_view) { return ++calls < 1; });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(found.paths().empty());
}

/// The elbow is dragged while the tool is held.
TEST(HeldExactly, StaysToRoundingWhileAnotherLinkIsDragged) {
  IkProblem problem = bentArm();
  const Kinematics before = transformsOf(*problem.figure, problem.pose);
  const V elbow = before.worldFromLink[3].translation;
  Hold hold{.goal = problem.goals.front()};
  hold.goal.id = -1;
  Posing posing;
  double most = 0.0;
  PosingRequest request{.holds = {hold}, .meetsHolds = true, .startPose = problem.pose};
  for (int i = 1; i <= 40; ++i) {
    request.drag = DragGoal{.link = 3, .target = elbow + V(0.01, 0.004, 0.012) * i};
    request.followsLast = i > 1;
    ASSERT_TRUE(posing.start(problem, request));
    bool ended = false;
    while (!ended) {
      ended = posing.advance(problem, 1);
      expectToolStays(problem, problem.pose);
    }
    most = std::max(most, (transformsOf(*problem.figure, problem.pose).worldFromLink[3].translation - elbow).norm());
    EXPECT_TRUE(isInside(problem, problem.pose));
  }
  EXPECT_GT(most, 0.05) << "the elbow follows as far as the self-motion goes";
}

}  // namespace
}  // namespace limber::self_motion_path_test
