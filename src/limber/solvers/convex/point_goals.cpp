// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/point_goals.h"

#include <algorithm>
#include <cassert>

#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/decompositions.h"

namespace limber {

namespace {

const Joint& jointAt(const Figure& figure, int coordinate) {
  const auto holds = [&](const Joint& joint) {
    return coordinate >= joint.stepIndex && coordinate < joint.stepIndex + stepSize(joint.type);
  };
  return *std::find_if(figure.joints().begin(), figure.joints().end(), holds);
}

/// A goal requires c (x - target) / unit + shift = 0 with a weight.
PointGoal pointGoal(const PositionGoal& goal, double weight, double scale, const Eigen::Vector3d& shift) {
  const double unit = goal.lengthUnit();
  return {goal.link(0), goal.pointInLink(), goal.target() - unit / scale * shift,
          weight * scale * scale / (unit * unit)};
}

bool mayMoveWhole(const Objective& objective, int root) {
  const Joint& joint = objective.figure().joint(root);
  if (!objective.figure().isFreeRoot(root)) return false;
  for (int k = 0; k < stepSize(joint.type); ++k)
    if (objective.activeIndex(joint.stepIndex + k) < 0) return false;
  return true;
}

}  // namespace

void collectPointGoals(const Objective& objective, std::vector<PointGoal>& goals) {
  goals.clear();
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const auto* goal = dynamic_cast<const PositionGoal*>(objective.goals()[k].get());
    assert(goal && "a geometric solver was given a goal that it refuses");
    if (!goal || goal->weight() == 0.0) continue;
    goals.push_back(pointGoal(*goal, goal->weight(), 1.0, objective.residualShift(static_cast<int>(k))));
    goals.back().forceLimit = objective.forceLimit(k) / goal->lengthUnit();
  }
}

void addStayPoints(const StayTerm& stay, std::vector<PointGoal>& goals) {
  Eigen::Matrix<double, 3, 4> corners;  // of a tetrahedron: their mean is zero, the mean of their squares one
  corners << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
  for (std::size_t i = 0; i < stay.bodies().size(); ++i) {
    const StayTerm::Body& body = stay.bodies()[i];
    const SymmetricEigen axes = eigenOfSymmetric(body.moments);
    const Eigen::Matrix3d root = axes.vectors * axes.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
    for (int corner = 0; corner < corners.cols(); ++corner) {
      const Eigen::Vector3d arm = root * corners.col(corner);
      const bool isTurned = body.saturation > 0.0;
      const Eigen::Vector3d centre = isTurned ? Eigen::Vector3d::Zero() : body.centre;
      const Eigen::Vector3d place = isTurned ? Eigen::Vector3d::Zero() : body.place;
      goals.push_back({.link = body.link,
                       .pointInLink = centre + arm,
                       .target = place + body.rotation * arm,
                       .weight = 0.25 * body.weight,
                       .turned = isTurned ? static_cast<int>(i) : -1});
    }
  }
}

int collectSeenPoints(const Objective& objective, std::vector<PointGoal>& goals, std::span<const char> ignored) {
  goals.clear();
  int unseen = 0;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const Goal& goal = *objective.goals()[k];
    if (goal.weight() == 0.0) continue;
    const bool isIgnored = !ignored.empty() && ignored[k];
    const auto* position = dynamic_cast<const PositionGoal*>(&goal);
    if (position && !isIgnored) {
      goals.push_back(pointGoal(*position, goal.weight(), 1.0, objective.residualShift(static_cast<int>(k))));
      continue;
    }
    ++unseen;
    const auto* both = dynamic_cast<const PositionOrientationGoal*>(&goal);
    if (both && !isIgnored && both->positionScale() > 0.0)
      goals.push_back(pointGoal(both->position(), goal.weight(), both->positionScale(),
                                objective.residualShift(static_cast<int>(k)).head<3>()));
  }
  return unseen;
}

double meanSquareOf(const Figure& figure, const Pose& pose, std::span<const PointGoal> points) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  double sum = 0.0, weights = 0.0;
  for (const PointGoal& p : points) {
    const Eigen::Vector3d place = kinematics.worldFromLink[p.link] * p.pointInLink;
    sum += p.weight * (place - p.target).squaredNorm();
    weights += p.weight;
  }
  return sum / weights;
}

void layRootsOnto(const Objective& objective, std::span<const PointGoal> goals, Kinematics& kinematics,
                  std::vector<PointPair>& pairs, Pose& pose) {
  const Figure& figure = objective.figure();
  for (int root = 0; root < figure.linkCount(); ++root) {
    if (!mayMoveWhole(objective, root)) continue;
    computeTransforms(figure, pose, kinematics);
    pairs.clear();
    for (const PointGoal& g : goals)
      if (figure.isAncestorOrSelf(root, g.link))
        pairs.push_back({g.weight, kinematics.worldFromLink[g.link] * g.pointInLink, g.target});
    if (const std::optional<Transform> motion = bestMotion(pairs))
      moveRoot(figure, root, kinematics.worldFromLink[root], *motion, pose);
  }
}

std::string refuseForGeometry(const Objective& objective, std::string_view title, std::string_view whatItMoves,
                              bool (*moves)(const Figure&, const Joint&)) {
  const Figure& figure = objective.figure();
  const auto name = [&] { return std::string(title); };  // only made if needed, so that solving allocates nothing
  for (const auto& goal : objective.goals())
    if (!dynamic_cast<const PositionGoal*>(goal.get()))
      return name() + " meets position goals; the goal on " + figure.link(goal->link(0)).name + " is of another kind";
  for (const Couplings::Follower& follower : objective.feasibleSet().couplings().followers())
    for (const Couplings::Term& term : objective.feasibleSet().couplings().termsOf(follower))
      if (objective.activeIndex(term.driver) >= 0)
        return name() + " moves joints one by one; joint " + jointAt(figure, follower.coordinate).name +
               " follows others";
  for (const Joint& joint : figure.joints())
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (objective.activeIndex(c) >= 0 && !moves(figure, joint))
        return name() + " " + std::string(whatItMoves) + "; joint " + joint.name + " is " +
               std::string(jointTypeName(joint.type));
  if (objective.feasibleSet().tiesScalars())
    return name() + " moves joints one by one; linear limits tie some together";
  return {};
}

}  // namespace limber
