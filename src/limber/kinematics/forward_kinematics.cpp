// SPDX-License-Identifier: MIT
#include "limber/kinematics/forward_kinematics.h"

#include "limber/kinematics/forward_kernel.h"
#include "limber/vector/processor.h"

namespace limber {

namespace {

static_assert(sizeof(Transform) == 12 * sizeof(double) && sizeof(MotionTable::Turn) == 36 * sizeof(double));

Eigen::Matrix3d quaternionToMatrix(const Eigen::VectorXd& q, int at) {
  return Eigen::Quaterniond(q[at + 3], q[at], q[at + 1], q[at + 2]).toRotationMatrix();
}

/// parentFromLink of all but revolute joints.
void placeLinks(const MotionTable& table, const Eigen::VectorXd& q, std::vector<Transform>& parentFromLink) {
  const auto at = [](int link) { return static_cast<std::size_t>(link); };
  for (const int link : table.fixedLinks) parentFromLink[at(link)] = table.parentFromJoint[at(link)];
  for (const MotionTable::Slide& slide : table.slides) {
    Transform& transform = parentFromLink[at(slide.link)];
    transform = table.parentFromJoint[at(slide.link)];
    transform.translation += q[slide.poseIndex] * slide.axis;
  }
  for (const MotionTable::Rotation& rotation : table.rotations) {
    const Transform& joint = table.parentFromJoint[at(rotation.link)];
    Transform& transform = parentFromLink[at(rotation.link)];
    transform.rotation.noalias() = joint.rotation * quaternionToMatrix(q, rotation.poseIndex);
    transform.translation = joint.translation;
    if (rotation.shiftIndex >= 0) transform.translation += joint.rotation * q.segment<3>(rotation.shiftIndex);
  }
}

}  // namespace

void computeTransforms(const Figure& figure, const Pose& pose, Kinematics& kinematics) {
  const MotionTable& table = figure.motionTable();
  const auto count = static_cast<std::size_t>(figure.linkCount());
  kinematics.worldFromLink.resize(count);
  kinematics.parentFromLink.resize(count);
  placeLinks(table, pose.coordinates, kinematics.parentFromLink);
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
  return parent < 0 ? parentFromJoint : kinematics.worldFromLink[static_cast<std::size_t>(parent)] * parentFromJoint;
}

Transform worldFromRootJoint(const Figure& figure, int root) {
  Transform place = figure.joint(root).parentFromJoint;
  for (int above = figure.link(root).parent; above >= 0; above = figure.link(above).parent)
    place = figure.joint(above).parentFromJoint * place;
  return place;
}

void computeTwists(const Figure& figure, Kinematics& kinematics) {
  const MotionTable& table = figure.motionTable();
  kinematics.twists.resize(6, figure.stepSize());
  auto& twists = kinematics.twists;
  const auto frameOf = [&](int link) -> const Transform& {
    return kinematics.worldFromLink[static_cast<std::size_t>(link)];
  };
  const auto setTurn = [&](int column, const Eigen::Vector3d& axis, const Eigen::Vector3d& arm) {
    double* twist = twists.col(column).data();
    Eigen::Map<Eigen::Vector3d>{twist} = axis;
    Eigen::Map<Eigen::Vector3d>{twist + 3} = arm.cross(axis);
  };
  for (const MotionTable::Hinge& hinge : table.hinges) {
    const Transform& frame = frameOf(hinge.link);
    setTurn(hinge.stepIndex, frame.rotation * hinge.axis, frame.translation - kinematics.origin);
  }
  for (const MotionTable::Slide& slide : table.slides) {
    twists.col(slide.stepIndex).head<3>().setZero();
    twists.col(slide.stepIndex).tail<3>() = frameOf(slide.link).rotation * figure.joint(slide.link).axis;
  }
  for (const MotionTable::Rotation& rotation : table.rotations) {
    const Transform& frame = frameOf(rotation.link);
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
