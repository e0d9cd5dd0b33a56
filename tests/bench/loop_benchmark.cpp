// SPDX-License-Identifier: MIT
// Drags of figures with closed loops, 200 events around a closed curve, and the same drags of the open trees that
// remain without the loops. Counters: iterations per event, and the share that is reached.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/figure_parts.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "support/loop_figures.h"

namespace limber::loop_benchmark {
namespace {

constexpr int kEvents = 200;

std::shared_ptr<const Figure> withoutLoops(const Figure& figure) {
  FigureParts parts = takeApart(figure);
  parts.loops.clear();
  return putTogether(std::move(parts), keepLinks(figure)).figure;
}

void drag(benchmark::State& state, const test::LoopFigure& looped, const std::shared_ptr<const Figure>& figure) {
  const Document document = makeDocument(figure);
  const Eigen::Vector3d start = transformsOf(*figure, document.pose).worldFromLink[looped.link] * looped.point;
  double iterations = 0.0, reached = 0.0, events = 0.0;
  for (auto _ : state) {
    Document posed = document;
    PosingRequest request;
    request.startPose = document.pose;
    request.drag = DragGoal{looped.link, looped.point, start, 1.0};
    Posing posing;
    for (int event = 0; event < kEvents; ++event) {
      const double t = 2.0 * std::numbers::pi * (event + 1) / kEvents;
      request.drag->target =
          start + looped.reach * Eigen::Vector3d(std::sin(t), 0.5 * std::sin(2.0 * t), 0.3 * (1.0 - std::cos(t)));
      request.followsLast = event > 0;
      const PosingReport report = solveToEnd(posing, posed, request);
      iterations += report.summary.iterations();
      reached += report.outcome == Outcome::Reached;
      ++events;
    }
  }
  state.counters["iterations"] = iterations / events;
  state.counters["reached"] = reached / events;
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}

const bool registered = [] {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const std::string name = std::string("loops/") + looped.name;
    const auto open = withoutLoops(*looped.figure);
    benchmark::RegisterBenchmark((name + "/closed").c_str(), [=](benchmark::State& s) {
      drag(s, looped, looped.figure);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/open").c_str(), [=](benchmark::State& s) {
      drag(s, looped, open);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace limber::loop_benchmark
