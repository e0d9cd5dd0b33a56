// SPDX-License-Identifier: MIT
#include "limber/posing/clear_batch.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/contacts.h"
#include "limber/posing/posing.h"
#include "limber/solvers/batch/joined_threads.h"

namespace limber {

namespace {

constexpr Eigen::Index kBlock = 16;  // answers per work item of a thread

/// One entry per step coordinate: 0 for locked joints.
std::vector<char> movesOf(const IkProblem& problem) {
  std::vector<char> moves(problem.figure->stepSize(), 1);
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const Joint& joint = problem.figure->joint(i);
    const JointSettings& settings = problem.joints[i];
    const bool isLocked = settings.locked || settings.rigidity >= 1.0;
    const int fixed = isLocked ? stepSize(joint.type) : settings.translationLocked ? scalarCount(joint) : 0;
    std::fill_n(moves.begin() + joint.stepIndex, fixed, 0);
  }
  return moves;
}

/// Compares and solves answers on one thread.
class Clearing {
 public:
  Clearing(const IkProblem& problem, const BatchProblems& problems, const BatchOptions& options,
           const GoalsOfProblem& goalsOf)
      : problem_(problem), problems_(problems), goalsOf_(goalsOf), moves_(movesOf(problem)) {
    problem_.goals.clear();
    problem_.solver.solver = "multi-start";
    problem_.solver.options["multi-start"]["restarts"] = options.restarts;
  }

  bool isClear(Eigen::Index i, const Eigen::VectorXd& pose) {
    problem_.pose.coordinates = problems_.starts.col(i);
    contacts_.begin(problem_, {}, moves_, selfAvoidanceOf(problem_));
    computeTransforms(*problem_.figure, Pose{pose}, kinematics_);
    return !contacts_.isAnyInside(kinematics_);
  }

  void solve(Eigen::Index i, BatchAnswers& answers) {
    problem_.pose.coordinates = problems_.starts.col(i);
    problem_.goals = goalsOf_(i);
    Posing posing;  // a new one each time, because the next answer must not depend on this one
    const PosingReport report = solveToEnd(posing, problem_);
    answers.poses.col(i) = problem_.pose.coordinates;
    answers.answers[i] = {.isSolved = true,
                          .reached = report.outcome == Outcome::Reached,
                          .positionError = report.worstError,
                          .angleError = report.worstAngle,
                          .iterations = answers.answers[i].iterations + report.summary.iterations(),
                          .restarts = report.summary.restarts};
  }

 private:
  IkProblem problem_;
  const BatchProblems& problems_;
  const GoalsOfProblem& goalsOf_;
  std::vector<char> moves_;
  Contacts contacts_;
  Kinematics kinematics_;
};

}  // namespace

std::vector<GoalItem> goalItemsOf(std::span<const BatchGoal> goals, std::span<const Transform> targets) {
  std::vector<GoalItem> items;
  for (std::size_t i = 0; i < goals.size(); ++i)
    items.push_back({.id = static_cast<int>(i) + 1,
                     .type = !goals[i].orientation ? GoalType::Position
                             : goals[i].position   ? GoalType::PositionOrientation
                                                   : GoalType::Orientation,
                     .link = goals[i].link,
                     .pointInLink = goals[i].linkFromFrame.translation,
                     .frameInLink = goals[i].linkFromFrame.rotation,
                     .target = targets[i].translation,
                     .targetFrame = targets[i].rotation});
  return items;
}

Eigen::Index keepClear(const IkProblem& problem, const BatchProblems& problems, const BatchOptions& options,
                       const GoalsOfProblem& goalsOf, BatchAnswers& answers, const std::function<bool()>& goesOn) {
  const bool hasLoops = !problem.figure->loops().empty();
  if (!hasLoops && !avoidsCollisions(problem)) return 0;
  const Eigen::Index count = answers.poses.cols();
  std::atomic<Eigen::Index> next = 0, solved = 0;
  std::atomic<bool> mayGoOn = true;
  std::mutex asking;
  std::vector<char> isCompared(count, 0);
  const auto work = [&] {
    Clearing clearing(problem, problems, options, goalsOf);
    while (mayGoOn) {
      const Eigen::Index begin = next.fetch_add(kBlock), end = std::min(begin + kBlock, count);
      if (begin >= count) return;
      for (Eigen::Index i = begin; i < end && mayGoOn; ++i) {
        if (hasLoops || (answers.answers[i].isSolved && !clearing.isClear(i, answers.poses.col(i)))) {
          clearing.solve(i, answers);
          ++solved;
          const std::lock_guard lock(asking);
          if (goesOn && mayGoOn && !goesOn()) mayGoOn = false;
        }
        isCompared[i] = 1;
      }
      const std::lock_guard lock(asking);
      if (goesOn && mayGoOn && !goesOn()) mayGoOn = false;
    }
  };
  {
    JoinedThreads others;
    const auto blocks = static_cast<unsigned>(std::min<Eigen::Index>((count + kBlock - 1) / kBlock, 1024));
    for (unsigned t = 1; t < std::min(threadCount(options.threads), blocks); ++t) others.threads.emplace_back(work);
    work();
  }
  for (Eigen::Index i = 0; i < count; ++i)
    if (!isCompared[i]) answers.answers[i].isSolved = answers.answers[i].reached = false;
  return solved;
}

}  // namespace limber
