// SPDX-License-Identifier: MIT
// VRM animations: written, read, and carried to other bodies. Bones are compared by rotations that are computed here
// from the definition of VRM, not by the rig of the code.
#include <gtest/gtest.h>

#include <numbers>

#include "gltf_sample.h"
#include "limber/io/export_formats.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/gltf/gltf_file.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::vrma_test {
namespace {

using nlohmann::json;
using test::GltfSample;

constexpr double kRotation = 1e-6;  // radians, through quaternions of floats
constexpr double kPlace = 1e-5;     // metres

struct BodyBone {
  std::string name, parent;
  Eigen::Vector3d place;  ///< of a body that faces z
};

std::vector<BodyBone> bodyBones() {
  std::vector<BodyBone> bones = {{"hips", "", {0, 0.9, 0}},
                                 {"spine", "hips", {0, 1.0, 0.01}},
                                 {"chest", "spine", {0, 1.15, 0}},
                                 {"neck", "chest", {0, 1.4, 0}},
                                 {"head", "neck", {0, 1.5, 0.02}}};
  for (const double x : {1.0, -1.0}) {
    const std::string side = x > 0 ? "left" : "right";
    const auto add = [&](const std::string& bone, const std::string& parent, const Eigen::Vector3d& place) {
      bones.push_back({side + bone, parent == "chest" || parent == "hips" ? parent : side + parent, place});
    };
    add("UpperArm", "chest", {0.15 * x, 1.35, 0});
    add("LowerArm", "UpperArm", {0.42 * x, 1.35, 0});
    add("Hand", "LowerArm", {0.66 * x, 1.35, 0});
    add("IndexProximal", "Hand", {0.74 * x, 1.35, 0.03});
    add("UpperLeg", "hips", {0.1 * x, 0.85, 0});
    add("LowerLeg", "UpperLeg", {0.1 * x, 0.45, 0});
    add("Foot", "LowerLeg", {0.1 * x, 0.08, 0});
  }
  return bones;
}

/// An avatar of these bones, whose nodes have rotations at rest, below a node that moves it.
///
/// version   0: it faces -z, and its bones are named as VRM 0 does
/// scale     of all lengths
GltfSample avatar(int version, double scale = 1.0) {
  const std::vector<BodyBone> bones = bodyBones();
  const auto indexOf = [&](const std::string& name) {
    return std::ranges::find(bones, name, &BodyBone::name) - bones.begin();
  };
  GltfSample out;
  out.json["scene"] = 0;
  out.json["scenes"] = {{{"nodes", {0}}}};
  out.json["nodes"].push_back({{"name", "Armature"}, {"children", {1}}});
  const double turn = version == 0 ? -1.0 : 1.0;
  std::vector<Eigen::Quaterniond> rests;  // in the world
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 0.3 * static_cast<double>(i), -0.5).normalized();
    rests.push_back(Eigen::Quaterniond(Eigen::AngleAxisd(0.4 * static_cast<double>(i % 5), axis)));
    Eigen::Vector3d place = bones[i].place;
    Eigen::Quaterniond local = rests[i];
    if (!bones[i].parent.empty()) {
      const auto parent = static_cast<std::size_t>(indexOf(bones[i].parent));
      place -= bones[parent].place;
      local = rests[parent].conjugate() * rests[i];
      out.json["nodes"][parent + 1]["children"].push_back(i + 1);
    }
    place = scale * Eigen::Vector3d(turn * place.x(), place.y(), turn * place.z());
    if (!bones[i].parent.empty()) place = rests[static_cast<std::size_t>(indexOf(bones[i].parent))].conjugate() * place;
    out.json["nodes"].push_back({{"name", "J_" + bones[i].name},
                                 {"translation", {place.x(), place.y(), place.z()}},
                                 {"rotation", {local.x(), local.y(), local.z(), local.w()}}});
  }
  json& extension = out.json["extensions"][version == 0 ? "VRM" : "VRMC_vrm"]["humanoid"]["humanBones"];
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (version == 0) extension.push_back({{"bone", bones[i].name}, {"node", i + 1}});
    else extension[bones[i].name] = {{"node", i + 1}};
  return out;
}

Document opened(const std::string& bytes, const std::string& name) {
  return documentOf(test::valueOf(readGltf(bytes, name, {})));
}

int linkOf(const Document& document, const std::string& bone) {
  return static_cast<int>(std::ranges::find(document.figure->links(), bone, &Link::bone) -
                          document.figure->links().begin());
}

/// A take of four frames in which every bone turns, and the root moves.
void move(Document& document) {
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 1.0 / 24;
  for (int frame = 0; frame < 4; ++frame) {
    Pose pose = restPose(*document.figure);
    for (int link = 0; link < document.figure->linkCount(); ++link) {
      const Eigen::Vector3d axis(0.2 * link - 1.0, 1.0, 0.7 - 0.1 * link);
      if (hasRotation(document.figure->joint(link)) && !document.figure->link(link).bone.empty())
        setJointRotation(*document.figure, link,
                         jointRotation(*document.figure, pose, link) *
                             Eigen::Quaterniond(Eigen::AngleAxisd(0.25 * frame, axis.normalized())),
                         pose);
    }
    pose.coordinates.segment<3>(document.figure->joint(0).poseIndex) = 0.1 * frame * Eigen::Vector3d(1, 0.5, -2);
    motion->append(pose);
  }
  document.motion = motion;
  showFrame(document, 0);
}

/// The normalised rotation of a bone in VRM's terms: against its rest, in the axes of the world, turned where the
/// avatar faces -z.
Eigen::Matrix3d normalised(const Document& document, const Pose& pose, const std::string& bone, int version) {
  const int link = linkOf(document, bone);
  const Eigen::Matrix3d now = transformsOf(*document.figure, pose).worldFromLink.at(link).rotation;
  const Eigen::Matrix3d rest =
      transformsOf(*document.figure, restPose(*document.figure)).worldFromLink.at(link).rotation;
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(version == 0 ? std::numbers::pi : 0.0, Eigen::Vector3d::UnitY()).toRotationMatrix();
  return turn.transpose() * now * rest.transpose() * turn;
}

double angleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return (a - b).norm() / std::numbers::sqrt2;  // for small angles
}

Eigen::Vector3d placeOf(const Document& document, const Pose& pose, const std::string& bone) {
  return transformsOf(*document.figure, pose).worldFromLink.at(linkOf(document, bone)).translation;
}

void expectSameRotations(const Document& a, const Document& b, int versionOfA, int versionOfB) {
  ASSERT_EQ(a.motion->frameCount, b.motion->frameCount);
  EXPECT_NEAR(a.motion->frameTime, b.motion->frameTime, 1e-6);
  for (int frame = 0; frame < a.motion->frameCount; ++frame)
    for (const BodyBone& bone : bodyBones())
      EXPECT_LT(angleBetween(normalised(a, a.motion->poseAt(*a.figure, frame), bone.name, versionOfA),
                             normalised(b, b.motion->poseAt(*b.figure, frame), bone.name, versionOfB)),
                kRotation)
          << bone.name << " in frame " << frame;
}

class Vrma : public test::TemporaryFolder {};

TEST_F(Vrma, AMotionOutAndInAgainIsTheSame) {
  for (const int version : {0, 1}) {
    SCOPED_TRACE(version);
    Document document = opened(avatar(version).glb(), "avatar.vrm");
    move(document);
    const Exported out = test::valueOf(formatVrma(document));
    EXPECT_TRUE(out.notes.empty()) << out.notes.front();
    const Document back = opened(out.bytes, "motion.vrma");
    expectSameRotations(document, back, version, 1);
    const double turn = version == 0 ? -1.0 : 1.0;
    for (int frame = 0; frame < 4; ++frame) {
      const Eigen::Vector3d ours = placeOf(document, document.motion->poseAt(*document.figure, frame), "hips");
      const Eigen::Vector3d theirs = placeOf(back, back.motion->poseAt(*back.figure, frame), "hips");
      EXPECT_LT((theirs - Eigen::Vector3d(turn * ours.x(), ours.y(), turn * ours.z())).norm(), kPlace);
    }
  }
}

// The file by the specification, read without Limber's readers: the rest pose is the T-pose without rotations.
TEST_F(Vrma, AFileIsTheSkeletonInItsTPose) {
  Document document = opened(avatar(0).glb(), "avatar.vrm");
  const std::string bytes = test::valueOf(formatVrma(document)).bytes;
  ASSERT_TRUE(looksLikeVrma(bytes));
  EXPECT_FALSE(looksLikeVrm(bytes));
  const json file = json::parse(splitGltf(bytes).json);
  EXPECT_EQ(file["extensionsUsed"], json({"VRMC_vrm_animation"}));
  const json& extension = file["extensions"]["VRMC_vrm_animation"];
  EXPECT_EQ(extension["specVersion"], "1.0");
  std::map<std::string, Eigen::Vector3d> places;
  for (const BodyBone& bone : bodyBones()) {
    const json& node = file["nodes"][extension["humanoid"]["humanBones"][bone.name]["node"].get<int>()];
    EXPECT_EQ(node["name"], bone.name);
    EXPECT_FALSE(node.contains("rotation"));
    const auto offset = node["translation"].get<std::vector<double>>();
    places[bone.name] = Eigen::Vector3d(offset.data());
    if (!bone.parent.empty()) places[bone.name] += places[bone.parent];
    EXPECT_LT((places[bone.name] - bone.place).norm(), kPlace) << bone.name << ": it faces z, whatever the avatar does";
  }
}

TEST_F(Vrma, APoseIsAMotionOfOneFrame) {
  Document document = opened(avatar(1).glb(), "avatar.vrm");
  move(document);
  const Pose pose = document.motion->poseAt(*document.figure, 3);
  document.motion = nullptr;
  document.pose = pose;
  const Document back = opened(test::valueOf(formatVrma(document)).bytes, "pose.vrma");
  ASSERT_TRUE(back.motion);
  EXPECT_EQ(back.motion->frameCount, 1);
  for (const BodyBone& bone : bodyBones())
    EXPECT_LT(angleBetween(normalised(document, pose, bone.name, 1), normalised(back, back.pose, bone.name, 1)),
              kRotation);
}

TEST_F(Vrma, AnyAvatarTakesTheMotion) {
  Document document = opened(avatar(1).glb(), "avatar.vrm");
  move(document);
  const auto path = write("motion.vrma", test::valueOf(formatVrma(document)).bytes);
  for (const int version : {0, 1}) {
    constexpr double kScale = 0.5;
    Document other = opened(avatar(version, kScale).glb(), "other.vrm");
    const ReadMotions motions = test::valueOf(readMotionsFor(other, path, {.holdsStances = false}));
    setMotion(other, motions.shown);
    expectSameRotations(document, other, 1, version);
    const double turn = version == 0 ? -1.0 : 1.0;
    for (int frame = 0; frame < 4; ++frame) {
      const Eigen::Vector3d wanted = placeOf(document, document.motion->poseAt(*document.figure, frame), "hips");
      const Eigen::Vector3d found = placeOf(other, other.motion->poseAt(*other.figure, frame), "hips");
      EXPECT_LT((found - kScale * Eigen::Vector3d(turn * wanted.x(), wanted.y(), turn * wanted.z())).norm(), kPlace)
          << "as far as its legs are long";
    }
  }
}

TEST_F(Vrma, ABoneThatAnAvatarDoesNotHaveIsPassedOn) {
  Document document = opened(avatar(1).glb(), "avatar.vrm");
  move(document);
  const auto path = write("motion.vrma", test::valueOf(formatVrma(document)).bytes);
  GltfSample plain = avatar(1);
  plain.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].erase("chest");
  Document other = opened(plain.glb(), "other.vrm");
  setMotion(other, test::valueOf(readMotionFor(other, path)));
  for (const char* bone : {"spine", "neck", "leftHand"})
    EXPECT_LT(angleBetween(normalised(document, document.motion->poseAt(*document.figure, 2), bone, 1),
                           normalised(other, other.motion->poseAt(*other.figure, 2), bone, 1)),
              kRotation);
}

TEST_F(Vrma, TheHumanGivesAndTakesPoses) {
  constexpr double kByParts = 1e-3;  // radians: parts are found by the shape of the figure that was read
  Document human = documentOf(test::valueOf(openStandardFigure("human")));
  const Figure& figure = *human.figure;
  human.pose.coordinates[figure.joint(figure.findLink("left forearm")).poseIndex] += 0.8;
  const int thigh = figure.findLink("left thigh");
  setJointRotation(
      figure, thigh,
      jointRotation(figure, human.pose, thigh) * Eigen::Quaterniond(Eigen::AngleAxisd(-0.6, Eigen::Vector3d::UnitX())),
      human.pose);
  const Exported out = test::valueOf(formatVrma(human));
  EXPECT_TRUE(out.notes.empty()) << out.notes.front();
  const Document other = documentOf(test::valueOf(openStandardFigure("human")));
  const auto motion = test::valueOf(readMotionFor(other, write("pose.vrma", out.bytes)));
  const Kinematics wanted = transformsOf(figure, human.pose), found = transformsOf(figure, motion->poseAt(figure, 0));
  for (const char* link : {"chest", "head", "left upper arm", "left forearm", "right hand", "left thigh", "left shank",
                           "right shank", "right index finger middle"}) {
    const int i = figure.findLink(link);
    ASSERT_GE(i, 0) << link;
    EXPECT_LT(angleBetween(wanted.worldFromLink[i].rotation, found.worldFromLink[i].rotation), kByParts) << link;
  }
}

TEST_F(Vrma, OtherFiguresAreRefused) {
  const Document document = makeDocument(makePlanarChain(3));
  EXPECT_TRUE(test::says(test::messageOf(formatVrma(document)), {"human body"}));
  EXPECT_FALSE(findExportFormat("a.vrma")->fits(document));
  Document avatarDocument = opened(avatar(1).glb(), "avatar.vrm");
  const auto path = write("motion.vrma", test::valueOf(formatVrma(avatarDocument)).bytes);
  EXPECT_NE(test::messageOf(readMotionFor(document, path)).find("is a motion of another figure"), std::string::npos);
}

/// The avatar's motion, with an expression that goes from 0 to 1 and a gaze, as other programs write them.
std::string withExpressions() {
  Document document = opened(avatar(1).glb(), "avatar.vrm");
  move(document);
  const std::string bytes = test::valueOf(formatVrma(document)).bytes;
  const GltfContainer container = splitGltf(bytes);
  json file = json::parse(container.json);
  std::string chunk(*container.binary);
  const auto addArray = [&](const std::vector<float>& values, const char* type, std::size_t count) {
    file["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", chunk.size()}, {"byteLength", 4 * values.size()}});
    file["accessors"].push_back({{"bufferView", file["bufferViews"].size() - 1},
                                 {"componentType", 5126},
                                 {"type", type},
                                 {"count", count},
                                 {"min", {0}},
                                 {"max", {0.125}}});
    chunk.append(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    return file["accessors"].size() - 1;
  };
  const std::size_t times = addArray({0.0f, 0.125f}, "SCALAR", 2);
  json& animation = file["animations"][0];
  const auto addSignal = [&](const char* name, const char* path, std::size_t keys) {
    const std::size_t node = file["nodes"].size();
    file["nodes"].push_back({{"name", name}});
    file["scenes"][0]["nodes"].push_back(node);
    animation["samplers"].push_back({{"input", times}, {"output", keys}, {"interpolation", "STEP"}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    return node;
  };
  json& extension = file["extensions"]["VRMC_vrm_animation"];
  extension["expressions"]["preset"]["happy"] = {
      {"node", addSignal("happy", "translation", addArray({0, 0, 0, 1, 0, 0}, "VEC3", 2))}};
  extension["expressions"]["custom"]["wink hard"] = {
      {"node", addSignal("wink", "translation", addArray({0.25f, 0, 0, 0.5f, 0, 0}, "VEC3", 2))}};
  extension["lookAt"] = {{"node", addSignal("eyes", "rotation", addArray({0, 0, 0, 1, 0, 1, 0, 0}, "VEC4", 2))},
                         {"offsetFromHeadBone", {0, 0.06, 0.1}}};
  file["buffers"][0]["byteLength"] = chunk.size();
  return joinChunks(jsonChunk(file.dump()) + binaryChunk(chunk));
}

TEST_F(Vrma, ExpressionsAndGazesAreNotShownAndSaid) {
  const FigureSource source = test::valueOf(readGltf(withExpressions(), "m.vrma", {}));
  EXPECT_EQ(source.figure->findLink("happy"), -1);
  EXPECT_TRUE(test::hasNote(source.notes, "expressions"));
  EXPECT_EQ(source.motion->frameCount, 4);
}

TEST_F(Vrma, ExpressionsAndGazesOfAMotionAreWrittenAgain) {
  Document document = opened(withExpressions(), "m.vrma");
  const std::string bytes = test::valueOf(formatVrma(document)).bytes;
  const OpenContext context;
  const GltfFile file(bytes, "again.vrma", context);
  const json written = json::parse(splitGltf(bytes).json);
  const json& extension = written["extensions"]["VRMC_vrm_animation"];
  const auto keysOf = [&](const json& signal, const char* type) {
    for (const json& channel : written["animations"][0]["channels"])
      if (channel["target"]["node"] == signal["node"]) {
        const json& sampler = written["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
        EXPECT_EQ(sampler["interpolation"], "STEP");
        EXPECT_EQ(file.floats(sampler["input"], "SCALAR"), (std::vector<float>{0.0f, 0.125f}));
        return file.floats(sampler["output"], type);
      }
    return std::vector<float>();
  };
  EXPECT_EQ(keysOf(extension["expressions"]["preset"]["happy"], "VEC3"), (std::vector<float>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(keysOf(extension["expressions"]["custom"]["wink hard"], "VEC3"),
            (std::vector<float>{0.25f, 0, 0, 0.5f, 0, 0}));
  EXPECT_EQ(keysOf(extension["lookAt"], "VEC4"), (std::vector<float>{0, 0, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(extension["lookAt"]["offsetFromHeadBone"], (json{0, 0.06, 0.1}));
  EXPECT_EQ(test::valueOf(readGltf(bytes, "again.vrma", {})).motion->frameCount, 4);
  document.motion = nullptr;
  EXPECT_EQ(test::valueOf(formatVrma(document)).bytes.find("happy"), std::string::npos) << "a pose has none";
}

}  // namespace
}  // namespace limber::io::vrma_test
