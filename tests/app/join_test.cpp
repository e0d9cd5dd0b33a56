// SPDX-License-Identifier: MIT
// Two parts of the figure that the user joins become a closed loop.
#include <gtest/gtest.h>

#include "headless_gui.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/loops.h"
#include "support/built_figure.h"
#include "support/loop_figures.h"

namespace limber::app::join_test {
namespace {

using V = Eigen::Vector3d;

/// Two arms of two hinges about z, with their pivots one metre apart. Their ends are `apart` metres from each other.
std::shared_ptr<const Figure> makeTwoArms(double reach, double apart) {
  FigureBuilder builder("arms");
  const int ground = builder.addLink({.name = "ground"}, {});
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0.0 ? "left" : "right";
    const V half(-side * 0.5 * reach, 0.0, 0.0);
    const auto bone = [&](const V& end) { return std::vector<Capsule>{{V::Zero(), end, 0.03}}; };
    const int upper =
        builder.addLink({.name = name + "_upper", .parent = ground, .capsules = bone(V(0, 0.5, 0))},
                        {.type = JointType::Revolute,
                         .parentFromJoint = Transform::fromTranslation({side * (reach + 0.5 * apart) * 0.5, 0.2, 0})});
    const int lower =
        builder.addLink({.name = name + "_lower", .parent = upper, .capsules = bone(half)},
                        {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({0, 0.5, 0})});
    builder.addSite({name + "_end", lower, Transform::fromTranslation(half)});
  }
  return test::built(builder);
}

struct Joiner : HeadlessSession {
  explicit Joiner(std::shared_ptr<const Figure> figure) : HeadlessSession(makeDocument(std::move(figure))) {
    letter('f', {.shift = true});
    frame();
  }
  int link(const char* name) const { return figure().findLink(name); }
  Pixel endOf(const char* name) const {
    const Site& site = figure().sites()[static_cast<std::size_t>(figure().findSite(name))];
    return pixel(worldPoint(site.link, site.linkFromSite.translation));
  }
  /// Selects the first link, presses Shift+J, and clicks near the end of the other one.
  void join() {
    click(middleOf(link("left_lower")));
    session_.editor.touch().selection = {link("left_lower"), -1};
    letter('j', {.shift = true});
    ASSERT_TRUE(session_.ui.planting);
    const Pixel end = endOf("right_end"), middle = middleOf(link("right_lower"));
    click(end + 4.0 * (middle - end).normalized());
  }
};

TEST(Join, TwoClickedPointsBecomeAClosedLoopInOneStep) {
  Joiner joiner(makeTwoArms(1.0, 0.1));
  const Document before = joiner.document();
  const int steps = joiner.session().editor.history().stepCount();
  joiner.join();
  ASSERT_EQ(joiner.figure().loops().size(), 1u) << joiner.session().ui.message.text;
  EXPECT_EQ(joiner.session().editor.history().stepCount(), steps + 1);
  const LoopClosure& loop = joiner.figure().loops()[0];
  EXPECT_EQ(loop.kind, LoopClosure::Kind::Ball);
  EXPECT_EQ(loop.name, "left_lower_right_lower");
  EXPECT_EQ(joiner.figure().link(loop.link).name, "left_lower");
  EXPECT_EQ(joiner.figure().link(loop.other).name, "right_lower");
  EXPECT_TRUE(loop.otherFromLoop.translation.isApprox(V(-0.5, 0, 0), 1e-12)) << "the click snaps to the end";
  EXPECT_TRUE(largestGap(joiner.figure(), joiner.document().pose).isClosed());
  EXPECT_TRUE(largestGap(joiner.figure(), restPose(joiner.figure())).isClosed());
  EXPECT_NE(joiner.session().ui.message.text.find("2 degrees of freedom"), std::string::npos)
      << joiner.session().ui.message.text;
  joiner.undo();
  EXPECT_EQ(joiner.document().figure, before.figure);
  EXPECT_EQ(joiner.document().pose, before.pose);
}

TEST(Join, TheLoopIsDrawnAndSaved) {
  Joiner joiner(makeTwoArms(1.0, 0.1));
  const std::size_t before = joiner.session().picture.drawList.capsules.size();
  joiner.join();
  EXPECT_GT(joiner.session().picture.drawList.capsules.size(), before);
  const auto again = io::parseScene(*io::formatScene(joiner.document()), "join.limber");
  ASSERT_TRUE(again);
  ASSERT_EQ(again->figure->loops().size(), 1u);
  EXPECT_EQ(again->figure->loops()[0].name, joiner.figure().loops()[0].name);
  EXPECT_TRUE(largestGap(*again->figure, again->pose).isClosed());
}

TEST(Join, ALoopThatCannotCloseAsksWhetherItIsLeftOut) {
  Joiner joiner(makeTwoArms(1.0, 5.0));
  joiner.join();
  EXPECT_TRUE(joiner.figure().loops().empty());
  EXPECT_TRUE(joiner.session().ui.figure.joinWanted);
  const auto& change = joiner.session().ui.figure.join.change;
  ASSERT_TRUE(change);
  ASSERT_EQ(change->open.size(), 1u);
  // Both arms stretched toward each other: pivots 1 + 2.5 m apart, arms of 1 m.
  EXPECT_NEAR(change->open[0].gap.length, 1.5, 1e-3);
}

TEST(Join, TheSameLinkIsRefusedAndEscEndsTheWait) {
  Joiner joiner(makeTwoArms(1.0, 0.1));
  joiner.session().editor.touch().selection = {joiner.link("right_lower"), -1};
  joiner.letter('j', {.shift = true});
  joiner.click(joiner.middleOf(joiner.link("right_lower")));
  EXPECT_TRUE(joiner.figure().loops().empty());
  EXPECT_NE(joiner.session().ui.message.text.find("the same link"), std::string::npos);
  joiner.press(Key::Escape);
  EXPECT_FALSE(joiner.session().ui.planting);
}

/// The editor of the figure in a window of its own.
class LoopRows : public testing::Test, protected HeadlessWindow {
 protected:
  LoopRows() : HeadlessWindow(makeDocument(test::makeFourBar())) {}
  void drawFrame() override {
    carryOut(session_, queue_);
    refreshScene(session_);
    ImGui::NewFrame();
    ImGui::SetNextWindowSize(ImVec2(500, 800));
    ImGui::Begin("editor");
    drawFigureEditor(session_, session_.ui, queue_);
    ImGui::End();
    drawFigureDialogs(session_, session_.ui, queue_);
    ImGui::Render();
  }
};

TEST_F(LoopRows, AskForNothingByThemselves) {
  const Document before = session_.document();
  frames(3);
  EXPECT_TRUE(isSameContent(before, session_.document()));
  EXPECT_EQ(session_.ui.figure.freedom.degrees, 1);
}

}  // namespace
}  // namespace limber::app::join_test
