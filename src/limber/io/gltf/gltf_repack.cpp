// SPDX-License-Identifier: MIT
#include <array>

#include "limber/io/base/referred_file.h"
#include "limber/io/gltf/gltf_parts.h"

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxPackedImage = 64u << 20;
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kImageTypes = {
    {{"\x89PNG", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"\xabKTX 20", "image/ktx2"}, {"RIFF", "image/webp"}}};

/// The media type of a picture; empty for an unknown one.
std::string_view imageTypeOf(std::string_view bytes) {
  for (const auto& [start, type] : kImageTypes)
    if (bytes.starts_with(start)) return type;
  return bytes.size() > 12 && bytes.substr(4, 8) == "ftypavif" ? "image/avif" : std::string_view();
}

/// Moves the bytes of all buffers and pictures into one chunk.
class Packer {
 public:
  Packer(const GltfFile& file, OrderedJson& json) : file_(file), json_(json) {}

  std::string pack() {
    packBuffers();
    packImages();
    if (!chunk_.empty()) json_["buffers"][0] = {{"byteLength", chunk_.size()}};
    return std::move(chunk_);
  }

 private:
  struct Place {
    std::size_t buffer = 0, start = 0;
  };

  std::size_t add(std::string_view bytes) {
    chunk_.append((4 - chunk_.size() % 4) % 4, '\0');
    const std::size_t start = chunk_.size();
    chunk_.append(bytes);
    return start;
  }

  /// The chunk becomes the first buffer. Buffers without bytes, which compressed meshes refer to, follow.
  void packBuffers() {
    OrderedJson buffers = OrderedJson::array({OrderedJson::object()});
    std::vector<Place> places;
    const std::vector<JsonValue>& list = file_.list("buffers");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].find("uri")) {
        places.push_back({0, add(file_.buffer(static_cast<int>(i)))});
      } else {
        places.push_back({buffers.size(), 0});
        buffers.push_back(json_["buffers"][i]);
      }
    }
    const std::vector<JsonValue>& views = file_.list("bufferViews");
    for (std::size_t i = 0; i < views.size(); ++i) {
      OrderedJson& view = json_["bufferViews"][i];
      move(views[i], places, view);
      for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
        if (const auto compressed = extension(views[i], name)) move(*compressed, places, view["extensions"][name]);
    }
    json_["buffers"] = std::move(buffers);
  }

  void move(const JsonValue& place, const std::vector<Place>& places, OrderedJson& json) const {
    const Place& to = places[file_.index(place.at("buffer"), "buffers")];
    json["buffer"] = to.buffer;
    const auto offset = place.find("byteOffset");
    const std::size_t start = to.start + (offset ? offset->integerIn(0, 2'147'483'647) : 0);
    if (offset || start > 0) json["byteOffset"] = start;
  }

  /// A picture that is not found, or of an unknown type, is unchanged.
  void packImages() {
    const std::vector<JsonValue>& images = file_.list("images");
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto uri = images[i].find("uri");
      if (!uri) continue;
      const Result<std::string> bytes = readUri(uri->text(), file_.path(), file_.context(), kMaxPackedImage);
      const std::string_view type = bytes ? imageTypeOf(*bytes) : std::string_view();
      if (type.empty()) continue;
      const std::size_t start = add(*bytes);
      json_["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", start}, {"byteLength", bytes->size()}});
      OrderedJson& image = json_["images"][i];
      image.erase("uri");
      image["bufferView"] = json_["bufferViews"].size() - 1;
      image["mimeType"] = type;
    }
  }

  const GltfFile& file_;
  OrderedJson& json_;
  std::string chunk_;
};

}  // namespace

std::string repackGltf(const GltfFile& file, OrderedJson& json) {
  if (!file.isBinary()) {
    const std::string chunk = Packer(file, json).pack();
    if (chunk.empty() && file.list("buffers").empty()) json.erase("buffers");
    return joinChunks(jsonChunk(compactJson(json)) + (chunk.empty() ? "" : binaryChunk(chunk)));
  }
  const std::vector<JsonValue>& buffers = file.list("buffers");
  if (!buffers.empty() && !buffers.front().find("uri")) json["buffers"][0]["uri"] = makeDataUri(file.buffer(0));
  return formatJson(json);
}

}  // namespace limber::io
