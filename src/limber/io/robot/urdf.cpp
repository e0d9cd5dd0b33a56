// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/figure_formats.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/xacro.h"
#include "limber/io/robot/xml.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr double kNoLimit = 1e9;  // larger limits count as no limits

/// The transform of the element's own xyz and rpy.
Transform originAt(const XmlElement& origin) {
  const Eigen::Vector3d rpy = origin.vector3("rpy", Eigen::Vector3d::Zero());
  return {(Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
           Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
              .toRotationMatrix(),
          origin.vector3("xyz", Eigen::Vector3d::Zero())};
}

Transform originOf(const XmlElement& element) {
  const auto origin = element.child("origin");
  return origin ? originAt(*origin) : Transform();
}

struct UrdfJoint {
  XmlElement element;
  std::string name, type;
  int parent = 0, child = 0;
};

/// The tree of the file: links in file order with the joint above each.
struct UrdfTree {
  std::vector<XmlElement> links;
  std::vector<std::string> names;
  std::vector<UrdfJoint> joints;
  std::vector<int> jointAbove;                ///< by link, -1 for the root
  std::vector<std::vector<int>> jointsBelow;  ///< by link
  int root = -1;
};

std::string listOf(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i > 0 ? ", " : "") + inQuotes(names[i]);
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

void readLinks(const XmlElement& robot, UrdfTree& tree, std::unordered_map<std::string, int>& indexOf) {
  for (const XmlElement& link : robot.children("link")) {
    const std::string name = link.needName();
    if (tree.links.size() == kMaxRobotLinks)
      link.fail("there are more than " + std::to_string(kMaxRobotLinks) + " links");
    if (!indexOf.emplace(name, static_cast<int>(tree.links.size())).second) link.fail("two links have this name");
    tree.links.push_back(link);
    tree.names.push_back(name);
  }
  if (tree.links.empty()) robot.fail("there is no <link>");
  tree.jointAbove.assign(tree.links.size(), -1);
  tree.jointsBelow.resize(tree.links.size());
}

void readJoints(const XmlElement& robot, UrdfTree& tree, const std::unordered_map<std::string, int>& indexOf) {
  const auto linkOf = [&](const XmlElement& joint, const char* side) {
    const std::string name = joint.needChild(side).need("link");
    const auto found = indexOf.find(name);
    if (found == indexOf.end())
      joint.fail("its " + std::string(side) + " " + inQuotes(name) + " is not a link of this file");
    return found->second;
  };
  std::set<std::string> names;
  for (const XmlElement& element : robot.children("joint")) {
    UrdfJoint joint{element, element.needName(), element.need("type"), linkOf(element, "parent"),
                    linkOf(element, "child")};
    if (!names.insert(joint.name).second) element.fail("two joints have this name");
    const int index = static_cast<int>(tree.joints.size());
    int& above = tree.jointAbove[joint.child];
    if (above >= 0)
      element.fail("its child " + inQuotes(tree.names[joint.child]) + " hangs on joint " +
                   inQuotes(tree.joints[above].name) + " already");
    above = index;
    tree.jointsBelow[joint.parent].push_back(index);
    tree.joints.push_back(std::move(joint));
  }
}

void findRoot(const XmlElement& robot, UrdfTree& tree) {
  std::vector<std::string> roots;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.jointAbove[i] >= 0) continue;
    roots.push_back(tree.names[i]);
    tree.root = static_cast<int>(i);
  }
  if (roots.size() > 1)
    robot.fail(std::to_string(roots.size()) + " links have no parent, where only one may: " + listOf(roots));
  if (roots.empty()) robot.fail("every link hangs on another: there is a cycle through " + listOf(tree.names));
}

/// The links, parents first, siblings in file order.
std::vector<int> sortLinks(const XmlElement& robot, const UrdfTree& tree) {
  std::vector<int> order, open = {tree.root};
  std::vector<char> isReached(tree.links.size(), 0);
  while (!open.empty()) {
    const int link = open.back();
    open.pop_back();
    order.push_back(link);
    isReached[link] = 1;
    const auto& below = tree.jointsBelow[link];
    for (auto joint = below.rbegin(); joint != below.rend(); ++joint) open.push_back(tree.joints[*joint].child);
  }
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (!isReached[i]) lost.push_back(tree.names[i]);
  if (!lost.empty()) robot.fail("links hang on one another in a cycle: " + listOf(lost));
  return order;
}

UrdfTree readTree(const XmlElement& robot) {
  UrdfTree tree;
  std::unordered_map<std::string, int> indexOf;
  readLinks(robot, tree, indexOf);
  readJoints(robot, tree, indexOf);
  findRoot(robot, tree);
  return tree;
}

class UrdfReader : RobotReader {
 public:
  /// notes  from the expansion of xacro
  UrdfReader(std::string_view text, const XmlFile& file, const OpenContext& context, std::vector<std::string> notes)
      : RobotReader(context), text_(text), file_(file), robot_(file.root()), tree_(readTree(robot_)) {
    notes_ = std::move(notes);
  }

  Result<FigureSource> read() {
    begin(std::string(robot_.find("name").value_or("")), file_.path());
    readMaterials();
    linkOf_.assign(tree_.links.size(), -1);
    for (const std::string& name : tree_.names) linkNames_.insert(name);
    for (const UrdfJoint& joint : tree_.joints) jointNames_.insert(joint.name);
    for (const int link : sortLinks(robot_, tree_)) addLink(link);
    readMimics();
    readLoops();
    Result<FigureSource> out = finish({SourceFormat::Urdf, file_.path(), std::string(text_), {}});
    if (out) giveParts(readSrdfBeside(file_.path(), *out->figure, out->notes), *out);
    return out;
  }

 private:
  void readMaterials() {
    for (const XmlElement& material : robot_.children("material"))
      if (const auto color = colorOf(material); color && material.has("name")) colors_[material.need("name")] = *color;
  }

  /// The material's own colour; empty if it is missing or cannot be read.
  std::optional<Eigen::Vector4f> colorOf(const XmlElement& material) {
    const auto color = material.child("color");
    if (!color || !color->has("rgba")) return std::nullopt;
    try {
      const std::vector<double> rgba = color->numbers("rgba");
      if (rgba.size() != 4) color->fail("rgba must be four numbers");
      return Eigen::Vector4d(rgba.data()).cast<float>();
    } catch (const Error& fault) {
      noteLeftOut("A colour", fault);
      return std::nullopt;
    }
  }

  void addLink(int index) {
    const XmlElement& element = tree_.links[index];
    const int above = tree_.jointAbove[index];
    Link link{.name = tree_.names[index]};
    Joint joint;
    if (above < 0) {
      joint.name = unusedName(link.name, jointNames_);
      joint.parentFromJoint.rotation = zUpFrame().sceneFromFile;
    } else {
      const UrdfJoint& urdf = tree_.joints[above];
      link.parent = linkOf_[urdf.parent];
      joint = readJoint(urdf);
      if (urdf.type == "planar") addPlanarLinks(urdf, link, joint);
    }
    const LinkWeight weight = readWeight(element);
    linkOf_[index] = add(std::move(link), std::move(joint), weight);
    if (above >= 0) jointIndex_[tree_.joints[above].name] = linkOf_[index];
    readShapes(element, linkOf_[index]);
  }

  Joint readJoint(const UrdfJoint& urdf) {
    static const std::map<std::string_view, JointType> types = {
        {"fixed", JointType::Fixed},         {"revolute", JointType::Revolute}, {"continuous", JointType::Revolute},
        {"prismatic", JointType::Prismatic}, {"floating", JointType::Free},     {"planar", JointType::Revolute},
        {"spherical", JointType::Ball},      {"ball", JointType::Ball}};
    const auto type = types.find(urdf.type);
    if (type == types.end()) urdf.element.fail("there is no joint of type " + inQuotes(urdf.type));
    Joint joint{.name = urdf.name, .type = type->second, .parentFromJoint = originOf(urdf.element)};
    if (isScalar(joint)) {
      joint.axis = readAxis(urdf.element);
      joint.velocityLimit = readVelocityLimit(urdf.element);
    }
    if (urdf.type == "revolute" || urdf.type == "prismatic") joint.limits = readLimits(urdf.element);
    if (joint.type == JointType::Free) {
      joint.locked = true;
      notes_.push_back("The floating joint " + inQuotes(joint.name) +
                       " is locked: unlock it to move the robot as a whole.");
    }
    return joint;
  }

  static Eigen::Vector3d readAxis(const XmlElement& joint) {
    const auto element = joint.child("axis");
    const Eigen::Vector3d axis = element ? element->vector3("xyz", Eigen::Vector3d::UnitX()) : Eigen::Vector3d::UnitX();
    if (axis.norm() < 1e-9) joint.fail("its axis is zero");
    return axis.normalized();
  }

  Interval readLimits(const XmlElement& joint) {
    const auto element = joint.child("limit");
    if (!element) {
      const auto mimic = joint.child("mimic");
      notes_.push_back("Joint " + inQuotes(joint.need("name")) + " has no limits, which its type needs: it " +
                       (mimic ? "follows " + inQuotes(mimic->find("joint").value_or("")) + " without limits of its own."
                              : "moves freely."));
      return {};
    }
    Interval limits{element->number("lower", 0.0), element->number("upper", 0.0)};
    if (limits.lower > limits.upper) {
      std::swap(limits.lower, limits.upper);
      notes_.push_back("The limits of joint " + inQuotes(joint.need("name")) +
                       " have the lower one above the upper one: they are swapped.");
    }
    if (limits.lower < -kNoLimit) limits.lower = Interval{}.lower;
    if (limits.upper > kNoLimit) limits.upper = Interval{}.upper;
    return limits;
  }

  /// Radians or metres per second; zero, which many files have for "not known", counts as no limit.
  double readVelocityLimit(const XmlElement& joint) {
    const auto element = joint.child("limit");
    try {
      const double limit = element ? std::abs(element->number("velocity", 0.0)) : 0.0;
      if (limit > 0.0 && limit < kNoLimit) return limit;
    } catch (const Error& fault) {
      noteLeftOut("A velocity limit", fault);
    }
    return std::numeric_limits<double>::infinity();
  }

  /// Adds a planar joint as two prismatic joints perpendicular to its axis and a revolute joint about it.
  void addPlanarLinks(const UrdfJoint& urdf, Link& link, Joint& turn) {
    const Eigen::Matrix3d plane = shortestTurn(Eigen::Vector3d::UnitZ(), turn.axis).toRotationMatrix();
    const std::string child = link.name;
    for (int i = 0; i < 2; ++i) {
      const std::string end = i == 0 ? "_x" : "_y";
      Joint slide{.name = unusedName(urdf.name + end, jointNames_), .type = JointType::Prismatic, .axis = plane.col(i)};
      if (i == 0) slide.parentFromJoint = std::exchange(turn.parentFromJoint, Transform());
      link.parent = add({.name = unusedName(child + end, linkNames_), .parent = link.parent}, std::move(slide), {});
    }
    notes_.push_back("The planar joint " + inQuotes(urdf.name) + " became two slides, " + inQuotes(urdf.name + "_x") +
                     " and " + inQuotes(urdf.name + "_y") + ", and a turn.");
  }

  static LinkWeight readWeight(const XmlElement& link) {
    const auto inertial = link.child("inertial");
    if (!inertial) return {};
    const auto mass = inertial->child("mass");
    LinkWeight weight{mass ? mass->number("value", 0.0) : 0.0, originOf(*inertial).translation};
    if (weight.mass < 0.0 || weight.mass > kMaxXmlNumber) inertial->fail("its mass is negative or larger than 1e9");
    return weight;
  }

  /// The contents of a <visual> or <collision>.
  struct UrdfShape {
    std::optional<RobotShape> shape;
    std::optional<MeshReference> mesh;
  };

  void readShapes(const XmlElement& link, int index) {
    const std::vector<UrdfShape> visuals = readUrdfShapes(link, "visual"),
                                 collisions = readUrdfShapes(link, "collision");
    for (const UrdfShape& drawn : visuals.empty() ? collisions : visuals) {
      if (drawn.shape) addSurface(*drawn.shape, index, skin_);
      if (!drawn.mesh || meshes_.size() == kMaxDrawnShapes) continue;
      meshes_.push_back(*drawn.mesh);
      meshes_.back().link = index;
    }
    for (const auto* shapes : {&collisions, &visuals})
      if (builder_.link(index).capsules.empty())
        for (const UrdfShape& drawn : *shapes)
          if (drawn.shape) addCapsule(*drawn.shape, index);
  }

  /// Shapes that cannot be read are left out: a robot moves without them.
  std::vector<UrdfShape> readUrdfShapes(const XmlElement& link, std::string_view name) {
    std::vector<UrdfShape> shapes;
    for (const XmlElement& element : link.children(name)) {
      try {
        shapes.push_back(readUrdfShape(element));
      } catch (const Error& fault) {
        noteLeftOut("A " + std::string(name) + " of link " + inQuotes(link.need("name")), fault);
      }
    }
    return shapes;
  }

  UrdfShape readUrdfShape(const XmlElement& element) {
    UrdfShape drawn{readShape(element), readMesh(element)};
    const std::optional<Eigen::Vector4f> color = readColor(element);
    if (drawn.shape) drawn.shape->color = color;
    if (drawn.mesh) drawn.mesh->color = color;
    return drawn;
  }

  std::optional<Eigen::Vector4f> readColor(const XmlElement& visual) {
    const auto material = visual.child("material");
    if (!material) return std::nullopt;
    if (const auto color = colorOf(*material)) return color;
    const auto found = colors_.find(material->find("name").value_or(""));
    return found != colors_.end() ? std::optional(found->second) : std::nullopt;
  }

  static double readSize(const XmlElement& element, const char* attribute) {
    const double size = element.number(attribute);
    if (size < 0.0 || size > kMaxXmlNumber) element.fail(std::string(attribute) + " is negative or larger than 1e9");
    return size;
  }

  static std::optional<RobotShape> readShape(const XmlElement& element) {
    const auto geometry = element.child("geometry");
    if (!geometry) return std::nullopt;
    RobotShape shape{.linkFromShape = originOf(element)};
    if (const auto box = geometry->child("box")) {
      shape.type = ShapeType::Box;
      shape.size = 0.5 * box->vector3("size");
      if (shape.size.minCoeff() < 0.0) box->fail("a size is negative");
    } else if (const auto sphere = geometry->child("sphere")) {
      shape.size.setConstant(readSize(*sphere, "radius"));
    } else if (const auto cylinder = geometry->child("cylinder")) {
      shape.type = ShapeType::Cylinder;
      readLong(*cylinder, shape);
    } else if (const auto capsule = geometry->child("capsule")) {
      shape.type = ShapeType::Capsule;
      readLong(*capsule, shape);
    } else {
      return std::nullopt;
    }
    return shape;
  }

  static void readLong(const XmlElement& element, RobotShape& shape) {
    const double radius = readSize(element, "radius");
    shape.size = {radius, radius, 0.5 * readSize(element, "length")};
  }

  static std::optional<MeshReference> readMesh(const XmlElement& element) {
    const auto geometry = element.child("geometry");
    const auto mesh = geometry ? geometry->child("mesh") : std::nullopt;
    if (!mesh) return std::nullopt;
    MeshReference reference;
    reference.linkFromMesh = originOf(element);
    reference.scale = mesh->vector3("scale", Eigen::Vector3d::Ones());
    reference.written = mesh->need("filename");
    return reference;
  }

  void readMimics() {
    std::vector<FollowRule> rules;
    std::vector<const UrdfJoint*> sources;
    for (const UrdfJoint& joint : tree_.joints) {
      const auto mimic = joint.element.child("mimic");
      if (!mimic) continue;
      const std::string name = mimic->need("joint");
      const auto driver = jointIndex_.find(name);
      if (driver == jointIndex_.end())
        joint.element.fail("it mimics " + inQuotes(name) + ", which is not a joint of this file");
      rules.push_back({jointIndex_.at(joint.name),
                       driver->second,
                       {mimic->number("offset", 0.0), mimic->number("multiplier", 1.0), 0, 0, 0}});
      sources.push_back(&joint);
    }
    for (const FollowFault& fault : addFollowRules(rules, rest_, builder_)) {
      if (fault.kind == FollowFault::Kind::Cycle)
        sources[fault.rule]->element.fail("joints mimic one another in a cycle");
      notes_.push_back(describe(fault, rules, builder_));
    }
  }

  /// URDF has trees only. In this extension, which other programs ignore, two frames of links meet:
  ///   <limber_loop name="rod" type="ball|hinge|weld">
  ///     <link_a link="rod" xyz="0 0 1" rpy="0 0 0"/> <link_b link="rocker" xyz="1 0 0"/>
  ///   </limber_loop>
  /// A side without a link is the world. A hinge turns about the z axes.
  void readLoops() {
    for (const XmlElement& element : robot_.children("limber_loop")) {
      LoopClosure loop{.name = element.needName()};
      const auto kind = findLoopKind(element.need("type"));
      if (!kind) element.fail("type must be ball, hinge or weld");
      loop.kind = *kind;
      setSides(loop, readSide(element.needChild("link_a")), sideOrWorld(element.child("link_b")));
      if (loop.link < 0) element.fail("both sides are the world");
      builder_.addLoop(std::move(loop));
    }
  }

  std::pair<int, Transform> sideOrWorld(const std::optional<XmlElement>& element) const {
    return element ? readSide(*element) : std::pair(-1, Transform());
  }

  std::pair<int, Transform> readSide(const XmlElement& element) const {
    const Transform frame = originAt(element);
    if (!element.has("link")) return {-1, frame};
    const std::string name(element.need("link"));
    const auto found = std::ranges::find(tree_.names, name);
    if (found == tree_.names.end()) element.fail("there is no link " + inQuotes(name));
    return {linkOf_[found - tree_.names.begin()], frame};
  }

  std::string_view text_;
  const XmlFile& file_;
  XmlElement robot_;
  UrdfTree tree_;
  std::map<std::string, Eigen::Vector4f, std::less<>> colors_;
  std::vector<int> linkOf_;  ///< link of the figure by link of the file
};

}  // namespace

bool looksLikeUrdf(std::string_view text) { return firstXmlElement(text) == "robot"; }

Result<FigureSource> readUrdf(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading robot")) return Error{path.string(), "", std::string(kCancelled)};
  return faultsAsErrors<FigureSource>(path.string(), [&] {
    const XmlFile file(text, path);
    if (file.root().name() != "robot") file.root().fail("the first element is not <robot>: this is not URDF");
    if (endingOf(path) != ".xacro" && !usesXacro(file.root())) return UrdfReader(text, file, context, {}).read();
    const ExpandedXacro expanded = expandXacro(file, context);
    if (!expanded.file->root().child("link") && !expanded.macros.empty())
      file.root().fail("there is no <link>: this xacro only defines macros for other files, " +
                       listOf(expanded.macros));
    return UrdfReader({}, *expanded.file, context, expanded.notes).read();
  });
}

}  // namespace limber::io
