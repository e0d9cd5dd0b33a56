// SPDX-License-Identifier: MIT
#include "app/features/pose_actions.h"

#include <gtest/gtest.h>

#include "limber/body/body_roles.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "settle.h"

namespace limber::app::natural_posing_test {
namespace {

Document humanoidStanding() {
  auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/humanoid.json");
  EXPECT_TRUE(opened);
  return makeDocument(opened->document.figure);
}

Transform placeOf(const Document& document, int link) {
  return transformsOf(*document.figure, document.pose).worldFromLink[static_cast<std::size_t>(link)];
}

TEST(NaturalPosing, ABodyIsPosedFromItsTargetsInOneStep) {
  Document document = humanoidStanding();
  for (const auto& [name, target] : {std::pair{"left_hand", Eigen::Vector3d(0.3, 1.3, 0.3)},
                                     std::pair{"right_hand", Eigen::Vector3d(-0.3, 0.9, 0.2)},
                                     std::pair{"left_foot", Eigen::Vector3d(0.1, 0.08, 0.15)},
                                     std::pair{"right_foot", Eigen::Vector3d(-0.1, 0.08, -0.15)}}) {
    const int id = addGoal(document, document.figure->findLink(name), Eigen::Vector3d::Zero());
    findGoal(document, id)->target = target;
  }
  Session session(document, {}, {});
  const Pose before = session.document().pose;
  perform(session, Command::PoseFromTargets);
  settle(session);
  for (const GoalItem& goal : session.document().goals)
    EXPECT_LT((placeOf(session.document(), goal.link).translation - goal.target).norm(), 1e-3) << goal.link;
  EXPECT_FALSE(session.document().pose == before);
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == before) << "one step";
}

TEST(NaturalPosing, RelaxingKeepsPinsAndFeetAndIsOneStep) {
  Document document = humanoidStanding();
  const int hand = document.figure->findLink("left_hand"), foot = document.figure->findLink("right_foot");
  document.pose.coordinates[document.figure->joint(document.figure->findLink("left_shoulder_flexion")).poseIndex] = 1.2;
  document.pose.coordinates[document.figure->joint(document.figure->findLink("right_shoulder_flexion")).poseIndex] =
      2.5;
  pinLink(document, hand, true, true);
  const Transform pinned = placeOf(document, hand), stood = placeOf(document, foot);
  Session session(document, {}, {});
  perform(session, Command::RelaxRest);
  settle(session);
  const Transform now = placeOf(session.document(), hand);
  EXPECT_LT((now.translation - pinned.translation).norm(), 1e-5);
  EXPECT_LT((now.rotation - pinned.rotation).norm(), 1e-4);
  EXPECT_LT((placeOf(session.document(), foot).translation - stood.translation).norm(), 1e-5);
  const int raised = document.figure->findLink("right_hand");
  EXPECT_LT(placeOf(session.document(), raised).translation.y(), placeOf(document, raised).translation.y() - 0.3)
      << "the arm that nothing holds hangs down";
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == document.pose) << "one step";
}

TEST(NaturalPosing, SaysWhenThereIsNoBodyOrNothingPlanted) {
  Session chain(makeDocument(makePlanarChain(3)), {}, {});
  perform(chain, Command::RelaxRest);
  EXPECT_NE(chain.ui.message.text.find("no human body"), std::string::npos) << chain.ui.message.text;
  EXPECT_FALSE(chain.editor.history().canUndo());
  Session person(humanoidStanding(), {}, {});
  perform(person, Command::PoseFromTargets);
  EXPECT_NE(person.ui.message.text.find("there are no goals"), std::string::npos) << person.ui.message.text;
}

}  // namespace
}  // namespace limber::app::natural_posing_test
