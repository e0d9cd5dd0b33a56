// SPDX-License-Identifier: MIT
#include "render/ghosts.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"

namespace limber::render::ghosts_test {
namespace {

struct Scene {
  Document document = makeDocument(makePlanarChain(4));
  Kinematics solid, ghost;
  DrawList list;

  Scene() {
    document.goals.clear();
    computeKinematics(*document.figure, document.pose, solid);
    makeDrawList(document, solid, {}, list);
  }
  void turn(int joint, double angle) {
    Pose pose = document.pose;
    pose.coordinates[joint] += angle;
    computeTransforms(*document.figure, pose, ghost);
  }
};

TEST(Ghosts, ShowOnlyTheLinksThatStandElsewhere) {
  Scene scene;
  scene.turn(2, 0.5);
  const std::size_t before = scene.list.capsules.size();
  const Eigen::Vector3d low = scene.list.boundsMin, high = scene.list.boundsMax;
  const Ghost ghosts[] = {{&scene.ghost, {0.1f, 0.2f, 0.3f, 0.4f}}};
  appendGhosts(*scene.document.figure, scene.solid, ghosts, 0.01, scene.list);
  ASSERT_EQ(scene.list.capsules.size(), before + 2) << "the third and the fourth";
  for (std::size_t i = before; i < scene.list.capsules.size(); ++i) {
    const DrawCapsule& capsule = scene.list.capsules[i];
    EXPECT_EQ(capsule.layer, Layer::Ghost);
    EXPECT_EQ(capsule.link, -1) << "a ghost cannot be picked";
    EXPECT_EQ(capsule.goal, -1);
    EXPECT_EQ(capsule.color.alpha, 0.4f);
  }
  EXPECT_EQ(scene.list.boundsMin, low) << "a ghost does not count for framing";
  EXPECT_EQ(scene.list.boundsMax, high);
}

TEST(Ghosts, OfPosesThatAgreeTheFirstIsShown) {
  Scene scene;
  scene.turn(3, 0.5);
  const Ghost ghosts[] = {{&scene.ghost, {1.0f, 0.0f, 0.0f, 0.5f}}, {&scene.ghost, {0.0f, 1.0f, 0.0f, 0.5f}}};
  const std::size_t before = scene.list.capsules.size();
  appendGhosts(*scene.document.figure, scene.solid, ghosts, 0.01, scene.list);
  ASSERT_EQ(scene.list.capsules.size(), before + 1);
  EXPECT_EQ(scene.list.capsules.back().color.red, 1.0f);
}

TEST(Ghosts, WhatDiffersByLessThanTheToleranceIsNone) {
  Scene scene;
  scene.turn(0, 1e-4);
  EXPECT_FALSE(differs(*scene.document.figure, scene.solid, scene.ghost, 0.01));
  EXPECT_TRUE(differs(*scene.document.figure, scene.solid, scene.ghost, 1e-5));
  const Ghost ghosts[] = {{&scene.ghost, {}}};
  const std::size_t before = scene.list.capsules.size();
  appendGhosts(*scene.document.figure, scene.solid, ghosts, 0.01, scene.list);
  EXPECT_EQ(scene.list.capsules.size(), before);
}

}  // namespace
}  // namespace limber::render::ghosts_test
