// SPDX-License-Identifier: MIT
// The manual page and the shell completion have exactly the program's verbs and options.
#include <gtest/gtest.h>

#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "limber_command.h"

namespace limber::app::reference_test {
namespace {

std::string printed(const std::vector<std::string>& arguments, int expected = kSuccess) {
  const Answer answer = runLimber(arguments);
  EXPECT_EQ(answer.code, expected) << answer.err;
  return expected == kSuccess ? answer.out : answer.err;
}

TEST(Reference, ListsEachVerbWithItsOptions) {
  const std::string help = printed({"--help"});
  const std::string man = printed({"reference", "man"});
  for (const char* verb : {"info", "formats", "certify", "fk", "bake", "convert", "fit", "solve", "race", "check",
                           "render", "replay", "serve", "workspace"}) {
    EXPECT_NE(help.find(std::string("  ") + verb + " "), std::string::npos) << verb;
    EXPECT_NE(man.find(std::string("\n.SS limber ") + verb), std::string::npos) << verb;
    for (const char* shell : {"bash", "zsh", "fish"})
      EXPECT_NE(printed({"reference", shell}).find(verb), std::string::npos) << shell << ", " << verb;
  }
  EXPECT_NE(man.find("\\-\\-require\\-reached"), std::string::npos);
  EXPECT_EQ(man.find("import"), std::string::npos) << "a hidden verb";
}

TEST(Reference, AMistypedVerbIsAnsweredWithTheNearest) {
  EXPECT_NE(printed({"slove", "scene.limber"}, kUsage).find("did you mean \"limber solve\"?"), std::string::npos);
  EXPECT_NE(printed({"convrt"}, kUsage).find("\"limber convert\""), std::string::npos);
  for (const char* file : {"walk.bvh", "planar:3", "human", "--quiet"})
    EXPECT_FALSE(runLimber({file}).code) << file << " asks for the window";
}

}  // namespace
}  // namespace limber::app::reference_test
