// SPDX-License-Identifier: MIT
// Motions written into glTF files and read back by Limber's reader and by assimp in its child process.
#include "limber/io/gltf/gltf_parts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "gltf_sample.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/gltf/gltf_file.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "locations.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::gltf_motion_test {
namespace {

namespace fs = std::filesystem;

constexpr double kFloat = 1e-6;  // keys are floats: what the issue asks of untouched frames

using GltfMotion = test::TemporaryFolder;

Document opened(const std::string& bytes, const std::string& name = "f.glb") {
  return documentOf(test::valueOf(readGltf(bytes, name)));
}

std::string exported(const Document& document) { return test::valueOf(formatGltf(document)).bytes; }

/// The largest difference of the links' rotations and positions in two poses; positions relative to the figure's size.
double apart(const Figure& figure, const Pose& a, const Pose& b) {
  Kinematics one, other;
  computeTransforms(figure, a, one);
  computeTransforms(figure, b, other);
  double worst = 0.0, size = 1e-9;
  for (std::size_t i = 0; i < one.worldFromLink.size(); ++i) {
    size = std::max(size, one.worldFromLink[i].translation.norm());
    worst = std::max(worst, (one.worldFromLink[i].rotation - other.worldFromLink[i].rotation).cwiseAbs().maxCoeff());
  }
  for (std::size_t i = 0; i < one.worldFromLink.size(); ++i)
    worst = std::max(worst, (one.worldFromLink[i].translation - other.worldFromLink[i].translation).norm() / size);
  return worst;
}

/// Expects all frames of `back` to equal those of the document's take.
void expectSameTake(const Document& document, const Motion& back, double touched = 1e-5) {
  ASSERT_EQ(back.frameCount, document.motion->frameCount);
  EXPECT_NEAR(back.frameTime, document.motion->frameTime, 1e-9);
  for (int frame = 0; frame < back.frameCount; ++frame) {
    const bool isPosed = frame == document.frame;
    const Pose wanted = isPosed ? document.pose : document.motion->poseAt(*document.figure, frame);
    EXPECT_LT(apart(*document.figure, wanted, back.poseAt(*document.figure, frame)), isPosed ? touched : kFloat)
        << "frame " << frame;
  }
}

/// The sample with uneven scales, a mirrored node and one given as a matrix.
test::GltfSample awkward(test::GltfSample sample) {
  sample.json["nodes"][1]["scale"] = {-2, 2, 2};
  sample.json["nodes"][1]["rotation"] = {0.6, 0.0, 0.0, 0.8};
  sample.json["nodes"][2]["rotation"] = {0.0, 0.48, 0.64, 0.6};
  return sample;
}

const std::vector<float> kTurns = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0, 0.6f, 0.8f};

void poseKnee(Document& document, int frame) {
  showFrame(document, frame);
  const int knee = document.figure->findJoint("knee");
  setJointRotation(*document.figure, knee,
                   Eigen::Quaterniond(Eigen::AngleAxisd(1.2, Eigen::Vector3d(1, 2, 3).normalized())), document.pose);
}

TEST_F(GltfMotion, APosedFrameGoesIntoItsAnimationAndTheOthersStay) {
  for (const char* interpolation : {"LINEAR", "STEP"})
    for (const int frame : {0, 1, 29, 30, 45, 89, 90}) {
      SCOPED_TRACE(std::string(interpolation) + " " + std::to_string(frame));
      const test::GltfSample sample = awkward(test::animated("rotation", interpolation, kTurns));
      for (const std::string& bytes : {sample.glb(), sample.text()}) {
        Document document = opened(bytes);
        ASSERT_EQ(document.motion->frameCount, 91);
        poseKnee(document, frame);
        const Document back = opened(exported(document));
        EXPECT_EQ(back.motion->name, "wave");
        EXPECT_TRUE(back.clips.empty()) << "the animation is replaced";
        expectSameTake(document, *back.motion);
      }
    }
}

TEST_F(GltfMotion, CubicKeysBecomeLinearOnes) {
  std::vector<float> values;
  for (int key = 0; key < 3; ++key) {
    values.insert(values.end(), {0.3f, 0, 0, 0});
    values.insert(values.end(), kTurns.begin() + 4 * key, kTurns.begin() + 4 * key + 4);
    values.insert(values.end(), {0, 0.2f, 0, 0});
  }
  Document document = opened(awkward(test::animated("rotation", "CUBICSPLINE", values)).glb());
  poseKnee(document, 40);
  expectSameTake(document, *opened(exported(document)).motion);
}

TEST_F(GltfMotion, AShiftBelowScalesGoesHome) {
  Document document =
      opened(awkward(test::animated("translation", "LINEAR", {0.1f, 0.5f, 0, 0.3f, 0.2f, 0.1f, 0, 0.5f, 0})).glb());
  showFrame(document, 30);
  const int knee = document.figure->findJoint("knee");
  ASSERT_EQ(document.figure->joint(knee).type, JointType::Free);
  document.pose.coordinates.segment<3>(document.figure->joint(knee).poseIndex) += Eigen::Vector3d(0.1, -0.2, 0.3);
  poseKnee(document, 30);
  document.pose.coordinates.segment<3>(document.figure->joint(knee).poseIndex) += Eigen::Vector3d(0.1, -0.2, 0.3);
  expectSameTake(document, *opened(exported(document)).motion);
}

TEST_F(GltfMotion, EverythingElseStaysToTheByte) {
  test::GltfSample sample = awkward(test::animated("rotation", "LINEAR", kTurns));
  sample.json["extensions"] = {{"ACME_secret", {{"n", 18446744073709551615u}}}};
  sample.json["animations"].push_back(sample.json["animations"][0]);
  sample.json["animations"][1]["name"] = "other";
  sample.json["animations"][1]["samplers"][0]["interpolation"] = "STEP";
  const std::string bytes = sample.glb();
  Document document = opened(bytes);
  showClip(document, 1);
  poseKnee(document, 10);
  const std::string out = exported(document);
  const auto before = nlohmann::json::parse(splitGltf(bytes).json);
  const auto after = nlohmann::json::parse(splitGltf(out).json);
  EXPECT_EQ(after["animations"][0], before["animations"][0]);
  EXPECT_NE(after["animations"][1], before["animations"][1]);
  for (const char* list : {"nodes", "meshes", "skins", "extensions", "scenes"}) EXPECT_EQ(after[list], before[list]);
  for (const char* list : {"accessors", "bufferViews"})
    for (std::size_t i = 0; i < before[list].size(); ++i) EXPECT_EQ(after[list][i], before[list][i]);
  EXPECT_EQ(after["buffers"].size(), 1u);
  EXPECT_TRUE(splitGltf(out).binary->starts_with(*splitGltf(bytes).binary));
  EXPECT_EQ(after["buffers"][0]["byteLength"].get<std::size_t>(), splitGltf(out).binary->size());
}

TEST_F(GltfMotion, ChunksOfOthersKeepTheirPlace) {
  std::string bytes = awkward(test::animated("rotation", "LINEAR", kTurns)).glb();
  const std::string secret = test::GltfSample::word(8) + "ACME" + "12345678";
  bytes += secret;
  bytes.replace(8, 4, test::GltfSample::word(bytes.size()));
  Document document = opened(bytes);
  poseKnee(document, 10);
  const std::string out = exported(document);
  EXPECT_TRUE(out.ends_with(secret));
  expectSameTake(document, *opened(out).motion);
}

TEST_F(GltfMotion, ALateFrameKeepsItsNeighbours) {
  test::GltfSample sample = test::twoJoints();
  std::vector<float> times, values;
  constexpr int kFrames = 1200;  // 50 seconds at 24 frames a second: a float's step is 4 us there
  for (int frame = 0; frame < kFrames; ++frame) {
    times.push_back(static_cast<float>(frame / 24.0));
    const float angle = 0.02f * static_cast<float>(frame);
    values.insert(values.end(), {std::sin(angle), 0, 0, std::cos(angle)});
  }
  const int input = sample.floats(times, "SCALAR"), output = sample.floats(values, "VEC4");
  sample.json["animations"] = {{{"samplers", {{{"input", input}, {"output", output}}}},
                                {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}}}};
  Document document = opened(sample.glb());
  ASSERT_EQ(document.motion->frameCount, kFrames);
  poseKnee(document, kFrames - 3);
  expectSameTake(document, *opened(exported(document)).motion, 1e-3);  // the time of the key is a float, the jump large
}

/// A document with a motion that is not in its file, like the channels of a BVH file.
Document withForeignMotion(const std::string& bytes) {
  Document document = opened(bytes);
  const int knee = document.figure->findJoint("knee"), hip = document.figure->findJoint("hip");
  auto motion = std::make_shared<Motion>();
  motion->name = "from elsewhere";
  motion->channels = {{hip, ChannelType::XPosition}, {hip, ChannelType::ZRotation}, {knee, ChannelType::XRotation}};
  for (int frame = 0; frame < 30; ++frame)
    motion->values.insert(motion->values.end(), {0.01 * frame, 2.0 * frame, -3.0 * frame});
  motion->frameCount = 30;
  document.motion = motion;
  document.clips.clear();
  showFrame(document, 0);
  return document;
}

TEST_F(GltfMotion, AMotionFromElsewhereBecomesAnAnimationOfItsOwn) {
  test::GltfSample plain = test::twoJoints(), mirrored = awkward(plain), matrix = plain;
  matrix.json["nodes"][2].erase("translation");
  matrix.json["nodes"][2]["matrix"] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0, 0.5, 0, 1};
  for (const test::GltfSample& sample : {plain, mirrored, matrix})
    for (const std::string& bytes : {sample.glb(), sample.text()}) {
      Document document = withForeignMotion(bytes);
      poseKnee(document, 7);
      const std::string out = exported(document);
      const Document back = opened(out);
      ASSERT_TRUE(back.motion);
      EXPECT_EQ(back.motion->name, "from elsewhere");
      ASSERT_EQ(back.motion->frameCount, 30);
      const Figure& figure = *back.figure;
      for (int frame = 0; frame < 30; ++frame) {
        const Pose wanted = frame == 7 ? document.pose : document.motion->poseAt(*document.figure, frame);
        Kinematics one, other;
        computeTransforms(*document.figure, wanted, one);
        computeTransforms(figure, back.motion->poseAt(figure, frame), other);
        for (std::size_t i = 0; i < one.worldFromLink.size(); ++i) {
          EXPECT_LT((one.worldFromLink[i].translation - other.worldFromLink[i].translation).norm(), 1e-5) << frame;
          EXPECT_LT((one.worldFromLink[i].rotation - other.worldFromLink[i].rotation).norm(), 1e-5) << frame;
        }
      }
      const auto json = nlohmann::json::parse(splitGltf(out).json);
      EXPECT_FALSE(json["nodes"][2].contains("matrix")) << "an animated node must not have one";
      EXPECT_EQ(json["animations"].size(), 1u);
      EXPECT_EQ(json["accessors"].back()["type"], "VEC4");
    }
}

TEST_F(GltfMotion, AFileWithoutAnyBufferGetsOne) {
  const std::string text = R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
                              "nodes": [{"name": "hip", "children": [1]},
                                        {"name": "knee", "translation": [0, 1, 0]}]})";
  std::string json = text;
  json.resize((json.size() + 3) / 4 * 4, ' ');
  using Sample = test::GltfSample;
  const std::string chunk = Sample::word(json.size()) + "JSON" + json;
  for (const std::string& bytes : {text, "glTF" + Sample::word(2) + Sample::word(12 + chunk.size()) + chunk}) {
    const Document document = withForeignMotion(bytes);
    const Document back = opened(exported(document));
    ASSERT_TRUE(back.motion);
    EXPECT_EQ(back.motion->frameCount, 30);
  }
}

TEST_F(GltfMotion, AssimpPlaysItToo) {
  if (!findProgram()) GTEST_SKIP() << "the program, which reads by assimp, is not built";
  Document document = opened(awkward(test::animated("rotation", "LINEAR", kTurns)).glb());
  poseKnee(document, 45);
  const auto assimp = test::valueOf(readForeign({}, write("posed.glb", exported(document)), {}));
  ASSERT_TRUE(assimp.motion);
  for (const int frame : {0, 30, 44, 45, 46, 90}) {
    const Pose wanted = frame == 45 ? document.pose : document.motion->poseAt(*document.figure, frame);
    Kinematics ours, theirs;
    computeTransforms(*document.figure, wanted, ours);
    computeTransforms(*assimp.figure, assimp.motion->poseAtTime(*assimp.figure, frame / 30.0), theirs);
    for (const char* name : {"hip", "knee"}) {
      const int a = document.figure->findLink(name), b = assimp.figure->findLink(name);
      ASSERT_GE(b, 0) << name;
      const Transform &one = ours.worldFromLink[a], &other = theirs.worldFromLink[b];
      EXPECT_LT((one.translation - other.translation).norm(), 1e-4) << name << " at frame " << frame;
      EXPECT_LT((one.rotation - other.rotation).norm(), 1e-3) << name << " at frame " << frame;
    }
  }
}

TEST_F(GltfMotion, EveryAnimatedCharacterOfTheSampleDataGoesHome) {
  const fs::path data = LIMBER_SHARED_DATA_DIR;
  if (!fs::exists(data / "gltf")) GTEST_SKIP() << data << " is not there";
  std::mt19937 random(8);
  int count = 0;
  for (const char* name : {"CesiumMan.gltf", "Fox.glb", "SimpleSkin.gltf"}) {
    SCOPED_TRACE(name);
    const auto file = test::valueOf(openAny((data / "gltf" / name).string()));
    Document document = file.document;
    if (!document.motion) continue;
    const std::size_t clips = std::max<std::size_t>(document.clips.size(), 1);
    const std::size_t shown = clips - 1;
    if (clips > 1) showClip(document, shown);
    EXPECT_TRUE(exported(document) == document.source->bytes);
    showFrame(document, document.motion->frameCount / 2);
    const Pose played = document.pose;
    document.pose = test::randomPose(*document.figure, random);
    for (int joint = 0; joint < document.figure->linkCount(); ++joint)  // stay where the file put it
      if (document.figure->joint(joint).type == JointType::Free) {
        const int first = document.figure->joint(joint).poseIndex;
        document.pose.coordinates.segment<3>(first) = played.coordinates.segment<3>(first);
      }
    const auto back = test::valueOf(readGltf(exported(document), data / "gltf" / name));
    const Motion& motion = clips > 1 ? *back.clips.at(shown) : *back.motion;
    expectSameTake(document, motion);
    ASSERT_EQ(back.clips.size(), document.clips.size());
    for (std::size_t i = 0; i + 1 < clips; ++i)
      EXPECT_EQ(back.clips[i]->tracks.size(), document.clips[i]->tracks.size());
    ++count;
  }
  EXPECT_GE(count, 3);
}

/// A knee that turns at every frame of a rate that is not a whole number, as floats tell it; without Limber's own
/// marks.
std::string sampled(double frameTime, int frames) {
  test::GltfSample out = test::twoJoints();
  std::vector<float> times, turns;
  for (int frame = 0; frame < frames; ++frame) {
    times.push_back(static_cast<float>(frame * frameTime));
    const double half = 0.001 * frame;
    for (const double number : {std::sin(half), 0.0, 0.0, std::cos(half)}) turns.push_back(static_cast<float>(number));
  }
  const int input = out.floats(times, "SCALAR"), output = out.floats(turns, "VEC4");
  out.json["animations"] = {{{"samplers", {{{"input", input}, {"output", output}}}},
                             {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}}}};
  return out.glb();
}

TEST_F(GltfMotion, FramesAreFoundFromTimesThatFloatsRound) {
  for (const double frameTime : {1.0 / 120.0, 0.0083333, 0.008333, 1001.0 / 24000.0, 0.0333, 1.0 / 30.0, 0.01})
    for (const int frames : {2, 50, 9000}) {
      const auto read = test::valueOf(readGltf(sampled(frameTime, frames), "a.glb"));
      EXPECT_NEAR(read.motion->frameTime, frameTime, std::max(0.02 / frames, 2e-7) * frameTime) << frames;
      EXPECT_EQ(read.motion->frameCount, frames) << frameTime;
    }
}

TEST_F(GltfMotion, EveryNodeOfASkeletonWithoutAMeshIsALink) {
  test::GltfSample sample = test::animated("rotation", "LINEAR", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0});
  sample.json["nodes"] = {{{"name", "hip"}, {"children", {1}}},
                          {{"name", "knee"}, {"translation", {0.0, 0.5, 0.0}}, {"children", {2}}},
                          {{"name", "foot"}, {"translation", {0.0, 0.5, 0.0}}, {"children", {3}}},
                          {{"name", "toe"}, {"translation", {0.0, 0.5, 0.0}}}};
  sample.json["animations"][0]["channels"][0]["target"]["node"] = 1;
  for (const char* key : {"meshes", "skins", "scenes", "scene"}) sample.json.erase(key);
  const auto read = test::valueOf(readGltf(sample.glb(), "a.glb"));
  ASSERT_GE(read.figure->findLink("toe"), 0);
  EXPECT_EQ(read.figure->joint(read.figure->findLink("toe")).type, JointType::Ball);
}

}  // namespace
}  // namespace limber::io::gltf_motion_test
