// SPDX-License-Identifier: MIT
// Common code of solvers: options by type or as plain values, and the begin and end of a solve. A solver's own file
// then has only its options, its table and its loop.
#pragma once

#include <algorithm>
#include <optional>

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

/// The solver of an options struct, which Options::solver() returns.
template <class Options>
class TypedSolver final : public Solver {
 public:
  /// info     outlives the solver
  /// run      the solver itself, which continues from workspace.progress. pose: within the limits; the answer.
  ///          options: in range. loop: begun, with f and its gradient at the pose in workspace.current
  /// prelude  null, or called first; if it returns a summary, the solve is over
  TypedSolver(const SolverInfo& info,
              SolveStatus (*run)(const Objective&, Pose& pose, const Options& options, Workspace&, SolveLoop& loop),
              std::optional<Summary> (*prelude)(const Objective&, Pose&, const Options&, Workspace&, const Budget&,
                                                Start, Observer*) = nullptr)
      : Solver(info), run_(run), prelude_(prelude) {}

  /// As Solver::solve(); also BadInput if an option is out of range.
  Summary solve(const Objective& objective, Pose& pose, const Options& options, Workspace& workspace,
                const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const {
    const auto isInRange = [&](const OptionInfo& option) { return option.accepts(option.read(&options)); };
    if (!std::all_of(info_.options.begin(), info_.options.end(), isInRange) || !refusal(objective).empty()) return {};
    if (prelude_)
      if (const auto summary = prelude_(objective, pose, options, workspace, budget, start, observer)) return *summary;
    const auto phases = info_.phases.empty() ? std::span(&info_.name, 1) : info_.phases;
    SolveLoop loop(objective, pose, workspace, budget, start, observer, phases);
    return loop.finish(loop.isSound() ? run_(objective, pose, options, workspace, loop) : SolveStatus::BadInput);
  }

  Summary solve(const Objective& objective, Pose& pose, const OptionValues& values, Workspace& workspace,
                const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const override {
    if (!validate(*this, values).empty()) return {};
    Options options;
    for (std::size_t i = 0; i < values.size(); ++i) info_.options[i].write(&options, values[i]);
    return solve(objective, pose, options, workspace, budget, start, observer);
  }

  OptionValues valuesOf(const Options& options) const {
    OptionValues values;
    for (const OptionInfo& option : info_.options) values.push_back(option.read(&options));
    return values;
  }

 private:
  SolveStatus (*run_)(const Objective&, Pose&, const Options&, Workspace&, SolveLoop&);
  std::optional<Summary> (*prelude_)(const Objective&, Pose&, const Options&, Workspace&, const Budget&, Start,
                                     Observer*);
};

/// A solver's run as an object that lives during the call. This base has references to its data.
template <class SolverOptions>
class SolverRun {
 public:
  using Options = SolverOptions;
  SolverRun(const Objective& objective, Pose& pose, const Options& options, Workspace& workspace, SolveLoop& loop)
      : objective_(objective), pose_(pose), options_(options), workspace_(workspace), loop_(loop) {}

 protected:
  const Objective& objective_;
  Pose& pose_;
  const Options& options_;
  Workspace& workspace_;
  SolveLoop& loop_;
};

/// The `run` function of a solver that is implemented by such an object.
template <class Run>
SolveStatus iterate(const Objective& objective, Pose& pose, const typename Run::Options& options, Workspace& workspace,
                    SolveLoop& loop) {
  return Run(objective, pose, options, workspace, loop).iterate();
}

}  // namespace limber
