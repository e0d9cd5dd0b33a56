// SPDX-License-Identifier: MIT
// The manual page and the shell completion have exactly the program's verbs and options.
#include <gtest/gtest.h>

#include <sstream>

#include "app/commands/command_line.h"
#include "app/commands/commands.h"

namespace limber::app::reference_test {
namespace {

std::string printed(const std::vector<const char*>& arguments, int expected = kSuccess) {
  std::vector<const char*> argv = {"limber"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::ostringstream out, err;
  WindowOptions window;
  const auto code = runCommandLine(static_cast<int>(argv.size()), argv.data(), window, out, err);
  EXPECT_EQ(code, expected) << err.str();
  return expected == kSuccess ? out.str() : err.str();
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
  std::ostringstream out, err;
  for (const char* file : {"walk.bvh", "planar:3", "human", "--quiet"}) {
    WindowOptions window;
    const char* argv[] = {"limber", file};
    EXPECT_FALSE(runCommandLine(2, argv, window, out, err)) << file << err.str();
  }
}

}  // namespace
}  // namespace limber::app::reference_test
