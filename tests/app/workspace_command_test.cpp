// SPDX-License-Identifier: MIT
// The output and files of `limber workspace`.
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/command_line.h"
#include "limber_command.h"
#include "support/temporary_folder.h"
#include "support/text_of.h"

namespace limber::app::workspace_command_test {
namespace {

class WorkspaceCommand : public test::TemporaryFolder {
 protected:
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "workspace");
    answer_ = runLimber(arguments);
    return answer_.code.value_or(-1);
  }
  Answer answer_;  ///< of the last run
};

TEST_F(WorkspaceCommand, SaysCountsAndCell) {
  ASSERT_EQ(run({"planar:2", "--cells", "20"}), kSuccess) << answer_.err;
  EXPECT_NE(answer_.out.find(" cells reachable, "), std::string::npos) << answer_.out;
  EXPECT_NE(answer_.out.find("a cell is 200 mm\n"), std::string::npos) << answer_.out;
}

TEST_F(WorkspaceCommand, PrintsJson) {
  ASSERT_EQ(run({"arm", "--site", "tool", "--cells", "8", "--json"}), kSuccess) << answer_.err;
  const auto json = nlohmann::json::parse(answer_.out);
  EXPECT_EQ(json["grid"]["cells"], (std::vector<int>{10, 10, 10}));
  EXPECT_EQ(json["reachable"].get<int>() + json["proved_outside"].get<int>() + json["not_found"].get<int>(), 1000);
  EXPECT_EQ(json["undecided"], 0);
  EXPECT_GT(json["reachable"].get<int>(), 50);
  EXPECT_GT(json["cell_mm"].get<double>(), 100.0);
  EXPECT_FALSE(json["planar"].get<bool>());
}

TEST_F(WorkspaceCommand, WritesTheShellWithWhatItIs) {
  const auto file = folder_ / "shell.ply";
  ASSERT_EQ(run({"planar:3", "--link", "link1", "--cells", "16", "--out", file.string()}), kSuccess) << answer_.err;
  const std::string text = test::textOf(file);
  EXPECT_EQ(text.find("ply\nformat ascii 1.0\n"), 0u);
  EXPECT_NE(text.find("comment end effector: link link1, at 1 0 0 in it\n"), std::string::npos) << text.substr(0, 600);
  EXPECT_NE(text.find("comment cell edge 0.25000025 m\n"), std::string::npos) << text.substr(0, 600);
  EXPECT_NE(text.find(answer_.out), std::string::npos) << "the sentence, too";
}

TEST_F(WorkspaceCommand, NamesWhatIsWrong) {
  EXPECT_EQ(run({"arm", "--link", "nose"}), kBadInput);
  EXPECT_NE(answer_.err.find("arm: --link: there is no link \"nose\""), std::string::npos) << answer_.err;
  EXPECT_EQ(run({"arm", "--site", "nose"}), kBadInput);
  EXPECT_NE(answer_.err.find("there is no site \"nose\""), std::string::npos) << answer_.err;
  EXPECT_EQ(run({"arm", "--cells", "3"}), kUsage);
  EXPECT_EQ(run({"arm", "--cells", "nan"}), kUsage);
  EXPECT_EQ(run({"arm", "--link", "a", "--site", "b"}), kUsage);
  EXPECT_EQ(run({"nothing.json"}), kBadInput);
  EXPECT_EQ(run({"planar:2", "--cells", "8", "--out", "/nowhere/shell.ply"}), kBadInput);
}

}  // namespace
}  // namespace limber::app::workspace_command_test
