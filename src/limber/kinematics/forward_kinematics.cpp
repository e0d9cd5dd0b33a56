// SPDX-License-Identifier: MIT
#include "limber/kinematics/forward_kinematics.h"

#include "limber/kinematics/forward_kernel.h"
#include "limber/vector/processor.h"

namespace limber {

namespace {

static_assert(sizeof(Transform) == 12 * sizeof(double) && sizeof(MotionTable::Turn) == 36 * sizeof(double));

/// parentFromLink of all but revolute joints.
void placeLinks(const MotionTable& table, const Pose& pose, std::vector<Transform>& parentFromLink) {
  for (const int link : table.fixedLinks) parentFromLink[link] = table.parentFromJoint[link];
  for (const MotionTable::Slide& slide : table.slides) {
    Transform& transform = parentFromLink[slide.link];
    transform = table.parentFromJoint[slide.link];
    transform.translation += pose.coordinates[slide.poseIndex] * slide.axis;
  }
  for (const MotionTable::Rotation& rotation : table.rotations) {
    const Transform& joint = table.parentFromJoint[rotation.link];
    Transform& transform = parentFromLink[rotation.link];
    transform.rotation.noalias() = joint.rotation * rotationAt(pose, rotation.poseIndex).toRotationMatrix();
    transform.translation = joint.translation;
    if (rotation.shiftIndex >= 0)
      transform.translation += joint.rotation * pose.coordinates.segment<3>(rotation.shiftIndex);
  }
}

}  // namespace

void computeTransforms(const Figure& figure, const Pose& pose, Kinematics& kinematics) {
  const MotionTable& table = figure.motionTable();
  const int count = figure.linkCount();
  kinematics.worldFromLink.resize(count);
  kinematics.parentFromLink.resize(count);
  placeLinks(table, pose, kinematics.parentFromLink);
  const std::size_t turnCount = table.turns.size(), lanes = (turnCount + 3) / 4 * 4;
  kinematics.angles.resize(3 * lanes);
  double* angles = kinematics.angles.data();
  for (std::size_t i = 0; i < turnCount; ++i) angles[i] = pose.coordinates[table.hinges[i].poseIndex];
  for (std::size_t i = turnCount; i < lanes; ++i) angles[i] = 0.0;
  if (count == 0) return kinematics.origin.setZero(), void();
  const ForwardArrays arrays{.turnCount = static_cast<int>(turnCount),
                             .turns = table.turns.empty() ? nullptr : table.turns[0].constant.data(),
                             .turnLinks = table.turnLinks.data(),
                             .angles = angles,
                             .sines = angles + lanes,
                             .cosines = angles + 2 * lanes,
                             .linkCount = figure.linkCount(),
                             .parents = table.parents.data(),
                             .parentFromLink = kinematics.parentFromLink[0].rotation.data(),
                             .worldFromLink = kinematics.worldFromLink[0].rotation.data()};
  hasAvx2() ? computeTransformsAvx2(arrays) : computeTransformsBaseline(arrays);
  kinematics.origin = kinematics.worldFromLink[0].translation;
}

Transform worldFromJoint(const Figure& figure, const Kinematics& kinematics, int joint) {
  const int parent = figure.link(joint).parent;
  const Transform& parentFromJoint = figure.joint(joint).parentFromJoint;
  return parent < 0 ? parentFromJoint : kinematics.worldFromLink[parent] * parentFromJoint;
}

Transform worldFromRootJoint(const Figure& figure, int root) {
  Transform place = figure.joint(root).parentFromJoint;
  for (int above = figure.link(root).parent; above >= 0; above = figure.link(above).parent)
    place = figure.joint(above).parentFromJoint * place;
  return place;
}

Kinematics transformsOf(const Figure& figure, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  return kinematics;
}

void computeTwists(const Figure& figure, Kinematics& kinematics) {
  const MotionTable& table = figure.motionTable();
  kinematics.twists.resize(6, figure.stepSize());
  auto& twists = kinematics.twists;
  const auto setTurn = [&](int column, const Eigen::Vector3d& axis, const Eigen::Vector3d& arm) {
    double* twist = twists.col(column).data();
    Eigen::Map<Eigen::Vector3d>{twist} = axis;
    Eigen::Map<Eigen::Vector3d>{twist + 3} = arm.cross(axis);
  };
  for (const MotionTable::Hinge& hinge : table.hinges) {
    const Transform& frame = kinematics.worldFromLink[hinge.link];
    setTurn(hinge.stepIndex, frame.rotation * hinge.axis, frame.translation - kinematics.origin);
  }
  for (const MotionTable::Slide& slide : table.slides) {
    twists.col(slide.stepIndex).head<3>().setZero();
    twists.col(slide.stepIndex).tail<3>() =
        kinematics.worldFromLink[slide.link].rotation * figure.joint(slide.link).axis;
  }
  for (const MotionTable::Rotation& rotation : table.rotations) {
    const Transform& frame = kinematics.worldFromLink[rotation.link];
    const Eigen::Vector3d arm = frame.translation - kinematics.origin;
    for (int k = 0; k < 3; ++k) setTurn(rotation.stepIndex + k, frame.rotation.col(k), arm);
    if (rotation.shiftIndex < 0) continue;
    twists.middleCols<3>(rotation.stepIndex - 3).topRows<3>().setZero();
    twists.middleCols<3>(rotation.stepIndex - 3).bottomRows<3>() =
        worldFromJoint(figure, kinematics, rotation.link).rotation;
  }
}

void computeKinematics(const Figure& figure, const Pose& pose, Kinematics& kinematics) {
  computeTransforms(figure, pose, kinematics);
  computeTwists(figure, kinematics);
}

}  // namespace limber
