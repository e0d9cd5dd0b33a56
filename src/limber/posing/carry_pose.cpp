// SPDX-License-Identifier: MIT
#include "limber/posing/carry_pose.h"

#include <algorithm>

#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/arms_out.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kMovedByLimits = 0.0873;  // radians, five degrees: a smaller change is not reported

}  // namespace

RetargetedPose carryPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted, const Pose& present,
                         HandChoice hands) {
  RetargetedPose carried = retargetPose(problem, parts, wanted, present, hands);
  if (!carried.fault.empty()) return carried;
  if (parts.hasBody && wanted.hasBody() && problem.selfAvoidance != SelfAvoidance::Off)
    ArmsOut(problem).bringOut(carried.pose);
  if (std::ranges::count(problem.linearLimitEnabled, 1) == 0) return carried;
  const RolePose before = rolePoseOf(*problem.figure, parts, carried.pose);
  FeasibleSet(*problem.figure, limitsOf(problem)).project(carried.pose);
  for (const auto& [place, turns] : rolePoseOf(*problem.figure, parts, carried.pose).turns)
    if (turns.back().angularDistance(before.turns.at(place).back()) > kMovedByLimits &&
        std::ranges::count(carried.stopped, place) == 0)
      carried.stopped.push_back(place);
  return carried;
}

}  // namespace limber
