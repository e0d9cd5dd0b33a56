// SPDX-License-Identifier: MIT
#include "app/import/imported_nodes.h"

#include <assimp/commonMetaData.h>
#include <assimp/scene.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "limber/kinematics/decompositions.h"

namespace limber::app {

namespace {

constexpr std::string_view kTag = "_$AssimpFbx$_";
constexpr std::size_t kMostNodes = 100'000;   // the limit of readGltf
constexpr std::size_t kMostKeys = 2'000'000;  // of all animations; readGltf reads up to 16 million numbers
constexpr std::size_t kMostFrames = 500'000;  // added to the keys, of all nodes of an animation
constexpr double kOnFrame = 0.02;             // keys this near to a frame are on it, frames
constexpr double kRounding = 1e-6;            // assimp's numbers are floats
constexpr double kSlowestRate = 10.0, kFastestRate = 240.0, kUsualRate = 30.0;  // frames a second

Eigen::Affine3d affineOf(const aiMatrix4x4& m) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) out.matrix()(row, column) = static_cast<double>(m[row][column]);
  return out;
}

std::string textOf(const aiString& text) { return {text.data, text.length}; }

/// "Translation" of "NAME_$AssimpFbx$_Translation"; empty for a node of the file.
std::string_view partOf(const aiNode& node) {
  const std::string_view name(node.mName.data, node.mName.length);
  const std::size_t tag = name.rfind(kTag);
  return tag == std::string_view::npos ? std::string_view() : name.substr(tag + kTag.size());
}

std::string_view ownerOf(const aiNode& node) {
  const std::string_view name(node.mName.data, node.mName.length);
  return name.substr(0, std::min(name.rfind(kTag), name.size()));
}

bool isGeometric(const aiNode& node) { return partOf(node).starts_with("Geometric"); }

/// The node below in the same chain; null at its end.
const aiNode* nextInChain(const aiNode& node) {
  if (partOf(node).empty() || node.mNumChildren != 1 || node.mNumMeshes > 0) return nullptr;
  const aiNode& child = *node.mChildren[0];
  return ownerOf(child) == ownerOf(node) ? &child : nullptr;
}

/// The scale of each column; 1 within rounding.
Eigen::Vector3d columnScales(const Eigen::Matrix3d& linear) {
  Eigen::Vector3d scales = linear.colwise().norm();
  const double mean = scales.mean();
  if ((scales.array() - mean).abs().maxCoeff() <= kRounding * mean) scales.setConstant(mean);
  return scales.unaryExpr([](double s) { return std::abs(s - 1.0) <= kRounding ? 1.0 : s; });
}

/// The interpolated value of the keys of one kind; constant before the first and after the last key.
template <typename Key, typename Mix>
auto valueAt(const Key* keys, unsigned count, double ticks, const Mix& mix) {
  const Key* after = std::upper_bound(keys, keys + count, ticks, [](double t, const Key& k) { return t < k.mTime; });
  if (after == keys) return mix(keys[0].mValue, keys[0].mValue, 0.0);
  const Key& before = after[-1];
  if (after == keys + count) return mix(before.mValue, before.mValue, 0.0);
  return mix(before.mValue, after->mValue, (ticks - before.mTime) / (after->mTime - before.mTime));
}

Eigen::Vector3d mixVectors(const aiVector3D& a, const aiVector3D& b, double part) {
  const Eigen::Vector3d from = Eigen::Vector3f(a.x, a.y, a.z).cast<double>();
  return from + part * (Eigen::Vector3f(b.x, b.y, b.z).cast<double>() - from);
}

Eigen::Quaterniond mixRotations(const aiQuaternion& a, const aiQuaternion& b, double part) {
  const auto of = [](const aiQuaternion& q) {
    return Eigen::Quaternionf(q.w, q.x, q.y, q.z).cast<double>().normalized();
  };
  return of(a).slerp(part, of(b));
}

Eigen::Affine3d channelAt(const aiNodeAnim& channel, double ticks) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  if (channel.mNumPositionKeys > 0)
    out.translate(valueAt(channel.mPositionKeys, channel.mNumPositionKeys, ticks, mixVectors));
  if (channel.mNumRotationKeys > 0)
    out.rotate(valueAt(channel.mRotationKeys, channel.mNumRotationKeys, ticks, mixRotations));
  if (channel.mNumScalingKeys > 0) out.scale(valueAt(channel.mScalingKeys, channel.mNumScalingKeys, ticks, mixVectors));
  return out;
}

void collectTimes(const aiNodeAnim& channel, std::set<double>& ticks) {
  const auto collect = [&](const auto* keys, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      if (std::isfinite(keys[i].mTime)) ticks.insert(keys[i].mTime);
  };
  collect(channel.mPositionKeys, channel.mNumPositionKeys);
  collect(channel.mRotationKeys, channel.mNumRotationKeys);
  collect(channel.mScalingKeys, channel.mNumScalingKeys);
}

}  // namespace

NodeParts partsOf(const Eigen::Affine3d& map) {
  NodeParts out{.translation = map.translation()};
  Eigen::Matrix3d linear = map.linear();
  const bool isMirrored = linear.determinant() < 0.0;
  if (isMirrored) linear = -linear;
  out.scale = columnScales(linear);
  Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i)
    if (out.scale[i] > 0.0) axes.col(i) = linear.col(i).normalized();
  const Eigen::Matrix3d overlaps = axes.transpose() * axes;
  out.isSheared = std::abs(overlaps(0, 1)) + std::abs(overlaps(0, 2)) + std::abs(overlaps(1, 2)) > 10.0 * kRounding;
  const SingularValues nearest = singularValuesOf(axes);
  Eigen::Matrix3d rotation = nearest.u * nearest.v.transpose();
  if (rotation.determinant() < 0.0)  // the scale of an axis is 0, and its direction free
    rotation = nearest.u * Eigen::Vector3d(1.0, 1.0, -1.0).asDiagonal() * nearest.v.transpose();
  out.rotation = Eigen::Quaterniond(rotation).normalized();
  if (isMirrored) out.scale = -out.scale;
  return out;
}

/// The local transform of one node in an animation.
class ImportedNodes::Sampler {
 public:
  Sampler(const Source& source, const std::unordered_map<std::string, const aiNodeAnim*>& channels) {
    const auto of = [&](const aiNode& node) {
      const auto found = channels.find(textOf(node.mName));
      return found == channels.end() ? nullptr : found->second;
    };
    whole_ = of(*source.chain.back());  // assimp's channel of a node without pivots holds its pre-rotation, too
    for (const aiNode* node : source.chain)
      if (!isGeometric(*node)) parts_.push_back({affineOf(node->mTransformation), of(*node)});
    hasPivot_ = std::ranges::any_of(source.chain, [](const aiNode* node) {
      return partOf(*node).ends_with("PivotInverse") || partOf(*node) == "ScalingOffset";
    });
  }

  bool isAnimated() const {
    return whole_ || std::ranges::any_of(parts_, [](const Part& part) { return part.channel; });
  }

  Eigen::Affine3d at(double ticks) const {
    if (whole_) return channelAt(*whole_, ticks);
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    for (const Part& part : parts_) out = out * (part.channel ? channelAt(*part.channel, ticks) : part.rest);
    return out;
  }

  /// The times of the keys, ticks.
  std::set<double> times() const {
    std::set<double> ticks;
    if (whole_) collectTimes(*whole_, ticks);
    for (const Part& part : parts_)
      if (part.channel && !whole_) collectTimes(*part.channel, ticks);
    return ticks;
  }

  /// True where the node moves on arcs between keys, about a pivot.
  bool hasPivot() const { return hasPivot_ && !whole_; }

 private:
  struct Part {
    Eigen::Affine3d rest;
    const aiNodeAnim* channel;
  };
  const aiNodeAnim* whole_ = nullptr;
  std::vector<Part> parts_;
  bool hasPivot_ = false;
};

ImportedNodes::ImportedNodes(const aiScene& scene, const ImportFrame& frame) : frame_(frame) {
  aiString format;
  isFbx_ = scene.mMetaData && scene.mMetaData->Get(AI_METADATA_SOURCE_FORMAT, format) &&
           textOf(format).find("FBX") != std::string::npos;
  std::vector<std::pair<const aiNode*, int>> open = {{scene.mRootNode, -1}};  // no recursion: chains may be very long
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    add(*node, parent);
    const int place = static_cast<int>(nodes_.size()) - 1;
    const aiNode* last = sources_.back().chain.back();
    while (last->mNumChildren == 1 && isGeometric(*last->mChildren[0]) &&
           ownerOf(*last->mChildren[0]) == ownerOf(*last))
      last = last->mChildren[0];  // inverses of the geometric transform
    for (unsigned i = last->mNumChildren; i-- > 0;) open.emplace_back(last->mChildren[i], place);
  }
}

int ImportedNodes::find(const std::string& name) const {
  const auto found = byName_.find(name);
  return found == byName_.end() ? -1 : found->second;
}

void ImportedNodes::add(const aiNode& first, int parent) {
  if (nodes_.size() == kMostNodes) throw std::length_error("holds more than 100000 nodes");
  Source source{.chain = {&first}};
  while (const aiNode* next = nextInChain(*source.chain.back())) source.chain.push_back(next);
  const aiNode& last = *source.chain.back();
  ImportedNode node{.name = std::string(ownerOf(last)), .parent = parent};
  node.meshes.assign(last.mMeshes, last.mMeshes + last.mNumMeshes);
  for (const aiNode* part : source.chain) {
    Eigen::Affine3d& map = isGeometric(*part) ? node.nodeFromMesh : node.parentFromNode;
    map = map * affineOf(part->mTransformation);
  }
  for (Eigen::Affine3d* map : {&node.parentFromNode, &node.nodeFromMesh}) map->translation() *= frame_.metresPerUnit;
  if (parent < 0 && isFbx_) node.parentFromNode.setIdentity();  // assimp 5.3 and later turns it as the frame does
  if (parent < 0) node.parentFromNode = frame_.sceneFromFile * node.parentFromNode;
  if (isFbx_) {
    std::int32_t type = 0;
    source.inheritType = last.mMetaData && last.mMetaData->Get("InheritType", type) ? type : 0;
  }
  source.scale = columnScales(node.parentFromNode.linear());
  byName_.try_emplace(node.name, static_cast<int>(nodes_.size()));
  nodes_.push_back(std::move(node));
  sources_.push_back(std::move(source));
  ImportedNode& added = nodes_.back();
  added.parentFromNode = inherited(added.parentFromNode, static_cast<int>(nodes_.size()) - 1);
  sources_.back().worldFromNode =
      parent < 0 ? added.parentFromNode : sources_[parent].worldFromNode * added.parentFromNode;
}

/// The local transform that gives the world transform of FBX if the parent's scales are not inherited by the product
/// of matrices: with rotations R, r and scales S, s of parent and node, and S' = S without the parent's own scale,
///
///   RrSs  R r S s      Rrs  R r S' s      RSrs  R S r s, the product
///
/// The parent is at rest. If a scale is 0, returns `local`.
Eigen::Affine3d ImportedNodes::inherited(const Eigen::Affine3d& local, int node) const {
  const int type = sources_[node].inheritType;
  const int parent = nodes_[node].parent;
  if (parent < 0 || (type != 0 && type != 2)) return local;
  const Source& above = sources_[parent];
  const Eigen::Matrix3d world = above.worldFromNode.linear();
  const Eigen::Vector3d worldScale = columnScales(world), scale = columnScales(local.linear());
  if (worldScale == Eigen::Vector3d::Ones() && above.scale == Eigen::Vector3d::Ones()) return local;
  if (!(worldScale.minCoeff() > 0.0 && scale.minCoeff() > 0.0 && above.scale.minCoeff() > 0.0) ||
      std::abs(world.determinant()) < 1e-9 * worldScale.prod())
    return local;
  const Eigen::Matrix3d parentRotation = world * worldScale.cwiseInverse().asDiagonal();
  Eigen::Matrix3d inheritedScale = parentRotation.inverse() * world;
  if (type == 2) inheritedScale = inheritedScale * above.scale.cwiseInverse().asDiagonal();
  Eigen::Affine3d out = local;
  out.linear() = world.inverse() * parentRotation * local.linear() * scale.cwiseInverse().asDiagonal() *
                 inheritedScale * scale.asDiagonal();
  return out;
}

/// Adds a key for each frame between the first and the last key. They show the file's frame rate, and a node that moves
/// on arcs needs them. If most keys are on frames, the others are removed: assimp adds keys before the end of a turn.
void ImportedNodes::addFrames(double ticksPerFrame, bool hasPivot, std::set<double>& ticks) const {
  if (ticks.size() < 2) return;
  const auto isOffFrame = [&](double t) {
    return std::abs(t / ticksPerFrame - std::round(t / ticksPerFrame)) > kOnFrame;
  };
  const double first = std::ceil(*ticks.begin() / ticksPerFrame - kOnFrame);
  const double last = std::floor(*ticks.rbegin() / ticksPerFrame + kOnFrame);
  if (!(last - first < static_cast<double>(kMostFrames / nodes_.size()))) return;
  const auto offFrame = static_cast<std::size_t>(std::count_if(ticks.begin(), ticks.end(), isOffFrame));
  const bool isOnFrames = 2 * offFrame < ticks.size() && !isOffFrame(*ticks.begin()) && !isOffFrame(*ticks.rbegin());
  if (isOnFrames) std::erase_if(ticks, isOffFrame);
  else if (!hasPivot) return;
  for (double frame = first; frame <= last; frame += 1.0) {
    const auto next = ticks.lower_bound((frame - kOnFrame) * ticksPerFrame);
    if (next == ticks.end() || *next > (frame + kOnFrame) * ticksPerFrame) ticks.insert(next, frame * ticksPerFrame);
  }
}

std::vector<ImportedKeys> ImportedNodes::keysOf(const aiAnimation& animation) {
  const double perSecond = animation.mTicksPerSecond > 0.0 ? animation.mTicksPerSecond : 25.0;
  const bool isRate = perSecond >= kSlowestRate && perSecond <= kFastestRate;
  const double ticksPerFrame = isRate ? 1.0 : perSecond / kUsualRate;
  std::unordered_map<std::string, const aiNodeAnim*> channels;
  for (unsigned i = 0; i < animation.mNumChannels; ++i)
    channels.try_emplace(textOf(animation.mChannels[i]->mNodeName), animation.mChannels[i]);
  std::vector<ImportedKeys> all;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Sampler sampler(sources_[i], channels);
    if (!sampler.isAnimated() || find(nodes_[i].name) != static_cast<int>(i)) continue;
    ImportedKeys keys{.node = static_cast<int>(i)};
    std::set<double> times = sampler.times();
    if (times.empty()) continue;
    addFrames(ticksPerFrame, sampler.hasPivot(), times);
    keyCount_ += times.size();
    if (keyCount_ > kMostKeys) throw std::length_error("holds more than 2000000 keys of animation");
    for (const double ticks : times) {
      Eigen::Affine3d local = sampler.at(ticks);
      local.translation() *= frame_.metresPerUnit;
      if (nodes_[i].parent < 0) local = frame_.sceneFromFile * local;
      keys.times.push_back(ticks / perSecond);
      keys.parts.push_back(partsOf(inherited(local, static_cast<int>(i))));
    }
    all.push_back(std::move(keys));
  }
  return all;
}

}  // namespace limber::app
