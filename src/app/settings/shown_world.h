// SPDX-License-Identifier: MIT
// The axes in which the window shows and takes places and directions. The scene itself always has y up.
#pragma once

#include <Eigen/Core>

#include "app/settings/preferences.h"
#include "limber/kinematics/figure.h"

namespace limber::app {

struct ShownWorld {
  Eigen::Matrix3d sceneFromShown = Eigen::Matrix3d::Identity();  ///< columns: the shown axes, each along a scene axis
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();              ///< of the shown axes, in the scene, metres

  /// The index of the shown axis that points up, or down.
  int upAxis() const;
  bool isZUp() const { return upAxis() == 2; }

  Eigen::Vector3d toShown(const Eigen::Vector3d& place) const { return sceneFromShown.transpose() * (place - origin); }
  Eigen::Vector3d toScene(const Eigen::Vector3d& place) const { return sceneFromShown * place + origin; }
  /// Directions; the columns of a matrix.
  Eigen::Matrix3d turnedToShown(const Eigen::Matrix3d& frame) const { return sceneFromShown.transpose() * frame; }
  Eigen::Matrix3d turnedToScene(const Eigen::Matrix3d& frame) const { return sceneFromShown * frame; }
};

/// The axes of the figure's file, or those that the user prefers. A planar figure keeps x and y.
ShownWorld shownWorld(WorldAxes wanted, const Figure& figure);

}  // namespace limber::app
