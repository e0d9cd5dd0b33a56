// SPDX-License-Identifier: MIT
// First page of src/limber/scene: the document that a user edits: a problem with undo, motions and a timeline.
//
// A Document is an IkProblem with motions, a timeline, pictures and a selection. It is a value: an edit works on a copy
// or in place, and History keeps whole documents, which share their large parts. A Timeline has keys of poses and
// targets; bake() solves it frame by frame into a Motion.
//
// Read next: scene/document.h, scene/history.h, scene/timeline.h, scene/motion.h, scene/bake.h.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/scene/bake.h"
#include "limber/scene/history.h"

namespace limber::scene_first_page {
namespace {

using Eigen::Vector3d;

TEST(SceneFirstPage, AChainOpensWithAGoalAtItsTip) {
  const Document document = makeDocument(makePlanarChain(2));
  ASSERT_EQ(document.goals.size(), 1u);
  EXPECT_EQ(document.goals[0].target, Vector3d(2.0, 0.0, 0.0)) << "where the tip is";
  EXPECT_TRUE(asksSomething(document));
}

TEST(SceneFirstPage, UndoBringsBackTheWholeDocument) {
  Document document = makeDocument(makePlanarChain(2));
  History history;
  history.record(document, "move target");
  document.goals[0].target = {1.0, 1.0, 0.0};
  ASSERT_EQ(history.undoLabel(), "move target");
  ASSERT_TRUE(history.undo(document));
  EXPECT_EQ(document.goals[0].target, Vector3d(2.0, 0.0, 0.0));
  ASSERT_TRUE(history.redo(document));
  EXPECT_EQ(document.goals[0].target, Vector3d(1.0, 1.0, 0.0));
}

TEST(SceneFirstPage, AKeyedTargetIsBakedIntoAMotion) {
  Document document = makeDocument(makePlanarChain(2));
  Timeline& timeline = changeTimeline(document);
  timeline.length = 1.0;
  timeline.framesPerSecond = 10.0;
  for (const auto& [time, target] :
       {std::pair(0.0, Vector3d(1.5, 0.5, 0.0)), std::pair(1.0, Vector3d(0.5, 1.5, 0.0))}) {
    document.time = time;
    document.goals[0].target = target;
    keyGoals(document);
  }
  const BakeResult baked = bake(document);
  ASSERT_EQ(baked.fault, "");
  ASSERT_EQ(baked.frames.size(), 11u) << "0 to 1 s, both included";
  EXPECT_EQ(baked.unreached, 0);

  takeBaked(baked, document);
  showFrame(document, 10);
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  EXPECT_LT((kinematics.worldFromLink[1] * Vector3d(1.0, 0.0, 0.0) - Vector3d(0.5, 1.5, 0.0)).norm(), 0.02);
}

}  // namespace
}  // namespace limber::scene_first_page
