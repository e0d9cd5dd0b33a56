// SPDX-License-Identifier: MIT
// Same input, same bits: poses and summaries of many solves in one hash, equal from run to run. The continuous
// integration compares the line printed here between builds with and without optimisation, too.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>

#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"

namespace limber::determinism_test {
namespace {

class Hash {  // FNV-1a over 64-bit words
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 1099511628211ull; }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ull;
};

void addSolve(const Solver& solver, const Objective& objective, Pose pose, Hash& hash) {
  Workspace workspace;
  const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace);
  for (const double q : pose.coordinates) hash.add(q);
  hash.add(summary.objective);
  hash.add(summary.gradientNorm);
  hash.add(static_cast<std::uint64_t>(summary.status));
  hash.add(static_cast<std::uint64_t>(summary.iterations()));
}

std::uint64_t hashOfManySolves() {
  Hash hash;
  std::mt19937 random(31);
  const auto figure = test::makeAwkwardFigure();
  for (const Solver* solver : allSolvers())
    for (int trial = 0; trial < 5; ++trial) {
      const Objective tree = test::makeRandomObjective(figure, test::kAwkwardTips, random);
      addSolve(*solver, tree, test::randomPose(*figure, random), hash);
      const Objective chain = test::makeChainObjective(3 + 4 * trial, {2.0, 1.0 + trial, 0.0});
      addSolve(*solver, chain, restPose(chain.figure()), hash);
    }
  return hash.value();
}

TEST(Determinism, SameInputGivesTheSameHash) {
  const std::uint64_t hash = hashOfManySolves();
  EXPECT_EQ(hash, hashOfManySolves());
  std::printf("determinism hash %016llx\n", static_cast<unsigned long long>(hash));
}

}  // namespace
}  // namespace limber::determinism_test
