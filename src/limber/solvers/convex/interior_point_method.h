// SPDX-License-Identifier: MIT
// The method of interior_point.h as a template over the sizes of a relaxation's form. Each form is instantiated in its
// own source, because the compile time is quadratic in the number of expression types of a source.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <Eigen/Cholesky>

#include "limber/solvers/convex/interior_point.h"
#include "limber/solvers/convex/products.h"
#include "limber/solvers/convex/small_symmetric.h"

namespace limber {

/// Interface of the method for one form of the relaxation.
struct InteriorPointMethod {
  virtual ~InteriorPointMethod() = default;
  virtual InteriorPointSummary solve(const Relaxation& relaxation, const InteriorPointOptions& options,
                                     const InteriorPointObserver& observer) = 0;
  virtual Eigen::Matrix3d rotation(int frame) const = 0;
  virtual Eigen::Vector2d cosineAndSine(int frame) const = 0;
};

std::unique_ptr<InteriorPointMethod> makeCompactMethod(const Relaxation& relaxation);
std::unique_ptr<InteriorPointMethod> makeHullMethod(const Relaxation& relaxation);

namespace interior_point {

constexpr double kFirstMu = 0.1;      // Z = kFirstMu S^-1 at the start
constexpr double kToBoundary = 0.95;  // of the distance to the boundary
constexpr double kLeastStep = 1e-6;

using Placed = Eigen::Matrix<double, 3, 4>;  // [R p]

/// One block: all matrices have its size in their first rows and columns, zeros elsewhere.
template <int N>
struct BlockState {
  SmallMatrix<N> s, z, inverse, factorS, factorZ;  // S, Z, S^-1, Cholesky factors
  SmallMatrix<N> stepS, stepZ, correction;         // correction: sym(S^-1 dS' dZ')
  SmallMatrix<N> inverseWhole, zWhole;             // basis S^-1 basis', basis Z basis'
};

/// Sizes: numbers of a frame's state, and maximum numbers of unknowns of a frame and rows of a block.
template <int State, int Most, int Rows>
struct FormSizes {
  static constexpr int kState = State, kMost = Most, kRows = Rows, kLocal = State + Most;
  using Local = Eigen::Matrix<double, kLocal, 1>;
  using LocalMatrix = Eigen::Matrix<double, kLocal, kLocal>;
  using StateVector = Eigen::Matrix<double, State, 1>;
  using StateMatrix = Eigen::Matrix<double, State, State>;
  using Free = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Most, 1>;
  using FreeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Most, Most>;
  using Gain = Eigen::Matrix<double, Eigen::Dynamic, State, Eigen::ColMajor, Most, State>;
  using Small = SmallMatrix<Rows>;
};
template <class Sizes>
struct FrameState {
  typename Sizes::Local local, step;  // numbers and their step
  typename Sizes::Free free, freeStep;
  typename Sizes::StateVector found;     // [R p ...] of this frame at the end
  typename Sizes::StateVector gradient;  // of f with respect to them
  Eigen::Matrix4d weight;                // 2 sum w v v', v with 1 appended; P is this for each of three rows
  typename Sizes::StateMatrix hessian;   // of all frames at and below, with respect to the state
  typename Sizes::StateVector rhs;       // the same
  typename Sizes::FreeMatrix factor;     // Cholesky factor of M's pivot
  typename Sizes::Gain gain;             // free step = known - gain * state
  typename Sizes::Free known;
  Eigen::Vector2d tieBreak = Eigen::Vector2d::Zero();  // linear cost of c and s
  std::vector<BlockState<Sizes::kRows>> blocks;
};

struct StepLengths {
  double primal = 0.0, dual = 0.0;
};

template <class Vector>
Eigen::Map<const Placed> placedOf(const Vector& v) {
  return Eigen::Map<const Placed>(v.data());
}

/// out = S of the numbers (with or without the constant), in the basis.
template <class Local, int N>
void assemble(const RelaxationBlock& block, const Local& local, bool withConstant, SmallMatrix<N>& out) {
  SmallMatrix<N> whole = SmallMatrix<N>::Zero();
  if (withConstant) whole.topLeftCorner(block.constant.rows(), block.constant.cols()) = block.constant;
  for (const RelaxationBlock::Term& t : block.terms) {
    const double value = t.coefficient * local[t.variable];
    whole(t.row, t.column) += value;
    if (t.row != t.column) whole(t.column, t.row) += value;
  }
  if (block.isWhole) {
    out = whole;
    return;
  }
  const Eigen::Index full = block.basis.rows();
  RelaxationBlock::Matrix half(full, block.size);
  setProduct(whole.topLeftCorner(full, full), block.basis, half);
  out.setZero();
  setTransposedProduct(block.basis, half, out.topLeftCorner(block.size, block.size));
}

template <int N>
void widen(const RelaxationBlock& block, const SmallMatrix<N>& in, SmallMatrix<N>& out) {
  if (block.isWhole) {
    out = in;
    return;
  }
  const Eigen::Index full = block.basis.rows();
  RelaxationBlock::Matrix half(block.size, full);
  setProductWithTransposed(in.topLeftCorner(block.size, block.size), block.basis, half);
  out.setZero();
  setProduct(block.basis, half, out.topLeftCorner(full, full));
}

/// numbers += sign * A' matrix; the matrix is symmetric and not in the basis.
template <class Local, int N>
void addAdjoint(const RelaxationBlock& block, const SmallMatrix<N>& matrix, double sign, Local& numbers) {
  for (const RelaxationBlock::Term& t : block.terms)
    numbers[t.variable] += sign * t.coefficient * (t.row == t.column ? 1.0 : 2.0) * matrix(t.row, t.column);
}

template <int N>
bool factorize(int size, BlockState<N>& b) {
  if (!factorizeSmall<N>(size, b.s, b.factorS) || !factorizeSmall<N>(size, b.z, b.factorZ)) return false;
  invertSmall<N>(size, b.factorS, b.inverse);
  return true;
}

/// dZ from dS, with sigma mu; `corrected` subtracts the second-order part.
template <int N>
void computeDualStep(int size, double centring, bool corrected, BlockState<N>& b) {
  b.stepZ = centring * b.inverse - b.z - symmetricProduct<N>(size, b.inverse, b.stepS, b.z);
  if (corrected) b.stepZ -= b.correction;
}

/// The state of a frame as the local numbers of a child: [n p] = [R p] G; in the hull form, with (T, v) the rotation
/// and position in G, h' = T' (h + v) and g + 2 h.v + |v|^2. `one`: 1 for numbers, 0 for steps.
template <class StateVector, class Local>
void passToChild(const Eigen::Matrix4d& g, const StateVector& state, double one, Local& numbers) {
  Eigen::Map<Placed>(numbers.data()).noalias() = placedOf(state) * g;
  if constexpr (StateVector::RowsAtCompileTime > 12) {
    const Eigen::Vector3d v = g.topRightCorner<3, 1>(), h = state.template segment<3>(kLocalH);
    numbers.template segment<3>(kLocalH).noalias() = g.topLeftCorner<3, 3>().transpose() * (h + one * v);
    numbers[kLocalG] = state[kLocalG] + 2.0 * h.dot(v) + one * v.squaredNorm();
    numbers.template segment<8>(kLocalNb) = state.template segment<8>(kLocalNb);
  }
}

/// out += the adjoint of its linear part, row by row.
template <class In, class Out>
void passToParent(const Eigen::Matrix4d& g, const In& in, Out& out) {
  for (int i = 0; i < 4; ++i) {
    auto rows = out.template middleRows<3>(3 * i);
    rows += g(i, 3) * in.template middleRows<3>(9);
    if (i == 3) continue;
    for (int k = 0; k < 3; ++k) rows += g(i, k) * in.template middleRows<3>(3 * k);
  }
  if constexpr (Out::RowsAtCompileTime > 12) {
    out.template middleRows<3>(kLocalH) +=
        g.topLeftCorner<3, 3>() * in.template middleRows<3>(kLocalH) + 2.0 * g.topRightCorner<3, 1>() * in.row(kLocalG);
    out.row(kLocalG) += in.row(kLocalG);
    out.template middleRows<8>(kLocalNb) += in.template middleRows<8>(kLocalNb);
  }
}

/// lower lower' x = b, in place.
template <class Factor, class Vector>
void solveFactored(const Factor& lower, Vector& b) {
  lower.template triangularView<Eigen::Lower>().solveInPlace(b);
  lower.template triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

template <class Sizes>
struct Method final : InteriorPointMethod {
  using Local = typename Sizes::Local;
  using LocalMatrix = typename Sizes::LocalMatrix;
  using StateVector = typename Sizes::StateVector;
  using StateMatrix = typename Sizes::StateMatrix;
  using Free = typename Sizes::Free;
  using Frame = FrameState<Sizes>;
  using Block = BlockState<Sizes::kRows>;
  static constexpr int kState = Sizes::kState, kRows = Sizes::kRows, kC = kState + kOwnC;
  static constexpr bool kIsLinear = kState > 12;  ///< f

  std::vector<Frame> frames;
  int blockRows = 0;  ///< total of all blocks
  int hinges = 0;

  explicit Method(const Relaxation& relaxation) {
    for (const RelaxationFrame& frame : relaxation.frames()) {
      Frame& s = frames.emplace_back();
      s.blocks.resize(frame.blocks.size());
      for (const RelaxationBlock& block : frame.blocks) blockRows += block.size;
      hinges += frame.kind == RelaxationFrame::Kind::Hinge;
    }
  }

  Frame& at(int i) { return frames[i]; }

  template <class Function>
  void forEachBlock(const Relaxation& relaxation, Function&& function) {
    for (std::size_t i = 0; i < frames.size(); ++i)
      for (std::size_t b = 0; b < frames[i].blocks.size(); ++b)
        function(relaxation.frames()[i].blocks[b], frames[i].blocks[b], frames[i]);
  }

  static StateVector gather(const RelaxationFrame& frame, const Local& local) {
    StateVector v;
    for (int i = 0; i < kState; ++i) v[i] = local[frame.places[i]];
    return v;
  }

  static void scatter(const RelaxationFrame& frame, const StateVector& v, Local& local) {
    for (int i = 0; i < kState; ++i) local[frame.places[i]] += v[i];
  }

  void start(const Relaxation& relaxation) {
    for (std::size_t i = 0; i < frames.size(); ++i) frames[i].free = relaxation.frames()[i].start;
    updateLocal(relaxation);
    forEachBlock(relaxation, [](const RelaxationBlock& block, Block& b, Frame& s) {
      assemble(block, s.local, true, b.s);
      factorizeSmall<kRows>(block.size, b.s, b.factorS);
      invertSmall<kRows>(block.size, b.factorS, b.inverse);
      b.z = kFirstMu * b.inverse;
    });
  }

  /// Computes all local numbers from the free unknowns.
  void updateLocal(const Relaxation& relaxation) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = frames[i];
      takeParent(relaxation, frame, 1.0, &Frame::local, s.local);
      s.local.segment(kState, frame.unknowns) = frame.offset;
      s.local.segment(kState, frame.unknowns).noalias() += frame.reduction * s.free;
    }
  }

  /// The state of the fixed base, for frames without a parent.
  void takeParent(const Relaxation& relaxation, const RelaxationFrame& frame, double one, Local Frame::*of,
                  Local& numbers) {
    StateVector above = StateVector::Zero();
    if (frame.parent >= 0) above = gather(relaxation.frames()[frame.parent], at(frame.parent).*of);
    else
      for (const int i : {0, 4, 8}) above[i] = one;
    passToChild(frame.parentFromJoint, above, one, numbers);
  }

  void setWeights(const Relaxation& relaxation, double tieBreak) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = frames[i];
      if (frame.kind == RelaxationFrame::Kind::Hinge)
        s.tieBreak = -tieBreak / hinges * Eigen::Vector2d(std::cos(frame.middle), std::sin(frame.middle));
      if constexpr (kIsLinear) {
        setLinear(relaxation, frame, s.gradient);
      } else {
        s.weight.setZero();
        for (const RelaxationFrame::Point& p : frame.points)
          s.weight += 2.0 * relaxation.weight(p.index) * p.place * p.place.transpose();
        if (isLoose(relaxation, frame)) s.weight(3, 3) += 2.0;
      }
    }
  }

  /// For a linear f: its gradient with respect to [R p h g].
  static void setLinear(const Relaxation& relaxation, const RelaxationFrame& frame, StateVector& gradient) {
    gradient.setZero();
    Eigen::Map<Placed> placed(gradient.data());
    for (const RelaxationFrame::Point& p : frame.points) {
      const double w = relaxation.weight(p.index);
      placed -= 2.0 * w * relaxation.target(p.index) * p.place.transpose();
      gradient.template segment<3>(kLocalH) += 2.0 * w * p.place.template head<3>();
      gradient[kLocalG] += w;
    }
    if (isLoose(relaxation, frame)) gradient[kLocalG] += 1.0;
  }

  /// A free root without observed points stays where it is.
  static bool isLoose(const Relaxation& relaxation, const RelaxationFrame& frame) {
    return frame.kind == RelaxationFrame::Kind::Free && !relaxation.isSeen(frame.tree);
  }

  /// f without the tie-break; if f is not linear, also its gradient with respect to each frame's [R p].
  double evaluate(const Relaxation& relaxation) {
    double value = relaxation.standing();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = frames[i];
      const StateVector state = gather(frame, s.local);
      if constexpr (kIsLinear) value += linearValue(relaxation, frame, state);
      else value += squares(relaxation, frame, state, s);
    }
    return value;
  }

  static double linearValue(const Relaxation& relaxation, const RelaxationFrame& frame, const StateVector& state) {
    double value = 0.0;
    for (const RelaxationFrame::Point& p : frame.points) {
      const Eigen::Vector3d& y = relaxation.target(p.index);
      const Eigen::Vector3d v = p.place.head<3>(), x = placedOf(state) * p.place;
      value += relaxation.weight(p.index) * (state[kLocalG] + 2.0 * state.template segment<3>(kLocalH).dot(v) +
                                             v.squaredNorm() - 2.0 * y.dot(x) + y.squaredNorm());
    }
    return value;
  }

  static double squares(const Relaxation& relaxation, const RelaxationFrame& frame, const StateVector& state,
                        Frame& s) {
    double value = 0.0;
    s.gradient.setZero();
    Eigen::Map<Placed> gradient(s.gradient.data());
    for (const RelaxationFrame::Point& p : frame.points) {
      const double w = relaxation.weight(p.index);
      const Eigen::Vector3d error = placedOf(state) * p.place - relaxation.target(p.index);
      value += w * error.squaredNorm();
      gradient += 2.0 * w * error * p.place.transpose();
    }
    if (isLoose(relaxation, frame)) gradient.col(3) += 2.0 * state.template segment<3>(9);
    return value;
  }

  double tieBreakValue() const {
    double value = 0.0;
    for (const Frame& s : frames) value += s.tieBreak.norm() + s.tieBreak.dot(s.local.template segment<2>(kC));
    return value;
  }

  bool factorizeBlocks(const Relaxation& relaxation) {
    bool isInside = true;
    forEachBlock(relaxation, [&](const RelaxationBlock& block, Block& b, Frame&) {
      isInside = isInside && factorize(block.size, b);
    });
    if (!isInside) return false;
    forEachBlock(relaxation, [](const RelaxationBlock& block, Block& b, Frame&) {
      widen(block, b.inverse, b.inverseWhole);
      widen(block, b.z, b.zWhole);
    });
    return true;
  }

  /// <S, Z> of all blocks after steps of the given lengths.
  double complementarity(const Relaxation& relaxation, StepLengths step) {
    double sum = 0.0;
    forEachBlock(relaxation, [&](const RelaxationBlock&, Block& b, Frame&) {
      sum += (b.s + step.primal * b.stepS).cwiseProduct(b.z + step.dual * b.stepZ).sum();
    });
    return sum;
  }

  double complementarity(const Relaxation& relaxation) {
    double sum = 0.0;
    forEachBlock(relaxation, [&](const RelaxationBlock&, Block& b, Frame&) { sum += b.s.cwiseProduct(b.z).sum(); });
    return sum;
  }

  /// r'x + sum |r_i| b_i: the amount by which a dual residual lowers the bound; for fixed unknowns by their slack.
  double residualPart(const Relaxation& relaxation) {
    double part = 0.0;
    for (Frame& s : frames) s.rhs = s.gradient;
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = at(i);
      Local numbers = Local::Zero();
      if (frame.kind == RelaxationFrame::Kind::Hinge) numbers.template segment<2>(kC) = s.tieBreak;
      for (std::size_t b = 0; b < s.blocks.size(); ++b) addAdjoint(frame.blocks[b], s.blocks[b].zWhole, -1.0, numbers);
      scatter(frame, s.rhs, numbers);
      const auto whole = numbers.segment(kState, frame.unknowns);
      const Free residual = frame.reduction.transpose() * whole;
      part += residual.dot(s.free) + whole.cwiseAbs().dot(frame.slack);
      part += (frame.reduction * residual).cwiseAbs().dot(frame.bound);
      if (frame.parent >= 0) passToParent(frame.parentFromJoint, numbers, at(frame.parent).rhs);
    }
    return part;
  }

  /// Eliminates M from the leaves to the roots. False if a pivot is not positive.
  bool factorizeSystem(const Relaxation& relaxation) {
    for (Frame& s : frames) {
      s.hessian.setZero();
      if constexpr (!kIsLinear)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            s.hessian.template block<3, 3>(3 * i, 3 * j).diagonal().setConstant(s.weight(i, j));
    }
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i)
      if (!eliminate(relaxation.frames()[i], at(i))) return false;
    return true;
  }

  bool eliminate(const RelaxationFrame& frame, Frame& s) {
    LocalMatrix local = LocalMatrix::Zero();
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      addHessian(frame.blocks[b], s.blocks[b].inverseWhole, s.blocks[b].zWhole, local);
    for (int j = 0; j < kState; ++j)
      for (int i = 0; i < kState; ++i) local(frame.places[i], frame.places[j]) += s.hessian(i, j);
    const int n = frame.unknowns;
    const auto pivot = local.block(kState, kState, n, n);
    const auto coupling = local.block(kState, 0, n, kState);
    if (frame.isWhole) return eliminate(frame, pivot, coupling, local, s);
    const Eigen::Index free = frame.reduction.cols();
    typename Sizes::FreeMatrix rows(free, n), reduced(free, free);
    typename Sizes::Gain half(free, kState);
    setTransposedProduct(frame.reduction, pivot, rows);
    setProduct(rows, frame.reduction, reduced);
    setTransposedProduct(frame.reduction, coupling, half);
    return eliminate(frame, reduced, half, local, s);
  }

  bool eliminate(const RelaxationFrame& frame, const typename Sizes::FreeMatrix& pivot, typename Sizes::Gain half,
                 const LocalMatrix& local, Frame& s) {
    const Eigen::LLT<typename Sizes::FreeMatrix> factor(pivot);
    if (factor.info() != Eigen::Success) return false;
    factor.matrixL().solveInPlace(half);
    if (frame.parent >= 0) {
      const StateMatrix above = local.template topLeftCorner<kState, kState>() - half.transpose() * half;
      StateMatrix rows = StateMatrix::Zero();
      passToParent(frame.parentFromJoint, above, rows);
      const StateMatrix columns = rows.transpose();
      passToParent(frame.parentFromJoint, columns, at(frame.parent).hessian);
    }
    factor.matrixU().solveInPlace(half);
    s.gain = half;
    s.factor = factor.matrixLLT();
    return true;
  }

  /// Computes the step for S Z = centring * I, with dS and dZ; `corrected` includes the second-order part.
  void solveForStep(const Relaxation& relaxation, double centring, bool corrected) {
    for (Frame& s : frames) s.rhs = -s.gradient;
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = at(i);
      Local numbers = Local::Zero();
      if (frame.kind == RelaxationFrame::Kind::Hinge) numbers.template segment<2>(kC) = -s.tieBreak;
      if (corrected) addCentring(frame, s, centring, numbers);
      scatter(frame, s.rhs, numbers);
      const Free free = frame.reduction.transpose() * numbers.segment(kState, frame.unknowns);
      s.known = free;
      solveFactored(s.factor, s.known);
      numbers.template head<kState>() -= s.gain.transpose() * free;
      if (frame.parent >= 0) passToParent(frame.parentFromJoint, numbers, at(frame.parent).rhs);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      Frame& s = frames[i];
      takeParent(relaxation, frame, 0.0, &Frame::step, s.step);
      s.freeStep = s.known - s.gain * s.step.template head<kState>();
      s.step.segment(kState, frame.unknowns) = frame.reduction * s.freeStep;
    }
    forEachBlock(relaxation, [&](const RelaxationBlock& block, Block& b, Frame& s) {
      assemble(block, s.step, false, b.stepS);
      computeDualStep(block.size, centring, corrected, b);
    });
  }

  static void addCentring(const RelaxationFrame& frame, const Frame& s, double centring, Local& numbers) {
    for (std::size_t b = 0; b < s.blocks.size(); ++b) {
      const RelaxationBlock& block = frame.blocks[b];
      addAdjoint(block, s.blocks[b].inverseWhole, centring, numbers);
      typename Sizes::Small correction;
      widen(block, s.blocks[b].correction, correction);
      addAdjoint(block, correction, -1.0, numbers);
    }
  }

  /// The longest steps with which S and Z stay positive semidefinite, at most `atMost`; a common length if f is not
  /// linear.
  StepLengths stepToBoundary(const Relaxation& relaxation, double atMost) {
    StepLengths step{atMost, atMost};
    forEachBlock(relaxation, [&](const RelaxationBlock& block, Block& b, Frame&) {
      step.primal = stepWithinSmall<kRows>(block.size, b.s, b.factorS, b.stepS, step.primal);
      if constexpr (!kIsLinear) step.dual = step.primal;
      step.dual = stepWithinSmall<kRows>(block.size, b.z, b.factorZ, b.stepZ, step.dual);
      if constexpr (!kIsLinear) step.primal = step.dual;
    });
    return step;
  }

  void move(const Relaxation& relaxation, StepLengths step) {
    for (Frame& s : frames) s.free += step.primal * s.freeStep;
    updateLocal(relaxation);
    forEachBlock(relaxation, [&](const RelaxationBlock& block, Block& b, Frame& s) {
      assemble(block, s.local, true, b.s);
      b.z += step.dual * b.stepZ;
    });
  }

  /// Mehrotra's predictor and corrector. Returns the step lengths; 0 if the system cannot be factorised.
  StepLengths computeStep(const Relaxation& relaxation, double sum) {
    if (!factorizeSystem(relaxation)) return {};
    solveForStep(relaxation, 0.0, false);
    const double ratio = complementarity(relaxation, stepToBoundary(relaxation, 1.0)) / sum;
    forEachBlock(relaxation, [](const RelaxationBlock& block, Block& b, Frame&) {
      b.correction = symmetricProduct<kRows>(block.size, b.inverse, b.stepS, b.stepZ);
    });
    solveForStep(relaxation, ratio * ratio * sum / blockRows, true);
    const StepLengths step = stepToBoundary(relaxation, 1.0 / kToBoundary);
    return {kToBoundary * step.primal, kToBoundary * step.dual};
  }

  InteriorPointSummary solve(const Relaxation& relaxation, const InteriorPointOptions& options,
                             const InteriorPointObserver& observer) override {
    InteriorPointSummary summary;
    const double unit = relaxation.length() * relaxation.length();
    setWeights(relaxation, options.tieBreak);
    start(relaxation);
    summary.status = InteriorPointStatus::IterationCap;
    summary.lowerBound = -std::numeric_limits<double>::infinity();
    while (true) {
      if (!factorizeBlocks(relaxation)) {
        summary.status = InteriorPointStatus::Stalled;
        break;
      }
      const double value = evaluate(relaxation), sum = complementarity(relaxation);
      const double gap = sum + residualPart(relaxation);
      const double bound = value + tieBreakValue() - gap - mostTieBreak(relaxation) - mostRounding(relaxation);
      summary.value = unit * value;
      summary.lowerBound = std::max(summary.lowerBound, unit * bound);
      if (gap <= options.tolerance * (1.0 + value)) {
        summary.status = InteriorPointStatus::Converged;
        break;
      }
      if (summary.iterations > 0 && observer && !observer(summary)) {
        summary.status = InteriorPointStatus::Cancelled;
        break;
      }
      if (summary.iterations == options.maxIterations) break;
      const StepLengths step = computeStep(relaxation, sum);
      if (!(std::min(step.primal, step.dual) > kLeastStep)) {
        summary.status = InteriorPointStatus::Stalled;
        break;
      }
      move(relaxation, step);
      ++summary.iterations;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) frames[i].found = gather(relaxation.frames()[i], frames[i].local);
    return summary;
  }

  /// The largest cost of the tie-break within the limits.
  double mostTieBreak(const Relaxation& relaxation) const {
    double most = 0.0;
    for (std::size_t i = 0; i < frames.size(); ++i)
      most += frames[i].tieBreak.norm() * (1.0 - std::cos(relaxation.frames()[i].half));
    return most;
  }

  /// An upper bound, with a large margin, of the rounding error of the bound: sums of at most a few hundred terms per
  /// frame, over chains at most as long as the figure, of numbers that no target and no pose exceeds.
  double mostRounding(const Relaxation& relaxation) const {
    const double far = 2.0 * relaxation.reach();
    double size = relaxation.standing();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      for (const RelaxationFrame::Point& p : relaxation.frames()[i].points)
        size += relaxation.weight(p.index) * std::pow(relaxation.target(p.index).norm() + far, 2);
      for (std::size_t b = 0; b < frames[i].blocks.size(); ++b)
        size += (1.0 + far * far) * relaxation.frames()[i].blocks[b].size * frames[i].blocks[b].z.trace();
    }
    const double operations = 100.0 + 10.0 * static_cast<double>(frames.size());
    return operations * std::numeric_limits<double>::epsilon() * size;
  }

  Eigen::Matrix3d rotation(int frame) const override { return placedOf(frames[frame].found).template leftCols<3>(); }
  Eigen::Vector2d cosineAndSine(int frame) const override { return frames[frame].local.template segment<2>(kC); }
};

}  // namespace interior_point

}  // namespace limber
