// SPDX-License-Identifier: MIT
#include "support/loop_figures.h"

#include <cmath>
#include <numbers>

#include "limber/objective/limits/loop_projection.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {

using V = Eigen::Vector3d;
using Kind = LoopClosure::Kind;

Transform at(const V& place) { return Transform::fromTranslation(place); }

Transform turnedAbout(const V& axis, double angle, const V& place) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), place};
}

/// A rotation that takes z to the given direction.
Eigen::Matrix3d alongZ(const V& direction) {
  return Eigen::Quaterniond::FromTwoVectors(V::UnitZ(), direction).toRotationMatrix();
}

int addHinge(FigureBuilder& builder, const std::string& name, int parent, const V& place, const V& axis,
             Interval limits = {}) {
  return builder.addLink({.name = name, .parent = parent},
                         {.type = JointType::Revolute, .parentFromJoint = at(place), .axis = axis, .limits = limits});
}

std::shared_ptr<const Figure> closed(FigureBuilder& builder) { return closedAtRest(built(builder)); }

void setAngle(FigureBuilder& builder, int joint, double angle) {
  builder.setRest(joint, Eigen::VectorXd::Constant(1, angle));
}

}  // namespace

std::shared_ptr<const Figure> makeFourBar() {
  FigureBuilder builder("four-bar");
  const V z = V::UnitZ();
  const int ground = builder.addLink({.name = "ground"}, {});
  const int crank = addHinge(builder, "crank", ground, V::Zero(), z);
  const int coupler = addHinge(builder, "coupler", crank, {0.4, 0, 0}, z);
  const int rocker = addHinge(builder, "rocker", ground, {1, 0, 0}, z, {0.2, 3.0});
  setAngle(builder, crank, 1.2);
  setAngle(builder, coupler, -0.9);
  setAngle(builder, rocker, 1.6);
  builder.addSite({"tip", coupler, at({0.45, 0.3, 0})});
  builder.addLoop({"closure", Kind::Hinge, coupler, at({0.9, 0, 0}), rocker, at({0.7, 0, 0})});
  return closed(builder);
}

std::shared_ptr<const Figure> makeDelta() {
  FigureBuilder builder("delta");
  const int base = builder.addLink({.name = "base"}, {.parentFromJoint = at({0, 1, 0})});
  int platform = -1;
  for (int arm = 0; arm < 3; ++arm) {
    const double angle = 2.0 * std::numbers::pi / 3.0 * arm;
    const std::string name = "arm" + std::to_string(arm);
    // The arm's x axis points outward, its z axis is that of the hinge.
    const int upper = builder.addLink(
        {.name = name, .parent = base},
        {.type = JointType::Revolute,
         .parentFromJoint = turnedAbout(V::UnitY(), angle, V(0.1 * std::cos(angle), 0, -0.1 * std::sin(angle))),
         .axis = V::UnitZ(),
         .limits = {-1.3, 0.9}});
    setAngle(builder, upper, -0.4);
    for (int side = 0; side < 2; ++side) {
      const double offset = side == 0 ? 0.04 : -0.04;
      const int rod = builder.addLink({.name = name + (side == 0 ? "_left" : "_right"), .parent = upper},
                                      {.type = JointType::Ball, .parentFromJoint = at({0.2, 0, offset})});
      builder.setRest(rod, Eigen::Quaterniond(Eigen::AngleAxisd(-0.1, V::UnitZ())).coeffs());
      const V bottom(0, -0.4, 0);
      const Transform joint = turnedAbout(V::UnitY(), angle, V(0.05 * std::cos(angle), 0, -0.05 * std::sin(angle)));
      const V onPlatform = joint * V(0, 0, offset);
      if (platform < 0) {
        platform = builder.addLink({.name = "platform", .parent = rod},
                                   {.type = JointType::Ball, .parentFromJoint = at(bottom - onPlatform)});
        continue;
      }
      builder.addLoop({name + (side == 0 ? "_left" : "_right"), Kind::Ball, rod, at(bottom), platform, at(onPlatform)});
    }
  }
  builder.addSite({"tool", platform, at({0, -0.05, 0})});
  return closed(builder);
}

std::shared_ptr<const Figure> makeStewart() {
  FigureBuilder builder("stewart");
  const int base = builder.addLink({.name = "base"}, {});
  const double turn = std::numbers::pi / 3.0;
  const auto below = [&](int leg) { return V(0.5 * std::cos(turn * leg), 0, 0.5 * std::sin(turn * leg)); };
  const auto above = [&](int leg) {
    const double angle = turn * (leg + (leg % 2 == 0 ? 0.4 : -0.4));
    return V(0.3 * std::cos(angle), 0, 0.3 * std::sin(angle));
  };
  int platform = -1;
  for (int leg = 0; leg < 6; ++leg) {
    const std::string name = "leg" + std::to_string(leg);
    const V way = above(leg) + V(0, 0.6, 0) - below(leg);
    const int lower = builder.addLink({.name = name, .parent = base},
                                      {.type = JointType::Ball, .parentFromJoint = {alongZ(way), below(leg)}});
    const int upper = builder.addLink({.name = name + "_rod", .parent = lower},
                                      {.type = JointType::Prismatic, .axis = V::UnitZ(), .limits = {0.45, 0.85}});
    setAngle(builder, upper, way.norm());
    if (platform < 0)
      platform = builder.addLink({.name = "platform", .parent = upper},
                                 {.type = JointType::Ball,
                                  .parentFromJoint = {alongZ(way).transpose(), alongZ(way).transpose() * -above(leg)}});
    else builder.addLoop({name, Kind::Ball, upper, at(V::Zero()), platform, at(above(leg))});
  }
  builder.addSite({"top", platform, at({0, 0.1, 0})});
  return closed(builder);
}

std::shared_ptr<const Figure> makeParallelGripper() {
  FigureBuilder builder("gripper");
  const int forearm = addHinge(builder, "forearm", -1, V::Zero(), V::UnitZ(), {-2, 2});
  const int wrist = addHinge(builder, "wrist", forearm, {0, 0.3, 0}, V::UnitX(), {-1.5, 1.5});
  const int hand = addHinge(builder, "hand", wrist, {0, 0.1, 0}, V::UnitZ(), {-1.5, 1.5});
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1.0 : -1.0;
    const std::string name = side == 0 ? "left" : "right";
    const int inner = addHinge(builder, name + "_inner", hand, {0.02 * s, 0.05, 0}, V::UnitZ(), {-0.8, 0.8});
    const int outer = addHinge(builder, name + "_outer", hand, {0.05 * s, 0.05, 0}, V::UnitZ(), {-0.8, 0.8});
    const int tip = addHinge(builder, name + "_tip", inner, {0, 0.08, 0}, V::UnitZ());
    builder.addSite({name + "_tip", tip, at({0, 0.04, 0})});
    builder.addLoop({name, Kind::Hinge, outer, at({0, 0.08, 0}), tip, at({0.03 * s, 0, 0})});
    setAngle(builder, inner, -0.2 * s);
    setAngle(builder, outer, -0.2 * s);
    setAngle(builder, tip, 0.2 * s);
  }
  return closed(builder);
}

std::shared_ptr<const Figure> makeRodBiped() {
  FigureBuilder builder("rod biped");
  const int pelvis = builder.addLink({.name = "pelvis"}, {.type = JointType::Free, .parentFromJoint = at({0, 0.9, 0})});
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? 1.0 : -1.0;
    const std::string name = side == 0 ? "left_" : "right_";
    const int thigh = builder.addLink({.name = name + "thigh", .parent = pelvis},
                                      {.type = JointType::Ball, .parentFromJoint = at({0.1 * s, 0, 0})});
    const int shin = addHinge(builder, name + "shin", thigh, {0, -0.4, 0}, V::UnitX(), {0.1, 2.2});
    const int foot = addHinge(builder, name + "foot", shin, {0, -0.4, 0}, V::UnitX(), {-1.2, 1.2});
    const int rod = builder.addLink({.name = name + "rod", .parent = thigh},
                                    {.type = JointType::Ball, .parentFromJoint = at({0, -0.3, -0.03})});
    builder.setRest(thigh, Eigen::Quaterniond(Eigen::AngleAxisd(-0.4, V::UnitX())).coeffs());
    setAngle(builder, shin, 0.8);
    setAngle(builder, foot, -0.4);
    builder.setRest(rod, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, V::UnitX())).coeffs());
    builder.addSite({name + "toe", foot, at({0, -0.05, 0.15})});
    builder.addLoop({name + "heel", Kind::Ball, rod, at({0, -0.5, 0}), foot, at({0, 0, -0.06})});
  }
  return closed(builder);
}

std::shared_ptr<const Figure> makeOpenLoop() {
  FigureBuilder builder("open");
  const int ground = builder.addLink({.name = "ground"}, {});
  const int left = addHinge(builder, "left", ground, V::Zero(), V::UnitZ());
  const int right = addHinge(builder, "right", ground, {3, 0, 0}, V::UnitZ());
  builder.addLoop({"gap", Kind::Ball, left, at({1, 0, 0}), right, at({1, 0, 0})});
  return built(builder);
}

Pose disturbed(const Figure& figure, double amount, double phase) {
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
  for (const Joint& joint : figure.joints())
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      const bool isLength =
          joint.type == JointType::Prismatic || (joint.type == JointType::Free && c < joint.stepIndex + 3);
      step[c] = (isLength ? 0.1 : 1.0) * amount * std::sin(phase + 2.0 * c);
    }
  Pose pose;
  integrate(figure, restPose(figure), step, pose);
  return pose;
}

Pose closedPose(const std::shared_ptr<const Figure>& figure, double amount, double phase) {
  Pose pose = disturbed(*figure, amount, phase);
  const FeasibleSet feasibleSet(*figure, limitsOf(*figure));
  LoopProjection(figure, feasibleSet, independentCoordinates(*figure, feasibleSet.couplings())).close(pose);
  return pose;
}

std::vector<LoopFigure> loopFigures() {
  const auto linkOf = [](const std::shared_ptr<const Figure>& figure, const char* name) {
    return figure->findLink(name);
  };
  const auto bar = makeFourBar(), delta = makeDelta(), stewart = makeStewart(), gripper = makeParallelGripper(),
             biped = makeRodBiped();
  return {{"four-bar", bar, linkOf(bar, "coupler"), {0.45, 0.3, 0}, 0.2, 1},
          {"delta", delta, linkOf(delta, "platform"), {0, -0.05, 0}, 0.12, 3 + 6},
          {"stewart", stewart, linkOf(stewart, "platform"), {0, 0.1, 0}, 0.15, 6 + 6},
          {"gripper", gripper, linkOf(gripper, "left_tip"), {0, 0.04, 0}, 0.08, 5},
          {"biped", biped, linkOf(biped, "left_foot"), {0, -0.05, 0.15}, 0.2, 6 + 2 * (3 + 1 + 1)}};
}

}  // namespace limber::test
