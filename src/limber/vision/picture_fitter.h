// SPDX-License-Identifier: MIT
// From pictures to poses: the pose of a figure whose points were seen in one or several pictures at a time.
//
// A pixel says that a point is on a ray of the camera. With e_k the reprojection error of point k in pixels, c_k its
// confidence in [0, 1] and s the standard deviation of the pixels, the most probable pose is the minimum within the
// limits of
//
//   f(q) = sum over the points seen  c_k/2 rho(e_k / s)  +  E(q)        rho(x) = x^2 / (1 + (x / a)^2)
//
// with E the pose prior of people (posing/body_prior.h), which decides the questions that one picture leaves open:
// whether an elbow bends toward the camera or away, and the joints that are not seen. For other figures E is a weak
// pull to rest. rho is the robust loss of Geman and McClure (1987), which is bounded by c_k/2 a^2, so that a wrong
// point does not distort the pose.
//
// f is minimised by solves of line goals (goals/line_goal.h), each point on its ray: to first order e = focal d / depth
// with d the distance from the ray, so that a goal's weight is c w (focal / (depth s))^2, w = 1 / (1 + (x / a)^2)^2 at
// the previous pose (iteratively reweighted least squares). a shrinks from solve to solve (graduated non-convexity).
//
// The first frame is solved from the prior's mean pose, turned to eight headings and aligned with the rays; then each
// limb of the best pose is also tried mirrored in depth, since both look almost alike. Each later frame starts from the
// previous one, with a pull to the pose that its motion predicts.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/posing/fitter.h"
#include "limber/problem/figure_point.h"
#include "limber/problem/ik_problem.h"
#include "limber/vision/picture_camera.h"

namespace limber {

/// A point in a picture.
struct SeenPixel {
  Eigen::Vector2d place = Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());  ///< NaN: not seen
  double confidence = 1.0;                                                                      ///< [0, 1]; 0: not seen

  bool isSeen() const { return place.allFinite() && confidence > 0.0; }
};

/// What one camera sees at a time.
struct PictureView {
  PictureCamera camera;
  std::vector<SeenPixel> seen;  ///< by FitPoint::observed
};

struct PictureFitOptions {
  double noise = 3.0;         ///< s: standard deviation of the pixels, > 0
  double outlier = 6.0;       ///< a: standard deviations beyond which a point counts as an outlier, > 0
  double priorWeight = 1.0;   ///< of E, >= 0; 0: a weak pull to rest, as for figures without a prior
  double stillness = 30.0;    ///< weight of the pull to the predicted pose, 1 / square radians, >= 0
  double smoothness = 300.0;  ///< weight of the pull in refit(), same unit
  int maxIterations = 60;     ///< of one solve
  double tolerance = 1e-7;    ///< of one solve
};

struct FittedPicture {
  Pose pose;
  double cost = std::numeric_limits<double>::quiet_NaN();   ///< f at the pose; NaN if nothing was seen
  double error = std::numeric_limits<double>::quiet_NaN();  ///< root mean square of e_k, pixels, by forward kinematics
  int points = 0;                                           ///< pixels seen, in all views
  int wrong = 0;                                            ///< outliers among them, beyond a standard deviations
  int iterations = 0;
  FitStatus status = FitStatus::NotObserved;
};

/// Fits frame after frame. One thread may use a PictureFitter at a time.
class PictureFitter {
 public:
  /// The figure with the problem's limits, couplings and locks; E is the problem's pose prior, if it has one. The free
  /// roots of the figure move, whether locked or not.
  PictureFitter(const IkProblem& problem, std::vector<FitPoint> points, const PictureFitOptions& options = {});
  ~PictureFitter();
  PictureFitter(PictureFitter&&) noexcept;
  PictureFitter& operator=(PictureFitter&&) noexcept;

  /// Empty, or why nothing can be fitted.
  const std::string& fault() const;
  /// Calls an observer with every iterate of the solves; it may cancel a frame. Null removes it. It must outlive this
  /// object.
  void observe(Observer* observer);

  FittedPicture fit(std::span<const PictureView> views);
  /// Solves a frame again from its pose, with a pull to `towards` unless that is null, such as the mean pose of the
  /// frames before and after it.
  FittedPicture refit(std::span<const PictureView> views, const Pose& from, const Pose* towards);
  /// Solves the same pictures with the next depth configuration of a limb: each of its two bones points toward the
  /// camera or away, and repeated calls cycle through these. Empty if the observed point belongs to no limb, or no
  /// other configuration is possible. `from` is the previous pose.
  std::optional<FittedPicture> nextDepth(std::span<const PictureView> views, const Pose& from, int observed);
  /// The next frame is solved as the first one.
  void forget();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
