// SPDX-License-Identifier: MIT
#include "limber/posing/held_feet.h"

#include <algorithm>

#include "limber/body/balance.h"
#include "limber/body/footholds.h"

namespace limber {

std::vector<Hold> holdLinks(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links) {
  std::vector<Hold> holds;
  for (const int link : links) {
    const double length = std::max(figure.linkLength(link), 0.1 * figure.meanLinkLength());
    for (const Eigen::Vector3d& point :
         {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(length, 0, 0), Eigen::Vector3d(0, length, 0)})
      holds.push_back(holdPoint(link, point, kinematics.worldFromLink[link] * point));
  }
  return holds;
}

std::vector<Hold> heldFeet(const Figure& figure, const Kinematics& kinematics) {
  return holdLinks(figure, kinematics, standingLinks(figure, kinematics));
}

std::vector<Hold> feetUnder(const IkProblem& problem, const Kinematics& kinematics, int draggedLink) {
  const Figure& figure = *problem.figure;
  std::vector<Hold> holds = heldFeet(figure, kinematics);
  for (const Foothold& foot : findFootholds(problem, kinematics, {draggedLink})) {
    if (foot.isSole) continue;
    std::erase_if(holds, [&](const Hold& hold) { return figure.isAncestorOrSelf(hold.goal.link, foot.link); });
    holds.push_back(holdPoint(foot.link, foot.point, kinematics.worldFromLink[foot.link] * foot.point));
  }
  return holds;
}

}  // namespace limber
