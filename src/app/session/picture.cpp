// SPDX-License-Identifier: MIT
#include "app/session/picture.h"

#include <cmath>

namespace limber::app {

render::View Picture::view() const {
  return viewOf(camera, static_cast<int>(std::lround(area.width)), static_cast<int>(std::lround(area.height)));
}

double Picture::pixelSize() const {
  return displayScale * render::pixelSize(view(), 0.5 * (drawList.boundsMin + drawList.boundsMax));
}

}  // namespace limber::app
