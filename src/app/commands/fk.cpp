// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <nlohmann/json.hpp>

#include "app/commands/output.h"
#include "limber/io/base/json.h"
#include "limber/io/json/problem_json.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::app {

namespace {

/// (x, y, z, w) with w >= 0: q and -q are the same rotation, and the results of programs can so be compared.
Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(rotation).normalized();
  return q.w() < 0.0 ? Eigen::Vector4d(-q.coeffs()) : Eigen::Vector4d(q.coeffs());
}

/// A robot that was moved onto the ground is computed where its file has it, without rounding.
io::OrderedJson linksToJson(const Figure& inScene, const Pose& pose) {
  FigureEdit inFile;
  if (!inScene.fileFrame().origin.isZero(0.0)) inFile = setFileOrigin(inScene, Eigen::Vector3d::Zero());
  const Figure& figure = inFile.figure ? *inFile.figure : inScene;
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  const Eigen::Matrix3d fileFromScene = figure.fileFrame().sceneFromFile.transpose();
  io::OrderedJson links = io::OrderedJson::array();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Transform& worldFromLink = kinematics.worldFromLink[i];
    links.push_back({{"name", figure.link(i).name},
                     {"position", io::toJson(figure.fileFrame().toFile(worldFromLink.translation))},
                     {"rotation", io::toJson(quaternionOf(fileFromScene * worldFromLink.rotation))}});
  }
  return {{"links", std::move(links)}};
}

}  // namespace

int runFk(const FkArguments& arguments, std::ostream& out, std::ostream& err) {
  const io::Result<io::Opened> opened =
      openPosed(arguments.file, arguments.pose, err, {.base = arguments.base, .motion = arguments.motion});
  if (!opened) return fail(opened.error(), err);
  return print(io::formatJson(linksToJson(*opened->document.figure, opened->document.pose)), out, err);
}

}  // namespace limber::app
