// SPDX-License-Identifier: MIT
// `limber fit`: takes a figure and observed points, and writes a motion with its costs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "io/gltf_sample.h"
#include "limber/body/body_map.h"
#include "limber/io/base/file.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/io/points/observations.h"
#include "support/standing_body.h"
#include "support/temporary_folder.h"

namespace limber::app::fit_command_test {
namespace {

struct Answer {
  int code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

Answer run(std::vector<std::string> arguments) {
  std::vector<const char*> argv = {"limber", "fit"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  WindowOptions window;
  Answer answer;
  answer.code = runCommandLine(static_cast<int>(argv.size()), argv.data(), window, out, err).value_or(-1);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

constexpr const char* kClip =
    "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT toe\n{\nOFFSET 0 -0.7 0.1\n"
    "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0.2\n}\n}\n}\n}\nMOTION\nFrames: 4\n"
    "Frame Time: 0.02\n0 1 0 0 0 0 0 0 0 0 0 0\n0 1 0 10 0 0 0 5 0 0 2 0\n0.1 1 0 20 3 0 0 10 0 0 4 0\n"
    "0.1 1 0.1 30 3 4 0 15 0 0 6 0\n";

class FitCommand : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    clip_ = write("clip.bvh", kClip).string();
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }
  std::string clip_;
};

TEST_F(FitCommand, AFigureIsFittedToItsOwnMotion) {
  const Answer answer = run({clip_, clip_, "--out", at("out.bvh"), "--costs", at("costs.csv")});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  const nlohmann::json json = answer.json();
  EXPECT_EQ(json.at("frames"), 4);
  EXPECT_EQ(json.at("points").size(), 4u);
  EXPECT_NEAR(json.at("scale").get<double>(), 1.0, 1e-9);
  EXPECT_LT(json.at("cost_mm").at("worst").get<double>(), 1e-5);
  EXPECT_EQ(json.at("unmatched").size(), 0u);
  const auto fitted = io::openAny(at("out.bvh"));
  ASSERT_TRUE(fitted) << fitted.error().message();
  EXPECT_EQ(fitted->document.motion->frameCount, 4);
  EXPECT_EQ(fitted->document.motion->frameTime, 0.02);
  const auto costs = io::readFile(at("costs.csv"));
  ASSERT_TRUE(costs);
  EXPECT_TRUE(costs->starts_with("frame,time [s],cost [mm],sum of squares [mm^2],points,iterations,status\n0,0,"));
  EXPECT_EQ(std::ranges::count(*costs, '\n'), 5);
}

TEST_F(FitCommand, AMapNamesWhatNoGuessCould) {
  const std::string points = write("points.csv",
                                   "a.x,a.y,a.z,b.x,b.y,b.z,c.x,c.y,c.z\n0,1000,0,0,0,0,0,-700,100\n"
                                   "0,1000,0,0,0,0,,,\n,,,,,,,,\n")
                                 .string();
  EXPECT_EQ(run({clip_, points}).code, kBadInput);
  const std::string map = write("map.json", R"({"a": "hip", "b": "knee", "c": "toe"})").string();
  const Answer answer = run({clip_, points, "--map", map, "--scale", "0.001", "--out", at("out.limber")});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  EXPECT_EQ(answer.json().at("unobserved_frames"), 1);
  EXPECT_LT(answer.json().at("cost_mm").at("worst").get<double>(), 1e-5);
  const auto scene = io::openAny(at("out.limber"));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->document.motion->frameCount, 3);
  EXPECT_EQ(scene->document.motion->name, "fit to points.csv");
}

TEST_F(FitCommand, AFitGoesIntoTheGltfFileOfItsFigureAndOpensAgain) {
  const float s = std::sqrt(0.5f);
  const std::string figure = write("two.glb", test::twoJoints().glb()).string();
  const std::string moving =
      write("moving.glb", test::animated("rotation", "LINEAR", {0, 0, 0, 1, 0, 0, s, s, s, 0, 0, s}).glb()).string();
  const Answer answer = run({figure, moving, "--scale", "1", "--out", at("out.glb")});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  EXPECT_LT(answer.json().at("cost_mm").at("worst").get<double>(), 1e-3);
  const auto wanted = io::readObservations(moving), got = io::readObservations(at("out.glb"));
  ASSERT_TRUE(wanted && got) << got.error().message();
  EXPECT_EQ(got->observations.names, wanted->observations.names);
  ASSERT_EQ(got->observations.frameCount, wanted->observations.frameCount);
  EXPECT_NEAR(got->observations.frameTime, wanted->observations.frameTime, 1e-6);
  for (std::size_t i = 0; i < wanted->observations.positions.size(); ++i)
    ASSERT_LT((got->observations.positions[i] - wanted->observations.positions[i]).norm(), 1e-5) << i;
}

TEST_F(FitCommand, FeetOfABodyStandUnlessTheyMaySlide) {
  Document source = makeDocument(test::makeStandingBody());
  const auto motion = std::make_shared<Motion>();
  motion->frameTime = 0.02;
  const int hips = bodyMapOf(*source.figure).find(BodyPart::Hips, BodySide::Middle);
  for (int frame = 0; frame < 30; ++frame) {
    Pose pose = restPose(*source.figure);
    pose.coordinates[source.figure->joint(hips).poseIndex] += 0.001 * frame;  // the whole body slides
    motion->append(pose);
  }
  setMotion(source, motion);
  const auto text = io::formatScene(source);
  ASSERT_TRUE(text);
  const std::string scene = write("slides.limber", *text).string();
  const Answer held = run({scene, scene, "--out", at("held.limber")}),
               sliding = run({scene, scene, "--no-stances", "--out", at("sliding.limber")});
  ASSERT_EQ(held.code, kSuccess) << held.err;
  EXPECT_EQ(held.json().at("stances"), 4) << "heel and ball of both feet";
  EXPECT_GT(held.json().at("held_cost_mm").at("worst").get<double>(), 1.0) << "the points slide by 29 mm";
  EXPECT_EQ(sliding.json().at("stances"), 0);
  EXPECT_FALSE(sliding.json().contains("held_cost_mm"));
  const auto footMoves = [&](const char* file) {
    const auto opened = io::openAny(at(file));
    EXPECT_TRUE(opened);
    const Figure& figure = *opened->document.figure;
    const int foot = bodyMapOf(figure).find(BodyPart::Foot, BodySide::Left);
    const auto placeAt = [&](int frame) {
      return Eigen::Vector3d(
          transformsOf(figure, opened->document.motion->poseAt(figure, frame)).worldFromLink[foot].translation);
    };
    return (placeAt(29) - placeAt(0)).norm();
  };
  EXPECT_LT(footMoves("held.limber"), 1e-4);
  EXPECT_NEAR(footMoves("sliding.limber"), 0.029, 1e-4);
}

TEST_F(FitCommand, EndsAloneAreFitted) {
  const Answer answer = run({clip_, clip_, "--points", "ends", "--scale", "1"});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  EXPECT_EQ(answer.json().at("points").size(), 2u);
  EXPECT_LT(answer.json().at("cost_mm").at("worst").get<double>(), 1e-5);
}

TEST_F(FitCommand, ErrorsNameFilePlaceAndCause) {
  const auto errorOf = [](const std::vector<std::string>& arguments) {
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.code, kBadInput) << answer.out;
    EXPECT_EQ(answer.out, "");
    return answer.err;
  };
  EXPECT_NE(errorOf({at("none.bvh"), clip_}).find("none.bvh"), std::string::npos);
  EXPECT_NE(errorOf({clip_, at("none.csv")}).find("none.csv"), std::string::npos);
  EXPECT_NE(errorOf({clip_, "planar:4"}).find("planar:4"), std::string::npos);
  EXPECT_NE(errorOf({clip_, write("a.csv", "a.x,a.y,a.z\n1,2,b\n").string()}).find("a.csv: line 2"), std::string::npos);
  const Answer wrongEnding = run({clip_, clip_, "--out", at("x.txt")});
  EXPECT_EQ(wrongEnding.code, kUsage);
  EXPECT_NE(wrongEnding.err.find("must end in"), std::string::npos);
  const auto map = [&](const char* text) { return write("map.json", text).string(); };
  EXPECT_NE(errorOf({clip_, clip_, "--map", map(R"({"nose": "hip"})")}).find("map.json: nose"), std::string::npos);
  EXPECT_NE(errorOf({clip_, clip_, "--map", map(R"({"hip": "nose"})")}).find("\"nose\""), std::string::npos);
  EXPECT_NE(errorOf({clip_, clip_, "--map", map("[")}).find("map.json: line 1"), std::string::npos);
}

TEST_F(FitCommand, UsageIsChecked) {
  EXPECT_EQ(run({clip_}).code, kUsage);
  EXPECT_EQ(run({clip_, clip_, "--scale", "0"}).code, kUsage);
  EXPECT_EQ(run({clip_, clip_, "--scale", "big"}).code, kUsage);
  EXPECT_EQ(run({clip_, clip_, "--points", "some"}).code, kUsage);
  EXPECT_EQ(run({clip_, clip_, "--up", "w"}).code, kUsage);
}

}  // namespace
}  // namespace limber::app::fit_command_test
