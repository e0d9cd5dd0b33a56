// SPDX-License-Identifier: MIT
#include "app/held_feet.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

namespace limber::app {

namespace {

bool isNamedLikeAFoot(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("foot") != std::string::npos || lower.find("toe") != std::string::npos ||
         lower.find("ankle") != std::string::npos;
}

/// The ends of a link's bones, without the flesh around: a shank's calf must not count as standing.
void extendByBones(const Link& link, const Transform& worldFromLink, double& lowest, double& highest) {
  const auto extend = [&](const Eigen::Vector3d& point) {
    const double y = (worldFromLink * point).y();
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  };
  if (link.capsules.empty()) extend(Eigen::Vector3d::Zero());
  for (const Capsule& capsule : link.capsules) {
    extend(capsule.start);
    extend(capsule.end);
  }
}

}  // namespace

std::vector<int> standingLinks(const Figure& figure, const Kinematics& kinematics) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> lowestOf(static_cast<std::size_t>(figure.linkCount()), infinity);
  double lowest = infinity, highest = -infinity;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    extendByBones(figure.link(i), kinematics.worldFromLink[index], lowestOf[index], highest);
    lowest = std::min(lowest, lowestOf[index]);
  }
  const double ground = lowest + kStandingHeight * (highest - lowest);
  const auto stands = [&](int link) { return lowestOf[static_cast<std::size_t>(link)] <= ground; };

  std::vector<int> all, feet;
  for (int leaf = 0; leaf < figure.linkCount(); ++leaf) {
    if (!figure.children(leaf).empty() || !stands(leaf)) continue;
    int link = leaf;
    bool named = isNamedLikeAFoot(figure.link(leaf).name);
    while (figure.link(link).parent > 0 && stands(figure.link(link).parent)) {
      link = figure.link(link).parent;
      named = named || isNamedLikeAFoot(figure.link(link).name);
    }
    if (link == 0 || std::find(all.begin(), all.end(), link) != all.end()) continue;
    all.push_back(link);
    if (named) feet.push_back(link);
  }
  return feet.empty() ? all : feet;
}

std::vector<DragGoal> heldFeet(const Figure& figure, const Kinematics& kinematics) {
  std::vector<DragGoal> holds;
  for (const int link : standingLinks(figure, kinematics)) {
    const double length = std::max(figure.linkLength(link), 0.1 * figure.meanLinkLength());
    for (const Eigen::Vector3d& point : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(length, 0, 0),
                                         Eigen::Vector3d(0, length, 0)}) {
      DragGoal hold;
      hold.link = link;
      hold.pointInLink = point;
      hold.target = kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
      holds.push_back(hold);
    }
  }
  return holds;
}

}  // namespace limber::app
