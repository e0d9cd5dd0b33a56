// SPDX-License-Identifier: MIT
// Ik: the pose meets goals set by name, by forward kinematics; warm solves; wrong names.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

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

TEST(Ik, CountsTheTimeThatItsProblemTakesToBuild) {
  Ik ik(makeTwoArms());
  ik.add(position("left", {0.4, 0.7, 0.3}));
  const Answer& answer = ik.solve();
  EXPECT_GT(answer.timeMs, 0.0);
  EXPECT_GT(answer.totalMs, answer.timeMs) << "one call of advance() after a start()";
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
  EXPECT_EQ(ik.problem().solver.options.at("lm"), changed);
  const Answer answer = ik.solve();
  EXPECT_EQ(answer.summary.phases[0].phase, "lm");
  EXPECT_TRUE(answer.isReached()) << answer.sentence;
  ik.setSolver(LevenbergMarquardtOptions{.tolerance = -1.0});
  const Answer refused = ik.solve();
  EXPECT_EQ(refused.outcome, Outcome::BadInput);
  EXPECT_NE(refused.sentence.find("tolerance"), std::string::npos) << refused.sentence;
  ik.setSolver(GlobalisedNewtonOptions{});
  EXPECT_TRUE(ik.problem().solver.options.at("newton").empty());
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

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// An arm of two hinges and a ball joint as from a file with z up, centimetres and another origin.
std::shared_ptr<const Figure> makeFileArm() {
  FigureBuilder builder("file arm");
  FileFrame frame;
  frame.metresPerUnit = 0.01;
  frame.sceneFromFile = Eigen::AngleAxisd(-0.5 * std::numbers::pi, V::UnitX()).toRotationMatrix();
  frame.origin = V(0.1, 0.2, 0.3);
  builder.setFileFrame(frame);
  const auto step = [](double y) { return Transform::fromTranslation({0, y, 0}); };
  builder.addLink({.name = "base"}, {.name = "turn", .type = JointType::Revolute, .axis = V::UnitY()});
  builder.addLink({.name = "upper", .parent = 0}, {.name = "shoulder", .type = JointType::Ball});
  builder.addLink({.name = "lower", .parent = 1},
                  {.name = "elbow", .type = JointType::Revolute, .parentFromJoint = step(0.4), .limits = {-2.5, 2.5}});
  builder.addSite({.name = "tool", .link = 2, .linkFromSite = step(0.4)});
  return test::built(builder);
}

TEST(Ik, SpeaksTheAxesAndTheUnitOfTheFile) {
  Ik ik(makeFileArm());
  const V target(20, 30, 50);  // centimetres, z up, from the file's origin
  const GoalId tool = ik.add(position("tool", target));
  EXPECT_TRUE(ik.solve().isReached());
  EXPECT_LT((ik.placeOf("tool").translation - target).norm(), 0.1);
  EXPECT_EQ(ik[tool].target, target);
  const V inScene = placeOf(ik.figure(), ik.pose(), "tool", Axes::Scene).translation;
  EXPECT_LT((inScene - V(0.1 + 0.2, 0.2 + 0.5, 0.3 - 0.3)).norm(), 1e-3) << "metres, y up";

  ik[tool].target = V(0, 0, 300);
  const Answer missed = ik.solve();
  EXPECT_NEAR(missed.worstError, (ik.placeOf("tool").translation - V(0, 0, 300)).norm(), 1e-6) << "centimetres";
  EXPECT_NEAR(missed.goals[0].error, missed.worstError, 1e-9);

  ik.remove(tool);
  ik.setPose(restPose(ik.figure()));
  ik.add(orientation("tool", Eigen::AngleAxisd(0.4, V::UnitZ()).toRotationMatrix()));
  EXPECT_TRUE(ik.solve().isReached());
  EXPECT_LT((ik.placeOf("tool").rotation - Eigen::AngleAxisd(0.4, V::UnitZ()).toRotationMatrix()).norm(), 3e-3);
}

TEST(Ik, TakesTheSceneWhenItIsNamed) {
  Ik ik(makeFileArm(), Axes::Scene);
  const V target(0.3, 0.7, 0.1);
  ik.add(position("tool", target));
  EXPECT_TRUE(ik.solve().isReached());
  EXPECT_LT((ik.placeOf("tool").translation - target).norm(), 1e-3);
  EXPECT_LT((ik.placeOf("tool").translation - placeOf(ik.figure(), ik.pose(), "tool", Axes::Scene).translation).norm(),
            1e-12);
  EXPECT_EQ(ik.jacobianOf("tool"), jacobianOf(ik.figure(), ik.pose(), "tool", {.axes = Axes::Scene}));
}

TEST(Ik, MeetsEveryKindOfGoalInTheAxesOfTheFile) {
  const V point(20, 25, 45), up = V::UnitZ();
  const auto met = [&](const NewGoal& goal, auto&& isThere) {
    Ik ik(makeFileArm());
    ik.add(goal);
    const Answer answer = ik.solve();
    EXPECT_TRUE(answer.isReached()) << answer.sentence;
    EXPECT_TRUE(isThere(ik.placeOf("tool")));
  };
  const double kNear = 0.1;  // centimetres
  met(onPlane("tool", point, up), [&](const Transform& t) { return std::abs(t.translation.z() - 45) < kNear; });
  met(onSide("tool", point, -up), [&](const Transform& t) { return t.translation.z() < 45 + kNear; });
  met(onLine("tool", point, up), [&](const Transform& t) { return (t.translation - point).head<2>().norm() < kNear; });
  met(direction("tool", V::UnitY(), up), [&](const Transform& t) { return (t.rotation.col(1) - up).norm() < 3e-3; });
  const V base = placeOf(*makeFileArm(), restPose(*makeFileArm()), "base").translation;
  met(distance("tool", "base", {30, 32}),
      [&](const Transform& t) { return std::abs((t.translation - base).norm() - 31) < 1 + kNear; });
  met(lookAt("tool", V::UnitX(), V(100, 50, 60)), [&](const Transform& t) {
    return (t.rotation.col(0) - (V(100, 50, 60) - t.translation).normalized()).norm() < 3e-3;
  });
}

TEST(Ik, KeepsOutOfObstaclesInTheAxesOfTheFile) {
  Ik ik(makeFileArm());
  const Transform there{Eigen::Matrix3d::Identity(), V(40, 30, 0)};
  ik.add(position("tool", there.translation));
  const int wall = ik.addPlane({20, 0, 0}, -V::UnitX(), "wall");
  const Answer answer = ik.solve();
  EXPECT_FALSE(answer.isReached());
  EXPECT_LT(ik.placeOf("tool").translation.x(), 20.1);
  ASSERT_FALSE(answer.contacts.empty());
  EXPECT_NEAR(answer.contacts[0].point.x(), 20.0, 0.1);
  EXPECT_LT((answer.contacts[0].normal + V::UnitX()).norm(), 1e-6);
  ik.removeObstacle(wall);
  EXPECT_TRUE(ik.solve().isReached());
  const int box = ik.addBox(there, {10, 10, 10}, "box");
  EXPECT_FALSE(ik.solve().isReached());
  ik.removeObstacle(box);
  ik.addMesh({{-5, -5, -5}, {5, -5, -5}, {0, 5, -5}, {0, 0, 5}}, there, "stone");
  EXPECT_FALSE(ik.solve().isReached());
}

TEST(Ik, PullsTheBendAndThePose) {
  Ik ik(makeFileArm());
  ik.add(position("tool", {50, 0, 20}));
  ik.add(swivel("lower", V::UnitY()));
  EXPECT_TRUE(ik.search().isReached());
  EXPECT_GT(ik.placeOf("lower").translation.y(), 5.0) << "the elbow is beside the line to the tool";

  Ik kept(makeFileArm());
  Pose pose = kept.pose();
  pose.coordinates[0] = 0.7;
  kept.add(keepPose(pose));
  kept.solve();
  EXPECT_NEAR(kept.pose().coordinates[0], 0.7, 1e-2);
}

/// The sentence of the std::invalid_argument that a call throws; empty if it throws none.
template <typename Call>
std::string faultOf(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& fault) {
    return fault.what();
  }
  return {};
}

TEST(Ik, RefusesWhatHasNoMeaning) {
  EXPECT_NE(faultOf([] { Ik ik(std::shared_ptr<const Figure>{}); }).find("no figure"), std::string::npos);
  EXPECT_NE(faultOf([] { Ik ik(IkProblem{}); }).find("no figure"), std::string::npos);
  Ik ik(makeArm());
  EXPECT_NE(faultOf([&] { ik.setPose({V::Zero()}); }).find("7 coordinates, not 3"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.setPose({Eigen::VectorXd::Constant(7, kNaN)}); }).find("not finite"), std::string::npos);
  const std::string joint = ik.figure().joint(2).name;
  EXPECT_NE(faultOf([&] { ik.setLimits(joint, kNaN, 1); }).find("not a number"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.setLimits(joint, 1, -1); }).find("lower limit is above"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.setLimits("nope", 0, 1); }).find("joints are"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.setRigidity(joint, kNaN); }), "");
  EXPECT_NE(faultOf([&] { ik.addBox({}, V::Zero(), "dot"); }).find("\"dot\": it has no volume"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.addMesh({V::Zero(), V::UnitX()}); }).find("no hull"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.addPlane(V::Zero(), V::Zero()); }), "");
  EXPECT_NE(faultOf([&] { ik.removeObstacle(7); }), "");
  EXPECT_NE(faultOf([&] { position("tool", V::Zero()).uses({}); }).find("uses is empty"), std::string::npos);
  EXPECT_NE(faultOf([&] { distance("tool", "hand", {2, 1}); }), "");
  EXPECT_NE(faultOf([&] { ik.add(keepPose({V::Zero()})); }), "");
  EXPECT_NE(faultOf([&] { ik.setSolver("magic"); }).find("there are"), std::string::npos);
  EXPECT_NE(faultOf([&] { ik.setReachedDistance(kNaN); }), "");
  IkProblem reversed = makeIkProblem(makeArm());
  reversed.joints[2].limits = {1, -1};
  EXPECT_NE(faultOf([&] { Ik wrong(reversed); }).find("lower limit is above"), std::string::npos);
  IkProblem stone = makeIkProblem(makeArm());
  addObstacle(stone, {.name = "dot", .size = V::Zero()});
  EXPECT_NE(faultOf([&] { Ik wrong(stone); }).find("no volume"), std::string::npos);
  EXPECT_TRUE(ik.problem().goals.empty() && ik.problem().obstacles.empty());
}

TEST(Ik, KnowsItsOwnGoalsOnly) {
  Ik a(makeArm()), b(makeArm());
  const GoalId ofA = a.add(position("tool", {0.4, 0.6, 0.2})), ofB = b.add(position("tool", {0.4, 0.6, 0.2}));
  EXPECT_THROW(b.remove(ofA), std::out_of_range);
  EXPECT_THROW(b[ofA], std::out_of_range);
  EXPECT_THROW(b.anyOf({ofB, ofA}), std::out_of_range);
  EXPECT_EQ(b.goals(), std::vector{ofB});
  EXPECT_EQ(b[ofB].anyOf, -1);

  Ik copy = a;
  copy[ofA].target.x() = 0.3;
  EXPECT_EQ(a[ofA].target.x(), 0.4) << "a copy has the same goals, and its own targets";
  const GoalId more = copy.add(position("tool", {0.4, 0.6, 0.2}));
  EXPECT_THROW(a[more], std::out_of_range);
}

TEST(Ik, IsCopiedAndMoved) {
  Ik ik(makeTwoArms());
  const GoalId hand = ik.add(position("left", {0.4, 0.7, 0.3}));
  ik.pin("right");
  Ik copy = ik;
  const Pose solved = ik.solve().pose;
  EXPECT_TRUE(copy.solve().pose == solved) << "both solve the same, from the same pose";
  Ik moved = std::move(copy);
  ik[hand].target.z() = moved[hand].target.z() = 0.1;
  EXPECT_TRUE(ik.solve().pose == moved.solve().pose) << "a move keeps the memory of earlier solves";
  std::vector<Ik> many(3, moved);
  many.erase(many.begin());
  copy = many[0];
  EXPECT_TRUE(copy.solve().isReached());
}

}  // namespace
}  // namespace limber::ik_test
