// SPDX-License-Identifier: MIT
// A batch: many problems of one figure, one JSON object per line (docs/formats.md). The first line may hold the figure.
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
