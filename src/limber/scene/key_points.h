// SPDX-License-Identifier: MIT
// Key points: where a vision program, or a person, has seen the joints of a body in the pictures of one camera.
#pragma once

#include <string>
#include <vector>

#include "limber/vision/picture_fitter.h"

namespace limber {

struct KeyPoints {
  std::vector<std::string> names;  ///< "left_elbow"
  std::vector<SeenPixel> seen;     ///< frameCount x names, row by row; pixels
  int frameCount = 0;
  double frameTime = 1.0 / 30.0;  ///< seconds
  int width = 0, height = 0;      ///< of the pictures, pixels; 0 if unknown

  const SeenPixel& at(int frame, std::size_t name) const {
    return seen[static_cast<std::size_t>(frame) * names.size() + name];
  }
};

}  // namespace limber
