// SPDX-License-Identifier: MIT
// A mouse event of a drag, joints alike and the limb first, on the application's humans and on an avatar: one hand
// carried round within its reach, and out past it and back. The avatar comes with the sample data and is skipped, with
// a message if the data is missing.
#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>

#include "limber/io/open.h"
#include "limber/posing/posing.h"
#include "locations.h"

namespace limber::natural_benchmark {
namespace {

constexpr const char* kHumanoid = LIMBER_SOURCE_DIR "/resources/figures/humanoid.json";
constexpr const char* kHuman = LIMBER_SOURCE_DIR "/resources/figures/human.json";
constexpr const char* kWithoutFingers = LIMBER_SOURCE_DIR "/resources/figures/human_without_fingers.json";
constexpr const char* kAvatar = LIMBER_SOURCE_DIR "/../shared/data/vrm/cryptovoxels.vrm";

void dragHand(benchmark::State& state, const char* file, const char* hand, PosingChoice choice, double reach) {
  if (!std::filesystem::exists(file)) {
    state.SkipWithError("the sample data is not beside the sources");
    return;
  }
  auto opened = io::openAny(file);
  if (!opened) {
    state.SkipWithError(opened.error().message().c_str());
    return;
  }
  Document& document = opened->document;
  document.solver.posing = choice;
  const int site = document.figure->findSite(hand);
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  const int link = document.figure->sites()[static_cast<std::size_t>(site)].link;
  const Eigen::Vector3d start = kinematics.worldFromLink[static_cast<std::size_t>(link)].translation;
  PosingRequest request{.startPose = document.pose};
  request.drag = DragGoal{.link = link, .target = start};
  Posing posing;
  double iterations = 0.0;
  int event = 0;
  for (auto _ : state) {
    const double t = 0.03 * ++event;
    request.drag->target = start + reach * Eigen::Vector3d(0.1 * std::sin(2 * t), 0.15 * (1 - std::cos(t)),
                                                           0.15 * (1 - std::cos(1.3 * t)));
    const PosingReport report = solveToEnd(posing, document, request);
    request.followsLast = true;
    iterations += report.summary.iterations();
  }
  state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
}

#define LIMBER_DRAGS(label, file, hand)                                                   \
  BENCHMARK_CAPTURE(dragHand, label##Even, file, hand, PosingChoice::Even, 1.0)           \
      ->Name("natural/" #label ", within reach, even")                                    \
      ->Unit(benchmark::kMicrosecond);                                                    \
  BENCHMARK_CAPTURE(dragHand, label##Natural, file, hand, PosingChoice::Natural, 1.0)     \
      ->Name("natural/" #label ", within reach, natural")                                 \
      ->Unit(benchmark::kMicrosecond);                                                    \
  BENCHMARK_CAPTURE(dragHand, label##Still, file, hand, PosingChoice::Still, 1.0)         \
      ->Name("natural/" #label ", within reach, still")                                   \
      ->Unit(benchmark::kMicrosecond);                                                    \
  BENCHMARK_CAPTURE(dragHand, label##EvenPast, file, hand, PosingChoice::Even, 5.0)       \
      ->Name("natural/" #label ", past its reach, even")                                  \
      ->Unit(benchmark::kMicrosecond);                                                    \
  BENCHMARK_CAPTURE(dragHand, label##NaturalPast, file, hand, PosingChoice::Natural, 5.0) \
      ->Name("natural/" #label ", past its reach, natural")                               \
      ->Unit(benchmark::kMicrosecond)

LIMBER_DRAGS(humanoid, kHumanoid, "left_palm");
LIMBER_DRAGS(human, kHuman, "left palm");
LIMBER_DRAGS(humanWithoutFingers, kWithoutFingers, "left palm");
LIMBER_DRAGS(avatar, kAvatar, "left_hand");

}  // namespace
}  // namespace limber::natural_benchmark
