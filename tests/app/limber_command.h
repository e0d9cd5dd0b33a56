// SPDX-License-Identifier: MIT
// The command line of the program, run in this process.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/command_line.h"

namespace limber::app {

struct Answer {
  std::optional<int> code;  ///< nothing: the arguments ask for the window
  std::string out, err;
  WindowOptions window;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline Answer runLimber(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"limber"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  Answer answer;
  answer.code = runCommandLine(static_cast<int>(argv.size()), argv.data(), answer.window, out, err);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

}  // namespace limber::app
