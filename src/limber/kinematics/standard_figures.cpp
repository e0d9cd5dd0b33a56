// SPDX-License-Identifier: MIT
#include "limber/kinematics/standard_figures.h"

#include <cassert>
#include <numbers>

#include "limber/kinematics/figure_builder.h"

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

std::shared_ptr<const Figure> makeArm() {
  constexpr double kDegree = std::numbers::pi / 180.0;
  struct Segment {
    const char* name;
    bool turns;     ///< about y, along the arm; else about z
    double start;   ///< metres along y from the parent
    double length;  ///< of the link
    double radius;
  };
  constexpr Segment kSegments[] = {{"shoulder_turn", true, 0.0, 0.3, 0.075}, {"shoulder", false, 0.3, 0.19, 0.07},
                                   {"upper_arm", true, 0.19, 0.21, 0.065},   {"elbow", false, 0.21, 0.17, 0.06},
                                   {"forearm", true, 0.17, 0.21, 0.055},     {"wrist", false, 0.21, 0.07, 0.05},
                                   {"hand", true, 0.07, 0.1, 0.04}};
  FigureBuilder builder("arm of seven joints");
  int parent = -1;
  for (const Segment& segment : kSegments) {
    Link link{.name = segment.name, .parent = parent++};
    link.capsules.push_back({Eigen::Vector3d::Zero(), {0.0, segment.length, 0.0}, segment.radius});
    const double limit = (segment.turns ? 165.0 : 115.0) * kDegree;
    Joint joint{.name = segment.name, .type = JointType::Revolute};
    joint.parentFromJoint = Transform::fromTranslation({0.0, segment.start, 0.0});
    joint.axis = segment.turns ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    joint.limits = {-limit, limit};
    builder.addLink(std::move(link), std::move(joint));
  }
  builder.addSite({.name = "tool", .link = 6, .linkFromSite = Transform::fromTranslation({0.0, 0.1, 0.0})});
  builder.setRest(3, Eigen::VectorXd::Constant(1, 60.0 * kDegree));
  std::string error;
  auto figure = builder.build(error);
  assert(figure && "the arm is always sound");
  return figure;
}

std::shared_ptr<const Figure> makePlanarChain(int linkCount) {
  return makeChain("planar chain of " + std::to_string(linkCount), linkCount, JointType::Revolute,
                   Eigen::Vector3d::UnitX());
}

std::shared_ptr<const Figure> makeBallChain(int linkCount) {
  return makeChain("ball chain of " + std::to_string(linkCount), linkCount, JointType::Ball, Eigen::Vector3d::UnitY());
}

}  // namespace limber
