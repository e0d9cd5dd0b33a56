// SPDX-License-Identifier: MIT
// Maps of the reachable workspace: of a chain in its plane, of an arm's tool, of the humanoid's hand, of the same with
// the other hand pinned.
//
// Counters: "reachable", "outside" and "notFound" (cells), "cells/s" (of the grid), "solves".
#include <benchmark/benchmark.h>

#include "limber/io/figure_source.h"
#include "limber/problem/new_goal.h"
#include "limber/proof/reach_search.h"
#include "locations.h"

namespace limber::workspace_benchmark {
namespace {

struct Task {
  const char* figure;
  const char* link;
  const char* pinned;  ///< empty: none
  int cells;
};

void mapWorkspace(benchmark::State& state, const Task& task) {
  const auto source = io::openFigureSource(task.figure, LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  const Figure& figure = *source->figure;
  Document document = makeDocument(source->figure);
  const int link = figure.findLink(task.link), pinned = figure.findLink(task.pinned);
  if (link < 0) return state.SkipWithError("there is no such link");
  if (pinned >= 0) pinLink(document, pinned, true, false);
  const EndEffector end = endEffectorOf(figure, link);
  ReachAnswer answer;
  for (auto _ : state)
    answer = findReachable(document, {.link = end.link, .pointInLink = end.point, .cellsAcross = task.cells});
  if (!answer.fault.empty()) return state.SkipWithError(answer.fault.c_str());
  const auto counts = answer.map.counts();
  state.counters["reachable"] = counts[1];
  state.counters["notFound"] = counts[2];
  state.counters["outside"] = counts[3];
  state.counters["solves"] = answer.solves;
  state.counters["cells/s"] = benchmark::Counter(answer.map.cellCount(), benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(sentenceOf(answer.map));
}

void registerWorkspaces() {
  static const Task tasks[] = {{"planar:5", "link4", "", 40},
                               {"arm", "hand", "", 24},
                               {"humanoid", "left_hand", "", 16},
                               {"humanoid", "left_hand", "right_hand", 10}};
  for (const Task& task : tasks)
    benchmark::RegisterBenchmark(
        (std::string("workspace/") + task.figure + ", " + task.link +
         (*task.pinned ? std::string(", pinned ") + task.pinned : "") + ", " + std::to_string(task.cells) + " across")
            .c_str(),
        mapWorkspace, task)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
}

const bool areRegistered = (registerWorkspaces(), true);

}  // namespace
}  // namespace limber::workspace_benchmark
