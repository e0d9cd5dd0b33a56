// SPDX-License-Identifier: MIT
// A problem: a figure, where it starts and what is asked of it, small enough to be written by hand or by another
// program. Points, targets and lengths are in the axes and units of the figure's file.
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
  Document document;               ///< pose: the start; options: in solver.options under the problem's solver
  std::vector<std::string> notes;  ///< of the figure's file
};

/// `folder` is where a relative path of the figure begins; `file` is the name that errors carry.
Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder);

/// One of a problem's goals, with "id" and the keys that its type does not use refused. Throws JsonFault.
GoalItem problemGoalFromJson(const JsonValue& value, const Figure& figure, const Pose& start);

/// The same from parsed JSON. Throws JsonFault.
Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                const OpenContext& context = {});

}  // namespace limber::io
