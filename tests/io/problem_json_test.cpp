// SPDX-License-Identifier: MIT
#include "limber/io/json/problem_json.h"

#include <algorithm>
#include <sstream>

#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::problem_json_test {
namespace {

using ProblemJson = test::TemporaryFolder;

std::string faultOf(const std::string& text) { return test::messageOf(parseProblem(text, "p.json", ".")); }

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
  const auto whole = test::valueOf(parseProblem(R"({"figure": "planar:2", "goals": [{"target": [1, 0, 0], "weight": 50},
      {"link": "link0", "target": [0, 1, 0]}]})",
                                                "p", "."));
  EXPECT_EQ(whole.document.solver.targetWeight * whole.document.goals[0].weight, 50.0);
  EXPECT_EQ(whole.document.solver.targetWeight * whole.document.goals[1].weight, 1000.0);
  const auto factor = parseProblem(R"({"figure": "planar:2", "target_weight": 10,
      "goals": [{"target": [1, 0, 0], "weight": 3}, {"target": [1, 0, 0]}]})",
                                   "p", ".");
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->document.solver.targetWeight, 10.0);
  EXPECT_EQ(factor->document.goals[0].weight, 3.0);
  EXPECT_EQ(factor->document.goals[1].weight, 1.0);
}

TEST_F(ProblemJson, TargetsAndPointsAreInTheFilesAxesAndUnits) {
  write("z_up.bvh",
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\n"
        "OFFSET 0 0 170\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n90 0 0\n");
  const auto problem = test::valueOf(parseProblem(R"({"figure": "z_up.bvh", "frame": 0, "goals":
      [{"link": "a", "point": [0, 0, 100], "target": [0, -50, 10]}, {"site": "a_end", "target": [0, 0, 1]}]})",
                                                  "p.json", folder_));
  const Document& document = problem.document;
  EXPECT_LT((document.goals[0].target - Eigen::Vector3d(0, 0.1, 0.5)).norm(), 1e-15);
  EXPECT_LT((document.goals[0].pointInLink - Eigen::Vector3d(0, 0, 1)).norm(), 1e-15);
  EXPECT_LT((document.goals[1].pointInLink - Eigen::Vector3d(0, 0, 1.7)).norm(), 1e-15);
  EXPECT_NEAR(document.pose.coordinates[0], std::sqrt(0.5), 1e-15);
  EXPECT_EQ(problem.notes.size(), 2u);
  EXPECT_LT((document.figure->fileFrame().toFile(document.goals[0].target) - Eigen::Vector3d(0, -50, 10)).norm(),
            1e-12);
}

TEST_F(ProblemJson, SettingsAreTaken) {
  const auto problem =
      test::valueOf(parseProblem(R"({"figure": "ball:2", "goals": [], "solver": "gdls", "rest_weight": 0.5,
      "reference": "start", "options": {"alphaInit": 1e-5, "carryAlpha": false}})",
                                 "p", "."));
  const SolverSettings& settings = problem.document.solver;
  EXPECT_EQ(settings.solver, "gdls");
  EXPECT_EQ(settings.restWeight, 0.5);
  EXPECT_EQ(settings.reference, RestReference::StartPose);
  EXPECT_EQ(settings.options.at("gdls").at("alphaInit"), 1e-5);
  EXPECT_EQ(settings.options.at("gdls").at("carryAlpha"), 0.0);
}

TEST_F(ProblemJson, PosingIsEvenUnlessItIsSaid) {
  const auto settingsOf = [](const std::string& keys) {
    const auto problem = parseProblem(R"({"figure": "humanoid", "goals": [])" + keys + "}", "p.json", ".");
    EXPECT_TRUE(problem) << problem.error().message();
    return problem ? problem->document.solver : SolverSettings{};
  };
  EXPECT_EQ(settingsOf("").posing, PosingChoice::Even);
  EXPECT_EQ(settingsOf("").bodyFollows, 0.0);
  EXPECT_EQ(settingsOf(R"(, "posing": "natural", "body_follows": 0.25)").posing, PosingChoice::Natural);
  EXPECT_EQ(settingsOf(R"(, "posing": "natural", "body_follows": 0.25)").bodyFollows, 0.25);
  EXPECT_EQ(settingsOf(R"(, "posing": "still")").posing, PosingChoice::Still);
  EXPECT_EQ(settingsOf(R"(, "posing": "even")").posing, PosingChoice::Even);
  EXPECT_TRUE(test::says(faultOf(R"({"figure": "planar:2", "goals": [], "posing": "limb"})"),
                         {"p.json: posing", "\"natural\"", "\"still\"", "\"even\""}));
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "body_follows": 2})"),
            "p.json: body_follows: is 2, outside [0, 1]");
}

/// The only goal of a problem on a figure of one meter-long link in centimetres, z up, beside a second root.
class GoalOfProblem : public test::TemporaryFolder {
 protected:
  Result<Problem> parse(const std::string& goal, const std::string& more = "") {
    write("f.json", R"({"format": "limber figure", "version": 1,
      "file_frame": {"metres_per_unit": 0.01, "scene_from_file": [[1, 0, 0], [0, 0, 1], [0, -1, 0]]},
      "links": [{"name": "a", "parent": null, "joint": {"name": "ja", "type": "ball"}},
                {"name": "b", "parent": null, "joint": {"name": "jb", "type": "prismatic", "axis": [1, 0, 0]}},
                {"name": "c", "parent": "b", "joint": {"name": "jc", "type": "revolute", "axis": [1, 0, 0]}}],
      "sites": [{"name": "tip", "link": "a", "position": [1, 0, 0], "rotation": [0, 0, 1, 0]}],
      "couplings": [{"name": "group", "follower": "jc", "offset": 0.25,
                     "terms": [{"driver": "jb", "coefficients": [2]}]}],
      "linear_limits": [{"name": "side", "bounds": [-9, 9], "terms": [{"joint": "jb", "coefficient": 1}]}]})");
    return parseProblem(R"({"figure": "f.json", "goals": [)" + goal + "]" + more + "}", "p", folder_);
  }
  GoalItem read(const std::string& goal) {
    const auto problem = parse(goal);
    EXPECT_TRUE(problem) << problem.error().message();
    return problem ? problem->document.goals.at(0) : GoalItem{};
  }
  std::string faultOf(const std::string& goal, const std::string& more = "") {
    return test::messageOf(parse(goal, more));
  }
};

TEST_F(GoalOfProblem, DirectionsAreInTheFilesAxes) {
  const GoalItem plane = read(R"({"type": "plane", "site": "tip", "target": [0, 0, 100], "axis": [0, 0, 2]})");
  EXPECT_EQ(plane.type, GoalType::Plane);
  EXPECT_LT((plane.target - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((plane.targetFrame.col(0) - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(plane.frameInLink, Eigen::Matrix3d::Identity());  // a plane does not use it
  const GoalItem turned = read(R"({"type": "orientation", "target_frame": [0, 0, 0, 1]})");
  EXPECT_LT((turned.targetFrame.col(2) - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((turned.frameInLink.col(0) + Eigen::Vector3d::UnitX()).norm(), 1e-15);  // of the tip
  EXPECT_EQ(read(R"({"type": "orientation"})").targetFrame, turned.targetFrame);
  const GoalItem aim = read(R"({"type": "aim", "link": "a", "point": [10, 0, 0], "direction_in_link": [0, 3, 0],
                                "target": [0, 0, 0]})");
  EXPECT_LT((aim.frameInLink.col(0) - Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_NEAR(aim.pointInLink.x(), 0.1, 1e-15);
}

TEST_F(GoalOfProblem, SelfAvoidanceIsAWordOrABoolean) {
  const auto choiceOf = [&](const std::string& value) {
    const auto problem = parse("", R"(, "avoids_itself": )" + value);
    EXPECT_TRUE(problem) << problem.error().message();
    return problem->document.selfAvoidance;
  };
  EXPECT_EQ(choiceOf("true"), SelfAvoidance::All);
  EXPECT_EQ(choiceOf("false"), SelfAvoidance::Off);
  EXPECT_EQ(choiceOf(R"("off")"), SelfAvoidance::Off);
  EXPECT_EQ(choiceOf(R"("arms")"), SelfAvoidance::Arms);
  EXPECT_EQ(choiceOf(R"("all")"), SelfAvoidance::All);
  EXPECT_FALSE(parse("", "")->document.selfAvoidance);
  EXPECT_FALSE(parse("", R"(, "avoids_itself": "legs")"));
}

TEST_F(GoalOfProblem, ObstaclesAreInTheFilesAxesAndUnits) {
  const auto problem = parse("", R"(, "keeps_balance": true, "avoids_itself": true, "obstacles": [
      {"name": "table", "shape": "box", "size": [200, 100, 10], "place": {"position": [0, 50, 70]},
       "points": [{"link": "a", "point": [0, 0, 100]}]},
      {"shape": "plane", "place": {"position": [0, 0, -20]}},
      {"shape": "plane", "place": {"rotation": [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}},
      {"shape": "polyhedron", "size": [1, 1, 2], "vertices": [[0, 0, 0], [100, 0, 0], [0, 100, 0], [0, 0, 100]]}])");
  ASSERT_TRUE(problem) << problem.error().message();
  const Document& document = problem->document;
  EXPECT_TRUE(document.keepsBalance);
  EXPECT_EQ(document.selfAvoidance, SelfAvoidance::All);
  ASSERT_EQ(document.obstacles.size(), 4u);
  const auto hasCorner = [](const Obstacle& obstacle, const Eigen::Vector3d& corner) {
    const ConvexHull hull = hullInWorld(obstacle);
    return std::ranges::any_of(hull.vertices, [&](const auto& vertex) { return (vertex - corner).norm() < 1e-12; });
  };
  EXPECT_TRUE(hasCorner(document.obstacles[0], {1.0, 0.75, -1.0})) << "(100, 100, 75) in the file, z up";
  EXPECT_EQ(document.obstacles[0].points.at(0).pointInLink, Eigen::Vector3d(0, 0, 1));
  const auto normalOf = [&](int i) { return Eigen::Vector3d(document.obstacles[i].worldFromObstacle.rotation.col(1)); };
  EXPECT_LT((normalOf(1) - Eigen::Vector3d::UnitY()).norm(), 1e-15) << "a floor";
  EXPECT_LT((document.obstacles[1].worldFromObstacle.translation - Eigen::Vector3d(0, -0.2, 0)).norm(), 1e-15);
  // A quarter about the file's x takes its z, up, to -y.
  EXPECT_LT((normalOf(2) - document.figure->fileFrame().sceneFromFile * -Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_TRUE(hasCorner(document.obstacles[3], {0.0, 2.0, 0.0}));
  EXPECT_EQ(document.obstacles[3].id, 4);
  EXPECT_EQ(faultOf("", R"(, "obstacles": [{"id": 1, "shape": "plane"}])"),
            "p: obstacles[0].id: belongs to scenes only");
  EXPECT_TRUE(
      test::says(faultOf("", R"(, "obstacles": {"a": {"size": [1, 1, 1]}})"), {"p: obstacles.a", "name", "keys"}));
}

TEST_F(GoalOfProblem, DirectionScaleMayBeSaidInDegrees) {
  const auto scaleOf = [&](const std::string& scale) {
    return read(R"({"type": "orientation", "degrees_per_length": )" + scale + "}").directionScale;
  };
  EXPECT_NEAR(scaleOf("90")[0], 2.0 / std::numbers::pi, 1e-15);
  EXPECT_EQ(scaleOf("90")[1], scaleOf("90")[0]);
  EXPECT_NEAR(scaleOf("[null, 180]")[1], 1.0 / std::numbers::pi, 1e-15);
  EXPECT_EQ(scaleOf("[null, 180]")[0], 0.0);
  EXPECT_EQ(read(R"({"type": "orientation", "direction_scale": [0.5, 0]})").directionScale, (std::array{0.5, 0.0}));
}

TEST_F(GoalOfProblem, OtherEndsAndDistancesAreInFileUnits) {
  const GoalItem tied = read(R"({"type": "distance", "link": "b", "other_link": "c", "point_in_other": [0, 50, 0],
                                 "distance": [10, null]})");
  EXPECT_EQ(tied.otherLink, 2);
  EXPECT_NEAR(tied.pointInOther.y(), 0.5, 1e-15);
  EXPECT_NEAR(tied.distance.lower, 0.1, 1e-15);
  EXPECT_EQ(tied.distance.upper, Interval{}.upper);
  const GoalItem relative = read(R"({"type": "relative", "link": "b", "other_site": "tip", "position_share": 0.25,
                                     "chain": ["jc", "jb"], "any_of": 4, "weight": 7, "enabled": false})");
  EXPECT_EQ(relative.otherLink, 0);
  EXPECT_EQ(relative.pointInOther.x(), 1.0);
  EXPECT_LT((relative.frameInOther.col(0) + Eigen::Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_EQ(relative.positionShare, 0.25);
  EXPECT_EQ(relative.chain, (std::vector<int>{2, 1}));
  EXPECT_EQ(relative.anyOf, 4);
  EXPECT_FALSE(relative.enabled);
}

TEST_F(GoalOfProblem, KeptPoseIsTheStartUnlessItIsSaid) {
  const auto problem =
      parse(R"({"type": "keep_pose"}, {"type": "keep_pose", "kept": {"jb": 100}})", R"(, "start": {"jb": 10})");
  ASSERT_TRUE(problem) << problem.error().message();
  const Document& document = problem->document;
  EXPECT_EQ(document.goals[0].kept, document.pose);
  EXPECT_NEAR(document.pose.coordinates[4], 0.1, 1e-15);
  EXPECT_NEAR(document.pose.coordinates[5], 0.25 + 2 * 0.1, 1e-15);  // the follower goes where its driver starts
  EXPECT_NEAR(document.goals[1].kept.coordinates[4], 1.0, 1e-15);
  EXPECT_EQ(read(R"({"type": "centre_of_mass", "target": [0, 0, 0]})").type, GoalType::CentreOfMass);
}

TEST_F(GoalOfProblem, JointsSwitchesAndPinsAreTaken) {
  const auto problem = test::valueOf(parse("", R"(, "insist": true, "couplings": ["group"], "linear_limits": false,
      "joints": {"jb": {"limits": [-10, null], "rigidity": 0.5}, "ja": {"ball_limits": {"swing": 1}, "locked": true}},
      "pins": [{"link": "c", "rotation": false, "point": [0, 0, 5]}])"));
  const Document& document = problem.document;
  EXPECT_TRUE(document.solver.insist);
  EXPECT_EQ(document.couplingEnabled, std::vector<char>{0});
  EXPECT_EQ(document.linearLimitEnabled, std::vector<char>{0});
  EXPECT_NEAR(document.joints[1].limits.lower, -0.1, 1e-15);
  EXPECT_EQ(document.joints[1].rigidity, 0.5);
  EXPECT_EQ(document.joints[0].ballLimits.swing, 1.0);
  EXPECT_TRUE(document.joints[0].locked);
  ASSERT_EQ(document.pins.size(), 1u);
  EXPECT_EQ(document.pins[0].link, 2);
  EXPECT_NEAR(document.pins[0].pointInLink.z(), 0.05, 1e-15);
  EXPECT_NEAR(document.pins[0].worldFromLink.rotation(1, 1), std::cos(0.25), 1e-15);
}

TEST_F(GoalOfProblem, FaultsNameThePlace) {
  EXPECT_TRUE(test::says(faultOf(R"({"type": "line", "target": [0, 0, 0], "distance": [0, 1]})"),
                         {"p: goals[0].distance", "not used", "\"line\""}));
  EXPECT_EQ(faultOf(R"({"type": "line", "target": [0, 0, 0], "axis": [0, 0, 0]})"),
            "p: goals[0].axis: has no direction");
  EXPECT_EQ(faultOf(R"({"type": "line", "axis": [0, 0, 1]})"), "p: goals[0].target: is missing");
  EXPECT_TRUE(
      test::says(faultOf(R"({"type": "line", "target": [0, 0, 0], "axis": [0, 0, 1], "target_frame": [0, 0, 0, 1]})"),
                 {"p: goals[0].axis", "\"target_frame\""}));
  EXPECT_TRUE(test::says(faultOf(R"({"type": "orientation", "degrees_per_length": 0})"),
                         {"p: goals[0].degrees_per_length", "[1e-06, 1000000000]"}));
  EXPECT_TRUE(test::says(faultOf(R"({"type": "orientation", "direction_scale": [1]})"),
                         {"p: goals[0].direction_scale", "two"}));
  EXPECT_EQ(faultOf(R"({"type": "relative"})"), "p: goals[0].other_link: is missing");
  EXPECT_EQ(faultOf(R"({"type": "distance", "target": [0, 0, 0]})"), "p: goals[0].distance: is missing");
  EXPECT_EQ(faultOf(R"({"type": "distance", "other_link": "b", "distance": [-2, -1]})"),
            "p: goals[0].distance: no distance is negative");
  EXPECT_EQ(faultOf(R"({"target": [0, 0, 0], "chain": ["jc", "jc"]})"), "p: goals[0].chain[1]: is named twice");
  EXPECT_EQ(faultOf(R"({"target": [0, 0, 0], "id": 3})"), "p: goals[0].id: belongs to scenes only");
  EXPECT_EQ(faultOf("", R"(, "couplings": ["x"])"), "p: couplings[0]: the figure has nothing here called \"x\"");
  EXPECT_EQ(faultOf("", R"(, "joints": {"x": {}})"), "p: joints.x: the figure has no joint \"x\"");
  EXPECT_TRUE(test::says(faultOf("", R"(, "joints": {"ja": {"limits": [0, 1]}})"),
                         {"p: joints.ja.limits", "revolute and prismatic"}));
}

TEST_F(GoalOfProblem, TolerancesOfReachedAreInTheFilesUnitAndRadians) {
  const auto problem = parse(R"({"target": [0, 0, 0]})", R"(, "reached_distance": 5, "reached_angle": 0.25)");
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_NEAR(*problem->document.solver.reachedDistance, 0.05, 1e-15);
  EXPECT_EQ(problem->document.solver.reachedAngle, 0.25);
  const auto without = parse(R"({"target": [0, 0, 0]})");
  EXPECT_FALSE(without->document.solver.reachedDistance || without->document.solver.reachedAngle);
  EXPECT_TRUE(parse(R"({"target": [0, 0, 0]})", R"(, "reached_distance": 0, "reached_angle": 0)"));
  for (const std::string key : {"reached_distance", "reached_angle"}) {
    const auto faultOfKey = [&](const std::string& value) {
      return faultOf(R"({"target": [0, 0, 0]})", ", \"" + key + "\": " + value);
    };
    EXPECT_EQ(faultOfKey("-1"), "p: " + key + ": is -1, outside [0, 1000000000]");
    EXPECT_EQ(faultOfKey("1e99"), "p: " + key + ": is 1e+99, outside [0, 1000000000]");
    EXPECT_EQ(faultOfKey("\"1 mm\""), "p: " + key + ": must be a number, not text");
    EXPECT_EQ(faultOfKey("null"), "p: " + key + ": must be a number, not null");
    EXPECT_EQ(faultOfKey("[1]"), "p: " + key + ": must be a number, not an array");
    EXPECT_EQ(faultOfKey("NaN").substr(0, 8), "p: line ");
  }
}

TEST_F(GoalOfProblem, PreferencesAndPrioritiesAreTaken) {
  const GoalItem plain = read(R"({"target": [0, 0, 0]})");
  EXPECT_EQ(plain.priority, 1);
  EXPECT_FALSE(plain.preference);
  EXPECT_EQ(read(R"({"target": [0, 0, 0], "priority": 9})").priority, 9);
  EXPECT_TRUE(read(R"({"target": [0, 0, 0], "preference": true})").preference);
  const auto faultOfKey = [&](const std::string& key) { return faultOf(R"({"target": [0, 0, 0], )" + key + "}"); };
  EXPECT_EQ(faultOfKey("\"priority\": 0"), "p: goals[0].priority: is 0, outside [1, 9]");
  EXPECT_EQ(faultOfKey("\"priority\": -1"), "p: goals[0].priority: is -1, outside [1, 9]");
  EXPECT_EQ(faultOfKey("\"priority\": 1e99"), "p: goals[0].priority: is 1e+99, outside [1, 9]");
  EXPECT_EQ(faultOfKey("\"priority\": 1.5"), "p: goals[0].priority: must be a whole number");
  EXPECT_EQ(faultOfKey("\"priority\": \"high\""), "p: goals[0].priority: must be a number, not text");
  EXPECT_TRUE(test::says(faultOfKey("\"preference\": 3"), {"p: goals[0].preference", "true or false"}));
  EXPECT_EQ(faultOfKey("\"preference\": null"), "p: goals[0].preference: must be true or false, not null");
}

TEST_F(ProblemJson, FaultsNameThePlace) {
  EXPECT_TRUE(
      test::says(faultOf(R"({"figure": "planar:1000000000", "goals": []})"), {"planar:1000000000", "1 to 100000"}));
  EXPECT_EQ(faultOf(R"({"figure": "arm\u0000.json", "goals": []})"), "p.json: figure: holds a control character");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2"})"), "p.json: goals: is missing");
  EXPECT_EQ(faultOf(R"({"goals": []})"), "p.json: figure: is missing");
  EXPECT_EQ(faultOf(R"({"figure": "humanoid", "goals": [{"target": [0, 0, 0]}]})"),
            "p.json: goals[0].link: is missing");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [{"link": "hand", "target": [0, 0, 0]}]})"),
            "p.json: goals[0].link: the figure has no link \"hand\"");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [{"target": [0, 1e300, 0]}]})"),
            "p.json: goals[0].target: is more than 1e9 metres away");
  EXPECT_TRUE(test::says(faultOf(R"({"figure": "planar:2", "goals": [{"target": [0, 1, 0], "weight": -1}]})"),
                         {"p.json: goals[0].weight", "[0, 1000000000000]"}));
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "frame": 0})"), "p.json: frame: the figure has no motion");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "start": {"knee": 0}})"),
            "p.json: start.knee: the figure has no joint \"knee\"");
  EXPECT_EQ(faultOf(R"({"figure": "planar:2", "goals": [], "goal": 1})"), "p.json: goal: is not a known key");
}

TEST(BatchLines, AreReadWholeWhateverTheirLength) {
  const auto linesOf = [](const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; readBatchLine(in, line);) lines.push_back(line);
    return lines;
  };
  EXPECT_TRUE(linesOf("").empty());
  EXPECT_EQ(linesOf("\n"), std::vector<std::string>{""});
  EXPECT_EQ(linesOf("a\n\nb\r\n c"), (std::vector<std::string>{"a", "", "b\r", " c"}));
  EXPECT_EQ(linesOf(std::string("a\0b\nc", 5)), (std::vector<std::string>{std::string("a\0b", 3), "c"}));
  for (const std::size_t size : {4094, 4095, 4096, 4097, 8190, 8191, 100'000}) {
    const std::string line(size, 'x');
    EXPECT_EQ(linesOf(line + "\ny\n"), (std::vector<std::string>{line, "y"})) << size;
    EXPECT_EQ(linesOf(line), std::vector<std::string>{line}) << size;
  }
}

TEST(BatchLines, ALineThatIsTooLongIsCutAndRefused) {
  const std::string longest(kMaxBatchLineBytes, ' ');
  for (const char* more : {"xy", "x\n", "x"}) {
    std::istringstream in(longest + more);
    std::string line;
    ASSERT_TRUE(readBatchLine(in, line));
    EXPECT_EQ(line, longest + "x");
    EXPECT_EQ(test::messageOf(parseBatchLine(line, "b", 3, Document())), "b: line 3: is longer than 1 MB");
  }
  std::istringstream in(longest + "\n");
  std::string line;
  ASSERT_TRUE(readBatchLine(in, line));
  EXPECT_EQ(line, longest);
}

}  // namespace
}  // namespace limber::io::problem_json_test
