// SPDX-License-Identifier: MIT
#include "limber/scene/arm_clearing.h"

#include "limber/posing/arms_out.h"

namespace limber {

std::function<void(Pose&)> makeArmClearing(const IkProblem& problem) {
  if (problem.selfAvoidance == SelfAvoidance::Off) return [](Pose&) {};
  return [arms = std::make_shared<ArmsOut>(problem)](Pose& pose) { arms->bringOut(pose); };
}

}  // namespace limber
