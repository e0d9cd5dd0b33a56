// SPDX-License-Identifier: MIT
// Correspondences of observed points and points of a figure, as people write them: {"observed name": "link, site or
// joint"}, or null to leave the point out.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

/// The figure's points by observed name; "" for null.
using PointMap = std::map<std::string, std::string>;

Result<PointMap> readPointMap(const std::filesystem::path& path);

/// Overrides guessed `names`, one for each observed point, by the map. A name that the map gives to a point is removed
/// from the point for which it was guessed. Errors: a point was not observed, or the figure has no such name. `file` is
/// the name for errors.
std::optional<Error> applyPointMap(const PointMap& map, const std::string& file, const Figure& figure,
                                   const std::vector<std::string>& observed, std::vector<std::string>& names);

}  // namespace limber::io
