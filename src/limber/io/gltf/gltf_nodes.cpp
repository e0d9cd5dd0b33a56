// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_parts.h"

#include "limber/io/base/text.h"
#include "limber/io/json/figure_json.h"
#include "limber/kinematics/decompositions.h"

namespace limber::io {

namespace {

constexpr int kMaxNodes = 100'000;
constexpr double kMaxNumber = 1e12;  // of translations and positions in file units, and of scales
constexpr double kEvenScale = 1e-4;  // relative difference of scales that is ignored

const JsonValue& valueOf(const GltfFile& file, int node) { return file.list("nodes")[node]; }

Eigen::Vector3d vectorAt(const JsonValue& node, const char* key, const Eigen::Vector3d& missing) {
  const auto member = node.find(key);
  if (!member) return missing;
  const Eigen::Vector3d out = member->vector3();
  if (!(out.cwiseAbs().maxCoeff() <= kMaxNumber)) member->fail("is beyond 1e12");
  return out;
}

bool isEven(const Eigen::Vector3d& scale) {
  const Eigen::Vector3d size = scale.cwiseAbs();
  return size.maxCoeff() - size.minCoeff() <= kEvenScale * size.maxCoeff();
}

/// The nearest rotation to the matrix, or to its negative if the determinant is negative.
Eigen::Matrix3d nearestRotation(const Eigen::Matrix3d& linear, bool& isEvenlyScaled) {
  const auto [values, u, v] = singularValuesOf(linear);
  isEvenlyScaled = isEven(values);
  const Eigen::Matrix3d q = u * v.transpose();
  return q.determinant() < 0.0 ? Eigen::Matrix3d(-q) : q;
}

/// Reads "matrix", which replaces T, R and S; column-major.
Eigen::Affine3d readMatrix(const JsonValue& member, GltfNode& node) {
  const std::vector<double> numbers = member.numbers(16);
  const Eigen::Matrix4d matrix = Eigen::Matrix4d::Map(numbers.data());
  if (!(matrix.cwiseAbs().maxCoeff() <= kMaxNumber)) member.fail("holds a number beyond 1e12");
  Eigen::Affine3d local(Eigen::Matrix4d::Identity().eval());
  local.linear() = matrix.topLeftCorner<3, 3>();
  node.translation = local.translation() = matrix.topRightCorner<3, 1>();
  node.rotation = Eigen::Quaterniond(nearestRotation(local.linear(), node.isEvenlyScaled)).normalized();
  return local;
}

Eigen::Affine3d readParts(const JsonValue& value, GltfNode& node) {
  node.translation = vectorAt(value, "translation", Eigen::Vector3d::Zero());
  const Eigen::Vector3d scale = vectorAt(value, "scale", Eigen::Vector3d::Ones());
  if (const auto rotation = value.find("rotation"))
    node.rotation = Eigen::Quaterniond(rotation->quaternion().eval()).normalized();
  const Eigen::Vector3d signs = scale.unaryExpr([](double s) { return s < 0.0 ? -1.0 : 1.0; });
  node.mirror = (signs.prod() * signs).asDiagonal();
  node.isEvenlyScaled = isEven(scale);
  return Eigen::Translation3d(node.translation) * node.rotation * Eigen::Scaling(scale);
}

std::optional<std::string> markedText(const JsonValue& mark, const char* key) {
  const auto text = mark.find(key);
  return text && text->isText() ? std::optional(text->text()) : std::nullopt;
}

void nameNodes(const GltfFile& file, GltfNodes& out) {
  std::vector<std::string> names, joints;
  for (int i = 0; i < out.size(); ++i) {
    const auto name = valueOf(file, i).find("name");
    names.push_back(name && !name->text().empty() ? name->text() : "node" + std::to_string(i));
  }
  makeUnique(names);
  for (int i = 0; i < out.size(); ++i) {
    joints.push_back(out[i].name = std::move(names[i]));
    const auto mark = gltfMark(valueOf(file, i));
    if (!mark) continue;
    out[i].markedType = findJointType(markedText(*mark, "type").value_or(""));
    if (const auto joint = markedText(*mark, "joint"); joint && !joint->empty()) joints.back() = *joint;
  }
  makeUnique(joints);
  for (int i = 0; i < out.size(); ++i) out[i].joint = std::move(joints[i]);
}

void joinNodes(const GltfFile& file, GltfNodes& out) {
  for (int i = 0; i < out.size(); ++i) {
    const auto children = valueOf(file, i).find("children");
    if (!children) continue;
    for (const JsonValue& element : children->elements()) {
      const int child = file.index(element, "nodes");
      if (out[child].parent >= 0)
        element.fail("node " + std::to_string(child) + " is a child of node " + std::to_string(out[child].parent) +
                     " too");
      out[child].parent = i;
      out[i].children.push_back(child);
    }
  }
}

/// Not recursive, because a chain may have as many nodes as the file.
void orderNodes(const GltfFile& file, GltfNodes& out) {
  std::vector<int> open;
  std::vector<char> isReached(out.nodes.size(), 0);
  for (int i = out.size() - 1; i >= 0; --i)
    if (out[i].parent < 0) open.push_back(i);
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    isReached[node] = 1;
    out.order.push_back(node);
    open.insert(open.end(), out[node].children.rbegin(), out[node].children.rend());
  }
  for (int i = 0; i < out.size(); ++i)  // nodes have at most one parent, so that the others are on or below cycles
    if (!isReached[i]) valueOf(file, i).fail("is its own ancestor, or a descendant of such a node");
}

void readPlaces(const GltfFile& file, GltfNodes& out) {
  for (const int i : out.order) {
    GltfNode& node = out[i];
    const JsonValue& value = valueOf(file, i);
    const auto matrix = value.find("matrix");
    const Eigen::Affine3d local = matrix ? readMatrix(*matrix, node) : readParts(value, node);
    node.worldFromNode = local;
    node.worldFromLink = node.rotation.toRotationMatrix() * node.mirror;
    if (node.parent >= 0) {
      const GltfNode& parent = out[node.parent];
      node.worldFromNode = parent.worldFromNode * local;
      node.worldFromLink = parent.worldFromLink * node.worldFromLink;
      node.isEvenlyScaled = node.isEvenlyScaled && parent.isEvenlyScaled;
    }
    if (!(node.worldFromNode.matrix().cwiseAbs().maxCoeff() <= kMaxNumber))
      value.fail("is placed or scaled beyond 1e12");
  }
}

/// Marks the nodes of the default scene, else of the first scene; without scenes all nodes.
void markScene(const GltfFile& file, GltfNodes& out) {
  const int given = file.indexOf(file.root(), "scene", "scenes");
  const std::vector<JsonValue>& scenes = file.list("scenes");
  if (scenes.empty())
    for (const int i : out.order) out[i].isInScene = out[i].parent < 0;
  else if (const auto roots = scenes[std::max(given, 0)].find("nodes"))
    for (const JsonValue& root : roots->elements()) out[file.index(root, "nodes")].isInScene = true;
  for (const int i : out.order)
    if (out[i].parent >= 0 && out[out[i].parent].isInScene) out[i].isInScene = true;
}

}  // namespace

std::optional<JsonValue> gltfMark(const JsonValue& value) {
  const auto extras = value.find("extras");
  const auto mark = extras && extras->isObject() ? extras->find(kGltfMark) : std::nullopt;
  return mark && mark->isObject() ? mark : std::nullopt;
}

GltfNodes readGltfNodes(const GltfFile& file) {
  if (file.list("nodes").empty()) throw JsonFault{"nodes", "is missing or empty: there is nothing to pose"};
  if (file.list("nodes").size() > kMaxNodes) throw JsonFault{"nodes", "holds more than 100000 nodes"};
  GltfNodes out;
  out.nodes.resize(file.list("nodes").size());
  nameNodes(file, out);
  joinNodes(file, out);
  orderNodes(file, out);
  readPlaces(file, out);
  markScene(file, out);
  for (int i = 0; i < out.size(); ++i) {
    out[i].mesh = file.indexOf(valueOf(file, i), "mesh", "meshes");
    out[i].skin = file.indexOf(valueOf(file, i), "skin", "skins");
  }
  return out;
}

}  // namespace limber::io
