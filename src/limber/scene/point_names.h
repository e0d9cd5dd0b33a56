// SPDX-License-Identifier: MIT
// The correspondence of observed points and points of a figure, by their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/problem/figure_point.h"
#include "limber/scene/document.h"

namespace limber {

/// The point for a name: a site, or the centre of the joint of a link or joint. Sites go before links, and links before
/// joints.
std::optional<FigurePoint> findPoint(const Figure& figure, std::string_view name);

/// The names of sites, then of links that share no name with a site.
std::vector<std::string> pointNames(const Figure& figure);

/// The figure's name for each observed point, "" if none was found. No name is given twice. Equal names match first,
/// then names of the same part of a human body ("LeftArm", "mixamorig:LeftArm", "left_upper_arm": body/anatomy.h), then
/// names that are equal except for case and punctuation. If shoulders and hips of both sides are among the points,
/// points of the trunk (hips, spine, neck, clavicles) match by equal names alone, because their places differ between
/// skeletons. Otherwise several joints of a spine or neck are matched in proportion to their place in it.
std::vector<std::string> guessPointNames(const Document& document, const std::vector<std::string>& observed);

}  // namespace limber
