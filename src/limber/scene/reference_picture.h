// SPDX-License-Identifier: MIT
// Reference pictures: photographs and drawings as models for the pose of a figure. A picture is placed in the world so
// that figure and picture coincide in the view through its camera. A picture with parallel rays has its own place in
// the world: the plane through the camera, perpendicular to the rays.
//
// A goal that is seen in a picture (GoalItem::seenIn) is a line goal whose line is the ray of the camera through the
// goal's target. The pixel is the projection of the target, and is not stored.
#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "limber/problem/figure_point.h"
#include "limber/problem/ik_problem.h"
#include "limber/scene/skin.h"
#include "limber/vision/picture_camera.h"

namespace limber {

struct Document;

/// The file of a picture. Immutable and shared by documents.
struct PictureFile {
  std::filesystem::path path;  ///< where it was read, or should be
  std::string bytes;           ///< as they were read; empty if the file was not found
  SkinTexture image;           ///< upright; without pixels if the file was not found
};

struct ReferencePicture {
  int id = 0;                               ///< unique in the document, never reused
  std::shared_ptr<const PictureFile> file;  ///< not null
  int width = 1, height = 1;                ///< of the upright image, pixels
  PictureCamera camera;                     ///< in pixels of the upright image
  double opacity = 0.6;                     ///< [0, 1]
  bool isInFront = false;                   ///< drawn over the figure instead of behind it
  bool isInScene = false;                   ///< a saved scene contains the file, not its path
  std::array<double, 4> crop = {};          ///< fractions cut off at the left, top, right and bottom, each in [0, 0.95]

  bool operator==(const ReferencePicture&) const = default;

  Eigen::Vector2d size() const { return {width, height}; }
  /// True if the picture has its own place in the world.
  bool isOnPlane() const { return camera.isParallel; }
  /// True for a pixel of the shown part.
  bool contains(const Eigen::Vector2d& pixel) const;
};

inline constexpr double kMostCrop = 0.95;  ///< of one side; opposite ones leave at least 1 - kMostCrop

const ReferencePicture* findPicture(const Document& document, int id);
ReferencePicture* findPicture(Document& document, int id);
/// The shown picture; null for none.
const ReferencePicture* shownPicture(const Document& document);

/// Adds a picture under a new id and shows it; returns the id.
int addPicture(Document& document, ReferencePicture picture);
/// Removes it, and shows the next one. Goals seen in it become line goals of their own.
void removePicture(Document& document, int id);

/// The corners of the shown part in the world, from the upper left one clockwise: `depth` metres ahead of a pinhole, or
/// on the plane of the picture.
std::array<Eigen::Vector3d, 4> cornersAt(const ReferencePicture& picture, double depth);

/// The picture in which the goal is seen; null for none.
const ReferencePicture* pictureOf(const Document& document, const GoalItem& goal);
/// Adds an enabled goal for a point that is seen at a pixel. Its target is on the ray, at the point's present depth.
/// Returns the goal's id.
int addSeenGoal(Document& document, const FigurePoint& point, int picture, const Eigen::Vector2d& pixel);
/// Moves the goal to another pixel of its picture, at the same depth.
void seeAt(const Document& document, GoalItem& goal, const Eigen::Vector2d& pixel);

/// After an edit, sets the lines of seen goals to rays of their cameras. A goal whose target has moved gets another
/// pixel; one whose camera has moved keeps its pixel.
void keepSeenGoals(const Document& before, Document& after);

}  // namespace limber
