// SPDX-License-Identifier: MIT
// The path of a point through its keys: a line, and a dot for each key, which can be clicked and dragged.
#pragma once

#include <vector>

#include "render/draw_list.h"

namespace limber::render {

struct TrailMark {
  struct Point {
    Eigen::Vector3d place;  ///< world
    int key = -1;           ///< frame of the key there; -1 for none
  };
  std::vector<Point> points;  ///< in the order of their times
  int now = -1;               ///< the current frame: its key is ringed
};

/// The dots have Grip::TrailKey and the key's frame as `part`.
void appendTrail(const Document& document, const TrailMark& trail, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
