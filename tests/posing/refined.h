// SPDX-License-Identifier: MIT
// A solve with refinements of a test's choice, on figures of a few links.
#pragma once

#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "limber/kinematics/figure_builder.h"
#include "limber/posing/refinements/solve.h"
#include "support/built_figure.h"

namespace limber::test {

/// Counts the ends of the solver's runs. It is to be asked first.
struct RunCounter final : Refinement {
  int runs = 0;
  bool hasBrokenOff = false;
  void begin(Solve&) override { runs = 0; }
  Verdict judge(Solve&) override {
    ++runs;
    return Verdict::AskOthers;
  }
  void breakOff(Solve&) override { hasBrokenOff = true; }
};

/// Solves to the end with only these refinements; false if there is nothing to solve.
inline bool solveWith(Solve& solve, const IkProblem& problem, const PosingRequest& request,
                      std::vector<Refinement*> refinements) {
  solve.refinements = std::move(refinements);
  if (!solve.begin(problem, request)) return false;
  while (!solve.advance(std::numeric_limits<int>::max())) {
  }
  return true;
}

inline Eigen::Vector3d placeOf(const Solve& solve, int link, const Eigen::Vector3d& pointInLink) {
  Kinematics kinematics;
  computeTransforms(*solve.problem->figure, solve.pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(link)] * pointInLink;
}

inline constexpr double kThigh = 0.43, kShank = 0.41;
inline constexpr int kShankLink = 3;
inline const Eigen::Vector3d kAnkle(0.0, -kShank, 0.0);  ///< in the shank

/// A hip of three hinges a metre above the ground and a knee. Forward is z: a positive knee angle bends the knee
/// forward.
inline std::shared_ptr<const Figure> makeLeg(const Interval& knee = {-2.4, 2.4}, double rest = 0.0) {
  using V = Eigen::Vector3d;
  FigureBuilder builder("leg");
  const int flexion =
      builder.addLink({.name = "hip_flexion"}, {.type = JointType::Revolute,
                                                .parentFromJoint = Transform::fromTranslation({0, 1, 0}),
                                                .axis = V(-1, 0, 0),
                                                .limits = {-0.5 * std::numbers::pi, 2.2}});
  const int abduction = builder.addLink({.name = "hip_abduction", .parent = flexion},
                                        {.type = JointType::Revolute, .axis = V(0, 0, 1), .limits = {-0.7, 0.7}});
  const int thigh =
      builder.addLink({.name = "thigh", .parent = abduction},
                      {.name = "hip_rotation", .type = JointType::Revolute, .axis = V(0, 1, 0), .limits = {-0.7, 0.7}});
  const int shank = builder.addLink({.name = "shank", .parent = thigh},
                                    {.name = "knee",
                                     .type = JointType::Revolute,
                                     .parentFromJoint = Transform::fromTranslation({0, -kThigh, 0}),
                                     .axis = V(1, 0, 0),
                                     .limits = knee});
  builder.addSite({.name = "ankle", .link = shank, .linkFromSite = Transform::fromTranslation(kAnkle)});
  builder.setRest(shank, Eigen::VectorXd::Constant(1, rest));
  return test::built(builder);
}

inline double kneeOf(const Solve& solve) { return solve.pose.coordinates[kShankLink]; }

inline PosingRequest dragAnkleTo(const Eigen::Vector3d& target) {
  return {.drag = DragGoal{.link = kShankLink, .pointInLink = kAnkle, .target = target}};
}

}  // namespace limber::test
