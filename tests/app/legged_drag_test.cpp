// SPDX-License-Identifier: MIT
// A robot on legs in the window: its paws and its body with the mouse, and the switch of its base.
#include <gtest/gtest.h>

#include <optional>

#include "app/editing/figure_editing.h"
#include "app/settings/window_defaults.h"
#include "headless_session.h"
#include "limber/io/open.h"
#include "limber/scene/base.h"
#include "support/robot_texts.h"
#include "support/temporary_folder.h"

namespace limber::app::legged_drag_test {
namespace {

using V = Eigen::Vector3d;
using P = Eigen::Vector2d;

constexpr double kHeld = 1e-5;  // metres

class LeggedDrag : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    open(test::quadrupedText(), std::nullopt);
  }
  void open(const std::string& text, std::optional<BaseChoice> base) {
    auto opened = io::openAny(write("robot.urdf", text).string(), {.base = base});
    ASSERT_TRUE(opened) << opened.error().message();
    opened->document.solver = windowSolverSettings(*opened->document.figure);
    window_.emplace(std::move(opened->document));
    before_ = session().picture.kinematics;
  }

  Session& session() { return window_->session(); }
  const Figure& figure() const { return window_->figure(); }
  P pixel(const V& point) const { return window_->pixel(point); }
  V place(const Kinematics& kinematics, const std::string& link) const {
    return kinematics.worldFromLink[static_cast<std::size_t>(figure().findLink(link))].translation;
  }
  V way(const std::string& link) { return place(session().picture.kinematics, link) - place(before_, link); }

  std::vector<std::string> toes() const {
    std::vector<std::string> names;
    for (const Link& link : figure().links())
      if (link.name.ends_with("_toe")) names.push_back(link.name);
    return names;
  }
  double toesWay(const std::string& except = "") {
    double most = 0.0;
    for (const std::string& toe : toes())
      if (toe != except) most = std::max(most, way(toe).norm());
    return most;
  }

  std::optional<HeadlessSession> window_;
  Kinematics before_;
};

TEST_F(LeggedDrag, APawMovesItsLegAndTheOthersStand) {
  ASSERT_EQ(session().document().solver.posing, PosingChoice::Natural);
  const std::string paw = "front_left_toe";
  const P from = pixel(place(before_, paw));
  window_->drag(from, from + P(20, -30));
  EXPECT_EQ(session().picture.highlight.heldFeet.size(), 3u);
  EXPECT_GT(way(paw).norm(), 0.03);
  EXPECT_LT(toesWay(paw), kHeld);
  EXPECT_LT(way("body").norm(), 2e-3);
  window_->up();
  perform(session(), Command::Undo);
  window_->settle();
  EXPECT_LT(toesWay(), 1e-12);
}

TEST_F(LeggedDrag, TheBodyComesDownOverItsPawsInNaturalAndInEven) {
  for (const PosingChoice choice : {PosingChoice::Natural, PosingChoice::Even}) {
    open(test::quadrupedText(), std::nullopt);
    session().editor.touch().solver.posing = choice;
    const V centre = place(before_, "body");
    window_->drag(pixel(centre), pixel(centre - V(0, 0.05, 0)));
    const V asked = window_->running<SlideDrag>().way;  // of the point on its surface that was taken; it is not turned
    EXPECT_LT(asked.y(), -0.03);
    EXPECT_NEAR(way("body").y(), asked.y(), 5e-3) << static_cast<int>(choice);
    EXPECT_LT(toesWay(), kHeld);
    window_->up();
    perform(session(), Command::Undo);
    window_->settle();
    EXPECT_LT(way("body").norm(), 1e-12);
  }
}

TEST_F(LeggedDrag, AltLetsThePawsGo) {
  const V centre = place(before_, "body");
  window_->drag(pixel(centre), pixel(centre + V(0, 0.2, 0)), {.alt = true});
  EXPECT_TRUE(session().picture.highlight.heldFeet.empty());
  const V asked = window_->running<SlideDrag>().way;
  EXPECT_GT(asked.y(), 0.15);
  EXPECT_NEAR(way("body").y(), asked.y(), 0.02);
  for (const std::string& toe : toes()) EXPECT_LT((way(toe) - way("body")).norm(), 1e-2) << toe;
}

TEST_F(LeggedDrag, TheSwitchOfTheBaseIsOneStepThatUndoes) {
  CommandQueue queue;
  const V body = place(before_, "body");
  setBase(session().document(), false, session().ui, queue);
  carryOut(session(), queue);
  window_->settle();
  EXPECT_FALSE(hasFreedBase(figure()));
  EXPECT_LT((place(session().picture.kinematics, "body") - body).norm(), 1e-12) << "it stays where it stands";
  EXPECT_TRUE(session().document().skin);
  window_->drag(pixel(body), pixel(body - V(0, 0.05, 0)));
  EXPECT_LT(way("body").norm(), 1e-12) << "a fixed base is not dragged";
  window_->up();
  perform(session(), Command::Undo);
  window_->settle();
  EXPECT_TRUE(hasFreedBase(figure()));
  setBase(session().document(), true, session().ui, queue);
  EXPECT_TRUE(session().ui.message.isError) << "it is free already";
}

TEST_F(LeggedDrag, WhatWasPlantedStaysWhenTheBaseIsFreed) {
  open(test::quadrupedText(), BaseChoice::Fixed);
  Document& document = session().editor.touch();
  addGoal(document, figure().findLink("front_left_toe"), V::Zero());
  pinLink(document, figure().findLink("back_left_toe"), true, false);
  document.pose.coordinates[figure().joint(figure().findLink("front_left_shank")).poseIndex] = 0.3;
  const Document before = session().document();
  CommandQueue queue;
  setBase(session().document(), true, session().ui, queue);
  carryOut(session(), queue);
  const Document& now = session().document();
  ASSERT_TRUE(hasFreedBase(*now.figure));
  EXPECT_EQ(now.goals, before.goals);
  EXPECT_EQ(now.pins, before.pins);
  EXPECT_EQ(now.pose.coordinates[now.figure->joint(now.figure->findLink("front_left_shank")).poseIndex], 0.3);
  EXPECT_TRUE(now.joints[0].locked);
}

}  // namespace
}  // namespace limber::app::legged_drag_test
