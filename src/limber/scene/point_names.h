// SPDX-License-Identifier: MIT
// Which observed point is which point of a figure, by their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/scene/document.h"

namespace limber {

/// A point that moves with a link.
struct FigurePoint {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();  ///< metres
};

/// Of a site its place, of a link or a joint the joint's centre; in this order where they share a name.
std::optional<FigurePoint> findPoint(const Figure& figure, std::string_view name);

/// All names that findPoint() knows but those of joints: sites, then links.
std::vector<std::string> pointNames(const Figure& figure);

/// The figure's name for each observed point, "" where none was found. No name is given twice.
///
/// Equal names go first, then what both call the same part of a human body ("LeftArm", "mixamorig:LeftArm",
/// "left_upper_arm": problem/anatomy.h), then names that are equal but for case and punctuation. Where shoulders and
/// hips of both sides are among the points, those of the trunk (hips' middle, spine, neck, clavicles) meet by equal
/// names alone: they stand elsewhere in every skeleton. Else, of a spine or neck of several joints on both sides the
/// ends meet, and what lies between by its share of the way.
std::vector<std::string> guessPointNames(const Document& document, const std::vector<std::string>& observed);

}  // namespace limber
