// SPDX-License-Identifier: MIT
// Meshes compressed by Draco and meshoptimizer, made by the encoders of these libraries and compared with what went in.
#include "limber/io/gltf/gltf_compression.h"

#include <gtest/gtest.h>

#include "limber/io/gltf/gltf.h"
#include "limber/io/open.h"
#include "packed_sample.h"
#include "results.h"
#include "support/says.h"

namespace limber::io::gltf_compression_test {
namespace {

using nlohmann::json;
using test::GltfSample;
using test::Sheet;

FigureSource read(const std::string& bytes) { return test::valueOf(readGltf(bytes, "f.glb", {})); }
std::string faultOf(const std::string& bytes) { return test::messageOf(readGltf(bytes, "f.glb", {})); }

const SkinSurface& surfaceOf(const FigureSource& source) {
  if (!source.skin) throw std::runtime_error("the mesh is missing");
  return source.skin->surfaces.at(0);
}

/// The weight of a bone of a vertex, by link.
float weightOf(const SkinSurface& surface, std::size_t vertex, int link) {
  float sum = 0.0f;
  surface.visitBones(vertex, [&](std::size_t b, float weight) {
    if (surface.bones[b].link == link) sum += weight;
  });
  return sum;
}

/// Where each vertex of the sheet is in the surface, whatever the order there.
std::vector<std::size_t> placesIn(const SkinSurface& surface, const Sheet& sheet, float tolerance) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sheet.positions.size() / 3; ++i) {
    const Eigen::Vector3f wanted = Eigen::Vector3f::Map(&sheet.positions[3 * i]);
    std::size_t best = 0;
    for (std::size_t k = 0; k < surface.positions.size(); ++k)
      if ((surface.positions[k] - wanted).norm() < (surface.positions[best] - wanted).norm()) best = k;
    EXPECT_LE((surface.positions.at(best) - wanted).norm(), tolerance);
    places.push_back(best);
  }
  return places;
}

/// The triangles as triples that begin with their least corner, in ascending order.
std::vector<std::array<std::size_t, 3>> trianglesOf(std::vector<std::size_t> corners) {
  std::vector<std::array<std::size_t, 3>> out;
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    const auto first = corners.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(first, std::min_element(first, first + 3), first + 3);
    out.push_back({corners[i], corners[i + 1], corners[i + 2]});
  }
  std::ranges::sort(out);
  return out;
}

struct Tolerances {
  float position = 0.0f, normal = 0.0f, coordinate = 0.0f, weight = 0.0f;
};

void expectSheet(const FigureSource& source, const Tolerances& within) {
  const Sheet sheet;
  const SkinSurface& surface = surfaceOf(source);
  ASSERT_EQ(surface.positions.size(), sheet.positions.size() / 3);
  const std::vector<std::size_t> places = placesIn(surface, sheet, within.position);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_LE((surface.normals.at(places[i]) - Eigen::Vector3f::Map(&sheet.normals[3 * i])).norm(), within.normal);
    EXPECT_LE((surface.textureCoordinates.at(places[i]) - Eigen::Vector2f::Map(&sheet.coordinates[2 * i])).norm(),
              within.coordinate);
    for (int bone = 0; bone < 2; ++bone)
      EXPECT_NEAR(weightOf(surface, places[i], bone), sheet.weights[4 * i + static_cast<std::size_t>(bone)],
                  within.weight);
  }
  std::vector<std::size_t> wanted, found(surface.triangles.begin(), surface.triangles.end());
  for (const std::uint16_t corner : sheet.triangles) wanted.push_back(places[corner]);
  EXPECT_EQ(trianglesOf(found), trianglesOf(wanted));
}

#ifdef LIMBER_HAVE_DRACO

// 14 bits for a position in 1.5 m, 10 for a normal's octahedron, 12 for coordinates and weights in [0, 1].
constexpr Tolerances kByDraco = {1.5f / 16384, 4.0f / 1024, 1.0f / 4096, 1.0f / 4096};

TEST(GltfDraco, AMeshIsWhatWasCompressed) {
  for (const bool isSequential : {false, true}) {
    SCOPED_TRACE(isSequential);
    const GltfSample sample = test::withDraco(test::dracoSheet(isSequential));
    for (const std::string& bytes : {sample.text(), sample.glb()}) {
      const FigureSource source = read(bytes);
      EXPECT_TRUE(source.notes.empty()) << source.notes.front();
      expectSheet(source, kByDraco);
    }
  }
}

TEST(GltfDraco, AttributesMayStayUncompressed) {
  GltfSample sample = test::withDraco(test::dracoSheet(true));
  sample.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"].erase(
      "WEIGHTS_0");
  sample.json["accessors"][5] = test::plainSheet().json["accessors"][5];
  expectSheet(read(sample.glb()), kByDraco);
}

TEST(GltfDraco, AnAccessorsCountYieldsToTheData) {
  GltfSample sample = test::withDraco(test::dracoSheet(false));
  for (json& accessor : sample.json["accessors"])
    if (!accessor.contains("bufferView")) accessor["count"] = 5;
  expectSheet(read(sample.glb()), kByDraco);
}

TEST(GltfDraco, FaultsNameThePrimitiveAndTheCause) {
  const std::string whole = test::dracoSheet(false);
  const std::string place = "f.glb: meshes[0].primitives[0]: its Draco data ";
  std::string old = whole, points = whole;
  old[6] = 1;
  points[7] = 0;
  EXPECT_EQ(faultOf(test::withDraco(old).glb()), place + "are of version 2.1; only 2.2 is read");
  EXPECT_EQ(faultOf(test::withDraco(points).glb()), place + "hold points, not triangles");
  EXPECT_EQ(faultOf(test::withDraco("DRACE" + whole.substr(5)).glb()), place + "have no header of Draco");
  EXPECT_EQ(faultOf(test::withDraco(whole.substr(0, whole.size() / 2)).glb()), place + "are damaged");
  GltfSample sample = test::withDraco(whole);
  json& ids = sample.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"];
  ids["NORMAL"] = 7;
  EXPECT_EQ(faultOf(sample.glb()), place + "have no attribute 7");
  ids["NORMAL"] = 2;
  EXPECT_EQ(faultOf(sample.glb()), place + "have other components than the accessor of attribute 2");
}

// The counts stand after the header of 11 bytes and the kind of traversal: vertices, triangles, tables of attributes.
TEST(GltfDraco, CountsAreBoundedBeforeMemoryIsTaken) {
  const std::string whole = test::dracoSheet(false);
  ASSERT_EQ(static_cast<unsigned char>(whole[12]), 81);
  const std::string many = "\xff\xff\xff\x7f";  // 2^28 - 1
  const std::string place = "f.glb: meshes[0].primitives[0]: its Draco data exceed the limit of vertices or triangles";
  EXPECT_EQ(faultOf(test::withDraco(whole.substr(0, 12) + many + whole.substr(13)).glb()), place);
  EXPECT_EQ(faultOf(test::withDraco(whole.substr(0, 13) + many + whole.substr(15)).glb()), place);
  EXPECT_EQ(faultOf(test::withDraco(whole.substr(0, 13) + "\x80\x89\x7a\xff" + whole.substr(16)).glb()), place)
      << "2 million triangles with 255 tables";
}

TEST(GltfDraco, AFileGoesHomeWithItsMeshAsItWas) {
  const GltfSample sample = test::withDraco(test::dracoSheet(false));
  const FigureSource source = read(sample.glb());
  Document document = documentOf(source);
  const int knee = document.figure->joint(document.figure->findLink("knee")).poseIndex;
  document.pose.coordinates.segment<4>(knee) << 0.6, 0.0, 0.0, 0.8;
  const Exported out = test::valueOf(formatGltf(document));
  const GltfContainer before = splitGltf(source.file->bytes), after = splitGltf(out.bytes);
  EXPECT_EQ(*after.binary, *before.binary);
  json expected = json::parse(before.json);
  expected["nodes"][2]["rotation"] = json::parse(after.json)["nodes"][2]["rotation"];
  EXPECT_EQ(json::parse(after.json), expected);
  EXPECT_EQ(surfaceOf(read(out.bytes)).positions, surfaceOf(source).positions);
}

#else
TEST(GltfDraco, IsLeftOutAndSaid) {
  GltfSample sample = test::plainSheet();
  sample.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = json::object();
  EXPECT_TRUE(test::hasNote(read(sample.glb()).notes, "KHR_draco_mesh_compression"));
  GTEST_SKIP() << "Limber was built without Draco";
}
#endif

#ifdef LIMBER_HAVE_MESHOPTIMIZER

TEST(GltfMeshopt, AMeshIsWhatWasCompressed) {
  const GltfSample sample = test::withMeshopt(test::plainSheet());
  for (const std::string& bytes : {sample.text(), sample.glb()}) {
    const FigureSource source = read(bytes);
    EXPECT_TRUE(source.notes.empty()) << source.notes.front();
    expectSheet(source, {0.0f, 1e-6f, 0.0f, 1e-6f});  // normals and weights are normalised once more
  }
}

/// plainSheet() with 16-bit positions in the box of their node, and normals of a byte (KHR_mesh_quantization).
GltfSample quantisedSheet() {
  const Sheet sheet;
  GltfSample out = test::plainSheet();
  std::vector<std::int16_t> positions;
  std::vector<std::int8_t> normals;
  for (std::size_t i = 0; i < sheet.positions.size() / 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      positions.push_back(static_cast<std::int16_t>(std::lround(sheet.positions[3 * i + k] / 2 * 32767)));
      normals.push_back(static_cast<std::int8_t>(std::lround(sheet.normals[3 * i + k] * 127)));
    }
    positions.push_back(0);
    normals.push_back(0);
  }
  json& views = out.json["bufferViews"];
  const int placeView = out.view(positions), normalView = out.view(normals);
  views[placeView]["byteStride"] = 8;
  views[normalView]["byteStride"] = 4;
  const std::size_t count = positions.size() / 4;
  out.json["accessors"][1] = {
      {"bufferView", placeView}, {"componentType", 5122}, {"normalized", true}, {"count", count}, {"type", "VEC3"}};
  out.json["accessors"][2] = {
      {"bufferView", normalView}, {"componentType", 5120}, {"normalized", true}, {"count", count}, {"type", "VEC3"}};
  out.json["skins"][0]["inverseBindMatrices"] = out.floats(
      {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, -0.75f, 0, 1}, "MAT4");
  return out;
}

/// The sheet's positions by its bones at rest.
void expectSheetAtRest(const FigureSource& source, float position) {
  const Sheet sheet;
  const SkinSurface& surface = surfaceOf(source);
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    const SkinBone& hip = surface.bones.front();
    ASSERT_EQ(hip.link, 0);
    EXPECT_LE((hip.linkFromSkin * surface.positions[i] - Eigen::Vector3f::Map(&sheet.positions[3 * i])).norm(),
              position);
    EXPECT_LE((surface.normals[i] - Eigen::Vector3f::Map(&sheet.normals[3 * i])).norm(), 2.0f / 127);
  }
}

TEST(GltfMeshopt, QuantisedMeshesAreRead) {
  const GltfSample plain = quantisedSheet();
  expectSheetAtRest(read(plain.glb()), 2.0f / 32767);
  GltfSample packed = test::withMeshopt(plain);
  packed.json["extensionsRequired"].push_back("KHR_mesh_quantization");
  const FigureSource source = read(packed.glb());
  EXPECT_TRUE(source.notes.empty()) << source.notes.front();
  expectSheetAtRest(source, 2.0f / 32767);
}

TEST(GltfMeshopt, FiltersAreUndone) {
  const Sheet sheet;
  GltfSample sample = test::plainSheet();
  const std::size_t count = sheet.positions.size() / 3;
  std::vector<float> places(sheet.positions.size()), padded;
  meshopt_encodeFilterExp(places.data(), count, 12, 20, sheet.positions.data());
  for (std::size_t i = 0; i < count; ++i)
    for (const float value : {sheet.normals[3 * i], sheet.normals[3 * i + 1], sheet.normals[3 * i + 2], 0.0f})
      padded.push_back(value);
  std::vector<std::int8_t> normals(4 * count);
  meshopt_encodeFilterOct(normals.data(), count, 4, 8, padded.data());
  const std::vector<float> turns = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, -0.28f, 0, 0.96f};
  std::vector<std::int16_t> packedTurns(turns.size());
  meshopt_encodeFilterQuat(packedTurns.data(), 3, 8, 16, turns.data());

  std::vector<std::string> filters(6);
  sample.json["accessors"][1]["bufferView"] = sample.view(places);
  filters.push_back("");  // inverse bind matrices
  filters.push_back("EXPONENTIAL");
  const int normalView = sample.view(normals);
  filters.push_back("OCTAHEDRAL");
  sample.json["bufferViews"][normalView]["byteStride"] = 4;
  sample.json["accessors"][2] = {
      {"bufferView", normalView}, {"componentType", 5120}, {"normalized", true}, {"count", count}, {"type", "VEC3"}};
  const int times = sample.floats({0, 1, 2}, "SCALAR"), keys = sample.accessor(packedTurns, "VEC4", 5122);
  filters.push_back("");
  filters.push_back("QUATERNION");
  sample.json["accessors"][keys]["normalized"] = true;
  sample.json["animations"] = {{{"samplers", {{{"input", times}, {"output", keys}}}},
                                {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}}}};
  const FigureSource source = read(test::withMeshopt(sample, filters).glb());
  expectSheet(source, {1e-5f, 4.0f / 127, 0.0f, 1e-6f});
  ASSERT_TRUE(source.motion);
  const int knee = source.figure->findLink("knee");
  for (int key = 0; key < 3; ++key) {
    const Pose pose = source.motion->poseAtTime(*source.figure, key);
    const Eigen::Vector4d wanted = Eigen::Vector4f::Map(&turns[4 * static_cast<std::size_t>(key)]).cast<double>();
    const Eigen::Vector4d found = jointRotation(*source.figure, pose, knee).coeffs();
    EXPECT_LT(std::min((wanted - found).norm(), (wanted + found).norm()), 2.0 / 32767) << "a step of each component";
  }
}

TEST(GltfMeshopt, FaultsNameTheViewAndTheCause) {
  const GltfSample sample = test::withMeshopt(test::plainSheet());
  const auto faultWith = [&](const char* key, const json& value) {
    GltfSample broken = sample;
    broken.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][key] = value;
    const std::string fault = faultOf(broken.glb()), place = "f.glb: bufferViews[1].extensions.EXT_meshopt_compression";
    EXPECT_TRUE(fault.starts_with(place)) << fault;
    return fault.substr(std::min(fault.size(), place.size()));
  };
  EXPECT_EQ(faultWith("byteStride", 6), ".byteStride: does not fit the mode ATTRIBUTES");
  EXPECT_TRUE(test::says(faultWith("mode", "LINES"), {".mode", "\"LINES\"", "(ATTRIBUTES, TRIANGLES, INDICES)"}));
  EXPECT_TRUE(test::says(faultWith("filter", "QUATERNION"), {".filter", "\"QUATERNION\"", "byteStride"}));
  EXPECT_EQ(faultWith("byteLength", 40), ": holds damaged data, or data of a later version");
  EXPECT_EQ(faultWith("count", 200'000'000), ".count: makes more than 512 MiB of buffers");
}

#else
TEST(GltfMeshopt, IsLeftOutAndSaid) {
  GltfSample sample = test::plainSheet();
  sample.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"] = json::object();
  EXPECT_TRUE(test::hasNote(read(sample.glb()).notes, "EXT_meshopt_compression"));
  GTEST_SKIP() << "Limber was built without meshoptimizer";
}
#endif

TEST(GltfMeshopt, DataOfTheLaterExtensionAreLeftOutAndSaid) {
  GltfSample sample = test::plainSheet();
  sample.json["bufferViews"][1]["extensions"]["KHR_meshopt_compression"] = json::object();
  const FigureSource source = read(sample.glb());
  EXPECT_EQ(source.figure->linkCount(), 2);
  EXPECT_FALSE(source.skin);
  EXPECT_TRUE(test::hasNote(source.notes, "KHR_meshopt_compression"));
}

}  // namespace
}  // namespace limber::io::gltf_compression_test
