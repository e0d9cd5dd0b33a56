// SPDX-License-Identifier: MIT
#include "limber/solvers/method.h"

namespace limber {

Summary Method::solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                      const Budget& budget, Start start, Observer* observer) const {
  if (!refusal(objective).empty()) return {};
  const auto phases = info_.phases.empty() ? std::span(&info_.name, 1) : info_.phases;
  SolveLoop loop(objective, pose, workspace, budget, start, observer, phases);
  if (!loop.isSound() || !validate(*this, options).empty()) return loop.finish(SolveStatus::BadInput);
  return loop.finish(run(objective, pose, options, workspace, loop));
}

}  // namespace limber
