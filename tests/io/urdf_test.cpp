// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "limber/io/json/figure_json.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/file_places.h"
#include "support/says.h"

namespace limber::io::urdf_test {
namespace {

using test::fileFromLink;
using test::hasNote;

std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

std::string robot(const std::string& inside) { return "<robot name=\"r\">\n" + inside + "</robot>\n"; }

/// base -- j1 -- a -- j2 -- b with the given contents of the joints.
std::string twoJoints(const std::string& first, const std::string& second, const std::string& type = "revolute") {
  return robot(link("base") + link("a") + link("b") + joint("j1", type, "base", "a", first) +
               joint("j2", type, "a", "b", second));
}

FigureSource read(const std::string& text) { return test::valueOf(readUrdf(text, "folder/r.urdf")); }

std::string faultOf(const std::string& text, const std::string& name = "r.urdf") {
  return test::messageOf(readUrdf(text, name));
}

const Joint& jointOf(const Figure& figure, const std::string& name) { return figure.joint(figure.findJoint(name)); }

TEST(Urdf, EveryJointTypeIsRead) {
  const FigureSource source =
      read(robot(link("base") + link("a") + link("b") + link("c") + link("d") + link("e") + link("f") + link("g") +
                 joint("j_fixed", "fixed", "base", "a", "<axis xyz='0 0 0'/>") +
                 joint("j_revolute", "revolute", "a", "b", "<axis xyz='0 0 2'/><limit lower='-1' upper='2'/>") +
                 joint("j_continuous", "continuous", "b", "c", "<limit lower='-1' upper='2'/>") +
                 joint("j_prismatic", "prismatic", "c", "d", "<axis xyz='0 1 0'/><limit upper='0.5'/>") +
                 joint("j_floating", "floating", "d", "e") + joint("j_spherical", "spherical", "e", "f") +
                 joint("j_planar", "planar", "f", "g", "<axis xyz='0 0 1'/><origin xyz='0 0 3'/>")));
  ASSERT_TRUE(source.figure);
  const Figure& figure = *source.figure;
  EXPECT_EQ(figure.linkCount(), 10);  // two more for the planar joint
  EXPECT_EQ(jointOf(figure, "j_fixed").type, JointType::Fixed);
  EXPECT_EQ(jointOf(figure, "j_revolute").axis, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(jointOf(figure, "j_revolute").limits, (Interval{-1, 2}));
  EXPECT_EQ(jointOf(figure, "j_continuous").type, JointType::Revolute);
  EXPECT_EQ(jointOf(figure, "j_continuous").axis, Eigen::Vector3d(1, 0, 0));
  EXPECT_FALSE(jointOf(figure, "j_continuous").limits.isBounded());
  EXPECT_EQ(jointOf(figure, "j_prismatic").limits, (Interval{0, 0.5}));
  EXPECT_EQ(jointOf(figure, "j_floating").type, JointType::Free);
  EXPECT_TRUE(jointOf(figure, "j_floating").locked);
  EXPECT_EQ(jointOf(figure, "j_spherical").type, JointType::Ball);
  EXPECT_EQ(jointOf(figure, "j_planar").type, JointType::Revolute);
  EXPECT_EQ(source.file->format, SourceFormat::Urdf);
  EXPECT_FALSE(source.file->bytes.empty());
  EXPECT_TRUE(hasNote(source.notes, "j_floating"));
  EXPECT_TRUE(hasNote(source.notes, "planar joint \"j_planar\" became two slides"));
}

TEST(Urdf, VelocityLimitsAreReadAndKept) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto velocityOf = [](const std::string& limit) {
    return jointOf(*read(twoJoints(limit, "<limit lower='-1' upper='1'/>")).figure, "j1").velocityLimit;
  };
  EXPECT_EQ(velocityOf("<limit lower='-1' upper='1' velocity='2.175'/>"), 2.175);
  EXPECT_EQ(velocityOf("<limit lower='-1' upper='1' velocity='0'/>"), kNone) << "many files have 0 for unknown";
  EXPECT_EQ(velocityOf("<limit lower='-1' upper='1'/>"), kNone);
  EXPECT_EQ(velocityOf("<limit lower='-1' upper='1' velocity='fast'/>"), kNone);
  const auto figure = read(twoJoints("<limit lower='-1' upper='1' velocity='2.175'/>", "<limit/>")).figure;
  const auto again = test::valueOf(parseFigure(formatFigure(*figure), "r.json"));
  EXPECT_EQ(jointOf(*again, "j1").velocityLimit, 2.175);
  EXPECT_EQ(jointOf(*again, "j2").velocityLimit, kNone);
}

TEST(Urdf, PlanarJointMovesInItsPlane) {
  const FigureSource source =
      read(robot(link("base") + link("a") +
                 joint("j", "planar", "base", "a", "<axis xyz='1 2 2'/><origin xyz='1 2 3' rpy='.1 .2 .3'/>")));
  const Figure& figure = *source.figure;
  const Transform rest = fileFromLink(figure, restPose(figure), "a");
  Pose pose = restPose(figure);
  for (const auto& [name, value] : {std::pair("j_x", 0.3), {"j_y", -0.2}, {"j", 0.7}})
    pose.coordinates[jointOf(figure, name).poseIndex] = value;
  const Transform moved = fileFromLink(figure, pose, "a");
  const Eigen::Vector3d normal = rest.rotation * Eigen::Vector3d(1, 2, 2).normalized();
  EXPECT_NEAR((rest.translation - Eigen::Vector3d(1, 2, 3)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(normal.dot(moved.translation - rest.translation), 0.0, 1e-12);
  EXPECT_NEAR((moved.translation - rest.translation).norm(), std::hypot(0.3, 0.2), 1e-12);
  const Eigen::AngleAxisd turn(moved.rotation * rest.rotation.transpose());
  EXPECT_NEAR(turn.angle(), 0.7, 1e-12);
  EXPECT_NEAR(turn.axis().dot(normal), 1.0, 1e-12);
}

TEST(Urdf, ZIsUpAndAnglesAreFixedAxes) {
  const FigureSource source = read(
      robot(link("base") + link("a") + joint("j", "fixed", "base", "a", "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>")));
  const Figure& figure = *source.figure;
  const Kinematics kinematics = transformsOf(figure, restPose(figure));
  EXPECT_NEAR((kinematics.worldFromLink[1].translation - Eigen::Vector3d(1, 3, -2)).norm(), 0.0, 1e-12);
  const Eigen::Matrix3d rotation =
      (Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  EXPECT_NEAR((fileFromLink(figure, restPose(figure), "a").rotation - rotation).norm(), 0.0, 1e-12);
}

TEST(Urdf, ShapesGiveMassesCapsulesAndSurfaces) {
  const std::string origin = "<origin xyz='0 0 0.5'/>";
  const FigureSource source = read(
      robot("<material name='red'><color rgba='1 0 0 0.5'/></material>" +
            link("base", "<visual>" + origin +
                             "<geometry><box size='0.2 0.2 1'/></geometry><material name='red'/></visual>"
                             "<inertial><origin xyz='0 0 0.4'/><mass value='3'/></inertial>") +
            link("a", "<collision>" + origin + "<geometry><cylinder radius='0.1' length='1'/></geometry></collision>") +
            link("b", "<visual><geometry><sphere radius='0.1'/></geometry></visual>") +
            link("c",
                 "<visual><geometry><mesh filename='none/a.stl'/></geometry></visual>"
                 "<collision><geometry><capsule radius='0.1' length='1'/></geometry></collision>") +
            joint("j1", "fixed", "base", "a") + joint("j2", "fixed", "a", "b") + joint("j3", "fixed", "b", "c")));
  ASSERT_TRUE(source.figure && source.skin);
  const Figure& figure = *source.figure;
  EXPECT_EQ(figure.link(0).mass, 3.0);
  EXPECT_EQ(figure.link(0).centreOfMass, Eigen::Vector3d(0, 0, 0.4));
  EXPECT_LT(figure.link(1).mass, 1e-6);  // the file gives masses, and none to this one
  ASSERT_EQ(figure.link(0).capsules.size(), 1u);
  EXPECT_NEAR(figure.link(0).capsules[0].radius, 0.1, 1e-12);
  EXPECT_NEAR((figure.link(0).capsules[0].end - Eigen::Vector3d(0, 0, 0.9)).norm(), 0.0, 1e-12);
  ASSERT_EQ(source.skin->surfaces.size(), 4u);  // that of "c" is its capsule: the mesh is not there
  ASSERT_EQ(source.skin->materials.size(), 1u);
  EXPECT_EQ(source.skin->materials[0].color, Eigen::Vector4f(1, 0, 0, 0.5));
  EXPECT_EQ(source.skin->surfaces[0].material, 0);
  EXPECT_EQ(source.skin->surfaces[1].material, -1);
  EXPECT_TRUE(hasNote(source.notes, "1 mesh not found: none/a.stl"));
}

TEST(Urdf, ARobotOfMeshesAloneLooksLikeOne) {
  const auto part = [](const std::string& name, const std::string& mass, const std::string& centre) {
    return link(name, "<visual><geometry><mesh filename='" + name +
                          ".stl'/></geometry></visual><inertial><origin xyz='" + centre + "'/><mass value='" + mass +
                          "'/></inertial>");
  };
  const auto at = [](const std::string& place) { return "<origin xyz='" + place + "'/>"; };
  const FigureSource source = read(robot(
      part("torso", "7", "0 0 0.15") + part("left_arm", "1", "0 0 -0.1") + part("right_arm", "1", "0 0 -0.1") +
      part("left_hand", "0.3", "0 0 -0.05") + part("right_hand", "0.3", "0 0 -0.05") + part("head", "1", "0 0 0.4") +
      link("camera") + joint("ls", "revolute", "torso", "left_arm", at("0 0.1 0.28")) +
      joint("rs", "revolute", "torso", "right_arm", at("0 -0.1 0.28")) +
      joint("le", "revolute", "left_arm", "left_hand", at("0 0 -0.2")) +
      joint("re", "revolute", "right_arm", "right_hand", at("0 0 -0.2")) + joint("neck", "fixed", "torso", "head") +
      joint("eye", "fixed", "torso", "camera", at("0 0 0.6"))));
  const Figure& figure = *source.figure;
  const auto capsulesOf = [&](const char* name) { return figure.link(figure.findLink(name)).capsules; };
  const auto torso = capsulesOf("torso");
  ASSERT_EQ(torso.size(), 3u) << "a trunk and a bar to each shoulder, and nothing to the camera";
  EXPECT_LT((torso[0].end - Eigen::Vector3d(0, 0, 0.28)).norm(), 1e-12) << "to the middle of the shoulders";
  const double r = torso[0].radius;
  EXPECT_NEAR(std::numbers::pi * r * r * (0.28 + 4.0 / 3.0 * r), 7e-3, 1e-6) << "as much water as it weighs";
  EXPECT_LT((torso[1].end - Eigen::Vector3d(0, 0.1, 0.28)).norm(), 1e-12);
  ASSERT_EQ(capsulesOf("head").size(), 1u);
  EXPECT_EQ(capsulesOf("head")[0].start, Eigen::Vector3d(0, 0, 0.4)) << "a ball where its mass is";
  EXPECT_NEAR(capsulesOf("head")[0].radius, std::cbrt(0.75e-3 / std::numbers::pi), 1e-9);
  EXPECT_TRUE(capsulesOf("camera").empty());
  ASSERT_EQ(capsulesOf("left_arm").size(), 1u);
  EXPECT_LT((capsulesOf("left_arm")[0].end - Eigen::Vector3d(0, 0, -0.2)).norm(), 1e-12);
  EXPECT_EQ(figure.link(0).mass, 7.0) << "the file's";
  EXPECT_EQ(source.missing.size(), 6u);
}

TEST(Urdf, SurfacesAreClosedAndFaceOutward) {
  const FigureSource source =
      read(robot(link("base",
                      "<visual><geometry><box size='0.2 0.4 0.6'/></geometry></visual>"
                      "<visual><geometry><cylinder radius='0.3' length='0.5'/></geometry></visual>"
                      "<visual><geometry><sphere radius='0.3'/></geometry></visual>"
                      "<visual><geometry><capsule radius='0.2' length='0.5'/></geometry></visual>")));
  constexpr double kPi = std::numbers::pi;
  const double expected[] = {0.048, kPi * 0.09 * 0.5, 4.0 / 3.0 * kPi * 0.027,
                             kPi * 0.04 * 0.5 + 4.0 / 3.0 * kPi * 0.008};
  ASSERT_EQ(source.skin->surfaces.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) {
    const SkinSurface& surface = source.skin->surfaces[s];
    double volume = 0.0;  // by the divergence theorem: positive only when the triangles face outward
    for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3) {
      const Eigen::Vector3f &a = surface.positions[surface.triangles[t]],
                            &b = surface.positions[surface.triangles[t + 1]],
                            &c = surface.positions[surface.triangles[t + 2]];
      volume += a.dot(b.cross(c)) / 6.0;
      EXPECT_GE((b - a).cross(c - a).dot(surface.normals[surface.triangles[t]]), -1e-7f);
    }
    EXPECT_NEAR(volume / expected[s], 1.0, 0.05) << s;  // 24 sides for a circle
    for (const Eigen::Vector3f& normal : surface.normals) EXPECT_NEAR(normal.norm(), 1.0f, 1e-5f);
  }
}

TEST(Urdf, MimicsBecomeCouplings) {
  const std::string limit = "<limit lower='-1' upper='1'/>";
  const FigureSource source =
      read(robot(link("base") + link("a") + link("b") + link("c") +
                 joint("j1", "revolute", "base", "a", limit + "<mimic joint='j2' multiplier='2' offset='0.1'/>") +
                 joint("j2", "revolute", "a", "b", limit + "<mimic joint='j3' multiplier='-0.5' offset='0.2'/>") +
                 joint("j3", "revolute", "b", "c", limit)));
  ASSERT_TRUE(source.figure);
  const Figure& figure = *source.figure;
  ASSERT_EQ(figure.couplings().size(), 2u);
  Pose pose = restPose(figure);
  pose.coordinates[jointOf(figure, "j3").poseIndex] = 0.4;
  Couplings(figure, std::vector<char>(2, 1)).apply(pose);
  EXPECT_NEAR(pose.coordinates[jointOf(figure, "j2").poseIndex], 0.0, 1e-12);
  EXPECT_NEAR(pose.coordinates[jointOf(figure, "j1").poseIndex], 0.1, 1e-12);
}

TEST(Urdf, RestObeysTheLimitsOfFollowers) {
  const FigureSource source = read(twoJoints(
      "<limit lower='-1' upper='1'/>", "<limit lower='1.5' upper='3'/><mimic joint='j1' multiplier='2' offset='1'/>"));
  ASSERT_TRUE(source.figure);
  EXPECT_NEAR(source.figure->restPose()[jointOf(*source.figure, "j1").poseIndex], 0.25, 1e-12);
  const FigureSource hopeless =
      read(twoJoints("<limit lower='-1' upper='1'/>", "<limit lower='5' upper='6'/><mimic joint='j1'/>"));
  ASSERT_TRUE(hopeless.figure);
  EXPECT_TRUE(hasNote(hopeless.notes, "cannot keep its own limits"));
}

TEST(Urdf, LimitsThatMakeNoSenseAreMended) {
  const FigureSource source = read(twoJoints("<limit lower='2' upper='-1'/>", "<limit lower='-1e20' upper='1e20'/>"));
  EXPECT_EQ(jointOf(*source.figure, "j1").limits, (Interval{-1, 2}));
  EXPECT_TRUE(hasNote(source.notes, "limits of joint \"j1\" have the lower one above"));
  EXPECT_FALSE(jointOf(*source.figure, "j2").limits.isBounded());
  EXPECT_TRUE(hasNote(read(twoJoints("", "<limit lower='0' upper='1'/>")).notes, "\"j1\" has no limits"));
  const std::vector<std::string> notes = read(twoJoints("<limit lower='0' upper='1'/>", "<mimic joint='j1'/>")).notes;
  EXPECT_TRUE(hasNote(notes, "follows \"j1\" without limits of its own"));
  EXPECT_FALSE(hasNote(notes, "moves freely"));
}

TEST(Urdf, EndEffectorsAreGuessedToolsFirst) {  // and none on what cannot move
  const FigureSource source = read(robot(
      link("base") + link("imu") + link("camera") + link("wrist") + link("tool0") +
      link(
          "finger",
          "<collision><origin xyz='0 0 0.1'/><geometry><cylinder radius='0.01' length='0.2'/></geometry></collision>") +
      joint("j0", "fixed", "base", "imu") + joint("j1", "continuous", "base", "camera") +
      joint("j2", "continuous", "base", "wrist") + joint("j3", "fixed", "wrist", "tool0") +
      joint("j4", "continuous", "wrist", "finger")));
  const auto sites = source.figure->sites();
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(sites[0].name, "tool0");
  EXPECT_EQ(sites[1].name, "camera");
  EXPECT_EQ(sites[2].name, "finger");
  EXPECT_NEAR((sites[2].linkFromSite.translation - Eigen::Vector3d(0, 0, 0.19)).norm(), 0.0, 1e-12);
}

TEST(Urdf, FaultsNamePlaceAndCause) {
  EXPECT_TRUE(test::says(faultOf("<model/>"), {"r.urdf: line 1, <model>", "<robot>", "URDF"}));
  EXPECT_EQ(faultOf("<robot name='r'/>"), "r.urdf: line 1, <robot name=\"r\">: there is no <link>");
  EXPECT_TRUE(test::says(faultOf(robot(link("a") + link("a"))), {"r.urdf: line 3, <link name=\"a\">", "name"}));
  EXPECT_TRUE(test::says(faultOf(robot(link("a") + link("b"))),
                         {"r.urdf: line 1, <robot name=\"r\">", "parent", "\"a\", \"b\""}));
  EXPECT_TRUE(test::says(faultOf(robot(link("a") + link("b") + joint("j", "fixed", "a", "c"))),
                         {"r.urdf: line 4, <joint name=\"j\">", "child \"c\""}));
  EXPECT_TRUE(
      test::says(faultOf(robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("j", "fixed", "b", "a"))),
                 {"r.urdf: line 5, <joint name=\"j\">", "name"}));
  EXPECT_TRUE(
      test::says(faultOf(robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b"))),
                 {"r.urdf: line 5, <joint name=\"k\">", "\"b\"", "\"j\""}));
  EXPECT_TRUE(
      test::says(faultOf(robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"))),
                 {"r.urdf: line 1, <robot name=\"r\">", "cycle", "\"a\", \"b\""}));
  EXPECT_TRUE(test::says(
      faultOf(robot(link("o") + link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"))),
      {"r.urdf: line 1, <robot name=\"r\">", "cycle", "\"a\", \"b\""}));
  EXPECT_TRUE(test::says(faultOf(robot(link("a") + link("b") + joint("j", "hover", "a", "b"))),
                         {"r.urdf: line 4, <joint name=\"j\">", "\"hover\""}));
  EXPECT_EQ(faultOf(twoJoints("<axis xyz='0 0 0'/>", "")), "r.urdf: line 5, <joint name=\"j1\">: its axis is zero");
  EXPECT_TRUE(test::says(faultOf(twoJoints("<axis xyz='0 nan 0'/>", "")),
                         {"r.urdf: line 5, <axis>", "xyz=\"0 nan 0\"", "finite"}));
  EXPECT_TRUE(
      test::says(faultOf(twoJoints("<mimic joint='j1'/>", "")), {"r.urdf: line 5, <joint name=\"j1\">", "cycle"}));
  EXPECT_NE(faultOf(twoJoints("<mimic joint='j2'/>", "<mimic joint='j1'/>")).find("mimic one another in a cycle"),
            std::string::npos);
  EXPECT_TRUE(
      test::says(faultOf(twoJoints("<mimic joint='j9'/>", "")), {"r.urdf: line 5, <joint name=\"j1\">", "\"j9\""}));
  EXPECT_NE(faultOf(robot(link("a", "<inertial><mass value='-1'/></inertial>"))).find("its mass is negative"),
            std::string::npos);
  EXPECT_NE(faultOf("<robot name='r'><joint name='j'/></robot>"), "");
}

TEST(Urdf, ABadShapeIsLeftOutAndTheRobotOpens) {
  const std::string good = "<visual><geometry><sphere radius='0.1'/></geometry></visual>";
  for (const std::string bad :
       {"<visual><geometry><sphere radius='-1'/></geometry></visual>", "<visual><geometry><box/></geometry></visual>",
        "<visual><origin xyz='0 zero 0'/><geometry><sphere radius='1'/></geometry></visual>",
        "<visual><geometry><mesh filename='a.stl' scale='1 1'/></geometry></visual>",
        "<visual><geometry><mesh/></geometry></visual>",
        "<collision><geometry><cylinder radius='1' length='nan'/></geometry></collision>"}) {
    const FigureSource source = read(robot(link("a", good) + link("b", "\n" + bad) + joint("j", "fixed", "a", "b")));
    EXPECT_EQ(source.figure->linkCount(), 2) << bad;
    ASSERT_TRUE(source.skin) << bad;
    EXPECT_TRUE(hasNote(source.notes, " of link \"b\" is left out: line 4, <")) << bad;
    EXPECT_TRUE(source.missing.empty()) << bad;
  }
  const FigureSource grey =
      read(robot("<material name='m'><color rgba='1 0 red 1'/></material>" +
                 link("a", "<visual><geometry><sphere radius='0.1'/></geometry><material name='m'/></visual>") +
                 link("b",
                      "<visual><geometry><sphere radius='0.1'/></geometry><material name=''><color "
                      "rgba='1'/></material></visual>") +
                 joint("j", "fixed", "a", "b")));
  ASSERT_EQ(grey.skin->surfaces.size(), 2u) << "without their colours";
  EXPECT_TRUE(grey.skin->materials.empty());
  EXPECT_TRUE(hasNote(grey.notes, "A colour is left out: line 2, <color>: rgba=\"1 0 red 1\" must be finite numbers."));
  EXPECT_TRUE(hasNote(grey.notes, "rgba must be four numbers"));
  std::string many;
  for (int i = 0; i < 500; ++i) many += "<visual><geometry><sphere radius='-1'/></geometry></visual>";
  EXPECT_EQ(read(robot(link("a", many))).notes.size(), 11u) << "ten, and that there are more";
}

TEST(Urdf, TooManyLinksAreErrorsSoon) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += link(std::to_string(i));
  for (int i = 0; i < 20'000; ++i)
    text += joint("j" + std::to_string(i), "fixed", std::to_string(i), std::to_string((i + 1) % 20'000));
  EXPECT_NE(faultOf(robot(text)).find("there is a cycle"), std::string::npos);
  std::string many;
  for (int i = 0; i < 20'001; ++i) many += "<link name='" + std::to_string(i) + "'/>";
  EXPECT_NE(faultOf(robot(many)).find("more than 20000 links"), std::string::npos);
}

}  // namespace
}  // namespace limber::io::urdf_test
