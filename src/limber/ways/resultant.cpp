// SPDX-License-Identifier: MIT
#include "limber/ways/resultant.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/pose.h"
#include "limber/ways/subproblems.h"

namespace limber::ways {

namespace {

using Vector14 = Eigen::Matrix<double, 14, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix24 = Eigen::Matrix<double, 24, 24>;

constexpr double kSlideUnit = 1.0;  ///< a slide with the homogeneous coordinate u : v is at kSlideUnit u / v
constexpr double kLeastQuality = 1e-12;
constexpr double kGoodQuality = 1e-5;    ///< at which no other turn of the coordinates is tried
constexpr double kReal = 1e-9;           ///< imaginary part of a real half angle
constexpr double kNearlyReal = 3e-2;     ///< imaginary part of a joint's half angle that Newton's method may remove
constexpr double kSameValue = 2e-3;      ///< of eigenvalues whose vectors mix
constexpr double kFarthestSlide = 50.0;  ///< in sizes of the arm

/// A line with a point on it: a point and a unit direction.
struct PointedLine {
  Eigen::Vector3d point, direction;
};

PointedLine movedLine(const Screw& screw, double coordinate, const PointedLine& line) {
  return {movedPoint(screw, coordinate, line.point),
          screw.isSlide ? line.direction : Eigen::Vector3d(turnAbout(screw.axis, coordinate) * line.direction)};
}

/// The functions of a pointed line that are linear in the cosine and sine of each joint.
Vector14 featuresOf(const PointedLine& line) {
  const Eigen::Vector3d &p = line.point, &l = line.direction;
  Vector14 result;
  result << l, p, p.cross(l), p.dot(l), p.squaredNorm(), p.squaredNorm() * l - 2.0 * p.dot(l) * p;
  return result;
}

/// The three coordinates at which a function of one joint is sampled.
double sampleAt(const Screw& screw, int k) {
  return screw.isSlide ? kSlideUnit * (k - 1) : 2.0 * 3.14159265358979323846 * k / 3.0;
}

/// Rows: coefficients of v^2, u v and u^2 from the samples, where the joint is at 2 atan(u / v) or kSlideUnit u / v.
Eigen::Matrix3d homogeneousFrom(const Screw& screw) {
  Eigen::Matrix3d m;
  if (screw.isSlide) {
    m << 0, 1, 0, -0.5, 0, 0.5, 0.5, -1, 0.5;
  } else {
    const double h = std::sqrt(3.0) / 2.0;
    m << 1, 0, 0, 0, 4.0 / 3.0 * h, -4.0 / 3.0 * h, -1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0;
  }
  return m;
}

/// Rows: the constant and the coefficients of cosine and sine, or of the coordinate and its square.
Eigen::Matrix3d wavesFrom(const Screw& screw) {
  Eigen::Matrix3d m;
  if (screw.isSlide) {
    m << 0, 1, 0, -0.5, 0, 0.5, 0.5, -1, 0.5;
  } else {
    const double h = std::sqrt(3.0) / 3.0;
    m << 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0, 0, h, -h;
  }
  return m;
}

double coordinateAt(const Screw& screw, double u, double v) {
  return screw.isSlide ? kSlideUnit * u / v : 2.0 * std::atan2(u, v);
}

/// Six equations between the homogeneous coordinates of the third, fourth and fifth joint: column 9 i + 3 j + k is that
/// of u3^i v3^(2-i) u4^j v4^(2-j) u5^k v5^(2-k).
using Equations = Eigen::Matrix<double, 6, 27>;

Equations eliminateFirstTwo(const Loop& loop) {
  const auto& s = loop.screws;
  const PointedLine last{s[5].point, s[5].axis};
  Eigen::Matrix<double, 14, 27> left;
  for (int k = 0; k < 3; ++k) {
    const PointedLine fifth = movedLine(s[4], sampleAt(s[4], k), last);
    for (int j = 0; j < 3; ++j) {
      const PointedLine fourth = movedLine(s[3], sampleAt(s[3], j), fifth);
      for (int i = 0; i < 3; ++i) left.col(9 * i + 3 * j + k) = featuresOf(movedLine(s[2], sampleAt(s[2], i), fourth));
    }
  }
  const Eigen::Matrix3d m3 = homogeneousFrom(s[2]), m4 = homogeneousFrom(s[3]), m5 = homogeneousFrom(s[4]);
  for (int row = 0; row < 14; ++row) {  // one joint after the other
    double cube[3][3][3], other[3][3][3];
    for (int i = 0; i < 27; ++i) cube[i / 9][i / 3 % 3][i % 3] = left(row, i);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
          other[i][j][k] = m3(i, 0) * cube[0][j][k] + m3(i, 1) * cube[1][j][k] + m3(i, 2) * cube[2][j][k];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
          cube[i][j][k] = m4(j, 0) * other[i][0][k] + m4(j, 1) * other[i][1][k] + m4(j, 2) * other[i][2][k];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          left(row, 9 * i + 3 * j + k) = m5(k, 0) * cube[i][j][0] + m5(k, 1) * cube[i][j][1] + m5(k, 2) * cube[i][j][2];
  }

  const PointedLine target{loop.goal * last.point, loop.goal.rotation * last.direction};
  Eigen::Matrix<double, 14, 9> samples, waves;
  for (int i = 0; i < 3; ++i) {
    const PointedLine first = movedLine(s[0], -sampleAt(s[0], i), target);
    for (int j = 0; j < 3; ++j) samples.col(3 * i + j) = featuresOf(movedLine(s[1], -sampleAt(s[1], j), first));
  }
  const Eigen::Matrix3d m1 = wavesFrom(s[0]), m2 = wavesFrom(s[1]);
  waves.setZero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) waves.col(3 * i + j) += m1(i, a) * m2(j, b) * samples.col(3 * a + b);

  // The constant is on the left, times the polynomial that is 1 there: u^2 + v^2 of a hinge, v^2 of a slide.
  for (int i = 0; i < 3; i += 2)
    for (int j = 0; j < 3; j += 2)
      for (int k = 0; k < 3; k += 2) {
        const bool isThere = (i == 0 || !s[2].isSlide) && (j == 0 || !s[3].isSlide) && (k == 0 || !s[4].isSlide);
        if (isThere) left.col(9 * i + 3 * j + k) -= waves.col(0);
      }

  Eigen::ColPivHouseholderQR<Eigen::Matrix<double, 14, 8>> qr;
  qr.setThreshold(1e-9);
  qr.compute(waves.rightCols<8>());
  left.applyOnTheLeft(qr.householderQ().transpose());
  const int rank = static_cast<int>(qr.rank());
  if (rank == 8) return left.bottomRows<6>();
  // More than six equations are left: fixed mixtures of them.
  Equations mixed = Equations::Zero();
  for (int row = rank; row < 14; ++row)
    for (int i = 0; i < 6; ++i) mixed.row(i) += std::sin(1.7 + 3.1 * i + 5.3 * row * (i + 1)) * left.row(row);
  return mixed;
}

/// M(u3, v3) = u3^2 part[2] + u3 v3 part[1] + v3^2 part[0], whose null vector has the entries
/// u4^j v4^(3-j) u5^k v5^(2-k) at 3 j + k.
struct Pencil {
  Matrix12 part[3];

  Matrix12 at(double u, double v) const { return v * v * part[0] + u * v * part[1] + u * u * part[2]; }
};

Pencil pencilOf(const Equations& equations) {
  Pencil pencil;
  for (int i = 0; i < 3; ++i) {
    pencil.part[i].setZero();
    pencil.part[i].block<6, 9>(0, 0) = equations.middleCols<9>(9 * i);
    pencil.part[i].block<6, 9>(6, 3) = equations.middleCols<9>(9 * i);
  }
  return pencil;
}

/// The pencil in u', v' with (u, v) = (u' cos a + v' sin a, v' cos a - u' sin a).
Pencil turned(const Pencil& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Pencil result;
  result.part[2] = p.at(c, -s);
  result.part[0] = p.at(s, c);
  result.part[1] = 2.0 * s * c * (p.part[2] - p.part[0]) + (c * c - s * s) * p.part[1];
  return result;
}

/// The homogeneous coordinate x = u / v with  upper = x lower, in the sense of least squares.
template <typename Vector>
std::array<double, 2> ratioOf(const Vector& upper, const Vector& lower) {
  const double mixed = upper.dot(lower), squareUpper = upper.squaredNorm(), squareLower = lower.squaredNorm();
  return squareLower >= squareUpper ? std::array<double, 2>{mixed, squareLower}
                                    : std::array<double, 2>{squareUpper, mixed};
}

/// Solves  E_1 E_2 line = target  and then for the last joint.
void addWithOuterJoints(const Loop& loop, std::array<double, kMaxLoop>& q, Candidates& candidates) {
  const auto& s = loop.screws;
  PointedLine line{s[5].point, s[5].axis};
  for (int i = 4; i >= 2; --i) line = movedLine(s[i], q[i], line);
  const PointedLine target{loop.goal * s[5].point, loop.goal.rotation * s[5].axis};
  // E_2 line = E_1^-1 target is linear in cosines and sines.
  const Eigen::Matrix3d m1 = wavesFrom(s[0]), m2 = wavesFrom(s[1]);
  Eigen::Matrix<double, 14, 4> matrix = Eigen::Matrix<double, 14, 4>::Zero();
  Vector14 right = Vector14::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vector14 second = featuresOf(movedLine(s[1], sampleAt(s[1], k), line));
    const Vector14 first = featuresOf(movedLine(s[0], -sampleAt(s[0], k), target));
    right += m1(0, k) * first - m2(0, k) * second;
    for (int i = 0; i < 2; ++i) {
      matrix.col(i) -= m1(i + 1, k) * first;
      matrix.col(i + 2) += m2(i + 1, k) * second;
    }
  }
  const Eigen::Matrix4d normal = matrix.transpose() * matrix;
  Eigen::Matrix4d damped = normal;
  damped.diagonal().array() += 1e-13 * normal.trace();
  const Eigen::Vector4d x = damped.ldlt().solve(matrix.transpose() * right);
  if (!x.allFinite()) return;
  q[0] = s[0].isSlide ? x[0] : std::atan2(x[1], x[0]);
  q[1] = s[1].isSlide ? x[2] : std::atan2(x[3], x[2]);
  Eigen::Matrix3d rest = loop.goal.rotation;
  for (int i = 0; i < 5; ++i)
    if (!s[i].isSlide) rest = turnAbout(s[i].axis, -q[i]) * rest;
  const Eigen::Vector3d lever = s[5].axis.unitOrthogonal();
  q[5] = turnOnto(s[5].axis, lever, rest * lever).value[0];
  candidates.add(loop, q);
}

void addFromVector(const Loop& loop, double third, const Vector12& w, Candidates& candidates) {
  const auto& s = loop.screws;
  const Eigen::Map<const Eigen::Matrix<double, 3, 4>> grid(w.data());  // column j: u4^j
  const Eigen::Matrix<double, 9, 1> upper4 = w.tail<9>(), lower4 = w.head<9>();
  const Eigen::Matrix<double, 2, 4> upper = grid.bottomRows<2>(), lower = grid.topRows<2>();
  const Eigen::Map<const Eigen::Matrix<double, 8, 1>> upper5(upper.data()), lower5(lower.data());
  const auto [u4, v4] = ratioOf(upper4, lower4);
  const auto [u5, v5] = ratioOf(upper5, lower5);
  std::array<double, kMaxLoop> q = {};
  q[2] = third;
  q[3] = coordinateAt(s[3], u4, v4);
  q[4] = coordinateAt(s[4], u5, v5);
  for (int i = 2; i < 5; ++i)
    if (!(std::abs(q[i]) < kFarthestSlide)) return;
  addWithOuterJoints(loop, q, candidates);
}

/// Adds the answers whose third joint is near `third`. `count` eigenvalues are there: their null vectors mix, and are
/// separated by the powers of u4 and u5 that they contain.
void addNullVectors(const Loop& loop, const Matrix12& m, double third, int count, Candidates& candidates) {
  if (count == 1) {  // inverse iteration
    const Eigen::PartialPivLU<Matrix12> lu(m);
    Vector12 w = Vector12::LinSpaced(1.0, 1.7).normalized();
    for (int i = 0; i < 2; ++i) {
      w = lu.transpose().solve(w).eval();
      w = lu.solve(w.normalized()).eval();
      w.normalize();
    }
    if (w.allFinite()) {
      addFromVector(loop, third, w, candidates);
      return;
    }
  }
  using Basis = Eigen::Matrix<double, 12, Eigen::Dynamic, 0, 12, 4>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;
  const Eigen::JacobiSVD<Matrix12> svd(m, Eigen::ComputeFullV);
  const Basis basis = svd.matrixV().rightCols(count);
  if (!basis.allFinite()) return;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 4>;
  const auto shiftOf = [&](const Rows& lower, const Rows& upper) -> Square {
    constexpr double c = 0.83, s = 0.557763;  // no answer lies at the infinity of a turned coordinate
    const Rows base = c * lower + s * upper, moved = c * upper - s * lower;
    return base.colPivHouseholderQr().solve(moved);
  };
  Rows lower5(8, count), upper5(8, count);
  for (int j = 0; j < 4; ++j) {
    lower5.middleRows(2 * j, 2) = basis.middleRows(3 * j, 2);
    upper5.middleRows(2 * j, 2) = basis.middleRows(3 * j + 1, 2);
  }
  const Square shift = shiftOf(basis.topRows(9), basis.bottomRows(9)) + 0.37 * shiftOf(lower5, upper5);
  if (!shift.allFinite()) return;
  const Eigen::EigenSolver<Square> solver(shift);
  for (int i = 0; i < count; ++i) {
    Eigen::Matrix<std::complex<double>, 12, 1> w = basis * solver.eigenvectors().col(i);
    Eigen::Index largest = 0;
    w.cwiseAbs2().maxCoeff(&largest);
    const std::complex<double> phase = std::conj(w[largest]) / std::abs(w[largest]);
    const Vector12 real = (phase * w).real();
    if (real.allFinite()) addFromVector(loop, third, real, candidates);
  }
}

}  // namespace

Elimination solveByResultant(const Loop& loop, Candidates& candidates) {
  const Pencil pencil = pencilOf(eliminateFirstTwo(loop));
  // Turned so that no answer is at infinity and the leading matrix is well-conditioned.
  Elimination result;
  double angle = 0.0;
  for (const double trial : {0.35, 1.4, 2.45}) {
    const Matrix12 leading = pencil.at(std::cos(trial), -std::sin(trial));
    const double quality = Eigen::PartialPivLU<Matrix12>(leading).rcond();
    if (quality > result.quality) {
      result.quality = quality;
      angle = trial;
    }
    if (quality > kGoodQuality) break;
  }
  if (!(result.quality > kLeastQuality)) return result;
  const Pencil p = turned(pencil, angle);
  const Eigen::PartialPivLU<Matrix12> leading(p.part[2]);
  Matrix24 companion = Matrix24::Zero();
  companion.topRightCorner<12, 12>().setIdentity();
  companion.bottomLeftCorner<12, 12>() = -leading.solve(p.part[0]);
  companion.bottomRightCorner<12, 12>() = -leading.solve(p.part[1]);
  const Eigen::EigenSolver<Matrix24> solver(companion, false);
  if (solver.info() != Eigen::Success) return {};

  struct Value {
    double half;  ///< atan(u' / v')
    double imaginary;
  };
  std::array<Value, 24> values;
  int count = 0;
  for (int i = 0; i < 24; ++i) {
    const std::complex<double> t = solver.eigenvalues()[i];
    const double imaginary = t.imag() / (1.0 + std::norm(t));
    result.realValues += std::abs(imaginary) < kReal;
    if (std::abs(imaginary) < kNearlyReal) values[count++] = {std::atan(t.real()), imaginary};
  }
  std::sort(values.begin(), values.begin() + count, [](const Value& a, const Value& b) { return a.half < b.half; });
  for (int i = 0; i < count;) {
    int end = i + 1;
    while (end < count && values[end].half - values[end - 1].half < kSameValue) ++end;
    const int size = std::min(end - i, 4);
    const auto tryAt = [&](double half, int vectors) {
      const double u = std::sin(half), v = std::cos(half);
      const double third = coordinateAt(loop.screws[2], u * std::cos(angle) + v * std::sin(angle),
                                        v * std::cos(angle) - u * std::sin(angle));
      if (std::abs(third) < kFarthestSlide)
        addNullVectors(loop, p.at(u, v), loop.screws[2].isSlide ? third : wrapAngle(third), vectors, candidates);
    };
    if (size > 1) {
      double middle = 0.0;
      for (int k = i; k < end; ++k) middle += values[k].half / (end - i);
      tryAt(middle, size);
    }
    for (int k = i; k < end; ++k) {
      tryAt(values[k].half, 1);
      if (std::abs(values[k].imaginary) > 1e-9) tryAt(values[k].half + values[k].imaginary, 1);
    }
    i = end;
  }
  return result;
}

}  // namespace limber::ways
