// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <gtest/gtest.h>

#include "posing/refined.h"

namespace limber::other_bend_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

IkProblem makeLegThatPrefersForward(const Interval& knee = {-2.4, 2.4}) {
  IkProblem problem = makeIkProblem(test::makeLeg(knee));
  problem.joints[test::kShankLink].preferred = 0.5;
  return problem;
}

// Up and forward: from straight, the nearer bend is the backward one.
const PosingRequest kUpAndForward = test::dragAnkleTo({0, 0.5, 0.3});

TEST(OtherBend, AKneeThatBentBackwardIsBentForward) {
  const IkProblem problem = makeLegThatPrefersForward();
  Solve plain, bent;
  ASSERT_TRUE(solveWith(plain, problem, kUpAndForward, {}));
  EXPECT_LT(test::kneeOf(plain), -0.1) << "or there is nothing to do";
  OtherBend otherBend;
  RunCounter counter;
  ASSERT_TRUE(solveWith(bent, problem, kUpAndForward, {&counter, &otherBend}));
  EXPECT_GT(test::kneeOf(bent), 0.1);
  EXPECT_LT((test::placeOf(bent, test::kShankLink, test::kAnkle) - kUpAndForward.drag->target).norm(), 1e-3);
  EXPECT_EQ(counter.runs, 3) << "as it is, with the bend held, and as is asked";
  EXPECT_EQ(bent.posed.objective->feasibleSet().violation(plain.pose), 0.0)
      << "the limits are those that are asked for";
}

TEST(OtherBend, ABendThatWouldMissTheTargetIsTakenBack) {
  const IkProblem problem = makeLegThatPrefersForward({-2.4, 0.1});
  Solve plain, tried;
  OtherBend otherBend;
  RunCounter counter;
  ASSERT_TRUE(solveWith(plain, problem, kUpAndForward, {}));
  ASSERT_TRUE(solveWith(tried, problem, kUpAndForward, {&counter, &otherBend}));
  EXPECT_EQ(counter.runs, 3);
  EXPECT_TRUE(tried.pose == plain.pose);
  EXPECT_EQ(tried.summary.objective, plain.summary.objective);
}

TEST(OtherBend, AKneeThatWasBentBackwardStaysSo) {
  IkProblem problem = makeLegThatPrefersForward();
  problem.pose.coordinates[test::kShankLink] = -0.8;
  OtherBend otherBend;
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, kUpAndForward, {&counter, &otherBend}));
  EXPECT_EQ(counter.runs, 1);
  EXPECT_LT(test::kneeOf(solve), 0.0);
}

/// Cancels while the bend is held.
struct CancelInTrial final : Observer {
  const Solve& solve;
  explicit CancelInTrial(const Solve& solve_) : solve(solve_) {}
  bool onIteration(const IterationRecord&, const Pose&) override { return !solve.fallback; }
};

TEST(OtherBend, CancelledWhileTheBendIsHeldTheAskedLimitsAreBack) {
  const IkProblem problem = makeLegThatPrefersForward();
  Solve plain, cancelled;
  ASSERT_TRUE(solveWith(plain, problem, kUpAndForward, {}));
  CancelInTrial observer(cancelled);
  cancelled.observer = &observer;
  OtherBend otherBend;
  ASSERT_TRUE(solveWith(cancelled, problem, kUpAndForward, {&otherBend}));
  EXPECT_EQ(cancelled.summary.status, SolveStatus::Cancelled);
  EXPECT_TRUE(cancelled.pose == plain.pose);
  EXPECT_EQ(cancelled.posed.objective->feasibleSet().violation(plain.pose), 0.0);
}

}  // namespace
}  // namespace limber::other_bend_test
