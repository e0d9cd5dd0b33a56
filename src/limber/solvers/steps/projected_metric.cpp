// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/projected_metric.h"

#include <limits>

namespace limber {

namespace {

/// H <- H + c u u', lower triangle. Written out because Eigen's rank updates allocate.
void addSquare(Eigen::MatrixXd& H, const Eigen::VectorXd& u, double c) {
  for (Eigen::Index j = 0; j < u.size(); ++j) H.col(j).tail(u.size() - j) += (c * u[j]) * u.tail(u.size() - j);
}

/// H <- H + c (u v' + v u'), lower triangle.
void addPair(Eigen::MatrixXd& H, const Eigen::VectorXd& u, const Eigen::VectorXd& v, double c) {
  for (Eigen::Index j = 0; j < u.size(); ++j)
    H.col(j).tail(u.size() - j) += (c * v[j]) * u.tail(u.size() - j) + (c * u[j]) * v.tail(u.size() - j);
}

}  // namespace

void ProjectedMetric::reset(int n) {
  lower_.setIdentity(n, n);
  product_.resize(n);
}

void ProjectedMetric::apply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  out.noalias() = lower_.selfadjointView<Eigen::Lower>() * v;
}

void ProjectedMetric::add(const Eigen::VectorXd& normal) {
  apply(normal, product_);
  const double length = normal.dot(product_);
  if (length > 0.0) addSquare(lower_, product_, -1.0 / length);
}

void ProjectedMetric::drop(const Eigen::VectorXd& free) {
  const double length = free.squaredNorm();  // a'Pa = |P a|^2
  if (length > 0.0) addSquare(lower_, free, 1.0 / length);
}

bool ProjectedMetric::update(const Eigen::VectorXd& sigma, const Eigen::VectorXd& change, bool mayUseDfp) {
  const double sy = sigma.dot(change);
  if (!(sy > std::numeric_limits<double>::epsilon() * sigma.norm() * change.norm())) return false;
  apply(change, product_);
  const double yHy = change.dot(product_);
  if (sy >= yHy || !mayUseDfp) {
    addSquare(lower_, sigma, (1.0 + yHy / sy) / sy);
    addPair(lower_, sigma, product_, -1.0 / sy);
  } else {
    addSquare(lower_, sigma, 1.0 / sy);
    addSquare(lower_, product_, -1.0 / yHy);
  }
  return true;
}

}  // namespace limber
