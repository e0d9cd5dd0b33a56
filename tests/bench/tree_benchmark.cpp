// SPDX-License-Identifier: MIT
// The default solver on trees in space, beside its floors in the same run: a forward-kinematics pass, and the same with
// f and its gradient. Every "ratio" is the median of turns that time both, one after the other.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "limber/goals/position_goal.h"
#include "limber/goals/relative_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/newton_system.h"
#include "limber/solvers/registry.h"
#include "support/dense_newton.h"
#include "support/hinge_tree.h"

namespace limber::tree_benchmark {
namespace {

/// Processor time: the machine may be shared.
template <class F>
double nanosecondsOf(int times, F&& f) {
  const std::clock_t start = std::clock();
  for (int i = 0; i < times; ++i) f();
  return 1e9 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - start) / times;
}

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Counters "floor" (ns of a call of `floor`) and "ratio" (of `work`, that does `units` of them a call, to it).
template <class Work, class Floor>
void compare(benchmark::State& state, Work&& work, Floor&& floor, double units = 1.0) {
  constexpr int kTurns = 25;
  constexpr double kTurnTime = 2e5;  // nanoseconds
  const int works = std::max(1, static_cast<int>(kTurnTime / (nanosecondsOf(300, work) + 1.0)));
  const int floors = std::max(1, static_cast<int>(kTurnTime / (nanosecondsOf(300, floor) + 1.0)));
  std::vector<double> times, ratios;
  for (int turn = 0; turn < kTurns; ++turn) {
    const double before = nanosecondsOf(floors, floor);
    const double time = nanosecondsOf(works, work) / units;
    const double after = nanosecondsOf(floors, floor);
    times.push_back(0.5 * (before + after));
    ratios.push_back(time / times.back());
  }
  state.counters["floor"] = median(times);
  state.counters["ratio"] = median(ratios);
}

std::shared_ptr<const Figure> figureOf(int joints, int limbs) {
  return joints == 7 ? makeArm() : test::makeHingeTree(joints, limbs, true);
}

/// A reach with all that an iteration needs.
struct Reach {
  Reach(int joints, int limbs)
      : figure(figureOf(joints, limbs)), there(test::bentPose(*figure, 0.4, 0.0)),
        objective(test::makeReachObjective(figure, test::limbEnds(*figure), there, there)) {
    pose = test::bentPose(*figure, 0.4, 1e-6);
    evaluateAt(pose);
    exactMultipliers(objective, evaluation, multipliers);
  }

  double evaluateAt(const Pose& at) {
    objective.evaluate(at, evaluation);
    objective.computeGradient(evaluation, gradient);
    return gradient[0];
  }

  static constexpr double kDamping = 1e4;  // makes the Hessian of a long chain definite, too; the work is the same

  void iterate() {
    objective.feasibleSet().findFreeSpace(pose, gradient, space);
    system.assemble(objective, evaluation, multipliers);
    if (!system.factor(kDamping, space)) isDefinite = false;
    system.solve(step);
    system.linearResiduals(linear);
    fullStep.setZero(figure->stepSize());
    for (int k = 0; k < objective.activeCount(); ++k)
      fullStep[objective.active()[static_cast<std::size_t>(k)]] = step[k];
    integrate(*figure, pose, fullStep, trial);
    objective.feasibleSet().project(trial, space);
    evaluateAt(trial);
  }

  std::shared_ptr<const Figure> figure;
  Pose there, pose, trial;
  Objective objective;
  Evaluation evaluation;
  Eigen::VectorXd gradient, step, fullStep;
  std::vector<Residual> multipliers, linear;
  FreeSpace space;
  NewtonSystem system;
  bool isDefinite = true;
};

void kinematicsAlone(benchmark::State& state) {
  Reach reach(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    computeTransforms(*reach.figure, reach.pose, reach.evaluation.kinematics);
    benchmark::DoNotOptimize(reach.evaluation.kinematics.worldFromLink.back());
  }
}

void gradientFloor(benchmark::State& state) {
  Reach reach(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(reach.evaluateAt(reach.pose));
}

/// Free space, assembly, factorisation, step, trial, and f and gradient there.
void exactIteration(benchmark::State& state) {
  Reach reach(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) reach.iterate();
  compare(
      state, [&] { reach.iterate(); }, [&] { benchmark::DoNotOptimize(reach.evaluateAt(reach.pose)); });
  if (!reach.isDefinite) state.SkipWithError("not positive definite");
}

/// A chain of hinges, three of which others follow, whose end keeps its place and direction against the middle while it
/// reaches.
struct TiedReach {
  explicit TiedReach(int joints) : figure(makeFigure(joints)), objective(makeObjective()) {
    pose = test::bentPose(*figure, 0.4, 0.01);
    objective.feasibleSet().project(pose);
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.feasibleSet().findFreeSpace(pose, gradient, space);
    exactMultipliers(objective, evaluation, multipliers);
  }

  static std::shared_ptr<const Figure> makeFigure(int joints) {
    FigureBuilder builder("tied");
    for (int i = 0; i < joints; ++i) {
      const Eigen::Vector3d step = i == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.0, 0.1, 0.0);
      builder.addLink({.name = "link " + std::to_string(i), .parent = i - 1},
                      {.name = "hinge " + std::to_string(i),
                       .type = JointType::Revolute,
                       .parentFromJoint = {Eigen::Matrix3d::Identity(), step},
                       .axis = Eigen::Vector3d::Unit(i % 3)});
    }
    for (int k = 0; k < 3; ++k) {
      const int driver = (2 * k + 1) * joints / 6;
      builder.addCoupling(
          {.name = "group", .follower = driver + 1, .offset = 0.0, .terms = {{driver, {0.5, 0.1, 0.0, 0.0}}}});
    }
    std::string error;
    return builder.build(error);
  }

  Objective makeObjective() const {
    const Pose there = test::bentPose(*figure, 0.4, 0.0);
    Kinematics kinematics;
    computeTransforms(*figure, there, kinematics);
    const int end = figure->linkCount() - 1;
    const double unit = figure->meanLinkLength();
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(
        end, Eigen::Vector3d::UnitY(), kinematics.worldFromLink.back() * Eigen::Vector3d::UnitY(), 1e3, unit));
    goals.push_back(std::make_unique<RelativeGoal>(RelativeGoal::End{end}, RelativeGoal::End{end / 2},
                                                   std::array{1.0, 1.0}, 0.5, 1e3, unit));
    FeasibleSet feasible(*figure, limitsOf(*figure));
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c)
      if (!feasible.couplings().isFollower(c)) active.push_back(c);
    const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
    return Objective(figure, std::move(goals), Regulariser(*figure, there, 1.0, rigidities), std::move(feasible),
                     std::move(active));
  }

  void step(bool isDense) {
    constexpr double kDamping = 1e10;  // the lowest curvature of a thousand joints is -2e9
    if (isDense) {
      isDefinite &= dense.factor(objective, evaluation, multipliers, space, kDamping, objective.metric());
      dense.solve(-gradient, direction);
    } else {
      system.assemble(objective, evaluation, multipliers);
      isDefinite &= system.factor(kDamping, space);
      system.solve(direction);
    }
  }

  std::shared_ptr<const Figure> figure;
  Objective objective;
  Pose pose;
  Evaluation evaluation;
  Eigen::VectorXd gradient, direction;
  FreeSpace space;
  std::vector<Residual> multipliers;
  NewtonSystem system;
  test::DenseNewton dense;
  bool isDefinite = true;
};

/// Assembly, factorisation and step, where couplings and a goal over two links stay open; by the sweep and dense.
void tiedStep(benchmark::State& state, bool isDense) {
  TiedReach reach(static_cast<int>(state.range(0)));
  for (auto _ : state) reach.step(isDense);
  if (!reach.isDefinite) state.SkipWithError("not positive definite");
}

void registerIterations() {
  const auto sizes = [](auto* b) {
    b->Args({7, 1})->Args({23, 3})->Args({75, 1})->Args({75, 6})->Args({1000, 1})->Args({1000, 6});
  };
  sizes(benchmark::RegisterBenchmark("tree/forward kinematics", kinematicsAlone));
  sizes(benchmark::RegisterBenchmark("tree/f and gradient", gradientFloor));
  sizes(benchmark::RegisterBenchmark("tree/exact iteration", exactIteration));
  benchmark::RegisterBenchmark("tree/tied step", tiedStep, false)->ArgsProduct({{30, 100, 300, 1000}});
  benchmark::RegisterBenchmark("tree/tied step, dense", tiedStep, true)->ArgsProduct({{30, 100, 300}});
}

/// Targets that go their own ways, 6 mm further at each event, far and back again: the objectives of one period.
struct Drag {
  static constexpr int kEvents = 256;

  Drag(int joints, int limbs)
      : figure(test::makeHingeTree(joints, limbs, true)), pose(test::bentPose(*figure, 0.4, 0.0)) {
    Kinematics a, b;
    const std::vector<int> ends = test::limbEnds(*figure);
    const auto poseAt = [&](int i) { return test::bentPose(*figure, 0.4, rate * i); };
    computeTransforms(*figure, poseAt(0), a);
    rate = 1e-6;
    computeTransforms(*figure, poseAt(1), b);
    double distance = 0.0;
    for (const int end : ends) {
      const auto link = static_cast<std::size_t>(end);
      distance += (a.worldFromLink[link].translation - b.worldFromLink[link].translation).norm();
    }
    rate *= 0.006 * static_cast<double>(ends.size()) / distance;
    for (int i = 0; i < kEvents; ++i)
      objectives.push_back(std::make_unique<Objective>(test::makeReachObjective(figure, ends, poseAt(i), pose)));
  }

  /// There and back.
  const Objective& next() {
    const int turn = event++ % (2 * kEvents);
    return *objectives[static_cast<std::size_t>(turn < kEvents ? turn : 2 * kEvents - 1 - turn)];
  }

  std::shared_ptr<const Figure> figure;
  Pose pose;
  double rate = 0.0;
  std::vector<std::unique_ptr<Objective>> objectives;
  int event = 0;
};

/// Transforms, twists, and how the position of every goal moves with every coordinate above it.
double jacobianPass(const Figure& figure, const Pose& pose, std::span<const int> ends, Kinematics& kinematics,
                    Eigen::Matrix3Xd& jacobian) {
  computeKinematics(figure, pose, kinematics);
  for (const int end : ends) {
    const Eigen::Vector3d y = kinematics.worldFromLink[static_cast<std::size_t>(end)].translation - kinematics.origin;
    for (int i = end; i >= 0; i = figure.link(i).parent) {
      const auto twist = kinematics.twists.col(figure.joint(i).stepIndex);
      jacobian.col(figure.joint(i).stepIndex) = twist.tail<3>() + twist.head<3>().cross(y);
    }
  }
  return jacobian(0, 0);
}

/// Solved to convergence, warm, each event from the last one's pose.
void dragFrame(benchmark::State& state) {
  Drag drag(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const Solver& newton = *findSolver("newton");
  const OptionValues options = defaultOptions(newton);
  Workspace workspace;
  double iterations = 0.0, evaluations = 0.0, converged = 0.0, count = 0.0;
  const auto frame = [&] {
    const Summary summary = newton.solve(drag.next(), drag.pose, options, workspace, {}, Start::Warm);
    iterations += summary.iterations();
    evaluations += summary.evaluations;
    converged += summary.status == SolveStatus::Converged;
    ++count;
  };
  for (auto _ : state) frame();
  const std::vector<int> ends = test::limbEnds(*drag.figure);
  Kinematics kinematics;
  Eigen::Matrix3Xd jacobian(3, drag.figure->stepSize());
  const auto pass = [&] {
    benchmark::DoNotOptimize(jacobianPass(*drag.figure, drag.pose, ends, kinematics, jacobian));
  };
  compare(
      state,
      [&] {
        for (int i = 0; i < 16; ++i) frame();
      },
      pass, 16.0);
  state.counters["iterations"] = iterations / count;
  state.counters["evaluations"] = evaluations / count;
  state.counters["converged"] = converged / count;
}

void registerDrags() {
  benchmark::RegisterBenchmark("tree/drag frame", dragFrame)
      ->Args({7, 1})
      ->Args({23, 3})
      ->Args({61, 5})
      ->Args({75, 6})
      ->Args({1000, 6})
      ->Unit(benchmark::kMicrosecond);
}

const bool areRegistered = (registerIterations(), registerDrags(), true);

}  // namespace
}  // namespace limber::tree_benchmark
