// SPDX-License-Identifier: MIT
// The scenes of Zhao and Badler (1994), each solved from its upright start as the window does: the objective is made
// anew, the workspace is warm. Their times on a Silicon Graphics 340 VGX (figure 3) and a 4D-25TG (figure 8) were about
// 5 s with 22 degrees of freedom, 15 s with 70, and 2 s.
#include <benchmark/benchmark.h>

#include "limber/io/json/scene_json.h"
#include "limber/posing/posing.h"
#include "limber/solvers/registry.h"
#include "locations.h"

namespace limber::scene_benchmark {
namespace {

void solveScene(benchmark::State& state, const char* scene, const char* solver) {
  const auto read = io::readScene(LIMBER_SOURCE_DIR "/resources/scenes/" + std::string(scene) + ".limber");
  if (!read) return state.SkipWithError(read.error().message().c_str());
  if (!findSolver(solver)) return state.SkipWithError("there is no such solver");
  Document start = *read;
  start.solver.solver = solver;
  Document document = start;
  Posing posing;
  PosingReport report;
  for (auto _ : state) {
    document.pose = start.pose;
    report = solveToEnd(posing, document);
  }
  state.counters["iterations"] = report.summary.iterations();
  state.counters["reached"] = report.outcome == Outcome::Reached;
  state.SetLabel(report.sentence);
}

void registerScenes() {
  for (const char* scene : {"tube_vertebrae_grouped", "tube_vertebrae_independent", "reach_from_the_shoulder",
                            "reach_from_the_waist", "reach_with_a_rigid_torso"})
    for (const char* solver : {"newton", "variable-metric"})
      benchmark::RegisterBenchmark((std::string("scene/") + scene + ", " + solver).c_str(), solveScene, scene, solver)
          ->Unit(benchmark::kMillisecond);
}

const bool areRegistered = (registerScenes(), true);

}  // namespace
}  // namespace limber::scene_benchmark
