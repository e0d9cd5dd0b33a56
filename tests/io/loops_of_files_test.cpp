// SPDX-License-Identifier: MIT
// Closed loops of MJCF, SDF, URDF and Limber's own files.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "limber/io/json/figure_json.h"
#include "limber/io/open.h"
#include "limber/io/robot/robot.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/loops.h"
#include "limber/scene/document.h"
#include "results.h"
#include "support/loop_figures.h"
#include "support/says.h"

namespace limber::io::loops_of_files_test {
namespace {

using test::hasNote;
using V = Eigen::Vector3d;
using Kind = LoopClosure::Kind;

/// Two bars of 1 m beside each other, 1 m apart, and a third one from the end of the first to that of the second:
/// closed in the pose of the file.
std::string mjcf(const std::string& equality) {
  return "<mujoco><worldbody>"
         "<body name='left'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' size='0.02'/>"
         "<body name='top' pos='0 0 1'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 0 0' "
         "size='0.02'/>"
         "<site name='top_end' pos='1 0 0'/></body></body>"
         "<body name='right' pos='1 0 0'><joint name='c' axis='0 1 0'/>"
         "<geom type='capsule' fromto='0 0 0 0 0 1' size='0.02'/><site name='right_end' pos='0 0 1'/></body>"
         "</worldbody><equality>" +
         equality + "</equality></mujoco>";
}

FigureSource readModel(const std::string& equality) { return test::valueOf(readMjcf(mjcf(equality), "m.xml")); }

const LoopClosure& onlyLoop(const FigureSource& source) {
  EXPECT_EQ(source.figure->loops().size(), 1u);
  return source.figure->loops()[0];
}

void expectClosed(const Figure& figure) {
  const LoopGap gap = largestGap(figure, restPose(figure));
  EXPECT_TRUE(gap.isClosed()) << gap.length << " m, " << gap.angle;
}

TEST(LoopsOfMjcf, AConnectIsABallWhereTheFileHasBothBodies) {
  const FigureSource source = readModel("<connect name='pin' body1='top' body2='right' anchor='1 0 0'/>");
  const LoopClosure& loop = onlyLoop(source);
  EXPECT_EQ(loop.name, "pin");
  EXPECT_EQ(loop.kind, Kind::Ball);
  EXPECT_EQ(source.figure->link(loop.link).name, "top");
  EXPECT_EQ(source.figure->link(loop.other).name, "right");
  EXPECT_TRUE(loop.linkFromLoop.translation.isApprox(V(1, 0, 0)));
  EXPECT_TRUE(loop.otherFromLoop.translation.isApprox(V(0, 0, 1)));
  expectClosed(*source.figure);
}

TEST(LoopsOfMjcf, SitesMeetAndTheRestPoseIsMovedIfNeeded) {
  const FigureSource closed = readModel("<connect site1='top_end' site2='right_end'/>");
  EXPECT_EQ(onlyLoop(closed).name, "connect top_end right_end");
  expectClosed(*closed.figure);
  EXPECT_FALSE(hasNote(closed.notes, "The rest pose was moved"));
  std::string text = mjcf("<connect site1='top_end' site2='right_end'/>");
  text.replace(text.find("pos='0 0 1'/></body></worldbody>"), 11, "pos='0 0 0.9'");
  const FigureSource moved = test::valueOf(readMjcf(text, "m.xml"));
  expectClosed(*moved.figure);
  EXPECT_TRUE(hasNote(moved.notes, "The rest pose was moved to close loops, which were open by up to 100 mm."));
}

TEST(LoopsOfMjcf, AWeldKeepsThePoseOfTheFileOrTheGivenOne) {
  const FigureSource asInFile = readModel("<weld body1='top' body2='right'/>");
  EXPECT_EQ(onlyLoop(asInFile).kind, Kind::Weld);
  expectClosed(*asInFile.figure);
  const FigureSource given = readModel("<weld body1='top' body2='right' relpose='1 0 -1 0.8 0 0.6 0'/>");
  const LoopClosure& loop = onlyLoop(given);
  EXPECT_TRUE(loop.linkFromLoop.translation.isApprox(V(1, 0, -1)));
  EXPECT_TRUE(loop.linkFromLoop.rotation.isApprox(Eigen::Quaterniond(0.8, 0, 0.6, 0).toRotationMatrix()));
  EXPECT_EQ(readModel("<weld body1='top' body2='right' torquescale='0'/>").figure->loops()[0].kind, Kind::Ball);
}

TEST(LoopsOfMjcf, TheWorldIsABody) {
  const FigureSource source = readModel("<connect body1='top' anchor='1 0 0'/>");
  const LoopClosure& loop = onlyLoop(source);
  EXPECT_EQ(loop.other, -1);
  EXPECT_TRUE(loop.otherFromLoop.translation.isApprox(V(1, 1, 0))) << "the scene's y is up";
  expectClosed(*source.figure);
}

TEST(LoopsOfMjcf, AddedLoopsAreWrittenBetweenSites) {
  const std::string text = mjcf("");
  for (const Kind kind : {Kind::Ball, Kind::Hinge, Kind::Weld}) {
    Document document = documentOf(test::valueOf(readMjcf(text, "m.xml")));
    ASSERT_TRUE(document.source);
    const Figure& figure = *document.figure;
    const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.5 * std::numbers::pi, V::UnitX()).toRotationMatrix();
    document.figure =
        addLoop(
            figure,
            {"pin", kind, figure.findLink("top"), {turned, V(1, 0, 0)}, figure.findLink("right"), {turned, V(0, 0, 1)}})
            .figure;
    const std::string bytes = test::valueOf(formatMjcf(document)).bytes;
    const FigureSource again = test::valueOf(readMjcf(bytes, "m.xml"));
    ASSERT_EQ(again.figure->loops().size(), kind == Kind::Hinge ? 2u : 1u) << bytes;
    const LoopClosure& loop = again.figure->loops()[0];
    EXPECT_EQ(loop.kind, kind == Kind::Weld ? Kind::Weld : Kind::Ball);
    EXPECT_EQ(again.figure->link(loop.link).name, "top");
    EXPECT_TRUE(loop.linkFromLoop.translation.isApprox(V(1, 0, 0)));
    EXPECT_TRUE(loop.otherFromLoop.translation.isApprox(V(0, 0, 1)));
    expectClosed(*again.figure);
    if (kind != Kind::Hinge) continue;
    const LoopClosure& axis = again.figure->loops()[1];
    EXPECT_NEAR((axis.linkFromLoop.translation - V(1, 0, 0)).normalized().dot(turned.col(2)), 1.0, 1e-12);
  }
}

TEST(LoopsOfMjcf, OthersAreLeftOutWithANote) {
  EXPECT_TRUE(readModel("<connect active='false' body1='top' anchor='1 0 0'/>").figure->loops().empty());
  const FigureSource same = readModel("<weld name='w' body1='top' body2='top'/>");
  EXPECT_TRUE(same.figure->loops().empty());
  EXPECT_TRUE(hasNote(same.notes, "The weld \"w\" is left out: both sides are on one body."));
  const std::string text =
      "<mujoco><worldbody><body name='hand'><joint/></body><body name='target' mocap='true'/></worldbody>"
      "<equality><weld body1='target' body2='hand'/></equality></mujoco>";
  const FigureSource mocap = test::valueOf(readMjcf(text, "m.xml"));
  EXPECT_TRUE(mocap.figure->loops().empty());
  EXPECT_TRUE(hasNote(mocap.notes,
                      "The weld \"weld target hand\" to a mocap body is left out: a goal or pin takes its place."));
  EXPECT_TRUE(test::says(test::messageOf(readMjcf(mjcf("<connect body1='nobody' anchor='0 0 0'/>"), "m.xml")),
                         {"m.xml", "<connect", "there is no body \"nobody\""}));
}

/// The same linkage; `type` is that of the joint that closes it.
std::string sdf(const std::string& type, const std::string& inside) {
  const auto joint = [](const std::string& name, const std::string& kind, const std::string& parent,
                        const std::string& child, const std::string& contents) {
    return "<joint name='" + name + "' type='" + kind + "'><parent>" + parent + "</parent><child>" + child +
           "</child>" + contents + "</joint>";
  };
  const std::string axis = "<axis><xyz>0 1 0</xyz></axis>";
  return "<sdf version='1.9'><model name='m'><link name='left'/><link name='top'><pose>0 0 1 0 0 0</pose></link>"
         "<link name='right'><pose>1 0 0 0 0 0</pose></link>" +
         joint("a", "revolute", "world", "left", axis) + joint("b", "revolute", "left", "top", axis) +
         joint("c", "revolute", "world", "right", axis) +
         joint("d", type, "right", "top", "<pose>1 0 0 0 0 0</pose>" + inside) + "</model></sdf>";
}

TEST(LoopsOfSdf, TheSecondJointAboveALinkClosesALoop) {
  for (const auto& [type, kind] : {std::pair{"revolute", Kind::Hinge}, {"ball", Kind::Ball}, {"fixed", Kind::Weld}}) {
    const FigureSource source = test::valueOf(readSdf(sdf(type, "<axis><xyz>0 1 0</xyz></axis>"), "m.sdf"));
    const LoopClosure& loop = onlyLoop(source);
    EXPECT_EQ(loop.kind, kind);
    EXPECT_EQ(loop.name, "d");
    expectClosed(*source.figure);
    EXPECT_TRUE(loop.linkFromLoop.translation.isApprox(V(0, 0, 1))) << "in the link right";
    if (kind == Kind::Hinge) {
      EXPECT_TRUE(loop.linkFromLoop.rotation.col(2).isApprox(V(0, 1, 0)));
    }
  }
}

TEST(LoopsOfSdf, ASlideLeavesItOpenWithANote) {
  const FigureSource source = test::valueOf(readSdf(sdf("prismatic", "<axis><xyz>0 1 0</xyz></axis>"), "m.sdf"));
  EXPECT_TRUE(source.figure->loops().empty());
  EXPECT_TRUE(hasNote(source.notes, "Joint \"d\" closes a loop and is left out, because it is of type prismatic"));
}

std::string urdf(const std::string& loop) {
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child,
                        const std::string& place) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='" + child +
           "'/><origin xyz='" + place + "'/><axis xyz='0 1 0'/></joint>";
  };
  return "<robot name='r'><link name='base'/><link name='left'/><link name='top'/><link name='right'/>" +
         joint("a", "base", "left", "0 0 0") + joint("b", "left", "top", "0 0 1") +
         joint("c", "base", "right", "1 0 0") + loop + "</robot>";
}

TEST(LoopsOfUrdf, TheExtensionIsRead) {
  const FigureSource source = test::valueOf(
      readUrdf(urdf("<limber_loop name='pin' type='hinge'><link_a link='top' xyz='1 0 0' rpy='1.5707963267948966 0 0'/>"
                    "<link_b link='right' xyz='0 0 1' rpy='1.5707963267948966 0 0'/></limber_loop>"),
               "r.urdf"));
  const LoopClosure& loop = onlyLoop(source);
  EXPECT_EQ(loop.kind, Kind::Hinge);
  EXPECT_TRUE(loop.linkFromLoop.rotation.col(2).isApprox(V(0, -1, 0)));
  expectClosed(*source.figure);
  const FigureSource anchored = test::valueOf(readUrdf(
      urdf("<limber_loop name='pin' type='ball'><link_a link='top' xyz='1 0 0'/><link_b xyz='1 0 1'/></limber_loop>"),
      "r.urdf"));
  EXPECT_EQ(onlyLoop(anchored).other, -1);
  expectClosed(*anchored.figure);
}

TEST(LoopsOfUrdf, FaultsNameThePlace) {
  const auto faultOf = [](const std::string& loop) { return test::messageOf(readUrdf(urdf(loop), "r.urdf")); };
  EXPECT_TRUE(test::says(faultOf("<limber_loop name='x' type='slide'><link_a link='top'/></limber_loop>"),
                         {"r.urdf", "<limber_loop", "type must be ball, hinge or weld"}));
  EXPECT_TRUE(test::says(faultOf("<limber_loop name='x' type='ball'><link_a link='none'/></limber_loop>"),
                         {"<link_a", "there is no link \"none\""}));
  EXPECT_TRUE(test::says(faultOf("<limber_loop name='x' type='ball'><link_a/></limber_loop>"),
                         {"<limber_loop", "both sides are the world"}));
}

TEST(LoopsOfUrdf, SurviveANewFile) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const Document document = makeDocument(looped.figure);
    const Exported out = test::valueOf(formatUrdf(document));
    const FigureSource back = test::valueOf(readUrdf(out.bytes, "r.urdf"));
    ASSERT_EQ(back.figure->loops().size(), looped.figure->loops().size()) << looped.name;
    for (std::size_t i = 0; i < back.figure->loops().size(); ++i) {
      EXPECT_EQ(back.figure->loops()[i].kind, looped.figure->loops()[i].kind);
      EXPECT_TRUE(back.figure->loops()[i].linkFromLoop.translation.isApprox(
          looped.figure->loops()[i].linkFromLoop.translation, 1e-9));
    }
    expectClosed(*back.figure);
  }
}

TEST(LoopsOfFigureJson, SurviveBitForBit) {
  std::vector<std::shared_ptr<const Figure>> figures = {readModel("<weld body1='top'/>").figure};
  for (const test::LoopFigure& looped : test::loopFigures()) figures.push_back(looped.figure);
  for (const auto& figure : figures) {
    const std::string text = formatFigure(*figure);
    const auto back = test::valueOf(parseFigure(text, "f.json"));
    EXPECT_EQ(formatFigure(*back), text) << figure->name();
    EXPECT_TRUE(std::ranges::equal(back->loops(), figure->loops())) << figure->name();
  }
}

TEST(LoopsOfFigureJson, FaultsNameThePlace) {
  const std::string text =
      R"({"format": "limber figure", "version": 1, "links": [{"name": "a", "parent": null, "joint": {"type": "fixed"}}],
          "loops": [{"name": "x", "type": "slide", "a": {"link": "a"}, "b": {"link": null}}]})";
  EXPECT_TRUE(test::says(test::messageOf(parseFigure(text, "f.json")), {"f.json", "loops", "\"slide\""}));
}

}  // namespace
}  // namespace limber::io::loops_of_files_test
