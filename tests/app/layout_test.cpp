// SPDX-License-Identifier: MIT
#include "app/settings/layout.h"

#include <gtest/gtest.h>

namespace limber::app::layout_test {
namespace {

TEST(Layout, PartsFillTheWindowWithoutOverlap) {
  const Layout l = divideWindow(1400, 900, 15, 22, {});
  EXPECT_DOUBLE_EQ(l.tree.width + l.picture.width + l.panels.width, 1400);
  EXPECT_DOUBLE_EQ(l.picture.x, l.tree.width);
  EXPECT_DOUBLE_EQ(l.panels.x, l.picture.x + l.picture.width);
  EXPECT_DOUBLE_EQ(l.picture.y + l.picture.height, l.status.y);
  EXPECT_DOUBLE_EQ(l.status.y + l.status.height, 900);
  EXPECT_DOUBLE_EQ(l.picture.y, 22);
}

TEST(Layout, HiddenPartsLeaveTheirPlaceToThePicture) {
  EXPECT_DOUBLE_EQ(divideWindow(1400, 900, 15, 22, {.tree = false, .panels = false}).picture.width, 1400);
}

TEST(Layout, TheRaceStandsBelowThePictureWhereThereIsRoom) {
  const Layout l = divideWindow(1400, 900, 15, 22, {.race = true});
  EXPECT_DOUBLE_EQ(l.race.y, l.picture.y + l.picture.height);
  EXPECT_DOUBLE_EQ(l.race.y + l.race.height, l.status.y);
  EXPECT_DOUBLE_EQ(l.race.width, l.picture.width);
  EXPECT_GT(l.race.height, 150);
  EXPECT_GT(l.picture.height, l.race.height);
  EXPECT_DOUBLE_EQ(divideWindow(640, 300, 30, 40, {.race = true}).race.height, 0.0);
}

TEST(Layout, WithLargeTextTheRaceTakesTheWindowsWidth) {
  const Layout l = divideWindow(1400, 900, 30, 44, {.race = true});
  EXPECT_DOUBLE_EQ(l.race.x, 0.0);
  EXPECT_DOUBLE_EQ(l.race.width, 1400);
  for (const Rectangle& above : {l.tree, l.picture, l.panels}) {
    EXPECT_GT(above.width, 0.0);
    EXPECT_DOUBLE_EQ(above.y + above.height, l.race.y);
  }
  const Layout without = divideWindow(1400, 900, 30, 44, {});
  EXPECT_DOUBLE_EQ(without.panels.y + without.panels.height, without.status.y);
}

TEST(Layout, ASmallWindowKeepsItsPanels) {
  const Layout l = divideWindow(1024, 640, 15, 22, {});
  EXPECT_GT(l.tree.width, 150);
  EXPECT_GT(l.panels.width, 300);
  EXPECT_GT(l.picture.width, 450);
}

TEST(Layout, WithLargeTextThePictureComesFirst) {
  const Layout l = divideWindow(640, 480, 45, 60, {});
  EXPECT_GE(l.picture.width, 0.45 * 640);
}

TEST(Layout, SizesThatWereAskedForAreKept) {
  const PartSizes sizes{.tree = 20.0, .panels = 30.0, .timeline = 14.0, .race = 22.0};
  const Layout l = divideWindow(1400, 900, 15, 22, {.race = true, .timeline = true, .sizes = sizes});
  EXPECT_DOUBLE_EQ(l.tree.width, 300);
  EXPECT_DOUBLE_EQ(l.panels.width, 450);
  EXPECT_DOUBLE_EQ(l.timeline.height, 210);
  EXPECT_DOUBLE_EQ(l.race.height, 330);
  EXPECT_DOUBLE_EQ(l.tree.width + l.picture.width + l.panels.width, 1400);
}

TEST(Layout, WhateverWasAskedForThePictureHasRoom) {
  const PartSizes huge{.tree = 200.0, .panels = 200.0, .timeline = 200.0, .race = 200.0};
  const Layout l = divideWindow(1400, 900, 15, 22, {.race = true, .timeline = true, .sizes = huge});
  EXPECT_GE(l.picture.width, 1400 / 6.0);
  EXPECT_GE(l.picture.height, 0.25 * (900 - 22 - l.status.height));
}

TEST(Layout, NothingIsNegativeInATinyWindow) {
  for (const double size : {0.0, 1.0, 20.0, 100.0}) {
    const Layout l = divideWindow(size, size, 15, 22, {});
    for (const Rectangle& r : {l.tree, l.panels, l.status, l.picture})
      EXPECT_TRUE(r.width >= 0.0 && r.height >= 0.0) << size;
  }
}

}  // namespace
}  // namespace limber::app::layout_test
