// SPDX-License-Identifier: MIT
#include "support/semidefinite_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include <Eigen/LU>
#include <Eigen/QR>

namespace limber::test {

namespace {

using Expression = Eigen::VectorXd;  // of the unknowns; the constant comes last
using Vector = std::vector<Expression>;

struct Block {
  std::vector<std::vector<Expression>> entries;  // upper triangle
};

struct Program {
  int unknowns = 0, used = 0;
  std::vector<Block> blocks;
  Expression cost;

  Expression constant(double value) const {
    Expression e = Expression::Zero(unknowns + 1);
    e[unknowns] = value;
    return e;
  }
  Expression unknown() {
    Expression e = constant(0.0);
    e[used++] = 1.0;
    return e;
  }
  Vector unknownVector() { return {unknown(), unknown(), unknown()}; }
  Block block(int size) const {
    Block b;
    b.entries.assign(size, std::vector<Expression>(size, constant(0.0)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) b.entries[i][i] = constant(1.0);
    return b;
  }
};

struct Frame {
  Vector columns[3];             // of R
  Vector place;                  // p
  Vector placeWithin;            // R' p, of the hull form
  Expression square;             // <p, p>, of the hull form
  const Joint* hinge = nullptr;  // of which the frame is, and what its angle turns
  Vector n[3];
  Expression cosine, sine;
};

Expression dotWith(const Eigen::Vector3d& v, const Vector& x) { return v[0] * x[0] + v[1] * x[1] + v[2] * x[2]; }

Vector combined(const Frame& frame, const Eigen::Vector3d& v) {
  Vector sum = frame.columns[0];
  for (std::size_t i = 0; i < 3; ++i)
    sum[i] = v[0] * frame.columns[0][i] + v[1] * frame.columns[1][i] + v[2] * frame.columns[2][i];
  return sum;
}

Vector placed(const Frame& frame, const Eigen::Vector3d& v) {
  Vector sum = combined(frame, v);
  for (std::size_t i = 0; i < 3; ++i) sum[i] += frame.place[i];
  return sum;
}

/// The 4 x 4 map of a rotation's entries, or of their products with a number, `one`, instead of 1.
Block quaternionMap(const Vector (&columns)[3], const Expression& one, const Program& program) {
  const auto r = [&](std::size_t i, std::size_t j) { return columns[j - 1][i - 1]; };
  Block b = program.block(4);
  b.entries[0][0] = one + r(1, 1) + r(2, 2) + r(3, 3);
  b.entries[1][1] = one + r(1, 1) - r(2, 2) - r(3, 3);
  b.entries[2][2] = one + r(2, 2) - r(1, 1) - r(3, 3);
  b.entries[3][3] = one + r(3, 3) - r(1, 1) - r(2, 2);
  b.entries[0][1] = r(3, 2) - r(2, 3);
  b.entries[0][2] = r(1, 3) - r(3, 1);
  b.entries[0][3] = r(2, 1) - r(1, 2);
  b.entries[1][2] = r(1, 2) + r(2, 1);
  b.entries[1][3] = r(1, 3) + r(3, 1);
  b.entries[2][3] = r(2, 3) + r(3, 2);
  return b;
}

void addRotationBlock(const Frame& frame, Program& program) {
  program.blocks.push_back(quaternionMap(frame.columns, program.constant(1.0), program));
}

void addChord(const Joint& joint, const Expression& cosine, const Expression& sine, Program& program) {
  const double half = 0.5 * (joint.limits.upper - joint.limits.lower), middle = joint.limits.lower + half;
  if (half >= std::numbers::pi) return;
  Block limit = program.block(1);
  limit.entries[0][0] = std::cos(middle) * cosine + std::sin(middle) * sine - program.constant(std::cos(half));
  program.blocks.push_back(std::move(limit));
}

/// 1/2 [Q + Qc, Qs; Qs, Q - Qc] and cos(m) Qc + sin(m) Qs - cos(h) Q, instead of the chord.
void addHull(const Joint& joint, const Vector (&n)[3], const Vector& u, const Vector& w, const Expression& cosine,
             const Expression& sine, Program& program) {
  Vector byCosine[3] = {program.unknownVector(), program.unknownVector(), w};
  Vector bySine[3] = {program.unknownVector(), program.unknownVector(), u};
  for (std::size_t i = 0; i < 3; ++i) {
    byCosine[2][i] += bySine[1][i];
    bySine[2][i] -= byCosine[1][i];
  }
  const Block q = quaternionMap(n, program.constant(1.0), program);
  const Block qc = quaternionMap(byCosine, cosine, program), qs = quaternionMap(bySine, sine, program);
  Block hull = program.block(8), arc = program.block(4);
  const double half = 0.5 * (joint.limits.upper - joint.limits.lower), middle = joint.limits.lower + half;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) {
      hull.entries[i][j] = 0.5 * (q.entries[i][j] + qc.entries[i][j]);
      hull.entries[4 + i][4 + j] = 0.5 * (q.entries[i][j] - qc.entries[i][j]);
      hull.entries[i][4 + j] = hull.entries[j][4 + i] = 0.5 * qs.entries[i][j];
      arc.entries[i][j] =
          std::cos(middle) * qc.entries[i][j] + std::sin(middle) * qs.entries[i][j] - std::cos(half) * q.entries[i][j];
    }
  program.blocks.push_back(std::move(hull));
  if (half < std::numbers::pi) program.blocks.push_back(std::move(arc));
}

Eigen::Matrix3d axesOf(const Joint& joint) {
  Eigen::Matrix3d axes;
  axes.col(0) = joint.axis;
  axes.col(1) = joint.axis.unitOrthogonal();
  axes.col(2) = joint.axis.cross(axes.col(1));
  return axes;
}

/// 2 t t' of t = (cos theta/2, sin theta/2): the parts of its entries at 1, cos theta and sin theta.
std::array<double, 3> halfAngleParts(std::size_t i, std::size_t j) {
  if (i != j) return {0.0, 0.0, 1.0};
  return {1.0, i == 0 ? 1.0 : -1.0, 0.0};
}

/// Two consecutive hinges: moments of their half angles, products of their arc constraints, and the Gram matrix of
/// both.
void addPair(const Frame& first, const Frame& second, Program& program) {
  const Joint* joints[2] = {first.hinge, second.hinge};
  Expression m[3][3] = {{program.constant(1.0), second.cosine, second.sine},
                        {first.cosine, program.unknown(), program.unknown()},
                        {first.sine, program.unknown(), program.unknown()}};
  Block pair = program.block(4);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) {
      const std::array<double, 3> a = halfAngleParts(i / 2, j / 2), b = halfAngleParts(i % 2, j % 2);
      pair.entries[i][j] = program.constant(0.0);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) pair.entries[i][j] += a[k] * b[l] * m[k][l];
    }
  program.blocks.push_back(std::move(pair));
  for (const bool isFirst : {true, false}) {
    const Interval& limits = joints[isFirst ? 0 : 1]->limits;
    const double half = 0.5 * (limits.upper - limits.lower), middle = limits.lower + half;
    if (half >= std::numbers::pi) continue;
    const double chord[3] = {-std::cos(half), std::cos(middle), std::sin(middle)};
    Block arc = program.block(2);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = i; j < 2; ++j) {
        arc.entries[i][j] = program.constant(0.0);
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t l = 0; l < 3; ++l)
            arc.entries[i][j] += chord[k] * halfAngleParts(i, j)[l] * (isFirst ? m[k][l] : m[l][k]);
      }
    program.blocks.push_back(std::move(arc));
  }
  // [e | n of the first | its u w | u w of the second], all told in the first's joint by its angle and the second's.
  const Eigen::Matrix3d firstAxes = axesOf(*first.hinge), secondAxes = axesOf(*second.hinge);
  const Eigen::Matrix3d turn = firstAxes.transpose() * second.hinge->parentFromJoint.rotation * secondAxes;
  const Vector columns[7] = {first.n[0],
                             first.n[1],
                             first.n[2],
                             combined(first, firstAxes.col(1)),
                             combined(first, firstAxes.col(2)),
                             combined(second, secondAxes.col(1)),
                             combined(second, secondAxes.col(2))};
  Block gram = program.block(10);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 7; ++j) gram.entries[i][3 + j] = columns[j][i];
  gram.entries[4][6] = gram.entries[5][7] = first.cosine;
  gram.entries[5][6] = first.sine;
  gram.entries[4][7] = -first.sine;
  for (const std::size_t k : {0, 1}) {  // u, w
    // The second's vector has the parts `along` along the first's a, u, w, each times a cosine or sine of its own.
    const auto along = [&](Eigen::Index row, const Expression& cosine, const Expression& sine) -> Expression {
      if (k == 0) return turn(row, 1) * cosine + turn(row, 2) * sine;
      return turn(row, 2) * cosine - turn(row, 1) * sine;
    };
    gram.entries[3][8 + k] = along(0, m[0][1], m[0][2]);
    gram.entries[6][8 + k] = along(1, m[0][1], m[0][2]);
    gram.entries[7][8 + k] = along(2, m[0][1], m[0][2]);
    gram.entries[4][8 + k] = along(1, m[1][1], m[1][2]) - along(2, m[2][1], m[2][2]);
    gram.entries[5][8 + k] = along(1, m[2][1], m[2][2]) + along(2, m[1][1], m[1][2]);
  }
  program.blocks.push_back(std::move(gram));
}

Frame hinged(const Frame& parent, const Joint& joint, double scale, RelaxationForm form, Program& program) {
  const Eigen::Vector3d a = joint.axis, b = a.unitOrthogonal(), c = a.cross(b);
  const Eigen::Vector3d v = joint.parentFromJoint.translation / scale;
  const Eigen::Matrix3d& s = joint.parentFromJoint.rotation;
  const bool isHull = form == RelaxationForm::Hull;
  const Vector n[3] = {combined(parent, s * a), combined(parent, s * b), combined(parent, s * c)};
  const Vector u = program.unknownVector(), w = program.unknownVector();
  const Expression cosine = program.unknown(), sine = program.unknown();
  Frame frame;
  frame.place = placed(parent, v);
  Block gram = program.block(isHull ? 9 : 8);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) gram.entries[i][3 + j] = n[j][i];
    gram.entries[i][6] = u[i];
    gram.entries[i][7] = w[i];
  }
  gram.entries[4][6] = gram.entries[5][7] = cosine;
  gram.entries[5][6] = sine;
  gram.entries[4][7] = -sine;
  if (isHull) {
    Vector within = parent.placeWithin;
    for (std::size_t i = 0; i < 3; ++i) within[i] += program.constant(v[static_cast<Eigen::Index>(i)]);
    frame.square = parent.square + 2.0 * dotWith(v, parent.placeWithin) + program.constant(v.squaredNorm());
    const Expression along = dotWith(s * a, within), pb = program.unknown(), pc = program.unknown();
    for (std::size_t i = 0; i < 3; ++i) {
      gram.entries[i][8] = frame.place[i];
      const auto at = static_cast<Eigen::Index>(i);
      frame.placeWithin.push_back(a[at] * along + b[at] * pb + c[at] * pc);
    }
    gram.entries[3][8] = along;
    gram.entries[4][8] = dotWith(s * b, within);
    gram.entries[5][8] = dotWith(s * c, within);
    gram.entries[6][8] = pb;
    gram.entries[7][8] = pc;
    gram.entries[8][8] = frame.square;
  }
  program.blocks.push_back(std::move(gram));
  if (isHull) addHull(joint, n, u, w, cosine, sine, program);
  else addChord(joint, cosine, sine, program);
  for (std::size_t j = 0; j < 3; ++j) {
    frame.columns[j] = u;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = static_cast<Eigen::Index>(j);
      frame.columns[j][i] = a[at] * n[0][i] + b[at] * u[i] + c[at] * w[i];
    }
  }
  addRotationBlock(frame, program);
  frame.hinge = &joint;
  std::ranges::copy(n, frame.n);
  frame.cosine = cosine;
  frame.sine = sine;
  if (isHull && parent.hinge) addPair(parent, frame, program);
  return frame;
}

/// The constraints of a rotation on the products W of its entries, W = particular + slope * r + null * z with r
/// column-major and the upper triangle of W: R'R = RR' = 1, and each entry of R equals its cofactor.
struct Lifting {
  Eigen::MatrixXd slope, null;
  Eigen::VectorXd particular;

  static Eigen::Index product(int i, int j) {
    const int low = std::min(i, j), high = std::max(i, j);
    return low * 9 - low * (low - 1) / 2 + high - low;
  }

  Lifting() {
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(21, 45), linear = Eigen::MatrixXd::Zero(21, 9);
    Eigen::VectorXd constant = Eigen::VectorXd::Zero(21);
    const auto at = [](int row, int column) { return 3 * column + row; };
    int k = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, k += 2) {
        for (int m = 0; m < 3; ++m) {
          products(k, product(at(m, i), at(m, j))) += 1.0;
          products(k + 1, product(at(i, m), at(j, m))) += 1.0;
        }
        constant[k] = constant[k + 1] = i == j ? 1.0 : 0.0;
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j, ++k) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        products(k, product(at(a, c), at(b, d))) += 1.0;
        products(k, product(at(a, d), at(b, c))) -= 1.0;
        linear(k, at(i, j)) = -1.0;
      }
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(products);
    particular = solver.solve(constant);
    slope = -solver.solve(linear);
    null = Eigen::FullPivLU<Eigen::MatrixXd>(products).kernel();
  }
};

void addLifted(const std::vector<Expression>& r, Program& program) {
  static const Lifting lifting;
  std::vector<Expression> z;
  for (Eigen::Index k = 0; k < lifting.null.cols(); ++k) z.push_back(program.unknown());
  Block b = program.block(10);
  for (int i = 0; i < 9; ++i) {
    b.entries[0][i + 1] = r[i];
    for (int j = i; j < 9; ++j) {
      const Eigen::Index at = Lifting::product(i, j);
      Expression e = program.constant(lifting.particular[at]);
      for (std::size_t k = 0; k < 9; ++k) e += lifting.slope(at, static_cast<Eigen::Index>(k)) * r[k];
      for (std::size_t k = 0; k < z.size(); ++k) e += lifting.null(at, static_cast<Eigen::Index>(k)) * z[k];
      b.entries[i + 1][j + 1] = e;
    }
  }
  program.blocks.push_back(std::move(b));
}

std::vector<Expression> entriesOf(const Frame& frame) {
  std::vector<Expression> r;
  for (const Vector& column : frame.columns) r.insert(r.end(), column.begin(), column.end());
  return r;
}

/// left * [1 0 0; 0 c -s; 0 s c] * right.
Frame turned(const Eigen::Matrix3d& left, const Expression& cosine, const Expression& sine,
             const Eigen::Matrix3d& right, const Program& program) {
  const Expression canonical[3][3] = {{program.constant(1.0), program.constant(0.0), program.constant(0.0)},
                                      {program.constant(0.0), cosine, -sine},
                                      {program.constant(0.0), sine, cosine}};
  Frame frame;
  for (Eigen::Index j = 0; j < 3; ++j)
    for (Eigen::Index i = 0; i < 3; ++i) {
      Expression e = program.constant(0.0);
      for (Eigen::Index k = 0; k < 3; ++k)
        for (Eigen::Index l = 0; l < 3; ++l) e += left(i, k) * right(l, j) * canonical[k][l];
      frame.columns[j].push_back(e);
    }
  return frame;
}

/// [1 Y' Z; Y 1 X; Z' X' 1] >= 0 for X = Y Z.
void addProductBlock(const Frame& x, const Frame& y, const Frame& z, Program& program) {
  Block b = program.block(9);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      b.entries[i][3 + j] = y.columns[i][j];
      b.entries[i][6 + j] = z.columns[j][i];
      b.entries[3 + i][6 + j] = x.columns[j][i];
    }
  program.blocks.push_back(std::move(b));
}

Frame hingedLiterally(const Frame& parent, const Joint& joint, double scale, Program& program) {
  Eigen::Matrix3d axes;
  axes.col(0) = joint.axis;
  axes.col(1) = joint.axis.unitOrthogonal();
  axes.col(2) = joint.axis.cross(axes.col(1));
  const Expression cosine = program.unknown(), sine = program.unknown();
  const Frame canonical = turned(Eigen::Matrix3d::Identity(), cosine, sine, Eigen::Matrix3d::Identity(), program);
  const Frame relative = turned(joint.parentFromJoint.rotation * axes, cosine, sine, axes.transpose(), program);
  Frame frame;
  for (Vector& column : frame.columns) column = program.unknownVector();
  frame.place = placed(parent, joint.parentFromJoint.translation / scale);
  addProductBlock(frame, parent, relative, program);
  for (const Frame* f : {&canonical, &relative, static_cast<const Frame*>(&frame)}) addLifted(entriesOf(*f), program);
  Block disc = program.block(2);
  disc.entries[0][0] += cosine;
  disc.entries[1][1] -= cosine;
  disc.entries[0][1] = sine;
  program.blocks.push_back(std::move(disc));
  addChord(joint, cosine, sine, program);
  return frame;
}

/// The frame of the root: unknowns for a free root, constants for a fixed one.
Frame rootOf(const Joint& joint, const Eigen::Vector3d& centre, double scale, RelaxationForm form, bool isLiteral,
             Program& program) {
  Frame root;
  if (joint.type == JointType::Free) {
    for (Vector& column : root.columns) column = program.unknownVector();
    root.place = program.unknownVector();
    if (form != RelaxationForm::Compact) {
      root.placeWithin = program.unknownVector();
      root.square = program.unknown();
    }
    if (isLiteral) addLifted(entriesOf(root), program);
    else addRotationBlock(root, program);
    return root;
  }
  const Eigen::Vector3d p = (joint.parentFromJoint.translation - centre) / scale;
  const auto constants = [&](const Eigen::Vector3d& v) {
    return Vector{program.constant(v[0]), program.constant(v[1]), program.constant(v[2])};
  };
  for (Eigen::Index j = 0; j < 3; ++j) root.columns[j] = constants(joint.parentFromJoint.rotation.col(j));
  root.place = constants(p);
  root.placeWithin = constants(joint.parentFromJoint.rotation.transpose() * p);
  root.square = program.constant(p.squaredNorm());
  return root;
}

/// t with [1 e; e' t] >= 0, added to the cost.
void addSquare(const Vector& error, Program& program) {
  Block b = program.block(4);
  for (std::size_t i = 0; i < 3; ++i) b.entries[i][3] = error[i];
  b.entries[3][3] = program.unknown();
  program.cost += b.entries[3][3];
  program.blocks.push_back(std::move(b));
}

void write(const Program& program, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return;
  std::fprintf(file, "%d\n%zu\n", program.used, program.blocks.size());
  for (const Block& b : program.blocks) std::fprintf(file, "%zu ", b.entries.size());
  std::fprintf(file, "\n");
  for (int k = 0; k < program.used; ++k) std::fprintf(file, "%.17g ", program.cost[k]);
  std::fprintf(file, "\n");
  for (int k = 0; k <= program.used; ++k)
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (std::size_t i = 0; i < program.blocks[b].entries.size(); ++i)
        for (std::size_t j = i; j < program.blocks[b].entries.size(); ++j) {
          const Expression& e = program.blocks[b].entries[i][j];
          const double value = k == 0 ? -e[program.unknowns] : e[k - 1];
          if (value != 0.0) std::fprintf(file, "%d %zu %zu %zu %.17g\n", k, b + 1, i + 1, j + 1, value);
        }
  std::fclose(file);
}

std::optional<double> valueOf(const Program& program) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("limber_csdp_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  write(program, (folder / "problem").string());
  const std::string command = "cd '" + folder.string() + "' && OMP_NUM_THREADS=1 csdp problem solution > log 2>&1";
  const int code = std::system(command.c_str());
  std::optional<double> value;
  if (code == 0 || WEXITSTATUS(code) == 3) {  // 3: solved, not to the full tolerance
    std::ifstream solution(folder / "solution");
    double sum = program.cost[program.unknowns], y = 0.0;
    int k = 0;
    for (; k < program.used && solution >> y; ++k) sum += program.cost[k] * y;
    if (k == program.used) value = sum;
  }
  std::filesystem::remove_all(folder);
  return value;
}

std::optional<double> valueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                  std::span<const Eigen::Vector3d> targets, RelaxationForm form, bool isLiteral) {
  const double scale = 2.0 * figure.meanLinkLength();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double weights = 0.0;
  for (const Relaxation::Point& p : points) weights += p.weight;
  if (figure.joint(0).type == JointType::Free)
    for (const Eigen::Vector3d& y : targets) centre += y / static_cast<double>(targets.size());
  else centre = figure.joint(0).parentFromJoint.translation;
  Program program;
  program.unknowns = 37 + (isLiteral ? 86 : 26) * figure.linkCount() + static_cast<int>(points.size());
  program.cost = program.constant(0.0);
  std::vector<Frame> frames{rootOf(figure.joint(0), centre, scale, form, isLiteral, program)};
  for (int i = 1; i < figure.linkCount(); ++i) {
    const Frame& parent = frames[figure.link(i).parent];
    frames.push_back(isLiteral ? hingedLiterally(parent, figure.joint(i), scale, program)
                               : hinged(parent, figure.joint(i), scale, form, program));
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Frame& frame = frames[points[k].link];
    const Eigen::Vector3d v = points[k].pointInLink / scale, y = (targets[k] - centre) / scale;
    const double weight = points[k].weight / weights;
    Vector error = placed(frame, v);
    if (form != RelaxationForm::Compact) {
      program.cost += weight * (frame.square + 2.0 * dotWith(v, frame.placeWithin) - 2.0 * dotWith(y, error));
      program.cost[program.unknowns] += weight * (v.squaredNorm() + y.squaredNorm());
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      error[i] -= program.constant(y[static_cast<Eigen::Index>(i)]);
      error[i] *= std::sqrt(weight);
    }
    addSquare(error, program);
  }
  const std::optional<double> value = valueOf(program);
  if (!value) return std::nullopt;
  return *value * scale * scale;
}

}  // namespace

std::string csdpAbsence() {
  return std::system("command -v csdp > /dev/null 2>&1") == 0 ? "" : "csdp (Debian's coinor-csdp) is not installed";
}

std::optional<double> relaxedValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets, RelaxationForm form) {
  return valueByCsdp(figure, points, targets, form, false);
}

std::optional<double> literalValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets) {
  return valueByCsdp(figure, points, targets, RelaxationForm::Compact, true);
}

}  // namespace limber::test
