// SPDX-License-Identifier: MIT
// How a head with an aim goal turns (docs/natural_posing.md): level, in place, before the chest.
#include <gtest/gtest.h>

#include <cmath>

#include "limber/body/body_map.h"
#include "puller.h"
#include "support/standing_body.h"

namespace limber::gaze_test {
namespace {

using test::kDegree;
using V = Eigen::Vector3d;

/// A body whose head looks at a target. Directions are those of the body at the start, whether it stands, lies or sits.
struct Looker {
  Document document;
  Posing posing;
  PosingRequest request;
  PosingReport report;
  BodyRoles roles;
  Kinematics before, now;
  Eigen::Matrix3d body;  ///< world from the axes left, up, forward

  explicit Looker(Document opened, const Eigen::Quaterniond& turned = Eigen::Quaterniond::Identity())
      : document(std::move(opened)) {
    document.solver.posing = PosingChoice::Natural;
    document.solver.reference = RestReference::StartPose;
    roles = bodyMapOf(*document.figure).roles().value();
    const Figure& figure = *document.figure;
    const Transform root = transformsOf(figure, document.pose).worldFromLink[0];
    moveRoot(figure, 0, root, {turned.toRotationMatrix(), V(0, turned.w() < 0.99 ? 0.3 : 0.0, 0)}, document.pose);
    before = now = transformsOf(figure, document.pose);
    body = before.worldFromLink[head()].rotation * roles.linkFromTPose[head()];
    GoalItem aim{.id = 7, .type = GoalType::Aim, .link = static_cast<int>(head())};
    const V ahead = roles.linkFromTPose[head()].col(2);
    aim.frameInLink = Eigen::Quaterniond::FromTwoVectors(V::UnitX(), ahead).toRotationMatrix();
    document.goals = {aim};
    request.startPose = document.pose;
  }
  std::size_t head() const { return static_cast<std::size_t>(roles.find(BodyPart::Head)); }
  std::size_t chest() const { return static_cast<std::size_t>(roles.find(BodyPart::UpperChest)); }
  /// Degrees to the left of straight ahead, and up.
  void look(double aside, double up) {
    const double a = aside / kDegree, e = up / kDegree;
    const V direction = body * V(std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e));
    document.goals[0].target = before.worldFromLink[head()].translation + 2.0 * direction;
    report = solveToEnd(posing, document, request);
    request.followsLast = true;
    now = transformsOf(*document.figure, document.pose);
  }
  double off() const { return kDegree * report.goals.at(0).angle; }
  double roll() const {
    const V left = now.worldFromLink[head()].rotation * roles.linkFromTPose[head()].col(0);
    return kDegree * std::asin(left.dot(body.col(1)));
  }
  double chestTurn() const {
    return kDegree *
           Eigen::AngleAxisd(now.worldFromLink[chest()].rotation * before.worldFromLink[chest()].rotation.transpose())
               .angle();
  }
  double headWay() const {
    return (now.worldFromLink[head()].translation - before.worldFromLink[head()].translation).norm();
  }
  void expectLevel(const std::string& what) const {
    EXPECT_LT(off(), 0.1) << what;
    EXPECT_LT(std::abs(roll()), 3.0) << what;
    EXPECT_LT(headWay(), 0.04) << what;
  }
};

Document bodyOf(const test::BodyChoice& choice) { return makeDocument(test::makeStandingBody(choice)); }

TEST(Gaze, IsLevelOnBothSidesAndTurnsNeckAndHeadBeforeTheChest) {
  for (const double aside : {-80.0, -40.0, 20.0, 60.0, 80.0})
    for (const double up : {-30.0, 0.0, 30.0}) {
      Looker looker(test::openFigure("human-without-fingers"));
      looker.look(aside, up);
      const std::string what = std::to_string(aside) + " " + std::to_string(up);
      looker.expectLevel(what);
      EXPECT_LT(looker.chestTurn(), std::abs(aside) > 60.0 ? 20.0 : 5.0) << what;
    }
}

TEST(Gaze, OfABodyThatLiesIsLevelInItsOwnAxes) {
  for (const V& axis : {V(-1, 0, 0), V(1, 0, 0), V(0, 0, 1)}) {
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(std::numbers::pi / 2, axis));
    Looker looker(test::openFigure("human-without-fingers"), turned);
    looker.look(50.0, 20.0);
    looker.expectLevel("");
  }
}

TEST(Gaze, IsLevelInFiguresOfHingesAndInPeopleFoundByNamesOrByShape) {
  for (Document& document : std::vector{test::openFigure("humanoid"), bodyOf({}), bodyOf({.turned = 1.0}),
                                        bodyOf({.armsDown = 0.7, .hasNames = false})}) {
    Looker looker(std::move(document));
    looker.look(-50.0, 25.0);
    looker.expectLevel(looker.document.figure->name());
  }
}

TEST(Gaze, StaysLevelWhileItsTargetIsDragged) {
  Looker looker(test::openFigure("human-without-fingers"));
  looker.request.draggedGoal = 7;
  double last = 0.0;
  for (int event = 0; event <= 40; ++event) {
    looker.look(2.0 * event, 0.5 * event);
    looker.expectLevel(std::to_string(event));
    EXPECT_LT(looker.chestTurn() - last, 3.0) << event;
    last = looker.chestTurn();
  }
  looker.look(0.0, 0.0);
  EXPECT_LT(looker.chestTurn(), 0.1) << "out and back";
}

TEST(Gaze, IsKeptLevelWhileAHandIsDragged) {
  Looker looker(test::openFigure("human-without-fingers"));
  looker.look(50.0, 20.0);
  const int hand = looker.document.figure->findLink("left hand");
  const V there = looker.now.worldFromLink[static_cast<std::size_t>(hand)].translation;
  looker.request = {.drag = DragGoal{.link = hand, .target = there + V(0.1, 0.2, 0.6)},
                    .startPose = looker.document.pose};
  looker.report = solveToEnd(looker.posing, looker.document, looker.request);
  looker.now = transformsOf(*looker.document.figure, looker.document.pose);
  EXPECT_TRUE(looker.report.bodyMoved);
  EXPECT_LT(looker.off(), 0.1);
  EXPECT_LT(std::abs(looker.roll()), 3.0);
}

TEST(Gaze, IsLeftAloneInEvenAndWhereTheGoalDoesNotLookAhead) {
  const auto rollOf = [](PosingChoice posing, const V& axis) {
    Looker looker(test::openFigure("human-without-fingers"));
    looker.document.solver.posing = posing;
    looker.document.goals[0].frameInLink = Eigen::Quaterniond::FromTwoVectors(V::UnitX(), axis).toRotationMatrix();
    looker.look(40.0, 30.0);
    return looker.roll();
  };
  EXPECT_GT(std::abs(rollOf(PosingChoice::Even, V::UnitZ())), 5.0);
  EXPECT_GT(std::abs(rollOf(PosingChoice::Natural, V::UnitX())), 5.0) << "an ear";
}

TEST(Gaze, DerivativesMatchDifferences) {
  Looker looker(test::openFigure("human-without-fingers"));
  looker.look(70.0, 20.0);
  looker.document.goals[0].target += V(0.1, 0.2, -0.3);
  EXPECT_TRUE(checkDerivatives(looker.document).agrees());
}

}  // namespace
}  // namespace limber::gaze_test
