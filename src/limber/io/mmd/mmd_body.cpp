// SPDX-License-Identifier: MIT
#include "limber/io/mmd/mmd_body.h"

#include <algorithm>
#include <cmath>

#include "limber/io/base/text.h"
#include "limber/io/end_effectors.h"
#include "limber/io/gltf/vrm_rig.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kAtTarget = 1e-3;  // units, 0.08 mm: such an ankle is at its target

/// The point midway between the hip joints, in the T-pose: the origin of the link of the hips.
Eigen::Vector3d middleOfLegs() {
  const auto& bones = mmdBones();
  return 0.5 * (bones[mmdLegs()[0].leg].place + bones[mmdLegs()[1].leg].place);
}

Eigen::Vector3d linkPlace(const MmdBone& bone) { return bone.vrm == "hips" ? middleOfLegs() : bone.place; }

/// The nearest bone of VRM above; the trunk hangs on the hips. -1 for the hips.
int vrmParent(int bone) {
  const auto& bones = mmdBones();
  if (bones[bone].vrm == "hips") return -1;
  int above = bones[bone].parent;
  while (above >= 0 && bones[above].vrm.empty()) above = bones[above].parent;
  if (above >= 0) return above;
  return static_cast<int>(std::ranges::find(bones, "hips", &MmdBone::vrm) - bones.begin());
}

void reachTarget(const MmdLeg& leg, MmdPlaces& out) {
  const auto& bones = mmdBones();
  const Eigen::Vector3d thigh = bones[leg.knee].place - bones[leg.leg].place;
  const Eigen::Vector3d shank = bones[leg.ankle].place - bones[leg.knee].place;
  const Eigen::Vector3d wanted = out.places[leg.target] - out.places[leg.leg];
  if ((out.places[leg.ankle] - out.places[leg.target]).norm() > kAtTarget && wanted.norm() > kAtTarget) {
    const double a = thigh.norm(), b = shank.norm();
    const double bend = std::acos(std::clamp((wanted.squaredNorm() - a * a - b * b) / (2.0 * a * b), -1.0, 1.0));
    const Eigen::Matrix3d knee = Eigen::AngleAxisd(bend, Eigen::Vector3d::UnitX()).toRotationMatrix();
    const Eigen::Vector3d reached = out.rotations[leg.leg] * (thigh + knee * shank);
    const Eigen::Matrix3d ankle = out.rotations[leg.knee].transpose() * out.rotations[leg.ankle];
    if (reached.norm() > kAtTarget)
      out.rotations[leg.leg] = shortestTurn(reached, wanted).toRotationMatrix() * out.rotations[leg.leg];
    out.rotations[leg.knee] = out.rotations[leg.leg] * knee;
    out.rotations[leg.ankle] = out.rotations[leg.knee] * ankle;
    out.places[leg.knee] = out.places[leg.leg] + out.rotations[leg.leg] * thigh;
    out.places[leg.ankle] = out.places[leg.knee] + out.rotations[leg.knee] * shank;
  }
  const Eigen::Vector3d toes = out.rotations[leg.ankle] * (bones[leg.toeTarget].place - bones[leg.target].place);
  const Eigen::Vector3d toTarget = out.places[leg.toeTarget] - out.places[leg.target];
  if (toTarget.norm() > kAtTarget)
    out.rotations[leg.ankle] = shortestTurn(toes, toTarget).toRotationMatrix() * out.rotations[leg.ankle];
}

}  // namespace

MmdPlaces placesOf(std::span<const MmdTurn> turns, const std::array<bool, 2>& reaches) {
  const auto& bones = mmdBones();
  MmdPlaces out{std::vector<Eigen::Matrix3d>(bones.size()), std::vector<Eigen::Vector3d>(bones.size())};
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const int parent = bones[i].parent;
    const Eigen::Matrix3d above = parent < 0 ? Eigen::Matrix3d::Identity() : out.rotations[parent];
    const Eigen::Vector3d offset = bones[i].place - (parent < 0 ? Eigen::Vector3d::Zero() : bones[parent].place);
    out.rotations[i] = above * turns[i].turn.toRotationMatrix();
    out.places[i] = (parent < 0 ? Eigen::Vector3d::Zero() : out.places[parent]) + above * (offset + turns[i].shift);
  }
  for (std::size_t side = 0; side < 2; ++side)
    if (reaches[side]) reachTarget(mmdLegs()[side], out);
  return out;
}

Result<FigurePointer> makeMmdFigure(const std::filesystem::path& file) {
  const auto& bones = mmdBones();
  FigureBuilder builder(asUtf8(file.stem().string()));
  FileFrame frame;
  frame.metresPerUnit = kMmdUnit;
  builder.setFileFrame(frame);
  std::vector<int> linkOf(bones.size(), -1);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].vrm.empty()) continue;
    const int above = vrmParent(static_cast<int>(i));
    const Eigen::Vector3d from = above < 0 ? Eigen::Vector3d::Zero() : linkPlace(bones[above]);
    Link link{.name = bones[i].vrm, .parent = above < 0 ? -1 : linkOf[above]};
    link.bone = bones[i].vrm;
    Joint joint{.name = bones[i].vrm, .type = JointType::Ball};
    if (above < 0) joint.type = JointType::Free;
    joint.locked = above < 0;
    const Eigen::Vector3d place = kMmdUnit * (linkPlace(bones[i]) - from);
    if (above >= 0) joint.parentFromJoint = Transform::fromTranslation(place);
    linkOf[i] = builder.addLink(std::move(link), std::move(joint));
    if (above >= 0) continue;
    Eigen::VectorXd rest(7);
    rest << place, 0, 0, 0, 1;
    builder.setRest(linkOf[i], rest);
  }
  std::string fault;
  const auto figure = builder.build(fault);
  if (!figure) return Error{file.string(), "", fault};
  return figure;
}

Pose mmdPose(const Figure& figure, const MmdPlaces& places) {
  const auto& bones = mmdBones();
  Pose pose = restPose(figure);
  std::vector<Eigen::Matrix3d> turned(bones.size(), Eigen::Matrix3d::Identity());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].vrm.empty()) continue;
    const int above = vrmParent(static_cast<int>(i)), joint = figure.findLink(bones[i].vrm);
    turned[i] = places.rotations[bones[i].readAs] * restTurn(bones[i]);
    const Eigen::Matrix3d parent = above < 0 ? Eigen::Matrix3d::Identity() : turned[above];
    setJointRotation(figure, joint, Eigen::Quaterniond(parent.transpose() * turned[i]).normalized(), pose);
    if (above < 0)
      pose.coordinates.segment<3>(figure.joint(joint).poseIndex) =
          kMmdUnit * (places.places[i] + places.rotations[i] * (linkPlace(bones[i]) - bones[i].place));
  }
  return pose;
}

struct MmdWriter::Rig {
  VrmRig rig;
};

MmdWriter::MmdWriter(const Figure& figure) : figure_(figure) {
  if (auto rig = findVrmRig(figure)) rig_ = std::make_unique<Rig>(Rig{std::move(*rig)});
}
MmdWriter::~MmdWriter() = default;

bool MmdWriter::isPossible() const { return rig_ != nullptr; }

bool MmdWriter::has(int bone) const {
  const std::string& vrm = mmdBones()[bone].vrm;
  return !vrm.empty() && (rig_->rig.find(vrm) >= 0 || (vrm == "chest" && rig_->rig.find("upperChest") >= 0));
}

std::vector<MmdTurn> MmdWriter::turnsOf(const Pose& pose) const {
  const auto& bones = mmdBones();
  const VrmPose body = vrmPoseOf(figure_, rig_->rig, pose);
  std::vector<Eigen::Matrix3d> rotations(bones.size(), Eigen::Matrix3d::Identity());
  std::vector<MmdTurn> turns(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const int parent = bones[i].parent;
    const Eigen::Matrix3d above = parent < 0 ? Eigen::Matrix3d::Identity() : rotations[parent];
    auto told = body.rotations.find(bones[i].vrm);
    if (bones[i].vrm == "chest")  // there is one bone for both
      if (const auto upper = body.rotations.find("upperChest"); upper != body.rotations.end()) told = upper;
    const bool isTold = !bones[i].vrm.empty() && told != body.rotations.end();
    rotations[i] = isTold ? Eigen::Matrix3d(told->second * restTurn(bones[i]).transpose()) : above;
    turns[i].turn = Eigen::Quaterniond(above.transpose() * rotations[i]).normalized();
  }
  // The centre carries the waist, about which the hips turn.
  const auto hips = static_cast<std::size_t>(std::ranges::find(bones, "hips", &MmdBone::vrm) - bones.begin());
  const Eigen::Vector3d middle = middleOfLegs(), arm = middle - bones[hips].place;
  turns[mmdCentre()].shift = middle.y() * body.shift + arm - rotations[hips] * arm;
  // The targets of the legs are children of the root, which does not move.
  const MmdPlaces places = placesOf(turns, {false, false});
  for (const MmdLeg& leg : mmdLegs()) {
    turns[leg.target].shift = places.places[leg.ankle] - bones[leg.ankle].place;
    turns[leg.target].turn = Eigen::Quaterniond(rotations[leg.ankle]).normalized();
  }
  return turns;
}

}  // namespace limber::io
