// SPDX-License-Identifier: MIT
// Poses that the files of robots name: keyframes of MuJoCo, group states of SRDF; and their groups of joints.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "fuzz/mutation.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/named_pose.h"
#include "limber/io/open.h"
#include "results.h"
#include "support/says.h"
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

const std::string kGroups = R"(<robot name="r"><group name="arm"><chain base_link="a" tip_link="b"/></group>
  <group name="all"><group name="arm"/><group name="loop"/><joint name="j2"/></group>
  <group name="loop"><group name="all"/></group><group name="link"><link name="b"/><link name="gone"/></group>
  <group name="wrong way"><chain base_link="b" tip_link="a"/></group></robot>)";

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
    EXPECT_TRUE(test::hasNote(opened.notes, "joints that the robot lacks, such as \"gone\""));
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
  write("r.srdf", kGroups);
  const Opened opened = test::valueOf(openAny(urdf));
  std::map<std::string, std::vector<std::string>> groups;
  for (const SourceGroup& group : opened.document.source->groups) groups[group.name] = group.joints;
  EXPECT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups["arm"], std::vector<std::string>{"j1"});
  EXPECT_EQ(groups["all"], (std::vector<std::string>{"j1", "j2_x", "j2_y", "j2"}));
  EXPECT_EQ(groups["loop"], groups["all"]) << "a circle ends";
  EXPECT_EQ(groups["link"], std::vector<std::string>{"j1"});
  EXPECT_TRUE(test::hasNote(opened.notes, "4 groups of joints of r.srdf are available as chains of goals"));
}

/// A problem of the robot with one goal that uses this.
std::string problemWith(const std::string& chain, const std::string& figure = "r.urdf") {
  return R"({"figure": ")" + figure + R"(", "goals": [{"link": ")" + (figure == "r.urdf" ? "c" : "link0") +
         R"(", "target": [1, 0, 0], "chain": )" + chain + "}]}";
}

TEST_F(SourcePoses, TheChainOfAProblemsGoalMayBeAGroup) {
  write("r.urdf", kRobot);
  write("r.srdf", kGroups);
  const auto chainOf = [&](const std::string& chain) {
    return test::valueOf(parseProblem(problemWith(chain), "p", folder_)).document.goals.at(0).chain;
  };
  EXPECT_EQ(chainOf(R"("arm")"), chainOf(R"(["j1"])"));
  EXPECT_EQ(chainOf(R"("all")"), chainOf(R"(["j1", "j2_x", "j2_y", "j2"])"));
  EXPECT_EQ(chainOf(R"("arm")").size(), 1u);
}

TEST_F(SourcePoses, AGoalUsesTheGroupInABatchAndWhenItIsChanged) {
  write("r.urdf", kRobot);
  write("r.srdf", kGroups);
  const Document header = test::valueOf(parseBatchHeader(R"({"figure": "r.urdf"})", "b", folder_));
  const BatchLine line = test::valueOf(
      parseBatchLine(R"({"goals": [{"link": "c", "target": [1, 0, 0], "chain": "arm"}]})", "b", 2, header));
  EXPECT_EQ(line.goals.at(0).chain, std::vector<int>{header.figure->findJoint("j1")});

  const Json text = parseJson(problemWith("[]"));
  OpenProblem problem = test::valueOf(openProblemFromJson(JsonValue(text), folder_));
  EXPECT_TRUE(problem.document.goals.at(0).chain.empty());
  const Json toArm = parseJson(R"({"goals": {"c": {"chain": "arm"}}})");
  problem.change(JsonValue(toArm));
  const Json toTarget = parseJson(R"({"goals": {"c": {"target": [0, 1, 0]}}})");
  problem.change(JsonValue(toTarget));
  EXPECT_EQ(problem.document.goals.at(0).chain, line.goals.at(0).chain) << "another change leaves it";
}

TEST_F(SourcePoses, AnUnknownGroupIsAnErrorThatNamesThoseThereAre) {
  write("r.urdf", kRobot);
  const auto faultOf = [&](const std::string& text) { return test::messageOf(parseProblem(text, "p", folder_)); };
  const std::string none = ", nor any other: an SRDF file beside a URDF names them";
  EXPECT_EQ(faultOf(problemWith(R"("leg")")), "p: goals[0].chain: the figure has no group of joints \"leg\"" + none);
  EXPECT_EQ(faultOf(problemWith(R"("arm")", "planar:2")),
            "p: goals[0].chain: the figure has no group of joints \"arm\"" + none);
  write("r.srdf", kGroups);
  EXPECT_TRUE(test::says(faultOf(problemWith(R"("leg")")),
                         {"p: goals[0].chain", "\"leg\"", "\"all\"", "\"arm\"", "\"link\"", "\"loop\""}));
  EXPECT_EQ(faultOf(problemWith(R"(["arm"])")), "p: goals[0].chain[0]: the figure has no joint \"arm\"");
  EXPECT_EQ(faultOf(problemWith("1")), "p: goals[0].chain: must be an array, not a number");
  std::ostringstream many;
  for (int i = 100; i < 200; ++i) many << "<group name='g" << i << "'><joint name='j1'/></group>";
  write("r.srdf", "<robot name='r'>" + many.str() + "</robot>");
  const std::string fault = faultOf(problemWith(R"("leg")"));
  EXPECT_TRUE(fault.ends_with("\"g139\", ...")) << fault;
}

TEST_F(SourcePoses, DisabledCollisionsArePairsOfTheProblem) {
  const std::string urdf = write("r.urdf", kRobot).string();
  const auto pairsOf = [&](const std::string& elements) {
    write("r.srdf", "<robot name='r'>" + elements + "</robot>");
    const Document document = test::valueOf(openAny(urdf)).document;
    std::set<std::string> pairs;
    for (const LinkPair& pair : document.disabledPairs) {
      EXPECT_LT(pair.link, pair.other);
      pairs.insert(document.figure->link(pair.link).name + " " + document.figure->link(pair.other).name);
    }
    EXPECT_EQ(pairs.size(), document.disabledPairs.size());
    return pairs;
  };
  EXPECT_TRUE(pairsOf("").empty());
  EXPECT_EQ(pairsOf("<disable_collisions link1='c' link2='a' reason='Never'/>"
                    "<disable_collisions link1='a' link2='c'/><disable_collisions link1='a' link2='a'/>"),
            std::set<std::string>{"a c"});
  const auto ofDefault = pairsOf("<disable_default_collisions link='b'/>");
  EXPECT_TRUE(ofDefault.contains("a b") && !ofDefault.contains("a c"));
  const auto withoutOne = pairsOf("<disable_default_collisions link='b'/><enable_collisions link1='b' link2='a'/>");
  EXPECT_EQ(withoutOne.size() + 1, ofDefault.size());
  EXPECT_FALSE(withoutOne.contains("a b"));
  EXPECT_TRUE(pairsOf("<disable_collisions link1='gone' link2='a'/>").empty());
  EXPECT_TRUE(test::hasNote(test::valueOf(openAny(urdf)).notes, "links that the robot lacks, such as \"gone\""));
}

TEST_F(SourcePoses, AProblemAddsToTheDisabledCollisionsOfItsRobot) {
  write("r.urdf", kRobot);
  write("r.srdf", "<robot name='r'><disable_collisions link1='a' link2='c'/></robot>");
  const Json text = parseJson(problemWith("[]"));
  OpenProblem problem = test::valueOf(openProblemFromJson(JsonValue(text), folder_));
  EXPECT_EQ(problem.document.disabledPairs.size(), 1u);
  const Json more = parseJson(R"({"disabled_pairs": [["b", "c"]], "safety_distance": 0.03})");
  problem.change(JsonValue(more));
  EXPECT_EQ(problem.document.disabledPairs.size(), 2u);
  EXPECT_EQ(problem.document.safetyDistance, 0.03);
  const Json none = parseJson(R"({"disabled_pairs": []})");
  problem.change(JsonValue(none));
  EXPECT_EQ(problem.document.disabledPairs.size(), 1u) << "those of the file stay";
  for (const char* wrong : {R"([["a"]])", R"([["a", "nose"]])", R"([["a", "a"]])", R"(["a"])"}) {
    const Json json = parseJson(std::string(R"({"disabled_pairs": )") + wrong + "}");
    EXPECT_THROW(problem.change(JsonValue(json)), JsonFault) << wrong;
  }
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
