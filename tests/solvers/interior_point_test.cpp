// SPDX-License-Identifier: MIT
// The relaxation and its interior-point method: values against CSDP, bounds against poses, refusals.
#include "limber/solvers/convex/interior_point.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/repetitions.h"
#include "support/semidefinite_oracle.h"

namespace limber::interior_point_test {
namespace {

constexpr RelaxationForm kForms[] = {RelaxationForm::Compact, RelaxationForm::Hull};
/// Tolerance of the gap, relative to 1 + f in units of the figure's own length. A certificate needs the first; the
/// compact form, which is seldom tight, gets farther before its blocks are singular in double precision.
constexpr double toleranceOf(RelaxationForm form) { return form == RelaxationForm::Compact ? 1e-9 : 1e-7; }
constexpr double kRounding = 1e-9;  // the same, with a margin for the allowance of the bound

Eigen::Vector3d randomVector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Transform randomTurn(std::mt19937& random) {
  return {exponential(randomVector(random, 2.0)).toRotationMatrix(), Eigen::Vector3d::Zero()};
}

/// A root and limbs of hinges about oblique axes, limited; joints a limb apart.
std::shared_ptr<const Figure> makeLimbs(int limbs, int hinges, JointType rootType, std::mt19937& random) {
  FigureBuilder builder("limbs");
  std::uniform_real_distribution<double> uniform(0.3, 1.4);
  const int root =
      builder.addLink({.name = "root"}, {.name = "root", .type = rootType, .parentFromJoint = randomTurn(random)});
  for (int limb = 0; limb < limbs; ++limb) {
    int parent = root;
    for (int k = 0; k < hinges; ++k) {
      Joint joint{.type = JointType::Revolute, .parentFromJoint = randomTurn(random)};
      joint.axis = randomVector(random, 1.0).normalized();
      joint.parentFromJoint.translation = k == 1 ? Eigen::Vector3d::Zero() : randomVector(random, 0.5);
      const double middle = uniform(random) - 0.8, half = uniform(random);
      joint.limits = {middle - half, middle + half};
      const std::string name = std::to_string(limb) + "." + std::to_string(k);
      parent = builder.addLink({.name = name, .parent = parent}, joint);
      builder.setRest(parent, Eigen::VectorXd::Constant(1, middle));
    }
  }
  return test::built(builder);
}

std::vector<Relaxation::Point> pointsOf(const Figure& figure, std::mt19937& random) {
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure.linkCount(); ++i) {
    points.push_back({i, randomVector(random, 0.3), 1.0 + i % 2});
    if (i == 0) points.push_back({i, randomVector(random, 0.3), 1.0});
  }
  return points;
}

std::vector<Eigen::Vector3d> placesOf(const Figure& figure, const std::vector<Relaxation::Point>& points,
                                      const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  std::vector<Eigen::Vector3d> places;
  for (const Relaxation::Point& p : points)
    places.push_back(kinematics.worldFromLink[static_cast<std::size_t>(p.link)] * p.pointInLink);
  return places;
}

double squaresOf(const Figure& figure, const std::vector<Relaxation::Point>& points, const Pose& pose,
                 const std::vector<Eigen::Vector3d>& targets) {
  const std::vector<Eigen::Vector3d> places = placesOf(figure, points, pose);
  double sum = 0.0, weights = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!targets[k].allFinite()) continue;
    sum += points[k].weight * (places[k] - targets[k]).squaredNorm();
    weights += points[k].weight;
  }
  return sum / weights;
}

struct Problem {
  std::shared_ptr<const Figure> figure;
  std::vector<Relaxation::Point> points;
  Pose pose;  ///< the pose whose points are the targets
  std::vector<Eigen::Vector3d> targets;

  Relaxation relaxation(RelaxationForm form = RelaxationForm::Compact) const {
    const std::vector<char> all(static_cast<std::size_t>(figure->stepSize()), 1);
    Relaxation relaxation(*figure, limitsOf(*figure), all, restPose(*figure), points, form);
    EXPECT_EQ(relaxation.fault(), "");
    EXPECT_TRUE(relaxation.setTargets(targets));
    return relaxation;
  }
};

Problem makeProblem(std::shared_ptr<const Figure> figure, double noise, std::mt19937& random) {
  Problem problem{figure, pointsOf(*figure, random), test::randomPose(*figure, random), {}};
  problem.targets = placesOf(*figure, problem.points, problem.pose);
  for (Eigen::Vector3d& y : problem.targets) y += randomVector(random, noise);
  return problem;
}

InteriorPointSummary solved(const Relaxation& relaxation) {
  return InteriorPoint(relaxation)
      .solve(relaxation, {.tolerance = toleranceOf(relaxation.form()), .tieBreak = 0.0, .maxIterations = 60});
}

TEST(InteriorPoint, ClosesTheGap) {
  std::mt19937 random(3);
  for (const JointType root : {JointType::Free, JointType::Ball, JointType::Fixed})
    for (int i = 0; i < 5; ++i) {
      const Problem problem = makeProblem(makeLimbs(3, 4, root, random), 0.2, random);
      for (const RelaxationForm form : kForms) {
        SCOPED_TRACE(testing::Message() << jointTypeName(root) << i << " form " << static_cast<int>(form));
        const Relaxation relaxation = problem.relaxation(form);
        const InteriorPointSummary summary = solved(relaxation);
        const double unit = relaxation.length() * relaxation.length();
        EXPECT_EQ(summary.status, InteriorPointStatus::Converged);
        EXPECT_LE(summary.value - summary.lowerBound, (toleranceOf(form) + kRounding) * (unit + summary.value));
        EXPECT_LE(summary.lowerBound, summary.value);
        EXPECT_LT(summary.iterations, 30);
      }
    }
}

TEST(InteriorPoint, FindsTheValueThatCsdpFinds) {
  if (const std::string absence = test::csdpAbsence(); !absence.empty()) GTEST_SKIP() << absence;
  std::mt19937 random(5);
  for (const JointType root : {JointType::Free, JointType::Fixed})
    for (int i = 0; i < 4; ++i) {
      const Problem problem = makeProblem(makeLimbs(2, 4, root, random), 0.05 + 0.1 * i, random);
      // With a fixed base the literal form has no interior, and CSDP solves it only because it perturbs the objective.
      const double precision = root == JointType::Fixed ? 1e-5 : 1e-6;
      for (const RelaxationForm form : kForms) {
        SCOPED_TRACE(testing::Message() << jointTypeName(root) << i << " form " << static_cast<int>(form));
        const Relaxation relaxation = problem.relaxation(form);
        const InteriorPointSummary summary = solved(relaxation);
        const std::optional<double> value =
            test::relaxedValueByCsdp(*problem.figure, problem.points, problem.targets, form);
        ASSERT_TRUE(value);
        EXPECT_NEAR(summary.value, *value, precision * relaxation.length() * relaxation.length());
      }
    }
}

TEST(InteriorPoint, FindsTheValueOfThePapersForm) {
  if (const std::string absence = test::csdpAbsence(); !absence.empty()) GTEST_SKIP() << absence;
  std::mt19937 random(6);
  for (int i = 0; i < 4; ++i) {
    const Problem problem = makeProblem(makeLimbs(2, 2, JointType::Free, random), 0.1 + 0.1 * i, random);
    const Relaxation relaxation = problem.relaxation();
    const std::optional<double> value = test::literalValueByCsdp(*problem.figure, problem.points, problem.targets);
    ASSERT_TRUE(value) << i;
    EXPECT_NEAR(solved(relaxation).value, *value, 1e-6 * relaxation.length() * relaxation.length()) << i;
  }
}

TEST(InteriorPoint, BoundsEveryPoseWithinTheLimits) {
  std::mt19937 random(7);
  for (const JointType root : {JointType::Free, JointType::Ball, JointType::Fixed})
    for (int i = 0; i < test::repetitions(10, 1); ++i) {
      const Problem problem = makeProblem(makeLimbs(2, 5, root, random), 0.02 * i, random);
      for (const RelaxationForm form : kForms) {
        const Relaxation relaxation = problem.relaxation(form);
        InteriorPoint method(relaxation);
        for (const int iterations : {0, 3, 6, 10, 40})
          for (const double tieBreak : {0.0, 1e-2}) {
            const InteriorPointSummary summary = method.solve(relaxation, {1e-8, tieBreak, iterations});
            EXPECT_LE(summary.lowerBound, squaresOf(*problem.figure, problem.points, problem.pose, problem.targets))
                << jointTypeName(root) << i << " form " << static_cast<int>(form) << " after " << iterations;
          }
      }
    }
}

TEST(InteriorPoint, EachFormIsAtLeastAsTightAsTheOneBefore) {
  std::mt19937 random(10);
  for (const JointType root : {JointType::Free, JointType::Ball, JointType::Fixed})
    for (int i = 0; i < 5; ++i) {
      const Problem problem = makeProblem(makeLimbs(2, 4, root, random), 0.1 * i, random);
      double before = 0.0;
      for (const RelaxationForm form : kForms) {
        const Relaxation relaxation = problem.relaxation(form);
        const double value = solved(relaxation).value, unit = relaxation.length() * relaxation.length();
        EXPECT_GE(value, before - 2e-7 * unit) << jointTypeName(root) << i << " form " << static_cast<int>(form);
        before = value;
      }
    }
}

TEST(InteriorPoint, FindsZeroWhereAPoseMeetsThePoints) {
  std::mt19937 random(11);
  for (const JointType root : {JointType::Free, JointType::Ball, JointType::Fixed}) {
    const Problem problem = makeProblem(makeLimbs(3, 4, root, random), 0.0, random);
    for (const RelaxationForm form : kForms) {
      const Relaxation relaxation = problem.relaxation(form);
      const InteriorPointSummary summary = solved(relaxation);
      EXPECT_EQ(summary.status, InteriorPointStatus::Converged) << static_cast<int>(form);
      EXPECT_NEAR(summary.value, 0.0, 2.0 * toleranceOf(form) * relaxation.length() * relaxation.length());
    }
  }
}

/// A planar arm on a fixed base: every frame turns about one axis of the world. One link's optimum is known.
TEST(InteriorPoint, ReadsAPlanarArmOnAFixedBase) {
  FigureBuilder builder("arm");
  builder.addLink({.name = "link"}, {.name = "hinge", .type = JointType::Revolute, .limits = {-1.0, 0.5}});
  const auto arm = test::built(builder);
  Problem problem{arm, {{0, {2.0, 0.0, 0.0}, 1.0}}, restPose(*arm), {{0.0, 5.0, 1.0}}};
  // The nearest point of the chord's segment: with the angle at 0.5.
  const Eigen::Vector3d tip(2.0 * std::cos(0.5), 2.0 * std::sin(0.5), 0.0);
  const double nearest = (tip - problem.targets[0]).squaredNorm();
  for (const RelaxationForm form : kForms) EXPECT_NEAR(solved(problem.relaxation(form)).value, nearest, 1e-6);

  FigureBuilder longer("longer arm");
  int parent = -1;
  for (int i = 0; i < 5; ++i) {
    Joint joint{.type = JointType::Revolute, .limits = {-1.5, 1.5}};
    joint.axis = i % 2 ? Eigen::Vector3d(0, 0, -1) : Eigen::Vector3d(0, 0, 1);
    joint.parentFromJoint.translation = {parent < 0 ? 0.0 : 1.0, 0.0, 0.0};
    parent = longer.addLink({.name = std::to_string(i), .parent = parent}, joint);
  }
  const auto five = test::built(longer);
  const Problem beyond{five, {{4, {1.0, 0.0, 0.0}, 1.0}}, restPose(*five), {{6.0, 2.0, 0.0}}};
  const double outOfReach = std::sqrt(40.0) - 5.0;  // the arm stretched towards the target
  for (const RelaxationForm form : kForms) {
    const InteriorPointSummary summary = solved(beyond.relaxation(form));
    EXPECT_EQ(summary.status, InteriorPointStatus::Converged) << static_cast<int>(form);
    EXPECT_NEAR(summary.value, outOfReach * outOfReach, 1e-6) << static_cast<int>(form);
  }
}

TEST(InteriorPoint, DoesNotMindWhereTheFigureStands) {
  std::mt19937 random(13);
  Problem problem = makeProblem(makeLimbs(3, 3, JointType::Free, random), 0.1, random);
  const std::vector<Eigen::Vector3d> near = problem.targets;
  for (const RelaxationForm form : kForms) {
    problem.targets = near;
    const double value = solved(problem.relaxation(form)).value;
    for (Eigen::Vector3d& y : problem.targets) y += Eigen::Vector3d(3e4, -1e4, 2e4);
    EXPECT_NEAR(solved(problem.relaxation(form)).value, value, 1e-7 * value + 1e-9) << static_cast<int>(form);
  }
}

TEST(InteriorPoint, TakesOtherTargetsWithoutARebuild) {
  std::mt19937 random(17);
  const Problem problem = makeProblem(makeLimbs(3, 3, JointType::Free, random), 0.1, random);
  Problem other = problem;
  for (Eigen::Vector3d& y : other.targets) y += randomVector(random, 0.3);
  Relaxation relaxation = problem.relaxation();
  InteriorPoint method(relaxation);
  const InteriorPointOptions options{.tolerance = 1e-9, .tieBreak = 0.0, .maxIterations = 60};
  const double first = method.solve(relaxation, options).value;
  ASSERT_TRUE(relaxation.setTargets(other.targets));
  EXPECT_EQ(method.solve(relaxation, options).value, solved(other.relaxation()).value);
  ASSERT_TRUE(relaxation.setTargets(problem.targets));
  EXPECT_EQ(method.solve(relaxation, options).value, first);
}

TEST(InteriorPoint, TellsHowFarItGotAndEndsWhenToldTo) {
  std::mt19937 random(18);
  const Problem problem = makeProblem(makeLimbs(2, 3, JointType::Free, random), 0.1, random);
  const Relaxation relaxation = problem.relaxation();
  InteriorPoint method(relaxation);
  std::vector<InteriorPointSummary> told;
  const InteriorPointSummary whole = method.solve(relaxation, {}, [&](const InteriorPointSummary& summary) {
    told.push_back(summary);
    return true;
  });
  EXPECT_EQ(whole.status, InteriorPointStatus::Converged);
  ASSERT_GE(static_cast<int>(told.size()), whole.iterations - 1);
  for (std::size_t k = 0; k < told.size(); ++k) {
    EXPECT_EQ(told[k].iterations, static_cast<int>(k) + 1);
    if (k > 0) {
      EXPECT_GE(told[k].lowerBound, told[k - 1].lowerBound);
    }
  }
  const InteriorPointSummary part =
      method.solve(relaxation, {}, [](const InteriorPointSummary& summary) { return summary.iterations < 3; });
  EXPECT_EQ(part.status, InteriorPointStatus::Cancelled);
  EXPECT_EQ(part.iterations, 3);
  EXPECT_EQ(part.value, told[2].value);
  EXPECT_EQ(part.lowerBound, told[2].lowerBound);
}

TEST(InteriorPoint, LeavesOutWhatWasNotObserved) {
  std::mt19937 random(19);
  Problem problem = makeProblem(makeLimbs(2, 3, JointType::Free, random), 0.1, random);
  Problem fewer = problem;
  const Eigen::Vector3d missing = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  problem.targets[3] = missing;
  fewer.points.erase(fewer.points.begin() + 3);
  fewer.targets.erase(fewer.targets.begin() + 3);
  const double one = solved(problem.relaxation()).value, other = solved(fewer.relaxation()).value;
  EXPECT_NEAR(one, other, 1e-6 * one + 1e-9);
  Relaxation relaxation = problem.relaxation();
  EXPECT_FALSE(relaxation.setTargets(std::vector<Eigen::Vector3d>(problem.points.size(), missing)));
}

TEST(Relaxation, RefusesWithAReason) {
  const auto faultOf = [](const Figure& figure, std::vector<Relaxation::Point> points) {
    const std::vector<char> all(static_cast<std::size_t>(figure.stepSize()), 1);
    return Relaxation(figure, limitsOf(figure), all, restPose(figure), std::move(points)).fault();
  };
  const auto awkward = test::makeAwkwardFigure();
  EXPECT_EQ(faultOf(*awkward, {{6, {0.1, 0.2, 0.3}, 1.0}}),
            "joint slide slides; the relaxation does not support sliding joints");
  EXPECT_EQ(faultOf(*awkward, {{9, {0.1, 0.2, 0.3}, 1.0}}), "");
  EXPECT_EQ(faultOf(*awkward, {}), "no joint that may turn moves an observed point");
  EXPECT_EQ(faultOf(*awkward, {{77, {0, 0, 0}, 1.0}}), "a point is on no link of the figure");
  EXPECT_NE(faultOf(*awkward, {{9, {NAN, 0, 0}, 1.0}}), "");
  EXPECT_NE(faultOf(*awkward, {{9, {0, 0, 0}, -1.0}}), "");
  const auto coupled = test::makeCoupledFigure();
  EXPECT_NE(faultOf(*coupled, {{9, {0.1, 0.2, 0.3}, 1.0}}), "");
}

TEST(Relaxation, DropsConesAndLinearLimits) {
  FigureBuilder builder("limited");
  Joint ball{.name = "ball", .type = JointType::Ball};
  ball.ballLimits.swing = 0.3;
  const int upper = builder.addLink({.name = "upper"}, ball);
  Joint hinge{.name = "hinge", .type = JointType::Revolute, .limits = {-2.0, 2.0}};
  hinge.parentFromJoint.translation = {0.0, 1.0, 0.0};
  builder.addLink({.name = "lower", .parent = upper}, hinge);
  builder.addLinearLimit({.name = "row", .terms = {{1, 1.0}}, .bounds = {-0.1, 0.1}});
  const auto figure = test::built(builder);
  std::mt19937 random(23);
  Problem problem{figure, {{0, {0.1, 0.5, 0.2}, 1.0}, {1, {0.5, 0.2, 0.1}, 1.0}}, restPose(*figure), {}};
  problem.pose.coordinates[figure->joint(1).poseIndex] = 1.5;  // beyond the row; the relaxation does not know
  problem.pose.coordinates.head<4>() << 0.0, 0.8, 0.0, 0.6;    // beyond the cone
  problem.targets = placesOf(*figure, problem.points, problem.pose);
  for (const RelaxationForm form : kForms) {
    const Relaxation relaxation = problem.relaxation(form);
    EXPECT_EQ(relaxation.droppedLimits(), 1);
    const InteriorPointSummary summary = solved(relaxation);
    EXPECT_EQ(summary.status, InteriorPointStatus::Converged) << static_cast<int>(form);
    EXPECT_NEAR(summary.value, 0.0, 1e-6) << static_cast<int>(form);
  }
}

TEST(InteriorPoint, MeetsWhatATreeOfBallsMeets) {
  const auto tree = test::makeBallTree();
  std::mt19937 random(23);
  Problem problem{tree, {}, test::randomPose(*tree, random), {}};
  for (const int link : test::kBallTreeTips) problem.points.push_back({link, randomVector(random, 0.4), 1.0});
  problem.targets = placesOf(*tree, problem.points, problem.pose);
  for (const RelaxationForm form : kForms) {
    const Relaxation relaxation = problem.relaxation(form);
    const InteriorPointSummary summary = solved(relaxation);
    EXPECT_EQ(relaxation.droppedLimits(), 0);
    EXPECT_EQ(summary.status, InteriorPointStatus::Converged) << static_cast<int>(form);
    EXPECT_NEAR(summary.value, 0.0, 2.0 * toleranceOf(form) * relaxation.length() * relaxation.length());
  }
}

TEST(InteriorPoint, EndsOnWhatIsExtreme) {
  std::mt19937 random(29);
  const auto figure = makeLimbs(2, 3, JointType::Free, random);
  Problem problem = makeProblem(figure, 0.1, random);
  const std::vector<Eigen::Vector3d> targets = problem.targets;
  for (Eigen::Vector3d& y : problem.targets) y = targets[0];  // coincident
  EXPECT_NE(solved(problem.relaxation()).status, InteriorPointStatus::Stalled);
  for (Eigen::Vector3d& y : problem.targets) y = randomVector(random, 1e4);  // out of any reach
  const InteriorPointSummary far = solved(problem.relaxation());
  EXPECT_TRUE(std::isfinite(far.value));
  EXPECT_LE(far.lowerBound, squaresOf(*figure, problem.points, problem.pose, problem.targets));
  for (const double half : {0.0, 1e-4, 0.01, 3.0, 3.14159, 3.2}) {
    FigureBuilder builder("hinge");
    const int root = builder.addLink({.name = "root"}, {.name = "root", .type = JointType::Free});
    builder.addLink({.name = "link", .parent = root},
                    {.name = "hinge", .type = JointType::Revolute, .limits = {-half, half}});
    const auto hinge = test::built(builder);
    const Problem one = makeProblem(hinge, 0.1, random);
    for (const RelaxationForm form : kForms) {
      const InteriorPointSummary summary = solved(one.relaxation(form));
      // A hull of a degree either way has an interior of 1e-5: it closes as far as double precision lets it.
      const double tolerance = form == RelaxationForm::Hull && half < 0.02 ? 1e-4 : 2e-7;
      EXPECT_LT(summary.value - summary.lowerBound, tolerance * (1.0 + summary.value))
          << half << " form " << static_cast<int>(form);
    }
  }
}

}  // namespace
}  // namespace limber::interior_point_test
