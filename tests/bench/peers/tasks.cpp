// SPDX-License-Identifier: MIT
#include "bench/peers/tasks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/problem/new_goal.h"
#include "locations.h"
#include "support/awkward_figure.h"
#include "support/hinge_tree.h"

namespace limber::bench {

namespace {

constexpr double kTargetWeight = 1e3;

std::shared_ptr<const Objective> objectiveOf(std::shared_ptr<const Figure> figure, std::unique_ptr<Goal> goal,
                                             double restWeight) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::move(goal));
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
  Regulariser regulariser(*figure, restPose(*figure), restWeight, rigidities);
  FeasibleSet feasible(*figure, limitsOf(*figure));
  return std::make_shared<Objective>(std::move(figure), std::move(goals), std::move(regulariser), std::move(feasible),
                                     std::move(active));
}

/// The pose of the scene with every hinge turned by a few degrees, as far as limits allow.
Pose pushedPose(const Objective& objective, const Pose& pose, std::mt19937& random) {
  constexpr double kPush = 0.15;  // radians
  std::normal_distribution<double> normal(0.0, kPush);
  Eigen::VectorXd step(objective.activeCount()), scratch;
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = normal(random);
  Pose pushed;
  objective.move(pose, step, scratch, pushed);
  return pushed;
}

}  // namespace

Pose randomPoseWithin(const Figure& figure, std::mt19937& random) {
  Pose pose = restPose(figure);
  for (const Joint& joint : figure.joints()) {
    const double lower = std::max(joint.limits.lower, -std::numbers::pi);
    const double upper = std::min(joint.limits.upper, std::numbers::pi);
    pose.coordinates[joint.poseIndex] = std::uniform_real_distribution<double>(lower, upper)(random);
  }
  return pose;
}

Task makeArmTask(int problems) {
  Task task{.name = "arm",
            .title = "7-joint arm, full pose to 1e-5, limits, random start",
            .figure = makeArm(),
            .length = 1e-5,
            .angle = 1e-5};
  const Site& tool = task.figure->sites()[static_cast<std::size_t>(task.figure->findSite("tool"))];
  std::mt19937 random(1);
  for (int i = 0; i < problems; ++i) {
    Problem problem;
    Kinematics kinematics;
    computeTransforms(*task.figure, randomPoseWithin(*task.figure, random), kinematics);
    const Transform target = kinematics.worldFromLink[static_cast<std::size_t>(tool.link)] * tool.linkFromSite;
    problem.start = randomPoseWithin(*task.figure, random);
    problem.targets = {{tool.link, tool.linkFromSite, target, true}};
    const double unit = task.figure->meanLinkLength();
    problem.objective =
        objectiveOf(task.figure,
                    std::make_unique<PositionOrientationGoal>(
                        PositionGoal(tool.link, tool.linkFromSite.translation, target.translation, 1.0, unit),
                        OrientationGoal(tool.link, tool.linkFromSite.rotation, target.rotation, {1.0, 1.0}, 1.0), 0.5,
                        kTargetWeight),
                    0.0);
    task.problems.push_back(std::move(problem));
  }
  return task;
}

Task makeChainTask(int links, int problems) {
  Task task{.name = "chain_" + std::to_string(links),
            .title = "planar chain of " + std::to_string(links) + " from straight, random goal in the disc",
            .figure = makePlanarChain(links)};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < problems; ++i) {
    const double radius = links * std::sqrt(unit(random)), angle = 2.0 * std::numbers::pi * unit(random);
    Problem problem;
    problem.start = restPose(*task.figure);
    problem.objective = std::make_shared<Objective>(
        test::makeChainObjective(links, {radius * std::cos(angle), radius * std::sin(angle), 0.0}, kTargetWeight, 1.0));
    task.problems.push_back(std::move(problem));
  }
  return task;
}

Task makeHumanTask(int problems, std::string& fault) {
  Task task{.name = "human", .title = "human, mixed goals, from rest"};
  auto scene = io::readScene(LIMBER_SOURCE_DIR "/resources/scenes/tube_vertebrae_independent.limber");
  if (!scene) {
    fault = scene.error().message();
    return task;
  }
  const Document start = *scene;
  task.figure = start.figure;
  Document met = start;
  Posing posing;
  if (const PosingReport report = solveToEnd(posing, met); report.outcome != Outcome::Reached) {
    fault = "the scene itself is not solved: " + report.sentence;
    return task;
  }
  const limber::PosedProblem asked = makeProblem(start, {});
  std::mt19937 random(3);
  for (int i = 0; i < problems; ++i) {
    Document document = start, pushed = met;
    pushed.pose = pushedPose(*asked.objective, met.pose, random);
    Kinematics kinematics;
    computeTransforms(*task.figure, pushed.pose, kinematics);
    for (GoalItem& goal : document.goals) askForPresent(pushed, kinematics, goal);
    limber::PosedProblem posed = makeProblem(document, {});
    task.problems.push_back({.start = document.pose,
                             .objective = std::move(posed.objective),
                             .targets = {},
                             .document = std::make_shared<Document>(document)});
  }
  return task;
}

Task makeDragTask(int problems) {
  constexpr int kJoints = 61, kLimbs = 5;
  constexpr double kStride = 0.006;  // metres, of all ends on average
  Task task{.name = "drag",
            .title = "drag, 61 degrees of freedom, 5 targets, 6 mm a step, to 1 mm",
            .figure = test::makeHingeTree(kJoints, kLimbs, true),
            .length = 1e-3,
            .isDrag = true};
  const std::vector<int> ends = test::limbEnds(*task.figure);
  const Pose start = test::bentPose(*task.figure, 0.4, 0.0);
  const auto tipsAt = [&](double t) {
    Kinematics kinematics;
    computeTransforms(*task.figure, test::bentPose(*task.figure, 0.4, t), kinematics);
    std::vector<FrameTarget> targets;
    for (const int end : ends) {
      const Transform tip = Transform::fromTranslation({0.0, 0.1, 0.0});
      targets.push_back({end, tip, kinematics.worldFromLink[static_cast<std::size_t>(end)] * tip, false});
    }
    return targets;
  };
  const auto strideOf = [&](double t, double dt) {
    const auto a = tipsAt(t), b = tipsAt(t + dt);
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k)
      sum += (b[k].worldFromTarget.translation - a[k].worldFromTarget.translation).norm();
    return sum / static_cast<double>(a.size());
  };
  double t = 0.0;
  for (int i = 0; i < problems; ++i) {
    constexpr double kSmall = 1e-6;
    t += kSmall * kStride / strideOf(t, kSmall);
    Problem problem{.start = start, .targets = tipsAt(t)};
    problem.objective = std::make_shared<Objective>(
        test::makeReachObjective(task.figure, ends, test::bentPose(*task.figure, 0.4, t), start));
    task.problems.push_back(std::move(problem));
  }
  return task;
}

}  // namespace limber::bench
