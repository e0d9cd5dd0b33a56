// SPDX-License-Identifier: MIT
// Goals decide, preferences order, and the sentence says what holds the pose. Random problems with places and
// directions of random weights, pulls, tolerances, preferences and solvers; each clause of the sentence is recomputed
// without the code that chose it:
//
//   reached                 by the test's own forward kinematics; exactly for the default solver
//   no way closer           the error cannot be lowered by a descent from the pose, with all other terms removed
//   the pull, a preference  it can be (by such a descent or by a pose that a solver finds), and no longer if the pull
//                           (the preference) counts
//   another goal            it can be, but all goals together cannot
//   the goals               one of them can be lowered alone
//   held back by a joint    it stands on its limit, and beyond it what is missed would fall
//
// More problems: --gtest_shuffle --gtest_random_seed=1 --gtest_repeat=N gives other ones each time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "plain_kinematics.h"
#include "puller.h"
#include "random_drags.h"
#include "support/repetitions.h"

namespace limber::goal_words_test {
namespace {

using test::Random, test::choose, test::uniform;
using V = Eigen::Vector3d;

constexpr double kExact = 1e-9;     // mean link lengths, radians
constexpr double kFalls = 0.05;     // of a potential: what "no way closer" may hide; the claim is made to 2 %
constexpr double kHidden = 0.005;   // the same: the gain that is required if another cause is named
constexpr double kRadius = 0.1;     // radians, mean link lengths: how far a descent goes from the pose
constexpr double kConflict = 0.99;  // the same: for goals within the tolerance that cannot all be met exactly
constexpr double kFar = 1.5;        // the same, if another cause is named
constexpr int kSteps = 200, kAround = 8;

/// The requirement of a goal, in the test's own numbers.
Eigen::VectorXd residualOf(const Document& document, const Pose& pose, const GoalItem& goal) {
  const Eigen::Isometry3d place = test::placeOf(*document.figure, pose, goal.link);
  if (goal.type == GoalType::Direction) return (place.linear() * goal.frameInLink).col(0) - goal.targetFrame.col(0);
  return (place * goal.pointInLink - goal.target) / document.figure->meanLinkLength();
}

double potentialOf(const Document& document, const Pose& pose, const std::vector<int>& goals) {
  double sum = 0.0;
  for (const int i : goals) {
    const GoalItem& goal = document.goals[static_cast<std::size_t>(i)];
    sum += 0.5 * goal.weight * residualOf(document, pose, goal).squaredNorm();
  }
  return sum;
}

/// Coordinates that are neither followers nor locked.
std::vector<int> coordinatesOf(const Document& document) {
  std::vector<int> result;
  for (std::size_t i = 0; i < document.joints.size(); ++i) {
    const Joint& joint = document.figure->joints()[i];
    if (document.joints[i].locked) continue;
    for (int k = 0; k < stepSize(joint.type); ++k) result.push_back(joint.stepIndex + k);
  }
  return result;
}

Pose moved(const Document& document, const FeasibleSet& set, const Pose& pose, const Eigen::VectorXd& step) {
  Pose result;
  integrate(*document.figure, pose, step, result);
  set.project(result);
  return result;
}

/// The relative decrease of the potential of some goals on a descent that stays within a radius of the document's pose:
/// damped Gauss-Newton steps by differences, each projected onto the limits.
double fallFrom(const Document& document, const std::vector<int>& goals, const Pose& start, double radius) {
  const FeasibleSet set = test::feasibleSetOf(document);
  const std::vector<int> coordinates = coordinatesOf(document);
  const double begin = potentialOf(document, document.pose, goals);
  if (!(begin > 0.0)) return 0.0;
  Pose best = start;
  double least = potentialOf(document, start, goals), damping = 1e-3;
  for (int iteration = 0; iteration < kSteps; ++iteration) {
    const auto stacked = [&](const Pose& pose) {
      Eigen::VectorXd all(3 * static_cast<Eigen::Index>(goals.size()));
      for (std::size_t i = 0; i < goals.size(); ++i) {
        const GoalItem& goal = document.goals[static_cast<std::size_t>(goals[i])];
        all.segment<3>(3 * static_cast<Eigen::Index>(i)) = std::sqrt(goal.weight) * residualOf(document, pose, goal);
      }
      return all;
    };
    const Eigen::VectorXd r = stacked(best);
    Eigen::MatrixXd jacobian(r.size(), static_cast<Eigen::Index>(coordinates.size()));
    Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
    constexpr double kH = 1e-6;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      double ahead = 0.0;
      for (const double h : {kH, -kH}) {  // to the side where there is room
        step[coordinates[k]] = h;
        const Pose there = moved(document, set, best, step);
        step[coordinates[k]] = 0.0;
        Eigen::VectorXd way;
        difference(*document.figure, best, there, way);
        ahead = way[coordinates[k]];
        jacobian.col(static_cast<Eigen::Index>(k)).setZero();
        if (std::abs(ahead) < 0.5 * kH) continue;
        jacobian.col(static_cast<Eigen::Index>(k)) = (stacked(there) - r) / ahead;
        // A coordinate on its limit counts only if it leaves the limit.
        if (h > 0.0 || (jacobian.col(static_cast<Eigen::Index>(k)).dot(r)) > 0.0) break;
        jacobian.col(static_cast<Eigen::Index>(k)).setZero();
      }
    }
    const Eigen::VectorXd gradient = jacobian.transpose() * r;
    Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
    normal.diagonal().array() += damping * std::max(normal.diagonal().maxCoeff(), 1e-12);
    const Eigen::VectorXd move = normal.ldlt().solve(-gradient);
    for (std::size_t k = 0; k < coordinates.size(); ++k) step[coordinates[k]] = move[static_cast<Eigen::Index>(k)];
    const double size = step.cwiseAbs().maxCoeff();
    if (!(size > 0.0)) break;
    step *= std::min(1.0, 0.2 * radius / size);
    const Pose there = moved(document, set, best, step);
    Eigen::VectorXd way;
    difference(*document.figure, document.pose, there, way);
    const double now = potentialOf(document, there, goals);
    if (now < least && way.cwiseAbs().maxCoeff() < radius) {
      least = now;
      best = there;
      damping = std::max(0.1 * damping, 1e-9);
    } else {
      damping *= 10.0;
      if (damping > 1e6) break;
    }
  }
  return 1.0 - least / begin;
}

double fallOf(const Document& document, const std::vector<int>& goals) {
  return fallFrom(document, goals, document.pose, kRadius);
}

/// The same from poses around, too, and farther: a pose may be a saddle of these goals, or stand in a long flat valley.
double fallAround(const Document& document, const std::vector<int>& goals) {
  const FeasibleSet set = test::feasibleSetOf(document);
  Random random(1);
  double most = fallFrom(document, goals, document.pose, kFar);
  for (int i = 0; i < kAround && most < kHidden; ++i) {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
    for (const int c : coordinatesOf(document)) step[c] = uniform(random, -0.05, 0.05);
    most = std::max(most, fallFrom(document, goals, moved(document, set, document.pose, step), kFar));
  }
  return most;
}

/// The relative decrease of the potential of some goals to a pose that a solver finds, with no other terms.
double fallOfSolver(const Document& document, const std::vector<int>& goals) {
  Document alone = document;
  for (std::size_t i = 0; i < alone.goals.size(); ++i)
    alone.goals[i].enabled = std::ranges::find(goals, static_cast<int>(i)) != goals.end();
  alone.solver.restWeight = 0.0;
  alone.solver.solver = "lm";
  Posing posing;
  solveToEnd(posing, alone);
  return 1.0 - potentialOf(document, alone.pose, goals) / potentialOf(document, document.pose, goals);
}

GoalItem anyGoal(const Document& document, const Pose& there, Random& random) {
  const Figure& figure = *document.figure;
  GoalItem goal;
  do goal.link = choose(random, figure.linkCount());
  while (stepSize(figure.joint(goal.link).type) == 0 || figure.isFreeRoot(goal.link));
  goal.pointInLink = test::anyVector(random, 0.5 * figure.meanLinkLength());
  const Eigen::Isometry3d place = test::placeOf(figure, there, goal.link);
  goal.target = place * goal.pointInLink + test::anyVector(random, choose(random, 3) ? 0.0 : figure.meanLinkLength());
  if (choose(random, 3) == 0) {
    goal.type = GoalType::Direction;
    goal.targetFrame = place.linear();
  }
  goal.weight = std::pow(10.0, uniform(random, -4.0, 1.0));
  goal.preference = choose(random, 5) == 0;
  return goal;
}

struct Case {
  Document document;
  std::string name;
};

Case anyCase(const std::vector<std::pair<std::string, Document>>& figures, Random& random) {
  const auto& [name, example] = figures[static_cast<std::size_t>(choose(random, static_cast<int>(figures.size())))];
  Case result{example, name};
  Document& document = result.document;
  const FeasibleSet set = test::feasibleSetOf(document);
  Pose there = document.pose;
  test::scramble(set, document, random, there);
  if (choose(random, 2)) test::scramble(set, document, random, document.pose);
  document.goals.clear();
  for (int count = 1 + choose(random, 3); count > 0; --count) {
    document.goals.push_back(anyGoal(document, there, random));
    document.goals.back().id = document.nextGoalId++;
  }
  document.solver.restWeight = std::pow(10.0, uniform(random, -2.0, 4.0));
  document.solver.reachedTolerance = std::pow(10.0, uniform(random, -4.0, -2.0));
  const char* solvers[] = {"newton", "newton", "newton", "newton", "lm", "gdls+nm", "lbfgs", "trust-region"};
  document.solver.solver = solvers[choose(random, 8)];
  document.solver.insist = true;
  return result;
}

bool says(const PosingReport& report, const char* words) { return report.sentence.find(words) != std::string::npos; }

void check(const Document& document, const PosingReport& report) {
  const auto& goals = document.goals;
  const bool hasGoal = std::ranges::any_of(goals, [](const GoalItem& goal) { return !goal.preference; });
  const auto isAsked = [&](std::size_t i) { return !hasGoal || !goals[i].preference; };
  const Tolerance tolerance = toleranceOf(document);
  std::vector<int> missed, asked;
  bool isExact = true;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const Eigen::VectorXd residual = residualOf(document, document.pose, goals[i]);
    const bool isPlace = goals[i].type == GoalType::Position;
    const double left = isPlace ? document.figure->meanLinkLength() * residual.norm()
                                : 2.0 * std::asin(std::min(0.5 * residual.norm(), 1.0));
    const bool isMet = left <= (isPlace ? tolerance.length : tolerance.angle);
    EXPECT_NEAR(left, isPlace ? report.goals[i].error : report.goals[i].angle, 1e-7);
    EXPECT_EQ(report.goals[i].isPreference, !isAsked(i));
    const bool isAtTolerance = std::abs(left - (isPlace ? tolerance.length : tolerance.angle)) < 1e-9;
    EXPECT_TRUE(isAtTolerance || report.goals[i].reached == isMet);
    if (!isAsked(i)) continue;
    asked.push_back(static_cast<int>(i));
    if (!isMet) missed.push_back(static_cast<int>(i));
    isExact = isExact && residual.norm() < kExact;
  }
  EXPECT_EQ(report.outcome == Outcome::Reached, missed.empty());
  if (missed.empty() && !isExact && document.solver.solver == "newton") {
    EXPECT_LT(fallFrom(document, asked, document.pose, kFar), kConflict) << "they can be met exactly";
  }
  if (report.outcome != Outcome::NearestFound && report.outcome != Outcome::AtLimits) return;
  if (says(report, "no way closer")) {
    EXPECT_LT(fallOf(document, missed), kFalls);
  }
  const bool isHeld =
      says(report, "the pull to the reference") || says(report, "a preference") || says(report, "holds it back");
  if (isHeld) {
    EXPECT_TRUE(fallAround(document, missed) > kHidden || fallOfSolver(document, missed) > kHidden);
  }
  if (isHeld && !says(report, "the pull to the reference") && !says(report, "a preference")) {
    EXPECT_LT(fallOf(document, asked), kFalls);
  }
  if (says(report, "pull against each other")) {
    double most = 0.0;
    for (const int i : missed) most = std::max(most, fallAround(document, {i}));
    EXPECT_GT(most, kHidden);
  }
  EXPECT_EQ(report.outcome == Outcome::AtLimits, says(report, "held back by "));
  if (report.outcome != Outcome::AtLimits) return;
  ASSERT_FALSE(report.activeLimits.empty());
  const ActiveLimit& limit = report.activeLimits.front();
  if (limit.kind != LimitKind::Lower && limit.kind != LimitKind::Upper) return;
  const Joint& joint = document.figure->joint(limit.index);
  EXPECT_TRUE(says(report, ("held back by " + joint.name).c_str()));
  const Interval& interval = document.joints[static_cast<std::size_t>(limit.index)].limits;
  const bool isLower = limit.kind == LimitKind::Lower;
  EXPECT_NEAR(document.pose.coordinates[joint.poseIndex], isLower ? interval.lower : interval.upper, 1e-9);
  Pose beyond = document.pose;
  beyond.coordinates[joint.poseIndex] += isLower ? -1e-6 : 1e-6;
  Couplings(*document.figure, activeCouplings(document)).apply(beyond);
  EXPECT_LT(potentialOf(document, beyond, missed), potentialOf(document, document.pose, missed)) << joint.name;
}

TEST(GoalWords, EveryClauseIsTrue) {
  std::vector<std::pair<std::string, Document>> figures;
  for (const char* name : {"planar:2", "planar:5", "ball:4", "arm", "humanoid"})
    figures.emplace_back(name, test::openFigure(name));
  const bool isShuffled = testing::GTEST_FLAG(shuffle);  // else the seed would be that of the clock
  Random random(isShuffled ? static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) : 1u);
  std::map<std::string, int> counts;
  const int problems = test::repetitions(1000, 100);
  for (int i = 0; i < problems; ++i) {
    Case any = anyCase(figures, random);
    Posing posing;
    const PosingReport report = solveToEnd(posing, any.document);
    SCOPED_TRACE(any.name + ", problem " + std::to_string(i) + ", " + any.document.solver.solver + ": " +
                 report.sentence);
    ASSERT_NE(report.outcome, Outcome::BadInput);
    check(any.document, report);
    ++counts[std::string(outcomeName(report.outcome))];
    for (const char* words : {"no way closer", "pull to the reference", "a preference", "against each other"})
      counts[words] += says(report, words);
  }
  for (const auto& [words, count] : counts) std::printf("%s: %d of %d\n", words.c_str(), count, problems);
}

}  // namespace
}  // namespace limber::goal_words_test
