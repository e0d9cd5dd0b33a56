// SPDX-License-Identifier: MIT
// A body on two legs with a free, locked root: the simplest figure that stands.
#pragma once

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::app {

/// pelvis (free, at y = 1) with thigh, shank, foot and toe on each side, and an arm that may hang to the floor.
/// Without foot names the links are called a, b, c, d.
inline std::shared_ptr<const Figure> makeStandingFigure(bool footNames = true, double armLength = 0.5) {
  FigureBuilder builder("standing");
  Joint root{.name = "root", .type = JointType::Free};
  root.parentFromJoint = Transform::fromTranslation({0, 1, 0});
  root.locked = true;
  Link body{.name = "pelvis"};
  body.capsules = {{{0, 0, 0}, {0, 0.4, 0}, 0.1}};
  const int pelvis = builder.addLink(body, root);
  const auto add = [&](std::string name, int parent, const Eigen::Vector3d& at, const Eigen::Vector3d& end,
                       JointType type) {
    Link link{.name = std::move(name), .parent = parent};
    link.capsules = {{{0, 0, 0}, end, 0.04}};
    Joint joint{.type = type};
    joint.parentFromJoint = Transform::fromTranslation(at);
    joint.axis = Eigen::Vector3d::UnitX();
    if (type == JointType::Revolute) joint.limits = {-2.5, 2.5};
    return builder.addLink(link, joint);
  };
  for (const double side : {-0.1, 0.1}) {
    const std::string prefix = side < 0 ? "left_" : "right_";
    const int thigh = add(prefix + "thigh", pelvis, {side, 0, 0}, {0, -0.46, 0}, JointType::Ball);
    const int shank = add(prefix + "shank", thigh, {0, -0.46, 0}, {0, -0.46, 0}, JointType::Revolute);
    const int foot = add(prefix + (footNames ? "foot" : "c"), shank, {0, -0.46, 0}, {0, -0.07, 0.15}, JointType::Ball);
    add(prefix + (footNames ? "toe" : "d"), foot, {0, -0.07, 0.15}, {0, 0, 0.06}, JointType::Revolute);
  }
  add("arm", pelvis, {0, 0.4, 0.2}, {0, -armLength, 0}, JointType::Ball);
  return test::built(builder);
}

}  // namespace limber::app
