// SPDX-License-Identifier: MIT
// Figures fitted to the joints of motion capture. Needs the sample data next to the sources.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/io/open.h"
#include "limber/io/points/observations.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/fit.h"
#include "locations.h"

namespace limber::fit_test {
namespace {
namespace fs = std::filesystem;

constexpr double kOfHeight = 1e-6;  // required accuracy of a figure fitted to itself
constexpr int kFrames = 300;

class FitOfMotionCapture : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path clip = fs::path(LIMBER_SHARED_DATA_DIR) / "bvh" / "cmu_01_01.bvh";
    if (!fs::exists(clip)) GTEST_SKIP() << "no sample data in " << LIMBER_SHARED_DATA_DIR;
    auto read = io::readObservations(clip);
    auto opened = io::openAny(clip.string());
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_TRUE(opened) << opened.error().message();
    seen_ = read->observations;
    source_ = opened->document;
  }

  /// `count` frames from `first` on.
  Observations cut(int first, int count) const {
    Observations out = seen_;
    const auto width = seen_.positions.begin() + first * seen_.pointCount();
    out.positions.assign(width, width + count * seen_.pointCount());
    out.frameCount = count;
    return out;
  }

  static std::vector<FitPoint> match(const Document& document, const Observations& seen) {
    std::vector<FitPoint> points;
    const std::vector<std::string> names = guessPointNames(document, seen.names);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!names[i].empty()) points.push_back({static_cast<int>(i), *findPoint(*document.figure, names[i]), 1.0});
    return points;
  }

  Observations seen_;
  Document source_;
};

double heightOf(const Figure& figure) {
  Kinematics rest;
  computeTransforms(figure, restPose(figure), rest);
  double lowest = 1e9, highest = -1e9;
  for (const Transform& link : rest.worldFromLink) {
    lowest = std::min(lowest, link.translation.y());
    highest = std::max(highest, link.translation.y());
  }
  return highest - lowest;
}

/// The largest turn of a link in the world from one pose to the next, radians.
double largestTurn(const Figure& figure, const Pose& before, const Pose& after) {
  Kinematics a, b;
  computeTransforms(figure, before, a);
  computeTransforms(figure, after, b);
  double largest = 0.0;
  for (std::size_t i = 0; i < a.worldFromLink.size(); ++i) {
    const Eigen::Matrix3d turn = a.worldFromLink[i].rotation.transpose() * b.worldFromLink[i].rotation;
    largest = std::max(largest, logarithm(Eigen::Quaterniond(turn)).norm());
  }
  return largest;
}

TEST_F(FitOfMotionCapture, FindsEveryJointOfItsOwnSkeleton) {
  const Observations seen = cut(0, kFrames);
  const std::vector<FitPoint> points = match(source_, seen);
  ASSERT_EQ(points.size(), 38u);  // 31 joints and 7 ends
  const FitResult result = fitMotion(source_, seen, points);
  ASSERT_EQ(result.fault, "");
  const double tolerance = kOfHeight * heightOf(*source_.figure);
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_LT(result.points[k].worst, tolerance) << seen.names[static_cast<std::size_t>(points[k].observed)];
    EXPECT_EQ(result.points[k].frames, kFrames);
  }
}

TEST_F(FitOfMotionCapture, PlaysOnAnotherBodyWithoutAJump) {
  const auto humanoid = io::openAny("humanoid");
  ASSERT_TRUE(humanoid) << humanoid.error().message();
  const Document& document = humanoid->document;
  constexpr int kFirst = 100;  // behind the jump of the clip itself, from the pose of calibration to the first step
  const Observations seen = cut(kFirst, kFrames);
  const std::vector<FitPoint> points = match(document, seen);
  EXPECT_EQ(points.size(), 15u);  // limbs and head
  const FitScale scale = guessFitScale(*document.figure, seen, points);
  const FitResult result = fitMotion(document, seen, points, {.scale = scale.scale});
  ASSERT_EQ(result.fault, "");
  double ofSource = 0.0, ofFit = 0.0;
  for (int i = 1; i < kFrames; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ofFit = std::max(ofFit, largestTurn(*document.figure, result.frames[at - 1].pose, result.frames[at].pose));
    const auto poseOf = [&](int frame) { return source_.motion->poseAt(*source_.figure, kFirst + frame); };
    ofSource = std::max(ofSource, largestTurn(*source_.figure, poseOf(i - 1), poseOf(i)));
  }
  EXPECT_LE(ofFit, ofSource);
  EXPECT_LT(result.worstCost, 0.025 * heightOf(*document.figure));  // bodies differ; none is far off
}

TEST_F(FitOfMotionCapture, NoiseAndGapsAreSurvived) {
  constexpr double kNoise = 0.01;  // metres
  Observations seen = cut(0, kFrames);
  unsigned state = 1;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; };
  for (Eigen::Vector3d& place : seen.positions) {
    place += 2.0 * kNoise * Eigen::Vector3d(next(), next(), next());
    if (next() > 0.4) place = Observations::missing();  // one in ten
  }
  const FitResult result = fitMotion(source_, seen, match(source_, seen));
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(result.worstCost, kNoise);
  for (const FittedFrame& frame : result.frames) EXPECT_EQ(frame.status, FitStatus::Converged);
}

}  // namespace
}  // namespace limber::fit_test
