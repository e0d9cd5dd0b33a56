// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "limber/io/gltf/gltf_arrays.h"
#include "limber/io/gltf/gltf_parts.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr int kAround = 16, kToPole = 4;  // segments of a capsule's circle, and of a quarter circle
constexpr std::array<double, 4> kClay = {0.65, 0.54, 0.42, 1.0};  // linear

struct CapsuleMesh {
  std::vector<float> positions, normals;
  std::vector<std::uint32_t> triangles;
};

/// Rings of vertices from pole to pole; the cylinder is between the two middle ones.
void appendCapsuleMesh(const Capsule& capsule, CapsuleMesh& mesh) {
  const Eigen::Vector3d axis = capsule.end - capsule.start;
  const Eigen::Quaterniond turn =
      axis.norm() > 0.0 ? shortestTurn(Eigen::Vector3d::UnitY(), axis) : Eigen::Quaterniond::Identity();
  const auto first = static_cast<std::uint32_t>(mesh.positions.size() / 3);
  constexpr int kRings = 2 * (kToPole + 1);
  for (int ring = 0; ring < kRings; ++ring) {
    const bool isUpper = ring > kToPole;
    const double latitude = (isUpper ? ring - kToPole - 1 : ring - kToPole) * 0.5 * std::numbers::pi / kToPole;
    for (int k = 0; k <= kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kAround;
      const Eigen::Vector3d normal = turn * Eigen::Vector3d(std::cos(latitude) * std::cos(angle), std::sin(latitude),
                                                            -std::cos(latitude) * std::sin(angle));
      const Eigen::Vector3d place = (isUpper ? capsule.end : capsule.start) + capsule.radius * normal;
      for (int i = 0; i < 3; ++i) {
        mesh.positions.push_back(static_cast<float>(place[i]));
        mesh.normals.push_back(static_cast<float>(normal[i]));
      }
    }
  }
  for (int ring = 0; ring + 1 < kRings; ++ring)
    for (int k = 0; k < kAround; ++k) {
      const auto at = [&](int r, int c) { return first + static_cast<std::uint32_t>(r * (kAround + 1) + c); };
      for (const std::uint32_t corner :
           {at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)})
        mesh.triangles.push_back(corner);
    }
}

/// The mesh of a link's capsules; false without a visible capsule.
bool addMesh(const Link& link, GltfArrays& arrays, OrderedJson& meshes) {
  CapsuleMesh mesh;
  for (const Capsule& capsule : link.capsules)
    if (capsule.radius > 0.0) appendCapsuleMesh(capsule, mesh);
  if (mesh.triangles.empty()) return false;
  const int positions = arrays.addFloats(mesh.positions, "VEC3", 3, true);
  const int normals = arrays.addFloats(mesh.normals, "VEC3", 3, false);
  const int triangles = arrays.addIndices(mesh.triangles);
  OrderedJson primitive = {
      {"attributes", {{"POSITION", positions}, {"NORMAL", normals}}}, {"indices", triangles}, {"material", 0}};
  meshes.push_back({{"name", link.name}, {"primitives", OrderedJson::array({std::move(primitive)})}});
  return true;
}

OrderedJson markOf(const Joint& joint) {
  return {{kGltfMark, {{"joint", joint.name}, {"type", jointTypeName(joint.type)}}}};
}

OrderedJson makeNodes(const Figure& figure, const Kinematics& kinematics, GltfArrays& arrays, OrderedJson& meshes) {
  OrderedJson nodes = OrderedJson::array();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Transform& place = kinematics.parentFromLink[i];
    OrderedJson node = {{"name", figure.link(i).name},
                        {"translation", toJson(place.translation)},
                        {"rotation", toJson(Eigen::Quaterniond(place.rotation).normalized().coeffs())},
                        {"extras", markOf(figure.joint(i))}};
    if (addMesh(figure.link(i), arrays, meshes)) node["mesh"] = meshes.size() - 1;
    for (const int child : figure.children(i)) node["children"].push_back(child);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// Keys of a joint, one for each frame.
struct JointKeys {
  std::vector<float> rotations, translations;
};

void addAnimation(const Document& document, const Motion& motion, GltfArrays& arrays, OrderedJson& json) {
  const Figure& figure = *document.figure;
  std::vector<float> times;
  std::vector<JointKeys> joints(figure.linkCount());
  Kinematics kinematics;
  for (int frame = 0; frame < motion.frameCount; ++frame) {
    times.push_back(static_cast<float>(frame * motion.frameTime));
    computeTransforms(figure, poseOfMotion(document, motion, frame), kinematics);
    for (int i = 0; i < figure.linkCount(); ++i) {
      const JointType type = figure.joint(i).type;
      JointKeys& keys = joints[i];
      const Transform& place = kinematics.parentFromLink[i];
      if (type == JointType::Revolute || hasRotation(figure.joint(i))) appendRotation(place.rotation, keys.rotations);
      if (type != JointType::Prismatic && type != JointType::Free) continue;
      for (const double metres : place.translation) keys.translations.push_back(static_cast<float>(metres));
    }
  }
  if (times.empty()) return;
  const int time = arrays.addFloats(times, "SCALAR", 1, true);
  OrderedJson samplers = OrderedJson::array(), channels = OrderedJson::array();
  const auto add = [&](int node, const std::vector<float>& keys, const char* path, const char* type, int width) {
    if (keys.empty()) return;
    samplers.push_back({{"input", time}, {"output", arrays.addFloats(keys, type, width, false)}});
    channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  };
  for (int i = 0; i < figure.linkCount(); ++i) {
    add(i, joints[i].rotations, "rotation", "VEC4", 4);
    add(i, joints[i].translations, "translation", "VEC3", 3);
  }
  if (channels.empty()) return;
  json["animations"].push_back(markedAnimation(motion));
  json["animations"].back()["samplers"] = std::move(samplers);
  json["animations"].back()["channels"] = std::move(channels);
}

}  // namespace

Result<std::string> formatNewGltf(const Document& document, bool isBinary) {
  const Figure& figure = *document.figure;
  if (!isValid(figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const auto motions = motionsOf(document);
  const bool moves = std::ranges::any_of(motions, [](const auto& motion) { return motion->frameCount > 1; });
  const Kinematics kinematics = transformsOf(figure, moves ? restPose(figure) : document.pose);
  GltfArrays arrays;
  OrderedJson meshes = OrderedJson::array(), roots = OrderedJson::array();
  OrderedJson json = {{"asset", {{"version", "2.0"}, {"generator", "Limber"}}}, {"scene", 0}};
  return faultsAsErrors<std::string>("", [&] {
    OrderedJson nodes = makeNodes(figure, kinematics, arrays, meshes);
    for (int i = 0; i < figure.linkCount(); ++i)
      if (figure.link(i).parent < 0) roots.push_back(i);
    json["scenes"].push_back({{"name", figure.name()}, {"nodes", roots}});
    json["nodes"] = std::move(nodes);
    if (!meshes.empty()) {
      json["materials"].push_back(
          {{"name", "clay"},
           {"pbrMetallicRoughness", {{"baseColorFactor", kClay}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}}}});
      json["meshes"] = std::move(meshes);
    }
    for (const auto& motion : motions)
      if (moves) addAnimation(document, *motion, arrays, json);
    return std::move(arrays).finish(std::move(json), isBinary);
  });
}

}  // namespace limber::io
