// SPDX-License-Identifier: MIT
// The race in a session without a window: drags are raced, ghosts are shown, iterates are stepped through.
#include "app/features/racing.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <fstream>
#include <set>
#include <sstream>

#include "app/panels/panels.h"
#include "app/session/documents.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/race_lane.h"
#include "limber/solvers/registry.h"
#include "support/temporary_folder.h"

namespace limber::app::racing_test {
namespace {

class RaceInTheWindow : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  RaceInTheWindow() : HeadlessWindow(makeDocument(makePlanarChain(6))) {
    session_.settings.raceSolvers.emplace();
    for (const Solver* solver : allSolvers()) session_.settings.raceSolvers->emplace_back(solver->name());
    frame();
  }

  /// The target of the chain's goal.
  Pixel target() const { return pixel(document().goals[0].target); }
  /// Also waits for the end of the race.
  void settleRace() {
    settle();
    race().wait();
    frame();
  }
  /// A drag of the tip without a release.
  void dragTip() {
    down(target());
    lead(mouse() + Pixel(-220.0, -140.0));
  }
  void dragAndRelease() {
    dragTip();
    up();
    settleRace();
  }
  std::size_t ghostLinks() const {
    return static_cast<std::size_t>(
        std::ranges::count(session_.picture.drawList.capsules, render::Layer::Ghost, &render::DrawCapsule::layer));
  }
  Race& race() { return session_.services.racing.race(); }
};

TEST_F(RaceInTheWindow, RunsNothingWhileItIsOff) {
  dragAndRelease();
  EXPECT_TRUE(race().lanes().empty());
  EXPECT_FALSE(race().problem());
  EXPECT_EQ(ghostLinks(), 0u);
}

TEST_F(RaceInTheWindow, TableAndCurvesTakeTurnsWhereThereIsNoRoomForBoth) {
  letter('c');
  dragAndRelease();
  const auto drawn = [&](float width, bool showsCurves) {
    ImGui::GetIO().DisplaySize.x = width;
    session_.ui.race.showsCurves = showsCurves;
    frames(2);
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  const int both = drawn(2000, false);
  EXPECT_EQ(drawn(2000, true), both) << "the choice is for narrow windows";
  EXPECT_NE(drawn(500, false), drawn(500, true));
  EXPECT_TRUE(queue_.calls.empty());
}

TEST_F(RaceInTheWindow, EveryMethodFollowsTheDrag) {
  letter('c');
  EXPECT_TRUE(session_.settings.visible.race);
  dragAndRelease();
  ASSERT_EQ(race().lanes().size(), allSolvers().size());
  int answers = 0;
  for (const LaneView& lane : race().lanes()) {
    SCOPED_TRACE(lane.solver);
    ASSERT_TRUE(lane.result);
    EXPECT_FALSE(lane.isRunning);
    answers += !lane.result->isRefused();
  }
  EXPECT_GE(answers, 4);
  EXPECT_EQ(race().problem()->goals, session_.document().goals) << "the race has the last move of the drag";
  frame();
  EXPECT_TRUE(race().problem()) << "what was answered stays after the drag";
  EXPECT_GT(ghostLinks(), 0u) << "gdls has not arrived within its iterations";
  for (const auto& label : session_.services.racing.labels()) EXPECT_TRUE(label.tip.allFinite());
}

TEST_F(RaceInTheWindow, SwitchingItInMidDragMovesNothing) {
  dragTip();
  while (session_.solving.isBusy()) frame();
  const Pose pose = session_.document().pose;
  const Rectangle picture = session_.picture.area;
  for (int i = 0; i < 3; ++i) {
    letter('c');
    frame();
    EXPECT_TRUE(session_.document().pose == pose);
    EXPECT_FALSE(session_.ui.race.isShown) << "the picture stays where it is as long as the mouse is down";
  }
  move(mouse() + Pixel(-3.0, 0.0));  // it is on now
  EXPECT_TRUE(race().problem());
  settleRace();
  up();
  settleRace();
  EXPECT_TRUE(session_.ui.race.isShown);
  EXPECT_EQ(session_.picture.area.height, picture.height);  // the application's to change
}

TEST_F(RaceInTheWindow, IsForgottenWithThePoseThatItWasFor) {
  letter('c');
  dragAndRelease();
  ASSERT_TRUE(race().problem());
  perform(session_, Command::Undo);
  frame();
  EXPECT_FALSE(race().problem());
  EXPECT_EQ(ghostLinks(), 0u);
}

TEST_F(RaceInTheWindow, StepsThroughTheIteratesOfAMethod) {
  letter('c');
  dragAndRelease();
  queue_.add(Command::Race, RaceStart::Rest);
  settleRace();
  session_.ui.race.lane = std::string(allSolvers().front()->name());
  const auto result = race().lanes()[0].result;
  const int last = static_cast<int>(result->iterates.size()) - 1;
  ASSERT_GT(last, 2);
  EXPECT_TRUE(result->iterates.front().pose == restPose(*session_.document().figure));
  EXPECT_EQ(session_.services.racing.shownStep(session_.ui.race), last);
  type(U"[");
  type(U"[");
  EXPECT_EQ(session_.services.racing.shownStep(session_.ui.race), last - 2);
  type(U"]");
  EXPECT_EQ(session_.services.racing.shownStep(session_.ui.race), last - 1);
  for (int i = 0; i < last + 5; ++i) type(U"[");
  EXPECT_EQ(session_.services.racing.shownStep(session_.ui.race), 0);
  EXPECT_GT(ghostLinks(), 0u) << "the ghost shows the iterate";
  const Kinematics& kinematics = session_.picture.kinematics;
  const Kinematics rest = transformsOf(*session_.document().figure, restPose(*session_.document().figure));
  const auto& labels = session_.services.racing.labels();
  ASSERT_FALSE(labels.empty());
  EXPECT_LT((labels[0].tip - rest.worldFromLink.back() * Eigen::Vector3d::UnitX()).norm(), 1e-9);
  EXPECT_GT((labels[0].tip - kinematics.worldFromLink.back() * Eigen::Vector3d::UnitX()).norm(), 0.1);
  queue_.add(Command::Race, RaceStart::Drag);
  settleRace();
  EXPECT_EQ(session_.services.racing.shownStep(session_.ui.race),
            static_cast<int>(race().lanes()[0].result->iterates.size()) - 1)
      << "another answer is shown at its end";
}

TEST_F(RaceInTheWindow, PlotsEveryQuantityOverEitherAxis) {
  letter('c');
  frame();
  dragAndRelease();
  for (const auto quantity :
       {RaceView::Quantity::AboveBest, RaceView::Quantity::Objective, RaceView::Quantity::Gradient})
    for (const auto axis : {RaceView::Axis::Iterations, RaceView::Axis::Time})
      for (const bool isLogarithmic : {false, true}) {
        session_.ui.race.quantity = quantity;
        session_.ui.race.axis = axis;
        session_.ui.race.isAxisLogarithmic = isLogarithmic;
        frame();
        for (float x = 240.0f; x < 1080.0f; x += 40.0f) {  // tooltips and all
          ImGui::GetIO().MousePos = ImVec2(x, 720.0f);
          frame();
        }
      }
  EXPECT_TRUE(race().problem());
}

TEST_F(RaceInTheWindow, AMethodThatIsRefusedShowsNoGhost) {
  session_.editor.touch().joints[1].limits = {-0.2, 0.2};
  letter('c');
  dragAndRelease();
  for (const LaneView& lane : race().lanes())
    if (findSolver(lane.solver)->limitHandling() == LimitHandling::None) {
      EXPECT_TRUE(lane.result->isRefused()) << lane.solver;
    }
  for (const auto& label : session_.services.racing.labels())
    EXPECT_FALSE(race().lanes()[static_cast<std::size_t>(label.lane)].result->isRefused());
}

TEST_F(RaceInTheWindow, ExportsItsIterates) {
  letter('c');
  dragAndRelease();
  saveRace(session_, folder_ / "race.csv");
  std::vector<const LaneResult*> results;
  for (const LaneView& lane : race().lanes()) results.push_back(lane.result.get());
  std::ostringstream text;
  text << std::ifstream(folder_ / "race.csv", std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), raceCsv(results));
  EXPECT_FALSE(session_.ui.showError);
  saveRace(session_, folder_ / "no such folder" / "race.csv");
  EXPECT_TRUE(session_.ui.showError);
}

TEST(RaceSettings, ChooseTheMethodsThatRun) {
  Settings settings;
  const std::string inUse = "gdls";
  const std::vector<std::string> first = racedSolvers(settings, inUse);
  EXPECT_TRUE(std::ranges::find(first, inUse) != first.end()) << "what one works with is in its race";
  for (const std::string& solver : first)
    if (solver != inUse) {
      EXPECT_EQ(findSolver(solver)->limitHandling(), LimitHandling::Exact);
    }
  const std::string name(allSolvers().back()->name());
  setRaced(settings, name, true, inUse);
  EXPECT_TRUE(isRaced(settings, name, inUse));
  EXPECT_TRUE(isRaced(settings, inUse, inUse)) << "the first choice adds to what was ticked";
  EXPECT_EQ(parseSettings(settingsText(settings)), settings);
  setRaced(settings, name, false, inUse);
  EXPECT_FALSE(isRaced(settings, name, inUse));
  for (const std::string& solver : first) setRaced(settings, solver, false, inUse);
  EXPECT_TRUE(racedSolvers(settings, inUse).empty());
  EXPECT_EQ(parseSettings(settingsText(settings)), settings);
}

TEST(RaceLooks, TellEveryMethodFromEveryOther) {
  std::set<char> letters;
  std::set<std::tuple<float, float, float>> colors;
  for (const Solver* solver : allSolvers()) {
    const LaneLook look = lookOf(solver->name());
    EXPECT_TRUE(letters.insert(look.letter).second) << solver->name();
    EXPECT_TRUE(colors.emplace(look.color.red, look.color.green, look.color.blue).second) << solver->name();
  }
}

}  // namespace
}  // namespace limber::app::racing_test
