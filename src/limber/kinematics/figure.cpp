// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure.h"

#include <algorithm>

namespace limber {

int poseSize(JointType type) {
  switch (type) {
    case JointType::Fixed: return 0;
    case JointType::Revolute:
    case JointType::Prismatic: return 1;
    case JointType::Ball: return 4;
    case JointType::Free: return 7;
  }
  return 0;
}

int stepSize(JointType type) {
  switch (type) {
    case JointType::Fixed: return 0;
    case JointType::Revolute:
    case JointType::Prismatic: return 1;
    case JointType::Ball: return 3;
    case JointType::Free: return 6;
  }
  return 0;
}

std::string_view jointTypeName(JointType type) {
  switch (type) {
    case JointType::Fixed: return "fixed";
    case JointType::Revolute: return "revolute";
    case JointType::Prismatic: return "prismatic";
    case JointType::Ball: return "ball";
    case JointType::Free: return "free";
  }
  return "";
}

namespace {

template <typename Items>
int findByName(const Items& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

}  // namespace

int Figure::findLink(std::string_view name) const { return findByName(links_, name); }
int Figure::findJoint(std::string_view name) const { return findByName(joints_, name); }
int Figure::findSite(std::string_view name) const { return findByName(sites_, name); }

bool Figure::isAncestorOrSelf(int ancestor, int link) const {
  while (link > ancestor) link = links_[static_cast<std::size_t>(link)].parent;
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
