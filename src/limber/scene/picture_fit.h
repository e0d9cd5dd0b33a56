// SPDX-License-Identifier: MIT
// A motion from key points in pictures: each frame is fitted from the previous one (vision/picture_fitter.h), with
// known cameras, or with cameras that are found together with the pose (scene/picture_cameras.h). In the latter case,
// the figure stands on the ground above the origin.
//
// The person in the pictures may be taller or shorter than the figure. Positions of known cameras are then scaled to
// the figure's size. Several views determine the scale from the lengths of bones. One view does not: a person of twice
// the size at twice the distance looks the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/scene/fit.h"
#include "limber/scene/key_points.h"

namespace limber {

struct PictureFitPlan {
  std::vector<KeyPoints> views;        ///< one per camera, with the same names and frames
  std::vector<PictureCamera> cameras;  ///< one per view; empty: they are found
  bool areCamerasRough = false;        ///< cameras are improved with the poses; of parallel rays, all but the direction
  std::optional<double> focal;         ///< of the cameras that are not known, pixels; not set: found
  std::vector<FitPoint> points;        ///< of the names
  std::optional<double> scale;         ///< figure's length per length of the person; needs cameras; not set: guessed
  std::optional<double> noise;         ///< pixels; not set: a hundredth of the body's size in the pictures
  PictureFitOptions options;           ///< for 30 pictures a second, pulls are scaled to other rates; noise is ignored
};

struct PictureFitResult {
  std::string fault;  ///< empty, or why nothing can be fitted
  bool isCancelled = false;
  std::vector<FittedPicture> frames;   ///< frames before the first observation have the pose of the first observed one
  std::vector<PictureCamera> cameras;  ///< of the views, in the figure's lengths
  FitScale scale;                      ///< of the camera's positions
  bool isCameraFound = false;          ///< the cameras were not known at all
  double noise = 0.0;                  ///< the one that was used, pixels
  std::vector<PointError> points;      ///< by FitPoint; pixels, over all views
  double meanError = 0.0;              ///< root mean square, pixels, mean over the frames in which something was seen
  double worstError = 0.0;
  int worstFrame = -1;
  int unobservedFrames = 0;
};

/// The size of the figure relative to the person whom several cameras see: fitScaleOfBones() of the triangulated points
/// in at most 300 frames. 1 if the views do not determine it. noise: pixels; a point does not count if its reprojection
/// error in any view is more than six times that.
FitScale guessPictureScale(const Figure& figure, const PictureFitPlan& plan, double noise);

/// Fits all frames.
PictureFitResult fitPictures(const IkProblem& problem, const PictureFitPlan& plan, const FitProgress& progress = {});

/// Solves the first frame from its pose `from`, with the limb of a name in its next depth configuration
/// (PictureFitter::nextDepth). The cameras must be known. No frames if there is no other configuration.
PictureFitResult nextDepth(const IkProblem& problem, const PictureFitPlan& plan, const Pose& from, int name,
                           const FitProgress& progress = {});

}  // namespace limber
