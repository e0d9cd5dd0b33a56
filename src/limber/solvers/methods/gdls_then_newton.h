// SPDX-License-Identifier: MIT
// GDLS+NM, the assignment's hybrid: gradient descent first, Newton's method from its answer, and of the two answers
// the one with the lower f. Where there are joint limits the descent is projected onto them, and Newton's steps are
// those of the default method (solvers/methods/globalised_newton.h) on the coordinates that no limit holds.
#pragma once

#include "limber/solvers/method.h"

namespace limber {

class GdlsThenNewton final : public Method {
 public:
  GdlsThenNewton();
  Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const override;

 private:
  SolveStatus run(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                  SolveLoop& loop) const override;
};

}  // namespace limber
