// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include "app/view/picking.h"
#include "headless_session.h"
#include "limber/body/named_axes.h"
#include "limber/io/base/resources.h"
#include "limber/io/open.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "standing_figure.h"

namespace limber::app::planting_test {
namespace {

struct Planter : HeadlessSession {
  Planter() : HeadlessSession(makeDocument(makeStandingFigure())) {}

  void select(int joint) { session_.editor.touch().selection = {joint, -1}; }
  void ask(GoalType type) { perform(session_, Command::Plant, type); }
  /// A click on the origin of a link.
  void click(int link) { plantAt(session_, Hit{.link = link, .point = place(link).translation}); }
};

TEST(Planting, OfEveryTypeByTheNextClickIsOneStepAndMet) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    const bool isBetweenLinks = info.other != OtherLink::None;
    Planter planter;
    planter.select(5);  // where a goal is planted is what is clicked, whatever is selected
    planter.ask(info.type);
    if (info.hasEndEffector()) {
      ASSERT_TRUE(planter.session().ui.planting);
      EXPECT_TRUE(planter.document().goals.empty());
      EXPECT_NE(plantingHint(*planter.session().ui.planting).find(info.label), std::string::npos);
      planter.click(3);
    }
    if (isBetweenLinks) {
      ASSERT_TRUE(planter.session().ui.planting);
      planter.click(7);
    }
    ASSERT_FALSE(planter.session().ui.planting);
    ASSERT_EQ(planter.document().goals.size(), 1u);
    const GoalItem goal = planter.document().goals[0];
    EXPECT_EQ(goal.type, info.type);
    if (info.hasEndEffector()) {
      EXPECT_EQ(goal.link, 3);
    }
    EXPECT_EQ(goal.otherLink, isBetweenLinks ? 7 : -1);
    EXPECT_EQ(planter.document().selection.goal, goal.id);
    EXPECT_TRUE(isMet(planter.document(), goalErrorOf(planter.document(), planter.session().picture.kinematics, goal)));
    perform(planter.session(), Command::Undo);
    EXPECT_TRUE(planter.document().goals.empty());
    perform(planter.session(), Command::Redo);
    EXPECT_EQ(planter.document().goals.at(0), goal);
    planter.session().editor.touch().selection.goal = goal.id;
    perform(planter.session(), Command::DeleteGoal);
    EXPECT_TRUE(planter.document().goals.empty());
    perform(planter.session(), Command::Undo);
    EXPECT_EQ(planter.document().goals.at(0), goal);
  }
}

TEST(Planting, WaitsForAClickOnEachLink) {
  Planter planter;
  planter.ask(GoalType::Relative);
  ASSERT_TRUE(planter.session().ui.planting);
  EXPECT_FALSE(planter.session().ui.planting->first);
  plantAt(planter.session(), std::nullopt);
  EXPECT_TRUE(planter.session().ui.planting);
  planter.click(3);
  planter.click(3);
  EXPECT_TRUE(planter.session().ui.message.isError) << "a link cannot be held to itself";
  EXPECT_TRUE(planter.document().goals.empty());
  planter.click(9);
  ASSERT_EQ(planter.document().goals.size(), 1u);
  EXPECT_EQ(planter.document().goals[0].link, 3);
  EXPECT_EQ(planter.document().goals[0].otherLink, 9);
}

TEST(Planting, OfADistanceBesideTheFigureIsToAPlace) {
  Planter planter;
  planter.ask(GoalType::Distance);
  planter.click(3);
  plantAt(planter.session(), std::nullopt);
  ASSERT_EQ(planter.document().goals.size(), 1u);
  EXPECT_EQ(planter.document().goals[0].otherLink, -1);
}

/// A session with a file of resources/figures, or the humanoid.
Session sessionWith(const std::string& name) {
  const auto path = io::findResource("figures/" + name);
  auto opened = io::openAny(path ? path->string() : name);
  EXPECT_TRUE(opened) << opened.error().message();
  return Session(std::move(opened->document), {}, {});
}

void plantByClick(Session& session, GoalType type, const std::string& link) {
  session.picture.area = {0, 0, 800, 600};
  refreshScene(session);
  startPlanting(session, type);
  const int index = session.document().figure->findLink(link);
  const Transform& place = session.picture.kinematics.worldFromLink[static_cast<std::size_t>(index)];
  plantAt(session, Hit{.link = index, .point = place.translation + Eigen::Vector3d(0.07, 0.1, 0.0)});
}

TEST(Planting, AnAimOfAHeadLooksOutOfItsFace) {
  for (const char* figure : {"humanoid", "spine_human.json", "torso_human.json"}) {
    SCOPED_TRACE(figure);
    Session session = sessionWith(figure);
    plantByClick(session, GoalType::Aim, "head");
    ASSERT_EQ(session.document().goals.size(), 1u);
    const GoalItem& goal = session.document().goals[0];
    const Transform& head = session.picture.kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
    const Eigen::Vector3d face = head.rotation * goal.frameInLink.col(0), point = head * goal.pointInLink;
    EXPECT_GT(face.z(), 0.95) << "figures look along z";
    EXPECT_LT((goal.target - point).normalized().cross(face).norm(), 1e-9) << "the ray goes through the target";
    EXPECT_NEAR(point.x(), head.translation.x(), 0.02) << "out of the middle, not from where it was clicked";

    const Eigen::Vector3d up = head.rotation.transpose() * Eigen::Vector3d::UnitY();
    session.editor.touch().goals[0].target = point + Eigen::Vector3d(0.3, 0.1, 0.5);  // before the face, to its left
    Posing posing;
    solveToEnd(posing, session.editor.touch());
    refreshScene(session);
    const Transform& turned = session.picture.kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
    const Eigen::Vector3d now = turned * session.document().goals[0].pointInLink;
    const Eigen::Vector3d way = (session.document().goals[0].target - now).normalized();
    EXPECT_GT(way.dot(turned.rotation * session.document().goals[0].frameInLink.col(0)), 0.999);
    EXPECT_GT((turned.rotation * up).y(), 0.9) << "the head turns and does not tilt";
  }
}

TEST(Planting, AHandPointsWithItsFingersOrItsPalm) {
  for (const char* figure : {"humanoid", "spine_human.json", "torso_human.json"}) {
    SCOPED_TRACE(figure);
    Session session = sessionWith(figure);
    plantByClick(session, GoalType::Direction, "left_hand");
    const Document& document = session.document();
    const auto axes = namedAxes(*document.figure, document.figure->findLink("left_hand"));
    const auto mirrored = namedAxes(*document.figure, document.figure->findLink("right_hand"));
    ASSERT_EQ(axes.size(), 2u);
    ASSERT_EQ(mirrored.size(), 2u);
    EXPECT_EQ(axes[0].name, "fingers");
    EXPECT_EQ(document.goals.at(0).frameInLink, axes[0].end.frame);
    const Kinematics rest = transformsOf(*document.figure, restPose(*document.figure));
    const auto inWorld = [&](const NamedAxis& axis) {
      return Eigen::Vector3d(rest.worldFromLink[static_cast<std::size_t>(axis.end.link)].rotation *
                             axis.end.frame.col(0));
    };
    const Eigen::Vector3d fingers = inWorld(axes[0]), palm = inWorld(axes[1]);
    EXPECT_LT(std::abs(fingers.dot(palm)), 1e-9);
    EXPECT_TRUE(palm.x() < -0.7 || palm.y() < -0.7) << "a palm looks to the thigh, or down: " << palm.transpose();
    for (const auto& [left, right] : {std::pair(fingers, inWorld(mirrored[0])), std::pair(palm, inWorld(mirrored[1]))})
      EXPECT_LT((left - right.cwiseProduct(Eigen::Vector3d(-1, 1, 1))).norm(), 0.02) << "each the other's mirror image";
  }
}

TEST(Planting, OtherLinksAndFiguresHaveNoNamedAxes) {
  const Session human = sessionWith("humanoid");
  EXPECT_TRUE(namedAxes(*human.document().figure, human.document().figure->findLink("left_forearm")).empty());
  EXPECT_TRUE(namedAxes(*makeStandingFigure(), 3).empty());
}

TEST(Planting, EndsWithEscapeAndWithUndo) {
  Planter planter;
  for (const Command action : {Command::Cancel, Command::Undo}) {
    planter.ask(GoalType::Aim);
    EXPECT_TRUE(planter.session().ui.planting);
    perform(planter.session(), action);
    EXPECT_FALSE(planter.session().ui.planting);
  }
}

}  // namespace
}  // namespace limber::app::planting_test
