// SPDX-License-Identifier: MIT
// The cameras of pictures, found with the pose of who is seen in them.
//
// One view: a pinhole that looks level or down. Focal length and pitch are tried on a grid with the frame in which most
// is seen, and those of the lowest f (posing/picture_fitter.h) are kept. Distance and height need no search, since the
// figure moves before the camera.
//
// Several views: the poses by the first view tell the other cameras (problem/camera_from_points.h), or the figure at
// rest tells all of them. From both starts, poses and cameras are improved in turn, each lowering the sum of f over
// some frames, until it rests; the lower one is kept. The figure's size sets the scale of all cameras.
//
// Cameras that are roughly known take the place of those by the first view. Parallel rays keep their direction, so that
// place and scale of a picture on a plane are found, alone or beside pinholes that are found as above.
//
// A figure that cannot move as a whole, such as a robot's arm, is begun with at rest, by one view or several. A pose
// far from rest may then end at another minimum, which its errors show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/scene/picture_fit.h"

namespace limber {

/// The first views of a frame, one for each of the cameras.
std::vector<PictureView> viewsOf(const PictureFitPlan& plan, std::span<const PictureCamera> cameras, int frame);

/// The pixels of a view in a frame that count.
std::vector<Eigen::Vector2d> pixelsSeen(const PictureFitPlan& plan, const KeyPoints& view, int frame);

struct FoundCameras {
  std::string fault;                   ///< empty, or why they cannot be found
  std::vector<PictureCamera> cameras;  ///< of the views; empty where there is a fault, or the search was cancelled
};

/// noise: pixels. goesOn(part of this) false cancels.
FoundCameras findCameras(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, double noise,
                         const std::function<bool(double part)>& goesOn);

}  // namespace limber
