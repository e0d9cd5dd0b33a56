// SPDX-License-Identifier: MIT
#include "limber/io/carried_motion.h"

#include "limber/body/body_map.h"
#include "limber/body/retarget_pose.h"
#include "limber/io/gltf/vrm_rig.h"
#include "limber/scene/arm_clearing.h"
#include "limber/scene/held_stances.h"

namespace limber::io {

namespace {

// Of the accelerations of the source: less than the fifth more that is wanted, because arms and legs of the result are
// calmed after the rest of the body.
constexpr double kMoreThanSource = 1.15, kMoreWithStances = 1.18;

using CarryPose = std::function<Pose(const Pose&)>;

CarryPose carryByBones(const Figure& from, const IkProblem& to) {
  const auto theirs = findVrmRig(from), ours = findVrmRig(*to.figure);
  if (!theirs || !ours) return {};
  return [&, theirs, ours](const Pose& pose) { return poseOfAvatar(to, *ours, vrmPoseOf(from, *theirs, pose)); };
}

CarryPose carryByParts(const Figure& from, const IkProblem& to) {
  const PoseParts &theirs = bodyMapOf(from).poseParts(), &ours = bodyMapOf(*to.figure).poseParts();
  if (!theirs.hasBody || !ours.hasBody) return {};
  return [&, rest = restPose(*to.figure)](const Pose& pose) {
    RolePose roles = rolePoseOf(from, theirs, pose);
    roles.feet.clear();  // feet stand by stances, which are smooth in time
    return retargetPose(to, ours, roles, rest).pose;
  };
}

/// The point midway between the hip joints.
Eigen::Vector3d middleOfHips(const PoseParts& parts, const Kinematics& now) {
  const auto hip = [&](BodySide side) -> const Eigen::Vector3d& {
    return now.worldFromLink[parts.links.at({BodyPart::UpperLeg, side}).front()].translation;
  };
  return 0.5 * (hip(BodySide::Left) + hip(BodySide::Right));
}

bool hasLegs(const Figure& figure) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  return parts.hasBody && parts.legLength > 0.0 && parts.links.contains({BodyPart::UpperLeg, BodySide::Left}) &&
         parts.links.contains({BodyPart::UpperLeg, BodySide::Right});
}

}  // namespace

MotionCarrier::MotionCarrier(const Figure& from, const IkProblem& to, bool holdsStances)
    : from_(from), to_(to), holdsStances_(holdsStances && hasLegs(from) && hasLegs(*to.figure)),
      isByBones_(from.namesBones() && to.figure->namesBones()),
      carryPose_(isByBones_ ? carryByBones(from, to) : carryByParts(from, to)) {}

/// The carried pose, with the hips as high above the floor as in the motion. Bones of VRM have their own rule for that.
Pose MotionCarrier::carriedPose(const Pose& pose, double floor) const {
  Pose carried = carryPose_(pose);
  if (isByBones_ || !hasLegs(from_) || !hasLegs(*to_.figure)) return carried;
  const PoseParts &theirs = bodyMapOf(from_).poseParts(), &ours = bodyMapOf(*to_.figure).poseParts();
  const int root = freeLinkFor(to_, ours.links.at({BodyPart::Hips, BodySide::Middle}).front());
  if (root < 0) return carried;
  const double height = (middleOfHips(theirs, transformsOf(from_, pose)).y() - floor) / theirs.legLength;
  const Kinematics now = transformsOf(*to_.figure, carried);
  const double rise = groundOf(*to_.figure, ours) + ours.legLength * height - middleOfHips(ours, now).y();
  carried.coordinates.segment<3>(to_.figure->joint(root).poseIndex) +=
      worldFromJoint(*to_.figure, now, root).rotation.transpose() * Eigen::Vector3d(0.0, rise, 0.0);
  return carried;
}

std::shared_ptr<const Motion> MotionCarrier::operator()(const Motion& motion) const {
  const Frames source = framesOf(from_, motion);
  const std::vector<Stance> stances = findStances(from_, source);
  const double floor = floorOfStances(from_, source, stances);
  std::vector<Pose> poses;
  for (int frame = 0; frame < motion.frameCount; ++frame) poses.push_back(carriedPose(source.poseAt(frame), floor));
  const bool isHeld = holdsStances_ && !stances.empty();
  const Accelerations most = largestAccelerations(from_, source);
  limitAccelerations(to_, source.time, most * kMoreThanSource, CalmedParts::All, poses);
  if (!isHeld) clearArms(to_, source.time, most * kMoreWithStances, poses);
  auto carried = std::make_shared<Motion>();
  carried->name = motion.name;
  carried->frameTime = motion.frameTime;
  for (const Pose& pose : poses) carried->append(pose);
  return isHeld ? withStances(to_, carried, stances, most * kMoreWithStances) : carried;
}

}  // namespace limber::io
