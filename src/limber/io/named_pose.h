// SPDX-License-Identifier: MIT
// A pose of the pose library: the text of a pose (pose_json.h) with a name and the figure that it was made for.
//
//   {"format": "limber pose", "version": 1, "name": "Wave", "figure": "Humanoid",
//    "metres_per_unit": 1,                     how long the lengths in it are; the figure's file says when left out
//    "pose": {"left_elbow_flexion": 0.4, ...},
//    "parts": {"turns": {"left upper arm": [[x, y, z, w], ...], ...},   problem/role_pose.h; left out where the figure has
//              "shift": [0, 0], "clearance": 0, "feet": {"left": 0}}}   neither a body nor a hand
//
// It is taken wherever the text of a pose is; there, as always, every joint that it names must be one of the figure's.
// The library is more lenient: what the figure does not have is passed over, and told; and a figure of other joints
// takes the pose by its parts (app/features/library_pose.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/pose.h"
#include "limber/problem/role_pose.h"

namespace limber::io {

inline constexpr std::string_view kPoseFormat = "limber pose";

struct NamedPose {
  std::string name;
  std::string figure;                    ///< its name; may be empty
  std::optional<double> metresPerUnit;
  std::vector<std::pair<std::string, std::vector<double>>> joints;  ///< by name, numbers as in the file
  RolePose parts;                        ///< empty where the file does not tell them
};

/// The error's place is "format" where the text is none of the library.
Result<NamedPose> parseNamedPose(std::string_view text, const std::string& file);
Result<NamedPose> readNamedPose(const std::filesystem::path& path);

/// Every joint that moves, metres; without `parts` where those are empty.
std::string formatNamedPose(const std::string& name, const Figure& figure, const Pose& pose, const RolePose& parts = {});
/// The same pose as it was read, under its present name.
std::string formatNamedPose(const NamedPose& pose);

struct FittedPose {
  Pose pose;
  int found = 0;                     ///< joints of the pose that the figure has, of the same type
  std::vector<std::string> unknown;  ///< those that it does not have, or otherwise
  int without = 0;                   ///< moving joints of the figure that the pose says nothing of: they keep `base`
};
/// Limits are not looked at.
FittedPose fitPose(const NamedPose& named, const Figure& figure, const Pose& base);

}  // namespace limber::io
