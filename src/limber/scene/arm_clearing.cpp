// SPDX-License-Identifier: MIT
#include "limber/scene/arm_clearing.h"

#include <algorithm>

#include "limber/kinematics/ball_limits.h"
#include "limber/posing/arms_out.h"
#include "limber/scene/smooth_offsets.h"

namespace limber {

namespace {

constexpr double kSmoothTime = 0.12;  // seconds in which a change begins and ends
constexpr double kFollows = 30.0;     // weight of a frame's own change, of the offsets' stiffness
constexpr double kNoChange = 1e-9;    // radians: a smaller change of a joint leaves the pose as it is
constexpr int kCalmRounds = 6;        // of reducing accelerations, then bringing out what that has moved inside

/// The step coordinates of joints.
std::vector<int> coordinatesOf(const Figure& figure, const std::vector<int>& joints) {
  std::vector<int> coordinates;
  for (const int joint : joints)
    for (int k = 0; k < stepSize(figure.joint(joint).type); ++k)
      coordinates.push_back(figure.joint(joint).stepIndex + k);
  return coordinates;
}

void clampJoints(const IkProblem& problem, const std::vector<int>& joints, Pose& pose) {
  for (const int link : joints) {
    const Joint& joint = problem.figure->joint(link);
    const JointSettings& settings = problem.joints[link];
    if (isScalar(joint)) {
      double& value = pose.coordinates[joint.poseIndex];
      value = std::clamp(value, settings.limits.lower, settings.limits.upper);
    } else if (joint.type == JointType::Ball && settings.ballLimits.isBounded()) {
      const Eigen::Quaterniond rotation = jointRotation(*problem.figure, pose, link);
      setJointRotation(*problem.figure, link, BallRange(settings.ballLimits).clamp(rotation), pose);
    }
  }
}

/// Moves the arms out of the body, smoothly in time.
void bringArmsOut(const IkProblem& problem, double frameTime, std::vector<Pose>& poses) {
  const Figure& figure = *problem.figure;
  ArmsOut arms(problem);
  const std::vector<int> coordinates = coordinatesOf(figure, arms.joints());
  const int count = static_cast<int>(poses.size());
  std::vector<Eigen::VectorXd> steps(poses.size());
  bool isAnyInside = false;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Pose out = poses[i];
    if (!arms.bringOut(out)) continue;
    difference(figure, poses[i], out, steps[i]);
    isAnyInside = true;
  }
  if (!isAnyInside) return;
  std::vector<Eigen::VectorXd> smooth(poses.size(), Eigen::VectorXd::Zero(figure.stepSize()));
  for (std::size_t first = 0; first < coordinates.size(); first += 3) {  // three coordinates at a time
    SmoothOffsets offsets(count, frameTime, kSmoothTime);
    const std::size_t size = std::min<std::size_t>(3, coordinates.size() - first);
    for (int i = 0; i < count; ++i)
      for (std::size_t k = 0; steps[i].size() > 0 && k < size; ++k)
        offsets.demand(i, Eigen::Vector3d::Unit(static_cast<Eigen::Index>(k)), steps[i][coordinates[first + k]],
                       kFollows * offsets.stiffness());
    const Eigen::Matrix3Xd by = offsets.solve();
    for (int i = 0; i < count; ++i)
      for (std::size_t k = 0; k < size; ++k) smooth[i][coordinates[first + k]] = by(static_cast<Eigen::Index>(k), i);
  }
  ArmsOut rest(problem);  // brings out what smoothing left inside
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (steps[i].size() == 0 && smooth[i].cwiseAbs().maxCoeff() < kNoChange) continue;  // it was outside
    integrate(figure, Pose(poses[i]), smooth[i], poses[i]);
    clampJoints(problem, arms.joints(), poses[i]);
    rest.bringOut(poses[i]);
  }
}

}  // namespace

void clearArms(const IkProblem& problem, double frameTime, Accelerations most, std::vector<Pose>& poses) {
  const bool isOff = problem.selfAvoidance == SelfAvoidance::Off;
  if (!isOff && !poses.empty()) bringArmsOut(problem, frameTime, poses);
  for (int round = 0; round < kCalmRounds; ++round) {
    const std::vector<char> isChanged = limitAccelerations(problem, frameTime, most, CalmedParts::Arms, poses);
    bool isInside = false;
    ArmsOut arms(problem);
    for (std::size_t i = 0; !isOff && i < poses.size(); ++i)
      if (isChanged[i]) isInside |= arms.bringOut(poses[i]);
    if (!isInside) return;
  }
}

}  // namespace limber
