// SPDX-License-Identifier: MIT
#include "limber/scene/smooth_offsets.h"

#include <gtest/gtest.h>

namespace limber::smooth_offsets_test {
namespace {

TEST(SmoothOffsets, AreZeroWithoutDemands) {
  EXPECT_EQ(SmoothOffsets(5, 0.1, 0.2).solve(), Eigen::Matrix3Xd::Zero(3, 5));
}

TEST(SmoothOffsets, MeetFixedFramesAndDecayAway) {
  SmoothOffsets offsets(200, 0.01, 0.1);
  const Eigen::Vector3d wanted(0.1, -0.2, 0.3);
  offsets.fix(100, wanted);
  const Eigen::Matrix3Xd x = offsets.solve();
  EXPECT_LT((x.col(100) - wanted).norm(), 1e-5);
  EXPECT_LT(x.col(0).norm(), 1e-3);
  EXPECT_LT(x.col(199).norm(), 1e-3);
  EXPECT_LT((x.col(101) - x.col(99)).norm(), 1e-6) << "both sides are alike up to rounding";
}

TEST(SmoothOffsets, GoFromOneFixedFrameToTheNextAlongACubic) {
  constexpr int kCount = 21;
  SmoothOffsets offsets(kCount, 0.01, 100.0, 1e-9);  // so stiff that the pull does not count
  for (const int frame : {0, 1}) offsets.fix(frame, Eigen::Vector3d::Zero());
  for (const int frame : {19, 20}) offsets.fix(frame, Eigen::Vector3d::UnitY());
  const Eigen::Matrix3Xd x = offsets.solve();
  for (int i = 1; i + 4 < kCount - 1; ++i) {
    const double fourth = x(1, i) - 4 * x(1, i + 1) + 6 * x(1, i + 2) - 4 * x(1, i + 3) + x(1, i + 4);
    EXPECT_NEAR(fourth, 0.0, 1e-6) << i;
  }
}

TEST(SmoothOffsets, MeetADemandInItsDirectionOnly) {
  SmoothOffsets offsets(3, 0.1, 0.1);
  offsets.demand(1, Eigen::Vector3d::UnitX(), 0.5, 1e9);
  const Eigen::Matrix3Xd x = offsets.solve();
  EXPECT_NEAR(x(0, 1), 0.5, 1e-6);
  EXPECT_EQ(x.bottomRows(2).norm(), 0.0);
}

}  // namespace
}  // namespace limber::smooth_offsets_test
