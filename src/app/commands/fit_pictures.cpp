// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "app/editing/fitting.h"
#include "limber/io/base/camera_json.h"
#include "limber/io/base/json.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/points/key_point_views.h"
#include "limber/io/points/observations.h"
#include "limber/scene/picture_fit.h"
#include "limber/scene/point_names.h"

namespace limber::app {

namespace {

using io::OrderedJson;

io::Result<io::KeyPointViews> readViews(const FitArguments& arguments) {
  const io::KeyPointChoices choices{.width = arguments.width, .height = arguments.height, .progress = {}};
  std::vector<std::filesystem::path> files = {arguments.observations};
  files.insert(files.end(), arguments.views.begin(), arguments.views.end());
  auto views = files.size() > 1 ? io::readKeyPointViews(files, choices) : io::readKeyPointViews(files.front(), choices);
  if (!views || arguments.cameras.empty()) return views;
  if (!views->cameras.empty()) return io::Error{arguments.cameras, "", "the views have cameras of their own"};
  auto cameras = io::readCameras(arguments.cameras);
  if (!cameras) return cameras.error();
  views->cameras = std::move(*cameras);
  return views;
}

std::optional<io::Error> readMap(const FitArguments& arguments, const Figure& figure, PictureFitPlan& plan) {
  if (arguments.map.empty()) return std::nullopt;
  const auto map = io::readPointMap(arguments.map);
  if (!map) return map.error();
  const std::vector<std::string>& observed = plan.views.front().names;
  std::vector<std::string> chosen(observed.size());
  if (auto fault = io::applyPointMap(*map, arguments.map, figure, observed, chosen)) return *fault;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (!map->contains(observed[i])) continue;
    std::erase_if(plan.points, [&](const FitPoint& point) { return point.observed == static_cast<int>(i); });
    if (const auto point = findPoint(figure, chosen[i])) plan.points.push_back({static_cast<int>(i), *point});
  }
  return std::nullopt;
}

io::Result<PictureFitPlan> makePicturePlan(const FitArguments& arguments, const Document& person, Console& console) {
  auto read = readViews(arguments);
  if (!read) return read.error();
  console.note(arguments.observations, read->notes);
  PictureFitPlan plan{.views = std::move(read->views), .cameras = std::move(read->cameras)};
  if (arguments.framesPerSecond)
    for (KeyPoints& view : plan.views) view.frameTime = 1.0 / *arguments.framesPerSecond;
  plan.points = io::pointsOfKeyPoints(person, plan.views.front().names);
  if (auto fault = readMap(arguments, *person.figure, plan)) return *fault;
  if (arguments.scale != "auto") plan.scale = io::numberOf(arguments.scale);
  plan.noise = arguments.noise;
  if (arguments.fieldOfView)
    plan.focal = 0.5 * plan.views.front().height / std::tan(0.5 * *arguments.fieldOfView * std::numbers::pi / 180.0);
  return plan;
}

OrderedJson pictureReport(const PictureFitPlan& plan, const PictureFitResult& result, double seconds) {
  const KeyPoints& view = plan.views.front();
  const bool isSeen = result.worstFrame >= 0;
  int wrong = 0, iterations = 0;
  for (const FittedPicture& frame : result.frames) {
    wrong += frame.wrong;
    iterations += frame.iterations;
  }
  OrderedJson json;
  json["frames"] = result.frames.size();
  json["frame_time"] = view.frameTime;
  json["unobserved_frames"] = result.unobservedFrames;
  json["error_px"] = {{"mean", numberOrNull(isSeen ? result.meanError : NAN)},
                      {"worst", numberOrNull(isSeen ? result.worstError : NAN)},
                      {"worst_frame", isSeen ? OrderedJson(result.worstFrame) : OrderedJson(nullptr)}};
  json["noise_px"] = result.noise;
  json["scale"] = result.scale.scale;
  json["scale_from"] = result.scale.sentence;
  json["wrong_points"] = wrong;
  json["is_camera_found"] = result.isCameraFound;
  json["cameras"] = OrderedJson::array();
  for (const PictureCamera& camera : result.cameras) json["cameras"].push_back(io::cameraToJson(camera));
  json["points"] = OrderedJson::array();
  std::set<int> matched;
  for (std::size_t k = 0; k < plan.points.size(); ++k) {
    const PointError& error = result.points[k];
    matched.insert(plan.points[k].observed);
    json["points"].push_back({{"observed", view.names[plan.points[k].observed]},
                              {"mean_px", error.mean},
                              {"worst_px", error.worst},
                              {"worst_frame", error.worstFrame},
                              {"seen", error.frames}});
  }
  json["unmatched"] = OrderedJson::array();
  for (std::size_t i = 0; i < view.names.size(); ++i)
    if (!matched.contains(static_cast<int>(i))) json["unmatched"].push_back(view.names[i]);
  json["iterations"] = iterations;
  json["time_us"] = microseconds(1e3 * seconds);
  return json;
}

}  // namespace

int runPictureFit(const FitArguments& arguments, Document document, Console& console) {
  Document person = document;
  io::addPosePrior(person);
  const io::Result<PictureFitPlan> plan = makePicturePlan(arguments, person, console);
  if (!plan) return console.fail(plan.error());
  const InterruptWatch watch;
  const auto start = std::chrono::steady_clock::now();
  PictureFitResult result;
  {
    ProgressLine progress(console);
    result = fitPictures(person, *plan, [&](double part) { return progress(part); });
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!result.fault.empty()) return console.fail({arguments.observations, "", result.fault});
  if (result.isCancelled) return console.fail({arguments.observations, "", "cancelled: nothing was written"});
  if (!arguments.output.empty()) {
    const std::string source = std::filesystem::path(arguments.observations).filename().string();
    takeFit(motionOf(result.frames, plan->views.front().frameTime, "fit to " + source), document);
    if (const int code = exportWithNotes(document, arguments.output, console); code != kSuccess) return code;
  }
  return console.print(io::formatJson(pictureReport(*plan, result, seconds.count())));
}

}  // namespace limber::app
