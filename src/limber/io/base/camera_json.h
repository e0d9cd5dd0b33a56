// SPDX-License-Identifier: MIT
// The JSON form of a picture's camera in scenes, camera files and reports:
//
//   {"position": [x, y, z], "rotation": [[...], [...], [...]], "focal_px": 1458, "centre": [500, 500]}
//
// Metres, y up; rotation: world from camera (x right, y down, z ahead). "look_at" may replace "rotation", and
// "pixels_per_metre" may replace "focal_px" for a camera with parallel rays.
#pragma once

#include "limber/io/base/json.h"
#include "limber/vision/picture_camera.h"

namespace limber::io {

/// Throws as JsonValue does. Ignores "size", which files of other programs have.
PictureCamera cameraFromJson(const JsonValue& value);
OrderedJson cameraToJson(const PictureCamera& camera);

}  // namespace limber::io
