// SPDX-License-Identifier: MIT
#pragma once

#include "limber/scene/document.h"

namespace limber::app {

/// What the Solver panel resets to, and what a figure has that is opened or made new in the window: the defaults of
/// defaultSolverSettings(), but natural posing where the figure has limbs. Files and the command line keep theirs.
SolverSettings windowSolverSettings(const Figure& figure);

}  // namespace limber::app
