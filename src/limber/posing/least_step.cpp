// SPDX-License-Identifier: MIT
#include "limber/posing/least_step.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace limber {

namespace {

constexpr int kMostLeastSteps = 16;
constexpr int kMostAscents = 60;        // over the contacts of a step
constexpr double kClearedBy = 1e-4;     // mean link lengths: a contact this deep is none
constexpr double kSmallestStep = 1e-3;  // radians: the last step
constexpr double kLongestTurn = 0.5;    // radians
constexpr double kHeldWeight = 1e9;     // of a coordinate at its limit; a free one has 1
constexpr double kNearContact = 0.1;    // mean link lengths: a contact that was cleared by more does not count
constexpr int kHeldRounds = 8;          // of coordinates that reach a limit within a step
constexpr double kUnmovable = 1e-7;     // square metres per square radian: a contact that moves less cannot be moved

}  // namespace

bool LeastStep::solve(Contacts& contacts, const Pose& from, Pose& pose) {
  if (size() == 0 || size() > LimitedJoints::kMost) return false;
  for (int step = 0; step < kMostLeastSteps; ++step) {
    computeTransforms(figure_, pose, now_);
    contacts.takeInside(now_);
    const bool isClear = linearise(contacts);
    if (isClear && step > 0 && by_.norm() < kSmallestStep) return true;
    findStep(from, pose);
    pose = joints_.moved(pose, by_);
  }
  computeTransforms(figure_, pose, now_);
  return !contacts.isAnyInside(now_);
}

LineEnds LeastStep::worldLine(const ClearanceGoal::Line& line) const {
  const Transform& link = now_.worldFromLink[line.link];
  return {link * line.start, link * line.end};
}

/// Sets one row for each contact that is near. True if none is too deep.
bool LeastStep::linearise(const Contacts& contacts) {
  const double unit = figure_.meanLinkLength();
  bool isClear = true;
  rows_ = 0;
  gradients_.resize(std::ssize(contacts.live()), size());
  excess_.resize(std::ssize(contacts.live()));
  for (const LiveContact& contact : contacts.live()) {
    const LineEnds line = worldLine(contact.line), other = worldLine(contact.otherLine);
    const Separation separation = separationOf(line, other);
    const double excess = separation.distance - contact.radii - contact.asked;
    isClear = isClear && excess > -kClearedBy * unit;
    if (excess > kNearContact * unit) continue;
    const auto [place, otherPlace] = closestPoints(line, other);
    gradients_.row(rows_).setZero();
    addGradient(contact.line.link, place, separation.normal);
    addGradient(contact.otherLine.link, otherPlace, -separation.normal);
    excess_[rows_++] = excess;
  }
  return isClear;
}

void LeastStep::addGradient(int link, const Eigen::Vector3d& place, const Eigen::Vector3d& normal) {
  for (Eigen::Index k = 0; k < size(); ++k) {
    const LimitedJoints::Coordinate& coordinate = joints_.coordinates()[static_cast<std::size_t>(k)];
    const int joint = joints_.links()[coordinate.entry];
    if (!figure_.isAncestorOrSelf(joint, link)) continue;
    const Transform& fromLink = now_.worldFromLink[joint];
    gradients_(rows_, k) += joints_.axisOf(coordinate, fromLink).cross(place - fromLink.translation).dot(normal);
  }
}

void LeastStep::findStep(const Pose& from, const Pose& pose) {
  difference(figure_, from, pose, whole_);
  LimitedJoints::Step soFar(size());
  for (Eigen::Index k = 0; k < size(); ++k) {
    const LimitedJoints::Coordinate& coordinate = joints_.coordinates()[static_cast<std::size_t>(k)];
    soFar[k] = whole_[figure_.joint(joints_.links()[coordinate.entry]).stepIndex + std::max(0, coordinate.axis)];
  }
  LimitedJoints::Square square = LimitedJoints::Square::Identity(size(), size());
  for (int round = 0; round < kHeldRounds; ++round) {
    ascend(soFar, square);
    if (!joints_.holdLimits(by_, pose, kHeldWeight, square)) break;
  }
  by_ *= std::min(1.0, kLongestTurn / std::max(by_.norm(), kLongestTurn));
}

/// The step for this quadratic function.
void LeastStep::ascend(const LimitedJoints::Step& soFar, const LimitedJoints::Square& square) {
  const auto gradients = gradients_.topRows(rows_);
  const Eigen::LDLT<LimitedJoints::Square> factor(square);
  const Eigen::MatrixXd moves = factor.solve(Eigen::MatrixXd(gradients.transpose()));  // of s for each multiplier
  by_ = factor.solve(-soFar);
  multipliers_.setZero(rows_);
  for (int sweep = 0; sweep < kMostAscents; ++sweep) {
    double largest = 0.0;
    for (Eigen::Index k = 0; k < rows_; ++k) {
      const double gain = gradients.row(k).dot(moves.col(k));
      if (!(gain > kUnmovable)) continue;
      const double before = multipliers_[k];
      multipliers_[k] = std::max(0.0, before - (excess_[k] + gradients.row(k).dot(by_)) / gain);
      by_ += (multipliers_[k] - before) * moves.col(k);
      largest = std::max(largest, std::abs(multipliers_[k] - before) * gain);
    }
    if (largest < 0.1 * kClearedBy * figure_.meanLinkLength()) return;
  }
}

}  // namespace limber
