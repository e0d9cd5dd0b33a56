// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_json.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "limber/io/base/json.h"
#include "limber/io/bvh/bvh.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_types.h"
#include "locations.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/figure_equality.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::scene_json_test {
namespace {

using SceneJson = test::TemporaryFolder;

/// Expects equality to the last bit, including the signs of zeros.
void expectSameBits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)), 0);
}

void expectSameDocument(const Document& a, const Document& b) {
  test::expectSameFigure(*a.figure, *b.figure);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.joints, b.joints);
  expectSameBits(a.pose.coordinates, b.pose.coordinates);
  EXPECT_EQ(a.goals, b.goals);
  EXPECT_EQ(a.nextGoalId, b.nextGoalId);
  EXPECT_EQ(a.pins, b.pins);
  EXPECT_EQ(a.couplingEnabled, b.couplingEnabled);
  EXPECT_EQ(a.linearLimitEnabled, b.linearLimitEnabled);
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.follow, b.follow);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.selection, b.selection);
  EXPECT_EQ(a.view, b.view);
  ASSERT_EQ(a.motion == nullptr, b.motion == nullptr);
  if (!a.motion) return;
  EXPECT_EQ(a.motion->values, b.motion->values);
  EXPECT_EQ(a.motion->frameCount, b.motion->frameCount);
  EXPECT_EQ(a.motion->frameTime, b.motion->frameTime);
  ASSERT_EQ(a.motion->channels.size(), b.motion->channels.size());
  for (std::size_t i = 0; i < a.motion->channels.size(); ++i) {
    EXPECT_EQ(a.motion->channels[i].joint, b.motion->channels[i].joint);
    EXPECT_EQ(a.motion->channels[i].type, b.motion->channels[i].type);
  }
}

Document roundTrip(const Document& document, const std::filesystem::path& path) {
  const auto error = writeScene(path, document);
  EXPECT_FALSE(error) << error->message();
  return test::valueOf(readScene(path));
}

Document makeRichDocument(std::mt19937& random) {
  Document document = makeDocument(test::makeAwkwardFigure());
  document.pose = test::randomPose(*document.figure, random);
  addGoal(document, 6, Eigen::Vector3d(0.1, -0.0, 1.0 / 3.0));
  addGoal(document, 9, Eigen::Vector3d(0.2, 0, 0));
  removeGoal(document, 1);
  addGoal(document, 3, Eigen::Vector3d::Zero());
  document.goals[0].name = "\"quoted\" \n \xc3\xa9";
  document.goals[0].weight = 0.1;
  document.goals[1].enabled = false;
  document.joints[3].limits = {-0.25, std::numeric_limits<double>::infinity()};
  document.joints[4].limits = {};
  document.joints[4].rigidity = 0.7;
  document.joints[5].locked = true;
  document.joints[0].translationLocked = true;
  document.mode = Mode::Forward;
  document.follow = true;
  document.solver.solver = "a solver of tomorrow";
  document.solver.reference = RestReference::StartPose;
  document.solver.options["gdls"]["alphaInit"] = 1e-5;
  document.selection = selectionOf({2, 4}, 4);
  document.selection.goal = document.goals[1].id;
  return document;
}

Eigen::Vector3d randomPoint(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

Eigen::Matrix3d randomFrame(std::mt19937& random) {
  return Eigen::Quaterniond(Eigen::Vector4d(randomPoint(random).homogeneous()).normalized()).toRotationMatrix();
}

/// A goal with all fields set, also those that its type does not use, because users may change the type.
GoalItem randomGoal(const Document& document, GoalType type, int id, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const std::vector<int> chain = {4, 0, 7};
  GoalItem goal;
  goal.id = id;
  goal.type = type;
  goal.link = 6;
  goal.pointInLink = randomPoint(random);
  goal.frameInLink = randomFrame(random);
  goal.target = randomPoint(random);
  goal.targetFrame = randomFrame(random);
  goal.directionScale = {0.0, uniform(random)};
  goal.positionShare = uniform(random);
  goal.distance = {uniform(random), 1.0 + uniform(random)};
  goal.otherLink = 9;
  goal.pointInOther = randomPoint(random);
  goal.frameInOther = randomFrame(random);
  goal.kept = test::randomPose(*document.figure, random);
  goal.chain = chain;
  goal.anyOf = 3;
  goal.weight = uniform(random);
  goal.priority = 2;
  goal.preference = true;
  goal.enabled = false;
  return goal;
}

/// A document with a goal of every type, pins, switches and limits of all kinds.
Document makeFullDocument(std::mt19937& random) {
  Document document = makeDocument(test::makeCoupledFigure());
  document.pose = test::randomPose(*document.figure, random);
  for (const GoalTypeInfo& info : goalTypes())
    document.goals.push_back(randomGoal(document, info.type, document.nextGoalId++, random));
  document.pins.push_back({.link = 9,
                           .rotation = false,
                           .pointInLink = randomPoint(random),
                           .worldFromLink = {randomFrame(random), randomPoint(random)}});
  document.pins.push_back({.link = 6, .position = false});
  document.couplingEnabled = {1, 0, 1};
  document.joints[1].ballLimits = {
      randomPoint(random).normalized(), randomPoint(random).normalized(), 0.7, {-0.3, 1.0 / 3.0}};
  document.joints[7].ballLimits.twist.lower = -1.0;
  document.solver.insist = true;
  document.solver.posing = PosingChoice::Natural;
  document.solver.bodyFollows = 0.3;
  document.solver.reachedDistance = 1e-4;
  document.solver.reachedAngle = 1.0 / 3.0;
  document.view = {randomPoint(random), -1.0 / 3.0, 0.2, 1.7, true};
  return document;
}

TEST_F(SceneJson, EveryGoalTypeSurvivesBitForBit) {
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    const Document document = makeFullDocument(random);
    expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
  }
}

TEST_F(SceneJson, GoalsWithDefaultsSurvive) {
  for (const GoalTypeInfo& info : goalTypes()) {
    Document document = makeDocument(test::makeAwkwardFigure());
    document.goals.push_back({.id = document.nextGoalId++, .type = info.type});
    if (info.kept) document.goals.back().kept = document.pose;
    expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
  }
}

TEST_F(SceneJson, PosingIsWrittenWhereItIsNotTheDefault) {
  Document document = makeDocument(makeBallChain(2));
  EXPECT_EQ(formatScene(document)->find("posing"), std::string::npos);
  EXPECT_EQ(formatScene(document)->find("body_follows"), std::string::npos);
  for (const PosingChoice choice : {PosingChoice::Natural, PosingChoice::Still}) {
    document.solver.posing = choice;
    EXPECT_EQ(roundTrip(document, folder_ / "s.limber").solver.posing, choice);
  }
  std::string text = *formatScene(document);
  text.replace(text.find("still"), 5, "limbs");
  const auto broken = parseScene(text, "s.limber");
  ASSERT_FALSE(broken);
  EXPECT_TRUE(
      test::says(broken.error().message(), {"s.limber: solver.posing", "\"natural\"", "\"still\"", "\"even\""}));
}

TEST_F(SceneJson, LinearLimitsAreSwitchedByName) {
  FigureBuilder builder("tied");
  builder.addLink({.name = "a"}, {.name = "ja", .type = JointType::Revolute});
  for (const char* name : {"one", "two"})
    builder.addLinearLimit({.name = name, .terms = {{0, 1.0}}, .bounds = {-1, 1}});
  std::string error;
  Document document = makeDocument(builder.build(error));
  document.linearLimitEnabled = {1, 0};
  EXPECT_EQ(roundTrip(document, folder_ / "s.limber").linearLimitEnabled, document.linearLimitEnabled);
}

/// A scene of a version without pins, couplings and goals of other types.
constexpr const char* kOldScene = R"({
  "format": "limber scene",
  "version": 1,
  "mode": "inverse",
  "follow": false,
  "solver": {
    "name": "newton",
    "target_weight": 1000.0,
    "rest_weight": 1.0,
    "reference": "rest",
    "reached_tolerance": 0.01,
    "options": {}
  },
  "selection": {"joint": null, "goal": null},
  "goals": [
    {
      "id": 1,
      "type": "position",
      "name": "link0",
      "link": "link0",
      "point": [1.0, 0.0, 0.0],
      "target": [1.0, 0.5, 0.0],
      "weight": 1.0,
      "enabled": true
    }
  ],
  "next_goal_id": 2,
  "pose": [0.25],
  "joints": [
    {
      "name": "joint0",
      "limits": [-1.0, null],
      "rigidity": 0.0,
      "locked": false,
      "translation_locked": false
    }
  ],
  "figure": {
    "format": "limber figure",
    "version": 1,
    "name": "planar:1",
    "file_frame": {"metres_per_unit": 1.0, "scene_from_file": [0.0, 0.0, 0.0, 1.0]},
    "links": [
      {
        "name": "link0",
        "parent": null,
        "joint": {
          "name": "joint0",
          "type": "revolute",
          "position": [0.0, 0.0, 0.0],
          "axis": [0.0, 0.0, 1.0],
          "rest": 0.0
        },
        "mass": 84.82300164692441,
        "centre_of_mass": [0.5, 0.0, 0.0],
        "capsules": [{"start": [0.0, 0.0, 0.0], "end": [1.0, 0.0, 0.0], "radius": 0.15}]
      }
    ],
    "sites": [{"name": "tip", "link": "link0", "position": [1.0, 0.0, 0.0]}]
  },
  "frame": 0
}
)";

TEST_F(SceneJson, ScenesOfTheFirstFormOpenAndAreWrittenTheSame) {
  const auto document = test::valueOf(parseScene(kOldScene, "old"));
  EXPECT_EQ(document.goals.size(), 1u);
  EXPECT_EQ(document.goals[0].type, GoalType::Position);
  EXPECT_EQ(document.goals[0].target, Eigen::Vector3d(1, 0.5, 0));
  EXPECT_EQ(document.joints[0].limits.lower, -1.0);
  EXPECT_TRUE(document.pins.empty());
  EXPECT_EQ(*formatScene(document), kOldScene);
}

/// Replaces each value of the text in turn: either the scene still opens with valid numbers, or the error names the
/// file and a cause.
TEST_F(SceneJson, BrokenValuesFailPolitely) {
  std::mt19937 random(8);
  const Json good = parseJson(*formatScene(makeFullDocument(random)));
  const Json others[] = {nullptr, true, -1, 2.5, 1e308, "", "x", Json::array(), Json::object(), Json::array({1, 2, 3})};
  const Json flat = good.flatten();
  const int every = test::repetitions(1, 6);
  int at = 0, refused = 0;
  for (const auto& [pointer, value] : flat.items()) {
    if (at++ % every != 0) continue;
    Json broken = good;
    broken[Json::json_pointer(pointer)] = others[random() % std::size(others)];
    const auto document = parseScene(broken.dump(), "s.limber");
    if (document) {
      EXPECT_TRUE(isValid(*document->figure, document->pose)) << pointer;
      EXPECT_TRUE(formatScene(*document)) << pointer;
      continue;
    }
    ++refused;
    EXPECT_EQ(document.error().file, "s.limber");
    EXPECT_FALSE(document.error().place.empty()) << pointer;
    EXPECT_FALSE(document.error().cause.empty()) << pointer;
  }
  EXPECT_GT(refused, 300 / every);
}

TEST_F(SceneJson, FaultsOfAViewNameThePlace) {
  const std::string good = *formatScene(makeDocument(makePlanarChain(2)));
  EXPECT_EQ(good.find("\"view\""), std::string::npos);
  const auto read = [&](const std::string& view) {
    return parseScene(test::replaced(good, "\"next_goal_id\"", "\"view\": " + view + ", \"next_goal_id\""), "s");
  };
  const auto faultOf = [&](const std::string& distance, const std::string& more = "") {
    return test::messageOf(
        read("{\"centre\": [0, 1, 0], \"azimuth\": 0.5, \"elevation\": 0.1, \"distance\": " + distance + more + "}"));
  };
  const auto sound = read(R"({"centre": [0, 1, 0], "azimuth": 0.5, "elevation": 0.1, "distance": 2})");
  ASSERT_TRUE(sound);
  EXPECT_EQ(sound->view, (StoredView{{0, 1, 0}, 0.5, 0.1, 2.0, false}));
  EXPECT_EQ(faultOf("0"), "s: view.distance: is 0, outside [0.0001, 1000000]");
  EXPECT_EQ(faultOf("-2"), "s: view.distance: is -2, outside [0.0001, 1000000]");
  EXPECT_EQ(faultOf("\"far\""), "s: view.distance: must be a number, not text");
  EXPECT_EQ(faultOf("NaN").substr(0, 8), "s: line ");
  EXPECT_EQ(faultOf("1", ", \"zoom\": 2"), "s: view.zoom: is not a known key");
  EXPECT_TRUE(test::says(faultOf("1", ", \"orthographic\": 1"), {"s: view.orthographic", "true or false"}));
  EXPECT_EQ(test::messageOf(read(R"({"centre": [0, 1], "azimuth": 0, "elevation": 0, "distance": 2})")),
            "s: view.centre: must hold 3 numbers, not 2");
  EXPECT_EQ(
      test::messageOf(read(R"({"centre": [0, 1, 0], "azimuth": 0, "elevation": 2, "distance": 2})")).substr(0, 17),
      "s: view.elevation");
  EXPECT_EQ(test::messageOf(read(R"({"azimuth": 0, "elevation": 0, "distance": 2})")), "s: view.centre: is missing");
  EXPECT_EQ(test::messageOf(read("\"front\"")), "s: view: must be an object, not text");
}

TEST_F(SceneJson, BrokenTextFailsPolitely) {
  std::mt19937 random(9);
  const std::string good = *formatScene(makeFullDocument(random));
  for (int i = 0; i < 300; ++i) {
    std::string text = good;
    const std::size_t at = random() % text.size();
    if (i % 3 == 0) text.resize(at);
    else if (i % 3 == 1) text.erase(at, 1 + random() % 20);
    else text[at] = static_cast<char>(random() % 256);
    const auto document = parseScene(text, "s.limber");
    if (document) EXPECT_TRUE(isValid(*document->figure, document->pose));
    else EXPECT_FALSE(document.error().cause.empty());
  }
}

TEST_F(SceneJson, DocumentsSurviveBitForBit) {
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    const Document document = makeRichDocument(random);
    expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
  }
}

TEST_F(SceneJson, ObstaclesSurvive) {
  Document document = makeDocument(test::makeAwkwardFigure());
  document.keepsBalance = true;
  document.selfAvoidance = SelfAvoidance::All;
  Obstacle box{.name = "table"};
  box.size = Eigen::Vector3d(0.1, 1.0 / 3.0, 2.0);
  box.worldFromObstacle = {Eigen::AngleAxisd(0.3, Eigen::Vector3d(1, 2, 2) / 3.0).toRotationMatrix(),
                           Eigen::Vector3d(1.0, -2.0, 1.0 / 7.0)};
  box.links = {3, 1};
  box.points = {{2, Eigen::Vector3d(0.0, 0.1, 0.2)}};
  box.enabled = false;
  addObstacle(document, box);
  addObstacle(document, {.name = "", .shape = Obstacle::Shape::Plane});
  auto hull = std::make_shared<ConvexHull>();
  ASSERT_EQ(makeConvexHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 3.0}, {0.1, 0.1, 0.1}}, *hull), "");
  Obstacle rock{.name = "rock", .shape = Obstacle::Shape::Polyhedron};
  rock.hull = hull;
  rock.prop =
      std::make_shared<PropMesh>(PropMesh{{{0.0f, 0.1f, 0.2f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}, {2, 0, 1}});
  document.selection.obstacle = addObstacle(document, rock);
  const Document back = roundTrip(document, folder_ / "s.limber");
  ASSERT_EQ(back.obstacles.size(), 3u);
  EXPECT_EQ(back.obstacles[0], document.obstacles[0]);
  EXPECT_EQ(back.obstacles[1], document.obstacles[1]);
  EXPECT_EQ(back.obstacles[2].hull->vertices, hull->vertices);
  EXPECT_EQ(back.obstacles[2].hull->faces.size(), 4u);
  EXPECT_EQ(back.obstacles[2].prop->positions, rock.prop->positions);
  EXPECT_EQ(back.obstacles[2].prop->triangles, rock.prop->triangles);
  EXPECT_EQ(back.nextObstacleId, 4);
  EXPECT_EQ(back.selection, document.selection);
  EXPECT_TRUE(back.keepsBalance);
  EXPECT_EQ(back.selfAvoidance, SelfAvoidance::All);
  EXPECT_EQ(*formatScene(back), *formatScene(document));
}

TEST_F(SceneJson, EveryChoiceOfSelfAvoidanceSurvives) {
  Document document = makeDocument(makePlanarChain(2));
  for (const std::optional<SelfAvoidance> choice :
       {std::optional<SelfAvoidance>{}, std::optional(SelfAvoidance::Off), std::optional(SelfAvoidance::Arms),
        std::optional(SelfAvoidance::All)}) {
    document.selfAvoidance = choice;
    EXPECT_EQ(roundTrip(document, folder_ / "s.limber").selfAvoidance, choice);
  }
}

TEST_F(SceneJson, RoundObstaclesPairsAndTheSafetyDistanceSurvive) {
  Document document = makeDocument(makeArm());
  addObstacle(document, makeSphere({0.1, 0.2, 0.3}, 0.123, "ball"));
  addObstacle(document, makeCapsule({0.1, 0.2, 0.3}, {0.4, -0.7, 0.31}, 0.0777, "pole"));
  setCollision(document, 5, 2, false);
  document.safetyDistance = 0.03;
  const Document back = roundTrip(document, folder_ / "s.limber");
  EXPECT_EQ(back.obstacles, document.obstacles) << "to the last bit";
  EXPECT_EQ(back.disabledPairs, (std::vector<LinkPair>{{2, 5}}));
  EXPECT_EQ(back.safetyDistance, 0.03);
}

TEST_F(SceneJson, ObstaclesWithoutVolumeNameThePlace) {
  Document document = makeDocument(makePlanarChain(2));
  addObstacle(document, {.name = "box"});
  const std::string good = *formatScene(document);
  const auto faultOf = [&](const std::string& from, const std::string& to) {
    return test::messageOf(parseScene(test::replaced(good, from, to), "s"));
  };
  EXPECT_TRUE(
      test::says(faultOf("\"size\": [1.0, 1.0, 1.0]", "\"size\": [1.0, 0.0, 1.0]"), {"s: obstacles[0].size", "zero"}));
  EXPECT_TRUE(test::says(faultOf("\"shape\": \"box\"", "\"shape\": \"ball\""),
                         {"s: obstacles[0].shape", "\"ball\"", "(box, plane, polyhedron, sphere, capsule)"}));
  EXPECT_TRUE(test::says(
      faultOf("\"shape\": \"box\"", "\"shape\": \"polyhedron\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]"),
      {"s: obstacles[0].vertices", "plane"}));
  EXPECT_EQ(faultOf("\"next_obstacle_id\": 2", "\"next_obstacle_id\": 1"),
            "s: next_obstacle_id: is 1, outside [2, 1000000001]");
}

TEST_F(SceneJson, AMotionOfPosesSurvivesBitForBit) {
  std::mt19937 random(6);
  Document document = makeDocument(test::makeAwkwardFigure());
  auto motion = std::make_shared<Motion>();
  motion->name = "fit";
  motion->frameTime = 1.0 / 120.0;
  for (int i = 0; i < 3; ++i) motion->append(test::randomPose(*document.figure, random));
  document.motion = motion;
  showFrame(document, 2);
  const Document back = roundTrip(document, folder_ / "s.limber");
  ASSERT_TRUE(back.motion);
  EXPECT_EQ(back.motion->name, motion->name);
  EXPECT_EQ(back.motion->frameTime, motion->frameTime);
  EXPECT_EQ(back.motion->poses, motion->poses);
  EXPECT_EQ(back.pose, document.pose);
}

TEST_F(SceneJson, OddNumbersSurvive) {
  Document document = makeDocument(makePlanarChain(4));
  document.pose.coordinates << -0.0, std::numeric_limits<double>::denorm_min(), 1e-300, 0.1 + 0.2;
  expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
}

TEST_F(SceneJson, FormattingAgainGivesTheSameText) {
  std::mt19937 random(6);
  const Document document = makeRichDocument(random);
  const std::string text = *formatScene(document);
  EXPECT_EQ(*formatScene(*parseScene(text, "s")), text);
}

TEST_F(SceneJson, KeysOverAMotionSurviveBitForBit) {
  Document document = makeDocument(makeBallChain(3));
  auto motion = std::make_shared<Motion>();
  motion->name = "fit";
  for (int i = 0; i < 20; ++i) motion->append(restPose(*document.figure));
  document.motion = motion;
  for (const int frame : {4, 12}) {
    showFrame(document, frame);
    setJointRotation(*document.figure, 1, exponential({0.1 * frame, 0.2, 0.3}), document.pose);
    ASSERT_TRUE(keyLayer(document));
  }
  setFade(document, 0.4);
  const Document back = roundTrip(document, folder_ / "s.limber");
  ASSERT_TRUE(back.motion);
  ASSERT_TRUE(back.motion->beneath);
  EXPECT_EQ(back.motion->layer, document.motion->layer);
  EXPECT_EQ(back.motion->beneath->poses, motion->poses);
  for (int frame = 0; frame < motion->frameCount; ++frame)
    EXPECT_EQ(back.motion->poseAt(*back.figure, frame), document.motion->poseAt(*document.figure, frame));
}

TEST_F(SceneJson, LongMotionIsSavedAndLoaded) {
  const auto bvh = openFigureSource("bvh/cmu_01_01.bvh", LIMBER_SHARED_DATA_DIR);
  if (!bvh) GTEST_SKIP() << bvh.error().message();
  Document document = makeDocument(bvh->figure, bvh->motion);
  showFrame(document, 1234);
  expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
}

TEST_F(SceneJson, NumberThatIsNotFiniteKeepsTheOldFile) {
  Document document = makeDocument(makePlanarChain(1));
  ASSERT_FALSE(writeScene(folder_ / "s.limber", document));
  document.goals[0].target.x() = std::nan("");
  ASSERT_TRUE(writeScene(folder_ / "s.limber", document));
  EXPECT_TRUE(readScene(folder_ / "s.limber"));
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(SceneJson, FaultsNameThePlace) {
  const std::string good = *formatScene(makeDocument(makePlanarChain(2)));
  const auto faultOf = [&](const std::string& from, const std::string& to) {
    return test::messageOf(parseScene(test::replaced(good, from, to), "s"));
  };
  EXPECT_EQ(faultOf("\"pose\": [0.0, 0.0]", "\"pose\": [0.0]"), "s: pose: must hold 2 numbers, not 1");
  EXPECT_EQ(faultOf("\"link\": \"link1\"", "\"link\": \"link9\""),
            "s: goals[0].link: the figure has no link \"link9\"");
  EXPECT_EQ(faultOf("\"weight\": 1.0", "\"weight\": -1.0"), "s: goals[0].weight: is -1.0, outside [0, 1000000000000]");
  EXPECT_EQ(faultOf("\"next_goal_id\": 2", "\"next_goal_id\": 1"), "s: next_goal_id: is 1, outside [2, 1000000001]");
  EXPECT_EQ(faultOf("\"type\": \"position\"", "\"type\": \"grasp\"").substr(0, 55),
            "s: goals[0].type: \"grasp\" is not a goal type (position,");
  EXPECT_EQ(faultOf("\"next_goal_id\": 2", "\"next_goal_id\": 2, \"pins\": [{\"link\": \"x\"}]"),
            "s: pins[0].link: the figure has no link \"x\"");
  EXPECT_EQ(
      faultOf("\"next_goal_id\": 2", "\"next_goal_id\": 2, \"pins\": [{\"link\": \"link0\"}, {\"link\": \"link0\"}]"),
      "s: pins[1].link: is pinned twice");
  EXPECT_EQ(faultOf("\"next_goal_id\": 2",
                    "\"next_goal_id\": 2, \"couplings\": [{\"follower\": \"joint0\", \"enabled\": false}]"),
            "s: couplings[0].follower: the joint follows nothing");
  EXPECT_EQ(faultOf("\"rigidity\": 0.0", "\"ball_limits\": {}, \"rigidity\": 0.0"),
            "s: joints[0].ball_limits: belongs to ball joints only");
  EXPECT_EQ(faultOf("\"mode\": \"inverse\"", "\"mode\": \"sideways\""), "s: mode: must be \"forward\" or \"inverse\"");
  EXPECT_EQ(faultOf("\"frame\": 0", "\"frame\": 1"), "s: frame: is 1, outside [0, 0]");
  EXPECT_EQ(faultOf("\"version\": 1", "\"version\": 7"), "s: version: is 7, outside [1, 1]");
  EXPECT_EQ(faultOf("\"target_weight\": 1000.0", "\"target_weight\": NaN").substr(0, 8), "s: line ");
}

}  // namespace
}  // namespace limber::io::scene_json_test
