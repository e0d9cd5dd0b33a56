// SPDX-License-Identifier: MIT
// The lower bound of the relaxations, on extreme figures: no pose may cost less.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/solvers/convex/interior_point.h"
#include "limber/solvers/registry.h"
#include "support/built_figure.h"
#include "support/observed_figure.h"
#include "support/repetitions.h"

namespace limber::relaxation_bound_test {
namespace {

constexpr RelaxationForm kForms[] = {RelaxationForm::Compact, RelaxationForm::Hull};
const int kProblems = test::repetitions(200, 12);
constexpr int kSampledPoses = 200;

struct Draw {
  std::mt19937 random;

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  int choice(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }
  Eigen::Vector3d vector(double size) {
    const double x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, z};
  }
};

/// An axis along one of the parent, slightly off as in files, or random.
Eigen::Vector3d drawAxis(Draw& draw) {
  const Eigen::Vector3d along = Eigen::Vector3d::Unit(draw.choice(3)) * (draw.choice(2) ? 1.0 : -1.0);
  constexpr double kOff[] = {0.0, 0.0, 1e-12, 1e-9, 3.7e-6, 1e-4, 0.01, 10.0};
  return (along + kOff[draw.choice(8)] * draw.vector(1.0)).normalized();
}

Interval drawLimits(Draw& draw) {
  constexpr double kHalf[] = {0.0, 1e-3, 0.02, 0.3, 1.0, 2.0, 3.1, 3.14159, 4.0};
  const double half = kHalf[draw.choice(9)], middle = draw.number(-1.0, 1.0);
  return {middle - half, middle + half};
}

std::shared_ptr<const Figure> drawFigure(Draw& draw) {
  FigureBuilder builder("awkward");
  constexpr JointType kRoots[] = {JointType::Free, JointType::Fixed, JointType::Ball, JointType::Revolute};
  const double far = draw.choice(4) == 0 ? 1e4 : 1.0;
  Joint root{.name = "root", .type = kRoots[draw.choice(4)], .limits = {-1.0, 2.0}};
  root.parentFromJoint = {exponential(draw.vector(2.0)).toRotationMatrix(), far * draw.vector(1.0)};
  builder.addLink({.name = "root"}, root);
  const int joints = 1 + draw.choice(6);
  for (int i = 0; i < joints; ++i) {
    Joint joint{.type = draw.choice(8) == 0 ? JointType::Ball : JointType::Revolute};
    if (joint.type == JointType::Revolute) {
      joint.axis = drawAxis(draw);
      joint.limits = drawLimits(draw);
    }
    if (draw.choice(3) == 0) joint.parentFromJoint.rotation = exponential(draw.vector(2.0)).toRotationMatrix();
    constexpr double kLength[] = {0.0, 0.0, 1e-9, 1e-6, 1e-3, 1.0, 1.0, 1.0};
    const double length = kLength[draw.choice(8)];
    joint.parentFromJoint.translation =
        draw.choice(2) ? Eigen::Vector3d(length * joint.axis) : Eigen::Vector3d(length * draw.vector(1.0));
    const int parent = draw.choice(3) == 0 ? draw.choice(i + 1) : i;
    builder.addLink({.name = std::to_string(i), .parent = parent}, joint);
    if (joint.type == JointType::Revolute)
      builder.setRest(i + 1, Eigen::VectorXd::Constant(1, 0.5 * (joint.limits.lower + joint.limits.upper)));
  }
  return test::built(builder);
}

test::ObservedFigure drawProblem(Draw& draw) {
  const auto figure = drawFigure(draw);
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure->linkCount(); ++i)
    if (draw.choice(4) != 0 || i + 1 == figure->linkCount())
      points.push_back({i, draw.choice(3) == 0 ? Eigen::Vector3d(0, 0, 0) : draw.vector(0.5), 1.0});
  constexpr double kNoise[] = {0.0, 0.01, 0.3, 3.0, 1e3};
  return test::observe(figure, points, kNoise[draw.choice(5)], draw.random);
}

/// The least mean square of random poses, some of which the default solver has refined.
double leastSquares(const test::ObservedFigure& observed, Draw& draw) {
  const Solver& solver = *findSolver("lm");
  Workspace workspace;
  double least = std::pow(observed.cost(observed.pose), 2);
  for (int k = 0; k < kSampledPoses; ++k) {
    Pose pose = test::observe(observed.figure, observed.points, 0.0, draw.random).pose;
    if (observed.figure->joint(0).type == JointType::Free)
      pose.coordinates.head<3>() = observed.pose.coordinates.head<3>() + draw.vector(1.0);
    if (k % 20 == 0) solver.solve(observed.objective(), pose, defaultOptions(solver), workspace);
    least = std::min(least, std::pow(observed.cost(pose), 2));
  }
  Pose pose = observed.pose;
  solver.solve(observed.objective(), pose, defaultOptions(solver), workspace);
  return std::min(least, std::pow(observed.cost(pose), 2));
}

TEST(RelaxationBound, NoPoseCostsLess) {
  Draw draw{std::mt19937(31)};
  int solved = 0, tight = 0;
  for (int i = 0; i < kProblems; ++i) {
    const test::ObservedFigure observed = drawProblem(draw);
    const double least = leastSquares(observed, draw);
    const std::vector<char> all(static_cast<std::size_t>(observed.figure->stepSize()), 1);
    double before = 0.0;
    for (const RelaxationForm form : kForms) {
      SCOPED_TRACE(testing::Message() << i << " form " << static_cast<int>(form));
      Relaxation relaxation(*observed.figure, limitsOf(*observed.figure), all, restPose(*observed.figure),
                            observed.points, form);
      if (!relaxation.fault().empty()) continue;
      ASSERT_TRUE(relaxation.setTargets(observed.targets));
      const InteriorPointSummary summary =
          InteriorPoint(relaxation).solve(relaxation, {.tolerance = 1e-8, .tieBreak = 0.0, .maxIterations = 60});
      const double unit = relaxation.length() * relaxation.length() + least;
      EXPECT_FALSE(std::isnan(summary.lowerBound));
      EXPECT_FALSE(std::isnan(summary.value));
      EXPECT_LE(summary.lowerBound, least);
      if (summary.status == InteriorPointStatus::Converged) {
        EXPECT_GE(summary.value, before - 1e-4 * unit);
        before = summary.value;
        ++solved;
      }
      tight += least - summary.lowerBound < 1e-4 * unit;
    }
  }
  EXPECT_GT(solved, kProblems);  // of two forms each
  EXPECT_GT(tight, kProblems);
}

}  // namespace
}  // namespace limber::relaxation_bound_test
