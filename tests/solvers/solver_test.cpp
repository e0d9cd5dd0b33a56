// SPDX-License-Identifier: MIT
// Properties of every solver of the registry, and further ones of the default.
#include "limber/solvers/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/newton_system.h"
#include "limber/solvers/methods/fixed_step_descent.h"
#include "limber/solvers/registry.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/repetitions.h"

namespace limber::solver_test {
namespace {

Summary solve(const Solver& solver, const Objective& objective, Pose& pose) {
  Workspace workspace;
  return solver.solve(objective, pose, defaultOptions(solver), workspace);
}

/// Test problems: a figure of every joint type with limits, and a tree of ball joints without limits, which geometric
/// methods also support.
struct Problem {
  Objective objective;
  Pose start;
};

Problem makeProblem(bool isAwkward, std::mt19937& random) {
  const auto figure = isAwkward ? test::makeAwkwardFigure() : test::makeBallTree();
  Objective objective = isAwkward ? test::makeRandomObjective(figure, test::kAwkwardTips, random)
                                  : test::makeRandomObjective(figure, test::kBallTreeTips, random);
  return {std::move(objective), test::randomPose(*figure, random)};
}

/// True if the solver supports the objective. Otherwise it must return BadInput and not change the pose.
bool isTaken(const Solver& solver, const Problem& problem) {
  const std::string refusal = solver.refusal(problem.objective);
  if (refusal.empty()) return true;
  Pose pose = problem.start;
  EXPECT_EQ(solve(solver, problem.objective, pose).status, SolveStatus::BadInput) << refusal;
  EXPECT_TRUE(pose == problem.start);
  return false;
}

class EverySolver : public testing::TestWithParam<const Solver*> {
 protected:
  /// Runs the check on one problem of each kind that the solver takes.
  template <typename Check>
  void eachProblem(unsigned seed, const Check& check) {
    for (const bool isAwkward : {true, false}) {
      SCOPED_TRACE(isAwkward ? "awkward figure" : "ball tree");
      std::mt19937 random(seed);
      const Problem problem = makeProblem(isAwkward, random);
      if (isTaken(*GetParam(), problem)) check(problem.objective, problem.start);
    }
  }
};

TEST_P(EverySolver, TakesBallTreesAndPlanarChains) {
  std::mt19937 random(19);
  EXPECT_EQ(GetParam()->refusal(makeProblem(false, random).objective), "");
  EXPECT_EQ(GetParam()->refusal(test::makeChainObjective(3, {1, 1, 0})), "");
}

TEST_P(EverySolver, StaysWithinLimitsAndFinite) {
  for (int seed = 0; seed < test::repetitions(40, 5); ++seed)
    eachProblem(12 + seed, [&](const Objective& objective, const Pose& start) {
      Pose pose = start;
      const Summary summary = solve(*GetParam(), objective, pose);
      EXPECT_TRUE(isValid(objective.figure(), pose));
      EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0);
      Evaluation evaluation;
      EXPECT_EQ(objective.evaluate(pose, evaluation), summary.objective) << "the summary speaks of another pose";
      if (GetParam()->isMonotone()) {
        EXPECT_LE(summary.objective, summary.objectiveBefore);
      }
    });
}

TEST_P(EverySolver, SlicesGiveTheSameBitsAsOneRun) {
  eachProblem(13, [&](const Objective& objective, const Pose& start) {
    const OptionValues options = defaultOptions(*GetParam());
    Workspace whole, sliced;
    Pose expected = start, pose = start;
    const Summary once = GetParam()->solve(objective, expected, options, whole);
    Start begin = Start::Here;
    Summary summary;
    for (int slice = 0; slice < 10000; ++slice) {
      summary = GetParam()->solve(objective, pose, options, sliced, {3}, begin);
      begin = Start::Resume;
      if (summary.status != SolveStatus::BudgetSpent) break;
      if (GetParam()->isMonotone()) {
        EXPECT_LE(summary.objective, summary.objectiveBefore);
      }
    }
    EXPECT_EQ(summary.status, once.status);
    EXPECT_TRUE(pose == expected);
    EXPECT_EQ(summary.iterations(), once.iterations());
  });
}

TEST_P(EverySolver, AllocatesNothingWhenWarm) {
  if (GetParam()->name() == "global" || GetParam()->name() == "sdp-ik")
    GTEST_SKIP() << "it makes a relaxation for every solve";
  eachProblem(14, [&](const Objective& objective, const Pose& start) {
    const OptionValues options = defaultOptions(*GetParam());
    Workspace workspace;
    Pose pose = start;
    GetParam()->solve(objective, pose, options, workspace);
    pose = start;
    const std::size_t before = test::allocationCount();
    GetParam()->solve(objective, pose, options, workspace);
    EXPECT_EQ(test::allocationCount() - before, 0u);
  });
}

TEST_P(EverySolver, StopsWhenTheObserverSaysSo) {
  struct StopAtTwo final : Observer {
    int seen = 0;
    bool onIteration(const IterationRecord&, const Pose&) override { return ++seen < 2; }
  } observer;
  const Objective objective = test::makeChainObjective(8, {3, 4, 0});
  Pose pose = restPose(objective.figure());
  Workspace workspace;
  const Summary summary =
      GetParam()->solve(objective, pose, defaultOptions(*GetParam()), workspace, {}, Start::Here, &observer);
  EXPECT_EQ(summary.status, SolveStatus::Cancelled);
  EXPECT_EQ(observer.seen, 2);
  EXPECT_EQ(summary.iterations(), 2);
}

TEST_P(EverySolver, RefusesBadInput) {
  const Objective objective = test::makeChainObjective(3, {1, 1, 0});
  Pose pose = restPose(objective.figure());
  pose.coordinates[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(*GetParam(), objective, pose).status, SolveStatus::BadInput);
  const Objective infinite = test::makeChainObjective(3, {std::numeric_limits<double>::infinity(), 1, 0});
  Pose rest = restPose(objective.figure());
  EXPECT_EQ(solve(*GetParam(), infinite, rest).status, SolveStatus::BadInput);
  EXPECT_TRUE(rest == restPose(objective.figure()));
}

TEST_P(EverySolver, DegenerateProblemsEndQuietly) {
  // Goal on the root, goal weight zero, no rest weight, goal already met.
  for (const auto& [target, goalWeight, restWeight] :
       {std::tuple{Eigen::Vector3d(0, 0, 0), 1e3, 1.0}, std::tuple{Eigen::Vector3d(1, 1, 0), 0.0, 1.0},
        std::tuple{Eigen::Vector3d(1, 1, 0), 1e3, 0.0}, std::tuple{Eigen::Vector3d(4, 0, 0), 1e3, 1.0},
        std::tuple{Eigen::Vector3d(1, 1, 0), 0.0, 0.0}}) {
    const Objective objective = test::makeChainObjective(4, target, goalWeight, restWeight);
    Pose pose = restPose(objective.figure());
    const Summary summary = solve(*GetParam(), objective, pose);
    EXPECT_NE(summary.status, SolveStatus::BadInput);
    EXPECT_TRUE(pose.coordinates.allFinite());
    if (GetParam()->isMonotone()) {
      EXPECT_LE(summary.objective, summary.objectiveBefore);
    }
  }
}

TEST_P(EverySolver, EverythingLockedReturnsThePoseAsItWas) {
  auto figure = makePlanarChain(2);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(1, Eigen::Vector3d::UnitX(), Eigen::Vector3d(0, 1, 0), 1e3, 1.0));
  const std::vector<double> rigidities(2, 0.0);
  const Objective objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), 1.0, rigidities),
                            FeasibleSet(*figure, limitsOf(*figure)), {});
  Pose pose{Eigen::Vector2d(0.3, 0.4)};
  const Summary summary = solve(*GetParam(), objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_TRUE(pose == (Pose{Eigen::Vector2d(0.3, 0.4)}));
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySolver, testing::ValuesIn(allSolvers().begin(), allSolvers().end()),
                         [](const auto& solver) {
                           std::string name(solver.param->name());
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(Solver, ValidateNamesTheOptionThatIsOutOfRange) {
  const Solver& solver = *findSolver("gdls");
  OptionValues options = defaultOptions(solver);
  EXPECT_EQ(validate(solver, options), "");
  options[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(validate(solver, options).find("alphaInit"), std::string::npos);
  options = defaultOptions(solver);
  options[0] = 2.5;
  EXPECT_NE(validate(solver, options).find("whole number"), std::string::npos);
  EXPECT_EQ(findSolver("nonesuch"), nullptr);
}

TEST(Solver, TypedOptionsSolveAsTheirValuesDo) {
  const auto& solver = FixedStepDescentOptions::solver();
  const FixedStepDescentOptions options{
      .alpha = 0.003, .relative = false, .finiteDifference = true, .maxIterations = 7};
  OptionValues values = defaultOptions(solver);
  EXPECT_EQ(solver.valuesOf({}), values);
  EXPECT_TRUE(setOption(solver, "alpha", 0.003, values) && setOption(solver, "relative", 0.0, values) &&
              setOption(solver, "finiteDifference", 1.0, values) && setOption(solver, "maxIterations", 7.0, values));
  EXPECT_EQ(solver.valuesOf(options), values);
  std::mt19937 random(3);
  const Problem problem = makeProblem(true, random);
  Pose typed = problem.start, plain = problem.start;
  Workspace workspace;
  EXPECT_EQ(solver.solve(problem.objective, typed, options, workspace).status, SolveStatus::IterationCap);
  EXPECT_EQ(solver.solve(problem.objective, plain, values, workspace).iterations(), 7);
  EXPECT_TRUE(typed == plain);
  const FixedStepDescentOptions wrong{.alpha = -1.0};
  EXPECT_EQ(solver.solve(problem.objective, typed, wrong, workspace).status, SolveStatus::BadInput);
  EXPECT_TRUE(typed == plain) << "what is refused moves nothing";
}

class Default : public testing::Test {
 protected:
  const Solver& newton = *findSolver("newton");

  /// Kuhn-Tucker: the gradient of free coordinates is zero, relative to that of the goals alone.
  void expectMinimum(const Objective& objective, const Pose& pose, const Summary& summary) {
    Evaluation evaluation;
    Eigen::VectorXd gradient, direction;
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    FreeSpace space;
    objective.feasibleSet().findFreeSpace(pose, gradient, space);
    NewtonSystem system;
    std::vector<Residual> multipliers;
    exactMultipliers(objective, evaluation, multipliers);
    system.assemble(objective, evaluation, multipliers);
    ASSERT_TRUE(system.factor(1e-9, space)) << "not a minimum within the limits";
    system.solve(direction);
    EXPECT_LT(direction.cwiseAbs().maxCoeff(), 1e-5) << solveStatusName(summary.status);
  }
};

TEST_F(Default, ConvergesToMinimaOnAwkwardFigure) {
  std::mt19937 random(15);
  const auto figure = test::makeAwkwardFigure();
  int converged = 0;
  constexpr int kTrials = 300;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    Pose pose = test::randomPose(*figure, random);
    const Summary summary = solve(newton, objective, pose);
    EXPECT_LE(summary.objective, summary.objectiveBefore);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    expectMinimum(objective, pose, summary);
  }
  EXPECT_GE(converged, kTrials * 99 / 100);
}

TEST_F(Default, ObjectiveNeverRisesBetweenIterates) {
  std::mt19937 random(16);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 50; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    Pose pose = test::randomPose(*figure, random);
    Workspace workspace;
    newton.solve(objective, pose, defaultOptions(newton), workspace);
    for (std::size_t i = 1; i < workspace.history.size(); ++i)
      EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective);
  }
}

TEST_F(Default, LeavesTheSaddleOfAStraightChain) {
  // The goal lies on the chain's axis, nearer than its tip: the gradient across is exactly zero.
  for (const int n : {2, 3, 10, 100}) {
    const Objective objective = test::makeChainObjective(n, {0.5 * n, 0, 0});
    Pose pose = restPose(objective.figure()), again = pose;
    const Summary summary = solve(newton, objective, pose);
    EXPECT_EQ(summary.status, SolveStatus::Converged) << n;
    EXPECT_LT(summary.objective, 0.5 * summary.objectiveBefore) << n;
    solve(newton, objective, again);
    EXPECT_TRUE(pose == again) << "the way out must not depend on chance";
  }
}

TEST_F(Default, StraightChainWithAnUnreachableGoalStaysStraight) {
  const Objective objective = test::makeChainObjective(5, {9, 0, 0});
  Pose pose = restPose(objective.figure());
  EXPECT_EQ(solve(newton, objective, pose).status, SolveStatus::Converged);
  EXPECT_EQ(pose.coordinates.cwiseAbs().maxCoeff(), 0.0);
}

TEST_F(Default, MatchesTheHybridWhereThatConverges) {
  for (const auto& [n, target] : {std::pair{1, Eigen::Vector3d(0, 1, 0)}, std::pair{4, Eigen::Vector3d(3, 1, 0)}}) {
    const Objective objective = test::makeChainObjective(n, target);
    Pose a = restPose(objective.figure()), b = a;
    solve(newton, objective, a);
    solve(*findSolver("gdls+nm"), objective, b);
    EXPECT_LT((a.coordinates - b.coordinates).cwiseAbs().maxCoeff(), 1e-6) << n;
  }
}

TEST_F(Default, SameInputGivesTheSameBits) {
  std::mt19937 random(17);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 20; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    const Pose start = test::randomPose(*figure, random);
    Pose first = start, second = start;
    Workspace used;
    Pose other = test::randomPose(*figure, random);
    newton.solve(objective, other, defaultOptions(newton), used);  // earlier solves in the workspace must not matter
    newton.solve(objective, first, defaultOptions(newton), used);
    solve(newton, objective, second);
    EXPECT_TRUE(first == second);
  }
}

TEST_F(Default, MirroredProblemHasTheMirroredAnswer) {
  std::mt19937 random(18);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Vector3d target(uniform(random), uniform(random), 0.0);
    const Objective up = test::makeChainObjective(4, target);
    const Objective down = test::makeChainObjective(4, {target.x(), -target.y(), 0.0});
    Pose a{Eigen::Vector4d(0.1, 0.2, -0.1, 0.3)}, b{-a.coordinates};
    solve(newton, up, a);
    solve(newton, down, b);
    EXPECT_LT((a.coordinates + b.coordinates).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST_F(Default, AThousandLinksConverge) {
  const Objective objective = test::makeChainObjective(1000, {300, 400, 0});
  Pose pose = restPose(objective.figure());
  const Summary summary = solve(newton, objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
}

}  // namespace
}  // namespace limber::solver_test
