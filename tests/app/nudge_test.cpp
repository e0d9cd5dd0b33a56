// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "settle.h"

namespace limber::app::nudge_test {
namespace {

/// An arm that has turned the wrong way and is at its limits, far from a target to which it would come nearer by the
/// other way.
Document stuckArm() {
  Document document = makeDocument(makePlanarChain(2));
  for (JointSettings& joint : document.joints) joint.limits = {-1.0, 1.0};
  document.pose.coordinates << -0.9, -0.9;
  document.goals[0].target = {0.8 * std::cos(2.2), 0.8 * std::sin(2.2), 0.0};
  return document;
}

double objectiveOf(const Session& session) {
  const PosingReport* report = session.solving.reportFor(session.document());
  EXPECT_TRUE(report);
  return report ? report->summary.objective : 0.0;
}

TEST(Solve, PosesForWhatIsPlantedInOneStep) {
  Session session(stuckArm(), {}, {});
  const Pose before = session.document().pose;
  perform(session, Command::Solve);
  settle(session);
  ASSERT_NE(session.solving.reportFor(session.document()), nullptr);
  EXPECT_FALSE(session.document().pose == before);
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == before) << "one step";
}

TEST(Nudge, LeavesALimitThatOnlyLooksLikeTheEnd) {
  Session session(stuckArm(), {}, {});
  session.solving.request();
  settle(session);
  const Pose stuck = session.document().pose;
  const double before = objectiveOf(session);
  ASSERT_EQ(session.solving.reportFor(session.document())->outcome, Outcome::AtLimits);
  int tries = 0;
  while (session.document().pose == stuck && tries < 20) {
    perform(session, Command::Nudge);
    ++tries;
  }
  refreshScene(session);
  ASSERT_LT(tries, 20);
  EXPECT_LT(objectiveOf(session), 0.5 * before);
  EXPECT_NE(session.ui.message.text.find("nudged: f "), std::string::npos) << session.ui.message.text;
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == stuck) << "one step";
}

TEST(Nudge, IsTheSameForTheSameSeed) {
  Pose found[2];
  for (Pose& pose : found) {
    Session session(stuckArm(), {}, {});
    for (int i = 0; i < 5; ++i) perform(session, Command::Nudge);
    EXPECT_EQ(session.ui.nudgeSeed, 5u);
    pose = session.document().pose;
  }
  EXPECT_TRUE(found[0] == found[1]);
}

TEST(Nudge, SaysWhenThereIsNothingToSeek) {
  Session session(stuckArm(), {}, {});
  session.editor.touch().goals.clear();
  const Pose before = session.document().pose;
  perform(session, Command::Nudge);
  EXPECT_TRUE(session.document().pose == before);
  EXPECT_FALSE(session.ui.message.text.empty());
  EXPECT_FALSE(session.editor.history().canUndo());
}

TEST(Nudge, NeverMakesItWorse) {
  Document document = makeDocument(makeBallChain(6));
  document.goals[0].target = {2.0, 1.5, -1.0};
  Session session(document, {}, {});
  session.solving.request();
  settle(session);
  double last = objectiveOf(session);
  for (int i = 0; i < 10; ++i) {
    perform(session, Command::Nudge);
    EXPECT_LE(objectiveOf(session), last * (1.0 + 1e-9));
    last = objectiveOf(session);
  }
}

}  // namespace
}  // namespace limber::app::nudge_test
