// SPDX-License-Identifier: MIT
// The table of all solvers, which panel, command line and tests enumerate. The first entry is the default. Thread-safe.
#pragma once

#include <span>
#include <string_view>

#include "limber/solvers/solver.h"

namespace limber {

/// "newton", "variable-metric", "gdls", "nm", "gdls+nm", "lm", "dls", "gd", "ccd", "fabrik", "trust-region", "lbfgs",
/// "cg", "lbfgs-penalty", "multi-start", "global", "sdp-ik", "gdls-penalty", "trust-region-penalty", "cg-penalty".
std::span<const Solver* const> allSolvers();

/// Null if there is no such solver.
const Solver* findSolver(std::string_view name);

}  // namespace limber
