// SPDX-License-Identifier: MIT
// First page of src/render: makes a picture of a document.
//
// makeDrawList() turns a document into plain data, DrawList: capsules, blocks, a skin, each with the link or goal to
// which it belongs. Tests and picking read the same data that the Renderer draws with OpenGL. A View has the only
// projection of the program.
//
// Read next: render/draw_list.h, render/view.h; render/renderer.h draws a list, render/canvas.h keeps the window's
// picture, render/picture.h draws into a file.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/standard_figures.h"
#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render::render_first_page {
namespace {

using Eigen::Vector3d;

DrawList listOf(const Document& document, const Highlight& highlight = {}) {
  DrawList list;
  makeDrawList(document, transformsOf(*document.figure, document.pose), highlight, list);
  return list;
}

bool hasOutlinedLink(const DrawList& list, int link) {
  return std::ranges::any_of(list.capsules, [&](const DrawCapsule& capsule) {
    return capsule.link == link && capsule.outline == Outline::Selected;
  });
}

TEST(RenderFirstPage, EveryLinkIsDrawnWhereItIs) {
  const DrawList list = listOf(makeDocument(makeBallChain(3)));  // upright, 3 m tall
  for (int link = 0; link < 3; ++link)
    EXPECT_TRUE(std::ranges::any_of(list.capsules, [&](const DrawCapsule& capsule) {
      return capsule.layer == Layer::Scene && capsule.link == link && capsule.start.y() >= link - 1e-12 &&
             capsule.end.y() <= link + 1 + 1e-12;
    })) << link;
  EXPECT_GE(list.boundsMax.y(), 3.0);
}

TEST(RenderFirstPage, TheSelectionIsOutlined) {
  Document document = makeDocument(makeBallChain(3));
  EXPECT_FALSE(hasOutlinedLink(listOf(document), 1));
  document.selection = selectionOf({1}, 1);
  EXPECT_TRUE(hasOutlinedLink(listOf(document), 1));
}

TEST(RenderFirstPage, AViewProjectsToPixelsAndBack) {
  const View view = frameList(listOf(makeDocument(makeBallChain(3))), 800, 600, ViewFrom::Front);
  const Vector3d tip(0.0, 3.0, 0.0);
  const auto pixel = projectToPixel(view, tip);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->x(), 400.0, 1.0) << "the chain stands in the middle of the picture";
  EXPECT_LT(pixel->y(), 300.0) << "pixels count from the top";
  const Ray ray = rayThroughPixel(view, pixel->x(), pixel->y());
  EXPECT_LT((tip - ray.origin).cross(ray.direction).norm(), 1e-9) << "the ray passes through the tip";
}

}  // namespace
}  // namespace limber::render::render_first_page
