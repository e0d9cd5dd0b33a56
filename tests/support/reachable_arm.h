// SPDX-License-Identifier: MIT
// The benchmark task of arm solvers: reach position and orientation of the tool in a random pose within the limits,
// from another random pose.
#pragma once

#include <memory>
#include <vector>

#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/objective.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber::test {

struct ArmProblem {
  std::shared_ptr<const Figure> figure;
  Pose start;
  Transform target;  ///< worldFromTool
};

/// A random pose, uniform within the limits.
inline Pose uniformPose(const Figure& figure, RandomStream& random) {
  Pose pose = restPose(figure);
  for (const Joint& joint : figure.joints())
    if (joint.type == JointType::Revolute || joint.type == JointType::Prismatic)
      pose.coordinates[joint.poseIndex] = random.uniform(joint.limits.lower, joint.limits.upper);
  return pose;
}

inline Transform toolOf(const Figure& figure, const Pose& pose) {
  const Site& tool = figure.sites()[figure.findSite("tool")];
  return transformsOf(figure, pose).worldFromLink[tool.link] * tool.linkFromSite;
}

inline ArmProblem makeArmProblem(std::shared_ptr<const Figure> arm, RandomStream& random) {
  const Transform target = toolOf(*arm, uniformPose(*arm, random));
  return {arm, uniformPose(*arm, random), target};
}

/// A goal of position and orientation, each with weight 1/2; the reference pose is the start.
inline Objective makeObjective(const ArmProblem& problem, double restWeight = 0.0) {
  const Figure& figure = *problem.figure;
  const Site& tool = figure.sites()[figure.findSite("tool")];
  const PositionGoal position(tool.link, tool.linkFromSite.translation, problem.target.translation, 1.0,
                              figure.meanLinkLength());
  const OrientationGoal orientation(tool.link, tool.linkFromSite.rotation, problem.target.rotation, {1.0, 1.0}, 1.0);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionOrientationGoal>(position, orientation, 0.5, 1.0));
  std::vector<int> active;
  for (int c = 0; c < figure.stepSize(); ++c) active.push_back(c);
  const std::vector<double> rigidities(figure.linkCount(), 0.0);
  return Objective(problem.figure, std::move(goals), Regulariser(figure, problem.start, restWeight, rigidities),
                   FeasibleSet(figure, limitsOf(figure)), std::move(active));
}

/// The remaining errors by forward kinematics: metres, radians.
struct ArmError {
  double position = 0.0, angle = 0.0;
};
inline ArmError errorOf(const ArmProblem& problem, const Pose& pose) {
  const Transform tool = toolOf(*problem.figure, pose);
  const Eigen::Matrix3d turn = tool.rotation.transpose() * problem.target.rotation;
  const Eigen::Vector3d axis(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  return {(tool.translation - problem.target.translation).norm(),
          std::atan2(0.5 * axis.norm(), 0.5 * (turn.trace() - 1.0))};
}

}  // namespace limber::test
