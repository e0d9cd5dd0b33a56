// SPDX-License-Identifier: MIT
#include "app/commands/pose_argument.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/commands/output.h"
#include "app/features/library_pose.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/followers.h"
#include "limber/io/json/pose_json.h"
#include "limber/posing/loops_along.h"

namespace limber::app {

namespace {

bool isJsonText(const std::string& argument) {
  const std::size_t first = argument.find_first_not_of(" \t\r\n");
  return first != std::string::npos && argument[first] == '{';
}

/// The pose of the motion's frame; an error if the motion has no such frame.
io::Result<Pose> poseAtFrame(const Document& document, int frame, const std::string& file) {
  const int count = document.motion ? document.motion->frameCount : 0;
  if (count == 0) return io::Error{file, "--frame", "the file has no motion"};
  if (frame < 0 || frame >= count)
    return io::Error{file, "--frame", std::to_string(frame) + " is outside 0 to " + std::to_string(count - 1)};
  return document.motion->poseAt(*document.figure, frame);
}

struct LibraryFile {
  std::filesystem::path path;
  PoseFitter::Way way = PoseFitter::Way::None;
};

/// The pose NAME or FIGURE/NAME that suits the document best; the user's own poses come before those of Limber.
io::Result<LibraryFile> findInLibrary(const std::string& name, const Document& document, PoseFitter& fitter) {
  const std::size_t slash = name.find('/');
  const std::string folder = slash == std::string::npos ? "" : poseFileName(name.substr(0, slash));
  const std::string stem = poseFileName(slash == std::string::npos ? name : name.substr(slash + 1));
  LibraryFile best;
  for (const auto& files : {ownPoses(), shippedPoses()})
    for (const std::filesystem::path& path : files) {
      if (path.stem() != stem || (!folder.empty() && path.parent_path().filename() != folder)) continue;
      const auto pose = io::readNamedPose(path);
      if (!pose) return pose.error();
      const PoseFitter::Way way = fitter.wayOf(document, *pose);
      if (best.path.empty() || way > best.way) best = {path, way};
    }
  if (best.path.empty()) return io::Error{name, "--pose", "is neither a file nor the name of a pose in the library"};
  return best;
}

/// The pose of this name in the file that the figure came from.
const SourcePose* findInSource(const std::string& name, const Document& document) {
  if (!document.source) return nullptr;
  const std::vector<SourcePose>& poses = document.source->poses;
  auto found = std::ranges::find(poses, name, &SourcePose::name);
  if (found == poses.end())
    found =
        std::ranges::find(poses, poseFileName(name), [](const SourcePose& pose) { return poseFileName(pose.name); });
  return found == poses.end() ? nullptr : &*found;
}

/// Reads a pose by joints if the figure has each of them, else transfers it by the parts of the body.
io::Result<Pose> poseOfFile(const std::filesystem::path& path, const Document& document, const Pose& base,
                            PoseFitter& fitter, Console& console, std::vector<char>& isNamed) {
  const auto text = io::readFile(path, io::kMaxJsonBytes);  // once: it may be standard input
  if (!text) return text.error();
  const auto named = io::parseNamedPose(*text, path.string());
  if (!named && named.error().place != "format") return named.error();
  const bool goesByJoints = !named || io::fitPose(*named, *document.figure, base).unknown.empty() ||
                            !fitter.tellsParts(*named) || fitter.wayOf(document, *named) == PoseFitter::Way::ByJoints;
  if (goesByJoints) return io::parsePose(*text, path.string(), *document.figure, base, &isNamed);
  PoseFitter::Fitted fitted = fitter.fit(document, *named, base);
  if (!fitted.fault.empty()) return io::Error{path.string(), "--pose", fitted.fault};
  if (!fitted.remark.empty()) console.note(path.string(), fitted.remark);
  return std::move(fitted.pose);
}

/// The pose of --pose. isNamed: as io::parsePose gives it; empty for poses of a library.
io::Result<Pose> namedPose(const std::string& argument, const Document& document, const Pose& base, Console& console,
                           std::vector<char>& isNamed) {
  const Figure& figure = *document.figure;
  if (isJsonText(argument)) return io::parsePose(argument, "--pose", figure, base, &isNamed);
  PoseFitter fitter(document);
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return poseOfFile(argument, document, base, fitter, console, isNamed);
  if (const SourcePose* pose = findInSource(argument, document))
    return io::fitPose(io::namedPoseOf(*pose), figure, base).pose;
  const auto found = findInLibrary(argument, document, fitter);
  if (!found) return found.error();
  return poseOfFile(found->path, document, base, fitter, console, isNamed);
}

}  // namespace

io::Result<Pose> choosePose(const PoseArgument& argument, const Document& document, const std::string& file,
                            Console& console) {
  const Figure& figure = *document.figure;
  Pose base = argument.pose.empty() ? document.pose : restPose(figure);
  if (argument.frame) {
    io::Result<Pose> frame = poseAtFrame(document, *argument.frame, file);
    if (!frame) return frame;
    base = *frame;
  }
  if (argument.pose.empty()) return base;
  std::vector<char> isNamed;
  io::Result<Pose> pose = namedPose(argument.pose, document, base, console, isNamed);
  if (!pose) return pose;
  io::Followers followers(document);
  followers.apply(*pose, isNamed);
  console.note("--pose", followers.notes());
  LoopCloser closer(document);
  closer.close(*pose);
  console.note("--pose", closer.notes());
  return pose;
}

io::Result<io::Opened> openPosed(const std::string& file, const PoseArgument& argument, Console& console,
                                 const io::OpenContext& context) {
  io::Result<io::Opened> opened = io::openAny(file, context);
  if (!opened || !argument.isGiven()) return opened;
  const io::Result<Pose> pose = choosePose(argument, opened->document, file, console);
  if (!pose) return pose.error();
  opened->document.pose = *pose;
  return opened;
}

}  // namespace limber::app
