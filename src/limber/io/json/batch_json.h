// SPDX-License-Identifier: MIT
// A batch: many problems of one figure, one JSON object a line (docs/formats.md). The first line may hold the figure.
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

inline constexpr std::size_t kMaxBatchLineBytes = 1u << 20;

/// What one line asks.
struct BatchLine {
  std::vector<GoalItem> goals;
  Pose start;
};

/// Reads a line without its end; false at the end of the input. A longer line than kMaxBatchLineBytes is cut after that
/// many bytes and one: the caller sees that it is too long.
bool readBatchLine(std::istream& in, std::string& line);

/// True for a line that holds the figure. A line that is no JSON does not.
bool isBatchHeader(std::string_view line);

/// The document that a header line stands for: a problem without goals.
Result<Document> parseBatchHeader(std::string_view line, const std::string& file, const std::filesystem::path& folder,
                                  const OpenContext& context = {});

/// Errors name the line by `number`, from 1.
Result<BatchLine> parseBatchLine(std::string_view line, const std::string& file, std::size_t number,
                                 const Document& document);

}  // namespace limber::io
