// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_json.h"

#include <gtest/gtest.h>

#include <functional>

#include "limber/io/base/json.h"
#include "limber/io/base/resources.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::io::scene_delta_test {
namespace {

Document table() { return *readScene(*findResource("scenes/reach_under_a_table.limber")); }

/// Applies the delta after writing it to text and parsing it.
Document afterText(const Document& before, const OrderedJson& delta) {
  return applySceneDelta(before, parseJson(delta.dump()));
}

TEST(SceneDelta, IsEmptyWhereNothingChanged) {
  const Document document = table(), copy = document;
  EXPECT_TRUE(sceneDelta(document, copy).empty());
}

TEST(SceneDelta, TellsEachChangeAloneAndShares) {
  const Document before = table();
  const std::pair<const char*, std::function<void(Document&)>> edits[] = {
      {"pose", [](Document& d) { d.pose.coordinates[0] += 0.1; }},
      {"pose", [](Document& d) { d.pose.coordinates[0] = -0.0; }},
      {"goals", [](Document& d) { d.goals.front().target.x() += 1.0 / 3.0; }},
      {"solver", [](Document& d) { d.solver.options["newton"]["max_iterations"] = 7; }},
      {"joints", [](Document& d) { d.joints[3].rigidity = 0.1; }},
      {"selection", [](Document& d) { d.selection = {.joint = 2}; }},
      {"mode", [](Document& d) { d.mode = Mode::Forward; }},
      {"pins", [](Document& d) { pinLink(d, 2, true, true); }},
      {"obstacles", [](Document& d) { d.obstacles.front().worldFromObstacle.translation.y() += 0.1; }},
      {"time", [](Document& d) { d.time = 0.7; }},
  };
  for (const auto& [member, edit] : edits) {
    SCOPED_TRACE(member);
    Document wanted = before;
    edit(wanted);
    const OrderedJson delta = sceneDelta(before, wanted);
    EXPECT_EQ(delta.size(), 1u) << delta.dump();
    EXPECT_TRUE(delta.contains(member)) << delta.dump();
    const Document got = afterText(before, delta);
    EXPECT_TRUE(sceneDelta(wanted, got).empty());
    EXPECT_EQ(got.figure, before.figure);
    EXPECT_EQ(got.timeline, before.timeline);
    EXPECT_EQ(*formatScene(got), *formatScene(wanted));
  }
}

TEST(SceneDelta, TellsOfAnotherFigureMotionAndTimeline) {
  const Document before = table();
  Document wanted = makeDocument(makePlanarChain(5));
  keyPose(wanted);
  const Document another = afterText(before, sceneDelta(before, wanted));
  EXPECT_EQ(*formatScene(another), *formatScene(wanted));
  Document without = wanted;
  without.timeline = nullptr;
  EXPECT_EQ(afterText(wanted, sceneDelta(wanted, without)).timeline, nullptr);
  EXPECT_EQ(*formatScene(afterText(another, sceneDelta(another, before))), *formatScene(before));
}

TEST(SceneDelta, RefusesWhatNoDocumentIs) {
  const Document before = table();
  for (const char* delta : {R"([])", R"({"pose": null})", R"({"pose": [1]})", R"({"figure": 3})", R"({"what": 1})",
                            R"({"goals": [{"id": 1}]})", R"({"joints": []})", R"({"selection": {"joint": "nobody"}})",
                            R"({"selection": {"joint": null, "goal": null, "links": ["nobody"]}})"})
    EXPECT_THROW(applySceneDelta(before, parseJson(delta)), JsonFault) << delta;
}

}  // namespace
}  // namespace limber::io::scene_delta_test
