// SPDX-License-Identifier: MIT
#include "app/settings/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace limber::app::window_place_test {
namespace {

const std::vector<ScreenArea> kOne = {{0, 25, 1920, 1055}};
const std::vector<ScreenArea> kTwo = {{0, 0, 1920, 1080}, {1920, 0, 2560, 1440}};

WindowPlace at(int x, int y, int width = 1000, int height = 700) {
  return {.width = width, .height = height, .x = x, .y = y, .isRemembered = true};
}

TEST(WindowPlace, StaysWhereItCanBeSeen) {
  EXPECT_EQ(broughtBack(at(100, 100), kOne), at(100, 100));
  EXPECT_EQ(broughtBack(at(-500, 40), kOne), at(-500, 40)) << "half beside the screen, as the user left it";
  EXPECT_EQ(broughtBack(at(2500, 300), kTwo), at(2500, 300));
}

TEST(WindowPlace, ComesBackFromAScreenThatIsGone) {
  EXPECT_EQ(broughtBack(at(2500, 300), kOne), at(920, 300));
  EXPECT_EQ(broughtBack(at(-5000, -5000), kOne), at(0, 25));
  EXPECT_EQ(broughtBack(at(100, 2000), kOne), at(100, 380));
}

TEST(WindowPlace, ItsUpperEdgeStaysInSight) {
  EXPECT_EQ(broughtBack(at(100, -300), kOne).y, 25);
  EXPECT_EQ(broughtBack(at(1900, 100), kOne).x, 920) << "a strip of 20 pixels is too little to take hold of";
}

TEST(WindowPlace, IsNoLargerThanTheScreen) {
  const WindowPlace place = broughtBack(at(0, 30, 4000, 3000), kOne);
  EXPECT_EQ(place.width, 1920);
  EXPECT_EQ(place.height, 1055);
}

TEST(WindowPlace, WithoutAScreenNothingIsKnown) {
  EXPECT_EQ(broughtBack(at(7, 8), {}), at(7, 8));
  EXPECT_EQ(broughtBack(at(7, 8), std::vector<ScreenArea>{{0, 0, 0, 0}}), at(7, 8));
}

}  // namespace
}  // namespace limber::app::window_place_test
