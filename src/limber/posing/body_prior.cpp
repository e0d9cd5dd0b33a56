// SPDX-License-Identifier: MIT
#include "limber/posing/body_prior.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/goals/coupled_rotations_goal.h"
#include "limber/goals/upright_goal.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/decompositions.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/rotation_logarithm.h"
#include "limber/solvers/convex/rigid_fit.h"

namespace limber {

namespace {

constexpr std::size_t kTellHeading = 3;  // places that determine the heading
constexpr double kStiff = 400.0;         // 1 / square radians: precision of joints between two parts, which hardly turn
constexpr double kLoosely = 33.0;        // 1 / square radians: precision of fingers, tails and hair, ten degrees
constexpr double kNoRow = 1e-9;          // relative to the largest: smaller singular values are dropped
constexpr int kHingeSweeps = 60;         // over the hinges of a row
constexpr double kHingeStep = 0.5;       // radians: the most that a hinge turns in one of them
constexpr double kHingeMoves = 1e-10;    // radians: sweeps end below this change
constexpr double kMostPlay = std::numbers::pi / 6.0;  // a ball joint whose axis swings by less is a hinge
constexpr double kAcross = 0.5;                       // sine of the angle from the bone to an axis that bends an elbow

bool isTrunk(BodyPart part) {
  return part == BodyPart::Spine || part == BodyPart::Chest || part == BodyPart::UpperChest;
}

int findPart(const BodyRoles& roles, BodyPart part, BodySide side) {
  return roles.find(part, isPaired(part) ? side : BodySide::Middle);
}

/// The prior of a part's joint, joined with those of the parts above that the figure does not have.
PriorJoint wholeJoint(const BodyRoles& roles, const PosePrior& prior, const BodyRole& role) {
  PriorJoint joint = prior.joint(role.part, role.side);
  for (BodyPart above = partAbove(role.part); above != BodyPart::Hips; above = partAbove(above)) {
    if (findPart(roles, above, role.side) >= 0) break;
    const bool isDoneBelow = isTrunk(above) && roles.find(BodyPart::Spine) >= 0;  // by the vertebra under it
    if (!isDoneBelow) joint = joined(prior.joint(above, role.side), joint);
  }
  if (isTrunk(role.part))
    for (const BodyPart next : {BodyPart::Chest, BodyPart::UpperChest})
      if (next > role.part && roles.find(next) < 0) joint = joined(joint, prior.joint(next, BodySide::Middle));
  return role.count > 1 ? divided(joint, role.count) : joint;
}

/// The precision of a coupling, split into those of its joints and rows that join them.
struct SplitCoupling {
  Eigen::Matrix3d parent, child;
  CoupledRotationsGoal::Rows rows;
};

SplitCoupling split(const Matrix6d& precision) {
  const Eigen::Matrix3d a = Eigen::LLT<Eigen::Matrix3d>(precision.topLeftCorner<3, 3>()).matrixL(),
                        b = Eigen::LLT<Eigen::Matrix3d>(precision.bottomRightCorner<3, 3>()).matrixL();
  const Eigen::Matrix3d across = a.inverse() * precision.topRightCorner<3, 3>() * b.inverse().transpose();
  const SingularValues svd = singularValuesOf(across);
  const Eigen::Matrix3d u = a * svd.u, v = b * svd.v;
  const Eigen::Vector3d rest = Eigen::Vector3d::Ones() - svd.values;
  SplitCoupling out;
  out.parent = u * rest.asDiagonal() * u.transpose();
  out.child = v * rest.asDiagonal() * v.transpose();
  const auto count = (svd.values.array() > kNoRow).count();
  out.rows.resize(count, 6);
  for (Eigen::Index i = 0; i < count; ++i)
    out.rows.row(i) << std::sqrt(svd.values[i]) * u.col(i).transpose(), std::sqrt(svd.values[i]) * v.col(i).transpose();
  return out;
}

Matrix6d precisionOf(const PosePrior::Coupling& coupling, BodySide side) {
  return side == BodySide::Right ? mirrored(coupling.precision) : coupling.precision;
}

class BodyPriorBuilder {
 public:
  BodyPriorBuilder(const IkProblem& problem, const PosePrior& prior, const BodyRoles& roles)
      : problem_(problem), figure_(*problem.figure), prior_(prior) {
    body_.roles = roles;
  }

  BodyPrior build() {
    body_.mean = restPose(figure_);
    body_.weights.assign(figure_.linkCount(), kLoosely);
    const int hips = body_.roles.find(BodyPart::Hips);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) turnToElbow(side);
    stiffenBetween();
    body_.root = figure_.findFreeRootAbove(hips);
    if (body_.root >= 0) body_.weights[body_.root] = 0.0;
    setTilt(hips);
    for (const PosePrior::Coupling& coupling : prior_.couplings)
      if (isWhole(coupling)) body_.couplings.push_back(coupling);
    for (const auto& [link, role] : body_.roles.links)
      if (role.part != BodyPart::Hips) setJoint(link, jointOf(role));
    Couplings(figure_, activeCouplings(problem_)).apply(body_.mean);
    return std::move(body_);
  }

 private:
  // ---- Elbows ----

  /// The axis of a joint that is a hinge by its type or limits, in the world at rest.
  std::optional<Eigen::Vector3d> hingeOf(int link) const {
    const Kinematics rest = transformsOf(figure_, restPose(figure_));
    const Eigen::Matrix3d joint = worldFromJoint(figure_, rest, link).rotation;
    if (figure_.joint(link).type == JointType::Revolute) return joint * figure_.joint(link).axis;
    const BallLimits& limits = problem_.joints[link].ballLimits;
    if (!hasRotation(figure_.joint(link)) || limits.swing > kMostPlay) return std::nullopt;
    return joint * limits.coneAxis;
  }

  /// The axis of an elbow that is a hinge differs between skeletons in the T-pose: in most it is vertical, in the
  /// prior's it is a third of a right angle away. This turns the frames of the arm about its bone until both agree, so
  /// that the elbow goes where that of a person does, and bends as the figure's can.
  void turnToElbow(BodySide side) {
    const int upper = body_.roles.find(BodyPart::UpperArm, side), lower = body_.roles.find(BodyPart::LowerArm, side);
    if (upper < 0 || lower < 0) return;
    const std::optional<Eigen::Vector3d> hinge = hingeOf(rowOf(lower).empty() ? lower : rowOf(lower).front());
    if (!hinge) return;
    const Kinematics rest = transformsOf(figure_, restPose(figure_));
    const auto acrossBone = [](const Eigen::Vector3d& axis) { return Eigen::Vector3d(0.0, axis.y(), axis.z()); };
    Eigen::Vector3d here = acrossBone((rest.worldFromLink[upper].rotation * frameOf(upper)).transpose() * *hinge);
    const Eigen::Vector3d wanted = acrossBone(logarithm(prior_.joint(BodyPart::LowerArm, side).mean));
    if (here.norm() < kAcross || wanted.norm() == 0.0) return;
    if (here.dot(wanted) < 0.0) here = -here;  // opposite direction
    const Eigen::Matrix3d back =
        Eigen::AngleAxisd(std::atan2(wanted.cross(here).x(), wanted.dot(here)), Eigen::Vector3d::UnitX())
            .toRotationMatrix();
    for (int link = 0; link < figure_.linkCount(); ++link)
      if (figure_.isAncestorOrSelf(upper, link)) body_.roles.linkFromTPose[link] *= back;
  }

  /// Makes joints between parts stiff.
  void stiffenBetween() {
    for (const auto& [part, role] : body_.roles.links)
      for (int link = part; link >= 0; link = figure_.link(link).parent) body_.weights[link] = kStiff;
  }

  void setTilt(int hips) {
    const PriorJoint joint = prior_.joint(BodyPart::Hips, BodySide::Middle);
    body_.hipsFromUpright = body_.roles.linkFromTPose[hips] * joint.mean.toRotationMatrix().transpose();
    const double x = joint.precision(0, 0), z = joint.precision(2, 2);
    body_.tilt = Eigen::Vector3d(x, std::min(x, z), z).cwiseSqrt();
  }

  /// True if the figure has both parts and each joint connects exactly these parts.
  bool isWhole(const PosePrior::Coupling& coupling) const {
    const auto has = [&](BodyPart part) {
      return body_.roles.find(part, BodySide::Left) >= 0 && body_.roles.find(part, BodySide::Right) >= 0;
    };
    return isPaired(coupling.parent) && isPaired(coupling.child) && has(coupling.parent) && has(coupling.child) &&
           partAbove(coupling.child) == coupling.parent &&
           (partAbove(coupling.parent) == BodyPart::Hips || has(partAbove(coupling.parent)));
  }

  PriorJoint jointOf(const BodyRole& role) const {
    PriorJoint joint = wholeJoint(body_.roles, prior_, role);
    for (const PosePrior::Coupling& coupling : body_.couplings) {
      if (role.part != coupling.parent && role.part != coupling.child) continue;
      const SplitCoupling shared = split(precisionOf(coupling, role.side));
      joint.precision = role.part == coupling.parent ? shared.parent : shared.child;
    }
    return joint;
  }

  void setJoint(int link, const PriorJoint& prior) {
    const Joint& joint = figure_.joint(link);
    if (figure_.link(link).parent < 0) return;  // a root has no part above it
    if (hasRotation(joint)) setBall(link, joint, prior);
    else if (joint.type == JointType::Revolute) setHinges(link, prior);
  }

  const Eigen::Matrix3d& frameOf(int link) const { return body_.roles.linkFromTPose[link]; }

  void setBall(int link, const Joint& joint, const PriorJoint& prior) {
    const Eigen::Matrix3d upperFromJoint =
        frameOf(figure_.link(link).parent).transpose() * joint.parentFromJoint.rotation;
    const Eigen::Matrix3d mean = prior.mean.toRotationMatrix();
    const Eigen::Matrix3d reference = upperFromJoint.transpose() * mean * frameOf(link).transpose();
    setJointRotation(figure_, link, Eigen::Quaterniond(reference).normalized(), body_.mean);
    const Eigen::Matrix3d upperFromReference = mean * frameOf(link).transpose();
    const int coordinate = joint.stepIndex + (joint.type == JointType::Free ? 3 : 0);
    body_.rotations.push_back({coordinate, upperFromReference.transpose() * prior.precision * upperFromReference});
  }

  // ---- Hinges in a row ----

  /// From the part above down to the link.
  std::vector<int> rowOf(int link) const {
    std::vector<int> row;
    for (int i = link; i >= 0 && figure_.joint(i).type == JointType::Revolute; i = figure_.link(i).parent) {
      if (i != link && body_.roles.links.contains(i)) break;
      row.push_back(i);
    }
    std::ranges::reverse(row);
    return row;
  }

  /// The rotation of the last link relative to the part above in the frames of the T-pose, and each hinge's axis there.
  struct Row {
    Eigen::Matrix3d rotation;
    std::vector<Eigen::Vector3d> axes;
  };
  Row rotationOf(const std::vector<int>& row) const {
    Row out;
    const int parent = figure_.link(row.front()).parent;
    out.rotation = parent < 0 ? Eigen::Matrix3d::Identity() : frameOf(parent).transpose().eval();
    for (const int link : row) {
      const Joint& joint = figure_.joint(link);
      out.rotation *= joint.parentFromJoint.rotation;
      out.axes.push_back(out.rotation * joint.axis);
      out.rotation *= Eigen::AngleAxisd(body_.mean.coordinates[joint.poseIndex], joint.axis).toRotationMatrix();
    }
    out.rotation *= frameOf(row.back());
    return out;
  }

  /// Turns one hinge after the other to its best angle within its limits, until none moves.
  void setHinges(int link, const PriorJoint& prior) {
    const std::vector<int> row = rowOf(link);
    double moved = 1.0;
    for (int sweep = 0; sweep < kHingeSweeps && moved > kHingeMoves; ++sweep) {
      moved = 0.0;
      for (std::size_t i = 0; i < row.size(); ++i) moved = std::max(moved, turnHinge(row, i, prior));
    }
    const Row at = rotationOf(row);
    for (std::size_t i = 0; i < row.size(); ++i) body_.weights[row[i]] = at.axes[i].dot(prior.precision * at.axes[i]);
  }

  double turnHinge(const std::vector<int>& row, std::size_t which, const PriorJoint& prior) {
    const Row now = rotationOf(row);
    const Eigen::Vector3d phi = logarithm(Eigen::Quaterniond(now.rotation) * prior.mean.conjugate());
    const Eigen::Vector3d slope = pulledBack(phi, now.axes[which]);  // d phi by the angle
    const double stiffness = slope.dot(prior.precision * slope);
    if (!(stiffness > 0.0)) return 0.0;
    const double step = std::clamp(-slope.dot(prior.precision * phi) / stiffness, -kHingeStep, kHingeStep);
    const int link = row[which];
    const Interval& limits = problem_.joints[link].limits;
    double& angle = body_.mean.coordinates[figure_.joint(link).poseIndex];
    const double before = angle;
    angle = std::clamp(angle + step, limits.lower, limits.upper);
    return std::abs(angle - before);
  }

  const IkProblem& problem_;
  const Figure& figure_;
  const PosePrior& prior_;
  BodyPrior body_;
};

/// The turn about the vertical that brings the points, taken about their middle, nearest to the targets.
double headingOf(const std::vector<PointPair>& pairs) {
  Eigen::Vector3d here = Eigen::Vector3d::Zero(), there = here;
  for (const PointPair& pair : pairs) {
    here += pair.here / static_cast<double>(pairs.size());
    there += pair.there / static_cast<double>(pairs.size());
  }
  double sine = 0.0, cosine = 0.0;
  for (const PointPair& pair : pairs) {
    const Eigen::Vector3d x = pair.here - here, y = pair.there - there;
    sine += x.z() * y.x() - x.x() * y.z();
    cosine += x.x() * y.x() + x.z() * y.z();
  }
  return std::atan2(sine, cosine);
}

Eigen::Matrix3d turnedBy(double heading) {
  return Eigen::AngleAxisd(heading, Eigen::Vector3d::UnitY()).toRotationMatrix();
}

/// The heading of the hips: the angle about the vertical.
double headingOf(const Figure& figure, const BodyPrior& body, const Pose& pose) {
  const Kinematics kinematics = transformsOf(figure, pose);
  const int hips = body.roles.find(BodyPart::Hips);
  const Eigen::Matrix3d world = kinematics.worldFromLink[hips].rotation * body.hipsFromUpright;
  const Eigen::Vector3d ahead = world.col(2), up = world.col(1);
  const Eigen::Vector3d shown = std::abs(ahead.y()) < 0.9 ? ahead : Eigen::Vector3d(ahead.y() > 0.0 ? -up : up);
  return std::atan2(shown.x(), shown.z());
}

void setRoot(const Figure& figure, const BodyPrior& body, const Eigen::Matrix3d& rotation,
             const Eigen::Vector3d& centre, const Eigen::Vector3d& place, Pose& pose) {
  const Kinematics kinematics = transformsOf(figure, pose);
  const Transform motion{rotation, place - rotation * centre};
  moveRoot(figure, body.root, kinematics.worldFromLink[body.root], motion, pose);
}

/// The mean pose, with locked joints as in `present`.
Pose meanWithLocks(const IkProblem& problem, const BodyPrior& body, const Pose& present) {
  const Figure& figure = *problem.figure;
  Pose pose = body.mean;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const JointSettings& settings = problem.joints[i];
    const Joint& joint = figure.joint(i);
    if (i == body.root || settings.locked || settings.rigidity >= 1.0)
      pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
          present.coordinates.segment(joint.poseIndex, poseSize(joint.type));
  }
  clampToLimits(problem, pose);
  return pose;
}

}  // namespace

std::optional<BodyPrior> findBodyPrior(const IkProblem& problem, const PosePrior& prior) {
  const std::optional<BodyRoles>& roles = bodyMapOf(*problem.figure).roles();
  if (!roles) return std::nullopt;
  return BodyPriorBuilder(problem, prior, *roles).build();
}

Regulariser regulariserOf(const Figure& figure, const BodyPrior& body, double weight) {
  std::vector<double> weights = body.weights;
  for (double& w : weights) w *= weight;
  Regulariser regulariser(figure, body.mean, weights);
  for (const BodyPrior::Rotation& rotation : body.rotations)
    regulariser.setRotationWeight(rotation.coordinate, weight * rotation.matrix);
  return regulariser;
}

std::vector<std::unique_ptr<Goal>> priorGoals(const BodyPrior& body, const PosePrior& prior, double weight) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(
      std::make_unique<UprightGoal>(body.roles.find(BodyPart::Hips), body.hipsFromUpright, body.tilt, weight));
  for (const PosePrior::Coupling& coupling : body.couplings)
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const auto part = [&](BodyPart which) {
        const int link = findPart(body.roles, which, side);
        return CoupledRotationsGoal::Part{link, body.roles.linkFromTPose[link]};
      };
      goals.push_back(std::make_unique<CoupledRotationsGoal>(
          std::array{part(partAbove(coupling.parent)), part(coupling.parent), part(coupling.child)},
          std::array{prior.joint(coupling.parent, side).mean, prior.joint(coupling.child, side).mean},
          split(precisionOf(coupling, side)).rows, weight));
    }
  return goals;
}

Pose priorStart(const IkProblem& problem, const BodyPrior& body, const Pose& present,
                const std::vector<WantedPlace>& wanted) {
  const Figure& figure = *problem.figure;
  // Points that determine the heading determine the place, too. The present root must then have no effect, not even by
  // rounding.
  const bool isTold = wanted.size() >= kTellHeading;
  Pose looking = present;
  if (isTold && body.root >= 0) {
    const Joint& root = figure.joint(body.root);
    looking.coordinates.segment(root.poseIndex, poseSize(root.type)) =
        body.mean.coordinates.segment(root.poseIndex, poseSize(root.type));
  }
  Pose pose = meanWithLocks(problem, body, looking);
  if (body.root < 0) return pose;
  // First upright, with the present heading.
  Kinematics kinematics = transformsOf(figure, pose);
  const Transform hips = kinematics.worldFromLink[body.roles.find(BodyPart::Hips)];
  const Eigen::Matrix3d upright =
      isTold ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : turnedBy(headingOf(figure, body, present));
  const Eigen::Matrix3d turn = upright * (hips.rotation * body.hipsFromUpright).transpose();
  setRoot(figure, body, turn, hips.translation, hips.translation, pose);
  if (wanted.empty()) return pose;
  computeTransforms(figure, pose, kinematics);
  std::vector<PointPair> pairs;
  Eigen::Vector3d here = Eigen::Vector3d::Zero(), there = here;
  for (const WantedPlace& place : wanted) {
    pairs.push_back({1.0, kinematics.worldFromLink[place.link] * place.pointInLink, place.target});
    here += pairs.back().here / static_cast<double>(wanted.size());
    there += place.target / static_cast<double>(wanted.size());
  }
  setRoot(figure, body, turnedBy(isTold ? headingOf(pairs) : 0.0), here, there, pose);
  return pose;
}

}  // namespace limber
