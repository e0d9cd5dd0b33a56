// SPDX-License-Identifier: MIT
// All ways of random poses of each family of arms (tests/ways/random_arms.h), unlimited. Counters: "median" (us of one
// list), "ways" (mean number), "found" (part of the lists with the generating pose within 1e-6), "floor" (ns of one
// pass of forward kinematics with twists of the same arm).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "bench/thread_time.h"
#include "ways/random_arms.h"

namespace limber::ways_benchmark {
namespace {

using bench::threadTime;
using ways::Coordinates;

void listWays(benchmark::State& state, const test::ArmFamily& family, ways::Effort effort) {
  constexpr int kPoses = 300;
  test::RandomArms random{std::mt19937{2026}};
  std::vector<double> times;
  double sum = 0.0, found = 0.0, floor = 0.0;
  for (auto _ : state) {
    times.clear();
    sum = found = 0.0;
    ways::Ways all;
    all.all.reserve(64);
    for (int i = 0; i < kPoses; ++i) {
      const ways::ScrewChain chain = family.make(random);
      const ways::ArmSolver solver(chain, ways::Aspect::Place);
      const Coordinates q = random.coordinates(chain), preferred = Coordinates::Zero(chain.count);
      const Transform target = chain.place(q);
      const double start = threadTime();
      solver.solve(target, preferred, all, effort);
      times.push_back(threadTime() - start);
      sum += static_cast<double>(all.all.size());
      found += std::any_of(all.all.begin(), all.all.end(),
                           [&](const ways::Way& way) { return test::differenceOf(chain, way.q, q) < 1e-6; });
    }
    const ways::ScrewChain chain = family.make(random);
    const Coordinates q = random.coordinates(chain);
    ways::ArmJacobian jacobian;
    const double start = threadTime();
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(chain.place(q, jacobian));
    floor = (threadTime() - start) / 1000;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  state.counters["median"] = 1e-3 * times[times.size() / 2];
  state.counters["ways"] = sum / kPoses;
  state.counters["found"] = found / kPoses;
  state.counters["floor"] = floor;
}

const int registered = [] {
  for (const test::ArmFamily& family : test::armFamilies())
    for (const ways::Effort effort : {ways::Effort::Quick, ways::Effort::Sure}) {
      if (family.isClosedForm && effort == ways::Effort::Sure) continue;
      const std::string name = "ways/" + std::string(family.name) +
                               (family.isClosedForm             ? ""
                                : effort == ways::Effort::Quick ? ", quick"
                                                                : ", sure");
      benchmark::RegisterBenchmark(name.c_str(), [family, effort](benchmark::State& state) {
        listWays(state, family, effort);
      })->Iterations(1);
    }
  return 0;
}();

}  // namespace
}  // namespace limber::ways_benchmark
