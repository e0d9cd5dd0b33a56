// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/facial_reduction.h"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "limber/solvers/convex/products.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr int kSamples = 128;          // several times the unknowns of a frame
constexpr double kFlatSquare = 1e-10;  // square of an amplitude that counts as zero; unknowns are of size 1
constexpr double kSlackSafety = 10.0;  // factor on the deviation of the samples, to cover all poses

struct TrueState {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  Eigen::Matrix3d n = Eigen::Matrix3d::Zero();  ///< of a hinge, with c and s
  double cosine = 0.0, sine = 0.0;
};

/// A uniform random rotation (Shoemake 1992).
Eigen::Matrix3d randomRotation(RandomStream& random) {
  const double split = random.uniform(), turn = 2.0 * std::numbers::pi;
  const double a = random.uniform(0.0, turn), b = random.uniform(0.0, turn);
  const double p = std::sqrt(1.0 - split), q = std::sqrt(split);
  return Eigen::Quaterniond(p * std::sin(a), p * std::cos(a), q * std::sin(b), q * std::cos(b)).toRotationMatrix();
}

/// Returns the frame's local numbers. state: in, of the parent; out, of the frame.
Eigen::VectorXd drawFrame(const RelaxationFrame& frame, int stateNumbers, RandomStream& random, TrueState& state) {
  const Eigen::Matrix3d n = state.rotation * frame.parentFromJoint.topLeftCorner<3, 3>();
  Eigen::Vector3d p = state.place + state.rotation * frame.parentFromJoint.topRightCorner<3, 1>();
  Eigen::VectorXd all = Eigen::VectorXd::Zero(stateNumbers + frame.unknowns);
  all.head<12>() << n.reshaped(), p;
  if (stateNumbers > 12) {
    all.segment<4>(kLocalH) << n.transpose() * p, p.squaredNorm();
    all.segment<8>(kLocalNb) << state.n.col(1), state.n.col(2), state.cosine, state.sine;
  }
  Eigen::Matrix3d r;
  Eigen::VectorXd own(26);
  double c = 0.0, s = 0.0;
  if (frame.kind == RelaxationFrame::Kind::Hinge) {
    const double angle = random.uniform(frame.middle - frame.half, frame.middle + frame.half);
    c = std::cos(angle);
    s = std::sin(angle);
    r << n.col(0), c * n.col(1) + s * n.col(2), c * n.col(2) - s * n.col(1);
    own << r.col(1), r.col(2), c, s, p.dot(r.col(1)), p.dot(r.col(2)), c * n.col(0), s * n.col(0), c * n.col(1),
        s * n.col(1), state.cosine * c, state.cosine * s, state.sine * c, state.sine * s;
  } else {
    r = randomRotation(random);
    const bool isFree = frame.kind == RelaxationFrame::Kind::Free;
    if (isFree)
      for (double& number : p) number = random.uniform(-1.0, 1.0);
    if (isFree) own.head<16>() << r.reshaped(), p, r.transpose() * p, p.squaredNorm();
    else own.head<12>() << r.reshaped(), r.transpose() * p;
  }
  all.tail(frame.unknowns) = own.head(frame.unknowns);
  state = {r, p, n, c, s};
  return all;
}

/// samples: one per column.
void reduceUnknowns(const Eigen::MatrixXd& samples, const Eigen::VectorXd& mean, RelaxationFrame& frame) {
  const Eigen::MatrixXd centred = samples.colwise() - mean;
  Eigen::MatrixXd covariance(frame.unknowns, frame.unknowns);
  setProductWithTransposed(centred, centred, covariance);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance / kSamples);
  const auto flat = (solver.eigenvalues().array() < kFlatSquare).count();
  frame.isWhole = flat == 0;
  if (frame.isWhole) {
    frame.reduction.setIdentity(frame.unknowns, frame.unknowns);
    frame.offset.setZero(frame.unknowns);
    frame.slack.setZero(frame.unknowns);
    frame.start = mean;
    return;
  }
  const Eigen::MatrixXd kept = solver.eigenvectors().rightCols(frame.unknowns - flat);
  const Eigen::MatrixXd held = solver.eigenvectors().leftCols(flat);
  frame.reduction = kept;
  frame.offset = held * (held.transpose() * mean);
  Eigen::MatrixXd heldParts(flat, kSamples), strayed(frame.unknowns, kSamples);
  setTransposedProduct(held, centred, heldParts);
  setProduct(held, heldParts, strayed);
  frame.slack = kSlackSafety * strayed.cwiseAbs().rowwise().maxCoeff();
  frame.bound += frame.offset.cwiseAbs();
  frame.start = kept.transpose() * mean;
}

void reduceBlock(const Eigen::VectorXd& mean, RelaxationBlock& block) {
  Eigen::MatrixXd s = block.constant;
  for (const RelaxationBlock::Term& t : block.terms) {
    s(t.row, t.column) += t.coefficient * mean[t.variable];
    if (t.row != t.column) s(t.column, t.row) += t.coefficient * mean[t.variable];
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(s);
  const auto flat = (solver.eigenvalues().array() < kFlatSquare * s.trace()).count();
  if (flat == 0) return;
  block.isWhole = false;
  block.size -= static_cast<int>(flat);
  block.basis = solver.eigenvectors().rightCols(block.size);
}

}  // namespace

void reduceFrames(std::vector<RelaxationFrame>& frames, RelaxationForm form) {
  const int state = stateSize(form);
  RandomStream random(1);
  std::vector<std::vector<TrueState>> states(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    RelaxationFrame& frame = frames[i];
    if (frame.parent < 0) states[i].resize(kSamples);
    else states[i] = states[frame.parent];
    Eigen::MatrixXd numbers(state + frame.unknowns, kSamples);
    for (int k = 0; k < kSamples; ++k) numbers.col(k) = drawFrame(frame, state, random, states[i][k]);
    const Eigen::VectorXd mean = numbers.rowwise().mean();
    reduceUnknowns(numbers.bottomRows(frame.unknowns), mean.tail(frame.unknowns), frame);
    for (RelaxationBlock& block : frame.blocks) reduceBlock(mean, block);
  }
}

}  // namespace limber
