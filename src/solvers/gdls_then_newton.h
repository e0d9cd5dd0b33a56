// SPDX-License-Identifier: MIT
// GDLS+NM, the assignment's hybrid: gradient descent first, Newton's method from its answer, and of the two answers
// the one with the lower f.
#pragma once

#include "solvers/solve_loop.h"

namespace limber {

class GdlsThenNewton final : public Solver {
 public:
  std::string_view name() const override { return "gdls+nm"; }
  std::string_view title() const override { return "GDLS, then NM"; }
  std::string_view description() const override {
    return "The assignment's hybrid: gradient descent, then Newton's method from there; Newton's answer is kept only "
           "where f fell.";
  }
  LimitHandling limitHandling() const override { return LimitHandling::None; }
  std::span<const OptionInfo> options() const override;
  bool needsDenseHessian() const override { return true; }
  Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                const Budget& budget, Start start, Observer* observer) const override;
};

}  // namespace limber
