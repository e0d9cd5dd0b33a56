// SPDX-License-Identifier: MIT
#include "limber/ways/screw_chain.h"

#include <algorithm>

#include "limber/kinematics/forward_kinematics.h"

namespace limber::ways {

namespace {

std::string refusal(const Figure& figure, int joint, bool follows) {
  const Joint& refused = figure.joint(joint);
  const std::string name = "joint \"" + refused.name + "\" ";
  if (follows) return name + "follows other joints by a coupling: lock it or disable the coupling";
  return name + "is a " + std::string(jointTypeName(refused.type)) +
         " joint: closed forms need hinges and slides; lock it to leave it where it is";
}

std::vector<int> jointsAbove(const Figure& figure, int link) {
  std::vector<int> path;
  for (int i = link; i >= 0; i = figure.link(i).parent) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

Transform ScrewChain::place(const Coordinates& q) const {
  Transform result;
  for (int i = 0; i < count; ++i) result = result * motionOf(screws[i], q[i]);
  return result * home;
}

Transform ScrewChain::place(const Coordinates& q, ArmJacobian& jacobian) const {
  jacobian.resize(6, count);
  Transform result;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d axis = result.rotation * screws[i].axis;
    jacobian.col(i).head<3>() = screws[i].isSlide ? Eigen::Vector3d::Zero().eval() : axis;
    jacobian.col(i).tail<3>() = screws[i].isSlide ? axis : (result * screws[i].point).cross(axis);
    result = result * motionOf(screws[i], q[i]);
  }
  return result * home;
}

ScrewChain screwChainOf(const Figure& figure, const Pose& pose, int link, const Transform& linkFromTip,
                        std::span<const char> isHeld, std::span<const char> couplingEnabled) {
  ScrewChain chain;
  std::vector<char> follows(figure.links().size(), 0);
  for (std::size_t i = 0; i < figure.couplings().size(); ++i)
    if (i >= couplingEnabled.size() || couplingEnabled[i]) follows[figure.couplings()[i].follower] = 1;

  Pose zero = pose;
  std::vector<int> moving;
  for (const int i : jointsAbove(figure, link)) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Fixed || (static_cast<std::size_t>(i) < isHeld.size() && isHeld[i])) continue;
    if (!isScalar(joint) || follows[i]) {
      chain.fault = refusal(figure, i, follows[i]);
      return chain;
    }
    moving.push_back(i);
    zero.coordinates[joint.poseIndex] = 0.0;
  }
  if (moving.empty() || moving.size() > kMaxJoints) {
    const std::string name = "link \"" + figure.link(link).name + "\" ";
    chain.fault = moving.empty() ? name + "cannot move"
                                 : name + "is moved by " + std::to_string(moving.size()) +
                                       " joints, more than the seven for which closed forms exist: lock some";
    return chain;
  }
  const Kinematics kinematics = transformsOf(figure, zero);
  for (const int i : moving) {
    const Joint& joint = figure.joint(i);
    const Transform frame = worldFromJoint(figure, kinematics, i);
    chain.screws[chain.count] = {(frame.rotation * joint.axis).normalized(), frame.translation,
                                 joint.type == JointType::Prismatic};
    chain.limits[chain.count] = joint.limits;
    chain.joints[chain.count++] = i;
  }
  chain.home = kinematics.worldFromLink[link] * linkFromTip;
  return chain;
}

ScrewChain screwChainOf(const Figure& figure, int link, const Transform& linkFromTip) {
  return screwChainOf(figure, Pose{figure.restPose()}, link, linkFromTip, {}, {});
}

Coordinates coordinatesOf(const ScrewChain& chain, const Figure& figure, const Pose& pose) {
  Coordinates q(chain.count);
  for (int i = 0; i < chain.count; ++i) q[i] = pose.coordinates[figure.joint(chain.joints[i]).poseIndex];
  return q;
}

void setCoordinates(const ScrewChain& chain, const Figure& figure, const Coordinates& q, Pose& pose) {
  for (int i = 0; i < chain.count; ++i) pose.coordinates[figure.joint(chain.joints[i]).poseIndex] = q[i];
}

}  // namespace limber::ways
