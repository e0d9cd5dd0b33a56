// SPDX-License-Identifier: MIT
// URDF that is written: into a robot's own text, and anew.
#include <gtest/gtest.h>

#include <numbers>

#include "fuzz/mutation.h"
#include "limber/io/export_formats.h"
#include "limber/io/open.h"
#include "limber/io/robot/robot.h"
#include "limber/io/robot/xml.h"
#include "limber/io/robot/xml_text.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/figure_change.h"
#include "results.h"
#include "support/awkward_figure.h"

namespace limber::io::urdf_export_test {
namespace {

/// A gripper with irregular blanks, a comment with a tag in it, and a mimic.
const std::string kGripper = R"(<?xml version="1.0"?>
<!-- <joint name="slide"/> is below -->
<robot   name='gripper' >
  <link name="base"><inertial><mass value="2.50"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="left"/>
  <link name="right"></link>
  <joint type="prismatic"  name="slide"><parent link="base"/><child link="left"/>
      <axis xyz="0 1 0"/>
	  <limit   lower = "0.00" upper='0.10' effort="5" velocity="1"/>
  </joint>
  <joint name="other" type="prismatic"><parent link="base"/><child link="right"/>
    <axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.1" effort="5" velocity="1"/>
    <mimic joint="slide"/>
  </joint>
</robot>
)";

Document opened(const std::string& text) { return documentOf(test::valueOf(readUrdf(text, "gripper.urdf"))); }

JointSettings& settingsOf(Document& document, const std::string& joint) {
  return document.joints[document.figure->findJoint(joint)];
}

TEST(UrdfExport, AnUneditedRobotIsTheSameToTheByte) {
  EXPECT_EQ(test::valueOf(formatUrdf(opened(kGripper))).bytes, kGripper);
}

TEST(UrdfExport, OnlyTheNumbersOfALimitChange) {
  Document document = opened(kGripper);
  settingsOf(document, "slide").limits = {0.0, 0.05};
  EXPECT_EQ(test::valueOf(formatUrdf(document)).bytes, test::replaced(kGripper, "upper='0.10'", "upper='0.05'"));
}

TEST(UrdfExport, ACouplingThatIsSwitchedOffLosesItsMimic) {
  Document document = opened(kGripper);
  document.couplingEnabled[0] = false;
  EXPECT_EQ(test::valueOf(formatUrdf(document)).bytes, test::replaced(kGripper, "\n    <mimic joint=\"slide\"/>", ""));
}

TEST(UrdfExport, AnAddedSiteBecomesALinkOnAFixedJoint) {
  Document document = opened(kGripper);
  const FigureEdit edit = addSite(
      *document.figure, {"tip & more", document.figure->findLink("left"), Transform::fromTranslation({0, 0, 0.2})});
  replaceFigure(document, edit.figure, edit.linkFromOld);
  const std::string text = test::valueOf(formatUrdf(document)).bytes;
  const std::string added =
      "\n  <link name=\"tip &amp; more\"/>\n  <joint name=\"tip &amp; more_joint\" type=\"fixed\"><origin xyz=\"0 0 "
      "0.2\"/><parent link=\"left\"/><child link=\"tip &amp; more\"/></joint>\n</robot>";
  EXPECT_EQ(text, test::replaced(kGripper, "\n</robot>", added));
  const FigureSource back = test::valueOf(readUrdf(text, "gripper.urdf"));
  EXPECT_GE(back.figure->findLink("tip & more"), 0);
}

TEST(UrdfExport, AHingeWithoutLimitsIsContinuousAndTheReverse) {
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>)";
  Document document = opened(text);
  settingsOf(document, "j").limits = {};
  settingsOf(document, "k").limits = {-0.5, 2.0};
  const Document back = opened(test::valueOf(formatUrdf(document)).bytes);
  EXPECT_FALSE(back.figure->joint(back.figure->findJoint("j")).limits.isBounded());
  EXPECT_EQ(back.figure->joint(back.figure->findJoint("k")).limits, (Interval{-0.5, 2.0}));
}

TEST(UrdfExport, ARobotWithOtherLinksIsWrittenAnewWithANote) {
  Document document = opened(kGripper);
  const FigureEdit edit = renameLink(*document.figure, document.figure->findLink("left"), "finger");
  replaceFigure(document, edit.figure, edit.linkFromOld);
  const Exported out = test::valueOf(formatUrdf(document));
  EXPECT_TRUE(test::hasNote(out.notes, "no longer those of gripper.urdf"));
  const Document back = opened(out.bytes);
  EXPECT_GE(back.figure->findLink("finger"), 0);
  EXPECT_EQ(back.figure->couplings().size(), 1u);
}

TEST(UrdfExport, NotesNameWhatHasNoPlace) {
  const Exported out = test::valueOf(formatUrdf(makeDocument(test::makeCoupledFigure())));
  EXPECT_TRUE(test::hasNote(out.notes, "Couplings"));
  EXPECT_TRUE(test::hasNote(out.notes, "spherical"));
  EXPECT_TRUE(readUrdf(out.bytes, "awkward.urdf"));
}

const std::string kLeg = R"(<mujoco><!-- <joint name="knee"/> -->
  <compiler angle="degree"/><default><joint armature="1"/></default>
  <worldbody><body name="thigh"><joint name="hip" axis="0 1 0" range="-90  90"/>
    <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
    <body name="shank" pos="0 0 -0.4"><joint name="knee" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
  <equality><joint joint1="knee" joint2="hip"/></equality>
</mujoco>)";

TEST(MjcfExport, OnlyWhatWasEditedChanges) {
  Document document = documentOf(test::valueOf(readMjcf(kLeg, "leg.xml")));
  EXPECT_EQ(test::valueOf(formatMjcf(document)).bytes, kLeg);
  settingsOf(document, "hip").limits = {0.0, std::numbers::pi / 4.0};
  settingsOf(document, "knee").limits = {-1.0, 0.0};
  document.couplingEnabled[0] = false;
  const FigureEdit edit =
      addSite(*document.figure, {"sole", document.figure->findLink("shank"), Transform::fromTranslation({0, 0, -0.5})});
  replaceFigure(document, edit.figure, edit.linkFromOld);
  const Exported out = test::valueOf(formatMjcf(document));
  EXPECT_TRUE(out.notes.empty()) << out.notes.front();
  std::string expected = test::replaced(kLeg, "range=\"-90  90\"", "range=\"0 45\"");
  expected = test::replaced(expected, "joint1=\"knee\"", "active=\"false\" joint1=\"knee\"");
  const Document back = documentOf(test::valueOf(readMjcf(out.bytes, "leg.xml")));
  const Figure& figure = *back.figure;
  EXPECT_NEAR(figure.joint(figure.findJoint("knee")).limits.lower, -1.0, 1e-12);
  EXPECT_TRUE(figure.couplings().empty());
  ASSERT_GE(figure.findSite("sole"), 0);
  EXPECT_EQ(figure.sites()[figure.findSite("sole")].linkFromSite.translation.z(), -0.5);
  const std::size_t at = expected.find(" axis=\"0 1 0\"/><geom");
  EXPECT_EQ(out.bytes.substr(0, at - 30), expected.substr(0, at - 30));
}

TEST(MjcfExport, OtherFiguresAreRefused) {
  EXPECT_FALSE(formatMjcf(makeDocument(makePlanarChain(2))));
  EXPECT_FALSE(formatMjcf(opened(kGripper)));
}

TEST(XmlText, ChangesOfBrokenTextsStayTexts) {
  for (std::uint32_t i = 0; i < 500; ++i) {
    const std::string broken = test::Mutation(i)(kGripper);
    XmlText text(broken);
    EXPECT_EQ(text.result(), broken);
    for (int e = 0; e < static_cast<int>(text.elements().size()); ++e) {
      ASSERT_LE(text[e].begin, text[e].inside);
      ASSERT_LE(text[e].end, broken.size());
    }
  }
}

}  // namespace
}  // namespace limber::io::urdf_export_test
