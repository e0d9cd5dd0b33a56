// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <chrono>
#include <numbers>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
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
  json["worst_angle"] = result.worstAngle;
  json["worst_frame"] = result.worstFrame;
  json["inside_frames"] = result.insideFrames;
  json["deepest_inside_mm"] = 1e3 * result.deepest;
  json["largest_turn"] = result.largestTurn;
  json["largest_turn_frame"] = result.largestTurnFrame;
  json["jumps"] = result.jumps;
  json["most_steps"] = result.mostSteps;
  json["time_us"] = microseconds(milliseconds);
  return json;
}

}  // namespace

int runBake(const BakeArguments& arguments, Console& console) {
  if (!arguments.output.empty())
    if (const auto fault = io::findEndingFault(arguments.output)) return console.failUsage(fault->message());
  if (arguments.keysWithin && !arguments.output.ends_with(".limber"))
    return console.failUsage(arguments.output + ": only a scene (.limber) holds keys");
  if (arguments.to && *arguments.to < arguments.from) return console.failUsage("--to is before --from");
  auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  console.note(arguments.file, opened->notes);
  Document& document = opened->document;
  const BakeOptions options{.from = arguments.from,
                            .to = arguments.to.value_or(-1.0),
                            .framesPerSecond = arguments.framesPerSecond.value_or(0.0)};
  const InterruptWatch watch;
  const auto start = std::chrono::steady_clock::now();
  BakeResult result;
  {
    ProgressLine progress(console);
    result = bake(document, options, [&](double part) { return progress(part); });
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  if (!result.fault.empty()) return console.fail({arguments.file, "timeline", result.fault});
  if (result.isCancelled) return console.fail({arguments.file, "", "cancelled: nothing was written"});
  if (!arguments.output.empty()) {
    if (arguments.keysWithin) keyBaked(result, *arguments.keysWithin / kDegreesInRadian, document);
    else takeBaked(result, document);
    if (const int code = exportWithNotes(document, arguments.output, console); code != kSuccess) return code;
  }
  return console.print(io::formatJson(bakeJson(result, time.count())));
}

}  // namespace limber::app
