// SPDX-License-Identifier: MIT
#include "app/live/live_goals.h"

#include <algorithm>
#include <vector>

#include "limber/body/footholds.h"

namespace limber::app {

namespace {

constexpr double kLeastBodyHeight = 0.3;  // metres; lower hips or heads give no scale

GoalItem goalAt(GoalType type, const std::string& name, int link) {
  GoalItem goal{.id = -1, .type = type};
  goal.name = name;
  goal.link = link;
  return goal;
}

Eigen::Matrix3d bodyAxes(const std::optional<io::VrmRig>& rig) {
  return rig ? rig->worldFromBody : Eigen::Matrix3d::Identity();
}

/// The joints of the bones that were sent: those between each of them and its parent bone.
std::vector<int> sentJoints(const Figure& figure, const io::VrmRig& rig, const VmcState& state) {
  std::vector<int> joints;
  for (const io::VrmBone& bone : rig.bones) {
    if (!state.bones.contains(bone.name)) continue;
    const int end = bone.parent < 0 ? -1 : rig.bones[static_cast<std::size_t>(bone.parent)].link;
    for (int link = bone.link; link >= 0 && link != end; link = figure.link(link).parent) joints.push_back(link);
  }
  return joints;
}

/// Adds an orientation goal for each bone that was sent. Rotations of the protocol are relative to the parent bone, and
/// a bone that was not sent keeps its present one.
void addBones(const IkProblem& problem, const io::VrmRig& rig, const VmcState& state, std::vector<GoalItem>& goals) {
  const std::vector<Eigen::Matrix3d> present = io::boneRotations(rig, transformsOf(*problem.figure, problem.pose));
  std::map<std::string, Eigen::Matrix3d> turns;
  for (std::size_t i = 0; i < rig.bones.size(); ++i) {
    const int parent = rig.bones[i].parent;
    turns[rig.bones[i].name] =
        parent < 0 ? present[i] : present[static_cast<std::size_t>(parent)].transpose() * present[i];
  }
  for (const auto& [name, place] : state.bones)  // among them bones that this figure does not have
    turns[name] = name == "hips" ? Eigen::Matrix3d(state.root.rotation * place.rotation) : place.rotation;
  const auto rotations = io::bodyRotations(turns);
  for (const io::VrmBone& bone : rig.bones) {
    if (!state.bones.contains(bone.name)) continue;
    GoalItem goal = goalAt(GoalType::Orientation, bone.name, bone.link);
    goal.frameInLink = bone.bodyFromLink.transpose();
    goal.targetFrame = rig.worldFromBody * rotations.at(bone.name);
    goals.push_back(std::move(goal));
  }
}

/// Adds a position goal for the hips: the sender's displacement since calibration, scaled by the ratio of hip heights.
void addHips(const IkProblem& problem, const io::VrmRig& rig, const VmcState& state, LiveCalibration& calibration,
             std::vector<GoalItem>& goals) {
  const auto told = state.bones.find("hips");
  if (told == state.bones.end() || freeLinkFor(problem, rig.bones.front().link) < 0) return;
  const Eigen::Vector3d place = state.root * told->second.translation;
  if (!calibration.hips) calibration.hips = place;
  const Eigen::Vector3d &ours = rig.bones.front().offset, &first = *calibration.hips;
  const double scale = first.y() > kLeastBodyHeight ? ours.y() / first.y() : 1.0;
  GoalItem goal = goalAt(GoalType::Position, "hips", rig.bones.front().link);
  goal.target = rig.worldFromBody * (ours + scale * (place - first));
  goals.push_back(std::move(goal));
}

Transform scaledRoom(const std::optional<io::VrmRig>& rig, const LiveCalibration& calibration, const Transform& place) {
  const Eigen::Matrix3d axes = bodyAxes(rig);
  return {axes * place.rotation, calibration.trackerScale * (axes * place.translation) + calibration.trackerShift};
}

void addTrackers(const std::optional<io::VrmRig>& rig, const VmcState& state, bool areExact,
                 const LiveCalibration& calibration, PosingRequest& request) {
  for (const auto& [serial, attachment] : calibration.trackers) {
    const auto told = state.trackers.find(serial);
    if (told == state.trackers.end()) continue;
    const Transform tracker = scaledRoom(rig, calibration, told->second);
    if (areExact) {
      const Eigen::Matrix3d link = tracker.rotation * attachment.linkFromTracker.rotation.transpose();
      request.holds.push_back({.goal = {.type = GoalType::PositionOrientation,
                                        .link = attachment.link,
                                        .pointInLink = attachment.linkFromTracker.translation,
                                        .target = tracker.translation,
                                        .targetFrame = link}});
      continue;
    }
    GoalItem goal = goalAt(GoalType::PositionOrientation, serial, attachment.link);
    goal.pointInLink = attachment.linkFromTracker.translation;
    goal.frameInLink = attachment.linkFromTracker.rotation;
    goal.target = tracker.translation;
    goal.targetFrame = tracker.rotation;
    request.images.push_back(std::move(goal));
  }
}

/// The links to which trackers may be fixed: the bones of a body except its fingers; all links of other figures.
std::vector<int> candidates(const Figure& figure, const std::optional<io::VrmRig>& rig) {
  std::vector<int> links;
  if (!rig)
    for (int i = 0; i < figure.linkCount(); ++i) links.push_back(i);
  else
    for (const io::VrmBone& bone : rig->bones)
      if (!bone.name.ends_with("Proximal") && !bone.name.ends_with("Intermediate") && !bone.name.ends_with("Distal") &&
          !bone.name.ends_with("Metacarpal"))
        links.push_back(bone.link);
  return links;
}

}  // namespace

void attachTrackers(const IkProblem& problem, const std::optional<io::VrmRig>& rig, const VmcState& state,
                    LiveCalibration& calibration) {
  calibration.trackers.clear();
  calibration.trackerScale = 1.0;
  calibration.trackerShift.setZero();
  if (state.trackers.empty()) return;
  const Kinematics now = transformsOf(*problem.figure, problem.pose);
  const std::vector<int> links = candidates(*problem.figure, rig);
  const auto placeOf = [&](int link) -> const Eigen::Vector3d& { return now.worldFromLink[link].translation; };
  const int top = *std::ranges::max_element(links, {}, [&](int link) { return placeOf(link).y(); });
  const auto& highest = std::ranges::max_element(state.trackers, {}, [](const auto& tracker) {
                          return tracker.second.translation.y();
                        })->second.translation;
  if (highest.y() > kLeastBodyHeight && placeOf(top).y() > 0.0)
    calibration.trackerScale = placeOf(top).y() / highest.y();
  const Eigen::Vector3d shift = placeOf(top) - calibration.trackerScale * (bodyAxes(rig) * highest);
  calibration.trackerShift = {shift.x(), 0.0, shift.z()};
  for (const auto& [serial, place] : state.trackers) {
    const Transform tracker = scaledRoom(rig, calibration, place);
    const int nearest =
        *std::ranges::min_element(links, {}, [&](int link) { return (placeOf(link) - tracker.translation).norm(); });
    calibration.trackers[serial] = {nearest, now.worldFromLink[nearest].inverse() * tracker};
  }
}

PosingRequest liveRequest(const IkProblem& problem, const std::optional<io::VrmRig>& rig, const VmcState& state,
                          bool areExact, LiveCalibration& calibration) {
  PosingRequest request{.followsLast = true, .freeRoot = true, .letsFeetGo = true};
  if (rig) {
    addBones(problem, *rig, state, request.images);
    addHips(problem, *rig, state, calibration, request.images);
    const std::vector<int> joints = sentJoints(*problem.figure, *rig, state);
    for (GoalItem& goal : request.images) goal.chain = joints;  // bones that were not sent do not help the others
  }
  addTrackers(rig, state, areExact, calibration, request);
  return request;
}

}  // namespace limber::app
