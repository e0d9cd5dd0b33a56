// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct SolveArguments {
  std::string file;          ///< a problem or a scene
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string solver;        ///< name of the registry; empty: the file's own
  std::string output;        ///< empty: standard output; "*.limber": the posed scene; else the result
  bool derivatives = false;  ///< add f, gradient and Hessian at the start, and x, x', x'' of position goals' points
  std::string posing;        ///< natural, still or even, in place of the file's; empty: as the file says
  std::optional<double> bodyFollows;  ///< [0, 1], in place of the file's
  bool pathIndependent = false;  ///< begin at the base pose instead of the file's: no drift; else as the file says
};

/// `limber solve`: poses and reports as JSON (docs/formats.md). Exit code.
int runSolve(const SolveArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
