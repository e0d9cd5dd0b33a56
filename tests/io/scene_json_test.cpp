// SPDX-License-Identifier: MIT
#include "io/scene_json.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/bvh.h"
#include "io/json.h"
#include "kinematics/standard_figures.h"
#include "support/awkward_figure.h"
#include "support/figure_equality.h"
#include "support/temporary_folder.h"

namespace limber::io {
namespace {

using SceneJson = test::TemporaryFolder;

/// Equal to the last bit, signs of zeros included.
void expectSameBits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)), 0);
}

void expectSameDocument(const Document& a, const Document& b) {
  test::expectSameFigure(*a.figure, *b.figure);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.joints, b.joints);
  expectSameBits(a.pose.coordinates, b.pose.coordinates);
  EXPECT_EQ(a.goals, b.goals);
  EXPECT_EQ(a.nextGoalId, b.nextGoalId);
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.follow, b.follow);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.selection, b.selection);
  ASSERT_EQ(a.motion == nullptr, b.motion == nullptr);
  if (!a.motion) return;
  EXPECT_EQ(a.motion->values, b.motion->values);
  EXPECT_EQ(a.motion->frameCount, b.motion->frameCount);
  EXPECT_EQ(a.motion->frameTime, b.motion->frameTime);
  ASSERT_EQ(a.motion->channels.size(), b.motion->channels.size());
  for (std::size_t i = 0; i < a.motion->channels.size(); ++i) {
    EXPECT_EQ(a.motion->channels[i].joint, b.motion->channels[i].joint);
    EXPECT_EQ(a.motion->channels[i].type, b.motion->channels[i].type);
  }
}

Document roundTrip(const Document& document, const std::filesystem::path& path) {
  const auto error = writeScene(path, document);
  EXPECT_FALSE(error) << error->message();
  const auto back = readScene(path);
  EXPECT_TRUE(back) << back.error().message();
  return back ? *back : Document{};
}

Document makeRichDocument(std::mt19937& random) {
  Document document = makeDocument(test::makeAwkwardFigure());
  document.pose = test::randomPose(*document.figure, random);
  addGoal(document, 6, Eigen::Vector3d(0.1, -0.0, 1.0 / 3.0));
  addGoal(document, 9, Eigen::Vector3d(0.2, 0, 0));
  removeGoal(document, 1);
  addGoal(document, 3, Eigen::Vector3d::Zero());
  document.goals[0].name = "\"quoted\" \n \xc3\xa9";
  document.goals[0].weight = 0.1;
  document.goals[1].enabled = false;
  document.joints[3].limits = {-0.25, std::numeric_limits<double>::infinity()};
  document.joints[4].limits = {};
  document.joints[4].rigidity = 0.7;
  document.joints[5].locked = true;
  document.joints[0].translationLocked = true;
  document.mode = Mode::Forward;
  document.follow = true;
  document.solver.solver = "a solver of tomorrow";
  document.solver.reference = RestReference::StartPose;
  document.solver.options["gdls"]["alphaInit"] = 1e-5;
  document.selection = {4, document.goals[1].id};
  return document;
}

TEST_F(SceneJson, DocumentsSurviveBitForBit) {
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    const Document document = makeRichDocument(random);
    expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
  }
}

TEST_F(SceneJson, OddNumbersSurvive) {
  Document document = makeDocument(makePlanarChain(4));
  document.pose.coordinates << -0.0, std::numeric_limits<double>::denorm_min(), 1e-300, 0.1 + 0.2;
  expectSameDocument(document, roundTrip(document, folder_ / "s.limber"));
}

TEST_F(SceneJson, FormattingAgainGivesTheSameText) {
  std::mt19937 random(6);
  const Document document = makeRichDocument(random);
  const std::string text = *formatScene(document);
  EXPECT_EQ(*formatScene(*parseScene(text, "s")), text);
}

TEST_F(SceneJson, LongMotionIsSavedAndLoadedWithinASecond) {
#ifdef LIMBER_SHARED_DATA_DIR
  const auto bvh = readBvh(std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "bvh/cmu_01_01.bvh");
  if (!bvh) GTEST_SKIP() << bvh.error().message();
  Document document = makeDocument(bvh->figure, bvh->motion);
  showFrame(document, 1234);
  const auto start = std::chrono::steady_clock::now();
  const Document back = roundTrip(document, folder_ / "s.limber");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  expectSameDocument(document, back);
#ifdef NDEBUG
  EXPECT_LT(taken.count(), 1.0);
#endif
  RecordProperty("milliseconds", static_cast<int>(taken.count() * 1e3));
#else
  GTEST_SKIP() << "no sample data";
#endif
}

TEST_F(SceneJson, NumberThatIsNotFiniteKeepsTheOldFile) {
  Document document = makeDocument(makePlanarChain(1));
  ASSERT_FALSE(writeScene(folder_ / "s.limber", document));
  document.goals[0].target.x() = std::nan("");
  ASSERT_TRUE(writeScene(folder_ / "s.limber", document));
  EXPECT_TRUE(readScene(folder_ / "s.limber"));
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(SceneJson, FaultsNameThePlace) {
  const std::string good = *formatScene(makeDocument(makePlanarChain(2)));
  const auto faultOf = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto document = parseScene(text, "s");
    return document ? "" : document.error().message();
  };
  EXPECT_EQ(faultOf("\"pose\": [0.0, 0.0]", "\"pose\": [0.0]"), "s: pose: must hold 2 numbers, not 1");
  EXPECT_EQ(faultOf("\"link\": \"link1\"", "\"link\": \"link9\""), "s: goals[0].link: the figure has no link \"link9\"");
  EXPECT_EQ(faultOf("\"weight\": 1.0", "\"weight\": -1.0"), "s: goals[0].weight: is -1.0, outside [0, 1000000000000]");
  EXPECT_EQ(faultOf("\"next_goal_id\": 2", "\"next_goal_id\": 1"),
            "s: next_goal_id: is 1, outside [2, 1000000001]");
  EXPECT_EQ(faultOf("\"mode\": \"inverse\"", "\"mode\": \"sideways\""), "s: mode: must be \"forward\" or \"inverse\"");
  EXPECT_EQ(faultOf("\"frame\": 0", "\"frame\": 1"), "s: frame: is 1, outside [0, 0]");
  EXPECT_EQ(faultOf("\"version\": 1", "\"version\": 7"), "s: version: is 7, outside [1, 1]");
  EXPECT_EQ(faultOf("\"target_weight\": 1000.0", "\"target_weight\": NaN").substr(0, 8), "s: line ");
}

}  // namespace
}  // namespace limber::io
