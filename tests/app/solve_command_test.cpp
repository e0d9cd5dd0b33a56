// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "support/temporary_folder.h"

namespace limber::app::solve_command_test {
namespace {

using Json = nlohmann::json;

int run(const SolveArguments& arguments, std::ostream& out, std::ostream& err) {
  Console console("solve", out, err);
  return runSolve(arguments, console);
}

int check(const FileArguments& arguments, std::ostream& out, std::ostream& err) {
  Console console("check", out, err);
  return runCheck(arguments, console);
}

class SolveCommand : public test::TemporaryFolder {
 protected:
  Json solve(const SolveArguments& arguments) {
    std::ostringstream out;
    EXPECT_EQ(run(arguments, out, err_), 0) << err_.str();
    return out.str().empty() ? Json() : Json::parse(out.str());
  }
  std::ostringstream err_;
};

const char* const kOneLink = R"({"figure": "planar:1", "goals": [{"type": "position", "target": [0, 1, 0]}]})";

TEST_F(SolveCommand, GivesTheAssignmentsAnswerForOneLink) {
  const std::string file = write("one.json", kOneLink).string();
  const Json result = solve({.file = file, .solver = "gdls+nm"});
  EXPECT_EQ(result["status"], "converged");
  EXPECT_EQ(result["objective_before"], 1000.0);
  EXPECT_EQ(result["iterations"]["gdls"], 10);
  const double angle = result["pose"]["joint0"].get<double>();
  EXPECT_NEAR(1000.0 * std::cos(angle), angle, 1e-3) << "the minimiser is the root of 1000 cos t = t, slope 1001";
  EXPECT_NEAR(result["goals"][0]["error"].get<double>(), 2 * std::sin((std::acos(0.0) - angle) / 2), 1e-12);
  EXPECT_GE(result["time_us"].get<double>(), 0.0);
}

TEST_F(SolveCommand, AnotherSolverTakesTheOptionsThatFitAndNamesTheOthers) {
  const std::string file = write("capped.json", R"({"figure": "planar:6", "solver": "lm",
      "options": {"maxIterations": 2, "tolerance": 1e-9},
      "goals": [{"type": "position", "target": [2, 3, 0]}]})")
                               .string();
  EXPECT_EQ(solve({.file = file, .solver = "newton"})["iterations"]["newton"], 2);
  EXPECT_EQ(err_.str(), "") << "both fit";
  solve({.file = file, .solver = "gdls"});
  EXPECT_NE(err_.str().find("options of \"lm\" that \"gdls\" does not take are left out: maxIterations, tolerance"),
            std::string::npos)
      << err_.str();
}

TEST_F(SolveCommand, AMethodThatCannotTakeTheFigureSaysWhichJoint) {
  const std::string file =
      write("arm.json",
            R"({"figure": "arm", "goals": [{"type": "position", "site": "tool", "target": [0.3, 0.6, 0.2]}]})")
          .string();
  std::ostringstream out;
  EXPECT_EQ(run({.file = file, .solver = "fabrik"}, out, err_), kBadInput);
  EXPECT_EQ(out.str(), "");
  EXPECT_NE(err_.str().find("FABRIK turns ball joints and the hinges of planar chains; joint "), std::string::npos)
      << err_.str();
  EXPECT_NE(err_.str().find(" is revolute"), std::string::npos) << err_.str();
  EXPECT_EQ(run({.file = file, .solver = "ccd"}, out, err_), kSuccess) << err_.str();
}

TEST_F(SolveCommand, SaysWhatStopsALinkAndWhetherItStands) {
  auto opened = io::openAny("humanoid");
  ASSERT_TRUE(opened) << opened.error().message();
  Document& document = opened->document;
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  const int hand = document.figure->findLink("left_hand");
  const Eigen::Vector3d place = kinematics.worldFromLink[static_cast<std::size_t>(hand)].translation;
  const int goal = addGoal(document, hand, Eigen::Vector3d::Zero());
  findGoal(document, goal)->target = place + Eigen::Vector3d(0.0, 0.0, 0.5);
  Obstacle wall{.name = "wall"};
  wall.size = Eigen::Vector3d(4.0, 4.0, 0.2);
  wall.worldFromObstacle.translation = place + Eigen::Vector3d(0.0, 0.0, 0.5);
  addObstacle(document, wall);
  document.keepsBalance = true;
  ASSERT_FALSE(io::writeScene(folder_ / "wall.limber", document));
  const Json result = solve({.file = (folder_ / "wall.limber").string()});
  ASSERT_FALSE(result["contacts"].empty()) << result.dump();
  EXPECT_EQ(result["contacts"][0]["with"], "obstacle \"wall\"");
  EXPECT_TRUE(result["contacts"][0]["stops"].get<bool>());
  EXPECT_GT(result["contacts"][0]["clearance"].get<double>(), -1e-3);
  EXPECT_TRUE(result["balance"]["kept"].get<bool>());
  EXPECT_GT(result["balance"]["margin"].get<double>(), 0.0);
}

TEST_F(SolveCommand, DerivativesAreThoseOfTheStart) {
  const std::string file =
      write("two.json", R"({"figure": "planar:2", "goals": [{"type": "position", "target": [1, 1, 0]}]})").string();
  const Json result = solve({.file = file, .derivatives = true});
  EXPECT_EQ(result["f"], 1000.0);
  EXPECT_NEAR(result["gradient"][0].get<double>(), -2000.0, 1e-12);
  EXPECT_NEAR(result["hessian"][0][0].get<double>(), 2001.0, 1e-12);
  EXPECT_NEAR(result["hessian"][1][1].get<double>(), 1.0, 1e-12);
}

/// The assignment prints these for four links at rest, a row of x'' for each link and axis.
TEST_F(SolveCommand, DerivativesOfTheEndEffectorAreTheAssignmentsNumbers) {
  const std::string file =
      write("four.json", R"({"figure": "planar:4", "goals": [{"type": "position", "target": [3, 1, 0]}]})").string();
  const Json result = solve({.file = file, .derivatives = true});
  ASSERT_EQ(result["end_effectors"].size(), 1u);
  const Json& end = result["end_effectors"][0];
  const auto expectRow = [](const Json& row, const std::vector<double>& expected) {
    ASSERT_EQ(row.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(row[i].get<double>(), expected[i], 1e-12) << i;
  };
  expectRow(end["x"], {4, 0, 0});
  ASSERT_EQ(end["x'"].size(), 3u);
  expectRow(end["x'"][0], {0, 0, 0, 0});
  expectRow(end["x'"][1], {4, 3, 2, 1});
  ASSERT_EQ(end["x''"].size(), 12u);
  const double bent[4][4] = {{-4, -3, -2, -1}, {-3, -3, -2, -1}, {-2, -2, -2, -1}, {-1, -1, -1, -1}};
  for (std::size_t i = 0; i < 4; ++i) {
    expectRow(end["x''"][3 * i], {bent[i], bent[i] + 4});
    expectRow(end["x''"][3 * i + 1], {0, 0, 0, 0});
  }
}

TEST_F(SolveCommand, PathIndependentForgetsThePoseInTheFile) {
  const auto angles = [&](const char* start, bool independent) {
    const std::string text = std::string(R"({"figure": "planar:4", "reference": "start", "start": )") + start +
                             R"(, "goals": [{"type": "position", "target": [1, 2, 0]}]})";
    return solve({.file = write("loop.json", text).string(), .pathIndependent = independent})["pose"];
  };
  const char *const one = R"({"joint0": 1.0})", *const other = R"({"joint1": -1.2, "joint3": 0.4})";
  EXPECT_NE(angles(one, false), angles(other, false)) << "the pose in the file matters otherwise";
  EXPECT_EQ(angles(one, true), angles(other, true));
}

TEST_F(SolveCommand, PosingOfTheCommandLineTakesThePlaceOfTheFiles) {
  const std::string file = write("posing.json", R"({"figure": "planar:2", "posing": "still", "body_follows": 0.5,
      "goals": [{"type": "position", "target": [1, 1, 0]}]})")
                               .string();
  const auto settingsOf = [&](SolveArguments arguments) {
    arguments.file = file;
    arguments.output = (folder_ / "posed.limber").string();
    EXPECT_EQ(run(arguments, err_, err_), 0) << err_.str();
    const auto scene = io::readScene(arguments.output);
    EXPECT_TRUE(scene);
    return scene ? scene->solver : SolverSettings{};
  };
  EXPECT_EQ(settingsOf({}).posing, PosingChoice::Still);
  EXPECT_EQ(settingsOf({}).bodyFollows, 0.5);
  EXPECT_EQ(settingsOf({.posing = "natural"}).posing, PosingChoice::Natural);
  EXPECT_EQ(settingsOf({.posing = "even", .bodyFollows = 0.0}).posing, PosingChoice::Even);
  EXPECT_EQ(settingsOf({.bodyFollows = 0.25}).bodyFollows, 0.25);
}

TEST_F(SolveCommand, ObjectiveIsThatOfThePosePrinted) {
  // From 3 the target at 4 is reached by going on past pi; the angle is then wrapped, nearer to the rest pose at 0.
  const std::string file = write("turn.json", R"({"figure": "planar:1", "start": {"joint0": 3}, "solver": "nm",
      "goals": [{"type": "position", "target": [-0.6536436208636119, -0.7568024953079282, 0]}]})")
                               .string();
  const Json result = solve({.file = file});
  const double q = result["pose"]["joint0"].get<double>();
  ASSERT_NEAR(q, 4.0 - 2.0 * std::acos(-1.0), 0.01);
  const double error = result["goals"][0]["error"].get<double>();
  EXPECT_NEAR(result["objective"].get<double>(), 0.5 * 1000.0 * error * error + 0.5 * q * q, 1e-9);
  const double missing = q - (4.0 - 2.0 * std::acos(-1.0));
  EXPECT_NEAR(result["gradient_norm"].get<double>(), std::abs(1000.0 * std::sin(missing) + q), 1e-6);
}

TEST_F(SolveCommand, UnknownOptionsAreNamedWithTheKnownOnes) {
  const std::string file = write("o.json", R"({"figure": "planar:1", "solver": "gdls", "options": {"tol": 1},
      "goals": [{"type": "position", "target": [0, 1, 0]}]})")
                               .string();
  std::ostringstream out;
  EXPECT_EQ(run({.file = file}, out, err_), 1);
  EXPECT_NE(err_.str().find("\"tol\", only gdlsIterationsPerCoordinate alphaInit gdlsTol"), std::string::npos)
      << err_.str();
}

TEST_F(SolveCommand, WritesTheResultOrThePosedScene) {
  const std::string file = write("one.json", kOneLink).string();
  const std::string result = (folder_ / "result.json").string();
  const std::string scene = (folder_ / "posed.limber").string();
  solve({.file = file, .output = result});
  solve({.file = file, .output = scene});
  EXPECT_EQ(solve({.file = file, .output = "-"})["status"], "converged") << "standard output";
  EXPECT_EQ(Json::parse(std::ifstream(result))["status"], "converged");
  const auto posed = io::readScene(scene);
  ASSERT_TRUE(posed) << posed.error().message();
  EXPECT_EQ(posed->pose.coordinates[0], Json::parse(std::ifstream(result))["pose"]["joint0"].get<double>());
}

TEST_F(SolveCommand, BadInputIsNamedAndExitsWithOne) {
  std::ostringstream out;
  EXPECT_EQ(run({.file = "/nowhere/problem.json"}, out, err_), 1);
  EXPECT_NE(err_.str().find("/nowhere/problem.json"), std::string::npos);
  EXPECT_EQ(run({.file = write("one.json", kOneLink).string(), .solver = "magic"}, out, err_), 2);
  EXPECT_NE(err_.str().find("magic"), std::string::npos);
  EXPECT_EQ(run({.file = write("a.json", kOneLink).string(), .output = "/nowhere/out.json"}, out, err_), 1);
  EXPECT_EQ(run({.file = write("b.json", R"({"figure": "planar:1", "goals": []})").string()}, out, err_), 1);
  EXPECT_EQ(out.str(), "");
}

TEST_F(SolveCommand, OnlyASolverThatClampsLimitsMustBeInsistedOn) {
  const auto problem = [&](const char* solver, const char* insist) {
    return write("limited.json",
                 std::string(R"({"figure": "humanoid", "solver": ")") + solver + "\", " + insist +
                     R"("goals": [{"type": "position", "site": "left_palm", "target": [0.4, 1.2, 0.3]}]})")
        .string();
  };
  std::ostringstream out;
  EXPECT_EQ(run({.file = problem("gdls+nm", "")}, out, err_), 0) << err_.str();
  EXPECT_EQ(run({.file = problem("dls", "")}, out, err_), 1);
  EXPECT_NE(err_.str().find("\"insist\": true"), std::string::npos) << err_.str();
  EXPECT_EQ(run({.file = problem("dls", "\"insist\": true, ")}, out, err_), 0) << err_.str();
}

TEST_F(SolveCommand, CheckPrintsBothPotentials) {
  std::ostringstream out;
  EXPECT_EQ(check({write("one.json", kOneLink).string()}, out, err_), 0) << out.str() << err_.str();
  // The tip at (1, 0), the target at (0, 1): |r|^2 = 2.
  EXPECT_NE(out.str().find("1/2 |r|^2 = 1; P (6) of Zhao and Badler = 2"), std::string::npos) << out.str();
}

TEST_F(SolveCommand, CheckAgreesForProblemsAndFigures) {
  std::ostringstream out;
  EXPECT_EQ(check({write("one.json", kOneLink).string()}, out, err_), 0) << out.str() << err_.str();
  EXPECT_EQ(check({"humanoid"}, out, err_), 0) << out.str() << err_.str();
  EXPECT_EQ(check({"ball:5"}, out, err_), 0) << out.str() << err_.str();
  EXPECT_NE(out.str().find("worst error"), std::string::npos);
  EXPECT_EQ(check({"/nowhere"}, out, err_), 1);
}

}  // namespace
}  // namespace limber::app::solve_command_test
