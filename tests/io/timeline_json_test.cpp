// SPDX-License-Identifier: MIT
// The timeline of a scene, written and read.
#include "limber/io/json/scene_parts.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/awkward_figure.h"
#include "support/temporary_folder.h"

namespace limber::io::timeline_json_test {
namespace {

using TimelineJson = test::TemporaryFolder;
using V = Eigen::Vector3d;

Document withTimeline() {
  std::mt19937 random(3);
  Document document = makeDocument(test::makeAwkwardFigure());
  const int goal = addGoal(document, 6, V(0.1, 0.0, 1.0 / 3.0));
  for (const double time : {0.0, 0.1, 1.0 / 3.0}) {
    document.time = time;
    document.pose = test::randomPose(*document.figure, random);
    keyPose(document);
    keyGoals(document);
    findGoal(document, goal)->target += V(0.1, 1e-17, -0.7);
    findGoal(document, goal)->targetFrame = Eigen::AngleAxisd(time + 0.1, V::UnitX()).toRotationMatrix();
    findGoal(document, goal)->enabled = time < 0.1;
  }
  addPath(document, goal);
  TargetPath& path = *findPath(changeTimeline(document), goal);
  path.points.push_back(V(1.0 / 7.0, -0.0, 1e-300));
  path.isClosed = true;
  path.enabled = false;
  path.begin = 0.3;
  changeTimeline(document).framesPerSecond = 29.97;
  return document;
}

TEST_F(TimelineJson, ReadsBackToTheBit) {
  Document document = withTimeline();
  for (const auto curve : {TargetPath::Curve::CatmullRom, TargetPath::Curve::Bezier}) {
    setPathCurve(document, document.goals[0].id, curve);
    changeTimeline(document).blend = curve == TargetPath::Curve::Bezier ? Blend::Linear : Blend::Smooth;
    const auto path = folder_ / "scene.limber";
    ASSERT_FALSE(writeScene(path, document));
    const auto back = test::valueOf(readScene(path));
    ASSERT_TRUE(back.timeline);
    EXPECT_EQ(*back.timeline, *document.timeline);
    EXPECT_EQ(back.time, document.time);
    const auto again = formatScene(back, folder_);
    EXPECT_EQ(*again, *formatScene(document, folder_));
  }
}

TEST(TimelineJsonText, SceneWithoutOneKeepsItsForm) {
  const auto text = formatScene(makeDocument(makePlanarChain(2)), {});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("timeline"), std::string::npos);
  EXPECT_EQ(text->find("\"time\""), std::string::npos);
}

std::string complaintAbout(const std::string& from, const std::string& to) {
  Document document = makeDocument(makePlanarChain(2));
  addPath(document, document.goals[0].id);
  keyPose(document);
  std::string text = *formatScene(document, {});
  const auto at = text.find(from, text.find("\"timeline\""));
  EXPECT_NE(at, std::string::npos) << from << " in " << text.substr(text.find("\"timeline\""), 400);
  if (at == std::string::npos) return {};
  text.replace(at, from.size(), to);
  return test::messageOf(parseScene(text, "scene.limber"));
}

TEST(TimelineJsonText, FaultsNamePlaceAndCause) {
  EXPECT_NE(complaintAbout("catmull_rom", "circle").find("timeline.paths[0].curve"), std::string::npos);
  EXPECT_NE(complaintAbout("smooth", "bouncy").find("timeline.blend"), std::string::npos);
  EXPECT_NE(complaintAbout("\"length\": 4", "\"length\": 0").find("length must be above 0"), std::string::npos);
  EXPECT_NE(complaintAbout("\"goal\": 1", "\"goal\": 9").find("no such goal"), std::string::npos);
  EXPECT_NE(complaintAbout("\"begin\": 0", "\"begin\": -1").find("timeline.paths[0].begin"), std::string::npos);
  EXPECT_NE(complaintAbout("\"begin\": 0", "\"begn\": 0").find("begn"), std::string::npos);
}

TEST(TimelineJsonText, EasesOfKeysAreKept) {
  Document document = makeDocument(makePlanarChain(2));
  for (const double time : {0.0, 1.0, 2.0}) {
    document.time = time;
    keyPose(document);
  }
  setEase(document, 0.0, {.kind = Ease::Kind::Step});
  setEase(document, 1.0, {Ease::Kind::Curve, 0.42, 0.0, 0.58, 1.0});
  const OrderedJson json = timelineToJson(*document.timeline);
  EXPECT_EQ(json["keys"][0]["ease"], "step");
  EXPECT_FALSE(json["keys"][2].contains("ease"));
  const Json text(json);
  EXPECT_EQ(*timelineFromJson(JsonValue(text), document), *document.timeline);
}

TEST(TimelineJsonText, EasesOfKeysOverAMotionAreKept) {
  const auto figure = makeBallChain(2);
  auto motion = std::make_shared<Motion>();
  for (int frame = 0; frame < 10; ++frame) motion->append(restPose(*figure));
  Document document = makeDocument(figure, motion);
  for (const int frame : {2, 6}) {
    showFrame(document, frame);
    setJointRotation(*figure, 1, exponential({0.1 * frame, 0.0, 0.0}), document.pose);
    keyLayer(document);
  }
  setLayerEase(document, 6, {Ease::Kind::Curve, 0.0, 0.0, 0.58, 1.0});
  const OrderedJson json = motionToJson(*document.motion, *figure);
  EXPECT_TRUE(json["keys"][0]["eases"][0].is_null());
  const Json text(json);
  EXPECT_EQ(motionFromJson(JsonValue(text), *figure)->layer, document.motion->layer);
}

}  // namespace
}  // namespace limber::io::timeline_json_test
