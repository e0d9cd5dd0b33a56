// SPDX-License-Identifier: MIT
// A joint of UsdPhysics has a frame in each of its two bodies, F0 and F1, with  worldFromBody1 = worldFromBody0 F0 J
// F1^-1. With F1 = T R (rotation first), J F1^-1 = R^T (R J R^T) T^-1: the axes of J, turned by R, are those of the
// link, and a link on a fixed joint follows unless T is zero. The places of the bodies in the scene give the rest of J.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/usd/usda.h"
#include "limber/io/usd/usda_prims.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kAtUsdaOrigin = 1e-9;  // metres

struct UsdaJoint {
  const UsdaPrim* prim = nullptr;
  int parent = -1, child = 0;  ///< prims of bodies; -1 for the world
  Transform parentFromJoint = {}, childFromJoint = {};
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
};

class UsdaRobotReader : RobotReader {
 public:
  UsdaRobotReader(const UsdaScene& scene, const std::filesystem::path& path, const OpenContext& context)
      : RobotReader(context), scene_(scene), path_(path) {}

  Result<FigureSource> read() {
    begin(asUtf8(scene_.text().layer.text("defaultPrim", "")), path_);
    builder_.setFileFrame(scene_.frame());
    for (const UsdaPrim& prim : scene_.prims()) readJoint(prim);
    hangBodies();
    for (const int body : order_) addBody(body);
    readShapes();
    for (const UsdaJoint* joint : closing_) addLoop(*joint);
    Result<FigureSource> out = finish({SourceFormat::Urdf, path_, {}, {}});
    if (out) out->file = nullptr;  // nothing is written back
    return out;
  }

 private:
  [[noreturn]] static void fail(const UsdaPrim& prim, const std::string& cause) {
    throw Fault{"line " + std::to_string(prim.line) + ", " + printable(prim.path), cause};
  }

  /// The place of a body without its scale, metres, in the scene's axes; the identity for the world.
  Transform sceneFromBody(int body) const {
    if (body < 0) return {};
    const Eigen::Affine3d& world = scene_.worldFromPrim(body);
    return scene_.frame().toScene(Transform{rotationOf(world.linear()), world.translation()});
  }

  /// The frame of a joint in its body; in the scene's axes for the world.
  Transform frameIn(const UsdaPrim& joint, int body, const char* side) const {
    const auto place = joint.numbers(std::string("physics:localPos") + side, 3);
    const auto turn = joint.numbers(std::string("physics:localRot") + side, 4);
    const Eigen::Vector3d point = place ? Eigen::Vector3d(place->data()) : Eigen::Vector3d::Zero();
    if (!(point.cwiseAbs().maxCoeff() < 1e9)) fail(joint, "its frame is too far away");
    const Eigen::Matrix3d rotation =
        turn ? usdaQuaternion(turn->data()).toRotationMatrix() : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
    if (body < 0) return scene_.frame().toScene(Transform{rotation, point});
    const Eigen::Vector3d inScene = scene_.frame().toScene(Eigen::Vector3d(scene_.worldFromPrim(body) * point));
    return {rotation, sceneFromBody(body).inverse() * inScene};
  }

  void readJoint(const UsdaPrim& prim) {
    if (!prim.type.starts_with("Physics") || !prim.type.ends_with("Joint")) return;
    if (prim.number("physics:jointEnabled", 1.0) == 0.0) return;
    if (!isAmong(prim.type, "PhysicsRevoluteJoint PhysicsPrismaticJoint PhysicsSphericalJoint PhysicsFixedJoint")) {
      notes_.push_back("Joint " + inQuotes(prim.name) + " of type " + printable(prim.type) + " is left out.");
      return;
    }
    UsdaJoint joint{.prim = &prim};
    std::string side[2] = {"0", "1"};
    for (const std::string& which : side)
      if (const std::string body = prim.text("physics:body" + which, ""); !body.empty())
        if (scene_.target(prim, "physics:body" + which) < 0) fail(prim, "there is no prim " + inQuotes(body));
    joint.parent = scene_.target(prim, "physics:body0");
    joint.child = scene_.target(prim, "physics:body1");
    double sense = 1.0;
    if (joint.child < 0) {  // J^-1 turns about the opposite axis
      std::swap(joint.parent, joint.child);
      std::swap(side[0], side[1]);
      sense = -1.0;
    }
    if (joint.child < 0) fail(prim, "it joins no body");
    if (joint.child == joint.parent) fail(prim, "it joins a body to itself");
    joint.parentFromJoint = frameIn(prim, joint.parent, side[0].c_str());
    joint.childFromJoint = frameIn(prim, joint.child, side[1].c_str());
    const std::string axis = prim.text("physics:axis", "X");
    if (axis.size() != 1 || axis < "X" || axis > "Z") fail(prim, "there is no axis " + inQuotes(axis));
    joint.axis = sense * Eigen::Vector3d::Unit(axis[0] - 'X');
    joints_.push_back(std::move(joint));
  }

  /// Sorts the bodies, parents first. A further joint above a body closes a loop.
  void hangBodies() {
    std::map<int, std::vector<int>> below;
    std::set<int> bodies;
    for (const UsdaJoint& joint : joints_) {
      bodies.insert(joint.child);
      if (joint.parent >= 0) bodies.insert(joint.parent);
      const bool isOutside = joint.prim->number("physics:excludeFromArticulation", 0.0) != 0.0;
      if (isOutside || !jointAbove_.emplace(joint.child, &joint).second) closing_.push_back(&joint);
      else if (joint.parent >= 0) below[joint.parent].push_back(joint.child);
    }
    std::vector<int> open;
    for (auto body = bodies.rbegin(); body != bodies.rend(); ++body)
      if (const auto joint = jointAbove_.find(*body); joint == jointAbove_.end() || joint->second->parent < 0)
        open.push_back(*body);
    while (!open.empty()) {
      const int body = open.back();
      open.pop_back();
      order_.push_back(body);
      open.insert(open.end(), below[body].rbegin(), below[body].rend());
    }
    if (order_.size() < bodies.size()) {
      for (const int body : order_) bodies.erase(body);
      fail(scene_.prims()[*bodies.begin()], "bodies hang on one another in a cycle through it");
    }
    for (const int body : order_) linkNames_.insert(scene_.prims()[body].name);
  }

  void addBody(int body) {
    const UsdaPrim& prim = scene_.prims()[body];
    if (weight_.size() + 2 > kMaxRobotLinks) fail(prim, "there are more than 20000 links");
    Link link{.name = taken_.insert(prim.name).second ? prim.name : unusedName(prim.name, linkNames_)};
    Joint last;
    double rest = 0.0;
    Eigen::VectorXd restOfBall;
    const auto above = jointAbove_.find(body);
    if (above == jointAbove_.end()) {
      last.name = unusedName(prim.name, jointNames_);
      last.parentFromJoint = sceneFromBody(body);
    } else {
      const UsdaJoint& joint = *above->second;
      link.parent = joint.parent < 0 ? -1 : linkOf_.at(joint.parent);
      const Transform turn{joint.childFromJoint.rotation, Eigen::Vector3d::Zero()};
      last = movingJoint(joint, turn, rest, restOfBall);
      last.parentFromJoint = joint.parentFromJoint * turn.inverse();
      if (joint.childFromJoint.translation.norm() > kAtUsdaOrigin) {
        Link between{.name = unusedName(prim.name + "/" + last.name, linkNames_), .parent = link.parent};
        link.parent = addWithRest(std::move(between), std::exchange(last, {}), {}, rest, restOfBall);
        restOfBall.resize(0);
        rest = 0.0;
        last.name = unusedName(prim.name, jointNames_);
        last.parentFromJoint = Transform::fromTranslation(-joint.childFromJoint.translation);
      }
    }
    linkOf_[body] = addWithRest(std::move(link), std::move(last), weightOf(body), rest, restOfBall);
  }

  int addWithRest(Link link, Joint joint, const LinkWeight& weight, double rest, const Eigen::VectorXd& restOfBall) {
    const bool hasScalar = isScalar(joint);
    const int index = add(std::move(link), std::move(joint), weight, rest);
    if (restOfBall.size() > 0) builder_.setRest(index, restOfBall);
    if (hasScalar) builder_.setRest(index, Eigen::VectorXd::Constant(1, rest));
    return index;
  }

  Joint movingJoint(const UsdaJoint& joint, const Transform& turn, double& rest, Eigen::VectorXd& restOfBall) {
    const UsdaPrim& prim = *joint.prim;
    Joint out{.name = unusedName(prim.name, jointNames_)};
    const Transform motion = joint.parentFromJoint.inverse() * sceneFromBody(joint.parent).inverse() *
                             sceneFromBody(joint.child) * joint.childFromJoint;
    out.axis = turn.rotation * joint.axis;
    if (prim.type == "PhysicsRevoluteJoint") {
      out.type = JointType::Revolute;
      const Eigen::AngleAxisd angle(motion.rotation);
      rest = angle.angle() * angle.axis().dot(joint.axis);
      takeLimits(prim, std::numbers::pi / 180.0, out, rest);
    } else if (prim.type == "PhysicsPrismaticJoint") {
      out.type = JointType::Prismatic;
      rest = motion.translation.dot(joint.axis);
      takeLimits(prim, scene_.frame().metresPerUnit, out, rest);
    } else if (prim.type == "PhysicsSphericalJoint") {
      out.type = JointType::Ball;
      restOfBall = Eigen::Quaterniond(Eigen::Matrix3d(turn.rotation * motion.rotation * turn.rotation.transpose()))
                       .normalized()
                       .coeffs();
      if (prim.number("physics:coneAngle0Limit", -1.0) >= 0.0)
        notes_.push_back("The cone of joint " + inQuotes(prim.name) + " is left out.");
    }
    return out;
  }

  /// `unit`: radians per degree, or metres per unit of the file.
  void takeLimits(const UsdaPrim& prim, double unit, Joint& joint, double& rest) {
    const double lower = prim.number("physics:lowerLimit", -HUGE_VAL),
                 upper = prim.number("physics:upperLimit", HUGE_VAL);
    if (std::isnan(lower) || std::isnan(upper)) fail(prim, "a limit is not a number");
    if (lower > upper) {
      notes_.push_back("Joint " + inQuotes(prim.name) + " has a lower limit above the upper one: it is free of both.");
      return;
    }
    if (std::abs(lower * unit) < 1e6) joint.limits.lower = lower * unit;
    if (std::abs(upper * unit) < 1e6) joint.limits.upper = upper * unit;
    rest = std::clamp(rest, joint.limits.lower, joint.limits.upper);
  }

  LinkWeight weightOf(int body) const {
    const UsdaPrim& prim = scene_.prims()[body];
    LinkWeight weight{.mass = prim.number("physics:mass", 0.0)};
    if (!(weight.mass >= 0.0 && weight.mass < 1e9)) fail(prim, "its mass is negative, or not a number");
    if (const auto centre = prim.numbers("physics:centerOfMass", 3)) {
      const Eigen::Vector3d point(centre->data());
      if (point.cwiseAbs().maxCoeff() < 1e9)
        weight.centreOfMass =
            sceneFromBody(body).inverse() * scene_.frame().toScene(Eigen::Vector3d(scene_.worldFromPrim(body) * point));
    }
    return weight;
  }

  /// Capsules of the primitives below bodies.
  void readShapes() {
    for (int i = 0; i < static_cast<int>(scene_.prims().size()); ++i) {
      int body = i;
      while (body >= 0 && !linkOf_.contains(body)) body = scene_.prims()[body].parent;
      if (body >= 0) readShape(body, i, scene_.prims()[i]);
    }
  }

  void readShape(int body, int index, const UsdaPrim& prim) {
    const Eigen::Affine3d& world = scene_.worldFromPrim(index);
    const Eigen::Matrix3d rotation = rotationOf(world.linear());
    const Eigen::Vector3d scale =
        scene_.frame().metresPerUnit * (rotation.transpose() * world.linear()).diagonal().cwiseAbs();
    const std::string axis = prim.text("axis", "Z");
    RobotShape shape;
    if (prim.type == "Cube") {
      shape.type = ShapeType::Box;
      shape.size = 0.5 * prim.number("size", 2.0) * scale;
    } else if (prim.type == "Sphere") {
      shape.size = prim.number("radius", 1.0) * scale;
    } else if (prim.type == "Cylinder" || prim.type == "Capsule") {
      shape.type = prim.type == "Capsule" ? ShapeType::Capsule : ShapeType::Cylinder;
      const int along = axis == "X" ? 0 : axis == "Y" ? 1 : 2;
      const double radius = prim.number("radius", prim.type == "Capsule" ? 0.5 : 1.0) * scale[(along + 1) % 3];
      shape.size = {radius, radius, 0.5 * prim.number("height", prim.type == "Capsule" ? 1.0 : 2.0) * scale[along]};
    } else {
      return;
    }
    if (!(shape.size.cwiseAbs().maxCoeff() < 1e9)) fail(prim, "its size is not a number, or too large");
    shape.size = shape.size.cwiseAbs();
    const Eigen::Vector3d z = axis == "X"   ? Eigen::Vector3d::UnitX()
                              : axis == "Y" ? Eigen::Vector3d::UnitY()
                                            : Eigen::Vector3d::UnitZ();
    shape.linkFromShape =
        sceneFromBody(body).inverse() * scene_.frame().toScene(Transform{rotation, world.translation()});
    if (prim.type == "Cylinder" || prim.type == "Capsule")
      shape.linkFromShape.rotation *= shortestTurn(Eigen::Vector3d::UnitZ(), z).toRotationMatrix();
    addCapsule(shape, linkOf_.at(body));
  }

  void addLoop(const UsdaJoint& joint) {
    const UsdaPrim& prim = *joint.prim;
    LoopClosure loop{.name = prim.name, .kind = LoopClosure::Kind::Weld};
    Transform one = joint.parentFromJoint, two = joint.childFromJoint;
    if (prim.type == "PhysicsSphericalJoint") loop.kind = LoopClosure::Kind::Ball;
    if (prim.type == "PhysicsPrismaticJoint") {
      notes_.push_back("Joint " + inQuotes(prim.name) + " closes a loop and is left out, because it slides.");
      return;
    }
    if (prim.type == "PhysicsRevoluteJoint") {  // about the z axes
      loop.kind = LoopClosure::Kind::Hinge;
      const Eigen::Matrix3d toZ = shortestTurn(Eigen::Vector3d::UnitZ(), joint.axis).toRotationMatrix();
      one.rotation *= toZ;
      two.rotation *= toZ;
    }
    loop.link = linkOf_.at(joint.child);
    loop.linkFromLoop = two;
    loop.other = joint.parent < 0 ? -1 : linkOf_.at(joint.parent);
    loop.otherFromLoop = one;
    builder_.addLoop(std::move(loop));
  }

  const UsdaScene& scene_;
  const std::filesystem::path& path_;
  std::vector<UsdaJoint> joints_;
  std::map<int, const UsdaJoint*> jointAbove_;  ///< by body
  std::vector<const UsdaJoint*> closing_;
  std::vector<int> order_;
  std::map<int, int> linkOf_;    ///< by body
  std::set<std::string> taken_;  ///< names of bodies that a link has
};

}  // namespace

Result<FigureSource> readUsdaRobot(const UsdaScene& scene, const std::filesystem::path& path,
                                   const OpenContext& context) {
  return UsdaRobotReader(scene, path, context).read();
}

}  // namespace limber::io
