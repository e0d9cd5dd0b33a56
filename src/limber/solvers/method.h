// SPDX-License-Identifier: MIT
// What a method shares with all others: it says the same things of itself, and begins and ends a solve alike. Its own
// file then shows its table, its options and its loop.
#pragma once

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

/// What a method says of itself: see Solver.
struct MethodInfo {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  LimitHandling limits = LimitHandling::None;
  std::span<const OptionInfo> options;
  std::span<const std::string_view> phases = {};  ///< at most two; empty for one, of the method's name
  bool needsDenseHessian = false;
  bool isMonotone = true;
  bool seesOneSidedGoals = true;
  bool isFollowedUp = false;
  std::string_view searchMethod = {};
};

class Method : public Solver {
 public:
  /// info  outlives the method
  explicit Method(const MethodInfo& info) : info_(info) {}

  std::string_view name() const final { return info_.name; }
  std::string_view title() const final { return info_.title; }
  std::string_view description() const final { return info_.description; }
  LimitHandling limitHandling() const final { return info_.limits; }
  std::span<const OptionInfo> options() const final { return info_.options; }
  bool needsDenseHessian() const final { return info_.needsDenseHessian; }
  bool isMonotone() const final { return info_.isMonotone; }
  bool seesOneSidedGoals() const final { return info_.seesOneSidedGoals; }
  bool isFollowedUp() const final { return info_.isFollowedUp; }
  std::string_view searchMethod() const final { return info_.searchMethod; }

  /// BadInput where the method refuses the objective, an option is out of range, or nothing can be solved; else run().
  Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const override;

 private:
  /// The method itself, from where workspace.progress stands.
  ///
  /// pose     within the limits; the answer
  /// options  in range
  /// loop     begun: f and its gradient at the pose are in workspace.current
  virtual SolveStatus run(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                          SolveLoop& loop) const = 0;

  const MethodInfo& info_;
};

}  // namespace limber
