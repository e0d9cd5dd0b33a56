// SPDX-License-Identifier: MIT
// Estimates the cameras of pictures (focal length, position, orientation) from key points, together with the poses of
// the figure.
//
// One view: the camera is assumed to be a pinhole without roll that looks level or down. Focal length and pitch are
// tried on a grid with the frame that has most key points, and the pair with the lowest f (vision/picture_fitter.h) is
// kept; the plan may give the focal length. The camera is at the origin and looks along -z. Its distance and height
// need no search, because the fit moves the figure's root.
//
// Several views have two starts: the poses found with the first view determine the other cameras
// (vision/camera_from_points.h), or the rest pose determines all of them. From both, poses and cameras are improved in
// turn over at most 12 frames, until the sum of f converges; the result with the lower sum is kept. The figure's size
// sets the scale. If the plan has roughly known cameras, they replace the first of the two starts.
//
// Of a camera with parallel rays only position and scale are estimated; its direction stays. It can be combined with
// pinhole cameras.
//
// For a figure without a free root, such as a robot's arm, only the second start is used unless cameras are roughly
// known. If the true pose is far from rest, the search may end at another local minimum; its reprojection errors are
// then large.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/scene/picture_fit.h"

namespace limber {

/// The observations in `frame` of the views 0 to cameras.size() - 1, each with its camera.
std::vector<PictureView> viewsOf(const PictureFitPlan& plan, std::span<const PictureCamera> cameras, int frame);

/// The pixels of the plan's points that a view sees in `frame`, in the order of the plan; unseen points are left out.
std::vector<Eigen::Vector2d> pixelsSeen(const PictureFitPlan& plan, const KeyPoints& view, int frame);

struct FoundCameras {
  std::string fault;                   ///< empty, or why they cannot be found
  std::vector<PictureCamera> cameras;  ///< of the views; empty after a fault, or if the search was cancelled
};

/// noise: the standard deviation of key points, pixels, > 0. goesOn: called with the finished part, in [0, 1]; returns
/// false to cancel. The plan has at least one view and one point.
FoundCameras findCameras(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, double noise,
                         const std::function<bool(double part)>& goesOn);

}  // namespace limber
