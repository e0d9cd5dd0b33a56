// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "limber/io/bvh/euler_channels.h"
#include "limber/io/fbx/fbx.h"
#include "limber/io/fbx/fbx_scene.h"
#include "limber/io/fbx/fbx_skin.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::io {

namespace {

constexpr std::size_t kMostFbxBytes = (std::size_t{2} << 30) - 1;  // places in the file have 32 bits

/// Degrees about x, y and z: R = Z Y X. In: those of the frame before.
void setEuler(const Eigen::Matrix3d& rotation, Eigen::Vector3d& degrees) {
  constexpr std::array kAxes = {2, 1, 0};
  std::array<double, 3> angles = {degrees.z(), degrees.y(), degrees.x()};
  eulerAngles(rotation, kAxes, angles);
  degrees = {angles[2], angles[1], angles[0]};
}

/// The keys of a bone, one a frame: x, y and z of its rotation and of its place.
struct FbxBoneKeys {
  std::array<std::vector<float>, 3> turns, places;
};

class FbxWriter {
 public:
  explicit FbxWriter(const Document& document) : document_(document), figure_(*document.figure) {}

  Exported write() {
    const auto motions = motionsOf(document_);
    const bool moves = std::ranges::any_of(motions, [](const auto& motion) { return motion->frameCount > 1; });
    rest_ = transformsOf(figure_, restPose(figure_));
    const Kinematics shown = moves ? rest_ : transformsOf(figure_, document_.pose);
    for (int link = 0; link < figure_.linkCount(); ++link) addBone(link, shown);
    addBindPose();
    Exported out;
    if (document_.skin && !document_.skin->surfaces.empty()) addFbxSkin(*document_.skin, rest_, bones_, scene_);
    else out.notes.push_back("The figure has no skin: only its bones are written.");
    double seconds = 0.0;
    std::string first;
    for (const auto& motion : motions) {
      if (!moves || motion->frameCount == 0) continue;
      seconds = std::max(seconds, (motion->frameCount - 1) * motion->secondsPerFrame());
      std::string name = motion->name.empty() ? "motion" : motion->name;
      if (first.empty() || motion == document_.motion) first = name;
      addMotion(*motion, name);
    }
    out.bytes = scene_.file(document_.motion ? document_.motion->secondsPerFrame() : 1.0 / 30.0, seconds, first);
    return out;
  }

 private:
  void addBone(int link, const Kinematics& shown) {
    FbxId model = 0, attribute = 0;
    const std::string& name = figure_.link(link).name;
    FbxNode& node = scene_.add("Model", name, "Model", "LimbNode", model);
    Eigen::Vector3d degrees = Eigen::Vector3d::Zero();
    setEuler(shown.parentFromLink[link].rotation, degrees);
    node.child("Version", std::int32_t{232});
    FbxProperties(node)
        .integer("InheritType", 1, "enum", "")
        .vector("Lcl Translation", "Lcl Translation", kFbxUnit * shown.parentFromLink[link].translation)
        .vector("Lcl Rotation", "Lcl Rotation", degrees)
        .vector("Lcl Scaling", "Lcl Scaling", Eigen::Vector3d::Ones());
    node.child("Shading", true).child("Culling", "CullingOff");
    FbxNode& limb = scene_.add("NodeAttribute", name, "NodeAttribute", "LimbNode", attribute);
    FbxProperties(limb).number("Size", kFbxUnit * std::max(0.1 * figure_.linkLength(link), 0.005));
    limb.child("TypeFlags", "Skeleton");
    const int parent = figure_.link(link).parent;
    scene_.connect(model, parent < 0 ? 0 : bones_[parent]);
    scene_.connect(attribute, model);
    bones_.push_back(model);
  }

  void addBindPose() {
    FbxId id = 0;
    FbxNode& pose = scene_.add("Pose", "bind", "Pose", "BindPose", id);
    pose.child("Type", "BindPose").child("Version", std::int32_t{100}).child("NbPoseNodes", figure_.linkCount());
    for (int link = 0; link < figure_.linkCount(); ++link) {
      Eigen::Matrix4d place = Eigen::Matrix4d::Identity();
      place.topLeftCorner<3, 3>() = rest_.worldFromLink[link].rotation;
      place.topRightCorner<3, 1>() = kFbxUnit * rest_.worldFromLink[link].translation;
      pose.child("PoseNode").child("Node", bones_[link]).child("Matrix", place);
    }
  }

  void addMotion(const Motion& motion, const std::string& name) {
    std::vector<std::int64_t> times;
    std::vector<FbxBoneKeys> keys(static_cast<std::size_t>(figure_.linkCount()));
    std::vector<Eigen::Vector3d> degrees(keys.size(), Eigen::Vector3d::Zero());
    Kinematics now;
    for (int frame = 0; frame < motion.frameCount; ++frame) {
      times.push_back(std::llround(frame * motion.secondsPerFrame() * static_cast<double>(kFbxSecond)));
      computeTransforms(figure_, poseOfMotion(document_, motion, frame), now);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const JointType type = figure_.joint(static_cast<int>(i)).type;
        const Transform& place = now.parentFromLink[i];
        if (type != JointType::Fixed && type != JointType::Prismatic) {
          setEuler(place.rotation, degrees[i]);
          append(degrees[i], keys[i].turns);
        }
        if (type == JointType::Prismatic || type == JointType::Free)
          append(kFbxUnit * place.translation, keys[i].places);
      }
    }
    FbxId stack = 0, layer = 0;
    FbxNode& top = scene_.add("AnimationStack", name, "AnimStack", "", stack);
    FbxProperties(top).time("LocalStop", times.back()).time("ReferenceStop", times.back());
    scene_.add("AnimationLayer", "layer", "AnimLayer", "", layer);
    scene_.connect(layer, stack);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      addCurves("T", "Lcl Translation", keys[i].places, times, layer, bones_[i]);
      addCurves("R", "Lcl Rotation", keys[i].turns, times, layer, bones_[i]);
    }
  }

  static void append(const Eigen::Vector3d& numbers, std::array<std::vector<float>, 3>& keys) {
    for (int axis = 0; axis < 3; ++axis)
      keys[static_cast<std::size_t>(axis)].push_back(static_cast<float>(numbers[axis]));
  }

  void addCurves(const char* name, const char* property, const std::array<std::vector<float>, 3>& keys,
                 const std::vector<std::int64_t>& times, FbxId layer, FbxId bone) {
    if (keys[0].empty()) return;
    constexpr std::array kAxes = {"d|X", "d|Y", "d|Z"};
    FbxId id = 0;
    FbxNode& node = scene_.add("AnimationCurveNode", name, "AnimCurveNode", "", id);
    FbxProperties values(node);
    for (std::size_t axis = 0; axis < 3; ++axis)
      values.number(kAxes[axis], static_cast<double>(keys[axis].front()), "Number", "");
    scene_.connect(id, layer);
    scene_.connect(id, bone, property);
    for (std::size_t axis = 0; axis < 3; ++axis) addCurve(keys[axis], times, id, kAxes[axis]);
  }

  /// Straight lines between keys.
  void addCurve(const std::vector<float>& values, const std::vector<std::int64_t>& times, FbxId node,
                const char* axis) {
    constexpr std::int32_t kLinear = 0x4 | 0x100 | 0x2000 | 0x4000;  // with weights and velocities left automatic
    const std::array kData = {0.0f, 0.0f, std::bit_cast<float>(std::uint32_t{255'790'911}), 0.0f};
    const auto count = static_cast<std::int32_t>(values.size());
    FbxId id = 0;
    FbxNode& curve = scene_.add("AnimationCurve", "", "AnimCurve", "", id);
    curve.child("Default", static_cast<double>(values.front())).child("KeyVer", std::int32_t{4008});
    curve.child("KeyTime", std::span<const std::int64_t>(times));
    curve.child("KeyValueFloat", std::span<const float>(values));
    curve.child("KeyAttrFlags", std::span(&kLinear, 1));
    curve.child("KeyAttrDataFloat", std::span<const float>(kData));
    curve.child("KeyAttrRefCount", std::span(&count, 1));
    scene_.connect(id, node, axis);
  }

  const Document& document_;
  const Figure& figure_;
  FbxScene scene_;
  Kinematics rest_;
  std::vector<FbxId> bones_;  ///< by link
};

}  // namespace

Result<Exported> formatFbx(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  Exported out = FbxWriter(document).write();
  if (out.bytes.size() > kMostFbxBytes) return Error{"", "", "the file would be larger than 2 GiB"};
  return out;
}

}  // namespace limber::io
