// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct SolveArguments {
  std::string file;                ///< a problem or a scene
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  std::string solver;              ///< name of the registry; empty: the file's
  std::string output;              ///< empty: standard output; "*.limber": the posed scene; else the result
  bool derivatives = false;  ///< add f, gradient and Hessian at the start, and x, x', x'' of position goals' points
  std::string posing;        ///< natural, still or even; empty: as the file says
  std::optional<double> bodyFollows;  ///< [0, 1]; overrides the file's
  bool pathIndependent = false;       ///< start at the base pose, not the file's; false: as the file says
};

/// `limber solve`: poses the figure and prints a report as JSON (docs/formats.md). Returns the exit code.
int runSolve(const SolveArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
