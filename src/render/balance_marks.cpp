// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <algorithm>
#include <limits>

#include "limber/body/balance.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/problem/goal_error.h"

namespace limber::render {

namespace {

constexpr double kCentreSize = 0.014;  // of the figure's size
constexpr double kMinCentrePixels = 4.0;
constexpr double kMinBalanceStroke = 0.8;  // pixels
constexpr int kPlumbRingSegments = 20;

/// Height of the lowest link that carries the figure: that of its origin minus the radius of its thickest capsule.
double supportHeight(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& planted) {
  double lowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const auto carries = [&](int link) { return figure.isAncestorOrSelf(link, i); };
    if (std::none_of(planted.begin(), planted.end(), carries)) continue;
    const Transform& worldFromLink = kinematics.worldFromLink[i];
    if (figure.link(i).capsules.empty()) lowest = std::min(lowest, worldFromLink.translation.y());
    for (const Capsule& c : figure.link(i).capsules)
      lowest = std::min(lowest, std::min((worldFromLink * c.start).y(), (worldFromLink * c.end).y()) - c.radius);
  }
  return lowest;
}

}  // namespace

void appendBalance(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  const std::vector<int> planted = plantedLinks(document, kinematics);
  if (planted.empty() || !CentreOfMassGoal::isDefined(figure)) return;
  const std::vector<Eigen::Vector2d> polygon = supportPolygon(figure, kinematics, planted);
  const Eigen::Vector3d centre = centreOfMassOf(figure, kinematics);
  const double ground = supportHeight(figure, kinematics, planted);
  const auto raised = [&](const Eigen::Vector2d& p) { return Eigen::Vector3d(p.x(), ground, p.y()); };
  const Eigen::Vector3d foot = raised(onGround(centre));
  const bool isInside = supportMargin(polygon, onGround(centre)) >= -1e-3 * figure.meanLinkLength();

  const double size = std::max(kCentreSize * list.figureSize, pixels(highlight, kMinCentrePixels, centre));
  const double thin = std::max(0.15 * size, pixels(highlight, kMinBalanceStroke, foot));
  const Stroke stroke{thin, isInside ? kAccent : kUnmet};
  for (std::size_t i = 0; i < polygon.size(); ++i)
    appendLine(raised(polygon[i]), raised(polygon[(i + 1) % polygon.size()]), thicker(stroke, 1.6), list);
  appendBall(centre, size, stroke, list);
  appendDashes(centre, foot, 1.5 * size, stroke, list);
  if (isInside) return appendRing(foot, Eigen::Vector3d::UnitY(), 1.5 * size, kPlumbRingSegments, stroke, list);
  for (const double turn : {1.0, -1.0}) {
    const Eigen::Vector3d arm = 1.5 * size * Eigen::Vector3d(1.0, 0.0, turn);
    appendLine(foot - arm, foot + arm, stroke, list);
  }
  appendLine(foot, raised(nearestOnSupport(polygon, onGround(centre))), stroke, list);
}

}  // namespace limber::render
