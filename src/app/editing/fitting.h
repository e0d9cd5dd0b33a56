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

/// Indices of FitAnswer::points by mean error, the largest first, without points that were never observed.
std::vector<std::size_t> worstPoints(const FitAnswer& answer);

/// One line per frame: frame, time [s], cost (15) [mm], sum of squares (4) [mm^2], points, iterations, status.
std::string fitCostsCsv(const FitPlan& plan, const FitAnswer& answer);

}  // namespace limber::app
