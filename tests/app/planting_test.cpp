// SPDX-License-Identifier: MIT
#include "app/planting.h"

#include <gtest/gtest.h>

#include "app/goal_kinds.h"
#include "app/picking.h"
#include "app/session.h"
#include "scene/goal_error.h"
#include "standing_figure.h"

namespace limber::app::planting_test {
namespace {

struct Planter {
  Session session{makeDocument(makeStandingFigure()), {}, {}};

  Planter() {
    session.picture = {0, 0, 800, 600};
    refreshScene(session);
  }
  const Document& document() const { return session.document(); }
  void select(int joint) { session.editor.touch().selection = {joint, -1}; }
  void ask(GoalType type) {
    Requests requests;
    requests.plant = type;
    carryOut(session, requests);
  }
  /// A click on the origin of a link.
  void click(int link) {
    plantAt(session,
            Hit{.link = link, .point = session.kinematics.worldFromLink[static_cast<std::size_t>(link)].translation});
  }
};

TEST(Planting, OfEveryTypeByTheNextClickIsOneStepAndMet) {
  for (const GoalKind& kind : goalKinds()) {
    SCOPED_TRACE(kind.name);
    Planter planter;
    planter.select(5);  // where a goal is planted is what is clicked, whatever is selected
    planter.ask(kind.type);
    if (kind.hasEndEffector()) {
      ASSERT_TRUE(planter.session.ui.planting);
      EXPECT_TRUE(planter.document().goals.empty());
      EXPECT_NE(plantingHint(*planter.session.ui.planting).find(kind.name), std::string::npos);
      planter.click(3);
    }
    if (needsOtherLink(kind.type)) {
      ASSERT_TRUE(planter.session.ui.planting);
      planter.click(7);
    }
    ASSERT_FALSE(planter.session.ui.planting);
    ASSERT_EQ(planter.document().goals.size(), 1u);
    const GoalItem goal = planter.document().goals[0];
    EXPECT_EQ(goal.type, kind.type);
    if (kind.hasEndEffector()) EXPECT_EQ(goal.link, 3);
    EXPECT_EQ(goal.otherLink, needsOtherLink(kind.type) ? 7 : -1);
    EXPECT_EQ(planter.document().selection.goal, goal.id);
    EXPECT_TRUE(isMet(planter.document(), goalErrorOf(planter.document(), planter.session.kinematics, goal)));
    perform(planter.session, Action::Undo);
    EXPECT_TRUE(planter.document().goals.empty());
    perform(planter.session, Action::Redo);
    EXPECT_EQ(planter.document().goals.at(0), goal);
    planter.session.editor.touch().selection.goal = goal.id;
    perform(planter.session, Action::DeleteGoal);
    EXPECT_TRUE(planter.document().goals.empty());
    perform(planter.session, Action::Undo);
    EXPECT_EQ(planter.document().goals.at(0), goal);
  }
}

TEST(Planting, WaitsForAClickOnEachLink) {
  Planter planter;
  planter.ask(GoalType::Relative);
  ASSERT_TRUE(planter.session.ui.planting);
  EXPECT_FALSE(planter.session.ui.planting->first);
  plantAt(planter.session, std::nullopt);
  EXPECT_TRUE(planter.session.ui.planting);
  planter.click(3);
  planter.click(3);
  EXPECT_TRUE(planter.session.ui.message.isError) << "a link cannot be held to itself";
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
  plantAt(planter.session, std::nullopt);
  ASSERT_EQ(planter.document().goals.size(), 1u);
  EXPECT_EQ(planter.document().goals[0].otherLink, -1);
}

TEST(Planting, EndsWithEscapeAndWithUndo) {
  Planter planter;
  for (const Action action : {Action::Cancel, Action::Undo}) {
    planter.ask(GoalType::Aim);
    EXPECT_TRUE(planter.session.ui.planting);
    perform(planter.session, action);
    EXPECT_FALSE(planter.session.ui.planting);
  }
}

}  // namespace
}  // namespace limber::app::planting_test
