// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <filesystem>
#include <optional>

#include "app/commands/output.h"
#include "limber/io/export_formats.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"

namespace limber::app {

namespace {

/// Shows a motion of the document by its name or number, else takes those of a file.
std::optional<io::Error> takeMotion(Document& document, const std::string& file, const std::string& motion,
                                    bool holdsStances, Console& console) {
  std::error_code ignored;
  const bool isFile = io::isStandardFigure(motion) || std::filesystem::exists(motion, ignored);
  if (io::findMotion(document, motion) || !isFile) {
    auto fault = io::chooseMotion(document, motion, file);
    if (fault) fault->cause += "; nor is there a file of this name";
    return fault;
  }
  const auto read = io::readMotionsFor(document, motion, {.holdsStances = holdsStances});
  if (!read) return read.error();
  console.note(motion, read->notes);
  takeMotions(document, read->motions, read->shown);
  return std::nullopt;
}

}  // namespace

int runConvert(const ConvertArguments& arguments, Console& console) {
  if (const auto fault = io::findEndingFault(arguments.output)) return console.failUsage(fault->message());
  io::Result<io::Opened> opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  console.note(arguments.file, opened->notes);
  Document& document = opened->document;
  for (const std::string& motion : arguments.motions)
    if (const auto fault = takeMotion(document, arguments.file, motion, arguments.holdsStances, console))
      return console.fail(*fault);
  if (arguments.pose.isGiven()) {
    const io::Result<Pose> pose = choosePose(arguments.pose, document, arguments.file, console);
    if (!pose) return console.fail(pose.error());
    document.frame = arguments.pose.frame.value_or(0);
    document.pose = *pose;
  }
  return exportWithNotes(document, arguments.output, console);
}

}  // namespace limber::app
