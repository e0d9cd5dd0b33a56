// SPDX-License-Identifier: MIT
// Two thousand random problems over every figure and scene that ships, by every solver: the sentence of every report is
// true for its pose. Its meaning is recomputed here, without the code that wrote it:
//
//   places        by the test's own forward kinematics
//   gradients     by central differences of f, and from them what presses against which limit
//   no better     by f at random poses nearby
//   out of reach  by a search for a pose that meets the goal alone
//
// f itself is the library's. Where pins, balance or obstacles shift it between the rounds of a solve, the test does not
// know the last of these problems: there gradients and poses nearby are left out, and it prints how many these are.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "limber/body/balance.h"
#include "limber/posing/outcome.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/potential.h"
#include "limber/problem/goal_error.h"
#include "plain_kinematics.h"
#include "random_drags.h"
#include "support/repetitions.h"

namespace limber::outcome_fuzz_test {
namespace {

using test::choose, test::Drag, test::Random, test::uniform;

const int kProblems = test::repetitions(2000, 100);
constexpr int kNearby = 12;           // poses that are looked at around a claimed minimum
constexpr double kLower = 1e-5;       // of f: none of them may be lower by more than this; the report claims 1e-6
constexpr double kStands = 1e-9;      // radians, metres: a joint this near to its limit is on it
constexpr double kDifference = 1e-5;  // step of a central difference
constexpr double kFloor = 1e-6;       // of a gradient: a smaller one is not reported
constexpr double kPlace = 1e-9;       // of the figure's size: two forward kinematics agree

/// The distance that is left of a goal for a place; -1 for other goals.
double distanceLeft(const Document& document, const GoalItem& goal) {
  const bool asksForPlace = goal.type == GoalType::Position || goal.type == GoalType::PositionOrientation;
  if (!asksForPlace) return -1.0;
  return (test::placeOf(*document.figure, document.pose, goal.link) * goal.pointInLink - goal.target).norm();
}

/// The goals of the drag, in the order of the report.
const GoalItem* itemOf(const PosedProblem& problem, std::size_t place) {
  for (const PosedGoal& posed : problem.goals)
    if (posed.source != GoalSource::Balance && !posed.mayYield() && place-- == 0) return &posed.item;
  return nullptr;
}

class Check {
 public:
  Check(const Drag& drag, const Document& posed, const Posing& posing, Random& random)
      : drag_(drag), document_(posed), report_(posing.report()), random_(random) {
    Kinematics kinematics;
    computeTransforms(*posed.figure, posed.pose, kinematics);
    Branches branches;
    for (const GoalReport& goal : report_.goals)
      if (const GoalItem* item = findGoal(document_, goal.id); item && item->anyOf >= 0 && goal.live)
        branches[item->anyOf] = item->id;
    PosingRequest asked = drag.request;
    asked.startPose = drag.document.pose;
    const CompletedRequest request = completed(drag.document, asked);
    problem_ = makeProblem(drag.document, request, branches);
    // The pull goes to the turn on which the solve began, or to that of angles which were wrapped after it.
    if (problem_.objective && !isTold(objectiveAt(posed.pose))) problem_ = makeProblem(posed, request, branches);
  }

  /// False where gradients and poses nearby are left out.
  bool knowsTheProblem() const {
    return document_.pins.empty() && !document_.keepsBalance && document_.obstacles.empty() &&
           selfAvoidanceOf(document_) == SelfAvoidance::Off && !document_.symmetry &&
           !document_.solver.pathIndependent &&
           std::none_of(problem_.goals.begin(), problem_.goals.end(),
                        [](const PosedGoal& goal) { return goal.isShifted(); });
  }

  void run() {
    ASSERT_TRUE(problem_.objective) << problem_.fault;
    if (report_.outcome == Outcome::BudgetSpent)
      EXPECT_TRUE(report_.sentence.starts_with("time limit") || report_.sentence.starts_with("reached (time limit)"));
    else EXPECT_EQ(report_.sentence.rfind(outcomeName(report_.outcome), 0), 0u);
    EXPECT_LT(problem_.objective->feasibleSet().violation(document_.pose), 1e-9) << "limits";
    checkGoals();
    const bool saysMinimum = report_.outcome == Outcome::AtLimits || report_.outcome == Outcome::NearestFound;
    EXPECT_TRUE(!saysMinimum || report_.summary.status == SolveStatus::Converged);
    if (!knowsTheProblem()) return;
    checkGradient();
    if (saysMinimum) checkNearby();
    if (report_.outcome == Outcome::AtLimits) checkLimit();
  }

  void checkReach(Posing& posing) const {
    for (std::size_t k = 0; k < report_.goals.size(); ++k) {
      const GoalItem* item = itemOf(problem_, k);
      if (!report_.goals[k].outOfReach || !item || report_.goals[k].pinnedLink >= 0) continue;
      Document alone = document_;
      alone.goals = {*item};
      alone.goals[0].id = 1;
      alone.goals[0].anyOf = -1;
      alone.goals[0].weight = 1.0;
      alone.goals[0].enabled = true;
      alone.solver.solver = "multi-start";
      alone.solver.restWeight = 0.0;
      PosingRequest request;
      request.freeRoot = drag_.request.freeRoot;
      const PosingReport report = solveToEnd(posing, alone, request);
      EXPECT_NE(report.outcome, Outcome::Reached) << "goal " << k << " is out of reach, and was reached";
    }
  }

 private:
  void checkGoals() const {
    const double size = document_.figure->meanLinkLength();
    bool allReached = true, anyOutOfReach = false;
    double left = 0.0, leftOutOfReach = 0.0;
    for (std::size_t k = 0; k < report_.goals.size(); ++k) {
      const GoalReport& goal = report_.goals[k];
      const GoalItem* item = itemOf(problem_, k);
      ASSERT_NE(item, nullptr);
      if (const double distance = distanceLeft(document_, *item); distance >= 0.0 && goal.pinnedLink < 0) {
        EXPECT_NEAR(distance, goal.error, kPlace * (distance + 100.0 * size)) << "goal " << k;
        const double tolerance = document_.solver.reachedTolerance * (1.0 + 1e-6) + kPlace;
        EXPECT_TRUE(!goal.reached || distance <= tolerance * size) << "goal " << k << " is " << distance << " off";
      }
      if (!goal.live || goal.isPreference) continue;
      allReached = allReached && goal.reached;
      anyOutOfReach = anyOutOfReach || (goal.outOfReach && !goal.reached);
      if (!goal.reached) left = std::max(left, goal.error);
      if (!goal.reached && goal.outOfReach) leftOutOfReach = std::max(leftOutOfReach, goal.error);
    }
    EXPECT_TRUE(report_.outcome != Outcome::Reached || allReached);
    EXPECT_EQ(report_.outcome == Outcome::OutOfReach, anyOutOfReach && report_.outcome != Outcome::Cancelled);
    if (report_.outcome == Outcome::OutOfReach) left = leftOutOfReach;
    const bool saysLength = report_.outcome != Outcome::Reached && left > 0.0;
    EXPECT_TRUE(!saysLength || report_.sentence.find(lengthInWords(left)) != std::string::npos) << report_.sentence;
  }

  bool isTold(double f) const {
    return std::abs(f - report_.summary.objective) <= 1e-9 * f + 100.0 * evaluation_.rounding;
  }

  double objectiveAt(const Pose& pose) { return problem_.objective->evaluate(pose, evaluation_); }

  /// By central differences over the active coordinates, of f without limits; followers move along. error_ is what two
  /// steps of different length differ by, where f bends sharply, the jump of the slope where f has an edge (the pull of
  /// a ball joint that is half a turn from its rest), and rounding.
  void takeDifferences() {
    const Differences coarse = differences(kDifference);
    const Differences fine = differences(0.25 * kDifference);
    gradient_ = fine.central;
    // One slope less the other is h f'' where f is smooth, and the same for every h at an edge.
    const double jump = (4.0 * fine.bend - coarse.bend).cwiseAbs().maxCoeff() / 3.0;
    const double change = (fine.central - coarse.central).cwiseAbs().maxCoeff();
    error_ = kFloor + change + jump + 100.0 * evaluation_.rounding / kDifference;
  }

  struct Differences {
    Eigen::VectorXd central, bend;  // (active x 1) each: the slope, and the slope ahead less the one behind
  };

  Differences differences(double size) {
    const Objective& objective = *problem_.objective;
    const double here = objectiveAt(document_.pose);
    Differences result{Eigen::VectorXd(objective.activeCount()), Eigen::VectorXd(objective.activeCount())};
    Eigen::VectorXd step = Eigen::VectorXd::Zero(document_.figure->stepSize());
    for (int k = 0; k < objective.activeCount(); ++k) {
      const int c = objective.active()[static_cast<std::size_t>(k)];
      const double h = size / std::sqrt(objective.metric()[c]);
      double f[2];
      for (const int side : {0, 1}) {
        step[c] = side ? h : -h;
        Pose moved;
        integrate(*document_.figure, document_.pose, step, moved);
        f[side] = objectiveAt(moved);
      }
      step[c] = 0.0;
      result.central[k] = (f[1] - f[0]) / (2.0 * h);
      result.bend[k] = ((f[1] - here) - (here - f[0])) / h;
    }
    return result;
  }

  /// The gradient that is told is of this pose: for figures whose limits are intervals alone.
  void checkGradient() {
    const Objective& objective = *problem_.objective;
    const double f = objectiveAt(document_.pose);
    EXPECT_TRUE(isTold(f)) << f << " is not " << report_.summary.objective;
    if (!hasIntervalsAlone() || objective.activeCount() == 0 || objective.activeCount() > 80) return;
    takeDifferences();
    double most = 0.0, nearLimits = 0.0;
    for (int k = 0; k < objective.activeCount(); ++k) {
      const int c = objective.active()[static_cast<std::size_t>(k)];
      const double room = objective.feasibleSet().room(document_.pose, c, gradient_[k] > 0.0 ? -1.0 : 1.0);
      if (room > 0.0) nearLimits = std::max(nearLimits, std::abs(gradient_[k]));
      if (room > kStands) most = std::max(most, std::abs(gradient_[k]));
    }
    // A joint between the two may count as free or not.
    const double error = error_ + 1e-6 * gradient_.cwiseAbs().maxCoeff();
    EXPECT_GE(report_.summary.gradientNorm, most - error);
    EXPECT_LE(report_.summary.gradientNorm, nearLimits + error);
  }

  bool hasIntervalsAlone() const {
    const Figure& figure = *document_.figure;
    return figure.linearLimits().empty() && figure.couplings().empty() &&
           std::none_of(figure.joints().begin(), figure.joints().end(), [](const Joint& joint) {
             return joint.type == JointType::Ball && joint.ballLimits.isBounded();
           });
  }

  /// No pose nearby, within the limits, is lower.
  void checkNearby() {
    const Objective& objective = *problem_.objective;
    const double f = objectiveAt(document_.pose);
    const double lowest = f - kLower * f - 100.0 * evaluation_.rounding;
    Eigen::VectorXd step(objective.activeCount()), scratch;
    Pose moved;
    for (int i = 0; i < kNearby; ++i) {
      const double size = std::pow(10.0, uniform(random_, -5.0, -2.0));
      for (int k = 0; k < objective.activeCount(); ++k) {
        const int c = objective.active()[static_cast<std::size_t>(k)];
        step[k] = choose(random_, 3) ? uniform(random_, -size, size) / std::sqrt(objective.metric()[c]) : 0.0;
      }
      objective.move(document_.pose, step, scratch, moved);
      EXPECT_GE(objectiveAt(moved), lowest) << "a pose " << size << " away is lower than " << f;
    }
  }

  /// The named joint is on its limit, and f falls beyond.
  void checkLimit() {
    ASSERT_FALSE(report_.activeLimits.empty());
    const ActiveLimit& limit = report_.activeLimits.front();
    if (limit.kind != LimitKind::Lower && limit.kind != LimitKind::Upper) return;
    const Figure& figure = *document_.figure;
    const Joint& joint = figure.joint(limit.index);
    EXPECT_NE(report_.sentence.find("held back by " + joint.name), std::string::npos) << report_.sentence;
    const Interval& interval = document_.joints[static_cast<std::size_t>(limit.index)].limits;
    const bool isLower = limit.kind == LimitKind::Lower;
    const double q = document_.pose.coordinates[joint.poseIndex];
    EXPECT_NEAR(q, isLower ? interval.lower : interval.upper, kStands) << joint.name;
    if (!figure.couplings().empty() || problem_.objective->activeIndex(joint.stepIndex) < 0) return;
    const double ahead = missedAt(joint, kDifference), back = missedAt(joint, -kDifference);
    const double slope = (ahead - back) / (2.0 * kDifference);
    EXPECT_GT((isLower ? 1.0 : -1.0) * slope, 0.0) << joint.name << " is not pressed against its limit";
    EXPECT_NEAR(std::abs(slope), std::abs(limit.multiplier), 1e-4 * (std::abs(slope) + kFloor * (ahead + back)));
  }

  /// The weighted potentials of the missed goals with a joint moved by so much.
  double missedAt(const Joint& joint, double by) const {
    Document moved = document_;
    moved.pose.coordinates[joint.poseIndex] += by;
    Kinematics kinematics;
    computeTransforms(*moved.figure, moved.pose, kinematics);
    double sum = 0.0;
    for (std::size_t k = 0; k < report_.goals.size(); ++k) {
      const GoalReport& goal = report_.goals[k];
      if (!goal.live || goal.isPreference || goal.reached) continue;
      const GoalItem* item = itemOf(problem_, k);
      sum += item->weight * moved.solver.targetWeight * potentialOf(moved, kinematics, *item);
    }
    return sum;
  }

  const Drag& drag_;
  const Document& document_;
  const PosingReport& report_;
  Random& random_;
  PosedProblem problem_;
  Evaluation evaluation_;
  Eigen::VectorXd gradient_;
  double error_ = 0.0;
};

/// True if f is shifted between the rounds of a solve.
void leaveOutWhatShifts(Document& document) {
  document.pins.clear();
  document.obstacles.clear();
  document.keepsBalance = document.solver.pathIndependent = false;
  document.selfAvoidance = SelfAvoidance::Off;
  document.symmetry.reset();
  std::erase_if(document.goals, [](const GoalItem& goal) { return goal.type == GoalType::Swivel; });
}

/// Share of all problems: small for slow solvers (dense Hessians, restarts, relaxations) and those that refuse most
/// problems.
int shareOf(const std::string& solver) {
  if (solver == allSolvers().front()->name()) return 100;
  if (solver == "multi-start" || solver == "global" || solver == "sdp-ik") return 1;
  if (solver == "gdls-penalty") return 1;
  if (solver.ends_with("-penalty")) return 3;
  return solver == "nm" || solver == "lm" || solver == "ccd" || solver == "fabrik" ? 4 : 10;
}

class OutcomeFuzz : public testing::TestWithParam<std::string> {};

TEST_P(OutcomeFuzz, NoSentenceIsFalse) {
  int shares = 0;
  for (const Solver* solver : allSolvers()) shares += shareOf(std::string(solver->name()));
  const int problems = kProblems * shareOf(GetParam()) / shares + 1;
  Random random(20);
  const auto all = test::examples();
  std::vector<FeasibleSet> sets;
  for (const auto& example : all) sets.push_back(test::feasibleSetOf(example.second));
  std::map<std::string, int> outcomes;
  int refused = 0, partly = 0, proofs = 0;
  Posing seeker;
  for (int i = 0; i < problems && !HasFatalFailure(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i) % all.size();
    SCOPED_TRACE(all[k].first + ", problem " + std::to_string(i));
    Pose pose = all[k].second.pose;
    if (choose(random, 3) == 0) test::scramble(sets[k], all[k].second, random, pose);
    Drag drag = test::anyDrag(all[k].second, pose, random);
    drag.document.solver.solver = GetParam();
    drag.document.solver.insist = true;
    drag.request.searches = choose(random, 100) == 0;
    if (choose(random, 10) > 0) leaveOutWhatShifts(drag.document);
    Document posed = drag.document;
    Posing posing;
    const PosingReport report = solveToEnd(posing, posed, drag.request);
    ++outcomes[std::string(outcomeName(report.outcome))];
    if (report.outcome == Outcome::BadInput) {
      ++refused;
      continue;
    }
    Check check(drag, posed, posing, random);
    check.run();
    partly += !check.knowsTheProblem();
    if (report.outcome == Outcome::OutOfReach && choose(random, 40) == 0) {
      check.checkReach(seeker);
      ++proofs;
    }
  }
  EXPECT_LT(refused, problems) << "the solver takes none of them";
  std::printf("%s: %d problems, %d refused, %d looked at in part, %d proofs tried;", GetParam().c_str(), problems,
              refused, partly, proofs);
  for (const auto& [name, count] : outcomes) std::printf(" %s %d,", name.c_str(), count);
  std::printf("\n");
}

std::vector<std::string> everySolver() {
  std::vector<std::string> names;
  for (const Solver* solver : allSolvers()) names.emplace_back(solver->name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(, OutcomeFuzz, testing::ValuesIn(everySolver()), [](const auto& run) {
  std::string name = run.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace limber::outcome_fuzz_test
