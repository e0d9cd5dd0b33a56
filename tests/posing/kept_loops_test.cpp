// SPDX-License-Identifier: MIT
// Closed loops outside of solves: poses of files, motions, fits, batches and velocity steps.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/clear_batch.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/posing/fitter.h"
#include "limber/posing/loops_along.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/velocity_step.h"
#include "support/allocation_count.h"
#include "support/loop_figures.h"
#include "support/says.h"

namespace limber::kept_loops_test {
namespace {

using V = Eigen::Vector3d;

void expectClosed(const IkProblem& problem, const Pose& pose, const std::string& where) {
  const LoopGap gap = largestGap(*problem.figure, pose);
  EXPECT_LE(gap.length, 1e-9) << where;
  EXPECT_LE(gap.angle, 1e-6) << where;
  EXPECT_LE(FeasibleSet(*problem.figure, limitsOf(problem)).violation(pose), 1e-9) << where;
}

double distance(const Figure& figure, const Pose& from, const Pose& to) {
  Eigen::VectorXd step;
  difference(figure, from, to, step);
  return step.cwiseAbs().maxCoeff();
}

TEST(LoopCloser, ClosesPosesAndSaysByHowMuchTheyWereOpen) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const IkProblem problem = makeIkProblem(looped.figure);
    LoopCloser closer(problem);
    Pose pose = test::disturbed(*looped.figure, 0.1, 0.3);
    EXPECT_FALSE(largestGap(*looped.figure, pose).isClosed());
    EXPECT_TRUE(closer.close(pose)) << looped.name;
    expectClosed(problem, pose, looped.name);
    ASSERT_EQ(closer.notes().size(), 1u);
    EXPECT_TRUE(test::says(closer.notes()[0], {"the pose was moved to close loops, which were open by up to"}));
    const Pose closed = pose;
    closer.close(pose);
    EXPECT_EQ(pose, closed) << looped.name;
  }
}

TEST(LoopCloser, NamesLoopsThatStayOpen) {
  IkProblem problem = makeIkProblem(test::makeOpenLoop());
  const auto notes = closeLoops(problem);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(test::says(notes[1], {"the loop \"gap\" cannot be closed: it stays open by 1"})) << notes[1];
}

TEST(LoopCloser, LockedJointsStay) {
  IkProblem problem = makeIkProblem(test::makeFourBar());
  const Figure& figure = *problem.figure;
  const int crank = figure.findLink("crank"), at = figure.joint(crank).poseIndex;
  problem.joints[crank].locked = true;
  problem.pose.coordinates[at] = 0.9;
  closeLoops(problem);
  EXPECT_EQ(problem.pose.coordinates[at], 0.9);
  expectClosed(problem, problem.pose, "four-bar");
}

TEST(LoopCloser, MotionsStayContinuousAndNearTheGivenOnes) {
  constexpr int kFrames = 120;
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const IkProblem problem = makeIkProblem(looped.figure);
    LoopCloser closer(problem), single(problem);
    Pose wantedBefore, closedBefore;
    for (int frame = 0; frame < kFrames; ++frame) {
      const std::string where = std::string(looped.name) + ", frame " + std::to_string(frame);
      const Pose wanted = test::disturbed(*looped.figure, 0.25, 6.28 * frame / kFrames);
      Pose closed = wanted, alone = wanted;
      ASSERT_TRUE(closer.follow(closed)) << where;
      single.close(alone);
      expectClosed(problem, closed, where);
      if (frame > 0) {
        const double given = distance(*looped.figure, wantedBefore, wanted);
        EXPECT_LE(distance(*looped.figure, closedBefore, closed), 12.0 * given) << where;
      }
      Eigen::VectorXd step, stepAlone;
      difference(*looped.figure, closed, wanted, step);
      difference(*looped.figure, alone, wanted, stepAlone);
      EXPECT_LE(step.norm(), 1.5 * stepAlone.norm() + 1e-6) << where;
      wantedBefore = wanted;
      closedBefore = closed;
    }
  }
}

/// A closed pose that is nearest to the given one: the rest of the way is normal to all ways that keep the loops.
TEST(LoopProjection, ApproachesTheNearestClosedPose) {
  const auto figure = test::makeRodBiped();
  const FeasibleSet feasibleSet(*figure, limitsOf(*figure));
  const std::vector<int> active = independentCoordinates(*figure, feasibleSet.couplings());
  LoopProjection projection(figure, feasibleSet, active);
  const Pose wanted = test::disturbed(*figure, 0.05, 0.7);
  Pose pose = restPose(*figure);
  projection.approach(wanted, pose);
  EXPECT_TRUE(largestGap(*figure, pose).isClosed());
  Eigen::MatrixXd jacobian;
  projection.jacobianAt(pose, jacobian);
  Eigen::VectorXd way;
  difference(*figure, pose, wanted, way);
  Eigen::VectorXd scaled(std::ssize(active));
  for (Eigen::Index k = 0; k < scaled.size(); ++k) {
    const bool isLength = active[k] < 3;  // of the free pelvis
    const double unit = isLength ? figure->meanLinkLength() : 1.0;
    scaled[k] = way[active[k]] / unit;
    jacobian.col(k) *= unit;
  }
  const Eigen::MatrixXd transposed = jacobian.transpose();
  const Eigen::VectorXd across = transposed * transposed.completeOrthogonalDecomposition().solve(scaled);
  EXPECT_GT(scaled.norm(), 1e-3);
  EXPECT_LT((scaled - across).norm(), 1e-5);
}

std::vector<FitPoint> pointsOf(const Figure& figure) {
  std::vector<FitPoint> points;
  for (int link = 0; link < figure.linkCount(); ++link)
    for (const V& point : {V(0, 0, 0), V(0.05, 0.1, 0.02)})
      points.push_back({static_cast<int>(points.size()), {link, point}, 1.0});
  return points;
}

TEST(FitterOfLoops, FindsThePoseAndKeepsItClosed) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const IkProblem problem = makeIkProblem(looped.figure);
    const std::vector<FitPoint> points = pointsOf(*looped.figure);
    Fitter exact(problem, points), noisy(problem, points);
    ASSERT_EQ(exact.fault(), "") << looped.name;
    for (int frame = 0; frame < 10; ++frame) {
      const std::string where = std::string(looped.name) + ", frame " + std::to_string(frame);
      const Pose truth = test::closedPose(looped.figure, 0.15, 0.05 * frame);
      const Kinematics kinematics = transformsOf(*looped.figure, truth);
      std::vector<V> places, shaken;
      for (const FitPoint& point : points) {
        places.push_back(placeOf(kinematics, point.point));
        const double k = static_cast<double>(places.size());
        shaken.push_back(places.back() + 0.01 * V(std::sin(k), std::cos(2.0 * k), std::sin(3.0 * k)));
      }
      const FittedFrame found = exact.fit(places);
      expectClosed(problem, found.pose, where);
      EXPECT_LT(found.cost, 1e-5) << where;
      const FittedFrame near = noisy.fit(shaken);
      expectClosed(problem, near.pose, where + ", noisy");
      EXPECT_LT(near.cost, 0.02) << where;
      EXPECT_GT(near.cost, 1e-4) << where;
    }
  }
}

TEST(BatchOfLoops, AnswersAreClosedAndReached) {
  constexpr Eigen::Index kCount = 12;
  for (const test::LoopFigure& looped : test::loopFigures()) {
    IkProblem problem = makeIkProblem(looped.figure);
    const std::vector<BatchGoal> goals = {{looped.link, Transform::fromTranslation(looped.point), true, false}};
    BatchProblems problems{problem.pose.coordinates.replicate(1, kCount), {}};
    for (Eigen::Index i = 0; i < kCount; ++i) {
      const Pose pose = test::closedPose(looped.figure, 0.15, 0.5 * static_cast<double>(i));
      const Transform link = transformsOf(*looped.figure, pose).worldFromLink[looped.link];
      problems.targets.push_back({link.rotation, link * looped.point});
    }
    const BatchOptions options{.restarts = 5, .threads = 2};
    const BatchSolver solver(looped.figure, goals);
    BatchAnswers answers;
    EXPECT_EQ(solver.fault(problems, options), "");
    solver.solve(problems, options, answers);
    const auto goalsOf = [&](Eigen::Index i) { return goalItemsOf(goals, std::span(problems.targets).subspan(i, 1)); };
    EXPECT_EQ(keepClear(problem, problems, options, goalsOf, answers), kCount);
    for (Eigen::Index i = 0; i < kCount; ++i) {
      const std::string where = std::string(looped.name) + ", problem " + std::to_string(i);
      const Pose pose{answers.poses.col(i)};
      expectClosed(problem, pose, where);
      EXPECT_TRUE(answers.answers[i].isSolved) << where;
      EXPECT_TRUE(answers.answers[i].reached) << where;
      const V end = transformsOf(*looped.figure, pose).worldFromLink[looped.link] * looped.point;
      EXPECT_NEAR((end - problems.targets[i].translation).norm(), answers.answers[i].positionError, 1e-12) << where;
    }
  }
}

/// The ends move as wanted where the mechanism can, and loops are kept by the velocities and by the poses.
TEST(VelocityStepOfLoops, KeepsThemInEveryPeriod) {
  constexpr double kPeriod = 0.005;
  const std::map<std::string, std::string> ends = {
      {"delta", "tool"}, {"stewart", "top"}, {"gripper", "left_tip"}, {"biped", "left_toe"}, {"four-bar", "tip"}};
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const IkProblem problem = makeIkProblem(looped.figure);
    VelocityStep step(problem, Axes::Scene);
    const int end = step.add({.end = ends.at(looped.name), .turns = false});
    LoopProjection loops(looped.figure, FeasibleSet(*looped.figure, limitsOf(problem)),
                         independentCoordinates(*looped.figure, Couplings(*looped.figure, {})));
    Pose pose = restPose(*looped.figure);
    Eigen::MatrixXd jacobian;
    bool isReached = true;
    for (int k = 0; k < 100; ++k) {
      const double t = 0.02 * k;
      step[end].twist << 0.1 * std::cos(t), 0.05 * std::sin(t), 0.0, 0.0, 0.0, 0.0;
      loops.jacobianAt(pose, jacobian);
      const V before = placeOf(*looped.figure, pose, ends.at(looped.name), Axes::Scene).translation;
      const VelocityAnswer& answer = step.solve(pose, kPeriod);
      EXPECT_LT((jacobian * answer.velocity).norm(), 1e-9) << looped.name << ' ' << k;
      EXPECT_TRUE(answer.isClosed) << looped.name;
      expectClosed(problem, answer.pose, looped.name);
      const V moved = placeOf(*looped.figure, answer.pose, ends.at(looped.name), Axes::Scene).translation - before;
      if (answer.isReached) {
        const double turned = kPeriod * answer.velocity.norm();
        EXPECT_LT((moved - kPeriod * step[end].twist.head<3>()).norm(), 1e-6 + turned * turned)
            << looped.name << ' ' << k;
      }
      isReached = isReached && answer.isReached;
      pose = answer.pose;
    }
    if (looped.freedom >= 6) {
      EXPECT_TRUE(isReached) << looped.name;
    }
    const std::size_t before = test::allocationCount();
    step.solve(pose, kPeriod);
    EXPECT_EQ(test::allocationCount(), before) << looped.name;
  }
}

}  // namespace
}  // namespace limber::kept_loops_test
