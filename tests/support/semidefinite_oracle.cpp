// SPDX-License-Identifier: MIT
#include "support/semidefinite_oracle.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

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
    b.entries.assign(static_cast<std::size_t>(size),
                     std::vector<Expression>(static_cast<std::size_t>(size), constant(0.0)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) b.entries[i][i] = constant(1.0);
    return b;
  }
};

struct Frame {
  Vector columns[3];  // of R
  Vector place;
};

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

void addRotationBlock(const Frame& frame, Program& program) {
  const auto r = [&](std::size_t i, std::size_t j) { return frame.columns[j - 1][i - 1]; };
  Block b = program.block(4);
  b.entries[0][0] += r(1, 1) + r(2, 2) + r(3, 3);
  b.entries[1][1] += r(1, 1) - r(2, 2) - r(3, 3);
  b.entries[2][2] += r(2, 2) - r(1, 1) - r(3, 3);
  b.entries[3][3] += r(3, 3) - r(1, 1) - r(2, 2);
  b.entries[0][1] = r(3, 2) - r(2, 3);
  b.entries[0][2] = r(1, 3) - r(3, 1);
  b.entries[0][3] = r(2, 1) - r(1, 2);
  b.entries[1][2] = r(1, 2) + r(2, 1);
  b.entries[1][3] = r(1, 3) + r(3, 1);
  b.entries[2][3] = r(2, 3) + r(3, 2);
  program.blocks.push_back(std::move(b));
}

Frame hinged(const Frame& parent, const Joint& joint, double scale, Program& program) {
  const Eigen::Vector3d a = joint.axis, b = a.unitOrthogonal(), c = a.cross(b);
  const Eigen::Matrix3d& s = joint.parentFromJoint.rotation;
  const Vector n[3] = {combined(parent, s * a), combined(parent, s * b), combined(parent, s * c)};
  const Vector u = program.unknownVector(), w = program.unknownVector();
  const Expression cosine = program.unknown(), sine = program.unknown();
  Block gram = program.block(8);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) gram.entries[i][3 + j] = n[j][i];
    gram.entries[i][6] = u[i];
    gram.entries[i][7] = w[i];
  }
  gram.entries[4][6] = gram.entries[5][7] = cosine;
  gram.entries[5][6] = sine;
  gram.entries[4][7] = -sine;
  program.blocks.push_back(std::move(gram));
  const double half = 0.5 * (joint.limits.upper - joint.limits.lower), middle = joint.limits.lower + half;
  if (half < std::numbers::pi) {
    Block limit = program.block(1);
    limit.entries[0][0] =
        std::cos(middle) * cosine + std::sin(middle) * sine - program.constant(std::cos(half));
    program.blocks.push_back(std::move(limit));
  }
  Frame frame;
  for (std::size_t j = 0; j < 3; ++j) {
    frame.columns[j] = u;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = static_cast<Eigen::Index>(j);
      frame.columns[j][i] = a[at] * n[0][i] + b[at] * u[i] + c[at] * w[i];
    }
  }
  frame.place = placed(parent, joint.parentFromJoint.translation / scale);
  addRotationBlock(frame, program);
  return frame;
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
  // CSDP reads param.csdp of the folder that it runs in.
  std::ofstream(folder / "param.csdp") << "axtol=1.0e-9\natytol=1.0e-9\nobjtol=1.0e-10\npinftol=1.0e8\ndinftol=1.0e8\n"
                                          "maxiter=100\nminstepfrac=0.90\nmaxstepfrac=0.97\nminstepp=1.0e-8\n"
                                          "minstepd=1.0e-8\nusexzgap=1\ntweakgap=0\naffine=0\nprintlevel=0\n"
                                          "perturbobj=0\nfastmode=0\n";
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

}  // namespace

std::string csdpAbsence() {
  return std::system("command -v csdp > /dev/null 2>&1") == 0 ? "" : "csdp (Debian's coinor-csdp) is not installed";
}

std::optional<double> relaxedValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets) {
  const double scale = 2.0 * figure.meanLinkLength();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double weights = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) weights += points[k].weight;
  for (const Eigen::Vector3d& y : targets) centre += y / static_cast<double>(targets.size());
  Program program;
  program.unknowns = 12 + 8 * figure.linkCount() + static_cast<int>(points.size());
  program.cost = program.constant(0.0);
  std::vector<Frame> frames(1);
  for (Vector& column : frames[0].columns) column = program.unknownVector();
  frames[0].place = program.unknownVector();
  addRotationBlock(frames[0], program);
  for (int i = 1; i < figure.linkCount(); ++i)
    frames.push_back(hinged(frames[static_cast<std::size_t>(figure.link(i).parent)], figure.joint(i), scale, program));
  for (std::size_t k = 0; k < points.size(); ++k) {
    Vector error = placed(frames[static_cast<std::size_t>(points[k].link)], points[k].pointInLink / scale);
    for (std::size_t i = 0; i < 3; ++i) {
      error[i] -= program.constant((targets[k] - centre)[static_cast<Eigen::Index>(i)] / scale);
      error[i] *= std::sqrt(points[k].weight / weights);
    }
    addSquare(error, program);
  }
  const std::optional<double> value = valueOf(program);
  if (!value) return std::nullopt;
  return *value * scale * scale;
}

}  // namespace limber::test
