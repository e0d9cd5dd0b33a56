// SPDX-License-Identifier: MIT
// Key points of several cameras that look at the same person at the same times, and those cameras.
//
//   views    {"views": [{"key_points": "front.json"}, {"key_points": "side", "size": [1920, 1080]}]}: a file or folder
//            of key points for each camera, by paths from this file; all have a "camera", or none has
//   cameras  {"cameras": [{"focal_px": 1458, "centre": [500, 500], "position": [0, 1.5, 4], "look_at": [0, 1, 0]}]}, in
//            the form of io/base/camera_json.h
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/io/points/key_points.h"
#include "limber/vision/picture_camera.h"

namespace limber::io {

struct KeyPointViews {
  std::vector<KeyPoints> views;        ///< one per camera; each has the names of all
  std::vector<PictureCamera> cameras;  ///< one per view; empty if the file has none
  std::vector<std::string> notes;      ///< what was guessed, chosen or left out, one sentence each
};

/// A file or folder of key points is one view; a file of views gives the views that it names.
Result<KeyPointViews> readKeyPointViews(const std::filesystem::path& path, const KeyPointChoices& choices = {});
/// A file or folder of key points for each view.
Result<KeyPointViews> readKeyPointViews(std::span<const std::filesystem::path> paths,
                                        const KeyPointChoices& choices = {});

Result<std::vector<PictureCamera>> readCameras(const std::filesystem::path& path);

}  // namespace limber::io
