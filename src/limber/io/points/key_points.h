// SPDX-License-Identifier: MIT
// Files of key points in pictures, as vision programs write them.
//
//   OpenPose    {"people": [{"pose_keypoints_2d": [x, y, c, ...], "hand_left_keypoints_2d": [...], ...}]}, one file
//               per frame: BODY_25 or COCO's 18 points, hands of 21
//   COCO        {"annotations": [{"image_id": 1, "keypoints": [x, y, v, ...]}], "images": [...], "categories": [...]},
//               or a list of such results: 17 points, 133 of the whole body, or those that a category names
//   MediaPipe   {"landmarks": [{"x": 0.5, "y": 0.3, "visibility": 0.9}, ...]}, or "pose_landmarks" with
//               "left_hand_landmarks" and "right_hand_landmarks", as fractions of the picture; a list of them is a
//               sequence
//   CSV         frame, point, x, y, confidence: a line for each point; frame and confidence may be missing
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/problem/ik_problem.h"
#include "limber/scene/key_points.h"

namespace limber::io {

inline constexpr std::size_t kMaxKeyPointBytes = 64u << 20;  ///< of one file
inline constexpr std::size_t kMaxKeyPointFrames = 100'000;
inline constexpr std::size_t kMaxKeyPointNames = 1'000;

struct KeyPointSource {
  KeyPoints points;
  std::vector<std::string> notes;  ///< what was guessed, chosen or left out, one sentence each
  std::string_view format;         ///< for people: "OpenPose"
};

/// Values that a file need not contain.
struct KeyPointChoices {
  int width = 0, height = 0;            ///< of the pictures, pixels; 0: as the file says
  int shownWidth = 0, shownHeight = 0;  ///< if neither gives one, such as that of the picture shown; 0: a guess
  std::function<bool(double part, std::string_view what)> progress;  ///< false cancels; may be empty
};

/// A quick test of the contents.
bool looksLikeKeyPoints(std::string_view bytes);
/// The same for a file, or for the first .json file of a folder. Reads it.
bool holdsKeyPoints(const std::filesystem::path& path);

/// The key points of a file, or of a folder: its .json files are frames, in
/// the order of their names as people count: 2 before 10. If there are
/// several people, the largest one is followed.
Result<KeyPointSource> readKeyPoints(const std::filesystem::path& path, const KeyPointChoices& choices = {});

/// The point of each name on a human body, weighted by the accuracy of its position; else the figure's point of that
/// name. If all names are those of points of the figure, these are taken. Names without a point are left out.
/// `observed` is the index in `names`.
std::vector<FitPoint> pointsOfKeyPoints(const IkProblem& problem, const std::vector<std::string>& names);

}  // namespace limber::io
