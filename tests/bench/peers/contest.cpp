// SPDX-License-Identifier: MIT
#include "bench/peers/contest.h"

#include <algorithm>
#include <cmath>

#include "bench/thread_time.h"
#include "limber/problem/goal_error.h"

namespace limber::bench {

namespace {

constexpr std::size_t kTurn = 10;  // problems that an entrant solves before the next one's turn

double violationOf(const Figure& figure, const Pose& pose) {
  double worst = 0.0;
  for (const Joint& joint : figure.joints()) {
    if (joint.type != JointType::Revolute && joint.type != JointType::Prismatic) continue;
    const double q = pose.coordinates[joint.poseIndex];
    worst = std::max({worst, joint.limits.lower - q, q - joint.limits.upper});
  }
  return worst;
}

/// True when a coordinate differs that the objective does not give away.
bool movesOthers(const Objective& objective, const Eigen::VectorXd& step) {
  Eigen::VectorXd others = step;
  for (const int c : objective.moving()) others[c] = 0.0;
  return others.lpNorm<Eigen::Infinity>() > kOutside;
}

void judgeTargets(const Task& task, const Problem& problem, const Kinematics& kinematics, Verdict& verdict) {
  for (const FrameTarget& target : problem.targets) {
    const Transform frame = kinematics.worldFromLink[static_cast<std::size_t>(target.link)] * target.linkFromFrame;
    verdict.length = std::max(verdict.length, (frame.translation - target.worldFromTarget.translation).norm());
    if (target.turns)
      verdict.angle = std::max(verdict.angle, angleBetween(frame.rotation, target.worldFromTarget.rotation));
  }
  verdict.solved = verdict.length <= task.length && verdict.angle <= task.angle;
}

void judgeGoals(const Problem& problem, const Kinematics& kinematics, const Pose& answer, Verdict& verdict) {
  Document posed = *problem.document;
  posed.pose = answer;
  verdict.solved = true;
  for (const GoalItem& goal : posed.goals) {
    if (!goal.enabled) continue;
    const GoalError error = goalErrorOf(posed, kinematics, goal);
    verdict.length = std::max(verdict.length, error.length);
    verdict.angle = std::max(verdict.angle, error.angle);
    verdict.solved = verdict.solved && isMet(posed, error);
  }
}

/// Forward kinematics and twists of the figure, microseconds: the median of short batches.
double floorOf(const Task& task) {
  constexpr int kBatches = 51, kPasses = 200;
  const Pose& pose = task.problems.front().start;
  Kinematics kinematics;
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    const double before = threadTime();
    for (int i = 0; i < kPasses; ++i) computeKinematics(*task.figure, pose, kinematics);
    times.push_back((threadTime() - before) / kPasses);
  }
  return 1e-3 * quantile(times, 0.5);
}

/// One entrant on its way through a task.
struct Runner {
  Entrant* entrant = nullptr;
  Pose pose;  ///< where a drag stands
  std::vector<double> times;
  std::vector<Verdict> verdicts;

  void solve(const Task& task, const Problem& problem, double cost) {
    Pose answer = task.isDrag ? pose : problem.start;
    const Pose start = answer;
    const double before = threadTime();
    entrant->solve(problem, answer);
    times.push_back(1e-3 * std::max(0.0, threadTime() - before - cost));
    verdicts.push_back(judge(task, problem, start, answer));
    if (isValid(*task.figure, answer)) pose = answer;
  }
};

Score scoreOf(Runner& runner, const std::vector<Verdict>& verdicts) {
  Score score;
  score.entrant = runner.entrant->name();
  score.problems = static_cast<int>(runner.times.size());
  std::vector<double> distances;
  for (const Verdict& verdict : verdicts)
    if (verdict.solved) distances.push_back(verdict.distance);
  score.solved = static_cast<double>(distances.size()) / static_cast<double>(verdicts.size());
  score.medianMicroseconds = quantile(runner.times, 0.5);
  score.p95Microseconds = quantile(runner.times, 0.95);
  if (!distances.empty()) score.medianDistance = quantile(distances, 0.5);
  return score;
}

}  // namespace

double angleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return logarithm(Eigen::Quaterniond(Eigen::Matrix3d(a.transpose() * b)).normalized()).norm();
}

double quantile(std::vector<double>& values, double q) {
  const auto place = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

Verdict judge(const Task& task, const Problem& problem, const Pose& start, const Pose& answer) {
  Verdict verdict;
  verdict.violation = std::numeric_limits<double>::infinity();
  if (answer.coordinates.size() != start.coordinates.size() || !isValid(*task.figure, answer)) return verdict;
  Evaluation evaluation;
  verdict.objective = problem.objective->evaluate(answer, evaluation);
  Eigen::VectorXd step;
  difference(*task.figure, start, answer, step);
  verdict.distance = step.norm();
  if (movesOthers(*problem.objective, step)) return verdict;
  verdict.violation = std::max(problem.objective->feasibleSet().violation(answer),
                               problem.document ? 0.0 : violationOf(*task.figure, answer));
  if (problem.document) judgeGoals(problem, evaluation.kinematics, answer, verdict);
  else if (!problem.targets.empty()) judgeTargets(task, problem, evaluation.kinematics, verdict);
  else verdict.solved = std::isfinite(verdict.objective);
  verdict.solved = verdict.solved && verdict.violation <= kOutside;
  return verdict;
}

void shareBest(std::vector<std::vector<Verdict>>& verdicts) {
  const std::size_t problems = verdicts.empty() ? 0 : verdicts.front().size();
  for (std::size_t p = 0; p < problems; ++p) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& answers : verdicts)
      if (answers[p].solved) best = std::min(best, answers[p].objective);
    for (auto& answers : verdicts)
      answers[p].solved = answers[p].solved && answers[p].objective <= best + kSameMinimum * std::max(1.0, best);
  }
}

Result run(const Task& task, std::span<const std::unique_ptr<Entrant>> entrants) {
  Result result{.task = task.name, .title = task.title};
  result.coordinates = task.problems.front().objective->activeCount();
  std::vector<Runner> runners;
  for (const auto& entrant : entrants)
    if (entrant->prepare(task)) runners.push_back({.entrant = entrant.get(), .pose = task.problems.front().start});
  for (Runner& runner : runners) {  // memory and caches, as in a program that has been posing for a while
    Pose pose = task.problems.front().start;
    runner.entrant->solve(task.problems.front(), pose);
  }
  const double cost = threadTimeCost();
  for (std::size_t first = 0; first < task.problems.size(); first += kTurn)
    for (Runner& runner : runners)
      for (std::size_t p = first; p < std::min(first + kTurn, task.problems.size()); ++p)
        runner.solve(task, task.problems[p], cost);
  std::vector<std::vector<Verdict>> verdicts;
  for (const Runner& runner : runners) verdicts.push_back(runner.verdicts);
  if (task.problems.front().targets.empty() && !task.problems.front().document) shareBest(verdicts);
  for (std::size_t i = 0; i < runners.size(); ++i) result.scores.push_back(scoreOf(runners[i], verdicts[i]));
  result.floorMicroseconds = floorOf(task);
  return result;
}

}  // namespace limber::bench
