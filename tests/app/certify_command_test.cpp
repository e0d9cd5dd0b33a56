// SPDX-License-Identifier: MIT
// The output of `limber solve --solver global` and `limber certify`.
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "support/temporary_folder.h"

namespace limber::app::certify_command_test {
namespace {

const char* const kFar = R"({"figure": "arm", "goals": [{"type": "position", "site": "tool", "target": [10, 0, 0]}]})";
const char* const kNear =
    R"({"figure": "arm", "goals": [{"type": "position", "site": "tool", "target": [0.3, 0.6, 0.2]}]})";

class CertifyCommand : public test::TemporaryFolder {
 protected:
  int run(std::vector<std::string> arguments) {
    std::vector<const char*> argv = {"limber"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    out_.str("");
    err_.str("");
    WindowOptions window;
    return runCommandLine(static_cast<int>(argv.size()), argv.data(), window, out_, err_).value_or(-1);
  }
  nlohmann::json json() const { return nlohmann::json::parse(out_.str()); }
  std::ostringstream out_, err_;
};

TEST_F(CertifyCommand, AGlobalSolveSaysItsBoundAndItsTimes) {
  const std::string file = write("far.json", kFar).string();
  ASSERT_EQ(run({"solve", file, "--solver", "global"}), kSuccess) << err_.str();
  const auto result = json();
  EXPECT_EQ(result["solver"], "global");
  const auto& global = result["global"];
  EXPECT_TRUE(global["out_of_reach"]);
  EXPECT_NEAR(global["cost_mm"].get<double>(), 1e3 * result["goals"][0]["error"].get<double>(), 1e-6);
  EXPECT_NEAR(global["gap_mm"].get<double>(), global["cost_mm"].get<double>() - global["bound_mm"].get<double>(), 1e-6);
  EXPECT_EQ(global["sentence"].get<std::string>().find("out of reach: at least "), 0u);
  for (const char* phase : {"relaxation", "refinement", "certificate"}) {
    EXPECT_GT(global["iterations"][phase].get<int>(), 0) << phase;
    EXPECT_GT(global["times_us"][phase].get<double>(), 0.0) << phase;
  }
}

TEST_F(CertifyCommand, SdpIkSaysRankAndTightnessOfItsRelaxation) {
  const std::string file = write("far.json", kFar).string();
  ASSERT_EQ(run({"solve", file, "--solver", "sdp-ik"}), kSuccess) << err_.str();
  const auto result = json();
  const auto& relaxation = result["relaxation"];
  EXPECT_GE(relaxation["rank"].get<int>(), 1);
  EXPECT_TRUE(relaxation["tight"]);
  EXPECT_NEAR(relaxation["cost_mm"].get<double>(), 1e3 * result["goals"][0]["error"].get<double>(), 1e-6);
  EXPECT_NEAR(relaxation["gap_mm"].get<double>(),
              relaxation["cost_mm"].get<double>() - relaxation["bound_mm"].get<double>(), 1e-6);
}

TEST_F(CertifyCommand, OtherSolversSayNothingOfIt) {
  ASSERT_EQ(run({"solve", write("near.json", kNear).string()}), kSuccess) << err_.str();
  EXPECT_FALSE(json().contains("global"));
  EXPECT_FALSE(json().contains("relaxation"));
}

TEST_F(CertifyCommand, CertifiesThePoseOfTheFile) {
  const std::string file = write("near.json", kNear).string();
  ASSERT_EQ(run({"certify", file}), kSuccess) << err_.str();
  const auto open = json();
  EXPECT_FALSE(open["certified"]);
  EXPECT_EQ(open["badge"], "not certified");
  EXPECT_EQ(open["sentence"].get<std::string>().find("at most "), 0u);
  EXPECT_EQ(open["points"], 1);
  EXPECT_GT(open["gap_mm"].get<double>(), 10.0);

  ASSERT_EQ(run({"solve", file, "--solver", "global"}), kSuccess) << err_.str();
  const std::string pose = json()["pose"].dump();
  ASSERT_EQ(run({"certify", file, "--pose", pose}), kSuccess) << err_.str();
  EXPECT_TRUE(json()["certified"]);
  EXPECT_LT(json()["gap_mm"].get<double>(), 1.0);
}

TEST_F(CertifyCommand, NamesTheObstaclesThatItsBoundDoesNotCountOn) {
  Document document = io::openAny("arm")->document;
  addGoal(document, document.figure->linkCount() - 1, Eigen::Vector3d::Zero());
  addObstacle(document, {.name = "floor", .shape = Obstacle::Shape::Plane});
  document.selfAvoidance = SelfAvoidance::All;
  const std::string file = (folder_ / "floor.limber").string();
  ASSERT_FALSE(io::writeScene(file, document));
  ASSERT_EQ(run({"certify", file}), kSuccess) << err_.str();
  const std::string leftOut = json()["left_out"].dump();
  EXPECT_NE(leftOut.find("1 obstacle"), std::string::npos) << leftOut;
  EXPECT_NE(leftOut.find("links keeping out of each other"), std::string::npos) << leftOut;
}

TEST_F(CertifyCommand, SaysWhyThereIsNoBound) {
  const std::string file = write("none.json", R"({"figure": "arm", "goals": []})").string();
  EXPECT_EQ(run({"certify", file}), kBadInput);
  EXPECT_NE(err_.str().find("no goal"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"certify", "nonesuch.json"}), kBadInput);
  EXPECT_EQ(run({"certify"}), kUsage);
}

}  // namespace
}  // namespace limber::app::certify_command_test
