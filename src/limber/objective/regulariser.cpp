// SPDX-License-Identifier: MIT
#include "limber/objective/regulariser.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "limber/kinematics/rotation_logarithm.h"

namespace limber {

namespace {

std::vector<double> stiffened(const Figure& figure, double restWeight, std::span<const double> rigidities) {
  if (rigidities.empty()) return std::vector<double>(figure.linkCount(), restWeight);
  std::vector<double> weights;
  for (const double rigidity : rigidities) weights.push_back(restWeight / ((1.0 - rigidity) * (1.0 - rigidity)));
  return weights;
}

}  // namespace

Regulariser::Regulariser(const Figure& figure, Pose reference, double restWeight, std::span<const double> rigidities)
    : Regulariser(figure, std::move(reference), stiffened(figure, restWeight, rigidities)) {}

Regulariser::Regulariser(const Figure& figure, Pose reference, std::span<const double> jointWeights)
    : reference_(std::move(reference)), weights_(figure.stepSize()) {
  if (static_cast<int>(jointWeights.size()) != figure.linkCount())
    throw std::invalid_argument("a regulariser needs " + std::to_string(figure.linkCount()) +
                                " rigidities or weights, one per joint, not " + std::to_string(jointWeights.size()));
  const double lengthScale = 1.0 / (figure.meanLinkLength() * figure.meanLinkLength());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    auto block = weights_.segment(joint.stepIndex, stepSize(joint.type));
    block.setConstant(jointWeights[i]);
    if (joint.type == JointType::Prismatic) block *= lengthScale;
    if (joint.type == JointType::Free) block.head<3>() *= lengthScale;
  }
}

void Regulariser::setRotationWeight(int coordinate, const Eigen::Matrix3d& matrix) {
  assert(matrix.allFinite() && !findBlock(coordinate));
  blocks_.push_back({coordinate, 0.5 * (matrix + matrix.transpose())});
  weights_.segment<3>(coordinate).setConstant(matrix.trace() / 3.0);
}

const Regulariser::Block* Regulariser::findBlock(int coordinate) const {
  const auto found =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.coordinate == coordinate; });
  return found == blocks_.end() ? nullptr : &*found;
}

double Regulariser::evaluate(const Figure& figure, const Pose& pose, Eigen::VectorXd& offset) const {
  difference(figure, reference_, pose, offset);
  if (blocks_.empty()) return 0.5 * weights_.cwiseProduct(offset).dot(offset);
  double sum = 0.0;
  for (const Block& block : blocks_) {
    const Eigen::Vector3d t = offset.segment<3>(block.coordinate);
    sum += t.dot(block.matrix * t) - weights_[block.coordinate] * t.squaredNorm();
  }
  return 0.5 * (weights_.cwiseProduct(offset).dot(offset) + sum);
}

void Regulariser::addGradient(const Eigen::VectorXd& offset, Eigen::VectorXd& gradient) const {
  gradient += weights_.cwiseProduct(offset);
  for (const Block& block : blocks_) {
    const Eigen::Vector3d t = offset.segment<3>(block.coordinate);
    gradient.segment<3>(block.coordinate) += pulledBack(t, block.matrix * t) - weights_[block.coordinate] * t;
  }
}

double Regulariser::rotationValue(int coordinate, const Eigen::Vector3d& t) const {
  const Block* block = findBlock(coordinate);
  return block ? 0.5 * t.dot(block->matrix * t) : 0.5 * weights_[coordinate] * t.squaredNorm();
}

Eigen::Vector3d Regulariser::rotationGradient(int coordinate, const Eigen::Vector3d& t) const {
  const Block* block = findBlock(coordinate);
  return block ? pulledBack(t, block->matrix * t) : Eigen::Vector3d(weights_[coordinate] * t);
}

Eigen::Matrix3d Regulariser::rotationHessian(const Eigen::VectorXd& offset, int coordinate) const {
  const Eigen::Vector3d t = offset.segment<3>(coordinate);
  if (const Block* block = findBlock(coordinate)) {
    const Eigen::Matrix3d inverse = inverseRightJacobian(t);
    const Eigen::Matrix3d slope = inverse.transpose() * block->matrix + pulledBackSlope(t, block->matrix * t);
    const Eigen::Matrix3d hessian = slope * inverse;
    return 0.5 * (hessian + hessian.transpose());
  }
  const double w = weights_[coordinate];
  const double phi = t.norm();
  if (phi < 1e-4) return w * Eigen::Matrix3d::Identity();  // (phi/2) cot(phi/2) = 1 - phi^2/12 + ...
  const Eigen::Vector3d u = t / phi;
  const double across = 0.5 * phi / std::tan(0.5 * phi);
  return w * (across * Eigen::Matrix3d::Identity() + (1.0 - across) * u * u.transpose());
}

}  // namespace limber
