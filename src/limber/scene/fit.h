// SPDX-License-Identifier: MIT
// From observed points to poses: the inverse kinematics of Yenamandra, Bernard, Wang, Mueller and Theobalt, "Convex
// Optimisation for Inverse Kinematics" (2019), one problem a frame:
//
//   f(q) = sum over the observed points  w_j |y_j - x_j(q)|^2,   q within the limits                       (4)
//   cost = sqrt(f / |J|)  with all w_j = 1,   |J| the number of points observed in the frame               (15)
//
// with y_j where point j was observed and x_j(q) where forward kinematics puts it. There is no pull to a pose of rest:
// what the points leave open stays where the frame before had it. Two dampings see to that, and nothing else breaks
// ties: the one of the Levenberg-Marquardt steps, which vanishes as a solve converges, and a pull to the pose q' of the
// last frame, 1/2 D (cost' / L)^2 |q - q'|^2, with its cost and the figure's mean link length L. Where points can be
// met the latter vanishes, too; where they cannot (noise, a figure of other proportions), it keeps what they hardly
// tell, as the turn of an arm that is nearly straight, from following their errors. Limits hold exactly; they are no
// penalty as in (16).
//
// The first frame starts from the pose of rest, of a person from the mean of the document's pose prior, laid onto the
// points (Kabsch), from the convex relaxation (solvers/convex/global_pose.h), and from random poses; of these the
// lowest f wins, where it is less than half of what the first leads to. Each next frame starts from the last one. The
// free roots of the figure move, whether locked or not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/scene/document.h"
#include "limber/scene/observations.h"
#include "limber/scene/point_names.h"

namespace limber {

/// One observed point and the point of the figure that it is.
struct FitPoint {
  int observed = 0;    ///< among the names of the observations
  FigurePoint point;
  double weight = 1.0;  ///< w_j, > 0
};

struct FitOptions {
  double scale = 1.0;          ///< y_j = scale * observed position; > 0
  double damping = 5.0;        ///< D, >= 0: at 5 a person's motion plays on other proportions without a jump
  int restarts = 20;           ///< of the first frame, from random poses beside the one of rest
  std::uint64_t seed = 1;      ///< of the random poses
  int maxIterations = 100;     ///< of one solve
  double tolerance = 1e-9;     ///< a solve ends when what a step promises is at most this part of f
};

enum class FitStatus {
  Converged,
  IterationCap,  ///< FitOptions::maxIterations was reached
  Stalled,       ///< f no longer falls, yet the method's own test does not hold
  NotObserved,   ///< no point was seen: the pose is that of the frame before
};
std::string_view fitStatusName(FitStatus status);  ///< "converged", ...

struct FittedFrame {
  Pose pose;
  double cost = std::numeric_limits<double>::quiet_NaN();     ///< (15), metres; NaN where nothing was observed
  double squares = std::numeric_limits<double>::quiet_NaN();  ///< (4) with all w_j = 1, square metres
  int points = 0;                                             ///< |J|
  int iterations = 0;
  FitStatus status = FitStatus::NotObserved;
};

/// How far a point stayed from where it was observed.
struct PointError {
  double mean = 0.0, worst = 0.0;  ///< metres
  int worstFrame = -1;             ///< -1 when it was never seen
  int frames = 0;                  ///< in which it was seen
};

/// Fits frame after frame; keeps the pose and all memory between them.
class Fitter {
 public:
  /// The figure with the document's limits, couplings and locks.
  Fitter(const Document& document, std::vector<FitPoint> points, const FitOptions& options = {});
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  /// Empty, or why there is nothing to fit.
  const std::string& fault() const;
  /// Coordinates that the points can tell.
  int activeCount() const;

  /// positions: one an observed point, by FitPoint::observed; NaN where it is missing. The first frame in which a point
  /// is seen starts anew, each later one from the last.
  FittedFrame fit(std::span<const Eigen::Vector3d> positions);

  /// Of the frame fitted last, one a point: |y_j - x_j| in metres, by forward kinematics alone; NaN where missing.
  std::span<const double> errors() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct FitResult {
  std::string fault;                ///< empty, or why there is nothing to fit
  bool isCancelled = false;
  std::vector<FittedFrame> frames;  ///< those before anything is seen have the pose of the first one in which it is
  std::vector<PointError> points;   ///< one a FitPoint
  double meanCost = 0.0;            ///< over the frames in which something was seen, metres
  double worstCost = 0.0;           ///< likewise
  int worstFrame = -1;
  int unobservedFrames = 0;
};

/// Of a figure's poses in all frames of a fit: 400 MB.
inline constexpr double kMaxFittedCoordinates = 50e6;

/// Told the part that is done, in [0, 1]; false cancels.
using FitProgress = std::function<bool(double part)>;

/// Fits all frames.
FitResult fitMotion(const Document& document, const Observations& observations, const std::vector<FitPoint>& points,
                    const FitOptions& options = {}, const FitProgress& progress = {});

/// The fitted poses as a motion of the figure.
std::shared_ptr<const Motion> motionOf(const FitResult& result, const Figure& figure, double frameTime,
                                       std::string name);

/// Those of the points that are ends, below which, along the figure, no other point lies; and the one nearest to the
/// root.
std::vector<FitPoint> endPoints(const Figure& figure, const std::vector<FitPoint>& points);

}  // namespace limber
