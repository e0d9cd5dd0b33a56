// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "limber/kinematics/forward_kinematics.h"

namespace limber::test {

/// The frame of a link in the axes of the figure's file, metres.
inline Transform fileFromLink(const Figure& figure, const Pose& pose, const std::string& name) {
  const Transform link = transformsOf(figure, pose).worldFromLink[figure.findLink(name)];
  const Eigen::Matrix3d fileFromScene = figure.fileFrame().sceneFromFile.transpose();
  return {fileFromScene * link.rotation, fileFromScene * link.translation};
}

}  // namespace limber::test
