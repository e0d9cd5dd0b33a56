// SPDX-License-Identifier: MIT
#include "limber/io/json/problem_json.h"

#include <algorithm>
#include <array>

#include "limber/io/json/pose_json.h"
#include "limber/io/json/scene_parts.h"
#include "limber/kinematics/coupling.h"

namespace limber::io {

namespace {

std::string placeOf(std::size_t number, const std::string& path) {
  return "line " + std::to_string(number) + (path.empty() ? "" : ": " + path);
}

}  // namespace

bool readBatchLine(std::istream& in, std::string& line) {
  line.clear();
  std::array<char, 4096> part;
  while (line.size() <= kMaxBatchLineBytes) {
    const std::size_t room = std::min(part.size() - 1, kMaxBatchLineBytes + 1 - line.size());
    in.getline(part.data(), static_cast<std::streamsize>(room) + 1);
    const auto taken = static_cast<std::size_t>(in.gcount());
    if (in.good()) {  // gcount() includes the line end
      line.append(part.data(), taken - 1);
      return true;
    }
    line.append(part.data(), taken);
    if (in.bad() || in.eof() || taken == 0) return !line.empty();
    in.clear();  // failbit: the line is longer than `part`
  }
  return true;
}

bool isBatchHeader(std::string_view line) {
  try {
    const Json json = parseJson(line);
    return json.is_object() && json.contains("figure");
  } catch (const JsonFault&) {
    return false;
  }
}

Result<Document> parseBatchHeader(std::string_view line, const std::string& file, const std::filesystem::path& folder,
                                  const OpenContext& context) {
  try {
    Json json = parseJson(line);
    if (json.contains("goals")) JsonValue(json).at("goals").fail("belong to the lines that follow the figure's");
    json["goals"] = Json::array();
    Result<Problem> problem = problemFromJson(JsonValue(json), folder, context);
    if (!problem) return problem.error();
    return problem->document;
  } catch (const JsonFault& fault) {
    return Error{file, placeOf(1, fault.place), fault.cause};
  }
}

Result<BatchLine> parseBatchLine(std::string_view line, const std::string& file, std::size_t number,
                                 const Document& document) {
  const auto fail = [&](const std::string& place, const std::string& cause) {
    return Error{file, placeOf(number, place), cause};
  };
  if (line.size() > kMaxBatchLineBytes)
    return fail("", "is longer than " + std::to_string(kMaxBatchLineBytes >> 20) + " MB");
  try {
    const Json json = parseJson(line);
    const JsonValue value(json);
    if (value.isObject() && value.find("figure")) value.at("figure").fail("belongs to the first line");
    value.allowOnly("goals start");
    BatchLine result;
    const Figure& figure = *document.figure;
    const auto start = value.find("start");
    result.start = start ? poseFromJson(*start, figure, document.pose) : document.pose;
    Couplings(figure, activeCouplings(document)).apply(result.start);
    for (const JsonValue& goal : value.at("goals").elements()) {
      result.goals.push_back(problemGoalFromJson(goal, document, result.start));
      result.goals.back().id = static_cast<int>(result.goals.size());
    }
    if (result.goals.empty()) value.at("goals").fail("is empty");
    return result;
  } catch (const JsonFault& fault) {
    // The parser counts lines from this line: its place is "line 1, column 7".
    constexpr std::string_view kFirst = "line 1, ";
    const bool isOfLine = fault.place.starts_with(kFirst);
    return fail(isOfLine ? fault.place.substr(kFirst.size()) : fault.place, fault.cause);
  }
}

}  // namespace limber::io
