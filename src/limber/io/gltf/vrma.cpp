// SPDX-License-Identifier: MIT
// VRM animations: a skeleton of humanoid bones without a mesh, in the T-pose, and an animation of it.
#include <array>

#include "limber/io/gltf/gltf.h"
#include "limber/io/gltf/gltf_arrays.h"
#include "limber/io/gltf/vrm_rig.h"

namespace limber::io {

namespace {

constexpr std::array<const char*, 15> kRequired = {"hips",          "spine",         "head",          "leftUpperLeg",
                                                   "leftLowerLeg",  "leftFoot",      "rightUpperLeg", "rightLowerLeg",
                                                   "rightFoot",     "leftUpperArm",  "leftLowerArm",  "leftHand",
                                                   "rightUpperArm", "rightLowerArm", "rightHand"};

OrderedJson boneNodes(const VrmRig& rig) {
  OrderedJson nodes = OrderedJson::array();
  for (std::size_t i = 0; i < rig.bones.size(); ++i) {
    const VrmBone& bone = rig.bones[i];
    nodes.push_back({{"name", bone.name}, {"translation", toJson(bone.offset)}});
    if (bone.parent >= 0) nodes[bone.parent]["children"].push_back(i);
  }
  return nodes;
}

/// Every bone's rotation and the place of the hips, frame by frame.
struct BoneKeys {
  std::vector<float> times, hips;
  std::vector<std::vector<float>> rotations;
};

BoneKeys keysOf(const Document& document, const VrmRig& rig) {
  BoneKeys keys;
  keys.rotations.resize(rig.bones.size());
  Kinematics kinematics;
  for (int frame = 0; frame < takeLength(document); ++frame) {
    computeTransforms(*document.figure, poseOfTake(document, frame), kinematics);
    keys.times.push_back(static_cast<float>(document.motion ? frame * document.motion->frameTime : 0.0));
    const Eigen::Vector3d place =
        rig.worldFromBody.transpose() * kinematics.worldFromLink[rig.bones.front().link].translation;
    for (const double metres : place) keys.hips.push_back(static_cast<float>(metres));
    const std::vector<Eigen::Matrix3d> turns = boneRotations(rig, kinematics);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const int parent = rig.bones[i].parent;
      appendRotation(parent < 0 ? turns[i] : turns[parent].transpose() * turns[i], keys.rotations[i]);
    }
  }
  return keys;
}

OrderedJson animationOf(const Document& document, const VrmRig& rig, GltfArrays& arrays) {
  const BoneKeys keys = keysOf(document, rig);
  const int times = arrays.addFloats(keys.times, "SCALAR", 1, true);
  OrderedJson samplers = OrderedJson::array(), channels = OrderedJson::array();
  const auto add = [&](std::size_t node, const char* path, int output) {
    samplers.push_back({{"input", times}, {"output", output}});
    channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  };
  add(0, "translation", arrays.addFloats(keys.hips, "VEC3", 3, false));
  for (std::size_t i = 0; i < rig.bones.size(); ++i)
    add(i, "rotation", arrays.addFloats(keys.rotations[i], "VEC4", 4, false));
  std::string name = document.motion ? document.motion->name : "pose";
  if (name.empty()) name = "motion";
  return {{"name", name}, {"samplers", samplers}, {"channels", channels}};
}

std::string missingBones(const VrmRig& rig) {
  std::string names;
  for (const char* bone : kRequired)
    if (rig.find(bone) < 0) names += (names.empty() ? "" : ", ") + std::string(bone);
  return names;
}

}  // namespace

Result<Exported> formatVrma(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const std::optional<VrmRig> rig = findVrmRig(*document.figure);
  if (!rig) return Error{"", "", "VRM animations need a human body, and none is recognised in this figure"};
  OrderedJson json = {{"asset", {{"version", "2.0"}, {"generator", "Limber"}}},
                      {"extensionsUsed", OrderedJson::array({"VRMC_vrm_animation"})},
                      {"scene", 0},
                      {"scenes", OrderedJson::array({{{"nodes", OrderedJson::array({0})}}})}};
  OrderedJson bones = OrderedJson::object();
  for (std::size_t i = 0; i < rig->bones.size(); ++i) bones[rig->bones[i].name] = {{"node", i}};
  json["extensions"]["VRMC_vrm_animation"] = {{"specVersion", "1.0"}, {"humanoid", {{"humanBones", bones}}}};
  json["nodes"] = boneNodes(*rig);
  Exported out;
  try {
    GltfArrays arrays;
    json["animations"].push_back(animationOf(document, *rig, arrays));
    out.bytes = std::move(arrays).finish(std::move(json), true);
  } catch (const JsonFault& fault) {
    return Error{"", fault.place, fault.cause};
  }
  if (const std::string missing = missingBones(*rig); !missing.empty())
    out.notes.push_back("Bones that VRM requires are missing, so that other programs may refuse it: " + missing + ".");
  return out;
}

}  // namespace limber::io
