// SPDX-License-Identifier: MIT
#include "limber/scene/reference_picture.h"

#include <algorithm>
#include <utility>

#include "limber/problem/new_goal.h"
#include "limber/scene/document.h"

namespace limber {

namespace {

constexpr double kLeastDepth = 1e-3;  // metres ahead of a camera, of a seen goal's target

/// The point of a pixel's ray at a depth; at kLeastDepth or more for a pinhole.
Eigen::Vector3d pointAt(const PictureCamera& camera, const Eigen::Vector2d& pixel, double depth) {
  return camera.pointAt(pixel, camera.isParallel ? depth : std::max(depth, kLeastDepth));
}

/// Makes the goal's line the camera's ray through its target.
void turnToCamera(const PictureCamera& camera, GoalItem& goal) {
  const Eigen::Vector3d ray = camera.directionTo(goal.target);
  if (ray.norm() > 0.0) goal.targetFrame = frameAlong(ray);
}

template <typename Pictures>
auto* findIn(Pictures& pictures, int id) {
  const auto found = std::ranges::find(pictures, id, &ReferencePicture::id);
  return found == pictures.end() ? nullptr : &*found;
}

}  // namespace

bool ReferencePicture::contains(const Eigen::Vector2d& pixel) const {
  const Eigen::Array2d low(crop[0] * width, crop[1] * height);
  const Eigen::Array2d high((1.0 - crop[2]) * width, (1.0 - crop[3]) * height);
  return (pixel.array() >= low).all() && (pixel.array() <= high).all();
}

const ReferencePicture* findPicture(const Document& document, int id) { return findIn(document.pictures, id); }
ReferencePicture* findPicture(Document& document, int id) { return findIn(document.pictures, id); }
const ReferencePicture* shownPicture(const Document& document) { return findPicture(document, document.shownPicture); }

int addPicture(Document& document, ReferencePicture picture) {
  picture.id = document.nextPictureId++;
  document.pictures.push_back(std::move(picture));
  return document.shownPicture = document.pictures.back().id;
}

void removePicture(Document& document, int id) {
  std::erase_if(document.pictures, [&](const ReferencePicture& picture) { return picture.id == id; });
  if (document.shownPicture == id) document.shownPicture = document.pictures.empty() ? -1 : document.pictures.back().id;
  for (GoalItem& goal : document.goals)
    if (goal.seenIn == id) goal.seenIn = -1;
}

std::array<Eigen::Vector3d, 4> cornersAt(const ReferencePicture& picture, double depth) {
  const auto& [left, top, right, bottom] = picture.crop;
  const double where = picture.isOnPlane() ? 0.0 : depth;
  const auto at = [&](double x, double y) {
    return pointAt(picture.camera, {x * picture.width, y * picture.height}, where);
  };
  return {at(left, top), at(1.0 - right, top), at(1.0 - right, 1.0 - bottom), at(left, 1.0 - bottom)};
}

const ReferencePicture* pictureOf(const Document& document, const GoalItem& goal) {
  return goal.type == GoalType::Line ? findPicture(document, goal.seenIn) : nullptr;
}

int addSeenGoal(Document& document, const FigurePoint& point, int picture, const Eigen::Vector2d& pixel) {
  const int id = addGoal(document, GoalType::Line, {.link = point.link, .point = point.pointInLink});
  GoalItem& goal = *findGoal(document, id);
  goal.seenIn = picture;
  seeAt(document, goal, pixel);
  return id;
}

void seeAt(const Document& document, GoalItem& goal, const Eigen::Vector2d& pixel) {
  const ReferencePicture* picture = pictureOf(document, goal);
  if (!picture || !pixel.allFinite()) return;
  goal.target = pointAt(picture->camera, pixel, picture->camera.depthOf(goal.target));
  turnToCamera(picture->camera, goal);
}

void keepSeenGoals(const Document& before, Document& after) {
  for (GoalItem& goal : after.goals) {
    const ReferencePicture* picture = pictureOf(after, goal);
    if (!picture) continue;
    const GoalItem* old = findGoal(before, goal.id);
    const ReferencePicture* wasSeenIn = old ? pictureOf(before, *old) : nullptr;
    if (!wasSeenIn || wasSeenIn->id != picture->id) continue;  // newly seen
    const bool hasMoved = goal.target != old->target, isSameCamera = wasSeenIn->camera == picture->camera;
    if (hasMoved && !picture->isOnPlane() && picture->camera.depthOf(goal.target) < kLeastDepth)
      goal.target = old->target;
    if (!hasMoved && !isSameCamera) {
      const bool isBeforePinhole = !picture->isOnPlane() && !wasSeenIn->isOnPlane();  // moves the target, too
      const PictureCamera& measured = isBeforePinhole ? wasSeenIn->camera : picture->camera;
      goal.target = pointAt(picture->camera, wasSeenIn->camera.project(old->target), measured.depthOf(old->target));
    }
    if (hasMoved || !isSameCamera) turnToCamera(picture->camera, goal);
    else goal.targetFrame = old->targetFrame;  // an edit cannot change the line's direction
  }
}

}  // namespace limber
