// SPDX-License-Identifier: MIT
// Numbers and counts of reports as JSON.
#pragma once

#include "limber/io/base/json_format.h"
#include "limber/solvers/solver.h"

namespace limber::app {

/// The number, or null if it is not finite, which JSON cannot express.
io::OrderedJson numberOrNull(double value);

/// The iterations of each phase of the solver, by its name.
io::OrderedJson iterationsOf(const Summary& summary);

/// The results of the solver's relaxation, which must have run.
io::OrderedJson relaxationJson(const RelaxationSummary& relaxation);

}  // namespace limber::app
