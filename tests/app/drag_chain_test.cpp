// SPDX-License-Identifier: MIT
#include "app/drag/drag_chain.h"

#include <gtest/gtest.h>

#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "standing_figure.h"

namespace limber::app::drag_chain_test {
namespace {

Document humanoid() {
  const auto opened = io::openAny("humanoid");
  EXPECT_TRUE(opened);
  Document document = opened ? opened->document : Document{};
  document.solver.posing = PosingChoice::Natural;
  return document;
}

std::vector<char> limbOf(const Document& document, const char* link) {
  return limbThatReaches(document, document.figure->findLink(link));
}

TEST(DragChain, LimbReachesInNaturalPosingOnly) {
  Document document = humanoid();
  const auto isIn = [&](const std::vector<char>& limb, const char* link) {
    return limb.at(static_cast<std::size_t>(document.figure->findLink(link))) != 0;
  };
  const std::vector<char> arm = limbOf(document, "left_hand");
  EXPECT_TRUE(isIn(arm, "left_upper_arm"));
  EXPECT_FALSE(isIn(arm, "chest"));
  document.solver.posing = PosingChoice::Even;
  EXPECT_TRUE(limbOf(document, "left_hand").empty());
}

TEST(DragChain, WholeFigureIsNoLimb) {
  const Document document = humanoid();
  EXPECT_TRUE(limbOf(document, "pelvis").empty());
  Document chain = makeDocument(makeBallChain(4));
  chain.solver.posing = PosingChoice::Natural;
  EXPECT_TRUE(limbThatReaches(chain, 3).empty());
}

TEST(DragChain, LimbsOfAPersonHaveTheirNames) {
  const Document document = humanoid();
  const auto words = [&](const char* link, bool moves) { return limbWords(document, limbOf(document, link), moves); };
  EXPECT_EQ(words("left_hand", false), "arm reaches");
  EXPECT_EQ(words("left_hand", true), "trunk leans");
  EXPECT_EQ(words("right_toes", false), "leg reaches");
  EXPECT_EQ(words("right_foot", true), "body follows");
  EXPECT_EQ(words("head", true), "trunk leans");
  EXPECT_EQ(words("chest", false), "trunk reaches");
}

TEST(DragChain, OtherLimbsAreCalledLimbs) {
  Document document = makeDocument(makeStandingFigure(false));
  document.solver.posing = PosingChoice::Natural;
  EXPECT_EQ(limbWords(document, limbOf(document, "arm"), false), "limb reaches");
  EXPECT_EQ(limbWords(document, limbOf(document, "arm"), true), "body follows");
}

TEST(DragChain, NothingIsSaidWithoutALimb) {
  const Document document = humanoid();
  EXPECT_EQ(limbWords(document, {}, true), "");
  EXPECT_EQ(limbWords(document, std::vector<char>(static_cast<std::size_t>(document.figure->linkCount()), 1), true),
            "");
}

}  // namespace
}  // namespace limber::app::drag_chain_test
