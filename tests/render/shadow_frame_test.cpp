// SPDX-License-Identifier: MIT
#include "render/shadow_frame.h"

#include <gtest/gtest.h>

namespace limber::render::shadow_frame_test {
namespace {

DrawList makeList() {
  DrawList list;
  list.capsules.push_back({{-0.4, 0.2, 0.0}, {0.3, 1.6, 0.1}, 0.1, {}});
  list.boundsMin = {-0.5, 0.1, -0.1};
  list.boundsMax = {0.4, 1.7, 0.2};
  list.groundHeight = -0.3;
  return list;
}

View viewOf(const DrawList& list) { return frameFigure(list.boundsMin, list.boundsMax, list.planar, 800, 600); }

TEST(ShadowFrame, HoldsTheSceneAndSeesTheGroundBehindIt) {
  for (bool planar : {false, true}) {
    DrawList list = makeList();
    list.planar = planar;
    const View view = viewOf(list);
    const ShadowFrame frame = fitShadow(list, view);
    ASSERT_FALSE(frame.isEmpty);
    for (const Eigen::Vector3d& point : {list.boundsMin, list.boundsMax}) {
      const Eigen::Vector3d s = (frame.shadowFromWorld * (point - view.centre).homogeneous()).head<3>();
      EXPECT_GE(s.minCoeff(), -1e-9);
      EXPECT_LE(s.maxCoeff(), 1.0 + 1e-9);
    }
    // A point pushed along the light onto the plane keeps (u, v), and has the plane's depth there.
    const Plane plane = groundPlane(list);
    const Eigen::Vector3d light = lightDirection(list), point = 0.5 * (list.boundsMin + list.boundsMax);
    const Eigen::Vector3d onPlane = point - light * (point - plane.point).dot(plane.normal) / light.dot(plane.normal);
    const Eigen::Vector3d above = (frame.shadowFromWorld * (point - view.centre).homogeneous()).head<3>();
    const Eigen::Vector3d below = (frame.shadowFromWorld * (onPlane - view.centre).homogeneous()).head<3>();
    EXPECT_TRUE(above.head<2>().isApprox(below.head<2>(), 1e-9));
    EXPECT_NEAR(frame.planeDepth.dot(Eigen::Vector3d(below.x(), below.y(), 1.0)), below.z(), 1e-9);
    EXPECT_GT(below.z(), above.z()) << "depth grows away from the light";
    EXPECT_NEAR((below.z() - above.z()) * frame.depth, (onPlane - point).norm(), 1e-9) << "in metres";
  }
}

TEST(ShadowFrame, StaysNearWhatIsLookedAt) {
  DrawList list = makeList();
  const View view = viewOf(list);
  list.boundsMax.x() = 1e6;
  EXPECT_LT(fitShadow(list, view).width, 20.0 * (view.eye - view.centre).norm());
}

TEST(ShadowFrame, NothingOrTooThinCastsNothing) {
  DrawList list = makeList();
  const View view = viewOf(list);
  EXPECT_TRUE(fitShadow(DrawList{}, view).isEmpty);
  list.capsules[0].radius = 1e-4;
  EXPECT_TRUE(fitShadow(list, view).isEmpty);
  list = makeList();
  list.showGround = false;
  EXPECT_TRUE(fitShadow(list, view).isEmpty);
}

}  // namespace
}  // namespace limber::render::shadow_frame_test
