// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"
#include "limber/posing/reach_search.h"

namespace limber::app {

struct WorkspaceArguments {
  std::string file;                ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  std::string link;                ///< whose end effector; if `site` is empty, too, the main one
  std::string site;
  int cells = ReachQuestion{}.cellsAcross;
  int starts = ReachQuestion{}.starts;
  std::string output;   ///< the shell as PLY; empty: none
  std::string picture;  ///< of the figure in its shell, PNG; empty: none
  bool isJson = false;
  PoseArgument pose;  ///< at which locked joints stay; overrides the file's
};

/// `limber workspace`: maps the reachable workspace of an end effector (docs/workspace.md). Ctrl+C ends the search;
/// what was found by then is printed, and the exit code is kBadInput.
int runWorkspace(const WorkspaceArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
