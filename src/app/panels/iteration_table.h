// SPDX-License-Identifier: MIT
// The iterations of a solve as a table for a spreadsheet or a report.
#pragma once

#include <span>
#include <string>

#include "limber/solvers/solver.h"

namespace limber::app {

/// A head and a line an iteration, cells between tabs: iteration, part of the method, f, gradient norm, step norm, damping.
/// Numbers are written so that they are read back to the bit.
std::string iterationTable(std::span<const IterationRecord> history, const Summary& summary);

/// The part of the method that an iteration belongs to: "gdls"; empty where the summary has none.
std::string partOf(const IterationRecord& record, const Summary& summary);

}  // namespace limber::app
