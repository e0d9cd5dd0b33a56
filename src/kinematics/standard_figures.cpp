// SPDX-License-Identifier: MIT
#include "kinematics/standard_figures.h"

#include <cassert>

#include "kinematics/figure_builder.h"

namespace limber {

namespace {

std::shared_ptr<const Figure> makeChain(std::string name, int linkCount, JointType type,
                                        const Eigen::Vector3d& direction) {
  assert(linkCount >= 1 && linkCount <= kMaxChainLinks);
  constexpr double kRadius = 0.08;
  FigureBuilder builder(std::move(name));
  for (int i = 0; i < linkCount; ++i) {
    Link link{.name = "link" + std::to_string(i), .parent = i - 1};
    link.capsules.push_back({Eigen::Vector3d::Zero(), direction, kRadius});
    Joint joint{.name = "joint" + std::to_string(i), .type = type};
    if (i > 0) joint.parentFromJoint = Transform::fromTranslation(direction);
    builder.addLink(std::move(link), std::move(joint));
  }
  builder.addSite({.name = "tip", .link = linkCount - 1, .linkFromSite = Transform::fromTranslation(direction)});
  std::string error;
  auto figure = builder.build(error);
  assert(figure && "a chain is always sound");
  return figure;
}

}  // namespace

std::shared_ptr<const Figure> makePlanarChain(int linkCount) {
  return makeChain("planar chain of " + std::to_string(linkCount), linkCount, JointType::Revolute,
                   Eigen::Vector3d::UnitX());
}

std::shared_ptr<const Figure> makeBallChain(int linkCount) {
  return makeChain("ball chain of " + std::to_string(linkCount), linkCount, JointType::Ball,
                   Eigen::Vector3d::UnitY());
}

}  // namespace limber
