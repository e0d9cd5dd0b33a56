// SPDX-License-Identifier: MIT
// What a solver shares with all others: it says the same things of itself, takes its options by type or as plain values,
// and begins and ends a solve alike. Its own file then shows its options, its table and its loop.
#pragma once

#include <algorithm>

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

/// What a solver says of itself: see Solver.
struct SolverInfo {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  LimitHandling limits = LimitHandling::None;
  std::span<const OptionInfo> options;  ///< one a member of its options struct
  std::span<const std::string_view> phases = {};  ///< at most two; empty for one, of the solver's name
  bool needsDenseHessian = false;
  bool isMonotone = true;
  bool seesOneSidedGoals = true;
  bool isFollowedUp = false;
  std::string_view searchMethod = {};
};

/// A solver with an options struct, whose member type Solver names the solver in turn (Ik::setSolver).
template <class Options>
class TypedSolver : public Solver {
 public:
  /// info  outlives the solver
  explicit TypedSolver(const SolverInfo& info) : info_(info) {}

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

  Summary solve(const Objective& objective, Pose& pose, const OptionValues& values, Workspace& workspace,
                const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const final {
    if (!validate(*this, values).empty()) return {};
    Options options;
    for (std::size_t i = 0; i < values.size(); ++i) info_.options[i].write(&options, values[i]);
    return solve(objective, pose, options, workspace, budget, start, observer);
  }

  /// BadInput where the solver refuses the objective, an option is out of range, or nothing can be solved; else run().
  virtual Summary solve(const Objective& objective, Pose& pose, const Options& options, Workspace& workspace,
                        const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const {
    if (!accepts(options) || !refusal(objective).empty()) return {};
    const auto phases = info_.phases.empty() ? std::span(&info_.name, 1) : info_.phases;
    SolveLoop loop(objective, pose, workspace, budget, start, observer, phases);
    return loop.finish(loop.isSound() ? run(objective, pose, options, workspace, loop) : SolveStatus::BadInput);
  }

  /// True when every option is in range.
  bool accepts(const Options& options) const {
    return std::ranges::all_of(info_.options, [&](const OptionInfo& row) { return row.accepts(row.read(&options)); });
  }

  OptionValues valuesOf(const Options& options) const {
    OptionValues values;
    for (const OptionInfo& row : info_.options) values.push_back(row.read(&options));
    return values;
  }

 private:
  /// The solver itself, from where workspace.progress stands.
  ///
  /// pose     within the limits; the answer
  /// options  in range
  /// loop     begun: f and its gradient at the pose are in workspace.current
  virtual SolveStatus run(const Objective& objective, Pose& pose, const Options& options, Workspace& workspace,
                          SolveLoop& loop) const = 0;

  const SolverInfo& info_;
};

}  // namespace limber
