// SPDX-License-Identifier: MIT
#include "limber/io/points/observations.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/figure_formats.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/point_names.h"

namespace limber::io {

namespace {

constexpr int kFramesPerReport = 64;  // how often progress is reported
constexpr std::uintmax_t kMaxMapBytes = 16u << 20;

/// The positions of a figure's joints and sites over its motion.
Result<ObservationSource> observeMotion(const Document& document, const std::string& file, const OpenContext& context) {
  if (!document.motion || document.motion->frameCount == 0) return Error{file, "", "holds a figure without a motion"};
  const Figure& figure = *document.figure;
  const Motion& motion = *document.motion;
  ObservationSource source;
  Observations& seen = source.observations;
  seen.names = pointNames(figure);
  seen.weights.assign(seen.names.size(), 1.0);
  seen.frameCount = motion.frameCount;
  seen.frameTime = motion.frameTime;
  const std::string fault = tooManyPositions(motion.frameCount, seen.names.size());
  if (!fault.empty()) return Error{file, "", fault};
  std::vector<FigurePoint> points;
  for (const std::string& name : seen.names) points.push_back(*findPoint(figure, name));
  seen.positions.reserve(motion.frameCount * points.size());
  Kinematics kinematics;
  for (int frame = 0; frame < motion.frameCount; ++frame) {
    const double part = static_cast<double>(frame) / motion.frameCount;
    if (frame % kFramesPerReport == 0 && !context.goesOn(part, "following the motion"))
      return Error{file, "", std::string(kCancelled)};
    computeTransforms(figure, motion.poseAt(figure, frame), kinematics);
    for (const FigurePoint& p : points) seen.positions.push_back(kinematics.worldFromLink[p.link] * p.pointInLink);
  }
  return source;
}

const ObservationFormat* findFormat(std::string_view bytes, const std::filesystem::path& path) {
  for (const ObservationFormat& format : observationFormats())
    if (format.looksLike && format.looksLike(bytes)) return &format;
  const std::string ending = endingOf(path);
  for (const ObservationFormat& format : observationFormats())
    if (!format.looksLike && std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  return nullptr;
}

}  // namespace

std::span<const ObservationFormat> observationFormats() {
  static const std::vector<ObservationFormat> formats = {
      {"Observed points (JSON)", {".json"}, looksLikeObservationsJson, readObservationsJson},
      {"Marker file (TRC)", {".trc"}, looksLikeTrc, readObservationsTrc},
      {"Motion capture (C3D)", {".c3d"}, looksLikeC3d, readObservationsC3d},
      {"Table of points (CSV)", {".csv", ".tsv", ".txt"}, nullptr, readObservationsCsv},
  };
  return formats;
}

bool holdsObservations(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  const auto hasEnding = [&](const ObservationFormat& format) {
    return std::ranges::find(format.endings, ending) != format.endings.end();
  };
  if (std::ranges::none_of(observationFormats(), hasEnding)) return false;
  const Result<std::string> bytes = readFile(path);
  return bytes && !findFigureFormat(*bytes, path) && findFormat(*bytes, path);
}

Result<ObservationSource> readObservations(const std::filesystem::path& path, std::optional<char> up,
                                           const OpenContext& context) {
  const std::string file = path.string();
  {
    const Result<std::string> bytes = readFile(path);
    if (!bytes) return bytes.error();
    if (const ObservationFormat* format = findFormat(*bytes, path)) {
      Result<ObservationSource> source = format->read(*bytes, file, up);
      if (source) source->format = format->name;
      return source;
    }
    if (const FigureFormat* format = findFigureFormat(*bytes, path)) {
      const Result<FigureSource> figure = format->read(*bytes, path, context);
      if (!figure) return figure.error();
      Document document = documentOf(*figure);
      if (!context.motion.empty())
        if (auto fault = chooseMotion(document, context.motion, file)) return *fault;
      Result<ObservationSource> source = observeMotion(document, file, context);
      if (source) source->notes = figure->notes;
      if (source) source->format = format->name;
      return source;
    }
  }
  const Result<Opened> opened = openAny(file, context);
  if (!opened) return opened.error();
  Result<ObservationSource> source = observeMotion(opened->document, file, context);
  if (source) source->format = "Limber scene";
  return source;
}

ObservationFrame::ObservationFrame(double metresPerUnit, char up) {
  if (up == 'z') sceneFromFile_ << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  else if (up == 'x') sceneFromFile_ << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  else sceneFromFile_.setIdentity();
  sceneFromFile_ *= metresPerUnit;
}

double MarkerReader::cell(std::size_t column) const {
  if (column >= cells_.size() || isMissing(cells_[column])) return std::numeric_limits<double>::quiet_NaN();
  const auto number = numberOf(cells_[column]);
  if (!number || std::abs(*number) > kFarthestMarker)
    fail("column " + std::to_string(column + 1) + ": " + inQuotes(cells_[column]) + " is not a number");
  return *number;
}

void MarkerReader::beginFrame(double time) {
  Observations& out = source_.observations;
  if (out.frameCount == 0) firstTime_ = time;
  lastTime_ = time;
  ++out.frameCount;
  const std::string fault = tooManyPositions(out.frameCount, out.names.size());
  if (!fault.empty()) fail(fault);
}

void MarkerReader::addPlace(const Eigen::Vector3d& place, const ObservationFrame& frame) {
  source_.observations.positions.push_back(place.allFinite() ? frame(place) : Observations::missing());
}

std::optional<double> MarkerReader::frameTime() const {
  const int frames = source_.observations.frameCount;
  if (frames < 2 || !(lastTime_ > firstTime_)) return std::nullopt;
  return (lastTime_ - firstTime_) / (frames - 1);
}

std::optional<double> metresPerUnit(std::string_view word) {
  struct Unit {
    std::string_view name;
    double metres;
  };
  static constexpr Unit kUnits[] = {
      {"m", 1.0},           {"meter", 1.0},    {"metre", 1.0},        {"cm", 0.01},          {"centimeter", 0.01},
      {"centimetre", 0.01}, {"mm", 0.001},     {"millimeter", 0.001}, {"millimetre", 0.001}, {"in", 0.0254},
      {"inch", 0.0254},     {"inche", 0.0254}, {"ft", 0.3048},        {"foot", 0.3048},      {"feet", 0.3048},
  };
  std::string lower = lowerCase(word.substr(0, 16));
  if (lower.size() > 2 && lower.ends_with('s')) lower.pop_back();
  for (const Unit& unit : kUnits)
    if (lower == unit.name) return unit.metres;
  return std::nullopt;
}

std::string tooManyPositions(std::size_t frames, std::size_t points) {
  if (points == 0 || frames <= kMaxObservedPositions / points) return {};
  return std::to_string(frames) + " frames of " + std::to_string(points) +
         " points are too many: " + std::to_string(kMaxObservedPositions) + " positions at most";
}

std::string repeatedName(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) return std::string("the point ") + inQuotes(name) + " occurs twice";
  return {};
}

Result<PointMap> readPointMap(const std::filesystem::path& path) {
  const auto read = [](const JsonValue& value) {
    PointMap map;
    for (const auto& [observed, name] : value.members()) map[observed] = name.isNull() ? "" : name.name();
    return map;
  };
  return readJsonFile<PointMap>(path, read, kMaxMapBytes);
}

std::optional<Error> applyPointMap(const PointMap& map, const std::string& file, const Figure& figure,
                                   const std::vector<std::string>& observed, std::vector<std::string>& names) {
  for (const auto& [point, name] : map) {
    const auto at = std::ranges::find(observed, point);
    if (at == observed.end()) return Error{file, point, "no point of that name was observed"};
    if (!name.empty() && !findPoint(figure, name))
      return Error{file, point, "the figure has no link, site or joint " + inQuotes(name)};
    std::ranges::replace(names, name, std::string());
    names[at - observed.begin()] = name;
  }
  return std::nullopt;
}

}  // namespace limber::io
