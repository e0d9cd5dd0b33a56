// SPDX-License-Identifier: MIT
#include "render/marks.h"

#include <algorithm>

#include "limber/problem/goal_error.h"
#include "render/limbs.h"

namespace limber::render {

namespace {

constexpr double kPadlockSize = 0.02;  // half the width, in figure sizes
constexpr double kMinPadlockPixels = 5.0;
constexpr int kRingSegments = 20;
constexpr double kLeastReach = 0.1;  // in mean link lengths, because a link without length can turn, too

void appendPin(const Document& document, const Kinematics& kinematics, const Highlight& highlight, const Pin& pin,
               DrawList& list) {
  const Figure& figure = *document.figure;
  const Transform& present = kinematics.worldFromLink[pin.link];
  const Eigen::Vector3d place = pin.worldFromLink * pin.pointInLink;
  const bool held = isHeld(figure, kinematics, pin, list.figureSize);
  const double size = std::max(kPadlockSize * list.figureSize, pixels(highlight, kMinPadlockPixels, place));
  const Stroke stroke{0.16 * size, targetColor(held, false, document.mode == Mode::Forward)};

  const auto [right, up] = screenAxes(highlight.view);
  if (pin.position) appendPadlock(place, right, up, size, stroke, list);
  else appendShackle(place, right, up, size, stroke, list);
  if (pin.rotation) appendRing(place + size * up, right.cross(up), 2.0 * size, kRingSegments, stroke, list);
  if (held) return;
  const Eigen::Vector3d bone = boneEnd(figure, pin.link);
  const Eigen::Vector3d& origin = (pin.position ? pin.worldFromLink : present).translation;
  if (pin.position) appendLine(present * pin.pointInLink, place, stroke, list);
  if (pin.rotation) appendLine(present * bone, origin + pin.worldFromLink.rotation * bone, stroke, list);
}

}  // namespace

bool isHeld(const Figure& figure, const Kinematics& kinematics, const Pin& pin, double figureSize) {
  const GoalError error = pinErrorOf(kinematics, pin);
  const double tolerance = kPinTolerance * figureSize;
  const double reach = std::max(figure.linkLength(pin.link), kLeastReach * figure.meanLinkLength());
  return error.length <= tolerance && error.angle * reach <= tolerance;
}

void appendPins(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  for (const Pin& pin : document.pins)
    if (pin.link >= 0 && pin.link < document.figure->linkCount() && pin.worldFromLink.translation.allFinite() &&
        pin.worldFromLink.rotation.allFinite())
      appendPin(document, kinematics, highlight, pin, list);
}

}  // namespace limber::render
