// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_parts.h"
#include "limber/io/gltf/vrm_rig.h"

namespace limber::io {

namespace {

void addBone(const GltfFile& file, const JsonValue& node, const std::string& bone, VrmHumanoid& out) {
  if (!out.boneOf.emplace(file.index(node, "nodes"), bone).second) node.fail("is two bones at once");
}

/// humanBones of VRM 1 and of animations.
void addBones(const GltfFile& file, const JsonValue& vrm, VrmHumanoid& out) {
  if (const auto humanoid = vrm.find("humanoid"))
    for (const auto& [bone, value] : humanoid->at("humanBones").members()) addBone(file, value.at("node"), bone, out);
}

void addSignals(const GltfFile& file, const JsonValue& animation, VrmHumanoid& out) {
  const auto add = [&](const JsonValue& value) { out.signals.insert(file.index(value.at("node"), "nodes")); };
  if (const auto gaze = animation.find("lookAt")) add(*gaze);
  if (const auto expressions = animation.find("expressions"))
    for (const char* kind : {"preset", "custom"})
      if (const auto group = expressions->find(kind))
        for (const auto& [name, value] : group->members()) add(value);
}

}  // namespace

VrmHumanoid readVrmHumanoid(const GltfFile& file) {
  VrmHumanoid out;
  if (const auto vrm = extension(file.root(), "VRMC_vrm")) {
    out.version = 1;
    addBones(file, *vrm, out);
  } else if (const auto animation = extension(file.root(), "VRMC_vrm_animation")) {
    addBones(file, *animation, out);
    addSignals(file, *animation, out);
  } else if (const auto old = extension(file.root(), "VRM")) {
    out.version = 0;
    const auto humanoid = old->find("humanoid");
    const auto bones = humanoid ? humanoid->find("humanBones") : std::nullopt;
    if (bones)
      for (const JsonValue& value : bones->elements())
        addBone(file, value.at("node"), renamedThumb(value.at("bone").text(), 0), out);
  }
  return out;
}

}  // namespace limber::io
