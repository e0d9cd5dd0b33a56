// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/relaxation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/solvers/convex/facial_reduction.h"

namespace limber {

namespace {

constexpr double kNarrowest = std::numbers::pi / 180.0;  // half-width: narrower, the interior is nearly empty
constexpr double kOnAxis = 1e-9;  // mean link lengths: a point nearer to an axis does not move about it

Eigen::Matrix3d frameAround(const Eigen::Vector3d& axis) {
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  Eigen::Matrix3d frame;
  frame.col(0) = axis;
  frame.col(1) = axis.cross(Eigen::Vector3d::Unit(least)).normalized();
  frame.col(2) = axis.cross(frame.col(1));
  return frame;
}

/// parent: null if the hinge is on the fixed base.
void makeHinge(RelaxationForm form, double distance, const RelaxationFrame* parent, RelaxationFrame& frame) {
  const int state = stateSize(form), u = state + kOwnU, w = state + kOwnW;
  const bool isLinear = form == RelaxationForm::Hull;
  const bool hasHull = isLinear && parent;
  const bool isPair = hasHull && parent->kind == RelaxationFrame::Kind::Hinge;
  frame.unknowns = isPair ? 26 : hasHull ? 22 : isLinear ? 10 : 8;
  frame.bound.setOnes(frame.unknowns);
  if (isLinear) frame.bound.segment<2>(kOwnPb).setConstant(distance);
  frame.places = {0, 1,  2,  u,       u + 1,          u + 2,          w,       w + 1, w + 2,
                  9, 10, 11, kLocalH, state + kOwnPb, state + kOwnPc, kLocalG, 3,     4,
                  5, 6,  7,  8,       state + kOwnC,  state + kOwnS};
  frame.blocks.push_back(hasHull ? makeHull(state) : makeRotationBlock(frame.places));
  if (parent) frame.blocks.push_back(makeHingeGram(state, isLinear));
  if (frame.half < std::numbers::pi)
    frame.blocks.push_back(hasHull ? makeArc(state, frame.middle, frame.half)
                                   : makeChord(state, frame.middle, frame.half));
  if (!isPair) return;
  frame.blocks.push_back(makePairGram(state, frame.parentFromJoint.topLeftCorner<3, 3>()));
  frame.blocks.push_back(makePair(state));
  if (frame.half < std::numbers::pi) frame.blocks.push_back(makePairArc(state, false, frame.middle, frame.half));
  if (parent->half < std::numbers::pi) frame.blocks.push_back(makePairArc(state, true, parent->middle, parent->half));
}

/// bearsHinge: the Gram matrix of a child hinge contains that of this frame.
void makeTurning(RelaxationForm form, double distance, bool bearsHinge, RelaxationFrame& frame) {
  const int state = stateSize(form);
  const bool isLinear = form == RelaxationForm::Hull, isFree = frame.kind == RelaxationFrame::Kind::Free;
  for (int i = 0; i < stateSize(form); ++i) frame.places[i] = i;
  const auto take = [&](int first, int count) {
    for (int i = first; i < first + count; ++i) frame.places[i] = state + frame.unknowns++;
  };
  take(0, isFree ? 12 : 9);
  if (isLinear) take(12, isFree ? 4 : 3);
  frame.bound.setConstant(frame.unknowns, distance);
  frame.bound.head<9>().setOnes();
  if (isLinear && isFree) frame.bound[15] = distance * distance;
  frame.blocks.push_back(makeRotationBlock(frame.places));
  if (isLinear && !bearsHinge) frame.blocks.push_back(makeFrameGram(frame.places));
}

}  // namespace

struct Relaxation::Builder {
  Relaxation& out;
  const Figure& figure;
  const Limits& limits;
  std::span<const char> isActive;
  const Pose& around;
  Kinematics kinematics;
  std::vector<char> isKept;              ///< joints that get a frame
  std::vector<int> frameOf;              ///< of each link, -1 if it is fixed
  std::vector<Transform> frameFromLink;  ///< metres
  std::vector<double> distances;         ///< largest distance of each frame from its root; scaled by scale()

  bool mayMove(int joint, int offset) const { return isActive[figure.joint(joint).stepIndex + offset] != 0; }
  bool mayMove(int joint) const {
    for (int k = 0; k < stepSize(figure.joint(joint).type); ++k)
      if (mayMove(joint, k)) return true;
    return false;
  }

  std::string findFault() const {
    for (const Point& p : out.points_) {
      if (p.link < 0 || p.link >= figure.linkCount()) return "a point is on no link of the figure";
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
    return std::any_of(out.points_.begin(), out.points_.end(),
                       [&](const Point& p) { return figure.isAncestorOrSelf(joint, p.link); });
  }

  std::string faultOf(int i) const {
    const Joint& joint = figure.joint(i);
    if (!isKept[i]) return {};
    if (joint.type == JointType::Prismatic)
      return "joint " + joint.name + " slides; the relaxation does not support sliding joints";
    if (joint.type != JointType::Free) return {};
    if (!figure.isFreeRoot(i))
      return "joint " + joint.name + " is free but not a root; the relaxation supports free roots only";
    const int shifts = mayMove(i, 0) + mayMove(i, 1) + mayMove(i, 2);
    const int turns = mayMove(i, 3) + mayMove(i, 4) + mayMove(i, 5);
    if (turns != 3 || (shifts != 0 && shifts != 3))
      return "joint " + joint.name + " is locked in part; the relaxation moves all of its coordinates or none";
    return {};
  }

  /// Gives a frame to each joint that can move a point: leaves first, with the points fixed to each link.
  void findKept() {
    const auto count = static_cast<std::size_t>(figure.linkCount());
    std::vector<std::vector<Eigen::Vector3d>> welded(count);
    std::vector<char> bears(count, 0);
    isKept.assign(count, 0);
    for (const Point& p : out.points_)
      if (p.link >= 0 && p.link < figure.linkCount() && p.pointInLink.allFinite())
        welded[p.link].push_back(p.pointInLink);
    for (int i = figure.linkCount() - 1; i >= 0; --i) {
      isKept[i] = mayMove(i) && (bears[i] || movesOneOf(figure.joint(i), welded[i]));
      const int parent = figure.link(i).parent;
      if (parent < 0) continue;
      if (isKept[i] || bears[i]) bears[parent] = 1;
      if (!isKept[i])
        for (const Eigen::Vector3d& p : welded[i]) welded[parent].push_back(kinematics.parentFromLink[i] * p);
    }
  }

  bool movesOneOf(const Joint& joint, const std::vector<Eigen::Vector3d>& welded) const {
    const double least = kOnAxis * figure.meanLinkLength();
    return std::any_of(welded.begin(), welded.end(), [&](const Eigen::Vector3d& p) {
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
      const Transform above = parent < 0 ? Transform() : frameFromLink[parent];
      const int frameAbove = parent < 0 ? -1 : frameOf[parent];
      if (isKept[i]) {
        addFrame(i, frameAbove, above * figure.joint(i).parentFromJoint);
      } else {
        frameOf[i] = frameAbove;
        frameFromLink[i] = above * kinematics.parentFromLink[i];
      }
    }
    takePoints();
    scale();
    for (std::size_t i = 0; i < out.frames_.size(); ++i) {
      RelaxationFrame& frame = out.frames_[i];
      const bool isShifting = out.isShifting_[frame.tree] != 0;
      const double distance = distances[i] + (isShifting ? out.reach_ : 0.0);
      const RelaxationFrame* parent = frame.parent < 0 ? nullptr : &out.frames_[frame.parent];
      if (frame.kind == RelaxationFrame::Kind::Hinge) makeHinge(out.form_, distance, parent, frame);
      else makeTurning(out.form_, distance, bearsHinge(static_cast<int>(i)), frame);
    }
    reduceFrames(out.frames_, out.form_);
  }

  bool bearsHinge(int frame) const {
    return std::any_of(out.frames_.begin(), out.frames_.end(), [&](const RelaxationFrame& f) {
      return f.parent == frame && f.kind == RelaxationFrame::Kind::Hinge;
    });
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
      frame.middle = around.coordinates[joint.poseIndex];
      frame.half = std::numbers::pi;
      takeLimits(limits.intervals[link], frame);
    } else if (joint.type == JointType::Ball || !mayMove(link, 0)) {
      frame.kind = RelaxationFrame::Kind::Ball;
      if (joint.type == JointType::Ball && limits.balls[link].isBounded()) ++out.droppedLimits_;
      if (joint.type == JointType::Free) place = kinematics.worldFromLink[link].translation;
    } else {
      frame.kind = RelaxationFrame::Kind::Free;
    }
    frame.tree = parent < 0 ? static_cast<int>(out.centres_.size()) : out.frames_[parent].tree;
    if (parent < 0) {
      out.centres_.push_back(place);
      out.isShifting_.push_back(frame.kind == RelaxationFrame::Kind::Free);
      place.setZero();
    }
    frame.parentFromJoint.setIdentity();
    frame.parentFromJoint.topLeftCorner<3, 3>() = parentFromJoint.rotation * frame.linkFromFrame;
    frame.parentFromJoint.topRightCorner<3, 1>() = place;
    frameOf[link] = static_cast<int>(out.frames_.size());
    frameFromLink[link] = {frame.linkFromFrame.transpose(), Eigen::Vector3d::Zero()};
    out.frames_.push_back(std::move(frame));
  }

  /// The middle of a hinge without limits is its current angle.
  static void takeLimits(const Interval& interval, RelaxationFrame& frame) {
    const double half = 0.5 * (interval.upper - interval.lower);
    if (!(half < std::numbers::pi)) return;
    frame.half = std::max(half, kNarrowest);
    frame.middle = interval.lower + half;
  }

  void takePoints() {
    for (std::size_t k = 0; k < out.points_.size(); ++k) {
      const Point& p = out.points_[k];
      const Eigen::Vector3d place = frameFromLink[p.link] * p.pointInLink;
      const int frame = frameOf[p.link];
      out.treeOfPoint_.push_back(frame < 0 ? -1 : out.frames_[frame].tree);
      out.standingPlaces_.push_back(place);
      if (frame >= 0) out.frames_[frame].points.push_back({static_cast<int>(k), place.homogeneous()});
    }
  }

  /// Scales lengths by half the reach, so that all unknowns have similar sizes.
  void scale() {
    double reach = 0.0;
    for (const RelaxationFrame& frame : out.frames_) {
      const double above = frame.parent < 0 ? 0.0 : distances[frame.parent];
      distances.push_back(above + frame.parentFromJoint.topRightCorner<3, 1>().norm());
      for (const RelaxationFrame::Point& p : frame.points)
        reach = std::max(reach, distances.back() + p.place.head<3>().norm());
    }
    out.length_ = reach > 0.0 ? 0.5 * reach : figure.meanLinkLength();
    out.reach_ = reach / out.length_;
    for (RelaxationFrame& frame : out.frames_) {
      frame.parentFromJoint.topRightCorner<3, 1>() /= out.length_;
      for (RelaxationFrame::Point& p : frame.points) p.place.head<3>() /= out.length_;
    }
    for (double& distance : distances) distance /= out.length_;
  }
};

Relaxation::Relaxation(const Figure& figure, const Limits& limits, std::span<const char> isActive, const Pose& around,
                       std::vector<Point> points, RelaxationForm form)
    : form_(form), points_(std::move(points)) {
  if (!isValid(figure, around)) {
    fault_ = "the pose is not finite";
    return;
  }
  Builder builder{*this, figure, limits, isActive, around, {}, {}, {}, {}, {}};
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
    if (isUsed) targets_[k] = (targets[k] - centres_[treeOfPoint_[k]]) / length_;
  }
  return true;
}

}  // namespace limber
