// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <chrono>
#include <numbers>

#include "app/commands/output.h"
#include "limber/io/base/json.h"
#include "limber/io/export_formats.h"
#include "limber/io/open.h"
#include "limber/scene/bake.h"

namespace limber::app {

namespace {

constexpr double kDegreesInRadian = 180.0 / std::numbers::pi;

io::OrderedJson bakeJson(const BakeResult& result, double milliseconds) {
  io::OrderedJson json;
  json["frames"] = result.frames.size();
  json["frame_time"] = result.motion->frameTime;
  json["reached"] = static_cast<int>(result.frames.size()) - result.unreached;
  json["worst_error_mm"] = 1e3 * result.worstError;
  json["worst_angle_degrees"] = kDegreesInRadian * result.worstAngle;
  json["worst_frame"] = result.worstFrame;
  json["inside_frames"] = result.insideFrames;
  json["deepest_inside_mm"] = 1e3 * result.deepest;
  json["largest_turn_degrees"] = kDegreesInRadian * result.largestTurn;
  json["largest_turn_frame"] = result.largestTurnFrame;
  json["jumps"] = result.jumps;
  json["most_steps"] = result.mostSteps;
  json["time_ms"] = milliseconds;
  return json;
}

}  // namespace

int runBake(const BakeArguments& arguments, std::ostream& out, std::ostream& err) {
  auto opened = io::openAny(arguments.file, {.base = arguments.base, .motion = arguments.motion});
  if (!opened) return fail(opened.error(), err);
  printNotes(arguments.file, opened->notes, err);
  Document& document = opened->document;
  if (!arguments.output.empty() && !io::findExportFormat(arguments.output))  // before the work, not after it
    return fail(io::exportFile(document, arguments.output).error(), err);
  if (arguments.keysWithin && !arguments.output.ends_with(".limber"))
    return fail({arguments.output, "", "only a scene (.limber) holds keys"}, err);

  const BakeOptions options{.from = arguments.from,
                            .to = arguments.to.value_or(-1.0),
                            .framesPerSecond = arguments.framesPerSecond.value_or(0.0)};
  const InterruptWatch watch;
  const auto start = std::chrono::steady_clock::now();
  BakeResult result;
  {
    ProgressLine progress("bake", err);
    result = bake(document, options, [&](double part) { return progress(part); });
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  if (!result.fault.empty()) return fail({arguments.file, "timeline", result.fault}, err);
  if (result.isCancelled) return fail({arguments.file, "", "cancelled: nothing was written"}, err);
  if (!arguments.output.empty()) {
    if (arguments.keysWithin) keyBaked(result, *arguments.keysWithin / kDegreesInRadian, document);
    else takeBaked(result, document);
    if (const int code = exportWithNotes(document, arguments.output, err); code != kSuccess) return code;
  }
  return print(io::formatJson(bakeJson(result, time.count())), out, err);
}

}  // namespace limber::app
