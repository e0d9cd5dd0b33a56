// SPDX-License-Identifier: MIT
// What every scene of resources/scenes must be: the menu lists whatever lies there.
#include <gtest/gtest.h>

#include <filesystem>

#include "example_scenes.h"
#include "limber/io/base/resources.h"
#include "locations.h"

namespace limber::example_scenes_test {
namespace {

TEST(ExampleScenes, AllOpenAndStandUprightWithinTheirLimits) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LIMBER_SOURCE_DIR "/resources/scenes")) {
    const Document document = test::openExample(entry.path().stem().string());
    ASSERT_TRUE(document.figure) << entry.path();
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << entry.path();
    EXPECT_LT((document.pose.coordinates - makeDocument(document.figure).pose.coordinates).cwiseAbs().maxCoeff(), 1e-9)
        << entry.path() << " starts elsewhere than at rest";
    EXPECT_FALSE(document.goals.empty()) << entry.path();
    EXPECT_EQ(document.mode, Mode::Inverse) << entry.path();
    ++scenes;
  }
  EXPECT_GE(scenes, 9);
}

TEST(ExampleScenes, AreInstalledWithTheResources) {
  const auto files = io::listResources("scenes", ".limber");
  EXPECT_GE(files.size(), 9u);
  for (const auto& file : files) EXPECT_TRUE(io::openAny(file.string())) << file;
}

}  // namespace
}  // namespace limber::example_scenes_test
