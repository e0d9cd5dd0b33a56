// SPDX-License-Identifier: MIT
// Where on a body the key points of vision programs are.
#include <algorithm>
#include <array>
#include <cctype>

#include "limber/io/gltf/vrm_rig.h"
#include "limber/io/points/key_points.h"
#include "limber/scene/point_names.h"

namespace limber::io {

namespace {

constexpr double kHeightPerHips = 1.0 / 0.53;  // height of a body / height of its hips
constexpr double kTipPerBone = 0.8;            // length of a finger's last bone / of the one before

/// A key point on a bone of VRM, offset along the T-pose's axes (x outward, y up, z ahead), in shares of body height.
struct Place {
  std::string_view name;  ///< without its side
  std::string_view bone;  ///< the same, in lower case, if it has no side
  bool isPaired = false;
  std::array<double, 3> offset = {};
  double weight = 1.0;  ///< less for soft parts, and where programs differ in the place
};

constexpr std::array kPlaces = {
    Place{"nose", "head", false, {0.0, 0.035, 0.06}, 0.5},
    Place{"head", "head"},
    Place{"head_top", "head", false, {0.0, 0.11, 0.0}, 0.5},
    Place{"neck", "neck", false, {}, 0.7},
    Place{"eye", "head", true, {0.018, 0.052, 0.05}, 0.5},
    Place{"ear", "head", true, {0.042, 0.042, 0.0}, 0.5},
    Place{"shoulder", "UpperArm", true},
    Place{"elbow", "LowerArm", true},
    Place{"wrist", "Hand", true},
    Place{"hip", "UpperLeg", true},
    Place{"knee", "LowerLeg", true},
    Place{"ankle", "Foot", true},
    Place{"heel", "Foot", true, {0.0, -0.04, -0.03}, 0.5},
    Place{"big_toe", "Toes", true, {-0.01, -0.005, 0.03}, 0.5},
    Place{"foot_index", "Toes", true, {0.0, -0.005, 0.03}, 0.5},
    Place{"small_toe", "Toes", true, {0.02, -0.005, 0.02}, 0.5},
};

double heightOf(const VrmRig& rig) { return kHeightPerHips * rig.bones.front().offset.y(); }

FigurePoint pointAt(const VrmBone& bone, const Eigen::Vector3d& inBody) {
  return {bone.link, bone.bodyFromLink.transpose() * inBody};
}

const VrmBone* boneOf(const VrmRig& rig, const std::string& name) {
  const int found = rig.find(name);
  return found < 0 ? nullptr : &rig.bones[found];
}

/// The middle between the hip joints.
std::optional<FitPoint> middleOfHips(const VrmRig& rig) {
  const VrmBone *left = boneOf(rig, "leftUpperLeg"), *right = boneOf(rig, "rightUpperLeg");
  if (!left || !right) return std::nullopt;
  return FitPoint{.point = pointAt(rig.bones.front(), 0.5 * (left->offset + right->offset)), .weight = 0.7};
}

/// A joint of a finger, or its tip on its last bone; nothing for other names.
std::optional<FitPoint> pointOfFinger(const VrmRig& rig, BodySide side, std::string_view name) {
  constexpr std::array<std::string_view, 4> kThumb = {"cmc", "mcp", "ip", "tip"},
                                            kFinger = {"mcp", "pip", "dip", "tip"};
  const std::size_t gap = std::min(name.find('_'), name.size() - 1);
  const auto digit = digitNamed(name.substr(0, gap));
  if (!digit || digit == BodyPart::Fingers) return std::nullopt;
  const std::array<std::string_view, 4>& joints = digit == BodyPart::Thumb ? kThumb : kFinger;
  const auto joint = static_cast<std::size_t>(std::ranges::find(joints, name.substr(gap + 1)) - joints.begin());
  if (joint == joints.size()) return std::nullopt;
  const bool isTip = joint == 3;
  const VrmBone* bone = boneOf(rig, vrmBones({*digit, side})[isTip ? 2 : joint]);
  if (!bone) return std::nullopt;
  const Eigen::Vector3d offset = (isTip ? kTipPerBone : 0.0) * bone->offset;
  return FitPoint{.point = pointAt(*bone, offset), .weight = 0.7};
}

std::optional<FitPoint> bodyPoint(const VrmRig& rig, std::string_view name) {
  if (name == "mid_hip" || name == "pelvis") return middleOfHips(rig);
  std::string side;
  for (const std::string each : {"left", "right"})
    if (name.starts_with(each + "_")) {
      side = each;
      name.remove_prefix(each.size() + 1);
    }
  if (!side.empty())
    if (const auto point = pointOfFinger(rig, side == "left" ? BodySide::Left : BodySide::Right, name)) return point;
  const auto found = std::ranges::find_if(
      kPlaces, [&](const Place& place) { return place.name == name && place.isPaired == !side.empty(); });
  if (found == kPlaces.end()) return std::nullopt;
  const bool isOfMiddle = std::islower(static_cast<unsigned char>(found->bone.front())) != 0;
  const VrmBone* bone = boneOf(rig, (isOfMiddle ? "" : side) + std::string(found->bone));
  if (!bone) return std::nullopt;
  const double outward = side == "right" ? -1.0 : 1.0;
  const Eigen::Vector3d offset(outward * found->offset[0], found->offset[1], found->offset[2]);
  return FitPoint{.point = pointAt(*bone, heightOf(rig) * offset), .weight = found->weight};
}

}  // namespace

std::vector<FitPoint> pointsOfKeyPoints(const IkProblem& problem, const std::vector<std::string>& names) {
  const auto isOwn = [&](const std::string& name) { return findPoint(*problem.figure, name).has_value(); };
  const auto rig = std::ranges::all_of(names, isOwn) ? std::nullopt : findVrmRig(*problem.figure);
  std::vector<FitPoint> points;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::optional<FitPoint> point = rig ? bodyPoint(*rig, names[i]) : std::nullopt;
    if (!point)
      if (const auto own = findPoint(*problem.figure, names[i])) point = FitPoint{.point = *own};
    if (!point) continue;
    point->observed = static_cast<int>(i);
    points.push_back(*point);
  }
  return points;
}

}  // namespace limber::io
