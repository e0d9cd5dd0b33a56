// SPDX-License-Identifier: MIT
#include "io/problem_json.h"

#include "support/temporary_folder.h"

namespace limber::io {
namespace {

using ProblemJson = test::TemporaryFolder;

std::string faultOf(const std::string& text) {
  const auto problem = parseProblem(text, "p.json", ".");
  return problem ? "" : problem.error().message();
}

TEST_F(ProblemJson, GoalDefaultsToTheTip) {
  const auto problem =
      parseProblem(R"({"figure": "planar:3", "start": {"joint1": 0.5}, "goals": [{"target": [1, 2, 0]}]})", "p", ".");
  ASSERT_TRUE(problem) << problem.error().message();
  const Document& document = problem->document;
  ASSERT_EQ(document.goals.size(), 1u);
  EXPECT_EQ(document.goals[0].link, 2);
  EXPECT_EQ(document.goals[0].pointInLink, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(document.goals[0].target, Eigen::Vector3d(1, 2, 0));
  EXPECT_EQ(document.pose.coordinates, Eigen::Vector3d(0, 0.5, 0));
  EXPECT_EQ(document.solver.targetWeight, 1000.0);
  EXPECT_EQ(document.goals[0].weight, 1.0);
  EXPECT_EQ(document.solver.reference, RestReference::RestPose);
}

TEST_F(ProblemJson, GoalWeightIsWholeUnlessThereIsATargetWeight) {
  const auto whole = parseProblem(R"({"figure": "planar:2", "goals": [{"target": [1, 0, 0], "weight": 50},
      {"link": "link0", "target": [0, 1, 0]}]})", "p", ".");
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_EQ(whole->document.solver.targetWeight * whole->document.goals[0].weight, 50.0);
  EXPECT_EQ(whole->document.solver.targetWeight * whole->document.goals[1].weight, 1000.0);
  const auto factor = parseProblem(R"({"figure": "planar:2", "target_weight": 10,
      "goals": [{"target": [1, 0, 0], "weight": 3}, {"target": [1, 0, 0]}]})", "p", ".");
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->document.solver.targetWeight, 10.0);
  EXPECT_EQ(factor->document.goals[0].weight, 3.0);
  EXPECT_EQ(factor->document.goals[1].weight, 1.0);
}

TEST_F(ProblemJson, TargetsAndPointsAreInTheFilesAxesAndUnits) {
  write("z_up.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\n"
                    "OFFSET 0 0 170\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n90 0 0\n");
  const auto path = write("p.json", R"({"figure": "z_up.bvh", "frame": 0, "goals":
      [{"link": "a", "point": [0, 0, 100], "target": [0, -50, 10]}, {"site": "a_end", "target": [0, 0, 1]}]})");
  const auto problem = readProblem(path);
  ASSERT_TRUE(problem) << problem.error().message();
  const Document& document = problem->document;
  EXPECT_LT((document.goals[0].target - Eigen::Vector3d(0, 0.1, 0.5)).norm(), 1e-15);
  EXPECT_LT((document.goals[0].pointInLink - Eigen::Vector3d(0, 0, 1)).norm(), 1e-15);
  EXPECT_LT((document.goals[1].pointInLink - Eigen::Vector3d(0, 0, 1.7)).norm(), 1e-15);
  EXPECT_NEAR(document.pose.coordinates[0], std::sqrt(0.5), 1e-15);
  EXPECT_EQ(problem->notes.size(), 2u);
  EXPECT_LT((fileFromWorld(*document.figure, document.goals[0].target) - Eigen::Vector3d(0, -50, 10)).norm(), 1e-12);
}

TEST_F(ProblemJson, SettingsAreTaken) {
  const auto problem = parseProblem(R"({"figure": "ball:2", "goals": [], "solver": "gdls", "rest_weight": 0.5,
      "reference": "start", "options": {"alphaInit": 1e-5, "carryAlpha": false}})", "p", ".");
  ASSERT_TRUE(problem) << problem.error().message();
  const SolverSettings& settings = problem->document.solver;
  EXPECT_EQ(settings.solver, "gdls");
  EXPECT_EQ(settings.restWeight, 0.5);
  EXPECT_EQ(settings.reference, RestReference::StartPose);
  EXPECT_EQ(settings.options.at("gdls").at("alphaInit"), 1e-5);
  EXPECT_EQ(settings.options.at("gdls").at("carryAlpha"), 0.0);
}

TEST_F(ProblemJson, FaultsNameThePlace) {
  EXPECT_EQ(faultOf(R"({"figure": "planar:1000000000", "goals": []})"),
            "planar:1000000000: the number of links must be a whole number from 1 to 100000");
  EXPECT_EQ(faultOf(R"({"figure": "arm\u0000.json", "goals": []})"), "p.json: figure: holds a control character");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2"})"), "p.json: goals: is missing");
  EXPECT_EQ(faultOf(R"({"goals": []})"), "p.json: figure: is missing");
  EXPECT_EQ(faultOf(R"({"figure": "humanoid", "goals": [{"target": [0, 0, 0]}]})"),
            "p.json: goals[0].link: is missing");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [{"link": "hand", "target": [0, 0, 0]}]})"),
            "p.json: goals[0].link: the figure has no link \"hand\"");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [{"target": [0, 1e300, 0]}]})"),
            "p.json: goals[0].target: is more than 1e9 metres away");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [{"target": [0, 1, 0], "weight": -1}]})"),
            "p.json: goals[0].weight: is -1, outside [0, 1000000000000]");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "frame": 0})"), "p.json: frame: the figure has no motion");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "start": {"knee": 0}})"),
            "p.json: start.knee: the figure has no joint \"knee\"");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "goal": 1})"), "p.json: goal: is not a known key");
}

}  // namespace
}  // namespace limber::io
