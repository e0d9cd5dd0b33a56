// SPDX-License-Identifier: MIT
#include "limber/problem/joint_group.h"

#include <algorithm>

namespace limber {

namespace {

bool standInARow(const Figure& figure, const std::vector<int>& joints) {
  for (std::size_t i = 1; i < joints.size(); ++i)
    if (!figure.isAncestorOrSelf(joints[i - 1], joints[i])) return false;
  return true;
}

/// -1 when there is more than one.
int onlyDriver(const Figure& figure, const std::string& name) {
  int driver = -1;
  for (const Coupling& coupling : figure.couplings()) {
    if (coupling.name != name) continue;
    for (const Coupling::Term& term : coupling.terms) {
      if (driver >= 0 && term.driver != driver) return -1;
      driver = term.driver;
    }
  }
  return driver;
}

}  // namespace

std::vector<JointGroup> jointGroups(const Figure& figure) {
  std::vector<JointGroup> groups;
  for (const Coupling& coupling : figure.couplings()) {
    auto group = std::ranges::find(groups, coupling.name, &JointGroup::name);
    if (group == groups.end()) group = groups.insert(groups.end(), JointGroup{.name = coupling.name});
    group->joints.push_back(coupling.follower);
    for (const Coupling::Term& term : coupling.terms) group->joints.push_back(term.driver);
  }
  for (JointGroup& group : groups) {
    std::ranges::sort(group.joints);
    group.joints.erase(std::unique(group.joints.begin(), group.joints.end()), group.joints.end());
    group.isRow = onlyDriver(figure, group.name) >= 0 && standInARow(figure, group.joints);
  }
  return groups;
}

}  // namespace limber
