// SPDX-License-Identifier: MIT
#include "limber/problem/main_end_effector.h"

#include <algorithm>

namespace limber {

EndEffector mainEndEffector(const Figure& figure) {
  const auto isLeaf = [&](int link) { return figure.children(link).empty(); };
  const auto sites = figure.sites();
  const auto site = std::ranges::find_if(sites, [&](const Site& s) { return isLeaf(s.link); });
  if (site != sites.end()) return endEffectorOf(figure, site->link);
  return endEffectorOf(figure, figure.linkCount() - 1);  // links stand before their children: the last one has none
}

}  // namespace limber
