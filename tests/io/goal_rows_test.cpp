// SPDX-License-Identifier: MIT
// Every row of the table of goal types: its functions agree with each other, and its goals survive in files. A new type
// is tested here without a new test.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/json/scene_parts.h"
#include "limber/posing/potential.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"
#include "support/awkward_figure.h"

namespace limber::goal_rows_test {
namespace {

constexpr double kNothing = 1e-7;  // metres and radians: an angle is told to half of the digits of its cosine
constexpr double kSoftAim = 1e-6;  // what is left of an aim that is met, which is softened by 1e-3 mean link lengths
constexpr double kPosition = 0.3, kScale = 1.3;  // how places and turns are weighed here
const EndEffector kEnd{6, {0.1, -0.2, 0.3}}, kOther{9, {0.2, 0.1, 0.0}};

/// A goal that was planted in one pose, seen in another one.
struct Planted {
  Document document = makeDocument(test::makeAwkwardFigure());
  Kinematics kinematics;

  Planted(const GoalTypeInfo& info, std::mt19937& random) {
    document.pose = test::randomPose(*document.figure, random);
    const bool isBetweenLinks = info.other != OtherLink::None;
    addGoal(document, info.type, kEnd, isBetweenLinks ? std::optional(kOther) : std::nullopt);
    goal().positionShare = kPosition;
    goal().directionScale = {kScale, 0.0};
    look();
  }
  void look() { computeTransforms(*document.figure, document.pose, kinematics); }
  void move(std::mt19937& random) {
    document.pose = test::randomPose(*document.figure, random);
    look();
  }
  void nudge(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1e-3, 1e-3);
    Eigen::VectorXd step(document.figure->stepSize());
    for (double& s : step) s = uniform(random);
    const Pose before = document.pose;
    integrate(*document.figure, before, step, document.pose);
    look();
  }
  GoalItem& goal() { return document.goals.back(); }
  GoalError error() { return goalErrorOf(document, kinematics, goal()); }
};

double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// |r|^2 that belongs to a small error: lengths in mean link lengths, directions by their scale, a bend by its angle.
double squaredResidualOf(const GoalTypeInfo& info, const GoalError& error, double meanLinkLength) {
  const double length = std::max(error.length, 0.0) / meanLinkLength;
  const double turn = (info.axes > 0 ? kScale : 1.0) * std::max(error.angle, 0.0);
  return (info.share ? kPosition : 1.0) * length * length + (info.share ? 1.0 - kPosition : 1.0) * turn * turn;
}

TEST(GoalRows, HaveNamesOfTheirOwn) {
  std::set<std::string> names, labels;
  for (const GoalTypeInfo& info : goalTypes()) {
    EXPECT_TRUE(names.emplace(info.name).second) << info.name;
    EXPECT_TRUE(labels.emplace(info.label).second) << info.label;
    EXPECT_NE(std::string(info.about), "") << info.name;
  }
}

TEST(GoalRows, HaveTheirFunctions) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(info.error);
    EXPECT_EQ(info.make == nullptr, info.kept) << "a kept pose is a regulariser, all else is a goal";
    EXPECT_EQ(info.paper == nullptr, info.equation.empty());
  }
}

TEST(GoalRows, AskForThePresentAndNothingIsLeft) {
  std::mt19937 random(1);
  for (const GoalTypeInfo& info : goalTypes())
    for (int trial = 0; trial < 5; ++trial) {
      SCOPED_TRACE(info.name);
      Planted planted(info, random);
      EXPECT_EQ(findFault(planted.goal(), *planted.document.figure), "");
      EXPECT_TRUE(isWellFormed(planted.document, planted.goal()));
      for (const bool again : {false, true}) {
        if (again) planted.move(random);
        if (again) askForPresent(planted.document, planted.kinematics, planted.goal());
        EXPECT_LT(planted.error().length, kNothing);
        EXPECT_LT(planted.error().angle, kNothing);
        EXPECT_LT(potentialOf(planted.document, planted.kinematics, planted.goal()), kSoftAim * kSoftAim);
      }
    }
}

TEST(GoalRows, MakeAGoalOnTheirLinks) {
  std::mt19937 random(2);
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Planted planted(info, random);
    const auto made = makeGoal(planted.goal(), *planted.document.figure, 2.5);
    EXPECT_EQ(made == nullptr, info.kept);
    if (!made) continue;
    EXPECT_EQ(made->weight(), 2.5);
    std::set<int> links;
    for (int i = 0; i < made->linkCount(); ++i) links.insert(made->link(i));
    for (const int link : linksOf(planted.goal())) EXPECT_TRUE(links.contains(link)) << link;
  }
}

TEST(GoalRows, SmallErrorsAreWhatTheResidualSays) {
  std::mt19937 random(3);
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    int unmet = 0;
    for (int trial = 0; trial < 20; ++trial) {
      Planted planted(info, random);
      planted.nudge(random);
      const GoalError error = planted.error();
      const double potential = potentialOf(planted.document, planted.kinematics, planted.goal());
      unmet += potential > kSoftAim * kSoftAim;
      if (info.kept) continue;  // its error is that of the worst joint
      const double expected = 0.5 * squaredResidualOf(info, error, planted.document.figure->meanLinkLength());
      EXPECT_NEAR(potential, expected, 1e-3 * expected + kSoftAim * kSoftAim);
    }
    EXPECT_GT(unmet, 0);
  }
}

TEST(GoalRows, PlacesAreAsFarAwayAsErrorsSay) {
  std::mt19937 random(4);
  for (const GoalTypeInfo& info : goalTypes())
    for (int trial = 0; trial < 20 && !info.kept; ++trial) {
      SCOPED_TRACE(info.name);
      Planted planted(info, random);
      planted.move(random);
      const GoalPlace place = placeOfGoal(planted.document, planted.kinematics, planted.goal());
      const GoalError error = planted.error();
      if (error.length >= 0.0) {
        EXPECT_NEAR((place.wanted - place.point).norm(), error.length, kNothing);
      }
      if (error.angle >= 0.0 && !info.isBend) {  // whose angle is that about the line through the limb's ends
        EXPECT_NEAR(angleBetween(place.frame.col(0), place.wantedFrame.col(0)), error.angle, kNothing);
      }
    }
}

TEST(GoalRows, ComeBackFromFiles) {
  std::mt19937 random(5);
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Planted planted(info, random);
    const GoalItem& goal = planted.goal();
    const Figure& figure = *planted.document.figure;
    const io::Json json = io::parseJson(io::compactJson(io::goalToJson(goal, figure)));
    EXPECT_EQ(json.at("type"), info.name);
    const io::JsonValue value(json);
    GoalItem back = io::goalFromJson(value, figure, {}, restPose(figure));
    back.id = goal.id;  // the caller's
    EXPECT_EQ(back, goal);
  }
}

TEST(GoalRows, SayWhatIsWrong) {
  std::mt19937 random(6);
  const double nan = std::nan("");
  for (const GoalTypeInfo& info : goalTypes()) {
    Planted planted(info, random);
    const auto faultOf = [&](auto spoil) {
      GoalItem goal = planted.goal();
      spoil(goal);
      return findFault(goal, *planted.document.figure);
    };
    const auto expectRefused = [&](bool isUsed, auto spoil) {
      EXPECT_TRUE(!isUsed || faultOf(spoil) != "") << info.name;
    };
    EXPECT_NE(faultOf([&](GoalItem& g) { g.weight = nan; }), "") << info.name;
    EXPECT_EQ(faultOf([&](GoalItem& g) { g.link = 99; }) != "", info.hasEndEffector()) << info.name;
    expectRefused(info.point, [&](GoalItem& g) { g.pointInLink.x() = nan; });
    expectRefused(info.axes > 0, [&](GoalItem& g) { g.frameInLink *= 2.0; });
    expectRefused(info.target, [&](GoalItem& g) { g.target.x() = nan; });
    expectRefused(info.hasTargetFrame(), [&](GoalItem& g) { g.targetFrame *= 2.0; });
    expectRefused(info.distance, [&](GoalItem& g) { g.distance = {2.0, 1.0}; });
    expectRefused(info.kept, [&](GoalItem& g) { g.kept.coordinates.resize(2); });
    EXPECT_EQ(faultOf([&](GoalItem& g) { g.otherLink = 99; }) != "", info.other != OtherLink::None) << info.name;
    EXPECT_EQ(faultOf([&](GoalItem& g) { g.otherLink = -1; }) != "", info.other == OtherLink::Required) << info.name;
  }
}

}  // namespace
}  // namespace limber::goal_rows_test
