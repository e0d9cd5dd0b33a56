// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <nlohmann/json.hpp>

#include "app/commands/output.h"
#include "limber/io/base/json.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::app {

namespace {

/// (x, y, z, w) with w >= 0: q and -q are the same rotation, so the results of programs can be compared.
Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(rotation).normalized();
  return q.w() < 0.0 ? Eigen::Vector4d(-q.coeffs()) : Eigen::Vector4d(q.coeffs());
}

io::OrderedJson placeToJson(const Figure& figure, const Transform& worldFromPlace) {
  const Eigen::Matrix3d fileFromScene = figure.fileFrame().sceneFromFile.transpose();
  return {{"position", io::toJson(figure.fileFrame().toFile(worldFromPlace.translation))},
          {"rotation", io::toJson(quaternionOf(fileFromScene * worldFromPlace.rotation))}};
}

/// Computes a robot that was moved onto the ground where its file has it, without rounding.
io::OrderedJson placesToJson(const Figure& inScene, const Pose& pose) {
  FigureEdit inFile;
  if (!inScene.fileFrame().origin.isZero(0.0)) inFile = setFileOrigin(inScene, Eigen::Vector3d::Zero());
  const Figure& figure = inFile.figure ? *inFile.figure : inScene;
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  io::OrderedJson links = io::OrderedJson::array(), sites = io::OrderedJson::array();
  for (int i = 0; i < figure.linkCount(); ++i) {
    io::OrderedJson link = {{"name", figure.link(i).name}};
    link.update(placeToJson(figure, kinematics.worldFromLink[i]));
    links.push_back(std::move(link));
  }
  for (const Site& site : figure.sites()) {
    io::OrderedJson place = {{"name", site.name}, {"link", figure.link(site.link).name}};
    place.update(placeToJson(figure, kinematics.worldFromLink[site.link] * site.linkFromSite));
    sites.push_back(std::move(place));
  }
  return {{"links", std::move(links)}, {"sites", std::move(sites)}};
}

}  // namespace

int runFk(const FkArguments& arguments, Console& console) {
  const io::Result<io::Opened> opened = openPosed(arguments.file, arguments.pose, console, arguments.context);
  if (!opened) return console.fail(opened.error());
  return console.print(io::formatJson(placesToJson(*opened->document.figure, opened->document.pose)));
}

}  // namespace limber::app
