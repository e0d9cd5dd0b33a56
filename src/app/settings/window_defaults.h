// SPDX-License-Identifier: MIT
#pragma once

#include "limber/body/body_map.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The solver settings of a figure that is opened or created in the window, to which the Solver panel resets as well:
/// defaultSolverSettings(), but natural posing if the figure has limbs, and for a planar chain the assignment's loop of
/// gradient descent and Newton's method. Scenes and the command line keep their own.
inline SolverSettings windowSolverSettings(const Figure& figure) {
  SolverSettings settings = defaultSolverSettings(figure);
  if (bodyMapOf(figure).hasLimbs()) settings.posing = PosingChoice::Natural;
  if (isChain(figure) && figure.joint(0).type == JointType::Revolute) settings.solver = "gdls+nm";
  return settings;
}

}  // namespace limber::app
