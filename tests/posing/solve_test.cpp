// SPDX-License-Identifier: MIT
// The loop around the solver: the order of refinements, and the effects of a trial.
#include "limber/posing/refinements/solve.h"

#include <gtest/gtest.h>

#include <string>

#include "posing/refined.h"

namespace limber::solve_test {
namespace {

using test::RunCounter, test::solveWith;
using V = Eigen::Vector3d;

/// Requests some more runs and records its calls.
struct Scribe final : Refinement {
  std::string& notes;
  char name;
  int wanted;
  Scribe(std::string& notes_, char name_, int wanted_) : notes(notes_), name(name_), wanted(wanted_) {}
  bool refine(Solve&) override {
    notes += name;
    return wanted-- > 0;
  }
};

/// Tries a bent knee once; the test decides its verdict.
struct Trial final : Refinement {
  bool isBetter = false, hasTried = false;
  Pose stood;
  Verdict judge(Solve& solve) override {
    if (solve.fallback) solve.endTrial(isBetter);
    return Verdict::AskOthers;
  }
  bool refine(Solve& solve) override {
    if (std::exchange(hasTried, true)) return false;
    stood = solve.pose;
    Pose bent = solve.pose;
    bent.coordinates[test::kShankLink] = 1.0;
    solve.beginTrial(bent);
    return true;
  }
};

/// Cancels at its n-th iteration.
struct CancelAt final : Observer {
  int left;
  explicit CancelAt(int n) : left(n) {}
  bool onIteration(const IterationRecord&, const Pose&) override { return --left > 0; }
};

TEST(Solve, AsksEveryRefinementAgainAfterEachRun) {
  const IkProblem problem = makeIkProblem(test::makeLeg());
  std::string notes;
  Scribe a(notes, 'a', 1), b(notes, 'b', 2);
  RunCounter counter;
  Solve solve;
  ASSERT_TRUE(solveWith(solve, problem, test::dragAnkleTo({0, 0.4, 0.1}), {&counter, &a, &b}));
  EXPECT_EQ(notes,
            "a"
            "ab"
            "ab"
            "ab")
      << "the first that has something to do wins";
  EXPECT_EQ(counter.runs, 4);
  EXPECT_FALSE(counter.hasBrokenOff);
}

TEST(Solve, ATrialThatIsNoBetterLeavesPoseAndSummaryAsTheyStood) {
  const IkProblem problem = makeIkProblem(test::makeLeg());
  const PosingRequest request = test::dragAnkleTo({0, 0.4, 0.1});
  Solve plain, tried;
  ASSERT_TRUE(solveWith(plain, problem, request, {}));
  Trial trial;
  ASSERT_TRUE(solveWith(tried, problem, request, {&trial}));
  ASSERT_TRUE(trial.hasTried);
  EXPECT_TRUE(tried.pose == plain.pose);
  EXPECT_EQ(tried.summary.objective, plain.summary.objective);
  EXPECT_EQ(tried.summary.gradientNorm, plain.summary.gradientNorm);
  EXPECT_EQ(tried.summary.status, plain.summary.status);
  EXPECT_GT(tried.summary.iterations(), plain.summary.iterations()) << "all runs count";
  EXPECT_FALSE(tried.fallback);
}

TEST(Solve, ATrialThatIsBetterStands) {
  const IkProblem problem = makeIkProblem(test::makeLeg());
  Solve solve;
  Trial trial;
  trial.isBetter = true;
  ASSERT_TRUE(solveWith(solve, problem, test::dragAnkleTo({0, 0.4, 0.1}), {&trial}));
  EXPECT_FALSE(solve.pose == trial.stood);
  EXPECT_FALSE(solve.fallback);
}

TEST(Solve, CancelledInATrialItGoesBackAndSaysSo) {
  const IkProblem problem = makeIkProblem(test::makeLeg());
  const PosingRequest request = test::dragAnkleTo({0, 0.4, 0.1});
  Solve plain, cancelled;
  ASSERT_TRUE(solveWith(plain, problem, request, {}));
  CancelAt observer(plain.summary.iterations() + 2);
  Trial trial;
  RunCounter counter;
  cancelled.observer = &observer;
  ASSERT_TRUE(solveWith(cancelled, problem, request, {&counter, &trial}));
  EXPECT_TRUE(trial.hasTried);
  EXPECT_EQ(cancelled.summary.status, SolveStatus::Cancelled);
  EXPECT_TRUE(cancelled.pose == plain.pose);
  EXPECT_TRUE(counter.hasBrokenOff);
}

TEST(Solve, SaysWhyThereIsNothingToSolve) {
  IkProblem problem = makeIkProblem(test::makeLeg());
  problem.solver.solver = "guesswork";
  Solve solve;
  EXPECT_FALSE(solveWith(solve, problem, {}, {}));
  EXPECT_NE(solve.fault.find("guesswork"), std::string::npos) << solve.fault;
  EXPECT_FALSE(solve.isRunning);
}

}  // namespace
}  // namespace limber::solve_test
