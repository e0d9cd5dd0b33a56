// SPDX-License-Identifier: MIT
#include "limber/io/bvh/upright_rest.h"

#include <algorithm>
#include <cmath>

#include "limber/body/body_map.h"
#include "limber/body/retarget_pose.h"

namespace limber::io {

namespace {

constexpr double kStands = 0.5;     // cosine to the vertical, of trunk and legs: a rest pose that stands
constexpr double kUpright = 0.8;    // the same: a frame from which a T-pose can be made
constexpr int kMostExamined = 400;  // frames that are examined

/// How upright a body is: the cosine of the angle between the vertical and its trunk, or a leg, whichever leans most.
class Uprightness {
 public:
  Uprightness(const Figure& figure, const BodyPlaces& places) : figure_(figure) {
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      hips_.push_back(linkAt(places, {BodyPart::UpperLeg, side}));
      arms_.push_back(linkAt(places, {BodyPart::UpperArm, side}));
      const int foot = linkAt(places, {BodyPart::Foot, side});
      feet_.push_back(foot >= 0 ? foot : linkAt(places, {BodyPart::LowerLeg, side}));
    }
  }

  double operator()(const Pose& pose) {
    computeTransforms(figure_, pose, now_);
    const auto placeOf = [&](int link) { return now_.worldFromLink[link].translation; };
    const auto rise = [](const Eigen::Vector3d& way) { return way.norm() > 0.0 ? way.y() / way.norm() : 0.0; };
    double least = rise(placeOf(arms_[0]) + placeOf(arms_[1]) - placeOf(hips_[0]) - placeOf(hips_[1]));
    for (std::size_t side = 0; side < 2; ++side)
      least = std::min(least, rise(placeOf(hips_[side]) - placeOf(feet_[side])));
    return least;
  }

 private:
  const Figure& figure_;
  std::vector<int> hips_, arms_, feet_;
  Kinematics now_;
};

/// Turns a body's free root so that it faces z, and puts it on the ground above the origin.
void faceAhead(const Figure& figure, const PoseParts& parts, int root, Pose& pose) {
  Kinematics now = transformsOf(figure, pose);
  const Eigen::Vector3d ahead = parts.worldFromBody.col(2);
  const Eigen::AngleAxisd turn(-std::atan2(ahead.x(), ahead.z()), Eigen::Vector3d::UnitY());
  const Eigen::Matrix3d worldFromJoint = limber::worldFromJoint(figure, now, root).rotation;
  const Eigen::Quaterniond rotation(worldFromJoint.transpose() * turn.toRotationMatrix() *
                                    now.worldFromLink[root].rotation);
  setJointRotation(figure, root, rotation.normalized(), pose);
  computeTransforms(figure, pose, now);
  const Eigen::Vector3d& place =
      now.worldFromLink[parts.links.at({BodyPart::Hips, BodySide::Middle}).front()].translation;
  const Eigen::Vector3d by(-place.x(), -lowestPoint(figure, parts, now), -place.z());
  pose.coordinates.segment<3>(figure.joint(root).poseIndex) += worldFromJoint.transpose() * by;
}

}  // namespace

FigurePointer withUprightRest(const FigurePointer& figure, const Motion& motion, std::vector<std::string>& notes) {
  const BodyMap& body = bodyMapOf(*figure);
  if (!body.isPerson() || motion.frameCount == 0) return figure;
  Uprightness uprightness(*figure, body.places());
  if (uprightness(restPose(*figure)) > kStands) return figure;
  int best = 0;
  double most = -1.0;
  const int step = (motion.frameCount + kMostExamined - 1) / kMostExamined;
  for (int frame = 0; frame < motion.frameCount; frame += step)
    if (const double upright = uprightness(motion.poseAt(*figure, frame)); upright > most) {
      most = upright;
      best = frame;
    }
  if (most < kUpright) return figure;
  const FigurePointer posed = figure->withRestPose(motion.poseAt(*figure, best).coordinates);
  const PoseParts& parts = bodyMapOf(*posed).poseParts();
  const IkProblem problem = makeIkProblem(posed);
  const int root =
      parts.hasBody ? freeLinkFor(problem, parts.links.at({BodyPart::Hips, BodySide::Middle}).front()) : -1;
  if (root < 0) return figure;
  RolePose straight;
  for (const auto& [place, links] : parts.links)
    straight.turns[place].assign(links.size(), Eigen::Quaterniond::Identity());
  Pose pose = retargetPose(problem, parts, straight, restPose(*posed)).pose;
  faceAhead(*posed, parts, root, pose);
  notes.push_back(
      "Without rotations the bones do not make a standing body: the rest pose is a T-pose made from frame " +
      std::to_string(best + 1) + ".");
  return figure->withRestPose(pose.coordinates);
}

}  // namespace limber::io
