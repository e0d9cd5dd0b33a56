// SPDX-License-Identifier: MIT
// A motion from observed points: each frame is fitted from the previous one (posing/fitter.h); and the error of each
// point.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/posing/fitter.h"
#include "limber/scene/document.h"
#include "limber/scene/observations.h"
#include "limber/scene/point_names.h"

namespace limber {

/// The distances of a point from its observed places.
struct PointError {
  double mean = 0.0, worst = 0.0;  ///< metres; of key points in pictures, pixels
  int worstFrame = -1;             ///< -1 if it was never seen
  int frames = 0;                  ///< in which it was seen; each view counts

  /// Until finish(), `mean` is a sum.
  void add(double error, int frame);
  void finish() {
    if (frames > 0) mean /= frames;
  }
};

struct FitResult {
  std::string fault;  ///< empty, or why nothing can be fitted
  bool isCancelled = false;
  std::vector<FittedFrame> frames;  ///< frames before the first observation have the pose of the first observed frame
  std::vector<PointError> points;   ///< by FitPoint
  double meanCost = 0.0;            ///< over the frames in which something was seen, metres
  double worstCost = 0.0;           ///< the same, largest
  int worstFrame = -1;
  int unobservedFrames = 0;
};

/// Called with the finished part, in [0, 1]; returns false to cancel.
using FitProgress = std::function<bool(double part)>;

/// Fits all frames.
FitResult fitMotion(const Document& document, const Observations& observations, const std::vector<FitPoint>& points,
                    const FitOptions& options = {}, const FitProgress& progress = {});

/// Fitted frames, of points or of pictures, as a motion of the figure.
template <class Frame>
std::shared_ptr<const Motion> motionOf(const std::vector<Frame>& frames, double frameTime, std::string name) {
  auto motion = std::make_shared<Motion>();
  motion->name = std::move(name);
  motion->frameTime = frameTime;
  if (!frames.empty()) motion->poses.reserve(frames.size() * frames.front().pose.coordinates.size());
  for (const Frame& frame : frames) motion->append(frame.pose);
  return motion;
}

/// Sets the pose of the frames before the first observed one to its pose.
template <class Frame>
void poseBeforeFirst(std::vector<Frame>& frames) {
  const auto first = std::ranges::find_if(frames, [](const Frame& frame) { return frame.points > 0; });
  if (first == frames.end()) return;
  for (auto frame = frames.begin(); frame != first; ++frame) frame->pose = first->pose;
}

/// The points that have no other point below them in the figure, and the point nearest to the root.
std::vector<FitPoint> endPoints(const Figure& figure, const std::vector<FitPoint>& points);

/// The size of a figure relative to the observed person or object.
struct FitScale {
  double scale = 1.0;    ///< figure's length per observed length
  std::string sentence;  ///< displayed explanation of the scale
};

/// The scale s that fits s d_k to l_k by least squares, s = sum l_k d_k / sum d_k^2, over the bones of the points:
/// pairs of neighbours whose distance l_k in the figure no pose changes; d_k is the mean observed distance. Nothing for
/// fewer than three bones.
std::optional<FitScale> fitScaleOfBones(const Figure& figure, const Observations& observations,
                                        const std::vector<FitPoint>& points);

/// That scale, or for too few bones the ratio of the spreads of the points about their centre: in the figure at rest,
/// to the largest of all frames.
FitScale guessFitScale(const Figure& figure, const Observations& observations, const std::vector<FitPoint>& points);

/// A request for a fit.
struct FitPlan {
  std::shared_ptr<const Observations> observations;
  std::string source;              ///< name of their file
  std::vector<std::string> names;  ///< for each observed point that of the figure, "" for none
  bool onlyEnds = false;           ///< fits only the ends and the point nearest to the root
  std::optional<double> scale;     ///< not set: guessed
  FitOptions options;              ///< except their scale, which is ignored
};

struct FitAnswer {
  std::vector<FitPoint> points;
  FitScale scale;
  FitResult result;
};

/// A plan with guessed names and the defaults.
FitPlan planFit(const Document& document, std::shared_ptr<const Observations> observations, std::string source);

/// Runs a fit. A person begins in the mean pose of the document's pose prior. The scale is guessed from all named
/// points, even if only the ends are fitted.
FitAnswer runFit(const Document& document, const FitPlan& plan, const FitProgress& progress = {});

}  // namespace limber
