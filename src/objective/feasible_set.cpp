// SPDX-License-Identifier: MIT
#include "objective/feasible_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace limber {

namespace {

constexpr double kInside = 1e-13;     // outside by less, relative to the coordinates, is rounding
constexpr double kOnLimit = 1e-11;    // a pose stands on a limit that is no farther; radians, metres
constexpr double kDependent = 1e-7;   // a unit normal with no more than this outside the others' span adds nothing
constexpr double kConeRounding = 1e-12;  // of the gradient

bool isScalar(const Joint& joint) { return joint.type == JointType::Revolute || joint.type == JointType::Prismatic; }

Eigen::Quaterniond rotationAt(const Pose& pose, int at) {
  return Eigen::Quaterniond(pose.coordinates[at + 3], pose.coordinates[at], pose.coordinates[at + 1], pose.coordinates[at + 2]);
}

void setRotation(const Eigen::Quaterniond& rotation, int at, Pose& pose) { pose.coordinates.segment<4>(at) = rotation.coeffs(); }

LimitKind oppositeOf(LimitKind kind) {
  if (kind == LimitKind::Upper) return LimitKind::Lower;
  return kind == LimitKind::Lower ? LimitKind::Upper : kind;
}

/// Takes the direction of a normal out of a projector of the given rank. `scratch` is sized by the caller.
template <typename Matrix, typename Vector>
void takeOut(const Vector& normal, Matrix& projector, Vector& scratch, int& rank) {
  if (rank == 0) return;
  scratch.noalias() = projector * normal;
  const double squared = scratch.squaredNorm();
  if (squared <= kDependent * kDependent) return;
  projector.noalias() -= (scratch / squared) * scratch.transpose();
  if (--rank == 0) projector.setZero();  // not just to rounding
}

}  // namespace

FeasibleSet::FeasibleSet(const Figure& figure, Limits limits)
    : couplings_(figure, limits.couplingEnabled), poseIndices_(static_cast<std::size_t>(figure.stepSize()), -1) {
  assert(static_cast<int>(limits.intervals.size()) == figure.linkCount());
  list_ = listLimits(figure, limits, couplings_);
  fault_ = list_.fault;
  for (const Joint& joint : figure.joints()) {
    jointNames_.push_back(joint.name);
    if (isScalar(joint)) poseIndices_[static_cast<std::size_t>(joint.stepIndex)] = joint.poseIndex;
  }
  for (const LinearLimit& limit : figure.linearLimits()) linearLimitNames_.push_back(limit.name);
  std::vector<int> all;
  for (int c = 0; c < figure.stepSize(); ++c)
    if (!couplings_.isFollower(c)) all.push_back(c);
  bind(figure, all);
  if (fault_.empty()) fault_ = fault(restPose(figure));
}

void FeasibleSet::bind(const Figure& figure, const std::vector<int>& active) {
  activeCount_ = static_cast<int>(active.size());
  activeIndex_.assign(static_cast<std::size_t>(figure.stepSize()), -1);
  for (std::size_t k = 0; k < active.size(); ++k) activeIndex_[static_cast<std::size_t>(active[k])] = static_cast<int>(k);
  formGroups();
  listConstraints();
  for (Group& group : groups_) prepareGroup(group);
  bounded_.clear();
  for (std::size_t c = 0; c < list_.bounds.size(); ++c)
    if (list_.bounds[c].poseIndex >= 0 && groupOf_[c] < 0) bounded_.push_back(static_cast<int>(c));
}

/// Rows that share an active coordinate belong together.
void FeasibleSet::formGroups() {
  const auto size = activeIndex_.size();
  std::vector<int> leader(size);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int c) {
    while (leader[static_cast<std::size_t>(c)] != c) c = leader[static_cast<std::size_t>(c)];
    return c;
  };
  std::vector<char> isTied(size, 0);
  std::vector<int> first(list_.rows.size(), -1);
  for (std::size_t r = 0; r < list_.rows.size(); ++r)
    for (const LimitList::Row::Term& term : list_.rows[r].terms) {
      if (activeIndex(term.coordinate) < 0 || term.coefficient == 0.0) continue;
      isTied[static_cast<std::size_t>(term.coordinate)] = 1;
      if (first[r] < 0) first[r] = term.coordinate;
      const int a = find(first[r]), b = find(term.coordinate);
      leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  groups_.clear();
  groupOf_.assign(size, -1);
  for (std::size_t c = 0; c < size; ++c) {
    if (!isTied[c]) continue;
    const auto lead = static_cast<std::size_t>(find(static_cast<int>(c)));
    if (groupOf_[lead] < 0) {
      groupOf_[lead] = static_cast<int>(groups_.size());
      groups_.emplace_back();
    }
    groupOf_[c] = groupOf_[lead];
    groups_[static_cast<std::size_t>(groupOf_[c])].coordinates.push_back(static_cast<int>(c));
  }
  rowGroups_.assign(list_.rows.size(), -1);
  for (std::size_t r = 0; r < list_.rows.size(); ++r)
    if (first[r] >= 0) rowGroups_[r] = groupOf_[static_cast<std::size_t>(first[r])];
  tiesScalars_ = std::any_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.coordinates.size() > 1; });
}

void FeasibleSet::listConstraints() {
  constraints_.clear();
  const auto add = [&](const Constraint& c, int group) {
    if (group >= 0) groups_[static_cast<std::size_t>(group)].constraints.push_back(constraintCount());
    constraints_.push_back(c);
  };
  for (std::size_t c = 0; c < list_.bounds.size(); ++c) {
    const LimitList::Bound& bound = list_.bounds[c];
    if (bound.poseIndex < 0 || activeIndex_[c] < 0) continue;
    const bool isEquality = bound.interval.lower == bound.interval.upper;
    const int at = static_cast<int>(c);
    if (std::isfinite(bound.interval.upper))
      add({bound.upper.kind, bound.upper.index, isEquality, Shape::Scalar, at, 1}, groupOf_[c]);
    if (std::isfinite(bound.interval.lower) && !isEquality)
      add({bound.lower.kind, bound.lower.index, false, Shape::Scalar, at, -1}, groupOf_[c]);
  }
  for (std::size_t r = 0; r < list_.rows.size(); ++r) {
    const LimitList::Row& row = list_.rows[r];
    if (rowGroups_[r] < 0) continue;
    double squared = 0.0;
    for (const LimitList::Row::Term& term : row.terms)
      if (activeIndex(term.coordinate) >= 0) squared += term.coefficient * term.coefficient;
    const bool isEquality = row.bounds.lower == row.bounds.upper;
    const int at = static_cast<int>(r);
    const double norm = std::sqrt(squared);
    if (std::isfinite(row.bounds.upper)) add({row.upperKind, row.index, isEquality, Shape::Row, at, 1, norm}, rowGroups_[r]);
    if (std::isfinite(row.bounds.lower) && !isEquality)
      add({row.lowerKind, row.index, false, Shape::Row, at, -1, norm}, rowGroups_[r]);
  }
  for (std::size_t b = 0; b < list_.balls.size(); ++b) {
    const LimitList::Ball& ball = list_.balls[b];
    if (activeOf(ball) < 0) continue;
    const int at = static_cast<int>(b);
    if (ball.range.isHinge()) {
      for (const int axis : {0, 1}) add({LimitKind::Swing, ball.joint, true, Shape::AcrossHinge, at, axis}, -1);
    } else if (ball.range.limitsSwing()) {
      add({LimitKind::Swing, ball.joint, false, Shape::Swing, at, 1}, -1);
    }
    if (!ball.range.limitsTwist()) continue;
    add({LimitKind::TwistUpper, ball.joint, ball.range.isTwistFixed(), Shape::Twist, at, 1}, -1);
    if (!ball.range.isTwistFixed()) add({LimitKind::TwistLower, ball.joint, false, Shape::Twist, at, -1}, -1);
  }
}

/// The normals of its constraints, over its own coordinates.
void FeasibleSet::prepareGroup(Group& group) const {
  const auto n = static_cast<int>(group.coordinates.size()), m = static_cast<int>(group.constraints.size());
  group.block = -1;
  group.nearest.resize(n, m);
  group.cone.resize(n, m);
  group.candidates.reserve(static_cast<std::size_t>(m));
  group.x.resize(n);
  group.direction.resize(n);
  group.nearest.normals.setZero();
  for (int j = 0; j < m; ++j) {
    const Constraint& c = constraint(group.constraints[static_cast<std::size_t>(j)]);
    for (int i = 0; i < n; ++i) {
      const int coordinate = group.coordinates[static_cast<std::size_t>(i)];
      if (c.shape == Shape::Scalar && c.at == coordinate) group.nearest.normals(i, j) = c.side;
      if (c.shape != Shape::Row) continue;
      for (const LimitList::Row::Term& term : list_.rows[static_cast<std::size_t>(c.at)].terms)
        if (term.coordinate == coordinate) group.nearest.normals(i, j) = c.side * term.coefficient / c.norm;
    }
  }
}

std::string FeasibleSet::nameOf(const Constraint& c) const {
  if (c.kind == LimitKind::LinearLower || c.kind == LimitKind::LinearUpper || c.kind == LimitKind::Equality)
    return "the linear limit \"" + linearLimitNames_[static_cast<std::size_t>(c.index)] + "\"";
  return "the limits of joint \"" + jointNames_[static_cast<std::size_t>(c.index)] + "\"";
}

std::string FeasibleSet::conflictOf(const Group& group) const {
  std::vector<int> conflict = group.nearest.conflict();
  std::sort(conflict.begin(), conflict.end());
  std::vector<std::string> names;
  for (const int j : conflict) {
    const std::string name = nameOf(constraint(group.constraints[static_cast<std::size_t>(j)]));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.size() == 1) return names[0] + " cannot be met by the joints that may move";
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + " contradict each other";
}

std::string FeasibleSet::fault(const Pose& pose) const {
  if (!fault_.empty()) return fault_;
  Pose inside = pose;
  projectBounds(inside);
  for (std::size_t r = 0; r < list_.rows.size(); ++r) {
    const LimitList::Row& row = list_.rows[r];
    const double sum = sumOf(row, inside), slack = kOnLimit * (1.0 + std::abs(sum));
    if (rowGroups_[r] >= 0 || (sum >= row.bounds.lower - slack && sum <= row.bounds.upper + slack)) continue;
    return nameOf({row.upperKind, row.index}) + " cannot be met by the joints that may move";
  }
  for (Group& group : groups_)
    if (!projectGroup(group, inside)) return conflictOf(group);
  return {};
}

void FeasibleSet::projectBounds(Pose& pose) const {
  for (const int c : bounded_) {
    double& q = pose.coordinates[boundAt(c).poseIndex];
    q = std::clamp(q, boundAt(c).interval.lower, boundAt(c).interval.upper);
  }
}

void FeasibleSet::project(Pose& pose) const {
  projectBounds(pose);
  for (Group& group : groups_) projectGroup(group, pose);
  for (const LimitList::Ball& ball : list_.balls)
    setRotation(ball.range.clamp(rotationAt(pose, ball.poseIndex)), ball.poseIndex, pose);
  couplings_.apply(pose);
}

void FeasibleSet::project(Pose& pose, const FreeSpace& space) const {
  projectBounds(pose);
  for (Group& group : groups_)
    projectGroup(group, pose, group.block < 0 ? nullptr : &space.blocks[static_cast<std::size_t>(group.block)]);
  for (const LimitList::Ball& ball : list_.balls)
    setRotation(ball.range.clamp(rotationAt(pose, ball.poseIndex)), ball.poseIndex, pose);
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.ball < 0 || block.held == 0) continue;
    const LimitList::Ball& ball = ballAt(block.ball);
    const Eigen::Quaterniond rotation = rotationAt(pose, ball.poseIndex);
    setRotation(ball.range.clampOnto(rotation, block.holdsSwing, block.twistSide), ball.poseIndex, pose);
  }
  couplings_.apply(pose);
}

double FeasibleSet::sumOf(const LimitList::Row& row, const Pose& pose) const {
  double sum = 0.0;
  for (const LimitList::Row::Term& term : row.terms) sum += term.coefficient * pose.coordinates[term.poseIndex];
  return sum;
}

/// b of a linear constraint n.x <= b over the active coordinates.
double FeasibleSet::boundOf(const Constraint& c, const Pose& pose) const {
  if (c.shape == Shape::Scalar) return c.side > 0 ? boundAt(c.at).interval.upper : -boundAt(c.at).interval.lower;
  const LimitList::Row& row = list_.rows[static_cast<std::size_t>(c.at)];
  double fixed = 0.0;
  for (const LimitList::Row::Term& term : row.terms)
    if (activeIndex(term.coordinate) < 0) fixed += term.coefficient * pose.coordinates[term.poseIndex];
  return (c.side > 0 ? row.bounds.upper - fixed : fixed - row.bounds.lower) / c.norm;
}

bool FeasibleSet::isInside(const Group& group, const Pose& pose, const FreeSpace::Block* held) const {
  const double tolerance = kInside * (1.0 + group.x.cwiseAbs().maxCoeff());
  for (std::size_t j = 0; j < group.constraints.size(); ++j) {
    const Constraint& c = constraint(group.constraints[j]);
    const double slack = slackOf(c, pose);
    const bool isEquality = c.isEquality || (held && held->holds[j]);
    if (isEquality ? std::abs(slack) > tolerance : slack < -tolerance) return false;
  }
  return true;
}

/// False when its polytope is empty: its coordinates then keep their own intervals alone.
bool FeasibleSet::projectGroup(Group& group, Pose& pose, const FreeSpace::Block* held) const {
  const auto n = static_cast<Eigen::Index>(group.coordinates.size());
  for (Eigen::Index i = 0; i < n; ++i)
    group.x[i] = pose.coordinates[poseIndexOf(group.coordinates[static_cast<std::size_t>(i)])];
  const bool isInsideAlready = isInside(group, pose, held);
  bool exists = true;
  if (!isInsideAlready) {
    for (std::size_t j = 0; j < group.constraints.size(); ++j) {
      const Constraint& c = constraint(group.constraints[j]);
      group.nearest.bounds[static_cast<Eigen::Index>(j)] = boundOf(c, pose);
      group.nearest.isEquality[j] = c.isEquality || (held && held->holds[j]);
    }
    exists = group.nearest.solve(group.x, kInside * (1.0 + group.x.cwiseAbs().maxCoeff()));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const int coordinate = group.coordinates[static_cast<std::size_t>(i)];
    double& q = pose.coordinates[poseIndexOf(coordinate)];
    if (exists) q = group.x[i];
    const Interval& interval = boundAt(coordinate).interval;
    q = std::clamp(q, interval.lower, interval.upper);
  }
  if (isInsideAlready || !exists) return exists;
  for (std::size_t j = 0; j < group.constraints.size(); ++j) {  // to the bit on the bounds that bind
    const Constraint& c = constraint(group.constraints[j]);
    if (c.shape != Shape::Scalar || group.nearest.multipliers()[static_cast<Eigen::Index>(j)] == 0.0) continue;
    pose.coordinates[poseIndexOf(c.at)] = c.side > 0 ? boundAt(c.at).interval.upper : boundAt(c.at).interval.lower;
  }
  return true;
}

bool FeasibleSet::isHeld(const Pose& pose, int coordinate, double gradient) const {
  const LimitList::Bound& bound = boundAt(coordinate);
  if (bound.poseIndex < 0) return false;
  const double q = pose.coordinates[bound.poseIndex];
  if (bound.interval.lower == bound.interval.upper) return true;
  return (q <= bound.interval.lower && gradient > 0.0) || (q >= bound.interval.upper && gradient < 0.0);
}

double FeasibleSet::room(const Pose& pose, int coordinate, double step) const {
  const LimitList::Bound& bound = boundAt(coordinate);
  if (bound.poseIndex < 0 || groupOf_[static_cast<std::size_t>(coordinate)] >= 0)
    return std::numeric_limits<double>::infinity();
  const double q = pose.coordinates[bound.poseIndex];
  return std::max(0.0, step < 0.0 ? q - bound.interval.lower : bound.interval.upper - q);
}

double FeasibleSet::violation(const Pose& pose) const {
  double worst = 0.0;
  const auto measure = [&](const Interval& interval, double q) {
    worst = std::max({worst, interval.lower - q, q - interval.upper});
  };
  for (const LimitList::Bound& bound : list_.bounds)
    if (bound.poseIndex >= 0) measure(bound.interval, pose.coordinates[bound.poseIndex]);
  for (const LimitList::FollowerLimit& follower : list_.followers)
    measure(follower.interval, pose.coordinates[follower.poseIndex]);
  for (const LimitList::Row& row : list_.rows) measure(row.bounds, sumOf(row, pose));
  for (const LimitList::Ball& ball : list_.balls)
    worst = std::max(worst, ball.range.violation(rotationAt(pose, ball.poseIndex)));
  return worst;
}

void FeasibleSet::findFreeSpace(const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space) const {
  space.free.assign(static_cast<std::size_t>(activeCount_), 1);
  space.limits.clear();
  space.limits.reserve(constraints_.size());
  for (const int c : bounded_)
    if (const int k = activeIndex(c); k >= 0) findFreeScalar(pose, c, gradient[k], space);
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
  space.free[static_cast<std::size_t>(activeIndex(coordinate))] = 0;
  const LimitList::Side& side = gradient > 0.0 ? boundAt(coordinate).lower : boundAt(coordinate).upper;
  const double rate = side.rate > 0.0 ? side.rate : 1.0;
  space.limits.push_back({side.kind, side.index, std::abs(gradient) / rate});
}

void FeasibleSet::findFreeGroup(const Pose& pose, const Eigen::VectorXd& gradient, Group& group,
                                FreeSpace& space) const {
  const auto n = static_cast<Eigen::Index>(group.coordinates.size());
  const auto activeAt = [&](Eigen::Index i) { return activeIndex(group.coordinates[static_cast<std::size_t>(i)]); };
  group.candidates.clear();
  for (std::size_t j = 0; j < group.constraints.size(); ++j)
    if (const Constraint& c = constraint(group.constraints[j]); c.isEquality || slackOf(c, pose) <= kOnLimit)
      group.candidates.push_back(static_cast<int>(j));
  group.cone.resize(static_cast<int>(n), static_cast<int>(group.candidates.size()));
  for (std::size_t i = 0; i < group.candidates.size(); ++i) {
    const auto j = static_cast<std::size_t>(group.candidates[i]);
    group.cone.normals.col(static_cast<Eigen::Index>(i)) = group.nearest.normals.col(static_cast<Eigen::Index>(j));
    group.cone.bounds[static_cast<Eigen::Index>(i)] = 0.0;
    group.cone.isEquality[i] = constraint(group.constraints[j]).isEquality;
  }
  for (Eigen::Index i = 0; i < n; ++i) group.x[i] = -gradient[activeAt(i)];
  group.cone.solve(group.x, kConeRounding * group.x.cwiseAbs().maxCoeff());

  FreeSpace::Block* block = group.block < 0 ? nullptr : &space.blocks[static_cast<std::size_t>(group.block)];
  if (block) {
    block->ball = -1;
    block->held = 0;
    block->active.resize(group.coordinates.size());
    block->holds.assign(group.constraints.size(), 0);
    for (Eigen::Index i = 0; i < n; ++i) block->active[static_cast<std::size_t>(i)] = activeAt(i);
    block->projector.setIdentity(n, n);
    block->curvature.setZero(n, n);
  }
  auto rank = static_cast<int>(n);
  for (std::size_t i = 0; i < group.candidates.size(); ++i) {
    const Constraint& c = constraint(group.constraints[static_cast<std::size_t>(group.candidates[i])]);
    const double multiplier = group.cone.multipliers()[static_cast<Eigen::Index>(i)];
    if (multiplier == 0.0 && !c.isEquality) continue;
    const LimitKind kind = multiplier < 0.0 ? oppositeOf(c.kind) : c.kind;  // of equal bounds either may be the one
    const double size = kind == LimitKind::Equality ? multiplier : std::abs(multiplier);
    space.limits.push_back({kind, c.index, size * scaleOf(c, pose)});
    if (!block) {
      space.free[static_cast<std::size_t>(activeAt(0))] = 0;
      continue;
    }
    ++block->held;
    block->holds[static_cast<std::size_t>(group.candidates[i])] = 1;
    group.x = group.cone.normals.col(static_cast<Eigen::Index>(i));
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

double FeasibleSet::slackOf(const Constraint& c, const Pose& pose) const {
  switch (c.shape) {
    case Shape::Scalar: {
      const double q = pose.coordinates[poseIndexOf(c.at)];
      return c.side > 0 ? boundAt(c.at).interval.upper - q : q - boundAt(c.at).interval.lower;
    }
    case Shape::Row: {
      const LimitList::Row& row = list_.rows[static_cast<std::size_t>(c.at)];
      return (c.side > 0 ? row.bounds.upper - sumOf(row, pose) : sumOf(row, pose) - row.bounds.lower) / c.norm;
    }
    default: break;
  }
  const BallRange& range = ballAt(c.at).range;
  const BallRange::Place place = range.placeOf(rotationAt(pose, ballAt(c.at).poseIndex));
  if (c.shape == Shape::Swing) return range.swing() - place.swing;
  if (c.shape == Shape::Twist) return (range.halfTwist() - c.side * place.twist) * twistRate(place);
  const Eigen::Vector3d first = place.twistAxis.unitOrthogonal();
  return -place.cone.cross(place.twistAxis).dot(c.side == 0 ? first : Eigen::Vector3d(place.twistAxis.cross(first)));
}

double FeasibleSet::slack(const Pose& pose, int j) const { return slackOf(constraint(j), pose); }

void FeasibleSet::normal(const Pose& pose, int j, Eigen::VectorXd& a) const {
  const Constraint& c = constraint(j);
  a.setZero(activeCount_);
  if (c.shape == Shape::Scalar) {
    a[activeIndex(c.at)] = c.side;
    return;
  }
  if (c.shape == Shape::Row) {
    for (const LimitList::Row::Term& term : list_.rows[static_cast<std::size_t>(c.at)].terms)
      if (const int k = activeIndex(term.coordinate); k >= 0) a[k] = c.side * term.coefficient / c.norm;
    return;
  }
  const LimitList::Ball& ball = ballAt(c.at);
  const BallRange::Place place = ball.range.placeOf(rotationAt(pose, ball.poseIndex));
  auto part = a.segment<3>(activeOf(ball));
  if (c.shape == Shape::Swing) part = swingNormal(place);
  if (c.shape == Shape::Twist) part = c.side * twistNormal(place);
  if (c.shape != Shape::AcrossHinge) return;
  const Eigen::Vector3d first = place.twistAxis.unitOrthogonal();
  part = c.side == 0 ? first : Eigen::Vector3d(place.twistAxis.cross(first));
}

double FeasibleSet::scaleOf(const Constraint& c, const Pose& pose) const {
  switch (c.shape) {
    case Shape::Scalar: {
      const double rate = (c.side > 0 ? boundAt(c.at).upper : boundAt(c.at).lower).rate;
      return rate > 0.0 ? 1.0 / rate : 1.0;
    }
    case Shape::Row: return 1.0 / c.norm;
    case Shape::Twist: return twistRate(ballAt(c.at).range.placeOf(rotationAt(pose, ballAt(c.at).poseIndex)));
    case Shape::Swing:
    case Shape::AcrossHinge: break;
  }
  return 1.0;
}

double FeasibleSet::multiplierScale(const Pose& pose, int j) const { return scaleOf(constraint(j), pose); }

double FeasibleSet::maxStep(const Pose& pose, const Eigen::VectorXd& activeStep, double upTo, int& blocking,
                            std::span<const char> ignored) const {
  blocking = -1;
  double longest = upTo;
  const double negligible = 1e-12 * activeStep.norm();
  for (int j = 0; j < constraintCount(); ++j) {
    const Constraint& c = constraint(j);
    if (c.isEquality || (!ignored.empty() && ignored[static_cast<std::size_t>(j)])) continue;
    double most = longest;
    if (c.shape == Shape::Scalar || c.shape == Shape::Row) {
      double outward = 0.0;
      if (c.shape == Shape::Scalar) outward = c.side * activeStep[activeIndex(c.at)];
      else
        for (const LimitList::Row::Term& term : list_.rows[static_cast<std::size_t>(c.at)].terms)
          if (const int k = activeIndex(term.coordinate); k >= 0) outward += c.side * term.coefficient / c.norm * activeStep[k];
      if (outward > negligible) most = std::max(slackOf(c, pose), 0.0) / outward;
    } else {
      most = ballStep(c, pose, activeStep, longest, negligible);
    }
    if (most >= longest) continue;
    longest = most;
    blocking = j;
  }
  return longest;
}

/// Largest part of the step in [0, upTo] before a ball's limit.
double FeasibleSet::ballStep(const Constraint& c, const Pose& pose, const Eigen::VectorXd& activeStep, double upTo,
                             double negligible) const {
  const LimitList::Ball& ball = ballAt(c.at);
  const Eigen::Vector3d turn = activeStep.segment<3>(activeOf(ball));
  const double angle = turn.norm();
  if (!(angle > 0.0)) return upTo;
  const Eigen::Quaterniond rotation = rotationAt(pose, ball.poseIndex);
  if (slackOf(c, pose) <= kOnLimit) {
    const BallRange::Place place = ball.range.placeOf(rotation);
    const double outward = c.shape == Shape::Swing ? swingNormal(place).dot(turn) : c.side * twistNormal(place).dot(turn);
    return outward > std::max(negligible, 1e-9 * angle) ? 0.0 : upTo;
  }
  const double most = upTo * angle;
  const double reach = c.shape == Shape::Swing ? swingReach(ball.range, rotation, turn / angle, most)
                                               : twistReach(ball.range, rotation, turn / angle, most, c.side);
  return reach < most ? reach / angle : upTo;
}

}  // namespace limber
