// SPDX-License-Identifier: MIT
#include "limber/io/usd/usda_prims.h"

#include <Eigen/SVD>
#include <numbers>

#include "limber/io/base/json.h"
#include "limber/io/base/result.h"
#include "limber/io/robot/robot_parts.h"

namespace limber::io {

namespace {

constexpr double kFarthestUsda = 1e9;

Eigen::Affine3d turnAboutUsdaAxis(char axis, double degrees) {
  return Eigen::Affine3d(Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, Eigen::Vector3d::Unit(axis - 'X')));
}

/// One operation of xformOpOrder, such as "xformOp:rotateXYZ:turn".
Eigen::Affine3d usdaOperation(const UsdaPrim& prim, const std::string& name) {
  const std::string kind = name.substr(8, name.find(':', 8) - 8);
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  if (kind == "transform") {
    if (const auto matrix = prim.numbers(name, 16)) out = usdaMatrix(matrix->data());
  } else if (kind == "orient") {
    if (const auto turn = prim.numbers(name, 4)) out.linear() = usdaQuaternion(turn->data()).toRotationMatrix();
  } else if (kind == "translate") {
    if (const auto by = prim.numbers(name, 3)) out.translation() = Eigen::Vector3d(by->data());
  } else if (kind == "scale") {
    if (const auto by = prim.numbers(name, 3)) out.linear() = Eigen::Vector3d(by->data()).asDiagonal();
  } else if (kind.starts_with("rotate") && kind.size() == 7) {
    out = turnAboutUsdaAxis(kind[6], prim.number(name, 0.0));
  } else if (kind.starts_with("rotate") && kind.size() == 9) {  // the first axis turns first
    if (const auto angles = prim.numbers(name, 3))
      for (int i = 0; i < 3; ++i) out = turnAboutUsdaAxis(kind[6 + i], (*angles)[kind[6 + i] - 'X']) * out;
  } else {
    throw Fault{"line " + std::to_string(prim.line), "there is no operation " + inQuotes(name)};
  }
  return out;
}

bool hasValidAxes(const std::string& name) {
  const std::size_t at = name.find("rotate");
  if (at == std::string::npos) return true;
  const std::string axes = name.substr(at + 6, name.find(':', at) - at - 6);
  return !axes.empty() && axes.find_first_not_of("XYZ") == std::string::npos;
}

}  // namespace

Eigen::Affine3d usdaMatrix(const double* sixteen) {
  Eigen::Affine3d out;
  out.matrix() = Eigen::Matrix4d::Map(sixteen);  // column by column: transposed
  out.makeAffine();
  return out;
}

Eigen::Quaterniond usdaQuaternion(const double* four) {
  const Eigen::Quaterniond turn(four[0], four[1], four[2], four[3]);
  return std::isfinite(turn.norm()) && turn.norm() > 1e-9 ? turn.normalized() : Eigen::Quaterniond::Identity();
}

Eigen::Matrix3d rotationOf(const Eigen::Matrix3d& linear) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> parts(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d out = parts.matrixU() * parts.matrixV().transpose();
  if (out.determinant() < 0.0) {
    Eigen::Matrix3d u = parts.matrixU();
    u.col(2) *= -1.0;
    out = u * parts.matrixV().transpose();
  }
  return out;
}

UsdaScene::UsdaScene(std::string_view text) : text_(parseUsda(text)) {
  frame_.metresPerUnit = text_.layer.number("metersPerUnit", 0.01);
  if (!(frame_.metresPerUnit > 1e-9 && frame_.metresPerUnit < 1e9))
    throw Fault{"line " + std::to_string(text_.layer.find("metersPerUnit")->line), "metersPerUnit is not a unit"};
  if (text_.layer.text("upAxis", "Y") == "Z") frame_.sceneFromFile = zUpFrame().sceneFromFile;
  for (std::size_t i = 0; i < prims().size(); ++i) {
    const UsdaPrim& prim = prims()[i];
    index_.emplace(prim.path, static_cast<int>(i));
    bool isReset = false;
    Eigen::Affine3d place = parentFromPrim(prim, isReset);
    if (prim.parent >= 0 && !isReset) place = worldFromPrim_[prim.parent] * place;
    if (!(place.matrix().cwiseAbs().maxCoeff() < kFarthestUsda))
      throw Fault{"line " + std::to_string(prim.line), "the place of " + inQuotes(prim.path) + " is too far away"};
    worldFromPrim_.push_back(place);
  }
}

Eigen::Affine3d UsdaScene::parentFromPrim(const UsdaPrim& prim, bool& isReset) const {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  const UsdaProperty* order = prim.find("xformOpOrder");
  if (!order) return out;
  for (const std::string& written : order->value.texts) {
    if (written == "!resetXformStack!") {
      isReset = true;
      continue;
    }
    const bool isInverse = written.starts_with("!invert!");
    const std::string name = isInverse ? written.substr(8) : written;
    if (!name.starts_with("xformOp:") || !hasValidAxes(name))
      throw Fault{"line " + std::to_string(order->line), "there is no operation " + inQuotes(name)};
    const Eigen::Affine3d operation = usdaOperation(prim, name);
    out = out * (isInverse ? operation.inverse() : operation);
  }
  return out;
}

double UsdaScene::timeCodesPerSecond() const {
  const double rate = text_.layer.number("timeCodesPerSecond", text_.layer.number("framesPerSecond", 24.0));
  return rate > 1e-6 && rate < 1e6 ? rate : 24.0;
}

int UsdaScene::target(const UsdaPrim& prim, std::string_view relation) const {
  const auto found = index_.find(prim.text(relation, ""));
  return found == index_.end() ? -1 : found->second;
}

std::string UsdaScene::noteAboutArcs() const {
  std::string list;
  for (const std::string& arc : text_.arcs) list += (list.empty() ? "" : ", ") + arc;
  return list.empty() ? "" : "Prims take parts from elsewhere (" + list + "), which are not read: flatten the stage.";
}

}  // namespace limber::io
