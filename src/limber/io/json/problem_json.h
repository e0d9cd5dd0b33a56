// SPDX-License-Identifier: MIT
// The problem format: a figure, a start pose and goals, to be written by hand or by another program (docs/formats.md).
// Points, targets and lengths have the axes and units of the figure's file.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/json.h"
#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct Problem {
  Document document;               ///< its pose is the start; options are in solver.options, under the problem's solver
  std::vector<std::string> notes;  ///< from the figure's file
};

/// `folder` is the folder for a relative path of the figure; `file` is the name for errors.
Result<Problem> parseProblem(std::string_view text, const std::string& file, const std::filesystem::path& folder);

/// One of a problem's goals; its "chain" may name a group of the figure's file. "id" and keys that the goal's type does
/// not use are refused. Throws JsonFault.
GoalItem problemGoalFromJson(const JsonValue& value, const Document& document, const Pose& start);

/// A problem from parsed JSON. Throws JsonFault.
Result<Problem> problemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                const OpenContext& context = {});

/// The keys of a problem that OpenProblem::change() takes: all but those that decide its figure and first pose.
inline constexpr std::string_view kChangeableKeys =
    "start goals target_weight rest_weight reference solver options posing reached_tolerance reached_distance "
    "reached_angle insist path_independent body_follows joints couplings linear_limits pins obstacles "
    "avoids_itself disabled_pairs safety_distance keeps_balance";

/// A problem that stays open while its keys change (limber serve).
class OpenProblem {
 public:
  Document document;
  std::vector<std::string> notes;  ///< from the figure's file

  /// Applies the kChangeableKeys in `keys`; other settings stay. The document's pose is the current one; joints that
  /// "start" does not name return to the first start pose. Goals and obstacles are a list that replaces all, or an
  /// object that changes those that it names. Throws JsonFault; some of the keys are then already applied.
  void change(const JsonValue& keys);

 private:
  friend Result<OpenProblem> openProblemFromJson(const JsonValue&, const std::filesystem::path&, const OpenContext&);
  void changeGoals(const JsonValue& value);
  void changeObstacles(const JsonValue& value);

  Pose start_;                                                  ///< the first start pose
  std::vector<LinkPair> filePairs_;                             ///< that the figure's file disables
  std::vector<std::shared_ptr<const Json>> goals_, obstacles_;  ///< of the document, as given
  std::optional<double> targetWeight_;
};

/// Like problemFromJson(), for a problem whose keys will change. Throws JsonFault.
Result<OpenProblem> openProblemFromJson(const JsonValue& value, const std::filesystem::path& folder,
                                        const OpenContext& context = {});

// A batch: many problems of one figure, one JSON object per line. The first line may hold the figure.

inline constexpr std::size_t kMaxBatchLineBytes = 1u << 20;

/// The problem of one line.
struct BatchLine {
  std::vector<GoalItem> goals;
  Pose start;
};

/// Reads a line without its line end; false at the end of the input. Lines longer than kMaxBatchLineBytes are cut to
/// one byte more than that, so that the caller can refuse them.
bool readBatchLine(std::istream& in, std::string& line);

/// True for a line that holds the figure; false for lines that are not JSON.
bool isBatchHeader(std::string_view line);

/// The document of a header line: a problem without goals.
Result<Document> parseBatchHeader(std::string_view line, const std::string& file, const std::filesystem::path& folder,
                                  const OpenContext& context = {});

/// `number` is the line for errors, from 1.
Result<BatchLine> parseBatchLine(std::string_view line, const std::string& file, std::size_t number,
                                 const Document& document);

}  // namespace limber::io
