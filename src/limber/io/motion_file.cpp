// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <algorithm>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/gltf/vrm_rig.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/open.h"
#include "limber/problem/retarget_pose.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

constexpr std::size_t kMaxBytes = 64u << 20;         // of joint states
constexpr std::size_t kMaxPoseNumbers = 32'000'000;  // of all poses together: 256 MB
constexpr double kSameTurn = 1e-4;                   // radians; files hold floats
constexpr double kSamePlace = 1e-3;                  // mean link lengths

constexpr std::string_view kTooLong = "is too long for a figure of so many joints";

bool isTooLong(std::size_t frames, const Figure& figure) {
  return frames > kMaxPoseNumbers / static_cast<std::size_t>(std::max(figure.poseSize(), 1));
}

bool looksLikeJointStates(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text.find("\"frames\"") != std::string_view::npos &&
         text.find("\"format\"") == std::string_view::npos && text.find("\"points\"") == std::string_view::npos;
}

std::shared_ptr<const Motion> jointStatesFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly({"frame_time", "frames"});
  auto motion = std::make_shared<Motion>();
  motion->frameTime = value.at("frame_time").numberIn(1e-9, 1e6);
  const std::vector<JsonValue> frames = value.at("frames").elements();
  if (frames.empty()) value.at("frames").fail("holds no frame");
  if (isTooLong(frames.size(), figure)) value.at("frames").fail(std::string(kTooLong));
  Pose pose = restPose(figure);
  for (const JsonValue& frame : frames) {
    pose = poseFromJson(frame, figure, pose);
    motion->append(pose);
  }
  return motion;
}

/// The reason why coordinates of the joint would mean another pose on the other figure; else empty.
std::string differenceOf(const Figure& theirs, int link, const Figure& ours, int ourLink) {
  const Joint& joint = theirs.joint(link);
  if (ourLink < 0) return "is missing, or of another type";
  const Joint& ourJoint = ours.joint(ourLink);
  const auto parentName = [](const Figure& figure, int i) {
    const int parent = figure.link(i).parent;
    return parent < 0 ? std::string_view() : std::string_view(figure.link(parent).name);
  };
  if (joint.type != ourJoint.type) return "is free there, and fixed here";
  if (parentName(theirs, link) != parentName(ours, ourLink)) return "hangs on another link";
  const Eigen::Matrix3d turn =
      joint.parentFromJoint.rotation.transpose() * ourJoint.parentFromJoint.rotation - Eigen::Matrix3d::Identity();
  const auto placeOf = [](const Figure& figure, int i) {
    const Eigen::Vector3d& place = figure.joint(i).parentFromJoint.translation;
    return figure.link(i).parent < 0 ? Eigen::Vector3d(place - figure.fileFrame().origin) : place;
  };
  const Eigen::Vector3d shift = placeOf(theirs, link) - placeOf(ours, ourLink);
  const bool isSame = turn.norm() <= kSameTurn && shift.norm() <= kSamePlace * ours.meanLinkLength() &&
                      (joint.axis - ourJoint.axis).norm() <= kSameTurn;
  return isSame ? "" : "stands differently at rest";
}

/// All frames of the document's motion, each turned into a pose of another figure.
template <typename Carry>
std::shared_ptr<const Motion> carriedBy(const Document& document, const Carry& carry) {
  auto motion = std::make_shared<Motion>();
  motion->name = document.motion->name;
  motion->frameTime = document.motion->frameTime;
  for (int frame = 0; frame < document.motion->frameCount; ++frame)
    motion->append(carry(document.motion->poseAt(*document.figure, frame)));
  return motion;
}

/// The motion as one of another body; null where one of them is no human body.
std::shared_ptr<const Motion> carriedByParts(const Document& document, const IkProblem& problem) {
  const Figure& theirs = *document.figure;
  if (!document.boneOfLink.empty() && !problem.boneOfLink.empty()) {
    const auto from = findVrmRig(document), to = findVrmRig(problem);
    if (!from || !to) return nullptr;
    return carriedBy(document,
                     [&](const Pose& pose) { return poseOfAvatar(problem, *to, vrmPoseOf(theirs, *from, pose)); });
  }
  const PoseParts from = findPoseParts(document), to = findPoseParts(problem);
  if (!from.hasBody || !to.hasBody) return nullptr;
  const Pose rest = restPose(*problem.figure);
  return carriedBy(
      document, [&](const Pose& pose) { return retargetPose(problem, to, rolePoseOf(theirs, from, pose), rest).pose; });
}

/// All frames as poses of the other figure, joint by joint.
std::shared_ptr<const Motion> carried(const Document& document, const Figure& figure,
                                      const std::vector<int>& linkFromTheirs) {
  const Figure& theirs = *document.figure;
  Pose pose = restPose(figure);
  return carriedBy(document, [&](const Pose& from) {
    for (int i = 0; i < theirs.linkCount(); ++i) {
      const int ours = linkFromTheirs[i], size = poseSize(theirs.joint(i).type);
      if (ours >= 0 && size > 0)
        pose.coordinates.segment(figure.joint(ours).poseIndex, size) =
            from.coordinates.segment(theirs.joint(i).poseIndex, size);
    }
    return pose;
  });
}

}  // namespace

Result<std::shared_ptr<const Motion>> readMotionFor(const IkProblem& problem, const std::filesystem::path& path) {
  const Figure& figure = *problem.figure;
  if (!isStandardFigure(path.string())) {
    const Result<std::string> text = readFile(path);
    if (!text) return text.error();
    if (looksLikeJointStates(*text) && text->size() > kMaxBytes)
      return Error{path.string(), "", "is larger than 64 MiB"};
    if (looksLikeJointStates(*text))
      return readJsonText<std::shared_ptr<const Motion>>(
          *text, path.string(), [&](const JsonValue& value) { return jointStatesFromJson(value, figure); });
  }
  const Result<Opened> opened = openAny(path.string());
  if (!opened) return opened.error();
  const Document& document = opened->document;
  if (!document.motion || document.motion->frameCount == 0) return Error{path.string(), "", "holds no motion"};
  if (isTooLong(static_cast<std::size_t>(document.motion->frameCount), figure))
    return Error{path.string(), "", std::string("its motion ") + std::string(kTooLong)};
  const std::vector<int> links = matchLinksByName(*document.figure, figure);
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    if (poseSize(document.figure->joint(i).type) == 0) continue;
    const std::string difference = differenceOf(*document.figure, i, figure, links[i]);
    if (difference.empty()) continue;
    if (const auto byParts = carriedByParts(document, problem)) return byParts;
    return Error{path.string(), "",
                 "is a motion of another figure: here the joint " + inQuotes(document.figure->joint(i).name) + " " +
                     difference + " (\"limber fit\" plays it all the same)"};
  }
  return carried(document, figure, links);
}

}  // namespace limber::io
