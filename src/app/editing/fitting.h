// SPDX-License-Identifier: MIT
// A fit as window and command line ask for it, and what they make of its answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/scene/fit.h"
#include "limber/scene/fit_scale.h"

namespace limber::app {

/// What is asked.
struct FitPlan {
  std::shared_ptr<const Observations> observations;
  std::string source;              ///< name of their file
  std::vector<std::string> names;  ///< one an observed point: which point of the figure it is, "" for none
  bool onlyEnds = false;           ///< the ends and the point nearest to the root
  std::optional<double> scale;     ///< guessed when not given
  FitOptions options;              ///< but for the scale
};

struct FitAnswer {
  std::vector<FitPoint> points;
  FitScale scale;
  FitResult result;
};

/// Names guessed, everything else as it is by default.
FitPlan planFit(const Document& document, std::shared_ptr<const Observations> observations, std::string source);

/// The scale is guessed from all points that the plan names, though only the ends be fitted.
FitAnswer runFit(const Document& document, const FitPlan& plan, const FitProgress& progress = {});

/// The document with the fitted motion, at its first frame. A figure with several clips has one more.
void takeFit(const FitPlan& plan, const FitAnswer& answer, Document& document);

/// The points by their mean error, the worst first; indices of FitAnswer::points, those never seen left out.
std::vector<std::size_t> worstPoints(const FitAnswer& answer);

/// A line a frame: frame, time [s], cost (15) [mm], sum of squares (4) [mm^2], points, iterations, status.
std::string fitCostsCsv(const FitPlan& plan, const FitAnswer& answer);

}  // namespace limber::app
