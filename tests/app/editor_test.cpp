// SPDX-License-Identifier: MIT
#include "app/editing/editor.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"

namespace limber::app::editor_test {
namespace {

Editor chainEditor() { return Editor(makeDocument(makePlanarChain(2))); }

void setWeight(Editor& editor, double weight, const std::string& gesture = "") {
  editor.edit("weight", gesture, [&](Document& d) { d.solver.targetWeight = weight; });
}

TEST(Editor, EachEditIsOneStep) {
  Editor editor = chainEditor();
  setWeight(editor, 10);
  setWeight(editor, 20);
  EXPECT_EQ(editor.history().undoLabel(), "weight");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.document().solver.targetWeight, 10);
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.document().solver.targetWeight, 1e3);
  EXPECT_FALSE(editor.undo());
  EXPECT_TRUE(editor.redo());
  EXPECT_EQ(editor.document().solver.targetWeight, 10);
}

TEST(Editor, OneGestureIsOneStep) {
  Editor editor = chainEditor();
  for (int i = 1; i <= 5; ++i) setWeight(editor, i, "slider");
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(editor.document().solver.targetWeight, 1e3);
  EXPECT_FALSE(editor.undo());
}

TEST(Editor, AnEndedGestureBeginsANewStep) {
  Editor editor = chainEditor();
  setWeight(editor, 1, "slider");
  editor.endGesture();
  setWeight(editor, 2, "slider");
  editor.undo();
  EXPECT_EQ(editor.document().solver.targetWeight, 1);
}

TEST(Editor, RemembersWhereAGestureBegan) {
  Editor editor = chainEditor();
  EXPECT_EQ(editor.gestureStart(), nullptr);
  setWeight(editor, 1, "slider");
  setWeight(editor, 2, "slider");
  ASSERT_NE(editor.gestureStart(), nullptr);
  EXPECT_EQ(editor.gestureStart()->solver.targetWeight, 1e3);
}

TEST(Editor, AnEditThatChangesNothingIsNoStep) {
  Editor editor = chainEditor();
  setWeight(editor, 1e3);
  EXPECT_FALSE(editor.history().canUndo());
}

TEST(Editor, SelectingIsNoStep) {
  Editor editor = chainEditor();
  const Document before = editor.document();
  editor.touch().selection.joint = 1;
  editor.commit(before, "select");
  EXPECT_FALSE(editor.history().canUndo());
  EXPECT_FALSE(editor.isChanged());
}

TEST(Editor, ADragIsOneStep) {
  Editor editor = chainEditor();
  const Document before = editor.document();
  for (int i = 0; i < 5; ++i) turnJoint(editor.touch(), 0, 0, 0.1);
  editor.commit(before, "drag");
  EXPECT_TRUE(editor.undo());
  EXPECT_TRUE(editor.document().pose == before.pose);
  EXPECT_FALSE(editor.history().canUndo());
}

TEST(Editor, ChangedIsWhatDiffersFromTheFile) {
  Editor editor = chainEditor();
  EXPECT_FALSE(editor.isChanged());
  setWeight(editor, 5);
  EXPECT_TRUE(editor.isChanged());
  editor.markSaved("a.limber");
  EXPECT_FALSE(editor.isChanged());
  editor.undo();
  EXPECT_TRUE(editor.isChanged());
  editor.redo();
  EXPECT_FALSE(editor.isChanged());
}

TEST(Editor, OpeningIsAStepAndUndoBringsTheOldNameBack) {
  Editor editor = chainEditor();
  editor.markSaved("first.limber");
  editor.open(makeDocument(makePlanarChain(3)), "second.limber", "open second");
  EXPECT_EQ(editor.file(), "second.limber");
  EXPECT_FALSE(editor.isChanged());
  editor.undo();
  EXPECT_EQ(editor.document().figure->linkCount(), 2);
  EXPECT_EQ(editor.file(), "first.limber");
  EXPECT_FALSE(editor.isChanged());
}

TEST(Editor, GoesStraightToAnyStep) {
  Editor editor = chainEditor();
  for (int i = 1; i <= 5; ++i) setWeight(editor, i);
  EXPECT_EQ(editor.history().stepCount(), 5);
  EXPECT_TRUE(editor.goTo(2));
  EXPECT_EQ(editor.document().solver.targetWeight, 2);
  EXPECT_EQ(editor.history().presentStep(), 2);
  EXPECT_EQ(editor.history().stepCount(), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(editor.history().label(i), "weight");
  EXPECT_TRUE(editor.goTo(5));
  EXPECT_EQ(editor.document().solver.targetWeight, 5);
  EXPECT_TRUE(editor.goTo(0));
  EXPECT_EQ(editor.document().solver.targetWeight, 1e3);
  EXPECT_FALSE(editor.goTo(6));
  EXPECT_FALSE(editor.goTo(-1));
}

TEST(Editor, KnowsWhatIsNotSavedAlsoOfADocumentThatWasLeft) {
  Editor editor = chainEditor();
  EXPECT_EQ(editor.unsaved().document, nullptr);
  setWeight(editor, 5);
  EXPECT_EQ(editor.unsaved().document, &editor.document());
  editor.open(makeDocument(makePlanarChain(3)), "second.limber", "open second");
  EXPECT_FALSE(editor.isChanged());
  ASSERT_NE(editor.unsaved().document, nullptr);
  EXPECT_EQ(editor.unsaved().document->solver.targetWeight, 5);
  EXPECT_EQ(editor.unsaved().file, "");
  editor.open(makeDocument(makePlanarChain(4)), "third.limber", "open third");
  ASSERT_NE(editor.unsaved().document, nullptr) << "the second has no changes, the first still has";
  EXPECT_EQ(editor.unsaved().document->solver.targetWeight, 5);
  editor.goTo(1);
  editor.markSaved("first.limber");
  EXPECT_EQ(editor.unsaved().document, nullptr);
  editor.goTo(3);
  EXPECT_EQ(editor.unsaved().document, nullptr) << "saved meanwhile";
}

TEST(Editor, ARecoveredDocumentIsAStepAndNotSaved) {
  Editor editor = chainEditor();
  editor.open(makeDocument(makePlanarChain(3)), "lost.limber", "recover lost", false);
  EXPECT_EQ(editor.file(), "lost.limber");
  EXPECT_TRUE(editor.isChanged());
  editor.undo();
  EXPECT_EQ(editor.document().figure->linkCount(), 2);
  EXPECT_FALSE(editor.isChanged());
}

}  // namespace
}  // namespace limber::app::editor_test
