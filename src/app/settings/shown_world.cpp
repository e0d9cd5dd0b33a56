// SPDX-License-Identifier: MIT
#include "app/settings/shown_world.h"

#include <cmath>

namespace limber::app {

namespace {

/// True if every axis is along one of the scene.
bool isAlongAxes(const Eigen::Matrix3d& axes) {
  const Eigen::Array33d size = axes.array().abs();
  return (size.rowwise().sum() == 1.0).all() && (size.colwise().maxCoeff() == 1.0).all() && axes.determinant() > 0.0;
}

}  // namespace

int ShownWorld::upAxis() const {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(sceneFromShown(1, axis)) == 1.0) return axis;
  return 1;
}

ShownWorld shownWorld(WorldAxes wanted, const Figure& figure) {
  const FileFrame& frame = figure.fileFrame();
  ShownWorld ofFile{frame.sceneFromFile, frame.origin}, zUp;
  zUp.sceneFromShown << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  if (figure.isPlanar()) return {};
  if (!isAlongAxes(ofFile.sceneFromShown)) ofFile = {};
  switch (wanted) {
    case WorldAxes::OfFile: return ofFile;
    case WorldAxes::YUp: return ofFile.upAxis() == 1 ? ofFile : ShownWorld{};
    case WorldAxes::ZUp: return ofFile.isZUp() ? ofFile : zUp;
  }
  return {};
}

}  // namespace limber::app
