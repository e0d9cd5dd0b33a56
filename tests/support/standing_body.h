// SPDX-License-Identifier: MIT
// A person of ball joints with arms at any angle, with or without names of body parts.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::test {

struct BodyChoice {
  double armsDown = 0.0;  ///< angle of the arms below the horizontal at rest, radians
  bool hasNames = true;
  double turned = 0.0;      ///< rotation about the vertical, radians
  double legsApart = 0.0;   ///< angle of each leg from the vertical, radians
  bool feetSquare = false;  ///< perpendicular to the legs; else horizontal
  bool toesAlike = false;   ///< the right toes copy the left ones
};

/// A person 1.7 m tall, on y = 0, facing z. Link frames are rotated, as those of exporters are.
inline std::shared_ptr<const Figure> makeStandingBody(const BodyChoice& choice = {}) {
  FigureBuilder builder("body");
  std::map<std::string, int> links;
  std::map<std::string, Transform> places;
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(choice.turned, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const auto add = [&](const std::string& name, const std::string& parent, const Eigen::Vector3d& at) {
    const int number = static_cast<int>(links.size());
    Transform place;
    place.translation = turn * at;
    // The frames of both sides are mirror images, so that a figure without names is symmetric.
    if (choice.hasNames)
      place.rotation = Eigen::AngleAxisd(0.7 * number, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    const bool isRoot = parent.empty();
    Joint joint{.type = isRoot ? JointType::Free : JointType::Ball,
                .parentFromJoint = isRoot ? place : places.at(parent).inverse() * place};
    joint.locked = isRoot;
    links[name] = builder.addLink(
        {.name = choice.hasNames ? name : "part" + std::to_string(number), .parent = isRoot ? -1 : links.at(parent)},
        joint);
    places[name] = place;
  };
  add("Hips", "", {0, 0.95, 0});
  add("Spine", "Hips", {0, 1.05, 0});
  add("Spine1", "Spine", {0, 1.17, 0});
  add("Spine2", "Spine1", {0, 1.3, 0});
  add("Neck", "Spine2", {0, 1.47, 0});
  add("Head", "Neck", {0, 1.57, 0});
  for (const double side : {1.0, -1.0}) {
    const std::string s = side > 0 ? "Left" : "Right";
    const Eigen::Vector3d shoulder(0.17 * side, 1.42, 0);
    const Eigen::Vector3d along(side * std::cos(choice.armsDown), -std::sin(choice.armsDown), 0);
    add(s + "Shoulder", "Spine2", {0.03 * side, 1.42, 0});
    add(s + "Arm", s + "Shoulder", shoulder);
    add(s + "ForeArm", s + "Arm", shoulder + 0.28 * along);
    add(s + "Hand", s + "ForeArm", shoulder + 0.53 * along);
    add(s + "Finger", s + "Hand", shoulder + 0.62 * along);
    add(s + "UpLeg", "Hips", {0.1 * side, 0.92, 0});
    const Eigen::Vector3d thigh(0.1 * side, 0.92, 0);
    const Eigen::Matrix3d leg = Eigen::AngleAxisd(side * choice.legsApart, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    const Eigen::Matrix3d foot = choice.feetSquare ? leg : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
    const Eigen::Vector3d ankle = thigh + leg * Eigen::Vector3d(0, -0.84, -0.02);
    add(s + "Leg", s + "UpLeg", thigh + leg * Eigen::Vector3d(0, -0.42, 0));
    add(s + "Foot", s + "Leg", ankle);
    add(s + "ToeBase", s + "Foot", ankle + foot * Eigen::Vector3d(0, -0.06, 0.14));
    const Eigen::Vector3d tip =
        places.at(s + "ToeBase").rotation.transpose() * turn * foot * Eigen::Vector3d(0, 0, 0.06);
    builder.addSite({s + "Tip", links.at(s + "ToeBase"), Transform::fromTranslation(tip)});
  }
  if (choice.toesAlike)
    builder.addCoupling(
        {.name = "toes", .follower = links.at("RightToeBase"), .terms = {{.driver = links.at("LeftToeBase")}}});
  return test::built(builder);
}

}  // namespace limber::test
