// SPDX-License-Identifier: MIT
// The Figure: an immutable tree of links, each attached to its parent by one joint.
//
//   world -- joint 0 -- link 0 -- joint 1 -- link 1 ...
//
// Joint i connects link i to its parent (or to the world), so links and joints share one index. Links are in
// topological order: a parent's index is less than its child's. FigureBuilder builds a figure; after that it is only
// read, by any number of threads.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/lazy.h"
#include "limber/kinematics/motion_table.h"

namespace limber {

enum class JointType { Fixed, Revolute, Prismatic, Ball, Free };

/// Coordinates of a joint in a pose: 0 fixed, 1 revolute and prismatic, 4 ball (quaternion x y z w), 7 free
/// (translation, quaternion).
int poseSize(JointType type);
/// Coordinates of a joint in a step (tangent vector): 0 fixed, 1 revolute and prismatic, 3 ball, 6 free (translation,
/// rotation).
int stepSize(JointType type);
/// "fixed", "revolute", "prismatic", "ball", "free": the words used in files and panels.
std::string_view jointTypeName(JointType type);

/// A closed interval, unbounded by default. Radians for revolute joints, metres for prismatic ones.
struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  bool isBounded() const {
    return lower > -std::numeric_limits<double>::infinity() || upper < std::numeric_limits<double>::infinity();
  }
  bool operator==(const Interval&) const = default;
};

/// Limits on swing and twist of a ball joint. With u = coneAxis (joint frame), t = twistAxis (link frame), R the
/// joint's rotation and R0 the shortest rotation from t to u:  R R0^-1 = swing * twist,  the twist about u, the swing
/// about an axis normal to it. The swing angle is the angle between u and R t; the twist angle lies in (-pi, pi].
struct BallLimits {
  Eigen::Vector3d coneAxis = Eigen::Vector3d::UnitY();   ///< unit, joint frame: the middle of the cone
  Eigen::Vector3d twistAxis = Eigen::Vector3d::UnitY();  ///< unit, link frame: usually along the bone
  double swing = std::numbers::pi;                       ///< half the cone's opening angle, radians; no limit at pi
  Interval twist = {};                                   ///< radians, within [-pi, pi]

  bool isBounded() const { return swing < std::numbers::pi || twist.isBounded(); }
  bool operator==(const BallLimits&) const = default;
};

struct Joint {
  std::string name = {};
  JointType type = JointType::Fixed;
  Transform parentFromJoint = {};                   ///< frame of the joint in the parent link (or the world)
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit, in the joint frame; revolute and prismatic only
  Interval limits = {};                             ///< revolute and prismatic only
  BallLimits ballLimits = {};                       ///< ball only
  /// The largest speed of a revolute or prismatic joint, radians or metres per second, > 0. VelocityStep keeps it.
  double velocityLimit = std::numeric_limits<double>::infinity();
  double rigidity = 0.0;           ///< authored resistance to motion, [0, 1]; 1 locks the joint
  bool locked = false;             ///< authored: IK does not move it unless the user unlocks it
  bool translationLocked = false;  ///< free joints: IK may rotate but not translate it
  bool freed = false;              ///< free joints: fixed in the figure's file; see freeBase

  int poseIndex = 0;  ///< of its first coordinate in a Pose; set by FigureBuilder::build
  int stepIndex = 0;  ///< of its first coordinate in a step; set by FigureBuilder::build
};

/// True for a joint with one coordinate.
inline bool isScalar(const Joint& joint) {
  return joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
}
/// True for a joint whose coordinates hold a quaternion.
inline bool hasRotation(const Joint& joint) { return joint.type == JointType::Ball || joint.type == JointType::Free; }
/// Angles and lengths of a joint, which stand before its rotation in pose and step.
inline int scalarCount(const Joint& joint) { return joint.type == JointType::Free ? 3 : isScalar(joint) ? 1 : 0; }

/// A capsule in the link frame, metres; a sphere if both ends are equal.
struct Capsule {
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  Eigen::Vector3d end = Eigen::Vector3d::Zero();
  double radius = 0.0;
};

/// Volume of a cylinder with two half balls, cubic metres.
double volumeOf(const Capsule& capsule);

struct Link {
  std::string name = {};
  int parent = -1;                                         ///< index of the parent link, -1 for the world
  double mass = 0.0;                                       ///< kilograms
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();  ///< link frame, metres
  std::vector<Capsule> capsules = {};                      ///< for drawing, picking and collision; may be empty
  std::string bone = {};  ///< the link's bone in VRM, such as "leftUpperArm"; empty for none
};

/// A named point and frame on a link: an end effector, a marker, a tool.
struct Site {
  std::string name = {};
  int link = 0;
  Transform linkFromSite = {};
};

/// A follower joint, whose coordinates are a function of those of other joints, its drivers. A driver is no follower.
///
///   scalar follower   q = offset + sum over terms of c1 x + c2 x^2 + c3 x^3 + c4 x^4,  where x is the coordinate of a
///                     scalar driver, or Pointing::x of a ball joint
///   ball follower     R = R_driver; it has one term, of which only the driver is used
struct Coupling {
  /// x = axis . (R bone): the cosine of the angle between an axis and the turned bone.
  struct Pointing {
    Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< unit, joint frame
    Eigen::Vector3d bone = Eigen::Vector3d::UnitY();  ///< unit, link frame
    bool operator==(const Pointing&) const = default;
  };
  struct Term {
    int driver = 0;                                     ///< joint
    std::array<double, 4> coefficients = {0, 0, 0, 0};  ///< c1 to c4
    std::optional<Pointing> pointing = {};              ///< for a ball joint that drives a scalar one
    bool operator==(const Term&) const = default;
  };
  std::string name = {};  ///< of its group of couplings, which share it: "torso"
  int follower = 0;       ///< joint
  double offset = 0.0;
  std::vector<Term> terms = {};
  bool operator==(const Coupling&) const = default;
};

/// bounds.lower <= sum a_j q_j <= bounds.upper  over scalar joints: such as one side of a polygon of shoulder angles.
/// Equal bounds make an equality.
struct LinearLimit {
  struct Term {
    int joint = 0;
    double coefficient = 0.0;
    bool operator==(const Term&) const = default;
  };
  std::string name = {};
  std::vector<Term> terms = {};
  Interval bounds = {};
  bool operator==(const LinearLimit&) const = default;
};

/// A closed kinematic loop: a frame on one link and a frame on another one, which no joint of the tree connects, meet.
/// kinematics/loops.h has its equations.
struct LoopClosure {
  enum class Kind {
    Ball,   ///< the origins coincide
    Hinge,  ///< the origins and the z axes coincide
    Weld,   ///< the frames coincide
  };
  std::string name = {};
  Kind kind = Kind::Ball;
  int link = 0;
  Transform linkFromLoop = {};
  int other = -1;  ///< link; -1 for the world
  Transform otherFromLoop = {};
  bool operator==(const LoopClosure&) const = default;
};

/// "ball", "hinge", "weld": the words used in files.
std::string_view loopKindName(LoopClosure::Kind kind);
/// Nothing if no kind has this name.
std::optional<LoopClosure::Kind> findLoopKind(std::string_view name);

/// Unit, axes and origin of the figure's file, which forward kinematics, problem files and exports use.
struct FileFrame {
  double metresPerUnit = 1.0;
  Eigen::Matrix3d sceneFromFile = Eigen::Matrix3d::Identity();
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the file, in the scene, metres

  /// Converts a point between the file's axes and unit and the scene's.
  Eigen::Vector3d toScene(const Eigen::Vector3d& point) const {
    return metresPerUnit * (sceneFromFile * point) + origin;
  }
  Eigen::Vector3d toFile(const Eigen::Vector3d& point) const {
    return sceneFromFile.transpose() * (point - origin) / metresPerUnit;
  }
  /// Converts a place and the axes of a body there. The axes remain those of the body.
  Transform toScene(const Transform& place) const {
    return {sceneFromFile * place.rotation, toScene(place.translation)};
  }
  Transform toFile(const Transform& place) const {
    return {sceneFromFile.transpose() * place.rotation, toFile(place.translation)};
  }
};

/// The axes, origin and unit of length in which places in the world are taken and given.
enum class Axes {
  File,   ///< those of the figure's file: z up for URDF, centimetres for most BVH. Without a file those of the figure
  Scene,  ///< y up, metres
};

class Figure {
 public:
  const std::string& name() const { return name_; }
  int linkCount() const { return static_cast<int>(links_.size()); }
  const Link& link(int i) const { return links_[i]; }
  const Joint& joint(int i) const { return joints_[i]; }
  std::span<const Link> links() const { return links_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Site> sites() const { return sites_; }
  std::span<const Coupling> couplings() const { return couplings_; }
  std::span<const LinearLimit> linearLimits() const { return linearLimits_; }
  std::span<const LoopClosure> loops() const { return loops_; }
  std::span<const int> children(int link) const { return children_[link]; }

  /// The joints in the layout that inner loops read.
  const MotionTable& motionTable() const { return motionTable_; }

  int poseSize() const { return poseSize_; }  ///< coordinates of a pose
  int stepSize() const { return stepSize_; }  ///< coordinates of a step

  /// The authored pose, (poseSize x 1), with unit quaternions.
  const Eigen::VectorXd& restPose() const { return restPose_; }

  /// Mean length of all links of nonzero length, metres; 1 if there are none. The objective's unit of length.
  double meanLinkLength() const { return meanLinkLength_; }
  /// Distance from the link's origin to its farthest child joint, or, for a leaf, to its farthest site or capsule end.
  /// Metres.
  double linkLength(int link) const { return linkLengths_[link]; }

  /// True if every joint turns about the world's z axis in the plane z = 0. A drag then stays in that plane.
  bool isPlanar() const { return isPlanar_; }

  const FileFrame& fileFrame() const { return fileFrame_; }
  /// The frame from which toScene() converts: that of the file, or the scene's own.
  FileFrame frameIn(Axes axes) const { return axes == Axes::File ? fileFrame_ : FileFrame{}; }

  /// True if the figure's file names bones.
  bool namesBones() const;
  /// The same figure with other names of bones, one per link.
  std::shared_ptr<const Figure> withBones(const std::vector<std::string>& bones) const;
  /// The same figure with another valid rest pose, (poseSize x 1), with unit quaternions.
  std::shared_ptr<const Figure> withRestPose(const Eigen::VectorXd& restPose) const;

  /// Index by name, -1 if there is none.
  int findLink(std::string_view name) const;
  int findJoint(std::string_view name) const;
  int findSite(std::string_view name) const;

  /// True if `ancestor` is `link` or one of its ancestors.
  bool isAncestorOrSelf(int ancestor, int link) const;

  /// True for a link whose free joint moves a whole body in the world: all joints above it are fixed. (A link above it
  /// may stand for the world, as in MuJoCo.) A free joint below another link with a locked translation is no free root.
  bool isFreeRoot(int link) const;
  /// The link or its ancestor that is a free root; -1 if there is none.
  int findFreeRootAbove(int link) const;

  /// The place where bodyMapOf() (body/body_map.h), which alone knows the type, keeps what it finds.
  const Lazy<std::shared_ptr<const void>>& bodyMap() const { return bodyMap_; }

 private:
  friend class FigureBuilder;
  std::string name_;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::vector<Site> sites_;
  std::vector<Coupling> couplings_;
  std::vector<LinearLimit> linearLimits_;
  std::vector<LoopClosure> loops_;
  std::vector<std::vector<int>> children_;
  std::vector<double> linkLengths_;
  MotionTable motionTable_;
  Eigen::VectorXd restPose_;
  FileFrame fileFrame_;
  double meanLinkLength_ = 1.0;
  int poseSize_ = 0;
  int stepSize_ = 0;
  bool isPlanar_ = false;
  Lazy<std::shared_ptr<const void>> bodyMap_;
};

}  // namespace limber
