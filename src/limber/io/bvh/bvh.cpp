// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh.h"

#include <algorithm>
#include <set>

#include "limber/io/base/text.h"
#include "limber/io/bvh/bvh_guess.h"
#include "limber/io/bvh/upright_rest.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

namespace {

constexpr double kDefaultFrameTime = 1.0 / 30.0;

bool isPosition(ChannelType type) { return type <= ChannelType::ZPosition; }

JointType jointType(const BvhJoint& joint, const BvhPositions& positions) {
  const bool isRoot = joint.parent < 0;
  if (positions.isPresent() && (isRoot || !positions.isConstant)) return JointType::Free;
  for (const ChannelType type : joint.channels)
    if (!isPosition(type)) return JointType::Ball;
  return JointType::Fixed;
}

void addEndSites(const BvhJoint& joint, const std::string& name, int link, double scale, std::set<std::string>& taken,
                 FigureBuilder& builder) {
  for (const Eigen::Vector3d& end : joint.endSites) {
    std::string site = name + "_end";
    for (int n = 2; !taken.insert(site).second; ++n) site = name + "_end" + std::to_string(n);
    builder.addSite({site, link, Transform::fromTranslation(scale * end)});
  }
}

/// The rest pose: rotations are zero, and a root with position channels is placed so that the lowest point is on the
/// ground.
Eigen::VectorXd standingRest(const BvhExtent& extent, const FileFrame& frame) {
  const Eigen::Vector3d up = frame.sceneFromFile.row(1);
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(7);
  rest.head<3>() = -frame.metresPerUnit * up.dot(extent.lower) * up;
  rest[6] = 1.0;
  return rest;
}

FigurePointer makeFigure(const BvhText& text, const BvhGuess& guess, const std::string& name, std::string& error) {
  const BvhExtent extent = zeroExtent(text, guess.positions);
  const FileFrame& frame = guess.frame;
  std::vector<std::string> names;
  for (const BvhJoint& joint : text.joints) names.push_back(joint.name);
  makeUnique(names);
  FigureBuilder builder(name);
  builder.setFileFrame(frame);
  std::set<std::string> siteNames;
  for (std::size_t i = 0; i < text.joints.size(); ++i) {
    const bool isRoot = text.joints[i].parent < 0;
    Joint joint{.name = names[i], .type = jointType(text.joints[i], guess.positions[i])};
    joint.parentFromJoint.translation =
        frame.metresPerUnit * offsetInFigure(text, guess.positions[i], static_cast<int>(i));
    if (isRoot) {  // all joints below keep the file's axes
      joint.parentFromJoint.rotation = frame.sceneFromFile;
      joint.parentFromJoint.translation = frame.sceneFromFile * joint.parentFromJoint.translation;
    }
    joint.locked = isRoot && joint.type == JointType::Free;
    joint.translationLocked = !isRoot && joint.type == JointType::Free;
    const JointType type = joint.type;
    const int link = builder.addLink({.name = names[i], .parent = text.joints[i].parent}, std::move(joint));
    if (isRoot && type == JointType::Free) builder.setRest(link, standingRest(extent, frame));
    addEndSites(text.joints[i], names[i], link, frame.metresPerUnit, siteNames, builder);
  }
  return builder.build(error);
}

std::shared_ptr<const Motion> makeMotion(BvhText& text, const BvhGuess& guess, std::vector<std::string>& notes) {
  auto motion = std::make_shared<Motion>();
  for (std::size_t i = 0; i < text.joints.size(); ++i)
    for (const ChannelType type : text.joints[i].channels) {
      const bool replaces = isPosition(type) && guess.positions[i].replaces;
      motion->channels.push_back(
          {static_cast<int>(i), type, replaces ? text.joints[i].offset[static_cast<int>(type)] : 0.0});
    }
  motion->values = std::move(text.values);
  motion->frameCount = text.frameCount;
  motion->frameTime = text.frameTime;
  if (text.frameTime == 0.0) {
    motion->frameTime = kDefaultFrameTime;
    notes.push_back("The frame time is 0: 30 frames per second are assumed.");
  }
  if (text.leftoverRows > 0)
    notes.push_back(std::to_string(text.leftoverRows) + " rows beyond the announced frames are left out.");
  return motion;
}

}  // namespace

bool looksLikeBvh(std::string_view text) {
  constexpr std::string_view kWord = "hierarchy";
  text = withoutMark(text);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return lowerCase(text.substr(0, kWord.size())) == kWord;
}

Result<FigureSource> readBvh(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading motion")) return Error{path.string(), "", std::string(kCancelled)};
  Result<BvhText> text = parseBvhText(bytes, path.string());
  if (!text) return text.error();
  FigureSource out;
  std::string error;
  const OffsetRule rule = context.offsetRule.value_or(OffsetRule::ByMotion);
  const BvhGuess guess = guessBvh(*text, rule, out.notes);
  out.figure = makeFigure(*text, guess, asUtf8(path.stem().string()), error);
  if (!out.figure) return Error{path.string(), "", error};
  out.motion = makeMotion(*text, guess, out.notes);
  out.figure = withUprightRest(out.figure, *out.motion, out.notes);
  out.file = std::make_shared<SourceFile>(SourceFile{SourceFormat::Bvh, path, std::string(bytes), {}, rule});
  return out;
}

}  // namespace limber::io
