// SPDX-License-Identifier: MIT
// Exit code and output of limber replay.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/recording/recorder.h"
#include "limber/io/json/scene_json.h"
#include "limber_command.h"
#include "random_user.h"
#include "standing_figure.h"
#include "support/temporary_folder.h"

namespace limber::app::replay_command_test {
namespace {

class ReplayCommand : public test::TemporaryFolder {
 protected:
  ReplayCommand() : session_(makeDocument(makeStandingFigure()), {}, {}) {}
  void SetUp() override {
    TemporaryFolder::SetUp();
    session_.picture.area = {0, 0, 800, 600};
    std::string fault;
    ASSERT_TRUE(Recorder::start(session_, log_ = folder_ / "log.jsonl", fault)) << fault;
    frame(session_);
    RandomUser user(session_, 5);
    for (int i = 0; i < 10; ++i) user.act();
    session_.outside.witness->stop(session_);
    std::ifstream file(log_);
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }
  void writeLines() const {
    std::ofstream file(log_);
    for (const std::string& line : lines_) file << line << '\n';
  }
  /// The exit code; what is printed in out_.
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "replay");
    const Answer answer = runLimber(arguments);
    out_ = answer.out + answer.err;
    return answer.code.value_or(-1);
  }

  Session session_;
  std::filesystem::path log_;
  std::vector<std::string> lines_;
  std::string out_;
};

TEST_F(ReplayCommand, SaysThatAllIsAsRecordedAndWritesTheEnd) {
  EXPECT_EQ(run({log_}), kSuccess) << out_;
  EXPECT_NE(out_.find("all as recorded"), std::string::npos) << out_;
  const std::string scene = folder_ / "end.limber";
  EXPECT_EQ(run({log_, "--json", "--out", scene}), kSuccess);
  const nlohmann::json json = nlohmann::json::parse(out_);
  EXPECT_EQ(json.at("same"), true);
  EXPECT_EQ(json.at("same_build"), true);
  EXPECT_GT(json.at("poses"), 0);
  const auto document = io::readScene(scene);
  ASSERT_TRUE(document);
  EXPECT_TRUE(document->pose == session_.document().pose);
}

TEST_F(ReplayCommand, SaysThatItIsAnotherBuildAndTries) {
  nlohmann::json header = nlohmann::json::parse(lines_[0]);
  header["build"] = "0123456789abcdef";
  lines_[0] = header.dump();
  writeLines();
  EXPECT_EQ(run({log_}), kSuccess);
  EXPECT_NE(out_.find("another build"), std::string::npos) << out_;
}

TEST_F(ReplayCommand, NamesTheFirstDifferenceAndWhatIsBroken) {
  for (std::string& line : lines_)
    if (line.starts_with("{\"pose\"")) line = "{\"pose\":\"00\"}";
  writeLines();
  EXPECT_EQ(run({log_}), kDisagreement);
  EXPECT_NE(out_.find("the first is frame"), std::string::npos) << out_;
  lines_.insert(lines_.begin() + 5, "nonsense");
  writeLines();
  EXPECT_EQ(run({log_}), kBadInput);
  EXPECT_NE(out_.find("line 6"), std::string::npos) << out_;
}

TEST_F(ReplayCommand, RefusesOtherFiles) {
  EXPECT_EQ(run({folder_ / "nowhere.jsonl"}), kBadInput);
  EXPECT_EQ(run({write("text.jsonl", "once upon a time\n")}), kBadInput);
  EXPECT_EQ(run({write("json.jsonl", "{\"format\": \"limber scene\"}\n")}), kBadInput);
  EXPECT_NE(out_.find("is no recording"), std::string::npos) << out_;
  EXPECT_EQ(run({write("empty.jsonl", "")}), kBadInput);
  EXPECT_EQ(run({}), kUsage);
}

}  // namespace
}  // namespace limber::app::replay_command_test
