// SPDX-License-Identifier: MIT
#include "limber/io/named_pose.h"

#include <gtest/gtest.h>

#include "limber/io/json/pose_json.h"
#include "limber/kinematics/figure_builder.h"
#include "results.h"
#include "support/built_figure.h"

namespace limber::io::named_pose_test {
namespace {

/// A crane on a free joint with a revolute mast, a boom on a ball joint and a prismatic hook. Its file is in
/// centimetres.
std::shared_ptr<const Figure> crane(double metresPerUnit = 0.01) {
  FigureBuilder builder("Crane");
  builder.setFileFrame({.metresPerUnit = metresPerUnit});
  builder.addLink({.name = "base", .parent = -1}, {.name = "base", .type = JointType::Free});
  builder.addLink({.name = "mast", .parent = 0}, {.name = "mast", .type = JointType::Revolute});
  builder.addLink({.name = "boom", .parent = 1}, {.name = "boom", .type = JointType::Ball});
  builder.addLink({.name = "hook", .parent = 2}, {.name = "hook", .type = JointType::Prismatic});
  return test::built(builder);
}

Pose posed(const Figure& figure) {
  Pose pose = restPose(figure);
  Eigen::VectorXd step(figure.stepSize());
  step << 1.25, -0.5, 2.0, 0.1, 0.2, -0.3, 0.7, -0.4, 0.3, 0.2, 0.35;
  integrate(figure, pose, step, pose);
  return pose;
}

TEST(NamedPose, ReadsBackAsItWasWritten) {
  const auto figure = crane();
  const Pose pose = posed(*figure);
  const auto read = test::valueOf(parseNamedPose(formatNamedPose("High up", *figure, pose), "high_up.json"));
  EXPECT_EQ(read.name, "High up");
  EXPECT_EQ(read.figure, "Crane");
  const FittedPose fitted = fitPose(read, *figure, restPose(*figure));
  EXPECT_EQ(fitted.found, 4);
  EXPECT_TRUE(fitted.unknown.empty());
  EXPECT_EQ(fitted.without, 0);
  EXPECT_LT((fitted.pose.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(formatNamedPose(read), formatNamedPose(*parseNamedPose(formatNamedPose(read), "again")));
}

TEST(NamedPose, KeepsItsLengthsInAFigureOfAnotherUnit) {
  const auto inCentimetres = crane(0.01), inMetres = crane(1.0);
  const Pose pose = posed(*inCentimetres);
  const std::string text = formatNamedPose("p", *inCentimetres, pose);
  EXPECT_LT((fitPose(*parseNamedPose(text, "p"), *inMetres, restPose(*inMetres)).pose.coordinates - pose.coordinates)
                .cwiseAbs()
                .maxCoeff(),
            1e-14);
  const auto asText = test::valueOf(parsePose(text, "p", *inMetres, restPose(*inMetres)));
  EXPECT_LT((asText.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NamedPose, IsTakenWhereverTheTextOfAPoseIs) {
  const auto figure = crane();
  const Pose pose = posed(*figure);
  const auto read = test::valueOf(parsePose(formatNamedPose("p", *figure, pose), "p.json", *figure, restPose(*figure)));
  EXPECT_LT((read.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(NamedPose, PassesOverWhatTheFigureDoesNotHaveAndSaysSo) {
  const auto figure = crane();
  const auto read = test::valueOf(parseNamedPose(
      R"({"format": "limber pose", "version": 1, "name": "p",
          "pose": {"mast": 0.5, "boom": 1, "jib": 0.2, "hook": [1, 2, 3, 4]}})",
      "p.json"));
  const FittedPose fitted = fitPose(read, *figure, posed(*figure));
  EXPECT_EQ(fitted.found, 1);
  EXPECT_EQ(fitted.unknown, (std::vector<std::string>{"boom", "hook", "jib"}));
  EXPECT_EQ(fitted.without, 3);
  Pose expected = posed(*figure);
  expected.coordinates[figure->joint(1).poseIndex] = 0.5;
  EXPECT_EQ(fitted.pose.coordinates, expected.coordinates);
}

TEST(NamedPose, KeepsThePartsOfABody) {
  const auto figure = crane();
  RolePose parts;
  parts.turns[{BodyPart::Hips, BodySide::Middle}] = {Eigen::Quaterniond(0.8, 0.0, 0.6, 0.0)};
  parts.turns[{BodyPart::UpperArm, BodySide::Left}] = {Eigen::Quaterniond::Identity(),
                                                       Eigen::Quaterniond(0.6, 0.8, 0.0, 0.0)};
  parts.shift = {0.25, -0.5};
  parts.clearance = 0.125;
  parts.feet = {{BodySide::Left, 0.5}, {BodySide::Right, 0.0}};
  const std::string text = formatNamedPose("p", *figure, posed(*figure), parts);
  const auto read = test::valueOf(parseNamedPose(text, "p.json"));
  ASSERT_EQ(read.parts.turns.size(), 2u);
  for (const auto& [place, turns] : parts.turns) {
    ASSERT_EQ(read.parts.turns.at(place).size(), turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i)
      EXPECT_LT(read.parts.turns.at(place)[i].angularDistance(turns[i]), 1e-7);
  }
  EXPECT_EQ(read.parts.shift, parts.shift);
  EXPECT_EQ(read.parts.clearance, parts.clearance);
  EXPECT_EQ(read.parts.feet, parts.feet);
  EXPECT_EQ(formatNamedPose(*parseNamedPose(formatNamedPose(read), "again")), formatNamedPose(read));
  EXPECT_TRUE(parsePose(text, "p.json", *figure, restPose(*figure))) << "taken as the text of a pose all the same";
}

TEST(NamedPose, SaysWhatIsWrongWithAFile) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"[]", "object"},
      {R"({"name": "p"})", "format"},
      {R"({"format": "limber figure", "version": 1, "name": "p", "pose": {}})", "limber pose"},
      {R"({"format": "limber pose", "version": 2, "name": "p", "pose": {}})", "version"},
      {R"({"format": "limber pose", "version": 1, "name": "", "pose": {}})", "name"},
      {R"({"format": "limber pose", "version": 1, "name": "p"})", "pose"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {"a": "b"}})", "pose.a"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {}, "nmae": 1})", "nmae"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "metres_per_unit": 0, "pose": {}})", "metres_per_unit"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {}, "parts": {"turns": {"tail": [[0, 0, 0, 1]]}}})",
       "parts.turns.tail: is not a part"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {}, "parts": {"turns": {"head": []}}})",
       "parts.turns.head"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {}, "parts": {"turns": {"head": [[0, 0, 0, 3]]}}})",
       "parts.turns.head[0]"},
      {R"({"format": "limber pose", "version": 1, "name": "p", "pose": {}, "parts": {"turns": {}, "shift": [1]}})",
       "parts.shift"},
  };
  for (const auto& [text, word] : cases) {
    const auto read = parseNamedPose(text, "broken.json");
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message().find("broken.json"), std::string::npos);
    EXPECT_NE(read.error().message().find(word), std::string::npos) << text << ": " << read.error().message();
  }
}

}  // namespace
}  // namespace limber::io::named_pose_test
