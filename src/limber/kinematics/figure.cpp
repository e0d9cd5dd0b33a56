// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure.h"

#include <algorithm>
#include <numbers>

namespace limber {

namespace {

struct TypeInfo {
  int poseSize, stepSize;
  std::string_view name;
};
constexpr TypeInfo kTypes[] = {
    {0, 0, "fixed"}, {1, 1, "revolute"}, {1, 1, "prismatic"}, {4, 3, "ball"}, {7, 6, "free"}};

const TypeInfo& infoOf(JointType type) { return kTypes[static_cast<int>(type)]; }

template <typename Items>
int findByName(const Items& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

}  // namespace

double volumeOf(const Capsule& capsule) {
  const double r = capsule.radius;
  return std::numbers::pi * r * r * ((capsule.end - capsule.start).norm() + 4.0 / 3.0 * r);
}

int poseSize(JointType type) { return infoOf(type).poseSize; }
int stepSize(JointType type) { return infoOf(type).stepSize; }
std::string_view jointTypeName(JointType type) { return infoOf(type).name; }

std::string_view loopKindName(LoopClosure::Kind kind) {
  constexpr std::string_view kNames[] = {"ball", "hinge", "weld"};
  return kNames[static_cast<int>(kind)];
}

std::optional<LoopClosure::Kind> findLoopKind(std::string_view name) {
  for (const auto kind : {LoopClosure::Kind::Ball, LoopClosure::Kind::Hinge, LoopClosure::Kind::Weld})
    if (name == loopKindName(kind)) return kind;
  return std::nullopt;
}

int Figure::findLink(std::string_view name) const { return findByName(links_, name); }
int Figure::findJoint(std::string_view name) const { return findByName(joints_, name); }
int Figure::findSite(std::string_view name) const { return findByName(sites_, name); }

bool Figure::namesBones() const {
  return std::ranges::any_of(links_, [](const Link& link) { return !link.bone.empty(); });
}

std::shared_ptr<const Figure> Figure::withBones(const std::vector<std::string>& bones) const {
  const auto figure = std::make_shared<Figure>(*this);
  for (std::size_t i = 0; i < links_.size(); ++i) figure->links_[i].bone = bones[i];
  return figure;
}

std::shared_ptr<const Figure> Figure::withRestPose(const Eigen::VectorXd& restPose) const {
  const auto figure = std::make_shared<Figure>(*this);
  figure->restPose_ = restPose;
  return figure;
}

bool Figure::isAncestorOrSelf(int ancestor, int link) const {
  while (link > ancestor) link = links_[link].parent;
  return link == ancestor;
}

bool Figure::isFreeRoot(int i) const {
  if (joint(i).type != JointType::Free) return false;
  if (link(i).parent >= 0 && joint(i).translationLocked) return false;
  for (int above = link(i).parent; above >= 0; above = link(above).parent)
    if (joint(above).type != JointType::Fixed) return false;
  return true;
}

int Figure::findFreeRootAbove(int i) const {
  while (i >= 0 && !isFreeRoot(i)) i = link(i).parent;
  return i;
}

}  // namespace limber
