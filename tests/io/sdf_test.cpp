// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/io/open.h"
#include "limber/io/robot/robot.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/file_places.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::sdf_test {
namespace {

using test::fileFromLink;
using test::hasNote;

std::string sdf(const std::string& inside, const std::string& version = "1.9") {
  return "<sdf version='" + version + "'>\n<model name='m'>\n" + inside + "</model></sdf>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "<axis/>") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         inside + "</joint>\n";
}

FigureSource read(const std::string& text) { return test::valueOf(readSdf(text, "folder/r.sdf")); }
std::string faultOf(const std::string& text) { return test::messageOf(readSdf(text, "r.sdf")); }

Eigen::Vector3d placeOf(const FigureSource& source, const std::string& name) {
  return fileFromLink(*source.figure, restPose(*source.figure), name).translation;
}

/// Where a link is when some joints have these coordinates.
Transform posed(const FigureSource& source, const std::string& link,
                const std::vector<std::pair<const char*, double>>& coordinates) {
  const Figure& figure = *source.figure;
  Pose pose = restPose(figure);
  for (const auto& [name, value] : coordinates)
    pose.coordinates[figure.joint(figure.findJoint(name)).poseIndex] = value;
  return fileFromLink(figure, pose, link);
}

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(Sdf, PosesAreRelativeToModelLinksAndFrames) {
  const FigureSource source = read(sdf(R"(
    <pose>0 0 1 0 0 0</pose>
    <link name="a"><pose>1 0 0 0 0 1.5707963267948966</pose></link>
    <link name="b"><pose relative_to="a">1 0 0 0 0 0</pose></link>
    <frame name="f" attached_to="b"><pose degrees="true">0 0 0.5 0 90 0</pose></frame>
    <link name="c"><pose relative_to="f">0 0 1 0 0 0</pose></link>
    <link name="d"><pose relative_to="j" rotation_format="quat_xyzw">0 1 0 0 0 0 1</pose></link>)" +
                                       joint("j", "revolute", "a", "b", "<pose>0 0 2 0 0 0</pose><axis/>") +
                                       joint("k", "fixed", "f", "c", "") + joint("l", "fixed", "b", "d", "")));
  // a: at (1, 0, 1), turned by 90 degrees about z, so that its x is the file's y.
  EXPECT_LT((placeOf(source, "a") - Eigen::Vector3d(1, 0, 1)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "b") - Eigen::Vector3d(1, 1, 1)).norm(), 1e-12);
  // f: half a metre above b, its z along b's x, which is the file's y.
  EXPECT_LT((placeOf(source, "c") - Eigen::Vector3d(1, 2, 1.5)).norm(), 1e-12);
  // j: two metres above b; d one metre along b's y, the file's -x.
  EXPECT_LT((placeOf(source, "d") - Eigen::Vector3d(0, 1, 3)).norm(), 1e-12);
  EXPECT_EQ(source.file->format, SourceFormat::Sdf);
  EXPECT_EQ(source.figure->link(source.figure->findLink("c")).parent, source.figure->findLink("b"));
}

TEST(Sdf, JointsTurnAboutTheirOwnPlaces) {
  const FigureSource source = read(sdf(
      "<link name='a'/><link name='b'><pose>1 0 0 0 0 0</pose></link><link name='c'><pose>2 0 0 0 0 0</pose></link>" +
      joint("j", "revolute", "a", "b", "<pose>-1 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>") +
      joint("s", "prismatic", "b", "c", "<pose>0 5 0 0 0 1.5707963267948966</pose><axis><xyz>1 0 0</xyz></axis>")));
  EXPECT_EQ(source.figure->linkCount(), 4) << "b/j above b; a slide needs none";
  EXPECT_GE(source.figure->findLink("b/j"), 0);
  const Transform b = posed(source, "b", {{"j", 0.5}});
  EXPECT_LT((b.translation - Eigen::Vector3d(std::cos(0.5), std::sin(0.5), 0)).norm(), 1e-12);
  EXPECT_LT((b.rotation - turn(0.5, {0, 0, 1})).norm(), 1e-12);
  EXPECT_LT((posed(source, "c", {{"s", 0.25}}).translation - Eigen::Vector3d(2, 0.25, 0)).norm(), 1e-12);
}

TEST(Sdf, AxesAreInTheJointTheModelOrAFrame) {
  const std::string links = "<link name='a'/><link name='b'><pose>0 0 0 1.5707963267948966 0 0</pose></link>";
  const auto turned = [&](const std::string& axis, const std::string& version = "1.9") {
    const FigureSource source =
        read(sdf(links + joint("j", "revolute", "a", "b", "<axis>" + axis + "</axis>"), version));
    const Eigen::AngleAxisd found(posed(source, "b", {{"j", 0.3}}).rotation * turn(-std::numbers::pi / 2, {1, 0, 0}));
    return Eigen::Vector3d(found.axis() * (found.angle() / 0.3));
  };
  const Eigen::Vector3d y(0, 1, 0), z(0, 0, 1);
  EXPECT_LT((turned("<xyz>0 1 0</xyz>") - z).norm(), 1e-9) << "the joint's y is the model's z";
  EXPECT_LT((turned("<xyz expressed_in='__model__'>0 1 0</xyz>") - y).norm(), 1e-9);
  EXPECT_LT((turned("<xyz expressed_in='a'>0 0 2</xyz>") - z).norm(), 1e-9);
  EXPECT_LT((turned("<xyz>0 1 0</xyz>", "1.4") - y).norm(), 1e-9) << "as before version 1.5";
  EXPECT_LT((turned("<xyz>0 1 0</xyz>", "1.10") - z).norm(), 1e-9) << "which is after 1.9";
  EXPECT_LT((turned("<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6") - y).norm(), 1e-9);
}

TEST(Sdf, UniversalJointsAreTwoHingesAndBallsAreBalls) {
  const FigureSource source = read(sdf(
      "<link name='a'/><link name='b'><pose>0 0 1 0 0 0</pose></link><link name='c'><pose>0 0 2 0 0 0</pose></link>" +
      joint("u", "universal", "a", "b",
            "<pose>0 0 -0.5 0 0 0</pose><axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>"
            "<axis2><xyz>0 1 0</xyz><limit><lower>-inf</lower><upper>1e16</upper></limit></axis2>") +
      joint("ball", "ball", "b", "c", "<pose>0 0 -0.5 0 0 0</pose>")));
  const Figure& figure = *source.figure;
  EXPECT_EQ(figure.joint(figure.findJoint("u_1")).limits, (Interval{-1, 2}));
  EXPECT_FALSE(figure.joint(figure.findJoint("u_2")).limits.isBounded());
  EXPECT_EQ(figure.joint(figure.findJoint("ball")).type, JointType::Ball);
  const Transform b = posed(source, "b", {{"u_1", 0.4}, {"u_2", -0.7}});
  const Eigen::Matrix3d rotation = turn(0.4, {1, 0, 0}) * turn(-0.7, {0, 1, 0});
  EXPECT_LT((b.rotation - rotation).norm(), 1e-12) << "the first axis is the parent's";
  EXPECT_LT((b.translation - (Eigen::Vector3d(0, 0, 0.5) + rotation * Eigen::Vector3d(0, 0, 0.5))).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "c") - Eigen::Vector3d(0, 0, 2)).norm(), 1e-12);
}

TEST(Sdf, LimitsMimicsMassesAndShapesAreRead) {
  const FigureSource source = read(sdf(
      R"(<link name="a"><inertial><pose>0 0 0.1 0 0 0</pose><mass>3</mass></inertial>
           <visual name="v"><pose>0 0 0.5 0 0 0</pose><geometry><box><size>0.2 0.2 1</size></box></geometry>
             <material><diffuse>1 0 0 0.5</diffuse></material></visual></link>
         <link name="b"><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>
           <visual name="bad"><geometry><sphere><radius>-1</radius></sphere></geometry></visual>
           <visual name="short"><geometry><cylinder><radius>1</radius></cylinder></geometry></visual></link>
         <link name="c"><visual name="m">
           <geometry><mesh><uri>model://none/a.stl</uri></mesh></geometry></visual></link>)" +
      joint("j", "revolute", "a", "b",
            "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>") +
      joint("k", "revolute", "b", "c",
            "<axis><xyz>0 1 0</xyz><mimic joint='j'><multiplier>2</multiplier><offset>0.3</offset>"
            "<reference>0.1</reference></mimic></axis>")));
  const Figure& figure = *source.figure;
  EXPECT_EQ(figure.link(0).mass, 3.0);
  EXPECT_EQ(figure.link(0).centreOfMass, Eigen::Vector3d(0, 0, 0.1));
  ASSERT_TRUE(source.skin);
  EXPECT_EQ(source.skin->materials[0].color, Eigen::Vector4f(1, 0, 0, 0.5));
  EXPECT_GE(source.skin->surfaces.size(), 2u);
  EXPECT_TRUE(hasNote(source.notes, "A visual of link \"b\" is left out: line "));
  EXPECT_TRUE(hasNote(source.notes, "<cylinder>: needs a <length>"));
  EXPECT_EQ(source.missing, std::vector<std::string>{"model://none/a.stl"});
  Pose pose = restPose(figure);
  pose.coordinates[figure.joint(figure.findJoint("j")).poseIndex] = 0.5;
  Couplings(figure, std::vector<char>(1, 1)).apply(pose);
  EXPECT_NEAR(pose.coordinates[figure.joint(figure.findJoint("k")).poseIndex], 2 * (0.5 - 0.1) + 0.3, 1e-12);
}

TEST(Sdf, NestedModelsHaveTheirOwnNames) {
  const FigureSource source = read(sdf(
      R"(<link name="base"><pose>0 0 1 0 0 0</pose></link>
         <model name="hand"><pose relative_to="base">1 0 0 0 0 1.5707963267948966</pose>
           <link name="palm"/><link name="tip"><pose>0.5 0 0 0 0 0</pose></link>)" +
      joint("grip", "revolute", "palm", "tip") + "</model>" + joint("wrist", "continuous", "base", "hand")));
  EXPECT_LT((placeOf(source, "hand::palm") - Eigen::Vector3d(1, 0, 1)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "hand::tip") - Eigen::Vector3d(1, 0.5, 1)).norm(), 1e-12);
  EXPECT_GE(source.figure->findJoint("hand::grip"), 0);
  EXPECT_EQ(source.figure->link(source.figure->findLink("hand::palm")).parent, source.figure->findLink("base"));
}

TEST(Sdf, OfAWorldTheModelThatMovesIsOpened) {
  const std::string arm = "<model name='arm'><pose>0 0 2 0 0 0</pose><link name='a'/><link name='b'/>" +
                          joint("j", "revolute", "a", "b") + "</model>";
  const FigureSource source = read(
      "<sdf version='1.6'><world name='w'><include><uri>model://sun</uri></include><model name='ground'><static>true"
      "</static><link name='g'/></model>" +
      arm + "</world></sdf>");
  EXPECT_EQ(source.figure->name(), "arm");
  EXPECT_EQ(source.figure->linkCount(), 2);
  EXPECT_LT((placeOf(source, "a") - Eigen::Vector3d(0, 0, 2)).norm(), 1e-12);
  EXPECT_TRUE(hasNote(source.notes, "The file has 2 models, of which \"arm\" is opened."));
}

TEST(Sdf, FaultsNamePlaceAndCause) {
  EXPECT_TRUE(test::says(faultOf("<robot/>"), {"r.sdf: line 1, <robot>", "<sdf>", "SDF"}));
  EXPECT_EQ(faultOf("<sdf version='1.9'/>"), "r.sdf: line 1, <sdf>: there is no <model>");
  EXPECT_EQ(faultOf(sdf("")), "r.sdf: line 1, <sdf>: there is no <link> in a model");
  EXPECT_TRUE(
      test::says(faultOf(sdf("<link name='a'/><link name='a'/>")), {"r.sdf: line 3, <link name=\"a\">", "\"a\""}));
  EXPECT_TRUE(test::says(faultOf(sdf("<link name='a'/>" + joint("j", "revolute", "a", "b"))),
                         {"r.sdf: line 3, <joint name=\"j\">", "\"b\""}));
  EXPECT_TRUE(test::says(faultOf(sdf("<link name='a'/><link name='b'/>" + joint("j", "hover", "a", "b"))),
                         {"r.sdf: line 3, <joint name=\"j\">", "\"hover\""}));
  EXPECT_EQ(faultOf(sdf("<link name='a'/><link name='b'/>" +
                        joint("j", "revolute", "a", "b", "<axis><xyz>0 0 0</xyz></axis>"))),
            "r.sdf: line 3, <joint name=\"j\">: its axis is zero");
  EXPECT_TRUE(test::says(faultOf(sdf("<link name='a'><pose>1 2 x 0 0 0</pose></link>")),
                         {"r.sdf: line 3, <pose>", "\"1 2 x 0 0 0\"", "6"}));
  EXPECT_NE(faultOf(sdf("<link name='a'><pose relative_to='b'/></link><link name='b'><pose relative_to='a'/></link>"))
                .find("the poses of frames go in a cycle"),
            std::string::npos);
  EXPECT_NE(faultOf(sdf("<link name='r'/><link name='a'/><link name='b'/>" + joint("j", "fixed", "a", "b", "") +
                        joint("k", "fixed", "b", "a", "")))
                .find("in a cycle"),
            std::string::npos);
  EXPECT_NE(faultOf(sdf("<link name='a'/><frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>" +
                        joint("j", "fixed", "a", "f", "")))
                .find("in a cycle"),
            std::string::npos);
}

class SdfFiles : public test::TemporaryFolder {};

TEST_F(SdfFiles, IncludedModelsAreFoundAsMeshesAre) {
  write("models/hand/model.config", "<model><name>Hand</name><sdf version='1.9'>hand.sdf</sdf></model>");
  write("models/hand/hand.sdf", sdf("<link name='palm'/><link name='tip'><pose>0 0 1 0 0 0</pose></link>" +
                                    joint("g", "revolute", "palm", "tip")));
  const std::string include = "<include><uri>model://hand</uri><name>left</name><pose>0 1 0 0 0 0</pose></include>";
  const std::string path =
      write("models/robot/r.sdf", sdf("<link name='base'/>" + include + joint("w", "fixed", "base", "left", "")))
          .string();
  const Opened opened = test::valueOf(openAny(path));
  const Figure& figure = *opened.document.figure;
  EXPECT_EQ(opened.format, "SDF robot");
  ASSERT_GE(figure.findLink("left::tip"), 0);
  EXPECT_LT((fileFromLink(figure, restPose(figure), "left::tip").translation - Eigen::Vector3d(0, 1, 1)).norm(), 1e-12);
  const std::string lost = write("models/robot/lost.sdf", sdf("<include><uri>model://none</uri></include>")).string();
  const Error error = openAny(lost).error();
  EXPECT_EQ(error.cause, "the model \"model://none\" was not found");
  EXPECT_EQ(error.missing, std::vector<std::string>{"model://none"});
  const std::string itself =
      write("itself/model.sdf", sdf("<link name='a'/><include><uri>model://itself</uri></include>")).string();
  EXPECT_NE(test::messageOf(openAny(itself)).find("more than 1000 models"), std::string::npos);
}

TEST(Sdf, APlacementFrameHasThePoseOfTheModel) {
  const FigureSource source = read(
      "<sdf version='1.8'><model name='arm' placement_frame='foot'><pose>0 0 2 0 0 0</pose>"
      "<link name='base'><pose>0 0 1 0 0 0</pose></link>"
      "<frame name='foot' attached_to='base'><pose>0 0 0.5 0 0 0</pose></frame><link name='up'/>" +
      joint("j", "revolute", "base", "up") + "</model></sdf>");
  EXPECT_LT((placeOf(source, "base") - Eigen::Vector3d(0.0, 0.0, 1.5)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "up") - Eigen::Vector3d(0.0, 0.0, 0.5)).norm(), 1e-12);
  EXPECT_TRUE(
      test::says(faultOf("<sdf version='1.8'><model name='m' placement_frame='none'><link name='a'/></model></sdf>"),
                 {"\"none\""}));
  EXPECT_TRUE(test::says(faultOf("<sdf version='1.8'><model name='m' placement_frame='f'><link name='a'/>"
                                 "<frame name='f'><pose relative_to='f'/></frame></model></sdf>"),
                         {"itself"}));
}

TEST(Sdf, AJointMayHaveTheNameOfALink) {
  const FigureSource source =
      read(sdf("<link name='base'/><link name='elbow'/>" + joint("elbow", "revolute", "base", "elbow"), "1.6"));
  EXPECT_GE(source.figure->findJoint("elbow_joint"), 0);
  EXPECT_TRUE(hasNote(source.notes, "elbow_joint"));
}

class SdfIncludes : public test::TemporaryFolder {
 protected:
  FigureSource open(const std::string& text) const { return test::valueOf(readSdf(text, folder_ / "r.sdf")); }
};

TEST_F(SdfIncludes, AMergedModelBecomesPartOfTheOuterOne) {
  write("arm/model.sdf", sdf("<link name='up'/><link name='fore'><pose>0 0 1 0 0 0</pose></link>" +
                             joint("j", "revolute", "up", "fore")));
  const FigureSource source =
      open(sdf("<link name='base'/><include merge='true'><uri>arm</uri><pose>1 0 0 0 0 0</pose></include>" +
               joint("weld", "fixed", "base", "up", "")));
  ASSERT_GE(source.figure->findLink("fore"), 0);
  EXPECT_LT((placeOf(source, "fore") - Eigen::Vector3d(1.0, 0.0, 1.0)).norm(), 1e-12);
}

TEST_F(SdfIncludes, ARobotOfUrdfIsAModel) {
  write("arm/arm.urdf",
        "<robot name='arm'><link name='up'><inertial><mass value='2'/></inertial></link><link name='fore'/>"
        "<joint name='j' type='revolute'><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><parent link='up'/>"
        "<child link='fore'/><axis xyz='0 1 0'/><limit lower='-1' upper='2'/></joint></robot>");
  const FigureSource source = open(
      sdf("<link name='torso'/><include><uri>arm/arm.urdf</uri><name>left</name><pose>1 0 0 0 0 0</pose></include>" +
          joint("weld", "fixed", "torso", "left", "")));
  ASSERT_GE(source.figure->findLink("left::fore"), 0);
  EXPECT_LT((placeOf(source, "left::fore") - Eigen::Vector3d(1.0, 0.0, 1.0)).norm(), 1e-12);
  const Joint& made = source.figure->joint(source.figure->findJoint("left::j"));
  EXPECT_EQ(made.limits.lower, -1.0);
  EXPECT_EQ(made.limits.upper, 2.0);
  const Transform turned = posed(source, "left::fore", {{"left::j", 0.5}});
  EXPECT_LT(
      (turned.rotation - turn(std::numbers::pi / 2.0, Eigen::Vector3d::UnitZ()) * turn(0.5, Eigen::Vector3d::UnitY()))
          .norm(),
      1e-12);
}

TEST_F(SdfIncludes, AWorldOfLostModelsNamesThem) {
  EXPECT_TRUE(
      test::says(test::messageOf(readSdf(
                     "<sdf version='1.8'><world name='w'><include><uri>model://my_robot</uri></include></world></sdf>",
                     folder_ / "w.sdf")),
                 {"model://my_robot", "not found"}));
}

TEST_F(SdfIncludes, EveryLostModelOfAWorldIsNamed) {
  const FigureSource source = open(
      "<sdf version='1.9'><world name='w'><include><uri>model://sun</uri></include>"
      "<include><uri>model://table</uri></include><model name='m'><link name='a'/></model>"
      "<joint name='j' type='fixed'><parent>table::top</parent><child>m::a</child></joint></world></sdf>");
  EXPECT_TRUE(hasNote(source.notes, "\"model://sun\", \"model://table\" were not found"));
  EXPECT_TRUE(hasNote(source.notes, "\"j\" is left out"));
  EXPECT_EQ(source.missing, (std::vector<std::string>{"model://sun", "model://table"}));
}

// Two models that a joint of the world joins are one figure; a third one stays out.
TEST(Sdf, JointsOfTheWorldJoinItsModels) {
  const FigureSource source = read(
      "<sdf version='1.11'><world name='w'>\n"
      "<model name='base'><pose>1 0 0 0 0 0</pose><link name='a'/><link name='b'><pose>0 0 1 0 0 0</pose></link>" +
      joint("lift", "prismatic", "a", "b") +
      "</model><model name='other'><link name='x'/></model>"
      "<model name='arm'><pose>1 0 3 0 0 0</pose><link name='c'/></model>" +
      joint("hinge", "revolute", "base::b", "arm::c", "<pose>0 0 -1 0 0 0</pose><axis><xyz>0 1 0</xyz></axis>") +
      joint("anchor", "fixed", "world", "base::a", "") + "</world></sdf>");
  const Figure& figure = *source.figure;
  ASSERT_GE(figure.findLink("arm::c"), 0);
  EXPECT_EQ(figure.findLink("other::x"), -1);
  EXPECT_TRUE(hasNote(source.notes, "3 models"));
  EXPECT_GE(figure.findJoint("base::lift"), 0);
  EXPECT_GE(figure.findJoint("anchor"), 0);
  const Transform c = posed(source, "arm::c", {{"hinge", std::numbers::pi / 2.0}, {"base::lift", 0.5}});
  EXPECT_LT((c.translation - Eigen::Vector3d(2, 0, 2.5)).norm(), 1e-12) << "turned about (1, 0, 2.5)";
}

// The names of a single model have no prefix, also where joints of the world name it.
TEST(Sdf, AJointOfTheWorldMovesAModel) {
  const FigureSource source = read(
      "<sdf version='1.11'><world name='w'><frame name='rail'><pose>0 2 0 0 0 0</pose></frame>"
      "<model name='m'><pose>0 2 1 0 0 0</pose><link name='a'/></model>" +
      joint("slide", "prismatic", "rail", "m::a",
            "<pose relative_to='m::a'/><axis><xyz expressed_in='m'>1 0 0</xyz></axis>") +
      "</world></sdf>");
  ASSERT_GE(source.figure->findLink("a"), 0);
  EXPECT_LT((posed(source, "a", {{"slide", 0.25}}).translation - Eigen::Vector3d(0.25, 2, 1)).norm(), 1e-12);
}

// The coordinate of a joint is that of its child against its parent. Where the child is the world, the parent moves.
TEST(Sdf, AJointWhoseChildIsTheWorldMovesItsParent) {
  const FigureSource source =
      read(sdf("<link name='a'><pose>0 0 2 0 0 0</pose></link>" +
               joint("j", "revolute", "a", "world",
                     "<pose>0 0 1 0 0 0</pose><axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit>"
                     "</axis>")));
  EXPECT_EQ(source.figure->joint(source.figure->findJoint("j")).limits, (Interval{-1, 2}));
  const Transform a = posed(source, "a", {{"j", 0.3}});
  EXPECT_LT((a.rotation - turn(-0.3, Eigen::Vector3d::UnitY())).norm(), 1e-12);
  EXPECT_LT((a.translation - Eigen::Vector3d(-std::sin(0.3), 0, 1 + std::cos(0.3))).norm(), 1e-12);
  const FigureSource pair =
      read(sdf("<link name='a'/>" +
               joint("u", "universal", "a", "world", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>")));
  const Eigen::Matrix3d worldInLink = turn(0.4, Eigen::Vector3d::UnitX()) * turn(-0.7, Eigen::Vector3d::UnitY());
  EXPECT_LT((posed(pair, "a", {{"u_1", 0.4}, {"u_2", -0.7}}).rotation - worldInLink.transpose()).norm(), 1e-12);
  EXPECT_NE(faultOf(sdf("<link name='a'/>" + joint("j", "fixed", "world", "world", ""))).find("world to itself"),
            std::string::npos);
}

}  // namespace
}  // namespace limber::io::sdf_test
