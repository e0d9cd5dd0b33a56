// SPDX-License-Identifier: MIT
// Timelines of real figures, baked and exported: hands and a paw along curves, without a jump; as BVH read back.
#include <gtest/gtest.h>

#include "example_scenes.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/open.h"
#include "limber/posing/posed_problem.h"
#include "limber/scene/bake.h"

namespace limber::example_bake_test {
namespace {

using V = Eigen::Vector3d;

int addSiteGoal(Document& document, const char* name) {
  const int index = document.figure->findSite(name);
  EXPECT_GE(index, 0) << name;
  const Site& site = document.figure->sites()[static_cast<std::size_t>(index)];
  return addGoal(document, site.link, site.linkFromSite.translation);
}

/// A path from where the goal is, through places given relative to that.
void follow(Document& document, int goal, const std::vector<V>& places) {
  addPath(document, goal);
  TargetPath& path = *findPath(changeTimeline(document), goal);
  path.points.resize(1);
  for (const V& place : places) path.points.push_back(path.points[0] + place);
}

void expectWithinLimits(const Document& document, const BakeResult& result) {
  ASSERT_EQ(result.fault, "");
  const FeasibleSet set(*document.figure, limitsOf(document));
  for (int k = 0; k < result.motion->frameCount; ++k)
    EXPECT_LE(set.violation(result.motion->poseAt(*document.figure, k)), 1e-9) << k;
}

Document humanoidThatWaves() {
  const auto opened = io::openAny("humanoid");
  EXPECT_TRUE(opened) << opened.error().message();
  Document document = opened->document;
  follow(document, addSiteGoal(document, "right_palm"), {V(-0.1, 0.3, 0.2), V(0.1, 0.5, 0.25), V(0.25, 0.4, 0.3)});
  follow(document, addSiteGoal(document, "left_palm"), {V(0, 0.1, 0.3), V(-0.2, 0.3, 0.35)});
  return document;
}

TEST(ExampleBake, HumanoidMovesBothHandsWithoutAJump) {
  for (const PosingChoice posing : {PosingChoice::Even, PosingChoice::Natural, PosingChoice::Still}) {
    Document document = humanoidThatWaves();
    document.solver.posing = posing;
    const BakeResult result = bake(document);
    expectWithinLimits(document, result);
    EXPECT_EQ(result.frames.size(), 121u);
    EXPECT_EQ(result.unreached, 0) << posingName(posing) << ": " << result.sentence();
    EXPECT_EQ(result.jumps, 0) << posingName(posing) << ": " << result.sentence();
  }
}

TEST(ExampleBake, InNaturalFeetAndTrunkStayWhileHandsMove) {
  Document document = humanoidThatWaves();
  document.solver.posing = PosingChoice::Natural;
  const BakeResult result = bake(document);
  ASSERT_EQ(result.fault, "");
  Kinematics before, now;
  computeTransforms(*document.figure, document.pose, before);
  for (int frame = 0; frame < result.motion->frameCount; frame += 10) {
    computeTransforms(*document.figure, result.motion->poseAt(*document.figure, frame), now);
    const auto way = [&](const char* link) {
      const auto i = static_cast<std::size_t>(document.figure->findLink(link));
      return (now.worldFromLink[i].translation - before.worldFromLink[i].translation).norm();
    };
    EXPECT_LT(way("left_foot"), 1e-5) << frame;
    EXPECT_LT(way("chest"), 0.02) << frame;
  }
}

TEST(ExampleBake, PupperSwingsAPawWithoutAJump) {
  Document document = test::openExample("pupper_point_on_the_shin");
  ASSERT_TRUE(document.figure);
  follow(document, document.goals[0].id, {V(0.02, 0.03, 0), V(0.04, 0.03, 0.01), V(0.05, 0, 0)});
  const BakeResult result = bake(document);
  expectWithinLimits(document, result);
  EXPECT_EQ(result.jumps, 0) << result.sentence();
}

/// How far the lowest capsule is above a plane, metres.
double leastAbove(const Document& document, const Pose& pose, const Obstacle& plane) {
  Kinematics kinematics;
  computeTransforms(*document.figure, pose, kinematics);
  const Transform planeFromWorld = plane.worldFromObstacle.inverse();
  double least = 1e300;
  for (int link = 0; link < document.figure->linkCount(); ++link)
    for (const Capsule& capsule : document.figure->link(link).capsules)
      for (const V& end : {capsule.start, capsule.end}) {
        const V place = kinematics.worldFromLink[static_cast<std::size_t>(link)] * end;
        least = std::min(least, (planeFromWorld * place).y() - capsule.radius);
      }
  return least;
}

TEST(ExampleBake, HandsStopAtAWallWithKeyedPosesAndWithout) {
  for (const bool isKeyed : {false, true}) {
    Document document = humanoidThatWaves();
    Obstacle wall{.name = "wall", .shape = Obstacle::Shape::Plane};
    wall.worldFromObstacle.rotation = Eigen::AngleAxisd(-1.5707963267948966, V::UnitX()).toRotationMatrix();
    wall.worldFromObstacle.translation.z() = 0.35;
    addObstacle(document, wall);
    ASSERT_GT(leastAbove(document, document.pose, document.obstacles[0]), 0.0);
    if (isKeyed) {
      keyPose(document);
      document.time = 4.0;
      const int head = document.figure->findJoint("head");
      if (head >= 0 && isScalar(document.figure->joint(head)))
        document.pose.coordinates[document.figure->joint(head).poseIndex] += 0.2;
      keyPose(document);
      document.time = 0.0;
    }
    const BakeResult result = bake(document);
    expectWithinLimits(document, result);
    EXPECT_GT(result.unreached, 10) << "the hands' curves go through the wall";
    EXPECT_EQ(result.insideFrames, 0) << result.sentence();
    EXPECT_EQ(result.jumps, 0) << result.sentence();
    for (int k = 0; k < result.motion->frameCount; ++k)
      EXPECT_GT(leastAbove(document, result.motion->poseAt(*document.figure, k), document.obstacles[0]), -1e-3) << k;
  }
}

TEST(ExampleBake, BvhReadsBackAsItWasBaked) {
  Document document = humanoidThatWaves();
  changeTimeline(document).length = 1.0;
  takeBaked(bake(document), document);
  const auto written = io::formatBvh(document);
  ASSERT_TRUE(written) << written.error().message();
  const auto read = io::readBvh(written->bytes, "baked.bvh");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_TRUE(read->motion);
  ASSERT_EQ(read->motion->frameCount, 31);
  Kinematics ours, theirs;
  for (int frame = 0; frame < 31; ++frame) {
    computeTransforms(*document.figure, document.motion->poseAt(*document.figure, frame), ours);
    computeTransforms(*read->figure, read->motion->poseAt(*read->figure, frame), theirs);
    for (int link = 0; link < document.figure->linkCount(); ++link) {
      const int same = read->figure->findLink(document.figure->link(link).name);
      if (same < 0) continue;  // what does not move on its own has no bone
      EXPECT_LT((ours.worldFromLink[static_cast<std::size_t>(link)].translation -
                 theirs.worldFromLink[static_cast<std::size_t>(same)].translation)
                    .norm(),
                1e-5)
          << frame << ' ' << document.figure->link(link).name;
    }
  }
}

}  // namespace
}  // namespace limber::example_bake_test
