// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/boundary.h"

namespace limber {

namespace {

constexpr double kOvershoot = 1e-9;  // of a push onto a limit, so that project() puts the pose exactly on it

/// Limits that a coordinate meets to the last bit.
bool isInterval(LimitKind kind) { return kind == LimitKind::Lower || kind == LimitKind::Upper; }

}  // namespace

bool Boundary::isCurved(int limit) const {
  const LimitKind kind = set_.kind(limit);
  return kind == LimitKind::Swing || kind == LimitKind::TwistLower || kind == LimitKind::TwistUpper;
}

void Boundary::normal(const Pose& pose, int limit, Eigen::VectorXd& a) const {
  set_.normal(pose, limit, a);
  a = a.cwiseProduct(workspace_.scale);
  const double length = a.norm();
  if (length > 0.0) a /= length;
}

double Boundary::longestStep(const Pose& pose, const Eigen::VectorXd& step, double upTo, int& blocking) const {
  std::vector<char>& ignored = workspace_.ignored;
  ignored = workspace_.isImplied;
  for (int i = 0; i < workspace_.activeSet.size(); ++i) ignored[workspace_.activeSet.limit(i)] = 1;
  return set_.maxStep(pose, step, upTo, blocking, ignored);
}

void Boundary::findLeaning(const Pose& pose, const Eigen::VectorXd& gradient, std::vector<int>& limits) const {
  set_.findFreeSpace(pose, gradient, workspace_.space);
  limits.clear();
  for (const ActiveLimit& held : workspace_.space.limits)
    for (int j = 0; j < count(); ++j)
      if (!isEquality(j) && set_.kind(j) == held.kind && set_.index(j) == held.index) limits.push_back(j);
}

bool Boundary::pushOut(int limit, const Pose& pose, Eigen::VectorXd& push) const {
  if (isEquality(limit)) return false;
  const double slack = set_.slack(pose, limit);
  if (!(slack > (isInterval(set_.kind(limit)) ? 0.0 : kTouching))) return false;
  set_.normal(pose, limit, workspace_.turned);
  push += (1.0 + kOvershoot) * slack * workspace_.turned;
  return true;
}

void Boundary::hold(int reached, Eigen::VectorXd& fullStep, Pose& pose) const {
  constexpr int kRounds = 3;  // each round squares the remaining distance
  Eigen::VectorXd& push = workspace_.other;
  for (int round = 0; round < kRounds; ++round) {
    push.setZero(objective_.activeCount());
    bool isOff = reached >= 0 && pushOut(reached, pose, push);
    for (int i = 0; i < workspace_.activeSet.size(); ++i)
      if (pushOut(workspace_.activeSet.limit(i), pose, push)) isOff = true;
    if (!isOff) return;
    objective_.move(pose, push, fullStep, pose);
  }
}

void Boundary::relieve(const Pose& pose, Eigen::VectorXd& gradient) const {
  const ActiveSet& held = workspace_.activeSet;
  for (int i = 0; i < held.size(); ++i) {
    const int limit = held.limit(i);
    if (!isCurved(limit)) continue;
    Eigen::VectorXd& a = workspace_.turned;
    set_.normal(pose, limit, a);
    // A ball's swing and twist may both be active: their normals then span a plane.
    for (int j = 0; j < i; ++j) {
      if (!isCurved(held.limit(j)) || set_.index(held.limit(j)) != set_.index(limit)) continue;
      set_.normal(pose, held.limit(j), workspace_.other);
      a -= workspace_.other.dot(a) * workspace_.other;
      a.stableNormalize();
    }
    gradient -= a.dot(gradient) * a;
  }
}

}  // namespace limber
