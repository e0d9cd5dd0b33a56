// SPDX-License-Identifier: MIT
// The default solver on serial planar chains: results, number of iterations, and iterates.
#include "limber/solvers/methods/planar_newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/planar_chain.h"
#include "limber/solvers/registry.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/planar_figure.h"

namespace limber::planar_newton_test {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Moves the target of the assignment's chain, whose goal was made at the origin.
void moveTarget(Objective& objective, double x, double y) {
  Residual shift(3);
  shift << -x, -y, 0.0;
  objective.setResidualShift(0, shift);
}

/// Uniform in the disc of the given radius.
Eigen::Vector2d inDisc(double radius, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const double r = radius * std::sqrt(uniform(random)), angle = kTurn * uniform(random);
  return {r * std::cos(angle), r * std::sin(angle)};
}

class PlanarNewton : public testing::Test {
 protected:
  Summary solve(const Objective& objective, Pose& pose, Start start = Start::Here) {
    return newton.solve(objective, pose, defaultOptions(newton), workspace, {}, start);
  }

  const Solver& newton = *findSolver("newton");
  Workspace workspace;
};

TEST_F(PlanarNewton, FindsTheBestKnownMinimumFromAnywhere) {
  // The best known f: of the answer itself, and of 40 solves from random poses.
  std::mt19937 random(1);
  for (const auto& [links, goals] : {std::pair{1, 60}, {2, 60}, {3, 40}, {4, 40}, {10, 30}, {30, 20}, {100, 10}}) {
    Objective objective = test::makeChainObjective(links, {0, 0, 0});
    std::uniform_real_distribution<double> angle(-1.0, 1.0);
    for (int k = 0; k < goals; ++k) {
      const Eigen::Vector2d target = inDisc(links, random);
      moveTarget(objective, target.x(), target.y());
      Pose pose = restPose(objective.figure());
      const Summary summary = solve(objective, pose, Start::Anywhere);
      EXPECT_EQ(summary.status, SolveStatus::Converged);
      EXPECT_LE(summary.objective, summary.objectiveBefore);
      for (int start = 0; start < 40; ++start) {
        Pose other = restPose(objective.figure());
        const double spread = links == 1 ? 3.0 : 6.0 / links;
        const double bend = spread * angle(random);
        for (double& q : other.coordinates) q = bend + (start % 2 == 0 ? 0.0 : spread * angle(random));
        EXPECT_GE(solve(objective, other).objective, summary.objective * (1.0 - 1e-9))
            << links << " links, target " << target.transpose();
      }
    }
  }
}

TEST_F(PlanarNewton, ColdSolvesTakeAFewIterationsAtAnyLength) {
  std::mt19937 random(2);
  for (const auto& [links, goals] : {std::pair{10, 200}, {100, 200}, {1000, 60}, {10000, 12}}) {
    Objective objective = test::makeChainObjective(links, {0, 0, 0});
    std::vector<int> iterations;
    for (int k = 0; k < goals; ++k) {
      const Eigen::Vector2d target = inDisc(links, random);
      moveTarget(objective, target.x(), target.y());
      Pose pose = restPose(objective.figure());
      const Summary summary = solve(objective, pose, Start::Anywhere);
      EXPECT_EQ(summary.status, SolveStatus::Converged) << links << " links, target " << target.transpose();
      iterations.push_back(summary.iterations());
    }
    std::sort(iterations.begin(), iterations.end());
    EXPECT_LE(iterations[iterations.size() / 2], 15) << links;
    EXPECT_LE(iterations[iterations.size() * 95 / 100], 30) << links;
  }
}

TEST_F(PlanarNewton, AHundredThousandLinksConverge) {
  Objective objective = test::makeChainObjective(100000, {0, 0, 0});
  moveTarget(objective, 30000, 40000);
  Pose pose = restPose(objective.figure());
  EXPECT_EQ(solve(objective, pose, Start::Anywhere).status, SolveStatus::Converged);
  moveTarget(objective, 30500, 40000);
  const Summary warm = solve(objective, pose, Start::Warm);
  EXPECT_EQ(warm.status, SolveStatus::Converged);
  EXPECT_LE(warm.iterations(), 10);
}

TEST_F(PlanarNewton, DragsTakeAFewIterationsAndDoNotJump) {
  // Along a circle of half the reach around a point off the base, at 0.1 to 5 % of the reach an event.
  for (const int links : {2, 10, 100, 1000, 10000})
    for (const double share : {0.001, 0.01, 0.05}) {
      Objective objective = test::makeChainObjective(links, {0, 0, 0});
      const auto place = [&](double angle) {
        moveTarget(objective, links * (0.55 + 0.3 * std::cos(angle)), 0.3 * links * std::sin(angle));
      };
      place(0.0);
      Pose pose = restPose(objective.figure());
      solve(objective, pose, Start::Anywhere);
      const int events = links >= 10000 ? 20 : 60;
      int sum = 0;
      for (int event = 1; event <= events; ++event) {
        place(share / 0.3 * event);
        const Pose before = pose;
        const Summary summary = solve(objective, pose, Start::Warm);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << links;
        sum += summary.iterations();
        // Every hinge moves about as far as the target does in angle, shared by the links.
        const double largest = (pose.coordinates - before.coordinates).tail(links - 1).cwiseAbs().maxCoeff();
        EXPECT_LT(largest, 30.0 * share / links) << links << " links, event " << event;
      }
      EXPECT_LE(sum, 6 * events) << links << " links, " << 100.0 * share << " % an event";
    }
}

TEST_F(PlanarNewton, ConvergesFromStraightWithoutTheArc) {
  std::mt19937 random(3);
  for (const auto& [links, goals] : {std::pair{1, 50}, {4, 50}, {30, 50}, {100, 50}, {1000, 20}}) {
    Objective objective = test::makeChainObjective(links, {0, 0, 0});
    for (int k = 0; k < goals; ++k) {
      const Eigen::Vector2d target = inDisc(links, random);
      moveTarget(objective, target.x(), target.y());
      Pose pose = restPose(objective.figure());
      const Summary summary = solve(objective, pose);
      EXPECT_EQ(summary.status, SolveStatus::Converged) << links << " links, target " << target.transpose();
      EXPECT_LE(summary.iterations(), 100);
      for (std::size_t i = 1; i < workspace.history.size(); ++i)
        EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective);
    }
  }
}

TEST_F(PlanarNewton, UnreachableGoalsStretchTheChain) {
  std::mt19937 random(4);
  for (const int links : {1, 3, 30, 1000})
    for (int k = 0; k < 20; ++k) {
      const Eigen::Vector2d target = (1.1 + 0.1 * k) * links * inDisc(1.0, random).normalized();
      Objective objective = test::makeChainObjective(links, {target.x(), target.y(), 0});
      Pose pose = restPose(objective.figure());
      EXPECT_EQ(solve(objective, pose, Start::Anywhere).status, SolveStatus::Converged);
      EXPECT_EQ(solve(objective, pose, Start::Warm).status, SolveStatus::Converged);
      EXPECT_LT(pose.coordinates.tail(links - 1).norm(), 0.1 * links);
    }
}

TEST_F(PlanarNewton, LeavesSaddlesAndDegeneratePoses) {
  for (const int links : {2, 3, 10, 100, 1000})
    for (const Eigen::Vector3d& target : {Eigen::Vector3d(0.5 * links, 0, 0), Eigen::Vector3d(0, 0, 0),
                                          Eigen::Vector3d(-0.5 * links, 0, 0), Eigen::Vector3d(-2.0 * links, 0, 0)}) {
      const Objective objective = test::makeChainObjective(links, target);
      Pose pose = restPose(objective.figure()), again = pose;
      const Summary summary = solve(objective, pose);
      EXPECT_EQ(summary.status, SolveStatus::Converged) << links << ": " << target.transpose();
      EXPECT_LT(summary.objective, 0.5 * summary.objectiveBefore) << links << ": " << target.transpose();
      EXPECT_TRUE(pose.coordinates.allFinite());
      solve(objective, again);
      EXPECT_EQ(pose, again) << "the way out must not depend on chance";
    }
}

TEST_F(PlanarNewton, EndsAtAMinimumOfTheTreesSweep) {
  // The same objective with a limit that never holds goes to the sweep over trees: it must not find a lower f.
  for (int trial = 0; trial < 120; ++trial) {
    test::PlanarOptions options{.hinges = 1 + trial % 40, .goals = 1 + trial % 3, .isAwkward = trial % 4 != 0};
    std::mt19937 random(static_cast<unsigned>(100 + trial)), same(random);
    const Objective objective = test::makePlanarObjective(options, random);
    options.hasIdleLimit = true;
    const Objective tree = test::makePlanarObjective(options, same);
    Pose pose = test::randomPlanarPose(objective, 0.5, random);
    PlanarChain chain;
    ASSERT_TRUE(chain.take(objective, pose));
    ASSERT_FALSE(chain.take(tree, pose));
    const Summary summary = solve(objective, pose);
    EXPECT_EQ(summary.status, SolveStatus::Converged) << trial;
    EXPECT_LE(summary.objective, summary.objectiveBefore);
    Pose polished = pose;
    const Summary further = solve(tree, polished);
    EXPECT_NEAR(further.objective, summary.objective, 1e-9 * summary.objective) << trial;
    // A promise d'Hd of no more than the tolerance, 1e-12 f, bounds how far the minimum can be where H is soft (0.01).
    EXPECT_LT((polished.coordinates - pose.coordinates).norm(), 1e-6 + 10.0 * std::sqrt(1e-12 * summary.objective))
        << trial;
  }
}

TEST_F(PlanarNewton, SummarySpeaksOfThePose) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const Objective objective = test::makePlanarObjective({.hinges = 1 + 2 * trial, .goals = 1 + trial % 2}, random);
    Pose pose = test::randomPlanarPose(objective, 0.5, random);
    Evaluation evaluation;
    const double before = objective.evaluate(pose, evaluation);
    const Summary summary = solve(objective, pose);
    EXPECT_NEAR(summary.objectiveBefore, before, 1e-12 * before);
    EXPECT_EQ(objective.evaluate(pose, evaluation), summary.objective);
    EXPECT_EQ(workspace.current.objective, summary.objective);
    EXPECT_LE(summary.objective, before);
    // A second solve does not change the pose's bits.
    const Pose solved = pose;
    const Summary again = solve(objective, pose);
    EXPECT_LE(again.objective, summary.objective);
    if (again.objective == summary.objective) {
      EXPECT_EQ(pose, solved);
    }
  }
}

TEST_F(PlanarNewton, SlicesGiveTheSameBitsAsOneRun) {
  std::mt19937 random(6);
  for (const Start first : {Start::Here, Start::Anywhere})
    for (const int links : {5, 50, 400}) {
      Objective objective = test::makeChainObjective(links, {0.3 * links, -0.2 * links, 0});
      Pose whole = restPose(objective.figure()), sliced = whole;
      const Summary once = solve(objective, whole, first);
      Workspace other;
      Summary summary;
      Start start = first;
      do {
        summary = newton.solve(objective, sliced, defaultOptions(newton), other, {2}, start);
        EXPECT_LE(summary.objective, summary.objectiveBefore);
        start = Start::Resume;
      } while (summary.status == SolveStatus::BudgetSpent);
      EXPECT_EQ(summary.status, once.status);
      EXPECT_EQ(summary.iterations(), once.iterations());
      EXPECT_EQ(whole, sliced) << links;
    }
}

TEST_F(PlanarNewton, WarmSolvesAllocateNothing) {
  for (const int links : {7, 64, 700}) {
    Objective objective = test::makeChainObjective(links, {0, 0, 0});
    moveTarget(objective, 0.4 * links, 0.3 * links);
    const OptionValues options = defaultOptions(newton);
    Pose pose = restPose(objective.figure());
    newton.solve(objective, pose, options, workspace, {}, Start::Anywhere);
    const std::size_t before = test::allocationCount();
    for (int event = 1; event <= 5; ++event) {
      Residual shift(3);
      shift << -(0.4 + 0.01 * event) * links, -0.3 * links, 0.0;
      objective.setResidualShift(0, shift);
      newton.solve(objective, pose, options, workspace, {}, Start::Warm);
    }
    EXPECT_EQ(test::allocationCount() - before, 0u) << links;
  }
}

TEST_F(PlanarNewton, ObserverSeesEachIterateAndCanStop) {
  struct Watcher final : Observer {
    int seen = 0, stopAt = 1000;
    const Objective* objective = nullptr;
    bool onIteration(const IterationRecord& record, const Pose& pose) override {
      Evaluation evaluation;
      EXPECT_NEAR(objective->evaluate(pose, evaluation), record.objective, 1e-9 * record.objective);
      return ++seen < stopAt;
    }
  } watcher;
  const Objective objective = test::makeChainObjective(40, {20, 10, 0});
  watcher.objective = &objective;
  Pose pose = restPose(objective.figure()), watched = pose;
  const Summary summary = solve(objective, pose);
  newton.solve(objective, watched, defaultOptions(newton), workspace, {}, Start::Here, &watcher);
  EXPECT_EQ(watcher.seen, summary.iterations());
  EXPECT_EQ(watched, pose) << "being watched must not change the answer";
  EXPECT_EQ(workspace.history.size(), static_cast<std::size_t>(summary.iterations()) + 1);
  watcher.seen = 0;
  watcher.stopAt = 2;
  watched = restPose(objective.figure());
  const Summary stopped =
      newton.solve(objective, watched, defaultOptions(newton), workspace, {}, Start::Here, &watcher);
  EXPECT_EQ(stopped.status, SolveStatus::Cancelled);
  EXPECT_EQ(stopped.iterations(), 2);
}

TEST_F(PlanarNewton, AnotherChainInTheSameWorkspaceLeavesNoTrace) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Objective one = test::makePlanarObjective({.hinges = 30}, random);
    const Objective other = test::makePlanarObjective({.hinges = 90, .goals = 2}, random);
    const Pose start = test::randomPlanarPose(one, 0.5, random);
    Pose between = test::randomPlanarPose(other, 0.5, random), first = start, second = start;
    Workspace fresh;
    newton.solve(one, first, defaultOptions(newton), fresh);
    solve(other, between);
    solve(one, second);
    EXPECT_EQ(first, second);
  }
}

}  // namespace
}  // namespace limber::planar_newton_test
