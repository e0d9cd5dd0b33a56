// SPDX-License-Identifier: MIT
#include "limber/ways/subproblems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/kinematics/pose.h"
#include "limber/ways/joint_pair.h"
#include "limber/ways/roots.h"
#include "limber/ways/screw.h"

namespace limber::subproblems_test {
namespace {

using namespace ways;
using Eigen::Vector3d;

struct Random {
  std::mt19937 generator{7};
  double number(double lower = -1.0, double upper = 1.0) {
    return std::uniform_real_distribution<double>(lower, upper)(generator);
  }
  Vector3d point() { return {number(), number(), number()}; }
  Vector3d direction() { return point().normalized(); }
};

template <typename List>
double nearest(const List& angles, double angle) {
  double best = 10.0;
  for (int i = 0; i < angles.count; ++i) best = std::min(best, std::abs(wrapAngle(angles.value[i] - angle)));
  return best;
}

TEST(Subproblems, FindTheAngleThatMadeTheData) {
  Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d axis = random.direction(), p = random.point(), q = random.point(), normal = random.direction();
    const double angle = random.number(-3.14, 3.14);
    const Vector3d image = turnAbout(axis, angle) * p;
    EXPECT_LT(nearest(turnOnto(axis, p, image), angle), 1e-9);
    EXPECT_LT(nearest(turnToDistance(axis, p, q, (image - q).norm()), angle), 1e-6);
    EXPECT_LT(nearest(turnToPlane(axis, p, normal, normal.dot(image)), angle), 1e-6);
    EXPECT_LT(turnOnto(axis, p, image).excess, 1e-12);
  }
}

TEST(Subproblems, FindBothAnglesThatMadeTheData) {
  Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d axis1 = random.direction(), axis2 = random.direction(), v = random.point();
    const double angle1 = random.number(-3.14, 3.14), angle2 = random.number(-3.14, 3.14);
    const AnglePairs pairs = turnBothOnto(axis1, turnAbout(axis1, -angle1) * v, axis2, turnAbout(axis2, -angle2) * v);
    double best = 10.0;
    for (int i = 0; i < pairs.count; ++i)
      best = std::min(best, std::max(std::abs(wrapAngle(pairs.value[i][0] - angle1)),
                                     std::abs(wrapAngle(pairs.value[i][1] - angle2))));
    EXPECT_LT(best, 1e-6);
    EXPECT_FALSE(pairs.isFree);
  }
}

TEST(Subproblems, WithoutAnAnswerGiveTheNearestAndSaySo) {
  Random random;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3d axis = random.direction(), p = random.point(), q = random.point();
    const Angles onto = turnOnto(axis, p, q);
    const Angles far = turnToDistance(axis, p, q, 9.0), plane = turnToPlane(axis, p, q.normalized(), 5.0);
    EXPECT_GT(onto.excess, 0.0);
    EXPECT_EQ(far.count, 1);
    EXPECT_GT(far.excess, 0.0);
    EXPECT_GT(plane.excess, 0.0);
    for (int k = 0; k < 100; ++k) {
      const Vector3d image = turnAbout(axis, 0.0628 * k) * p;
      EXPECT_LE((turnAbout(axis, onto.value[0]) * p - q).norm(), (image - q).norm() + 1e-12);
      EXPECT_GE((turnAbout(axis, far.value[0]) * p - q).norm(), (image - q).norm() - 1e-12);
      EXPECT_GE(q.normalized().dot(turnAbout(axis, plane.value[0]) * p), q.normalized().dot(image) - 1e-12);
    }
  }
}

TEST(Subproblems, OfDegenerateAxesAreFree) {
  const Vector3d z = Vector3d::UnitZ();
  EXPECT_TRUE(turnOnto(z, 2.0 * z, 2.0 * z).isFree);
  EXPECT_TRUE(turnOnto(z, Vector3d::Zero(), Vector3d::Zero()).isFree);
  EXPECT_TRUE(turnToPlane(z, Vector3d::UnitX(), z, 0.0).isFree);
  EXPECT_FALSE(turnToPlane(z, Vector3d::UnitX(), z, 0.5).isFree);
  EXPECT_TRUE(turnBothOnto(z, Vector3d::UnitX(), -z, Vector3d::UnitY()).isFree);
  const AnglePairs single = turnBothOnto(z, Vector3d::UnitX(), Vector3d::UnitX(), Vector3d::UnitX());
  EXPECT_TRUE(single.isFree) << "the second axis has no effect on a point on it";
}

TEST(Subproblems, RootsOfPolynomialsAreThoseThatMadeThem) {
  Random random;
  for (int trial = 0; trial < 500; ++trial) {
    const int degree = 1 + trial % 6;
    std::vector<std::complex<double>> polynomial = {1.0}, made, roots(static_cast<std::size_t>(degree));
    for (int i = 0; i < degree; ++i) {
      made.push_back({random.number(-2, 2), random.number(-2, 2)});
      polynomial.insert(polynomial.begin(), 0.0);
      for (std::size_t k = 0; k + 1 < polynomial.size(); ++k) polynomial[k] -= made.back() * polynomial[k + 1];
    }
    ASSERT_EQ(findRoots(polynomial, roots), degree);
    for (const auto& root : made) {
      double best = 10.0;
      for (const auto& found : roots) best = std::min(best, std::abs(found - root));
      EXPECT_LT(best, 1e-5);
    }
  }
}

/// All kinds of two joints, with skew, crossing, parallel and equal axes.
TEST(JointPair, FindsTheCoordinatesThatMadeTheData) {
  Random random;
  for (int trial = 0; trial < 4000; ++trial) {
    Screw first{random.direction(), random.point(), trial % 2 == 1},
        second{random.direction(), random.point(), trial / 2 % 2 == 1};
    if (trial / 4 % 4 == 1) second.point = first.point;
    if (trial / 4 % 4 == 2) second.axis = -first.axis;
    if (trial / 4 % 4 == 3) second.axis = first.axis.unitOrthogonal();
    if (first.isSlide && second.isSlide && trial / 4 % 4 == 2) continue;  // one joint
    const double q1 = random.number(), q2 = random.number();
    const Vector3d y = random.point();
    const Vector3d x = movedPoint(first, q1, movedPoint(second, q2, y));
    const JointPair pair(first, second);
    EXPECT_LT(std::abs(pair.gap(y, x)), 1e-12);
    const PairAnswers answers = pair.solve(y, x, {0.0, 0.0});
    double best = 10.0;
    for (int i = 0; i < answers.count; ++i)
      best = std::min(best, std::max(std::abs(answers.value[i][0] - q1), std::abs(answers.value[i][1] - q2)));
    EXPECT_LT(best, 1e-4) << "trial " << trial;
  }
}

}  // namespace
}  // namespace limber::subproblems_test
