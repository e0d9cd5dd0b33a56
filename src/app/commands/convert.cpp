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
std::optional<io::Error> takeMotion(Document& document, const std::string& file, const std::string& motion) {
  std::error_code ignored;
  const bool isFile = io::isStandardFigure(motion) || std::filesystem::exists(motion, ignored);
  if (io::findMotion(document, motion) || !isFile) {
    auto fault = io::chooseMotion(document, motion, file);
    if (fault) fault->cause += "; nor is there a file of this name";
    return fault;
  }
  const auto read = io::readMotionsFor(document, motion);
  if (!read) return read.error();
  document.clips.clear();
  if (read->motions.size() > 1) document.clips = read->motions;
  setMotion(document, read->shown);
  showFrame(document, 0);
  return std::nullopt;
}

}  // namespace

int runConvert(const ConvertArguments& arguments, std::ostream& err) {
  io::Result<io::Opened> opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return fail(opened.error(), err);
  printNotes(arguments.file, opened->notes, err);
  Document& document = opened->document;
  for (const std::string& motion : arguments.motions)
    if (const auto fault = takeMotion(document, arguments.file, motion)) return fail(*fault, err);
  if (arguments.pose.isGiven()) {
    const io::Result<Pose> pose = choosePose(arguments.pose, document, arguments.file, err);
    if (!pose) return fail(pose.error(), err);
    document.frame = arguments.pose.frame.value_or(0);
    document.pose = *pose;
  }
  return exportWithNotes(document, arguments.output, err);
}

}  // namespace limber::app
