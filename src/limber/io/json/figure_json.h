// SPDX-License-Identifier: MIT
// Limber's own figure format (docs/formats.md): a JSON object for each link and its joint to the parent, in any order;
// metres, radians, kilograms, quaternions as (x, y, z, w).
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

class JsonValue;

using FigurePointer = std::shared_ptr<const Figure>;

inline constexpr int kMaxLinks = 100000;  ///< in a figure of any format

/// `file` is the name for errors.
Result<FigurePointer> parseFigure(std::string_view text, const std::string& file);
Result<FigurePointer> readFigure(const std::filesystem::path& path);

/// Text that reads back as the same figure, to the last bit.
std::string formatFigure(const Figure& figure);

/// Writes atomically: an existing file is kept on failure.
std::optional<Error> writeFigure(const std::filesystem::path& path, const Figure& figure);

/// The type that jointTypeName() calls so.
std::optional<JointType> findJointType(std::string_view name);

/// For formats that embed a figure. Throws JsonFault.
FigurePointer figureFromJson(const JsonValue& value);
nlohmann::ordered_json figureToJson(const Figure& figure);

}  // namespace limber::io
