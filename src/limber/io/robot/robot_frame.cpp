// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "limber/io/base/text.h"
#include "limber/io/end_effectors.h"
#include "limber/scene/base.h"
#include "limber/scene/closed_rest.h"

namespace limber::io {

namespace {

constexpr double kNothing = 1e-12;  // kilograms; FigureBuilder would estimate a mass of zero
constexpr double kStick = 0.06;     // radius of a stick, relative to its length
constexpr double kMargin = 1.2;     // relative to a capsule's radius: points nearer to its axis are reached

double distanceTo(const Capsule& capsule, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = capsule.end - capsule.start;
  const double length2 = along.squaredNorm();
  const double part = length2 > 0.0 ? std::clamp(along.dot(point - capsule.start) / length2, 0.0, 1.0) : 0.0;
  return (capsule.start + part * along - point).norm();
}

/// By link: whether its own joint or a joint below it moves.
std::vector<char> findWhatMoves(int linkCount, FigureBuilder& builder) {
  std::vector<char> moves(linkCount, 0);
  for (int i = linkCount - 1; i >= 0; --i) {
    if (builder.joint(i).type != JointType::Fixed) moves[i] = 1;
    if (const int parent = builder.link(i).parent; moves[i] && parent >= 0) moves[parent] = 1;
  }
  return moves;
}

double meanDistance(int linkCount, FigureBuilder& builder) {
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < linkCount; ++i)
    if (const double length = builder.joint(i).parentFromJoint.translation.norm();
        length > 0.0 && builder.link(i).parent >= 0) {
      sum += length;
      ++count;
    }
  return count > 0 ? sum / count : 0.0;
}

/// The radius of a capsule with this length between its end points and this volume.
double radiusOf(double length, double volume) {
  double radius = std::cbrt(0.75 * volume / std::numbers::pi);
  for (int i = 0; i < 20; ++i) radius = std::sqrt(volume / (std::numbers::pi * (length + 4.0 / 3.0 * radius)));
  return radius;
}

/// Capsules from the link's origin to `ends`, its child joints. Radii are bounded, because masses in files may be
/// wrong.
std::vector<Capsule> bodyOf(const Link& link, const std::vector<Eigen::Vector3d>& ends, double meanDistance) {
  constexpr double kBodyDensity = 1000.0;             // kg/m^3
  constexpr double kThinnest = 0.1, kThickest = 0.8;  // radii, relative to the mean distance of joints
  constexpr double kBar = 0.6;                        // radius of capsules to several joints, relative to the body's
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& end : ends) middle += end / static_cast<double>(ends.size());
  if (ends.empty() || middle.isZero()) start = middle = link.centreOfMass;
  const double wanted = radiusOf((middle - start).norm(), link.mass / kBodyDensity);
  const double radius = ends.empty() ? std::min(wanted, kThickest * meanDistance)
                                     : std::clamp(wanted, kThinnest * meanDistance, kThickest * meanDistance);
  std::vector<Capsule> body = {{start, middle, radius}};
  if (ends.size() > 1)
    for (const Eigen::Vector3d& end : ends) body.push_back({middle, end, kBar * radius});
  return body;
}

bool isReached(const Link& link, const Eigen::Vector3d& point) {
  return std::ranges::any_of(
      link.capsules, [&](const Capsule& capsule) { return distanceTo(capsule, point) <= kMargin * capsule.radius; });
}

void weighLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder) {
  if (std::ranges::none_of(weights, [](const LinkWeight& weight) { return weight.mass > 0.0; })) return;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Link& link = builder.link(static_cast<int>(i));
    link.mass = std::max(weights[i].mass, kNothing);
    link.centreOfMass = weights[i].centreOfMass;
  }
}

void addBodies(int linkCount, FigureBuilder& builder) {
  const std::vector<char> moves = findWhatMoves(linkCount, builder);
  std::vector<std::vector<Eigen::Vector3d>> ends(linkCount);
  for (int i = 0; i < linkCount; ++i)
    if (const int parent = builder.link(i).parent; parent >= 0 && moves[i])
      ends[parent].push_back(builder.joint(i).parentFromJoint.translation);
  const double mean = meanDistance(linkCount, builder);
  if (mean == 0.0) return;
  for (int i = 0; i < linkCount; ++i)
    if (Link& link = builder.link(i); link.capsules.empty() && link.mass > kNothing)
      link.capsules = bodyOf(link, ends[i], mean);
}

void addSticks(int linkCount, FigureBuilder& builder) {
  const std::vector<char> moves = findWhatMoves(linkCount, builder);
  std::vector<std::vector<Capsule>> sticks(linkCount);
  for (int i = 0; i < linkCount; ++i) {
    const int parent = builder.link(i).parent;
    if (parent < 0 || builder.link(parent).capsules.empty()) continue;
    if (!moves[i] && builder.link(i).capsules.empty()) continue;
    const Eigen::Vector3d end = builder.joint(i).parentFromJoint.translation;
    const bool isJoined =
        isReached(builder.link(parent), end) && isReached(builder.link(parent), Eigen::Vector3d::Zero());
    if (end.norm() > 0.0 && !isJoined) sticks[parent].push_back({Eigen::Vector3d::Zero(), end, kStick * end.norm()});
  }
  for (int i = 0; i < linkCount; ++i) {
    auto& capsules = builder.link(i).capsules;
    const auto& more = sticks[i];
    capsules.insert(capsules.end(), more.begin(), more.end());
  }
}

/// Sets mass and capsules of every link in three steps; `weights` has one element for each link. Must be called before
/// end effectors are added, whose sites depend on the capsules.
///
///   masses   If the file has any mass, links without one get mass 0. Else FigureBuilder estimates all masses from the
///            capsules.
///   bodies   A link with a mass but no shape, such as a link with a mesh only, gets capsules from its joint to the
///            centre of its child joints and from there to each child joint. Their radius gives the mass the density of
///            water. A link without child joints gets a sphere around its centre of mass.
///   sticks   Thin capsules connect a link's capsules with joints that these do not reach, so that the robot is drawn
///            in one piece. Links without a shape and without a moving joint, such as sensor frames, get none.
void shapeLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder) {
  const int linkCount = static_cast<int>(weights.size());
  weighLinks(weights, builder);
  addBodies(linkCount, builder);
  addSticks(linkCount, builder);
}

}  // namespace

FileFrame zUpFrame() {
  FileFrame frame;
  frame.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return frame;
}

std::string unusedName(std::string name, std::set<std::string>& taken) {
  while (!taken.insert(name).second) name += "_";
  return name;
}

bool hasLinksOfFile(const Figure& figure, const Figure& inFile) {
  constexpr double kSame = 1e-9;
  const bool hasMore = figure.linkCount() > inFile.linkCount() + (hasFreedBase(figure) ? 1 : 0);
  for (int i = 0; !hasMore && i < inFile.linkCount(); ++i) {
    const int link = figure.findLink(inFile.link(i).name), parent = inFile.link(i).parent;
    if (link < 0) return false;
    const Joint &joint = figure.joint(link), &theirs = inFile.joint(i);
    if (parent < 0) continue;  // the user may have freed, fixed or moved it
    const int above = figure.link(link).parent;
    if (above < 0 || figure.link(above).name != inFile.link(parent).name || joint.name != theirs.name) return false;
    const Transform &a = joint.parentFromJoint, &b = theirs.parentFromJoint;
    if (joint.type != theirs.type || (a.rotation - b.rotation).norm() > kSame ||
        (joint.axis - theirs.axis).norm() > kSame)
      return false;
    if ((a.translation - b.translation).norm() > kSame * std::max(1.0, b.translation.norm())) return false;
  }
  return !hasMore;
}

void giveParts(SrdfParts parts, FigureSource& robot) {
  auto file = std::make_shared<SourceFile>(*robot.file);
  file->poses = std::move(parts.poses);
  file->groups = std::move(parts.groups);
  file->disabledPairs = std::move(parts.disabledPairs);
  robot.file = std::move(file);
}

void RobotReader::begin(const std::string& name, const std::filesystem::path& file) {
  builder_ = FigureBuilder(name.empty() ? asUtf8(file.stem().string()) : name);
  builder_.setFileFrame(zUpFrame());
}

int RobotReader::add(Link link, Joint joint, const LinkWeight& weight, double rest) {
  weight_.push_back(weight);
  rest_.push_back(rest);
  hasSite_.push_back(0);
  return builder_.addLink(std::move(link), std::move(joint));
}

void RobotReader::addCapsule(const RobotShape& shape, int link) {
  if (++capsules_ <= kMaxDrawnShapes) builder_.link(link).capsules.push_back(capsuleOf(shape));
}

void RobotReader::noteLeftOut(const std::string& what, const Error& fault) {
  constexpr std::size_t kMostNamed = 10;
  if (++leftOut_ <= kMostNamed) notes_.push_back(what + " is left out: " + fault.place + ": " + fault.cause + ".");
  else if (leftOut_ == kMostNamed + 1) notes_.push_back("Further shapes and colours are left out.");
}

void RobotReader::setSides(LoopClosure& loop, std::pair<int, Transform> one, std::pair<int, Transform> two) {
  for (auto* side : {&one, &two})
    if (side->first < 0) side->second = Transform{zUpFrame().sceneFromFile, Eigen::Vector3d::Zero()} * side->second;
  if (one.first < 0) std::swap(one, two);
  loop.link = one.first;
  loop.linkFromLoop = one.second;
  loop.other = two.first;
  loop.otherFromLoop = two.second;
}

Result<FigureSource> RobotReader::finish(const SourceFile& file) {
  shapeLinks(weight_, builder_);
  addEndEffectors(hasSite_, siteNames_, builder_);
  resolveMeshes(meshes_, file.path, context_);
  if (std::string missing = missingMeshes(meshes_); !missing.empty()) notes_.push_back(std::move(missing));
  std::ranges::move(addMeshes(meshes_, context_, skin_), std::back_inserter(notes_));
  FigureSource out;
  std::string error;
  out.figure = builder_.build(error);
  if (!out.figure) return Error{file.path.string(), "", error};
  out.figure = withClosedRest(out.figure, notes_);
  out.missing = missingPaths(meshes_);
  out.skin = finishSkin(std::move(skin_), *out.figure);
  out.file = std::make_shared<SourceFile>(file);
  out.notes = std::move(notes_);
  return out;
}

}  // namespace limber::io
