// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

namespace limber::app {

struct ReplayArguments {
  std::string file;
  std::string output;   ///< the document that it ends with, as a scene; empty: it is not written
  bool isJson = false;
};

/// `limber replay`: does again what a recording tells and says whether the poses are the same (docs/recording.md). Exit
/// code.
int runReplay(const ReplayArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
