// SPDX-License-Identifier: MIT
// Parts of reports as JSON.
#pragma once

#include "limber/io/base/json.h"
#include "limber/posing/certify.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "limber/solvers/solver.h"

namespace limber::app {

/// The number, or null if it is not finite, which JSON cannot express.
io::OrderedJson numberOrNull(double value);

/// A time of computation for "time_us", rounded to a nanosecond.
double microseconds(double milliseconds);

/// Empty, or that there is no solver of this name and which there are. Empty for an empty name.
std::string unknownSolver(const std::string& name);

/// The iterations of each phase of the solver, by its name.
io::OrderedJson iterationsOf(const Summary& summary);

/// The results of the solver's relaxation, which must have run.
io::OrderedJson relaxationJson(const RelaxationSummary& relaxation);

/// Adds the result of a solve of the document, with its pose (docs/formats.md): lengths in the unit of the figure's
/// file.
void addSolveReport(const Document& document, const PosingReport& report, io::OrderedJson& result);

/// A certificate (docs/global.md). Costs are root mean squares in millimetres; unknown numbers are null.
/// isSearched: the pose is the best of a search.
io::OrderedJson certificateJson(const PoseCertificate& result, bool isSearched);

}  // namespace limber::app
