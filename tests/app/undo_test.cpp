// SPDX-License-Identifier: MIT
// Everything can be undone: after any actions in any order, each undo restores the document before the step bit for
// bit, and each redo the one after it.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <sstream>

#include "headless_session.h"
#include "limber/io/base/resources.h"
#include "limber/io/json/scene_json.h"
#include "random_user.h"
#include "standing_figure.h"

namespace limber::app::undo_test {
namespace {

constexpr int kActs = 200;

/// The contents of a step: everything except the selection, and whether the mouse moves a target now.
std::string contentOf(Document document) {
  document.selection = {};
  document.follow = false;
  const auto scene = io::formatScene(document);
  EXPECT_TRUE(scene) << scene.error().message();
  return scene ? *scene : "";
}

/// Also compares bits, independently of the exactness of the scene's text.
struct Shot {
  std::string content;
  std::vector<double> pose;

  explicit Shot(const Document& document)
      : content(contentOf(document)), pose(document.pose.coordinates.begin(), document.pose.coordinates.end()) {}
  bool operator==(const Shot& other) const {
    return content == other.content && pose.size() == other.pose.size() &&
           std::memcmp(pose.data(), other.pose.data(), pose.size() * sizeof(double)) == 0;
  }
};

/// The first difference of two documents, as text.
std::string differenceOf(const Shot& a, const Shot& b) {
  std::istringstream first(a.content), second(b.content);
  for (std::string x, y; std::getline(first, x) && std::getline(second, y);)
    if (x != y) return x.substr(0, 160) + "\nbecame\n" + y.substr(0, 160);
  return a == b ? "nothing" : "the bits of the pose";
}

class Undo : public testing::TestWithParam<unsigned>, protected HeadlessSession {
 protected:
  Undo() : HeadlessSession(makeDocument(makeStandingFigure())) {}

  const History& history() const { return session_.editor.history(); }
};

TEST_P(Undo, TakesBackTwoHundredRandomActsAndDoesThemAgain) {
  RandomUser user(
      session_, GetParam(),
      {*io::findResource("scenes/six_links_two_goals.limber"), *io::findResource("scenes/reach_under_a_table.limber"),
       *io::findResource("scenes/carry_a_cup.limber")});
  user.settleAll();
  std::map<int, Shot> shots;  // by the number of steps that are done
  shots.insert_or_assign(0, Shot(session_.document()));
  std::map<std::string, int> done;
  for (int i = 0; i < kActs; ++i) {
    const int before = history().presentStep();
    const std::string what = user.act();
    ++done[what.substr(0, what.find(' '))];
    const int after = history().presentStep();
    ASSERT_GE(after, before) << what;
    const Shot now(session_.document());
    if (after == before && !(now == shots.at(before))) {
      EXPECT_FALSE(session_.editor.gesture().empty()) << what << " changed the document and is no step";
    }
    shots.insert_or_assign(after, now);
  }
  EXPECT_GE(done.size(), 10u) << "many sorts";
  const int last = history().presentStep();
  EXPECT_GT(last, kActs / 3);
  ASSERT_LT(last, 500) << "the history is full: nothing can be compared with its beginning";

  while (history().canUndo()) {
    perform(session_, Command::Undo);
    const int step = history().presentStep();
    const Shot now(session_.document());
    const auto [known, isNew] = shots.try_emplace(step, now);
    EXPECT_TRUE(isNew || known->second == now)
        << "back to step " << step << ", before " << history().redoLabel() << ":\n"
        << differenceOf(known->second, now);
    EXPECT_FALSE(session_.document().follow);
  }
  EXPECT_EQ(history().presentStep(), 0);
  EXPECT_TRUE(shots.count(0)) << "the beginning";
  while (history().canRedo()) {
    perform(session_, Command::Redo);
    frame();
    const int step = history().presentStep();
    const Shot now(session_.document());
    EXPECT_TRUE(shots.at(step) == now) << "forth to step " << step << ", " << history().undoLabel() << ":\n"
                                       << differenceOf(shots.at(step), now);
  }
  EXPECT_EQ(history().presentStep(), last);

  for (int i = 0; i < 30; ++i) {
    const int step = static_cast<int>(user.below(static_cast<unsigned>(last) + 1));
    perform(session_, Command::GoToStep, step);
    frame();
    EXPECT_EQ(history().presentStep(), step);
    EXPECT_TRUE(shots.at(step) == Shot(session_.document())) << "straight to step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Undo, testing::Values(1u, 2u, 3u));

/// A chain whose target is dragged by the mouse, or follows it.
struct Chain : HeadlessSession {
  Chain() : HeadlessSession(makeDocument(makePlanarChain(4))) { session_.pointer.isInside = true; }

  Pixel target() const { return pixel(document().goals[0].target); }
  void chooseSolver(const std::string& name) {
    CommandQueue queue;
    queue.edit("solver", "", AfterEdit::Solve, [=](Document& d) { d.solver.solver = name; });
    carryOut(session_, queue);
    frame();
  }
};

TEST(UndoSteps, AnEditDuringADragIsAPartOfItsStep) {
  Chain chain;
  const Shot before(chain.document());
  const Eigen::Vector2d from = chain.target(), to = from + Eigen::Vector2d(-120.0, -90.0);
  chain.down(from);
  chain.move(0.5 * (from + to));
  chain.chooseSolver("variable-metric");
  chain.move(to);
  chain.up();
  const Shot after(chain.document());
  EXPECT_EQ(chain.session().editor.history().stepCount(), 1);
  EXPECT_EQ(chain.document().solver.solver, "variable-metric");
  perform(chain.session(), Command::Undo);
  EXPECT_TRUE(before == Shot(chain.document())) << differenceOf(before, Shot(chain.document()));
  perform(chain.session(), Command::Redo);
  EXPECT_TRUE(after == Shot(chain.document())) << differenceOf(after, Shot(chain.document()));
}

TEST(UndoSteps, AnEditWhileTheMouseLeadsATargetIsAStepBetweenTwo) {
  Chain chain;
  perform(chain.session(), Command::ToggleFollow);
  const Eigen::Vector2d from = chain.target();
  for (int i = 1; i <= 5; ++i) chain.move(from + i * Eigen::Vector2d(-20.0, -15.0));
  chain.settle();
  const Shot led(chain.document());
  chain.chooseSolver("variable-metric");
  chain.settle();
  for (int i = 5; i <= 8; ++i) chain.move(from + i * Eigen::Vector2d(-20.0, -15.0));
  perform(chain.session(), Command::ToggleFollow);
  chain.settle();
  const History& history = chain.session().editor.history();
  ASSERT_EQ(history.stepCount(), 3);
  EXPECT_EQ(history.label(0), "follow the mouse");
  EXPECT_EQ(history.label(1), "solver");
  EXPECT_EQ(history.label(2), "follow the mouse");
  chain.session().editor.goTo(1);
  EXPECT_TRUE(led == Shot(chain.document())) << differenceOf(led, Shot(chain.document()));
}

TEST(UndoSteps, WhatChangesNothingMovesNothing) {
  Chain chain;
  chain.session().editor.touch().pose.coordinates.setConstant(0.1);  // not where a solve would leave it
  const Shot before(chain.document());
  chain.chooseSolver(chain.document().solver.solver);
  chain.settle();
  EXPECT_TRUE(before == Shot(chain.document()));
  EXPECT_FALSE(chain.session().editor.history().canUndo());
}

}  // namespace
}  // namespace limber::app::undo_test
