// SPDX-License-Identifier: MIT
// The iterations of a solve as a table for a spreadsheet or a report.
#pragma once

#include <span>
#include <string>

#include "limber/solvers/solver.h"

namespace limber::app {

/// A header and a line for each iteration, separated by tabs: iteration, phase of the solver, f, gradient norm, step
/// norm, damping. The numbers have enough digits to be read back exactly.
std::string iterationTable(std::span<const IterationRecord> history, const Summary& summary);

/// The phase of the solver that an iteration belongs to, such as "gdls"; empty when the summary has none.
std::string partOf(const IterationRecord& record, const Summary& summary);

}  // namespace limber::app
