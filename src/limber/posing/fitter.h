// SPDX-License-Identifier: MIT
// Fits poses to observed points: the inverse kinematics of Yenamandra, Bernard, Wang, Mueller and Theobalt, "Convex
// Optimisation for Inverse Kinematics" (2019), one problem per frame:
//
//   f(q) = sum over the observed points  w_j |y_j - x_j(q)|^2,   q within the limits                       (4)
//   cost = sqrt(f / |J|)  with all w_j = 1,   |J| the number of points observed in the frame               (15)
//
// with y_j the observed place of point j and x_j(q) its place by forward kinematics. There is no pull to a rest pose.
// Coordinates that the points do not determine stay as in the frame before, by two kinds of damping: that of the
// Levenberg-Marquardt steps, which vanishes as a solve converges, and a pull 1/2 D (cost' / L)^2 |q - q'|^2 to the pose
// q' of the last frame, with its cost and the figure's mean link length L. The pull vanishes, too, where the points can
// be met. Where they cannot, because of noise or other proportions, it keeps poorly observed joints, such as the twist
// of a nearly straight arm, from following the errors. Limits hold exactly; they are no penalty as in (16).
//
// The first frame is solved from several starts: the rest pose, or for a person the mean of the problem's pose prior,
// aligned with the points (Kabsch); the convex relaxation (solvers/convex/global_pose.h); and random poses. The first
// start is kept unless another one leads to less than half of its f. Each later frame starts from the one before. The
// free roots of the figure move, whether locked or not. Closed loops of the figure are closed in every frame
// (docs/theory/loops.md).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/problem/figure_point.h"
#include "limber/problem/ik_problem.h"
#include "limber/solvers/solver.h"

namespace limber {

struct FitOptions {
  double scale = 1.0;       ///< y_j = scale * observed position; > 0
  double damping = 5.0;     ///< D, >= 0: damping for poorly observed joints; 5 suits a figure of other proportions
  int restarts = 20;        ///< of the first frame, from random poses
  std::uint64_t seed = 1;   ///< of the random poses
  int maxIterations = 100;  ///< of one solve
  double tolerance = 1e-9;  ///< a solve ends when the predicted decrease of a step is at most this part of f
};

enum class FitStatus {
  Converged,
  IterationCap,  ///< FitOptions::maxIterations was reached
  Stalled,       ///< f no longer decreases, yet the solver's test of convergence does not hold
  Cancelled,     ///< by the observer
  NotObserved,   ///< no point was seen: the pose is that of the frame before
};
FitStatus fitStatusOf(SolveStatus status);
std::string_view fitStatusName(FitStatus status);  ///< "converged", ...

struct FittedFrame {
  Pose pose = {};
  double cost = std::numeric_limits<double>::quiet_NaN();     ///< (15), metres; NaN if no point was observed
  double squares = std::numeric_limits<double>::quiet_NaN();  ///< (4) with all w_j = 1, square metres
  int points = 0;                                             ///< |J|
  int iterations = 0;
  FitStatus status = FitStatus::NotObserved;
};

/// Fits frame after frame, and keeps the pose and its memory between them. One thread may use a Fitter at a time.
class Fitter {
 public:
  /// The figure with the problem's limits, couplings and locks.
  Fitter(const IkProblem& problem, std::vector<FitPoint> points, const FitOptions& options = {});
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  /// Shows every iterate of the solves to an observer, which may cancel a frame; null removes it. It must outlive the
  /// fitter.
  void observe(Observer* observer);

  /// Empty, or why nothing can be fitted.
  const std::string& fault() const;
  /// The number of coordinates that the points determine.
  int activeCount() const;

  /// positions: by FitPoint::observed; NaN where a point is missing. The first frame in which a point is seen is solved
  /// from several starts, each later one from the last.
  FittedFrame fit(std::span<const Eigen::Vector3d> positions);

  /// |y_j - x_j| of the last frame in metres, one entry per FitPoint, by forward kinematics alone; NaN where missing.
  std::span<const double> errors() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
