// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <chrono>
#include <filesystem>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "app/editing/fitting.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/export_formats.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/open.h"
#include "limber/io/points/key_points.h"
#include "limber/io/points/observations.h"

namespace limber::app {

namespace {

using io::OrderedJson;
using SteadyClock = std::chrono::steady_clock;

io::Result<FitPlan> makePlan(const FitArguments& arguments, const Document& document, Console& console) {
  const std::optional<char> up = arguments.up.empty() ? std::nullopt : std::optional(arguments.up[0]);
  auto source = io::readObservations(arguments.observations, up, {.motion = arguments.motion});
  if (!source) return source.error();
  console.note(arguments.observations, source->notes);
  auto observations = std::make_shared<const Observations>(std::move(source->observations));
  FitPlan plan = planFit(document, observations, std::filesystem::path(arguments.observations).filename().string());
  if (!arguments.map.empty()) {
    const auto map = io::readPointMap(arguments.map);
    if (!map) return map.error();
    if (auto fault = io::applyPointMap(*map, arguments.map, *document.figure, observations->names, plan.names))
      return *fault;
  }
  plan.onlyEnds = arguments.points == "ends";
  if (arguments.scale != "auto") plan.scale = io::numberOf(arguments.scale);
  plan.options.damping = arguments.damping;
  return plan;
}

OrderedJson pointsJson(const FitPlan& plan, const FitAnswer& answer) {
  OrderedJson points = OrderedJson::array();
  for (const std::size_t i : worstPoints(answer)) {
    const auto observed = static_cast<std::size_t>(answer.points[i].observed);
    const PointError& error = answer.result.points[i];
    points.push_back({{"observed", plan.observations->names[observed]},
                      {"point", plan.names[observed]},
                      {"mean_mm", 1e3 * error.mean},
                      {"worst_mm", 1e3 * error.worst},
                      {"worst_frame", error.worstFrame},
                      {"frames", error.frames}});
  }
  return points;
}

OrderedJson costJson(double mean, double worst, int worstFrame) {
  const bool isSeen = worstFrame >= 0;
  return {{"mean", numberOrNull(isSeen ? 1e3 * mean : NAN)},
          {"worst", numberOrNull(isSeen ? 1e3 * worst : NAN)},
          {"worst_frame", isSeen ? OrderedJson(worstFrame) : OrderedJson(nullptr)}};
}

/// held  the document's motion with `stances` stances
OrderedJson summaryJson(const FitPlan& plan, const FitAnswer& answer, const Document& held, std::size_t stances,
                        double seconds) {
  const FitResult& result = answer.result;
  int unconverged = 0;
  long long iterations = 0;
  for (const FittedFrame& frame : result.frames) {
    iterations += frame.iterations;
    unconverged += frame.points > 0 && frame.status != FitStatus::Converged;
  }
  OrderedJson json;
  json["frames"] = result.frames.size();
  json["frame_time"] = plan.observations->frameTime;
  json["unobserved_frames"] = result.unobservedFrames;
  json["unconverged_frames"] = unconverged;
  json["scale"] = answer.scale.scale;
  json["scale_from"] = answer.scale.sentence;
  json["cost_mm"] = costJson(result.meanCost, result.worstCost, result.worstFrame);
  json["stances"] = stances;
  if (stances > 0) {
    const MotionCost cost = costOfMotion(plan, answer, *held.figure, *held.motion);
    json["held_cost_mm"] = costJson(cost.mean, cost.worst, cost.worstFrame);
  }
  json["points"] = pointsJson(plan, answer);
  json["unmatched"] = OrderedJson::array();
  for (std::size_t i = 0; i < plan.names.size(); ++i)
    if (plan.names[i].empty()) json["unmatched"].push_back(plan.observations->names[i]);
  json["iterations"] = iterations;
  json["time_us"] = microseconds(1e3 * seconds);
  return json;
}

}  // namespace

int runFitVerb(const FitArguments& arguments, Console& console) {
  if (!arguments.output.empty())
    if (const auto fault = io::findEndingFault(arguments.output)) return console.failUsage(fault->message());
  auto opened = io::openAny(arguments.figure, arguments.context);
  if (!opened) return console.fail(opened.error());
  console.note(arguments.figure, opened->notes);
  if (avoidsCollisions(opened->document) || opened->document.keepsBalance)
    console.note(arguments.figure, "a fit uses points only: obstacles, contact and balance are ignored");
  if (io::holdsKeyPoints(arguments.observations)) return runPictureFit(arguments, std::move(opened->document), console);
  if (!arguments.views.empty() || !arguments.cameras.empty())
    return console.fail(
        {arguments.observations, "", "holds no key points in pictures, which --view and --camera are for"});
  const io::Result<FitPlan> plan = makePlan(arguments, opened->document, console);
  if (!plan) return console.fail(plan.error());

  const InterruptWatch watch;
  const SteadyClock::time_point start = SteadyClock::now();
  Document person = opened->document;
  io::addPosePrior(person);
  FitAnswer answer;
  {
    ProgressLine progress(console);
    answer = runFit(person, *plan, [&](double part) { return progress(part); });
  }
  if (!answer.result.fault.empty()) return console.fail({arguments.observations, "", answer.result.fault});
  if (answer.result.isCancelled) return console.fail({arguments.observations, "", "cancelled: nothing was written"});
  takeFit(*plan, answer, opened->document);
  const std::size_t stances = arguments.holdsStances ? holdFittedStances(opened->document) : 0;
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();

  if (!arguments.costs.empty())
    if (const auto fault = io::writeFileAtomically(arguments.costs, fitCostsCsv(*plan, answer)))
      return console.fail(*fault);
  if (!arguments.output.empty())
    if (const int code = exportWithNotes(opened->document, arguments.output, console); code != kSuccess) return code;
  return console.print(io::formatJson(summaryJson(*plan, answer, opened->document, stances, seconds)));
}

}  // namespace limber::app
