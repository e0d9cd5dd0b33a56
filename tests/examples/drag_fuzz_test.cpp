// SPDX-License-Identifier: MIT
// Ten thousand random drags over every example: goals of every type with every kind of number that a user may give, and
// a hand of the figure pulled about. What must hold in each solve, for every method that keeps limits exactly:
//
//   - every iterate stands within limits, couplings and polygons to 1e-9 (rad, or metres)
//   - f never rises from one iterate to the next by more than its rounding; nothing is ever NaN
//   - a solve that says converged is a Kuhn-Tucker point; of the default method's, at least 99 of 100 say so
//
// The default method does all of them, each other one a tenth: they are slower, and how many of theirs converge is
// printed, not promised. The default's others stop at the cap of 500 iterations or where rounding hides what is left,
// most of them beside several contradictory goals.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "example_scenes.h"
#include "io/figure_json.h"
#include "kinematics/standard_figures.h"
#include "posing/problem.h"
#include "scene/bend.h"
#include "locations.h"

namespace limber::drag_fuzz_test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kDrags = 1000;  // sanitizers make each one slow: a tenth of them, too few for a hundredth to be sure
constexpr double kLeastConverged = 0.97;
constexpr double kLeastConvergedInBalance = 0.9;
#else
constexpr int kDrags = 10000;
constexpr double kLeastConverged = 0.99;
constexpr double kLeastConvergedInBalance = 0.9;
#endif
constexpr int kSeeds = 2;
constexpr double kMostViolation = 1e-9;
constexpr double kTolerance = 1e-12;  // of f: what it may still fall by in a solve that says converged; and
constexpr double kRoundings = 10.0;   // so many roundings of f, where it is nothing else

using Random = std::mt19937_64;
double uniform(Random& random, double low, double high) { return std::uniform_real_distribution(low, high)(random); }
int choose(Random& random, int count) { return std::uniform_int_distribution(0, count - 1)(random); }
Eigen::Vector3d anyVector(Random& random, double size) {
  return size * Eigen::Vector3d(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
}
Eigen::Matrix3d anyRotation(Random& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

/// Everything that has a scene or a figure file, and chains.
std::vector<std::pair<std::string, Document>> examples() {
  std::vector<std::pair<std::string, Document>> result;
  for (const char* name : {"planar:4", "ball:6", "humanoid"}) {
    const auto opened = io::openAny(name);
    EXPECT_TRUE(opened) << opened.error().message();
    if (opened) result.emplace_back(name, opened->document);
  }
  for (const char* folder : {"figures", "scenes"})
    for (const auto& entry :
         std::filesystem::directory_iterator(LIMBER_SOURCE_DIR "/resources/" + std::string(folder))) {
      const auto opened = io::openAny(entry.path().string());
      EXPECT_TRUE(opened) << opened.error().message();
      if (opened) result.emplace_back(entry.path().stem().string(), opened->document);
    }
  std::ranges::sort(result, {}, [](const auto& example) { return example.first; });  // folders list as they please
  return result;
}

/// A pose within the limits, every coordinate drawn anew.
void scramble(const FeasibleSet& set, const Document& document, Random& random, Pose& pose) {
  Eigen::VectorXd step(document.figure->stepSize());
  for (double& s : step) s = uniform(random, -1.5, 1.5);
  for (const Joint& joint : document.figure->joints())
    if (document.joints[static_cast<std::size_t>(&joint - document.figure->joints().data())].locked)
      step.segment(joint.stepIndex, stepSize(joint.type)).setZero();
  Pose moved;
  integrate(*document.figure, pose, step, moved);
  pose = moved;
  set.project(pose);
}

GoalItem anyGoal(const Document& document, const Kinematics& kinematics, Random& random) {
  constexpr GoalType kTypes[] = {GoalType::Position,  GoalType::Orientation, GoalType::PositionOrientation,
                                 GoalType::Direction, GoalType::Aim,         GoalType::Line,
                                 GoalType::Plane,     GoalType::HalfSpace,   GoalType::Distance,
                                 GoalType::Relative,  GoalType::KeepPose,    GoalType::CentreOfMass,
                                 GoalType::Swivel};
  const int links = document.figure->linkCount();
  const double size = document.figure->meanLinkLength();
  GoalItem goal;
  goal.type = kTypes[choose(random, 13)];
  goal.link = choose(random, links);
  const bool hasBend = upperBoneOf(*document.figure, goal.link).link >= 0;
  if (goal.type == GoalType::Swivel && !hasBend) goal.type = GoalType::Position;
  goal.pointInLink = anyVector(random, size);
  goal.frameInLink = anyRotation(random);
  const double away = size * std::pow(10.0, uniform(random, -2, 1.2));  // from near by to far out of reach
  goal.target = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink +
                anyVector(random, away);
  goal.targetFrame = anyRotation(random);
  for (double& scale : goal.directionScale) scale = choose(random, 3) == 0 ? 0.0 : uniform(random, 0.1, 3.0);
  goal.positionShare = uniform(random, 0, 1);
  goal.distance.lower = choose(random, 2) ? uniform(random, 0, 3) * size : 0.0;
  goal.distance.upper = goal.distance.lower + (choose(random, 2) ? uniform(random, 0, 2) * size : 0.0);
  if (links > 1 && (goal.type == GoalType::Relative || (goal.type == GoalType::Distance && choose(random, 2))))
    do goal.otherLink = choose(random, links); while (goal.otherLink == goal.link);
  if (goal.type == GoalType::Relative && links == 1) goal.type = GoalType::Position;
  goal.pointInOther = anyVector(random, size);
  goal.frameInOther = anyRotation(random);
  if (goal.type == GoalType::KeepPose) goal.kept = document.pose;
  if (choose(random, 6) == 0) goal.anyOf = 1;
  goal.weight = choose(random, 10) == 0 ? 0.0 : std::pow(10.0, uniform(random, -2, 1));
  return goal;
}

struct Drag {
  Document document;
  PosingRequest request;
};

/// A document with up to four goals of its own, and a site or link pulled to a place that may be out of reach.
Drag anyDrag(const Document& example, const Pose& pose, Random& random) {
  Drag drag{example, {}};
  Document& document = drag.document;
  document.pose = pose;
  Kinematics kinematics;
  computeTransforms(*document.figure, pose, kinematics);
  if (choose(random, 2)) document.goals.clear();
  for (int count = choose(random, 5); count > 0; --count) {
    document.goals.push_back(anyGoal(document, kinematics, random));
    document.goals.back().id = document.nextGoalId++;
  }
  const int link = choose(random, document.figure->linkCount());
  const double size = document.figure->meanLinkLength();
  DragGoal pull{.link = link, .pointInLink = anyVector(random, 0.5 * size)};
  pull.target = kinematics.worldFromLink[static_cast<std::size_t>(link)] * pull.pointInLink +
                anyVector(random, size * std::pow(10.0, uniform(random, -3, 1)));
  drag.request.drag = pull;
  drag.request.freeRoot = choose(random, 8) == 0;
  return drag;
}

/// Looks at every iterate.
class Watch : public Observer {
 public:
  Watch(const Objective& objective, const Pose& start) : objective_(objective) {
    Pose pose = start;
    objective.feasibleSet().project(pose);
    last_ = objective.evaluate(pose, evaluation_);
  }
  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    violation_ = std::max(violation_, objective_.feasibleSet().violation(pose));
    const double f = objective_.evaluate(pose, evaluation_);
    isFinite_ = isFinite_ && pose.coordinates.allFinite() && std::isfinite(f) && std::isfinite(record.objective);
    rise_ = std::max(rise_, (f - last_) / std::max(evaluation_.rounding, 1e-300));
    last_ = f;
    return true;
  }
  double violation() const { return violation_; }
  double rise() const { return rise_; }  ///< largest rise of f between iterates, in roundings of it
  bool isFinite() const { return isFinite_; }

 private:
  const Objective& objective_;
  Evaluation evaluation_;
  double last_ = 0.0, violation_ = 0.0, rise_ = 0.0;
  bool isFinite_ = true;
};

/// By how much f may still fall, |P g|^2 / 2 |H|, over what a method that says converged may leave: 1 at most.
double kuhnTuckerResidual(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  const double f = objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.computeHessian(evaluation, hessian);
  if (gradient.size() == 0) return 0.0;
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  space.project(gradient);
  const double norm = hessian.cwiseAbs().rowwise().sum().maxCoeff();
  if (norm == 0.0) return gradient.isZero(0.0) ? 0.0 : 2.0;
  return 0.5 * gradient.squaredNorm() / norm / (kTolerance * f + kRoundings * evaluation.rounding);
}

struct Count {
  int solves = 0, converged = 0;
  int balanced = 0, balancedConverged = 0;  ///< of these, where balance is kept: rows that switch on and off
  std::array<int, 6> statuses{};
  double violation = 0.0, rise = 0.0, kuhnTucker = 0.0;
};

void check(const std::string& where, const Drag& drag, const Solver& solver, Workspace& workspace, Pose& pose,
           Count& count) {
  Kinematics kinematics;
  computeTransforms(*drag.document.figure, drag.document.pose, kinematics);
  const Problem problem = makeProblem(drag.document, drag.request, chooseBranches(drag.document, kinematics, {}));
  if (!problem.objective) return;  // a fault in words: nothing to solve
  const Objective& objective = *problem.objective;
  pose = drag.document.pose;
  Watch watch(objective, pose);
  const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &watch);
  ++count.solves;
  count.balanced += drag.document.keepsBalance;
  ASSERT_NE(summary.status, SolveStatus::BadInput) << where;
  ASSERT_TRUE(watch.isFinite() && pose.coordinates.allFinite() && std::isfinite(summary.objective)) << where;
  const double violation = std::max(watch.violation(), objective.feasibleSet().violation(pose));
  EXPECT_LT(violation, kMostViolation) << where;
  EXPECT_LE(watch.rise(), 1.0) << where << ": f rose";
  count.violation = std::max(count.violation, violation);
  count.rise = std::max(count.rise, watch.rise());
  ++count.statuses[static_cast<std::size_t>(summary.status)];
  if (summary.status != SolveStatus::Converged) return;
  ++count.converged;
  count.balancedConverged += drag.document.keepsBalance;
  const double kuhnTucker = kuhnTuckerResidual(objective, pose);
  EXPECT_LE(kuhnTucker, 1.0) << where << ": not a Kuhn-Tucker point";
  count.kuhnTucker = std::max(count.kuhnTucker, kuhnTucker);
}

bool isDefault(const std::string& solver) { return solver == allSolvers().front()->name(); }

class DragFuzz : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(DragFuzz, StaysWithinLimitsGoesDownAndConverges) {
  const auto& [name, seed] = GetParam();
  const Solver& solver = *findSolver(name);
  Random random(static_cast<std::uint64_t>(seed));
  const auto all = examples();
  std::vector<Pose> poses;
  std::vector<FeasibleSet> sets;
  for (const auto& example : all) {
    poses.push_back(example.second.pose);
    sets.push_back(test::feasibleSetOf(example.second));
  }
  Workspace workspace;
  Count count;
  const int drags = isDefault(name) ? kDrags / kSeeds : kDrags / 10;
  for (int i = 0; i < drags && !HasFatalFailure(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i) % all.size();
    if (choose(random, 10) == 0) scramble(sets[k], all[k].second, random, poses[k]);
    const Drag drag = anyDrag(all[k].second, poses[k], random);
    check(all[k].first + ", drag " + std::to_string(i), drag, solver, workspace, poses[k], count);
  }
  if (isDefault(name)) {
    EXPECT_GE(count.converged - count.balancedConverged, kLeastConverged * (count.solves - count.balanced));
    EXPECT_GE(count.balancedConverged, kLeastConvergedInBalance * count.balanced);
  }
  std::printf(
      "%s, seed %d: %d drags, %d converged, %d of %d in balance, %d at the cap, %d stalled, "
      "worst violation %.1e, rise %.2f roundings, Kuhn-Tucker %.1e\n",
      name.c_str(), seed, count.solves, count.converged, count.balancedConverged, count.balanced,
      count.statuses[static_cast<std::size_t>(SolveStatus::IterationCap)],
      count.statuses[static_cast<std::size_t>(SolveStatus::Stalled)], count.violation, count.rise,
      count.kuhnTucker);
}

std::vector<std::tuple<std::string, int>> runs() {
  std::vector<std::tuple<std::string, int>> result;
  for (const std::string& name : test::exactSecondOrderSolvers())
    for (int seed = 0; seed < (isDefault(name) ? kSeeds : 1); ++seed) result.emplace_back(name, seed);
  return result;
}

INSTANTIATE_TEST_SUITE_P(, DragFuzz, testing::ValuesIn(runs()), [](const auto& run) {
  std::string name = std::get<0>(run.param) + "_" + std::to_string(std::get<1>(run.param));
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace limber::drag_fuzz_test
