// SPDX-License-Identifier: MIT
#include "limber/posing/posing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::posing_test {
namespace {

/// A locked free root with two arms of three hinges each and a limited elbow.
std::shared_ptr<const Figure> makeTwoArms() {
  using V = Eigen::Vector3d;
  FigureBuilder b("two arms");
  const int body = b.addLink({.name = "body"}, {.name = "root", .type = JointType::Free, .locked = true});
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left " : "right ";
    const int shoulder =
        b.addLink({.name = name + "upper", .parent = body},
                  {.type = JointType::Ball, .parentFromJoint = Transform::fromTranslation(V(0.2 * side, 0.5, 0))});
    const int lower = b.addLink({.name = name + "lower", .parent = shoulder},
                                {.type = JointType::Revolute,
                                 .parentFromJoint = Transform::fromTranslation(V(0.3 * side, 0, 0)),
                                 .axis = V(0, -side, 0),
                                 .limits = {0.0, 2.0}});
    b.addSite({.name = name + "hand", .link = lower, .linkFromSite = Transform::fromTranslation(V(0.3 * side, 0, 0))});
    b.setRest(lower, Eigen::VectorXd::Constant(1, 0.9));
  }
  return test::built(b);
}

Eigen::Vector3d pointOf(const Document& document, int link, const Eigen::Vector3d& point) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
}

TEST(Posing, ReachesAChainsTargetAndSaysSo) {
  Document document = makeDocument(makePlanarChain(4));
  document.goals[0].target = {2.0, 1.5, 0.0};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.summary.status, SolveStatus::Converged);
  EXPECT_LT((pointOf(document, 3, Eigen::Vector3d::UnitX()) - document.goals[0].target).norm(), 0.02);
  ASSERT_EQ(report.goals.size(), 1u);
  EXPECT_EQ(report.goals[0].id, document.goals[0].id);
  EXPECT_NEAR(report.goals[0].error, (pointOf(document, 3, Eigen::Vector3d::UnitX()) - document.goals[0].target).norm(),
              1e-12);
}

TEST(Posing, OutOfReachOnlyWhenProved) {
  Document document = makeDocument(makePlanarChain(4));
  Posing posing;
  document.goals[0].target = {5.0, 0.0, 0.0};
  EXPECT_EQ(solveToEnd(posing, document).outcome, Outcome::OutOfReach);
  document.goals[0].target = {4.0 - 1e-9, 0.0, 0.0};
  EXPECT_NE(solveToEnd(posing, document).outcome, Outcome::OutOfReach);
}

TEST(Posing, LockedJointsShortenTheReach) {
  Document document = makeDocument(makePlanarChain(4));
  for (int i = 0; i < 3; ++i) document.joints[static_cast<std::size_t>(i)].locked = true;
  document.goals[0].target = {3.0, 1.5, 0.0};  // the last link alone reaches 1 from (3, 0)
  Posing posing;
  EXPECT_EQ(solveToEnd(posing, document).outcome, Outcome::OutOfReach);
  EXPECT_EQ(document.pose.coordinates.head<3>(), Eigen::Vector3d::Zero());
}

TEST(Posing, AtLimitsNamesTheJointThatBlocks) {
  Document document = makeDocument(makePlanarChain(2));
  document.joints[1].limits = {-0.1, 0.1};
  document.goals[0].target = {0.5, 0.5, 0.0};
  document.pose.coordinates.setConstant(0.05);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::AtLimits);
  ASSERT_EQ(report.limitedJoints, std::vector<int>{1});
  EXPECT_NE(report.sentence.find("held back by joint1"), std::string::npos) << report.sentence;
  EXPECT_EQ(std::abs(document.pose.coordinates[1]), 0.1) << "a limited joint stops exactly at its limit";
}

TEST(Posing, DraggingOneArmLeavesTheOtherAlone) {
  Document document = makeDocument(makeTwoArms());
  document.mode = Mode::Inverse;
  Posing posing;
  const int left = document.figure->findLink("left lower"), right = document.figure->findLink("right lower");
  const Eigen::Vector3d leftHand(-0.3, 0, 0), rightHand(0.3, 0, 0);
  PosingRequest request;
  request.drag = DragGoal{left, leftHand, {-0.4, 0.9, 0.2}, 1.0};
  request.startPose = document.pose;
  solveToEnd(posing, document, request);
  EXPECT_LT((pointOf(document, left, leftHand) - request.drag->target).norm(), 1e-3);
  const Pose posed = document.pose;
  request.drag = DragGoal{right, rightHand, {0.35, 0.2, 0.3}, 1.0};
  request.startPose = document.pose;
  solveToEnd(posing, document, request);
  EXPECT_LT((pointOf(document, right, rightHand) - request.drag->target).norm(), 1e-3);
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    if (document.figure->link(i).name.rfind("left", 0) != 0) continue;
    const Joint& joint = document.figure->joint(i);
    const int size = poseSize(joint.type);
    EXPECT_LT(
        (document.pose.coordinates.segment(joint.poseIndex, size) - posed.coordinates.segment(joint.poseIndex, size))
            .cwiseAbs()
            .maxCoeff(),
        1e-6);
  }
}

struct HeldHands {
  Document document = makeDocument(makeTwoArms());
  PosingRequest request;
  double worstHold() const {
    double worst = 0.0;
    for (const Hold& hold : request.holds)
      worst = std::max(worst, (pointOf(document, hold.goal.link, hold.goal.pointInLink) - hold.goal.target).norm());
    return worst;
  }
};

HeldHands dragBodyWithHeldHands(const Eigen::Vector3d& target) {
  HeldHands result;
  auto& [document, request] = result;
  Posing posing;
  request.freeRoot = true;
  request.startPose = document.pose;
  for (const char* name : {"left lower", "right lower"}) {
    const int link = document.figure->findLink(name);
    const Eigen::Vector3d hand(name[0] == 'l' ? -0.3 : 0.3, 0, 0);
    request.holds.push_back(holdPoint(link, hand, pointOf(document, link, hand)));
  }
  request.drag = DragGoal{0, Eigen::Vector3d::Zero(), target, 1.0};
  solveToEnd(posing, document, request);
  return result;
}

TEST(Posing, HoldsStayWhereTheyAreWhileTheRootMoves) {
  const HeldHands held = dragBodyWithHeldHands({0.0, -0.1, 0.1});
  EXPECT_LT((pointOf(held.document, 0, Eigen::Vector3d::Zero()) - held.request.drag->target).norm(), 0.02);
  EXPECT_LT(held.worstHold(), 1e-5);
}

TEST(Posing, HoldsStayEvenWhenTheRootIsPulledTooFar) {
  const HeldHands held = dragBodyWithHeldHands({0.0, -2.0, 0.3});
  EXPECT_LT(held.worstHold(), 1e-4);
}

/// A leg hanging straight down: hip of three hinges (or a ball), a knee exactly at its limit.
std::shared_ptr<const Figure> makeStraightLeg(bool ballHip) {
  using V = Eigen::Vector3d;
  FigureBuilder b("leg");
  int thigh = -1;
  if (ballHip) thigh = b.addLink({.name = "thigh"}, {.name = "hip", .type = JointType::Ball});
  else
    for (const auto& [name, axis] : {std::pair{"hip flexion", V(-1, 0, 0)}, std::pair{"hip abduction", V(0, 0, 1)},
                                     std::pair{"thigh", V(0, 1, 0)}})
      thigh = b.addLink({.name = name, .parent = thigh},
                        {.type = JointType::Revolute, .axis = axis, .limits = {-1.0, 2.0}});
  b.addLink({.name = "shank", .parent = thigh}, {.name = "knee",
                                                 .type = JointType::Revolute,
                                                 .parentFromJoint = Transform::fromTranslation(V(0, -0.43, 0)),
                                                 .axis = V(1, 0, 0),
                                                 .limits = {0.0, 2.5}});
  b.addSite({.name = "foot", .link = thigh + 1, .linkFromSite = Transform::fromTranslation(V(0, -0.43, 0))});
  return test::built(b);
}

TEST(Posing, AStraightLegPulledUpBendsItsKneeTheRightWay) {
  for (const bool ballHip : {false, true}) {
    Document document = makeDocument(makeStraightLeg(ballHip));
    const int knee = document.figure->findJoint("knee");
    Posing posing;
    PosingRequest request;
    request.startPose = document.pose;
    request.drag = DragGoal{knee, {0, -0.43, 0}, {0.0, -0.6, 0.0}, 1.0};  // straight up the leg's own axis
    EXPECT_EQ(solveToEnd(posing, document, request).outcome, Outcome::Reached) << posing.report().sentence;
    EXPECT_GT(document.pose.coordinates[document.figure->joint(knee).poseIndex], 0.5);
  }
}

TEST(Posing, ATargetCreptOverAStraightLegMakesNoJump) {
  Document document = makeDocument(makeStraightLeg(false));
  const int knee = document.figure->findJoint("knee");
  Posing posing;
  PosingRequest request;
  request.startPose = document.pose;
  Pose last = document.pose;
  for (int event = 0; event <= 400; ++event) {  // from beyond reach, up through full stretch, and bent
    request.drag = DragGoal{knee, {0, -0.43, 0}, {0.0, -0.90 + 0.0005 * event, 0.0}, 1.0};
    solveToEnd(posing, document, request);
    // Near full stretch angles move like the square root of the target's way: here sqrt(2 * 0.0005 / 0.43) = 0.05.
    EXPECT_LT((document.pose.coordinates - last.coordinates).cwiseAbs().maxCoeff(), 3 * 0.05) << event;
    last = document.pose;
  }
  EXPECT_GT(last.coordinates[document.figure->joint(knee).poseIndex], 0.5);
}

TEST(Posing, AnglesAreWrappedAfterASolve) {
  Document document = makeDocument(makePlanarChain(3));
  document.pose.coordinates << 7.0, -8.0, 9.0;
  document.solver.restWeight = 0.0;
  document.goals[0].target = pointOf(document, 2, Eigen::Vector3d::UnitX());
  Posing posing;
  solveToEnd(posing, document);
  EXPECT_LE(document.pose.coordinates.cwiseAbs().maxCoeff(), std::numbers::pi);
}

TEST(Posing, ReferenceFollowsTheTurnOfAWrappedAngle) {
  // A joint at 3.1 dragged over pi: the pull back must be toward 3.1, not around the circle.
  Document document = makeDocument(makePlanarChain(1));
  document.solver.reference = RestReference::StartPose;
  document.pose.coordinates << -3.1;
  PosingRequest request;
  request.startPose = Pose{Eigen::VectorXd::Constant(1, 3.1)};
  document.goals[0].target = {std::cos(-3.05), std::sin(-3.05), 0.0};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document, request);
  EXPECT_LT(report.summary.objective, 0.05);
  EXPECT_NEAR(document.pose.coordinates[0], -3.05, 1e-3);
}

TEST(Posing, SlicesEndWhereOneRunEnds) {
  for (const char* solver : {"newton", "gdls+nm"}) {
    Document whole = makeDocument(makePlanarChain(6));
    whole.solver.solver = solver;
    whole.goals[0].target = {1.0, 3.0, 0.0};
    Document sliced = whole;
    Posing a, b;
    solveToEnd(a, whole);
    ASSERT_TRUE(b.start(sliced));
    while (!b.advance(sliced, 2)) EXPECT_TRUE(isValid(*sliced.figure, sliced.pose));
    EXPECT_TRUE(whole.pose == sliced.pose) << solver;
  }
}

TEST(Posing, BadSettingsAreSaidInWords) {
  Document document = makeDocument(makePlanarChain(2));
  Posing posing;
  document.solver.solver = "magic";
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("magic"), std::string::npos);
  document.solver.solver = "newton";
  document.solver.options["newton"]["speed"] = 1.0;
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("speed"), std::string::npos);
  document.solver.options.clear();
  document.goals[0].target.x() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(posing.start(document));
  document.goals.clear();
  EXPECT_FALSE(posing.start(document));
  EXPECT_EQ(posing.report().outcome, Outcome::BadInput);
}

TEST(Posing, AWildDragNeverBreaksALimit) {
  Document document = makeDocument(test::makeAwkwardFigure());
  std::mt19937 random(21);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  Posing posing;
  for (int event = 0; event < 300; ++event) {
    PosingRequest request;
    request.drag = DragGoal{event % 2 ? 6 : 9,
                            {0.2, 0.1, 0.0},
                            Eigen::Vector3d(40 + uniform(random), -30 + uniform(random), 20 + uniform(random)),
                            1.0};
    ASSERT_TRUE(posing.start(document, request));
    posing.advance(document, 1 + event % 40);
    ASSERT_TRUE(isValid(*document.figure, document.pose));
    Pose clamped = document.pose;
    clampToLimits(document, clamped);
    ASSERT_TRUE(clamped == document.pose);
  }
}

TEST(Posing, PinsHoldPositionRotationOrBoth) {
  for (const auto& [position, rotation] : {std::pair{true, false}, std::pair{false, true}, std::pair{true, true}}) {
    Document document = makeDocument(makeTwoArms());
    document.solver.restWeight = 1e-3;
    const int left = document.figure->findLink("left lower"), right = document.figure->findLink("right lower");
    pinLink(document, left, position, rotation, {-0.1, 0, 0});
    const Pin pin = document.pins[0];
    PosingRequest request;
    request.freeRoot = true;
    Posing posing;
    Kinematics kinematics;
    PosingReport report;
    for (int frame = 1; frame <= 20; ++frame) {
      request.drag = DragGoal{right, {0.3, 0, 0}, Eigen::Vector3d(0.5 + 0.01 * frame, 0.5, 0.2), 1.0};
      report = solveToEnd(posing, document, request);
    }
    computeTransforms(*document.figure, document.pose, kinematics);
    const Transform& now = kinematics.worldFromLink[static_cast<std::size_t>(left)];
    if (position) {
      EXPECT_LT((now * pin.pointInLink - pin.worldFromLink * pin.pointInLink).norm(), 1e-5);
    }
    if (rotation) {
      EXPECT_LT((now.rotation - pin.worldFromLink.rotation).norm(), 1e-4);
    }
    ASSERT_EQ(report.goals.size(), 2u);
    EXPECT_EQ(report.goals[1].pinnedLink, left);
    EXPECT_TRUE(report.goals[1].reached);
  }
}

TEST(Posing, WarmPinsNeedFewIterations) {
  Document document = makeDocument(makeTwoArms());
  pinLink(document, document.figure->findLink("left lower"), true, true);
  PosingRequest request;
  request.freeRoot = true;
  request.drag = DragGoal{0, Eigen::Vector3d::Zero(), {0.0, 0.05, 0.02}, 1.0};
  Posing posing;
  const int cold = solveToEnd(posing, document, request).summary.iterations();
  EXPECT_LT(solveToEnd(posing, document, request).summary.iterations(), cold);
  EXPECT_LE(solveToEnd(posing, document, request).summary.iterations(), 3) << "the force that holds it is known";
}

TEST(Posing, APinWithoutGoalsBringsItsLinkBack) {
  Document document = makeDocument(makeTwoArms());
  const int left = document.figure->findLink("left lower");
  pinLink(document, left, true, false, {-0.3, 0, 0});
  const Eigen::Vector3d place = pointOf(document, left, {-0.3, 0, 0});
  turnJoint(document, left, 0, 0.4);
  Posing posing;
  EXPECT_EQ(solveToEnd(posing, document).outcome, Outcome::Reached) << posing.report().sentence;
  EXPECT_LT((pointOf(document, left, {-0.3, 0, 0}) - place).norm(), 1e-5);
}

TEST(Posing, OnlyExactSolversDriveALimitedFigureUnlessTheUserInsists) {
  Document document = makeDocument(makeTwoArms());
  addGoal(document, document.figure->findLink("left lower"), {-0.3, 0, 0});
  document.goals[0].target.y() += 0.1;
  Posing posing;
  document.solver.solver = "gdls+nm";
  EXPECT_TRUE(posing.start(document)) << posing.report().sentence;
  document.solver.solver = "nm";
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("\"insist\": true"), std::string::npos) << posing.report().sentence;
  document.solver.insist = true;
  EXPECT_TRUE(posing.start(document));
  document.solver.insist = false;
  for (JointSettings& joint : document.joints) joint.limits = {};
  EXPECT_TRUE(posing.start(document)) << "without limits any solver drives";
}

TEST(Posing, TheStrongestLimitIsNamedFirst) {
  Document document = makeDocument(makePlanarChain(3));
  document.joints[0].limits = {-0.05, 0.05};
  document.joints[2].limits = {-0.05, 0.05};
  document.joints[1].limits = {-0.05, 0.05};
  document.goals[0].target = {0.0, 2.9, 0.0};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  ASSERT_EQ(report.activeLimits.size(), 3u);
  EXPECT_EQ(report.activeLimits[0].kind, LimitKind::Upper);
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_GE(report.activeLimits[i - 1].multiplier, report.activeLimits[i].multiplier);
  EXPECT_NE(report.sentence.find("held back by " + document.figure->joint(report.activeLimits[0].index).name +
                                 " and 2 more joints"),
            std::string::npos)
      << report.sentence;
  // The meaning of a multiplier: the decrease of f when the limit is relaxed.
  const double give = 1e-5;
  Document given = document;
  given.joints[static_cast<std::size_t>(report.activeLimits[0].index)].limits.upper += give;
  const double gain = report.summary.objective - solveToEnd(posing, given).summary.objective;
  EXPECT_NEAR(gain / give, report.activeLimits[0].multiplier, 1e-3 * report.activeLimits[0].multiplier);
}

TEST(DerivativeCheck, AgreesWithCentralDifferences) {
  std::mt19937 random(22);
  Document document = makeDocument(test::makeAwkwardFigure());
  document.pose = test::randomPose(*document.figure, random);
  for (int link : test::kAwkwardTips) addGoal(document, link, {0.1, 0.2, -0.1});
  document.pose = test::randomPose(*document.figure, random);
  const DerivativeCheck check = checkDerivatives(document);
  EXPECT_EQ(check.fault, "");
  EXPECT_LT(check.worstGradientError, 1e-7) << check.worstGradientEntry;
  EXPECT_LT(check.worstHessianError, 1e-7) << check.worstHessianEntry;
  EXPECT_EQ(check.coordinateNames.size(), static_cast<std::size_t>(check.gradient.size()));
}

}  // namespace
}  // namespace limber::posing_test
