// SPDX-License-Identifier: MIT
#include "limber/kinematics/rotation_logarithm.h"

#include <Eigen/Geometry>
#include <cmath>

#include "limber/kinematics/transform.h"

namespace limber {

namespace {

constexpr double kSeriesBelow = 0.3;  // radians: there the error of the closed forms is 1e-12, that of the series 1e-16

/// c(phi), and d = c'(phi) / phi.
struct CurvatureFactors {
  double c = 0.0, d = 0.0;
};

/// The series has the coefficients |B_2k| / (2k)!, with the Bernoulli numbers B.
CurvatureFactors curvatureFactorsAt(double phi) {
  const double square = phi * phi;
  if (phi < kSeriesBelow)
    return {
        1.0 / 12 +
            square * (1.0 / 720 +
                      square * (1.0 / 30240 +
                                square * (1.0 / 1209600 + square * (1.0 / 47900160 + square * 691.0 / 1307674368000)))),
        1.0 / 360 +
            square * (1.0 / 7560 + square * (1.0 / 201600 + square * (1.0 / 5987520 + square * 691.0 / 130767436800)))};
  const double half = 0.5 * phi, cotangent = 1.0 / std::tan(half), sine = std::sin(half);
  const double h = half * cotangent, slope = 0.5 * cotangent - 0.5 * half / (sine * sine);
  const double c = (1.0 - h) / square;
  return {c, (-slope / phi - 2.0 * c) / square};
}

}  // namespace

Eigen::Matrix3d inverseRightJacobian(const Eigen::Vector3d& t) {
  const Eigen::Matrix3d cross = skew(t);
  return Eigen::Matrix3d::Identity() + 0.5 * cross + curvatureFactorsAt(t.norm()).c * cross * cross;
}

Eigen::Vector3d pulledBack(const Eigen::Vector3d& t, const Eigen::Vector3d& m) {
  const Eigen::Vector3d across = t.cross(m);
  return m - 0.5 * across + curvatureFactorsAt(t.norm()).c * t.cross(across);
}

Eigen::Matrix3d pulledBackSlope(const Eigen::Vector3d& t, const Eigen::Vector3d& m) {
  const CurvatureFactors curvature = curvatureFactorsAt(t.norm());
  const Eigen::Matrix3d outer = t.dot(m) * Eigen::Matrix3d::Identity() + t * m.transpose() - 2.0 * m * t.transpose();
  return 0.5 * skew(m) + curvature.c * outer + curvature.d * t.cross(t.cross(m)) * t.transpose();
}

}  // namespace limber
