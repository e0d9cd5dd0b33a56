// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_compression.h"

#ifdef LIMBER_HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

namespace limber::io {

#ifdef LIMBER_HAVE_MESHOPTIMIZER

namespace {

constexpr int kMostElements = 1 << 28, kWidestElement = 256;

/// Undoes the filter. Checks the element size that it requires, because the library only asserts it.
void undoFilter(const JsonValue& extension, std::size_t count, std::size_t stride, std::string& bytes) {
  const auto filter = extension.find("filter");
  if (!filter || filter->text() == "NONE") return;
  const auto undo = [&](bool isFitting, auto decode) {
    if (!isFitting) filter->fail(inQuotes(filter->text()) + " does not fit elements of that byteStride");
    decode(bytes.data(), count, stride);
  };
  if (filter->text() == "OCTAHEDRAL") undo(stride == 4 || stride == 8, meshopt_decodeFilterOct);
  else if (filter->text() == "QUATERNION") undo(stride == 8, meshopt_decodeFilterQuat);
  else if (filter->text() == "EXPONENTIAL") undo(stride % 4 == 0, meshopt_decodeFilterExp);
  else filter->fail(inQuotes(filter->text()) + " is not a filter (NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL)");
}

/// The library's function for the mode; checks the count and stride that the mode requires.
auto decoderOf(const JsonValue& extension, std::size_t count, std::size_t stride) {
  const JsonValue mode = extension.at("mode");
  const bool isAttributes = mode.text() == "ATTRIBUTES", isTriangles = mode.text() == "TRIANGLES";
  if (!isAttributes && !isTriangles && mode.text() != "INDICES")
    mode.fail(inQuotes(mode.text()) + " is not a mode (ATTRIBUTES, TRIANGLES, INDICES)");
  if (isAttributes ? stride % 4 != 0 : stride != 2 && stride != 4)
    extension.at("byteStride").fail("does not fit the mode " + mode.text());
  if (isTriangles && count % 3 != 0) extension.at("count").fail("is not a multiple of three");
  using Decode = int(void*, std::size_t, std::size_t, const unsigned char*, std::size_t);
  Decode* const decode = isAttributes  ? &meshopt_decodeVertexBuffer
                         : isTriangles ? static_cast<Decode*>(&meshopt_decodeIndexBuffer)
                                       : static_cast<Decode*>(&meshopt_decodeIndexSequence);
  return decode;
}

}  // namespace

bool readsMeshopt() { return true; }

std::string decodeMeshopt(const JsonValue& extension, std::string_view bytes, std::size_t mostBytes) {
  const auto count = static_cast<std::size_t>(extension.at("count").integerIn(0, kMostElements));
  const auto stride = static_cast<std::size_t>(extension.at("byteStride").integerIn(1, kWidestElement));
  const auto decode = decoderOf(extension, count, stride);
  if (count * stride > mostBytes) extension.at("count").fail("makes more than 512 MiB of buffers");
  std::string out(count * stride, '\0');
  if (count == 0) return out;
  if (decode(out.data(), count, stride, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()) != 0)
    extension.fail("holds damaged data, or data of a later version");
  if (extension.at("mode").text() == "ATTRIBUTES") undoFilter(extension, count, stride, out);
  return out;
}

#else

bool readsMeshopt() { return false; }

std::string decodeMeshopt(const JsonValue& extension, std::string_view, std::size_t) {
  extension.fail("is compressed by meshoptimizer, which this build does not read");
}

#endif

}  // namespace limber::io
