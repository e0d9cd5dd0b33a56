// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot.h"

#include <numbers>

#include "limber/io/figure_formats.h"
#include "limber/io/figure_source.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/file_places.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::mjcf_test {
namespace {

using test::hasNote;
using Mjcf = test::TemporaryFolder;

std::string model(const std::string& inside) { return "<mujoco>\n<worldbody>\n" + inside + "</worldbody>\n</mujoco>"; }

FigureSource read(const std::string& text, const std::filesystem::path& path = "folder/m.xml") {
  return test::valueOf(readMjcf(text, path));
}

std::string faultOf(const std::string& text, const std::filesystem::path& path = "m.xml") {
  return test::messageOf(readMjcf(text, path));
}

const Joint& jointOf(const Figure& figure, const std::string& name) { return figure.joint(figure.findJoint(name)); }

TEST_F(Mjcf, IsToldByItsFirstElement) {
  EXPECT_EQ(findFigureFormat("<!-- a --><mujoco/>", "a.txt")->name, "MuJoCo model (MJCF)");
  EXPECT_EQ(findFigureFormat("<robot/>", "a.xml")->name, "URDF robot");
  EXPECT_TRUE(test::says(faultOf("<sdf/>"), {"m.xml: line 1, <sdf>", "<mujoco>", "MJCF"}));
}

TEST_F(Mjcf, JointsOfABodyAreLinksAboveIt) {
  const FigureSource source =
      read(model("<body name='a'><joint name='x'/><joint name='y' axis='0 1 0'/></body>"
                 "<body><joint name='z' pos='0 0 1'/></body>"));
  ASSERT_TRUE(source.figure);
  const Figure& figure = *source.figure;
  ASSERT_EQ(figure.linkCount(), 4);
  EXPECT_EQ(figure.link(0).name, "a/x");
  EXPECT_EQ(figure.link(1).name, "a");
  EXPECT_EQ(figure.link(2).name, "#2/z");
  EXPECT_EQ(figure.link(3).name, "#2");
  EXPECT_EQ(figure.joint(1).name, "y");
  EXPECT_EQ(figure.joint(3).type, JointType::Fixed);
  EXPECT_EQ(source.file->format, SourceFormat::Mjcf);
}

TEST_F(Mjcf, AnglesAreDegreesUnlessToldOtherwise) {
  const std::string body = "<body name='a'><joint name='x' range='-90 180'/></body>";
  EXPECT_NEAR(jointOf(*read(model(body)).figure, "x").limits.lower, -0.5 * std::numbers::pi, 1e-12);
  const std::string inRadians = "<mujoco><worldbody>" + body + "</worldbody><compiler angle='radian'/></mujoco>";
  EXPECT_EQ(jointOf(*read(inRadians).figure, "x").limits, (Interval{-90, 180}));
  EXPECT_FALSE(
      jointOf(*read("<mujoco><compiler autolimits='false'/><worldbody>" + body + "</worldbody></mujoco>").figure, "x")
          .limits.isBounded());
}

TEST_F(Mjcf, RestIsTheReferenceWithinLimits) {
  const FigureSource source = read(
      "<mujoco><compiler angle='radian'/><worldbody><body name='a'>"
      "<joint name='x' ref='.5'/><joint name='y' ref='2' range='-1 1'/></body></worldbody></mujoco>");
  EXPECT_EQ(source.figure->restPose()[0], 0.5);
  EXPECT_EQ(source.figure->restPose()[1], 1.0);
}

TEST_F(Mjcf, BallRangeHoldsSwingAndTwist) {
  const FigureSource source = read(model("<body name='a'><joint name='x' type='ball' range='0 60'/></body>"));
  const BallLimits& limits = jointOf(*source.figure, "x").ballLimits;
  EXPECT_NEAR(limits.swing, std::numbers::pi / 3.0, 1e-12);
  EXPECT_NEAR(limits.twist.upper, std::numbers::pi / 3.0, 1e-12);
  EXPECT_TRUE(hasNote(source.notes, "ball joint"));
}

TEST_F(Mjcf, FramesMoveWhatStandsInThem) {
  const FigureSource source =
      read(model("<frame pos='0 0 1' euler='0 0 90'><frame pos='1 0 0'><body name='a'><joint name='x'/>"
                 "<frame pos='0 1 0'><site name='s'/></frame></body></frame></frame>"));
  ASSERT_TRUE(source.figure);
  EXPECT_NEAR((source.figure->joint(0).parentFromJoint.translation - Eigen::Vector3d(0, 1, -1)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((source.figure->sites()[0].linkFromSite.translation - Eigen::Vector3d(0, 1, 0)).norm(), 0.0, 1e-12);
}

TEST_F(Mjcf, GeomsGiveSurfacesAndMeshesAreListed) {
  const FigureSource source = read(
      "<mujoco><compiler meshdir='assets'/><asset><mesh file='hand.stl' scale='.001 .001 .001'/><material name='red' "
      "rgba='1 0 0 1'/>"
      "</asset><worldbody><body name='a'><joint name='x'/><geom size='.1' material='red'/><geom type='mesh' "
      "mesh='hand'/>"
      "<geom type='box' size='1 1 1' group='3'/></body></worldbody></mujoco>");
  ASSERT_TRUE(source.figure && source.skin);
  EXPECT_EQ(source.skin->surfaces.size(), 1u);
  EXPECT_EQ(source.skin->materials.at(0).color, Eigen::Vector4f(1, 0, 0, 1));
  EXPECT_EQ(source.figure->link(0).capsules.size(), 2u);
  EXPECT_TRUE(hasNote(source.notes, "1 mesh not found: assets/hand.stl"));
}

TEST_F(Mjcf, WhatIsNoKinematicsIsSaid) {
  const FigureSource source = read(
      "<mujoco><option/><worldbody><body name='a'><joint name='x'/></body><body name='b'/></worldbody>"
      "<actuator/><sensor/></mujoco>");
  EXPECT_TRUE(hasNote(source.notes, "Left out, not part of the kinematics: actuator, sensor."));
}

TEST_F(Mjcf, EqualitiesThatCannotBeKeptAreSaid) {
  const auto withEquality = [](const std::string& equality) {
    return read(
        "<mujoco><worldbody><body name='a'><joint name='x'/><joint name='y'/><joint name='z' "
        "type='ball'/></body></worldbody>"
        "<equality>" +
        equality + "</equality></mujoco>");
  };
  EXPECT_TRUE(hasNote(withEquality("<joint joint1='x' joint2='y'/><joint joint1='y' joint2='x'/>").notes,
                      "follows it in turn"));
  EXPECT_TRUE(hasNote(withEquality("<joint joint1='x' joint2='y'/><joint joint1='x' joint2='y'/>").notes,
                      "follows something already"));
  EXPECT_TRUE(hasNote(withEquality("<joint joint1='x' joint2='z'/>").notes, "cannot follow"));
  const FigureSource constant = withEquality("<joint joint1='x' polycoef='.25'/>");
  EXPECT_EQ(jointOf(*constant.figure, "x").limits, (Interval{0.25, 0.25}));
}

TEST_F(Mjcf, FaultsNamePlaceAndCause) {
  const auto inBody = [](const std::string& inside) { return faultOf(model("<body name='a'>" + inside + "</body>")); };
  EXPECT_EQ(faultOf("<mujoco/>"), "m.xml: line 1, <mujoco>: there is no <body>");
  EXPECT_TRUE(
      test::says(faultOf(model("<body name='a'/>\n<body name='a'/>")), {"m.xml: line 4, <body name=\"a\">", "name"}));
  EXPECT_TRUE(test::says(inBody("<joint name='x'/><joint name='x'/>"), {"m.xml: line 3, <joint name=\"x\">", "name"}));
  EXPECT_TRUE(test::says(inBody("<site name='x'/><site name='x'/>"), {"m.xml: line 3, <site name=\"x\">", "name"}));
  EXPECT_EQ(inBody("<joint name='x' axis='0 0 0'/>"), "m.xml: line 3, <joint name=\"x\">: its axis is zero");
  EXPECT_TRUE(test::says(inBody("<joint name='x' type='screw'/>"), {"m.xml: line 3, <joint name=\"x\">", "\"screw\""}));
  EXPECT_TRUE(test::says(inBody("<joint name='x' range='2 1'/>"), {"m.xml: line 3, <joint name=\"x\">", "range"}));
  EXPECT_TRUE(
      test::says(inBody("<joint name='x' range='1'/>"), {"m.xml: line 3, <joint name=\"x\">", "range", "2 numbers"}));
  EXPECT_TRUE(
      test::says(inBody("<joint name='x' class='none'/>"), {"m.xml: line 3, <joint name=\"x\">", "class \"none\""}));
  EXPECT_TRUE(test::says(inBody("<geom size='nan'/>"), {"m.xml: line 3, <geom>", "size=\"nan\"", "finite"}));
  EXPECT_EQ(inBody("<geom type='box' size='1 1'/>"), "m.xml: line 3, <geom>: size needs 3 numbers");
  EXPECT_TRUE(test::says(inBody("<geom type='mesh' mesh='m'/>"), {"m.xml: line 3, <geom>", "mesh \"m\""}));
  EXPECT_TRUE(test::says(inBody("<body name='b'><freejoint name='f'/></body>"),
                         {"m.xml: line 3, <body name=\"b\">", "free joint"}));
  EXPECT_TRUE(test::says(inBody("<attach model='a' body='b'/>"), {"m.xml: line 3, <attach>", "no model \"a\""}));
  EXPECT_TRUE(test::says(inBody("<attach body='b' prefix='p'/>"), {"m.xml: line 3, <attach>", "no body \"b\""}));
  EXPECT_TRUE(test::says(inBody("<attach body='a' prefix='p'/>"), {"m.xml: line", "deep"}));
  EXPECT_TRUE(test::says(inBody("<replicate count='0'/>"), {"m.xml: line 3, <replicate>", "count"}));
  EXPECT_TRUE(test::says(inBody("<replicate count='9999'><replicate count='9999'><site/></replicate></replicate>"),
                         {"m.xml: line 3", "more than 1000000 elements"}));
  EXPECT_EQ(faultOf(model("<body name='a' quat='0 0 0 0'/>")), "m.xml: line 3, <body name=\"a\">: quat has no length");
  EXPECT_EQ(faultOf(model("<body name='a' pos='1e300 0 0'/>")),
            "m.xml: line 3, <body name=\"a\">: pos is larger than 1e9");
  EXPECT_TRUE(test::says(faultOf("<mujoco><compiler eulerseq='abc'/></mujoco>"),
                         {"m.xml: line 1, <compiler>", "eulerseq", "xyzXYZ"}));
  EXPECT_EQ(faultOf("<mujoco><default><default/></default></mujoco>"),
            "m.xml: line 1, <default>: needs the attribute class");
  EXPECT_NE(faultOf("<mujoco><worldbody><body name='a'><joint name='x'/></body></worldbody><equality>"
                    "<joint joint1='x' joint2='y'/></equality></mujoco>")
                .find("there is no joint \"y\""),
            std::string::npos);
}

TEST_F(Mjcf, IncludesStayInTheFolderAndEnd) {
  const auto including = [&](const std::string& file) {
    return faultOf("<mujoco><include file='" + file + "'/><worldbody><body name='a'/></worldbody></mujoco>",
                   folder_ / "m.xml");
  };
  write("self.xml", "<mujoco><include file='self.xml'/></mujoco>");
  write("one.xml", "<mujoco><include file='two.xml'/></mujoco>");
  write("two.xml", "<mujoco>\n<include file='one.xml'/></mujoco>");
  write("broken.xml", "<mujoco>\n<body>");
  write("fine.xml", "<mujoco/>");
  EXPECT_EQ(including("fine.xml"), "");
  EXPECT_NE(including("self.xml").find("is included twice, or by itself"), std::string::npos);
  EXPECT_NE(including("one.xml").find("two.xml: line 2, <include>: the file \"one.xml\" is included twice"),
            std::string::npos);
  EXPECT_NE(including("m.xml").find("by itself"), std::string::npos);
  EXPECT_NE(including("broken.xml").find("broken.xml: line 2: the element is not closed"), std::string::npos);
  EXPECT_NE(including("none.xml").find("there is no such file"), std::string::npos);
  for (const std::string file : {"../m.xml", "/etc/passwd", "a/../../m.xml"})
    EXPECT_NE(including(file).find("is outside the folder of the model"), std::string::npos) << file;
}

TEST_F(Mjcf, DeepModelsAreErrors) {
  std::string deep;
  for (int i = 0; i < 900'000; ++i) deep += "<body>";
  EXPECT_NE(faultOf(model(deep)).find("nested deeper than 100"), std::string::npos);
  std::string chain = "<mujoco><body/></mujoco>";  // through files that include one another: 64 of 90 bodies
  for (int file = 0; file < 40; ++file) {
    std::string open, close;
    for (int i = 0; i < 90; ++i) open += "<body>", close += "</body>";
    write(std::to_string(file) + ".xml",
          "<mujoco>" + open + "<include file='" + std::to_string(file + 1) + ".xml'/>" + close + "</mujoco>");
  }
  write("40.xml", chain);
  EXPECT_NE(faultOf(model("<include file='0.xml'/>"), folder_ / "m.xml").find("nested deeper than 500"),
            std::string::npos);
}

TEST_F(Mjcf, ReplicasFollowOneAnother) {  // places of MuJoCo 3.2
  const FigureSource source = read(
      "<mujoco><worldbody><replicate count='3' offset='0.2 0 0' euler='0 0 90' sep='-'>"
      "<body name='f' pos='0 0 1'><joint name='j' axis='0 1 0'/><geom "
      "size='.02'/></body></replicate></worldbody></mujoco>");
  ASSERT_EQ(source.figure->linkCount(), 3);
  const Eigen::Vector3d places[] = {{0.0, 0.0, 1.0}, {0.2, 0.0, 1.0}, {0.2, 0.2, 1.0}};
  for (int i = 0; i < 3; ++i) {
    const std::string name = "f-" + std::to_string(i);
    ASSERT_GE(source.figure->findLink(name), 0) << name;
    EXPECT_GE(source.figure->findJoint("j-" + std::to_string(i)), 0);
    const Transform place = test::fileFromLink(*source.figure, restPose(*source.figure), name);
    EXPECT_LT((place.translation - places[i]).norm(), 1e-12) << name;
  }
}

TEST_F(Mjcf, FixedTendonsAreLinearLimitsAndCouplings) {
  const std::string bodies =
      "<worldbody><body name='a'><joint name='p' axis='0 1 0'/><geom size='.1'/><body name='b' pos='0 0 1'>"
      "<joint name='q' axis='0 1 0'/><geom size='.1'/></body></body></worldbody>"
      "<tendon><fixed name='t' limited='true' range='-0.5 0.25'><joint joint='p' coef='1'/><joint joint='q' coef='2'/>"
      "</fixed><spatial name='s'><site site='x'/></spatial></tendon>";
  const FigureSource limited = read("<mujoco>" + bodies + "</mujoco>");
  ASSERT_EQ(limited.figure->linearLimits().size(), 1u);
  EXPECT_EQ(limited.figure->linearLimits()[0].bounds.lower, -0.5);
  EXPECT_EQ(limited.figure->linearLimits()[0].terms[1].coefficient, 2.0);
  EXPECT_TRUE(hasNote(limited.notes, "\"s\""));
  const FigureSource coupled =
      read("<mujoco>" + bodies + "<equality><tendon tendon1='t' polycoef='0.2'/></equality></mujoco>");
  ASSERT_EQ(coupled.figure->couplings().size(), 1u);  // p = 0.2 - 2 q
}

Transform placeOf(const FigureSource& source, const std::string& link) {
  return test::fileFromLink(*source.figure, restPose(*source.figure), link);
}

TEST_F(Mjcf, AttachedModelsHaveTheirOwnDefaultsAndNames) {
  write("parts/gripper.xml",
        "<mujoco><compiler angle='radian' meshdir='m'/><default><joint axis='0 1 0' range='-1 1'/></default>"
        "<asset><mesh file='finger.obj'/><material name='red' rgba='1 0 0 1'/></asset><worldbody>"
        "<body name='rail'><body name='palm' pos='0 0 .1'><joint name='turn'/><geom size='.1' material='red'/>"
        "<body name='left' pos='.1 0 0'><joint name='l'/><geom type='mesh' mesh='finger'/></body>"
        "<body name='right' pos='-.1 0 0'><joint name='r'/></body></body></body></worldbody>"
        "<tendon><fixed name='both'><joint joint='l' coef='1'/><joint joint='r' coef='-1'/></fixed></tendon>"
        "<equality><joint joint1='r' joint2='l' polycoef='0 -1 0 0 0'/></equality></mujoco>");
  const std::string text =
      "<mujoco><asset><model name='g' file='parts/gripper.xml'/></asset><worldbody><body name='arm'><joint name='a'/>"
      "<frame pos='0 0 1' euler='0 0 90'><attach model='g' body='palm' prefix='one_'/></frame></body>"
      "<body name='palm'><attach model='g' prefix='two_'/></body></worldbody></mujoco>";
  const FigureSource source = read(text, write("robot.xml", text));
  const Figure& figure = *source.figure;
  ASSERT_GE(figure.findLink("one_left"), 0);
  ASSERT_GE(figure.findLink("two_left"), 0);
  EXPECT_EQ(figure.findLink("one_rail"), -1) << "only the body and what hangs on it";
  EXPECT_EQ(figure.link(figure.findLink("two_rail")).parent, figure.findLink("palm"));
  EXPECT_LT((placeOf(source, "one_palm").translation - Eigen::Vector3d(0, 0, 1.1)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "one_left").translation - Eigen::Vector3d(0, .1, 1.1)).norm(), 1e-12);
  EXPECT_EQ(jointOf(figure, "one_l").limits, (Interval{-1, 1})) << "radians, by the defaults of the gripper";
  ASSERT_EQ(figure.couplings().size(), 2u);
  EXPECT_EQ(figure.joint(figure.couplings()[0].follower).name, "one_r");
  EXPECT_EQ(source.missing, std::vector<std::string>{"parts/m/finger.obj"});
}

TEST_F(Mjcf, ATreeIsAttachedWithinItsOwnModelAndInReplicas) {
  const FigureSource source =
      read(model("<body name='hub'><replicate count='2' euler='0 0 180' sep='-'><frame pos='1 0 0'>"
                 "<attach body='leg' prefix='p_'/></frame></replicate></body>"
                 "<body name='leg' pos='0 0 .5'><joint name='hip'/><body name='foot' pos='0 0 -1'/></body>"));
  EXPECT_LT((placeOf(source, "p_foot-1").translation - Eigen::Vector3d(-1, 0, -.5)).norm(), 1e-12);
  for (const char* joint : {"hip", "p_hip-0", "p_hip-1"}) EXPECT_GE(source.figure->findJoint(joint), 0) << joint;
}

TEST_F(Mjcf, FaultsOfAttachedModelsAreNamed) {
  write("urdf.xml", "<robot name='r'><link name='a'/></robot>");
  write("bad.xml", "<mujoco><worldbody>\n<body name='b' quat='0 0 0 0'/></worldbody></mujoco>");
  const auto faultWith = [&](const std::string& file) {
    const std::string text = "<mujoco><asset><model name='g' file='" + file +
                             "'/></asset><worldbody><body name='a'><attach model='g' body='b' prefix='p'/></body>"
                             "</worldbody></mujoco>";
    return faultOf(text, write("robot.xml", text));
  };
  EXPECT_TRUE(test::says(faultWith("urdf.xml"), {"<attach>", "urdf.xml", "not a model of MuJoCo"}));
  EXPECT_TRUE(test::says(faultWith("bad.xml"), {"bad.xml: line 2", "quat has no length"}));
  EXPECT_TRUE(test::says(faultWith("../out.xml"), {"<attach>", "outside the folder"}));
  EXPECT_TRUE(test::says(faultWith("none.xml"), {"<attach>", "none.xml"}));
  EXPECT_TRUE(test::says(faultWith("robot.xml"), {"robot.xml", "no body \"b\""}));
}

// MuJoCo moves the frame of a free body to its inertia if the joint or the compiler says so, unless it has children.
TEST_F(Mjcf, FreeBodiesAreAlignedWithTheirInertia) {
  const auto boxes = [](const std::string& compiler, const std::string& joint, const std::string& more = "") {
    return read("<mujoco><compiler " + compiler + "/><worldbody><body name='b' pos='0 0 1'>" + joint +
                "<geom type='box' size='.1 .2 .3' pos='.5 0 0' euler='0 0 90'/><site name='s'/>" + more +
                "</body></worldbody></mujoco>");
  };
  const FigureSource moved = boxes("alignfree='true'", "<freejoint/>");
  EXPECT_LT((placeOf(moved, "b").translation - Eigen::Vector3d(.5, 0, 1)).norm(), 1e-12);
  EXPECT_LT((placeOf(moved, "b").rotation -
             Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix())
                .norm(),
            1e-12);
  const Site& site = moved.figure->sites()[static_cast<std::size_t>(moved.figure->findSite("s"))];
  EXPECT_LT(((placeOf(moved, "b") * site.linkFromSite).translation - Eigen::Vector3d(0, 0, 1)).norm(), 1e-12);
  const Eigen::Vector3d own(0, 0, 1);
  EXPECT_LT((placeOf(boxes("alignfree='true'", "<freejoint align='false'/>"), "b").translation - own).norm(), 1e-12);
  EXPECT_LT((placeOf(boxes("", "<freejoint/>"), "b").translation - own).norm(), 1e-12);
  EXPECT_LT((placeOf(boxes("", "<freejoint align='true'/>", "<body name='c'/>"), "b").translation - own).norm(), 1e-12);
  const FigureSource two = boxes("", "<freejoint align='true'/>", "<geom type='box' size='.1 .2 .3' pos='-.5 0 0'/>");
  EXPECT_LT(placeOf(two, "b").translation.x(), 1e-12);
}

TEST_F(Mjcf, AFreeBodyOfTheFieldIsAligned) {
  const std::filesystem::path path = "/work/shared/field/align.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  EXPECT_LT((placeOf(test::valueOf(openFigureSource(path.string(), "")), "box").translation - Eigen::Vector3d(.5, 0, 1))
                .norm(),
            1e-12);
}

TEST_F(Mjcf, ACableIsAChainOfBallJoints) {
  const FigureSource source = read(
      model("<body name='arm'><joint name='j'/><composite type='cable' prefix='c' curve='s' count='6 1 1' size='.5' "
            "offset='.3 0 0' initial='none'><joint kind='main' damping='.1'/><geom type='capsule' size='.01'/>"
            "</composite></body>"));
  const Figure& figure = *source.figure;
  EXPECT_EQ(figure.linkCount(), 6) << "the arm and five bodies";
  EXPECT_LT((placeOf(source, "cB_first").translation - Eigen::Vector3d(.3, 0, 0)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "cB_last").translation - Eigen::Vector3d(.7, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(jointOf(figure, "cJ_1").type, JointType::Ball);
  EXPECT_EQ(figure.findJoint("cJ_first"), -1);
  EXPECT_EQ(figure.joint(figure.findLink("cB_first")).type, JointType::Fixed);
  const Site& end = figure.sites()[static_cast<std::size_t>(figure.findSite("cS_last"))];
  EXPECT_LT(((placeOf(source, "cB_last") * end.linkFromSite).translation - Eigen::Vector3d(.8, 0, 0)).norm(), 1e-12);
}

// A circle: each body begins at its vertex, its x is along the edge, and its z is the normal of the plane.
TEST_F(Mjcf, ACableFollowsItsCurve) {
  const FigureSource source =
      read(model("<body name='a'><composite type='cable' prefix='r' curve='cos(s) sin(s) 0' count='9' "
                 "size='1 2 2'><geom type='cylinder' size='.01'/></composite></body>"));
  for (int i = 0; i < 8; ++i) {
    const auto vertex = [](int k) {
      const double angle = 2.0 * std::numbers::pi * k / 8;
      return Eigen::Vector3d(2 * std::cos(angle), 2 * std::sin(angle), 0);
    };
    const std::string name = "rB_" + (i == 0 ? "first" : i == 7 ? std::string("last") : std::to_string(i));
    const Transform place = placeOf(source, name);
    EXPECT_LT((place.translation - vertex(i)).norm(), 1e-9) << name;
    EXPECT_LT((place.rotation.col(0) - (vertex(i + 1) - vertex(i)).normalized()).norm(), 1e-9) << name;
    EXPECT_LT((place.rotation.col(2) - Eigen::Vector3d::UnitZ()).norm(), 1e-9) << name;
  }
  EXPECT_EQ(jointOf(*source.figure, "rJ_first").type, JointType::Ball);
}

TEST_F(Mjcf, WhatCannotBeAChainIsLeftOutByName) {
  const FigureSource source =
      read(model("<body name='a'><joint name='j'/><composite type='grid' prefix='net' count='3 3 1'/>"
                 "<flexcomp name='cloth' type='grid' count='3 3 1'/></body>"));
  EXPECT_TRUE(hasNote(source.notes, "\"net\""));
  EXPECT_TRUE(hasNote(source.notes, "\"cloth\""));
  EXPECT_TRUE(test::says(faultOf(model("<body name='a'><composite type='cable' curve='s' count='1'/></body>")),
                         {"m.xml: line 3, <composite>", "count"}));
}

}  // namespace
}  // namespace limber::io::mjcf_test
