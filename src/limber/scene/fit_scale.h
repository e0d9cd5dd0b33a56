// SPDX-License-Identifier: MIT
// The size of a figure relative to the observed person or object.
#pragma once

#include <string>

#include "limber/scene/fit.h"

namespace limber {

struct FitScale {
  double scale = 1.0;    ///< figure's lengths per observed lengths
  std::string sentence;  ///< what the scale was derived from, for people
};

/// The scale s for which s d_k is nearest to l_k in the sense of least squares, s = sum l_k d_k / sum d_k^2, over the
/// bones of the points: pairs of neighbours whose distance l_k in the figure no pose changes, with d_k the mean
/// observed one. Where there are fewer than three bones: the ratio of how far the points spread about their centre, at
/// rest in the figure and in the frame in which they spread the most.
FitScale guessFitScale(const Document& document, const Observations& observations, const std::vector<FitPoint>& points);

}  // namespace limber
