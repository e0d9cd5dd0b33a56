// SPDX-License-Identifier: MIT
// What a small picture of a pose shows: the figure without goals, obstacles and motion.
#pragma once

#include <utility>

#include "limber/scene/document.h"

namespace limber::app {

/// A document with only the figure, in this pose.
inline Document shownFigure(const Document& document, Pose pose) {
  Document figure;
  figure.figure = document.figure;
  figure.skin = document.skin;
  figure.joints = document.joints;
  figure.couplingEnabled = document.couplingEnabled;
  figure.linearLimitEnabled = document.linearLimitEnabled;
  figure.pose = std::move(pose);
  return figure;
}

}  // namespace limber::app
