// SPDX-License-Identifier: MIT
// Random drags of every part of several bodies, each in a few events from rest. After every event:
//
//   - the pose is within its limits
//   - no arm is more than 2 mm inside the body, or deeper than where the drag began
//   - toes, soles and paws that the drag holds have moved by at most 0.1 mm
//   - what the report says of the target is what forward kinematics gives
//
// More drags: --gtest_shuffle --gtest_random_seed=1 --gtest_repeat=N gives other ones each time.
#include <random>
#include <string>

#include "clearances.h"
#include "limber/body/body_map.h"
#include "puller.h"
#include "support/repetitions.h"

namespace limber::any_part_test {
namespace {

using V = Eigen::Vector3d;

constexpr int kEvents = 5;
constexpr double kMostInside = 2e-3, kMostSlip = 1e-4;  // metres
constexpr double kLeastWay = 0.01, kMostWay = 0.6;      // of the figure's size

class AnyPart : public testing::TestWithParam<const char*> {};

/// How far what stands on a foothold has moved, metres.
double slipOf(const Foothold& foot, const Kinematics& before, const Kinematics& now) {
  const auto slip = [&](int link, const V& point) {
    return (now.worldFromLink[link] * point - before.worldFromLink[link] * point).norm();
  };
  if (!foot.isSole) return slip(foot.link, foot.point);
  const int link = foot.ball ? foot.ball->toes : foot.link;
  return std::max({slip(link, V::Zero()), slip(link, V(0.1, 0, 0)), slip(link, V(0, 0, 0.1))});
}

/// Pulls one part a random way, and checks every event.
void pull(const Document& document, int link, const V& way) {
  test::Puller puller(document, document.figure->link(link).name.c_str());
  const std::vector<Foothold> feet = findFootholds(document, puller.before, {link});
  const double least = std::min(0.0, test::leastOfArms(document)) - kMostInside;
  for (int event = 1; event <= kEvents; ++event) {
    puller.to(puller.start() + event / double(kEvents) * way);
    EXPECT_LT(test::feasibleSetOf(puller.document).violation(puller.document.pose), 1e-9);
    EXPECT_GE(test::leastOfArms(puller.document), least) << puller.report.sentence;
    for (const Foothold& foot : feet) EXPECT_LE(slipOf(foot, puller.before, puller.now), kMostSlip);
    ASSERT_FALSE(puller.report.goals.empty());
    EXPECT_NEAR(puller.report.goals.front().error, puller.miss(), 1e-9);
    if (puller.report.outcome == Outcome::Reached) {
      EXPECT_LE(puller.miss(), document.solver.reachedTolerance * document.figure->meanLinkLength());
    }
  }
}

TEST_P(AnyPart, KeepsItsPromises) {
  Document document = test::openFigure(GetParam());
  document.goals.clear();
  document.solver.reference = RestReference::StartPose;
  const double size = bodyMapOf(*document.figure).size();
  std::mt19937 random(static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed()));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int drag = 0; drag < test::repetitions(20, 3); ++drag) {
    const int link = std::uniform_int_distribution<int>(0, document.figure->linkCount() - 1)(random);
    const V to(uniform(random), uniform(random), uniform(random));
    const double far = size * kMostWay * std::pow(kLeastWay / kMostWay, 0.5 + 0.5 * uniform(random));
    SCOPED_TRACE(document.figure->link(link).name + " by " + std::to_string(far) + " m, drag " + std::to_string(drag));
    pull(document, link, far * to.normalized());
  }
}

INSTANTIATE_TEST_SUITE_P(, AnyPart,
                         testing::Values("human", "human-without-fingers", "humanoid",
                                         LIMBER_SOURCE_DIR "/resources/figures/spine_human.json",
                                         LIMBER_SOURCE_DIR "/resources/figures/pupper.json"),
                         [](const auto& each) { return std::to_string(each.index); });

}  // namespace
}  // namespace limber::any_part_test
