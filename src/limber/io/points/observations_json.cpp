// SPDX-License-Identifier: MIT
// Observed points as JSON (docs/fit.md):
//
//   {"unit": "mm", "up": "z", "frame_time": 0.01, "points": ["wrist", "tip"], "weights": [1, 2],
//    "frames": [[[0, 0, 10], null], ...]}                   null: the point is missing
//   {"points": {"wrist": [0, 0, 10], "tip": [0, 3, 10]}}    one frame
#include "limber/io/base/json.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

double unitOf(const JsonValue& file) {
  const auto unit = file.find("unit");
  if (!unit) return 1.0;
  if (unit->isNumber()) return unit->numberIn(1e-9, 1e9);
  const auto metres = metresPerUnit(unit->text());
  if (!metres)
    unit->fail(inQuotes(unit->text()) + " is not a unit of length (m, cm, mm, in, ft, or metres as a number)");
  return *metres;
}

char upOf(const JsonValue& file) {
  const auto up = file.find("up");
  if (!up) return 'y';
  if (up->text() != "x" && up->text() != "y" && up->text() != "z") up->fail("must be \"x\", \"y\" or \"z\"");
  return up->text()[0];
}

Eigen::Vector3d placeFrom(const JsonValue& value, const ObservationFrame& frame) {
  if (value.isNull()) return Observations::missing();
  const Eigen::Vector3d place = value.vector3();
  if (!(place.cwiseAbs().maxCoeff() <= kFarthestMarker)) value.fail("is too far away");
  return frame(place);
}

void readOneFrame(const JsonValue& points, const ObservationFrame& frame, Observations& out) {
  out.frameCount = 1;
  for (const auto& [name, place] : points.members()) {
    out.names.push_back(name);
    out.positions.push_back(placeFrom(place, frame));
  }
}

void readFrames(const JsonValue& file, const JsonValue& points, const ObservationFrame& frame, Observations& out) {
  for (const JsonValue& name : points.elements()) out.names.push_back(name.name());
  if (const std::string fault = repeatedName(out.names); !fault.empty()) points.fail(fault);
  const std::vector<JsonValue> frames = file.at("frames").elements();
  if (const std::string fault = tooManyPositions(frames.size(), out.names.size()); !fault.empty())
    file.at("frames").fail(fault);
  out.frameCount = static_cast<int>(frames.size());
  out.positions.reserve(frames.size() * out.names.size());
  for (const JsonValue& row : frames) {
    const std::vector<JsonValue> places = row.elements();
    if (places.size() != out.names.size())
      row.fail("has " + std::to_string(places.size()) + " places for " + std::to_string(out.names.size()) + " points");
    for (const JsonValue& place : places) out.positions.push_back(placeFrom(place, frame));
  }
}

void readWeights(const JsonValue& file, Observations& out) {
  out.weights.assign(out.names.size(), 1.0);
  const auto weights = file.find("weights");
  if (!weights) return;
  const std::vector<JsonValue> values = weights->elements();
  if (values.size() != out.names.size()) weights->fail("must have a number for each point");
  for (std::size_t i = 0; i < values.size(); ++i) out.weights[i] = values[i].numberIn(0.0, 1e6);
}

}  // namespace

bool looksLikeObservationsJson(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '{') return false;
  return bytes.find("\"points\"") != std::string_view::npos && bytes.find("\"links\"") == std::string_view::npos &&
         bytes.find("\"figure\"") == std::string_view::npos;
}

Result<ObservationSource> readObservationsJson(std::string_view bytes, const std::string& file,
                                               std::optional<char> up) {
  if (bytes.size() > kMaxObservationJsonBytes)
    return Error{file, "", "is larger than 16 MiB: a table (CSV) holds more"};
  return readJsonText<ObservationSource>(bytes, file, [&](const JsonValue& value) {
    value.allowOnly("format unit up frame_time points weights frames");
    if (const auto format = value.find("format"); format && format->text() != "limber observations")
      format->fail("must be \"limber observations\"");
    ObservationSource source;
    const ObservationFrame frame(unitOf(value), up.value_or(upOf(value)));
    const JsonValue points = value.at("points");
    if (const auto time = value.find("frame_time")) source.observations.frameTime = time->numberIn(1e-9, 1e6);
    if (points.isObject()) {
      value.allowOnly("format unit up points");
      readOneFrame(points, frame, source.observations);
    } else {
      readFrames(value, points, frame, source.observations);
    }
    readWeights(value, source.observations);
    if (source.observations.names.empty()) points.fail("holds no point");
    if (source.observations.frameCount == 0) value.at("frames").fail("holds no frame");
    return source;
  });
}

}  // namespace limber::io
