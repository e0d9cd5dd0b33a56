// SPDX-License-Identifier: MIT
// A program that uses limber::core: it builds an arm with joint limits, moves its tool around a circle while the hand
// points down, solves from each point to the next as a drag does, and compares four solvers on the whole circle.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <limber/goals/direction_goal.h>
#include <limber/goals/position_goal.h>
#include <limber/kinematics/figure_builder.h>
#include <limber/solvers/registry.h>

namespace {

using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr int kPoints = 72;        // on the circle
constexpr double kReached = 1e-4;  // metres

/// Four hinges and a ball joint for the hand, 0.9 m from shoulder to tool; y is up.
std::shared_ptr<const limber::Figure> makeArm() {
  limber::FigureBuilder builder("arm");
  const auto addHinge = [&](const char* name, int parent, double up, const Vector3d& axis, double limit) {
    limber::Joint joint{.name = name, .type = limber::JointType::Revolute};
    joint.parentFromJoint = limber::Transform::fromTranslation({0.0, up, 0.0});
    joint.axis = axis;
    joint.limits = {-limit * kDegree, limit * kDegree};
    return builder.addLink({.name = name, .parent = parent}, joint);
  };
  const int base = addHinge("base", -1, 0.0, Vector3d::UnitY(), 170.0);
  const int shoulder = addHinge("shoulder", base, 0.3, Vector3d::UnitZ(), 110.0);
  const int elbow = addHinge("elbow", shoulder, 0.4, Vector3d::UnitZ(), 140.0);
  const int forearm = addHinge("forearm", elbow, 0.15, Vector3d::UnitY(), 170.0);
  limber::Joint wrist{.name = "wrist", .type = limber::JointType::Ball};
  wrist.parentFromJoint = limber::Transform::fromTranslation({0.0, 0.25, 0.0});
  wrist.ballLimits.swing = 90.0 * kDegree;
  const int hand = builder.addLink({.name = "hand", .parent = forearm}, wrist);
  builder.addSite({.name = "tool", .link = hand, .linkFromSite = limber::Transform::fromTranslation({0.0, 0.1, 0.0})});
  builder.setRest(elbow, Eigen::VectorXd::Constant(1, -60.0 * kDegree));  // bent, so that the elbow has a side
  std::string error;
  auto figure = builder.build(error);
  if (!figure) std::fprintf(stderr, "%s\n", error.c_str());
  return figure;
}

Vector3d pointOnCircle(int i) {
  const double angle = 2.0 * std::numbers::pi * i / kPoints;
  return {0.45 + 0.15 * std::cos(angle), 0.25, 0.15 * std::sin(angle)};
}

/// The goals at one point of the circle: the tool there, the hand pointing down; a weak pull keeps the pose near the
/// last one.
limber::Objective makeObjective(const std::shared_ptr<const limber::Figure>& figure, const limber::Pose& pose,
                                const Vector3d& target) {
  const limber::Site& tool = figure->sites()[static_cast<std::size_t>(figure->findSite("tool"))];
  const double unit = figure->meanLinkLength();
  std::vector<std::unique_ptr<limber::Goal>> goals;
  goals.push_back(std::make_unique<limber::PositionGoal>(tool.link, tool.linkFromSite.translation, target, 1e3, unit));
  goals.push_back(std::make_unique<limber::DirectionGoal>(tool.link, Vector3d::UnitY(), -Vector3d::UnitY(), 1.0, 10.0));
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = static_cast<int>(i);
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
  return {figure, std::move(goals), limber::Regulariser(*figure, pose, 1e-3, rigidities),
          limber::FeasibleSet(*figure, limber::limitsOf(*figure)), active};
}

struct Tally {
  int iterations = 0;
  double worst = 0.0;  ///< metres
};

/// Once around, each point from the pose at the last. Start::Warm: the solver may reuse its memory of the last solve.
Tally goAround(const std::shared_ptr<const limber::Figure>& figure, const limber::Solver& solver) {
  const limber::OptionValues options = limber::defaultOptions(solver);
  limber::Pose pose = limber::restPose(*figure);
  limber::Workspace workspace;
  limber::Kinematics kinematics;
  Tally tally;
  for (int i = 0; i <= kPoints; ++i) {
    const Vector3d target = pointOnCircle(i);
    const limber::Objective objective = makeObjective(figure, pose, target);
    const limber::Start start = i == 0 ? limber::Start::Here : limber::Start::Warm;
    tally.iterations += solver.solve(objective, pose, options, workspace, {}, start).iterations();
    limber::computeTransforms(*figure, pose, kinematics);  // measured independently of the solver
    const limber::Site& tool = figure->sites().front();
    const Vector3d point =
        kinematics.worldFromLink[static_cast<std::size_t>(tool.link)] * tool.linkFromSite.translation;
    tally.worst = std::max(tally.worst, (point - target).norm());
  }
  return tally;
}

}  // namespace

int main() {
  const auto figure = makeArm();
  if (!figure) return EXIT_FAILURE;
  std::printf("%-16s %10s %14s\n", "solver", "iterations", "worst error");
  bool isReached = false;
  for (const char* name : {"newton", "lm", "lbfgs", "variable-metric"}) {
    const Tally tally = goAround(figure, *limber::findSolver(name));
    std::printf("%-16s %10d %11.4f mm\n", name, tally.iterations, 1e3 * tally.worst);
    if (std::string(name) == "newton") isReached = tally.worst <= kReached;
  }
  return isReached ? EXIT_SUCCESS : EXIT_FAILURE;
}
