// SPDX-License-Identifier: MIT
// The axes in which the window shows the world, and rotations in them.
#include "app/settings/shown_world.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

#include "app/panels/vector_rows.h"
#include "app/shell/foreign_names.h"
#include "headless_gui.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "standing_figure.h"
#include "support/built_figure.h"

namespace limber::app::shown_world_test {
namespace {

using V = Eigen::Vector3d;

/// Two ball joints in a file with z up, whose origin is 0.5 m above the ground.
std::shared_ptr<const Figure> makeRobot() {
  FigureBuilder builder("robot");
  FileFrame frame;
  frame.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  frame.origin = {0.0, 0.5, 0.0};
  builder.setFileFrame(frame);
  for (int i = 0; i < 2; ++i) {
    Link link{.name = i == 0 ? "base" : "腕", .parent = i - 1};
    link.capsules = {{{0, 0, 0}, {0, 0, 1}, 0.1}};
    Joint joint{.type = JointType::Ball};
    joint.parentFromJoint = Transform::fromTranslation({0.0, 0.0, i == 0 ? 0.0 : 1.0});
    builder.addLink(link, joint);
  }
  return test::built(builder);
}

TEST(ShownWorld, IsThatOfTheFileOrTheOneThatTheUserPrefers) {
  const auto robot = makeRobot();
  const ShownWorld ofFile = shownWorld(WorldAxes::OfFile, *robot);
  EXPECT_TRUE(ofFile.isZUp());
  EXPECT_EQ(ofFile.toShown({1.0, 2.5, 3.0}), V(1.0, -3.0, 2.0));
  EXPECT_EQ(ofFile.toScene({1.0, -3.0, 2.0}), V(1.0, 2.5, 3.0));
  EXPECT_EQ(shownWorld(WorldAxes::YUp, *robot).toShown({1.0, 2.0, 3.0}), V(1.0, 2.0, 3.0));
  EXPECT_TRUE(shownWorld(WorldAxes::ZUp, *robot).isZUp());
  const auto human = makeStandingFigure();
  EXPECT_EQ(shownWorld(WorldAxes::OfFile, *human).toShown({1.0, 2.0, 3.0}), V(1.0, 2.0, 3.0));
  EXPECT_EQ(shownWorld(WorldAxes::ZUp, *human).toShown({1.0, 2.0, 3.0}), V(1.0, -3.0, 2.0));
  EXPECT_EQ(shownWorld(WorldAxes::ZUp, *makePlanarChain(2)).toShown({1.0, 2.0, 0.0}), V(1.0, 2.0, 0.0));
}

TEST(ShownWorld, AnglesAreThoseOfUrdfWithZUp) {
  using A = Eigen::AngleAxisd;
  for (const V& angles : {V(0.3, -0.5, 2.0), V(0, 0, 0), V(-2.9, 1.2, -3.0)}) {
    const Eigen::Matrix3d urdf =
        (A(angles.z(), V::UnitZ()) * A(angles.y(), V::UnitY()) * A(angles.x(), V::UnitX())).toRotationMatrix();
    EXPECT_LT((rollPitchYaw(urdf, true) - angles).norm(), 1e-12);
    EXPECT_LT((fromRollPitchYaw(angles, true) - urdf).norm(), 1e-12);
    const V upright(angles.y(), angles.z(), angles.x());  // pitch about x, yaw about y, roll about z
    const Eigen::Matrix3d yUp =
        (A(upright.y(), V::UnitY()) * A(upright.x(), V::UnitX()) * A(upright.z(), V::UnitZ())).toRotationMatrix();
    EXPECT_LT((rollPitchYaw(yUp, false) - upright).norm(), 1e-12);
    EXPECT_LT((fromRollPitchYaw(upright, false) - yUp).norm(), 1e-12);
  }
}

class RobotWindow : public testing::Test, protected HeadlessWindow {
 protected:
  RobotWindow() : HeadlessWindow(makeDocument(makeRobot())) { frames(2); }
};

TEST_F(RobotWindow, GizmosAndLocksHaveTheAxesOfTheFile) {
  EXPECT_EQ(session_.picture.gizmo.world.col(2), V::UnitY()) << "the file's z is up";
  const int id = addGoal(session_.editor.touch(), 1, {0, 0, 1});
  session_.editor.touch().selection.goal = id;
  perform(session_, Command::MoveTool);
  frames(1);
  const auto gizmo = gizmoOf(session_.document(), session_.picture.kinematics, session_.picture.gizmo);
  ASSERT_TRUE(gizmo);
  EXPECT_EQ(gizmo->mark.axes.col(2), V::UnitY());
  session_.settings.worldAxes = WorldAxes::YUp;
  frames(1);
  EXPECT_EQ(session_.picture.gizmo.world, Eigen::Matrix3d::Identity());
}

TEST_F(RobotWindow, TheKeyZLocksADragToTheFilesVertical) {
  session_.picture.area = {0, 0, 800, 600};
  refreshScene(session_);
  const Pixel grabbed = middleOf(1);
  down(grabbed);
  move(grabbed + Pixel(30, -20));
  ASSERT_TRUE(isDragging());
  letter('z');
  EXPECT_EQ(running().axes.col(2), V::UnitY());
  ASSERT_TRUE(running().lock);
  up();
}

TEST_F(RobotWindow, AskForNothingInAnyViewOfOrientations) {
  for (const WorldAxes axes : {WorldAxes::OfFile, WorldAxes::YUp, WorldAxes::ZUp})
    for (const RotationView view : {RotationView::Axes, RotationView::Angles, RotationView::Quaternion}) {
      session_.settings.worldAxes = axes;
      session_.settings.rotations = view;
      Document& document = session_.editor.touch();
      document.goals.clear();
      document.selection.goal = addGoal(document, GoalType::PositionOrientation, {1, {0, 0, 1}}, {});
      document.goals[0].targetFrame = Eigen::AngleAxisd(0.7, V(1, 2, 3).normalized()).toRotationMatrix();
      const Document before = session_.document();
      session_.ui.reveal = Panel::Goals;
      frames(4);
      EXPECT_TRUE(isSameContent(before, session_.document()));
    }
}

TEST_F(RobotWindow, ATargetOutsideOfThePictureHasAMarkerThatShowsIt) {
  Document& document = session_.editor.touch();
  document.selection.goal = addGoal(document, 1, {0, 0, 1});
  document.goals[0].target = {60.0, 1.0, 0.0};
  session_.picture.area = {300, 30, 700, 600};
  frames(3);
  const auto pixel = render::projectToPixel(session_.picture.view(), document.goals[0].target);
  ASSERT_TRUE(!pixel || pixel->x() > session_.picture.area.width);
  const double y = layout_.picture.y + 0.5 * layout_.picture.height;
  bool isShown = false;
  for (double at = layout_.picture.y + 20; at < y + 0.45 * layout_.picture.height && !isShown; at += 6) {
    clickPanel(ImVec2(static_cast<float>(layout_.picture.x + layout_.picture.width - 1.1 * ImGui::GetFontSize()),
                      static_cast<float>(at)));
    isShown = session_.picture.turn.has_value();
  }
  EXPECT_TRUE(isShown) << "a click on the arrow frames the target";
}

TEST(ForeignNames, AreCollectedFromUtf8AndNothingElse) {
  std::set<char16_t> found;
  addForeign("left arm \xe5\xb7\xa6\xe8\x85\x95 \xc3\xa4 \xf0\x9f\x98\x80 \xe5\xb7", found);
  EXPECT_EQ(found, (std::set<char16_t>{0x5DE6, 0x8155}));
}

TEST_F(RobotWindow, NamesOfLinksAreRasterisedIfTheSystemHasTheirFont) {
  ForeignNames names;
  EXPECT_TRUE(names.of(session_).contains(u'腕'));
#if IMGUI_VERSION_NUM < 19200
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  loadFonts(1.0, {});
  const int before = fonts.TexHeight;
  loadFonts(1.0, names.of(session_));
  const bool hasFont = fonts.Fonts[0]->FindGlyphNoFallback(u'腕') != nullptr;
  if (!hasFont) GTEST_SKIP() << "no font with Japanese characters";
  EXPECT_LE(fonts.TexHeight, 2 * before) << "only the characters that occur";
#endif
}

}  // namespace
}  // namespace limber::app::shown_world_test
