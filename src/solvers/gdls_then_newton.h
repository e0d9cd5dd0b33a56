// SPDX-License-Identifier: MIT
// GDLS+NM, the assignment's hybrid: gradient descent first, Newton's method from its answer, and of the two answers
// the one with the lower f.
#pragma once

#include "solvers/method.h"

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
