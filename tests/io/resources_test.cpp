// SPDX-License-Identifier: MIT
#include "limber/io/base/resources.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace limber::io::resources_test {
namespace {
namespace fs = std::filesystem;

class Resources : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "shaders");
    std::ofstream(folder_ / "shaders" / "only_here.vert") << "void main() {}\n";
  }
  void TearDown() override {
    unsetenv("LIMBER_RESOURCES");
    fs::remove_all(folder_);
  }
  const fs::path folder_ = fs::temp_directory_path() / ("limber_resources_" + std::to_string(getpid()));
};

TEST_F(Resources, WhatIsNowhereIsNotFound) { EXPECT_FALSE(findResource("shaders/no_such.vert")); }

TEST_F(Resources, EnvironmentVariableGoesFirst) {
  EXPECT_FALSE(findResource("shaders/only_here.vert"));
  setenv("LIMBER_RESOURCES", folder_.c_str(), 1);
  EXPECT_EQ(findResource("shaders/only_here.vert"), folder_ / "shaders" / "only_here.vert");
}

TEST_F(Resources, EnvironmentVariableThatLacksTheFileDoesNotHideTheBuild) {
  setenv("LIMBER_RESOURCES", folder_.c_str(), 1);
  EXPECT_TRUE(findResource("fonts/interface.ttf"));
}

TEST_F(Resources, AreListedByNameAndEnding) {
  EXPECT_TRUE(listResources("no_such_folder", ".vert").empty());
  std::ofstream(folder_ / "shaders" / "a.vert") << "void main() {}\n";
  std::ofstream(folder_ / "shaders" / "a.frag") << "void main() {}\n";
  setenv("LIMBER_RESOURCES", folder_.c_str(), 1);
  EXPECT_EQ(listResources("shaders", ".vert"),
            (std::vector<fs::path>{folder_ / "shaders" / "a.vert", folder_ / "shaders" / "only_here.vert"}));
}

// A test of its own: the font of the panels in the build tree. A copy of this program elsewhere gets as argument what
// to look for by the next test.
TEST(ResourceOfThisProgram, IsFound) {
  const char* asked = std::getenv("LIMBER_TEST_RESOURCE");
  const auto found = findResource(asked ? asked : "fonts/interface.ttf");
  ASSERT_TRUE(found);
  EXPECT_GT(fs::file_size(*found), 0u);
}

TEST_F(Resources, MoveWithTheBinary) {
  fs::create_directories(folder_ / "moved" / "share");
  fs::create_directories(folder_ / "moved" / "bin");
  fs::rename(folder_ / "shaders", folder_ / "shaders_for_now");
  for (const char* share : {"moved/share/limber", "moved/bin/share/limber"}) {
    fs::create_directories(folder_ / share);
    fs::copy(folder_ / "shaders_for_now", folder_ / share / "shaders");
    const fs::path copy = folder_ / "moved" / "bin" / "elsewhere";
    fs::copy_file("/proc/self/exe", copy, fs::copy_options::overwrite_existing);
    const std::string command =
        "unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; LIMBER_TEST_RESOURCE=shaders/only_here.vert " + copy.string() +
        " --gtest_filter=ResourceOfThisProgram.* > /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << "not found in " << share;
    fs::remove_all(folder_ / share);
    EXPECT_NE(std::system(command.c_str()), 0) << "found though removed from " << share;
  }
}

TEST_F(Resources, ProgramNameIsNoDanger) {
  setExecutablePath(nullptr);
  setExecutablePath("limber");
  EXPECT_TRUE(findResource("fonts/interface.ttf"));
}

}  // namespace
}  // namespace limber::io::resources_test
