// SPDX-License-Identifier: MIT
#include "limber/io/points/point_map.h"

#include <algorithm>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/scene/point_names.h"

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxMapBytes = 16u << 20;

}  // namespace

Result<PointMap> readPointMap(const std::filesystem::path& path) {
  const auto read = [](const JsonValue& value) {
    PointMap map;
    for (const auto& [observed, name] : value.members()) map[observed] = name.isNull() ? "" : name.name();
    return map;
  };
  return readJsonFile<PointMap>(path, read, kMaxMapBytes);
}

std::optional<Error> applyPointMap(const PointMap& map, const std::string& file, const Figure& figure,
                                   const std::vector<std::string>& observed, std::vector<std::string>& names) {
  for (const auto& [point, name] : map) {
    const auto at = std::ranges::find(observed, point);
    if (at == observed.end()) return Error{file, point, "no point of that name was observed"};
    if (!name.empty() && !findPoint(figure, name))
      return Error{file, point, "the figure has no link, site or joint " + inQuotes(name)};
    std::ranges::replace(names, name, std::string());
    names[at - observed.begin()] = name;
  }
  return std::nullopt;
}

}  // namespace limber::io
