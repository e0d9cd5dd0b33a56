// SPDX-License-Identifier: MIT
#include "limber/io/base/camera_json.h"

#include <vector>

namespace limber::io {

namespace {

Eigen::Matrix3d rotationTowards(const JsonValue& at, const Eigen::Vector3d& position) {
  const Eigen::Vector3d ahead = at.vector3() - position;
  if (!(ahead.cross(Eigen::Vector3d::UnitY()).norm() > 1e-9 * ahead.norm()))
    at.fail("is at the camera, or straight above or below it: give such a camera a \"rotation\"");
  return cameraLookingAt(position, at.vector3(), 1.0, {0.0, 0.0}).worldFromCamera.rotation;
}

}  // namespace

PictureCamera cameraFromJson(const JsonValue& value) {
  value.allowOnly("focal_px pixels_per_metre centre position look_at rotation size");
  const auto scale = value.find("pixels_per_metre"), towards = value.find("look_at");
  if (scale && value.find("focal_px")) scale->fail("belongs to a camera with parallel rays, which has no \"focal_px\"");
  if (towards && value.find("rotation")) towards->fail("cannot be combined with \"rotation\"");
  PictureCamera camera{.focal = (scale ? *scale : value.at("focal_px")).numberIn(kLeastFocal, kMostFocal),
                       .isParallel = scale.has_value()};
  const std::vector<double> centre = value.at("centre").numbers(2);
  camera.centre = {centre[0], centre[1]};
  if (!(camera.centre.cwiseAbs().maxCoeff() <= kFarthestCamera))
    value.at("centre").fail("is more than 1e9 pixels away");
  const Eigen::Vector3d position = value.at("position").vector3();
  if (position.cwiseAbs().maxCoeff() > kFarthestCamera) value.at("position").fail("is more than 1e9 metres away");
  camera.worldFromCamera = {towards ? rotationTowards(*towards, position) : value.at("rotation").rotation(), position};
  return camera;
}

OrderedJson cameraToJson(const PictureCamera& camera) {
  return {{"position", toJson(camera.worldFromCamera.translation)},
          {"rotation", rotationToJson(camera.worldFromCamera.rotation)},
          {camera.isParallel ? "pixels_per_metre" : "focal_px", toJson(camera.focal)},
          {"centre", toJson(camera.centre)}};
}

}  // namespace limber::io
