// SPDX-License-Identifier: MIT
// Runs the verb of the command line, or else the window.
#include <iostream>

#include "app/commands/command_line.h"
#include "app/shell/application.h"
#include "limber/io/base/resources.h"

int main(int argc, char** argv) {
  limber::io::setExecutablePath(argv[0]);
  limber::app::WindowOptions options;
  if (const auto code = limber::app::runCommandLine(argc, argv, options, std::cout, std::cerr)) return *code;
  return limber::app::runWindow(options);
}
