// SPDX-License-Identifier: MIT
#include "app/live/vmc.h"

#include <array>
#include <cctype>
#include <cmath>

namespace limber::app {

namespace {

constexpr double kUnitWithin = 1e-2;  // of a quaternion's length; its numbers are sent as floats
constexpr double kFarthest = 1e4;     // metres; farther places are malformed

std::string withFirst(std::string name, int (*change)(int)) {
  if (!name.empty()) name[0] = static_cast<char>(change(static_cast<unsigned char>(name[0])));
  return name;
}

/// The transform of the seven numbers after a name.
std::optional<Transform> placeOf(const OscMessage& message) {
  if (message.arguments.size() < 8 || !std::holds_alternative<std::string>(message.arguments[0])) return std::nullopt;
  std::array<double, 7> n{};
  for (std::size_t i = 0; i < n.size(); ++i) {
    const auto* number = std::get_if<double>(&message.arguments[i + 1]);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    n[i] = *number;
  }
  const Eigen::Quaterniond turn(n[6], n[3], -n[4], -n[5]);
  const Eigen::Vector3d place(-n[0], n[1], n[2]);
  if (std::abs(turn.norm() - 1.0) > kUnitWithin || place.norm() > kFarthest) return std::nullopt;
  return Transform{turn.normalized().toRotationMatrix(), place};
}

VmcTaken keep(const std::string& name, const Transform& place, std::map<std::string, Transform>& places) {
  if (name.empty() || (!places.contains(name) && places.size() >= kMaxLiveNames)) return VmcTaken::Malformed;
  places[name] = place;
  return VmcTaken::Yes;
}

OscMessage message(const char* address, const std::string& name, const Transform& place) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(place.rotation).normalized();
  const Eigen::Vector3d& p = place.translation;
  return {address, {name, -p.x(), p.y(), p.z(), q.x(), -q.y(), -q.z(), q.w()}};
}

}  // namespace

std::string subjectOf(const OscMessage& message) {
  if (!message.address.ends_with("/Pos") || message.arguments.empty()) return {};
  const auto* name = std::get_if<std::string>(&message.arguments[0]);
  return name ? message.address + " " + *name : std::string();
}

VmcTaken takeVmc(const OscMessage& message, VmcState& state) {
  constexpr std::array<std::string_view, 3> kTrackers = {"/VMC/Ext/Hmd/Pos", "/VMC/Ext/Con/Pos", "/VMC/Ext/Tra/Pos"};
  const bool isBone = message.address == "/VMC/Ext/Bone/Pos", isRoot = message.address == "/VMC/Ext/Root/Pos";
  const bool isTracker = std::ranges::find(kTrackers, message.address) != kTrackers.end();
  if (!isBone && !isRoot && !isTracker) return VmcTaken::NotOurs;
  const std::optional<Transform> place = placeOf(message);
  if (!place) return VmcTaken::Malformed;
  const std::string& name = std::get<std::string>(message.arguments[0]);
  if (isTracker) return keep(name, *place, state.trackers);
  if (isBone) return keep(io::renamedThumb(withFirst(name, &std::tolower), 0), *place, state.bones);
  state.root = *place;
  return VmcTaken::Yes;
}

std::vector<OscMessage> vmcMessages(const Figure& figure, const io::VrmRig& rig, const Pose& pose, double seconds) {
  const Kinematics now = transformsOf(figure, pose);
  const std::vector<Eigen::Matrix3d> turns = io::boneRotations(rig, now);
  std::vector<OscMessage> messages = {{"/VMC/Ext/OK", {1.0}}, {"/VMC/Ext/T", {seconds}}};
  messages.push_back(message("/VMC/Ext/Root/Pos", "root", Transform()));
  for (std::size_t i = 0; i < rig.bones.size(); ++i) {
    const io::VrmBone& bone = rig.bones[i];
    const bool isHips = bone.parent < 0;
    const Eigen::Vector3d place =
        isHips ? Eigen::Vector3d(rig.worldFromBody.transpose() * now.worldFromLink[bone.link].translation)
               : bone.offset;
    const Eigen::Matrix3d turn = isHips ? turns[i] : Eigen::Matrix3d(turns[bone.parent].transpose() * turns[i]);
    messages.push_back(
        message("/VMC/Ext/Bone/Pos", withFirst(io::renamedThumb(bone.name, 1), &std::toupper), Transform{turn, place}));
  }
  return messages;
}

}  // namespace limber::app
