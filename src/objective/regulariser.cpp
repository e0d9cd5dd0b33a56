// SPDX-License-Identifier: MIT
#include "objective/regulariser.h"

#include <cassert>
#include <cmath>
#include <vector>

namespace limber {

namespace {

std::vector<double> stiffened(double restWeight, std::span<const double> rigidities) {
  std::vector<double> weights;
  for (const double rigidity : rigidities) weights.push_back(restWeight / ((1.0 - rigidity) * (1.0 - rigidity)));
  return weights;
}

}  // namespace

Regulariser::Regulariser(const Figure& figure, Pose reference, double restWeight, std::span<const double> rigidities)
    : Regulariser(figure, std::move(reference), stiffened(restWeight, rigidities)) {}

Regulariser::Regulariser(const Figure& figure, Pose reference, std::span<const double> jointWeights)
    : reference_(std::move(reference)), weights_(figure.stepSize()) {
  assert(static_cast<int>(jointWeights.size()) == figure.linkCount());
  const double lengthScale = 1.0 / (figure.meanLinkLength() * figure.meanLinkLength());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    auto block = weights_.segment(joint.stepIndex, stepSize(joint.type));
    block.setConstant(jointWeights[static_cast<std::size_t>(i)]);
    if (joint.type == JointType::Prismatic) block *= lengthScale;
    if (joint.type == JointType::Free) block.head<3>() *= lengthScale;
  }
}

double Regulariser::evaluate(const Figure& figure, const Pose& pose, Eigen::VectorXd& offset) const {
  difference(figure, reference_, pose, offset);
  return 0.5 * weights_.cwiseProduct(offset).dot(offset);
}

Eigen::Matrix3d Regulariser::rotationHessian(const Eigen::VectorXd& offset, int coordinate) const {
  const Eigen::Vector3d t = offset.segment<3>(coordinate);
  const double w = weights_[coordinate];
  const double phi = t.norm();
  if (phi < 1e-4) return w * Eigen::Matrix3d::Identity();  // (phi/2) cot(phi/2) = 1 - phi^2/12 + ...
  const Eigen::Vector3d u = t / phi;
  const double across = 0.5 * phi / std::tan(0.5 * phi);
  return w * (across * Eigen::Matrix3d::Identity() + (1.0 - across) * u * u.transpose());
}

}  // namespace limber
