// SPDX-License-Identifier: MIT
// VRM animations: a skeleton of humanoid bones without a mesh, in the T-pose, and an animation of it.
#include <algorithm>
#include <array>

#include "limber/io/gltf/gltf.h"
#include "limber/io/gltf/gltf_arrays.h"
#include "limber/io/gltf/gltf_file.h"
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

/// Copies the expressions and the gaze of the file that the motion came from, with their keys as they are. In such a
/// file each is a node that nothing hangs on: the x of its translation is the weight of an expression, its rotation the
/// gaze.
class SignalCopy {
 public:
  SignalCopy(const GltfFile& file, const std::string& motion, GltfArrays& arrays, OrderedJson& json)
      : file_(file), arrays_(arrays), json_(json) {
    const auto& animations = file.list("animations");
    for (const JsonValue& animation : animations)
      if (const auto name = animation.find("name"); !animation_ && name && name->text() == motion)
        animation_ = animation;
    if (!animation_ && animations.size() == 1) animation_ = animations.front();
  }

  void copy() {
    const auto from = extension(file_.root(), "VRMC_vrm_animation");
    if (!from || !animation_) return;
    OrderedJson& to = json_["extensions"]["VRMC_vrm_animation"];
    if (const auto expressions = from->find("expressions"))
      for (const char* kind : {"preset", "custom"})
        if (const auto group = expressions->find(kind))
          for (const auto& [name, value] : group->members())
            if (const int node = copyNode(value, name, "translation", "VEC3", 3); node >= 0)
              to["expressions"][kind][name] = {{"node", node}};
    if (const auto gaze = from->find("lookAt"))
      if (const int node = copyNode(*gaze, "lookAt", "rotation", "VEC4", 4); node >= 0) {
        to["lookAt"] = {{"node", node}};
        if (const auto offset = gaze->find("offsetFromHeadBone")) {
          const std::vector<double> metres = offset->numbers(3);
          to["lookAt"]["offsetFromHeadBone"] = metres;
        }
      }
  }

 private:
  /// The new node; -1 where the animation has no key of the old one.
  int copyNode(const JsonValue& signal, const std::string& name, const std::string& path, const char* type, int width) {
    const int node = file_.index(signal.at("node"), "nodes");
    const std::vector<JsonValue> samplers = animation_->at("samplers").elements();
    for (const JsonValue& channel : animation_->at("channels").elements()) {
      const JsonValue target = channel.at("target");
      if (file_.indexOf(target, "node", "nodes") != node || target.at("path").text() != path) continue;
      const JsonValue which = channel.at("sampler");
      const JsonValue& sampler =
          samplers[static_cast<std::size_t>(which.integerIn(0, static_cast<int>(samplers.size()) - 1))];
      const int times = file_.index(sampler.at("input"), "accessors"),
                keys = file_.index(sampler.at("output"), "accessors");
      OrderedJson& animation = json_["animations"].back();
      OrderedJson made = {{"input", arrays_.addFloats(file_.floats(times, "SCALAR"), "SCALAR", 1, true)},
                          {"output", arrays_.addFloats(file_.floats(keys, type), type, width, false)}};
      if (const auto kind = sampler.find("interpolation")) made["interpolation"] = kind->text();
      const std::size_t added = json_["nodes"].size();
      json_["nodes"].push_back({{"name", name}});
      json_["scenes"][0]["nodes"].push_back(added);
      animation["samplers"].push_back(std::move(made));
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", added}, {"path", path}}}});
      return static_cast<int>(added);
    }
    return -1;
  }

  const GltfFile& file_;
  GltfArrays& arrays_;
  OrderedJson& json_;
  std::optional<JsonValue> animation_;
};

/// Expressions of a document that came from a VRM animation, for one of the motions of that file.
void copySignals(const Document& document, GltfArrays& arrays, OrderedJson& json) {
  if (!document.source || !document.motion || !looksLikeVrma(document.source->bytes)) return;
  const OpenContext context;
  const GltfFile file(document.source->bytes, document.source->path, context);
  SignalCopy(file, document.motion->name, arrays, json).copy();
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
    copySignals(document, arrays, json);
    out.bytes = std::move(arrays).finish(std::move(json), true);
  } catch (const JsonFault& fault) {
    return Error{"", fault.place, fault.cause};
  }
  if (const std::string missing = missingBones(*rig); !missing.empty())
    out.notes.push_back("Bones that VRM requires are missing, so that other programs may refuse it: " + missing + ".");
  return out;
}

}  // namespace limber::io
