// SPDX-License-Identifier: MIT
// Parts are selected by clicks and boxes, and pinned, locked, mirrored and turned together.
#include "app/editing/selecting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "headless_gui.h"
#include "headless_session.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app::selecting_test {
namespace {

using P = Eigen::Vector2d;

/// The humanoid and a mouse.
class Selecting : public testing::Test, protected HeadlessSession {
 protected:
  explicit Selecting(Document document = io::openAny("humanoid")->document) : HeadlessSession(std::move(document)) {}

  const Selection& selection() const { return document().selection; }
  int link(const std::string& name) const {
    const int found = figure().findLink(name);
    EXPECT_GE(found, 0) << name;
    return found;
  }
  std::set<std::string> selected() const {
    std::set<std::string> names;
    for (const int each : selection().allLinks()) names.insert(figure().link(each).name);
    return names;
  }
  P middle(const std::string& name) const { return middleOf(link(name)); }
};

const std::set<std::string> kLeftFoot = {"left_ankle_dorsiflexion", "left_foot", "left_toes"};

TEST_F(Selecting, AClickOnTheFrontOfAFootSelectsTheFootAndASecondOneTheToes) {
  const Document before = document();
  click(middle("left_toes"));
  EXPECT_EQ(selected(), kLeftFoot);
  EXPECT_EQ(selection().joint, link("left_foot"));
  click(middle("left_toes"));
  EXPECT_EQ(selected(), (std::set<std::string>{"left_toes"}));
  click(middle("left_toes"));
  EXPECT_EQ(selected(), (std::set<std::string>{"left_toes"})) << "there is nothing narrower";
  click(middle("left_foot"));
  EXPECT_EQ(selected(), kLeftFoot);
  EXPECT_TRUE(isSameContent(before, document()));
  click({2.0, 2.0});
  EXPECT_TRUE(selected().empty());
}

TEST_F(Selecting, WhatAClickWouldSelectIsLitUpBefore) {
  move(middle("left_toes"));
  EXPECT_EQ(session_.picture.highlight.hoveredLink, link("left_toes"));
  EXPECT_EQ(session_.picture.highlight.hoveredLinks.size(), kLeftFoot.size());
  const auto outlineOf = [&](const std::string& name) {
    for (const render::DrawCapsule& capsule : session_.picture.drawList.capsules)
      if (capsule.link == link(name) && capsule.start != capsule.end) return capsule.outline;
    ADD_FAILURE() << name << " is not drawn";
    return render::Outline::None;
  };
  EXPECT_EQ(outlineOf("left_foot"), render::Outline::Hovered);
  EXPECT_EQ(outlineOf("left_shank"), render::Outline::None);
  click(middle("left_toes"));
  EXPECT_EQ(outlineOf("left_foot"), render::Outline::Selected);
  EXPECT_EQ(session_.picture.highlight.hoveredLinks, (std::vector<int>{link("left_toes")})) << "the next click's";
}

TEST_F(Selecting, APinOnTheFrontOfAFootHoldsTheWholeFoot) {
  click(middle("left_toes"));
  letter('p');
  ASSERT_EQ(document().pins.size(), 1u);
  EXPECT_EQ(document().pins[0].link, link("left_foot"));
  EXPECT_TRUE(document().pins[0].position && document().pins[0].rotation);
  EXPECT_NE(session_.ui.message.text.find("left foot"), std::string::npos);
  letter('p');
  EXPECT_TRUE(document().pins.empty());
  letter('p', {.shift = true});
  ASSERT_EQ(document().pins.size(), 1u);
  EXPECT_FALSE(document().pins[0].rotation);
}

TEST_F(Selecting, APinUnderTheCursorIsThatOfThePart) {
  move(middle("left_toes"));
  letter('p');
  ASSERT_EQ(document().pins.size(), 1u);
  EXPECT_EQ(document().pins[0].link, link("left_foot"));
}

TEST_F(Selecting, APartIsLockedWithAllItsJointsAndUnlockedAgain) {
  click(middle("left_foot"));
  const auto isLocked = [&](const std::string& name) {
    return document().joints[static_cast<std::size_t>(link(name))].locked;
  };
  letter('l');
  for (const std::string& name : kLeftFoot) EXPECT_TRUE(isLocked(name)) << name;
  EXPECT_FALSE(isLocked("left_shank"));
  EXPECT_EQ(session_.editor.history().undoLabel(), "lock");
  letter('l');
  for (const std::string& name : kLeftFoot) EXPECT_FALSE(isLocked(name)) << name;
}

TEST_F(Selecting, ShiftAddsAPartAndTakesItAway) {
  click(middle("left_foot"));
  click(middle("right_hand"), {.shift = true});
  EXPECT_TRUE(selected().contains("right_hand"));
  EXPECT_TRUE(selected().contains("left_toes"));
  EXPECT_EQ(selection().joint, link("right_hand"));
  letter('p');
  EXPECT_EQ(document().pins.size(), 2u) << "the foot and the hand, not their toes and fingers";
  click(middle("right_hand"), {.shift = true});
  EXPECT_EQ(selected(), kLeftFoot);
  click({2.0, 2.0}, {.shift = true});
  EXPECT_EQ(selected(), kLeftFoot) << "a miss with Shift takes nothing away";
}

TEST_F(Selecting, ABoxSelectsThePartsInIt) {
  const P foot = middle("left_foot");
  down({1.0, foot.y() - 25.0}, Button::Left, {.shift = true, .control = true});
  lead({799.0, 599.0}, {.shift = true, .control = true});
  EXPECT_TRUE(overlayOf(session_).box);
  up(Button::Left, {.shift = true, .control = true});
  std::set<std::string> both = kLeftFoot;
  for (const char* name : {"right_ankle_dorsiflexion", "right_foot", "right_toes"}) both.insert(name);
  EXPECT_EQ(selected(), both);
  EXPECT_FALSE(session_.pointer.tool);
}

TEST_F(Selecting, EscapeEndsABoxAndSelectsNothing) {
  down({1.0, 1.0}, Button::Left, {.shift = true, .control = true});
  lead({799.0, 599.0}, {.shift = true, .control = true});
  perform(session_, Command::Cancel);
  up();
  EXPECT_TRUE(selected().empty());
}

TEST_F(Selecting, MMirrorsWhatIsSelectedAlone) {
  session_.editor.touch().pose.coordinates[figure().joint(link("left_elbow_flexion")).poseIndex] = 1.2;
  session_.editor.touch().pose.coordinates[figure().joint(link("left_shoulder_abduction")).poseIndex] = 0.9;
  frame();
  click(middle("left_forearm"));
  ASSERT_TRUE(selected().contains("left_elbow_flexion"));
  letter('m');
  const auto angle = [&](const std::string& name) {
    return document().pose.coordinates[figure().joint(link(name)).poseIndex];
  };
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 1.2);
  EXPECT_NE(angle("right_shoulder_abduction"), 0.9);
  EXPECT_NE(session_.ui.message.text.find("left forearm"), std::string::npos) << session_.ui.message.text;
}

TEST_F(Selecting, AllHingesOfAPartHaveARing) {
  click(middle("left_upper_arm"));
  const auto gizmo = gizmoOf(document(), session_.picture.kinematics, session_.picture.gizmo);
  ASSERT_TRUE(gizmo);
  EXPECT_EQ(gizmo->hinges, (std::array<int, 3>{link("left_shoulder_flexion"), link("left_shoulder_abduction"),
                                               link("left_upper_arm")}));
  EXPECT_EQ(gizmo->mark.rings, (std::array<bool, 3>{true, true, true}));
  for (const int ring : {0, 1, 2}) {
    Hit hit;
    hit.grip = static_cast<render::Grip>(static_cast<int>(render::Grip::RingX) + ring);
    const auto drag =
        beginGizmoDrag(document(), session_.picture.kinematics, *gizmo, hit, session_.picture.view(), 10.0, 10.0);
    EXPECT_EQ(drag->dragged->link, gizmo->hinges[static_cast<std::size_t>(ring)]);
    EXPECT_EQ(drag->turnTogether(turnedTogether(partsOf(session_.document()), selection())), 0)
        << "one hinge of a shoulder turns without the others";
  }
}

TEST_F(Selecting, WhatIsSelectedWithAJointTurnsWithItsRing) {
  session_.editor.touch().selection = selectionOf({link("left_shank"), link("right_shank")}, link("left_shank"));
  frame();
  EXPECT_EQ(turnedTogether(partsOf(session_.document()), selection()),
            (std::vector<int>{link("left_shank"), link("right_shank")}));
  const auto gizmo = gizmoOf(document(), session_.picture.kinematics, session_.picture.gizmo);
  ASSERT_TRUE(gizmo);
  Hit hit;
  hit.grip = render::Grip::RingX;
  hit.point = gizmo->mark.centre + 0.1 * gizmo->mark.axes.col(1);
  const render::View view = session_.picture.view();
  const P at = *render::projectToPixel(view, hit.point);
  const auto turned = beginGizmoDrag(document(), session_.picture.kinematics, *gizmo, hit, view, at.x(), at.y());
  ASSERT_EQ(turned->turnTogether(turnedTogether(partsOf(session_.document()), selection())), 1);
  turned->asFree()->typed.type(U'2');
  turned->asFree()->typed.type(U'5');
  ASSERT_TRUE(turned->move(session_.editor.touch(), view, at.x(), at.y()));
  const auto turn = [&](const std::string& name) {
    const int index = figure().joint(link(name)).poseIndex;
    return document().pose.coordinates[index] - turned->before.pose.coordinates[index];
  };
  EXPECT_NEAR(std::abs(turn("left_shank")), 25.0 * std::numbers::pi / 180.0, 1e-9);
  EXPECT_NEAR(turn("right_shank"), turn("left_shank"), 1e-9);
}

TEST_F(Selecting, TheKeyTurnsTheLeadingJointOfEachPart) {
  perform(session_, Command::ToggleMode);
  session_.editor.touch().selection = selectionOf({link("left_shank"), link("right_shank")}, link("left_shank"));
  const Pose before = document().pose;
  perform(session_, Command::TurnUp);
  for (const char* name : {"left_shank", "right_shank"}) {
    const int at = figure().joint(link(name)).poseIndex;
    EXPECT_NEAR(document().pose.coordinates[at] - before.coordinates[at], 5.0 * std::numbers::pi / 180.0, 1e-9);
  }
  click(middle("left_foot"));
  const Pose bent = document().pose;
  perform(session_, Command::TurnUp);
  int moved = 0;
  for (int i = 0; i < bent.coordinates.size(); ++i) moved += bent.coordinates[i] != document().pose.coordinates[i];
  EXPECT_EQ(moved, 1) << "of a foot the ankle, not its toes";
}

TEST_F(Selecting, DraggingPullsTheLinkThatWasTaken) {
  drag(middle("left_toes"), middle("left_toes") + P(20.0, -20.0));
  ASSERT_TRUE(isDragging() && running().request.drag);
  EXPECT_EQ(running().request.drag->link, link("left_toes"));
  up();
}

TEST(Selection, OfLinksIsInOrderAndHasAMainOne) {
  EXPECT_EQ(selectionOf({}, 3), Selection{});
  EXPECT_EQ(selectionOf({4}, 4), (Selection{4, -1}));
  const Selection several = selectionOf({5, 2, 5, 3}, 3);
  EXPECT_EQ(several.joint, 3);
  EXPECT_EQ(several.links, (std::vector<int>{2, 3, 5}));
  EXPECT_TRUE(several.hasLink(5));
  EXPECT_FALSE(several.hasLink(4));
  EXPECT_FALSE(Selection{}.hasLink(-1));
  EXPECT_EQ(selectionOf({5, 2}, 7).joint, 2);
}

/// The tree of the window, and the requests of clicks in it.
class Tree : public testing::Test, protected HeadlessWindow {
 protected:
  Tree() : HeadlessWindow(io::openAny("humanoid")->document) { frames(2); }
};

TEST_F(Tree, UnfoldsTheLimbOfWhatIsSelectedAndThePartOfALink) {
  EXPECT_TRUE(session_.ui.tree.unfolded.empty());
  const auto link = [&](const char* name) { return session_.document().figure->findLink(name); };
  const NamedParts& parts = partsOf(session_.document());
  const int foot = parts.wholeOf(link("left_foot"));
  session_.editor.touch().selection = selectionOf(parts.linksOf(foot), link("left_foot"));
  session_.ui.tree.scrolls = true;
  frames(2);
  EXPECT_EQ(session_.ui.tree.unfolded, (std::set<std::string>{"left leg"}));
  session_.editor.touch().selection = {link("left_toes"), -1};
  session_.ui.tree.scrolls = true;
  frames(2);
  EXPECT_EQ(session_.ui.tree.unfolded, (std::set<std::string>{"left foot", "left leg"}));
  EXPECT_FALSE(session_.ui.tree.scrolls);
}

#if IMGUI_VERSION_NUM < 18700
TEST_F(Tree, AClickOnARowSelectsAndWithShiftAdds) {
  ImGuiIO& io = ImGui::GetIO();
  const float line = ImGui::GetTextLineHeight() + 0.2f * ImGui::GetFontSize();
  const float first = ImGui::GetFrameHeight() + ImGui::GetStyle().WindowPadding.y +
                      ImGui::GetTextLineHeightWithSpacing() + ImGui::GetFrameHeightWithSpacing() +
                      0.5f * ImGui::GetTextLineHeight();
  const auto clickRow = [&](int row, bool shift) {
    io.MousePos = ImVec2(90.0f, first + static_cast<float>(row) * line);
    io.KeyShift = shift;
    for (const bool isDown : {false, true, false}) {
      io.MouseDown[0] = isDown;
      frames(1);
    }
    io.KeyShift = false;
    frames(1);
  };
  clickRow(0, false);
  const Figure& figure = *session_.document().figure;
  EXPECT_EQ(session_.document().selection.joint, figure.findLink("head"));
  EXPECT_EQ(session_.document().selection.links.size(), 2u) << "with its hinge";
  clickRow(2, true);
  EXPECT_TRUE(session_.document().selection.hasLink(figure.findLink("head")));
  EXPECT_TRUE(session_.document().selection.hasLink(figure.findLink("chest")));
  EXPECT_FALSE(session_.ui.tree.hoveredRow.empty()) << "the row under the cursor is lit up in the picture, too";
  frames(1);
  EXPECT_TRUE(session_.picture.highlight.hoveredLinks == session_.ui.tree.hoveredRow);
}
#endif

TEST(TreeOfManyLinks, IsDrawnAndFiltered) {
  class Window : public HeadlessWindow {
   public:
    Window() : HeadlessWindow(makeDocument(makeBallChain(3000))) {}
    void run() {
      frames(2);
      session_.ui.tree.filter = "link29";
      frames(2);
      session_.editor.touch().selection = {2500, -1};
      session_.ui.tree.filter.clear();
      session_.ui.tree.scrolls = true;
      frames(2);
      EXPECT_FALSE(session_.ui.tree.scrolls);
    }
  };
  Window().run();
}

}  // namespace
}  // namespace limber::app::selecting_test
