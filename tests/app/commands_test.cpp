// SPDX-License-Identifier: MIT
// Exit code, output and errors of the verbs.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "support/robot_texts.h"
#include "support/temporary_folder.h"
#include "support/text_of.h"

namespace limber::app::commands_test {
namespace {

using Commands = test::TemporaryFolder;

struct Answer {
  std::optional<int> code;
  std::string out, err;
  WindowOptions window;
};

Answer run(std::vector<std::string> arguments) {
  std::vector<const char*> argv = {"limber"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  Answer result;
  result.code = runCommandLine(static_cast<int>(argv.size()), argv.data(), result.window, out, err);
  result.out = out.str();
  result.err = err.str();
  return result;
}

nlohmann::json linkOf(const Answer& fk, const std::string& name) {
  const nlohmann::json answer = nlohmann::json::parse(fk.out);
  for (const nlohmann::json& link : answer.at("links"))
    if (link.at("name") == name) return link;
  return {};
}

Eigen::Vector3d positionOf(const Answer& fk, const std::string& name) {
  const auto numbers = linkOf(fk, name).at("position").get<std::vector<double>>();
  return Eigen::Vector3d(numbers.data());
}

TEST_F(Commands, WithoutAVerbTheWindowOpens) {
  EXPECT_FALSE(run({}).code);
  const Answer window = run({"scene.limber", "--scale", "1.5", "--quiet"});
  EXPECT_FALSE(window.code);
  EXPECT_EQ(window.window.file, "scene.limber");
  EXPECT_EQ(window.window.scale, 1.5);
  EXPECT_TRUE(window.window.quiet);
}

TEST_F(Commands, FkListsSitesWithTheirLinks) {
  const std::string robot = (folder_ / "arm.urdf").string();
  std::ofstream(robot) << R"(<robot name="arm"><link name="base"/><link name="upper"><collision><origin xyz="0 0 0.1"/>
    <geometry><cylinder radius="0.01" length="0.2"/></geometry></collision></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="1 0 0"/>
    <axis xyz="1 0 0"/></joint></robot>)";
  const Answer answer = run({"fk", robot, "--pose", R"({"j": 1.5707963267948966})"});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  const nlohmann::json sites = nlohmann::json::parse(answer.out).at("sites");
  ASSERT_EQ(sites.size(), 1u);
  EXPECT_EQ(sites[0].at("name"), "upper");
  EXPECT_EQ(sites[0].at("link"), "upper");
  const auto position = sites[0].at("position").get<std::vector<double>>();
  EXPECT_LT((Eigen::Vector3d(position.data()) - Eigen::Vector3d(1, -0.19, 0)).norm(), 1e-12) << "turned about x";
  const auto rotation = sites[0].at("rotation").get<std::vector<double>>();
  EXPECT_LT((Eigen::Vector4d(rotation.data()) - Eigen::Vector4d(std::sqrt(0.5), 0, 0, std::sqrt(0.5))).norm(), 1e-12);
  EXPECT_EQ(nlohmann::json::parse(run({"fk", "planar:2"}).out).at("sites").size(), 1u);
}

TEST_F(Commands, FormatsAreThoseOfTheDocument) {
  std::ifstream file(std::filesystem::path(LIMBER_SOURCE_DIR) / "docs" / "formats.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const std::string& table : {readFormatsTable(), writtenFormatsTable()})
    EXPECT_NE(page.find("\n" + table), std::string::npos) << "docs/formats.md must hold what limber formats prints:\n"
                                                          << table;
  EXPECT_NE(run({"formats"}).out.find(readFormatsTable()), std::string::npos);
}

TEST_F(Commands, ConvertWritesWhatTheEndingSays) {
  const std::string pose = (folder_ / "pose.json").string(), motion = (folder_ / "chain.bvh").string();
  EXPECT_EQ(run({"convert", "planar:3", pose, "--pose", R"({"joint1": 0.5})"}).code, kSuccess);
  std::ifstream file(pose);
  EXPECT_EQ(nlohmann::json::parse(file).at("joint1"), 0.5);
  EXPECT_EQ(run({"convert", "planar:3", motion, "--pose", pose}).code, kSuccess);
  const Answer before = run({"fk", "planar:3", "--pose", pose}), after = run({"fk", motion, "--frame", "0"});
  for (const char* link : {"link0", "link1", "link2"})
    EXPECT_LT((positionOf(before, link) - positionOf(after, link)).norm(), 1e-12) << link;
}

TEST_F(Commands, ConvertTakesAMotionFromAnotherFileOfTheSameFigure) {
  const auto clip = [](const char* frames) {
    return "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
           "Yrotation\nJOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 "
           "-0.7 0\n}\n}\n}\nMOTION\n" +
           std::string(frames);
  };
  const std::string walk = write("walk.bvh", clip("Frames: 1\nFrame Time: 0.1\n0 1.7 0 0 0 0 0 0 0\n")).string();
  const std::string run2 = write("run.bvh", clip("Frames: 2\nFrame Time: 0.05\n0 1.7 0 0 0 0 0 0 0\n"
                                                 "1 1.7 0 10 0 0 20 0 0\n"))
                               .string();
  const std::string states = (folder_ / "run.json").string(), out = (folder_ / "out.bvh").string();
  ASSERT_EQ(run({"convert", run2, states}).code, kSuccess);
  for (const std::string& motion : {run2, states}) {
    const Answer answer = run({"convert", walk, out, "--motion", motion});
    ASSERT_EQ(answer.code, kSuccess) << answer.err;
    const Answer wanted = run({"fk", run2, "--frame", "1"}), got = run({"fk", out, "--frame", "1"});
    for (const char* link : {"hip", "knee"})
      EXPECT_LT((positionOf(wanted, link) - positionOf(got, link)).norm(), 1e-6) << motion << link;
  }
  const Answer other = run({"convert", "planar:3", out, "--motion", run2});
  EXPECT_EQ(other.code, kBadInput);
  EXPECT_NE(other.err.find("run.bvh: is a motion of another figure"), std::string::npos) << other.err;
  EXPECT_NE(run({"convert", walk, out, "--motion", "planar:3"}).err.find("holds no motion"), std::string::npos);
}

TEST_F(Commands, AnyMotionOfAFileIsChosenByNameOrNumber) {
  Document document = makeDocument(makePlanarChain(2));
  for (const double angle : {0.1, 0.2, 0.3}) {
    auto motion = std::make_shared<Motion>();
    motion->name = angle < 0.15 ? "walk" : angle < 0.25 ? "run" : "1";
    for (int frame = 0; frame < 2; ++frame) motion->append({Eigen::Vector2d(angle, frame)});
    document.clips.push_back(std::move(motion));
  }
  showClip(document, 0);
  const std::string file = (folder_ / "many.limber").string(), out = (folder_ / "one.json").string();
  ASSERT_FALSE(io::writeScene(file, document));
  EXPECT_NE(run({"info", file}).out.find("2 run: 2 frames"), std::string::npos) << run({"info", file}).out;
  const auto angleOf = [&](const std::string& choice) {
    const Eigen::Vector3d tip = positionOf(run({"fk", file, "--motion", choice}), "link1");
    return std::atan2(tip.y(), tip.x());
  };
  EXPECT_NEAR(angleOf("run"), 0.2, 1e-12);
  EXPECT_NEAR(angleOf("2"), 0.2, 1e-12);
  EXPECT_NEAR(angleOf("1"), 0.3, 1e-12) << "names come before numbers";
  const Answer unknown = run({"fk", file, "--motion", "hop"});
  EXPECT_EQ(unknown.code, kBadInput);
  EXPECT_NE(unknown.err.find("there is no motion \"hop\"; the file has 1 \"walk\", 2 \"run\", 3 \"1\""),
            std::string::npos)
      << unknown.err;
  EXPECT_EQ(run({"fk", "planar:2", "--motion", "1"}).code, kBadInput);

  const Answer one = run({"convert", file, out, "--motion", "run"});
  ASSERT_EQ(one.code, kSuccess) << one.err;
  EXPECT_NE(one.err.find("\"run\" is written, 2 others are not: \"walk\", \"1\""), std::string::npos) << one.err;
  const std::string all = (folder_ / "all.glb").string();
  EXPECT_EQ(run({"convert", file, all}).err, "");
  EXPECT_NE(run({"info", all}).out.find("3 1: 2 frames"), std::string::npos);
  const Answer taken = run({"convert", "planar:2", out, "--motion", file, "--motion", "run"});
  ASSERT_EQ(taken.code, kSuccess) << taken.err;
  EXPECT_NE(taken.err.find("\"run\" is written"), std::string::npos) << taken.err;
}

TEST_F(Commands, PosesOfARobotsFileAreFoundByName) {
  const std::string model =
      write("leg.xml", R"(<mujoco><worldbody><body name="thigh"><joint name="hip" axis="0 1 0"/><geom size="0.1"/>
        <body name="shank" pos="0 0 -1"><joint name="knee" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
        <keyframe><key name="Kick out" qpos="1.5707963267948966 0"/></keyframe></mujoco>)")
          .string();
  for (const char* name : {"Kick out", "kick out"}) {
    const Answer answer = run({"fk", model, "--base", "fixed", "--pose", name});
    ASSERT_EQ(answer.code, kSuccess) << answer.err;
    EXPECT_LT((positionOf(answer, "shank") - Eigen::Vector3d(-1, 0, 0)).norm(), 1e-12) << answer.out;
  }
}

TEST_F(Commands, APoseThatSolvePrintsIsAPoseForFk) {
  const std::string problem =
      write("reach.json", R"({"figure": "planar:3", "goals": [{"type": "position", "link": "link2",
                              "point": [1, 0, 0], "target": [1, 1.5, 0]}]})")
          .string();
  const Answer solved = run({"solve", problem});
  ASSERT_EQ(solved.code, kSuccess) << solved.err;
  const std::string report = write("report.json", solved.out).string();
  const Answer fk = run({"fk", problem, "--pose", report});
  ASSERT_EQ(fk.code, kSuccess) << fk.err;
  const nlohmann::json sites = nlohmann::json::parse(fk.out).at("sites");
  const auto tip = sites.at(0).at("position").get<std::vector<double>>();
  const double error = nlohmann::json::parse(solved.out).at("goals").at(0).at("error");
  EXPECT_LT(error, 0.01);
  EXPECT_NEAR((Eigen::Vector3d(tip.data()) - Eigen::Vector3d(1, 1.5, 0)).norm(), error, 1e-9) << fk.out;
}

TEST_F(Commands, NotReachedIsAnExitCodeOfItsOwnWhereItIsAsked) {
  const std::string far = write("far.json", R"({"figure": "planar:3", "goals": [{"type": "position", "link": "link2",
                                                "point": [1, 0, 0], "target": [9, 0, 0]}]})")
                              .string();
  EXPECT_EQ(run({"solve", far}).code, kSuccess);
  const Answer answer = run({"solve", far, "--require-reached"});
  EXPECT_EQ(answer.code, kNotReached);
  EXPECT_FALSE(answer.out.empty()) << "the result is printed all the same";
  const std::string lines = write("far.jsonl",
                                  "{\"figure\": \"planar:3\"}\n{\"goals\": [{\"type\": \"position\", "
                                  "\"link\": \"link2\", \"point\": [1, 0, 0], \"target\": [9, 0, 0]}]}\n")
                                .string();
  EXPECT_EQ(run({"solve", lines, "--batch"}).code, kSuccess);
  EXPECT_EQ(run({"solve", lines, "--batch", "--require-reached"}).code, kNotReached);
}

TEST_F(Commands, EveryErrorHasOneForm) {
  for (const char* verb : {"info", "check", "fk", "certify", "solve", "race", "bake", "workspace"}) {
    const Answer answer = run({verb, "/nowhere/a.json"});
    EXPECT_EQ(answer.code, kBadInput);
    EXPECT_TRUE(answer.err.starts_with("limber " + std::string(verb) + ": /nowhere/a.json: ")) << answer.err;
  }
}

TEST_F(Commands, QuietLeavesOutNotes) {
  const std::string motion =
      write("walk.bvh",
            "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -1 "
            "0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.02\n0 10 20\n")
          .string();
  const std::string scene = (folder_ / "a.glb").string();
  const Answer loud = run({"convert", motion, scene}), quiet = run({"convert", motion, scene, "--quiet"});
  EXPECT_EQ(loud.code, kSuccess);
  EXPECT_TRUE(loud.err.starts_with("limber convert: " + motion + ": ")) << loud.err;
  EXPECT_EQ(quiet.code, kSuccess);
  EXPECT_EQ(quiet.err, "");
}

TEST_F(Commands, ConvertSaysWhatIsWrong) {
  const Answer unknown = run({"convert", "planar:3", (folder_ / "chain.exe").string()});
  EXPECT_EQ(unknown.code, kUsage);
  EXPECT_NE(unknown.err.find("must end in one of .bvh"), std::string::npos) << unknown.err;
  EXPECT_EQ(run({"convert", "planar:3", (folder_ / "no/such/folder.bvh").string()}).code, kBadInput);
  EXPECT_EQ(run({"convert", "planar:3", (folder_ / "a.bvh").string(), "--frame", "0"}).code, kBadInput);
  EXPECT_EQ(run({"convert", "planar:3"}).code, kUsage);
}

TEST_F(Commands, HelpAndVersionSucceed) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"--version"},
                                                    {"info", "--help"},
                                                    {"fk", "--help"},
                                                    {"solve", "--help"},
                                                    {"convert", "--help"},
                                                    {"check", "--help"},
                                                    {"render", "--help"}}) {
    const Answer help = run(arguments);
    EXPECT_EQ(help.code, kSuccess);
    EXPECT_NE(help.out, "");
  }
}

TEST_F(Commands, WrongUsageIsTwo) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--no-such-flag"},
                                                    {"info"},
                                                    {"fk", "planar:2", "--frame", "-1"},
                                                    {"fk", "planar:2", "--frame", "x"},
                                                    {"info", "a", "b"},
                                                    {"--scale", "-3"},
                                                    {"render", "humanoid"},
                                                    {"render", "humanoid", "-o", "-", "--size", "0x5"},
                                                    {"render", "humanoid", "-o", "-", "--size", "99999999999x5"},
                                                    {"solve"},
                                                    {"render", "humanoid", "-o", "-", "--size", "15x15"},
                                                    {"render", "humanoid", "-o", "-", "--size", "64x 64"},
                                                    {"render", "none", "-o", "x.bmp"},
                                                    {"render", "none", "-o", "x.jpg", "--transparent"},
                                                    {"render", "none", "-o", "x.png", "--view", "north"},
                                                    {"render", "none", "-o", "x.png", "--from", "up"},
                                                    {"render", "none", "-o", "x.png", "--frames", "3:1"},
                                                    {"convert", "none", "x.exe"},
                                                    {"bake", "none", "--out", "x.exe"},
                                                    {"bake", "none", "--from", "3", "--to", "1"},
                                                    {"fit", "none", "none", "--out", "x.exe"},
                                                    {"solve", "none", "--solver", "magic"},
                                                    {"race", "none", "--solvers", "newton,magic"}}) {
    const Answer wrong = run(arguments);
    EXPECT_EQ(wrong.code, kUsage) << wrong.err;
    const std::string verb = arguments[0][0] == '-' ? "limber: " : "limber " + arguments[0] + ": ";
    EXPECT_TRUE(wrong.err.starts_with(verb)) << wrong.err;
    EXPECT_EQ(std::count(wrong.err.begin(), wrong.err.end(), '\n'), 1) << wrong.err;
    EXPECT_LT(wrong.err.size(), 500U) << wrong.err;
  }
}

TEST_F(Commands, ExitCodesAreThoseOfTheDocuments) {
  const std::string page = test::textOf(std::filesystem::path(LIMBER_SOURCE_DIR) / "docs/command_line.md");
  for (const ExitCode& exit : kExitCodes)
    EXPECT_NE(page.find("| " + std::to_string(exit.code) + " | " + exit.meaning + " |"), std::string::npos)
        << exit.code;
}

TEST_F(Commands, InfoDescribesTheHumanoid) {
  const Answer info = run({"info", "humanoid"});
  EXPECT_EQ(info.code, kSuccess) << info.err;
  for (const char* part : {"humanoid", "1 free", "revolute", "head_top", "y up", "m at rest"})
    EXPECT_NE(info.out.find(part), std::string::npos) << part << "\n" << info.out;
}

constexpr const char* kMimic = R"(<robot name="n"><link name="base"/><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="k" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="j" multiplier="-2" offset="0.1"/></joint></robot>)";

TEST_F(Commands, InfoNamesCouplings) {
  const std::string out = run({"info", write("mimic.urdf", kMimic).string()}).out;
  EXPECT_NE(out.find("k follows j: ratio -2, offset 0.1\n"), std::string::npos) << out;
}

TEST_F(Commands, InfoForPrograms) {
  const Answer info = run({"info", write("mimic.urdf", kMimic).string(), "--json"});
  ASSERT_EQ(info.code, kSuccess) << info.err;
  const nlohmann::json json = nlohmann::json::parse(info.out);
  EXPECT_EQ(json["up"], "z");
  EXPECT_EQ(json["metres_per_unit"], 1.0);
  EXPECT_EQ(json["links"][2]["parent"], "a");
  EXPECT_EQ(json["joints"][2]["name"], "k");
  EXPECT_EQ(json["joints"][2]["limits"], (nlohmann::json{-3.0, 3.0}));
  EXPECT_EQ(json["joints"][2]["velocity_limit"], 1.0);
  EXPECT_FALSE(json["joints"][0].contains("velocity_limit"));
  EXPECT_EQ(json["couplings"][0]["follower"], "k");
  EXPECT_EQ(json["couplings"][0]["offset"], 0.1);
  EXPECT_EQ(json["couplings"][0]["terms"][0],
            (nlohmann::json{{"driver", "j"}, {"coefficients", {-2.0, 0.0, 0.0, 0.0}}}));
  for (const char* figure : {"human", "planar:3"})
    EXPECT_FALSE(nlohmann::json::parse(run({"info", figure, "--json"}).out)["sites"].empty());
}

TEST_F(Commands, EachVerbThatPrintsJsonTakesTheOption) {
  const std::string problem = write("p.json", R"({"figure": "planar:2", "goals": [{"target": [1, 1, 0]}]})").string();
  for (const char* verb : {"info", "fk", "solve", "certify", "race"}) {
    const Answer answer = run({verb, problem, "--json"});
    EXPECT_EQ(answer.code, kSuccess) << verb << answer.err;
    EXPECT_TRUE(nlohmann::json::parse(answer.out).is_object()) << verb;
  }
  for (const char* verb : {"bake", "fit", "workspace", "replay"})
    EXPECT_NE(run({verb, "--help"}).out.find("--json"), std::string::npos) << verb;
}

TEST_F(Commands, JacobiansAreTheDifferencesOfPlaces) {
  const std::string robot = write("r.urdf", R"(<robot name="r"><link name="base"/><link name="a"/><link name="b"/>
<joint name="s" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="h" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0.5" rpy="0.3 0 0"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>)")
                                .string();
  for (const std::string& file : {robot, write("mimic.urdf", kMimic).string()}) {
    const std::string driver = file == robot ? "s" : "j", other = file == robot ? "h" : "k";
    const auto poseText = [&](double value) { return nlohmann::json{{driver, value}}.dump(); };
    const Answer fk = run({"fk", file, "--pose", poseText(0.4), "--jacobian", "b"});
    ASSERT_EQ(fk.code, kSuccess) << fk.err;
    const auto jacobian = nlohmann::json::parse(fk.out).at("jacobians").at(0);
    EXPECT_EQ(jacobian.at("columns"), (nlohmann::json{driver, other}));
    const double h = 1e-6;
    const Eigen::Vector3d plus = positionOf(run({"fk", file, "--pose", poseText(0.4 + h)}), "b");
    const Eigen::Vector3d minus = positionOf(run({"fk", file, "--pose", poseText(0.4 - h)}), "b");
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(jacobian.at("rows")[i][0].get<double>(), (plus - minus)[i] / (2.0 * h), 1e-8) << file;
    const double turn = file == robot ? 0.0 : 1.0 - 2.0;  // the driven joint turns back by twice as much
    EXPECT_NEAR(jacobian.at("rows")[5][0].get<double>(), turn, 1e-12);
  }
  const Answer unknown = run({"fk", robot, "--jacobian", "nose"});
  EXPECT_EQ(unknown.code, kBadInput);
  EXPECT_NE(unknown.err.find("nose"), std::string::npos) << unknown.err;
}

TEST_F(Commands, DrivenJointsOfAGivenPoseFollow) {
  const std::string robot = write("mimic.urdf", kMimic).string(), out = (folder_ / "o.json").string();
  const auto turnOf = [&](const Answer& fk) {
    const auto q = linkOf(fk, "b").at("rotation").get<std::vector<double>>();
    return 2.0 * std::atan2(q[2], q[3]);  // of both joints, about z
  };
  const Answer followed = run({"fk", robot, "--pose", R"({"j": 0.4})"});
  ASSERT_EQ(followed.code, kSuccess) << followed.err;
  EXPECT_EQ(followed.err, "");
  EXPECT_NEAR(turnOf(followed), 0.4 - 0.7, 1e-12);
  const Answer contradicted = run({"fk", robot, "--pose", R"({"j": 0.4, "k": 0.9})"});
  EXPECT_NE(contradicted.err.find("\"k\" is 0.9 and becomes -0.7"), std::string::npos) << contradicted.err;
  EXPECT_NEAR(turnOf(contradicted), -0.3, 1e-12);
  EXPECT_EQ(run({"fk", robot, "--pose", R"({"j": 0.4, "k": -0.7})"}).err, "");

  ASSERT_EQ(run({"convert", robot, out, "--pose", R"({"j": 0.4})"}).code, kSuccess);
  EXPECT_NEAR(nlohmann::json::parse(std::ifstream(out)).at("k").get<double>(), -0.7, 1e-12);
}

TEST_F(Commands, DrivenJointsOfAMotionFollow) {
  const std::string robot = write("mimic.urdf", kMimic).string(), out = (folder_ / "o.json").string();
  const std::string table = write("m.csv", "time [s],j [rad]\n0,0\n0.1,0.4\n").string();
  const std::string both = write("b.csv", "time [s],j [rad],k [rad]\n0,0,0.1\n0.1,0.4,0.9\n").string();
  const std::string states = write("m.json", R"({"frame_time": 0.1, "frames": [{"j": 0}, {"j": 0.4}]})").string();
  for (const std::string& motion : {table, both, states}) {
    const Answer answer = run({"convert", robot, out, "--motion", motion});
    ASSERT_EQ(answer.code, kSuccess) << answer.err;
    const auto frames = nlohmann::json::parse(std::ifstream(out)).at("frames");
    EXPECT_NEAR(frames[0].at("k").get<double>(), 0.1, 1e-12) << motion;
    EXPECT_NEAR(frames[1].at("k").get<double>(), -0.7, 1e-12) << motion;
    EXPECT_EQ(answer.err.find("\"k\" contradicts its coupling in 1 of 2 frames, first in frame 1") != std::string::npos,
              motion == both)
        << answer.err;
  }
}

TEST_F(Commands, BadInputIsOneAndNamed) {
  const std::string broken = write("broken.bvh", "HIERARCHY\nROOT a\n{\n").string();
  for (const char* verb : {"info", "fk", "solve", "check"}) {
    EXPECT_EQ(run({verb, broken}).code, kBadInput);
    EXPECT_NE(run({verb, broken}).err.find("broken.bvh: line 4"), std::string::npos);
    EXPECT_EQ(run({verb, folder_.string()}).code, kBadInput);
    EXPECT_EQ(run({verb, "planar:1000000000"}).code, kBadInput);
    EXPECT_EQ(run({verb, "no such file"}).code, kBadInput);
    EXPECT_EQ(run({verb, "no such file"}).out, "");
  }
}

TEST_F(Commands, FkPrintsPositionsAndRotations) {
  const Answer fk = run({"fk", "planar:2", "--pose", R"({"joint0": 1.5707963267948966, "joint1": 3.141592653589793})"});
  ASSERT_EQ(fk.code, kSuccess) << fk.err;
  EXPECT_LT((positionOf(fk, "link1") - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  const auto rotation = linkOf(fk, "link1").at("rotation").get<std::vector<double>>();
  EXPECT_NEAR(rotation[2], -std::sqrt(0.5), 1e-12);  // 270 degrees about z, with w >= 0
  EXPECT_NEAR(rotation[3], std::sqrt(0.5), 1e-12);
}

TEST_F(Commands, FkSpeaksTheFilesAxesAndUnits) {
  const std::string bvh =
      write("z_up.bvh",
            "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition Zposition Xrotation "
            "Yrotation Zrotation\nJOINT b\n{\nOFFSET 0 0 170\nCHANNELS 0\n}\n}\n"
            "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n10 0 0 90 0 0\n")
          .string();
  const Answer first = run({"fk", bvh});
  ASSERT_EQ(first.code, kSuccess) << first.err;
  EXPECT_LT((positionOf(first, "b") - Eigen::Vector3d(1, 2, 173)).norm(), 1e-9);
  const Answer second = run({"fk", bvh, "--frame", "1"});
  ASSERT_EQ(second.code, kSuccess) << second.err;
  EXPECT_LT((positionOf(second, "a") - Eigen::Vector3d(11, 2, 3)).norm(), 1e-9);
  EXPECT_LT((positionOf(second, "b") - Eigen::Vector3d(11, -168, 3)).norm(), 1e-9);
  const auto rotation = linkOf(second, "a").at("rotation").get<std::vector<double>>();
  EXPECT_NEAR(rotation[0], std::sqrt(0.5), 1e-12);
  EXPECT_NE(run({"fk", bvh, "--frame", "2"}).err.find("outside 0 to 1"), std::string::npos);
  const Answer posed = run({"fk", bvh, "--pose", R"({"a": [10, 0, 0, 0, 0, 0, 1]})"});
  EXPECT_LT((positionOf(posed, "b") - Eigen::Vector3d(11, 2, 173)).norm(), 1e-9);
}

TEST_F(Commands, FkReadsAPoseFile) {
  const std::string pose = write("pose.json", R"({"joint0": 1.5707963267948966})").string();
  EXPECT_LT((positionOf(run({"fk", "planar:2", "--pose", pose}), "link1") - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_NE(run({"fk", "planar:2", "--pose", "{\"knee\": 1}"}).err.find("--pose: knee"), std::string::npos);
  EXPECT_NE(run({"fk", "planar:2", "--frame", "0"}).err.find("no motion"), std::string::npos);
}

TEST_F(Commands, FkTakesAPoseOfTheLibraryByItsName) {
  const Answer joints = run({"fk", "humanoid", "--pose", "Reach up"});
  ASSERT_EQ(joints.code, kSuccess) << joints.err;
  EXPECT_TRUE(joints.err.empty()) << joints.err;
  EXPECT_GT(positionOf(joints, "right_hand").y(), positionOf(joints, "head").y()) << "by its joints";
  const Answer parts = run({"fk", "human", "--pose", "humanoid/reach_up"});
  ASSERT_EQ(parts.code, kSuccess) << parts.err;
  EXPECT_GT(positionOf(parts, "right hand").y(), positionOf(parts, "head").y()) << "by the parts of the body";
  EXPECT_LT(positionOf(parts, "left hand").y(), positionOf(parts, "head").y());
  const Answer none = run({"fk", "human", "--pose", "Reach down"});
  EXPECT_EQ(none.code, kBadInput);
  EXPECT_NE(none.err.find("Reach down: --pose: is neither a file nor the name of a pose"), std::string::npos)
      << none.err;
  const std::string alien =
      write("alien.json", R"({"format": "limber pose", "version": 1, "name": "x", "pose": {"tail": 1}})").string();
  EXPECT_NE(run({"fk", "human", "--pose", alien}).err.find("tail"), std::string::npos) << "names the joint";
  const std::string broken = write("broken.json", R"({"format": "limber pose", "version": 1, "name": "x", "pose": {},
      "parts": {"turns": {"head": [[0, 0, 0, 1]]}, "feet": {"front": 1}}})")
                                 .string();
  EXPECT_NE(run({"fk", "human", "--pose", broken}).err.find("broken.json: parts.feet"), std::string::npos);
  const Answer arm = run({"fk", "arm", "--pose", "Wave"});
  EXPECT_EQ(arm.code, kBadInput);
  EXPECT_NE(arm.err.find("neither a human body nor a hand is recognised"), std::string::npos) << arm.err;
}

TEST_F(Commands, SolveAndCheckAreReached) {
  const std::string problem =
      write("p.json", R"({"figure": "planar:2", "start": {"joint0": 0.3}, "goals": [{"target": [1, 1, 0]}]})").string();
  const Answer solve = run({"solve", problem, "--derivatives"});
  ASSERT_EQ(solve.code, kSuccess) << solve.err;
  const nlohmann::json result = nlohmann::json::parse(solve.out);
  EXPECT_LT(result.at("goals").at(0).at("error").get<double>(), 0.1);
  EXPECT_EQ(result.at("hessian").size(), 2u);
  EXPECT_EQ(run({"check", problem}).code, kSuccess) << run({"check", problem}).err;
  const Answer unknown = run({"solve", problem, "--solver", "magic"});
  EXPECT_EQ(unknown.code, kUsage);
  for (const char* part : {"limber solve: --solver: ", "magic", "newton", "multi-start"})
    EXPECT_NE(unknown.err.find(part), std::string::npos) << unknown.err;
  EXPECT_NE(solve.out.find("\"time_us\": "), std::string::npos);
  const double nanoseconds = 1e3 * result.at("time_us").get<double>();
  EXPECT_NEAR(nanoseconds, std::round(nanoseconds), 1e-6);
}

TEST_F(Commands, LostHelpIsAFailure) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  for (const char* flag : {"--help", "--version"}) {
    const char* const argv[] = {"limber", flag};
    WindowOptions window;
    std::ostringstream err;
    EXPECT_EQ(runCommandLine(2, argv, window, full, err), kBadInput);
    EXPECT_NE(err.str().find("could not be written"), std::string::npos);
    full.clear();
  }
}

TEST_F(Commands, SquaresOfManyCoordinatesAreRefused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"check", "planar:20000"},
                                                    {"solve", "planar:20000", "--derivatives"},
                                                    {"solve", "planar:20000", "--solver", "nm"},
                                                    {"solve", "ball:20000", "--solver", "gdls+nm"}}) {
    const Answer refused = run(arguments);
    EXPECT_EQ(refused.code, kBadInput);
    EXPECT_EQ(refused.out, "");
    EXPECT_NE(refused.err.find("at most 10000"), std::string::npos) << refused.err;
  }
}

TEST_F(Commands, LostOutputIsAFailure) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  std::ostringstream err;
  EXPECT_EQ(Console("info", full, err).print("text"), kBadInput);
  EXPECT_NE(err.str().find("could not be written"), std::string::npos);
}

TEST_F(Commands, BaseIsFreeOrFixedWhereverARobotIsOpened) {
  const std::string robot = write("robot.urdf", test::quadrupedText()).string();
  const Answer info = run({"info", robot}), fixed = run({"info", robot, "--base", "fixed"});
  EXPECT_EQ(info.code, kSuccess);
  EXPECT_NE(info.out.find("stands on 4 legs"), std::string::npos) << info.out;
  EXPECT_EQ(fixed.out.find("legs"), std::string::npos) << fixed.out;
  const Answer places = run({"fk", robot, "--pose", R"({"front_left_shank_joint": 0.3})"});
  EXPECT_EQ(places.code, kSuccess) << places.err;
  EXPECT_EQ(places.out, run({"fk", robot, "--base", "fixed", "--pose", R"({"front_left_shank_joint": 0.3})"}).out)
      << "the file's own coordinates, to the last digit";
  const Answer moved = run({"fk", robot, "--pose", R"({"body": [0, 0, -0.05, 0, 0, 0, 1]})"});
  EXPECT_LT((positionOf(moved, "body") - Eigen::Vector3d(0, 0, -0.05)).norm(), 1e-12) << moved.err;
  EXPECT_EQ(run({"fk", robot, "--base", "fixed", "--pose", R"({"body": [0, 0, 0, 0, 0, 0, 1]})"}).code, kBadInput);
  const Answer wrong = run({"info", robot, "--base", "flying"});
  EXPECT_EQ(wrong.code, kUsage);
  EXPECT_NE(wrong.err.find("--base: flying not in {"), std::string::npos) << wrong.err;
  const Answer chain = run({"info", "planar:3", "--base", "free"});
  EXPECT_EQ(chain.code, kBadInput);
  EXPECT_NE(chain.err.find("planar:3: --base: only a robot"), std::string::npos) << chain.err;
  EXPECT_EQ(run({robot, "--base", "free"}).window.context.base, BaseChoice::Free);
}

TEST_F(Commands, PositionChannelsOfABvhFileAreChosen) {
  const std::string joint = "OFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\n";
  const std::string bvh = write("chain.bvh", "HIERARCHY\nROOT a\n{\n" + joint + "JOINT b\n{\n" + joint +
                                                 "}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 1 0 0 1 0\n")
                              .string();
  const auto heightOf = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"fk", bvh, "--frame", "0"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return positionOf(run(all), "b").y();
  };
  EXPECT_NEAR(heightOf({}), 2, 1e-12);
  EXPECT_NEAR(heightOf({"--bvh-positions", "replace"}), 2, 1e-12);
  EXPECT_NEAR(heightOf({"--bvh-positions", "add"}), 4, 1e-12);
  EXPECT_EQ(run({"fk", bvh, "--bvh-positions", "motion"}).code, kUsage);
  const Answer chain = run({"info", "planar:3", "--bvh-positions", "add"});
  EXPECT_EQ(chain.code, kBadInput);
  EXPECT_NE(chain.err.find("planar:3: --bvh-positions: only a BVH file"), std::string::npos) << chain.err;
  const std::string scene = (folder_ / "chain.limber").string();
  EXPECT_EQ(run({"convert", bvh, scene, "--bvh-positions", "add"}).code, kSuccess);
  EXPECT_NEAR(positionOf(run({"fk", scene}), "b").y(), 4, 1e-12) << "the scene keeps the choice";
}

TEST_F(Commands, SolveNamesAFreedBaseOnlyWhereItHasMoved) {
  write("robot.urdf", test::quadrupedText());
  const auto solved = [&](const std::string& goal, const std::string& posing) {
    const Answer answer =
        run({"solve", write("p.json", R"({"figure": "robot.urdf", "goals": [)" + goal + "]}").string(), "--posing",
             posing});
    EXPECT_EQ(answer.code, kSuccess) << answer.err;
    return nlohmann::json::parse(answer.out);
  };
  const std::string paw = R"({"link": "front_left_toe", "target": [0.27, 0.15, -0.33]})";
  EXPECT_FALSE(solved(paw, "even").at("pose").contains("body"));
  const std::string body = R"({"link": "body", "point": [0, 0, 0], "target": [0, 0, -0.05]})";
  const nlohmann::json down = solved(body, "natural");
  EXPECT_EQ(down.at("outcome"), "reached");
  EXPECT_NEAR(down.at("pose").at("body").at(2).get<double>(), -0.05, 1e-4);
}

/// A mistake on the command line, the exit code, and the words of the only line on standard error, in this order.
struct Mistake {
  std::vector<std::string> arguments;
  int code;
  std::vector<std::string> words;
};

/// True if the error is a line that has all words in this order.
bool isLineOf(const std::string& error, const std::vector<std::string>& words) {
  std::size_t at = 0;
  for (const std::string& word : words) {
    at = error.find(word, at);
    if (at == std::string::npos) return false;
    at += word.size();
  }
  return std::ranges::count(error, '\n') == 1 && error.ends_with('\n');
}

TEST_F(Commands, EveryMistakeNamesVerbPlaceAndCauseAndEqualOnesHaveEqualCodes) {
  const auto problem = [](const std::string& goal, const std::string& more = "") {
    return R"({"figure": "arm", )" + more + R"("goals": [{"type": "position", )" + goal + "}]}";
  };
  const std::string good = write("good.json", problem(R"("site": "tool", "target": [0.4, 0.6, 0.1])")).string();
  const std::string notANumber = write("nan.json", problem(R"("site": "tool", "target": [0.4, NaN, 0.1])")).string();
  const std::string tooLarge = write("large.json", problem(R"("site": "tool", "target": [0.4, 1e999, 0.1])")).string();
  const std::string noLink = write("link.json", problem(R"("link": "nolink", "target": [0, 0, 0])")).string();
  const std::string noSolver =
      write("solver.json", problem(R"("site": "tool", "target": [0, 0, 0])", R"("solver": "nosolver", )")).string();
  const std::string empty = write("empty.json", "").string(), cut = write("cut.json", "{\"figure\":").string();
  const std::string noXml = write("bad.urdf", "<robot name=\"r\"><link name=\"a\">").string();
  const std::string folder = (folder_ / "folder.bvh").string(), nowhere = (folder_ / "nowhere" / "x.bvh").string();
  std::filesystem::create_directory(folder);
  std::vector<Mistake> mistakes = {
      {{"slove", good}, 2, {"limber:", "slove", "solve"}},
      {{"convert", "arm"}, 2, {"limber convert:", "OUT"}},
      {{"convert", "arm", "x.nosuch"}, 2, {"limber convert:", "x.nosuch", "must end in"}},
      {{"convert", "arm", nowhere}, 1, {"limber convert:", nowhere, "no such folder"}},
      {{"convert", "arm", folder}, 1, {"limber convert:", folder, "directory"}},
      {{"solve", good, "-o", nowhere}, 1, {"limber solve:", nowhere, "no such folder"}},
      {{"solve", good, "--solver", "nosolver"}, 2, {"limber solve:", "--solver", "nosolver", "newton"}},
      {{"race", good, "--solvers", "newton,nosolver"}, 2, {"limber race:", "--solvers", "nosolver", "newton"}},
      {{"solve", good, "--posing", "nosuch"}, 2, {"limber solve:", "--posing", "nosuch"}},
      {{"solve", noSolver}, 1, {"limber solve:", noSolver, "nosolver", "newton"}},
      {{"fk", "arm", "--jacobian", "nosite"}, 1, {"limber fk:", "nosite"}},
      {{"fk", "arm", "--pose", "nofile"}, 1, {"limber fk:", "nofile", "--pose"}},
      {{"solve", good, "--max-iterations", "5"}, 2, {"limber solve:", "no option --max-iterations"}},
      {{"bake", "--nosuch=30"}, 2, {"limber bake:", "no option --nosuch"}},
      {{"render", "arm", "-x"}, 2, {"limber render:", "no option -x"}}};
  for (const char* verb : {"info", "solve", "race", "certify", "check", "fk", "bake", "workspace"}) {
    const std::string name = std::string("limber ") + verb + ":";
    mistakes.push_back({{verb}, 2, {name, "is required"}});
    mistakes.push_back({{verb, "--nosuch"}, 2, {name, "no option --nosuch"}});
    mistakes.push_back({{verb, "nofile.json"}, 1, {name, "nofile.json", "no such file"}});
    mistakes.push_back({{verb, folder}, 1, {name, folder, "folder"}});
    mistakes.push_back({{verb, empty}, 1, {name, empty, "empty"}});
    mistakes.push_back({{verb, cut}, 1, {name, cut, "line 1, column 10"}});
    mistakes.push_back({{verb, noXml}, 1, {name, noXml, "line 1"}});
    mistakes.push_back({{verb, notANumber}, 1, {name, notANumber, "line 1, column"}});
    mistakes.push_back({{verb, tooLarge}, 1, {name, tooLarge, "line 1, column", "too large"}});
    mistakes.push_back({{verb, noLink}, 1, {name, noLink, "goals[0].link", "nolink"}});
  }
  for (const Mistake& mistake : mistakes) {
    const Answer answer = run(mistake.arguments);
    std::string line = "limber";
    for (const std::string& argument : mistake.arguments) line += " " + argument;
    EXPECT_EQ(answer.code, mistake.code) << line << "\n" << answer.err;
    EXPECT_TRUE(isLineOf(answer.err, mistake.words)) << line << "\n" << answer.err;
    EXPECT_EQ(answer.out, "") << line;
  }
}

}  // namespace
}  // namespace limber::app::commands_test
