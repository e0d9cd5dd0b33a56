// SPDX-License-Identifier: MIT
// The global pose of a document: results, sentences, omissions, progress and cancel.
#include "limber/proof/global_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "limber/solvers/registry.h"
#include "support/says.h"

namespace limber::global_search_test {
namespace {

Document armTo(const Eigen::Vector3d& target) {
  Document document = makeDocument(makeArm());
  addGoal(document, document.figure->linkCount() - 1, Eigen::Vector3d::Zero());
  document.goals[0].target = target;
  return document;
}

TEST(GlobalSearch, FindsAndCertifiesWhatIsInReach) {
  const Document document = armTo({0.3, 0.6, 0.2});
  const GlobalAnswer answer = searchGlobally(document);
  EXPECT_EQ(answer.fault, "");
  EXPECT_FALSE(answer.isCancelled);
  EXPECT_EQ(answer.report.outcome, Outcome::Reached);
  EXPECT_TRUE(answer.result.certificate.isCertified);
  EXPECT_EQ(answer.badge(), "certified");
  EXPECT_EQ(answer.sentence().find("certified: no pose brings the points nearer by"), 0u) << answer.sentence();
  EXPECT_EQ(answer.result.leftOut, std::vector<std::string>{"the pull to a pose"});
  EXPECT_GT(answer.refinementMs, 0.0);
}

TEST(GlobalSearch, ProvesWhatIsOutOfReach) {
  const Document document = armTo({10.0, 0.0, 0.0});
  const GlobalAnswer answer = searchGlobally(document);
  const Certificate& certificate = answer.result.certificate;
  EXPECT_TRUE(certificate.isOutOfReach);
  EXPECT_EQ(answer.sentence().find("out of reach: at least "), 0u);
  EXPECT_GT(certificate.leastCost(), 8.0);
  EXPECT_LE(certificate.leastCost(), certificate.cost());
  EXPECT_NEAR(certificate.cost(), answer.report.worstError, 1e-9);
}

TEST(GlobalSearch, WordsProveNoMoreThanTheirNumbers) {
  Certificate certificate;
  certificate.length = 1.0;
  certificate.bound = 0.067978 * 0.067978;
  certificate.value = 0.07 * 0.07;
  certificate.isOutOfReach = true;
  EXPECT_TRUE(test::says(sentenceOf(certificate, false), {"out of reach", "at least 67.9 mm", "at most 2.03 mm"}));
  certificate.value = certificate.bound;
  certificate.isCertified = true;
  EXPECT_TRUE(test::says(sentenceOf(certificate, false), {"at least 67.9 mm", "certified", "0.001 mm"}));
}

TEST(GlobalSearch, TheDocumentStaysAndTheAnswerIsTheSameToTheBit) {
  const Document document = armTo({0.4, 0.5, -0.3});
  const Pose before = document.pose;
  const GlobalAnswer first = searchGlobally(document), second = searchGlobally(document);
  EXPECT_EQ(document.pose, before);
  EXPECT_EQ(first.pose, second.pose);
  EXPECT_EQ(first.result.certificate.bound, second.result.certificate.bound);
}

TEST(GlobalSearch, CancelKeepsWhatWasFound) {
  const Document document = armTo({10.0, 0.0, 0.0});
  for (const int stopAt : {1, 5, 40}) {
    int seen = 0;
    const GlobalAnswer answer =
        searchGlobally(document, {}, {}, [&](const GlobalProgress&) { return ++seen < stopAt; });
    EXPECT_TRUE(answer.isCancelled) << stopAt;
    EXPECT_EQ(seen, stopAt);
    EXPECT_TRUE(isValid(*document.figure, answer.pose));
    EXPECT_FALSE(answer.result.certificate.isCertified);
  }
}

TEST(GlobalSearch, ProgressGoesThroughAllPhasesAndTheCostFalls) {
  const Document document = armTo({10.0, 0.0, 0.0});
  std::vector<GlobalProgress> told;
  const GlobalAnswer answer = searchGlobally(document, {}, {}, [&](const GlobalProgress& progress) {
    told.push_back(progress);
    return true;
  });
  int of[3] = {0, 0, 0};
  for (std::size_t i = 0; i < told.size(); ++i) {
    ++of[static_cast<std::size_t>(told[i].phase)];
    EXPECT_EQ(told[i].iterations, static_cast<int>(i) + 1);
    if (i > 0) {
      EXPECT_LE(told[i].cost, told[i - 1].cost);
    }
  }
  for (const int count : of) EXPECT_GT(count, 0);
  EXPECT_LE(told.back().leastCost, answer.result.certificate.leastCost());
  EXPECT_GT(told.back().leastCost, 0.9 * answer.result.certificate.leastCost());
}

TEST(GlobalSearch, ADragIsAGoalLikeAnother) {
  Document document = makeDocument(makeArm());
  EXPECT_NE(searchGlobally(document).fault, "") << "nothing is asked";
  const DragGoal drag{.link = document.figure->linkCount() - 1, .target = {0.3, 0.6, 0.2}};
  const GlobalAnswer answer = searchGlobally(document, {.drag = drag});
  EXPECT_EQ(answer.fault, "");
  EXPECT_EQ(answer.result.certificate.points, 1);
  EXPECT_TRUE(answer.result.certificate.isCertified);
}

TEST(GlobalSearch, PinsAndAlternativesAreLeftOutOfTheBound) {
  Document document = armTo({0.3, 0.6, 0.2});
  pinLink(document, 2, true, false);
  const int first = addGoal(document, 5, Eigen::Vector3d::Zero()), second = addGoal(document, 5, {0.1, 0.0, 0.0});
  for (const int id : {first, second}) {
    findGoal(document, id)->anyOf = 7;
    findGoal(document, id)->target = {5.0, 0.0, 0.0};
  }
  const PoseCertificate result = certifyPose(document);
  EXPECT_EQ(result.certificate.fault, "");
  EXPECT_EQ(result.certificate.points, 1);
  EXPECT_EQ(result.leftOut, (std::vector<std::string>{"1 pin", "2 alternative goals", "the pull to a pose"}));
  findGoal(document, second)->enabled = false;
  EXPECT_EQ(certifyPose(document).certificate.points, 2) << "one alternative is no choice";
}

TEST(GlobalSearch, SaysWhyThereIsNone) {
  Document document = armTo({0.3, 0.6, 0.2});
  document.goals[0].type = GoalType::Orientation;
  const GlobalAnswer answer = searchGlobally(document);
  EXPECT_EQ(answer.fault, "the global search needs a position goal");
  EXPECT_EQ(answer.pose, document.pose);
  const PoseCertificate result = certifyPose(document);
  EXPECT_EQ(badgeOf(result.certificate), "no bound");
  EXPECT_EQ(sentenceOf(result.certificate, false), "no bound: there is no position goal with a weight");
}

TEST(GlobalSearch, WordsForEveryVerdict) {
  Certificate c;
  c.value = 4e-4, c.bound = 1e-4, c.length = 1.0;
  EXPECT_TRUE(test::says(sentenceOf(c, true), {"no better pose found", "at most 10 mm"}));
  EXPECT_EQ(sentenceOf(c, false).find("found"), std::string::npos) << "nothing was searched";
  EXPECT_EQ(badgeOf(c), "not certified");
  c.isOutOfReach = true;
  EXPECT_TRUE(test::says(sentenceOf(c, true), {"out of reach", "at least 10 mm", "no better pose found"}));
  EXPECT_EQ(badgeOf(c), "out of reach");
  c.isCertified = true;
  EXPECT_TRUE(test::says(sentenceOf(c, true), {"out of reach", "at least 10 mm", "certified", "10 mm"}));
  EXPECT_EQ(badgeOf(c), "certified, out of reach");
  c.isOutOfReach = false;
  EXPECT_EQ(badgeOf(c), "certified");
  c.leftOut.goals = 1;
  EXPECT_EQ(badgeOf(c), "places certified") << "another pose may meet what was left out";
}

}  // namespace
}  // namespace limber::global_search_test
