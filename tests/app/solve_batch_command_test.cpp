// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "limber/io/base/file.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::solve_batch_command_test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kArm = "{\"figure\": \"arm\"}\n";

int runBatch(const SolveBatchArguments& arguments, std::ostream& out, std::ostream& err) {
  Console console("solve", out, err);
  return runSolveBatch(arguments, console);
}

class SolveBatch : public test::TemporaryFolder {
 protected:
  int run(const std::string& text, SolveBatchArguments arguments = {}) {
    arguments.file = write("batch.jsonl", text).string();
    return runBatch(arguments, out_, err_);
  }
  /// The answers, one per line, every line complete.
  std::vector<Json> answers() const {
    std::vector<Json> result;
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) result.push_back(Json::parse(line));
    EXPECT_TRUE(out_.str().empty() || out_.str().back() == '\n');
    return result;
  }
  std::ostringstream out_, err_;
};

/// Simulates Ctrl+C as soon as something is written.
class Interrupting : public std::stringbuf {
  int sync() override {
    if (!str().empty() && !hasRaised_) std::raise(SIGINT);
    hasRaised_ = !str().empty();
    return 0;
  }
  bool hasRaised_ = false;
};

std::string positionLine(double x, double y, double z) {
  return Json{{"goals", {{{"type", "position"}, {"site", "tool"}, {"target", {x, y, z}}}}}}.dump() + "\n";
}

TEST_F(SolveBatch, AnswersEachLineInOrder) {
  std::string text = kArm;
  for (int i = 0; i < 300; ++i) text += positionLine(0.5 + 0.001 * i, 0.6, 0.1);
  ASSERT_EQ(run(text), kSuccess) << err_.str();
  const auto arm = makeArm();
  const auto all = answers();
  ASSERT_EQ(all.size(), 300u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(all[i]["reached"].get<bool>()) << i;
    Pose pose = restPose(*arm);
    for (const Joint& joint : arm->joints()) pose.coordinates[joint.poseIndex] = all[i]["pose"][joint.name];
    const Kinematics kinematics = transformsOf(*arm, pose);
    const Eigen::Vector3d tool = kinematics.worldFromLink[6] * Eigen::Vector3d(0.0, 0.1, 0.0);
    const double error = (tool - Eigen::Vector3d(0.5 + 0.001 * static_cast<double>(i), 0.6, 0.1)).norm();
    EXPECT_NEAR(error, all[i]["error"].get<double>(), 1e-12) << i;
  }
}

TEST_F(SolveBatch, ThreadsAndPrecisionAreAsTold) {
  std::string text = kArm;
  for (int i = 0; i < 600; ++i) text += positionLine(0.4, 0.5 + 0.0005 * i, 0.2);
  ASSERT_EQ(run(text, {.polish = true, .threads = 1}), kSuccess);
  const std::string one = out_.str();
  for (const Json& answer : answers()) EXPECT_LT(answer["error"].get<double>(), 1e-8);
  out_.str("");
  ASSERT_EQ(run(text, {.polish = true, .threads = 3}), kSuccess);
  EXPECT_EQ(out_.str(), one);
}

TEST_F(SolveBatch, TheFigureMayComeFromAFlag) {
  ASSERT_EQ(run(positionLine(0.5, 0.6, 0.1), {.figure = "arm"}), kSuccess) << err_.str();
  EXPECT_EQ(answers().size(), 1u);
  EXPECT_EQ(run(kArm + positionLine(0.5, 0.6, 0.1), {.figure = "arm"}), kBadInput);
  EXPECT_NE(err_.str().find("given twice"), std::string::npos) << err_.str();
}

TEST_F(SolveBatch, OtherGoalsAndFiguresAreSolvedOneByOneWithTheReason) {
  ASSERT_EQ(run("{\"figure\": \"ball:4\"}\n{\"goals\": [{\"target\": [1, 2, 1]}]}\n"), kSuccess) << err_.str();
  EXPECT_NE(err_.str().find("is a ball joint"), std::string::npos) << err_.str();
  EXPECT_TRUE(answers().at(0)["reached"].get<bool>());
  out_.str("");
  const std::string aim = R"({"goals": [{"type": "aim", "site": "tool", "target": [1, 1, 1]}]})";
  ASSERT_EQ(run(kArm + aim + "\n" + positionLine(0.5, 0.6, 0.1)), kSuccess) << err_.str();
  EXPECT_NE(err_.str().find("other than plain positions"), std::string::npos) << err_.str();
  EXPECT_EQ(answers().size(), 2u);
}

TEST_F(SolveBatch, ABrokenLineIsNamedAndWhatCameBeforeIsAnswered) {
  std::string text = kArm;
  for (int i = 0; i < 5; ++i) text += positionLine(0.5, 0.6, 0.1);
  const std::pair<std::string, std::string> broken[] = {
      {"{\"goals\": [", "line 7"},
      {"{\"goals\": [{\"site\": \"tool\", \"target\": [NaN, 0, 0]}]}", "line 7"},
      {"{\"goals\": [{\"site\": \"tool\", \"target\": [0, 0]}]}", "line 7: goals[0].target"},
      {"{\"goals\": [{\"site\": \"nose\", \"target\": [0, 0, 0]}]}", "nose"},
      {"{\"goals\": []}", "line 7: goals"},
      {"{\"start\": {\"knee\": 1}, \"goals\": [{\"site\": \"tool\", \"target\": [0, 0, 0]}]}", "knee"},
      {"{\"goal\": 3}", "line 7"},
      {"[]", "line 7"},
      {kArm, "line 7: figure"},
      {std::string((2u << 20), 'x'), "longer than"}};
  for (const auto& [line, cause] : broken) {
    out_.str("");
    err_.str("");
    EXPECT_EQ(run(text + line + "\n" + positionLine(0.5, 0.6, 0.1)), kBadInput) << cause;
    EXPECT_NE(err_.str().find(cause), std::string::npos) << err_.str();
    EXPECT_NE(err_.str().find("batch.jsonl"), std::string::npos) << err_.str();
    EXPECT_EQ(answers().size(), 5u);
  }
}

TEST_F(SolveBatch, AFileGetsAllAnswersOrStaysAsItIs) {
  const std::string output = write("answers.jsonl", "old").string();
  const std::string good = kArm + positionLine(0.5, 0.6, 0.1);
  EXPECT_EQ(run(good + "{\n", {.output = output}), kBadInput);
  EXPECT_EQ(*io::readFile(output), "old");
  EXPECT_EQ(fileCount(), 2u) << "no temporary file is left";
  EXPECT_EQ(run(good, {.output = output}), kSuccess) << err_.str();
  EXPECT_TRUE(Json::parse(*io::readFile(output))["reached"].get<bool>());
  EXPECT_EQ(out_.str(), "");
}

TEST_F(SolveBatch, AFileIsNotThereWhileTheBatchRuns) {
  const fs::path output = folder_ / "answers.jsonl";
  bool wasThere = false;
  class Looking : public std::stringbuf {  // at each line of progress
   public:
    Looking(const fs::path& path, bool& wasThere) : path_(path), wasThere_(wasThere) {}
    int sync() override {
      wasThere_ = wasThere_ || fs::exists(path_);
      ++count;
      return 0;
    }
    int count = 0;

   private:
    const fs::path& path_;
    bool& wasThere_;
  } looking(output, wasThere);
  std::ostream err(&looking);
  std::string text = kArm;
  for (int i = 0; i < 5000; ++i) text += positionLine(0.5, 0.6, 0.1);
  const std::string file = write("batch.jsonl", text).string();
  EXPECT_EQ(
      runBatch({.file = file, .output = output.string(), .progressInterval = std::chrono::milliseconds(0)}, out_, err),
      kSuccess);
  EXPECT_GT(looking.count, 0);
  EXPECT_FALSE(wasThere);
  EXPECT_TRUE(fs::exists(output));
}

TEST_F(SolveBatch, WithoutAFigureThereIsNothingToSolve) {
  EXPECT_EQ(run(""), kBadInput);
  EXPECT_NE(err_.str().find("is empty"), std::string::npos) << err_.str();
  EXPECT_EQ(run(positionLine(0, 0, 0)), kBadInput);
  EXPECT_NE(err_.str().find("no \"figure\""), std::string::npos) << err_.str();
  EXPECT_EQ(run("{\"figure\": \"no_such_figure.json\"}\n"), kBadInput);
  EXPECT_NE(err_.str().find("no_such_figure"), std::string::npos) << err_.str();
  EXPECT_EQ(run("{\"figure\": \"arm\", \"goals\": []}\n"), kBadInput);
  EXPECT_EQ(runBatch({.file = "/no/such/file.jsonl"}, out_, err_), kBadInput);
  EXPECT_TRUE(out_.str().empty());
}

TEST_F(SolveBatch, SaysHowItGoesBesideTheAnswers) {
  std::string text = kArm;
  for (int i = 0; i < 5000; ++i) text += positionLine(0.5, 0.6, 0.1);
  ASSERT_EQ(run(text), kSuccess);
  EXPECT_EQ(answers().size(), 5000u);
  out_.str("");
  err_.str("");
  ASSERT_EQ(run(text, {.progressInterval = std::chrono::milliseconds(0)}), kSuccess);
  EXPECT_EQ(answers().size(), 5000u) << "nothing but answers among the answers";
  EXPECT_NE(err_.str().find("limber solve: 4096 lines, 4096 reached, "), std::string::npos) << err_.str();
  EXPECT_NE(err_.str().find("limber solve: 5000 lines, 5000 reached, "), std::string::npos) << err_.str();
  EXPECT_EQ(err_.str().find("stopped"), std::string::npos);
}

TEST_F(SolveBatch, CtrlCEndsItBetweenTwoAnswers) {
  std::string text = kArm;
  for (int i = 0; i < 10000; ++i) text += positionLine(0.5, 0.6, 0.1);
  const std::string file = write("batch.jsonl", text).string();
  Interrupting buffer;
  std::ostream out(&buffer);
  EXPECT_EQ(runBatch({.file = file}, out, err_), kBadInput);
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), SIG_DFL) << "the next one ends the program";
  out_.str(buffer.str());
  EXPECT_EQ(answers().size(), 4096u) << "those that were under way, whole";
  EXPECT_NE(err_.str().find("limber solve: stopped: 4096 lines, "), std::string::npos) << err_.str();
}

TEST_F(SolveBatch, AnswersKeepOutOfTheObstaclesOfAScene) {
  Document document = io::openAny("arm")->document;
  addObstacle(document, {.name = "floor",
                         .shape = Obstacle::Shape::Plane,
                         .worldFromObstacle = Transform::fromTranslation({0.0, 0.35, 0.0})});
  document.obstacles[0].links = {document.figure->linkCount() - 1};
  const std::string scene = (folder_ / "floor.limber").string();
  ASSERT_FALSE(io::writeScene(scene, document));
  const std::string lines = positionLine(0.4, 0.3, 0.1) + positionLine(0.4, 0.8, 0.1);
  ASSERT_EQ(run(lines, {.figure = scene}), kSuccess) << err_.str();
  EXPECT_EQ(err_.str().find("one by one"), std::string::npos) << err_.str();
  const auto kept = answers();
  EXPECT_FALSE(kept.at(0)["reached"].get<bool>()) << "the target is below the floor";
  EXPECT_TRUE(kept.at(1)["reached"].get<bool>());
  out_.str("");
  ASSERT_EQ(run(lines, {.figure = "arm"}), kSuccess) << err_.str();
  const auto free = answers();
  EXPECT_TRUE(free.at(0)["reached"].get<bool>());
  EXPECT_EQ(free.at(1), kept.at(1)) << "what does not collide stays as it is";
}

TEST_F(SolveBatch, CtrlCEndsItBetweenProblemsThatAreSolvedOneByOne) {
  std::string text = "{\"figure\": \"ball:4\"}\n";
  for (int i = 0; i < 100; ++i) text += "{\"goals\": [{\"target\": [1, 2, 1]}]}\n";
  const std::string file = write("batch.jsonl", text).string();
  Interrupting buffer;  // at the word that it goes one by one
  std::ostream err(&buffer);
  EXPECT_EQ(runBatch({.file = file}, out_, err), kBadInput);
  EXPECT_TRUE(out_.str().empty());
  EXPECT_NE(buffer.str().find("limber solve: stopped: 0 lines, "), std::string::npos) << buffer.str();
}

TEST_F(SolveBatch, BlankLinesAndAMissingLastEndAreFine) {
  std::string text = std::string("\n") + kArm + "\n\r\n" + positionLine(0.5, 0.6, 0.1);
  text.pop_back();
  ASSERT_EQ(run(text), kSuccess) << err_.str();
  EXPECT_EQ(answers().size(), 1u);
}

}  // namespace
}  // namespace limber::app::solve_batch_command_test
