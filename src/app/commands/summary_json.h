// SPDX-License-Identifier: MIT
// How verbs say numbers and counts in JSON.
#pragma once

#include "limber/io/base/json_format.h"
#include "limber/solvers/solver.h"

namespace limber::app {

/// A number that is not known has no JSON: null.
io::OrderedJson numberOrNull(double value);

/// The iterations of each part of the method, by its name.
io::OrderedJson iterationsOf(const Summary& summary);

/// What the solver's relaxation says; there must be one.
io::OrderedJson relaxationJson(const RelaxationSummary& relaxation);

}  // namespace limber::app
