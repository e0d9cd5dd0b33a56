// SPDX-License-Identifier: MIT
// The messages of a page that embeds the window.
#include "app/session/page_messages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "headless_session.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::page_messages {
namespace {

using nlohmann::json;

Document makeEmptyChain() {
  Document document = makeDocument(makeBallChain(3));
  document.goals.clear();
  return document;
}

class PageMessages : public test::TemporaryFolder {
 protected:
  json ask(const json& message) { return json::parse(answerMessage(person_.session(), message.dump())); }

  HeadlessSession person_{makeEmptyChain()};
};

TEST_F(PageMessages, TheStateHasPoseSitesAndOutcome) {
  const json state = ask({{"do", "state"}});
  EXPECT_FALSE(state.contains("fault")) << state;
  EXPECT_FALSE(state["canUndo"]);
  EXPECT_FALSE(state["isBusy"]);
  EXPECT_EQ(state["sites"].size(), person_.figure().sites().size());
  for (const auto& [name, site] : state["sites"].items()) {
    EXPECT_EQ(site["place"].size(), 3u) << name;
    EXPECT_EQ(site["pixel"].size(), 2u) << name;
  }
}

TEST_F(PageMessages, AGoalIsReachedAndSetAgain) {
  ASSERT_FALSE(person_.figure().sites().empty());
  const std::string site = person_.figure().sites().front().name;
  const auto goalAt = [&](double x, double y) {
    return json{{"do", "goal"}, {"goal", {{"type", "position"}, {"site", site}, {"target", {x, y, 0.3}}}}};
  };
  for (const auto& [x, y] : {std::pair(0.5, 1.0), std::pair(-0.4, 0.8)}) {
    EXPECT_EQ(ask(goalAt(x, y)), json::object());
    person_.settle();
    EXPECT_EQ(person_.document().goals.size(), 1u);
    const json state = ask({{"do", "state"}});
    EXPECT_EQ(state["outcome"], "reached") << state;
    const json place = state["sites"][site]["place"];
    EXPECT_NEAR(place[0].get<double>(), x, 1e-3);
    EXPECT_NEAR(place[1].get<double>(), y, 1e-3);
  }
  EXPECT_EQ(ask({{"do", "undo"}}), json::object());
  person_.settle();
  EXPECT_TRUE(ask({{"do", "state"}})["canUndo"]);
}

TEST_F(PageMessages, UnsavedWorkIsKept) {
  person_.session().services.autosave.begin(folder_);
  EXPECT_EQ(ask({{"do", "keep"}}), json::object());
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "nothing is unsaved";
  const std::string site = person_.figure().sites().front().name;
  ask({{"do", "goal"}, {"goal", {{"type", "position"}, {"site", site}, {"target", {0.5, 1.0, 0.3}}}}});
  person_.settle();
  EXPECT_EQ(ask({{"do", "keep"}}), json::object());
  ASSERT_FALSE(std::filesystem::is_empty(folder_));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::directory_iterator(folder_)->path() / "scene.limber"));
  person_.session().services.autosave.end();
}

TEST_F(PageMessages, FaultsNameTheirPlace) {
  EXPECT_NE(ask({{"do", "dance"}})["fault"].get<std::string>().find("do: is none of"), std::string::npos);
  EXPECT_TRUE(ask({{"what", 1}}).contains("fault"));
  EXPECT_TRUE(json::parse(answerMessage(person_.session(), "{")).contains("fault"));
  const json wrong = ask({{"do", "goal"}, {"goal", {{"type", "position"}, {"site", "no such site"}}}});
  EXPECT_TRUE(wrong.contains("fault")) << wrong;
  EXPECT_TRUE(person_.document().goals.empty());
}

}  // namespace
}  // namespace limber::app::page_messages
