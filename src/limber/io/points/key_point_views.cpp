// SPDX-License-Identifier: MIT
#include "limber/io/points/key_point_views.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "limber/io/base/camera_json.h"
#include "limber/io/base/file.h"
#include "limber/io/points/observations.h"

namespace limber::io {

namespace {

constexpr std::size_t kMostViews = 100;
constexpr int kWidestPicture = 1'000'000;  // pixels

/// A view that a file names.
struct NamedView {
  std::filesystem::path path;
  int width = 0, height = 0;  ///< 0: as its files say
  std::optional<PictureCamera> camera;
};

NamedView viewFrom(const JsonValue& value, const std::filesystem::path& folder) {
  value.allowOnly("key_points size camera");
  const std::string& name = value.at("key_points").name();
  if (name.find('\0') != std::string::npos) value.at("key_points").fail("is not the name of a file");
  NamedView view{.path = folder / name};
  if (const auto size = value.find("size")) {
    const std::vector<JsonValue> sides = size->elements();
    if (sides.size() != 2) size->fail("must hold width and height, in pixels");
    view.width = sides[0].integerIn(1, kWidestPicture);
    view.height = sides[1].integerIn(1, kWidestPicture);
  }
  if (const auto camera = value.find("camera")) view.camera = cameraFromJson(*camera);
  return view;
}

std::vector<NamedView> viewsFrom(const JsonValue& value, const std::filesystem::path& folder) {
  value.allowOnly("views");
  std::vector<NamedView> views;
  const JsonValue list = value.at("views");
  for (const JsonValue& one : list.elements()) {
    views.push_back(viewFrom(one, folder));
    if (views.size() > kMostViews) list.fail("holds more than " + std::to_string(kMostViews) + " views");
    if (views.back().camera.has_value() != views.front().camera.has_value())
      one.fail("every view must have a camera, or none");
  }
  if (views.empty()) list.fail("holds no view");
  return views;
}

/// True for a file of views: JSON with "views" and "key_points".
bool holdsViews(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  const Result<std::string> bytes = readFile(path, kMaxKeyPointBytes);
  return bytes && looksLikeJson(*bytes) && bytes->find("\"views\"") != std::string::npos &&
         bytes->find("\"key_points\"") != std::string::npos;
}

/// The view with a column for each name; points that it does not have are missing.
KeyPoints withNames(const KeyPoints& view, const std::vector<std::string>& names) {
  KeyPoints out = view;
  out.names = names;
  out.seen.assign(static_cast<std::size_t>(view.frameCount) * names.size(), SeenPixel{.confidence = 0.0});
  for (std::size_t i = 0; i < view.names.size(); ++i) {
    const auto column = static_cast<std::size_t>(std::ranges::find(names, view.names[i]) - names.begin());
    for (int frame = 0; frame < view.frameCount; ++frame)
      out.seen[static_cast<std::size_t>(frame) * names.size() + column] = view.at(frame, i);
  }
  return out;
}

Result<KeyPointViews> readViews(std::span<const NamedView> named, const KeyPointChoices& choices) {
  KeyPointViews out;
  std::vector<std::string> names;
  std::size_t rows = 0;
  for (const NamedView& one : named) {
    KeyPointChoices with = choices;
    if (one.width > 0) {
      with.width = one.width;
      with.height = one.height;
    }
    auto source = readKeyPoints(one.path, with);
    if (!source) return source.error();
    for (const std::string& note : source->notes)
      out.notes.push_back((named.size() > 1 ? one.path.filename().string() + ": " : "") + note);
    for (const std::string& name : source->points.names)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    rows += static_cast<std::size_t>(source->points.frameCount);
    std::string fault = names.size() > kMaxKeyPointNames ? "with the other views, has too many points"
                                                         : tooManyPositions(rows, names.size());
    if (!fault.empty()) return Error{one.path.string(), "", std::move(fault)};
    if (one.camera) out.cameras.push_back(*one.camera);
    out.views.push_back(std::move(source->points));
  }
  for (KeyPoints& view : out.views) view = withNames(view, names);
  return out;
}

}  // namespace

Result<KeyPointViews> readKeyPointViews(const std::filesystem::path& path, const KeyPointChoices& choices) {
  if (!holdsViews(path)) return readKeyPointViews({&path, 1}, choices);
  const auto named = readJsonFile<std::vector<NamedView>>(
      path, [&](const JsonValue& value) { return viewsFrom(value, path.parent_path()); });
  if (!named) return named.error();
  return readViews(*named, choices);
}

Result<KeyPointViews> readKeyPointViews(std::span<const std::filesystem::path> paths, const KeyPointChoices& choices) {
  std::vector<NamedView> named;
  for (const std::filesystem::path& path : paths) named.push_back({.path = path});
  return readViews(named, choices);
}

Result<std::vector<PictureCamera>> readCameras(const std::filesystem::path& path) {
  return readJsonFile<std::vector<PictureCamera>>(path, [](const JsonValue& value) {
    value.allowOnly("cameras");
    std::vector<PictureCamera> cameras;
    for (const JsonValue& camera : value.at("cameras").elements()) cameras.push_back(cameraFromJson(camera));
    if (cameras.empty()) value.at("cameras").fail("holds no camera");
    return cameras;
  });
}

}  // namespace limber::io
