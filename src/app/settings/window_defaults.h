// SPDX-License-Identifier: MIT
#pragma once

#include "limber/scene/document.h"

namespace limber::app {

/// The solver settings of a figure that is opened or created in the window, to which the Solver panel resets as well:
/// defaultSolverSettings(), but natural posing if the figure has limbs. Scenes and the command line keep their own.
SolverSettings windowSolverSettings(const Figure& figure);

}  // namespace limber::app
