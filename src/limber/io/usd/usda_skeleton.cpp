// SPDX-License-Identifier: MIT
// Links are rigid: the scales of a skeleton's rest transforms remain in its lengths. With L the linear map of the joint
// above at rest, with its scales, A the rotation in it, and the joint's transform (T, R) below it:
//
//   place of the joint in the link above  metres * A^T L T        rotation of the joint  Rrest^T R
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/usd/usda.h"
#include "limber/io/usd/usda_prims.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/scene/motion.h"

namespace limber::io {

namespace {

constexpr std::size_t kMostUsdaJoints = 20'000;
constexpr int kMostUsdaFrames = 1'000'000;
constexpr double kUsdaMoves = 1e-6;  // metres

class UsdaSkeletonReader {
 public:
  UsdaSkeletonReader(const UsdaScene& scene, int skeleton, const std::filesystem::path& path)
      : scene_(scene), index_(skeleton), prim_(scene.prims()[skeleton]), path_(path) {}

  Result<FigureSource> read() {
    readJoints();
    readRest();
    findAnimations();
    FigureSource out;
    std::string error;
    out.figure = makeFigure(error);
    if (!out.figure) return Error{path_.string(), "line " + std::to_string(prim_.line), error};
    for (const int animation : animations_) out.clips.push_back(makeMotion(*out.figure, animation));
    if (!out.clips.empty()) out.motion = out.clips.front();
    if (out.clips.size() == 1) out.clips.clear();
    out.notes = std::move(notes_);
    return out;
  }

 private:
  [[noreturn]] void fail(const UsdaProperty& property, const std::string& cause) const {
    throw Fault{"line " + std::to_string(property.line), cause};
  }

  void readJoints() {
    const UsdaProperty* joints = prim_.find("joints");
    if (!joints || joints->value.texts.empty())
      throw Fault{"line " + std::to_string(prim_.line), "the skeleton has no joints"};
    if (joints->value.texts.size() > kMostUsdaJoints) fail(*joints, "there are more than 20000 joints");
    for (const std::string& path : joints->value.texts) {
      int parent = -1;
      for (std::string above = path; parent < 0 && above.find('/') != std::string::npos;) {
        above.resize(above.rfind('/'));
        if (const auto found = jointIndex_.find(above); found != jointIndex_.end()) parent = found->second;
      }
      if (!jointIndex_.emplace(path, static_cast<int>(parents_.size())).second)
        fail(*joints, "there are two joints " + inQuotes(path));
      parents_.push_back(parent);
      names_.push_back(path.substr(path.rfind('/') + 1));
      if (names_.back().empty()) names_.back() = "joint" + std::to_string(names_.size());
    }
    makeUnique(names_);
  }

  /// Rest transforms, in the joint above; else bind transforms, in the skeleton.
  void readRest() {
    const std::size_t count = names_.size();
    const UsdaProperty* rest = prim_.find("restTransforms");
    const bool isBind = !rest || rest->value.numbers.empty();
    if (isBind) rest = prim_.find("bindTransforms");
    if (!rest || rest->value.numbers.size() != 16 * count)
      throw Fault{"line " + std::to_string(rest ? rest->line : prim_.line),
                  "the skeleton needs restTransforms or bindTransforms, one for each of its " + std::to_string(count) +
                      " joints"};
    const Eigen::Affine3d worldFromSkeleton = scene_.worldFromPrim(index_);
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Affine3d own = usdaMatrix(&rest->value.numbers[16 * i]);
      const Eigen::Affine3d above = parents_[i] < 0 ? worldFromSkeleton : worldFromJoint_[parents_[i]];
      worldFromJoint_.push_back(isBind ? worldFromSkeleton * own : above * own);
      const Eigen::Matrix4d& placed = worldFromJoint_.back().matrix();
      if (!(placed.cwiseAbs().maxCoeff() < 1e9) || std::abs(placed.determinant()) < 1e-12)
        fail(*rest, "joint " + inQuotes(names_[i]) + " has a transform that is not finite, or flattens");
      aboveFromJoint_.push_back(isBind ? above.inverse() * worldFromJoint_.back() : own);
      rotation_.push_back(rotationOf(worldFromJoint_.back().linear()));
    }
  }

  /// The map of lengths in the joint above to metres in its link.
  Eigen::Matrix3d metresAbove(std::size_t joint) const {
    const double metres = scene_.frame().metresPerUnit;
    if (parents_[joint] < 0) return metres * scene_.frame().sceneFromFile * scene_.worldFromPrim(index_).linear();
    return metres * rotation_[parents_[joint]].transpose() * worldFromJoint_[parents_[joint]].linear();
  }
  /// The rotation of the joint at rest in the link above.
  Eigen::Matrix3d restRotation(std::size_t joint) const {
    if (parents_[joint] < 0) return scene_.frame().sceneFromFile * rotation_[joint];
    return rotation_[parents_[joint]].transpose() * rotation_[joint];
  }

  /// Those whose joints are among the skeleton's; its own animation is the first.
  void findAnimations() {
    const int own = scene_.target(prim_, "skel:animationSource");
    for (int i = 0; i < static_cast<int>(scene_.prims().size()); ++i) {
      const UsdaPrim& prim = scene_.prims()[i];
      if (prim.type != "SkelAnimation") continue;
      const UsdaProperty* joints = prim.find("joints");
      const bool fits = joints && !joints->value.texts.empty() &&
                        std::ranges::all_of(joints->value.texts,
                                            [&](const std::string& joint) { return jointIndex_.contains(joint); });
      if (!fits) notes_.push_back("The animation " + inQuotes(prim.name) + " is of other joints, and left out.");
      else animations_.insert(i == own ? animations_.begin() : animations_.end(), i);
    }
    isShifted_.assign(names_.size(), 0);
    for (const int animation : animations_) findShifts(scene_.prims()[animation]);
  }

  const std::vector<std::string>& jointsOf(const UsdaPrim& animation) const {
    return animation.find("joints")->value.texts;
  }

  /// Calls visit(time, value) for the samples of a property, else for its value at the time 0.
  template <typename Visit>
  void visitSamples(const UsdaPrim& animation, const char* name, std::size_t width, const Visit& visit) const {
    const UsdaProperty* property = animation.find(name);
    if (!property) return;
    const std::size_t wanted = width * jointsOf(animation).size();
    const auto take = [&](double time, const UsdaValue& value) {
      if (value.numbers.empty()) return;
      if (value.numbers.size() != wanted)
        fail(*property, std::string(name) + " has " + countInWords(value.numbers.size(), "number") + ", not " +
                            std::to_string(wanted));
      for (const double number : value.numbers)
        if (!(std::abs(number) < 1e9)) fail(*property, std::string(name) + " has a number that is not finite");
      visit(time, value.numbers);
    };
    if (property->samples.empty()) take(0.0, property->value);
    for (const auto& [time, value] : property->samples) take(time, value);
  }

  void findShifts(const UsdaPrim& animation) {
    visitSamples(animation, "translations", 3, [&](double, const std::vector<double>& numbers) {
      for (std::size_t i = 0; i < jointsOf(animation).size(); ++i) {
        const auto joint = static_cast<std::size_t>(jointIndex_.at(jointsOf(animation)[i]));
        if (shiftOf(joint, &numbers[3 * i]).norm() > kUsdaMoves) isShifted_[joint] = 1;
      }
    });
  }

  /// The translation of the joint of the figure, metres.
  Eigen::Vector3d shiftOf(std::size_t joint, const double* translation) const {
    return restRotation(joint).transpose() * metresAbove(joint) *
           (Eigen::Vector3d(translation) - aboveFromJoint_[joint].translation());
  }

  std::shared_ptr<const Figure> makeFigure(std::string& error) const {
    FigureBuilder builder(asUtf8(prim_.name));
    builder.setFileFrame(scene_.frame());
    std::vector<char> isAbove(names_.size(), 0);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const int parent = parents_[i];
      if (parent >= 0) isAbove[parent] = 1;
      Joint joint{.name = names_[i], .type = isShifted_[i] || parent < 0 ? JointType::Free : JointType::Ball};
      joint.parentFromJoint.rotation = restRotation(i);
      joint.parentFromJoint.translation = metresAbove(i) * aboveFromJoint_[i].translation();
      if (parent < 0) joint.parentFromJoint.translation = scene_.frame().toScene(worldFromJoint_[i].translation());
      joint.locked = parent < 0;
      joint.translationLocked = parent >= 0 && joint.type == JointType::Free;
      builder.addLink({.name = names_[i], .parent = parent}, std::move(joint));
    }
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (!isAbove[i]) builder.addSite({names_[i] + "_end", static_cast<int>(i), {}});
    return builder.build(error);
  }

  std::shared_ptr<const Motion> makeMotion(const Figure& figure, int index) const {
    const UsdaPrim& animation = scene_.prims()[index];
    const double rate = scene_.timeCodesPerSecond();
    double first = 1e9, last = -1e9;
    for (const char* name : {"translations", "rotations"})
      if (const UsdaProperty* property = animation.find(name); property && !property->samples.empty()) {
        first = std::min(first, property->samples.front().first);
        last = std::max(last, property->samples.back().first);
      }
    if (last < first) first = last = 0.0;
    if (last - first > kMostUsdaFrames)
      throw Fault{"line " + std::to_string(animation.line), "the animation has more than 1000000 frames"};
    auto motion = std::make_shared<Motion>();
    motion->name = asUtf8(animation.name);
    motion->frameTime = 1.0 / rate;
    motion->frameCount = 1 + static_cast<int>(std::lround(last - first));
    const std::vector<std::string>& joints = jointsOf(animation);
    std::vector<Track> turns(joints.size()), shifts(joints.size());
    visitSamples(animation, "rotations", 4, [&](double time, const std::vector<double>& numbers) {
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto joint = static_cast<std::size_t>(jointIndex_.at(joints[i]));
        const Eigen::Matrix3d rest = rotationOf(aboveFromJoint_[joint].linear());
        const Eigen::Quaterniond turn(
            Eigen::Matrix3d(rest.transpose() * usdaQuaternion(&numbers[4 * i]).toRotationMatrix()));
        addKey((time - first) / rate, turn.coeffs(), turns[i]);
      }
    });
    visitSamples(animation, "translations", 3, [&](double time, const std::vector<double>& numbers) {
      for (std::size_t i = 0; i < joints.size(); ++i)
        addKey((time - first) / rate, shiftOf(static_cast<std::size_t>(jointIndex_.at(joints[i])), &numbers[3 * i]),
               shifts[i]);
    });
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const int joint = jointIndex_.at(joints[i]);
      for (Track* track : {&turns[i], &shifts[i]}) {
        track->joint = joint;
        track->isRotation = track == &turns[i];
        const bool isUsed = track->isRotation || figure.joint(joint).type == JointType::Free;
        if (isUsed && !track->times.empty()) motion->tracks.push_back(std::move(*track));
      }
    }
    return motion;
  }

  template <typename Vector>
  static void addKey(double time, const Vector& value, Track& track) {
    track.times.push_back(time);
    track.values.insert(track.values.end(), value.begin(), value.end());
  }

  const UsdaScene& scene_;
  const int index_;
  const UsdaPrim& prim_;
  const std::filesystem::path& path_;
  std::vector<std::string> names_;
  std::vector<int> parents_;
  std::unordered_map<std::string, int> jointIndex_;  ///< by its path
  std::vector<Eigen::Affine3d> worldFromJoint_, aboveFromJoint_;
  std::vector<Eigen::Matrix3d> rotation_;  ///< of the link in the file's axes
  std::vector<int> animations_;
  std::vector<char> isShifted_;
  std::vector<std::string> notes_;
};

}  // namespace

Result<FigureSource> readUsdaSkeleton(const UsdaScene& scene, int skeleton, const std::filesystem::path& path) {
  return UsdaSkeletonReader(scene, skeleton, path).read();
}

}  // namespace limber::io
