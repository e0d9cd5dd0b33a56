// SPDX-License-Identifier: MIT
// Poses that the files of robots name: keyframes of MuJoCo, group states of SRDF.
#include <gtest/gtest.h>

#include <map>

#include "fuzz/mutation.h"
#include "limber/io/named_pose.h"
#include "limber/io/open.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::source_poses_test {
namespace {

using SourcePoses = test::TemporaryFolder;

const std::string kModel = R"(<mujoco><worldbody>
  <body name="base" pos="0 0 1"><freejoint name="root"/><geom size="0.1"/>
    <body name="arm"><joint name="hip" axis="0 1 0" ref="30"/><joint name="slide" type="slide" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/>
      <body name="hand" pos="0.5 0 0"><joint name="wrist" type="ball"/><geom size="0.05"/></body></body></body>
</worldbody><keyframe>
  <key name="home" qpos="1 2 3 0 1 0 0 0.25 0.1 0 0 0 1"/>
  <key qpos="0 0 1 1 0 0 0 0 0 1 0 0 0"/>
  <key name="short" qpos="1 2"/>
  <key name="controls" ctrl="1"/>
</keyframe></mujoco>)";

const std::string kRobot = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
  <joint name="j1" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1"/></joint>
  <joint name="j2" type="planar"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>)";

const std::string kStates = R"(<robot name="r">
  <group_state name="home" group="arm"><joint name="j1" value="0.5"/><joint name="gone" value="1"/></group_state>
  <group_state name="home" group="base"><joint name="j2" value="1 2 0.25"/></group_state>
  <group_state name="folded" group="arm"><joint name="j1" value="-0.5"/></group_state></robot>)";

std::vector<std::string> namesOf(const Document& document) {
  std::vector<std::string> names;
  for (const SourcePose& pose : document.source->poses) names.push_back(pose.name);
  return names;
}

double coordinateOf(const Document& document, std::size_t pose, const std::string& joint, int k = 0) {
  const Figure& figure = *document.figure;
  const FittedPose fitted = fitPose(namedPoseOf(document.source->poses.at(pose)), figure, restPose(figure));
  return fitted.pose.coordinates[figure.joint(figure.findJoint(joint)).poseIndex + k];
}

TEST_F(SourcePoses, KeyframesOfMuJoCoAreRadiansWithQuaternionsWFirst) {
  const Opened opened = test::valueOf(openAny(write("model.xml", kModel).string()));
  const Document& document = opened.document;
  ASSERT_EQ(namesOf(document), (std::vector<std::string>{"home", "keyframe 2"}));
  EXPECT_TRUE(test::hasNote(opened.notes, "\"short\" is left out: its qpos has 2 numbers, the model 13"));
  EXPECT_TRUE(test::hasNote(opened.notes, "2 keyframes are in the pose library"));
  EXPECT_EQ(coordinateOf(document, 0, "root", 2), 3.0);
  EXPECT_EQ(coordinateOf(document, 0, "root", 3), 1.0) << "x of the quaternion";
  EXPECT_EQ(coordinateOf(document, 0, "hip"), 0.25);
  EXPECT_EQ(coordinateOf(document, 0, "slide"), 0.1);
  EXPECT_EQ(coordinateOf(document, 0, "wrist", 2), 1.0);
  EXPECT_EQ(coordinateOf(document, 1, "wrist", 3), 1.0);
}

TEST_F(SourcePoses, GroupStatesComeFromTheFileBesideOrFromMoveIt) {
  for (const char* place : {"urdf/r.srdf", "urdf/other.srdf", "config/r.srdf", "config/moveit.srdf"}) {
    const auto urdf = write("urdf/r.urdf", kRobot), srdf = write(place, kStates);
    const Opened opened = test::valueOf(openAny(urdf.string()));
    const Document& document = opened.document;
    ASSERT_EQ(namesOf(document), (std::vector<std::string>{"home, arm", "home, base", "folded"})) << place;
    EXPECT_TRUE(test::hasNote(opened.notes, "joints that the robot lacks, as \"gone\""));
    EXPECT_EQ(coordinateOf(document, 0, "j1"), 0.5);
    EXPECT_EQ(coordinateOf(document, 1, "j2_y"), 2.0);
    EXPECT_EQ(coordinateOf(document, 1, "j2"), 0.25);
    std::filesystem::remove(srdf);
  }
  write("urdf/a.srdf", kStates);
  write("urdf/b.srdf", kStates);
  EXPECT_TRUE(test::valueOf(openAny((folder_ / "urdf/r.urdf").string())).document.source->poses.empty())
      << "which of two is meant is not known";
}

TEST_F(SourcePoses, GroupsAreJointsChainsAndOtherGroups) {
  const std::string urdf = write("r.urdf", kRobot).string();
  write("r.srdf", R"(<robot name="r"><group name="arm"><chain base_link="a" tip_link="b"/></group>
      <group name="all"><group name="arm"/><group name="loop"/><joint name="j2"/></group>
      <group name="loop"><group name="all"/></group><group name="link"><link name="b"/><link name="gone"/></group>
      <group name="wrong way"><chain base_link="b" tip_link="a"/></group></robot>)");
  const Opened opened = test::valueOf(openAny(urdf));
  std::map<std::string, std::vector<std::string>> groups;
  for (const SourceGroup& group : opened.document.source->groups) groups[group.name] = group.joints;
  EXPECT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups["arm"], std::vector<std::string>{"j1"});
  EXPECT_EQ(groups["all"], (std::vector<std::string>{"j1", "j2_x", "j2_y", "j2"}));
  EXPECT_EQ(groups["loop"], groups["all"]) << "a circle ends";
  EXPECT_EQ(groups["link"], std::vector<std::string>{"j1"});
  EXPECT_TRUE(test::hasNote(opened.notes, "4 groups of joints of r.srdf are among what a goal may use"));
}

TEST_F(SourcePoses, ABrokenFileBesideARobotIsANote) {
  const std::string urdf = write("r.urdf", kRobot).string();
  write("r.srdf",
        "<robot name='r'>\n<group_state name='home' group='g'><joint name='j1' value='x'/></group_state></robot>");
  const Opened opened = test::valueOf(openAny(urdf));
  EXPECT_TRUE(opened.document.source->poses.empty());
  EXPECT_TRUE(test::hasNote(opened.notes, "r.srdf: line 2")) << opened.notes.back();
  for (std::uint32_t i = 0; i < 200; ++i) {
    write("r.srdf", test::Mutation(i)(kStates));
    EXPECT_TRUE(openAny(urdf)) << i;
  }
}

}  // namespace
}  // namespace limber::io::source_poses_test
