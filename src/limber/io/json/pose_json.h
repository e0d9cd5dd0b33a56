// SPDX-License-Identifier: MIT
// A pose as people and other programs write it: joint name -> number or array, in the file's own units.
//
//   revolute    radians                     ball   [x, y, z, w]
//   prismatic   the figure file's units     free   [x, y, z, qx, qy, qz, qw], the first three in file units
//
// Joints that are not named keep the value they have. A file of the pose library (named_pose.h) is taken as well.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/kinematics/pose.h"

namespace limber::io {

class JsonValue;

/// `base` holds the joints that the text does not name.
Result<Pose> parsePose(std::string_view text, const std::string& file, const Figure& figure, const Pose& base);
Result<Pose> readPose(const std::filesystem::path& path, const Figure& figure, const Pose& base);

/// Every joint that moves. Reads back as the same pose, to the last bit for figures in metres.
std::string formatPose(const Figure& figure, const Pose& pose);

/// For formats that hold a pose. Throw JsonFault.
Pose poseFromJson(const JsonValue& value, const Figure& figure, const Pose& base);
/// From all coordinates in a row, metres, as scenes hold them.
Pose poseFromCoordinates(const JsonValue& value, const Figure& figure);
/// Every joint that moves; that of a freed base, which the robot's file has fixed, only if `namesFreedBase`.
nlohmann::ordered_json poseToJson(const Figure& figure, const Pose& pose, bool namesFreedBase = true);

}  // namespace limber::io
