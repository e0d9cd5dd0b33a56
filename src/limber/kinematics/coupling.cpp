// SPDX-License-Identifier: MIT
#include "limber/kinematics/coupling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace limber {

namespace {

constexpr int kAxes = 3;
constexpr std::array<std::array<int, 2>, 3> kPairsOfAxes = {{{0, 1}, {0, 2}, {1, 2}}};

}  // namespace

double Quartic::value(double x) const {
  const auto& c = coefficients;
  return x * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
}

double Quartic::slope(double x) const {
  const auto& c = coefficients;
  return c[0] + x * (2.0 * c[1] + x * (3.0 * c[2] + x * 4.0 * c[3]));
}

double Quartic::curvature(double x) const {
  const auto& c = coefficients;
  return 2.0 * c[1] + x * (6.0 * c[2] + x * 12.0 * c[3]);
}

Interval rangeOf(const Quartic& curve, const Interval& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (curve.coefficients == std::array<double, 4>{}) return {0.0, 0.0};
  if (!std::isfinite(x.lower) || !std::isfinite(x.upper)) return {-kInfinity, kInfinity};
  Interval sum{0.0, 0.0};
  for (std::size_t k = curve.coefficients.size(); k-- > 0;) {
    const double lower = sum.lower + curve.coefficients[k], upper = sum.upper + curve.coefficients[k];
    const auto [least, most] = std::minmax({x.lower * lower, x.lower * upper, x.upper * lower, x.upper * upper});
    sum = {least, most};
  }
  return sum;
}

double Couplings::Drive::value(const Pose& pose) const {
  if (kind == Kind::Scalar) return curve.value(pose.coordinates[driverPoseIndex]);
  return curve.value(pointing.axis.dot(rotationAt(pose, driverPoseIndex) * pointing.bone));
}

Couplings::Couplings(const Figure& figure, std::span<const char> enabled) {
  assert(enabled.size() == figure.couplings().size());
  std::vector<const Coupling*> sorted;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (enabled[i]) sorted.push_back(&figure.couplings()[i]);
  std::sort(sorted.begin(), sorted.end(),
            [](const Coupling* a, const Coupling* b) { return a->follower < b->follower; });
  for (const Coupling* coupling : sorted)
    if (limber::isScalar(figure.joint(coupling->follower))) addScalar(figure, *coupling);
    else addBall(figure, *coupling);
}

void Couplings::addScalar(const Figure& figure, const Coupling& coupling) {
  const Joint& follower = figure.joint(coupling.follower);
  Follower& added = followers_.emplace_back();
  added = {.coordinate = follower.stepIndex,
           .poseIndex = follower.poseIndex,
           .offset = coupling.offset,
           .firstDrive = static_cast<int>(drives_.size()),
           .driveCount = static_cast<int>(coupling.terms.size()),
           .firstTerm = static_cast<int>(terms_.size()),
           .firstCross = static_cast<int>(crosses_.size())};
  for (const Coupling::Term& term : coupling.terms) {
    const Joint& driver = figure.joint(term.driver);
    const int first = static_cast<int>(terms_.size());
    Drive& drive = drives_.emplace_back();
    drive = {.driver = driver.stepIndex,
             .driverPoseIndex = driver.poseIndex,
             .curve = {term.coefficients},
             .firstTerm = first};
    if (term.pointing) {
      drive.kind = Drive::Kind::Pointing;
      drive.pointing = *term.pointing;
      drive.termCount = kAxes;
      for (const auto& [a, b] : kPairsOfAxes) crosses_.push_back({first + a, first + b});
    }
    for (int a = 0; a < drive.termCount; ++a) terms_.push_back({follower.stepIndex, driver.stepIndex + a});
  }
  added.termCount = static_cast<int>(terms_.size()) - added.firstTerm;
  added.crossCount = static_cast<int>(crosses_.size()) - added.firstCross;
}

void Couplings::addBall(const Figure& figure, const Coupling& coupling) {
  const Joint &follower = figure.joint(coupling.follower), &driver = figure.joint(coupling.terms[0].driver);
  for (int a = 0; a < kAxes; ++a) {
    followers_.push_back({.coordinate = follower.stepIndex + a,
                          .poseIndex = follower.poseIndex,
                          .isScalar = false,
                          .firstDrive = static_cast<int>(drives_.size()),
                          .driveCount = 1,
                          .firstTerm = static_cast<int>(terms_.size()) + a,
                          .termCount = 1,
                          .firstCross = static_cast<int>(crosses_.size())});
  }
  drives_.push_back({.kind = Drive::Kind::Alike,
                     .driver = driver.stepIndex,
                     .driverPoseIndex = driver.poseIndex,
                     .firstTerm = static_cast<int>(terms_.size()),
                     .termCount = kAxes});
  for (int a = 0; a < kAxes; ++a) terms_.push_back({follower.stepIndex + a, driver.stepIndex + a});
}

bool Couplings::isFollower(int coordinate) const {
  const auto found = std::lower_bound(followers_.begin(), followers_.end(), coordinate,
                                      [](const Follower& f, int c) { return f.coordinate < c; });
  return found != followers_.end() && found->coordinate == coordinate;
}

void Couplings::apply(Pose& pose) const {
  for (const Follower& follower : followers_) {
    if (!follower.isScalar) {
      pose.coordinates.segment<4>(follower.poseIndex) =
          Eigen::Vector4d(pose.coordinates.segment<4>(drivesOf(follower)[0].driverPoseIndex));
      continue;
    }
    double q = follower.offset;
    for (const Drive& drive : drivesOf(follower)) q += drive.value(pose);
    pose.coordinates[follower.poseIndex] = q;
  }
}

void Couplings::differentiate(const Pose& pose, std::vector<double>& slopes, std::vector<double>& curvatures,
                              std::vector<double>& crossCurvatures) const {
  slopes.resize(terms_.size());
  curvatures.resize(terms_.size());
  crossCurvatures.resize(crosses_.size());
  std::size_t cross = 0;
  for (const Drive& drive : drives_) {
    const int first = drive.firstTerm;
    if (drive.kind == Drive::Kind::Scalar) {
      const double q = pose.coordinates[drive.driverPoseIndex];
      slopes[first] = drive.curve.slope(q);
      curvatures[first] = drive.curve.curvature(q);
    } else if (drive.kind == Drive::Kind::Alike) {
      std::fill_n(slopes.begin() + drive.firstTerm, kAxes, 1.0);
      std::fill_n(curvatures.begin() + drive.firstTerm, kAxes, 0.0);
    } else {
      const Eigen::Vector3d& t = drive.pointing.bone;
      const Eigen::Vector3d b = rotationAt(pose, drive.driverPoseIndex).conjugate() * drive.pointing.axis;
      const double x = b.dot(t), slope = drive.curve.slope(x), curvature = drive.curve.curvature(x);
      const Eigen::Vector3d n = t.cross(b);
      const Eigen::Matrix3d outer = b * t.transpose();
      const Eigen::Matrix3d second =
          curvature * n * n.transpose() + slope * (0.5 * (outer + outer.transpose()) - x * Eigen::Matrix3d::Identity());
      for (int i = 0; i < kAxes; ++i) {
        slopes[first + i] = slope * n[i];
        curvatures[first + i] = second(i, i);
      }
      for (const auto& [i, j] : kPairsOfAxes) crossCurvatures[cross++] = second(i, j);
    }
  }
}

}  // namespace limber
