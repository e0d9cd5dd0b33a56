// SPDX-License-Identifier: MIT
#include "app/settings/window_defaults.h"

#include "limber/problem/limb.h"

namespace limber::app {

SolverSettings windowSolverSettings(const Figure& figure) {
  SolverSettings settings = defaultSolverSettings(figure);
  if (hasLimbs(figure)) settings.posing = PosingChoice::Natural;
  return settings;
}

}  // namespace limber::app
