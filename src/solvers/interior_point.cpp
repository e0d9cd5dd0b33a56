// SPDX-License-Identifier: MIT
#include "solvers/interior_point.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "solvers/small_symmetric.h"

namespace limber {

namespace {

constexpr double kFirstMu = 0.1;       // Z = kFirstMu S^-1 at the start
constexpr double kToBoundary = 0.95;   // of the way
constexpr double kLeastStep = 1e-6;
constexpr int kState = 12;             // [R p]
constexpr int kLocal = 24;             // state of the parent and unknowns
constexpr int kC = 18, kS = 19;        // a hinge's cosine and sine among the local numbers

using Local = Eigen::Matrix<double, kLocal, 1>;
using LocalMatrix = Eigen::Matrix<double, kLocal, kLocal>;
using StateVector = Eigen::Matrix<double, kState, 1>;
using StateMatrix = Eigen::Matrix<double, kState, kState>;
using Free = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 12, 1>;
using FreeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 12, 12>;
using Placed = Eigen::Matrix<double, 3, 4>;  // [R p]

}  // namespace

/// One block: all matrices have its size in their first rows and columns, zeros elsewhere.
struct BlockState {
  Matrix8 s, z, inverse, factorS, factorZ;        // S, Z, S^-1, Cholesky factors
  Matrix8 stepS, stepZ, correction;               // correction: sym(S^-1 dS' dZ')
  Matrix8 inverseWhole, zWhole;                   // basis S^-1 basis', basis Z basis'
};

struct FrameState {
  Local local, step;                // numbers and their step
  Free free, freeStep;
  StateVector found;                // [R p] of this frame at the end
  Placed gradient;                  // of f by [R p] of this frame
  Eigen::Matrix4d weight;           // 2 sum w v v', v with 1 at its end: P is that for each of three rows
  StateMatrix hessian;              // of all at and below, by [R p]
  StateVector rhs;                  // likewise
  Local blockRhs;
  Eigen::LLT<FreeMatrix> factor;
  Eigen::Matrix<double, Eigen::Dynamic, kState, Eigen::ColMajor, 12, kState> gain;  // free step = known - gain * state
  Free known;
  Eigen::Vector2d tieBreak = Eigen::Vector2d::Zero();  // linear cost of c and s
  std::vector<BlockState> blocks;
};

namespace {

Eigen::Map<const Placed> placedOf(const StateVector& v) { return Eigen::Map<const Placed>(v.data()); }

template <class Vector>
StateVector gather(const RelaxationFrame& frame, const Vector& local) {
  StateVector v;
  for (int i = 0; i < kState; ++i) v[i] = local[frame.place[static_cast<std::size_t>(i)]];
  return v;
}

void scatter(const RelaxationFrame& frame, const StateVector& v, Local& local) {
  for (int i = 0; i < kState; ++i) local[frame.place[static_cast<std::size_t>(i)]] += v[i];
}

/// out = terms (and the constant) of the numbers, within the basis.
void assemble(const RelaxationBlock& block, const Local& local, bool withConstant, Matrix8& out) {
  Matrix8 whole = Matrix8::Zero();
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
  out.setZero();
  out.topLeftCorner(block.size, block.size).noalias() = block.basis.transpose() * (whole * block.basis).eval();
}

void widen(const RelaxationBlock& block, const Matrix8& in, Matrix8& out) {
  if (block.isWhole) out = in;
  else out.noalias() = block.basis * (in.topLeftCorner(block.size, block.size) * block.basis.transpose()).eval();
}

/// numbers += sign * A' matrix, matrix symmetric and whole.
void addAdjoint(const RelaxationBlock& block, const Matrix8& matrix, double sign, Local& numbers) {
  for (const RelaxationBlock::Term& t : block.terms)
    numbers[t.variable] += sign * t.coefficient * (t.row == t.column ? 1.0 : 2.0) * matrix(t.row, t.column);
}

/// hessian += A' (S^-1 (A .) Z): for two terms at (i, j) and (k, l) the trace of E_ij S^-1 E_kl Z, with all mirror
/// images.
void addHessian(const RelaxationBlock& block, const Matrix8& w, const Matrix8& z, LocalMatrix& hessian) {
  const std::size_t count = block.terms.size();
  for (std::size_t a = 0; a < count; ++a) {
    const RelaxationBlock::Term& p = block.terms[a];
    const int i = p.row, j = p.column;
    const double scale = i == j ? 0.5 * p.coefficient : p.coefficient;
    for (std::size_t b = a; b < count; ++b) {
      const RelaxationBlock::Term& q = block.terms[b];
      const int k = q.row, l = q.column;
      const double h = scale * (k == l ? 0.5 * q.coefficient : q.coefficient) *
                       (w(j, k) * z(l, i) + w(j, l) * z(k, i) + w(i, k) * z(l, j) + w(i, l) * z(k, j));
      hessian(p.variable, q.variable) += h;
      if (a != b) hessian(q.variable, p.variable) += h;
    }
  }
}

bool factorize(int size, BlockState& b) {
  if (!factorizeSmall(size, b.s, b.factorS) || !factorizeSmall(size, b.z, b.factorZ)) return false;
  invertSmall(size, b.factorS, b.inverse);
  return true;
}

/// a b c + (a b c)', halved; most blocks have no more than 4 rows.
Matrix8 symmetricProduct(int size, const Matrix8& a, const Matrix8& b, const Matrix8& c) {
  if (size > 4) {
    const Matrix8 product = (a * b).eval() * c;
    return 0.5 * (product + product.transpose());
  }
  const Eigen::Matrix4d product =
      (a.topLeftCorner<4, 4>() * b.topLeftCorner<4, 4>()).eval() * c.topLeftCorner<4, 4>();
  Matrix8 result = Matrix8::Zero();
  result.topLeftCorner<4, 4>() = 0.5 * (product + product.transpose());
  return result;
}

/// dZ from dS, with sigma mu; `corrected` takes off the second-order part.
void computeDualStep(int size, double centring, bool corrected, BlockState& b) {
  b.stepZ = centring * b.inverse - b.z - symmetricProduct(size, b.inverse, b.stepS, b.z);
  if (corrected) b.stepZ -= b.correction;
}

/// out += (G x I) in (G x I)', the Hessian by the parent's [R p] from that by [R p] G.
void addToParent(const Eigen::Matrix4d& g, const StateMatrix& in, StateMatrix& out) {
  StateMatrix half;
  for (int i = 0; i < 4; ++i) {
    half.middleRows<3>(3 * i) = g(i, 3) * in.bottomRows<3>();
    if (i == 3) continue;
    for (int k = 0; k < 3; ++k) half.middleRows<3>(3 * i) += g(i, k) * in.middleRows<3>(3 * k);
  }
  for (int i = 0; i < 4; ++i) {
    out.middleCols<3>(3 * i) += g(i, 3) * half.rightCols<3>();
    if (i == 3) continue;
    for (int k = 0; k < 3; ++k) out.middleCols<3>(3 * i) += g(i, k) * half.middleCols<3>(3 * k);
  }
}

}  // namespace

struct InteriorPoint::State {
  std::vector<FrameState> frames;
  int blockRows = 0;  ///< of all blocks
  int hinges = 0;

  explicit State(const Relaxation& relaxation) {
    for (const RelaxationFrame& frame : relaxation.frames()) {
      FrameState& s = frames.emplace_back();
      s.blocks.resize(frame.blocks.size());
      for (const RelaxationBlock& block : frame.blocks) blockRows += block.size;
      hinges += frame.kind == RelaxationFrame::Kind::Hinge;
    }
  }

  FrameState& at(int i) { return frames[static_cast<std::size_t>(i)]; }

  template <class Function>
  void forEachBlock(const Relaxation& relaxation, Function&& function) {
    for (std::size_t i = 0; i < frames.size(); ++i)
      for (std::size_t b = 0; b < frames[i].blocks.size(); ++b)
        function(relaxation.frames()[i].blocks[b], frames[i].blocks[b], frames[i]);
  }

  /// Strictly inside: hinges at the middle of their limits, each turn a mean of many, u and w as if they were exact.
  void start(const Relaxation& relaxation) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      FrameState& s = frames[i];
      s.local.setZero();
      s.free.setZero(frame.reduction.cols());
      takeParent(relaxation, static_cast<int>(i), s.local, &FrameState::local);
      if (frame.kind == RelaxationFrame::Kind::Hinge) startHinge(frame, s);
    }
    forEachBlock(relaxation, [](const RelaxationBlock& block, BlockState& b, FrameState& s) {
      assemble(block, s.local, true, b.s);
      factorizeSmall(block.size, b.s, b.factorS);
      invertSmall(block.size, b.factorS, b.inverse);
      b.z = kFirstMu * b.inverse;
    });
  }

  static void startHinge(const RelaxationFrame& frame, FrameState& s) {
    const double r = 0.5 * (1.0 + std::cos(frame.half));
    const double c = r * std::cos(frame.middle), sine = r * std::sin(frame.middle);
    Eigen::Matrix<double, 8, 1> unknowns;
    const Eigen::Vector3d b = s.local.segment<3>(3), n = s.local.segment<3>(6);
    unknowns << c * b + sine * n, c * n - sine * b, c, sine;
    s.free = frame.reduction.colPivHouseholderQr().solve(unknowns);
    s.local.segment<8>(kState) = frame.reduction * s.free;
  }

  /// The first 12 local numbers, [n p] = [R_p p_p] G; of what stands when there is no parent (a step is then zero).
  void takeParent(const Relaxation& relaxation, int index, Local& numbers, Local FrameState::*of) {
    const RelaxationFrame& frame = relaxation.frames()[static_cast<std::size_t>(index)];
    Eigen::Map<Placed> placed(numbers.data());
    if (frame.parent >= 0) {
      const StateVector above =
          gather(relaxation.frames()[static_cast<std::size_t>(frame.parent)], at(frame.parent).*of);
      placed.noalias() = placedOf(above) * frame.parentFromJoint;
    } else if (of == &FrameState::local) {
      placed = frame.parentFromJoint.topRows<3>();
    } else {
      placed.setZero();
    }
  }

  void setWeights(const Relaxation& relaxation, double tieBreak) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      FrameState& s = frames[i];
      s.weight.setZero();
      for (const RelaxationFrame::Point& p : frame.points)
        s.weight += 2.0 * relaxation.weight(p.index) * p.place * p.place.transpose();
      if (isLoose(relaxation, frame)) s.weight(3, 3) += 2.0;
      if (frame.kind == RelaxationFrame::Kind::Hinge)
        s.tieBreak = -tieBreak / hinges * Eigen::Vector2d(std::cos(frame.middle), std::sin(frame.middle));
    }
  }

  /// A free root of which nothing was seen stays where it is.
  static bool isLoose(const Relaxation& relaxation, const RelaxationFrame& frame) {
    return frame.kind == RelaxationFrame::Kind::Free && !relaxation.isSeen(frame.tree);
  }

  /// f without what breaks ties, and its gradient by each frame's [R p].
  double evaluate(const Relaxation& relaxation) {
    double value = relaxation.standing();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      FrameState& s = frames[i];
      const StateVector state = gather(frame, s.local);
      s.gradient.setZero();
      for (const RelaxationFrame::Point& p : frame.points) {
        const double w = relaxation.weight(p.index);
        const Eigen::Vector3d error = placedOf(state) * p.place - relaxation.target(p.index);
        value += w * error.squaredNorm();
        s.gradient += 2.0 * w * error * p.place.transpose();
      }
      if (isLoose(relaxation, frame)) s.gradient.col(3) += 2.0 * state.tail<3>();
    }
    return value;
  }

  double tieBreakValue() const {
    double value = 0.0;
    for (const FrameState& s : frames) value += s.tieBreak.norm() + s.tieBreak.dot(s.local.segment<2>(kC));
    return value;
  }

  bool factorizeBlocks(const Relaxation& relaxation) {
    bool isInside = true;
    forEachBlock(relaxation, [&](const RelaxationBlock& block, BlockState& b, FrameState&) {
      isInside = isInside && factorize(block.size, b);
    });
    if (!isInside) return false;
    forEachBlock(relaxation, [](const RelaxationBlock& block, BlockState& b, FrameState&) {
      widen(block, b.inverse, b.inverseWhole);
      widen(block, b.z, b.zWhole);
    });
    return true;
  }

  /// <S, Z> of all blocks, some steps on.
  double complementarity(const Relaxation& relaxation, double step) {
    double sum = 0.0;
    forEachBlock(relaxation, [&](const RelaxationBlock&, BlockState& b, FrameState&) {
      sum += step > 0.0 ? (b.s + step * b.stepS).cwiseProduct(b.z + step * b.stepZ).sum() : b.s.cwiseProduct(b.z).sum();
    });
    return sum;
  }

  /// r'x + sum |r_i| b_i: what a dual residual takes from the bound.
  double residualPart(const Relaxation& relaxation) {
    double part = 0.0;
    for (FrameState& s : frames) s.rhs = Eigen::Map<const StateVector>(s.gradient.data());
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i) {
      const RelaxationFrame& frame = relaxation.frames()[static_cast<std::size_t>(i)];
      FrameState& s = at(i);
      Local numbers = Local::Zero();
      if (frame.kind == RelaxationFrame::Kind::Hinge) numbers.segment<2>(kC) = s.tieBreak;
      for (std::size_t b = 0; b < s.blocks.size(); ++b) addAdjoint(frame.blocks[b], s.blocks[b].zWhole, -1.0, numbers);
      scatter(frame, s.rhs, numbers);
      const Free residual = frame.reduction.transpose() * numbers.segment(kState, frame.unknowns);
      part += residual.dot(s.free);
      const bool shifts = frame.kind == RelaxationFrame::Kind::Free;
      part += residual.head(shifts ? 9 : residual.size()).cwiseAbs().sum();
      if (shifts) part += residual.tail<3>().norm() * relaxation.reach();
      passUp(frame, numbers);
    }
    return part;
  }

  void passUp(const RelaxationFrame& frame, const Local& numbers) {
    if (frame.parent < 0) return;
    const Placed up = Eigen::Map<const Placed>(numbers.data()) * frame.parentFromJoint.transpose();
    at(frame.parent).rhs += Eigen::Map<const StateVector>(up.data());
  }

  /// M, eliminated from the leaves to the roots. False when a pivot is not positive.
  bool factorizeSystem(const Relaxation& relaxation) {
    for (FrameState& s : frames) {
      s.hessian.setZero();
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) s.hessian.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(s.weight(i, j));
    }
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i)
      if (!eliminate(relaxation.frames()[static_cast<std::size_t>(i)], at(i))) return false;
    return true;
  }

  bool eliminate(const RelaxationFrame& frame, FrameState& s) {
    LocalMatrix local = LocalMatrix::Zero();
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      addHessian(frame.blocks[b], s.blocks[b].inverseWhole, s.blocks[b].zWhole, local);
    for (int j = 0; j < kState; ++j)
      for (int i = 0; i < kState; ++i)
        local(frame.place[static_cast<std::size_t>(i)], frame.place[static_cast<std::size_t>(j)]) += s.hessian(i, j);
    if (frame.reduction.cols() == 8) return eliminateHinge(frame, local, s);
    const int n = frame.unknowns;
    const FreeMatrix pivot = frame.reduction.transpose() * local.block(kState, kState, n, n) * frame.reduction;
    const Eigen::Matrix<double, Eigen::Dynamic, kState, Eigen::ColMajor, 12, kState> coupling =
        frame.reduction.transpose() * local.block(kState, 0, n, kState);
    s.factor.compute(pivot);
    if (s.factor.info() != Eigen::Success) return false;
    s.gain = s.factor.solve(coupling);
    if (frame.parent < 0) return true;
    StateMatrix above = local.topLeftCorner<kState, kState>();
    above.noalias() -= coupling.transpose() * s.gain;
    addToParent(frame.parentFromJoint, above, at(frame.parent).hessian);
    return true;
  }

  /// The same for a hinge whose unknowns are all free, as most are.
  bool eliminateHinge(const RelaxationFrame& frame, const LocalMatrix& local, FrameState& s) {
    const Eigen::LLT<Matrix8> factor(local.block<8, 8>(kState, kState));
    if (factor.info() != Eigen::Success) return false;
    s.factor = Eigen::LLT<FreeMatrix>(local.block<8, 8>(kState, kState));
    Eigen::Matrix<double, 8, kState> half = local.block<8, kState>(kState, 0);
    factor.matrixL().solveInPlace(half);
    const StateMatrix above = local.topLeftCorner<kState, kState>() - half.transpose() * half;
    factor.matrixU().solveInPlace(half);
    s.gain = half;
    addToParent(frame.parentFromJoint, above, at(frame.parent).hessian);
    return true;
  }

  /// The step for sigma mu = centring; `corrected` takes the second-order part with it.
  void solveForStep(const Relaxation& relaxation, double centring, bool corrected) {
    for (FrameState& s : frames) s.rhs = -Eigen::Map<const StateVector>(s.gradient.data());
    for (int i = static_cast<int>(frames.size()) - 1; i >= 0; --i) {
      const RelaxationFrame& frame = relaxation.frames()[static_cast<std::size_t>(i)];
      FrameState& s = at(i);
      Local numbers = Local::Zero();
      if (frame.kind == RelaxationFrame::Kind::Hinge) numbers.segment<2>(kC) = -s.tieBreak;
      if (corrected) addCentring(frame, s, centring, numbers);
      scatter(frame, s.rhs, numbers);
      const Free free = frame.reduction.transpose() * numbers.segment(kState, frame.unknowns);
      s.known = s.factor.solve(free);
      numbers.head<kState>() -= s.gain.transpose() * free;
      passUp(frame, numbers);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      FrameState& s = frames[i];
      takeParent(relaxation, static_cast<int>(i), s.step, &FrameState::step);
      s.freeStep = s.known - s.gain * s.step.head<kState>();
      s.step.segment(kState, frame.unknowns) = frame.reduction * s.freeStep;
    }
    forEachBlock(relaxation, [&](const RelaxationBlock& block, BlockState& b, FrameState& s) {
      assemble(block, s.step, false, b.stepS);
      computeDualStep(block.size, centring, corrected, b);
    });
  }

  static void addCentring(const RelaxationFrame& frame, const FrameState& s, double centring, Local& numbers) {
    for (std::size_t b = 0; b < s.blocks.size(); ++b) {
      const RelaxationBlock& block = frame.blocks[b];
      addAdjoint(block, s.blocks[b].inverseWhole, centring, numbers);
      Matrix8 correction;
      widen(block, s.blocks[b].correction, correction);
      addAdjoint(block, correction, -1.0, numbers);
    }
  }

  /// As far as S and Z stay positive semidefinite, at most to `atMost`.
  double stepToBoundary(const Relaxation& relaxation, double atMost) {
    forEachBlock(relaxation, [&](const RelaxationBlock& block, BlockState& b, FrameState&) {
      atMost = stepWithinSmall(block.size, b.s, b.factorS, b.stepS, atMost);
      atMost = stepWithinSmall(block.size, b.z, b.factorZ, b.stepZ, atMost);
    });
    return atMost;
  }

  void move(const Relaxation& relaxation, double step) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      FrameState& s = frames[i];
      s.free += step * s.freeStep;
      takeParent(relaxation, static_cast<int>(i), s.local, &FrameState::local);
      s.local.segment(kState, frame.unknowns) = frame.reduction * s.free;
    }
    forEachBlock(relaxation, [&](const RelaxationBlock& block, BlockState& b, FrameState& s) {
      assemble(block, s.local, true, b.s);
      b.z += step * b.stepZ;
    });
  }

  /// Mehrotra's predictor and corrector. The step's length; 0 when the system has no factors.
  double computeStep(const Relaxation& relaxation, double sum) {
    if (!factorizeSystem(relaxation)) return 0.0;
    solveForStep(relaxation, 0.0, false);
    const double affine = stepToBoundary(relaxation, 1.0);
    const double ratio = complementarity(relaxation, affine) / sum;
    forEachBlock(relaxation, [](const RelaxationBlock& block, BlockState& b, FrameState&) {
      b.correction = symmetricProduct(block.size, b.inverse, b.stepS, b.stepZ);
    });
    solveForStep(relaxation, ratio * ratio * sum / blockRows, true);
    return kToBoundary * stepToBoundary(relaxation, 1.0 / kToBoundary);
  }

  InteriorPointSummary solve(const Relaxation& relaxation, const InteriorPointOptions& options,
                             const InteriorPointObserver& observer) {
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
      const double value = evaluate(relaxation), sum = complementarity(relaxation, 0.0);
      const double gap = sum + residualPart(relaxation);
      const double bound = value + tieBreakValue() - gap - mostTieBreak(relaxation);
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
      const double step = computeStep(relaxation, sum);
      if (!(step > kLeastStep)) {
        summary.status = InteriorPointStatus::Stalled;
        break;
      }
      move(relaxation, step);
      ++summary.iterations;
    }
    for (std::size_t i = 0; i < frames.size(); ++i)
      frames[i].found = gather(relaxation.frames()[i], frames[i].local);
    return summary;
  }

  /// The most that breaking ties can cost within the limits.
  double mostTieBreak(const Relaxation& relaxation) const {
    double most = 0.0;
    for (std::size_t i = 0; i < frames.size(); ++i)
      most += frames[i].tieBreak.norm() * (1.0 - std::cos(relaxation.frames()[i].half));
    return most;
  }
};

InteriorPoint::InteriorPoint(const Relaxation& relaxation) : state_(std::make_unique<State>(relaxation)) {}
InteriorPoint::~InteriorPoint() = default;
InteriorPoint::InteriorPoint(InteriorPoint&&) noexcept = default;
InteriorPoint& InteriorPoint::operator=(InteriorPoint&&) noexcept = default;

InteriorPointSummary InteriorPoint::solve(const Relaxation& relaxation, const InteriorPointOptions& options,
                                          const InteriorPointObserver& observer) {
  if (!relaxation.fault().empty()) return {};
  return state_->solve(relaxation, options, observer);
}

Eigen::Matrix3d InteriorPoint::rotation(int frame) const {
  return placedOf(state_->at(frame).found).leftCols<3>();
}

Eigen::Vector2d InteriorPoint::cosineAndSine(int frame) const { return state_->at(frame).local.segment<2>(kC); }

}  // namespace limber
