// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <algorithm>

#include "limber/scene/path_curve.h"

namespace limber::render {

namespace {

constexpr double kPathPointSize = 0.035;  // in mean link lengths, at least ...
constexpr double kPathPointPixels = 5.0;  // ... this many pixels
constexpr double kPathLinePixels = 1.6;
constexpr int kPartsOfPiece = 24, kMostParts = 1200;
constexpr int kPathRing = 20;

double sizeOfPoint(const Document& document, const Highlight& highlight, const Eigen::Vector3d& place) {
  return std::max(kPathPointSize * document.figure->meanLinkLength(), pixels(highlight, kPathPointPixels, place));
}

void appendCurve(const PathCurve& curve, const TargetPath& path, double size, const Stroke& stroke, DrawList& list) {
  const int pieces = curve.pieceCount();
  if (pieces == 0) return;
  const int parts = std::clamp(kPartsOfPiece * pieces, 1, std::max(kMostParts, pieces));
  Eigen::Vector3d before = curve.at(0.0);
  for (int i = 1; i <= parts; ++i) {
    const Eigen::Vector3d now = curve.at(static_cast<double>(i) * pieces / parts);
    if (path.enabled || i % 2 == 1) appendLine(before, now, stroke, list);
    before = now;
  }
  const Eigen::Vector3d start = curve.at(0.0), ahead = curve.atLength(std::min(4.0 * size, curve.length()));
  if ((ahead - start).norm() > 0.5 * size) appendArrow(start, ahead, 1.5 * size, gripped(stroke, Grip::None), list);
}

void appendPoints(const Document& document, const TargetPath& path, const Highlight& highlight, const Stroke& line,
                  DrawList& list) {
  const auto [right, up] = screenAxes(highlight.view);
  const int count = static_cast<int>(path.points.size());
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d& place = path.points[i];
    const double size = sizeOfPoint(document, highlight, place);
    const bool isHandle = path.isHandle(i);
    const bool isHovered =
        highlight.hoveredGoal == path.goal && highlight.hoveredGrip == Grip::PathPoint && highlight.hoveredPart == i;
    Stroke stroke = gripped(line, Grip::None);
    if (isHandle) {
      const int own = i % 3 == 1 ? i - 1 : (i + 1) % count;
      if (own < count) appendDashes(place, path.points[own], size, stroke, list);
      appendRing(place, right.cross(up), 1.3 * size, kPathRing, stroke, list);
    }
    if (highlight.pathPoint == i) appendRing(place, right.cross(up), 1.9 * size, kPathRing, thicker(stroke, 1.5), list);
    stroke.color = isHovered ? lighter(line.color) : line.color;
    stroke.grip = Grip::PathPoint;
    stroke.part = i;
    appendBall(place, isHandle ? 0.7 * size : size, stroke, list);
  }
}

}  // namespace

void appendPaths(const Document& document, const Highlight& highlight, DrawList& list) {
  if (!document.timeline || !highlight.showTargets) return;
  for (const TargetPath& path : document.timeline->paths) {
    const GoalItem* goal = findGoal(document, path.goal);
    const bool isFinite = std::ranges::all_of(path.points, [](const Eigen::Vector3d& p) { return p.allFinite(); });
    if (!goal || !goal->enabled || path.points.empty() || !isFinite) continue;
    const bool isSelected = document.selection.goal == path.goal;
    const double size = sizeOfPoint(document, highlight, path.points.front());
    const Stroke line{.thickness = std::max(0.2 * size, pixels(highlight, kPathLinePixels, path.points.front())),
                      .color = isSelected ? kAccent : withAlpha(kQuietGrey, 0.6f),
                      .goal = path.goal,
                      .grip = Grip::PathCurve};
    appendCurve(PathCurve(path), path, size, line, list);
    if (isSelected) appendPoints(document, path, highlight, line, list);
  }
}

}  // namespace limber::render
