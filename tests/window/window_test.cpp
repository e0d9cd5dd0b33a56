// SPDX-License-Identifier: MIT
// A person's first minutes with the real program: toggles, turns, resets, drags, undoes, saves.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numbers>
#include <optional>

#include "limber/io/base/image.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "window/window_fixture.h"

namespace limber::window_test {
namespace {

constexpr int kLinks = 4;
constexpr double kReach = kLinks;

struct Place {
  int x, y;
};

bool isGreen(const unsigned char* p) { return p[1] > 110 && p[1] > 1.5 * p[0] && p[1] > 1.4 * p[2]; }
bool isClay(const unsigned char* p) { return p[0] > 120 && p[0] > p[1] && p[1] > p[2] && p[0] - p[2] < 90; }

/// The middle of the met target's ball: a green disc wider than a panel's icon.
std::optional<Place> findTarget(const test::Screenshot& shot) {
  long sumX = 0, sumY = 0, count = 0;
  for (int y = 8; y + 8 < shot.height; ++y)
    for (int x = 8; x + 8 < shot.width; ++x)
      if (isGreen(shot.at(x, y)) && isGreen(shot.at(x - 8, y)) && isGreen(shot.at(x + 8, y)) &&
          isGreen(shot.at(x, y - 8)) && isGreen(shot.at(x, y + 8))) {
        sumX += x;
        sumY += y;
        ++count;
      }
  if (count == 0) return std::nullopt;
  return Place{static_cast<int>(sumX / count), static_cast<int>(sumY / count)};
}

Eigen::Vector3d tipOf(const Document& document) {
  return transformsOf(*document.figure, document.pose).worldFromLink.back() * Eigen::Vector3d::UnitX();
}

class Window : public test::WindowFixture {
 protected:
  void openChain() { openScene(makeDocument(makePlanarChain(kLinks)), "chain.limber"); }
};

TEST_F(Window, OpensWithTheHumanAndSleepsWhenIdle) {
  ASSERT_TRUE(display_->start({})) << display_->output();
  const test::Screenshot shot = display_->screenshot();
  int clay = 0;
  for (int y = 0; y < shot.height; ++y)
    for (int x = shot.width / 4; x < 3 * shot.width / 4; ++x) clay += isClay(shot.at(x, y));
  EXPECT_GT(clay, 5000) << "no figure to be seen";
  const double before = display_->processorTime();
  test::waitFor([] { return false; }, 2.0);
  EXPECT_LE(display_->processorTime() - before, 0.02) << "an idle window must use no processor time";
}

/// The number that follows a word of limber --measure.
double measured(const std::string& said, const std::string& word) {
  const std::size_t at = said.find(word);
  return at == std::string::npos ? std::nan("") : std::strtod(said.c_str() + at + word.size(), nullptr);
}

/// The output of the program with these arguments until it ends.
std::string saidWith(const std::string& arguments) {
  std::string said;
  FILE* pipe = popen((LIMBER_BINARY " " + arguments + " 2>&1").c_str(), "r");
  if (!pipe) return said;
  for (char buffer[4096]; const std::size_t n = fread(buffer, 1, sizeof buffer, pipe);) said.append(buffer, n);
  EXPECT_EQ(pclose(pipe), 0) << said;
  return said;
}

TEST_F(Window, KeepsToItsMemoryAndTellsWhatItCosts) {
  const std::string said = saidWith("--measure 10");
  EXPECT_LT(measured(said, "resident memory"), 200.0) << said;
  EXPECT_LE(measured(said, "idle"), 20.0) << said;
  for (const char* word : {"start to first frame", "moving frame", "still frame"})
    EXPECT_GT(measured(said, word), 0.0) << said;
}

TEST_F(Window, ClosesARecordingOfWhatItMeasures) {
  const std::string recording = display_->folder() / "bug.jsonl";
  saidWith("--measure 1 --record " + recording);
  const std::string said = saidWith("replay " + recording);
  EXPECT_NE(said.find("all as recorded"), std::string::npos) << said;
  EXPECT_EQ(said.find("not closed"), std::string::npos) << said;
}

TEST_F(Window, SpaceTogglesAPeriodTurnsAndRResets) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->key("space");
  display_->key("Tab");
  display_->key("period");
  display_->key("period");
  display_->key("comma");
  Document document = saved();
  EXPECT_EQ(document.mode, Mode::Forward);
  ASSERT_GE(document.selection.joint, 0);
  EXPECT_NEAR(document.pose.coordinates[document.selection.joint], 5.0 * std::numbers::pi / 180.0, 1e-12);
  const Pose turned = document.pose;

  display_->key("space");
  document = saved();
  EXPECT_EQ(document.mode, Mode::Inverse);
  EXPECT_TRUE(document.pose == turned) << "toggling must not move the figure";
  EXPECT_LT((document.goals[0].target - tipOf(document)).norm(), 1e-12) << "the target comes to its end effector";

  display_->key("r");
  EXPECT_EQ(saved().pose.coordinates.cwiseAbs().maxCoeff(), 0.0);
  display_->key("ctrl+z");
  EXPECT_TRUE(saved().pose == turned);
}

TEST_F(Window, ADragBringsTheEndEffectorAndUndoTakesItBack) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  const Document before = saved();
  const auto target = findTarget(display_->screenshot());
  ASSERT_TRUE(target) << "no target to be seen";
  display_->drag(target->x, target->y, target->x - 160, target->y - 120);
  const Document after = saved();
  ASSERT_EQ(after.goals.size(), 1u);
  EXPECT_GT((after.goals[0].target - before.goals[0].target).norm(), 0.5) << "the target did not follow the mouse";
  EXPECT_EQ(after.goals[0].target.z(), 0.0);
  EXPECT_LT((tipOf(after) - after.goals[0].target).norm(), 0.01 * kReach);
  display_->moveTo(target->x, target->y + 200);  // what the mouse is on is drawn lighter
  const auto arrived = findTarget(display_->screenshot());
  ASSERT_TRUE(arrived) << "the met target must be green";
  // The plane faces the camera, so the target's way in the world is the mouse's on the screen; where exactly the ball's
  // visible part has its middle depends on how much of it the last link hides.
  const Eigen::Vector3d way = after.goals[0].target - before.goals[0].target;
  EXPECT_NEAR(way.x() / way.y(), -160.0 / 120.0, 0.01);
  EXPECT_TRUE(test::waitFor([&] { return display_->output().find("newton") != std::string::npos; }))
      << "the console tells the iterations";

  display_->key("ctrl+z");
  const Document undone = saved();
  EXPECT_TRUE(undone.pose == before.pose);
  EXPECT_EQ(undone.goals, before.goals);
  EXPECT_TRUE(display_->isRunning());
}

TEST_F(Window, AGoalIsPlantedByMenuAndClickAndUndone) {
  const auto config = display_->folder() / "config/limber";
  std::filesystem::create_directories(config);
  std::ofstream(config / "settings")
      << "closed Poses\nclosed Joint\n";  // the panel Goals stands at the same place then
  ASSERT_NO_FATAL_FAILURE(openChain());
  const test::Screenshot shot = display_->screenshot();
  const auto target = findTarget(shot);
  ASSERT_TRUE(target);
  const auto click = [&](int x, int y) {
    display_->moveTo(x, y);
    test::waitFor([] { return false; }, 0.4);
    display_->press();
    display_->release();
    test::waitFor([] { return false; }, 0.6);
  };
  const Place button{shot.width - 275, 166};  // "Add goal ...", below the tabs and three headers
  click(button.x, button.y);
  click(button.x + 35, button.y + 17);  // "position"
  click(target->x - 60, target->y);     // on the last link
  const Document planted = saved();
  ASSERT_EQ(planted.goals.size(), 2u);
  EXPECT_EQ(planted.goals[1].type, GoalType::Position);
  EXPECT_EQ(planted.goals[1].link, kLinks - 1);
  EXPECT_NEAR(planted.goals[1].target.y(), 0.0, 0.15);
  display_->key("ctrl+z");
  EXPECT_EQ(saved().goals.size(), 1u);
  display_->key("n");
  EXPECT_TRUE(display_->isRunning());
}

TEST_F(Window, ARaceRunsBesideADragAndLeavesTheFigureAlone) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  const auto isOrange = [](const unsigned char* p) { return p[0] > 200 && p[1] > 120 && p[1] < 190 && p[2] < 60; };
  const auto orangeOfPlot = [&](const test::Screenshot& shot) {  // the curve of the first solver
    int count = 0;
    for (int y = 3 * shot.height / 4; y < shot.height; ++y)
      for (int x = shot.width / 2; x < 3 * shot.width / 4; ++x) count += isOrange(shot.at(x, y));
    return count;
  };
  display_->key("c");
  const test::Screenshot empty = display_->screenshot();
  EXPECT_EQ(orangeOfPlot(empty), 0);
  const auto target = findTarget(empty);
  ASSERT_TRUE(target) << "no target to be seen";
  display_->drag(target->x, target->y, target->x - 120, target->y - 90);
  const Document after = saved();
  EXPECT_LT((tipOf(after) - after.goals[0].target).norm(), 0.01 * kReach);
  EXPECT_GT(orangeOfPlot(display_->screenshot()), 50) << "no curve to be seen";
  display_->key("bracketleft");
  display_->key("bracketleft");
  EXPECT_TRUE(saved().pose == after.pose) << "looking back moves the ghost, not the figure";
  const double before = display_->processorTime();
  test::waitFor([] { return false; }, 2.0);
  EXPECT_LE(display_->processorTime() - before, 0.02) << "a race that has ended must use no processor time";
  display_->key("c");
  EXPECT_TRUE(saved().pose == after.pose);
}

TEST_F(Window, TheTimelineKeysPlaysToItsEndAndSleepsThere) {
  Document document = makeDocument(makePlanarChain(kLinks));
  document.goals.clear();
  changeTimeline(document).length = 0.1;
  ASSERT_NO_FATAL_FAILURE(openScene(document, "keyed.limber"));
  display_->key("k");
  for (int i = 0; i < 3; ++i) display_->key("Right");
  display_->key("space");
  display_->key("Tab");
  for (int i = 0; i < 3; ++i) display_->key("period");
  display_->key("k");
  document = saved();
  ASSERT_TRUE(document.timeline);
  ASSERT_EQ(document.timeline->keys.size(), 2u);
  EXPECT_EQ(document.timeline->keys[1].time, 0.1);
  const int joint = document.selection.joint;
  EXPECT_NEAR(document.timeline->keys[1].pose.coordinates[joint], 15.0 * std::numbers::pi / 180.0, 1e-12);

  display_->key("shift+Left");
  display_->key("Right");
  document = saved();
  EXPECT_NEAR(document.time, 1.0 / 30.0, 1e-12);
  EXPECT_NEAR(document.pose.coordinates[joint], 5.0 * std::numbers::pi / 180.0, 1e-12) << "a third of the way";

  display_->strike("Return");
  test::waitFor([] { return false; }, 2.0);
  display_->key("Return");                   // it loops: this ends it
  test::waitFor([] { return false; }, 5.0);  // the words of the last save are gone
  const double before = display_->processorTime();
  test::waitFor([] { return false; }, 2.0);
  EXPECT_LE(display_->processorTime() - before, 0.02) << "a timeline that stands must use no processor time";
  EXPECT_TRUE(display_->isRunning());
}

TEST_F(Window, EscapeDuringADragRestoresThePoseExactly) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  const Document before = saved();
  const auto target = findTarget(display_->screenshot());
  ASSERT_TRUE(target);
  display_->moveTo(target->x, target->y);
  display_->press();
  for (int i = 1; i <= 10; ++i) display_->moveTo(target->x - 10 * i, target->y - 8 * i);
  display_->key("Escape");
  display_->release();
  const Document after = saved();
  EXPECT_TRUE(after.pose == before.pose);
  EXPECT_EQ(after.goals, before.goals);
}

TEST_F(Window, MenusOpenAndCloseByTheKeyboard) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->moveTo(640, 790);
  const auto differsBelowTheBar = [&, closed = display_->screenshot()] {
    const test::Screenshot shot = display_->screenshot();
    int count = 0;
    for (int y = 40; y < 300; ++y)
      for (int x = 10; x < 200; ++x) count += std::abs(shot.at(x, y)[0] - closed.at(x, y)[0]) > 4;
    return count;
  };
  for (const char* key : {"Alt_L", "F10", "alt+e"}) {
    display_->key(key);
    EXPECT_GT(differsBelowTheBar(), 3000) << key << " opens no menu";
    display_->key("Escape");
    EXPECT_EQ(differsBelowTheBar(), 0) << "Esc leaves the menu of " << key << " open";
  }
  display_->key("r");  // not while a menu is open, but now
  display_->key("space");
  display_->key("Tab");
  display_->key("period");
  EXPECT_GT(saved().pose.coordinates.cwiseAbs().maxCoeff(), 0.0);
  display_->key("alt+e");
  display_->key("Down");
  display_->key("Up");
  display_->key("Return");  // Edit > Undo
  EXPECT_EQ(saved().pose.coordinates.cwiseAbs().maxCoeff(), 0.0);
}

TEST_F(Window, ADialogBeginsWithItsNameSelectedUpToTheEnding) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  for (const char* name : {"elsewhere", "mine"}) {  // the second dialog would have its caret where the first left it
    display_->key("ctrl+shift+s");
    display_->type(name);
    display_->key("Return");
    EXPECT_TRUE(std::filesystem::exists(display_->folder() / (std::string(name) + ".limber"))) << name;
  }
  display_->key("ctrl+shift+s");
  display_->type("whole.limber");
  display_->key("Return");
  EXPECT_TRUE(std::filesystem::exists(display_->folder() / "whole.limber"));
}

TEST_F(Window, AFileThatIsNotThereEndsTheStart) {
  EXPECT_FALSE(display_->start({(display_->folder() / "none.bvh").string()}));
  EXPECT_NE(display_->output().find("none.bvh: cannot be opened: there is no such file"), std::string::npos)
      << display_->output();
}

TEST_F(Window, ABrokenFileIsSaidInTheWindow) {
  ASSERT_TRUE(display_->start({})) << display_->output();
  const auto whole = display_->screenshot();
  display_ = std::make_unique<test::PrivateDisplay>();
  const auto broken = display_->folder() / "broken.bvh";
  std::ofstream(broken) << "HIERARCHY\nROOT a\n{ OFFSET 0 x 0";
  ASSERT_TRUE(display_->start({broken.string()})) << display_->output();
  EXPECT_TRUE(display_->settle());
  const auto differsInTheMiddle = [&](const test::Screenshot& shot) {
    int count = 0;
    for (int y = 2 * shot.height / 5; y < shot.height / 2; ++y)
      for (int x = 2 * shot.width / 5; x < 3 * shot.width / 5; ++x)
        count += std::abs(shot.at(x, y)[0] - whole.at(x, y)[0]) > 20;
    return count;
  };
  EXPECT_GT(differsInTheMiddle(display_->screenshot()), 1000) << "the dialog stands over the human";
  display_->key("Escape");
  EXPECT_LT(differsInTheMiddle(display_->screenshot()), 100) << "and goes";
  EXPECT_TRUE(display_->isRunning());
}

TEST_F(Window, APictureOfTheClipboardIsPastedAndSavedInTheScene) {
  SkinTexture image{.width = 40, .height = 30};
  image.pixels.assign(4 * 40 * 30, 200);
  const auto file = display_->folder() / "copied.png";
  std::ofstream(file, std::ios::binary) << io::encodeImage(image);
  if (!display_->copyPicture(file)) GTEST_SKIP() << "not installed: xclip";
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->key("ctrl+v");
  EXPECT_TRUE(display_->settle());
  const Document scene = saved();
  ASSERT_EQ(scene.pictures.size(), 1u) << display_->output();
  EXPECT_TRUE(scene.pictures[0].isInScene);
  EXPECT_EQ(scene.pictures[0].size(), Eigen::Vector2d(40, 30));
}

TEST_F(Window, ABrokenFileLeavesAnOpenDocumentAlone) {
  const auto broken = display_->folder() / "broken.bvh";
  std::ofstream(broken) << "HIERARCHY\nROOT a\n{ OFFSET 0 x 0";
  ASSERT_NO_FATAL_FAILURE(openChain());
  const Document before = saved();
  display_->key("ctrl+o");
  display_->type(broken.string());
  display_->key("Return");
  EXPECT_TRUE(display_->isRunning());
  display_->key("Escape");
  display_->key("Escape");
  EXPECT_TRUE(saved().pose == before.pose) << "the open document stays";
}

TEST_F(Window, QuestionsAreAnsweredByTheKeyboard) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->key("ctrl+n");
  display_->type("7");  // the number of links has the keyboard
  display_->key("Return");
  const auto file = display_->folder() / "seven.limber";
  display_->key("ctrl+s");
  display_->type(file.string());
  display_->key("Return");
  ASSERT_TRUE(test::waitFor([&] { return std::filesystem::exists(file); }));
  EXPECT_EQ(io::readScene(file)->figure->linkCount(), 7);

  display_->key("k");  // a change
  display_->key("ctrl+q");
  display_->key("Escape");
  EXPECT_TRUE(display_->isRunning()) << "Esc stays";
  display_->key("ctrl+q");
  display_->key("Tab");
  display_->strike("Return");  // Quit anyway
  EXPECT_TRUE(test::waitFor([&] { return !display_->isRunning(); }));
}

TEST_F(Window, SettingsSurviveAKill) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->key("shift+t");  // shows the timeline
  display_->settle();
  display_->kill();
  std::ifstream in(display_->folder() / "config/limber/settings");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find("panel_timeline 1"), std::string::npos) << text;
}

TEST_F(Window, APanelBelowThePictureLeavesTheTargetWhereItCanBeDragged) {
  ASSERT_NO_FATAL_FAILURE(openChain());
  display_->key("shift+t");
  display_->key("c");
  const auto target = findTarget(display_->screenshot());
  ASSERT_TRUE(target) << "the figure is hidden";
  const Document before = saved();
  display_->drag(target->x, target->y, target->x - 60, target->y - 40);
  EXPECT_GT((saved().goals[0].target - before.goals[0].target).norm(), 0.2);
  display_->key("c");
  display_->key("shift+t");
}

TEST_F(Window, TheTourEndsItsFirstTaskOnceAHandIsDragged) {
  ASSERT_TRUE(display_->start({})) << display_->output();
  const auto settings = [&] {
    std::ifstream in(display_->folder() / "config/limber/settings");
    return std::string((std::istreambuf_iterator<char>(in)), {});
  };
  EXPECT_NE(settings().find("panel_tab start"), std::string::npos) << settings();
  EXPECT_NE(settings().find("tour_task 0"), std::string::npos);
  display_->drag(598, 300, 640, 260);  // the chest or an arm
  display_->settle();
  EXPECT_NE(settings().find("tour_task 1"), std::string::npos) << settings();
  display_->drag(300, 700, 380, 700);  // the background
  display_->settle();
  EXPECT_NE(settings().find("tour_task 2"), std::string::npos) << settings();
}

}  // namespace
}  // namespace limber::window_test
