// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "gltf_sample.h"
#include "limber/io/base/file.h"
#include "limber/io/export_formats.h"
#include "limber/io/gltf/gltf_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::gltf_export_test {
namespace {

/// A root, a mirrored and scaled arm, a node with a matrix; extras, an unknown extension, irregular spaces.
const std::string kArm = R"({ "asset" : {"version": "2.0", "extras": {"kept": 1.50}},
  "extensionsUsed": ["ACME_secret"], "extensions": {"ACME_secret": {"n": 18446744073709551615}},
  "scenes": [{"nodes": [0]}],
  "nodes": [
    {"name": "root", "children": [1], "translation": [0, 1, 0], "extras": "e"},
    {"name": "arm", "children": [2], "translation": [0.5, 0, 0], "rotation": [0, 0, 0.6, 0.8], "scale": [-2, 2, 2]},
    {"name": "hand", "children": [3], "matrix": [0,2,0,0, -2,0,0,0, 0,0,2,0, 0.25,0,0,1]},
    {"name": "tip", "translation": [0.1, 0, 0], "extensions": {"ACME_secret": {}}}
  ]
})";

Document opened(const std::string& bytes, const std::string& name) {
  return documentOf(test::valueOf(readGltf(bytes, name)));
}

void expectSamePlaces(const Document& a, const Document& b, double tolerance) {
  ASSERT_EQ(a.figure->linkCount(), b.figure->linkCount());
  Kinematics before, after;
  computeTransforms(*a.figure, a.pose, before);
  computeTransforms(*b.figure, b.pose, after);
  for (int i = 0; i < a.figure->linkCount(); ++i) {
    const Transform &one = before.worldFromLink[i], &other = after.worldFromLink[i];
    EXPECT_LT((one.translation - other.translation).norm(), tolerance) << a.figure->link(i).name;
    EXPECT_LT((one.rotation - other.rotation).norm(), tolerance) << a.figure->link(i).name;
  }
}

TEST(GltfExport, AnUnposedFileIsTheSameToTheByte) {
  const auto back = test::valueOf(formatGltf(opened(kArm, "arm.gltf")));
  EXPECT_EQ(back.bytes, kArm);
}

TEST(GltfExport, APoseComesBackAndNothingElseChanges) {
  std::mt19937 random(2);
  Document document = opened(kArm, "arm.gltf");
  document.pose = test::randomPose(*document.figure, random);
  const auto back = test::valueOf(formatGltf(document));
  expectSamePlaces(document, opened(back.bytes, "arm.gltf"), 1e-12);
  nlohmann::json before = nlohmann::json::parse(kArm), after = nlohmann::json::parse(back.bytes);
  EXPECT_EQ(after["extensions"]["ACME_secret"]["n"].get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(after["nodes"][1]["scale"], before["nodes"][1]["scale"]);
  for (nlohmann::json* json : {&before, &after})
    for (nlohmann::json& node : (*json)["nodes"])
      for (const char* key : {"rotation", "translation", "matrix"}) node.erase(key);
  EXPECT_EQ(before, after);
}

TEST(GltfExport, AnAnimatedFileIsUnposedUntilAFrameIsPosed) {
  test::GltfSample sample = test::animated("translation", "LINEAR", {0.1f, 0.5f, 0, 0.3f, 0.2f, 0.1f, 0, 0.5f, 0});
  sample.json["nodes"][1]["scale"] = {-2, 2, 2};
  sample.json["nodes"][1]["rotation"] = {0.6, 0.0, 0.0, 0.8};
  sample.json["nodes"][2]["rotation"] = {0.0, 0.48, 0.64, 0.6};
  const std::string bytes = sample.glb();
  Document document = opened(bytes, "arm.glb");
  EXPECT_EQ(formatGltf(document)->bytes, bytes);
  showFrame(document, 30);
  EXPECT_EQ(formatGltf(document)->bytes, bytes) << "and at every other";
  document.motion = nullptr;  // the pose alone: the nodes take it
  const auto posed = test::valueOf(formatGltf(document));
  Document back = opened(posed.bytes, "arm.glb");
  back.pose = restPose(*back.figure);
  expectSamePlaces(document, back, 1e-6);  // keys are floats
}

TEST(GltfExport, OnlyPosedNodesAreWritten) {
  Document document = opened(kArm, "arm.gltf");
  const int arm = document.figure->findJoint("arm");
  setJointRotation(*document.figure, arm, Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX())),
                   document.pose);
  const nlohmann::json before = nlohmann::json::parse(kArm), after = nlohmann::json::parse(formatGltf(document)->bytes);
  for (const int node : {0, 2, 3}) EXPECT_EQ(before["nodes"][node], after["nodes"][node]);
  EXPECT_NE(before["nodes"][1]["rotation"], after["nodes"][1]["rotation"]);
  EXPECT_EQ(before["nodes"][1]["translation"], after["nodes"][1]["translation"]);
}

TEST(GltfExport, OtherFiguresAreRefusedWithTheReason) {
  Document document = opened(kArm, "arm.gltf");
  std::string longer = kArm;
  longer.replace(longer.find("0.25,0,0"), 4, "0.35");
  document.figure = opened(longer, "arm.gltf").figure;
  const auto edited = formatGltf(document);
  ASSERT_FALSE(edited);
  EXPECT_NE(edited.error().message().find("bones"), std::string::npos);
  document.source = nullptr;
  EXPECT_FALSE(formatGltf(document));
  Document nan = opened(kArm, "arm.gltf");
  nan.pose.coordinates[0] = std::nan("");
  EXPECT_FALSE(formatGltf(nan));
}

TEST(GltfExport, AFormatIsWrittenExactlyWhereItFits) {
  test::GltfSample avatar = test::twoJoints();
  avatar.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["head"] = {{"node", 2}};
  const Document documents[] = {opened(test::twoJoints().glb(), "model.glb"), opened(avatar.glb(), "avatar.vrm"),
                                opened(avatar.text(), "text.gltf"), makeDocument(makePlanarChain(2))};
  for (const Document& document : documents)
    for (const ExportFormat& format : exportFormats())
      EXPECT_EQ(static_cast<bool>(format.write(document, "a" + std::string(format.ending))), format.fits(document))
          << format.name << " of " << document.figure->name();
  EXPECT_TRUE(findExportFormat("a.vrm")->fits(documents[1]));
}

TEST(GltfExport, EveryCharacterOfTheSampleDataComesBack) {
  const std::filesystem::path data = LIMBER_SHARED_DATA_DIR;
  if (!std::filesystem::exists(data / "gltf")) GTEST_SKIP() << data << " is not there";
  std::mt19937 random(4);
  int count = 0;
  for (const char* folder : {"gltf", "vrm"})
    for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
      SCOPED_TRACE(entry.path());
      const std::string bytes = *readFile(entry.path());
      const auto file = test::valueOf(openAny(entry.path().string()));
      Document document = file.document;
      document.motion = nullptr;  // a still pose goes into the nodes; motions have tests of their own
      document.pose = restPose(*document.figure);
      EXPECT_TRUE(formatGltf(document)->bytes == bytes);
      document.pose = test::randomPose(*document.figure, random);
      const std::string posed = formatGltf(document)->bytes;
      Document back = documentOf(*readGltf(posed, entry.path()));
      back.pose = restPose(*back.figure);
      expectSamePlaces(document, back, 1e-6);  // matrices in single precision scale a little, unevenly
      const auto binary = splitGltf(bytes).binary;
      EXPECT_TRUE(splitGltf(posed).binary == binary);
      ++count;
    }
  EXPECT_GT(count, 0);
}

TEST(GltfExport, AFigureThatIsStretchedOutKeepsItsUnit) {
  const std::string chain = R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a", "children": [1]},
    {"name": "b", "translation": [0, 1, 0], "children": [2]}, {"name": "c", "translation": [0, 24, 0]}]})";
  Document document = opened(chain, "chain.gltf");
  ASSERT_EQ(document.figure->fileFrame().metresPerUnit, 0.1);
  setJointRotation(*document.figure, 1, Eigen::Quaterniond(Eigen::AngleAxisd(1.5, Eigen::Vector3d::UnitX())),
                   document.pose);
  const std::string bytes = test::valueOf(formatGltf(document)).bytes;
  EXPECT_NE(bytes.find("\"metres_per_unit\":0.1"), std::string::npos);
  expectSamePlaces(document, opened(bytes, "chain.gltf"), 1e-12);
}

using GltfRepacking = test::TemporaryFolder;

/// The smallest PNG: one black pixel, without the checksums that Limber's reader does not ask for.
const std::string kPng("\x89PNG\r\n\x1a\n", 8);

/// Two joints with a skin, whose buffer and picture are files in the same folder, and a second buffer in a data URI.
nlohmann::json inParts(const test::GltfSample& sample) {
  nlohmann::json json = sample.json;
  const std::string keys("\0\0\0\0\0\0\x80\x3f", 8);  // floats: 0, 1
  json["buffers"] = {{{"byteLength", sample.bytes.size()}, {"uri", "body.bin"}},
                     {{"byteLength", 8}, {"uri", "data:;base64," + test::GltfSample::base64(keys)}}};
  json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 8}});
  json["images"] = {{{"uri", "skin.png"}}, {{"uri", "missing.png"}}};
  json["extras"] = {{"kept", 1.5}};
  return json;
}

void expectSameSkin(const Document& a, const Document& b) {
  ASSERT_TRUE(a.skin && b.skin);
  ASSERT_EQ(a.skin->surfaces.size(), b.skin->surfaces.size());
  for (std::size_t i = 0; i < a.skin->surfaces.size(); ++i) {
    EXPECT_EQ(a.skin->surfaces[i].positions, b.skin->surfaces[i].positions);
    EXPECT_EQ(a.skin->surfaces[i].weights, b.skin->surfaces[i].weights);
    EXPECT_EQ(a.skin->surfaces[i].triangles, b.skin->surfaces[i].triangles);
  }
}

TEST_F(GltfRepacking, PutsBuffersAndPicturesIntoTheChunk) {
  test::GltfSample sample = test::twoJoints();
  sample.bytes += "odd";  // the next buffer must still be aligned
  const std::string text = inParts(sample).dump();
  write("body.bin", sample.bytes);
  write("skin.png", kPng);
  Document document = test::valueOf(openAny(write("body.gltf", text).string())).document;
  std::mt19937 random(3);
  document.pose = test::randomPose(*document.figure, random);
  const auto notes = test::valueOf(exportFile(document, folder_ / "body.glb"));
  EXPECT_TRUE(test::hasNote(notes, "reads others")) << "one picture is missing";
  std::filesystem::remove(folder_ / "body.bin");
  const std::string bytes = test::valueOf(readFile(folder_ / "body.glb"));
  const GltfContainer parts = splitGltf(bytes);
  const nlohmann::json json = nlohmann::json::parse(parts.json);
  ASSERT_EQ(json["buffers"].size(), 1u);
  EXPECT_EQ(json["extras"]["kept"], 1.5);
  const auto viewOf = [&](const nlohmann::json& view) {
    return parts.binary->substr(view.value("byteOffset", 0u), view["byteLength"].get<std::size_t>());
  };
  EXPECT_EQ(viewOf(json["bufferViews"][json["images"][0]["bufferView"].get<std::size_t>()]), kPng);
  EXPECT_EQ(json["images"][0]["mimeType"], "image/png");
  EXPECT_EQ(json["images"][1]["uri"], "missing.png");
  const nlohmann::json& second = json["bufferViews"][json["bufferViews"].size() - 2];
  EXPECT_EQ(viewOf(second).substr(4), std::string("\0\0\x80\x3f", 4));
  EXPECT_EQ(second["byteOffset"].get<int>() % 4, 0);
  const Document back = test::valueOf(openAny((folder_ / "body.glb").string())).document;
  expectSamePlaces(document, back, 1e-12);
  expectSameSkin(document, back);

  test::valueOf(exportFile(back, folder_ / "back.gltf"));
  const Document again = test::valueOf(openAny((folder_ / "back.gltf").string())).document;
  expectSamePlaces(document, again, 1e-12);
  expectSameSkin(document, again);
}

TEST_F(GltfRepacking, PicturesAreKnownByTheirFirstBytes) {
  const test::GltfSample sample = test::twoJoints();
  write("body.bin", sample.bytes);
  for (const auto& [bytes, type] : {std::pair(kPng, "image/png"), std::pair(std::string("\xff\xd8\xff"), "image/jpeg"),
                                    std::pair(std::string("\xabKTX 20"), "image/ktx2"),
                                    std::pair(std::string("RIFF\0\0\0\0WEBP", 12), "image/webp"),
                                    std::pair(std::string("\0\0\0\034ftypavif\0", 13), "image/avif")}) {
    write("skin.png", bytes);
    const Document document = test::valueOf(openAny(write("body.gltf", inParts(sample).dump()).string())).document;
    test::valueOf(exportFile(document, folder_ / "body.glb"));
    const std::string packed = test::valueOf(readFile(folder_ / "body.glb"));
    const nlohmann::json image = nlohmann::json::parse(splitGltf(packed).json)["images"][0];
    EXPECT_EQ(image.value("mimeType", ""), type);
    EXPECT_FALSE(image.contains("uri")) << type;
  }
}

TEST_F(GltfRepacking, ABufferThatIsGoneIsAnError) {
  const test::GltfSample sample = test::twoJoints();
  write("body.bin", sample.bytes);
  const Document document = test::valueOf(openAny(write("body.gltf", inParts(sample).dump()).string())).document;
  std::filesystem::remove(folder_ / "body.bin");
  const auto fault = exportFile(document, folder_ / "body.glb");
  ASSERT_FALSE(fault);
  EXPECT_NE(fault.error().message().find("body.bin"), std::string::npos) << fault.error().message();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "body.glb"));
}

}  // namespace
}  // namespace limber::io::gltf_export_test
