// SPDX-License-Identifier: MIT
// Key points of hand and body observed in random poses, with and without noise: the experiments of Yenamandra and
// others (2019), section 5.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/solvers/convex/relaxation.h"

namespace limber::test {

struct ObservedFigure {
  std::shared_ptr<const Figure> figure;
  std::vector<Relaxation::Point> points;
  Pose pose;                             ///< in which the points were observed
  std::vector<Eigen::Vector3d> targets;  ///< for each point, metres

  Objective objective() const;  ///< all coordinates but followers are active; no reference pose
  /// The same with other limits and additional goals.
  Objective objective(const Limits& limits, std::vector<std::unique_ptr<Goal>> furtherGoals) const;
  double cost(const Pose& pose) const;  ///< root of the mean squared distance, metres
};

/// A random pose: each angle is the mean of two uniform numbers within its limits; the root has a random rotation.
Pose samplePose(const Figure& figure, std::mt19937& random);

/// The points of a pose with noise of uniform direction and of uniform size up to `noise` metres.
ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, const Pose& pose,
                       double noise, std::mt19937& random);

/// The points of samplePose().
ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, double noise,
                       std::mt19937& random);

}  // namespace limber::test
