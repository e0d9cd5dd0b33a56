// SPDX-License-Identifier: MIT
#include "limber/problem/joint_group.h"

#include <algorithm>

namespace limber {

namespace {

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
    const auto isBeside = [&](int above, int joint) { return !figure.isAncestorOrSelf(above, joint); };
    group.isRow = onlyDriver(figure, group.name) >= 0 &&
                  std::adjacent_find(group.joints.begin(), group.joints.end(), isBeside) == group.joints.end();
  }
  return groups;
}

}  // namespace limber
