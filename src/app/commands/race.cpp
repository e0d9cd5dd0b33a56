// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/open.h"
#include "limber/posing/race_lane.h"
#include "limber/solvers/registry.h"

namespace limber::app {

namespace {

using io::OrderedJson;

/// The names to run, each once; all of them if none is given.
std::vector<std::string> chosenSolvers(const RaceArguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& name : arguments.solvers)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  if (names.empty())
    for (const Solver* solver : allSolvers()) names.emplace_back(solver->name());
  return names;
}

std::vector<LaneResult> race(const Document& document, const std::vector<std::string>& solvers) {
  const PosingRequest request{.leadingLink = leadingLink(document), .startPose = document.pose};
  std::vector<LaneResult> results;
  for (const std::string& solver : solvers) {
    RaceLane lane(solver);
    lane.restart(document.pose);
    results.push_back(lane.solve(document, request));
  }
  return results;
}

OrderedJson laneJson(const LaneResult& result, double metresPerUnit) {
  OrderedJson lane;
  lane["solver"] = result.solver;
  lane["outcome"] = result.isRefused() ? "refused" : outcomeName(result.report.outcome);
  lane["sentence"] = result.report.sentence;
  if (result.isRefused()) return lane;
  const Summary& summary = result.report.summary;
  lane["status"] = solveStatusName(summary.status);
  lane["iterations"] = iterationsOf(summary);
  lane["objective"] = numberOrNull(summary.objective);
  lane["gradient_norm"] = numberOrNull(summary.gradientNorm);
  lane["error"] = result.report.worstError / metresPerUnit;
  lane["angle"] = result.report.worstAngle;
  lane["time_us"] = microseconds(result.timeMs);
  return lane;
}

std::string jsonText(const Document& document, const std::vector<LaneResult>& results) {
  OrderedJson json;
  json["lanes"] = OrderedJson::array();
  for (const LaneResult& result : results)
    json["lanes"].push_back(laneJson(result, document.figure->fileFrame().metresPerUnit));
  return io::formatJson(json);
}

std::string tableText(const std::vector<LaneResult>& results) {
  std::size_t width = 6;
  for (const LaneResult& result : results) width = std::max(width, result.solver.size());
  const int w = static_cast<int>(width);
  char line[256];
  std::snprintf(line, sizeof line, "%-*s  %-13s %10s %12s %14s %14s  %s\n", w, "solver", "status", "iterations", "ms",
                "f", "|gradient|", "left");
  std::string text = line;
  for (const LaneResult& result : results) {
    const PosingReport& report = result.report;
    if (result.isRefused()) {
      std::snprintf(line, sizeof line, "%-*s  refused: ", w, result.solver.c_str());
      text += line + report.sentence + "\n";
      continue;
    }
    std::snprintf(line, sizeof line, "%-*s  %-13s %10d %12.4f %14.6e %14.6e  %.4g m", w, result.solver.c_str(),
                  std::string(outcomeName(report.outcome)).c_str(), report.summary.iterations(), result.timeMs,
                  report.summary.objective, report.summary.gradientNorm, report.worstError);
    text += line;
    std::snprintf(line, sizeof line, ", %.4g rad", report.worstAngle);
    text += report.worstAngle > 0.0 ? line : "";
    text += "\n";
  }
  return text;
}

}  // namespace

int runRace(const RaceArguments& arguments, Console& console) {
  for (const std::string& name : arguments.solvers)
    if (const std::string fault = unknownSolver(name); !fault.empty()) return console.failUsage("--solvers: " + fault);
  const auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  const std::vector<LaneResult> results = race(opened->document, chosenSolvers(arguments));
  if (!arguments.csv.empty()) {
    std::vector<const LaneResult*> lanes;
    for (const LaneResult& result : results) lanes.push_back(&result);
    if (const auto failed = io::writeFileAtomically(arguments.csv, raceCsv(lanes))) return console.fail(*failed);
  }
  const std::string text = arguments.json ? jsonText(opened->document, results) : tableText(results);
  if (const int code = console.print(text); code != kSuccess) return code;
  return std::all_of(results.begin(), results.end(), [](const LaneResult& r) { return r.isRefused(); }) ? kBadInput
                                                                                                        : kSuccess;
}

}  // namespace limber::app
