// SPDX-License-Identifier: MIT
// docs/pupper.md: the quadruped of C. K. Liu's lecture, its chain of transformations and the Jacobian of the chain,
// written out here as there and compared with the solvers' own.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "example_scenes.h"
#include "limber/posing/posing.h"

namespace limber::pupper_test {
namespace {

constexpr double kRight = std::numbers::pi / 2.0;
constexpr double kRounding = 1e-12;

using Point = Eigen::Vector3d;
using Matrix = Eigen::Matrix4d;

Matrix translation(double x, double y, double z) {
  Matrix matrix = Matrix::Identity();
  matrix.col(3).head<3>() = Point(x, y, z);
  return matrix;
}

Matrix rotation(const Point& axis, double angle) {
  Matrix matrix = Matrix::Identity();
  matrix.topLeftCorner<3, 3>() = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  return matrix;
}

Matrix turnZ(double angle) { return rotation(Point::UnitZ(), angle); }

/// d Rz / d angle, as the lecture writes it.
Matrix turnZDerivative(double angle) {
  Matrix matrix = Matrix::Zero();
  matrix.topLeftCorner<2, 2>() << -std::sin(angle), -std::cos(angle), std::cos(angle), -std::sin(angle);
  return matrix;
}

struct Leg {
  std::string name;
  bool isRight;
  Matrix f01, f12, f23;
  Point toe;   // in the foot
  Point shin;  // in the shin
};

/// F01, F12, F23 and p0 of docs/pupper.md.
std::vector<Leg> makeLegs() {
  std::vector<Leg> legs;
  for (const auto& [name, x, y] : {std::tuple{"front_right", 0.075, -0.0835},
                                   {"front_left", 0.075, 0.0835},
                                   {"back_right", -0.075, -0.0725},
                                   {"back_left", -0.075, 0.0725}}) {
    const bool isRight = y < 0.0;
    const Matrix knee = translation(0.0, -0.0494, 0.0685), half = rotation({1.0, 0.0, -1.0}, std::numbers::pi);
    legs.push_back({.name = name,
                    .isRight = isRight,
                    .f01 = translation(x, y, 0.0) * rotation(Point::UnitX(), isRight ? kRight : -kRight),
                    .f12 = isRight ? rotation(Point::UnitY(), -kRight) : half,
                    .f23 = isRight ? Matrix(knee * rotation(Point::UnitY(), kRight)) : Matrix(knee * half),
                    .toe = {0.062, isRight ? -0.062 : 0.062, 0.018},
                    .shin = {isRight ? 0.0155 : -0.0155, -0.0247, 0.03425}});
  }
  return legs;
}

/// q = {x, y, z, r, p, y, theta1 ... theta3 of one leg}: what the lecture calls the pose, as far as a leg feels it.
using Coordinates = Eigen::Matrix<double, 9, 1>;

constexpr double kHeight = 0.1314;  // of the torso above the ground, at rest

Matrix worldFromTorso(const Coordinates& q) {
  return translation(q[0], q[1], q[2] + kHeight) * turnZ(q[5]) * rotation(Point::UnitY(), q[4]) *
         rotation(Point::UnitX(), q[3]);
}

/// p(q), or its derivative in one of the leg's angles (0 to 2), in the axes of the torso.
Point inTorso(const Leg& leg, const Coordinates& q, bool isShin, int derivative = -1) {
  const auto turn = [&](int i) { return i == derivative ? turnZDerivative(q[6 + i]) : turnZ(q[6 + i]); };
  Eigen::Vector4d p;
  p << (isShin ? leg.shin : leg.toe), 1.0;
  if (!isShin) p = leg.f23 * turn(2) * p;
  else if (derivative == 2) return Point::Zero();
  return (leg.f01 * turn(0) * leg.f12 * turn(1) * p).head<3>();
}

Point inWorld(const Leg& leg, const Coordinates& q, bool isShin) {
  return (worldFromTorso(q) * inTorso(leg, q, isShin).homogeneous()).head<3>();
}

class Pupper : public testing::Test {
 protected:
  void SetUp() override {
    const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/pupper.json");
    ASSERT_TRUE(opened) << opened.error().message();
    document_ = opened->document;
    sceneFromFile_ = figure().fileFrame().sceneFromFile;
  }
  const Figure& figure() const { return *document_.figure; }
  const Joint& joint(const std::string& name) const { return figure().joint(std::max(figure().findJoint(name), 0)); }
  const Site& site(const std::string& name) const {
    const int index = figure().findSite(name);
    EXPECT_GE(index, 0) << name;
    return figure().sites()[static_cast<std::size_t>(std::max(index, 0))];
  }
  const Joint& legJoint(const Leg& leg, int i) const { return joint(leg.name + "_" + std::to_string(i + 1)); }

  /// Torso anywhere, this leg anywhere within its limits; the pose of the document follows.
  Coordinates randomCoordinates(const Leg& leg) {
    const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random_); };
    Coordinates q;
    for (int i = 0; i < 6; ++i) q[i] = between(-1.2, 1.2);
    for (int i = 0; i < 3; ++i) q[6 + i] = between(legJoint(leg, i).limits.lower, legJoint(leg, i).limits.upper);
    setPose(leg, q);
    return q;
  }
  void setPose(const Leg& leg, const Coordinates& q) {
    Eigen::VectorXd& pose = document_.pose.coordinates;
    const Eigen::Quaterniond turned(Eigen::Matrix3d(worldFromTorso(q).topLeftCorner<3, 3>()));
    const int torso = joint("torso").poseIndex;
    pose.segment<3>(torso) = q.head<3>();
    pose.segment<4>(torso + 3) = turned.coeffs();
    for (int i = 0; i < 3; ++i) pose[legJoint(leg, i).poseIndex] = q[6 + i];
  }
  /// By Limber's forward kinematics, in the axes of Pupper's file.
  Point sitePlace(const std::string& name) const {
    Kinematics kinematics;
    computeTransforms(figure(), document_.pose, kinematics);
    const Site& at = site(name);
    return sceneFromFile_.transpose() *
           (kinematics.worldFromLink[static_cast<std::size_t>(at.link)] * at.linkFromSite.translation);
  }
  /// The solvers' Jacobian: 3 x stepSize, in the file's axes, from a position goal on the site.
  Eigen::MatrixXd solversJacobian(const std::string& name) {
    document_.goals.clear();
    addGoal(document_, site(name).link, site(name).linkFromSite.translation);
    const PosedProblem problem = makeProblem(document_, {});
    const Objective& objective = *problem.objective;
    EXPECT_EQ(objective.activeCount(), figure().stepSize());
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    objective.evaluate(document_.pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    Eigen::MatrixXd jacobian(3, figure().stepSize());
    std::vector<Residual> changes;
    for (int j = 0; j < figure().stepSize(); ++j) {
      objective.applyJacobian(evaluation, Eigen::VectorXd::Unit(figure().stepSize(), j), changes);
      jacobian.col(j) = figure().meanLinkLength() * sceneFromFile_.transpose() * changes[0];
    }
    return jacobian;
  }

  Document document_;
  Eigen::Matrix3d sceneFromFile_;
  std::mt19937 random_{7};
};

TEST_F(Pupper, HasTwelveLegJointsAndAFloatingBase) {
  EXPECT_EQ(figure().stepSize(), 18);
  EXPECT_EQ(joint("torso").type, JointType::Free);
  EXPECT_FALSE(joint("torso").locked);
  int hinges = 0;
  for (const Joint& any : figure().joints()) hinges += any.type == JointType::Revolute;
  EXPECT_EQ(hinges, 12);
  for (const Leg& leg : makeLegs()) {
    const Interval limits[] = {{-1.22, 2.51}, {-0.42, 3.14}, {-2.79, 0.71}};
    for (int i = 0; i < 3; ++i) {
      const Interval mirrored{-limits[i].upper, -limits[i].lower};
      EXPECT_EQ(legJoint(leg, i).limits, leg.isRight ? limits[i] : mirrored) << leg.name << i;
    }
  }
}

TEST_F(Pupper, StandsOnItsToes) {
  for (const Leg& leg : makeLegs()) EXPECT_NEAR(sitePlace(leg.name + "_toe").z(), 0.02, kRounding) << leg.name;
  EXPECT_LT((site("front_right_toe").linkFromSite.translation - Point(0.062, -0.062, 0.018)).norm(), kRounding);
}

TEST_F(Pupper, EqualAndOppositeAnglesMirror) {
  const std::vector<Leg> legs = makeLegs();
  for (std::size_t i = 0; i < legs.size(); i += 2) {
    Coordinates q = randomCoordinates(legs[i]);
    q.head<6>().setZero();
    const Point right = inTorso(legs[i], q, false);
    const Point left = inTorso(legs[i + 1], -q, false);
    EXPECT_LT((right - Point(left.x(), -left.y(), left.z())).norm(), kRounding) << legs[i].name;
  }
}

TEST_F(Pupper, PointsOfFootAndShinStandWhereTheChainSays) {
  for (const Leg& leg : makeLegs())
    for (int trial = 0; trial < 20; ++trial) {
      const Coordinates q = randomCoordinates(leg);
      EXPECT_LT((sitePlace(leg.name + "_toe") - inWorld(leg, q, false)).norm(), kRounding) << leg.name;
      EXPECT_LT((sitePlace(leg.name + "_shin") - inWorld(leg, q, true)).norm(), kRounding) << leg.name;
    }
}

TEST_F(Pupper, TheSolversJacobianIsTheChains) {
  for (const Leg& leg : makeLegs())
    for (const bool isShin : {false, true}) {
      const Coordinates q = randomCoordinates(leg);
      const Eigen::MatrixXd jacobian = solversJacobian(leg.name + (isShin ? "_shin" : "_toe"));
      const Eigen::Matrix3d torso = worldFromTorso(q).topLeftCorner<3, 3>();
      for (int i = 0; i < 3; ++i) {
        const Point expected = torso * inTorso(leg, q, isShin, i);
        EXPECT_LT((jacobian.col(legJoint(leg, i).stepIndex) - expected).norm(), kRounding) << leg.name << i;
      }
      for (const Leg& other : makeLegs())
        for (int i = 0; i < 3 && other.name != leg.name; ++i)
          EXPECT_TRUE(jacobian.col(legJoint(other, i).stepIndex).isZero(kRounding)) << leg.name << ", " << other.name;
    }
}

TEST_F(Pupper, TheTorsosColumnsAreTheIdentityAndTheTurnsOfTheToe) {
  const Leg leg = makeLegs()[1];
  const Coordinates q = randomCoordinates(leg);
  const Eigen::MatrixXd jacobian = solversJacobian(leg.name + "_toe");
  const int first = joint("torso").stepIndex;
  EXPECT_LT((jacobian.middleCols<3>(first) - Eigen::Matrix3d::Identity()).norm(), kRounding);

  // The free joint's turns are about the torso's own axes; those of the lecture's angles are these, mixed.
  const double sr = std::sin(q[3]), cr = std::cos(q[3]), sp = std::sin(q[4]), cp = std::cos(q[4]);
  Eigen::Matrix3d bodyRates;
  bodyRates << 1.0, 0.0, -sp, 0.0, cr, sr * cp, 0.0, -sr, cr * cp;
  const Eigen::Matrix3d byAngles = jacobian.middleCols<3>(first + 3) * bodyRates;
  const double step = 1e-6;
  for (int i = 0; i < 3; ++i) {
    const Coordinates forward = q + step * Coordinates::Unit(3 + i), back = q - step * Coordinates::Unit(3 + i);
    const Point difference = (inWorld(leg, forward, false) - inWorld(leg, back, false)) / (2.0 * step);
    EXPECT_LT((byAngles.col(i) - difference).norm(), 1e-9) << i;
  }
}

class PupperScenes : public testing::TestWithParam<std::string> {};

TEST_P(PupperScenes, AreReachedOnThreeFeet) {
  for (const char* name : {"pupper_closes_the_door", "pupper_point_on_the_shin"}) {
    Document document = test::openExample(name);
    document.solver.solver = GetParam();
    ASSERT_EQ(document.pins.size(), 3u);
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.outcome, Outcome::Reached) << name << ": " << report.sentence;
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << name;
    for (const GoalReport& goal : report.goals)
      EXPECT_TRUE(goal.pinnedLink < 0 || goal.error < 1e-6) << name << ": a foot slips by " << goal.error;
  }
}

INSTANTIATE_TEST_SUITE_P(, PupperScenes, testing::Values("newton", "lm", "lbfgs"));

TEST(PupperScene, OfTheShinLeavesTheThirdJointAlone) {
  Document document = test::openExample("pupper_point_on_the_shin");
  const Joint& third = document.figure->joint(document.figure->findJoint("front_left_3"));
  Posing posing;
  solveToEnd(posing, document);
  EXPECT_EQ(document.pose.coordinates[third.poseIndex], 0.0);
}

}  // namespace
}  // namespace limber::pupper_test
