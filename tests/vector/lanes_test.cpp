// SPDX-License-Identifier: MIT
#include "limber/vector/lanes.h"

#include <gtest/gtest.h>

#include <random>

namespace limber::LIMBER_KERNEL_NAMESPACE {
namespace {

template <class T>
double worstSineCosine(double range) {
  constexpr int kLanes = 4;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angles(-range, range);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    Lanes<T, kLanes> angle, sine, cosine;
    for (int i = 0; i < kLanes; ++i) angle.set(i, static_cast<T>(angles(random)));
    sineCosine(angle, sine, cosine);
    for (int i = 0; i < kLanes; ++i) {
      worst = std::max(worst, std::abs(sine[i] - std::sin(static_cast<double>(angle[i]))));
      worst = std::max(worst, std::abs(cosine[i] - std::cos(static_cast<double>(angle[i]))));
    }
  }
  return worst;
}

TEST(Lanes, SineAndCosineAreThoseOfTheLibrary) {
  EXPECT_LT(worstSineCosine<double>(10.0), 3e-16);
  EXPECT_LT(worstSineCosine<double>(1e5), 3e-16);
  EXPECT_LT(worstSineCosine<float>(10.0), 1.5e-7);
  EXPECT_LT(worstSineCosine<float>(100.0), 1.5e-7);
}

TEST(Lanes, SelectMinimumAndMaximumGoLaneByLane) {
  using L = Lanes<double, 4>;
  L a, b;
  for (int i = 0; i < 4; ++i) {
    a.set(i, i);
    b.set(i, 2.0 - i);
  }
  const L low = min(a, b), high = max(a, b), chosen = L::select(a <= b, L::all(1.0), L::all(-1.0));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(low[i], std::min<double>(i, 2.0 - i));
    EXPECT_EQ(high[i], std::max<double>(i, 2.0 - i));
    EXPECT_EQ(chosen[i], i <= 2.0 - i ? 1.0 : -1.0);
  }
}

TEST(Lanes, PicksAmongNeighboursOfTwo) {
  using L = Lanes<double, 4>;
  const double first[] = {0.0, 1.0, 2.0, 3.0}, second[] = {-4.0, -5.0, -6.0, -7.0};
  const L a = L::load(first), b = L::load(second), next = pick<1, 2>(a, b), twice = pick<1, 1>(a, b),
          size = absolute(b);
  const double expected[] = {1.0, -4.0, 3.0, -6.0}, doubled[] = {1.0, 1.0, 3.0, 3.0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(next[i], expected[i]);
    EXPECT_EQ(twice[i], doubled[i]);
    EXPECT_EQ(size[i], 4.0 + i);
  }
}

TEST(Lanes, BlendsRepeatsAndComparesAll) {
  using L = Lanes<double, 4>;
  const double first[] = {0.0, 1.0, 2.0, 3.0}, second[] = {4.0, 5.0, 6.0, 7.0};
  const L a = L::load(first), b = L::load(second), mixed = blend<0b1010>(a, b), pairs = repeat<double, 4>(second);
  const double blended[] = {0.0, 5.0, 2.0, 7.0}, repeated[] = {4.0, 5.0, 4.0, 5.0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(mixed[i], blended[i]);
    EXPECT_EQ(pairs[i], repeated[i]);
  }
  EXPECT_TRUE(areAll(a < b));
  EXPECT_TRUE(areAll((a < b) & (a <= mixed)));
  for (int i = 0; i < 4; ++i) {
    L c = b;
    c.set(i, first[i]);
    EXPECT_FALSE(areAll(a < c)) << i;
    EXPECT_FALSE(areAll((a < b) & (a < c))) << i;
  }
}

}  // namespace
}  // namespace limber::LIMBER_KERNEL_NAMESPACE
