// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/relaxation_block.h"

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

/// A matrix that is a mean of rotations, or a multiple of one: its entries column by column, and the number that stands
/// for 1.
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

/// block += scale * (4 q q') at the given position; off the diagonal all 16 entries are written.
void addQuaternions(int row, int column, const RotationNumbers& numbers, double scale, RelaxationBlock& block) {
  const auto addPair = [&](int i, int j, const AffineNumber& number, double sign) {
    add(row + i, column + j, number, sign * scale, block);
    if (row != column && i != j) add(row + j, column + i, number, sign * scale, block);
  };
  const auto entry = [&](int i, int j) -> const AffineNumber& { return numbers.entries[3 * j + i]; };
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

/// Sorts terms by variable and merges those of the same entry.
RelaxationBlock withTermsSorted(RelaxationBlock block) {
  using Term = RelaxationBlock::Term;
  const auto key = [](const Term& t) { return std::tuple(t.variable, t.row, t.column); };
  std::stable_sort(block.terms.begin(), block.terms.end(),
                   [&](const Term& a, const Term& b) { return key(a) < key(b); });
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

/// addHessian() for a block of at most Size rows, which is copied to the first rows and columns, so that each size is
/// compiled once.
template <int Size>
void addHessianOf(const RelaxationBlock& block, MatrixIn w, MatrixIn z, MatrixOut hessian) {
  using Square = Eigen::Matrix<double, Size, Size>;
  const Square wide = w.topLeftCorner<Size, Size>(), dual = z.topLeftCorner<Size, Size>();
  const std::vector<RelaxationBlock::Term>& terms = block.terms;
  const std::size_t count = terms.size();
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    const int variable = terms[first].variable;
    Square product = Square::Zero();  // F Z
    for (; last < count && terms[last].variable == variable; ++last) {
      const RelaxationBlock::Term& t = terms[last];
      product.row(t.row) += t.coefficient * dual.row(t.column);
      if (t.row != t.column) product.row(t.column) += t.coefficient * dual.row(t.row);
    }
    const Square u = wide * product;
    for (std::size_t k = 0; k < last; ++k) {
      const RelaxationBlock::Term& t = terms[k];
      const double h = t.coefficient * (t.row == t.column ? u(t.row, t.row) : u(t.row, t.column) + u(t.column, t.row));
      hessian(t.variable, variable) += h;
      if (t.variable != variable) hessian(variable, t.variable) += h;
    }
  }
}

}  // namespace

void addHessian(const RelaxationBlock& block, MatrixIn w, MatrixIn z, MatrixOut hessian) {
  const Eigen::Index full = block.constant.rows();
  const auto add = full == 1   ? addHessianOf<1>
                   : full <= 4 ? addHessianOf<4>
                   : full <= 8 ? addHessianOf<8>
                   : full == 9 ? addHessianOf<9>
                               : addHessianOf<10>;
  add(block, w, z, hessian);
}

RelaxationBlock makeRotationBlock(const StatePlaces& places) {
  RelaxationBlock block = makeZero(4);
  addQuaternions(0, 0, rotationNumbersAt(places), 1.0, block);
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeFrameGram(const StatePlaces& places) {
  RelaxationBlock block = makeZero(7);
  block.constant.setIdentity();
  block.constant(6, 6) = 0.0;
  const auto at = [&](int i) { return places[i]; };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) addOne(i, 3 + j, at(3 * j + i), block);
    addOne(i, 6, at(9 + i), block);
    addOne(3 + i, 6, at(12 + i), block);
  }
  addOne(6, 6, at(15), block);
  return withTermsSorted(std::move(block));
}

RelaxationBlock makeHingeGram(int state, bool hasPlace) {
  RelaxationBlock block = makeZero(hasPlace ? 9 : 8);
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
  if (hasPlace) {
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

RelaxationBlock makePairGram(int state, const Eigen::Matrix3d& turn) {
  RelaxationBlock block = makeHingeGram(state, false);
  block.size = 10;
  block.constant = RelaxationBlock::Matrix::Identity(10, 10);
  block.basis = block.constant;
  const int cc = state + kOwnCC, cs = state + kOwnCS, sc = state + kOwnSC, ss = state + kOwnSS;
  for (int i = 0; i < 3; ++i) {
    addOne(i, 8, kLocalNb + i, block);
    addOne(i, 9, kLocalNc + i, block);
    // n_x of this hinge, expressed in the parent's (a u w), and by the parent's angle.
    addOne(3 + i, 8, kLocalC, block, turn(1, i));
    addOne(3 + i, 8, kLocalS, block, -turn(2, i));
    addOne(3 + i, 9, kLocalS, block, turn(1, i));
    addOne(3 + i, 9, kLocalC, block, turn(2, i));
  }
  const double b1 = turn(1, 1), b2 = turn(2, 1), c1 = turn(1, 2), c2 = turn(2, 2);
  const struct {
    int row, column;
    double cc, cs, sc, ss;
  } products[] = {{6, 8, b1, c1, -b2, -c2}, {7, 8, c1, -b1, -c2, b2}, {6, 9, b2, c2, b1, c1}, {7, 9, c2, -b2, c1, -b1}};
  for (const auto& p : products) {
    addOne(p.row, p.column, cc, block, p.cc);
    addOne(p.row, p.column, cs, block, p.cs);
    addOne(p.row, p.column, sc, block, p.sc);
    addOne(p.row, p.column, ss, block, p.ss);
  }
  return withTermsSorted(std::move(block));
}

namespace {

/// Indices of the moments E[1, c, s] of an angle, and of its products with the parent's: [parent's][own].
using PairNumbers = std::array<std::array<AffineNumber, 3>, 3>;

PairNumbers pairNumbersAt(int state) {
  const auto number = [](int variable) { return AffineNumber{0.0, {{variable, 1.0}}}; };
  return {{{AffineNumber{1.0, {}}, number(state + kOwnC), number(state + kOwnS)},
           {number(kLocalC), number(state + kOwnCC), number(state + kOwnCS)},
           {number(kLocalS), number(state + kOwnSC), number(state + kOwnSS)}}};
}

/// 2 t t' = 1 [1 0; 0 1] + c [1 0; 0 -1] + s [0 1; 1 0].
constexpr double kHalfAngle[3][2][2] = {{{1, 0}, {0, 1}}, {{1, 0}, {0, -1}}, {{0, 1}, {1, 0}}};

}  // namespace

RelaxationBlock makePair(int state) {
  const PairNumbers numbers = pairNumbersAt(state);
  RelaxationBlock block = makeZero(4);
  for (int row = 0; row < 4; ++row)
    for (int column = row; column < 4; ++column)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const double scale = kHalfAngle[i][row / 2][column / 2] * kHalfAngle[j][row % 2][column % 2];
          if (scale != 0.0) add(row, column, numbers[i][j], scale, block);
        }
  return withTermsSorted(std::move(block));
}

RelaxationBlock makePairArc(int state, bool isOfParent, double middle, double half) {
  const PairNumbers numbers = pairNumbersAt(state);
  const double chord[3] = {-std::cos(half), std::cos(middle), std::sin(middle)};
  RelaxationBlock block = makeZero(2);
  for (int row = 0; row < 2; ++row)
    for (int column = row; column < 2; ++column)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const double scale = chord[i] * kHalfAngle[j][row][column];
          if (scale != 0.0) add(row, column, isOfParent ? numbers[i][j] : numbers[j][i], scale, block);
        }
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
