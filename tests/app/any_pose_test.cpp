// SPDX-License-Identifier: MIT
// "Find any pose" in the window: outside drags, in slices, as one undo step.
#include <gtest/gtest.h>

#include "arm_that_misses.h"
#include "limber/kinematics/standard_figures.h"
#include "settle.h"

namespace limber::app::any_pose_test {
namespace {

TEST(FindAnyPose, MeetsTheGoalsInOneStep) {
  Session session(armThatMisses(), {}, {});
  const Pose before = session.document().pose;
  perform(session, Command::FindAnyPose);
  settle(session);
  const PosingReport* report = session.solving.reportFor(session.document());
  ASSERT_NE(report, nullptr);
  EXPECT_EQ(report->outcome, Outcome::Reached) << report->sentence;
  EXPECT_EQ(report->summary.phases[0].phase, "first");
  EXPECT_EQ(session.document().solver.solver, "newton") << "a drag keeps its solver";
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == before);
}

TEST(FindAnyPose, SaysWhenThereIsNothingToFind) {
  Document document = makeDocument(makePlanarChain(3));
  document.goals.clear();
  Session session(document, {}, {});
  perform(session, Command::FindAnyPose);
  EXPECT_FALSE(session.solving.isBusy());
  EXPECT_NE(session.ui.message.text.find("there are no goals"), std::string::npos);
}

TEST(FindAnyPose, EscapeStopsItAndUndoTakesItBack) {
  Document document = makeDocument(makePlanarChain(5000));
  document.goals[0].target = {-7000.0, 0.0, 0.0};  // out of reach, so that every restart would be tried
  Session session(document, {}, {});
  const Pose before = session.document().pose;
  perform(session, Command::FindAnyPose);
  for (int i = 0; i < 3; ++i) frame(session);
  ASSERT_TRUE(session.solving.isBusy());
  perform(session, Command::Cancel);
  EXPECT_FALSE(session.solving.isBusy());
  EXPECT_NE(session.ui.message.text.find("stopped"), std::string::npos);
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == before);
}

}  // namespace
}  // namespace limber::app::any_pose_test
