// SPDX-License-Identifier: MIT
// First page of src/limber/vector: computes with several numbers at once.
//
// Inner loops compute the same for many links or many problems. `Lanes<double, 4>` holds four numbers, one per lane;
// each operator works on all four. There are no branches: a comparison gives a mask, and select() takes each lane from
// one of two results. A kernel is a header that is compiled twice, for the baseline and for AVX2; both give the same
// bits.
//
// Read next: vector/lanes.h; vector/processor.h, which says which of the two runs; and a kernel,
// kinematics/forward_kernel.h.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/vector/lanes.h"

namespace limber::LIMBER_KERNEL_NAMESPACE {
namespace vector_first_page {

using Four = Lanes<double, 4>;

TEST(VectorFirstPage, FourLinksAreTurnedAtOnce) {
  const Four angle = Four::of(0.0, std::numbers::pi / 6.0, std::numbers::pi / 2.0, std::numbers::pi);
  Four sine, cosine;
  sineCosine(angle, sine, cosine);
  const double length = 2.0;
  const Four x = Four::all(length) * cosine, y = Four::all(length) * sine;
  const double expectedX[] = {2.0, std::sqrt(3.0), 0.0, -2.0}, expectedY[] = {0.0, 1.0, 2.0, 0.0};
  for (int lane = 0; lane < 4; ++lane) {
    EXPECT_NEAR(x[lane], expectedX[lane], 1e-15);
    EXPECT_NEAR(y[lane], expectedY[lane], 1e-15);
  }
}

TEST(VectorFirstPage, AMaskTakesTheRoleOfAnIf) {
  // Joints at a limit of 1 stay there; the others move.
  const Four angle = Four::of(0.2, 0.7, 0.9, 1.0), step = Four::all(0.25), limit = Four::all(1.0);
  const auto isInside = angle + step <= limit;
  const Four moved = Four::select(isInside, angle + step, limit);
  const double expected[] = {0.45, 0.95, 1.0, 1.0};
  for (int lane = 0; lane < 4; ++lane) EXPECT_DOUBLE_EQ(moved[lane], expected[lane]);
  EXPECT_FALSE(areAll(isInside));
  EXPECT_TRUE(areAll(moved <= limit));
}

TEST(VectorFirstPage, NumbersAreLoadedFromMemoryAndStoredBack) {
  double lengths[] = {1.0, 2.0, 3.0, 4.0, 5.0};
  Four middle = Four::load(lengths + 1);  // any alignment
  middle *= Four::all(10.0);
  middle.store(lengths + 1);
  EXPECT_EQ(lengths[0], 1.0);
  EXPECT_EQ(lengths[1], 20.0);
  EXPECT_EQ(lengths[4], 50.0);
}

}  // namespace vector_first_page
}  // namespace limber::LIMBER_KERNEL_NAMESPACE
