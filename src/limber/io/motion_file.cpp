// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <algorithm>
#include <optional>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/carried_motion.h"
#include "limber/io/followers.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/open.h"
#include "limber/scene/closed_motion.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

constexpr std::size_t kMaxBytes = 64u << 20;         // of joint states
constexpr std::size_t kMaxPoseNumbers = 32'000'000;  // of all poses together: 256 MB
constexpr double kSameTurn = 1e-4;                   // radians; files hold floats
constexpr double kSamePlace = 1e-3;                  // mean link lengths

constexpr std::string_view kTooLong = "is too long for a figure of so many joints";

std::size_t mostFramesOf(const Figure& figure) {
  return kMaxPoseNumbers / static_cast<std::size_t>(std::max(figure.poseSize(), 1));
}

bool isTooLong(std::size_t frames, const Figure& figure) { return frames > mostFramesOf(figure); }

bool looksLikeJointStates(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text.find("\"frames\"") != std::string_view::npos &&
         text.find("\"format\"") == std::string_view::npos && text.find("\"points\"") == std::string_view::npos;
}

std::shared_ptr<const Motion> jointStatesFromJson(const JsonValue& value, const Figure& figure,
                                                  std::vector<char>& isNamed) {
  value.allowOnly("frame_time frames");
  auto motion = std::make_shared<Motion>();
  motion->frameTime = value.at("frame_time").numberIn(1e-9, 1e6);
  const std::vector<JsonValue> frames = value.at("frames").elements();
  if (frames.empty()) value.at("frames").fail("holds no frame");
  if (isTooLong(frames.size(), figure)) value.at("frames").fail(std::string(kTooLong));
  Pose pose = restPose(figure);
  for (const JsonValue& frame : frames) {
    pose = poseFromJson(frame, figure, pose, &isNamed);
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
  if (parentName(theirs, link) != parentName(ours, ourLink)) return "has another parent link";
  const Eigen::Matrix3d turn =
      joint.parentFromJoint.rotation.transpose() * ourJoint.parentFromJoint.rotation - Eigen::Matrix3d::Identity();
  const auto placeOf = [](const Figure& figure, int i) {
    const Eigen::Vector3d& place = figure.joint(i).parentFromJoint.translation;
    return figure.link(i).parent < 0 ? Eigen::Vector3d(place - figure.fileFrame().origin) : place;
  };
  const Eigen::Vector3d shift = placeOf(theirs, link) - placeOf(ours, ourLink);
  const bool isSame = turn.norm() <= kSameTurn && shift.norm() <= kSamePlace * ours.meanLinkLength() &&
                      (joint.axis - ourJoint.axis).norm() <= kSameTurn;
  return isSame ? "" : "has another frame at rest";
}

/// The first joint whose coordinates would mean another pose on our figure, in words; else empty.
std::string firstDifference(const Figure& theirs, const Figure& ours, const std::vector<int>& linkFromTheirs) {
  for (int i = 0; i < theirs.linkCount(); ++i) {
    if (poseSize(theirs.joint(i).type) == 0) continue;
    const std::string difference = differenceOf(theirs, i, ours, linkFromTheirs[i]);
    if (!difference.empty())
      return "here the joint " + inQuotes(theirs.joint(i).name) + " " + difference +
             " (\"limber fit\" can still retarget it)";
  }
  return {};
}

/// A motion of another figure whose joints match, joint by joint.
std::shared_ptr<const Motion> matched(const Motion& from, const Figure& theirs, const Figure& figure,
                                      const std::vector<int>& linkFromTheirs) {
  auto motion = std::make_shared<Motion>();
  motion->name = from.name;
  motion->frameTime = from.frameTime;
  Pose pose = restPose(figure);
  for (int frame = 0; frame < from.frameCount; ++frame) {
    const Pose posed = from.poseAt(theirs, frame);
    for (int i = 0; i < theirs.linkCount(); ++i) {
      const int ours = linkFromTheirs[i], size = poseSize(theirs.joint(i).type);
      if (ours >= 0 && size > 0)
        pose.coordinates.segment(figure.joint(ours).poseIndex, size) =
            posed.coordinates.segment(theirs.joint(i).poseIndex, size);
    }
    motion->append(pose);
  }
  return motion;
}

/// The joint states of a file.
Result<ReadMotions> readJointStates(const IkProblem& problem, std::string_view text, const std::string& file,
                                    bool isTable) {
  const Figure& figure = *problem.figure;
  if (text.size() > kMaxBytes) return Error{file, "", "is larger than 64 MiB"};
  std::vector<char> isNamed;
  const auto motion = isTable ? parseJointStatesCsv(text, file, figure, mostFramesOf(figure), isNamed)
                              : readJsonText<std::shared_ptr<const Motion>>(text, file, [&](const JsonValue& value) {
                                  return jointStatesFromJson(value, figure, isNamed);
                                });
  if (!motion) return motion.error();
  Followers followers(problem);
  std::vector<std::string> notes;
  const auto closed = closedMotion(problem, followers.applied(*motion, isNamed), notes);
  std::ranges::move(followers.notes(), std::back_inserter(notes));
  return ReadMotions{{closed}, closed, std::move(notes)};
}

}  // namespace

Result<std::shared_ptr<const Motion>> readMotionFor(const IkProblem& problem, const std::filesystem::path& path) {
  const Result<ReadMotions> read = readMotionsFor(problem, path);
  if (!read) return read.error();
  return read->shown;
}

Result<ReadMotions> readMotionsFor(const IkProblem& problem, const std::filesystem::path& path,
                                   const OpenContext& context) {
  const Figure& figure = *problem.figure;
  if (!isStandardFigure(path.string())) {
    const Result<std::string> text = readFile(path);
    if (!text) return text.error();
    const bool isTable = looksLikeJointStatesCsv(*text);
    if (isTable || looksLikeJointStates(*text)) return readJointStates(problem, *text, path.string(), isTable);
  }
  const Result<Opened> opened = openAny(path.string(), context);
  if (!opened) return opened.error();
  const Document& document = opened->document;
  if (!document.motion || document.motion->frameCount == 0) return Error{path.string(), "", "holds no motion"};
  const auto motions = motionsOf(document);
  std::size_t frames = 0;
  for (const auto& motion : motions) frames += static_cast<std::size_t>(motion->frameCount);
  if (isTooLong(frames, figure)) return Error{path.string(), "", std::string("its motion ") + std::string(kTooLong)};
  const std::vector<int> links = matchLinksByName(*document.figure, figure);
  const std::string difference = firstDifference(*document.figure, figure, links);
  std::optional<MotionCarrier> carrier;
  if (!difference.empty()) carrier.emplace(*document.figure, problem, context.holdsStances);
  if (carrier && !carrier->isPossible())
    return Error{path.string(), "", "is a motion of another figure: " + difference};
  ReadMotions out;
  Followers followers(problem);
  std::vector<char> isNamed(static_cast<std::size_t>(figure.linkCount()));
  for (const int link : links)
    if (link >= 0) isNamed[static_cast<std::size_t>(link)] = 1;
  for (const auto& motion : motions) {
    if (motion->frameCount == 0) continue;
    auto carried =
        carrier ? (*carrier)(*motion) : followers.applied(matched(*motion, *document.figure, figure, links), isNamed);
    out.motions.push_back(closedMotion(problem, std::move(carried), out.notes));
    if (motion == document.motion) out.shown = out.motions.back();
  }
  std::ranges::move(followers.notes(), std::back_inserter(out.notes));
  return out;
}

}  // namespace limber::io
