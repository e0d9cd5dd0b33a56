// SPDX-License-Identifier: MIT
// The pages of docs/goals against the program: each type of goal has one, and the problem that it gives is read and
// reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "limber/io/json/goal_json.h"
#include "limber/io/json/problem_json.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_error.h"
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
  const auto words = io::goalTypeWords();
  for (const std::string_view word : words) {
    EXPECT_NE(textOf(pageOf(word)).find("(`" + std::string(word) + "`)"), std::string::npos) << pageOf(word);
    EXPECT_NE(overview.find("(goals/" + std::string(word) + ".md)"), std::string::npos)
        << "docs/constraints.md: " << word;
  }
  for (const auto& entry : fs::directory_iterator(kDocs / "goals"))
    EXPECT_TRUE(std::ranges::count(words, entry.path().stem().string())) << entry.path() << " is of no type of goal";
}

TEST(GoalPages, ProblemsAreReadAndReached) {
  for (const std::string_view word : io::goalTypeWords()) {
    const auto problem = io::parseProblem(problemOf(textOf(pageOf(word))), pageOf(word).string(), kDocs);
    ASSERT_TRUE(problem) << problem.error().message();
    Document document = problem->document;
    ASSERT_FALSE(document.goals.empty()) << word;
    EXPECT_EQ(io::goalTypeWord(document.goals.front().type), word);
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
