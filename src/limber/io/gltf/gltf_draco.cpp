// SPDX-License-Identifier: MIT
// Draco's two decoders trust the counts in their data and allocate memory for them. The classes derived from them here
// check the counts of triangles, vertices and attributes between the decoding steps.
#include "limber/io/gltf/gltf_compression.h"

#ifdef LIMBER_HAVE_DRACO
#include <draco/compression/config/compression_shared.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#endif

#include <algorithm>
#include <new>

namespace limber::io {

#ifdef LIMBER_HAVE_DRACO

namespace {

constexpr std::uint64_t kMostDecodedBytes = std::uint64_t{1} << 29;  // of all attributes of a primitive
constexpr std::uint64_t kMostTables = std::uint64_t{1} << 27;        // corners times tables of connectivity: 1 GB
constexpr std::size_t kWidestAttribute = 4;                          // components

struct DracoBounds {
  std::size_t vertices = 0, corners = 0;
};

/// Reads the counts at the head of the connectivity, which the decoder reads again. False if the data end before.
bool peekCounts(const draco::MeshSequentialDecoder&, draco::DecoderBuffer buffer, std::uint32_t& faces,
                std::uint32_t& vertices, std::uint8_t&) {
  return draco::DecodeVarint(&faces, &buffer) && draco::DecodeVarint(&vertices, &buffer);
}
bool peekCounts(const draco::MeshEdgebreakerDecoder&, draco::DecoderBuffer buffer, std::uint32_t& faces,
                std::uint32_t& vertices, std::uint8_t& attributeTables) {
  return draco::DecodeVarint(&vertices, &buffer) && draco::DecodeVarint(&faces, &buffer) &&
         buffer.Decode(&attributeTables);
}

template <typename Decoder>
class BoundedDecoder : public Decoder {
 public:
  explicit BoundedDecoder(const DracoBounds& bounds) : bounds_(bounds) {}
  bool isTooLarge() const { return isTooLarge_; }

 protected:
  bool DecodeConnectivity() override {
    std::uint32_t faces = 0, vertices = 0;
    std::uint8_t attributeTables = 0;
    if (!peekCounts(*this, *this->buffer(), faces, vertices, attributeTables)) return false;
    const std::uint64_t corners = std::uint64_t{3} * faces;
    isTooLarge_ = corners > bounds_.corners || vertices > bounds_.vertices ||
                  corners * (std::uint64_t{1} + attributeTables) > kMostTables;
    return !isTooLarge_ && Decoder::DecodeConnectivity();
  }

  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    std::uint64_t bytes = 0;  // of the values, the quantised values that they are made from, and the indices of both
    for (int i = 0; i < cloud.num_attributes(); ++i)
      bytes += std::uint64_t{cloud.num_points()} * (static_cast<std::uint64_t>(cloud.attribute(i)->byte_stride()) +
                                                    std::uint64_t{4} * cloud.attribute(i)->num_components() + 8);
    isTooLarge_ = cloud.num_points() > bounds_.vertices || bytes > kMostDecodedBytes;
    return !isTooLarge_ && Decoder::DecodeAllAttributes();
  }

 private:
  DracoBounds bounds_;
  bool isTooLarge_ = false;
};

[[noreturn]] void failOn(const JsonValue& primitive, const std::string& cause) {
  primitive.fail("its Draco data " + cause);
}

template <typename Decoder>
void decodeBy(const JsonValue& primitive, draco::DecoderBuffer& buffer, const DracoBounds& bounds, draco::Mesh& mesh) {
  BoundedDecoder<Decoder> decoder(bounds);
  const draco::DecoderOptions options;
  const draco::Status status = static_cast<draco::MeshDecoder&>(decoder).Decode(options, &buffer, &mesh);
  if (decoder.isTooLarge()) failOn(primitive, "exceed the limit of vertices or triangles");
  if (!status.ok()) failOn(primitive, "are damaged");
}

void decodeMesh(const JsonValue& primitive, std::string_view bytes, const DracoBounds& bounds, draco::Mesh& mesh) {
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::DecoderBuffer headBuffer = buffer;
  draco::DracoHeader head;
  if (!draco::PointCloudDecoder::DecodeHeader(&headBuffer, &head).ok()) failOn(primitive, "have no header of Draco");
  if (head.encoder_type != draco::TRIANGULAR_MESH) failOn(primitive, "hold points, not triangles");
  if (head.version_major != 2 || head.version_minor != 2)  // as the extension prescribes
    failOn(primitive, "are of version " + std::to_string(head.version_major) + "." +
                          std::to_string(head.version_minor) + "; only 2.2 is read");
  if (head.encoder_method == draco::MESH_EDGEBREAKER_ENCODING)
    decodeBy<draco::MeshEdgebreakerDecoder>(primitive, buffer, bounds, mesh);
  else if (head.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
    decodeBy<draco::MeshSequentialDecoder>(primitive, buffer, bounds, mesh);
  else failOn(primitive, "are damaged");
}

/// The attribute's values at all vertices, converted to numbers of the type T.
template <typename T>
std::string valuesOf(const JsonValue& primitive, const draco::Mesh& mesh, const draco::PointAttribute& attribute,
                     std::size_t components) {
  std::string bytes;
  bytes.resize(mesh.num_points() * components * sizeof(T));
  std::vector<T> row(components);
  for (draco::PointIndex i(0); i < mesh.num_points(); ++i) {
    const draco::AttributeValueIndex value = attribute.mapped_index(i);
    if (value.value() >= attribute.size() ||
        !attribute.ConvertValue(value, static_cast<std::int8_t>(components), row.data()))
      failOn(primitive, "do not fit the accessor of an attribute");
    std::copy_n(reinterpret_cast<const char*>(row.data()), components * sizeof(T),
                &bytes[i.value() * components * sizeof(T)]);
  }
  return bytes;
}

std::string bytesOf(const JsonValue& primitive, const draco::Mesh& mesh, const DracoAttribute& wanted) {
  const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(wanted.id);
  if (!attribute) failOn(primitive, "have no attribute " + std::to_string(wanted.id));
  if (attribute->num_components() != wanted.components || wanted.components > kWidestAttribute)
    failOn(primitive, "have other components than the accessor of attribute " + std::to_string(wanted.id));
  const auto as = [&]<typename T>(T) { return valuesOf<T>(primitive, mesh, *attribute, wanted.components); };
  switch (wanted.component) {
    case GltfComponent::Byte: return as(std::int8_t{});
    case GltfComponent::UnsignedByte: return as(std::uint8_t{});
    case GltfComponent::Short: return as(std::int16_t{});
    case GltfComponent::UnsignedShort: return as(std::uint16_t{});
    case GltfComponent::UnsignedInt: return as(std::uint32_t{});
    case GltfComponent::Float: break;
  }
  return as(float{});
}

}  // namespace

bool readsDraco() { return true; }

DracoMesh decodeDraco(const JsonValue& primitive, std::string_view bytes, const std::vector<DracoAttribute>& attributes,
                      std::size_t mostVertices, std::size_t mostCorners) {
  try {
    draco::Mesh mesh;
    decodeMesh(primitive, bytes, {mostVertices, mostCorners}, mesh);
    DracoMesh out;
    out.vertexCount = mesh.num_points();
    for (draco::FaceIndex i(0); i < mesh.num_faces(); ++i)
      for (const draco::PointIndex& corner : mesh.face(i)) out.corners.push_back(corner.value());
    for (const DracoAttribute& attribute : attributes) out.attributes.push_back(bytesOf(primitive, mesh, attribute));
    return out;
  } catch (const std::bad_alloc&) {
    failOn(primitive, "need more memory than there is");
  }
}

#else

bool readsDraco() { return false; }

DracoMesh decodeDraco(const JsonValue& primitive, std::string_view, const std::vector<DracoAttribute>&, std::size_t,
                      std::size_t) {
  primitive.fail("is compressed by Draco, which this build does not read");
}

#endif

}  // namespace limber::io
