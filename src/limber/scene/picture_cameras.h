// SPDX-License-Identifier: MIT
// Finds the cameras of pictures together with the pose of the figure in them.
//
// One view: a pinhole that looks level or down. Focal length and pitch are tried on a grid with the frame that has most
// key points, and those of the lowest f (vision/picture_fitter.h) are kept. Distance and height need no search, since
// the figure moves instead of the camera.
//
// Several views: the poses found from the first view determine the other cameras (vision/camera_from_points.h), or the
// rest pose determines all of them. From both starts, poses and cameras are improved in turn, which lowers the sum of f
// over some frames, until it converges; the result with the lower sum is kept. The figure's size sets the scale of all
// cameras.
//
// Roughly known cameras replace those found from the first view. Parallel rays keep their direction: position and scale
// of a picture on a plane are found, also together with pinholes, which are found as above.
//
// For a figure that cannot move as a whole, such as a robot's arm, the search starts from the rest pose, with one view
// or several. If the true pose is far from rest, it may end at another minimum, which its errors show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/scene/picture_fit.h"

namespace limber {

/// The first views of a frame, one for each of the cameras.
std::vector<PictureView> viewsOf(const PictureFitPlan& plan, std::span<const PictureCamera> cameras, int frame);

/// The pixels at which a view sees the plan's points in a frame.
std::vector<Eigen::Vector2d> pixelsSeen(const PictureFitPlan& plan, const KeyPoints& view, int frame);

struct FoundCameras {
  std::string fault;                   ///< empty, or why they cannot be found
  std::vector<PictureCamera> cameras;  ///< of the views; empty after a fault, or if the search was cancelled
};

/// noise: pixels. goesOn: called with the finished part, in [0, 1]; returns false to cancel.
FoundCameras findCameras(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, double noise,
                         const std::function<bool(double part)>& goesOn);

}  // namespace limber
