// SPDX-License-Identifier: MIT
// The parts of a glTF file: nodes, the bones of an avatar, animations, materials and skins; and how a motion is
// written.
//
// Nodes are a checked forest. A node's transform is  worldFromNode = worldFromParent * T R S.  Links are rigid: a
// link's rotation is the product of the rotations R of its node and the nodes above, so that turning a node turns its
// link, whatever is scaled above. The scales remain in an affine map from node to link. The signs of a mirroring scale
// S = |S| sgn(S) are part of the rotation, with K = det(sgn S) sgn(S):
//
//   parentLinkFromLink rotation = R K,      K proper, diagonal
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/scene/document.h"

namespace limber::io {

/// What Limber writes into the extras of a node that is a link, since glTF has no joints:
///
///   "extras": {"limber": {"joint": "shoulder", "type": "revolute"}}
///
/// Other programs ignore extras or keep them. In a file with such nodes, each of them becomes a link again.
inline constexpr const char* kGltfMark = "limber";

struct GltfNode {
  std::string name;                     ///< unique; "node7" where the file has none
  std::string joint;                    ///< unique; the name of the node's joint, by default that of the node
  std::optional<JointType> markedType;  ///< of its joint, if Limber wrote the node
  int parent = -1;
  std::vector<int> children;
  bool isInScene = false;
  int mesh = -1, skin = -1;
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< R
  Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();          ///< K
  Eigen::Affine3d worldFromNode = Eigen::Affine3d::Identity();   ///< file units
  Eigen::Matrix3d worldFromLink = Eigen::Matrix3d::Identity();   ///< the link's rotation
  bool isEvenlyScaled = true;                                    ///< the node and all above it
};

struct GltfNodes {
  std::vector<GltfNode> nodes;  ///< in the file's order
  std::vector<int> order;       ///< depth first, parents before children

  const GltfNode& operator[](int i) const { return nodes[i]; }
  GltfNode& operator[](int i) { return nodes[i]; }
  int size() const { return static_cast<int>(nodes.size()); }
};

/// Limber's mark in the extras of a value; nullopt for other extras, which may be anything.
std::optional<JsonValue> gltfMark(const JsonValue& value);

/// Throws JsonFault for a node with two parents, a cycle, numbers that are not finite or beyond 1e12, and an invalid
/// rotation.
GltfNodes readGltfNodes(const GltfFile& file);

/// A node's rotation and translation, file units.
struct NodePlace {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
};

/// With the mirror K of the node, the rotation Q of its joint, and the node's rest (R, T):
///
///   R' = R K Q K        T' = T + B^-1 R K t / unit      t: translation of the joint, B = parentLinkFromParentNode or 1
///
/// This is the inverse of motionOf. t is zero except for free joints.
NodePlace placeOfNode(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int node);

/// The bones of a human body by node.
struct VrmHumanoid {
  int version = -1;                   ///< 0 or 1; -1 for VRM animations and other files
  std::map<int, std::string> boneOf;  ///< by node: the bone by its name in VRM 1, "leftUpperArm"
  std::set<int> signals;              ///< nodes of an animation whose motion encodes an expression or a gaze
};

/// Reads extensions.VRM (0.x), VRMC_vrm (1.0) or VRMC_vrm_animation. Throws JsonFault.
VrmHumanoid readVrmHumanoid(const GltfFile& file);

/// Keys of a node's rotation or translation with the file's values.
struct GltfChannel {
  int node = 0;
  Track keys;
};

struct GltfClip {
  std::string name;
  std::vector<GltfChannel> channels;
  std::optional<double> frameTime = {};  ///< seconds, if Limber wrote it into the extras: {"limber": {"frame_time": s}}
};

/// The channels of rotations and translations. Translations that stay at the node's rest are left out. Scales and morph
/// weights, expressions and gazes are left out with a note. Throws JsonFault.
std::vector<GltfClip> readGltfAnimations(const GltfFile& file, const GltfNodes& nodes);

/// The clip as a motion of a figure whose rest pose is that of the nodes and whose joint frames are those of the links:
///   rotation  K^T R^-1 R(t) K      translation  (R K)^T B (T(t) - T),   B = metres * parentLinkFromParentNode
/// where T and R are the node's rest and K is its mirror. Both maps are linear, so cubic tangents are mapped
/// in the same way. Every node of the clip must have a link.
Motion motionOf(const GltfClip& clip, const GltfNodes& nodes, const std::vector<int>& linkOfNode, double metres);

/// How the texture of a material is mapped to a surface.
struct GltfTextureUse {
  int coordinates = 0;                                   ///< TEXCOORD_n
  Eigen::Affine2f change = Eigen::Affine2f::Identity();  ///< KHR_texture_transform
};

/// Base colours and textures; the other parameters of the reflection model are left out.
struct GltfMaterials {
  std::vector<SkinMaterial> materials;  ///< in the file's order
  std::vector<GltfTextureUse> uses;     ///< one for each material
  std::vector<SkinTexture> textures;
};

/// An image that cannot be read leaves its material without a texture and adds a note. Throws JsonFault.
GltfMaterials readGltfMaterials(const GltfFile& file);

/// The nodes of each skin's joints.
std::vector<std::vector<int>> readGltfSkinJoints(const GltfFile& file);

/// All meshes of the scene, with lengths in file units; `SkinBone::linkFromSkin` refers to the links' rest pose.
/// Points, lines and primitives that cannot be decompressed are left out with a note. Throws JsonFault.
///
/// linkOfNode  the link of each node, -1 for none; joints and nodes with meshes have one
Skin readGltfSkin(const GltfFile& file, const GltfNodes& nodes, const std::vector<std::vector<int>>& skinJoints,
                  const std::vector<int>& linkOfNode);

/// Converts a .gltf to a GLB, with the bytes of its buffers and pictures in the binary chunk, or a GLB to a .gltf, with
/// the chunk in a data URI. Throws JsonFault.
///
/// json  the file's JSON, which is changed
std::string repackGltf(const GltfFile& file, OrderedJson& json);

/// The JSON to which a motion is added, and the new bytes of a buffer.
struct GltfAddition {
  OrderedJson& json;
  int buffer = 0;         ///< index of the buffer that gets the new bytes
  std::size_t start = 0;  ///< their offset in the buffer
  std::string bytes = {};
};

/// A new animation with the motion's name and its frame time.
OrderedJson markedAnimation(const Motion& motion);

/// Writes the document's motions as animations of the figure's file, into addition.json. The current one is the take
/// (scene/document.h).
///
/// A motion of the file stays in its animation, and only joints that were posed in the current frame get new keys, in
/// samplers of their own. Their linear and stepped keys are kept except within one frame of the current one; cubic keys
/// become linear keys, one per frame. Any other motion becomes a new animation with a key per frame of every joint that
/// moves.
///
/// Nothing is written for an unchanged motion of the file. Keys are floats, so that unchanged frames keep their poses
/// to 1e-6. Throws JsonFault, also for a motion too large for a file.
void writeGltfMotion(const Document& document, const GltfFile& file, const GltfNodes& nodes, GltfAddition& addition);

}  // namespace limber::io
