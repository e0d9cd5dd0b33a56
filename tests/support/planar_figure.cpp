// SPDX-License-Identifier: MIT
#include "support/planar_figure.h"

#include <cmath>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {

double drawn(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Transform awkwardPlace(std::mt19937& random) {
  Transform place;
  place.rotation = Eigen::AngleAxisd(drawn(random, -3.0, 3.0), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  for (int k = 0; k < 3; ++k) place.translation[k] = drawn(random, -1.0, 1.0);
  return place;
}

/// A locked joint that keeps the links after it in the plane.
Joint lockedJoint(int which, std::mt19937& random) {
  Joint joint{.type = JointType::Fixed, .parentFromJoint = awkwardPlace(random)};
  if (which == 1) joint.type = JointType::Revolute;
  if (which == 2) {
    joint.type = JointType::Prismatic;
    joint.axis = Eigen::Vector3d(0.6, 0.0, 0.8);
  }
  return joint;
}

}  // namespace

Objective makePlanarObjective(const PlanarOptions& options, std::mt19937& random) {
  FigureBuilder builder("planar");
  std::vector<int> hinges;
  int link = -1;
  for (int i = 0; i < options.hinges; ++i) {
    if (options.isAwkward && options.hasLocks && i % 3 == 1) {
      Joint joint = lockedJoint(i % 9 / 3, random);
      link = builder.addLink({.name = "lock" + std::to_string(i), .parent = link}, std::move(joint));
    }
    Joint joint{.type = JointType::Revolute};
    if (options.isAwkward) {
      joint.parentFromJoint = awkwardPlace(random);
      if (i % 4 == 2) joint.axis = -Eigen::Vector3d::UnitZ();
    } else if (i > 0) {
      joint.parentFromJoint = Transform::fromTranslation(Eigen::Vector3d::UnitX());
    }
    if (options.hasIdleLimit && i == 0) joint.limits = {-1e4, 1e4};
    link = builder.addLink({.name = "link" + std::to_string(i), .parent = link}, std::move(joint));
    hinges.push_back(link);
  }
  if (options.isAwkward)  // a branch that rides along, and a goal's place
    builder.addLink({.name = "thorn", .parent = hinges[hinges.size() / 2]}, lockedJoint(0, random));
  const auto figure = test::built(builder);

  const double size = options.hinges;
  std::vector<std::unique_ptr<Goal>> goals;
  for (int k = 0; k < options.goals; ++k) {
    int on = link;
    if (k == 1 && options.isAwkward) on = figure->linkCount() - 1;
    else if (k > 0) on = hinges[drawn(random, 0.0, 0.999) * options.hinges];
    Eigen::Vector3d point = Eigen::Vector3d::UnitX(),
                    target(drawn(random, -0.5, 0.5) * size, drawn(random, -0.5, 0.5) * size, 0.0);
    if (options.isAwkward) {
      point = Eigen::Vector3d(drawn(random, -1, 1), drawn(random, -1, 1), drawn(random, -1, 1));
      target.z() = drawn(random, -1, 1);
    }
    goals.push_back(std::make_unique<PositionGoal>(on, point, target, 1e3 * (k + 1), figure->meanLinkLength()));
  }
  std::vector<int> active;
  for (const int hinge : hinges) active.push_back(figure->joint(hinge).stepIndex);
  std::vector<double> rigidities(figure->linkCount(), 0.0), pulls(rigidities.size(), 0.0);
  Pose reference = restPose(*figure), kept = reference;
  std::vector<Regulariser> keepPoses;
  if (options.isAwkward) {
    for (std::size_t i = 0; i < rigidities.size(); ++i) {
      rigidities[i] = drawn(random, 0.0, 0.8);
      if (i % 2 == 0) pulls[i] = drawn(random, 0.0, 3.0);
    }
    for (Eigen::Index c = 0; c < reference.coordinates.size(); ++c) {
      reference.coordinates[c] = drawn(random, -0.4, 0.4);
      kept.coordinates[c] = drawn(random, -0.4, 0.4);
    }
    keepPoses.emplace_back(*figure, kept, pulls);
  }
  Objective objective(figure, std::move(goals), Regulariser(*figure, reference, options.restWeight, rigidities),
                      FeasibleSet(*figure, limitsOf(*figure)), active, std::move(keepPoses));
  if (options.isAwkward) {
    Residual shift(3);
    shift << 0.1, -0.2, 0.3;
    objective.setResidualShift(0, shift);
  }
  return objective;
}

Pose randomPlanarPose(const Objective& objective, double spread, std::mt19937& random) {
  Pose pose = restPose(objective.figure());
  for (const Joint& joint : objective.figure().joints()) {
    if (stepSize(joint.type) != 1) continue;
    const double within = objective.activeIndex(joint.stepIndex) >= 0 ? spread : 0.5;
    pose.coordinates[joint.poseIndex] = drawn(random, -within, within);
  }
  return pose;
}

}  // namespace limber::test
