// SPDX-License-Identifier: MIT
// The assignment's hybrid on every figure that ships with limits: within them at every iterate, f never higher, and
// what is called converged is a point of Kuhn and Tucker.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "example_scenes.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/new_goal.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber::limited_newton_test {
namespace {

constexpr double kWithin = 1e-9;      // radians, metres: rounding of a projection
constexpr double kKuhnTucker = 1e-4;  // of the steepest gradient on the way
constexpr double kProbe = 1e-5;       // radians, metres

class Watch final : public Observer {
 public:
  explicit Watch(const Objective& objective) : objective_(objective) {}

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    worst = std::max(worst, objective_.feasibleSet().violation(pose));
    rises += record.objective > last_;
    last_ = record.objective;
    steepest = std::max(steepest, record.gradientNorm);
    return true;
  }

  double worst = 0.0, steepest = 1.0;
  int rises = 0;

 private:
  const Objective& objective_;
  double last_ = std::numeric_limits<double>::infinity();
};

/// How much f falls on short steps down its gradient, by central differences, and in random directions, projected into
/// the limits, per unit of their length, independently of the solver's own criteria.
double steepestFall(const Objective& objective, const Pose& pose, std::mt19937& random) {
  constexpr double kStep = 1e-6;
  const int n = objective.activeCount();
  Eigen::VectorXd direction(n), step = Eigen::VectorXd::Zero(objective.figure().stepSize()), scratch;
  Evaluation evaluation;
  Pose moved;
  const auto valueAt = [&](int k, double h) {
    const int c = objective.active()[static_cast<std::size_t>(k)];
    step[c] = h;
    integrate(objective.figure(), pose, step, moved);
    step[c] = 0.0;
    objective.feasibleSet().couplings().apply(moved);
    return objective.evaluate(moved, evaluation);
  };
  for (int k = 0; k < n; ++k) direction[k] = (valueAt(k, -kStep) - valueAt(k, kStep)) / (2.0 * kStep);
  const double here = objective.evaluate(pose, evaluation);
  double most = 0.0;
  RandomStream stream(random());
  for (int probe = 0; probe < 20 && direction.norm() > 0.0; ++probe) {
    direction *= kProbe / direction.norm();
    objective.move(pose, direction, scratch, moved);
    most = std::max(most, (here - objective.evaluate(moved, evaluation)) / kProbe);
    for (double& entry : direction) entry = stream.uniform(-1.0, 1.0);
  }
  return most;
}

std::vector<std::string> limitedFigures() {
  std::vector<std::string> names = {"arm", "humanoid"};
  for (const char* folder : {"figures", "scenes"})
    for (const auto& entry : std::filesystem::directory_iterator(LIMBER_SOURCE_DIR "/resources/" + std::string(folder)))
      names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct Count {
  int solves = 0, converged = 0;
};

/// Position goals on two random links, where a random pose within the limits has them, or farther out.
void askAtRandom(Document& document, std::mt19937& random, bool isReachable) {
  const Figure& figure = *document.figure;
  document.goals.clear();
  RandomStream stream(random());
  Pose there = document.pose;
  const PosedProblem whole = makeProblemToJudge(document);
  ASSERT_TRUE(whole.objective) << whole.fault;
  Eigen::VectorXd turn(whole.objective->activeCount()), scratch;
  for (double& entry : turn) entry = stream.uniform(-1.0, 1.0);
  Pose moved;
  whole.objective->move(there, turn, scratch, moved);
  Kinematics kinematics;
  computeTransforms(figure, moved, kinematics);
  for (int goal = 0; goal < 2; ++goal) {
    GoalItem item;
    item.id = goal + 1;
    item.link = static_cast<int>(random() % static_cast<unsigned>(figure.linkCount()));
    item.target = kinematics.worldFromLink[static_cast<std::size_t>(item.link)].translation;
    if (!isReachable)
      for (double& entry : item.target) entry += figure.meanLinkLength() * stream.uniform(-3.0, 3.0);
    document.goals.push_back(item);
  }
}

void solveEverywhere(const Solver& solver, int trials, Count& count) {
  std::mt19937 random(19);
  for (const std::string& name : limitedFigures()) {
    SCOPED_TRACE(name);
    const auto opened = io::openAny(name);
    ASSERT_TRUE(opened) << opened.error().message();
    for (int trial = 0; trial < trials; ++trial) {
      SCOPED_TRACE(trial);
      Document document = opened->document;
      askAtRandom(document, random, trial % 2 == 0);
      document.solver.solver = solver.name();
      const PosedProblem problem = makeProblem(document, {});
      if (!problem.objective || problem.objective->feasibleSet().constraintCount() == 0) continue;
      Pose pose = document.pose;
      Workspace workspace;
      Watch watch(*problem.objective);
      const Summary summary =
          solver.solve(*problem.objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &watch);
      ASSERT_NE(summary.status, SolveStatus::BadInput);
      EXPECT_LT(watch.worst, kWithin);
      EXPECT_LT(problem.objective->feasibleSet().violation(pose), kWithin);
      EXPECT_LE(summary.objective, summary.objectiveBefore);
      EXPECT_EQ(watch.rises, 0);
      ++count.solves;
      if (summary.status != SolveStatus::Converged) continue;
      ++count.converged;
      EXPECT_LE(steepestFall(*problem.objective, pose, random), kKuhnTucker * watch.steepest);
    }
  }
}

TEST(LimitedNewton, DescentThenNewtonKeepsEveryFiguresLimitsAndEndsAtKuhnTuckerPoints) {
  Count count;
  solveEverywhere(*findSolver("gdls+nm"), 6, count);
  std::printf("converged %d of %d\n", count.converged, count.solves);
  EXPECT_GE(count.solves, 100);
  EXPECT_GE(count.converged, count.solves * 95 / 100);
}

}  // namespace
}  // namespace limber::limited_newton_test
