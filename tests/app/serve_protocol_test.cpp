// SPDX-License-Identifier: MIT
#include "app/commands/serve_protocol.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>

#include "limber/io/json/pose_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "support/says.h"

namespace limber::app::serve_protocol_test {
namespace {

using Json = nlohmann::json;

std::string answerOf(ServeSession& session, const std::string& line) {
  std::string given;
  session.answer(line, [&](std::string&& answer) { given = std::move(answer); });
  return given;
}

class Serve : public testing::Test {
 protected:
  Json ask(const Json& request) { return askText(request.dump()); }
  Json askText(const std::string& line) {
    const std::string answer = answerOf(session_, line);
    EXPECT_TRUE(!answer.empty() && answer.find('\n') == answer.size() - 1) << "one line: " << answer;
    return Json::parse(answer);
  }
  std::string faultOf(const std::string& line) { return askText(line).value("error", ""); }
  void open(const std::string& keys) {
    const Json answer = askText(R"({"open": "it", )" + keys + "}");
    ASSERT_FALSE(answer.contains("error")) << answer;
  }
  /// The answer without its time.
  static Json timeless(Json answer) {
    answer.erase("time_us");
    return answer;
  }

  ServeLimits limits_{.figures = 3};
  ServeSession session_{limits_};
};

/// The position of a site in the pose of an answer.
Eigen::Vector3d placeOf(const std::string& name, const std::string& siteName, const Json& answer) {
  const Document document = io::openAny(name)->document;
  const Figure& figure = *document.figure;
  const auto pose = io::parsePose(answer["pose"].dump(), "answer", figure, restPose(figure));
  const Site& site = figure.sites()[static_cast<std::size_t>(figure.findSite(siteName))];
  return transformsOf(figure, *pose).worldFromLink[site.link] * site.linkFromSite.translation;
}

const Eigen::Vector3d kLeft(0.3, 1.1, 0.25), kRight(-0.3, 1.1, 0.25);
constexpr const char* kHands = R"("figure": "humanoid", "goals": [
    {"name": "left", "site": "left_palm", "target": [0.3, 1.1, 0.25]},
    {"name": "right", "site": "right_palm", "target": [-0.3, 1.1, 0.25]}])";

TEST_F(Serve, GreetsWithVersionAndLimits) {
  const Json answer = askText(R"({"id": 1, "hello": 1})");
  EXPECT_EQ(answer["id"], 1);
  EXPECT_EQ(answer["hello"], 1);
  EXPECT_EQ(answer["limits"]["figures"], 3);
  EXPECT_EQ(answer["limits"]["line_bytes"], kMaxServeLineBytes);
  EXPECT_EQ(faultOf(R"({"hello": 2})"), "hello: this is version 1 of the protocol");
}

TEST_F(Serve, GoalsChangeSinglyByName) {
  open(kHands);
  Json answer = askText(R"({"solve": "it"})");
  EXPECT_EQ(answer["outcome"], "reached") << answer;
  answer = askText(R"({"id": "a", "solve": "it", "goals": {"left": {"target": [0.35, 1.2, 0.2]}}})");
  EXPECT_EQ(answer["id"], "a");
  EXPECT_EQ(answer["goals"][0]["name"], "left");
  EXPECT_LT((placeOf("humanoid", "left_palm", answer) - Eigen::Vector3d(0.35, 1.2, 0.2)).norm(), 1e-3);
  EXPECT_LT((placeOf("humanoid", "right_palm", answer) - kRight).norm(), 1e-3) << "it is asked for still";
  answer =
      askText(R"({"solve": "it", "goals": {"right": null, "head": {"site": "head_top", "target": [0, 1.7, 0.1]}}})");
  ASSERT_EQ(answer["goals"].size(), 2u);
  EXPECT_EQ(answer["goals"][1]["name"], "head");
  answer = askText(R"({"solve": "it", "goals": {"left": {"enabled": false}}})");
  EXPECT_EQ(answer["goals"].size(), 1u) << answer["goals"];
  answer = askText(R"({"solve": "it", "goals": [{"name": "one", "site": "left_palm", "target": [0.3, 1.1, 0.25]}]})");
  ASSERT_EQ(answer["goals"].size(), 1u);
  EXPECT_LT((placeOf("humanoid", "left_palm", answer) - kLeft).norm(), 1e-3);
}

TEST_F(Serve, ListsAllWaysAndKeepsThePose) {
  open(R"("figure": "planar:2", "goals": [{"name": "tip", "target": [1, 1, 0]}])");
  const Json all = askText(R"({"id": 4, "solve": "it", "all": true})");
  ASSERT_FALSE(all.contains("error")) << all;
  EXPECT_EQ(all["id"], 4);
  EXPECT_EQ(all["solve"], "it");
  EXPECT_EQ(all["complete"], true);
  ASSERT_EQ(all["ways"].size(), 2u);
  EXPECT_FALSE(all["ways"][0].contains("clearance")) << "nothing is avoided";
  // The place (1, 1) of two links of length 1: one joint at 0 and the other at a right angle, or the other way round.
  for (const Json& way : all["ways"]) {
    const double first = way["pose"]["joint0"], second = way["pose"]["joint1"];
    EXPECT_NEAR(std::cos(first) + std::cos(first + second), 1.0, 1e-9);
    EXPECT_NEAR(std::sin(first) + std::sin(first + second), 1.0, 1e-9);
  }
  // The changes hold for the next request, and a ball at (1, 0) blocks one of the two ways.
  const Json among = askText(R"({"solve": "it", "all": true, "obstacles": [
      {"name": "ball", "shape": "sphere", "radius": 0.2, "place": {"position": [1, 0, 0]}}]})");
  ASSERT_EQ(among["ways"].size(), 2u) << among;
  EXPECT_EQ(among["colliding"], 1);
  int colliding = 0;
  for (const Json& way : among["ways"]) {
    EXPECT_EQ(way["collides"].get<bool>(), way["clearance"].get<double>() < 0.0);
    EXPECT_EQ(way["nearest"]["with"], "obstacle \"ball\"");
    colliding += way["collides"].get<bool>();
  }
  EXPECT_EQ(colliding, 1);
  EXPECT_EQ(askText(R"({"solve": "it", "all": true, "clear": true})")["ways"].size(), 1u);
  EXPECT_EQ(among["ways"][0]["distance"], all["ways"][0]["distance"]) << "the pose is the same";
}

TEST_F(Serve, SaysWhyAllWaysAreRefusedAndChangesNothing) {
  open(R"("figure": "planar:2", "goals": [{"name": "tip", "target": [1, 1, 0]}])");
  EXPECT_EQ(faultOf(R"({"solve": "it", "all": true, "search": true})"), "search: has no effect with \"all\": true");
  EXPECT_EQ(faultOf(R"({"solve": "it", "clear": true})"), "clear: needs \"all\": true");
  EXPECT_TRUE(test::says(faultOf(R"({"solve": "it", "all": true, "goals": {"tip": null}})"), {"exactly one goal"}));
  EXPECT_EQ(askText(R"({"solve": "it", "all": true})")["ways"].size(), 2u) << "the goal is there still";
}

TEST_F(Serve, AKeptPoseStaysAsItWasWhileOtherKeysOfItsGoalChange) {
  open(R"("figure": "planar:3", "rest_weight": 0, "start": {"joint1": 0.5},
          "goals": [{"name": "pose", "type": "keep_pose"}])");
  const Json first = askText(R"({"solve": "it"})");
  askText(R"({"solve": "it", "goals": {"tip": {"site": "tip", "target": [0, 3, 0], "weight": 1e6}}})");
  askText(R"({"solve": "it", "goals": {"pose": {"weight": 5}}})");
  const Json back = askText(R"({"solve": "it", "goals": {"tip": null}})");
  for (const char* joint : {"joint0", "joint1", "joint2"})
    EXPECT_NEAR(back["pose"][joint].get<double>(), first["pose"][joint].get<double>(), 1e-6) << joint;
}

TEST_F(Serve, AGoalNamesAGroupOfTheRobotAlsoWhenItChanges) {
  const auto folder = std::filesystem::temp_directory_path() / ("limber_serve_groups_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "r.urdf") << R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="ab" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
      <joint name="bc" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
      </joint></robot>)";
  std::ofstream(folder / "r.srdf") << R"(<robot name="r"><group name="hand"><link name="c"/></group></robot>)";
  open(R"("figure": ")" + (folder / "r.urdf").generic_string() + R"(", "rest_weight": 0, "goals": [
          {"name": "g", "type": "direction", "link": "c", "axis": [0, 1, 0], "chain": "hand"}])");
  std::filesystem::remove_all(folder);
  for (const char* solve : {R"({"solve": "it"})", R"({"solve": "it", "goals": {"g": {"axis": [1, 1, 0]}}})"}) {
    const Json answer = askText(solve);
    ASSERT_EQ(answer.value("outcome", ""), "reached") << answer;
    EXPECT_EQ(answer["pose"]["ab"], 0.0);
  }
  EXPECT_TRUE(test::says(faultOf(R"({"solve": "it", "goals": {"g": {"chain": "foot"}}})"),
                         {"goals.g.chain", "\"foot\"", "\"hand\""}));
}

TEST_F(Serve, WeightsAreThoseOfProblemsAfterEachChange) {
  open(R"("figure": "planar:2", "goals": [{"name": "a", "target": [3, 0, 0]},
          {"name": "b", "link": "link1", "point": [1, 0, 0], "target": [0, 3, 0], "weight": 1}])");
  const Json towardA = askText(R"({"solve": "it"})");
  EXPECT_LT(towardA["goals"][0]["error"], towardA["goals"][1]["error"]);
  const Json towardB = askText(R"({"solve": "it", "goals": {"a": {"weight": 1}, "b": {"weight": 1000}}})");
  EXPECT_GT(towardB["goals"][0]["error"], towardB["goals"][1]["error"]);
}

TEST_F(Serve, AnErrorChangesNothing) {
  ServeLimits limits;
  ServeSession other(limits);
  const std::string opening = std::string(R"({"open": "it", )") + kHands + "}", solve = R"({"solve": "it"})";
  open(kHands);
  answerOf(other, opening);
  EXPECT_EQ(timeless(askText(solve)), timeless(Json::parse(answerOf(other, solve))));
  for (const char* broken :
       {R"({"solve": "it", "start": {}, "goals": {"left": {"target": [0.4, 1, 0.2]}, "right": {"target": [0, 0]}}})",
        R"({"solve": "it", "goals": {"left": null, "nobody": null}})",
        R"({"solve": "it", "pins": [{"link": "left_foot"}], "solver": 3})",
        R"({"solve": "it", "solver": "no such solver"})", R"({"solve": "it", "goals": []})",
        R"({"solve": "it", "keeps_balance": true, "start": {"nose": 1}})", R"({"open": "it", "figure": "arm"})",
        R"({"solve": "it", "figure": "arm"})"})
    EXPECT_NE(faultOf(broken), "") << broken;
  const std::string change = R"({"solve": "it", "start": {}, "goals": {"left": {"target": [0.4, 1.1, 0.2]}}})";
  EXPECT_EQ(timeless(askText(change)), timeless(Json::parse(answerOf(other, change))));
}

TEST_F(Serve, WhatIsWrongIsNamed) {
  open(kHands);
  const std::pair<const char*, const char*> faults[] = {
      {"{\"solve\": ", "column "},
      {"[1]", "must be an object"},
      {"{}", R"(must hold "hello", "open", "solve" or "close")"},
      {R"({"solve": "it", "close": "it"})", R"(close: cannot stand in one request with "solve")"},
      {R"({"solve": "him"})", R"(solve: no figure "him" is open)"},
      {R"({"open": "it", "figure": "arm"})", R"(open: "it" is open already)"},
      {R"({"open": "", "figure": "arm"})", "open: "},
      {R"({"open": "b", "figure": "nowhere.urdf"})", "nowhere.urdf"},
      {R"({"open": "b"})", "figure: is missing"},
      {R"({"solve": "it", "goal": {}})", "goal: is not a known key"},
      {R"({"solve": "it", "frame": 1})", "frame: belongs to the line that opens the figure"},
      {R"({"solve": "it", "goals": {"left": {"target": [1, 2]}}})", "goals.left.target: must "},
      {R"({"solve": "it", "goals": {"lfet": {"target": [1, 2, 3]}}})", "goals.lfet: nothing has this name"},
      {R"({"solve": "it", "goals": {"lfet": null}})", "goals.lfet: nothing has this name"},
      {R"({"solve": "it", "goals": {"left": {"name": "x"}}})",
       "goals.left.name: is not allowed here: the key is the name"},
      {R"({"solve": "it", "obstacles": {"table": {"size": [1, 1, 1]}}})", "obstacles.table: nothing has this name"},
      {R"({"solve": "it", "milliseconds": -1})", "milliseconds: "},
      {R"({"id": [1], "solve": "it"})", "id: must be a number, or text"}};
  for (const auto& [line, cause] : faults) {
    const std::string fault = faultOf(line);
    EXPECT_TRUE(fault.starts_with(cause) || (fault.find(cause) != std::string::npos && fault.starts_with("figure:")))
        << line << ": " << fault;
  }
  EXPECT_EQ(askText(R"({"id": 7, "solve": "him"})")["id"], 7) << "an error, too, says what it answers";
  EXPECT_EQ(askText(Json{{"id", std::string(300, 'x')}, {"solve", "it"}}.dump())["id"], nullptr);
  EXPECT_EQ(answerOf(session_, " \t\r"), "");
}

TEST_F(Serve, FiguresAreCountedOverAllClients) {
  ServeSession other(limits_);
  EXPECT_FALSE(askText(R"({"open": "a", "figure": "planar:2"})").contains("error"));
  answerOf(other, R"({"open": "a", "figure": "planar:3"})");
  EXPECT_FALSE(askText(R"({"open": "b", "figure": "arm"})").contains("error"));
  EXPECT_TRUE(test::says(faultOf(R"({"open": "c", "figure": "arm"})"), {"open", "3 figures", "--figures"}));
  EXPECT_EQ(askText(R"({"id": 4, "close": "b"})").dump(), R"({"close":"b","id":4})");
  EXPECT_FALSE(askText(R"({"open": "c", "figure": "arm"})").contains("error"));
  EXPECT_EQ(limits_.openFigures, 3u);
  {
    ServeSession third(limits_);
    EXPECT_NE(answerOf(third, R"({"open": "a", "figure": "arm"})").find("3 figures are open"), std::string::npos);
  }
  EXPECT_EQ(limits_.openFigures, 3u);
}

TEST_F(Serve, StartGoesBackToWhereTheFigureWasOpened) {
  open(R"("figure": "planar:3", "start": {"joint0": 0.25}, "goals": [{"name": "tip", "target": [0, 2, 0]}])");
  const Json first = askText(R"({"solve": "it"})");
  const Json further = askText(R"({"solve": "it"})");
  EXPECT_LT(further["objective_before"].get<double>(), first["objective_before"].get<double>());
  EXPECT_EQ(askText(R"({"solve": "it", "start": {}})")["objective_before"], first["objective_before"]);
}

TEST_F(Serve, PinsBalanceAndObstaclesChange) {
  open(kHands);
  Json answer = askText(R"({"solve": "it", "pins": [{"link": "left_foot"}, {"link": "right_foot"}],
                            "keeps_balance": true})");
  ASSERT_TRUE(answer.contains("balance")) << answer;
  EXPECT_EQ(answer["goals"].back()["pin"], "right_foot");
  EXPECT_TRUE(answer["goals"].back()["reached"].get<bool>());
  // A wall in front of the hands; then it moves away.
  answer = askText(R"({"solve": "it", "obstacles": {"wall": {"shape": "box", "size": [3, 3, 0.1],
                       "place": {"position": [0, 1, 0.3], "rotation": [0, 0, 0, 1]}}},
                       "goals": {"left": {"target": [0.3, 1.1, 0.5]}}})");
  EXPECT_NE(answer["outcome"], "reached");
  ASSERT_TRUE(answer.contains("contacts")) << answer;
  EXPECT_EQ(answer["contacts"][0]["with"], "obstacle \"wall\"");
  answer = askText(R"({"solve": "it", "obstacles": {"wall": {"place": {"position": [0, 1, 3],
                       "rotation": [0, 0, 0, 1]}}}})");
  EXPECT_EQ(answer["outcome"], "reached") << answer;
  answer = askText(R"({"solve": "it", "obstacles": {"wall": null}, "keeps_balance": false, "pins": []})");
  EXPECT_FALSE(answer.contains("balance"));
  EXPECT_EQ(answer["goals"].size(), 2u);
}

TEST_F(Serve, ASolveEndsWhenItsTimeIsOver) {
  open(R"("figure": "planar:30", "solver": "gd", "options": {"maxIterations": 100000}, "start": {"joint1": 0.5},
          "goals": [{"name": "tip", "target": [-9, 7, 0]}])");
  const Json answer = askText(R"({"solve": "it", "milliseconds": 0})");
  EXPECT_EQ(answer.value("outcome", ""), "budget spent") << answer;
}

TEST_F(Serve, AnyLineHasAnAnswerOfOneLine) {
  open(kHands);
  const std::string lines[] = {R"({"id": 1, "solve": "it", "goals": {"left": {"target": [0.35, 1.2, 0.2]}}})",
                               R"({"id": "b", "open": "c", "figure": "planar:3", "goals": [{"target": [1, 2, 0]}]})",
                               R"({"solve": "it", "pins": [{"link": "left_foot"}], "obstacles": {"a": null}})",
                               R"({"id": 3, "close": "c"})"};
  std::mt19937 random(5);
  int faults = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string line = lines[random() % std::size(lines)];
    for (unsigned k = random() % 4; k > 0; --k) {
      const std::size_t at = random() % line.size();
      if (random() % 3 == 0) line.erase(at, 1 + random() % 5);
      else line[at] = static_cast<char>(random() % 3 == 0 ? random() % 256 : line[random() % line.size()]);
      if (line.empty()) line = "{";
    }
    std::erase(line, '\n');
    const std::string answer = answerOf(session_, line);
    if (answer.empty()) continue;
    EXPECT_EQ(answer.find('\n'), answer.size() - 1);
    const Json parsed = Json::parse(answer);
    faults += parsed.contains("error");
    if (i % 50 == 0) answerOf(session_, R"({"close": "c"})");
  }
  EXPECT_GT(faults, 200);
  EXPECT_TRUE(askText(R"({"solve": "it"})").contains("outcome"));
}

/// All lines of the pieces; "..." for one that was too long.
std::vector<std::string> linesOf(const std::vector<std::string>& pieces) {
  LineSplitter splitter;
  std::vector<std::string> lines;
  const auto takeAll = [&] {
    for (std::string line; splitter.hasLine();) {
      const bool isWhole = splitter.take(line);
      lines.push_back(isWhole ? line : "...");
    }
  };
  for (const std::string& piece : pieces) {
    splitter.add(piece);
    takeAll();
  }
  splitter.end();
  takeAll();
  return lines;
}

TEST(LineSplitter, PartsBytesHoweverTheyCome) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(linesOf({"a\nbc\n\nd"}), (Lines{"a", "bc", "", "d"}));
  EXPECT_EQ(linesOf({"a", "b", "\n", "\nc\nd", "e\n"}), (Lines{"ab", "", "c", "de"}));
  EXPECT_EQ(linesOf({}), Lines{});
  EXPECT_EQ(linesOf({"\n"}), Lines{""});
  const std::string longest(kMaxServeLineBytes, 'x'), half(kMaxServeLineBytes / 2 + 1, 'y');
  EXPECT_EQ(linesOf({longest + "\nb\n"}), (Lines{longest, "b"}));
  EXPECT_EQ(linesOf({longest + "x\nb\n"}), (Lines{"...", "b"}));
  EXPECT_EQ(linesOf({"a\n" + half, half, half, half + "\nb\nc"}), (Lines{"a", "...", "b", "c"}));
  EXPECT_EQ(linesOf({half, half, half}), (Lines{"..."}));
}

}  // namespace
}  // namespace limber::app::serve_protocol_test
