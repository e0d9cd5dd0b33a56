// SPDX-License-Identifier: MIT
// A joint of an SDF file is at its own frame, which need not be at the origin of a link. A link that turns about
// another point than its origin gets a link LINK/JOINT above it, as in models of MuJoCo.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/sdf_model.h"
#include "limber/io/robot/xml.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kNoSdfLimit = 1e9;  // larger limits count as no limits
constexpr double kAtOrigin = 1e-9;   // metres

class SdfReader : RobotReader {
 public:
  SdfReader(const XmlFile& file, const OpenContext& context)
      : RobotReader(context), file_(file), model_(file, context) {}

  Result<FigureSource> read() {
    begin(model_.name(), file_.path());
    notes_ = model_.notes();
    for (const SdfLink& link : model_.links()) linkNames_.insert(link.name);
    for (const SdfJoint& joint : model_.joints()) jointNames_.insert(joint.name);
    hangLinks();
    linkOf_.assign(model_.links().size(), -1);
    for (const int link : sortLinks()) addLink(link);
    readMimics();
    addLoops();
    Result<FigureSource> out = finish({SourceFormat::Sdf, file_.path(), {}, {}});
    if (out) out->missing.insert(out->missing.end(), model_.missing().begin(), model_.missing().end());
    return out;
  }

 private:
  // -- the tree

  void hangLinks() {
    const std::size_t count = model_.links().size();
    jointAbove_.assign(count, -1);
    jointsBelow_.resize(count);
    for (std::size_t i = 0; i < model_.joints().size(); ++i) {
      const SdfJoint& joint = model_.joints()[i];
      int parent = model_.linkOf(joint.parent, joint.element), child = model_.linkOf(joint.child, joint.element);
      if (child < 0) std::swap(parent, child);  // a child of the world is its parent: see isTurnedRound
      if (child < 0) joint.element.fail("it joins the world to itself");
      if (child == parent) joint.element.fail("it joins a link to itself");
      if (jointAbove_[child] >= 0) {
        closing_.push_back(static_cast<int>(i));
        continue;
      }
      jointAbove_[child] = static_cast<int>(i);
      if (parent >= 0) jointsBelow_[parent].push_back(child);
    }
  }

  /// A further joint of a link that hangs on another one closes a loop.
  void addLoops() {
    for (const int i : closing_) {
      const SdfJoint& joint = model_.joints()[i];
      LoopClosure loop{.name = joint.name};
      const bool isHinge = joint.type == "revolute" || joint.type == "continuous";
      if (joint.type == "fixed") loop.kind = LoopClosure::Kind::Weld;
      else if (isHinge) loop.kind = LoopClosure::Kind::Hinge;
      else if (joint.type != "ball") {
        notes_.push_back("Joint " + inQuotes(joint.name) + " closes a loop and is left out, because it is of type " +
                         joint.type + ": the loop is open.");
        continue;
      }
      int parent = model_.linkOf(joint.parent, joint.element), child = model_.linkOf(joint.child, joint.element);
      if (child < 0) std::swap(parent, child);
      const Transform worldFromChild = model_.worldFromFrame(model_.links()[child].name, joint.element);
      Transform worldFromLoop = model_.worldFromFrame(joint.name, joint.element);
      if (isHinge) {
        const XmlElement axis = joint.element.needChild("axis");
        const Eigen::Vector3d inChild = readAxis(joint, axis, worldFromChild, worldFromChild.inverse() * worldFromLoop);
        worldFromLoop.rotation =
            shortestTurn(Eigen::Vector3d::UnitZ(), worldFromChild.rotation * inChild).toRotationMatrix();
        if (readLimits(joint, axis).isBounded())
          notes_.push_back("Joint " + inQuotes(joint.name) + " closes a loop: its limits are left out.");
      }
      Transform worldFromParent;
      if (parent >= 0) worldFromParent = model_.worldFromFrame(model_.links()[parent].name, joint.element);
      setSides(loop, {parent < 0 ? -1 : linkOf_[parent], worldFromParent.inverse() * worldFromLoop},
               {linkOf_[child], worldFromChild.inverse() * worldFromLoop});
      builder_.addLoop(std::move(loop));
    }
  }

  int parentOf(int link) const {
    if (jointAbove_[link] < 0) return -1;
    const SdfJoint& joint = model_.joints()[jointAbove_[link]];
    return isTurnedRound(joint) ? -1 : model_.linkOf(joint.parent, joint.element);
  }

  /// True for a joint whose child is the world: its parent moves instead, the other way.
  bool isTurnedRound(const SdfJoint& joint) const { return model_.linkOf(joint.child, joint.element) < 0; }

  /// The links, parents first.
  std::vector<int> sortLinks() const {
    std::vector<int> order, open;
    for (int i = static_cast<int>(jointAbove_.size()); i-- > 0;)
      if (parentOf(i) < 0) open.push_back(i);
    while (!open.empty()) {
      const int link = open.back();
      open.pop_back();
      order.push_back(link);
      open.insert(open.end(), jointsBelow_[link].rbegin(), jointsBelow_[link].rend());
    }
    if (order.size() < jointAbove_.size()) {
      std::vector<char> isReached(jointAbove_.size(), 0);
      for (const int link : order) isReached[link] = 1;
      const auto lost = std::ranges::find(isReached, 0) - isReached.begin();
      model_.links()[lost].element.fail("links hang on one another in a cycle through it");
    }
    return order;
  }

  void addLink(int index) {
    const SdfLink& sdf = model_.links()[index];
    const Transform& worldFromLink = model_.worldFromFrame(sdf.name, sdf.element);
    const int parent = parentOf(index);
    Link link;
    link.name = sdf.name;
    link.parent = parent < 0 ? -1 : linkOf_[parent];
    Transform worldFromParent;
    if (parent >= 0) worldFromParent = model_.worldFromFrame(model_.links()[parent].name, sdf.element);
    else worldFromParent.rotation = zUpFrame().sceneFromFile.transpose();
    const Transform parentFromLink = worldFromParent.inverse() * worldFromLink;
    const int joint = jointAbove_[index];
    Joint bottom;
    if (joint < 0) {
      bottom.name = unusedName(sdf.name, jointNames_);
      bottom.parentFromJoint = parentFromLink;
    } else {
      bottom = addJoints(model_.joints()[joint], link, parentFromLink, worldFromLink);
    }
    linkOf_[index] = add(std::move(link), std::move(bottom), readWeight(sdf.element));
    readShapes(sdf, linkOf_[index]);
  }

  // -- joints

  /// Returns the joint of the link itself, and adds links for those above it: all but the last of several axes, or all
  /// if the joint is away from the link's origin.
  Joint addJoints(const SdfJoint& sdf, Link& link, const Transform& parentFromLink, const Transform& worldFromLink) {
    const Transform linkFromJoint = worldFromLink.inverse() * model_.worldFromFrame(sdf.name, sdf.element);
    std::vector<Joint> joints = readJoint(sdf, worldFromLink, linkFromJoint);
    if (isTurnedRound(sdf)) {  // (A1 A2)^-1 = A2^-1 A1^-1, and a turn back is one about the opposite axis
      std::ranges::reverse(joints);
      for (Joint& joint : joints)
        if (isScalar(joint)) joint.axis = -joint.axis;
    }
    const Eigen::Vector3d anchor = linkFromJoint.translation;
    const bool isAway = !isAtOrigin(joints, anchor);
    Transform place = parentFromLink;  // of the next joint, in the link above
    if (isAway) place.translation += place.rotation * anchor;
    const std::size_t above = isAway ? joints.size() : joints.size() - 1;
    for (std::size_t i = 0; i < above; ++i) {
      joints[i].parentFromJoint = std::exchange(place, Transform());
      const std::string joint = joints[i].name;
      Link between;
      between.name = unusedName(link.name + "/" + joint, linkNames_);
      between.parent = link.parent;
      link.parent = jointIndex_[joint] = add(std::move(between), std::move(joints[i]), {});
    }
    Joint last;
    if (isAway) {
      last.name = unusedName(link.name, jointNames_);
      place.translation = -anchor;
    } else {
      last = std::move(joints.back());
      jointIndex_[last.name] = static_cast<int>(weight_.size());  // the link is added next
    }
    last.parentFromJoint = place;
    return last;
  }

  /// True when joints at `anchor` move the link as they would at its origin.
  static bool isAtOrigin(const std::vector<Joint>& joints, const Eigen::Vector3d& anchor) {
    return std::ranges::all_of(joints, [&](const Joint& joint) {
      if (joint.type == JointType::Ball) return anchor.norm() < kAtOrigin;
      return joint.type != JointType::Revolute || anchor.cross(joint.axis).norm() < kAtOrigin;
    });
  }

  /// One joint, or two of a universal joint; their axes are in the link's frame.
  std::vector<Joint> readJoint(const SdfJoint& sdf, const Transform& worldFromLink, const Transform& linkFromJoint) {
    Joint joint;
    joint.name = sdf.name;
    if (sdf.type == "fixed") return {joint};
    if (sdf.type == "ball") {
      joint.type = JointType::Ball;
      return {joint};
    }
    const bool isPair = sdf.type == "universal" || sdf.type == "revolute2";
    if (sdf.type == "prismatic") joint.type = JointType::Prismatic;
    else joint.type = JointType::Revolute;
    if (sdf.type == "screw" || sdf.type == "gearbox")
      notes_.push_back("Joint " + inQuotes(sdf.name) + " of type " + sdf.type + " became a hinge.");
    else if (!isPair && sdf.type != "revolute" && sdf.type != "continuous" && sdf.type != "prismatic")
      sdf.element.fail("there is no joint of type " + inQuotes(sdf.type));
    std::vector<Joint> joints(isPair ? 2 : 1, joint);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const XmlElement axis = sdf.element.needChild(i == 0 ? "axis" : "axis2");
      joints[i].axis = readAxis(sdf, axis, worldFromLink, linkFromJoint);
      if (sdf.type != "continuous") joints[i].limits = readLimits(sdf, axis);
      joints[i].velocityLimit = readVelocityLimit(axis);
      if (isPair) joints[i].name = unusedName(sdf.name + (i == 0 ? "_1" : "_2"), jointNames_);
    }
    return joints;
  }

  Eigen::Vector3d readAxis(const SdfJoint& sdf, const XmlElement& axis, const Transform& worldFromLink,
                           const Transform& linkFromJoint) {
    const Eigen::Vector3d written = sdfVector(axis, "xyz", Eigen::Vector3d::UnitZ());
    if (written.norm() < 1e-9) sdf.element.fail("its axis is zero");
    const auto xyz = axis.child("xyz");
    const std::string_view in = xyz ? xyz->find("expressed_in").value_or("") : "";
    const auto old = axis.child("use_parent_model_frame");
    const bool isInModel = old ? old->text() == "1" || old->text() == "true" : sdf.hasModelAxes;
    Eigen::Vector3d inLink = linkFromJoint.rotation * written;
    if (!in.empty() || isInModel) {
      const std::string frame = in.empty() ? sdf.model : model_.frameIn(sdf.model, in);
      inLink = worldFromLink.rotation.transpose() * (model_.worldFromFrame(frame, axis).rotation * written);
    }
    return inLink.normalized();
  }

  Interval readLimits(const SdfJoint& sdf, const XmlElement& axis) {
    const auto limit = axis.child("limit");
    if (!limit) return {};
    const auto bound = [&](const char* name, double none) {
      const auto found = limit->child(name);
      if (!found || lowerCase(found->text()).find("inf") != std::string::npos) return none;
      const double value = numberAt(*found);
      return std::abs(value) > kNoSdfLimit ? none : value;
    };
    Interval limits{bound("lower", Interval{}.lower), bound("upper", Interval{}.upper)};
    if (limits.lower <= limits.upper) return limits;
    notes_.push_back("The limits of joint " + inQuotes(sdf.name) +
                     " have the lower one above the upper one: they are swapped.");
    return {limits.upper, limits.lower};
  }

  /// Radians or metres per second; zero and less, which SDF has for "no limit", give none.
  static double readVelocityLimit(const XmlElement& axis) {
    const auto limit = axis.child("limit");
    const auto velocity = limit ? limit->child("velocity") : std::nullopt;
    const auto numbers = velocity ? parseNumbers(velocity->text()) : std::nullopt;
    const double value = numbers && numbers->size() == 1 ? numbers->front() : 0.0;
    return value > 0.0 && value < kNoSdfLimit ? value : std::numeric_limits<double>::infinity();
  }

  static double numberAt(const XmlElement& element) {
    const auto numbers = parseNumbers(element.text());
    if (!numbers || numbers->size() != 1) element.fail(inQuotes(element.text()) + " must be one finite number");
    return (*numbers)[0];
  }

  /// follower = multiplier * (leader - reference) + offset
  void readMimics() {
    std::vector<FollowRule> rules;
    std::vector<const SdfJoint*> sources;
    for (const SdfJoint& joint : model_.joints()) {
      const auto axis = joint.element.child("axis");
      const auto mimic = axis ? axis->child("mimic") : std::nullopt;
      const auto follower = jointIndex_.find(joint.name);
      if (!mimic || follower == jointIndex_.end()) continue;
      const auto driver = jointIndex_.find(model_.frameIn(joint.model, mimic->need("joint")));
      if (driver == jointIndex_.end()) mimic->fail("there is no joint " + inQuotes(mimic->need("joint")));
      const double multiplier = sdfNumber(*mimic, "multiplier", 1.0);
      const double offset = sdfNumber(*mimic, "offset", 0.0) - multiplier * sdfNumber(*mimic, "reference", 0.0);
      rules.push_back({follower->second, driver->second, {offset, multiplier, 0, 0, 0}});
      sources.push_back(&joint);
    }
    for (const FollowFault& fault : addFollowRules(rules, rest_, builder_)) {
      if (fault.kind == FollowFault::Kind::Cycle)
        sources[fault.rule]->element.fail("joints mimic one another in a cycle");
      notes_.push_back(describe(fault, rules, builder_));
    }
  }

  // -- contents of links

  static LinkWeight readWeight(const XmlElement& link) {
    const auto inertial = link.child("inertial");
    if (!inertial) return {};
    const LinkWeight weight{sdfNumber(*inertial, "mass", 1.0), sdfPose(*inertial).translation};
    if (weight.mass < 0.0) inertial->fail("its mass is negative");
    return weight;
  }

  void readShapes(const SdfLink& sdf, int link) {
    std::vector<RobotShape> visuals, collisions;
    const std::size_t meshes = meshes_.size();
    for (const XmlElement& visual : sdf.element.children("visual")) readShape(sdf, visual, link, true, visuals);
    const bool isDrawn = !visuals.empty() || meshes_.size() > meshes;
    for (const XmlElement& collision : sdf.element.children("collision"))
      readShape(sdf, collision, link, !isDrawn, collisions);
    for (const RobotShape& shape : isDrawn ? visuals : collisions) addSurface(shape, link, skin_);
    for (const RobotShape& shape : collisions.empty() ? visuals : collisions) addCapsule(shape, link);
  }

  /// Adds what a <visual> or <collision> holds; one that cannot be read is left out, since the robot moves without it.
  void readShape(const SdfLink& sdf, const XmlElement& element, int link, bool takesMesh,
                 std::vector<RobotShape>& shapes) {
    try {
      const auto geometry = element.child("geometry");
      if (!geometry) return;
      // Poses may be relative to frames, though they seldom are.
      Transform linkFromShape = sdfPose(element);
      if (const auto pose = element.child("pose"))
        if (const auto to = pose->find("relative_to"); to && !to->empty())
          linkFromShape = model_.worldFromFrame(sdf.name, element).inverse() *
                          model_.worldFromFrame(model_.frameIn(sdf.model, *to), element) * linkFromShape;
      if (const auto mesh = geometry->child("mesh")) {
        if (takesMesh && meshes_.size() < kMaxDrawnShapes) addMesh(element, *mesh, link, linkFromShape);
      } else if (auto shape = primitiveOf(*geometry, linkFromShape)) {
        shape->color = colorOf(element);
        shapes.push_back(*shape);
      }
    } catch (const Error& fault) {
      noteLeftOut("A " + std::string(element.name()) + " of link " + inQuotes(sdf.name), fault);
    }
  }

  static double sizeIn(const XmlElement& element, const char* name) {
    const double size = numberAt(element.needChild(name));
    if (size < 0.0 || size > kMaxXmlNumber) element.fail(std::string(name) + " is negative or larger than 1e9");
    return size;
  }

  static Eigen::Vector3d longSizeIn(const XmlElement& element) {
    const double radius = sizeIn(element, "radius"), length = sizeIn(element, "length");
    return {radius, radius, 0.5 * length};
  }

  static std::optional<RobotShape> primitiveOf(const XmlElement& geometry, const Transform& linkFromShape) {
    RobotShape shape{.linkFromShape = linkFromShape};
    if (const auto box = geometry.child("box")) {
      shape.type = ShapeType::Box;
      shape.size = 0.5 * sdfVector(*box, "size", Eigen::Vector3d::Ones());
    } else if (const auto sphere = geometry.child("sphere")) {
      shape.size.setConstant(sizeIn(*sphere, "radius"));
    } else if (const auto ellipsoid = geometry.child("ellipsoid")) {
      shape.type = ShapeType::Ellipsoid;
      shape.size = sdfVector(*ellipsoid, "radii", Eigen::Vector3d::Ones());
    } else if (const auto cylinder = geometry.child("cylinder")) {
      shape.type = ShapeType::Cylinder;
      shape.size = longSizeIn(*cylinder);
    } else if (const auto capsule = geometry.child("capsule")) {
      shape.type = ShapeType::Capsule;
      shape.size = longSizeIn(*capsule);
    } else {
      return std::nullopt;
    }
    if (shape.size.minCoeff() < 0.0) geometry.fail("a size is negative");
    return shape;
  }

  void addMesh(const XmlElement& element, const XmlElement& mesh, int link, const Transform& linkFromMesh) {
    MeshReference reference;
    reference.link = link;
    reference.linkFromMesh = linkFromMesh;
    reference.scale = sdfVector(mesh, "scale", Eigen::Vector3d::Ones());
    reference.color = colorOf(element);
    reference.written = mesh.needChild("uri").text();
    if (reference.written.empty()) mesh.fail("its uri is empty");
    if (element.file() != file_.path()) reference.path = resolveMesh(reference.written, element.file(), context_);
    meshes_.push_back(std::move(reference));
  }

  static std::optional<Eigen::Vector4f> colorOf(const XmlElement& visual) {
    const auto material = visual.child("material");
    const auto diffuse = material ? material->child("diffuse") : std::nullopt;
    const auto numbers = diffuse ? parseNumbers(diffuse->text()) : std::nullopt;
    if (!numbers || numbers->size() < 3) return std::nullopt;
    return Eigen::Vector4d((*numbers)[0], (*numbers)[1], (*numbers)[2], numbers->size() > 3 ? (*numbers)[3] : 1.0)
        .cast<float>();
  }

  const XmlFile& file_;
  SdfModel model_;
  std::vector<int> jointAbove_;                ///< by link of the file; -1 for none
  std::vector<std::vector<int>> jointsBelow_;  ///< the links below, by link of the file
  std::vector<int> linkOf_;                    ///< link of the figure by link of the file
  std::vector<int> closing_;                   ///< joints that close loops
};

}  // namespace

bool looksLikeSdf(std::string_view text) { return firstXmlElement(text) == "sdf"; }

Result<FigureSource> readSdf(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading robot")) return Error{path.string(), "", std::string(kCancelled)};
  return faultsAsErrors<FigureSource>(path.string(), [&] {
    const XmlFile file(text, path);
    if (file.root().name() != "sdf") file.root().fail("the first element is not <sdf>: this is not SDF");
    return SdfReader(file, context).read();
  });
}

}  // namespace limber::io
