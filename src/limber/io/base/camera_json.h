// SPDX-License-Identifier: MIT
// The camera of a picture in JSON, as scenes, files of cameras and reports hold it:
//
//   {"position": [x, y, z], "rotation": [[...], [...], [...]], "focal_px": 1458, "centre": [500, 500]}
//
// Metres, y up; rotation: world from camera (x right, y down, z ahead). "look_at" may stand in its place, and
// "pixels_per_metre" in place of "focal_px": then its rays are parallel.
#pragma once

#include "limber/io/base/json.h"
#include "limber/problem/picture_camera.h"

namespace limber::io {

/// Throws as JsonValue does. Ignores "size", which files of other programs have.
PictureCamera cameraFromJson(const JsonValue& value);
OrderedJson cameraToJson(const PictureCamera& camera);

}  // namespace limber::io
