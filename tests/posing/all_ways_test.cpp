// SPDX-License-Identifier: MIT
// Ik::solveAll: poses of figures with limits, windings, locks and other faults.
#include "limber/posing/all_ways.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/ik.h"
#include "limber/posing/separation.h"
#include "support/built_figure.h"
#include "support/loop_figures.h"
#include "support/says.h"

namespace limber::all_ways_test {
namespace {

using V = Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

/// An upright arm of six hinges with a spherical wrist; the upper and the lower arm have length 1.
std::shared_ptr<const Figure> makeSixJoints(double limit) {
  FigureBuilder builder("six joints");
  const V y = V::UnitY(), z = V::UnitZ();
  const V axes[] = {y, z, z, y, z, y};
  const double heights[] = {0.0, 0.5, 1.0, 0.4, 0.6, 0.0};
  const double lengths[] = {0.5, 1.0, 0.4, 0.6, 0.1, 0.2};
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i + 1);
    builder.addLink({.name = "link" + number,
                     .parent = i - 1,
                     .capsules = {{.start = V::Zero(), .end = V(0, lengths[i], 0), .radius = 0.03}}},
                    {.name = "joint" + number,
                     .type = JointType::Revolute,
                     .parentFromJoint = Transform::fromTranslation({0, heights[i], 0}),
                     .axis = axes[i],
                     .limits = {-limit, limit}});
  }
  builder.addSite({.name = "tool", .link = 5, .linkFromSite = Transform::fromTranslation({0, 0.2, 0})});
  return test::built(builder);
}

Pose somePose() {
  Pose pose{Eigen::VectorXd(6)};
  pose.coordinates << 0.4, 0.5, 0.9, -0.3, 0.8, 0.2;
  return pose;
}

Ik reaching(const std::shared_ptr<const Figure>& figure) {
  Ik ik(figure);
  ik.setPose(somePose());
  ik.add(placement("tool", ik.placeOf("tool")));
  return ik;
}

TEST(AllWays, OfASphericalWristAreEightWithDifferentLabels) {
  const Ik ik = reaching(makeSixJoints(3.1));
  const AllWays all = ik.solveAll();
  ASSERT_EQ(all.fault, "");
  ASSERT_EQ(all.ways.size() + static_cast<std::size_t>(all.outsideLimits), 8u);
  EXPECT_TRUE(all.isComplete) << all.reason;
  EXPECT_LT((all.ways[0].pose.coordinates - somePose().coordinates).norm(), 1e-9) << "the nearest is the first";
  EXPECT_LT(all.ways[0].distance, 1e-9);
  for (std::size_t i = 0; i < all.ways.size(); ++i) {
    EXPECT_LT(all.ways[i].error, 1e-9);
    EXPECT_LT(all.ways[i].angle, 1e-7);
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(all.ways[i].shoulder == all.ways[k].shoulder && all.ways[i].elbow == all.ways[k].elbow &&
                   all.ways[i].wrist == all.ways[k].wrist);
  }
}

TEST(AllWays, StayWithinLimitsAndCountTheOthers) {
  const auto figure = makeSixJoints(1.2);
  const AllWays all = reaching(figure).solveAll();
  ASSERT_FALSE(all.ways.empty());
  EXPECT_GT(all.outsideLimits, 0);
  for (const ArmWay& way : all.ways) EXPECT_LE(way.pose.coordinates.cwiseAbs().maxCoeff(), 1.2);
}

TEST(AllWays, WindingsAreWholeTurnsWithinLimits) {
  const Ik ik = reaching(makeSixJoints(1.2 * kPi));
  const AllWays nearest = ik.solveAll(), all = ik.solveAll({.listsWindings = true});
  std::size_t sum = 0;
  for (const ArmWay& way : nearest.ways) sum += static_cast<std::size_t>(way.windings);
  EXPECT_EQ(all.ways.size(), sum);
  EXPECT_GT(all.ways.size(), nearest.ways.size());
  for (const ArmWay& way : all.ways) {
    EXPECT_LE(way.pose.coordinates.cwiseAbs().maxCoeff(), 1.2 * kPi);
    EXPECT_LT(way.error, 1e-9);
  }
}

/// The distance of the figure's surface from a ball, by its capsules alone.
double distanceFromBall(const Figure& figure, const Pose& pose, const V& centre, double radius) {
  const Kinematics kinematics = transformsOf(figure, pose);
  double least = 1e9;
  for (int i = 0; i < figure.linkCount(); ++i)
    for (const Capsule& capsule : figure.link(i).capsules) {
      const Transform& world = kinematics.worldFromLink[i];
      const LineEnds line{world * capsule.start, world * capsule.end};
      const auto [onLine, point] = closestPoints(line, {centre, centre});
      least = std::min(least, (onLine - point).norm() - capsule.radius - radius);
    }
  return least;
}

TEST(AllWays, HaveTheClearanceFromObstacles) {
  Ik ik = reaching(makeSixJoints(3.1));
  EXPECT_FALSE(ik.solveAll().isCompared) << "nothing is avoided";
  const Figure& figure = ik.figure();
  // A ball around the elbow of one of the ways.
  const AllWays before = ik.solveAll();
  const V centre = transformsOf(figure, before.ways.back().pose).worldFromLink[2].translation;
  constexpr double kRadius = 0.1;
  ik.addSphere(centre, kRadius, "ball");
  const AllWays all = ik.solveAll();
  ASSERT_EQ(all.ways.size(), before.ways.size()) << "ways that collide are listed";
  EXPECT_TRUE(all.isCompared);
  int colliding = 0;
  for (const ArmWay& way : all.ways) {
    const double distance = distanceFromBall(figure, way.pose, centre, kRadius);
    EXPECT_NEAR(way.clearance, distance, 1e-9);
    EXPECT_EQ(way.collides, distance < -1e-3 * figure.meanLinkLength());
    EXPECT_TRUE(test::says(way.nearestOther, {"ball"}));
    ASSERT_GE(way.nearestLink, 0);
    colliding += way.collides;
  }
  EXPECT_EQ(all.colliding, colliding);
  EXPECT_GT(colliding, 0);
  ASSERT_LT(static_cast<std::size_t>(colliding), all.ways.size()) << "the other side of the elbow is clear";

  const AllWays clear = ik.solveAll({.leavesOutColliding = true});
  EXPECT_EQ(clear.ways.size() + static_cast<std::size_t>(colliding), all.ways.size());
  EXPECT_EQ(clear.colliding, colliding);
  for (const ArmWay& way : clear.ways) EXPECT_FALSE(way.collides);

  // Each way is nearer to the ball than this.
  double most = 0.0;
  for (const ArmWay& way : all.ways) most = std::max(most, way.clearance);
  ik.setSafetyDistance(most + 0.01);
  for (const ArmWay& way : ik.solveAll().ways) EXPECT_TRUE(way.collides);
}

TEST(AllWays, ThatAreInsideTheFigureItselfCollideWhereverTheyStart) {
  Ik ik(makeSixJoints(3.1));
  Pose folded = somePose();
  folded.coordinates << 0.4, 0.5, 3.0, -0.3, 0.8, 0.2;  // the lower arm lies along the upper arm
  ik.setPose(folded);
  ik.add(placement("tool", ik.placeOf("tool")));
  ik.setAvoidsItself(true);
  AllWays all = ik.solveAll();
  ASSERT_FALSE(all.ways.empty());
  EXPECT_TRUE(all.ways[0].collides) << "also the pose of the start";
  EXPECT_LT(all.ways[0].clearance, 0.0);
  ik.setPose(somePose());
  all = ik.solveAll();
  int colliding = 0;
  for (const ArmWay& way : all.ways) colliding += way.collides;
  EXPECT_GT(colliding, 0);
}

TEST(AllWays, OfSevenJointsMarkThePosesThatCollide) {
  Ik ik(makeArm());
  Pose pose = ik.pose();
  pose.coordinates << 0.4, 0.7, -0.3, 0.9, 0.5, -0.6, 0.1;
  ik.setPose(pose);
  ik.add(placement("tool", ik.placeOf("tool")));
  const V centre = transformsOf(ik.figure(), pose).worldFromLink[3].translation;
  ik.addSphere(centre, 0.05, "ball");
  const AllWays all = ik.solveAll();
  ASSERT_FALSE(all.curves.empty());
  bool isAnyInside = false, isAnyClear = false;
  for (const ArmWay& way : all.ways) {
    const WayCurve& curve = all.curves[way.curve];
    ASSERT_EQ(curve.collides.size(), curve.poses.size());
    ASSERT_EQ(curve.clearances.size(), curve.poses.size());
    bool isClearAnywhere = false;
    for (std::size_t i = 0; i < curve.poses.size(); ++i) {
      EXPECT_NEAR(curve.clearances[i], distanceFromBall(ik.figure(), curve.poses[i], centre, 0.05), 1e-9);
      (curve.collides[i] ? isAnyInside : isClearAnywhere) = true;
    }
    EXPECT_EQ(way.collides, !isClearAnywhere) << "the way of a curve is one that does not collide";
    isAnyClear = isAnyClear || isClearAnywhere;
  }
  EXPECT_TRUE(isAnyInside);
  EXPECT_TRUE(isAnyClear);
}

TEST(AllWays, OfSevenJointsAreCurvesWithinLimits) {
  const auto figure = makeArm();
  Ik ik(figure);
  ik.add(placement("tool", ik.placeOf("tool")));
  const AllWays all = ik.solveAll();
  ASSERT_EQ(all.fault, "");
  ASSERT_FALSE(all.curves.empty());
  EXPECT_FALSE(all.isComplete);
  EXPECT_EQ(all.ways.size(), all.curves.size());
  const Transform target = ik.placeOf("tool");
  for (const WayCurve& curve : all.curves)
    for (const Pose& pose : curve.poses) {
      EXPECT_LT((placeOf(*figure, pose, "tool").translation - target.translation).norm(), 1e-9);
      for (int i = 0; i < figure->linkCount(); ++i) {
        const Joint& joint = figure->joint(i);
        if (!isScalar(joint)) continue;
        EXPECT_GE(pose.coordinates[joint.poseIndex], joint.limits.lower);
        EXPECT_LE(pose.coordinates[joint.poseIndex], joint.limits.upper);
      }
    }
}

TEST(AllWays, LockedJointsStay) {
  Ik ik(makeArm());
  Pose pose = ik.pose();
  pose.coordinates[2] = 0.3;
  ik.setPose(pose);
  ik.lock(ik.figure().joint(2).name);
  ik.add(placement("tool", ik.placeOf("tool")));
  const AllWays all = ik.solveAll();
  ASSERT_EQ(all.fault, "");
  ASSERT_FALSE(all.ways.empty());
  for (const ArmWay& way : all.ways) EXPECT_EQ(way.pose.coordinates[2], 0.3);
}

TEST(AllWays, OfFiguresWithLoopsAreRefused) {
  Ik ik(test::makeFourBar());
  ik.add(position(ik.figure().link(ik.figure().linkCount() - 1).name, V(0, 1, 0)));
  const AllWays all = ik.solveAll();
  EXPECT_TRUE(test::says(all.fault, {"closed loops"}));
  EXPECT_TRUE(all.ways.empty());
}

TEST(AllWays, SayWhyThereIsNoClosedForm) {
  Ik two = reaching(makeSixJoints(3.0));
  two.add(position("link3", V(0, 1, 0)));
  EXPECT_TRUE(test::says(two.solveAll().fault, {"2 goals"}));

  Ik balls(makeBallChain(2));
  balls.add(position("tip", V(1, 1, 0)));
  EXPECT_TRUE(test::says(balls.solveAll().fault, {"joint0", "ball"}));

  Ik far(makePlanarChain(9));
  far.add(placement("tip", far.placeOf("tip")));
  EXPECT_TRUE(test::says(far.solveAll().fault, {"9 joints"}));

  Ik redundant(makePlanarChain(5));
  redundant.add(position("tip", V(1, 1, 0)));
  EXPECT_TRUE(test::says(redundant.solveAll().fault, {"position alone"}));
}

}  // namespace
}  // namespace limber::all_ways_test
