// SPDX-License-Identifier: MIT
// Binding and projection. The free space is in free_space.cpp, the limits one by one in limit_constraints.cpp.
#include "limber/objective/limits/feasible_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace limber {

namespace {

constexpr double kInside = 1e-13;  // a smaller violation, relative to the coordinates, is rounding

}  // namespace

FeasibleSet::FeasibleSet(const Figure& figure, Limits limits)
    : couplings_(figure, limits.couplingEnabled), poseIndices_(figure.stepSize(), -1) {
  assert(static_cast<int>(limits.intervals.size()) == figure.linkCount());
  list_ = listLimits(figure, limits, couplings_);
  fault_ = list_.fault;
  for (const Joint& joint : figure.joints())
    if (isScalar(joint)) poseIndices_[joint.stepIndex] = joint.poseIndex;
  std::vector<int> all;
  for (int c = 0; c < figure.stepSize(); ++c)
    if (!couplings_.isFollower(c)) all.push_back(c);
  bind(figure, all);
  if (fault_.empty()) fault_ = fault(figure, restPose(figure));
}

void FeasibleSet::bind(const Figure& figure, const std::vector<int>& active) {
  activeCount_ = static_cast<int>(active.size());
  activeIndex_.assign(figure.stepSize(), -1);
  for (std::size_t k = 0; k < active.size(); ++k) activeIndex_[active[k]] = static_cast<int>(k);
  formGroups();
  listConstraints();
  for (Group& group : groups_) prepareGroup(group);
  bounded_.clear();
  for (std::size_t c = 0; c < list_.bounds.size(); ++c)
    if (list_.bounds[c].poseIndex >= 0 && groupOf_[c] < 0) bounded_.push_back(static_cast<int>(c));
}

/// Rows that share an active coordinate form a group.
void FeasibleSet::formGroups() {
  const auto size = activeIndex_.size();
  std::vector<int> leader(size);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int c) {
    while (leader[c] != c) c = leader[c];
    return c;
  };
  std::vector<char> isTied(size, 0);
  std::vector<int> first(list_.rows.size(), -1);
  for (std::size_t r = 0; r < list_.rows.size(); ++r)
    for (const LimitList::Row::Term& term : list_.rows[r].terms) {
      if (activeIndex_[term.coordinate] < 0 || term.coefficient == 0.0) continue;
      isTied[term.coordinate] = 1;
      if (first[r] < 0) first[r] = term.coordinate;
      const int a = find(first[r]), b = find(term.coordinate);
      leader[std::max(a, b)] = std::min(a, b);
    }
  groups_.clear();
  groupOf_.assign(size, -1);
  for (std::size_t c = 0; c < size; ++c) {
    if (!isTied[c]) continue;
    const int lead = find(static_cast<int>(c));
    if (groupOf_[lead] < 0) {
      groupOf_[lead] = static_cast<int>(groups_.size());
      groups_.emplace_back();
    }
    groupOf_[c] = groupOf_[lead];
    groups_[groupOf_[c]].coordinates.push_back(static_cast<int>(c));
  }
  rowGroups_.assign(list_.rows.size(), -1);
  for (std::size_t r = 0; r < list_.rows.size(); ++r)
    if (first[r] >= 0) rowGroups_[r] = groupOf_[first[r]];
  tiesScalars_ = std::any_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.coordinates.size() > 1; });
}

/// Computes the normals of a group's constraints over its own coordinates.
void FeasibleSet::prepareGroup(Group& group) const {
  const auto n = static_cast<int>(group.coordinates.size()), m = static_cast<int>(group.constraints.size());
  group.block = -1;
  group.nearest.resize(n, m);
  group.cone.resize(n, m);
  group.candidates.reserve(m);
  group.x.resize(n);
  group.direction.resize(n);
  group.nearest.normals.setZero();
  for (int j = 0; j < m; ++j) {
    const Constraint& c = constraints_[group.constraints[j]];
    for (int i = 0; i < n; ++i) {
      const int coordinate = group.coordinates[i];
      if (c.shape == Shape::Scalar && c.at == coordinate) group.nearest.normals(i, j) = c.side;
      if (c.shape != Shape::Row) continue;
      for (const LimitList::Row::Term& term : list_.rows[c.at].terms)
        if (term.coordinate == coordinate) group.nearest.normals(i, j) = c.side * term.coefficient / c.norm;
    }
  }
}

std::string FeasibleSet::conflictOf(const Figure& figure, const Group& group) const {
  std::vector<int> conflict = group.nearest.conflict();
  std::sort(conflict.begin(), conflict.end());
  std::vector<std::string> names;
  for (const int j : conflict) {
    const std::string name = nameOf(figure, constraints_[group.constraints[j]]);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.size() == 1) return names[0] + " cannot be met by the joints that may move";
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + " contradict each other";
}

std::string FeasibleSet::fault(const Figure& figure, const Pose& pose) const {
  if (!fault_.empty() || list_.rows.empty()) return fault_;
  const auto lock = lockGroups();
  Pose inside = pose;
  projectBounds(inside);
  for (std::size_t r = 0; r < list_.rows.size(); ++r) {
    const LimitList::Row& row = list_.rows[r];
    const double sum = sumOf(row, inside), slack = kOnLimit * (1.0 + std::abs(sum));
    if (rowGroups_[r] >= 0 || (sum >= row.bounds.lower - slack && sum <= row.bounds.upper + slack)) continue;
    return nameOf(figure, {row.upperKind, row.index}) + " cannot be met by the joints that may move";
  }
  for (Group& group : groups_)
    if (!projectGroup(group, inside)) return conflictOf(figure, group);
  return {};
}

void FeasibleSet::projectBounds(Pose& pose) const {
  for (const int c : bounded_) {
    double& q = pose.coordinates[list_.bounds[c].poseIndex];
    q = std::clamp(q, list_.bounds[c].interval.lower, list_.bounds[c].interval.upper);
  }
}

void FeasibleSet::project(Pose& pose, const FreeSpace* space) const {
  const auto lock = lockGroups();
  projectBounds(pose);
  for (Group& group : groups_)
    projectGroup(group, pose, space && group.block >= 0 ? &space->blocks[group.block] : nullptr);
  for (const LimitList::Ball& ball : list_.balls)
    pose.coordinates.segment<4>(ball.poseIndex) = ball.range.clamp(rotationAt(pose, ball.poseIndex)).coeffs();
  for (std::size_t i = 0; space && i < space->blocks.size(); ++i) {
    const FreeSpace::Block& block = space->blocks[i];
    if (block.ball < 0 || block.held == 0) continue;
    const LimitList::Ball& ball = list_.balls[block.ball];
    const Eigen::Quaterniond rotation = rotationAt(pose, ball.poseIndex);
    pose.coordinates.segment<4>(ball.poseIndex) =
        ball.range.clampOnto(rotation, block.holdsSwing, block.twistSide).coeffs();
  }
  couplings_.apply(pose);
}

bool FeasibleSet::isInside(const Group& group, const Pose& pose, const FreeSpace::Block* held) const {
  const double tolerance = kInside * (1.0 + group.x.cwiseAbs().maxCoeff());
  for (std::size_t j = 0; j < group.constraints.size(); ++j) {
    const Constraint& c = constraints_[group.constraints[j]];
    const double slack = slackOf(c, pose);
    const bool isEquality = c.isEquality || (held && held->holds[j]);
    if (isEquality ? std::abs(slack) > tolerance : slack < -tolerance) return false;
  }
  return true;
}

/// False if the group's polytope is empty; then its coordinates keep only their own intervals.
bool FeasibleSet::projectGroup(Group& group, Pose& pose, const FreeSpace::Block* held) const {
  const auto n = static_cast<Eigen::Index>(group.coordinates.size());
  for (Eigen::Index i = 0; i < n; ++i) group.x[i] = pose.coordinates[poseIndices_[group.coordinates[i]]];
  const bool isInsideAlready = isInside(group, pose, held);
  bool exists = true;
  if (!isInsideAlready) {
    for (std::size_t j = 0; j < group.constraints.size(); ++j) {
      const Constraint& c = constraints_[group.constraints[j]];
      group.nearest.bounds[j] = boundOf(c, pose);
      group.nearest.isEquality[j] = c.isEquality || (held && held->holds[j]);
    }
    exists = group.nearest.solve(group.x, kInside * (1.0 + group.x.cwiseAbs().maxCoeff()));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const int coordinate = group.coordinates[i];
    double& q = pose.coordinates[poseIndices_[coordinate]];
    if (exists) q = group.x[i];
    const Interval& interval = list_.bounds[coordinate].interval;
    q = std::clamp(q, interval.lower, interval.upper);
  }
  if (isInsideAlready || !exists) return exists;
  for (std::size_t j = 0; j < group.constraints.size(); ++j) {  // exactly onto the bounds that bind
    const Constraint& c = constraints_[group.constraints[j]];
    if (c.shape != Shape::Scalar || group.nearest.multipliers()[j] == 0.0) continue;
    const Interval& interval = list_.bounds[c.at].interval;
    pose.coordinates[poseIndices_[c.at]] = c.side > 0 ? interval.upper : interval.lower;
  }
  return true;
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

}  // namespace limber
