// SPDX-License-Identifier: MIT
#include "solvers/relaxation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kNarrowest = std::numbers::pi / 180.0;  // of half an interval: narrower, the interior is all but empty
constexpr double kOnAxis = 1e-9;    // mean link lengths: a point nearer to an axis is not moved about it
constexpr double kParallel = 1e-9;  // of a cosine
constexpr int kU = 12, kW = 15, kC = 18, kS = 19;  // a hinge's unknowns among the local numbers
constexpr int kRotation = 12;                      // those of a ball, of a free root

Eigen::Matrix3d frameAround(const Eigen::Vector3d& axis) {
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d frame;
  frame.col(0) = axis;
  frame.col(1) = axis.cross(Eigen::Vector3d::Unit(least)).normalized();
  frame.col(2) = axis.cross(frame.col(1));
  return frame;
}

RelaxationBlock makeBlock(int size) {
  RelaxationBlock block;
  block.size = size;
  block.constant = block.basis = Eigen::MatrixXd::Identity(size, size);
  return block;
}

/// E[q q'] of quaternions (w x y z), times 4; `place` of the rotation among the local numbers, column by column.
RelaxationBlock makeRotationBlock(const std::array<int, 12>& place) {
  RelaxationBlock block = makeBlock(4);
  const auto add = [&](int row, int column, int i, int j, double sign) {
    block.terms.push_back({row, column, place[static_cast<std::size_t>(3 * j + i)], sign});
  };
  constexpr double kTrace[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int d = 0; d < 4; ++d)
    for (int i = 0; i < 3; ++i) add(d, d, i, i, kTrace[d][i]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add(0, i + 1, k, j, 1.0);
    add(0, i + 1, j, k, -1.0);
    add(std::min(j, k) + 1, std::max(j, k) + 1, j, k, 1.0);
    add(std::min(j, k) + 1, std::max(j, k) + 1, k, j, 1.0);
  }
  return block;
}

/// Of [e1 e2 e3 | n_a n_b n_c | u w].
RelaxationBlock makeGramBlock() {
  RelaxationBlock block = makeBlock(8);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) block.terms.push_back({i, 3 + j, 3 * j + i, 1.0});
    block.terms.push_back({i, 6, kU + i, 1.0});
    block.terms.push_back({i, 7, kW + i, 1.0});
  }
  block.terms.insert(block.terms.end(), {{4, 6, kC, 1.0}, {5, 6, kS, 1.0}, {4, 7, kS, -1.0}, {5, 7, kC, 1.0}});
  return block;
}

RelaxationBlock makeDiscBlock() {
  RelaxationBlock block = makeBlock(2);
  block.terms = {{0, 0, kC, 1.0}, {1, 1, kC, -1.0}, {0, 1, kS, 1.0}};
  return block;
}

RelaxationBlock makeLimitBlock(double middle, double half) {
  RelaxationBlock block = makeBlock(1);
  block.constant(0, 0) = -std::cos(half);
  block.terms = {{0, 0, kC, std::cos(middle)}, {0, 0, kS, std::sin(middle)}};
  return block;
}

void setBasis(const Eigen::MatrixXd& basis, RelaxationBlock& block) {
  block.basis = basis;
  block.size = static_cast<int>(basis.cols());
  block.isWhole = false;
}

/// Below what stands: u and w follow from c and s, n constant.
void hangOnWorld(const Eigen::Matrix3d& n, RelaxationFrame& frame) {
  frame.reduction.setZero(8, 2);
  frame.reduction.block<3, 2>(0, 0) << n.col(1), n.col(2);
  frame.reduction.block<3, 2>(3, 0) << n.col(2), -n.col(1);
  frame.reduction.block<2, 2>(6, 0).setIdentity();
  frame.turnsAboutOneAxis = true;
  frame.worldAxis = n.col(0);
  frame.blocks.push_back(makeDiscBlock());
}

/// Two unit vectors across a unit vector.
Eigen::Matrix<double, 3, 2> across(const Eigen::Vector3d& k) { return frameAround(k).rightCols<2>(); }

/// Parallel to the parent's one axis k = R_p e_x: n_a = +-k, w = n_a x u.
void hangInParallel(const Eigen::Vector3d& worldAxis, RelaxationFrame& frame) {
  const Eigen::Matrix<double, 3, 2> plane = across(worldAxis);
  frame.reduction.setZero(8, 4);
  frame.reduction.block<3, 2>(0, 0) = plane;
  frame.reduction.block<3, 2>(3, 0) = skew(worldAxis) * plane;
  frame.reduction.block<2, 2>(6, 2).setIdentity();
  frame.turnsAboutOneAxis = true;
  frame.worldAxis = worldAxis;
  RelaxationBlock gram = makeGramBlock();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(8, 6);
  basis.block<3, 2>(0, 0) = plane;
  basis.block<4, 4>(4, 2).setIdentity();
  setBasis(basis, gram);
  frame.blocks.push_back(std::move(gram));
}

/// Across the parent's one axis k = R_p e_x: what u and w have along k follows from c and s.
void hangObliquely(const Eigen::Vector3d& k, const Eigen::Matrix3d& parentFromJoint, RelaxationFrame& frame) {
  const double kb = parentFromJoint(0, 1), kc = parentFromJoint(0, 2);  // e_x in the joint's axes
  const Eigen::Matrix<double, 3, 2> plane = across(k);
  frame.reduction.setZero(8, 6);
  frame.reduction.block<3, 2>(0, 0) = plane;
  frame.reduction.block<3, 2>(3, 2) = plane;
  frame.reduction.block<2, 2>(6, 4).setIdentity();
  frame.reduction.block<3, 2>(0, 4) << kb * k, kc * k;
  frame.reduction.block<3, 2>(3, 4) << kc * k, -kb * k;
  RelaxationBlock gram = makeGramBlock();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(8, 7);
  basis.block<3, 3>(0, 0).setIdentity();
  basis.block<3, 2>(3, 3) = parentFromJoint.transpose().rightCols<2>();
  basis.block<2, 2>(6, 5).setIdentity();
  setBasis(basis, gram);
  frame.blocks.push_back(std::move(gram));
}

void makeHinge(const RelaxationFrame* parent, RelaxationFrame& frame) {
  frame.unknowns = 8;
  frame.place = {0, 1, 2, kU, kU + 1, kU + 2, kW, kW + 1, kW + 2, 9, 10, 11};
  const Eigen::Matrix3d turn = frame.parentFromJoint.topLeftCorner<3, 3>();
  if (!parent) {
    hangOnWorld(turn, frame);
  } else if (parent->turnsAboutOneAxis && std::abs(turn(0, 0)) > 1.0 - kParallel) {
    hangInParallel(turn(0, 0) > 0.0 ? parent->worldAxis : Eigen::Vector3d(-parent->worldAxis), frame);
  } else {
    if (parent->turnsAboutOneAxis) {
      hangObliquely(parent->worldAxis, turn, frame);
    } else {
      frame.reduction.setIdentity(8, 8);
      frame.blocks.push_back(makeGramBlock());
    }
    frame.blocks.push_back(makeRotationBlock(frame.place));
  }
  if (frame.half < std::numbers::pi) frame.blocks.push_back(makeLimitBlock(frame.middle, frame.half));
}

void makeTurning(RelaxationFrame& frame) {
  const bool isFree = frame.kind == RelaxationFrame::Kind::Free;
  frame.unknowns = isFree ? 12 : 9;
  frame.reduction.setIdentity(frame.unknowns, frame.unknowns);
  for (int i = 0; i < 9; ++i) frame.place[static_cast<std::size_t>(i)] = kRotation + i;
  for (int i = 9; i < 12; ++i) frame.place[static_cast<std::size_t>(i)] = isFree ? kRotation + i : i;
  frame.blocks.push_back(makeRotationBlock(frame.place));
}

}  // namespace

struct Relaxation::Builder {
  Relaxation& out;
  const Figure& figure;
  const Limits& limits;
  std::span<const char> isActive;
  Kinematics kinematics;
  std::vector<char> isKept;               ///< joints that get a frame
  std::vector<int> frameOf;               ///< of each link, -1: it stands
  std::vector<Transform> frameFromLink;   ///< metres

  bool mayMove(int joint, int offset) const {
    return isActive[static_cast<std::size_t>(figure.joint(joint).stepIndex + offset)] != 0;
  }
  bool mayMove(int joint) const {
    for (int k = 0; k < stepSize(figure.joint(joint).type); ++k)
      if (mayMove(joint, k)) return true;
    return false;
  }

  std::string findFault() const {
    for (const Point& p : out.points_) {
      if (p.link < 0 || p.link >= figure.linkCount()) return "a point stands on no link of the figure";
      if (!p.pointInLink.allFinite() || !(p.weight >= 0.0 && std::isfinite(p.weight)))
        return "a point of link " + figure.link(p.link).name + " or its weight is not a number";
    }
    for (int i = 0; i < figure.linkCount(); ++i)
      if (std::string fault = faultOf(i); !fault.empty()) return fault;
    for (std::size_t k = 0; k < figure.couplings().size(); ++k) {
      const Coupling& coupling = figure.couplings()[k];
      if (!limits.couplingEnabled[k]) continue;
      for (const Coupling::Term& term : coupling.terms)
        if (mayMove(term.driver) && (bearsPoints(term.driver) || bearsPoints(coupling.follower)))
          return "joint " + figure.joint(coupling.follower).name + " follows others; the relaxation knows no couplings";
    }
    return {};
  }

  bool bearsPoints(int joint) const {
    return std::ranges::any_of(out.points_, [&](const Point& p) { return figure.isAncestorOrSelf(joint, p.link); });
  }

  std::string faultOf(int i) const {
    const Joint& joint = figure.joint(i);
    if (!isKept[static_cast<std::size_t>(i)]) return {};
    if (joint.type == JointType::Prismatic) return "joint " + joint.name + " slides; the relaxation only turns";
    if (joint.type != JointType::Free) return {};
    if (figure.link(i).parent >= 0)
      return "joint " + joint.name + " is free and no root; the relaxation frees roots only";
    const int shifts = mayMove(i, 0) + mayMove(i, 1) + mayMove(i, 2);
    const int turns = mayMove(i, 3) + mayMove(i, 4) + mayMove(i, 5);
    if (turns != 3 || (shifts != 0 && shifts != 3))
      return "joint " + joint.name + " may move in part; the relaxation turns it whole";
    return {};
  }

  /// A joint gets a frame when it may move a point: leaves first, with the points that are welded to each link.
  void findKept() {
    const auto count = static_cast<std::size_t>(figure.linkCount());
    std::vector<std::vector<Eigen::Vector3d>> welded(count);
    std::vector<char> bears(count, 0);
    isKept.assign(count, 0);
    for (const Point& p : out.points_)
      if (p.link >= 0 && p.link < figure.linkCount() && p.pointInLink.allFinite())
        welded[static_cast<std::size_t>(p.link)].push_back(p.pointInLink);
    for (int i = figure.linkCount() - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      isKept[at] = mayMove(i) && (bears[at] || movesOneOf(figure.joint(i), welded[at]));
      const int parent = figure.link(i).parent;
      if (parent < 0) continue;
      const auto above = static_cast<std::size_t>(parent);
      if (isKept[at] || bears[at]) bears[above] = 1;
      if (!isKept[at])
        for (const Eigen::Vector3d& p : welded[at]) welded[above].push_back(kinematics.parentFromLink[at] * p);
    }
  }

  bool movesOneOf(const Joint& joint, const std::vector<Eigen::Vector3d>& welded) const {
    const double least = kOnAxis * figure.meanLinkLength();
    return std::ranges::any_of(welded, [&](const Eigen::Vector3d& p) {
      if (joint.type == JointType::Revolute) return joint.axis.cross(p).norm() > least;
      return joint.type != JointType::Ball || p.norm() > least;
    });
  }

  void build() {
    const auto count = static_cast<std::size_t>(figure.linkCount());
    frameOf.assign(count, -1);
    frameFromLink.resize(count);
    for (int i = 0; i < figure.linkCount(); ++i) {
      const int parent = figure.link(i).parent;
      const Transform above = parent < 0 ? Transform() : frameFromLink[static_cast<std::size_t>(parent)];
      const int frameAbove = parent < 0 ? -1 : frameOf[static_cast<std::size_t>(parent)];
      const auto at = static_cast<std::size_t>(i);
      if (isKept[at]) {
        addFrame(i, frameAbove, above * figure.joint(i).parentFromJoint);
      } else {
        frameOf[at] = frameAbove;
        frameFromLink[at] = above * kinematics.parentFromLink[at];
      }
    }
    takePoints();
    scale();
    for (RelaxationFrame& frame : out.frames_) {
      if (frame.kind != RelaxationFrame::Kind::Hinge) makeTurning(frame);
      else makeHinge(frame.parent < 0 ? nullptr : &out.frames_[static_cast<std::size_t>(frame.parent)], frame);
    }
  }

  void addFrame(int link, int parent, const Transform& parentFromJoint) {
    const Joint& joint = figure.joint(link);
    RelaxationFrame frame;
    frame.parent = parent;
    frame.link = link;
    frame.linkFromFrame.setIdentity();
    Eigen::Vector3d place = parentFromJoint.translation;
    if (joint.type == JointType::Revolute) {
      frame.linkFromFrame = frameAround(joint.axis);
      takeLimits(limits.intervals[static_cast<std::size_t>(link)], frame);
    } else if (joint.type == JointType::Ball || !mayMove(link, 0)) {
      frame.kind = RelaxationFrame::Kind::Ball;
      if (joint.type == JointType::Ball && limits.balls[static_cast<std::size_t>(link)].isBounded())
        ++out.droppedLimits_;
      if (joint.type == JointType::Free) place = kinematics.worldFromLink[static_cast<std::size_t>(link)].translation;
    } else {
      frame.kind = RelaxationFrame::Kind::Free;
    }
    frame.tree = parent < 0 ? static_cast<int>(out.centres_.size())
                            : out.frames_[static_cast<std::size_t>(parent)].tree;
    if (parent < 0) {
      out.centres_.push_back(place);
      out.isShifting_.push_back(frame.kind == RelaxationFrame::Kind::Free);
      place.setZero();
    }
    frame.parentFromJoint.setIdentity();
    frame.parentFromJoint.topLeftCorner<3, 3>() = parentFromJoint.rotation * frame.linkFromFrame;
    frame.parentFromJoint.topRightCorner<3, 1>() = place;
    frameOf[static_cast<std::size_t>(link)] = static_cast<int>(out.frames_.size());
    frameFromLink[static_cast<std::size_t>(link)] = {frame.linkFromFrame.transpose(), Eigen::Vector3d::Zero()};
    out.frames_.push_back(std::move(frame));
  }

  static void takeLimits(const Interval& interval, RelaxationFrame& frame) {
    frame.half = std::numbers::pi;
    const double half = 0.5 * (interval.upper - interval.lower);
    if (!(half < std::numbers::pi)) return;
    frame.half = std::max(half, kNarrowest);
    frame.middle = interval.lower + half;
  }

  void takePoints() {
    for (std::size_t k = 0; k < out.points_.size(); ++k) {
      const Point& p = out.points_[k];
      const auto link = static_cast<std::size_t>(p.link);
      const Eigen::Vector3d place = frameFromLink[link] * p.pointInLink;
      const int frame = frameOf[link];
      out.treeOfPoint_.push_back(frame < 0 ? -1 : out.frames_[static_cast<std::size_t>(frame)].tree);
      out.standingPlaces_.push_back(place);
      if (frame >= 0)
        out.frames_[static_cast<std::size_t>(frame)].points.push_back({static_cast<int>(k), place.homogeneous()});
    }
  }

  /// Lengths in units of half the reach: the unknowns are then of one size.
  void scale() {
    std::vector<double> reaches;
    double reach = 0.0;
    for (const RelaxationFrame& frame : out.frames_) {
      const double above = frame.parent < 0 ? 0.0 : reaches[static_cast<std::size_t>(frame.parent)];
      reaches.push_back(above + frame.parentFromJoint.topRightCorner<3, 1>().norm());
      for (const RelaxationFrame::Point& p : frame.points)
        reach = std::max(reach, reaches.back() + p.place.head<3>().norm());
    }
    out.length_ = reach > 0.0 ? 0.5 * reach : figure.meanLinkLength();
    out.reach_ = reach / out.length_;
    for (RelaxationFrame& frame : out.frames_) {
      frame.parentFromJoint.topRightCorner<3, 1>() /= out.length_;
      for (RelaxationFrame::Point& p : frame.points) p.place.head<3>() /= out.length_;
    }
  }
};

Relaxation::Relaxation(const Figure& figure, const Limits& limits, std::span<const char> isActive, const Pose& around,
                       std::vector<Point> points, RelaxationForm form)
    : form_(form), points_(std::move(points)) {
  if (!isValid(figure, around)) {
    fault_ = "the pose is not finite";
    return;
  }
  Builder builder{*this, figure, limits, isActive, {}, {}, {}, {}};
  computeTransforms(figure, around, builder.kinematics);
  builder.findKept();
  fault_ = builder.findFault();
  if (!fault_.empty()) return;
  builder.build();
  if (frames_.empty()) fault_ = "no joint that may turn moves an observed point";
  isSeen_.assign(centres_.size(), 0);
  targets_.assign(points_.size(), Eigen::Vector3d::Zero());
  weights_.assign(points_.size(), 0.0);
}

bool Relaxation::setTargets(std::span<const Eigen::Vector3d> targets) {
  double sum = 0.0;
  for (std::size_t k = 0; k < points_.size(); ++k)
    if (targets[k].allFinite()) sum += points_[k].weight;
  if (!(sum > 0.0)) return false;
  std::vector<Eigen::Vector3d> means(centres_.size(), Eigen::Vector3d::Zero());
  std::vector<double> seen(centres_.size(), 0.0);
  standing_ = 0.0;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    weights_[k] = targets[k].allFinite() ? points_[k].weight / sum : 0.0;
    if (weights_[k] == 0.0) continue;
    if (treeOfPoint_[k] < 0) {
      standing_ += weights_[k] * (targets[k] - standingPlaces_[k]).squaredNorm() / (length_ * length_);
      continue;
    }
    const auto tree = static_cast<std::size_t>(treeOfPoint_[k]);
    means[tree] += weights_[k] * targets[k];
    seen[tree] += weights_[k];
  }
  for (std::size_t tree = 0; tree < centres_.size(); ++tree) {
    isSeen_[tree] = seen[tree] > 0.0;
    if (isShifting_[tree] && isSeen_[tree]) centres_[tree] = means[tree] / seen[tree];
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const bool isUsed = weights_[k] > 0.0 && treeOfPoint_[k] >= 0;
    targets_[k].setZero();
    if (isUsed) targets_[k] = (targets[k] - centres_[static_cast<std::size_t>(treeOfPoint_[k])]) / length_;
  }
  return true;
}

}  // namespace limber
