// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include "app/commands/output.h"
#include "limber/io/export_formats.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"

namespace limber::app {

int runConvert(const ConvertArguments& arguments, std::ostream& err) {
  io::Result<io::Opened> opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return fail(opened.error(), err);
  printNotes(arguments.file, opened->notes, err);
  Document& document = opened->document;
  if (!arguments.motion.empty()) {
    const auto motion = io::readMotionFor(document, arguments.motion);
    if (!motion) return fail(motion.error(), err);
    setMotion(document, *motion);
    if (!document.clips.empty()) document.clips.push_back(*motion);
    showFrame(document, 0);
  }
  if (arguments.pose.isGiven()) {
    const io::Result<Pose> pose = choosePose(arguments.pose, document, arguments.file, err);
    if (!pose) return fail(pose.error(), err);
    document.frame = arguments.pose.frame.value_or(0);
    document.pose = *pose;
  }
  return exportWithNotes(document, arguments.output, err);
}

}  // namespace limber::app
