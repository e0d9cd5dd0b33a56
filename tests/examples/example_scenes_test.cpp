// SPDX-License-Identifier: MIT
// What every scene of resources/scenes must be: the menu lists whatever lies there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "example_scenes.h"
#include "limber/io/base/resources.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_error.h"
#include "locations.h"

namespace limber::example_scenes_test {
namespace {

TEST(ExampleScenes, AllOpenAndStandUprightWithinTheirLimits) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LIMBER_SOURCE_DIR "/resources/scenes")) {
    const Document document = test::openExample(entry.path().stem().string());
    ASSERT_TRUE(document.figure) << entry.path();
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << entry.path();
    EXPECT_EQ(document.mode, Mode::Inverse) << entry.path();
    ++scenes;
    if (!document.pictures.empty()) continue;  // it waits for marks, or is posed after them
    const Pose rest = makeDocument(document.figure).pose;
    const bool isAtRest = (document.pose.coordinates - rest.coordinates).cwiseAbs().maxCoeff() < 1e-9;
    const Kinematics kinematics = transformsOf(*document.figure, document.pose);
    const bool isSolved = std::ranges::all_of(
        document.goals, [&](const GoalItem& goal) { return isMet(document, goalErrorOf(document, kinematics, goal)); });
    EXPECT_TRUE(isAtRest || isSolved) << entry.path();
    EXPECT_FALSE(document.goals.empty()) << entry.path();
  }
  EXPECT_GE(scenes, 9);
}

TEST(ExampleScenes, WithAPictureFindItAndTheMarkedOneIsPosedAfterIt) {
  for (const auto& [name, marks] : {std::pair{"run_after_a_picture", 0u}, {"run_from_marks", 15u}}) {
    const Document document = test::openExample(name);
    ASSERT_NE(shownPicture(document), nullptr) << name;
    const ReferencePicture& picture = *shownPicture(document);
    EXPECT_FALSE(picture.file->image.pixels.empty()) << name;
    ASSERT_EQ(document.goals.size(), marks) << name;
    const Kinematics kinematics = transformsOf(*document.figure, document.pose);
    for (const GoalItem& goal : document.goals) {
      const auto& link = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
      const Eigen::Vector2d off = picture.camera.project(link * goal.pointInLink) - picture.camera.project(goal.target);
      EXPECT_LT(off.norm(), 20.0) << goal.name << ", pixels of 1,000";
    }
  }
}

TEST(ExampleScenes, AreInstalledWithTheResources) {
  const auto files = io::listResources("scenes", ".limber");
  EXPECT_GE(files.size(), 9u);
  for (const auto& file : files) EXPECT_TRUE(io::openAny(file.string())) << file;
}

}  // namespace
}  // namespace limber::example_scenes_test
