// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "limber/io/base/file.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/gltf/gltf_compression.h"

namespace limber::io {

namespace {

constexpr int kMaxInteger = std::numeric_limits<int>::max();
constexpr std::ptrdiff_t kMaxJsonValues = 4'000'000;  // 400 MB at most; a figure of 100,000 nodes has 1,000,000
constexpr std::size_t kMaxAccessorNumbers = std::size_t{1} << 26;  // of one accessor: 256 MB
constexpr std::size_t kMaxNumbersInAll = std::size_t{1} << 27;     // of all uses of accessors; takes a second
constexpr std::size_t kMaxFilesLookedFor = 1000;                   // after the first missing one
constexpr const char *kMeshopt = "EXT_meshopt_compression", *kLaterMeshopt = "KHR_meshopt_compression";
constexpr std::array<const char*, 11> kLists = {"nodes",     "scenes",     "meshes",      "skins",
                                                "accessors", "animations", "bufferViews", "buffers",
                                                "materials", "textures",   "images"};

std::size_t sizeOf(GltfComponent component) {
  if (component == GltfComponent::Byte || component == GltfComponent::UnsignedByte) return 1;
  return component == GltfComponent::Short || component == GltfComponent::UnsignedShort ? 2 : 4;
}

GltfComponent componentOf(const JsonValue& value) {
  const int number = value.integerIn(0, kMaxInteger);
  if (number < 5120 || number > 5126 || number == 5124) value.fail("is not a component type of glTF (5120 to 5126)");
  return static_cast<GltfComponent>(number);
}

int componentsOf(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4") return 4;
  return 16;  // MAT4
}

template <typename T>
T valueAt(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// A number of an accessor; normalised integers are mapped to [-1, 1] (glTF 2.0, section 3.6.2.2).
double numberAt(const char* bytes, GltfComponent component, bool isNormalised) {
  const auto scaled = [&](double value, double most) { return isNormalised ? std::max(value / most, -1.0) : value; };
  switch (component) {
    case GltfComponent::Byte: return scaled(valueAt<std::int8_t>(bytes), 127.0);
    case GltfComponent::UnsignedByte: return scaled(valueAt<std::uint8_t>(bytes), 255.0);
    case GltfComponent::Short: return scaled(valueAt<std::int16_t>(bytes), 32767.0);
    case GltfComponent::UnsignedShort: return scaled(valueAt<std::uint16_t>(bytes), 65535.0);
    case GltfComponent::UnsignedInt: return valueAt<std::uint32_t>(bytes);
    case GltfComponent::Float: return valueAt<float>(bytes);
  }
  return 0.0;
}

std::size_t sizeAt(const JsonValue& value, const char* key) {
  const std::optional<JsonValue> member = value.find(key);
  return member ? static_cast<std::size_t>(member->integerIn(0, kMaxInteger)) : 0;
}

/// Estimates the number of JSON values from brackets and commas before they are parsed.
void refuseTooManyValues(std::string_view text) {
  const std::ptrdiff_t count = std::ranges::count_if(text, [](char c) { return c == ',' || c == '{' || c == '['; });
  if (count > kMaxJsonValues)
    throw JsonFault{"", "its JSON holds more than " + std::to_string(kMaxJsonValues) + " values"};
  if (text.size() > kMaxJsonBytes) throw JsonFault{"", "its JSON is larger than 128 MiB"};
}

}  // namespace

/// The memory layout of an accessor's numbers.
struct GltfFile::Layout {
  JsonValue place;
  std::size_t count;       ///< elements
  std::size_t components;  ///< numbers in each
  GltfComponent component;
  bool isNormalised;
  std::size_t elementBytes() const { return components * sizeOf(component); }
};

GltfFile::GltfFile(std::string_view bytes, std::filesystem::path path, const OpenContext& context)
    : path_(std::move(path)), context_(context), container_(splitGltf(bytes)) {
  refuseTooManyValues(container_.json);
  json_ = parseJson(container_.json);
  const std::string& version = root().at("asset").at("version").text();
  if (!version.starts_with("2"))
    root().at("asset").at("version").fail("is " + inQuotes(version) + "; only glTF 2 is read");
  for (const char* name : kLists)
    if (const auto list = root().find(name)) lists_[name] = list->elements();
}

const std::vector<JsonValue>& GltfFile::list(const std::string& name) const {
  static const std::vector<JsonValue> kNone;
  const auto found = lists_.find(name);
  return found == lists_.end() ? kNone : found->second;
}

int GltfFile::index(const JsonValue& value, const std::string& name) const {
  const int index = value.integerIn(0, kMaxInteger);
  const std::size_t size = list(name).size();
  if (static_cast<std::size_t>(index) >= size)
    value.fail("is " + std::to_string(index) + ", but the file has " + std::to_string(size) + " " + name);
  return index;
}

int GltfFile::indexOf(const JsonValue& value, const std::string& key, const std::string& name) const {
  const std::optional<JsonValue> member = value.find(key);
  return member ? index(*member, name) : -1;
}

void GltfFile::note(const std::string& sentence) const {
  if (said_.insert(sentence).second) notes_.push_back(sentence);
}

std::string_view GltfFile::buffer(int index) const {
  const JsonValue& value = list("buffers")[index];
  const std::size_t length = sizeAt(value, "byteLength");
  const std::optional<JsonValue> uri = value.find("uri");
  std::string_view bytes;
  if (uri) {
    auto found = fetched_.find(index);
    if (found == fetched_.end()) {
      Result<std::string> read = readUri(uri->text(), path_, context_, kMaxFileBytes - fetchedBytes_);
      if (!read) {
        isBufferMissing_ = !read.error().missing.empty();
        uri->fail(read.error().cause);
      }
      fetchedBytes_ += read->size();
      if (fetchedBytes_ > kMaxFileBytes) uri->fail("makes more than 512 MiB of buffers");
      found = fetched_.emplace(index, std::move(*read)).first;
    }
    bytes = found->second;
  } else {
    if (index != 0 || !container_.binary) value.fail("has no uri, and the file has no binary chunk for it");
    bytes = *container_.binary;
  }
  if (length > bytes.size())
    value.at("byteLength")
        .fail("is " + std::to_string(length) + ", but there are " + std::to_string(bytes.size()) + " bytes");
  return bytes.substr(0, length);
}

std::vector<std::string> GltfFile::missingBuffers() const {
  std::set<std::string> names;
  const std::vector<JsonValue>& buffers = list("buffers");
  for (std::size_t i = 0; isBufferMissing_ && i < std::min(buffers.size(), kMaxFilesLookedFor); ++i) {
    const auto uri = buffers[i].find("uri");
    if (!uri || !uri->isText() || uri->text().starts_with("data:")) continue;
    const auto found = findUri(uri->text(), path_, context_);
    if (!found) names.insert(found.error().missing.begin(), found.error().missing.end());
  }
  return {names.begin(), names.end()};
}

/// The bytes of a buffer to which a view refers, or a view's extension for compressed bytes.
std::string_view GltfFile::piece(const JsonValue& place) const {
  const std::string_view bytes = buffer(index(place.at("buffer"), "buffers"));
  const std::size_t offset = sizeAt(place, "byteOffset"), length = sizeAt(place, "byteLength");
  if (offset > bytes.size() || length > bytes.size() - offset)
    place.fail("reaches to byte " + std::to_string(offset + length) + " of a buffer of " +
               std::to_string(bytes.size()));
  return bytes.substr(offset, length);
}

std::string_view GltfFile::bufferView(int view) const {
  const JsonValue& value = list("bufferViews")[view];
  const auto packed = extension(value, kMeshopt);
  if (!packed) return piece(value);
  auto found = unpacked_.find(view);
  if (found == unpacked_.end()) {
    std::string bytes = decodeMeshopt(*packed, piece(*packed), kMaxFileBytes - fetchedBytes_);
    fetchedBytes_ += bytes.size();
    found = unpacked_.emplace(view, std::move(bytes)).first;
  }
  return found->second;
}

/// The bytes of a view from the first of `count` elements on; checks that all are within the view.
std::string_view GltfFile::slice(const JsonValue& place, int view, std::size_t offset, std::size_t stride,
                                 std::size_t size, std::size_t count) const {
  const std::string_view bytes = bufferView(view);
  const std::size_t needed = count == 0 ? offset : offset + (count - 1) * stride + size;  // each factor below 2^31
  if (needed > bytes.size())
    place.fail("reaches to byte " + std::to_string(needed) + " of a buffer view of " + std::to_string(bytes.size()));
  return bytes.substr(offset);
}

int GltfFile::count(int accessor) const {
  const auto found = replaced_.find(accessor);
  if (found != replaced_.end()) return static_cast<int>(found->second.count);
  return list("accessors")[accessor].at("count").integerIn(0, kMaxInteger);
}

GltfComponent GltfFile::component(int accessor) const {
  return componentOf(list("accessors")[accessor].at("componentType"));
}

std::size_t GltfFile::components(int accessor) const {
  return static_cast<std::size_t>(componentsOf(list("accessors")[accessor].at("type").text()));
}

bool GltfFile::isCompressed(int accessor, std::string& why) const {
  const int view = indexOf(list("accessors")[accessor], "bufferView", "bufferViews");
  if (view < 0 || replaced_.contains(accessor)) return false;
  const JsonValue& value = list("bufferViews")[view];
  const bool isKnown = extension(value, kMeshopt).has_value();
  if (isKnown ? readsMeshopt() : !extension(value, kLaterMeshopt)) return false;
  why = isKnown ? kMeshopt : kLaterMeshopt;
  return true;
}

GltfFile::Layout GltfFile::layoutOf(int accessor, std::string_view type) const {
  const JsonValue& value = list("accessors")[accessor];
  const JsonValue theirs = value.at("type");
  if (theirs.text() != type) theirs.fail("must be " + std::string(type) + " here, not " + inQuotes(theirs.text()));
  const std::optional<JsonValue> normalised = value.find("normalized");
  Layout out{value, static_cast<std::size_t>(count(accessor)), static_cast<std::size_t>(componentsOf(type)),
             componentOf(value.at("componentType")), normalised && normalised->boolean()};
  if (out.count > kMaxAccessorNumbers / out.components) value.at("count").fail("is too large");
  return out;
}

/// The bytes from the accessor's first element on; empty for an accessor without bytes, whose numbers are all zero.
std::string_view GltfFile::elements(const Layout& layout, int accessor, std::size_t& stride) const {
  const std::size_t element = layout.elementBytes();
  stride = element;
  if (const auto found = replaced_.find(accessor); found != replaced_.end()) {
    if (found->second.bytes.size() != layout.count * element) layout.place.fail("is not what was decompressed for it");
    return found->second.bytes;
  }
  const int view = indexOf(layout.place, "bufferView", "bufferViews");
  if (view < 0) return {};
  if (const std::size_t given = sizeAt(list("bufferViews")[view], "byteStride"); given > 0) stride = given;
  if (stride < element)
    layout.place.fail("its elements of " + std::to_string(element) + " bytes overlap at a byteStride of " +
                      std::to_string(stride));
  return slice(layout.place, view, sizeAt(layout.place, "byteOffset"), stride, element, layout.count);
}

template <typename T>
std::vector<T> GltfFile::read(int accessor, std::string_view type) const {
  const Layout layout = layoutOf(accessor, type);
  numbersRead_ += layout.count * layout.components;
  if (numbersRead_ > kMaxNumbersInAll) layout.place.fail("is used so often that the file holds too many numbers");
  const std::size_t size = sizeOf(layout.component);
  std::size_t stride = 0;
  const std::string_view bytes = elements(layout, accessor, stride);
  std::vector<T> out(layout.count * layout.components);
  for (std::size_t i = 0; !bytes.empty() && i < layout.count; ++i)
    for (std::size_t c = 0; c < layout.components; ++c)
      out[i * layout.components + c] =
          static_cast<T>(numberAt(bytes.data() + i * stride + c * size, layout.component, layout.isNormalised));
  if (const auto sparse = layout.place.find("sparse")) readSparse(*sparse, layout, out);
  return out;
}

/// Replaces single elements by those of a sparse accessor (glTF 2.0, section 3.6.2.3).
template <typename T>
void GltfFile::readSparse(const JsonValue& sparse, const Layout& layout, std::vector<T>& out) const {
  const auto count = static_cast<std::size_t>(sparse.at("count").integerIn(0, kMaxInteger));
  const JsonValue indices = sparse.at("indices"), values = sparse.at("values");
  const GltfComponent kind = componentOf(indices.at("componentType"));
  if (kind != GltfComponent::UnsignedByte && kind != GltfComponent::UnsignedShort && kind != GltfComponent::UnsignedInt)
    indices.at("componentType").fail("must be an unsigned integer");
  const std::size_t size = sizeOf(layout.component), element = layout.elementBytes();
  const std::string_view places = slice(indices, index(indices.at("bufferView"), "bufferViews"),
                                        sizeAt(indices, "byteOffset"), sizeOf(kind), sizeOf(kind), count);
  const std::string_view bytes = slice(values, index(values.at("bufferView"), "bufferViews"),
                                       sizeAt(values, "byteOffset"), element, element, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(numberAt(places.data() + i * sizeOf(kind), kind, false));
    if (at >= layout.count)
      indices.fail("refers to element " + std::to_string(at) + " of " + std::to_string(layout.count));
    for (std::size_t c = 0; c < layout.components; ++c)
      out[at * layout.components + c] =
          static_cast<T>(numberAt(bytes.data() + i * element + c * size, layout.component, layout.isNormalised));
  }
}

std::vector<float> GltfFile::floats(int accessor, std::string_view type) const {
  std::vector<float> out = read<float>(accessor, type);
  const auto bad = std::ranges::find_if(out, [](float value) { return !std::isfinite(value); });
  if (bad != out.end())
    list("accessors")[accessor].fail("its number " + std::to_string(bad - out.begin()) + " is not finite");
  return out;
}

std::vector<std::uint32_t> GltfFile::integers(int accessor, std::string_view type) const {
  const Layout layout = layoutOf(accessor, type);
  const GltfComponent kind = layout.component;
  if (kind != GltfComponent::UnsignedByte && kind != GltfComponent::UnsignedShort && kind != GltfComponent::UnsignedInt)
    layout.place.at("componentType").fail("must be an unsigned integer here");
  if (layout.isNormalised) layout.place.at("normalized").fail("must be false here");
  return read<std::uint32_t>(accessor, type);
}

}  // namespace limber::io
