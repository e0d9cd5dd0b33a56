// SPDX-License-Identifier: MIT
#include <algorithm>

#include "limber/kinematics/loops.h"
#include "render/marks.h"

namespace limber::render {

namespace {

constexpr double kSize = 0.012;  // radius of the ball, in figure sizes
constexpr double kLeastPixels = 4.0;
constexpr int kSegments = 24;
constexpr double kVisible = 1e-6;  // figure sizes: a shorter gap has no line

/// A ball where the loop is closed; with a ring about the axis of a hinge, a square for a weld.
void appendLoop(const LoopClosure& loop, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  const Transform a = kinematics.worldFromLink[loop.link] * loop.linkFromLoop;
  const Transform b = loop.other < 0 ? loop.otherFromLoop : kinematics.worldFromLink[loop.other] * loop.otherFromLoop;
  const Eigen::Vector3d middle = 0.5 * (a.translation + b.translation);
  if (!middle.allFinite()) return;
  const double size = std::max(kSize * list.figureSize, pixels(highlight, kLeastPixels, middle));
  const LoopGap gap = gapOf(loop, kinematics);
  const Stroke stroke{0.3 * size, gap.isClosed() ? kMet : kUnmet};
  if (gap.length > kVisible * list.figureSize) {
    appendBall(a.translation, size, stroke, list);
    appendBall(b.translation, size, stroke, list);
    appendLine(a.translation, b.translation, stroke, list);
  } else {
    appendBall(middle, size, stroke, list);
  }
  if (loop.kind == LoopClosure::Kind::Hinge) appendRing(middle, a.rotation.col(2), 2.0 * size, kSegments, stroke, list);
  if (loop.kind == LoopClosure::Kind::Weld)
    appendSquare(middle, 1.6 * size * a.rotation.col(0), 1.6 * size * a.rotation.col(1), stroke, list);
}

}  // namespace

void appendLoops(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  for (const LoopClosure& loop : document.figure->loops()) appendLoop(loop, kinematics, highlight, list);
}

}  // namespace limber::render
