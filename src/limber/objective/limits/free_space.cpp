// SPDX-License-Identifier: MIT
// FeasibleSet::findFreeSpace.
#include "limber/objective/limits/free_space.h"

#include <cmath>
#include <numeric>

#include "limber/objective/limits/feasible_set.h"

namespace limber {

namespace {

constexpr double kDependent = 1e-7;      // a unit normal is dependent if its part outside the others' span is smaller
constexpr double kConeRounding = 1e-12;  // relative to the gradient

LimitKind oppositeOf(LimitKind kind) {
  if (kind == LimitKind::Upper) return LimitKind::Lower;
  return kind == LimitKind::Lower ? LimitKind::Upper : kind;
}

/// Removes the direction of a normal from a projector of the given rank. The caller sizes `scratch`.
template <typename Matrix, typename Vector>
void takeOut(const Vector& normal, Matrix& projector, Vector& scratch, int& rank) {
  if (rank == 0) return;
  scratch.noalias() = projector * normal;
  const double squared = scratch.squaredNorm();
  if (squared <= kDependent * kDependent) return;
  projector.noalias() -= (scratch / squared) * scratch.transpose();
  if (--rank == 0) projector.setZero();  // exactly, not up to rounding
}

}  // namespace

bool FeasibleSet::isHeld(const Pose& pose, int coordinate, double gradient) const {
  const LimitList::Bound& bound = list_.bounds[coordinate];
  if (bound.poseIndex < 0) return false;
  const double q = pose.coordinates[bound.poseIndex];
  if (bound.interval.lower == bound.interval.upper) return true;
  return gradient > 0.0 ? q - bound.interval.lower <= kOnLimit : gradient < 0.0 && bound.interval.upper - q <= kOnLimit;
}

void FeasibleSet::findFreeSpace(const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space) const {
  const auto lock = lockGroups();
  space.free.assign(activeCount_, 1);
  space.limits.clear();
  space.limits.reserve(constraints_.size());
  for (const int c : bounded_)
    if (const int k = activeIndex_[c]; k >= 0) findFreeScalar(pose, c, gradient[k], space);
  std::size_t count = 0;
  for (std::size_t b = 0; b < list_.balls.size(); ++b) {
    if (activeOf(list_.balls[b]) < 0) continue;
    if (space.blocks.size() <= count) space.blocks.emplace_back();
    space.blocks[count].ball = static_cast<int>(b);
    findFreeBall(pose, gradient, list_.balls[b], space.blocks[count++], space.limits);
  }
  for (Group& group : groups_) {
    group.block = group.coordinates.size() > 1 ? static_cast<int>(count++) : -1;
    if (space.blocks.size() < count) space.blocks.emplace_back();
    findFreeGroup(pose, gradient, group, space);
  }
  space.blocks.resize(count);
}

void FeasibleSet::findFreeScalar(const Pose& pose, int coordinate, double gradient, FreeSpace& space) const {
  if (!isHeld(pose, coordinate, gradient)) return;
  space.free[activeIndex_[coordinate]] = 0;
  const LimitList::Side& side = gradient > 0.0 ? list_.bounds[coordinate].lower : list_.bounds[coordinate].upper;
  const double rate = side.rate > 0.0 ? side.rate : 1.0;
  space.limits.push_back({side.kind, side.index, std::abs(gradient) / rate});
}

void FeasibleSet::findFreeGroup(const Pose& pose, const Eigen::VectorXd& gradient, Group& group,
                                FreeSpace& space) const {
  const auto n = static_cast<Eigen::Index>(group.coordinates.size());
  const auto activeAt = [&](Eigen::Index i) { return activeIndex_[group.coordinates[i]]; };
  group.candidates.clear();
  for (std::size_t j = 0; j < group.constraints.size(); ++j)
    if (const Constraint& c = constraints_[group.constraints[j]]; c.isEquality || slackOf(c, pose) <= kOnLimit)
      group.candidates.push_back(static_cast<int>(j));
  group.cone.resize(static_cast<int>(n), static_cast<int>(group.candidates.size()));
  for (std::size_t i = 0; i < group.candidates.size(); ++i) {
    const int j = group.candidates[i];
    group.cone.normals.col(i) = group.nearest.normals.col(j);
    group.cone.bounds[i] = 0.0;
    group.cone.isEquality[i] = constraints_[group.constraints[j]].isEquality;
  }
  for (Eigen::Index i = 0; i < n; ++i) group.x[i] = -gradient[activeAt(i)];
  group.cone.solve(group.x, kConeRounding * group.x.cwiseAbs().maxCoeff());

  FreeSpace::Block* block = group.block < 0 ? nullptr : &space.blocks[group.block];
  if (block) {
    block->ball = -1;
    block->held = 0;
    block->active.resize(group.coordinates.size());
    block->holds.assign(group.constraints.size(), 0);
    for (Eigen::Index i = 0; i < n; ++i) block->active[i] = activeAt(i);
    block->projector.setIdentity(n, n);
    block->curvature.setZero(n, n);
  }
  auto rank = static_cast<int>(n);
  for (std::size_t i = 0; i < group.candidates.size(); ++i) {
    const Constraint& c = constraints_[group.constraints[group.candidates[i]]];
    const double multiplier = group.cone.multipliers()[i];
    if (multiplier == 0.0 && !c.isEquality) continue;
    const LimitKind kind = multiplier < 0.0 ? oppositeOf(c.kind) : c.kind;  // either of two equal bounds may hold
    const double size = kind == LimitKind::Equality ? multiplier : std::abs(multiplier);
    space.limits.push_back({kind, c.index, size * scaleOf(c, pose)});
    if (!block) {
      space.free[activeAt(0)] = 0;
      continue;
    }
    ++block->held;
    block->holds[group.candidates[i]] = 1;
    group.x = group.cone.normals.col(i);
    takeOut(group.x, block->projector, group.direction, rank);
  }
}

void FeasibleSet::findFreeBall(const Pose& pose, const Eigen::VectorXd& gradient, const LimitList::Ball& ball,
                               FreeSpace::Block& block, std::vector<ActiveLimit>& limits) const {
  const int first = activeOf(ball);
  block.active.resize(3);
  std::iota(block.active.begin(), block.active.end(), first);
  block.held = 0;
  block.holdsSwing = false;
  block.twistSide = 0;
  const BallRange& range = ball.range;
  const BallRange::Place place = range.placeOf(rotationAt(pose, ball.poseIndex));
  const Eigen::Vector3d g = gradient.segment<3>(first);
  Eigen::Matrix3d projector = Eigen::Matrix3d::Identity(), curvature = Eigen::Matrix3d::Zero();
  Eigen::Vector3d scratch;
  int rank = 3;
  if (range.isHinge()) {
    rank = 1;
    projector = place.twistAxis * place.twistAxis.transpose();
    limits.push_back({LimitKind::Swing, ball.joint, (g - projector * g).norm()});
    ++block.held;
  } else if (range.limitsSwing() && place.swing >= range.swing() - kOnLimit) {
    const Eigen::Vector3d n = swingNormal(place);
    if (const double multiplier = -g.dot(n); multiplier > 0.0) {
      takeOut(n, projector, scratch, rank);
      curvature += multiplier * swingCurvature(place);
      limits.push_back({LimitKind::Swing, ball.joint, multiplier});
      block.holdsSwing = true;
      ++block.held;
    }
  }
  const double rate = twistRate(place);
  if (range.limitsTwist() && (range.halfTwist() - std::abs(place.twist)) * rate <= kOnLimit) {
    const Eigen::Vector3d n = twistNormal(place);
    double multiplier = -g.dot(n);
    const int side = range.isTwistFixed() ? (multiplier < 0.0 ? -1 : 1) : place.twist < 0.0 ? -1 : 1;
    multiplier *= side;
    if (!n.isZero(0.0) && (multiplier > 0.0 || range.isTwistFixed())) {
      takeOut(n, projector, scratch, rank);
      limits.push_back({side > 0 ? LimitKind::TwistUpper : LimitKind::TwistLower, ball.joint, multiplier * rate});
      block.twistSide = side;
      ++block.held;
    }
  }
  block.projector = projector;
  block.curvature = curvature;
}

}  // namespace limber
