// SPDX-License-Identifier: MIT
#include "limber/body/mirror.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kIsSymmetric = 1e-10;  // radians, metres: a pose with a smaller asymmetry is not changed
constexpr int kLimitRounds = 3;         // of limits on one side, then on the other

/// The mirror image of a turn. A rotation vector is an axial vector: it is reflected and changes its sign.
Eigen::Quaterniond turnAcross(const Eigen::Quaterniond& turn, const Eigen::Matrix3d& toOther) {
  const Eigen::Vector3d v = -(toOther * turn.vec());
  return {turn.w(), v.x(), v.y(), v.z()};
}

/// The free root with which the mirror moves; -1 for none.
int carrierOf(const Figure& figure, const Symmetry& symmetry) {
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.isFreeRoot(i)) return symmetry.partner[i] == i ? i : -1;
  return -1;
}

/// The rotation of a free root since rest: first `lean`, then `turn` about the upward direction within the plane.
struct Heading {
  Eigen::Matrix3d worldFromJoint;  ///< of the root's joint
  Eigen::Quaterniond rest;         ///< of the root's link, world
  Eigen::Quaterniond turn;         ///< about the vertical
  Eigen::Quaterniond lean;         ///< world now from world at rest = turn lean
};

Heading headingOf(const Figure& figure, const Symmetry& symmetry, const Pose& pose, int root) {
  Heading heading;
  heading.worldFromJoint = worldFromRootJoint(figure, root).rotation;
  const Eigen::Quaterniond base(heading.worldFromJoint);
  heading.rest = base * jointRotation(figure, symmetry.rest, root);
  const Eigen::Quaterniond moved = base * jointRotation(figure, pose, root) * heading.rest.conjugate();
  const Eigen::Vector3d& n = symmetry.normal;
  Eigen::Vector3d up = Eigen::Vector3d::UnitY() - n.y() * n;
  if (up.norm() < 1e-3) up = Eigen::Vector3d::UnitZ() - n.z() * n;
  up.normalize();
  const Eigen::Vector3d about = moved.vec().dot(up) * up;
  heading.turn = {moved.w(), about.x(), about.y(), about.z()};
  if (heading.turn.norm() < 1e-9) heading.turn = Eigen::Quaterniond::Identity();  // upside down: any turn is valid
  heading.turn.normalize();
  heading.lean = heading.turn.conjugate() * moved;
  return heading;
}

/// The rotation of the root in its joint with its heading and another lean.
Eigen::Quaterniond leaningOver(const Heading& heading, const Eigen::Quaterniond& lean) {
  return Eigen::Quaterniond(heading.worldFromJoint).conjugate() * heading.turn * lean * heading.rest;
}

/// Reads joint `from` of one pose and writes its image to its partner in another.
void writeImage(const Figure& figure, const Symmetry& symmetry, const Pose& pose, int from, Pose& out) {
  const int to = symmetry.partner[from];
  const Joint &source = figure.joint(from), &target = figure.joint(to);
  const Eigen::VectorXd& rest = symmetry.rest.coordinates;
  if (isScalar(source)) {
    const double turned = pose.coordinates[source.poseIndex] - rest[source.poseIndex];
    out.coordinates[target.poseIndex] = rest[target.poseIndex] + symmetry.sign[from] * turned;
    return;
  }
  if (!hasRotation(source)) return;
  const Eigen::Quaterniond turn =
      jointRotation(figure, symmetry.rest, from).conjugate() * jointRotation(figure, pose, from);
  setJointRotation(figure, to,
                   jointRotation(figure, symmetry.rest, to) * turnAcross(turn, symmetry.linkMirror[from].transpose()),
                   out);
  if (source.type != JointType::Free) return;
  const Eigen::Vector3d shift = pose.coordinates.segment<3>(source.poseIndex) - rest.segment<3>(source.poseIndex);
  out.coordinates.segment<3>(target.poseIndex) =
      rest.segment<3>(target.poseIndex) + symmetry.jointMirror[from].transpose() * shift;
}

/// A joint in the middle halfway to its own image.
void centreJoint(const Figure& figure, const Symmetry& symmetry, int i, bool isCarrier, Pose& pose) {
  const Joint& joint = figure.joint(i);
  if (isCarrier) {  // it does not move
    const Heading heading = headingOf(figure, symmetry, pose, i);
    Eigen::Quaterniond lean = heading.lean;
    lean.vec() = 0.5 * (lean.vec() + turnAcross(lean, Mirror{symmetry.normal}.linear()).vec());
    setJointRotation(figure, i, leaningOver(heading, lean.normalized()).normalized(), pose);
    return;
  }
  Pose image = pose;
  writeImage(figure, symmetry, pose, i, image);
  const int size = poseSize(joint.type);
  pose.coordinates.segment(joint.poseIndex, size) =
      0.5 * (pose.coordinates.segment(joint.poseIndex, size) + image.coordinates.segment(joint.poseIndex, size));
  if (!hasRotation(joint)) return;
  Eigen::Quaterniond middle = jointRotation(figure, pose, i);
  if (middle.norm() < 1e-6) middle = jointRotation(figure, symmetry.rest, i);  // half a turn apart: there is no middle
  setJointRotation(figure, i, middle.normalized(), pose);
}

/// Makes the middle and the other side from side `from`.
Pose madeFrom(const Figure& figure, const Symmetry& symmetry, BodySide from, Pose pose) {
  const int carrier = carrierOf(figure, symmetry);
  for (int i = 0; i < figure.linkCount(); ++i)
    if (symmetry.partner[i] == i) centreJoint(figure, symmetry, i, i == carrier, pose);
  return copiedAcross(figure, symmetry, pose, from);
}

/// The largest difference in a joint between two poses: the angle of the shortest turn, or a length or angle.
double jointDifference(const Figure& figure, const Pose& a, const Pose& b, int i) {
  const Joint& joint = figure.joint(i);
  const int size = poseSize(joint.type);
  if (size == 0) return 0.0;
  if (size == 1) return std::abs(a.coordinates[joint.poseIndex] - b.coordinates[joint.poseIndex]);
  const double turn = logarithm(jointRotation(figure, a, i).conjugate() * jointRotation(figure, b, i)).norm();
  if (joint.type != JointType::Free) return turn;
  return std::max(turn, (a.coordinates.segment<3>(joint.poseIndex) - b.coordinates.segment<3>(joint.poseIndex)).norm());
}

Eigen::Vector3d pointAcross(const Symmetry& symmetry, int link, const Eigen::Vector3d& pointInLink) {
  return symmetry.linkMirror[link].transpose() * pointInLink;
}

void mirrorFrame(const Eigen::Matrix3d& reflection, Eigen::Matrix3d& frame) {
  frame.col(0) = reflection * frame.col(0);
  frame.col(1) = reflection * frame.col(1);
  frame.col(2) = frame.col(0).cross(frame.col(1));  // right-handed again
}

}  // namespace

Mirror mirrorAt(const Figure& figure, const Symmetry& symmetry, const Pose& pose) {
  const int root = carrierOf(figure, symmetry);
  if (root < 0) return {symmetry.normal, symmetry.offset};
  const Heading heading = headingOf(figure, symmetry, pose, root);
  const Joint& joint = figure.joint(root);
  const Transform worldFromJoint = worldFromRootJoint(figure, root);
  const Eigen::Vector3d now = worldFromJoint * pose.coordinates.segment<3>(joint.poseIndex);
  const Eigen::Vector3d rest = worldFromJoint * symmetry.rest.coordinates.segment<3>(joint.poseIndex);
  const Eigen::Vector3d normal = heading.turn * symmetry.normal;
  return {normal, normal.dot(now) - (symmetry.normal.dot(rest) - symmetry.offset)};
}

Pose flipped(const Figure& figure, const Symmetry& symmetry, const Pose& pose) {
  Pose out = pose;
  const int carrier = carrierOf(figure, symmetry);
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (i == carrier) {
      const Heading heading = headingOf(figure, symmetry, pose, i);
      const Eigen::Quaterniond lean = turnAcross(heading.lean, Mirror{symmetry.normal}.linear());
      setJointRotation(figure, i, leaningOver(heading, lean), out);
    } else if (symmetry.partner[i] >= 0) {
      writeImage(figure, symmetry, pose, i, out);
    }
  }
  return out;
}

Pose copiedAcross(const Figure& figure, const Symmetry& symmetry, const Pose& pose, BodySide from) {
  Pose out = pose;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (symmetry.partner[i] >= 0 && symmetry.partner[i] != i && symmetry.side[i] == from)
      writeImage(figure, symmetry, pose, i, out);
  return out;
}

double asymmetry(const Figure& figure, const Symmetry& symmetry, const Pose& pose) {
  const Pose image = flipped(figure, symmetry, pose);
  double worst = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) worst = std::max(worst, jointDifference(figure, pose, image, i));
  return worst;
}

void makeSymmetric(const IkProblem& problem, const Symmetry& symmetry, BodySide from, Pose& pose) {
  const Figure& figure = *problem.figure;
  if (asymmetry(figure, symmetry, pose) <= kIsSymmetric) return;
  for (int round = 0; round < kLimitRounds; ++round) {
    Pose made = madeFrom(figure, symmetry, round % 2 == 0 ? from : otherSide(from), pose);
    Pose inside = made;
    clampToLimits(problem, inside);
    pose = inside;
    if (inside == made) return;
  }
}

void keepSymmetry(const Pose& before, IkProblem& problem) {
  const Figure& figure = *problem.figure;
  if (!problem.symmetry || before == problem.pose) return;
  const Symmetry& symmetry = *problem.symmetry;
  double changed[3] = {0.0, 0.0, 0.0};  // by side
  for (int i = 0; i < figure.linkCount(); ++i)
    changed[static_cast<int>(symmetry.side[i])] += jointDifference(figure, before, problem.pose, i);
  const double left = changed[static_cast<int>(BodySide::Left)], right = changed[static_cast<int>(BodySide::Right)];
  const BodySide from = right > left ? BodySide::Right : BodySide::Left;
  makeSymmetric(problem, symmetry, from, problem.pose);
}

bool mirrorGoal(const Figure& figure, const Symmetry& symmetry, const Mirror& mirror, GoalItem& goal) {
  const auto partnerOf = [&](int link) { return symmetry.partner[link]; };
  if (partnerOf(goal.link) < 0 || (goal.otherLink >= 0 && partnerOf(goal.otherLink) < 0)) return false;
  std::vector<int> chain = goal.chain;
  for (int& joint : chain) {
    if (partnerOf(joint) < 0) return false;
    joint = partnerOf(joint);
  }
  std::sort(chain.begin(), chain.end());
  goal.chain = std::move(chain);
  goal.pointInLink = pointAcross(symmetry, goal.link, goal.pointInLink);
  mirrorFrame(symmetry.linkMirror[goal.link].transpose(), goal.frameInLink);
  goal.link = partnerOf(goal.link);
  if (goal.otherLink >= 0) {
    goal.pointInOther = pointAcross(symmetry, goal.otherLink, goal.pointInOther);
    mirrorFrame(symmetry.linkMirror[goal.otherLink].transpose(), goal.frameInOther);
    goal.otherLink = partnerOf(goal.otherLink);
  }
  goal.target = mirror.imageOf(goal.target);
  mirrorFrame(mirror.linear(), goal.targetFrame);
  if (goal.kept.coordinates.size() == figure.poseSize()) goal.kept = flipped(figure, symmetry, goal.kept);
  return true;
}

std::vector<std::string> jointsThatDiffer(const Figure& figure, const Pose& a, const Pose& b) {
  constexpr double kRounding = 1e-9;
  std::vector<std::string> names;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (jointDifference(figure, a, b, i) > kRounding) names.push_back(figure.joint(i).name);
  return names;
}

}  // namespace limber
