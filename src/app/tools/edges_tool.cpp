// SPDX-License-Identifier: MIT
// Edges drawn over the reference picture, two for each of two perpendicular directions, find its camera.
#include <algorithm>
#include <array>
#include <span>

#include "app/stage/picture_view.h"
#include "app/tools/tools.h"
#include "app/view/reference_camera.h"
#include "limber/vision/camera_from_picture.h"

namespace limber::app {

namespace {

constexpr std::size_t kEnds = 8;  // of two edges for each of two directions
constexpr double kReach = 10.0;   // from the cursor to an end that is picked, pixels at display scale 1

/// Where the window shows a pixel of the picture.
std::optional<Eigen::Vector2d> inWindow(const Stage& stage, const Eigen::Vector2d& pixel) {
  const PictureCamera& camera = shownPicture(stage.document())->camera;
  const double depth = camera.depthOf(stage.picture.drawList.reference.corners[0]);
  return render::projectToPixel(stage.picture.view(), camera.pointAt(pixel, depth));
}

/// The index of the end that is drawn there; -1 for none.
int endNear(const Stage& stage, double x, double y) {
  const auto& pixels = stage.ui.planting->pixels;
  int nearest = -1;
  double least = kReach * stage.picture.displayScale;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto at = inWindow(stage, pixels[i]);
    if (!at || (*at - Eigen::Vector2d(x, y)).norm() >= least) continue;
    least = (*at - Eigen::Vector2d(x, y)).norm();
    nearest = static_cast<int>(i);
  }
  return nearest;
}

void useEdges(Stage& stage) {
  const auto& pixels = stage.ui.planting->pixels;
  std::array<PictureEdge, kEnds / 2> edges;
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {pixels[2 * i], pixels[2 * i + 1]};
  const auto found =
      cameraFromEdges(std::span(edges).first(2), std::span(edges).last(2), shownPicture(stage.document())->camera);
  if (!found)
    return stage.fail(
        "These edges do not determine the camera: draw two parallel edges some distance apart, and two at right angles "
        "to them");
  const Eigen::Vector3d pivot = referencePivot(stage);
  changeShownCamera(stage, "camera from edges", [&](PictureCamera& camera) {
    setFocal(camera, pivot, found->focal);
    turnAbout(camera, pivot, found->worldFromCamera);
  });
  if (found->tellsFocal) stage.say("The camera fits the edges. Drag an end to correct it", 8.0);
  else stage.say("The camera is turned; the edges do not determine its field of view, which is unchanged", 8.0);
}

/// Places the grabbed end of an edge, or else grabs the end at the cursor or begins an edge there.
void placeEnd(Stage& stage, double x, double y) {
  Planting& planting = *stage.ui.planting;
  const auto pixel = shownPixelAt(stage, x, y);
  if (!pixel) return stage.fail("click in the picture");
  if (planting.inHand >= 0) {
    planting.pixels[static_cast<std::size_t>(planting.inHand)] = *pixel;
    planting.inHand = -1;
    if (planting.pixels.size() == kEnds) useEdges(stage);
    return;
  }
  planting.inHand = endNear(stage, x, y);
  if (planting.inHand >= 0 || planting.pixels.size() == kEnds) return;
  planting.pixels.insert(planting.pixels.end(), 2, *pixel);
  planting.inHand = static_cast<int>(planting.pixels.size()) - 1;
}

struct EdgesTool : PictureTool {
  /// Begins an edge where the mouse was pressed, or grabs the end that is there.
  std::unique_ptr<Tool> leave(Stage& stage, const Modifiers& held) override {
    const auto& planting = stage.ui.planting;
    if (planting && planting->inHand < 0) placeEnd(stage, stage.pointer.pressX, stage.pointer.pressY);
    return planting && planting->inHand >= 0 ? nullptr : PictureTool::leave(stage, held);
  }
  /// Moves the grabbed end to the cursor, whether a button is pressed or not.
  void move(Stage& stage, const Modifiers&, const Eigen::Vector2d&) override {
    auto& planting = stage.ui.planting;
    if (!planting || planting->inHand < 0) return;
    if (const auto pixel = shownPixelAt(stage, stage.pointer.x, stage.pointer.y))
      planting->pixels[static_cast<std::size_t>(planting->inHand)] = *pixel;
  }
  void draw(const Stage& stage, Overlay& overlay) const override {
    if (!stage.ui.planting || !shownPicture(stage.document())) return;
    const auto& pixels = stage.ui.planting->pixels;
    overlay.lines.clear();
    for (std::size_t i = 0; i + 1 < pixels.size(); i += 2) {
      const auto from = inWindow(stage, pixels[i]), to = inWindow(stage, pixels[i + 1]);
      if (from && to) overlay.lines.push_back({{*from, *to}, i >= kEnds / 2});
    }
  }

 protected:
  void click(Stage& stage) override { placeEnd(stage, stage.pointer.x, stage.pointer.y); }
  std::string prompt(const Planting& planting) const override {
    constexpr const char* kAsked[] = {"Draw an edge of a room, a street or a table", "Draw another edge parallel to it",
                                      "Draw an edge at right angles to these two",
                                      "Draw another edge parallel to that"};
    const std::size_t drawn = (planting.pixels.size() - (planting.inHand >= 0 ? 1 : 0)) / 2;
    if (planting.pixels.size() == kEnds && planting.inHand != kEnds - 1) return "Drag an end to correct the camera";
    return std::string(kAsked[drawn]) + " (" + std::to_string(drawn + 1) + " of 4)";
  }
};

}  // namespace

std::unique_ptr<Tool> makeEdgesTool() { return std::make_unique<EdgesTool>(); }

}  // namespace limber::app
