// SPDX-License-Identifier: MIT
// The pages of docs/goals against the program: each type of goal has one, and the problem that it gives is read and
// reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "limber/io/json/problem_json.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "locations.h"

namespace limber::goal_pages_test {
namespace {

namespace fs = std::filesystem;

const fs::path kDocs = fs::path(LIMBER_SOURCE_DIR) / "docs";

std::string textOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path pageOf(std::string_view word) { return kDocs / "goals" / (std::string(word) + ".md"); }

/// From the indented brace that opens a problem to the end of the page.
std::string problemOf(const std::string& page) {
  const std::size_t begin = page.find("\n    {\"figure\"");
  return begin == std::string::npos ? "" : page.substr(begin);
}

TEST(GoalPages, EachTypeHasOneAndTheOverviewLeadsThere) {
  const std::string overview = textOf(kDocs / "constraints.md");
  for (const GoalTypeInfo& info : goalTypes()) {
    const std::string word(info.name);
    EXPECT_NE(textOf(pageOf(word)).find("(`" + word + "`)"), std::string::npos) << pageOf(word);
    EXPECT_NE(overview.find("(goals/" + word + ".md)"), std::string::npos) << "docs/constraints.md: " << word;
  }
  for (const auto& entry : fs::directory_iterator(kDocs / "goals"))
    EXPECT_TRUE(std::ranges::count(goalTypes(), entry.path().stem().string(), &GoalTypeInfo::name))
        << entry.path() << " is of no type of goal";
}

TEST(GoalPages, EachSaysWhatItsGoalsHaveInFiles) {
  for (const GoalTypeInfo& info : goalTypes()) {
    const std::string page = textOf(pageOf(info.name)), begin = "**In files.**";
    const std::size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos) << info.name;
    const std::string paragraph = page.substr(at, page.find("\n\n", at) - at);
    const std::pair<const char*, bool> keys[] = {{"point", info.point},
                                                 {"frame", info.axes > 0},
                                                 {"direction_scale", info.axes > 0},
                                                 {"target", info.target},
                                                 {"axis", info.hasTargetFrame() && info.axes < 2},
                                                 {"target_frame", info.hasTargetFrame() && info.axes > 0},
                                                 {"position_share", info.share},
                                                 {"distance", info.distance},
                                                 {"other_link", info.other != OtherLink::None},
                                                 {"kept", info.kept}};
    for (const auto& [key, isUsed] : keys)
      EXPECT_EQ(paragraph.find("`" + std::string(key) + "`") != std::string::npos, isUsed) << info.name << ": " << key;
  }
}

TEST(GoalPages, ProblemsAreReadAndReached) {
  for (const GoalTypeInfo& info : goalTypes()) {
    const std::string_view word = info.name;
    const auto problem = io::parseProblem(problemOf(textOf(pageOf(word))), pageOf(word).string(), kDocs);
    ASSERT_TRUE(problem) << problem.error().message();
    Document document = problem->document;
    ASSERT_FALSE(document.goals.empty()) << word;
    EXPECT_EQ(document.goals.front().type, info.type) << word;
    Posing posing;
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    EXPECT_FALSE(isMet(document, goalErrorOf(document, kinematics, document.goals.front())))
        << word << ": the problem asks for what is so already";
    const PosingReport after = solveToEnd(posing, document);
    EXPECT_EQ(after.outcome, Outcome::Reached) << word << ": " << after.sentence;
  }
}

}  // namespace
}  // namespace limber::goal_pages_test
