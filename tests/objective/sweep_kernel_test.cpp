// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/sweep_kernel.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "limber/vector/processor.h"

namespace limber::sweep_kernel_test {
namespace {

constexpr int kElements = 13;

/// All arrays of a run, with random numbers; P is positive definite, as for real figures.
struct Scratch {
  explicit Scratch(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto fill = [&](auto& values) {
      for (double& value : values.reshaped()) value = uniform(random);
    };
    for (auto* values : {&twists, &rows, &borders}) values->resize(values == &twists ? 6 : kSweepRows, kElements);
    for (auto* values : {&pull, &slope, &inverse, &above, &right, &solution}) {
      values->resize(kElements);
      fill(*values);
    }
    for (auto* values : {&twists, &rows, &borders}) fill(*values);
    fill(basis);
    fill(gram);
    fill(missing);
    fill(articulated);
    fill(wrench);
    fill(bias);
    fill(motion);
    articulated = (10.0 * articulated * articulated.transpose()).eval();
    pull = pull.cwiseAbs();
    for (int e = 0; e < kElements; ++e) {
      coordinates.push_back(kElements - 1 - e);
      free.push_back(e % 5 != 3);
    }
  }

  SweepArrays arrays() {
    return {coordinates.data(), twists.data(),  free.data(),  pull.data(),  slope.data(),
            rows.data(),        inverse.data(), above.data(), right.data(), solution.data()};
  }

  /// Factors, eliminates another right-hand side, and goes back.
  int pass(const SweepKernel& kernel, bool isOpen) {
    double badPivot = 0.0;
    const RunState state{wrench.data(), articulated.data(), bias.data()};
    const ColumnState columns{basis.data(), gram.data(), borders.data(), missing.data()};
    const int bad = isOpen ? kernel.factorOpenRun(arrays(), 0, kElements, state, columns, &badPivot)
                           : kernel.factorRun(arrays(), 0, kElements, state, &badPivot);
    const int first = bad < 0 ? 0 : bad + 1;
    Eigen::Matrix<double, 6, 1> other = bias;
    kernel.eliminateRun(arrays(), first, kElements, other.data());
    kernel.moveRun(arrays(), first, kElements, other.data(), motion.data());
    return bad;
  }

  std::vector<int> coordinates;
  std::vector<char> free;
  Eigen::MatrixXd twists, rows, borders;
  Eigen::VectorXd pull, slope, inverse, above, right, solution;
  Eigen::Matrix<double, 6, kSweepRows, Eigen::RowMajor> basis, gram, missing;
  Eigen::Matrix<double, 6, 6> articulated;
  Eigen::Matrix<double, 6, 1> wrench, bias, motion;
};

TEST(SweepKernel, BaselineAndAvx2GiveTheSameBits) {
  if (!hasAvx2()) GTEST_SKIP() << "no AVX2 code here";
  for (unsigned seed = 0; seed < 200; ++seed)
    for (const bool isOpen : {false, true}) {
      Scratch baseline(seed), avx2(seed);
      EXPECT_EQ(baseline.pass(kSweepBaseline, isOpen), avx2.pass(kSweepAvx2, isOpen));
      EXPECT_TRUE(baseline.rows == avx2.rows) << seed;
      EXPECT_TRUE(baseline.right == avx2.right) << seed;
      EXPECT_TRUE(baseline.solution == avx2.solution) << seed;
      EXPECT_TRUE(baseline.motion == avx2.motion) << seed;
      EXPECT_TRUE(baseline.articulated == avx2.articulated) << seed;
      EXPECT_TRUE(baseline.basis == avx2.basis) << seed;
      EXPECT_TRUE(baseline.gram == avx2.gram) << seed;
    }
}

}  // namespace
}  // namespace limber::sweep_kernel_test
