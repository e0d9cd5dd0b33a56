// SPDX-License-Identifier: MIT
// The ground under a standing figure and the top of its head, clicked in the reference picture, find its camera.
#include "app/stage/picture_view.h"
#include "app/tools/tools.h"
#include "app/view/reference_camera.h"
#include "limber/posing/outcome.h"
#include "limber/vision/camera_from_picture.h"

namespace limber::app {

namespace {

/// The height of the figure as shown, in its rest pose.
double heightAtRest(const Stage& stage) {
  Document document = stage.document();
  document.pose = restPose(*document.figure);
  document.obstacles.clear();
  render::DrawList list;
  render::makeDrawList(document, transformsOf(*document.figure, document.pose),
                       {.skinView = stage.settings.skinView, .linkStyle = stage.settings.linkStyle}, list);
  return list.boundsMax.y() - list.boundsMin.y();
}

struct StatureTool : PictureTool {
 protected:
  void click(Stage& stage) override {
    Planting& planting = *stage.ui.planting;
    const auto pixel = clickedPixel(stage, "click in the picture");
    if (!pixel) return;
    Eigen::Vector3d ground = referencePivot(stage);
    ground.y() = stage.picture.drawList.groundHeight;
    if (planting.pixels.empty()) {
      planting.pixels.push_back(*pixel);
      return changeShownCamera(stage, "camera over the ground",
                               [&](PictureCamera& camera) { slideTo(camera, ground, *pixel); });
    }
    const double height = heightAtRest(stage);
    const auto found =
        cameraFromHeight(shownPicture(stage.document())->camera, planting.pixels.front(), *pixel, ground, height);
    if (!found) return stage.fail("The top of the head is above the ground: click it there");
    changeShownCamera(stage, "camera from a standing figure", [&](PictureCamera& camera) { camera = *found; });
    stage.ui.planting.reset();
    stage.say((found->isParallel ? "The picture is scaled to this figure's height, "
                                 : "The camera is placed by this figure's height, ") +
                  lengthInWords(height),
              6.0);
  }
  std::string prompt(const Planting& planting) const override {
    return planting.pixels.empty() ? "Click the ground under a figure that stands upright (1 of 2)"
                                   : "Click the top of its head (2 of 2)";
  }
};

}  // namespace

std::unique_ptr<Tool> makeStatureTool() { return std::make_unique<StatureTool>(); }

}  // namespace limber::app
