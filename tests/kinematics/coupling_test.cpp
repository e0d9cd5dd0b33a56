// SPDX-License-Identifier: MIT
#include "limber/kinematics/coupling.h"

#include <gtest/gtest.h>

#include <random>

#include "support/allocation_count.h"
#include "support/awkward_figure.h"

namespace limber::coupling_test {
namespace {

constexpr double kStep = 1e-4;  // fourth-order differences: truncation h^4, rounding eps / h^2
constexpr double kTolerance = 1e-6;
constexpr double kRounding = 1e-14;  // of a few products of unit quaternions

Couplings allOf(const Figure& figure) { return Couplings(figure, std::vector<char>(figure.couplings().size(), 1)); }

/// A follower's coordinate after a step from a pose; of a ball its turn from there about an axis.
double followerAt(const Figure& figure, const Couplings& couplings, const Couplings::Follower& follower, int axis,
                  const Pose& pose, const Eigen::VectorXd& step) {
  Pose moved;
  integrate(figure, pose, step, moved);
  couplings.apply(moved);
  if (follower.isScalar) return moved.coordinates[follower.poseIndex];
  const auto rotation = [&](const Pose& of) {
    return Eigen::Quaterniond(Eigen::Vector4d(of.coordinates.segment<4>(follower.poseIndex)));
  };
  return logarithm(rotation(pose).conjugate() * rotation(moved))[axis];
}

TEST(Couplings, DerivativesMatchCentralDifferences) {
  std::mt19937 random(71);
  for (const auto& figure : {test::makeCoupledFigure(), test::makeBallLedFigure(), test::makeAlikeBallTree()}) {
    const Couplings couplings = allOf(*figure);
    std::vector<double> slopes, curvatures, crossCurvatures;
    for (int trial = 0; trial < 20; ++trial) {
      const Pose pose = test::randomPose(*figure, random);
      couplings.differentiate(pose, slopes, curvatures, crossCurvatures);
      ASSERT_EQ(slopes.size(), couplings.terms().size());
      ASSERT_EQ(crossCurvatures.size(), couplings.crosses().size());
      const int n = figure->stepSize();
      Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(n, n);  // follower by driver
      std::vector<Eigen::MatrixXd> bend(static_cast<std::size_t>(n), Eigen::MatrixXd::Zero(n, n));
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        const Couplings::Term& term = couplings.terms()[i];
        slope(term.follower, term.driver) += slopes[i];
        bend[static_cast<std::size_t>(term.follower)](term.driver, term.driver) += curvatures[i];
      }
      for (std::size_t i = 0; i < crossCurvatures.size(); ++i) {
        const Couplings::Term &a = couplings.terms()[static_cast<std::size_t>(couplings.crosses()[i].term)],
                              &b = couplings.terms()[static_cast<std::size_t>(couplings.crosses()[i].other)];
        bend[static_cast<std::size_t>(a.follower)](a.driver, b.driver) += crossCurvatures[i];
        bend[static_cast<std::size_t>(a.follower)](b.driver, a.driver) += crossCurvatures[i];
      }
      for (const Couplings::Follower& follower : couplings.followers()) {
        const Couplings::Drive& drive = couplings.drivesOf(follower)[0];
        const int axis = follower.isScalar ? 0 : follower.firstTerm - drive.firstTerm;
        const auto at = [&](int a, double s, int b, double t) {
          Eigen::VectorXd step = Eigen::VectorXd::Zero(n);
          step[a] += s;
          step[b] += t;
          return followerAt(*figure, couplings, follower, axis, pose, step);
        };
        for (int a = 0; a < n; ++a) {
          if (couplings.isFollower(a)) continue;
          EXPECT_NEAR(slope(follower.coordinate, a), (at(a, kStep, a, 0) - at(a, -kStep, a, 0)) / (2 * kStep),
                      kTolerance)
              << follower.coordinate << " by " << a;
          for (int b = a; b < n && follower.isScalar; ++b) {
            const auto mixed = [&](double d) {
              return (at(a, d, b, d) - at(a, d, b, -d) - at(a, -d, b, d) + at(a, -d, b, -d)) / (4 * d * d);
            };
            EXPECT_NEAR(bend[static_cast<std::size_t>(follower.coordinate)](a, b),
                        (4.0 * mixed(10 * kStep) - mixed(20 * kStep)) / 3.0, kTolerance)
                << follower.coordinate << " by " << a << " and " << b;
          }
        }
      }
    }
  }
}

TEST(Couplings, AScalarFollowsTheCosineOfABallsBone) {
  const auto figure = test::makeBallLedFigure();
  const Couplings couplings = allOf(*figure);
  Pose pose = restPose(*figure);
  const Coupling& coupling = figure->couplings()[1];  // the idle hinge by the lower ball
  const Coupling::Term& term = coupling.terms[0];
  for (const double angle : {0.0, 0.5, 1.5, 3.0}) {  // the bone turned so far away from the axis
    const Eigen::Vector3d across = term.pointing->axis.unitOrthogonal();
    const Eigen::Quaterniond onto = Eigen::Quaterniond::FromTwoVectors(term.pointing->bone, term.pointing->axis);
    setJointRotation(*figure, term.driver, Eigen::Quaterniond(Eigen::AngleAxisd(angle, across)) * onto, pose);
    couplings.apply(pose);
    const double x = std::cos(angle);
    EXPECT_NEAR(pose.coordinates[figure->joint(coupling.follower).poseIndex],
                0.1 + 0.8 * x - 0.4 * x * x + 0.3 * x * x * x + 0.2 * x * x * x * x, kRounding);
  }
  EXPECT_EQ(jointRotation(*figure, pose, 6).coeffs(), jointRotation(*figure, pose, 1).coeffs()) << "the wrist";
}

TEST(Couplings, RangeContainsEveryValue) {
  std::mt19937 random(72);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int trial = 0; trial < 200; ++trial) {
    const Quartic curve{{uniform(random), uniform(random), uniform(random), uniform(random)}};
    const double a = uniform(random), b = uniform(random);
    const Interval x{std::min(a, b), std::max(a, b)}, range = rangeOf(curve, x);
    for (int i = 0; i <= 20; ++i) {
      const double value = curve.value(x.lower + (x.upper - x.lower) * i / 20.0);
      EXPECT_GE(value, range.lower - 1e-12);
      EXPECT_LE(value, range.upper + 1e-12);
    }
  }
  EXPECT_EQ(rangeOf({{0.5, 0, 0, 0}}, {-1.0, 1.0}), (Interval{-0.5, 0.5})) << "of a line exact";
  EXPECT_EQ(rangeOf({{0.5, 0, 0, 0}}, {}), Interval{});
  EXPECT_EQ(rangeOf({}, {}), (Interval{0.0, 0.0}));
}

TEST(Couplings, DifferentiatingAllocatesNothingWhenWarm) {
  const auto figure = test::makeBallLedFigure();
  const Couplings couplings = allOf(*figure);
  Pose pose = restPose(*figure);
  std::vector<double> slopes, curvatures, crossCurvatures;
  couplings.differentiate(pose, slopes, curvatures, crossCurvatures);
  const std::size_t before = test::allocationCount();
  couplings.apply(pose);
  couplings.differentiate(pose, slopes, curvatures, crossCurvatures);
  EXPECT_EQ(test::allocationCount(), before);
}

}  // namespace
}  // namespace limber::coupling_test
