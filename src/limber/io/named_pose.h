// SPDX-License-Identifier: MIT
// A pose of the pose library: a pose (pose_json.h) with a name and the figure that it was made for.
//
//   {"format": "limber pose", "version": 1, "name": "Wave", "figure": "Humanoid",
//    "metres_per_unit": 1,                     unit of its lengths; by default that of the figure's file
//    "pose": {"left_elbow_flexion": 0.4, ...},
//    "parts": {"turns": {"left upper arm": [[x, y, z, w], ...], ...},   body/pose_parts.h; missing for figures with
//              "shift": [0, 0], "clearance": 0, "feet": {"left": 0}}}   neither body nor hand
//
// Such a file is accepted wherever a pose is, and there the figure must have all of its joints. Posing from the library
// skips and reports joints that the figure does not have, and retargets the pose by its parts to a figure with other
// joints (app/features/library_pose.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/body/pose_parts.h"
#include "limber/io/base/result.h"
#include "limber/kinematics/pose.h"
#include "limber/scene/document.h"

namespace limber::io {

inline constexpr std::string_view kPoseFormat = "limber pose";

struct NamedPose {
  std::string name;
  std::string figure;  ///< the figure's name; may be empty
  std::optional<double> metresPerUnit;
  std::vector<std::pair<std::string, std::vector<double>>> joints;  ///< by name, with the file's numbers
  RolePose parts;                                                   ///< empty when the file has none
};

/// An error's place is "format" when the text is not a pose of the library.
Result<NamedPose> parseNamedPose(std::string_view text, const std::string& file);
Result<NamedPose> readNamedPose(const std::filesystem::path& path);

/// A pose of the file that a figure came from.
NamedPose namedPoseOf(const SourcePose& pose);

/// The text of a pose with all joints that can move, in metres; without "parts" when `parts` is empty.
std::string formatNamedPose(const std::string& name, const Figure& figure, const Pose& pose,
                            const RolePose& parts = {});
/// The text of a pose that was read, with its present name.
std::string formatNamedPose(const NamedPose& pose);

struct FittedPose {
  Pose pose;
  int found = 0;                     ///< number of joints that the figure has with the same type
  std::vector<std::string> unknown;  ///< joints that it lacks or has with another type
  int without = 0;                   ///< number of moving joints that keep the coordinates of `base`
};
/// The coordinates of the named joints over those of `base`. Limits are ignored.
FittedPose fitPose(const NamedPose& named, const Figure& figure, const Pose& base);

}  // namespace limber::io
