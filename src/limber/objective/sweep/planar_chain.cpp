// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_chain.h"

#include <algorithm>
#include <cmath>

#include "limber/goals/position_goal.h"

namespace limber {

namespace {

constexpr double kPlanarFlat = 1e-14;  // such a rotation counts as one about z
constexpr double kLargestAngle = 1e5;  // radians: sines of larger angles lose digits

bool isActive(const Objective& objective, int link) {
  const Joint& joint = objective.figure().joint(link);
  return stepSize(joint.type) > 0 && objective.activeIndex(joint.stepIndex) >= 0;
}

bool isIdentity(const Eigen::Matrix3d& rotation) {
  bool is = true;  // without branches, as most rotations are the identity
  for (int i = 0; i < 9; ++i) is &= rotation.data()[i] == (i % 4 == 0 ? 1.0 : 0.0);
  return is;
}

void append(Transform& sum, const Transform& next) {
  if (isIdentity(sum.rotation)) {
    sum.translation += next.translation;
    sum.rotation = next.rotation;
  } else {
    sum = sum * next;
  }
}

bool turnsAboutZ(const Eigen::Matrix3d& rotation) {
  return (rotation.col(2) - Eigen::Vector3d::UnitZ()).cwiseAbs().maxCoeff() <= kPlanarFlat &&
         (rotation.row(2).transpose() - Eigen::Vector3d::UnitZ()).cwiseAbs().maxCoeff() <= kPlanarFlat;
}

double angleOf(const Eigen::Vector2d& v) { return v.y() == 0.0 && v.x() >= 0.0 ? 0.0 : std::atan2(v.y(), v.x()); }

}  // namespace

bool PlanarChain::take(const Objective& objective, const Pose& pose) {
  if (!mayTake(objective)) return false;
  findPath(objective);
  if (!takePieces(objective, pose) || !takeGoals(objective, pose)) return false;
  takeRegularisers(objective, pose);
  return isSound(pose);
}

/// The cheap tests.
bool PlanarChain::mayTake(const Objective& objective) const {
  if (objective.goals().empty() || objective.activeCount() == 0) return false;
  if (!objective.stay().isEmpty() || objective.limitsForces()) return false;
  if (objective.feasibleSet().constraintCount() > 0 || objective.moving().size() != objective.active().size())
    return false;
  return std::all_of(objective.goals().begin(), objective.goals().end(),
                     [](const auto& goal) { return dynamic_cast<const PositionGoal*>(goal.get()) != nullptr; });
}

void PlanarChain::findPath(const Objective& objective) {
  const std::vector<int>& parents = objective.figure().motionTable().parents;
  int link = objective.figure().linkCount() - 1;
  while (link >= 0 && !isActive(objective, link)) --link;
  path_.clear();
  for (; link >= 0; link = parents[link]) path_.push_back(link);
  std::reverse(path_.begin(), path_.end());
}

bool PlanarChain::takePieces(const Objective& objective, const Pose& pose) {
  const Figure& figure = objective.figure();
  const MotionTable& table = figure.motionTable();  // compact: the joints of a long chain take many cache lines
  auto next = table.hinges.begin();                 // the first hinge at the link or after it
  hinges_.clear();
  turns_.clear();
  offsets_.clear();
  heights_.clear();
  segmentOfLink_.assign(figure.linkCount(), -1);
  Transform locked;  // from the last hinge's link, or the world, to the last link
  bool isLocked = false;
  for (const int link : path_) {
    const Transform& parentFromJoint = table.parentFromJoint[link];
    while (next != table.hinges.end() && next->link < link) ++next;
    if (isLocked) append(locked, parentFromJoint);
    if (next != table.hinges.end() && next->link == link && objective.activeIndex(next->stepIndex) >= 0) {
      const Transform& here = isLocked ? locked : parentFromJoint;
      const bool isStraight = isIdentity(here.rotation);
      if (!isStraight && !turnsAboutZ(here.rotation)) return false;
      if (next->axis.x() != 0.0 || next->axis.y() != 0.0) return false;
      if (hinges_.empty()) base_ = here.translation;
      hinges_.push_back({next->poseIndex, next->stepIndex, next->axis.z() > 0.0 ? 1.0 : -1.0, 0.0});
      turns_.push_back(isStraight ? 0.0 : std::atan2(here.rotation(1, 0), here.rotation(0, 0)));
      offsets_.emplace_back(here.translation.head<2>());
      heights_.push_back(heights_.empty() ? 0.0 : heights_.back() + here.translation.z());
      isLocked = false;
    } else {
      if (isActive(objective, link)) return false;
      if (!isLocked) locked = parentFromJoint;
      append(locked, jointMotion(figure, pose, link));
      isLocked = true;
    }
    segmentOfLink_[link] = static_cast<int>(hinges_.size()) - 1;
  }
  return static_cast<int>(hinges_.size()) == objective.activeCount();
}

bool PlanarChain::takeGoals(const Objective& objective, const Pose& pose) {
  const Figure& figure = objective.figure();
  goals_.clear();
  constant_ = 0.0;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const auto& goal = static_cast<const PositionGoal&>(*objective.goals()[k]);
    const double unit = goal.lengthUnit();
    const Residual& shift = objective.residualShift(static_cast<int>(k));
    const Eigen::Vector3d target = goal.target() - unit * Eigen::Vector3d(shift);
    const double weight = goal.weight() / (unit * unit);
    // Transforms the point from the goal's link to that of the hinge that moves it.
    Eigen::Vector3d point = goal.pointInLink();
    int link = goal.link(0);
    for (; link >= 0 && !isActive(objective, link); link = figure.link(link).parent) {
      Transform own = figure.joint(link).parentFromJoint;
      append(own, jointMotion(figure, pose, link));
      point = own * point;
    }
    if (link < 0) {  // nothing moves it
      constant_ += 0.5 * weight * (point - target).squaredNorm();
      continue;
    }
    const int segment = segmentOfLink_[link];
    const double height = base_.z() + heights_[segment] + point.z() - target.z();
    constant_ += 0.5 * weight * height * height;
    if (weight > 0.0) goals_.push_back({segment, point.head<2>(), target.head<2>() - base_.head<2>(), weight});
  }
  if (goals_.empty()) return false;
  takeSegments();
  return true;
}

/// The segment of the last goal ends at the goal; those beyond it have no length.
void PlanarChain::takeSegments() {
  const auto last = std::max_element(goals_.begin(), goals_.end(),
                                     [](const PlanarGoal& a, const PlanarGoal& b) { return a.segment < b.segment; });
  lengths_.assign(hinges_.size(), 0.0);
  reach_ = 0.0;
  double before = 0.0;  // direction of the segment before, in its piece's axes
  for (std::size_t i = 0; i < hinges_.size(); ++i) {
    Eigen::Vector2d segment = Eigen::Vector2d::Zero();
    if (static_cast<int>(i) < last->segment) segment = offsets_[i + 1];
    if (static_cast<int>(i) == last->segment) segment = last->end;
    const double direction = angleOf(segment);
    lengths_[i] = direction == 0.0 ? segment.x() : segment.norm();
    reach_ += lengths_[i];
    hinges_[i].bend = turns_[i] + direction - before;
    turns_[i] = direction;
    before = direction;
  }
  for (PlanarGoal& g : goals_) g.end = Eigen::Rotation2Dd(-turns_[g.segment]) * g.end;
  last->end = {lengths_[last->segment], 0.0};
}

void PlanarChain::takeRegularisers(const Objective& objective, const Pose& pose) {
  stiffnesses_.assign(hinges_.size(), 0.0);
  rests_.assign(hinges_.size(), 0.0);
  double pull = 0.0;  // value of the active hinges' regularisers at the pose
  for (const Regulariser& regulariser : objective.regularisers())
    for (std::size_t i = 0; i < hinges_.size(); ++i) {
      const Hinge& hinge = hinges_[i];
      const double weight = regulariser.weights()[hinge.stepIndex];
      if (!(weight > 0.0)) continue;
      const double rest = hinge.sign * regulariser.reference().coordinates[hinge.poseIndex] + hinge.bend;
      // The sum of two regularisers is one toward a rest between theirs, plus a constant.
      const double sum = stiffnesses_[i] + weight, apart = rest - rests_[i];
      constant_ += 0.5 * stiffnesses_[i] * (weight / sum) * apart * apart;
      rests_[i] += (weight / sum) * apart;
      stiffnesses_[i] = sum;
    }
  if (objective.activeCount() == objective.figure().stepSize()) return;
  for (const Regulariser& regulariser : objective.regularisers()) {
    constant_ += regulariser.evaluate(objective.figure(), pose, offsetScratch_);
    for (const Hinge& hinge : hinges_) {
      const double offset = offsetScratch_[hinge.stepIndex];
      pull += 0.5 * regulariser.weights()[hinge.stepIndex] * offset * offset;
    }
  }
  constant_ = std::max(0.0, constant_ - pull);
}

bool PlanarChain::isSound(const Pose& pose) const {
  double direction = 0.0, largest = 0.0;
  for (int i = 0; i < count(); ++i) {
    direction = angle(i, direction, pose);
    largest = std::max(largest, std::abs(direction));
    if (!(stiffnesses_[i] > 0.0) || !std::isfinite(stiffnesses_[i]) || !std::isfinite(rests_[i])) return false;
  }
  for (const PlanarGoal& goal : goals_)
    if (!goal.target.allFinite() || !goal.end.allFinite() || !std::isfinite(goal.weight)) return false;
  return largest <= kLargestAngle && std::isfinite(direction) && std::isfinite(reach_) && std::isfinite(constant_);
}

}  // namespace limber
