// SPDX-License-Identifier: MIT
// Hand and body with their key points observed in random poses, with and without noise: the experiments of Yenamandra
// and others (2019), section 5.
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
  Pose pose;                             ///< of which the points were observed
  std::vector<Eigen::Vector3d> targets;  ///< one a point, metres

  Objective objective() const;  ///< all may move that follows nothing; no pull to any pose
  /// The same within other limits and with goals beside those of the points.
  Objective objective(const Limits& limits, std::vector<std::unique_ptr<Goal>> furtherGoals) const;
  double cost(const Pose& pose) const;  ///< root of the mean squared distance, metres
};

/// Angles near the middle of their limits, by the mean of two uniform numbers; the root turned at random.
Pose samplePose(const Figure& figure, std::mt19937& random);

/// The points of a pose. Noise: of a uniform direction, its size uniform up to the given one, metres.
ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, const Pose& pose,
                       double noise, std::mt19937& random);

/// The points of samplePose().
ObservedFigure observe(std::shared_ptr<const Figure> figure, std::vector<Relaxation::Point> points, double noise,
                       std::mt19937& random);

}  // namespace limber::test
