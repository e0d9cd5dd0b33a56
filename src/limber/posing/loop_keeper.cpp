// SPDX-License-Identifier: MIT
#include "limber/posing/loop_keeper.h"

#include <algorithm>

#include "limber/goals/loop_goal.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr int kMaxRounds = 10;     // of multipliers
constexpr double kNearly = 1e-5;   // mean link lengths, radians: a projection closes the rest
constexpr double kProgress = 0.9;  // a round that leaves more of |r| is the last

}  // namespace

LoopKeeper::LoopKeeper(const IkProblem& problem, const std::vector<int>& active) : figure_(problem.figure) {
  if (figure_->loops().empty()) return;
  FeasibleSet feasibleSet(*figure_, limitsOf(problem));
  const std::vector<char> moves = movesOf(*figure_, active, feasibleSet.couplings());
  for (int i = 0; i < std::ssize(figure_->loops()); ++i)
    if (isMovedBy(*figure_, figure_->loops()[i], moves)) loops_.push_back(i);
  projection_ = LoopProjection(figure_, std::move(feasibleSet), active);
}

void LoopKeeper::addTo(std::vector<std::unique_ptr<Goal>>& goals) const {
  double most = 0.0;
  for (const auto& goal : goals) most = std::max(most, goal->weight());
  if (most == 0.0) most = 1.0;
  for (const int loop : loops_)
    goals.push_back(std::make_unique<LoopGoal>(figure_->loops()[loop], kLoopWeight * most, figure_->meanLinkLength()));
}

bool LoopKeeper::solve(Objective& objective, Pose& pose, const std::function<bool()>& minimise) {
  if (!isNeeded()) {
    minimise();
    return true;
  }
  const int first = static_cast<int>(objective.goals().size() - loops_.size());
  std::vector<Residual> shifts(loops_.size());
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxRounds && minimise(); ++round) {
    computeTransforms(*figure_, pose, kinematics_);
    double worst = 0.0;
    for (int i = 0; i < std::ssize(loops_); ++i) {
      Residual left;
      objective.goals()[first + i]->computeResidual(kinematics_, left);
      worst = std::max(worst, left.norm());
      shifts[i] = shifts[i].size() == left.size() ? Residual(shifts[i] + left) : left;
      objective.setResidualShift(first + i, shifts[i]);
    }
    if (worst <= kNearly || !(worst <= kProgress * before)) break;
    before = worst;
  }
  return close(pose);
}

}  // namespace limber
