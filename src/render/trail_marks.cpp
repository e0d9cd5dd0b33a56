// SPDX-License-Identifier: MIT
#include "render/trail_marks.h"

#include <algorithm>

#include "render/marks.h"

namespace limber::render {

namespace {

constexpr double kTrailDotSize = 0.03;   // in mean link lengths, at least ...
constexpr double kTrailDotPixels = 4.5;  // ... this many pixels
constexpr double kTrailLinePixels = 1.2;
constexpr int kTrailRing = 20;

}  // namespace

void appendTrail(const Document& document, const TrailMark& trail, const Highlight& highlight, DrawList& list) {
  if (trail.points.empty()) return;
  const auto [right, up] = screenAxes(highlight.view);
  const Stroke line{.thickness = pixels(highlight, kTrailLinePixels, trail.points.front().place),
                    .color = withAlpha(kAccent, 0.7f)};
  for (std::size_t i = 0; i + 1 < trail.points.size(); ++i)
    appendLine(trail.points[i].place, trail.points[i + 1].place, line, list);
  for (const TrailMark::Point& point : trail.points) {
    if (point.key < 0) continue;
    const double size =
        std::max(kTrailDotSize * document.figure->meanLinkLength(), pixels(highlight, kTrailDotPixels, point.place));
    const bool isHovered = highlight.hoveredGrip == Grip::TrailKey && highlight.hoveredPart == point.key;
    if (point.key == trail.now)
      appendRing(point.place, right.cross(up), 1.8 * size, kTrailRing, colored(line, kAccent), list);
    appendBall(point.place, size,
               {.color = isHovered ? lighter(kAccent) : kAccent, .grip = Grip::TrailKey, .part = point.key}, list);
  }
}

}  // namespace limber::render
