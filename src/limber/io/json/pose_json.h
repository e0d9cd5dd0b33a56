// SPDX-License-Identifier: MIT
// A pose as people and other programs write it: a number or an array for each joint name, in the figure file's units.
//
//   revolute    radians                     ball   [x, y, z, w]
//   prismatic   the figure file's units     free   [x, y, z, qx, qy, qz, qw], the first three in file units
//
// Joints that are not named keep their coordinates. Files of the pose library (named_pose.h) and answers of
// `limber solve`, which hold a pose as "pose", are accepted, too.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/pose.h"

namespace limber::io {

class JsonValue;

/// `base` has the coordinates of joints that the text does not name. isNamed gets an entry per link: 1 if its joint is
/// named. Couplings are not applied (io/followers.h).
Result<Pose> parsePose(std::string_view text, const std::string& file, const Figure& figure, const Pose& base,
                       std::vector<char>* isNamed = nullptr);

/// All joints that can move. The text reads back as the same pose, to the last bit for figures in metres.
std::string formatPose(const Figure& figure, const Pose& pose);

/// The length in file units that reads back as exactly `metres`, if there is one.
double inFileUnits(double metres, double metresPerUnit);

/// For formats that contain a pose. All throw JsonFault.
Pose poseFromJson(const JsonValue& value, const Figure& figure, const Pose& base, std::vector<char>* isNamed = nullptr);
/// A pose from an array of all its coordinates, lengths in metres, as scenes store it.
Pose poseFromCoordinates(const JsonValue& value, const Figure& figure);
/// All joints that can move. The joint of a freed base, which is fixed in the robot's file, is named only if
/// `namesFreedBase`.
nlohmann::ordered_json poseToJson(const Figure& figure, const Pose& pose, bool namesFreedBase = true);

}  // namespace limber::io
