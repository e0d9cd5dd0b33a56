// SPDX-License-Identifier: MIT
#include "app/commands/pose_argument.h"

#include "io/pose_json.h"

namespace limber::app {

namespace {

bool isJsonText(const std::string& argument) {
  const std::size_t first = argument.find_first_not_of(" \t\r\n");
  return first != std::string::npos && argument[first] == '{';
}

/// The pose of the motion's frame, an error when there is none.
io::Result<Pose> poseAtFrame(const Document& document, int frame, const std::string& file) {
  const int count = document.motion ? document.motion->frameCount : 0;
  if (count == 0) return io::Error{file, "--frame", "the file has no motion"};
  if (frame < 0 || frame >= count)
    return io::Error{file, "--frame", std::to_string(frame) + " is outside 0 to " + std::to_string(count - 1)};
  return document.motion->poseAt(*document.figure, frame);
}

}  // namespace

io::Result<Pose> choosePose(const PoseArgument& argument, const Document& document, const std::string& file) {
  const Figure& figure = *document.figure;
  Pose base = argument.pose.empty() ? document.pose : restPose(figure);
  if (argument.frame) {
    io::Result<Pose> frame = poseAtFrame(document, *argument.frame, file);
    if (!frame) return frame;
    base = *frame;
  }
  if (argument.pose.empty()) return base;
  if (isJsonText(argument.pose)) return io::parsePose(argument.pose, "--pose", figure, base);
  return io::readPose(argument.pose, figure, base);
}

io::Result<io::Opened> openPosed(const std::string& file, const PoseArgument& argument,
                                 std::optional<BaseChoice> base) {
  io::Result<io::Opened> opened = io::openAny(file, {.base = base});
  if (!opened || !argument.isGiven()) return opened;
  const io::Result<Pose> pose = choosePose(argument, opened->document, file);
  if (!pose) return pose.error();
  opened->document.pose = *pose;
  return opened;
}

}  // namespace limber::app
