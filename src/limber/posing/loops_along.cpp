// SPDX-License-Identifier: MIT
#include "limber/posing/loops_along.h"

#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/posed_problem.h"

namespace limber {

void bringLoopsAlong(const Pose& before, std::span<const int> editedJoints, IkProblem& problem) {
  const Figure& figure = *problem.figure;
  if (figure.loops().empty()) return;
  const FeasibleSet feasibleSet(figure, limitsOf(problem));
  const Couplings& couplings = feasibleSet.couplings();
  std::vector<char> usable = usableCoordinates(problem, false);
  for (const Couplings::Term& term : couplings.terms())
    if (!usable[term.follower]) usable[term.driver] = 0;
  const auto close = [&] {
    std::vector<int> active;
    for (int c = 0; c < figure.stepSize(); ++c)
      if (usable[c] && !couplings.isFollower(c)) active.push_back(c);
    return LoopProjection(problem.figure, feasibleSet, active).close(problem.pose);
  };
  const std::vector<char> all = usable;
  for (const int joint : editedJoints) {
    const Joint& edited = figure.joint(joint);
    for (int c = edited.stepIndex; c < edited.stepIndex + stepSize(edited.type); ++c) {
      usable[c] = 0;
      for (const Couplings::Term& term : couplings.terms())
        if (term.follower == c) usable[term.driver] = 0;
    }
  }
  const Pose edited = problem.pose;
  if (close()) return;
  problem.pose = edited;
  usable = all;
  if (!close()) problem.pose = before;
}

}  // namespace limber
