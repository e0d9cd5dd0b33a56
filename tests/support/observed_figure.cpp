// SPDX-License-Identifier: MIT
#include "support/observed_figure.h"

#include <cmath>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/forward_kinematics.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {

std::vector<Eigen::Vector3d> placesOf(const ObservedFigure& observed, const Pose& pose) {
  const Kinematics kinematics = transformsOf(*observed.figure, pose);
  std::vector<Eigen::Vector3d> places;
  for (const Relaxation::Point& p : observed.points) places.push_back(kinematics.worldFromLink[p.link] * p.pointInLink);
  return places;
}

Eigen::Vector3d randomDirection(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Vector3d(x, y, z).normalized();
}

}  // namespace

Objective ObservedFigure::objective() const { return objective(limitsOf(*figure), {}); }

Objective ObservedFigure::objective(const Limits& limits, std::vector<std::unique_ptr<Goal>> furtherGoals) const {
  std::vector<std::unique_ptr<Goal>> goals;
  for (std::size_t k = 0; k < points.size(); ++k)
    goals.push_back(std::make_unique<PositionGoal>(points[k].link, points[k].pointInLink, targets[k], points[k].weight,
                                                   figure->meanLinkLength()));
  for (std::unique_ptr<Goal>& goal : furtherGoals) goals.push_back(std::move(goal));
  const Couplings couplings(*figure, limits.couplingEnabled);
  std::vector<int> active;
  for (int c = 0; c < figure->stepSize(); ++c)
    if (!couplings.isFollower(c)) active.push_back(c);
  const std::vector<double> none(figure->linkCount(), 0.0);
  return {figure, std::move(goals), Regulariser(*figure, restPose(*figure), none), FeasibleSet(*figure, limits),
          std::move(active)};
}

double ObservedFigure::cost(const Pose& of) const {
  const std::vector<Eigen::Vector3d> places = placesOf(*this, of);
  double squares = 0.0;
  for (std::size_t k = 0; k < places.size(); ++k) squares += (places[k] - targets[k]).squaredNorm();
  return std::sqrt(squares / static_cast<double>(places.size()));
}

Pose samplePose(const Figure& figure, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  Pose pose = restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Revolute) {
      const double part = 0.5 * (uniform(random) + uniform(random));
      pose.coordinates[joint.poseIndex] = joint.limits.lower + part * (joint.limits.upper - joint.limits.lower);
    } else if (joint.type == JointType::Free) {
      Eigen::Vector4d q;
      for (double& number : q) number = normal(random);
      setJointRotation(figure, i, Eigen::Quaterniond(q.normalized()), pose);
    }
  }
  return pose;
}

ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, const Pose& pose,
                       double noise, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform;
  ObservedFigure observed{std::move(figure), std::move(points), pose, {}};
  observed.targets = placesOf(observed, pose);
  for (Eigen::Vector3d& y : observed.targets) {
    const Eigen::Vector3d direction = randomDirection(random);
    y += noise * uniform(random) * direction;
  }
  return observed;
}

ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, double noise,
                       std::mt19937& random) {
  const Pose pose = samplePose(*figure, random);
  return observe(std::move(figure), std::move(points), pose, noise, random);
}

}  // namespace limber::test
