// SPDX-License-Identifier: MIT
// The Figure: an immutable tree of links, each hung on its parent by one joint.
//
//   world -- joint 0 -- link 0 -- joint 1 -- link 1 ...
//
// Joint i connects link i to its parent (or to the world), so links and joints share one index. Links stand in
// topological order: a parent's index is below its child's. Built by FigureBuilder, then only read.
#pragma once

#include <array>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/motion_table.h"

namespace limber {

enum class JointType { Fixed, Revolute, Prismatic, Ball, Free };

/// Numbers in a pose: revolute and prismatic 1; ball 4 (quaternion x y z w); free 7 (translation, quaternion).
int poseSize(JointType type);
/// Numbers in a step (tangent vector): 0, 1, 1, 3, 6. Free: translation first, then rotation.
int stepSize(JointType type);
/// "fixed", "revolute", "prismatic", "ball", "free": the words used in files and panels.
std::string_view jointTypeName(JointType type);

/// Closed interval; unbounded by default. Radians for revolute, metres for prismatic joints.
struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  bool isBounded() const { return lower > -std::numeric_limits<double>::infinity() ||
                                  upper < std::numeric_limits<double>::infinity(); }
  bool operator==(const Interval&) const = default;
};

/// How far a ball joint may swing and twist. With u = coneAxis (joint frame), t = twistAxis (link frame), R the joint's
/// rotation and R0 the shortest turn from t to u:  R R0^-1 = swing * twist,  the twist about u, the swing about an axis
/// across it. The swing angle is the angle between u and R t; the twist angle lies in (-pi, pi].
struct BallLimits {
  Eigen::Vector3d coneAxis = Eigen::Vector3d::UnitY();   ///< unit: where the twist axis points at the cone's middle
  Eigen::Vector3d twistAxis = Eigen::Vector3d::UnitY();  ///< unit, in the link frame: usually along the bone
  double swing = std::numbers::pi;                       ///< half opening of the cone, radians; free at pi
  Interval twist;                                        ///< radians, within [-pi, pi]

  bool isBounded() const { return swing < std::numbers::pi || twist.isBounded(); }
  bool operator==(const BallLimits&) const = default;
};

struct Joint {
  std::string name;
  JointType type = JointType::Fixed;
  Transform parentFromJoint;                            ///< where the joint stands in the parent link (or the world)
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();      ///< unit, in the joint frame; revolute and prismatic only
  Interval limits;                                      ///< revolute and prismatic only
  BallLimits ballLimits;                                ///< ball only
  double rigidity = 0.0;                                ///< authored resistance in [0, 1]; 1 locks
  bool locked = false;                                  ///< authored lock: IK may not move it (a user may unlock it)
  bool translationLocked = false;                       ///< free joints: IK may turn but not shift it
  bool freed = false;                                   ///< free joints: fixed in the figure's file (freeBase)

  int poseIndex = 0;  ///< first of its numbers in a Pose; filled by FigureBuilder::build
  int stepIndex = 0;  ///< first of its numbers in a step; filled by FigureBuilder::build
};

/// One number, between limits.
inline bool isScalar(const Joint& joint) {
  return joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
}
/// With a quaternion in its pose.
inline bool hasRotation(const Joint& joint) {
  return joint.type == JointType::Ball || joint.type == JointType::Free;
}

/// A segment with a radius, in the link frame. Equal ends make a sphere.
struct Capsule {
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  Eigen::Vector3d end = Eigen::Vector3d::Zero();
  double radius = 0.0;  ///< metres
};

struct Link {
  std::string name;
  int parent = -1;  ///< index of the parent link, -1 for the world
  double mass = 0.0;                                           ///< kilograms
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();      ///< in the link frame
  std::vector<Capsule> capsules;                               ///< drawing, picking, collision; may be empty
};

/// A named point and frame on a link: an end effector, a marker, a tool.
struct Site {
  std::string name;
  int link = 0;
  Transform linkFromSite;
};

/// A joint that follows others. A driver follows nothing itself.
///
///   scalar   q = offset + sum over terms of c1 x + c2 x^2 + c3 x^3 + c4 x^4,  with x the driver's coordinate, or, of a
///            ball joint that drives, how far its bone points along an axis
///   ball     it turns as one other ball does, R = R_driver: of its only term the driver alone counts
struct Coupling {
  /// x = axis . (R bone), in [-1, 1]: the cosine of the angle between them.
  struct Pointing {
    Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< unit, in the ball joint's frame
    Eigen::Vector3d bone = Eigen::Vector3d::UnitY();  ///< unit, in its link
    bool operator==(const Pointing&) const = default;
  };
  struct Term {
    int driver = 0;                                      ///< joint
    std::array<double, 4> coefficients = {0, 0, 0, 0};   ///< c1 to c4
    std::optional<Pointing> pointing = {};               ///< of a ball that drives a scalar
    bool operator==(const Term&) const = default;
  };
  std::string name;   ///< of the group it belongs to, shared by its couplings: "torso"
  int follower = 0;   ///< joint
  double offset = 0.0;
  std::vector<Term> terms;
  bool operator==(const Coupling&) const = default;
};

/// bounds.lower <= sum a_j q_j <= bounds.upper  over scalar joints: one side of a shoulder's polygon. Equal bounds make
/// an equality.
struct LinearLimit {
  struct Term {
    int joint = 0;
    double coefficient = 0.0;
    bool operator==(const Term&) const = default;
  };
  std::string name;
  std::vector<Term> terms;
  Interval bounds;
  bool operator==(const LinearLimit&) const = default;
};

/// How the figure's file measured, and from where: fk, problems and exports speak the file's own axes and units.
struct FileFrame {
  double metresPerUnit = 1.0;
  Eigen::Matrix3d sceneFromFile = Eigen::Matrix3d::Identity();
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< where the file's origin stands in the scene, metres

  /// A point of the file, in its axes and units, in the world; and back. The same for points in a link, whose axes are
  /// the file's when every rotation is zero.
  Eigen::Vector3d toScene(const Eigen::Vector3d& point) const {
    return metresPerUnit * (sceneFromFile * point) + origin;
  }
  Eigen::Vector3d toFile(const Eigen::Vector3d& point) const {
    return sceneFromFile.transpose() * (point - origin) / metresPerUnit;
  }
};

class Figure {
 public:
  const std::string& name() const { return name_; }
  int linkCount() const { return static_cast<int>(links_.size()); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  const Joint& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  std::span<const Link> links() const { return links_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Site> sites() const { return sites_; }
  std::span<const Coupling> couplings() const { return couplings_; }
  std::span<const LinearLimit> linearLimits() const { return linearLimits_; }
  std::span<const int> children(int link) const { return children_[static_cast<std::size_t>(link)]; }

  /// The joints as loops read them.
  const MotionTable& motionTable() const { return motionTable_; }

  int poseSize() const { return poseSize_; }  ///< numbers in a pose
  int stepSize() const { return stepSize_; }  ///< numbers in a step

  /// The authored pose: (poseSize x 1), quaternions unit.
  const Eigen::VectorXd& restPose() const { return restPose_; }

  /// Mean length of the links that have one, metres; 1 for a figure without extent. The objective's unit of length.
  double meanLinkLength() const { return meanLinkLength_; }
  /// From the link's origin to its farthest child joint; for a leaf to its farthest site or capsule end. Metres.
  double linkLength(int link) const { return linkLengths_[static_cast<std::size_t>(link)]; }

  /// True when every joint turns about the world's z axis in the plane z = 0: a drag then stays in that plane.
  bool isPlanar() const { return isPlanar_; }

  const FileFrame& fileFrame() const { return fileFrame_; }

  /// Index by name, -1 when there is none.
  int findLink(std::string_view name) const;
  int findJoint(std::string_view name) const;
  int findSite(std::string_view name) const;

  /// True when `ancestor` is `link` or above it.
  bool isAncestorOrSelf(int ancestor, int link) const;

  /// True for a link whose free joint moves all of a body in the world: nothing above it moves. Links above it stand for
  /// the world, as MuJoCo's does. A free joint below the root that may not shift moves one bone, and is none.
  bool isFreeRoot(int link) const;
  /// The link itself or the one above it that is a free root; -1 for none.
  int findFreeRootAbove(int link) const;

 private:
  friend class FigureBuilder;
  std::string name_;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::vector<Site> sites_;
  std::vector<Coupling> couplings_;
  std::vector<LinearLimit> linearLimits_;
  std::vector<std::vector<int>> children_;
  std::vector<double> linkLengths_;
  MotionTable motionTable_;
  Eigen::VectorXd restPose_;
  FileFrame fileFrame_;
  double meanLinkLength_ = 1.0;
  int poseSize_ = 0;
  int stepSize_ = 0;
  bool isPlanar_ = false;
};

}  // namespace limber
