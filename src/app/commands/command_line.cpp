// SPDX-License-Identifier: MIT
#include "app/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <csignal>

#include "app/commands/fk.h"
#include "app/commands/info.h"
#include "app/commands/output.h"

#ifndef LIMBER_VERSION
#define LIMBER_VERSION "0.1.0"
#endif

namespace limber::app {

namespace {

constexpr const char* kFileHelp =
    "a scene (.limber), a figure or problem (.json), a motion (.bvh), planar:N, ball:N or humanoid";
constexpr const char* kFooter =
    "Exit codes: 0 done; 1 an input cannot be used or the output not be written; 2 wrong usage; 3 a derivative is "
    "wrong (check).\nFormats: docs/formats.md.";

void addWindowOptions(CLI::App& app, WindowOptions& window) {
  app.add_option("FILE", window.file, kFileHelp);
  app.add_option("--scale", window.scale, "size of text and panels; 0 takes the display's")->check(CLI::Range(0.0, 8.0));
  app.add_flag("--quiet", window.quiet, "do not print the iterations of each solve");
}

void addInfo(CLI::App& app, std::string& file) {
  CLI::App* verb = app.add_subcommand("info", "Say what a file holds");
  verb->add_option("FILE", file, kFileHelp)->required();
}

void addFk(CLI::App& app, FkArguments& arguments) {
  CLI::App* verb = app.add_subcommand("fk", "Print where every link is, as JSON in the file's own axes and units");
  verb->add_option("FILE", arguments.file, kFileHelp)->required();
  verb->add_option("--pose", arguments.pose,
                   "JSON, or a file of it: joint name to number or array; other joints are at rest");
  verb->add_option("--frame", arguments.frame, "frame of the file's motion, from 0")->check(CLI::NonNegativeNumber);
}

}  // namespace

std::optional<int> runCommandLine(int argc, const char* const* argv, WindowOptions& window, std::ostream& out,
                                  std::ostream& err) {
  CLI::App app("Limber poses articulated figures by inverse kinematics. Without a verb it opens its window.", "limber");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("limber ") + LIMBER_VERSION);
  app.require_subcommand(0, 1);
  std::string infoFile;
  FkArguments fk;
  addWindowOptions(app, window);
  addInfo(app, infoFile);
  addFk(app, fk);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, err) == 0 ? kSuccess : kUsage;
  }
  if (app.get_subcommands().empty()) return std::nullopt;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is a failed write, which is reported
  const std::string verb = app.get_subcommands().front()->get_name();
  if (verb == "info") return runInfo(infoFile, out, err);
  return runFk(fk, out, err);
}

}  // namespace limber::app
