// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "gltf_sample.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::gltf_test {
namespace {

using nlohmann::json;
using test::animated;
using test::GltfSample;
using test::twoJoints;

constexpr double kFloat = 1e-5;  // of coordinates near 1 that went through floats

FigureSource read(const std::string& bytes, const OpenContext& context = {}, const std::string& path = "f.gltf") {
  return test::valueOf(readGltf(bytes, path, context));
}

std::string faultOf(const std::string& bytes, const OpenContext& context = {}, const std::string& path = "f.gltf") {
  return test::messageOf(readGltf(bytes, path, context));
}

bool says(const FigureSource& source, const std::string& words) { return test::hasNote(source.notes, words); }

/// The posed vertices of a surface.
std::vector<Eigen::Vector3d> posed(const FigureSource& source, const Pose& pose, std::size_t surface = 0) {
  const Kinematics kinematics = transformsOf(*source.figure, pose);
  const SkinSurface& s = source.skin->surfaces.at(surface);
  std::vector<Eigen::Vector3d> out(s.positions.size(), Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < out.size(); ++i)
    s.visitBones(i, [&](std::size_t b, float weight) {
      const SkinBone& bone = s.bones.at(b);
      out[i] += static_cast<double>(weight) *
                (kinematics.worldFromLink.at(bone.link) * (bone.linkFromSkin * s.positions[i]).cast<double>());
    });
  return out;
}

std::vector<Eigen::Vector3d> atRest(const FigureSource& source, std::size_t surface = 0) {
  return posed(source, restPose(*source.figure), surface);
}

Eigen::Affine3d localOf(const json& node) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  if (node.contains("matrix")) {
    const auto numbers = node["matrix"].get<std::vector<double>>();
    out.matrix() = Eigen::Matrix4d::Map(numbers.data());
    return out;
  }
  const auto numbers = [&](const char* key, std::vector<double> missing) {
    return node.contains(key) ? node[key].get<std::vector<double>>() : missing;
  };
  const auto t = numbers("translation", {0, 0, 0}), r = numbers("rotation", {0, 0, 0, 1}),
             s = numbers("scale", {1, 1, 1});
  return Eigen::Translation3d(t[0], t[1], t[2]) * Eigen::Quaterniond(r[3], r[0], r[1], r[2]) *
         Eigen::Scaling(s[0], s[1], s[2]);
}

/// The vertices of twoJoints() by the definition of the format, from the nodes' matrices.
std::vector<Eigen::Vector3d> byDefinition(const GltfSample& sample) {
  const json& nodes = sample.json["nodes"];
  const Eigen::Affine3d hip = localOf(nodes[1]), knee = hip * localOf(nodes[2]);
  const Eigen::Affine3d ofHip = hip * Eigen::Translation3d(0, -1, 0), ofKnee = knee * Eigen::Translation3d(0, -1.5, 0);
  const Eigen::Vector3d a(-0.1, 0, 0), b(0.1, 0, 0), c(0, 1.5, 0.2);
  return {ofHip * a, 0.75 * (ofHip * b) + 0.25 * (ofKnee * b), ofKnee * c};
}

void expectSame(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_LT((a[i] - b[i]).norm(), kFloat) << a[i].transpose() << " is not " << b[i].transpose();
}

Eigen::Vector3d placeOf(const FigureSource& source, const std::string& link) {
  const Kinematics kinematics = transformsOf(*source.figure, restPose(*source.figure));
  return kinematics.worldFromLink.at(source.figure->findLink(link)).translation;
}

TEST(Gltf, JointsAndTheirAncestorsBecomeLinks) {
  GltfSample sample = twoJoints();
  sample.append("nodes", {{"name", "lamp"}});
  sample.append("nodes", {{"scale", {2, 2, 2}}, {"children", {1, 3}}});
  sample.json["scenes"][0]["nodes"] = {0, 4};
  for (const std::string& bytes : {sample.text(), sample.glb()}) {
    const FigureSource source = read(bytes);
    ASSERT_EQ(source.figure->linkCount(), 3);
    EXPECT_EQ(source.figure->link(0).name, "node4");
    EXPECT_EQ(source.figure->joint(0).type, JointType::Free);
    EXPECT_TRUE(source.figure->joint(0).locked);
    EXPECT_EQ(source.figure->joint(1).type, JointType::Ball);
    EXPECT_EQ(source.file->nodeOfLink, (std::vector<int>{4, 1, 2}));
    EXPECT_EQ(source.file->bytes, bytes);
    EXPECT_EQ(placeOf(source, "knee"), Eigen::Vector3d(0, 3, 0));
  }
}

TEST(Gltf, SkinAtRestIsWhereTheFormatPutsIt) {
  const json scales[] = {{1, 1, 1},   {2, 2, 2},   {-1, 1, 1}, {-2, -2, -2},
                         {0.5, 2, 1}, {1, -3, -1}, {0, 1, 1},  {0, 0, 0}};
  for (const json& hip : scales)
    for (const json& knee : scales) {
      SCOPED_TRACE(hip.dump() + knee.dump());
      GltfSample sample = twoJoints();
      sample.json["nodes"][1]["scale"] = hip;
      sample.json["nodes"][1]["rotation"] = {0.6, 0.0, 0.0, 0.8};
      sample.json["nodes"][2]["scale"] = knee;
      sample.json["nodes"][2]["rotation"] = {0.0, 0.48, 0.64, 0.6};
      const FigureSource source = read(sample.text());
      ASSERT_TRUE(source.skin);
      expectSame(atRest(source), byDefinition(sample));
    }
}

TEST(Gltf, AMatrixMayShear) {
  GltfSample sample = twoJoints();
  sample.json["nodes"][2].erase("translation");
  sample.json["nodes"][2]["matrix"] = {1, 0, 0, 0, 0.5, -2, 0.3, 0, 0, 0.25, 1, 0, 0.1, 0.5, 0.2, 1};
  expectSame(atRest(read(sample.text())), byDefinition(sample));
}

TEST(Gltf, ATurnOfAJointIsATurnOfItsNode) {
  const Eigen::Quaterniond rest(0.8, 0.0, 0.6, 0.0), turn(0.5, 0.5, -0.5, 0.5);
  for (const json& scale : {json{1, 1, 1}, json{3, 3, 3}, json{-1, -1, -1}}) {
    GltfSample sample = twoJoints();
    sample.json["nodes"][1]["scale"] = scale;
    sample.json["nodes"][2]["rotation"] = {rest.x(), rest.y(), rest.z(), rest.w()};
    const FigureSource source = read(sample.text());
    Pose pose = restPose(*source.figure);
    setJointRotation(*source.figure, source.figure->findJoint("knee"), turn, pose);
    const Eigen::Quaterniond turned = rest * turn;
    sample.json["nodes"][2]["rotation"] = {turned.x(), turned.y(), turned.z(), turned.w()};
    expectSame(posed(source, pose), byDefinition(sample));
  }
}

TEST(Gltf, UnevenScalesAreSaid) {
  GltfSample sample = twoJoints();
  sample.json["nodes"][1]["scale"] = {1, 2, 1};
  EXPECT_TRUE(says(read(sample.text()), "scaled unevenly"));
  EXPECT_FALSE(says(read(twoJoints().text()), "scaled unevenly"));
}

TEST(Gltf, MissingBindMatricesAreNone) {
  GltfSample sample = twoJoints();
  sample.json["skins"][0].erase("inverseBindMatrices");
  const auto places = atRest(read(sample.text()));
  expectSame({places[0]}, {Eigen::Vector3d(-0.1, 1, 0)});
}

TEST(Gltf, WeightsAreBroughtToOne) {
  GltfSample sample = twoJoints();
  const int weights = sample.floats({2, 0, 0, 0, 0.375f, 0.125f, 0, 0, 0, 0, 0, 0}, "VEC4");
  sample.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weights;
  const FigureSource source = read(sample.text());
  expectSame({atRest(source)[0], atRest(source)[1]}, {byDefinition(sample)[0], byDefinition(sample)[1]});
}

TEST(Gltf, EightInfluences) {
  GltfSample sample = twoJoints();
  json& attributes = sample.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["WEIGHTS_0"] = sample.floats({1, 0, 0, 0, 0.75f, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  attributes["JOINTS_1"] = sample.accessor<std::uint16_t>({0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, "VEC4", 5123);
  attributes["WEIGHTS_1"] = sample.accessor<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0}, "VEC4", 5121);
  sample.json["accessors"].back()["normalized"] = true;
  sample.json["nodes"][2]["rotation"] = {0.6, 0.0, 0.0, 0.8};
  const FigureSource source = read(sample.text());
  EXPECT_EQ(source.skin->surfaces[0].influences, 8);
  EXPECT_NEAR(static_cast<double>(source.skin->surfaces[0].weights[8 + 7]), 0.25, 2e-3);
}

TEST(Gltf, SparseAccessorsAndNoneAtAll) {
  GltfSample sample = twoJoints();
  const int places = sample.view(std::vector<std::uint16_t>{1, 2});
  const int values = sample.view(std::vector<float>{0.5f, 0, 0, 0, 1.5f, 0});
  const int accessor = sample.append("accessors", {{"componentType", 5126},
                                                   {"count", 3},
                                                   {"type", "VEC3"},
                                                   {"sparse",
                                                    {{"count", 2},
                                                     {"indices", {{"bufferView", places}, {"componentType", 5123}}},
                                                     {"values", {{"bufferView", values}}}}}});
  sample.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = accessor;
  const FigureSource source = read(sample.text());
  const std::vector<Eigen::Vector3f>& positions = source.skin->surfaces[0].positions;
  EXPECT_EQ(positions[0], Eigen::Vector3f::Zero());
  EXPECT_EQ(positions[1], Eigen::Vector3f(0.5f, 0, 0));
  EXPECT_EQ(positions[2], Eigen::Vector3f(0, 1.5f, 0));
}

/// A rigid node with four vertices and the given primitive.
GltfSample square(json primitive) {
  GltfSample out;
  out.json["nodes"] = {{{"name", "box"}, {"mesh", 0}, {"translation", {1, 2, 3}}}};
  primitive["attributes"]["POSITION"] = out.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, "VEC3");
  out.json["meshes"] = {{{"primitives", {primitive}}}};
  return out;
}

TEST(Gltf, StripsFansAndMissingIndices) {
  using Corners = std::vector<std::uint32_t>;
  EXPECT_EQ(read(square({{"mode", 4}}).text()).skin->surfaces[0].triangles, (Corners{0, 1, 2}));
  EXPECT_EQ(read(square({{"mode", 5}}).text()).skin->surfaces[0].triangles, (Corners{0, 1, 2, 1, 3, 2}));
  EXPECT_EQ(read(square({{"mode", 6}}).text()).skin->surfaces[0].triangles, (Corners{0, 1, 2, 0, 2, 3}));
  EXPECT_TRUE(says(read(square({{"mode", 1}}).text()), "Points and lines"));
}

TEST(Gltf, RigidMeshesFollowTheirNode) {
  GltfSample sample = square({{"mode", 5}});
  sample.json["nodes"][0]["scale"] = {-2, 2, 2};
  const FigureSource source = read(sample.text());
  const SkinSurface& surface = source.skin->surfaces[0];
  EXPECT_EQ(surface.influences, 0);
  expectSame({atRest(source)[3]}, {Eigen::Vector3d(-1, 4, 3)});
  const std::vector<Eigen::Vector3d> places = atRest(source);
  const auto corner = [&](std::size_t i) { return places[surface.triangles[i]]; };
  EXPECT_GT((corner(1) - corner(0)).cross(corner(2) - corner(0)).z(), 0.0) << "turned round, for the mesh is mirrored";
  EXPECT_EQ(surface.normals[0], Eigen::Vector3f(0, 0, 1));
}

TEST(Gltf, MaterialsHaveColourAndTexture) {
  // A PNG of one red pixel.
  const std::string png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
  GltfSample sample = square({{"mode", 5}, {"material", 0}});
  sample.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] =
      sample.floats({0, 0, 1, 0, 0, 1, 1, 1}, "VEC2");
  sample.json["materials"] = {
      {{"name", "skin"},
       {"doubleSided", true},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.5, 0.25, 1, 1}},
         {"baseColorTexture",
          {{"index", 0}, {"extensions", {{"KHR_texture_transform", {{"offset", {0.5, 0}}, {"scale", {0.5, 2}}}}}}}}}}}};
  sample.json["textures"] = {{{"source", 0}}};
  sample.json["images"] = {{{"uri", "data:image/png;base64," + png}}};
  const FigureSource source = read(sample.text());
  ASSERT_EQ(source.skin->textures.size(), 1u) << (source.notes.empty() ? "" : source.notes[0]);
  EXPECT_EQ(source.skin->textures[0].pixels, (std::vector<std::uint8_t>{255, 0, 0, 255}));
  EXPECT_EQ(source.skin->materials[0].color, Eigen::Vector4f(0.5f, 0.25f, 1, 1));
  EXPECT_TRUE(source.skin->materials[0].isDoubleSided);
  EXPECT_EQ(source.skin->surfaces[0].textureCoordinates[3], Eigen::Vector2f(1, 2));
}

TEST(Gltf, MaterialsSayWhatAlphaMeans) {
  GltfSample sample = square({{"material", 0}});
  sample.json["materials"] = {
      {{"alphaCutoff", 0.25}},
      {{"alphaMode", "OPAQUE"}},
      {{"alphaMode", "MASK"}},
      {{"alphaMode", "MASK"}, {"alphaCutoff", 0.25}},
      {{"alphaMode", "BLEND"}, {"pbrMetallicRoughness", {{"baseColorFactor", {1, 1, 1, 0.5}}}}}};
  const auto materials = read(sample.text()).skin->materials;
  const std::vector<SkinAlpha> modes = {SkinAlpha::Opaque, SkinAlpha::Opaque, SkinAlpha::Mask, SkinAlpha::Mask,
                                        SkinAlpha::Blend};
  ASSERT_EQ(materials.size(), modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) EXPECT_EQ(materials[i].alpha, modes[i]) << i;
  EXPECT_EQ(materials[2].alphaCutoff, 0.5f);
  EXPECT_EQ(materials[3].alphaCutoff, 0.25f);
  EXPECT_EQ(materials[4].color.w(), 0.5f);
}

TEST(Gltf, ToonMaterialsSayItInNumbersOfTheirOwn) {
  GltfSample sample = square({{"material", 0}});
  sample.json["materials"] = {{{"alphaMode", "OPAQUE"}}, {{"alphaMode", "OPAQUE"}}, {{"alphaMode", "BLEND"}}};
  const auto toon = [](double mode, double cull) {
    return json{{"shader", "VRM/MToon"},
                {"floatProperties", {{"_BlendMode", mode}, {"_Cutoff", 0.3}, {"_CullMode", cull}}}};
  };
  sample.json["extensions"]["VRM"]["materialProperties"] = {toon(1, 0), toon(3, 2), toon(0, 2)};
  const auto materials = read(sample.text()).skin->materials;
  ASSERT_EQ(materials.size(), 3u);
  EXPECT_EQ(materials[0].alpha, SkinAlpha::Mask);
  EXPECT_EQ(materials[0].alphaCutoff, 0.3f);
  EXPECT_TRUE(materials[0].isDoubleSided);
  EXPECT_EQ(materials[1].alpha, SkinAlpha::Blend);
  EXPECT_FALSE(materials[1].isDoubleSided);
  EXPECT_EQ(materials[2].alpha, SkinAlpha::Opaque);
}

TEST(Gltf, JointsWithoutHierarchyAreSaid) {
  GltfSample sample = twoJoints();
  EXPECT_FALSE(says(read(sample.text()), "hierarchy"));
  sample.json["nodes"].push_back({{"name", "root"}, {"children", {3, 4, 5}}});
  for (const char* name : {"wrist", "thumb", "index"}) sample.json["nodes"].push_back({{"name", name}});
  sample.json["nodes"][3]["children"] = {4, 5, 6};
  sample.json["scenes"][0]["nodes"].push_back(3);
  sample.json["skins"].push_back({{"joints", {4, 5, 6}}});
  EXPECT_TRUE(says(read(sample.text()), "The 3 joints of its skin have no hierarchy"));
  sample.json["nodes"][3]["children"] = {4, 6};
  sample.json["nodes"][4]["children"] = {5};
  EXPECT_FALSE(says(read(sample.text()), "hierarchy")) << "one hangs on another";
}

TEST(Gltf, APictureThatCannotBeHadIsSaid) {
  for (const char* uri : {"nowhere.png", "../secret.png", "data:image/png;base64,AAAA"}) {
    GltfSample sample = square({{"material", 0}});
    sample.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    sample.json["textures"] = {{{"source", 0}}};
    sample.json["images"] = {{{"uri", uri}}};
    const FigureSource source = read(sample.text());
    EXPECT_TRUE(source.skin && source.skin->textures.empty());
    EXPECT_TRUE(says(source, "images[0]"));
  }
}

TEST(Gltf, SharedAndMissingNamesBecomeUnique) {
  GltfSample sample = twoJoints();
  sample.json["nodes"][1]["name"] = sample.json["nodes"][2]["name"] = "bone";
  EXPECT_GE(read(sample.text()).figure->findLink("bone#2"), 0);
  sample.json["nodes"][2]["name"] = "";
  EXPECT_GE(read(sample.text()).figure->findLink("node2"), 0);
}

TEST(Gltf, NodesAloneMakeAFigure) {
  const FigureSource source =
      read(R"({"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {"translation": [0, 1, 0]}]})");
  EXPECT_EQ(source.figure->linkCount(), 2);
  EXPECT_FALSE(source.skin);
}

TEST(Gltf, GiantsAndMitesAreScaled) {
  GltfSample sample = twoJoints();
  sample.json["nodes"][1]["scale"] = {1000, 1000, 1000};
  const FigureSource giant = read(sample.text());
  EXPECT_EQ(giant.figure->fileFrame().metresPerUnit, 1e-3);
  EXPECT_TRUE(says(giant, "one unit is assumed to be 0.001 m"));
  EXPECT_LT((placeOf(giant, "knee") - Eigen::Vector3d(0, 0.501, 0)).norm(), 1e-12);
  expectSame({atRest(giant)[2]}, {1e-3 * byDefinition(sample)[2]});
}

/// The rotation of the knee about x at a time, radians.
double kneeTurn(const FigureSource& source, double time) {
  const Pose pose = source.motion->poseAtTime(*source.figure, time);
  const Eigen::Quaterniond q = jointRotation(*source.figure, pose, source.figure->findJoint("knee"));
  return 2.0 * std::atan2(q.x(), q.w());
}

const float kHalf = std::sqrt(0.5f);

TEST(Gltf, RotationsAreKeyed) {
  const std::vector<float> keys = {0, 0, 0, 1, kHalf, 0, 0, kHalf, 0, 0, 0, -1};  // 0, 90, 0 degrees, the last negated
  const FigureSource linear = read(animated("rotation", "LINEAR", keys).text());
  const FigureSource step = read(animated("rotation", "STEP", keys).text());
  EXPECT_EQ(linear.motion->name, "wave");
  EXPECT_TRUE(linear.clips.empty());
  EXPECT_NEAR(kneeTurn(linear, -1.0), 0.0, 1e-6);
  EXPECT_NEAR(kneeTurn(linear, 0.5), 0.25 * std::numbers::pi, 1e-6);
  EXPECT_NEAR(kneeTurn(linear, 2.0), 0.25 * std::numbers::pi, 1e-6) << "the short way";
  EXPECT_NEAR(kneeTurn(step, 0.99), 0.0, 1e-6);
  EXPECT_NEAR(kneeTurn(step, 1.0), 0.5 * std::numbers::pi, 1e-6);
  EXPECT_EQ(linear.motion->frameTime, 1.0 / 30.0) << "keys a second apart are no frames";
  EXPECT_EQ(linear.motion->frameCount, 91);
  const Pose frame = linear.motion->poseAt(*linear.figure, 15);
  EXPECT_EQ(frame.coordinates, linear.motion->poseAtTime(*linear.figure, 0.5).coordinates);
}

TEST(Gltf, CubicSplinesHaveTangents) {
  const FigureSource source = read(animated("translation", "CUBICSPLINE", {0, 0, 0, 0, 0.5f, 0, 3, 0, 0,  //
                                                                           0, 0, 0, 0, 0.5f, 0, 0, 1, 0,  //
                                                                           0, 2, 0, 0, 1.5f, 0, 0, 0, 0})
                                       .text());
  const Joint& knee = source.figure->joint(source.figure->findJoint("knee"));
  EXPECT_EQ(knee.type, JointType::Free);
  EXPECT_TRUE(knee.translationLocked);
  const auto shiftAt = [&](double time) -> Eigen::Vector3d {
    return source.motion->poseAtTime(*source.figure, time).coordinates.segment<3>(knee.poseIndex);
  };
  // Hermite: t (1-t)^2 times the outgoing tangent plus 3 t^2 - 2 t^3 times the difference; tangents are scaled by 2 s.
  EXPECT_LT((shiftAt(0.5) - Eigen::Vector3d(3 * 0.125, 0, 0)).norm(), 1e-6);
  EXPECT_LT((shiftAt(2.0) - Eigen::Vector3d(0, 0.5 + 2 * 0.125 * 1 - 2 * 0.125 * 2, 0)).norm(), 1e-6);
}

TEST(Gltf, AnimationsBelowScalesAndMirrorsAreThoseOfTheNodes) {
  for (const json& scale : {json{1, 1, 1}, json{2, 2, 2}, json{-1, -1, -1}}) {
    GltfSample sample = animated("translation", "LINEAR", {0, 0.5f, 0, 0.3f, 0.2f, 0.1f, 0, 0.5f, 0});
    const int turns = sample.floats({0, 0, 0, 1, 0.48f, 0.64f, 0, 0.6f, 0, 0, 0, 1}, "VEC4");
    sample.json["animations"][0]["samplers"].push_back({{"input", 4}, {"output", turns}});
    sample.json["animations"][0]["channels"].push_back(
        {{"sampler", 1}, {"target", {{"node", 2}, {"path", "rotation"}}}});
    sample.json["nodes"][1]["scale"] = scale;
    sample.json["nodes"][1]["rotation"] = {0.6, 0.0, 0.0, 0.8};
    sample.json["nodes"][2]["rotation"] = {0.0, 0.48, 0.64, 0.6};
    sample.json["nodes"][2]["scale"] = {-1, 1, 1};
    const FigureSource source = read(sample.text());
    const Pose pose = source.motion->poseAtTime(*source.figure, 1.0);
    sample.json["nodes"][2]["translation"] = {0.3, 0.2, 0.1};
    sample.json["nodes"][2]["rotation"] = {0.48, 0.64, 0.0, 0.6};
    expectSame(posed(source, pose), byDefinition(sample));
  }
}

TEST(Gltf, WhatDoesNotMoveIsNoTrack) {
  const FigureSource still = read(animated("translation", "LINEAR", {0, 0.5f, 0, 0, 0.5f, 0, 0, 0.5f, 0}).text());
  EXPECT_EQ(still.figure->joint(still.figure->findJoint("knee")).type, JointType::Ball);
  EXPECT_TRUE(still.motion->tracks.empty());
  EXPECT_TRUE(says(read(animated("scale", "LINEAR", {1, 1, 1, 2, 1, 1, 1, 1, 1}).text()), "Animated scales"));
  EXPECT_FALSE(says(read(animated("scale", "LINEAR", {1, 1, 1, 1, 1, 1, 1, 1, 1}).text()), "Animated scales"));
}

TEST(Gltf, FaultsOfAnimationsAreNamed) {
  const auto changed = [](const std::function<void(json&)>& change) {
    GltfSample sample = animated("translation", "LINEAR", {0, 0.5f, 0, 1, 0.5f, 0, 0, 0.5f, 0});
    change(sample.json);
    return faultOf(sample.text());
  };
  EXPECT_EQ(changed([](json& j) { j["animations"][0]["channels"][0]["sampler"] = 4; }),
            "f.gltf: animations[0].channels[0].sampler: is 4, but the animation has 1 samplers");
  EXPECT_EQ(changed([](json& j) { j["animations"][0]["samplers"][0]["output"] = 0; }), "");
  EXPECT_EQ(changed([](json& j) { j["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }),
            "f.gltf: animations[0].samplers[0].output: holds 9 numbers where its times need 27");
  EXPECT_EQ(
      changed([](json& j) { j["animations"][0]["samplers"][0]["interpolation"] = "cubic"; }),
      "f.gltf: animations[0].samplers[0].interpolation: \"cubic\" is not an interpolation (LINEAR, STEP, CUBICSPLINE)");
  GltfSample falling = animated("rotation", "LINEAR", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_TRUE(test::says(faultOf(falling.text()), {"f.gltf: animations[0].samplers[0].output", "key 1", "rotation"}));
  falling.json["animations"][0]["samplers"][0]["input"] = falling.floats({0, 2, 1}, "SCALAR");
  EXPECT_TRUE(test::says(faultOf(falling.text()), {"f.gltf: animations[0].samplers[0].input", "ascending"}));
}

TEST(Gltf, VrmBonesAreNamed) {
  GltfSample old = twoJoints(), young = twoJoints();
  old.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "head"}, {"node", 2}}};
  young.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["head"] = {{"node", 2}};
  EXPECT_GE(read(old.glb()).figure->findSite("head"), 0);
  EXPECT_GE(read(young.glb()).figure->findSite("head"), 0);
  EXPECT_TRUE(looksLikeVrm(young.glb()));
  EXPECT_FALSE(looksLikeVrm(twoJoints().glb()));
}

TEST(Gltf, ContentsTellWhatAFileIs) {
  EXPECT_TRUE(looksLikeGltf(twoJoints().text()));
  EXPECT_TRUE(looksLikeGltf(twoJoints().glb()));
  EXPECT_FALSE(looksLikeGltf(R"({"format": "limber figure", "links": [{"name": "a", "asset": 1}], "x": "asset"})"));
}

class GltfFolder : public limber::test::TemporaryFolder {
 protected:
  /// The sample with its buffer in another file.
  std::string referring(const std::string& uri) const {
    GltfSample sample = twoJoints();
    json out = sample.json;
    out["buffers"] = {{{"byteLength", sample.bytes.size()}, {"uri", uri}}};
    return out.dump();
  }
};

TEST_F(GltfFolder, BuffersMayBeOtherFilesBesideThisOne) {
  write("my body.bin", twoJoints().bytes);
  expectSame(atRest(read(referring("my%20body.bin"), {}, folder_ / "f.gltf")), byDefinition(twoJoints()));
  EXPECT_NE(faultOf(referring("other.bin"), {}, folder_ / "f.gltf")
                .find("f.gltf: buffers[0].uri: \"other.bin\" cannot be opened"),
            std::string::npos);
}

TEST_F(GltfFolder, BuffersThatAreNotThereAreNamedAllAtOnce) {
  const std::filesystem::path path = folder_ / "f.gltf";
  json file = json::parse(referring("my%20body.bin"));
  file["buffers"].push_back({{"byteLength", 4}, {"uri", "other.bin"}});
  file["buffers"].push_back({{"byteLength", 4}, {"uri", "data:application/octet-stream;base64,AAAAAA=="}});
  file["images"] = {{{"uri", "skin.png"}}};
  const auto missing = readGltf(file.dump(), path, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().missing, (std::vector<std::string>{"my body.bin", "other.bin"}));
  write("elsewhere/my body.bin", twoJoints().bytes);
  EXPECT_EQ(faultOf(file.dump(), {.folders = {folder_ / "elsewhere"}}, path), "") << "the other one is never needed";
  file["buffers"][0]["byteLength"] = 1000000;
  const auto shorter = readGltf(file.dump(), path, {.folders = {folder_ / "elsewhere"}});
  ASSERT_FALSE(shorter);
  EXPECT_TRUE(shorter.error().missing.empty()) << "no folder helps here";
}

TEST_F(GltfFolder, BuffersOutsideTheFolderNeedLeave) {
  const std::string outside = write("body.bin", twoJoints().bytes);
  std::filesystem::create_directory(folder_ / "in");
  std::filesystem::create_symlink(outside, folder_ / "in" / "link.bin");
  const std::filesystem::path path = folder_ / "in" / "f.gltf";
  for (const std::string& uri : {std::string("../body.bin"), std::string("x/../../body.bin"),
                                 std::string("%2e%2e/body.bin"), outside, std::string("link.bin")}) {
    SCOPED_TRACE(uri);
    EXPECT_NE(faultOf(referring(uri), {}, path).find("outside the folder of the file"), std::string::npos);
  }
  EXPECT_EQ(faultOf(referring("../body.bin"), {.mayLeaveFolder = true}, path), "");
  for (const std::string uri : {"http://example.org/a.bin", "file:///etc/passwd", "C:\\body.bin"})
    EXPECT_NE(faultOf(referring(uri), {}, path).find("only files beside this one"), std::string::npos) << uri;
}

TEST(Gltf, FaultsNameFilePlaceAndCause) {
  const auto changed = [](const std::function<void(json&)>& change) {
    GltfSample sample = twoJoints();
    change(sample.json);
    return sample.text();
  };
  const std::pair<std::string, std::string> cases[] = {
      {"", "f.gltf: the file is empty"},
      {"{\"asset\": {\"version\": \"2.0\"}", "f.gltf: line 1, column 28"},
      {"{\"asset\": {\"version\": \"1.0\"}}", "f.gltf: asset.version: is \"1.0\"; only glTF 2 is read"},
      {"{\"asset\": {\"version\": \"2.0\"}}", "f.gltf: nodes: is missing or empty"},
      {std::string(1'000'000, '['), "f.gltf: line 1, column 65: values are nested deeper than 64"},
      {changed([](json& j) { j["nodes"][1]["children"] = {7}; }),
       "f.gltf: nodes[1].children[0]: is 7, but the file has 3 nodes"},
      {changed([](json& j) { j["nodes"][1]["children"] = {4294967298}; }),
       "f.gltf: nodes[1].children[0]: is 4294967298, outside"},
      {changed([](json& j) { j["nodes"][1]["children"] = {-1}; }), "f.gltf: nodes[1].children[0]: is -1, outside"},
      {changed([](json& j) { j["nodes"][2]["children"] = {1}; }), "f.gltf: nodes[1]: is its own ancestor"},
      {changed([](json& j) { j["nodes"][0]["children"] = {2}; }),
       "f.gltf: nodes[1].children[0]: node 2 is a child of node 0 too"},
      {changed([](json& j) {
         j["nodes"][1]["rotation"] = {0, 0, 0, 0};
       }),
       "f.gltf: nodes[1].rotation: is not a quaternion"},
      {changed([](json& j) {
         j["nodes"][1]["scale"] = {1e300, 1, 1};
       }),
       "f.gltf: nodes[1].scale: is beyond 1e12"},
      {changed([](json& j) {
         j["nodes"][1]["scale"] = {1, nullptr, 1};
       }),
       "f.gltf: nodes[1].scale[1]: must be a number, not null"},
      {changed([](json& j) {
         j["skins"][0]["joints"] = {1, 9};
       }),
       "f.gltf: skins[0].joints[1]: is 9, but the file has 3 nodes"},
      {changed([](json& j) { j["skins"][0]["joints"] = json::array(); }), "f.gltf: skins[0].joints: is empty"},
      {changed([](json& j) {
         j["skins"][0]["joints"] = {1, 2, 0};
       }),
       "f.gltf: skins[0].inverseBindMatrices: has 2 matrices for 3 joints"},
      {changed([](json& j) {
         j["skins"][0]["joints"] = {1};
         j["nodes"][0].erase("skin");
       }),
       ""},
      {changed([](json& j) { j["accessors"][0]["count"] = 2'000'000'000; }),
       "f.gltf: meshes[0].primitives[0]: the file draws more than"},
      {changed([](json& j) { j["accessors"][3]["count"] = 2'000'000'000; }),
       "f.gltf: accessors[3].count: is too large"},
      {changed([](json& j) { j["accessors"][3]["count"] = 4'000'000'000; }),
       "f.gltf: accessors[3].count: is 4000000000, outside"},
      {changed([](json& j) { j["accessors"][0]["count"] = 4; }),
       "f.gltf: accessors[0]: reaches to byte 48 of a buffer view of 36"},
      {changed([](json& j) { j["accessors"][0]["byteOffset"] = 2'147'483'647; }),
       "f.gltf: accessors[0]: reaches to byte 2147483683"},
      {changed([](json& j) { j["accessors"][0]["componentType"] = 5124; }),
       "f.gltf: accessors[0].componentType: is not a component type"},
      {changed([](json& j) { j["accessors"][0]["type"] = "VEC4"; }),
       "f.gltf: accessors[0].type: must be VEC3 here, not \"VEC4\""},
      {changed([](json& j) { j["bufferViews"][0]["byteStride"] = 4; }),
       "f.gltf: accessors[0]: its elements of 12 bytes overlap"},
      {changed([](json& j) { j["bufferViews"][0]["byteStride"] = 252; }), "f.gltf: accessors[0]: reaches to byte 516"},
      {changed([](json& j) { j["bufferViews"][0]["byteLength"] = 2'147'483'647; }),
       "f.gltf: bufferViews[0]: reaches to byte"},
      {changed([](json& j) { j["bufferViews"][0]["buffer"] = 1; }),
       "f.gltf: bufferViews[0].buffer: is 1, but the file has 1 buffers"},
      {changed([](json& j) { j["accessors"][1]["componentType"] = 5120; }),
       "f.gltf: accessors[1].componentType: must be an unsigned"},
      {changed([](json& j) {
         j["accessors"][0].erase("bufferView");
         j["accessors"][0]["count"] = 20'000'000;
       }),
       "f.gltf: meshes[0].primitives[0]: the file draws more than 4000000 vertices"},
  };
  for (const auto& [bytes, message] : cases) {
    const std::string fault = faultOf(bytes);
    EXPECT_EQ(fault.substr(0, message.size()), message) << fault;
  }
}

TEST(Gltf, NumbersOfVerticesAndBonesAreChecked) {
  GltfSample nan = twoJoints(), joint = twoJoints(), index = twoJoints();
  const int positions = nan.floats({0, 0, std::nanf(""), 0, 0, 0, 0, 0, 0}, "VEC3");
  nan.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions;
  EXPECT_EQ(faultOf(nan.text()), "f.gltf: accessors[4]: its number 2 is not finite");
  joint.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] =
      joint.accessor<std::uint16_t>({0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 5123);
  EXPECT_EQ(faultOf(joint.text()), "f.gltf: accessors[4]: speaks of joint 9 of a skin of 2");
  index.json["meshes"][0]["primitives"][0]["indices"] =
      index.accessor<std::uint32_t>({0, 1, 4'000'000'000}, "SCALAR", 5125);
  EXPECT_TRUE(test::says(faultOf(index.text()), {"f.gltf: meshes[0].primitives[0].indices", "4000000000"}));
}

TEST(Gltf, ChunksThatLieAreRefused) {
  std::string bytes = twoJoints().glb();
  const auto with = [&](std::size_t at, std::uint32_t word) {
    std::string out = bytes;
    std::memcpy(out.data() + at, &word, 4);
    return faultOf(out);
  };
  const std::string size = std::to_string(bytes.size());
  EXPECT_EQ(with(4, 1), "f.gltf: byte 4: is glTF 1; only glTF 2 is read");
  EXPECT_EQ(with(8, 0xffffffff), "f.gltf: byte 8: the header gives 4294967295 bytes, the file has " + size);
  EXPECT_EQ(with(8, 4), "f.gltf: byte 8: the header gives 4 bytes, the file has " + size);
  EXPECT_EQ(with(12, 0xffffffff),
            "f.gltf: byte 12: a chunk of 4294967295 bytes reaches beyond the " + size + " of the file");
  EXPECT_EQ(with(16, 0), "f.gltf: byte 12: the first chunk is not JSON");
  EXPECT_NE(with(12, 0), "");
}

TEST(Gltf, TruncatedFilesAreRefused) {
  for (const std::string& bytes : {twoJoints().text(), twoJoints().glb()})
    for (std::size_t length = 0; length < bytes.size(); length += 64)
      EXPECT_NE(faultOf(bytes.substr(0, length)), "") << length;
}

TEST(Gltf, FlippedBytesNeverCrash) {
  std::uint32_t state = 1;  // a small generator of our own: the same files everywhere
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  const GltfSample moving = animated("rotation", "LINEAR", {0, 0, 0, 1, kHalf, 0, 0, kHalf, 0, 0, 0, -1});
  for (const std::string& bytes : {twoJoints().text(), twoJoints().glb(), moving.glb()})
    for (int round = 0; round < 2000; ++round) {
      std::string changed = bytes;
      for (std::uint32_t flips = 1 + random() % 4; flips > 0; --flips)
        changed[random() % changed.size()] =
            static_cast<char>(round % 2 ? random() : "0123456789-{}[],\"e"[random() % 18]);
      const Result<FigureSource> source = readGltf(changed, "f.gltf");
      EXPECT_TRUE(source || !source.error().cause.empty());
    }
}

TEST(Gltf, OpeningCanBeCancelled) {
  OpenContext context;
  context.progress = [](double part, std::string_view) { return part < 0.5; };
  EXPECT_EQ(faultOf(twoJoints().text(), context), "f.gltf: cancelled");
}

TEST(Gltf, EndsOfBranchesAreEndEffectors) {
  GltfSample sample = twoJoints();
  const FigureSource source = read(sample.text());
  ASSERT_EQ(source.figure->sites().size(), 1u);
  const Site& tip = source.figure->sites()[0];
  EXPECT_EQ(tip.name, "knee");
  EXPECT_EQ(tip.link, source.figure->findLink("knee"));
  EXPECT_LT((tip.linkFromSite.translation - Eigen::Vector3d(0, 0, 0.2)).norm(), kFloat) << "its only vertex of its own";
}

}  // namespace
}  // namespace limber::io::gltf_test
