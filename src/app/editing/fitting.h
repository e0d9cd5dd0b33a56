// SPDX-License-Identifier: MIT
// The results of a fit to observed points, prepared for the window and the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/scene/fit.h"

namespace limber::app {

/// Shows the first frame of a fitted motion in the document, and adds the motion to its clips if it has any.
void takeFit(std::shared_ptr<const Motion> motion, Document& document);
void takeFit(const FitPlan& plan, const FitAnswer& answer, Document& document);

/// Finds the stances of the document's fitted motion and holds them (scene/held_stances.h). Returns their number; 0 for
/// other figures than human bodies, whose motion does not change.
std::size_t holdFittedStances(Document& document);

/// The costs (15) of a motion of the document's figure, for the points of a fit.
struct MotionCost {
  double mean = 0.0, worst = 0.0;  ///< metres
  int worstFrame = -1;             ///< -1 if no point was observed
};
MotionCost costOfMotion(const FitPlan& plan, const FitAnswer& answer, const Figure& figure, const Motion& motion);

/// Indices of FitAnswer::points by mean error, the largest first, without points that were never observed.
std::vector<std::size_t> worstPoints(const FitAnswer& answer);

/// One line per frame: frame, time [s], cost (15) [mm], sum of squares (4) [mm^2], points, iterations, status.
std::string fitCostsCsv(const FitPlan& plan, const FitAnswer& answer);

}  // namespace limber::app
