// SPDX-License-Identifier: MIT
// `limber bake`: takes a scene with a timeline, writes a motion and a report.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::bake_command_test {
namespace {

using V = Eigen::Vector3d;

struct Answer {
  int code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

Answer run(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"limber", "bake"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  WindowOptions window;
  Answer answer;
  answer.code = runCommandLine(static_cast<int>(argv.size()), argv.data(), window, out, err).value_or(-1);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

class BakeCommand : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    Document document = makeDocument(makePlanarChain(5));
    document.pose.coordinates.setConstant(0.4);
    addPath(document, 1);
    TargetPath& path = *findPath(changeTimeline(document), 1);
    path.points = {V(3, 2, 0), V(0, 4, 0), V(-3, 2, 0)};
    EXPECT_FALSE(io::writeScene(at("scene.limber"), document));
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }
};

TEST_F(BakeCommand, SaysHowItWentAndWritesEveryFormat) {
  for (const char* name : {"out.bvh", "out.glb", "out.gltf", "out.limber", "out.csv"}) {
    const Answer answer = run({at("scene.limber"), "--out", at(name)});
    ASSERT_EQ(answer.code, kSuccess) << answer.err;
    EXPECT_EQ(answer.json().at("frames"), 121);
    EXPECT_EQ(answer.json().at("reached"), 121);
    EXPECT_EQ(answer.json().at("jumps"), 0);
    EXPECT_LT(answer.json().at("largest_turn"), 0.35);
    ASSERT_TRUE(std::filesystem::exists(at(name)));
    if (std::string(name) == "out.csv") continue;
    const auto opened = io::openAny(at(name));
    ASSERT_TRUE(opened) << opened.error().message();
    ASSERT_TRUE(opened->document.motion) << name;
    EXPECT_EQ(opened->document.motion->frameCount, 121) << name;
  }
}

TEST_F(BakeCommand, TakesAPartAndARate) {
  const Answer answer = run({at("scene.limber"), "--from", "1", "--to", "2", "--fps", "60"});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  EXPECT_EQ(answer.json().at("frames"), 61);
}

TEST_F(BakeCommand, WritesKeysInsteadOfAMotion) {
  const Answer answer = run({at("scene.limber"), "--keys", "1", "--out", at("keys.limber")});
  ASSERT_EQ(answer.code, kSuccess) << answer.err;
  const auto opened = io::openAny(at("keys.limber"));
  ASSERT_TRUE(opened);
  EXPECT_FALSE(opened->document.motion);
  ASSERT_TRUE(opened->document.timeline);
  EXPECT_GT(opened->document.timeline->keys.size(), 2u);
  EXPECT_EQ(run({at("scene.limber"), "--keys", "1", "--out", at("keys.bvh")}).code, kUsage);
}

TEST_F(BakeCommand, NamesWhatIsWrong) {
  EXPECT_EQ(run({"planar:3"}).code, kBadInput);
  EXPECT_NE(run({"planar:3"}).err.find("there is no timeline"), std::string::npos);
  EXPECT_EQ(run({at("scene.limber"), "--out", at("out.xyz")}).code, kUsage);
  EXPECT_EQ(run({at("scene.limber"), "--fps", "0"}).code, kUsage);
  EXPECT_EQ(run({at("scene.limber"), "--from", "3", "--to", "1"}).code, kUsage);
  EXPECT_EQ(run({at("missing.limber")}).code, kBadInput);
}

}  // namespace
}  // namespace limber::app::bake_command_test
