// SPDX-License-Identifier: MIT
// Reference pictures of scenes: by path, or with their bytes.
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "limber/io/base/camera_json.h"
#include "limber/io/base/picture_file.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/json/scene_parts.h"

namespace limber::io {

namespace {

constexpr int kLargestSide = 1'000'000;

/// The bytes in the scene, the picture of the same id in `shared`, or a path whose file readPictures() reads.
std::shared_ptr<const PictureFile> pictureFileFromJson(const JsonValue& value, int id,
                                                       const std::filesystem::path& folder, const Document* shared,
                                                       PictureBudget& budget) {
  const auto data = value.find("data");
  if (const ReferencePicture* same = shared ? findPicture(*shared, id) : nullptr; same && !value.find("file"))
    return same->file;
  const std::string& path = value.at("file").name();
  if (path.find('\0') != std::string::npos) value.at("file").fail("is not the name of a file");
  if (!data) {
    auto file = std::make_shared<PictureFile>();
    file->path = (folder / path).lexically_normal();
    return file;
  }
  if (!data->text().starts_with("data:")) data->fail("is not a data URI");
  auto bytes = readUri(data->text(), {}, {}, 0);
  if (!bytes) data->fail(bytes.error().cause);
  auto file = decodePicture(std::move(*bytes), path, budget);
  if (!file) data->fail(file.error().cause);
  return *file;
}

std::array<double, 4> cropFromJson(const JsonValue& value) {
  std::array<double, 4> crop{};
  std::ranges::copy(value.numbers(4), crop.begin());
  const bool isSound = std::ranges::all_of(crop, [](double share) { return share >= 0.0; }) &&
                       crop[0] + crop[2] <= kMostCrop && crop[1] + crop[3] <= kMostCrop;
  if (!isSound) value.fail("must leave a part of the picture");
  return crop;
}

ReferencePicture pictureFromJson(const JsonValue& value, const std::filesystem::path& folder, const Document* shared,
                                 PictureBudget& budget) {
  value.allowOnly("id file data size camera opacity in_front crop");
  ReferencePicture picture{.id = value.at("id").integerIn(0, kLargestId)};
  const auto sides = value.at("size").elements();
  if (sides.size() != 2) value.at("size").fail("must hold width and height, in pixels");
  picture.width = sides[0].integerIn(1, kLargestSide);
  picture.height = sides[1].integerIn(1, kLargestSide);
  picture.camera = cameraFromJson(value.at("camera"));
  if (const auto opacity = value.find("opacity")) picture.opacity = opacity->numberIn(0.0, 1.0);
  if (const auto inFront = value.find("in_front")) picture.isInFront = inFront->boolean();
  if (const auto crop = value.find("crop")) picture.crop = cropFromJson(*crop);
  picture.file = pictureFileFromJson(value, picture.id, folder, shared, budget);
  const ReferencePicture* same = shared && !value.find("file") ? findPicture(*shared, picture.id) : nullptr;
  picture.isInScene = same ? same->isInScene : value.find("data").has_value();
  return picture;
}

OrderedJson pictureToJson(const ReferencePicture& picture, const std::filesystem::path& folder,
                          const Document* shared) {
  OrderedJson out = {{"id", picture.id}};
  const ReferencePicture* same = shared ? findPicture(*shared, picture.id) : nullptr;
  if (!same || same->file != picture.file || same->isInScene != picture.isInScene) {
    const bool hasBytes = picture.isInScene && !picture.file->bytes.empty();
    out["file"] = hasBytes ? picture.file->path.filename().generic_string() : pathFrom(folder, picture.file->path);
    if (hasBytes) out["data"] = makeDataUri(picture.file->bytes);
  }
  out["size"] = {picture.width, picture.height};
  out["camera"] = cameraToJson(picture.camera);
  out["opacity"] = toJson(picture.opacity);
  if (picture.isInFront) out["in_front"] = true;
  if (picture.crop != std::array<double, 4>{})
    out["crop"] = toJson(std::vector(picture.crop.begin(), picture.crop.end()));
  return out;
}

}  // namespace

void picturesFromJson(const JsonValue& scene, const std::filesystem::path& folder, const Document* shared,
                      Document& document) {
  std::set<int> ids;
  PictureBudget budget;
  if (const auto pictures = scene.find("pictures"))
    for (const JsonValue& value : pictures->elements()) {
      document.pictures.push_back(pictureFromJson(value, folder, shared, budget));
      if (!ids.insert(document.pictures.back().id).second) value.at("id").fail("is taken by another picture");
    }
  document.nextPictureId = ids.empty() ? 1 : *ids.rbegin() + 1;
  if (const auto next = scene.find("next_picture_id"))
    document.nextPictureId = next->integerIn(ids.empty() ? 0 : *ids.rbegin() + 1, kLargestId + 1);
  if (const auto shown = scene.find("shown_picture")) {
    document.shownPicture = shown->integerIn(0, kLargestId);
    if (!shownPicture(document)) shown->fail("there is no such picture");
  }
}

void appendPictures(const Document& document, const std::filesystem::path& folder, const Document* shared,
                    OrderedJson& out) {
  for (const ReferencePicture& picture : document.pictures)
    out["pictures"].push_back(pictureToJson(picture, folder, shared));
  if (document.nextPictureId > 1) out["next_picture_id"] = document.nextPictureId;
  if (shownPicture(document)) out["shown_picture"] = document.shownPicture;
}

}  // namespace limber::io
