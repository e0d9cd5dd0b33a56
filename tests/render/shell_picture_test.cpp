// SPDX-License-Identifier: MIT
// The shell of a workspace in offscreen pictures; skipped, visibly, where the system has no OpenGL context.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "render/offscreen_fixture.h"
#include "render/picture.h"

namespace limber::render::shell_picture_test {
namespace {

using test::kShaders;
using ShellPicture = test::Offscreen;

constexpr int kWidth = 320, kHeight = 240;

/// A ball around the figure, or a disc in its plane; what is beyond it on the left is not found.
DrawShell makeBall(bool isPlanar, CellState left = CellState::ProvedOutside) {
  ReachMap map{.corner = {-2.0, isPlanar ? -2.0 : -1.0, isPlanar ? 0.0 : -2.0}, .edge = 0.2, .size = {20, 20, 20}};
  map.isPlanar = isPlanar;
  if (isPlanar) map.size[2] = 1;
  map.cells.assign(static_cast<std::size_t>(map.cellCount()), CellState::ProvedOutside);
  const Eigen::Vector3d middle = map.corner + 2.0 * Eigen::Vector3d(1.0, 1.0, isPlanar ? 0.0 : 1.0);
  for (int cell = 0; cell < map.cellCount(); ++cell) {
    const Eigen::Vector3d off = map.centreOf(cell) - middle;
    if (off.norm() < 1.5) map.cells[static_cast<std::size_t>(cell)] = CellState::Reachable;
    else if (off.x() < 0.0) map.cells[static_cast<std::size_t>(cell)] = left;
  }
  return {std::make_shared<const ReachShell>(makeReachShell(map)), 0.8f};
}

Picture draw(const Document& document, const DrawShell& shell) {
  std::string error;
  auto picture = drawPicture(document, kWidth, kHeight, kShaders, error, {.shell = shell});
  EXPECT_TRUE(picture) << error;
  return picture.value_or(Picture{});
}

Document makeScene(bool isPlanar) {
  Document document = makeDocument(isPlanar ? makePlanarChain(1) : makeBallChain(1));
  document.goals.clear();
  return document;
}

struct Colors {
  int blue = 0, amber = 0;
};
Colors colorsOf(const Picture& picture) {
  Colors colors;
  for (std::size_t i = 0; i + 2 < picture.pixels.size(); i += 3) {
    const int red = picture.pixels[i], blue = picture.pixels[i + 2];
    colors.blue += blue > red + 35;
    colors.amber += red > blue + 60;
  }
  return colors;
}

TEST_F(ShellPicture, IsBlueWhereItIsProved) {
  for (const bool isPlanar : {false, true}) {
    const Document document = makeScene(isPlanar);
    const DrawShell shell = makeBall(isPlanar);
    const Colors without = colorsOf(draw(document, {})), with = colorsOf(draw(document, shell));
    EXPECT_GT(with.blue, without.blue + (isPlanar ? 500 : 3000)) << isPlanar;
    EXPECT_LT(with.amber, 2000) << isPlanar;
  }
}

TEST_F(ShellPicture, IsStripedWhereNothingWasFound) {
  for (const bool isPlanar : {false, true}) {
    const Document document = makeScene(isPlanar);
    const Colors proved = colorsOf(draw(document, makeBall(isPlanar)));
    const Colors open = colorsOf(draw(document, makeBall(isPlanar, CellState::NotFound)));
    EXPECT_GT(open.amber, proved.amber + (isPlanar ? 100 : 1500)) << isPlanar;
    EXPECT_LT(open.blue, proved.blue) << isPlanar;
  }
}

TEST_F(ShellPicture, TheFigureShowsThroughIt) {
  const Document document = makeScene(false);
  DrawShell shell = makeBall(false);
  shell.opacity = 0.3f;
  const View view = [&] {
    Kinematics kinematics;
    computeKinematics(*document.figure, document.pose, kinematics);
    DrawList list;
    makeDrawList(document, kinematics, {}, list);
    return frameList(list, kWidth, kHeight);
  }();
  std::string error;
  const auto bare = drawPicture(document, kWidth, kHeight, kShaders, error, {.view = &view});
  const auto veiled = drawPicture(document, kWidth, kHeight, kShaders, error, {.view = &view, .shell = shell});
  ASSERT_TRUE(bare && veiled) << error;
  const std::size_t middle = 3 * static_cast<std::size_t>(kWidth * (kHeight / 2) + kWidth / 2);
  EXPECT_NE(bare->pixels[middle], veiled->pixels[middle]);
  EXPECT_NEAR(bare->pixels[middle], veiled->pixels[middle], 80) << "not hidden";
}

}  // namespace
}  // namespace limber::render::shell_picture_test
