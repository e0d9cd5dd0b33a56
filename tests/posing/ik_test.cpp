// SPDX-License-Identifier: MIT
// Ik: the pose meets goals set by name, by forward kinematics; warm solves; wrong names.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "limber/ik.h"
#include "limber/problem/goal_error.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/methods/levenberg_marquardt.h"
#include "support/built_figure.h"

namespace limber::ik_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kReached = 1e-3;  // of a mean link length: SolverSettings::reachedTolerance
constexpr double kPinned = 1e-6;   // metres, radians: hard goals are met more exactly than targets

/// Two arms of two ball joints each on a turning trunk; sites "left" and "right" at the ends.
std::shared_ptr<const Figure> makeTwoArms() {
  FigureBuilder builder("two arms");
  builder.addLink({.name = "trunk"}, {.type = JointType::Ball});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left" : "right";
    const int upper = builder.addLink(
        {.name = name + " upper", .parent = 0},
        {.type = JointType::Ball, .parentFromJoint = Transform::fromTranslation({0.2 * side, 0.5, 0.0})});
    const int lower = builder.addLink(
        {.name = name + " lower", .parent = upper},
        {.type = JointType::Ball, .parentFromJoint = Transform::fromTranslation({0.3 * side, 0.0, 0.0})});
    builder.addSite({.name = name, .link = lower, .linkFromSite = Transform::fromTranslation({0.3 * side, 0.0, 0.0})});
  }
  return test::built(builder);
}

TEST(Ik, ReachesAPositionAndGoesOnFromThere) {
  Ik ik(makeArm());
  const GoalId tool = ik.add(position("tool", {0.4, 0.6, 0.2}));
  const Answer first = ik.solve();
  EXPECT_TRUE(first.isReached()) << first.sentence;
  EXPECT_LT((ik.placeOf("tool").translation - V(0.4, 0.6, 0.2)).norm(), kReached);
  EXPECT_TRUE(first.pose == ik.pose());

  ik[tool].target = {0.42, 0.6, 0.2};
  const Answer second = ik.solve();
  EXPECT_TRUE(second.isReached()) << second.sentence;
  EXPECT_LT((ik.placeOf("tool").translation - V(0.42, 0.6, 0.2)).norm(), kReached);
  EXPECT_LT((second.pose.coordinates - first.pose.coordinates).norm(), 0.2) << "a small way is a small turn";
}

TEST(Ik, GivesTheSameBitsForTheSameCalls) {
  const auto poses = [] {
    Ik ik(makeTwoArms());
    const GoalId hand = ik.add(position("left", {0.4, 0.7, 0.3}));
    ik.solve();
    ik[hand].target.z() = 0.1;
    return ik.solve().pose;
  };
  EXPECT_TRUE(poses() == poses());
}

TEST(Ik, PointsAnAxisWhereItIsAsked) {
  Ik ik(makeTwoArms());
  ik.add(direction("left", V::UnitZ(), V(1, 1, 0)));
  ik.add(lookAt("right", -V::UnitX(), V(0.5, 3, 1)));
  const Answer answer = ik.solve();
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
  const Transform left = ik.placeOf("left"), right = ik.placeOf("right");
  EXPECT_LT((left.rotation.col(2) - V(1, 1, 0).normalized()).norm(), 2.0 * kReached);
  EXPECT_LT((-right.rotation.col(0) - (V(0.5, 3, 1) - right.translation).normalized()).norm(), 2.0 * kReached);
}

TEST(Ik, PlacesAnEndWithItsAxes) {
  Ik ik(makeTwoArms());
  const Transform wanted{Eigen::AngleAxisd(0.7, V(1, 2, 3).normalized()).toRotationMatrix(), V(0.5, 0.6, 0.2)};
  ik.add(placement("left", wanted));
  EXPECT_TRUE(ik.solve().isReached());
  const Transform left = ik.placeOf("left");
  EXPECT_LT((left.translation - wanted.translation).norm(), kReached);
  EXPECT_LT((left.rotation - wanted.rotation).norm(), 3.0 * kReached);
}

TEST(Ik, HoldsTwoEndsTogetherAndApart) {
  Ik ik(makeTwoArms());
  const GoalId apart = ik.add(distance("left", "right", {0.3, 0.4}));
  EXPECT_TRUE(ik.solve().isReached());
  const double between = (ik.placeOf("left").translation - ik.placeOf("right").translation).norm();
  EXPECT_GT(between, 0.3 - kReached);
  EXPECT_LT(between, 0.4 + kReached);

  ik.remove(apart);
  ik.add(together("left", "right"));
  EXPECT_TRUE(ik.search().isReached());
  EXPECT_LT((ik.placeOf("left").translation - ik.placeOf("right").translation).norm(), 2.0 * kReached);
  EXPECT_THROW(ik[apart], std::out_of_range);
}

TEST(Ik, KeepsLinesPlanesAndSides) {
  Ik ik(makeTwoArms());
  ik.add(onLine("left", {0.3, 0.8, 0}, V::UnitZ()));
  ik.add(onPlane("right", {0, 0.7, 0}, V::UnitY()));
  ik.add(onSide("right", {0, 0, 0.2}, V::UnitZ()));
  EXPECT_TRUE(ik.solve().isReached());
  const V left = ik.placeOf("left").translation, right = ik.placeOf("right").translation;
  EXPECT_LT(V(left - V(0.3, 0.8, left.z())).norm(), kReached);
  EXPECT_NEAR(right.y(), 0.7, kReached);
  EXPECT_GT(right.z(), 0.2 - kReached);
}

TEST(Ik, PinsExactlyAndLocks) {
  Ik ik(makeTwoArms());
  const Transform before = ik.placeOf("right lower");
  ik.pin("right lower");
  ik.lock("left lower");
  ik.add(position("left", {0.5, 0.9, 0.2}));
  const Answer answer = ik.solve();
  EXPECT_LT((ik.placeOf("right lower").translation - before.translation).norm(), kPinned);
  EXPECT_LT((ik.placeOf("right lower").rotation - before.rotation).norm(), kPinned);
  const int joint = ik.figure().findLink("left lower");
  EXPECT_TRUE(jointRotation(ik.figure(), answer.pose, joint).isApprox(Eigen::Quaterniond::Identity()));
  ik.unpin("right lower");
  EXPECT_TRUE(ik.problem().pins.empty());
}

TEST(Ik, PinsAPositionOrARotationAlone) {
  for (const Keep keep : {Keep::Position, Keep::Rotation}) {
    Ik ik(makeTwoArms());
    const Transform before = ik.placeOf("right");
    ik.pin("right", keep);
    ik.add(position("left", {0.3, 0.3, 0.7}));
    ik.solve();
    const Transform after = ik.placeOf("right");
    const double way = (after.translation - before.translation).norm(),
                 turn = (after.rotation - before.rotation).norm();
    EXPECT_LT(keep == Keep::Position ? way : turn, kPinned);
    EXPECT_GT(keep == Keep::Position ? turn : way, 1e-3) << "the other is free: the trunk turns";
    ik.unpin("right");
    EXPECT_TRUE(ik.problem().pins.empty());
  }
}

TEST(Ik, CertifiesThatNoPoseIsNearer) {
  Ik ik(makeArm());
  ik.add(position("tool", {9, 0, 0}));
  const double missed = ik.solve().goals[0].error;
  const PoseCertificate certificate = ik.certify();
  EXPECT_TRUE(certificate.certificate.isCertified) << sentenceOf(certificate.certificate);
  EXPECT_TRUE(certificate.certificate.isOutOfReach);
  EXPECT_LE(certificate.certificate.leastCost(), missed);
  EXPECT_GT(certificate.certificate.leastCost(), 0.99 * missed);
}

TEST(Ik, FitsThePointsOfAPose) {
  Ik ik(makeTwoArms());
  Pose pose = ik.pose();
  setJointRotation(ik.figure(), 1, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, V(1, 2, 3).normalized())), pose);
  ik.setPose(pose);
  std::vector<SeenPoint> seen;
  for (const char* end : {"left lower", "left", "right lower", "right"})
    seen.push_back({end, ik.placeOf(end).translation});
  ik.setPose(restPose(ik.figure()));
  EXPECT_LT(ik.fit(seen).cost, kPinned);
  for (const SeenPoint& point : seen) EXPECT_LT((ik.placeOf(point.end).translation - point.place).norm(), kPinned);
  EXPECT_THROW(ik.fit({}), std::invalid_argument);
}

TEST(Ik, UsesTheJointsThatItIsGiven) {
  Ik ik(makeTwoArms());
  ik.add(position("left", {0.4, 0.7, 0.3}).uses({"left upper", "left lower"}));
  const Answer answer = ik.solve();
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
  EXPECT_TRUE(jointRotation(ik.figure(), answer.pose, 0).isApprox(Eigen::Quaterniond::Identity()));
}

TEST(Ik, SaysWhatIsOutOfReach) {
  Ik ik(makeArm());
  ik.add(position("tool", {9, 0, 0}));
  const Answer answer = ik.solve();
  EXPECT_FALSE(answer.isReached());
  EXPECT_EQ(answer.outcome, Outcome::OutOfReach);
  EXPECT_NEAR(answer.goals[0].error, (ik.placeOf("tool").translation - V(9, 0, 0)).norm(), 1e-12);
  EXPECT_FALSE(answer.sentence.empty());
}

TEST(Ik, NamesWhatItDoesNotKnow) {
  Ik ik(makeTwoArms());
  const auto sentenceOf = [&](auto call) {
    try {
      call();
    } catch (const std::invalid_argument& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(sentenceOf([&] { ik.add(position("lefd", V::Zero())); }),
            "figure two arms has no site or link \"lefd\"; its links are trunk, left upper, left lower, right upper, "
            "right lower, its sites left, right");
  EXPECT_NE(sentenceOf([&] { ik.pin("lefd"); }).find("has no site or link \"lefd\""), std::string::npos);
  EXPECT_NE(sentenceOf([&] { ik.fit({{"lefd", V::Zero()}}); }), "");
  EXPECT_NE(sentenceOf([&] { ik.lock("elbow"); }), "");
  EXPECT_NE(sentenceOf([&] { ik.add(position("left", V::Zero()).uses({"elbow"})); }), "");
  EXPECT_NE(sentenceOf([&] { ik.placeOf(""); }), "");
  EXPECT_TRUE(ik.problem().goals.empty());
}

TEST(Ik, RefusesGoalsThatLackWhatTheyNeed) {
  Ik ik(makeTwoArms());
  const V none = V::Zero(), x = V::UnitX();
  EXPECT_THROW(ik.add(position("", x)), std::invalid_argument);
  EXPECT_THROW(ik.add(distance("left", "", {0.0, 1.0})), std::invalid_argument);
  EXPECT_THROW(ik.add(together("left", "")), std::invalid_argument);
  EXPECT_THROW(ik.add(direction("left", none, x)), std::invalid_argument);
  EXPECT_THROW(ik.add(lookAt("left", V::Constant(std::numeric_limits<double>::quiet_NaN()), x)), std::invalid_argument);
  EXPECT_THROW(direction("left", x, none), std::invalid_argument);
  EXPECT_THROW(onLine("left", x, none), std::invalid_argument);
  EXPECT_THROW(onPlane("left", x, none), std::invalid_argument);
  EXPECT_TRUE(ik.problem().goals.empty());
  ik.add(centreOfMass(x));
  EXPECT_EQ(ik.problem().goals.size(), 1u);
}

TEST(Ik, TakesASolverByItsTypedOptions) {
  Ik ik(makeArm());
  ik.add(position("tool", {0.4, 0.2, 0.1}));
  ik.setSolver(LevenbergMarquardtOptions{.tolerance = 1e-9, .maxIterations = 400});
  const std::map<std::string, double> changed{{"maxIterations", 400.0}, {"tolerance", 1e-9}};
  EXPECT_EQ(ik.problem().solver.options["lm"], changed);
  const Answer answer = ik.solve();
  EXPECT_EQ(answer.summary.phases[0].phase, "lm");
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
  ik.setSolver(LevenbergMarquardtOptions{.tolerance = -1.0});
  const Answer refused = ik.solve();
  EXPECT_EQ(refused.outcome, Outcome::BadInput);
  EXPECT_NE(refused.sentence.find("tolerance"), std::string::npos) << refused.sentence;
  ik.setSolver(GlobalisedNewtonOptions{});
  EXPECT_TRUE(ik.problem().solver.options["newton"].empty());
  EXPECT_TRUE(ik.solve().isReached());
}

TEST(Ik, RefusesWhatIsNotFinite) {
  Ik ik(makeArm());
  const Pose before = ik.pose();
  ik.add(position("tool", V::Constant(std::numeric_limits<double>::quiet_NaN())));
  const Answer answer = ik.solve();
  EXPECT_EQ(answer.outcome, Outcome::BadInput);
  EXPECT_FALSE(answer.sentence.empty());
  EXPECT_TRUE(answer.pose == before);
}

TEST(Ik, SaysThatNothingIsAsked) {
  Ik ik(makeArm());
  EXPECT_EQ(ik.solve().outcome, Outcome::BadInput);
}

}  // namespace
}  // namespace limber::ik_test
