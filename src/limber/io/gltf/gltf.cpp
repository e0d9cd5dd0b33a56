// SPDX-License-Identifier: MIT
// The JSON is read without a glTF library, so that errors name the JSON path, indices and sizes are checked before use,
// and the export can patch the same document without loss.
#include "limber/io/gltf/gltf.h"

#include <cmath>
#include <optional>
#include <set>

#include "limber/io/base/text.h"
#include "limber/io/end_effectors.h"
#include "limber/io/gltf/gltf_parts.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

namespace {

constexpr double kTallest = 20.0, kSmallest = 0.02;               // metres; outside this range another unit is assumed
constexpr double kLeastMarkedUnit = 1e-9, kMostMarkedUnit = 1e9;  // metres

/// The nodes that become links and joints.
struct Model {
  bool isMarked() const {
    return std::ranges::any_of(nodes.nodes, [](const GltfNode& node) { return node.markedType.has_value(); });
  }

  GltfNodes nodes;
  std::vector<std::vector<int>> skinJoints;
  VrmHumanoid vrm;
  std::vector<GltfClip> clips;
  std::vector<char> isTurned;   ///< by node: the joint is a ball
  std::vector<char> isShifted;  ///< by node: an animation translates it, the joint is free
  std::vector<char> isKept;     ///< by node: becomes a link
  std::vector<int> linkOfNode;  ///< -1 for none
  std::vector<int> nodeOfLink;
};

/// True for joints that are read back as ball joints, because a glTF node can turn about any axis.
bool hasTurn(JointType type) { return type != JointType::Fixed && type != JointType::Prismatic; }

void chooseNodes(const GltfFile& file, Model& model) {
  GltfNodes& nodes = model.nodes;
  model.isTurned.assign(nodes.nodes.size(), 0);
  model.isKept.assign(nodes.nodes.size(), 0);
  for (const auto& joints : model.skinJoints)
    for (const int node : joints) model.isTurned[node] = 1;
  for (const auto& [node, bone] : model.vrm.boneOf) model.isTurned[node] = 1;
  model.isShifted.assign(nodes.nodes.size(), 0);
  for (const GltfClip& clip : model.clips)
    for (const GltfChannel& channel : clip.channels) {
      model.isTurned[channel.node] = 1;
      if (!channel.keys.isRotation) model.isShifted[channel.node] = 1;
    }
  for (int i = 0; i < nodes.size(); ++i)
    if (nodes[i].markedType && hasTurn(*nodes[i].markedType)) model.isTurned[i] = 1;
  model.isKept = model.isTurned;
  const bool isMarked = model.isMarked(), hasBones = isMarked || std::ranges::count(model.isTurned, 1) > 0;
  bool hasMesh = false;
  for (int i = 0; i < nodes.size(); ++i) {
    const bool carriesMesh = nodes[i].isInScene && nodes[i].mesh >= 0 && nodes[i].skin < 0;
    if (carriesMesh || nodes[i].markedType) model.isKept[i] = 1;
    if (carriesMesh && !hasBones) model.isTurned[i] = 1;  // parts of a machine, each of which can be posed
    hasMesh = hasMesh || (nodes[i].isInScene && nodes[i].mesh >= 0);
  }
  if (!hasMesh && !isMarked && model.skinJoints.empty() && model.vrm.boneOf.empty()) {
    file.note("The file has neither skin nor mesh: every node of its scene is a link.");
    for (int i = 0; i < nodes.size(); ++i)
      if (nodes[i].isInScene) model.isKept[i] = model.isTurned[i] = 1;
  }
  for (auto node = nodes.order.rbegin(); node != nodes.order.rend(); ++node)
    if (model.isKept[*node] && nodes[*node].parent >= 0) model.isKept[nodes[*node].parent] = 1;
  model.linkOfNode.assign(nodes.nodes.size(), -1);
  for (const int node : nodes.order)
    if (model.isKept[node]) {
      model.linkOfNode[node] = static_cast<int>(model.nodeOfLink.size());
      model.nodeOfLink.push_back(node);
    }
}

/// The height of the skin, or of the joints without a skin, at rest; file units.
double heightOf(const Model& model, const Skin& skin) {
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(1e300), upper = -lower;
  const auto include = [&](const Eigen::Vector3d& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  };
  for (const SkinSurface& surface : skin.surfaces)
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
      Eigen::Vector3d place = Eigen::Vector3d::Zero();
      surface.visitBones(i, [&](std::size_t b, double weight) {
        const SkinBone& bone = surface.bones[b];
        const GltfNode& node = model.nodes[model.nodeOfLink[bone.link]];
        place += weight * (node.worldFromLink * (bone.linkFromSkin * surface.positions[i]).cast<double>() +
                           node.worldFromNode.translation());
      });
      include(place);
    }
  if (skin.surfaces.empty())
    for (const int node : model.nodeOfLink) include(model.nodes[node].worldFromNode.translation());
  const Eigen::Vector3d size = upper - lower;
  return size.y() > 1e-3 * size.maxCoeff() ? size.y() : size.maxCoeff();
}

/// Metres per file unit: 1 as in the standard, or the unit that Limber wrote. In files of other programs, an
/// implausible height is brought between 0.3 m and 3 m by a power of ten.
double guessMetresPerUnit(const GltfFile& file, bool isMarked, double height) {
  const auto mark = gltfMark(file.root().at("asset"));
  const auto unit = mark ? mark->find("metres_per_unit") : std::nullopt;
  if (unit && unit->isNumber() && unit->number() >= kLeastMarkedUnit && unit->number() <= kMostMarkedUnit)
    return unit->number();
  if (isMarked || !(height > 0.0) || (height <= kTallest && height >= kSmallest)) return 1.0;
  const double metres = std::pow(10.0, std::ceil(std::log10(0.3 / height)));
  file.note("At one unit a metre the figure would be " + inShort(height, 3) + " m tall: one unit is assumed to be " +
            inShort(metres, 3) + " m.");
  return metres;
}

Joint makeJoint(const Model& model, int node, double metres) {
  const GltfNode& n = model.nodes[node];
  Joint joint{.name = n.joint};
  joint.type = model.isTurned[node] ? JointType::Ball : JointType::Fixed;
  joint.parentFromJoint.rotation = n.worldFromLink;
  joint.parentFromJoint.translation = metres * n.worldFromNode.translation();
  const bool isFree = n.markedType ? *n.markedType == JointType::Free : n.parent < 0;
  if (isFree || model.isShifted[node]) joint.type = JointType::Free;
  joint.locked = isFree && n.parent < 0;
  joint.translationLocked = !joint.locked && joint.type == JointType::Free;
  if (n.parent < 0) return joint;
  const GltfNode& parent = model.nodes[n.parent];
  joint.parentFromJoint.rotation = n.rotation.toRotationMatrix() * n.mirror;
  joint.parentFromJoint.translation =
      metres * parent.worldFromLink.transpose() * (n.worldFromNode.translation() - parent.worldFromNode.translation());
  return joint;
}

/// The end effectors of an avatar: hands, feet and head.
void addHumanoidSites(const Model& model, double metres, FigureBuilder& builder) {
  std::map<std::string, int> nodeOf;
  for (const auto& [node, bone] : model.vrm.boneOf) nodeOf.emplace(bone, node);
  const auto place = [&](const std::string& bone, const std::string& towards, double share, const std::string& name) {
    const auto link = nodeOf.find(bone), end = nodeOf.find(towards);
    if (link == nodeOf.end()) return;
    const GltfNode& node = model.nodes[link->second];
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    if (end != nodeOf.end())
      offset = share * metres * node.worldFromLink.transpose() *
               (model.nodes[end->second].worldFromNode.translation() - node.worldFromNode.translation());
    builder.addSite({name, model.linkOfNode[link->second], Transform::fromTranslation(offset)});
  };
  for (const std::string side : {"left", "right"}) {
    place(side + "Hand", side + "MiddleProximal", 0.7, side + "_hand");
    place(side + "Foot", side + "Toes", 1.0, side + "_foot");
  }
  place("head", "", 0.0, "head");
}

/// By link: the farthest vertex of those with more than half of their weight on the link; zero if there are none.
std::vector<Eigen::Vector3d> tipsOf(const Skin& skin, std::size_t linkCount) {
  std::vector<Eigen::Vector3d> tips(linkCount, Eigen::Vector3d::Zero());
  for (const SkinSurface& surface : skin.surfaces)
    for (std::size_t i = 0; i < surface.positions.size(); ++i)
      surface.visitBones(i, [&](std::size_t b, float weight) {
        const SkinBone& bone = surface.bones[b];
        const Eigen::Vector3d place = (bone.linkFromSkin * surface.positions[i]).cast<double>();
        Eigen::Vector3d& tip = tips[bone.link];
        if (weight > 0.5f && place.squaredNorm() > tip.squaredNorm()) tip = place;
      });
  return tips;
}

FigurePointer makeFigure(const GltfFile& file, const Model& model, const Skin& skin, double metres) {
  FigureBuilder builder(asUtf8(file.path().stem().string()));
  builder.setFileFrame({.metresPerUnit = metres});
  for (const int node : model.nodeOfLink) {
    const GltfNode& n = model.nodes[node];
    const int parent = n.parent < 0 ? -1 : model.linkOfNode[n.parent];
    builder.addLink({.name = n.name, .parent = parent}, makeJoint(model, node, metres));
    if (n.parent >= 0 && model.isTurned[node] && !model.nodes[n.parent].isEvenlyScaled)
      file.note(
          "Nodes are scaled unevenly above joints: the figure is exact at rest, and keeps its lengths when posed "
          "where other programs stretch it.");
  }
  for (const auto& [node, bone] : model.vrm.boneOf) builder.link(model.linkOfNode[node]).bone = bone;
  addHumanoidSites(model, metres, builder);
  const std::size_t linkCount = model.nodeOfLink.size();
  if (model.vrm.boneOf.empty()) addEndEffectors(std::vector<char>(linkCount, 0), {}, builder, tipsOf(skin, linkCount));
  std::string error;
  FigurePointer figure = builder.build(error);
  if (!figure) throw JsonFault{"", error};
  return figure;
}

/// Adds a note for each skin in which no joint is below another, as for tracked hands: it cannot be posed like a body.
void noteFlatSkins(const GltfFile& file, const Model& model) {
  constexpr std::size_t kFewest = 3;
  for (const std::vector<int>& joints : model.skinJoints) {
    std::set<int> known(joints.begin(), joints.end());
    const auto hangsOnOne = [&](int node) {
      int above = model.nodes[node].parent;
      while (above >= 0 && !known.contains(above)) above = model.nodes[above].parent;
      return above >= 0;
    };
    if (known.size() < kFewest || std::ranges::any_of(known, hangsOnOne)) continue;
    file.note("The " + std::to_string(known.size()) +
              " joints of its skin have no hierarchy: they hang side by side, "
              "so that each moves alone and none follows another.");
  }
}

void noteExtensions(const GltfFile& file, const VrmHumanoid& vrm) {
  constexpr std::string_view kKnown =
      "KHR_mesh_quantization KHR_texture_transform KHR_materials_unlit KHR_materials_pbrSpecularGlossiness "
      "KHR_draco_mesh_compression EXT_meshopt_compression EXT_texture_webp EXT_texture_avif VRM VRMC_vrm "
      "VRMC_vrm_animation";
  if (const auto required = file.root().find("extensionsRequired"))
    for (const JsonValue& name : required->elements())
      if (!isAmong(name.text(), kKnown))
        file.note("The file needs the extension " + inQuotes(name.text()) +
                  ", which is not supported: its data are left out.");
  if (vrm.version == 0) file.note("VRM 0 avatars face -z; the orientation is kept.");
}

FigureSource readModel(const GltfFile& file, std::string_view bytes) {
  const auto goesOn = [&](double part, std::string_view what) {
    if (!file.context().goesOn(part, what)) throw JsonFault{"", std::string(kCancelled)};
  };
  goesOn(0.1, "reading nodes");
  Model model{.nodes = readGltfNodes(file), .skinJoints = readGltfSkinJoints(file), .vrm = readVrmHumanoid(file)};
  model.clips = readGltfAnimations(file, model.nodes);
  chooseNodes(file, model);
  goesOn(0.3, "reading meshes");
  auto skin = std::make_shared<Skin>(readGltfSkin(file, model.nodes, model.skinJoints, model.linkOfNode));
  goesOn(0.8, "making the figure");
  const double metres = guessMetresPerUnit(file, model.isMarked(), heightOf(model, *skin));
  for (SkinSurface& surface : skin->surfaces)
    for (SkinBone& bone : surface.bones)
      bone.linkFromSkin = Eigen::Scaling(static_cast<float>(metres)) * bone.linkFromSkin;
  FigureSource out;
  out.figure = makeFigure(file, model, *skin, metres);
  if (!skin->surfaces.empty()) out.skin = std::move(skin);
  for (const GltfClip& clip : model.clips)
    out.clips.push_back(std::make_shared<Motion>(motionOf(clip, model.nodes, model.linkOfNode, metres)));
  if (!out.clips.empty()) out.motion = out.clips.front();
  if (out.clips.size() == 1) out.clips.clear();
  noteExtensions(file, model.vrm);
  noteFlatSkins(file, model);
  auto source = std::make_shared<SourceFile>();
  source->format = file.isBinary() ? SourceFormat::Glb : SourceFormat::Gltf;
  source->path = file.path();
  source->bytes = bytes;
  source->nodeOfLink = model.nodeOfLink;
  out.file = std::move(source);
  out.notes = file.takeNotes();
  out.missing.assign(file.missing().begin(), file.missing().end());
  return out;
}

}  // namespace

Result<FigureSource> readGltf(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context) {
  std::optional<GltfFile> file;
  try {
    if (!context.goesOn(0.0, "reading the file")) throw JsonFault{"", std::string(kCancelled)};
    file.emplace(bytes, path, context);
    return readModel(*file, bytes);
  } catch (const JsonFault& fault) {
    Error error{path.string(), fault.place, fault.cause};
    if (file) error.missing = file->missingBuffers();
    return error;
  }
}

}  // namespace limber::io
