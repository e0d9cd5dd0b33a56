// SPDX-License-Identifier: MIT
#include "limber/io/json/figure_json.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/figure_equality.h"
#include "support/says.h"

namespace limber::io::figure_json_test {
namespace {

std::string withLinks(const std::string& links) {
  return R"({"format": "limber figure", "version": 1, "links": [)" + links + "]}";
}

std::string faultOf(const std::string& text) { return test::messageOf(parseFigure(text, "f.json")); }

void expectSurvives(const Figure& figure) {
  const std::string text = formatFigure(figure);
  const auto back = test::valueOf(parseFigure(text, "f.json"));
  test::expectSameFigure(figure, *back);
  EXPECT_EQ(formatFigure(*back), text);
}

const std::string kRoot = R"({"name": "a", "parent": null, "joint": {"type": "fixed"}})";

TEST(FigureJson, AwkwardFigureSurvivesBitForBit) { expectSurvives(*test::makeAwkwardFigure()); }

TEST(FigureJson, RandomFramesAndRestsSurviveBitForBit) {
  for (int round = 0; round < 50; ++round) {
    FigureBuilder builder("random");
    for (int i = 0; i < 20; ++i) {
      Joint joint{.name = "j" + std::to_string(i), .type = i % 2 ? JointType::Ball : JointType::Revolute};
      joint.parentFromJoint = {Eigen::Quaterniond::UnitRandom().toRotationMatrix(), Eigen::Vector3d::Random()};
      if (i % 2 == 0) joint.axis = Eigen::Vector3d::Random().normalized();
      builder.addLink({.name = "l" + std::to_string(i), .parent = i - 1}, joint);
      if (i % 2) builder.setRest(i, Eigen::Quaterniond::UnitRandom().coeffs());
    }
    const auto figure = test::built(builder);
    expectSurvives(*figure);
  }
}

TEST(FigureJson, LimitsAndCouplingsSurviveBitForBit) {
  FigureBuilder builder("coupled");
  builder.addLink({.name = "a"}, {.name = "ja", .type = JointType::Revolute});
  builder.addLink({.name = "b", .parent = 0}, {.name = "jb", .type = JointType::Revolute});
  builder.addLink({.name = "c", .parent = 1}, {.name = "jc", .type = JointType::Ball});
  builder.setRest(0, Eigen::VectorXd::Constant(1, 0.1));
  builder.joint(2).ballLimits = {Eigen::Vector3d(1, 2, 3).normalized(),
                                 Eigen::Vector3d(3, 2, 1).normalized(),
                                 1.0 / 3.0 + 1,
                                 {-3.0, 2.0 / 3.0 + 2}};
  builder.addCoupling({.name = "group", .follower = 1, .offset = 0.1, .terms = {{0, {1.0 / 3.0, 0, -0.0, 1e-9}}}});
  builder.addLinearLimit({.name = "side", .terms = {{0, 0.7}, {1, -1.0 / 3.0}}, .bounds = {-1, Interval{}.upper}});
  const auto figure = test::built(builder);
  expectSurvives(*figure);
}

TEST(FigureJson, CouplingsOfBallsSurviveBitForBit) {
  for (const auto& figure : {test::makeBallLedFigure(), test::makeAlikeBallTree()}) expectSurvives(*figure);
}

TEST(FigureJson, FaultsOfCouplingsOfBallsNameThePlace) {
  const auto tied = [](const std::string& value) {
    std::string text = withLinks(R"({"name": "a", "parent": null, "joint": {"type": "revolute", "axis": [0, 0, 1]}},
                                    {"name": "b", "parent": "a", "joint": {"type": "ball"}},
                                    {"name": "c", "parent": "b", "joint": {"type": "ball"}})");
    return text.insert(text.size() - 1, ", \"couplings\": [" + value + "]");
  };
  const std::pair<std::string, std::string> cases[] = {
      {tied(R"({"name": "g", "follower": "c", "terms": [{"driver": "b"}]})"), ""},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b", "axis": [0, 2, 0], "bone": [0, 0, 1],
                                                         "coefficients": [1]}]})"),
       ""},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b"}]})"),
       "f.json: couplings[0].terms[0].coefficients: is missing"},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b", "coefficients": [1]}]})"),
       "f.json: couplings: coupling \"g\": \"a\": the joint \"b\" is ball, not revolute or prismatic"},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b", "axis": [0, 1, 0], "coefficients": [1]}]})"),
       "f.json: couplings[0].terms[0].bone: is missing"},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b", "bone": [0, 1, 0], "coefficients": [1]}]})"),
       "f.json: couplings[0].terms[0].axis: is missing"},
      {tied(R"({"name": "g", "follower": "a", "terms": [{"driver": "b", "axis": [0, 0, 0], "bone": [0, 1, 0],
                                                         "coefficients": [1]}]})"),
       "f.json: couplings[0].terms[0].axis: has no direction"},
      {tied(R"({"name": "g", "follower": "c", "terms": [{"driver": "x"}]})"),
       "f.json: couplings[0].terms[0].driver: there is no joint \"x\""},
      {tied(R"({"name": "g", "follower": "c", "terms": [{"driver": "b", "coefficients": [1]}]})"),
       "f.json: couplings: coupling \"g\": \"c\": a ball joint follows without axis, bone, coefficients and offset"},
      {tied(R"({"name": "g", "follower": "c", "terms": [{"driver": "c"}]})"),
       "f.json: couplings: coupling \"g\": the driver \"c\" follows others itself"},
  };
  for (const auto& [text, fault] : cases) EXPECT_EQ(faultOf(text), fault);
}

TEST(FigureJson, AFreedBaseAndTheOriginOfItsFileSurviveBitForBit) {
  const auto arm = makeArm();
  const FigureEdit lifted = setFileOrigin(*arm, {0.0, 1.0 / 3.0, 0.0});
  const FigureEdit freed = addFreeBase(*lifted.figure, 0, "freed base");
  ASSERT_TRUE(freed.figure) << freed.fault;
  expectSurvives(*freed.figure);
  EXPECT_EQ(faultOf(withLinks(R"({"name": "a", "parent": null, "joint": {"type": "fixed", "freed": true}})")),
            "f.json: links[0].joint.freed: belongs to free joints only");
}

TEST(FigureJson, NothingIsWrittenOfDefaults) {
  const std::string text = formatFigure(*makeBallChain(2));
  for (const char* key : {"ball_limits", "couplings", "linear_limits"}) EXPECT_EQ(text.find(key), std::string::npos);
}

TEST(FigureJson, LinksMayStandInAnyOrder) {
  const auto figure = test::valueOf(parseFigure(withLinks(R"({"name": "c", "parent": "b", "joint": {"type": "ball"}},
      {"name": "b", "parent": "a", "joint": {"type": "fixed"}},)" +
                                                          kRoot),
                                                "f.json"));
  EXPECT_EQ(figure->link(0).name, "a");
  EXPECT_EQ(figure->link(2).name, "c");
  EXPECT_EQ(figure->link(2).parent, 1);
}

TEST(FigureJson, LongChainIsReadWithoutRecursion) {
  const auto chain = makeBallChain(20000);
  const auto back = test::valueOf(parseFigure(formatFigure(*chain), "f.json"));
  EXPECT_EQ(back->linkCount(), 20000);
}

TEST(FigureJson, ZeroLengthLinksAreSound) {
  EXPECT_EQ(faultOf(withLinks(kRoot + R"(, {"name": "b", "parent": "a", "joint": {"type": "ball"}})")), "");
}

TEST(FigureJson, FaultsNameFilePlaceAndCause) {
  const auto link = [](const std::string& joint) {
    return withLinks(R"({"name": "a", "parent": null, "joint": )" + joint + "}");
  };
  const std::pair<std::string, std::string> cases[] = {
      {"", "f.json: the file is empty"},
      {"[]", "f.json: must be an object, not an array"},
      {"{}", "f.json: format: is missing"},
      {R"({"format": "limber figure", "version": 2, "links": []})", "f.json: version: is 2, outside [1, 1]"},
      {withLinks(""), "f.json: links: the figure has no links"},
      {withLinks(R"({"parent": null, "joint": {"type": "fixed"}})"), "f.json: links[0].name: is missing"},
      {withLinks(R"({"name": "a", "joint": {"type": "fixed"}})"), "f.json: links[0].parent: is missing"},
      {withLinks(R"({"name": "a", "parent": null})"), "f.json: links[0].joint: is missing"},
      {withLinks(R"({"name": "a", "parent": "x", "joint": {"type": "fixed"}})"),
       "f.json: links[0].parent: there is no link \"x\""},
      {withLinks(kRoot + "," + kRoot), "f.json: links[1].name: two links are called \"a\""},
      {link(R"({"type": "hinge"})"),
       "f.json: links[0].joint.type: \"hinge\" is not a joint type (fixed, revolute, prismatic, ball, free)"},
      {link(R"({"type": "revolute"})"), "f.json: links[0].joint.axis: is missing"},
      {link(R"({"type": "revolute", "axis": [0, 0, 0]})"), "f.json: links[0].joint.axis: has no direction"},
      {link(R"({"type": "revolute", "axis": [0, 0, 1], "limits": [1, 0]})"),
       "f.json: links[0].joint.limits: lower limit is above the upper one"},
      {link(R"({"type": "revolute", "axis": [0, 0, 1], "limits": [1, 2], "rest": 0})"),
       "f.json: links: joint \"a\": its rest is outside its limits"},
      {link(R"({"type": "ball", "rest": [0, 0, 0, 0]})"),
       "f.json: links[0].joint.rest: its quaternion is not of unit length"},
      {link(R"({"type": "ball", "rest": [0, 0, 1]})"), "f.json: links[0].joint.rest: must hold 4 numbers, not 3"},
      {link(R"({"type": "fixed", "position": [1e300, 0, 0]})"),
       "f.json: links[0].joint.position: is more than 1e9 metres away"},
      {link(R"({"type": "fixed", "tipe": 1})"), "f.json: links[0].joint.tipe: is not a known key"},
      {link(R"({"type": "fixed", "rigidity": 2})"), "f.json: links[0].joint.rigidity: is 2, outside [0, 1]"},
      {withLinks(R"({"name": "a", "parent": "c", "joint": {"type": "fixed"}},
                    {"name": "b", "parent": "a", "joint": {"type": "fixed"}},
                    {"name": "c", "parent": "b", "joint": {"type": "fixed"}})"),
       "f.json: links[0].parent: the links are their own ancestors: a -> c -> b -> a"},
  };
  for (const auto& [text, fault] : cases) EXPECT_EQ(faultOf(text), fault);
}

TEST(FigureJson, FaultsOfLimitsAndCouplingsNameThePlace) {
  const auto ball = [](const std::string& limits) {
    return withLinks(R"({"name": "a", "parent": null, "joint": {"type": "ball", "ball_limits": )" + limits + "}}");
  };
  const auto tied = [](const std::string& key, const std::string& value) {
    std::string text = withLinks(R"({"name": "a", "parent": null, "joint": {"type": "revolute", "axis": [0, 0, 1]}},
                                    {"name": "b", "parent": "a", "joint": {"type": "revolute", "axis": [0, 0, 1]}})");
    return text.insert(text.size() - 1, ", \"" + key + "\": [" + value + "]");
  };
  const std::pair<std::string, std::string> cases[] = {
      {ball(R"({"swing": null, "twist": [null, 1]})"), ""},
      {ball(R"({"swing": 4})"), "f.json: links[0].joint.ball_limits: its swing is outside [0, pi]"},
      {ball(R"({"cone_axis": [0, 0, 0]})"), "f.json: links[0].joint.ball_limits.cone_axis: has no direction"},
      {ball(R"({"twist": [1, -1]})"), "f.json: links[0].joint.ball_limits.twist: lower limit is above the upper one"},
      {ball(R"({"twist": [0.5, 1]})"), "f.json: links: joint \"a\": its rest is outside its twist limits"},
      {withLinks(R"({"name": "a", "parent": null, "joint": {"type": "fixed", "ball_limits": {}}})"),
       "f.json: links[0].joint.ball_limits: belongs to ball joints only"},
      {tied("couplings", R"({"name": "g", "follower": "b", "terms": [{"driver": "a", "coefficients": [1]}]})"), ""},
      {tied("couplings", R"({"name": "", "follower": "b", "terms": []})"),
       "f.json: couplings[0].name: must not be empty"},
      {tied("couplings", R"({"name": "g", "follower": "x", "terms": []})"),
       "f.json: couplings[0].follower: there is no joint \"x\""},
      {tied("couplings",
            R"({"name": "g", "follower": "b", "terms": [{"driver": "a", "coefficients": [1, 2, 3, 4, 5]}]})"),
       "f.json: couplings[0].terms[0].coefficients: must hold 1 to 4 numbers"},
      {tied("couplings", R"({"name": "g", "follower": "b", "terms": [{"driver": "b", "coefficients": [1]}]})"),
       "f.json: couplings: coupling \"g\": the driver \"b\" follows others itself"},
      {tied("linear_limits", R"({"name": "s", "terms": [{"joint": "a", "coefficient": 1}], "bounds": [1, 2]})"),
       "f.json: linear_limits: linear limit \"s\": the rest pose is outside it"},
      {tied("linear_limits", R"({"name": "s", "terms": [{"joint": "a"}], "bounds": [1, 2]})"),
       "f.json: linear_limits[0].terms[0].coefficient: is missing"},
  };
  for (const auto& [text, fault] : cases) EXPECT_EQ(faultOf(text), fault);
}

TEST(FigureJson, MissingFileIsNamed) {
  EXPECT_TRUE(test::says(readFigure("/none.json").error().message(), {"/none.json", "cannot be opened"}));
}

}  // namespace
}  // namespace limber::io::figure_json_test
