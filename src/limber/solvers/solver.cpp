// SPDX-License-Identifier: MIT
#include "limber/solvers/solver.h"

#include <algorithm>
#include <cmath>

namespace limber {

std::string_view limitHandlingName(LimitHandling handling) {
  switch (handling) {
    case LimitHandling::Exact: return "exact";
    case LimitHandling::Penalty: return "penalty";
    case LimitHandling::None: return "none";
  }
  return "";
}

std::string_view solveStatusName(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return "converged";
    case SolveStatus::BudgetSpent: return "budget spent";
    case SolveStatus::IterationCap: return "iteration cap";
    case SolveStatus::Stalled: return "stalled";
    case SolveStatus::Cancelled: return "cancelled";
    case SolveStatus::BadInput: return "bad input";
  }
  return "";
}

int Summary::iterations() const {
  int sum = 0;
  for (int i = 0; i < phaseCount; ++i) sum += phases[i].iterations;
  return sum;
}

bool OptionInfo::accepts(double value) const {
  const bool isWhole = kind == Kind::Integer || kind == Kind::Switch;
  return value >= minimum && value <= maximum && (!isWhole || value == std::floor(value));  // false for NaN
}

OptionValues defaultOptions(const Solver& solver) {
  OptionValues values;
  for (const OptionInfo& option : solver.options()) values.push_back(option.defaultValue);
  return values;
}

bool setOption(const Solver& solver, std::string_view name, double value, OptionValues& values) {
  const auto table = solver.options();
  const auto option = std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.name == name; });
  if (option == table.end()) return false;
  values[option - table.begin()] = value;
  return true;
}

std::string validate(const Solver& solver, const OptionValues& options) {
  const auto table = solver.options();
  if (options.size() != table.size())
    return "solver \"" + std::string(solver.name()) + "\" takes " + std::to_string(table.size()) + " options";
  for (std::size_t i = 0; i < table.size(); ++i) {
    const OptionInfo& option = table[i];
    if (option.accepts(options[i])) continue;
    const bool isWhole = option.kind == OptionInfo::Kind::Integer || option.kind == OptionInfo::Kind::Switch;
    return "option \"" + std::string(option.name) + "\" of solver \"" + std::string(solver.name()) + "\" must be " +
           (isWhole ? "a whole number " : "") + "between " + std::to_string(option.minimum) + " and " +
           std::to_string(option.maximum);
  }
  return {};
}

}  // namespace limber
