// SPDX-License-Identifier: MIT
#include "app/editing/figure_editing.h"

#include <gtest/gtest.h>

#include "app/session/documents.h"
#include "app/session/session.h"
#include "limber/io/json/figure_json.h"
#include "limber/kinematics/standard_figures.h"
#include "support/figure_equality.h"
#include "support/temporary_folder.h"

namespace limber::app::figure_editing_test {
namespace {

class FigureEditing : public test::TemporaryFolder {
 protected:
  FigureEditing() : session_(makeDocument(makePlanarChain(3)), {}, {}) {
    session_.picture.area = {0, 0, 800, 600};
    session_.editor.touch().mode = Mode::Forward;  // the edits alone, without a solve
    session_.editor.markSaved("chain.limber");
    frame();
  }
  void frame() {
    carryOut(session_, queue_);
    advance(session_);
    refreshScene(session_);
  }
  const Document& document() const { return session_.document(); }
  NewLink newLink(const std::string& name) const {
    NewLink link = continuationOf(*document().figure, document().figure->linkCount() - 1);
    link.name = name;
    return link;
  }
  void removeLast() {
    removeLinkFrom(document(), document().figure->linkCount() - 1, session_.ui, queue_);
    frame();
  }

  Session session_;
  CommandQueue queue_;
};

TEST_F(FigureEditing, PositionChannelsOfABvhFileAreOneStep) {
  const std::string joint = "OFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\n";
  const auto path = write("chain.bvh", "HIERARCHY\nROOT a\n{\n" + joint + "JOINT b\n{\n" + joint +
                                           "}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 1 0 0 1 0\n0 1 0 0 1 0\n");
  auto opened = io::openAny(path.string());
  ASSERT_TRUE(opened) << opened.error().message();
  takeOver(session_, opened->document, path, "open chain.bvh");
  frame();
  const auto length = [&] { return document().figure->linkLength(0) / document().figure->fileFrame().metresPerUnit; };
  EXPECT_NEAR(length(), 1.0, 1e-12);
  setOffsetRule(document(), OffsetRule::Add, session_.ui, queue_);
  frame();
  EXPECT_NEAR(length(), 2.0, 1e-12) << "OFFSET and the constant channels";
  EXPECT_EQ(document().source->offsetRule, OffsetRule::Add);
  EXPECT_EQ(session_.editor.history().undoLabel(), "position channels");
  perform(session_, Command::Undo);
  frame();
  EXPECT_NEAR(length(), 1.0, 1e-12);
  EXPECT_EQ(document().source->offsetRule, OffsetRule::ByMotion);
  EXPECT_EQ(document().motion, opened->document.motion);
}

TEST_F(FigureEditing, AddedLinkIsOneStepAndKeepsCameraAndFile) {
  session_.picture.camera.distance *= 0.5;
  const double distance = session_.picture.camera.distance;
  const auto before = document().figure;
  ASSERT_TRUE(addLinkTo(document(), newLink("hand"), session_.ui, queue_));
  frame();
  EXPECT_EQ(document().figure->linkCount(), 4);
  EXPECT_EQ(document().selection.joint, 3);
  EXPECT_EQ(session_.editor.file(), "chain.limber");
  EXPECT_TRUE(session_.editor.isChanged());
  EXPECT_EQ(session_.picture.camera.distance, distance);
  perform(session_, Command::Undo);
  frame();
  EXPECT_EQ(document().figure, before);
  EXPECT_FALSE(session_.editor.isChanged());
  EXPECT_EQ(session_.picture.camera.distance, distance);
  perform(session_, Command::Redo);
  EXPECT_EQ(document().figure->linkCount(), 4);
  EXPECT_EQ(session_.editor.file(), "chain.limber");
}

TEST_F(FigureEditing, SavedEditIsWhatTheFileHolds) {
  addLinkTo(document(), newLink("hand"), session_.ui, queue_);
  frame();
  session_.editor.markSaved("chain.limber");
  EXPECT_FALSE(session_.editor.isChanged());
  perform(session_, Command::Undo);
  EXPECT_TRUE(session_.editor.isChanged());
  EXPECT_EQ(session_.editor.file(), "chain.limber");
}

TEST_F(FigureEditing, LengthTakesGoalsAlongInOneStep) {
  for (const double length : {1.5, 1.75, 2.0}) {
    setLinkLength(document(), 2, length, "widget 1", session_.ui, queue_);
    frame();
  }
  EXPECT_DOUBLE_EQ(document().figure->linkLength(2), 2.0);
  EXPECT_LT((document().goals[0].pointInLink - Eigen::Vector3d(2, 0, 0)).norm(), 1e-12);
  perform(session_, Command::Undo);
  EXPECT_EQ(document().figure->linkLength(2), 1.0);
  EXPECT_FALSE(session_.editor.history().canUndo());
}

TEST_F(FigureEditing, WhatGoesIsSaid) {
  const auto notes = consequencesOf(document(), removeLink(*document().figure, 2));
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[2], "the goal \"link2\" is dropped: its link \"link2\" is gone");
  removeLast();
  EXPECT_EQ(document().figure->linkCount(), 2);
  EXPECT_EQ(document().selection.joint, 1);
  EXPECT_TRUE(document().goals.empty());
  EXPECT_NE(session_.ui.message.text.find(notes[2]), std::string::npos);
  perform(session_, Command::Undo);
  EXPECT_EQ(document().goals.size(), 1u);
}

TEST_F(FigureEditing, WhatFailsChangesNothingAndIsSaid) {
  EXPECT_FALSE(addLinkTo(document(), newLink("link0"), session_.ui, queue_));
  EXPECT_TRUE(session_.ui.message.isError);
  EXPECT_EQ(session_.ui.message.text, "two links are called \"link0\"");
  EXPECT_TRUE(queue_.calls.empty());
  setLinkLength(document(), 1, -1.0, "", session_.ui, queue_);
  EXPECT_TRUE(queue_.calls.empty());
}

TEST_F(FigureEditing, RemovingEveryLinkButOneIsSound) {
  session_.editor.touch().mode = Mode::Inverse;
  for (int left = 2; left >= 1; --left) {
    session_.solving.request();
    removeLast();
    frame();
    EXPECT_EQ(document().figure->linkCount(), left);
  }
  removeLast();
  EXPECT_EQ(document().figure->linkCount(), 1);
  EXPECT_EQ(session_.ui.message.text, "the figure would have no link left");
}

TEST_F(FigureEditing, ReportOfAnotherFigureIsForgotten) {
  session_.editor.touch().mode = Mode::Inverse;
  session_.editor.touch().goals[0].target = {2, 1, 0};
  session_.solving.request();
  while (session_.solving.isBusy()) frame();
  ASSERT_TRUE(session_.solving.reportFor(document()));
  session_.editor.touch().mode = Mode::Forward;
  NewLink link = newLink("plate");
  link.type = JointType::Fixed;
  addLinkTo(document(), link, session_.ui, queue_);
  frame();
  EXPECT_FALSE(session_.solving.reportFor(document()));
}

TEST_F(FigureEditing, PoseBecomesRest) {
  session_.editor.touch().pose.coordinates << 0.1, 0.2, 0.3;
  session_.editor.touch().joints[0].limits = {0.05, 0.5};
  const Pose pose = document().pose;
  takePoseAsRest(document(), session_.ui, queue_);
  frame();
  EXPECT_EQ(document().figure->restPose(), pose.coordinates);
  EXPECT_EQ(document().figure->joint(0).limits, (Interval{0.05, 0.5}));
  EXPECT_EQ(document().pose, pose);
}

TEST_F(FigureEditing, SavedFigureHasTheUsersSettings) {
  Document& d = session_.editor.touch();
  d.joints[1].limits = {0.25, 1.0};
  d.joints[2].rigidity = 0.5;
  d.joints[2].locked = true;
  const auto figure = d.figure;
  saveFigure(session_, folder_ / "arm.json");
  EXPECT_FALSE(session_.ui.showError) << session_.ui.error;
  EXPECT_EQ(document().figure, figure);
  const auto back = io::readFigure(folder_ / "arm.json");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ((*back)->joint(1).limits, (Interval{0.25, 1.0}));
  EXPECT_EQ((*back)->restPose()[1], 0.25);
  EXPECT_EQ((*back)->joint(2).rigidity, 0.5);
  EXPECT_TRUE((*back)->joint(2).locked);
  saveFigure(session_, folder_ / "none" / "arm.json");
  EXPECT_TRUE(session_.ui.showError);
}

TEST_F(FigureEditing, FreeNamesAreNumbered) {
  EXPECT_EQ(freeName(*document().figure, "hand"), "hand");
  EXPECT_EQ(freeName(*document().figure, "link1"), "link1_2");
  EXPECT_EQ(freeName(*document().figure, "tip"), "tip_2");
}

}  // namespace
}  // namespace limber::app::figure_editing_test
