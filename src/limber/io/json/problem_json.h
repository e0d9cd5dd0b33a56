// SPDX-License-Identifier: MIT
// The problem format: a figure, a start pose and goals, to be written by hand or by another program (docs/formats.md).
// Points, targets and lengths have the axes and units of the figure's file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

class JsonValue;

struct Problem {
  Document document;               ///< its pose is the start; options are in solver.options, under the problem's solver
  std::vector<std::string> notes;  ///< from the figure's file
};

/// `folder` is the folder for a relative path of the figure; `file` is the name for errors.
Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder);

/// One of a problem's goals. "id" and keys that the goal's type does not use are refused. Throws JsonFault.
GoalItem problemGoalFromJson(const JsonValue& value, const Figure& figure, const Pose& start);

/// A problem from parsed JSON. Throws JsonFault.
Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                const OpenContext& context = {});

}  // namespace limber::io
