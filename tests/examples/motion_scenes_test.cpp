// SPDX-License-Identifier: MIT
// The scenes with a timeline: each is baked, and every frame judged by forward kinematics.
#include <gtest/gtest.h>

#include <algorithm>

#include "clearances.h"
#include "example_scenes.h"
#include "limber/body/balance.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/bake.h"
#include "limber/scene/clock.h"

namespace limber::motion_scenes_test {
namespace {

constexpr double kReached = 1e-3;     // metres, radians: about a hundredth of a link
constexpr double kSteadyTurn = 0.35;  // radians from a frame to the next
constexpr double kHeldStill = 1e-3;   // metres
constexpr double kMostInside = 1e-3;  // metres

class MotionScene : public testing::TestWithParam<const char*> {
 protected:
  Document document_ = test::openExample(GetParam());

  Document frameOf(const BakeResult& result, int frame) const {
    Document at = document_;
    at.pose = result.motion->poseAt(*document_.figure, frame);
    return at;
  }
};

TEST_P(MotionScene, PlaysFromStartToEndWithinLimits) {
  ASSERT_TRUE(document_.timeline);
  const BakeResult result = bake(document_);
  ASSERT_EQ(result.fault, "");
  ASSERT_EQ(static_cast<int>(result.frames.size()), clockOf(*document_.timeline).frameCount);
  EXPECT_EQ(result.jumps, 0) << result.sentence();
  EXPECT_LE(result.largestTurn, kSteadyTurn) << result.sentence();
  EXPECT_EQ(result.unreached, 0) << result.sentence();
  const FeasibleSet limits = test::feasibleSetOf(document_);
  for (int frame = 0; frame < static_cast<int>(result.frames.size()); ++frame) {
    const Document at = frameOf(result, frame);
    ASSERT_TRUE(isValid(*at.figure, at.pose)) << frame;
    EXPECT_LT(limits.violation(at.pose), 1e-9) << frame;
    EXPECT_LT(result.frames[static_cast<std::size_t>(frame)].error, kReached) << frame;
    EXPECT_LT(result.frames[static_cast<std::size_t>(frame)].angle, kReached) << frame;
  }
}

TEST_P(MotionScene, KeepsBalanceAndPinsWhereItIsAsked) {
  const BakeResult result = bake(document_);
  ASSERT_EQ(result.fault, "");
  Kinematics start, now;
  computeTransforms(*document_.figure, document_.pose, start);
  const std::vector<int> planted = plantedLinks(document_, start);
  for (int frame = 0; frame < static_cast<int>(result.frames.size()); ++frame) {
    const Document at = frameOf(result, frame);
    computeTransforms(*at.figure, at.pose, now);
    for (const Pin& pin : at.pins)
      EXPECT_LT(pinErrorOf(now, pin).length, kHeldStill) << frame << ", " << at.figure->link(pin.link).name;
    if (!at.keepsBalance) continue;
    for (const int foot : planted)
      EXPECT_LT((now.worldFromLink[static_cast<std::size_t>(foot)].translation -
                 start.worldFromLink[static_cast<std::size_t>(foot)].translation)
                    .norm(),
                kHeldStill)
          << frame;
    EXPECT_GE(supportMargin(supportPolygon(*at.figure, now, planted), onGround(centreOfMassOf(*at.figure, now))),
              -kHeldStill)
        << frame;
  }
}

TEST_P(MotionScene, KeepsOutOfObstacles) {
  const BakeResult result = bake(document_);
  ASSERT_EQ(result.fault, "");
  for (int frame = 0; frame < static_cast<int>(result.frames.size()); ++frame)
    EXPECT_GT(test::leastClearance(frameOf(result, frame)), -kMostInside) << frame;
}

TEST_P(MotionScene, IsTheSameBitForBitWhenBakedAgain) {
  EXPECT_EQ(bake(document_, {.to = 0.5}).motion->poses, bake(document_, {.to = 0.5}).motion->poses);
}

INSTANTIATE_TEST_SUITE_P(Scenes, MotionScene,
                         testing::Values("reach_under_a_table", "step_over_a_box", "carry_a_cup", "pull_a_rope",
                                         "pupper_closes_the_door_along_a_path"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace limber::motion_scenes_test
