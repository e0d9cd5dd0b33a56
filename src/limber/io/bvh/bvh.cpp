// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "limber/io/base/text.h"
#include "limber/io/bvh/bvh_parser.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

namespace {

constexpr double kAssumedHeight = 1.7;                // metres, of a figure whose unit cannot be guessed
constexpr double kMinHeight = 1.3, kMaxHeight = 2.2;  // metres, of a person
constexpr double kDefaultFrameTime = 1.0 / 30.0;

bool isPosition(ChannelType type) { return type <= ChannelType::ZPosition; }

/// The position channels of a joint over all frames.
struct PositionChannels {
  bool present = false;
  bool constant = true;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();  ///< at frame 0; zero without frames
};

std::vector<PositionChannels> surveyPositions(const BvhText& text) {
  std::vector<PositionChannels> out(text.joints.size());
  const auto columns = static_cast<std::size_t>(text.channelCount);
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.joints.size(); ++i)
    for (const ChannelType type : text.joints[i].channels) {
      const std::size_t start = column++;
      if (!isPosition(type)) continue;
      out[i].present = true;
      if (text.values.empty()) continue;
      out[i].first[static_cast<int>(type)] = text.values[start];
      for (std::size_t at = start; at < text.values.size() && out[i].constant; at += columns)
        out[i].constant = text.values[at] == text.values[start];
    }
  return out;
}

/// Offsets of the joints in the figure. Position channels that never change are part of them.
std::vector<Eigen::Vector3d> fixedOffsets(const BvhText& text, const std::vector<PositionChannels>& positions) {
  std::vector<Eigen::Vector3d> offsets;
  for (std::size_t i = 0; i < text.joints.size(); ++i) {
    offsets.push_back(text.joints[i].offset);
    if (text.joints[i].parent >= 0 && positions[i].constant) offsets[i] += positions[i].first;
  }
  return offsets;
}

/// Joint positions with all rotations zero, file units.
struct Extent {
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(1e300);
  Eigen::Vector3d upper = Eigen::Vector3d::Constant(-1e300);
};

Extent measure(const BvhText& text, const std::vector<Eigen::Vector3d>& offsets) {
  Extent extent;
  std::vector<Eigen::Vector3d> places(text.joints.size());
  const auto include = [&](const Eigen::Vector3d& point) {
    extent.lower = extent.lower.cwiseMin(point);
    extent.upper = extent.upper.cwiseMax(point);
  };
  for (std::size_t i = 0; i < text.joints.size(); ++i) {
    const int parent = text.joints[i].parent;
    places[i] = offsets[i];
    if (parent >= 0) places[i] += places[parent];
    include(places[i]);
    for (const Eigen::Vector3d& end : text.joints[i].endSites) include(places[i] + end);
  }
  return extent;
}

std::string inMetres(double length) { return inShort(length, 3) + " m"; }

/// Guesses the unit from the height of a person and the up axis as the longer of y and z, because BVH stores neither.
FileFrame guessFileFrame(const Extent& extent, std::vector<std::string>& notes) {
  struct Unit {
    const char* name;
    double metres;
  };
  constexpr std::array<Unit, 5> kUnits = {
      {{"metres", 1.0}, {"centimetres", 0.01}, {"millimetres", 0.001}, {"inches", 0.0254}, {"feet", 0.3048}}};
  const Eigen::Vector3d size = extent.upper - extent.lower;
  FileFrame frame;
  const bool zUp = size.z() > size.y();
  if (zUp) frame.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  notes.push_back(zUp ? "z is taken as up: the skeleton is longer along z than along y."
                      : "y is taken as up: the skeleton is no longer along z than along y.");
  const double height = zUp ? size.z() : size.y();
  for (const Unit& unit : kUnits)
    if (height * unit.metres >= kMinHeight && height * unit.metres <= kMaxHeight) {
      frame.metresPerUnit = unit.metres;
      notes.push_back(std::string("Lengths are taken as ") + unit.name + ": the skeleton is " +
                      inMetres(height * unit.metres) + " tall.");
      return frame;
    }
  const double length = height > 1e-6 * size.norm() ? height : size.norm();
  if (length > 1e-9 && length < 1e9) frame.metresPerUnit = kAssumedHeight / length;
  notes.push_back(length > 1e-9 ? "The unit of length is unknown: the skeleton is scaled to " +
                                      inMetres(length * frame.metresPerUnit) + "."
                                : "The skeleton has no extent: one unit is taken as 1 m.");
  return frame;
}

JointType jointType(const BvhJoint& joint, const PositionChannels& positions) {
  const bool isRoot = joint.parent < 0;
  if (positions.present && (isRoot || !positions.constant)) return JointType::Free;
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
Eigen::VectorXd standingRest(const Extent& extent, const FileFrame& frame) {
  const Eigen::Vector3d up = frame.sceneFromFile.row(1);
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(7);
  rest.head<3>() = -frame.metresPerUnit * up.dot(extent.lower) * up;
  rest[6] = 1.0;
  return rest;
}

FigurePointer makeFigure(const BvhText& text, const std::string& name, std::vector<std::string>& notes,
                         std::string& error) {
  const std::vector<PositionChannels> positions = surveyPositions(text);
  const std::vector<Eigen::Vector3d> offsets = fixedOffsets(text, positions);
  const Extent extent = measure(text, offsets);
  const FileFrame frame = guessFileFrame(extent, notes);
  std::vector<std::string> names;
  for (const BvhJoint& joint : text.joints) names.push_back(joint.name);
  makeUnique(names);
  FigureBuilder builder(name);
  builder.setFileFrame(frame);
  std::set<std::string> siteNames;
  for (std::size_t i = 0; i < text.joints.size(); ++i) {
    const bool isRoot = text.joints[i].parent < 0;
    Joint joint{.name = names[i], .type = jointType(text.joints[i], positions[i])};
    joint.parentFromJoint.translation = frame.metresPerUnit * offsets[i];
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

std::shared_ptr<const Motion> makeMotion(BvhText& text, std::vector<std::string>& notes) {
  auto motion = std::make_shared<Motion>();
  for (std::size_t i = 0; i < text.joints.size(); ++i)
    for (const ChannelType type : text.joints[i].channels) motion->channels.push_back({static_cast<int>(i), type});
  motion->values = std::move(text.values);
  motion->frameCount = text.frameCount;
  motion->frameTime = text.frameTime;
  if (text.frameTime == 0.0) {
    motion->frameTime = kDefaultFrameTime;
    notes.push_back("The frame time is 0: 30 frames a second are taken.");
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
  out.figure = makeFigure(*text, asUtf8(path.stem().string()), out.notes, error);
  if (!out.figure) return Error{path.string(), "", error};
  out.motion = makeMotion(*text, out.notes);
  out.file = std::make_shared<SourceFile>(SourceFile{SourceFormat::Bvh, path, std::string(bytes), {}});
  return out;
}

}  // namespace limber::io
