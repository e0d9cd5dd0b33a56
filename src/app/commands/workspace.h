// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"
#include "limber/posing/reach_search.h"

namespace limber::app {

struct WorkspaceArguments {
  std::string file;    ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string link;    ///< whose end effector; with `site` empty, too: the main one
  std::string site;
  int cells = ReachQuestion{}.cellsAcross;
  int starts = ReachQuestion{}.starts;
  std::string output;  ///< the shell as PLY; empty: none
  std::string picture; ///< of the figure in its shell, PNG; empty: none
  bool isJson = false;
  PoseArgument pose;   ///< where locked joints stand, in place of the file's
};

/// `limber workspace`: the reachable workspace of an end effector (docs/workspace.md). Ctrl+C ends the search; what was
/// found by then is said, and the exit code is kBadInput.
int runWorkspace(const WorkspaceArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
