// SPDX-License-Identifier: MIT
// Fits of a figure to observed points, as the window and the command line request them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/scene/fit.h"

namespace limber::app {

/// A request for a fit.
struct FitPlan {
  std::shared_ptr<const Observations> observations;
  std::string source;              ///< name of their file
  std::vector<std::string> names;  ///< for each observed point that of the figure, "" for none
  bool onlyEnds = false;           ///< fits only the ends and the point nearest to the root
  std::optional<double> scale;     ///< guessed if not given
  FitOptions options;              ///< except their scale, which is ignored
};

struct FitAnswer {
  std::vector<FitPoint> points;
  FitScale scale;
  FitResult result;
};

/// A plan with guessed names and the defaults.
FitPlan planFit(const Document& document, std::shared_ptr<const Observations> observations, std::string source);

/// Runs a fit. The scale is guessed from all named points, even if only the ends are fitted.
FitAnswer runFit(const Document& document, const FitPlan& plan, const FitProgress& progress = {});

/// Shows the first frame of the fitted motion in the document, and adds the motion to its clips if it has any.
void takeFit(const FitPlan& plan, const FitAnswer& answer, Document& document);

/// Indices of FitAnswer::points by mean error, the largest first, without points that were never observed.
std::vector<std::size_t> worstPoints(const FitAnswer& answer);

/// One line per frame: frame, time [s], cost (15) [mm], sum of squares (4) [mm^2], points, iterations, status.
std::string fitCostsCsv(const FitPlan& plan, const FitAnswer& answer);

}  // namespace limber::app
