// SPDX-License-Identifier: MIT
// Views by keys, their short turns, and work in an orthographic view.
#include "app/stage/viewing.h"

#include <gtest/gtest.h>

#include "app/session/documents.h"
#include "headless_gui.h"
#include "io/results.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::viewing_test {
namespace {

constexpr Modifiers kWithShift{.shift = true}, kWithCtrl{.control = true};

class Viewing : public testing::Test, protected HeadlessWindow {
 protected:
  Viewing() : HeadlessWindow(makeDocument(makeBallChain(4))) { frames(2); }

  /// Without a frame, so that several keys count as one turn.
  void press(Key key, char letter, Modifiers held = {}) { handleEvent(session_, KeyPress{key, letter, held, false}); }
  void settle() { frames(12); }  // 0.24 seconds: until the view has turned
  Eigen::Vector3d forward() const { return render::forwardDirection(session_.picture.view()); }
  void scroll(double stepsX, double steps, Modifiers held = {}) {
    WheelTurn turn;
    turn.steps = steps;
    turn.stepsX = stepsX;
    turn.x = 300;
    turn.y = 200;
    turn.modifiers = held;
    handleEvent(session_, turn);
  }
};

TEST_F(Viewing, NumberPadShowsTheSidesAndCtrlTheirOpposites) {
  const std::tuple<char, Modifiers, Eigen::Vector3d> views[] = {
      {'1', {}, -Eigen::Vector3d::UnitZ()}, {'1', kWithCtrl, Eigen::Vector3d::UnitZ()},
      {'3', {}, -Eigen::Vector3d::UnitX()}, {'3', kWithCtrl, Eigen::Vector3d::UnitX()},
      {'7', {}, -Eigen::Vector3d::UnitY()}, {'7', kWithCtrl, Eigen::Vector3d::UnitY()}};
  for (const Key pad : {Key::Numpad, Key::Digit})
    for (const auto& [digit, held, direction] : views) {
      press(pad, digit, held);
      settle();
      EXPECT_LT((forward() - direction).norm(), 1e-12) << digit;
    }
}

TEST_F(Viewing, ATurnTakesAWhileEndsExactlyAndThenIsIdle) {
  const Camera before = session_.picture.camera;
  press(Key::Numpad, '1');
  EXPECT_EQ(sleepTime(session_), 0.0);
  frames(4);
  EXPECT_NE(session_.picture.camera.yaw, before.yaw);
  EXPECT_NE(session_.picture.camera.yaw, 0.0);
  settle();
  EXPECT_EQ(session_.picture.camera.yaw, 0.0);
  EXPECT_EQ(session_.picture.camera.pitch, 0.0);
  EXPECT_EQ(session_.picture.camera.distance, before.distance);
  EXPECT_FALSE(session_.picture.turn);
  session_.ui.message = {};
  EXPECT_FALSE(sleepTime(session_));
}

TEST_F(Viewing, StepsOfFifteenDegreesAddUpWhileTheyTurn) {
  press(Key::Numpad, '1');
  settle();
  for (int i = 0; i < 3; ++i) press(Key::Numpad, '6');
  settle();
  EXPECT_NEAR(session_.picture.camera.yaw, 0.25 * std::numbers::pi, 1e-12);
  press(Key::Numpad, '4');
  press(Key::Numpad, '8');
  settle();
  EXPECT_NEAR(session_.picture.camera.yaw, std::numbers::pi / 6.0, 1e-12);
  EXPECT_NEAR(session_.picture.camera.pitch, std::numbers::pi / 12.0, 1e-12);
  for (int i = 0; i < 20; ++i) press(Key::Numpad, '2');
  settle();
  EXPECT_EQ(session_.picture.camera.pitch, -kMaxPitch);
}

TEST_F(Viewing, HomeIsTheViewThatTheFileOpenedWith) {
  const Camera home = session_.picture.camera;
  press(Key::Numpad, '7');
  scroll(0.0, 5.0);
  settle();
  press(Key::Numpad, '0');
  settle();
  EXPECT_EQ(session_.picture.camera.yaw, home.yaw);
  EXPECT_EQ(session_.picture.camera.pitch, home.pitch);
  EXPECT_NEAR(session_.picture.camera.distance, home.distance, 1e-12);
}

TEST_F(Viewing, FramingAllKeepsTheDirectionAndTheProjection) {
  press(Key::Numpad, '3');
  press(Key::Numpad, '5');
  settle();
  session_.picture.camera.distance *= 7.0;
  session_.picture.camera.centre.x() += 3.0;
  press(Key::Letter, 'f', kWithShift);
  settle();
  EXPECT_LT((forward() + Eigen::Vector3d::UnitX()).norm(), 1e-12);
  EXPECT_TRUE(session_.picture.camera.isOrthographic);
  const auto pixel = render::projectToPixel(session_.picture.view(), {0, 0, 0});
  ASSERT_TRUE(pixel);
  EXPECT_TRUE(pixel->x() > 0 && pixel->x() < 800 && pixel->y() > 0 && pixel->y() < 600);
}

TEST_F(Viewing, AHandTakesOverWhereATurnHasGotTo) {
  press(Key::Numpad, '3');
  frames(3);
  const double yaw = session_.picture.camera.yaw;
  handleEvent(session_, ButtonChange{Button::Middle, true, {}, 400, 300});
  handleEvent(session_, CursorMove{410, 300, {}});
  EXPECT_FALSE(session_.picture.turn);
  EXPECT_NEAR(session_.picture.camera.yaw, yaw - 10 * kOrbitPerHeight / 600, 1e-12);
  handleEvent(session_, ButtonChange{Button::Middle, false, {}, 410, 300});
}

TEST_F(Viewing, ADragUpwardBesideTheFigureStopsAtTheFloor) {
  const auto dragUp = [&] {
    down({5, 500});
    lead({5, 100}, {}, 20);
    up();
  };
  for (const bool isOrthographic : {false, true}) {
    session_.picture.camera.isOrthographic = isOrthographic;
    session_.picture.camera.pitch = 0.3;
    session_.ui.message = {};
    dragUp();
    if (isOrthographic) {
      EXPECT_EQ(session_.picture.camera.pitch, 0.0);
    } else {
      EXPECT_GT(session_.picture.view().eye.y(), session_.picture.drawList.groundHeight);
    }
    EXPECT_NE(session_.ui.message.text.find("Ctrl+7"), std::string::npos) << session_.ui.message.text;
  }
  session_.picture.camera.isOrthographic = false;
  press(Key::Numpad, '7', kWithCtrl);  // asked for
  settle();
  EXPECT_LT(session_.picture.view().eye.y(), session_.picture.drawList.groundHeight);
  const double pitch = session_.picture.camera.pitch;
  down({400, 300}, Button::Middle);
  move({400, 310});
  up(Button::Middle);
  EXPECT_NEAR(session_.picture.camera.pitch, pitch + 10 * kOrbitPerHeight / 600, 1e-12)
      << "below it the view turns freely";
}

TEST_F(Viewing, NeitherPanNorZoomTakesTheEyeBelowTheFloor) {
  press(Key::Digit, '1');
  settle();
  for (int i = 0; i < 12; ++i) {
    scroll(0.0, i % 2 ? -3.0 : 1.0);
    down({400, 100}, Button::Middle, kWithShift);
    move({400, 20}, kWithShift);
    move({400, 0}, kWithShift);
    up(Button::Middle);
    EXPECT_GT(session_.picture.view().eye.y(), session_.picture.drawList.groundHeight);
  }
}

TEST_F(Viewing, TheCubeTurnsTheViewToTheFaceThatIsClickedAndHome) {
  const Camera home = session_.picture.camera;
  press(Key::Digit, '3');
  settle();
  const float em = ImGui::GetFontSize();
  const ImVec2 middle(static_cast<float>(layout_.picture.x + layout_.picture.width) - 3.4f * em,
                      static_cast<float>(layout_.picture.y) + 3.4f * em);
  clickPanel(middle);  // the right side is what one looks at: back home
  settle();
  EXPECT_NEAR(session_.picture.camera.yaw, home.yaw, 1e-12);
  EXPECT_NEAR(session_.picture.camera.pitch, home.pitch, 1e-12);
  clickPanel(ImVec2(middle.x, middle.y - 1.0f * em));
  settle();
  EXPECT_NEAR(session_.picture.camera.pitch, kMaxPitch, 1e-12) << "its top";
}

TEST_F(Viewing, AWheelZoomsWhateverIsHeld) {
  const double distance = session_.picture.camera.distance;
  scroll(0.0, 1.0);
  EXPECT_NEAR(session_.picture.camera.distance, distance * kZoomPerStep, 1e-12);
  scroll(0.0, 1.0, kWithShift);
  EXPECT_NEAR(session_.picture.camera.distance, distance * kZoomPerStep * kZoomPerStep, 1e-12);
}

TEST_F(Viewing, OnATrackpadTwoFingersOrbitPanAndZoomByParts) {
  session_.settings.scrolling = Scrolling::Orbits;
  const Camera before = session_.picture.camera;
  scroll(0.25, 0.1);
  EXPECT_NE(session_.picture.camera.yaw, before.yaw);
  EXPECT_NE(session_.picture.camera.pitch, before.pitch);
  EXPECT_EQ(session_.picture.camera.distance, before.distance);
  const Camera turned = session_.picture.camera;
  scroll(0.25, 0.1, kWithShift);
  EXPECT_EQ(session_.picture.camera.yaw, turned.yaw);
  EXPECT_GT((session_.picture.camera.centre - turned.centre).norm(), 0.0);
  scroll(0.0, 0.5, kWithCtrl);
  EXPECT_NEAR(session_.picture.camera.distance, before.distance * std::sqrt(kZoomPerStep), 1e-12);
}

TEST_F(Viewing, LeftDragsBesideTheFigurePanWithShiftAndZoomWithCtrl) {
  const auto dragBeside = [&](Modifiers held) {
    down({5, 5}, Button::Left, held);
    lead({55, 5}, held);
    up(Button::Left, held);
  };
  const Camera before = session_.picture.camera;
  dragBeside(kWithShift);
  EXPECT_EQ(session_.picture.camera.yaw, before.yaw);
  EXPECT_GT((session_.picture.camera.centre - before.centre).norm(), 0.0);
  const Camera panned = session_.picture.camera;
  dragBeside(kWithCtrl);
  EXPECT_LT(session_.picture.camera.distance, panned.distance);
  EXPECT_EQ(session_.picture.camera.yaw, panned.yaw);
}

TEST_F(Viewing, APresetSaysWhatTheRightButtonDoes) {
  const auto dragRight = [&] {
    down({400, 300}, Button::Right);
    move({440, 300});
    up(Button::Right);
  };
  const Eigen::Vector3d eye = session_.picture.view().eye, direction = forward();
  dragRight();
  EXPECT_EQ(forward(), direction);
  session_.settings.keys = KeyPreset::Maya;
  dragRight();
  EXPECT_NE(forward(), direction);
  EXPECT_LT((session_.picture.view().eye - eye).norm(), 1e-9) << "the head turned";
}

TEST_F(Viewing, InAnOrthographicViewLinksAreFoundAndDraggedWhereTheCursorIs) {
  press(Key::Numpad, '1');
  press(Key::Numpad, '5');
  settle();
  ASSERT_TRUE(render::isOrthographic(session_.picture.view()));
  session_.editor.touch().goals.clear();  // nothing but the drag pulls
  const Transform tip = session_.picture.kinematics.worldFromLink[3];
  const Eigen::Vector3d point = tip * Eigen::Vector3d(0.0, 0.5, 0.0);
  const Eigen::Vector2d at = *render::projectToPixel(session_.picture.view(), point);
  const auto hit = pick(session_.picture.drawList, session_.picture.view(), at.x(), at.y());
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->link, 3);
  EXPECT_LT((hit->point - point).norm(), 0.2);

  const Eigen::Vector2d to = at + Eigen::Vector2d(-60, 80);
  drag(at, to);
  up();
  frames(3);
  const Eigen::Vector3d grabbed = session_.picture.kinematics.worldFromLink[3] * (tip.inverse() * hit->point);
  const Eigen::Vector2d now = *render::projectToPixel(session_.picture.view(), grabbed);
  EXPECT_LT((now - to).norm(), 3.0) << "the grabbed point stays under the cursor";
}

class PlanarViewing : public Viewing {
 protected:
  PlanarViewing() {
    session_.editor.open(makeDocument(makePlanarChain(4)), {}, "open");
    frames(2);
  }
  void dragBeside(Button button, Modifiers held = {}) {
    down({5, 5}, button, held);
    lead({105, 55}, held, 5);
    up(button, held);
  }
  bool looksAlong(const Eigen::Vector3d& direction) const { return (forward() - direction).norm() < 1e-12; }
};

TEST_F(PlanarViewing, OpensFlatAndDragsPan) {
  EXPECT_TRUE(showsPlane(session_));
  for (const Button button : {Button::Left, Button::Middle}) {
    const Camera before = session_.picture.camera;
    dragBeside(button);
    EXPECT_TRUE(showsPlane(session_));
    const auto now = render::projectToPixel(session_.picture.view(), before.centre);
    ASSERT_TRUE(now);
    EXPECT_NEAR(now->x(), 400 + 100, 1e-6);
    EXPECT_NEAR(now->y(), 300 + 50, 1e-6);
  }
}

TEST_F(PlanarViewing, EveryViewKeyShowsThePlane) {
  for (const char digit : {'7', '3', '1', '0'}) {
    for (int i = 0; i < 3; ++i) press(Key::Digit, '6');
    press(Key::Digit, '8');
    settle();
    EXPECT_FALSE(showsPlane(session_)) << "turns in steps were asked for";
    press(Key::Digit, digit);
    settle();
    EXPECT_TRUE(showsPlane(session_)) << digit;
    EXPECT_TRUE(looksAlong(-Eigen::Vector3d::UnitZ())) << digit;
  }
  press(Key::Digit, '7', kWithCtrl);
  settle();
  EXPECT_TRUE(showsPlane(session_)) << "from behind";
  EXPECT_TRUE(looksAlong(Eigen::Vector3d::UnitZ()));
}

TEST_F(PlanarViewing, OrbitsOnceItIsAskedForAndLeavesOtherFiguresAlone) {
  press(Key::Digit, '5');
  settle();
  EXPECT_FALSE(session_.picture.camera.isOrthographic);
  dragBeside(Button::Left);
  EXPECT_GT(session_.picture.camera.pitch, 0.1);
  press(Key::Digit, '1');
  settle();
  EXPECT_TRUE(showsPlane(session_));
  session_.editor.open(makeDocument(makeBallChain(3)), {}, "open");
  frames(2);
  EXPECT_FALSE(session_.picture.camera.isOrthographic) << "parallel projection was for the plane";
}

TEST_F(Viewing, PartsAreSizedByTheirEdgesAndPanelsStayFolded) {
  session_.settings.sizes.panels = 25.0;
  rememberPanel(session_.settings, "Solver", false);
  frames(2);
  EXPECT_FALSE(isPanelOpen(session_.settings, "Solver", true));
  EXPECT_TRUE(isPanelOpen(session_.settings, "Goals", true));
  EXPECT_EQ(session_.settings.folded.size(), 1u) << "what is as it comes is not remembered";
}

class StoredViews : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  StoredViews() : HeadlessWindow(makeDocument(makeBallChain(4))) { frames(2); }

  void open(const std::filesystem::path& path) {
    takeOver(session_, test::valueOf(io::readScene(path)), path, "open");
    frames(2);
  }
  StoredView shown() const { return storedViewOf(session_.picture.camera); }
};

TEST_F(StoredViews, AreSavedWithASceneAndShownWhenItOpens) {
  const StoredView home = shown(), wanted{{0.5, 1.0, -0.25}, -0.75, 0.5, 6.0, true};
  takeStoredView(session_.picture.camera, wanted);
  saveFile(session_, folder_ / "a.limber");
  EXPECT_FALSE(session_.editor.isChanged());
  takeStoredView(session_.picture.camera, home);
  open(folder_ / "a.limber");
  EXPECT_EQ(shown(), wanted);
  perform(session_, Command::ViewHome);
  frames(12);
  EXPECT_NE(shown(), wanted) << "home frames the whole figure";
}

TEST_F(StoredViews, ASceneWithoutOneIsFramed) {
  const StoredView home = shown();
  ASSERT_FALSE(io::writeScene(folder_ / "a.limber", makeDocument(makeBallChain(4))));
  takeStoredView(session_.picture.camera, {{0.5, 1.0, -0.25}, -0.75, 0.5, 6.0, false});
  open(folder_ / "a.limber");
  EXPECT_EQ(shown(), home);
}

TEST_F(StoredViews, UndoShowsTheSceneBeforeInItsView) {
  Document document = makeDocument(makeBallChain(4));
  document.view = StoredView{{0.5, 1.0, -0.25}, -0.75, 0.5, 6.0, false};
  ASSERT_FALSE(io::writeScene(folder_ / "a.limber", document));
  open(folder_ / "a.limber");
  ASSERT_FALSE(io::writeScene(folder_ / "b.limber", makeDocument(makePlanarChain(3))));
  open(folder_ / "b.limber");
  EXPECT_NE(shown(), *document.view);
  perform(session_, Command::Undo);
  frames(2);
  EXPECT_EQ(shown(), *document.view);
}

}  // namespace
}  // namespace limber::app::viewing_test
