// SPDX-License-Identifier: MIT
#include "limber/io/gltf/vrm_rig.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "limber/body/body_map.h"

namespace limber::io {

namespace {

constexpr double kLowestHips = 0.5;  // of the length of a leg: lower hips are at the origin, not at their height

using BoneParent = std::pair<std::string, std::string>;

/// Bones with their parents; a parent comes before its children.
std::vector<BoneParent> makeBoneTree() {
  std::vector<BoneParent> tree;
  const auto add = [&](BodyPart part, BodySide side) {
    const BodyPart carrier = partAbove(part);
    std::string above;
    if (part != BodyPart::Hips) above = vrmBones({carrier, isPaired(carrier) ? side : BodySide::Middle}).back();
    for (const std::string& bone : vrmBones({part, side})) above = tree.emplace_back(bone, above).first;
  };
  int part = 0;
  for (; !isPaired(static_cast<BodyPart>(part)); ++part) add(static_cast<BodyPart>(part), BodySide::Middle);
  tree.emplace_back("jaw", "head");
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (int i = part; i < kBodyPartCount; ++i) add(static_cast<BodyPart>(i), side);
  return tree;
}

const std::vector<BoneParent>& boneTree() {
  static const std::vector<BoneParent> tree = makeBoneTree();
  return tree;
}

/// The link of a bone, and its rotation in the T-pose.
struct BoneLink {
  int link = -1;
  Eigen::Matrix3d bodyFromLink;
};
using BoneLinks = std::map<std::string, BoneLink>;

/// The nearest ancestor of a bone that the figure has; empty for none.
std::string boneAbove(const BoneLinks& links, std::string bone) {
  do {
    const auto found = std::ranges::find(boneTree(), bone, &BoneParent::first);
    bone = found->second;
  } while (!bone.empty() && !links.contains(bone));
  return bone;
}

/// The bones of a figure, with their offsets from its rest pose.
std::optional<VrmRig> makeRig(const Figure& figure, const Kinematics& rest, const BoneLinks& links,
                              const Eigen::Matrix3d& worldFromBody) {
  if (!links.contains("hips")) return std::nullopt;
  VrmRig rig{.worldFromBody = worldFromBody};
  for (const auto& [name, above] : boneTree()) {
    const auto found = links.find(name);
    if (found == links.end()) continue;
    const auto& [link, bodyFromLink] = found->second;
    VrmBone bone{name, link, rig.find(boneAbove(links, name)), bodyFromLink, {}};
    const Eigen::Vector3d& place = rest.worldFromLink[link].translation;
    bone.offset = worldFromBody.transpose() * place;
    if (bone.parent >= 0) {
      const VrmBone& parent = rig.bones[bone.parent];
      const Transform& worldFromParent = rest.worldFromLink[parent.link];
      const bool isCarried = figure.isAncestorOrSelf(parent.link, link);
      const Eigen::Matrix3d bodyFromWorld =
          isCarried ? Eigen::Matrix3d(parent.bodyFromLink * worldFromParent.rotation.transpose())
                    : Eigen::Matrix3d(worldFromBody.transpose());
      bone.offset = bodyFromWorld * (place - worldFromParent.translation);
    }
    rig.bones.push_back(std::move(bone));
  }
  return rig;
}

// ---- Avatars, whose file names the bones

int linkOfBone(const Figure& figure, const std::string& bone) {
  const auto found = std::ranges::find(figure.links(), bone, &Link::bone);
  return found == figure.links().end() ? -1 : static_cast<int>(found - figure.links().begin());
}

/// The axes of an avatar's body: it faces z or -z, depending on the side of its left limbs.
Eigen::Matrix3d bodyOfAvatar(const Figure& figure, const Kinematics& rest) {
  for (const std::string limb : {"UpperLeg", "UpperArm", "Hand"}) {
    const int left = linkOfBone(figure, "left" + limb), right = linkOfBone(figure, "right" + limb);
    if (left < 0 || right < 0) continue;
    if (rest.worldFromLink[left].translation.x() >= rest.worldFromLink[right].translation.x()) break;
    return Eigen::Vector3d(-1.0, 1.0, -1.0).asDiagonal();
  }
  return Eigen::Matrix3d::Identity();
}

std::optional<VrmRig> rigOfAvatar(const Figure& figure) {
  const Kinematics& rest = bodyMapOf(figure).rest();
  const Eigen::Matrix3d worldFromBody = bodyOfAvatar(figure, rest);
  BoneLinks links;
  for (const auto& [bone, above] : boneTree())
    if (const int link = linkOfBone(figure, bone); link >= 0)
      links[bone] = {link, worldFromBody.transpose() * rest.worldFromLink[link].rotation};
  return makeRig(figure, rest, links, worldFromBody);
}

// ---- Other figures, by their parts

Eigen::Matrix3d bodyFromLinkOf(const PoseParts& parts, BodyPlace place, int link) {
  if (!isDigit(place.part)) return parts.linkFromStraight[link].transpose();
  const HandParts& hand = parts.hands.at(place.side);
  return parts.linkFromStraight[hand.palm].transpose() * hand.palmFromHand * parts.linkFromStraight[link].transpose();
}

std::optional<VrmRig> rigOfParts(const Figure& figure) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  if (!parts.hasBody) return std::nullopt;
  BoneLinks links;
  for (const auto& [place, row] : parts.links) {
    const std::vector<std::string> bones =
        place.part == BodyPart::Spine ? std::vector<std::string>{"spine", "chest", "upperChest"} : vrmBones(place);
    // More links than bones are divided evenly, and each bone takes the last link of its share.
    for (std::size_t i = 0; i < std::min(bones.size(), row.size()); ++i) {
      const std::size_t at =
          row.size() <= bones.size() ? i : ((i + 1) * row.size() + bones.size() - 1) / bones.size() - 1;
      links[bones[i]] = {row[at], bodyFromLinkOf(parts, place, row[at])};
    }
  }
  return makeRig(figure, bodyMapOf(figure).rest(), links, parts.worldFromBody);
}

/// The length of a leg's bones from the hips to the foot; 1 without.
double lengthOfLeg(const VrmRig& rig) {
  double length = 0.0;
  for (int bone = rig.find("leftFoot"); bone > 0; bone = rig.bones[bone].parent)
    length += rig.bones[bone].offset.norm();
  return length > 0.0 ? length : 1.0;
}

/// The unit of the hips' shift: their height in the T-pose, or the length of a leg where the file has them at the
/// origin.
double heightOfHips(const VrmRig& rig) {
  const double height = rig.bones.front().offset.y(), leg = lengthOfLeg(rig);
  return height > kLowestHips * leg ? height : leg;
}

}  // namespace

std::vector<std::string> vrmBones(BodyPlace place) {
  std::string bone(boneName(place.part));
  if (bone.empty()) return {};
  if (place.side != BodySide::Middle) {
    bone[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(bone[0])));
    bone.insert(0, place.side == BodySide::Left ? "left" : "right");
  }
  if (!isDigit(place.part)) return {bone};
  if (place.part == BodyPart::Thumb) return {bone + "Metacarpal", bone + "Proximal", bone + "Distal"};
  return {bone + "Proximal", bone + "Intermediate", bone + "Distal"};
}

std::string renamedThumb(const std::string& bone, std::size_t from) {
  constexpr std::array<std::array<std::string_view, 2>, 2> kThumbs = {
      {{"ThumbProximal", "ThumbMetacarpal"}, {"ThumbIntermediate", "ThumbProximal"}}};
  for (const auto& names : kThumbs)
    if (bone.ends_with(names[from])) return bone.substr(0, bone.size() - names[from].size()).append(names[1 - from]);
  return bone;
}

int VrmRig::find(const std::string& name) const {
  const auto found = std::ranges::find(bones, name, &VrmBone::name);
  return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
}

bool namesVrmBones(const Figure& figure) {
  return linkOfBone(figure, "hips") >= 0 || (!figure.namesBones() && bodyMapOf(figure).isPerson());
}

std::optional<VrmRig> findVrmRig(const Figure& figure) {
  return figure.namesBones() ? rigOfAvatar(figure) : rigOfParts(figure);
}

std::map<std::string, Eigen::Matrix3d> bodyRotations(const std::map<std::string, Eigen::Matrix3d>& againstParents) {
  std::map<std::string, Eigen::Matrix3d> rotations;
  for (const auto& [name, above] : boneTree()) {
    const auto told = againstParents.find(name);
    const Eigen::Matrix3d parent = above.empty() ? Eigen::Matrix3d::Identity() : rotations.at(above);
    rotations[name] = told == againstParents.end() ? parent : Eigen::Matrix3d(parent * told->second);
  }
  return rotations;
}

std::vector<Eigen::Matrix3d> boneRotations(const VrmRig& rig, const Kinematics& kinematics) {
  std::vector<Eigen::Matrix3d> out;
  for (const VrmBone& bone : rig.bones)
    out.push_back(rig.worldFromBody.transpose() * kinematics.worldFromLink[bone.link].rotation *
                  bone.bodyFromLink.transpose());
  return out;
}

VrmPose vrmPoseOf(const Figure& figure, const VrmRig& rig, const Pose& pose) {
  const Kinematics now = transformsOf(figure, pose);
  const std::vector<Eigen::Matrix3d> rotations = boneRotations(rig, now);
  VrmPose out;
  for (std::size_t i = 0; i < rig.bones.size(); ++i) out.rotations[rig.bones[i].name] = rotations[i];
  const VrmBone& hips = rig.bones.front();
  const Eigen::Vector3d place = rig.worldFromBody.transpose() * now.worldFromLink[hips.link].translation;
  out.shift = (place - hips.offset) / heightOfHips(rig);
  return out;
}

Pose poseOfAvatar(const IkProblem& problem, const VrmRig& rig, const VrmPose& wanted) {
  const Figure& figure = *problem.figure;
  std::vector<int> boneOf(figure.linkCount(), -1);
  for (std::size_t i = 0; i < rig.bones.size(); ++i) boneOf[rig.bones[i].link] = static_cast<int>(i);
  Pose pose = restPose(figure);
  const Kinematics rest = transformsOf(figure, pose);
  std::vector<Eigen::Matrix3d> worldFromLink, turns(rig.bones.size(), Eigen::Matrix3d::Identity());
  for (std::size_t i = 0; i < rig.bones.size(); ++i) {
    const VrmBone& bone = rig.bones[i];
    const auto told = wanted.rotations.find(bone.name);
    if (told != wanted.rotations.end()) turns[i] = told->second;
    else if (bone.parent >= 0) turns[i] = turns[bone.parent];
  }
  for (int link = 0; link < figure.linkCount(); ++link) {
    const int parent = figure.link(link).parent;
    const Eigen::Matrix3d above = parent < 0 ? Eigen::Matrix3d::Identity() : worldFromLink[parent];
    worldFromLink.push_back(above * rest.parentFromLink[link].rotation);
    if (boneOf[link] < 0 || !hasRotation(figure.joint(link))) continue;
    worldFromLink[link] = rig.worldFromBody * turns[boneOf[link]] * rig.bones[boneOf[link]].bodyFromLink;
    const Eigen::Matrix3d worldFromJoint = above * figure.joint(link).parentFromJoint.rotation;
    setJointRotation(figure, link, Eigen::Quaterniond(worldFromJoint.transpose() * worldFromLink[link]).normalized(),
                     pose);
  }
  const VrmBone& hips = rig.bones.front();
  if (const int root = freeLinkFor(problem, hips.link); root >= 0) {
    const Kinematics now = transformsOf(figure, pose);
    const Eigen::Vector3d place = rig.worldFromBody * (hips.offset + heightOfHips(rig) * wanted.shift);
    pose.coordinates.segment<3>(figure.joint(root).poseIndex) +=
        worldFromJoint(figure, now, root).rotation.transpose() * (place - now.worldFromLink[hips.link].translation);
  }
  return pose;
}

}  // namespace limber::io
