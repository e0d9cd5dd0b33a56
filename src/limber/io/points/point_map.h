// SPDX-License-Identifier: MIT
// Which observed point is which point of a figure, as people write it: {"observed name": "link, site or joint"}; null
// leaves the point out.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

/// By observed name; "" where the file says null.
using PointMap = std::map<std::string, std::string>;

Result<PointMap> readPointMap(const std::filesystem::path& path);

/// Puts the map over names that were guessed, one an observed point: what the map speaks of follows it, and a name that
/// it gives is taken from where it was guessed. An error when it speaks of a point that was not observed, or of a name
/// that the figure does not have. `file` is what errors carry.
std::optional<Error> applyPointMap(const PointMap& map, const std::string& file, const Figure& figure,
                                   const std::vector<std::string>& observed, std::vector<std::string>& names);

}  // namespace limber::io
