// SPDX-License-Identifier: MIT
#include "solvers/relaxation_block.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace limber {

namespace {

/// constant + sum of coefficient * local number.
struct AffineNumber {
  double constant = 0.0;
  std::vector<std::pair<int, double>> terms;
};

/// A matrix in the mean of rotations, or in a multiple of it: its entries column by column, and what its "1" is.
struct RotationNumbers {
  AffineNumber one;
  std::array<AffineNumber, 9> entries;
};

RelaxationBlock makeZero(int size) {
  RelaxationBlock block;
  block.size = size;
  block.constant = RelaxationBlock::Matrix::Zero(size, size);
  block.basis = RelaxationBlock::Matrix::Identity(size, size);
  return block;
}

void add(int row, int column, const AffineNumber& number, double scale, RelaxationBlock& block) {
  block.constant(row, column) += scale * number.constant;
  if (row != column) block.constant(column, row) += scale * number.constant;
  for (const auto& [variable, coefficient] : number.terms)
    block.terms.push_back({std::min(row, column), std::max(row, column), variable, scale * coefficient});
}

void addOne(int row, int column, int variable, RelaxationBlock& block, double coefficient = 1.0) {
  block.terms.push_back({row, column, variable, coefficient});
}

/// block += scale * (4 q q') at the given place, which off the diagonal is a whole square of four.
void addQuaternions(int row, int column, const RotationNumbers& numbers, double scale, RelaxationBlock& block) {
  const auto addPair = [&](int i, int j, const AffineNumber& number, double sign) {
    add(row + i, column + j, number, sign * scale, block);
    if (row != column && i != j) add(row + j, column + i, number, sign * scale, block);
  };
  const auto entry = [&](int i, int j) -> const AffineNumber& {
    return numbers.entries[static_cast<std::size_t>(3 * j + i)];
  };
  constexpr double kTrace[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int d = 0; d < 4; ++d) {
    addPair(d, d, numbers.one, 1.0);
    for (int i = 0; i < 3; ++i) addPair(d, d, entry(i, i), kTrace[d][i]);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    addPair(0, i + 1, entry(k, j), 1.0);
    addPair(0, i + 1, entry(j, k), -1.0);
    addPair(std::min(j, k) + 1, std::max(j, k) + 1, entry(j, k), 1.0);
    addPair(std::min(j, k) + 1, std::max(j, k) + 1, entry(k, j), 1.0);
  }
}

/// By variable, those of one entry together.
RelaxationBlock withTermsSorted(RelaxationBlock block) {
  using Term = RelaxationBlock::Term;
  const auto key = [](const Term& t) { return std::tuple(t.variable, t.row, t.column); };
  std::ranges::stable_sort(block.terms, {}, key);
  std::vector<Term> merged;
  for (const Term& t : block.terms)
    if (!merged.empty() && key(merged.back()) == key(t)) merged.back().coefficient += t.coefficient;
    else merged.push_back(t);
  std::erase_if(merged, [](const Term& t) { return t.coefficient == 0.0; });
  block.terms = std::move(merged);
  return block;
}

RotationNumbers rotationNumbersAt(const StatePlaces& places) {
  RotationNumbers numbers{{1.0, {}}, {}};
  for (std::size_t i = 0; i < 9; ++i) numbers.entries[i].terms = {{places[i], 1.0}};
  return numbers;
}

/// [n_a n_b n_c], and c and s times it: s n_c = u - c n_b, c n_c = w + s n_b.
struct HullNumbers {
  RotationNumbers plain, byCosine, bySine;

  explicit HullNumbers(int state) {
    plain.one.constant = 1.0;
    byCosine.one.terms = {{state + kOwnC, 1.0}};
    bySine.one.terms = {{state + kOwnS, 1.0}};
    for (int i = 0; i < 3; ++i) {
      const auto a = static_cast<std::size_t>(i), b = a + 3, c = a + 6;
      for (int j = 0; j < 3; ++j)
        plain.entries[a + 3 * static_cast<std::size_t>(j)].terms = {{kLocalN + 3 * j + i, 1.0}};
      byCosine.entries[a].terms = {{state + kOwnCNa + i, 1.0}};
      byCosine.entries[b].terms = {{state + kOwnCNb + i, 1.0}};
      byCosine.entries[c].terms = {{state + kOwnW + i, 1.0}, {state + kOwnSNb + i, 1.0}};
      bySine.entries[a].terms = {{state + kOwnSNa + i, 1.0}};
      bySine.entries[b].terms = {{state + kOwnSNb + i, 1.0}};
      bySine.entries[c].terms = {{state + kOwnU + i, 1.0}, {state + kOwnCNb + i, -1.0}};
    }
  }
};

}  // namespace

RelaxationBlock makeRotationBlock(const StatePlaces& places) {
  RelaxationBlock block = makeZero(4);
  addQuaternions(0, 0, rotationNumbersAt(places), 1.0, block);
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeFrameGram(const StatePlaces& places) {
  RelaxationBlock block = makeZero(7);
  block.constant.setIdentity();
  block.constant(6, 6) = 0.0;
  const auto at = [&](int i) { return places[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) addOne(i, 3 + j, at(3 * j + i), block);
    addOne(i, 6, at(9 + i), block);
    addOne(3 + i, 6, at(12 + i), block);
  }
  addOne(6, 6, at(15), block);
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeHingeGram(int state, bool isLifted) {
  RelaxationBlock block = makeZero(isLifted ? 9 : 8);
  block.constant.setIdentity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) addOne(i, 3 + j, kLocalN + 3 * j + i, block);
    addOne(i, 6, state + kOwnU + i, block);
    addOne(i, 7, state + kOwnW + i, block);
  }
  addOne(4, 6, state + kOwnC, block);
  addOne(5, 7, state + kOwnC, block);
  addOne(5, 6, state + kOwnS, block);
  addOne(4, 7, state + kOwnS, block, -1.0);
  if (isLifted) {
    block.constant(8, 8) = 0.0;
    for (int i = 0; i < 3; ++i) {
      addOne(i, 8, kLocalP + i, block);
      addOne(3 + i, 8, kLocalH + i, block);
    }
    addOne(6, 8, state + kOwnPb, block);
    addOne(7, 8, state + kOwnPc, block);
    addOne(8, 8, kLocalG, block);
  }
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeChord(int state, double middle, double half) {
  RelaxationBlock block = makeZero(1);
  block.constant(0, 0) = -std::cos(half);
  block.terms = {{0, 0, state + kOwnC, std::cos(middle)}, {0, 0, state + kOwnS, std::sin(middle)}};
  return block;
}

RelaxationBlock makeHull(int state) {
  const HullNumbers numbers(state);
  RelaxationBlock block = makeZero(8);
  for (const int half : {0, 4}) {
    addQuaternions(half, half, numbers.plain, 0.5, block);
    addQuaternions(half, half, numbers.byCosine, half == 0 ? 0.5 : -0.5, block);
  }
  addQuaternions(0, 4, numbers.bySine, 0.5, block);
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeArc(int state, double middle, double half) {
  const HullNumbers numbers(state);
  RelaxationBlock block = makeZero(4);
  addQuaternions(0, 0, numbers.byCosine, std::cos(middle), block);
  addQuaternions(0, 0, numbers.bySine, std::sin(middle), block);
  addQuaternions(0, 0, numbers.plain, -std::cos(half), block);
  return withTermsSorted(std::move(block));
}

}  // namespace limber
