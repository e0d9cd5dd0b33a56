// SPDX-License-Identifier: MIT
// limber_peers [--quick | --test] [--filter TEXT]
//
// Limber's methods and the libraries that were found, on the same problems, judged by the same code; JSON on standard
// output. scripts/bench makes tables of it. --quick takes a tenth of the problems, --test one of each task.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "bench/peers/entrants.h"
#include "bench/peers/tasks.h"

namespace limber::bench {
namespace {

nlohmann::json jsonOf(const Result& result) {
  nlohmann::json scores = nlohmann::json::array();
  for (const Score& s : result.scores)
    scores.push_back({{"entrant", s.entrant},
                      {"problems", s.problems},
                      {"solved", s.solved},
                      {"median_us", s.medianMicroseconds},
                      {"p95_us", s.p95Microseconds},
                      {"distance", s.medianDistance}});
  return {{"task", result.task},
          {"title", result.title},
          {"coordinates", result.coordinates},
          {"floor_us", result.floorMicroseconds},
          {"scores", scores}};
}

/// share: of the problems; at least one of each task.
int contest(double share, const std::string& filter) {
  const auto count = [&](int full) { return std::max(1, static_cast<int>(share * full)); };
  const auto isAsked = [&](const std::string& name) { return name.find(filter) != std::string::npos; };
  nlohmann::json results = nlohmann::json::array();
  const auto add = [&](const Task& task) {
    std::fprintf(stderr, "%s ...\n", task.title.c_str());
    results.push_back(jsonOf(run(task, makeEntrants())));
  };
  if (isAsked("arm")) add(makeArmTask(count(1000)));
  if (isAsked("chain_100")) add(makeChainTask(100, count(150)));
  if (isAsked("chain_1000")) add(makeChainTask(1000, count(50)));
  if (isAsked("human")) {
    std::string fault;
    const Task task = makeHumanTask(count(150), fault);
    if (!fault.empty()) return std::fprintf(stderr, "%s\n", fault.c_str()), 1;
    add(task);
  }
  if (isAsked("drag")) add(makeDragTask(count(1000)));
  std::cout << nlohmann::json{{"missing", missingPeers()}, {"results", results}}.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  double share = 1.0;
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick")) share = 0.1;
    else if (!std::strcmp(argv[i], "--test")) share = 0.0;
    else if (!std::strcmp(argv[i], "--filter") && i + 1 < argc) filter = argv[++i];
    else return std::fprintf(stderr, "usage: limber_peers [--quick | --test] [--filter TEXT]\n"), 2;
  }
  return limber::bench::contest(share, filter);
}
