// SPDX-License-Identifier: MIT
// Random drags over every example, with goals of every type: for tests that look at many of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "example_scenes.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_types.h"

namespace limber::test {

using Random = std::mt19937_64;
inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution(low, high)(random);
}
inline int choose(Random& random, int count) { return std::uniform_int_distribution(0, count - 1)(random); }
inline Eigen::Vector3d anyVector(Random& random, double size) {
  return size * Eigen::Vector3d(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
}
inline Eigen::Matrix3d anyRotation(Random& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

/// Everything that has a scene or a figure file, and chains.
inline std::vector<std::pair<std::string, Document>> examples() {
  std::vector<std::pair<std::string, Document>> result;
  for (const char* name : {"planar:4", "ball:6", "humanoid"}) {
    const auto opened = io::openAny(name);
    EXPECT_TRUE(opened) << opened.error().message();
    if (opened) result.emplace_back(name, opened->document);
  }
  for (const char* folder : {"figures", "scenes"})
    for (const auto& entry :
         std::filesystem::directory_iterator(LIMBER_SOURCE_DIR "/resources/" + std::string(folder))) {
      const auto opened = io::openAny(entry.path().string());
      EXPECT_TRUE(opened) << opened.error().message();
      if (opened) result.emplace_back(entry.path().stem().string(), opened->document);
    }
  std::ranges::sort(result, {}, [](const auto& example) { return example.first; });  // folders list as they please
  return result;
}

/// A pose within the limits, every coordinate drawn anew.
inline void scramble(const FeasibleSet& set, const Document& document, Random& random, Pose& pose) {
  Eigen::VectorXd step(document.figure->stepSize());
  for (double& s : step) s = uniform(random, -1.5, 1.5);
  for (const Joint& joint : document.figure->joints())
    if (document.joints[static_cast<std::size_t>(&joint - document.figure->joints().data())].locked)
      step.segment(joint.stepIndex, stepSize(joint.type)).setZero();
  Pose moved;
  integrate(*document.figure, pose, step, moved);
  pose = moved;
  set.project(pose);
}

inline GoalItem anyGoal(const Document& document, const Kinematics& kinematics, Random& random) {
  const int links = document.figure->linkCount();
  const double size = document.figure->meanLinkLength();
  GoalItem goal;
  goal.type = static_cast<GoalType>(choose(random, static_cast<int>(goalTypes().size())));
  goal.link = choose(random, links);
  const bool hasBend = upperBoneOf(*document.figure, goal.link).link >= 0;
  if (infoOf(goal.type).isBend && !hasBend) goal.type = GoalType::Position;
  goal.pointInLink = anyVector(random, size);
  goal.frameInLink = anyRotation(random);
  const double away = size * std::pow(10.0, uniform(random, -2, 1.2));  // from near by to far out of reach
  goal.target =
      kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink + anyVector(random, away);
  goal.targetFrame = anyRotation(random);
  for (double& scale : goal.directionScale) scale = choose(random, 3) == 0 ? 0.0 : uniform(random, 0.1, 3.0);
  goal.positionShare = uniform(random, 0, 1);
  goal.distance.lower = choose(random, 2) ? uniform(random, 0, 3) * size : 0.0;
  goal.distance.upper = goal.distance.lower + (choose(random, 2) ? uniform(random, 0, 2) * size : 0.0);
  const OtherLink other = infoOf(goal.type).other;
  if (links > 1 && (other == OtherLink::Required || (other == OtherLink::Optional && choose(random, 2)))) do
      goal.otherLink = choose(random, links);
    while (goal.otherLink == goal.link);
  if (other == OtherLink::Required && links == 1) goal.type = GoalType::Position;
  goal.pointInOther = anyVector(random, size);
  goal.frameInOther = anyRotation(random);
  if (infoOf(goal.type).kept) goal.kept = document.pose;
  if (choose(random, 6) == 0) goal.anyOf = 1;
  goal.weight = choose(random, 10) == 0 ? 0.0 : std::pow(10.0, uniform(random, -2, 1));
  return goal;
}

struct Drag {
  Document document;
  PosingRequest request;
};

/// A document with up to four goals of its own, and a site or link pulled to a place that may be out of reach.
inline Drag anyDrag(const Document& example, const Pose& pose, Random& random) {
  Drag drag{example, {}};
  Document& document = drag.document;
  document.pose = pose;
  Kinematics kinematics;
  computeTransforms(*document.figure, pose, kinematics);
  if (choose(random, 2)) document.goals.clear();
  for (int count = choose(random, 5); count > 0; --count) {
    document.goals.push_back(anyGoal(document, kinematics, random));
    document.goals.back().id = document.nextGoalId++;
  }
  const int link = choose(random, document.figure->linkCount());
  const double size = document.figure->meanLinkLength();
  DragGoal pull{.link = link, .pointInLink = anyVector(random, 0.5 * size)};
  pull.target = kinematics.worldFromLink[static_cast<std::size_t>(link)] * pull.pointInLink +
                anyVector(random, size * std::pow(10.0, uniform(random, -3, 1)));
  drag.request.drag = pull;
  drag.request.freeRoot = choose(random, 8) == 0;
  return drag;
}

}  // namespace limber::test
