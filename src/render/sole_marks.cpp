// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <algorithm>
#include <limits>

#include "limber/body/balance.h"

namespace limber::render {

namespace {

constexpr double kSoleStroke = 0.0025;  // of the figure's size
constexpr double kMinSoleStroke = 1.0;  // pixels
constexpr double kContactRing = 0.02;   // of the figure's size: around a foot that touches in a point
constexpr int kContactRingSegments = 16;

double lowestBelow(const Figure& figure, const Kinematics& kinematics, int top) {
  double lowest = std::numeric_limits<double>::infinity();
  for (int i = top; i < figure.linkCount(); ++i) {
    if (!figure.isAncestorOrSelf(top, i)) continue;
    const Transform& worldFromLink = kinematics.worldFromLink[i];
    lowest = std::min(lowest, worldFromLink.translation.y());
    for (const Capsule& c : figure.link(i).capsules)
      lowest = std::min(lowest, std::min((worldFromLink * c.start).y(), (worldFromLink * c.end).y()) - c.radius);
  }
  return lowest;
}

}  // namespace

void appendSoles(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Figure& figure = *document.figure;
  for (const int foot : highlight.heldFeet) {
    if (foot < 0 || foot >= figure.linkCount()) continue;
    const std::vector<Eigen::Vector2d> outline = supportPolygon(figure, kinematics, {foot});
    if (outline.empty()) continue;
    const double ground = lowestBelow(figure, kinematics, foot);
    const auto raised = [&](const Eigen::Vector2d& p) { return Eigen::Vector3d(p.x(), ground, p.y()); };
    const Eigen::Vector3d at = raised(outline.front());
    const Stroke stroke{std::max(kSoleStroke * list.figureSize, pixels(highlight, kMinSoleStroke, at)), kAccent};
    double width = 0.0;
    for (const Eigen::Vector2d& corner : outline) width = std::max(width, (corner - outline.front()).norm());
    if (width < kContactRing * list.figureSize) {
      appendRing(at, Eigen::Vector3d::UnitY(), kContactRing * list.figureSize, kContactRingSegments, stroke, list);
      continue;
    }
    for (std::size_t i = 0; i < outline.size(); ++i)
      appendLine(raised(outline[i]), raised(outline[(i + 1) % outline.size()]), stroke, list);
  }
}

}  // namespace limber::render
