// SPDX-License-Identifier: MIT
// L-BFGS with true limits: the inverse Hessian from the last steps (solvers/limited_memory.h), within what the limits leave
// free, in the manner of projected quasi-Newton methods (Bertsekas 1982; Byrd, Lu, Nocedal and Zhu 1995 for bounds):
//
//   d = -H P g,  H the two-loop recursion with all pairs projected by P;  coordinates that d would push across a limit on
//   which they stand are held and d found anew;  line search from gamma = 1 (solvers/arc_search.h), trials projected
//   y = change of g, less what cones and twists that hold push back at either end: their curvature is then in H
//
// P is that of objective/free_space.h: bounds, linear limits, ball joints. Defaults are Manopt's, with which Yenamandra et
// al. (Convex Optimisation for Inverse Kinematics, 2019) compare. Every iterate is within the limits, f never rises.
#pragma once

#include "solvers/solve_loop.h"

namespace limber {

class Lbfgs final : public Solver {
 public:
  std::string_view name() const override { return "lbfgs"; }
  std::string_view title() const override { return "L-BFGS with limits"; }
  std::string_view description() const override {
    return "Quasi-Newton steps from the last gradients within what the limits leave free. Cheap iterations, more of them "
           "than Newton's method needs; never raises f.";
  }
  LimitHandling limitHandling() const override { return LimitHandling::Exact; }
  std::span<const OptionInfo> options() const override;
  Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                const Budget& budget, Start start, Observer* observer) const override;
};

}  // namespace limber
