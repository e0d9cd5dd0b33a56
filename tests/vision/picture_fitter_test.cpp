// SPDX-License-Identifier: MIT
// Poses from pictures of known poses: reprojection, depth, wrong points, limits, and what cannot be fitted.
#include "limber/vision/picture_fitter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/loops.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/problem/ik_problem.h"
#include "support/awkward_figure.h"
#include "support/loop_figures.h"

namespace limber::picture_fitter_test {
namespace {

const PictureCamera& camera() {
  static const PictureCamera kCamera = cameraLookingAt({1.0, 0.8, 8.0}, {0.0, 1.0, 0.0}, 1400.0, {500.0, 500.0});
  return kCamera;
}

std::vector<FitPoint> allLinks(const Figure& figure) {
  std::vector<FitPoint> points;
  for (int i = 0; i < figure.linkCount(); ++i) points.push_back({i, {i, Eigen::Vector3d::Zero()}, 1.0});
  for (const Site& site : figure.sites())
    points.push_back({static_cast<int>(points.size()), {site.link, site.linkFromSite.translation}, 1.0});
  return points;
}

PictureView viewOf(const Figure& figure, const std::vector<FitPoint>& points, const Pose& pose,
                   const PictureCamera& from) {
  const Kinematics kinematics = transformsOf(figure, pose);
  PictureView view{from, {}};
  for (const FitPoint& point : points) view.seen.push_back({from.project(placeOf(kinematics, point.point)), 1.0});
  return view;
}

/// A chain of balls, bent toward and away from the camera, and how it is seen.
struct SeenChain {
  IkProblem problem = makeIkProblem(makeBallChain(4));
  std::vector<FitPoint> points = allLinks(*problem.figure);
  Pose truth;

  SeenChain() {
    std::mt19937 random(3);
    truth = problem.pose;
    Eigen::VectorXd step = Eigen::VectorXd::Zero(problem.figure->stepSize());
    for (double& turn : step) turn = std::uniform_real_distribution<double>(-0.4, 0.4)(random);
    integrate(*problem.figure, problem.pose, step, truth);
  }
  PictureView view(const PictureCamera& from = camera()) const { return viewOf(*problem.figure, points, truth, from); }
};

TEST(PictureCamera, ProjectsBackOntoTheRay) {
  const Eigen::Vector3d point(0.3, 1.4, -0.2);
  const Eigen::Vector2d pixel = camera().project(point);
  const Eigen::Vector3d along = point - camera().worldFromCamera.translation;
  EXPECT_LT(along.normalized().cross(camera().rayThrough(pixel).direction).norm(), 1e-12);
  EXPECT_NEAR(along.dot(camera().worldFromCamera.rotation.col(2)), camera().depthOf(point), 1e-12);
  EXPECT_TRUE(camera().project({0.0, 1.0, 0.0}).isApprox(Eigen::Vector2d(500.0, 500.0), 1e-9)) << "it looks there";
  EXPECT_LT(camera().project({0.0, 2.0, 0.0}).y(), 500.0) << "y counts down";
  EXPECT_TRUE(std::isnan(camera().project({0.0, 1.0, 20.0}).x())) << "behind";
  EXPECT_TRUE(isRotation(camera().worldFromCamera.rotation));
}

/// The same direction with parallel rays, 200 pixels a metre.
PictureCamera parallelCamera() {
  PictureCamera parallel = camera();
  parallel.isParallel = true;
  parallel.focal = 200.0;
  return parallel;
}

TEST(PictureCamera, ParallelRaysSeeBehindItAndInOneSize) {
  const PictureCamera parallel = parallelCamera();
  const Eigen::Vector3d ahead = parallel.ahead(), right = parallel.worldFromCamera.rotation.col(0);
  for (const double depth : {-5.0, 0.0, 7.0}) {
    const Eigen::Vector3d point = parallel.worldFromCamera.translation + depth * ahead + 0.5 * right;
    const Eigen::Vector2d pixel = parallel.project(point);
    EXPECT_TRUE(pixel.isApprox(Eigen::Vector2d(600.0, 500.0), 1e-9));
    EXPECT_LT((parallel.pointAt(pixel, depth) - point).norm(), 1e-12);
    EXPECT_LT((parallel.rayThrough(pixel).from - (point - depth * ahead)).norm(), 1e-12);
    EXPECT_EQ(parallel.rayThrough(pixel).direction, ahead);
    EXPECT_EQ(parallel.directionTo(point), ahead);
    EXPECT_EQ(parallel.pixelsPerMetre(depth, 0.1), 200.0);
  }
}

TEST(PictureFitter, MeetsEveryPixelOfParallelRays) {
  const SeenChain chain;
  for (const double back : {0.0, 10.0}) {  // before the figure, and behind it
    PictureCamera parallel = parallelCamera();
    parallel.worldFromCamera.translation += back * parallel.ahead();
    PictureFitter fitter(chain.problem, chain.points, {.noise = 0.1});
    const PictureView view = chain.view(parallel);
    const FittedPicture frame = fitter.fit({&view, 1});
    EXPECT_LT(frame.error, 0.05) << back;
    EXPECT_EQ(frame.points, static_cast<int>(chain.points.size()));
  }
}

TEST(PictureFitter, MeetsEveryPixelOfAFigureWithoutAPrior) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points, {.noise = 0.1});
  ASSERT_EQ(fitter.fault(), "");
  const std::vector<PictureView> views = {chain.view()};
  const FittedPicture frame = fitter.fit(views);
  EXPECT_LT(frame.error, 0.05);
  EXPECT_EQ(frame.points, static_cast<int>(chain.points.size()));
  // by hand, from the pose alone
  const PictureView shown = viewOf(*chain.problem.figure, chain.points, frame.pose, camera());
  double squares = 0.0;
  for (std::size_t i = 0; i < shown.seen.size(); ++i)
    squares += (shown.seen[i].place - views[0].seen[i].place).squaredNorm();
  EXPECT_NEAR(std::sqrt(squares / shown.seen.size()), frame.error, 1e-9);
}

TEST(PictureFitter, FindsTheDepthFromTwoViews) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points, {.noise = 0.1});
  const std::vector<PictureView> views = {
      chain.view(), chain.view(cameraLookingAt({8.0, 1.0, 1.0}, {0.0, 1.0, 0.0}, 1400.0, {500.0, 500.0}))};
  const FittedPicture frame = fitter.fit(views);
  const Kinematics found = transformsOf(*chain.problem.figure, frame.pose),
                   truth = transformsOf(*chain.problem.figure, chain.truth);
  for (const FitPoint& point : chain.points)
    EXPECT_LT((placeOf(found, point.point) - placeOf(truth, point.point)).norm(), 2e-3);
}

TEST(PictureFitter, AWrongPointBendsNothing) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points, {.noise = 1.0});
  std::vector<PictureView> views = {
      chain.view(), chain.view(cameraLookingAt({8.0, 1.0, 1.0}, {0.0, 1.0, 0.0}, 1400.0, {500.0, 500.0}))};
  views[0].seen[2].place += Eigen::Vector2d(300.0, -200.0);
  const FittedPicture frame = fitter.fit(views);
  EXPECT_EQ(frame.wrong, 1);
  const Kinematics found = transformsOf(*chain.problem.figure, frame.pose),
                   truth = transformsOf(*chain.problem.figure, chain.truth);
  for (const FitPoint& point : chain.points)
    EXPECT_LT((placeOf(found, point.point) - placeOf(truth, point.point)).norm(), 0.02);
}

TEST(PictureFitter, KeepsLimitsAndLocks) {
  auto figure = test::makeAwkwardFigure();
  IkProblem problem = makeIkProblem(figure);
  std::mt19937 random(11);
  const std::vector<FitPoint> points = allLinks(*figure);
  const PictureCamera far =
      cameraLookingAt(Eigen::Vector3d(0.5, 0.4, 30.0), Eigen::Vector3d::Zero(), 1400.0, {500.0, 500.0});
  const PictureView view = viewOf(*figure, points, test::randomPose(*figure, random), far);
  PictureFitter fitter(problem, points, {.noise = 3.0});
  ASSERT_EQ(fitter.fault(), "");
  const FittedPicture frame = fitter.fit({&view, 1});
  Pose inside = frame.pose;
  clampToLimits(problem, inside);
  EXPECT_LT((inside.coordinates - frame.pose.coordinates).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PictureFitter, TheSamePicturesGiveTheSameBits) {
  const SeenChain chain;
  std::vector<Pose> poses;
  for (int i = 0; i < 2; ++i) {
    PictureFitter fitter(chain.problem, chain.points);
    const PictureView view = chain.view();
    fitter.fit({&view, 1});
    poses.push_back(fitter.fit({&view, 1}).pose);
  }
  EXPECT_EQ(poses[0].coordinates, poses[1].coordinates);
}

TEST(PictureFitter, WhatIsForgottenLeavesNoTrace) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points);
  const PictureView view = chain.view();
  const FittedPicture first = fitter.fit({&view, 1});
  SeenChain other;
  other.truth = other.problem.pose;
  const PictureView elsewhere = other.view();
  fitter.fit({&elsewhere, 1});
  fitter.forget();
  EXPECT_EQ(fitter.fit({&view, 1}).pose.coordinates, first.pose.coordinates);
}

TEST(PictureFitter, WhatIsNotSeenStaysMissing) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points);
  PictureView view = chain.view();
  for (SeenPixel& seen : view.seen) seen.confidence = 0.0;
  const FittedPicture none = fitter.fit({&view, 1});
  EXPECT_EQ(none.points, 0);
  EXPECT_EQ(none.status, FitStatus::NotObserved);
  EXPECT_TRUE(std::isnan(none.error));
  EXPECT_TRUE(none.pose.coordinates.allFinite());
  view.seen.resize(2);
  view.seen[0].confidence = 1.0;
  const FittedPicture one = fitter.fit({&view, 1});
  EXPECT_EQ(one.points, 1);
  EXPECT_TRUE(one.pose.coordinates.allFinite());
}

TEST(PictureFitter, SaysWhatCannotBeFitted) {
  const SeenChain chain;
  EXPECT_NE(PictureFitter(chain.problem, {}).fault(), "");
  EXPECT_NE(PictureFitter(chain.problem, chain.points, {.noise = 0.0}).fault(), "");
  EXPECT_NE(PictureFitter(chain.problem, chain.points, {.priorWeight = NAN}).fault(), "");
  EXPECT_NE(PictureFitter(chain.problem, chain.points, {.smoothness = -1.0}).fault(), "");
  PictureFitter fitter(chain.problem, chain.points);
  PictureView view = chain.view();
  view.camera.focal = NAN;
  EXPECT_EQ(fitter.fit({&view, 1}).points, 0);
  EXPECT_NE(fitter.fault(), "");
}

struct Stop final : Observer {
  int left = 5;
  bool onIteration(const IterationRecord&, const Pose&) override { return --left > 0; }
};

TEST(PictureFitter, CanBeCancelled) {
  const SeenChain chain;
  PictureFitter fitter(chain.problem, chain.points);
  Stop stop;
  fitter.observe(&stop);
  const PictureView view = chain.view();
  EXPECT_EQ(fitter.fit({&view, 1}).status, FitStatus::Cancelled);
  EXPECT_EQ(stop.left, 0);
}

TEST(PictureFitter, LoopsAreClosedInEveryFrame) {
  const auto figure = test::makeParallelGripper();
  const IkProblem problem = makeIkProblem(figure);
  const std::vector<FitPoint> points = allLinks(*figure);
  const PictureCamera from = cameraLookingAt({0.3, 0.4, 2.0}, {0.0, 0.3, 0.0}, 1400.0, {500.0, 500.0});
  PictureFitter fitter(problem, points);
  ASSERT_EQ(fitter.fault(), "");
  for (int frame = 0; frame < 4; ++frame) {
    const Pose truth = test::closedPose(figure, 0.15, 0.1 * frame);
    const std::vector<PictureView> views = {viewOf(*figure, points, truth, from)};
    const FittedPicture found = fitter.fit(views);
    const LoopGap gap = largestGap(*figure, found.pose);
    EXPECT_LE(gap.length, 1e-9) << frame;
    EXPECT_LE(gap.angle, 1e-6) << frame;
    const PictureView shown = viewOf(*figure, points, found.pose, from);
    for (std::size_t k = 0; k < points.size(); ++k)
      EXPECT_LT((shown.seen[k].place - views[0].seen[k].place).norm(), 3.0) << frame << ", point " << k;
  }
}

}  // namespace
}  // namespace limber::picture_fitter_test
