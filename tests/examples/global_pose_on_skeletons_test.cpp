// SPDX-License-Identifier: MIT
// SDP-IK on hand and body: what was observed of a pose within the limits is met exactly, without a start.
#include <gtest/gtest.h>

#include "limber/io/figure_source.h"
#include "limber/solvers/convex/global_pose.h"
#include "locations.h"
#include "support/key_points.h"
#include "support/observed_figure.h"

namespace limber::global_pose_on_skeletons_test {
namespace {

constexpr int kPoses = 40;
constexpr double kExactPart = 1e-3;  // of the skeleton's size

struct Skeleton {
  const char* file;
  double size;  ///< metres
};

class SkeletonsPosedGlobally : public testing::TestWithParam<Skeleton> {};

TEST_P(SkeletonsPosedGlobally, MeetWhatAPoseMeets) {
  const auto source = io::openFigureSource(GetParam().file, LIMBER_SOURCE_DIR "/resources/figures");
  ASSERT_TRUE(source) << source.error().message();
  const std::shared_ptr<const Figure> figure = source->figure;
  std::mt19937 random(99);
  int deeper = 0;
  for (const bool onlyEnds : {false, true}) {
    const std::vector<Relaxation::Point> points = test::keyPoints(*figure, onlyEnds);
    const test::ObservedFigure first = test::observe(figure, points, 0.0, random);
    GlobalMethod method(first.objective(), limitsOf(*figure), restPose(*figure));
    ASSERT_EQ(method.fault(), "");
    for (int i = 0; i < kPoses; ++i) {
      const test::ObservedFigure observed = test::observe(figure, points, 0.0, random);
      const Objective objective = observed.objective();
      Pose pose = restPose(*figure);
      const GlobalSummary summary = method.solve(objective, pose);
      EXPECT_LT(observed.cost(pose), kExactPart * GetParam().size) << (onlyEnds ? "ends " : "all ") << i;
      EXPECT_LT(objective.feasibleSet().violation(pose), 1e-12);
      deeper += summary.tookHull;
    }
  }
  EXPECT_LE(deeper, kPoses / 5) << "the hull form is for the few";
}

INSTANTIATE_TEST_SUITE_P(Figures, SkeletonsPosedGlobally,
                         testing::Values(Skeleton{"hand.json", 0.1}, Skeleton{"body.json", 0.8}),
                         [](const auto& made) { return std::string(made.param.file).substr(0, 4); });

}  // namespace
}  // namespace limber::global_pose_on_skeletons_test
