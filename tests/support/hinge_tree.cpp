// SPDX-License-Identifier: MIT
#include "support/hinge_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {
constexpr double kLinkLength = 0.1;
}

std::shared_ptr<const Figure> makeHingeTree(int joints, int limbs, bool withLimits) {
  FigureBuilder builder("hinge tree");
  const int trunk = limbs == 1 ? 0 : joints / (limbs + 1);
  const auto add = [&](int index, int parent) {
    Joint joint{.name = "joint " + std::to_string(index), .type = JointType::Revolute};
    joint.axis = Eigen::Vector3d::Unit(index % 3);
    if (parent >= 0) joint.parentFromJoint = Transform::fromTranslation({0.0, kLinkLength, 0.0});
    if (withLimits) joint.limits = {-2.5, 2.5};
    return builder.addLink({.name = "link " + std::to_string(index), .parent = parent}, joint);
  };
  int count = 0, root = -1;
  while (count < trunk) root = add(count++, root);
  for (int limb = 0; limb < limbs; ++limb) {
    int end = root;
    for (const int last = trunk + (joints - trunk) * (limb + 1) / limbs; count < last;) end = add(count++, end);
  }
  return test::built(builder);
}

std::vector<int> limbEnds(const Figure& figure) {
  std::vector<int> ends;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.children(i).empty()) ends.push_back(i);
  return ends;
}

Objective makeReachObjective(std::shared_ptr<const Figure> figure, std::span<const int> links, const Pose& there,
                             const Pose& rest, double stretch) {
  const Eigen::Vector3d tip(0.0, kLinkLength, 0.0);
  const Kinematics kinematics = transformsOf(*figure, there);
  std::vector<std::unique_ptr<Goal>> goals;
  for (const int link : links)
    goals.push_back(std::make_unique<PositionGoal>(link, tip, stretch * (kinematics.worldFromLink[link] * tip), 1e3,
                                                   figure->meanLinkLength()));
  std::vector<int> active(figure->stepSize());
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(figure->linkCount(), 0.0);
  Regulariser regulariser(*figure, rest, 1.0, rigidities);
  FeasibleSet feasible(*figure, limitsOf(*figure));
  return Objective(std::move(figure), std::move(goals), std::move(regulariser), std::move(feasible), std::move(active));
}

Pose bentPose(const Figure& figure, double bend, double t) {
  Pose pose = restPose(figure);
  for (Eigen::Index i = 0; i < pose.coordinates.size(); ++i)
    pose.coordinates[i] = bend * std::sin(1.7 * static_cast<double>(i) + t);
  return pose;
}

}  // namespace limber::test
