// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/commands/output.h"
#include "limber/io/base/json.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/named_end.h"

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

/// The names of a joint's step coordinates: that of the joint if it has one.
std::vector<std::string> stepNames(const Joint& joint) {
  if (isScalar(joint)) return {joint.name};
  std::vector<std::string> names;
  if (joint.type == JointType::Free)
    for (const char* axis : {".tx", ".ty", ".tz"}) names.push_back(joint.name + axis);
  if (hasRotation(joint))
    for (const char* axis : {".x", ".y", ".z"}) names.push_back(joint.name + axis);
  return names;
}

/// The Jacobian of a site or link; lengths are in the unit of the figure's file in rows and columns.
io::OrderedJson jacobianJson(const Document& document, const Jacobians& jacobians, const std::string& end) {
  const Figure& figure = *document.figure;
  Jacobian matrix;
  jacobians.compute(figure, endNamed(figure, end), {}, matrix);
  io::OrderedJson json = {{"of", end}, {"columns", io::OrderedJson::array()}, {"rows", io::OrderedJson::array()}};
  for (const Joint& joint : figure.joints()) {
    const int lengths = joint.type == JointType::Prismatic ? 1 : joint.type == JointType::Free ? 3 : 0;
    matrix.middleCols(joint.stepIndex, lengths) *= figure.fileFrame().metresPerUnit;
    for (std::string& name : stepNames(joint)) json["columns"].push_back(std::move(name));
  }
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    json["rows"].push_back(io::toJson(Eigen::VectorXd(matrix.row(i).transpose())));
  return json;
}

}  // namespace

int runFk(const FkArguments& arguments, Console& console) {
  const io::Result<io::Opened> opened = openPosed(arguments.file, arguments.pose, console, arguments.context);
  if (!opened) return console.fail(opened.error());
  const Document& document = opened->document;
  io::OrderedJson json = placesToJson(*document.figure, document.pose);
  if (!arguments.jacobians.empty()) {
    Jacobians jacobians(*document.figure, document.couplingEnabled);
    jacobians.setPose(*document.figure, document.pose);
    for (const std::string& end : arguments.jacobians)
      json["jacobians"].push_back(jacobianJson(document, jacobians, end));
  }
  return console.print(io::formatJson(json));
}

}  // namespace limber::app
