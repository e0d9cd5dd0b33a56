// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/scene/fit.h"
#include "limber/solvers/convex/relaxation.h"

namespace limber::test {

/// The sites of a figure with equal weights: all, or those at the ends of its limbs and the one nearest to its root.
inline std::vector<Relaxation::Point> keyPoints(const Figure& figure, bool onlyEnds) {
  std::vector<FitPoint> sites;
  for (const Site& site : figure.sites())
    sites.push_back({static_cast<int>(sites.size()), *findPoint(figure, site.name), 1.0});
  std::vector<Relaxation::Point> points;
  for (const FitPoint& p : onlyEnds ? endPoints(figure, sites) : sites)
    points.push_back({p.point.link, p.point.pointInLink, 1.0});
  return points;
}

}  // namespace limber::test
