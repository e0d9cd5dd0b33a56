// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>
#include <set>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/mjcf_cable.h"
#include "limber/io/robot/mjcf_inertia.h"
#include "limber/io/robot/mjcf_text.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/kinematics/pose.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::io {

namespace {

constexpr std::size_t kMaxMjcfItems = 1'000'000;  // elements of bodies, each of which is read twice, with replicas
constexpr int kMaxDepth = 500;                    // nesting of bodies, including those of included files
constexpr std::size_t kMaxAttachments = 1000;     // models that are attached, with replicas
constexpr std::size_t kMaxAttachedFiles = 64, kMaxAttachedBytes = 64u << 20;
constexpr double kDensity = 1000.0;    // kg/m^3, of geoms without mass and density
constexpr double kLastDrawnGroup = 2;  // geoms of higher groups are collision geometry, as in MuJoCo's viewer
constexpr std::string_view kWorld = "world";

struct MeshAsset {
  std::string file;
  Eigen::Vector3d scale;
};

/// The model of the file, or an attached one: a text with a prefix and a suffix of all names in it.
struct Scope {
  MjcfText* text;
  std::string prefix = {}, suffix = {};
  std::map<std::string, MeshAsset> meshes = {};
  std::map<std::string, Eigen::Vector4f> colors = {};  ///< by material
  std::map<std::string, std::string> models = {};      ///< files of models to attach, by asset
  std::map<std::string, LinearLimit> tendons = {};     ///< fixed ones

  bool isAttached = false;
  std::string nameOf(const std::string& written) const { return prefix + written + suffix; }
};

/// An element of a body, with the product of its enclosing frames and the default class if it names none.
struct Item {
  XmlElement xml;
  Transform bodyFromFrame;
  const MjcfDefaults* childClass;
  Scope* scope;
  std::string suffix = {};  ///< of its name and those of its contents, in a replica

  /// Empty for none.
  std::string name() const {
    return xml.find("name").value_or("").empty() ? std::string() : scope->prefix + xml.needName() + suffix;
  }
};

/// A joint of the file, in the frame of its body.
struct MjcfJoint {
  XmlElement xml;
  std::string name;
  JointType type = JointType::Revolute;
  Eigen::Vector3d axis, anchor;
  Interval limits;
  double ref = 0.0;  ///< the coordinate in the pose of the file
};

/// A geom; planes and other geoms without a volume have no shape.
struct MjcfGeom {
  std::optional<RobotShape> shape;
  std::optional<MeshReference> mesh;
  double mass = 0.0;
  bool isDrawn = true;
};

/// A body or site of the file.
struct MjcfPlace {
  int link = -1;             ///< -1 for the world
  Transform linkFromPlace;   ///< of a body the identity
  Transform worldFromPlace;  ///< in the pose of the file, in its axes; bodies only
  bool isMocap = false;
};

class MjcfReader : RobotReader {
 public:
  MjcfReader(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context)
      : RobotReader(context), bytes_(bytes), text_(bytes, path, context), main_(scopes_.emplace_back(Scope{&text_})) {}

  Result<FigureSource> read() {
    begin(std::string(text_.root().find("model").value_or("")), text_.path());
    readAssets(main_);
    const Item world{text_.root(), {}, &mainClass(main_), &main_};
    std::vector<Item> items;
    for (const XmlElement& section : text_.children(text_.root()))
      if (section.name() == "worldbody") gather(section, world, items, 0);
    for (const Item& item : items) takeNames(item, 0);
    addWorld(items);
    if (weight_.empty()) text_.root().fail("there is no <body>");
    readEqualities();
    noteWhatIsLeftOut();
    const SourceFile source{
        .format = SourceFormat::Mjcf, .path = text_.path(), .bytes = std::string(bytes_), .poses = readKeyframes()};
    notes_.assign(eachOnce_.begin(), eachOnce_.end());
    return finish(source);
  }

 private:
  static const MjcfDefaults& mainClass(const Scope& scope) {
    return scope.text->classOf(scope.text->root(), scope.text->mainClass());
  }

  static MjcfElement withDefaults(const Item& item) {
    const MjcfText& text = *item.scope->text;
    const auto own = item.xml.find("class");
    return {item.xml, own ? text.classOf(item.xml, std::string(*own)) : *item.childClass, text.compiler()};
  }
  /// An element without defaults: a body, frame or inertial.
  MjcfElement plain(const XmlElement& xml, const Scope& scope) const { return {xml, none_, scope.text->compiler()}; }
  MjcfElement plain(const Item& item) const { return plain(item.xml, *item.scope); }

  // -- elements of a body

  /// Collects the children of a body, including those in its frames.
  void gather(const XmlElement& parent, const Item& around, std::vector<Item>& items, int depth) {
    if (depth > kMaxDepth) parent.fail("bodies and frames are nested deeper than " + std::to_string(kMaxDepth));
    for (const XmlElement& child : around.scope->text->children(parent)) {
      if (child.name() == "attach") attach(child, around, items, depth);
      else if (child.name() == "replicate") replicate(child, around, items, depth);
      else if (child.name() == "composite") addComposite(child, around, items, depth);
      else if (child.name() == "frame") gatherFrame(child, around, items, depth);
      else addItem(child, around, items);
    }
  }

  void addItem(const XmlElement& xml, const Item& around, std::vector<Item>& items) {
    if (++items_ > kMaxMjcfItems) xml.fail("the model has more than " + std::to_string(kMaxMjcfItems) + " elements");
    if (xml.name() == "flexcomp")
      eachOnce_.insert("The flexcomp " + inQuotes(xml.find("name").value_or("")) +
                       " is left out: it deforms, and has no links.");
    items.push_back({xml, around.bodyFromFrame, around.childClass, around.scope, around.suffix});
  }

  void gatherFrame(const XmlElement& frame, const Item& around, std::vector<Item>& items, int depth) {
    Item inner{frame, around.bodyFromFrame * plain(frame, *around.scope).place(), around.childClass, around.scope,
               around.suffix};
    if (const auto name = frame.find("childclass"))
      inner.childClass = &around.scope->text->classOf(frame, std::string(*name));
    gather(frame, inner, items, depth + 1);
  }

  /// Collects the children of <replicate> once for each replica. Each is placed in the frame of the one before, and the
  /// names in it end in the separator and its index, with as many digits as the count has.
  void replicate(const XmlElement& xml, const Item& around, std::vector<Item>& items, int depth) {
    const MjcfElement element = plain(xml, *around.scope);
    const double count = element.number("count", 0.0);
    if (!(count >= 1.0 && count <= kMaxMjcfItems) || count != std::floor(count))
      xml.fail("count must be a whole number of replicas");
    const std::string separator = element.text("sep", "");
    const std::size_t digits = std::to_string(static_cast<int>(count)).size();
    const Transform step{element.orientation().value_or(Eigen::Matrix3d::Identity()),
                         element.vector3("offset", Eigen::Vector3d::Zero())};
    Transform place;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      std::string index = std::to_string(i);
      index.insert(0, digits - index.size(), '0');
      gather(xml,
             {xml, around.bodyFromFrame * place, around.childClass, around.scope, separator + index + around.suffix},
             items, depth + 1);
      place = place * step;
    }
  }

  /// A cable becomes the bodies that MuJoCo makes of it. Other composites are collections of particles: they are left
  /// out by name.
  void addComposite(const XmlElement& xml, const Item& around, std::vector<Item>& items, int depth) {
    const auto [known, isNew] = cables_.try_emplace(xml.id());
    if (isNew) known->second = cableBodies(xml);
    const MjcfCable& cable = known->second;
    if (cable.bodies) gather(cable.bodies->root(), around, items, depth + 1);
    else
      eachOnce_.insert("The composite " + inQuotes(xml.find("prefix").value_or("")) + " is left out: " + cable.fault);
  }

  // -- attached models

  /// Collects a body of another model, or all that its world holds, in the place of <attach>. The body keeps its place
  /// in its own model's world, and has the defaults, materials, meshes and angles of its model.
  void attach(const XmlElement& xml, const Item& around, std::vector<Item>& items, int depth) {
    Scope& scope = attachedScope(xml, around);
    const std::string body(xml.find("body").value_or(""));
    const Item inside{xml, around.bodyFromFrame, &mainClass(scope), &scope, around.suffix};
    bool isFound = body.empty() || body == kWorld;
    for (const XmlElement& section : scope.text->children(scope.text->root())) {
      if (section.name() != "worldbody") continue;
      if (body.empty() || body == kWorld) gather(section, inside, items, depth + 1);
      else if (const auto found = findBody(*scope.text, section, body, 0)) {
        // A body that hangs on others is attached in its own parent's frame.
        addItem(*found, inside, items);
        isFound = true;
      }
    }
    if (!isFound) xml.fail("there is no body " + inQuotes(body) + " in the attached model");
  }

  static std::optional<XmlElement> findBody(MjcfText& text, const XmlElement& parent, const std::string& name,
                                            int depth) {
    if (depth > kMaxDepth) parent.fail("bodies and frames are nested deeper than " + std::to_string(kMaxDepth));
    for (const XmlElement& child : text.children(parent)) {
      if (child.name() != "body" && child.name() != "frame") continue;
      if (child.name() == "body" && child.find("name") == name) return child;
      if (const auto below = findBody(text, child, name, depth + 1)) return below;
    }
    return std::nullopt;
  }

  /// The model that <attach> names, with its prefix; without a name the model that <attach> stands in.
  Scope& attachedScope(const XmlElement& xml, const Item& around) {
    const std::string prefix = around.scope->prefix + std::string(xml.find("prefix").value_or(""));
    if (prefix.size() > kMaxXmlName) xml.fail("the prefixes of attached models are too long together");
    Scope*& known = attached_[{xml.id(), prefix + '\n' + around.suffix}];
    if (known) return *known;
    if (scopes_.size() > kMaxAttachments)
      xml.fail("more than " + std::to_string(kMaxAttachments) + " models are attached");
    MjcfText* text = around.scope->text;
    if (const auto model = xml.find("model")) {
      const auto asset = around.scope->models.find(std::string(*model));
      if (asset == around.scope->models.end()) xml.fail("there is no model " + inQuotes(*model) + " among the assets");
      text = &attachedText(asset->second, xml, *around.scope->text);
    }
    known = &scopes_.emplace_back(Scope{.text = text, .prefix = prefix, .suffix = around.suffix});
    known->isAttached = true;
    readAssets(*known);
    return *known;
  }

  /// The text of the model in a file, relative to the file that attaches it; each is read once.
  MjcfText& attachedText(const std::string& written, const XmlElement& xml, const MjcfText& from) {
    if (!staysInFolder(written) && !context_.mayLeaveFolder)
      xml.fail("the file " + inQuotes(written) + " is outside the folder of the model");
    const std::filesystem::path path = (from.path().parent_path() / written).lexically_normal();
    if (path == text_.path().lexically_normal()) return text_;
    std::unique_ptr<MjcfText>& text = texts_[path];
    if (text) return *text;
    if (texts_.size() > kMaxAttachedFiles)
      xml.fail("models of more than " + std::to_string(kMaxAttachedFiles) + " files are attached");
    const Result<std::string> bytes = readFile(path, kMaxAttachedBytes - attachedBytes_);
    if (!bytes) xml.fail(bytes.error().message());
    attachedBytes_ += bytes->size();
    if (firstXmlElement(*bytes) != "mujoco") xml.fail("the file " + inQuotes(written) + " is not a model of MuJoCo");
    text = std::make_unique<MjcfText>(*bytes, path, context_);
    if (text->compiler().isGlobal) xml.fail("the coordinates of the attached model must be local");
    return *text;
  }

  std::vector<Item> itemsOf(const Item& body) {
    Item inside = body;
    inside.bodyFromFrame = {};
    if (const auto name = body.xml.find("childclass"))
      inside.childClass = &body.scope->text->classOf(body.xml, std::string(*name));
    std::vector<Item> items;
    gather(body.xml, inside, items, 0);
    return items;
  }

  static bool isJoint(const Item& item) { return item.xml.name() == "joint" || item.xml.name() == "freejoint"; }

  /// Registers the names in the file, before names are generated.
  void takeNames(const Item& item, int depth) {
    const auto take = [&](std::set<std::string>& names, const char* what) {
      if (const std::string name = item.name(); !name.empty() && !names.insert(name).second)
        item.xml.fail(std::string("two ") + what + " have this name");
    };
    if (isJoint(item)) take(jointNames_, "joints");
    if (item.xml.name() == "site") take(siteNames_, "sites");
    if (item.xml.name() != "body") return;
    if (depth > kMaxDepth) item.xml.fail("bodies are nested deeper than " + std::to_string(kMaxDepth));
    take(linkNames_, "bodies");
    for (const Item& child : itemsOf(item)) takeNames(child, depth + 1);
  }

  // -- links

  int addLink(Link link, Joint joint, double rest = 0.0) {
    if (weight_.size() >= kMaxRobotLinks)
      text_.root().fail("there are more than " + std::to_string(kMaxRobotLinks) + " links");
    if (link.parent < 0) {  // from the file's axes to the scene's
      joint.parentFromJoint = Transform{zUpFrame().sceneFromFile, Eigen::Vector3d::Zero()} * joint.parentFromJoint;
    }
    return add(std::move(link), std::move(joint), {}, rest);
  }

  /// Adds the world as a link if it has a geom or a site.
  void addWorld(const std::vector<Item>& items) {
    int world = -1;
    const bool isLink = std::ranges::any_of(items, [&](const Item& item) {
      if (item.xml.name() == "site") return true;
      if (item.xml.name() != "geom") return false;
      const MjcfGeom geom = readGeom(item);
      return geom.shape || geom.mesh;
    });
    if (isLink) {
      linkNames_.insert(std::string(kWorld));
      world = addLink({.name = std::string(kWorld)}, {.name = unusedName(std::string(kWorld), jointNames_)});
      addContents(items, world, {});
      weight_[world] = {};
    }
    for (const Item& item : items) {
      if (isJoint(item)) item.xml.fail("the world has no joints");
      if (item.xml.name() == "body") addBody(item, world, {}, true);
    }
  }

  /// Adds a body and its descendants. worldFromParent: the parent's pose in the file, for coordinate="global".
  void addBody(const Item& item, int parent, const Transform& worldFromParent, bool isTop) {
    ++bodies_;
    std::vector<Item> items = itemsOf(item);
    Transform parentFromBody = localise(bodyPlace(item, items), item, worldFromParent);
    if (const auto place = alignedPlace(items)) {
      parentFromBody = parentFromBody * *place;
      for (Item& inside : items) inside.bodyFromFrame = place->inverse() * inside.bodyFromFrame;
    }
    const Transform worldFromBody = worldFromParent * parentFromBody;
    std::string name = item.name();
    if (name.empty()) name = unusedName("#" + std::to_string(bodies_), linkNames_);
    std::vector<MjcfJoint> joints;
    for (const Item& joint : items)
      if (isJoint(joint)) joints.push_back(readJoint(joint, name, worldFromBody));
    const int link = addJoints(item, name, joints, parent, parentFromBody, isTop);
    places_[name] = {link, {}, worldFromBody, item.xml.find("mocap").value_or("false") == "true"};
    addContents(items, link, worldFromBody);
    for (const Item& child : items)
      if (child.xml.name() == "body") addBody(child, link, worldFromBody, false);
  }

  /// The pose of a body in its parent's frame or, with global coordinates, in the world; there it defaults to that of
  /// its inertia.
  Transform bodyPlace(const Item& item, const std::vector<Item>& items) const {
    const MjcfElement body = plain(item);
    if (!text_.compiler().isGlobal || item.xml.has("pos")) return body.place();
    for (const Item& child : items)
      if (child.xml.name() == "inertial") return plain(child).place();
    item.xml.fail("needs pos, since coordinates are global");
  }

  /// The frame of the inertia of a body that MuJoCo moves there: one with a free joint and no bodies in it, where its
  /// joint or the compiler says so (align, alignfree).
  std::optional<Transform> alignedPlace(const std::vector<Item>& items) {
    const auto joint = std::ranges::find_if(items, isJoint);
    if (joint == items.end() || std::ranges::any_of(items, [](const Item& item) { return item.xml.name() == "body"; }))
      return std::nullopt;
    const MjcfElement element = withDefaults(*joint);
    if (joint->xml.name() != "freejoint" && element.text("type", "hinge") != "free") return std::nullopt;
    const MjcfCompiler& compiler = joint->scope->text->compiler();
    const std::string align = element.text("align", "auto");
    if (align != "true" && align != "false" && align != "auto") element.fail("align must be true, false or auto");
    if (align == "false" || (align == "auto" && !compiler.alignsFree)) return std::nullopt;
    BodyInertia inertia;
    for (const Item& item : items) {
      if (item.xml.name() == "inertial" && !compiler.prefersGeomMasses)
        return item.bodyFromFrame * inertialPlace(plain(item));
      if (item.xml.name() != "geom") continue;
      const MjcfGeom geom = readGeom(item);
      if (geom.mesh) {
        eachOnce_.insert("The frame of a body is not aligned with its inertia (alignfree): a mesh has none here.");
        return std::nullopt;
      }
      if (!geom.shape) continue;
      RobotShape shape = *geom.shape;
      shape.linkFromShape = item.bodyFromFrame * shape.linkFromShape;
      inertia.add(shape, geom.mass);
    }
    return inertia.place();
  }

  /// Converts a transform in the file to the frame of the enclosing body.
  Transform localise(const Transform& given, const Item& item, const Transform& worldFromParent) const {
    return text_.compiler().isGlobal ? worldFromParent.inverse() * given : item.bodyFromFrame * given;
  }

  /// Adds the links of a body: one for each joint at its anchor, and one for the body unless the last of these is the
  /// body.
  int addJoints(const Item& item, const std::string& name, const std::vector<MjcfJoint>& joints, int parent,
                const Transform& parentFromBody, bool isTop) {
    if (joints.empty())
      return addLink({.name = name, .parent = parent},
                     {.name = unusedName(name, jointNames_), .parentFromJoint = parentFromBody});
    Transform next = parentFromBody;                   // from the last link to the body, before the joint moves
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // of the last link, in the body
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const MjcfJoint& joint = joints[i];
      if (joint.type == JointType::Free && (!isTop || joints.size() > 1))
        item.xml.fail("a free joint belongs to a body in the world, and alone");
      if (joint.type != JointType::Prismatic && joint.type != JointType::Free) {
        next.translation += next.rotation * (joint.anchor - anchor);
        anchor = joint.anchor;
      }
      const bool isBody = i + 1 == joints.size() && anchor.isZero(0.0);
      Link link{.name = isBody ? name : unusedName(name + "/" + joint.name, linkNames_), .parent = parent};
      parent = addJoint(joint, std::move(link), next);
      next = {};
    }
    if (anchor.isZero(0.0)) return parent;
    return addLink({.name = name, .parent = parent},
                   {.name = unusedName(name, jointNames_), .parentFromJoint = Transform::fromTranslation(-anchor)});
  }

  int addJoint(const MjcfJoint& joint, Link link, const Transform& place) {
    Joint made{
        .name = joint.name, .type = joint.type, .parentFromJoint = place, .axis = joint.axis, .limits = joint.limits};
    Transform& placed = made.parentFromJoint;
    if (joint.type == JointType::Revolute)
      placed.rotation = placed.rotation * Eigen::AngleAxisd(-joint.ref, joint.axis).toRotationMatrix();
    if (joint.type == JointType::Prismatic) placed.translation -= placed.rotation * (joint.ref * joint.axis);
    if (joint.type == JointType::Ball && joint.limits.isBounded()) {
      const double most = std::min(joint.limits.upper, std::numbers::pi);
      made.limits = {};
      made.ballLimits = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitZ(), most, {-most, most}};
      eachOnce_.insert("The limit of a ball joint bounds its swing and its twist separately, not the whole rotation.");
    }
    const bool isFree = joint.type == JointType::Free;
    if (isFree) {
      made.parentFromJoint = {};
      made.locked = true;
      eachOnce_.insert("The free joint " + inQuotes(joint.name) +
                       " is locked: unlock it to move the robot as a whole.");
    }
    const int index = addLink(std::move(link), std::move(made), joint.ref);
    jointIndex_[joint.name] = index;
    inQpos_.push_back(index);
    if (!isFree) return index;
    Eigen::VectorXd rest(7);
    rest << place.translation, Eigen::Quaterniond(place.rotation).normalized().coeffs();
    builder_.setRest(index, rest);
    return index;
  }

  MjcfJoint readJoint(const Item& item, const std::string& body, const Transform& worldFromBody) {
    const MjcfElement element = withDefaults(item);
    MjcfJoint joint{.xml = item.xml};
    joint.name = item.name();
    if (joint.name.empty()) joint.name = unusedName(body + "_joint", jointNames_);
    static const std::map<std::string, JointType, std::less<>> types = {{"hinge", JointType::Revolute},
                                                                        {"slide", JointType::Prismatic},
                                                                        {"ball", JointType::Ball},
                                                                        {"free", JointType::Free}};
    const std::string typeName = item.xml.name() == "freejoint" ? "free" : element.text("type", "hinge");
    const auto type = types.find(typeName);
    if (type == types.end()) element.fail("there is no joint of type " + inQuotes(typeName));
    joint.type = type->second;
    Transform place = Transform::fromTranslation(element.vector3("pos", Eigen::Vector3d::Zero()));
    place = localise(place, item, worldFromBody);
    joint.anchor = place.translation;
    const Eigen::Vector3d axis = element.vector3("axis", Eigen::Vector3d::UnitZ());
    const bool isScalar = poseSize(joint.type) == 1;
    if (isScalar && axis.norm() < 1e-9) element.fail("its axis is zero");
    joint.axis = isScalar ? Eigen::Vector3d(place.rotation * axis.normalized()) : Eigen::Vector3d::UnitZ();
    const bool isAngle = joint.type == JointType::Revolute || joint.type == JointType::Ball;
    const auto inUnits = [&](double value) { return isAngle ? element.radians(value) : value; };
    if (isScalar) joint.ref = inUnits(element.number("ref", 0.0));
    if (isLimited(element) && joint.type != JointType::Free) {
      const std::vector<double> range = element.numbers("range", 2, 2);
      if (!range.empty()) joint.limits = {inUnits(range[0]), inUnits(range[1])};
      if (joint.limits.lower > joint.limits.upper) element.fail("the lower end of its range is above the upper one");
    }
    return joint;
  }

  static bool isLimited(const MjcfElement& joint) {
    const std::string limited = joint.text("limited", "auto");
    if (limited == "true") return true;
    if (limited == "false") return false;
    if (limited != "auto") joint.fail("limited must be true, false or auto");
    return joint.takesRangesAsLimits();
  }

  // -- contents of links

  void addContents(const std::vector<Item>& items, int link, const Transform& worldFromBody) {
    LinkWeight ofGeoms;
    std::optional<LinkWeight> given;
    bool prefersGeoms = false;
    for (const Item& item : items) {
      if (item.xml.name() == "site") addSite(item, link, worldFromBody);
      if (item.xml.name() == "inertial") {
        given = readInertial(item, worldFromBody);
        prefersGeoms = item.scope->text->compiler().prefersGeomMasses;
      }
      if (item.xml.name() == "geom") addGeom(item, link, worldFromBody, ofGeoms);
    }
    if (ofGeoms.mass > 0.0) ofGeoms.centreOfMass /= ofGeoms.mass;
    weight_[link] = given && !prefersGeoms ? *given : ofGeoms;
  }

  void addSite(const Item& item, int link, const Transform& worldFromBody) {
    const std::string name = item.name();
    if (name.empty()) return;
    if (++sites_ > kMaxRobotSites) item.xml.fail("there are more than " + std::to_string(kMaxRobotSites) + " sites");
    const MjcfElement element = withDefaults(item);
    Transform place = element.place();
    Eigen::Vector3d from, to;
    if (readFromTo(element, from, to)) place = alongZ(from, to);
    const Transform linkFromSite = localise(place, item, worldFromBody);
    sitePlaces_[name] = {link, linkFromSite, {}};
    builder_.addSite({name, link, linkFromSite});
    hasSite_[link] = 1;
  }

  LinkWeight readInertial(const Item& item, const Transform& worldFromBody) const {
    const MjcfElement element = plain(item);
    const LinkWeight weight{element.number("mass", 0.0), localise(element.place(), item, worldFromBody).translation};
    if (weight.mass < 0.0) element.fail("its mass is negative");
    return weight;
  }

  void addGeom(const Item& item, int link, const Transform& worldFromBody, LinkWeight& weight) {
    MjcfGeom geom = readGeom(item);
    if (geom.shape) {
      RobotShape& shape = *geom.shape;
      shape.linkFromShape = localise(shape.linkFromShape, item, worldFromBody);
      weight.mass += geom.mass;
      weight.centreOfMass += geom.mass * shape.linkFromShape.translation;
      addCapsule(shape, link);
      if (geom.isDrawn) addSurface(shape, link, skin_);
    }
    if (geom.mesh && geom.isDrawn && meshes_.size() < kMaxDrawnShapes) {
      geom.mesh->link = link;
      geom.mesh->linkFromMesh = localise(geom.mesh->linkFromMesh, item, worldFromBody);
      meshes_.push_back(std::move(*geom.mesh));
    }
  }

  static bool readFromTo(const MjcfElement& element, Eigen::Vector3d& from, Eigen::Vector3d& to) {
    const std::vector<double> numbers = element.numbers("fromto", 6, 6);
    if (numbers.empty()) return false;
    from = Eigen::Vector3d(numbers.data());
    to = Eigen::Vector3d(numbers.data() + 3);
    if ((to - from).norm() < 1e-12) element.fail("fromto has no length");
    return true;
  }

  /// The frame at the middle of the line with z along it.
  static Transform alongZ(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    return {shortestTurn(Eigen::Vector3d::UnitZ(), to - from).toRotationMatrix(), 0.5 * (from + to)};
  }

  MjcfGeom readGeom(const Item& item) {
    const MjcfElement element = withDefaults(item);
    static const std::map<std::string, ShapeType, std::less<>> types = {{"sphere", ShapeType::Sphere},
                                                                        {"capsule", ShapeType::Capsule},
                                                                        {"cylinder", ShapeType::Cylinder},
                                                                        {"ellipsoid", ShapeType::Ellipsoid},
                                                                        {"box", ShapeType::Box}};
    MjcfGeom geom;
    geom.isDrawn = element.number("group", 0.0) <= kLastDrawnGroup;
    const std::string typeName = element.text("type", "sphere");
    if (element.find("mesh")) {
      geom.mesh = readMesh(element, *item.scope);
      return geom;
    }
    const auto type = types.find(typeName);
    if (type == types.end()) {
      if (typeName != "plane" && typeName != "hfield" && typeName != "mesh" && typeName != "sdf")
        element.fail("there is no geom of type " + inQuotes(typeName));
      return geom;
    }
    RobotShape shape{.type = type->second, .linkFromShape = element.place(), .color = colorOf(element, *item.scope)};
    readSize(element, shape);
    const double mass = element.number("mass", element.number("density", kDensity) * volumeOf(shape));
    if (mass < 0.0 || mass > kMaxXmlNumber) element.fail("its mass is negative or larger than 1e9");
    geom.mass = mass;
    geom.shape = shape;
    return geom;
  }

  /// Reads size, and fromto, which replaces the length along z and the transform.
  static void readSize(const MjcfElement& element, RobotShape& shape) {
    std::vector<double> size = element.numbers("size", 1, 3);
    Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = from;
    const bool isLong = shape.type != ShapeType::Sphere && readFromTo(element, from, to);
    const bool isRound = shape.type == ShapeType::Capsule || shape.type == ShapeType::Cylinder;
    const std::size_t needed = shape.type == ShapeType::Sphere || isLong ? 1 : isRound ? 2 : 3;
    if (size.size() < needed) element.fail("size needs " + std::to_string(needed) + " numbers");
    for (std::size_t i = 0; i < needed; ++i)
      if (size[i] < 0.0) element.fail("a size is negative");
    if (shape.type == ShapeType::Sphere) shape.size.setConstant(size[0]);
    else if (isRound) shape.size = {size[0], size[0], isLong ? 0.5 * (to - from).norm() : size[1]};
    else if (isLong) shape.size = {size[0], size[0], 0.5 * (to - from).norm()};
    else shape.size = {size[0], size[1], size[2]};
    if (isLong) shape.linkFromShape = alongZ(from, to);
  }

  static MeshReference readMesh(const MjcfElement& element, const Scope& scope) {
    const std::string name = element.text("mesh", "");
    const auto asset = scope.meshes.find(name);
    if (asset == scope.meshes.end()) element.fail("there is no mesh " + inQuotes(name) + " among the assets");
    return {.linkFromMesh = element.place(),
            .scale = asset->second.scale,
            .color = colorOf(element, scope),
            .written = asset->second.file};
  }

  static std::optional<Eigen::Vector4f> rgbaOf(const MjcfElement& element) {
    const std::vector<double> rgba = element.numbers("rgba", 4, 4);
    return rgba.empty() ? std::nullopt : std::optional(Eigen::Vector4f(Eigen::Vector4d(rgba.data()).cast<float>()));
  }

  static std::optional<Eigen::Vector4f> colorOf(const MjcfElement& geom, const Scope& scope) {
    if (const auto own = rgbaOf(geom)) return own;
    const auto material = scope.colors.find(geom.text("material", ""));
    return material != scope.colors.end() ? std::optional(material->second) : std::nullopt;
  }

  void readAssets(Scope& scope) {
    const MjcfText& text = *scope.text;
    // Meshes of an attached model are searched from the folder of the main file.
    const std::filesystem::path folder = text.path().parent_path().lexically_relative(text_.path().parent_path());
    for (const XmlElement& xml : scope.text->inSections("asset")) {
      const MjcfElement element = withDefaults({xml, {}, &mainClass(scope), &scope});
      if (xml.has("file")) xml.needName("file");
      const std::string file = element.text("file", ""), stem = std::filesystem::path(file).stem().string();
      const std::string name = element.text("name", "");
      if (xml.name() == "material")
        if (const auto color = rgbaOf(element)) scope.colors[name] = *color;
      if (xml.name() == "mesh")
        scope.meshes[name.empty() ? stem : name] = {
            ((scope.isAttached && folder != "." ? folder : std::filesystem::path()) / text.compiler().meshFolder / file)
                .generic_string(),
            element.vector3("scale", Eigen::Vector3d::Ones())};
      if (xml.name() == "model") scope.models[name.empty() ? stem : name] = file;
    }
  }

  // -- coupled joints

  /// joint1 - ref1 = a0 + a1 (joint2 - ref2) + ... + a4 (joint2 - ref2)^4
  void readEqualities() {
    std::vector<FollowRule> rules;
    for (Scope& scope : scopes_) {
      readTendons(scope);
      for (const XmlElement& xml : scope.text->inSections("equality")) {
        if (xml.find("active").value_or("true") == "false") continue;
        if (xml.name() == "connect" || xml.name() == "weld") addLoop(xml, scope);
        if (xml.name() == "joint" && isInside(xml, "joint1", scope) &&
            (!xml.has("joint2") || isInside(xml, "joint2", scope)))
          rules.push_back(readEquality(plain(xml, scope), scope));
        if (xml.name() == "tendon") addTendonRule(plain(xml, scope), scope, rules);
      }
      if (scope.isAttached && !scope.text->inSections("keyframe").empty())
        eachOnce_.insert("Keyframes of attached models are left out.");
    }
    for (const FollowFault& fault : addFollowRules(rules, rest_, builder_))
      eachOnce_.insert(describe(fault, rules, builder_));
  }

  /// Two bodies that meet in a point (connect) or a frame (weld): at given sites, or where the file's pose has them.
  void addLoop(const XmlElement& xml, Scope& scope) {
    const MjcfElement element = withDefaults({xml, {}, &mainClass(scope), &scope});
    const bool isWeld = xml.name() == "weld", isOfSites = xml.has("site1");
    const std::optional<MjcfPlace> first = placeNamed(element, scope, isOfSites ? "site1" : "body1", isOfSites, true);
    const std::optional<MjcfPlace> second =
        placeNamed(element, scope, isOfSites ? "site2" : "body2", isOfSites, isOfSites);
    if (!first || !second) return;
    const MjcfPlace &one = *first, &two = *second;
    std::string name = xml.find("name").value_or("").empty() ? std::string() : scope.nameOf(xml.needName());
    if (name.empty())
      name = std::string(xml.name()) + " " + std::string(xml.find(isOfSites ? "site1" : "body1").value_or("")) + " " +
             std::string(xml.find(isOfSites ? "site2" : "body2").value_or(kWorld));
    name = unusedName(std::move(name), loopNames_);
    if (one.isMocap || two.isMocap) {
      eachOnce_.insert("The " + std::string(xml.name()) + " " + inQuotes(name) +
                       " to a mocap body is left out: a goal or pin takes its place.");
      return;
    }
    LoopClosure loop{.name = name, .kind = isWeld ? LoopClosure::Kind::Weld : LoopClosure::Kind::Ball};
    Transform oneFromLoop = one.linkFromPlace, twoFromLoop = two.linkFromPlace;
    if (!isOfSites) {
      const Transform twoFromOne = two.worldFromPlace.inverse() * one.worldFromPlace;
      if (!isWeld) {
        oneFromLoop = Transform::fromTranslation(element.vector3("anchor", Eigen::Vector3d::Zero()));
        twoFromLoop = twoFromOne * oneFromLoop;
      } else {
        const Transform relative = relativePose(element).value_or(twoFromOne.inverse());
        twoFromLoop = Transform::fromTranslation(element.vector3("anchor", Eigen::Vector3d::Zero()));
        oneFromLoop = relative * twoFromLoop;
      }
    }
    if (isWeld && element.number("torquescale", 1.0) == 0.0) loop.kind = LoopClosure::Kind::Ball;
    setSides(loop, {one.link, oneFromLoop}, {two.link, twoFromLoop});
    if (loop.link == loop.other)
      eachOnce_.insert("The " + std::string(xml.name()) + " " + inQuotes(name) +
                       " is left out: both sides are on one body.");
    else builder_.addLoop(std::move(loop));
  }

  /// The pose of body2 in body1 that a weld requires; nothing if its quaternion is zero, as by default.
  static std::optional<Transform> relativePose(const MjcfElement& weld) {
    const std::vector<double> given = weld.numbers("relpose", 1, 7);
    if (given.size() < 7) return std::nullopt;
    Eigen::Quaterniond turn(given[3], given[4], given[5], given[6]);
    if (turn.norm() == 0.0) return std::nullopt;
    return Transform{turn.normalized().toRotationMatrix(), Eigen::Vector3d(given.data())};
  }

  /// Nothing for a body or site outside of the attached part of a model: MuJoCo leaves out what names it.
  std::optional<MjcfPlace> placeNamed(const MjcfElement& element, const Scope& scope, const char* attribute,
                                      bool isSite, bool isNeeded) const {
    const XmlElement& xml = element.xml();
    const std::string given = isNeeded ? std::string(xml.need(attribute)) : element.text(attribute, kWorld);
    if (!isSite && given == kWorld) return MjcfPlace{};
    const auto& places = isSite ? sitePlaces_ : places_;
    const auto found = places.find(scope.nameOf(given));
    if (found == places.end() && scope.isAttached) return std::nullopt;
    if (found == places.end()) xml.fail("there is no " + std::string(isSite ? "site " : "body ") + inQuotes(given));
    return found->second;
  }

  /// False for a joint outside of the attached part of a model: MuJoCo leaves out what names it.
  bool isInside(const XmlElement& xml, const char* attribute, const Scope& scope) const {
    return !scope.isAttached || jointIndex_.contains(scope.nameOf(xml.need(attribute)));
  }

  int jointOf(const XmlElement& xml, const char* attribute, const Scope& scope) const {
    const std::string name = scope.nameOf(xml.need(attribute));
    const auto found = jointIndex_.find(name);
    if (found == jointIndex_.end()) xml.fail("there is no joint " + inQuotes(name));
    return found->second;
  }

  /// Fixed tendons are sums of joint coordinates: a limited one is a linear limit. Spatial ones are left out.
  void readTendons(Scope& scope) {
    std::string spatial;
    for (const XmlElement& xml : scope.text->inSections("tendon")) {
      const MjcfElement element = withDefaults({xml, {}, &mainClass(scope), &scope});
      const std::string name = scope.nameOf(element.text("name", ""));
      if (xml.name() == "spatial") spatial += (spatial.empty() ? "" : ", ") + inQuotes(name);
      if (xml.name() == "fixed") readTendon(element, name, scope);
    }
    if (!spatial.empty()) eachOnce_.insert("Spatial tendons are left out: " + spatial + ".");
  }

  void readTendon(const MjcfElement& element, const std::string& name, Scope& scope) {
    LinearLimit tendon{.name = name};
    for (const XmlElement& term : scope.text->children(element.xml())) {
      if (term.name() != "joint") continue;
      if (!isInside(term, "joint", scope)) return;
      const int joint = jointOf(term, "joint", scope);
      if (poseSize(builder_.joint(joint).type) != 1)
        term.fail("the joint of a fixed tendon must be a hinge or a slide");
      tendon.terms.push_back({joint, term.number("coef")});
    }
    scope.tendons[name] = tendon;
    const std::vector<double> range = element.numbers("range", 2, 2);
    if (range.empty() || !isLimited(element)) return;
    tendon.bounds = {range[0], range[1]};
    const double rest = restOf(tendon);
    if (rest < range[0] || rest > range[1])
      eachOnce_.insert("The range of tendon " + inQuotes(name) + " is left out: the rest pose is outside of it.");
    else builder_.addLinearLimit(tendon);
  }

  double restOf(const LinearLimit& tendon) const {
    double length = 0.0;
    for (const LinearLimit::Term& term : tendon.terms) length += term.coefficient * rest_[term.joint];
    return length;
  }

  /// A tendon of two joints that keeps its length: c1 q1 + c2 q2 = length at rest + a0.
  void addTendonRule(const MjcfElement& element, const Scope& scope, std::vector<FollowRule>& rules) {
    const std::string name = scope.nameOf(element.xml().need("tendon1"));
    const auto tendon = scope.tendons.find(name);
    if (tendon == scope.tendons.end() && scope.isAttached) return;
    const bool isPair = tendon != scope.tendons.end() && tendon->second.terms.size() == 2 &&
                        tendon->second.terms[0].coefficient != 0.0 && !element.xml().has("tendon2");
    if (!isPair) {
      eachOnce_.insert("The equality of tendon " + inQuotes(name) +
                       " is left out: only fixed tendons of two joints are couplings.");
      return;
    }
    const auto& terms = tendon->second.terms;
    const std::vector<double> given = element.numbers("polycoef", 1, 5);
    const double length = restOf(tendon->second) + (given.empty() ? 0.0 : given[0]);
    rules.push_back({terms[0].joint,
                     terms[1].joint,
                     {length / terms[0].coefficient, -terms[1].coefficient / terms[0].coefficient, 0, 0, 0}});
  }

  FollowRule readEquality(const MjcfElement& element, const Scope& scope) {
    std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
    const std::vector<double> given = element.numbers("polycoef", 1, 5);
    std::ranges::copy(given, polynomial.begin());
    const XmlElement& xml = element.xml();
    FollowRule rule{.follower = jointOf(xml, "joint1", scope),
                    .driver = xml.has("joint2") ? jointOf(xml, "joint2", scope) : -1};
    if (rule.driver < 0) polynomial = {polynomial[0], 0, 0, 0, 0};
    else polynomial = *compose(polynomial, {-rest_[rule.driver], 1, 0, 0, 0});
    polynomial[0] += rest_[rule.follower];
    rule.polynomial = polynomial;
    return rule;
  }

  // -- keyframes

  /// The poses of the keyframes; qpos is in radians and has quaternions w x y z. One without qpos is the rest pose and
  /// is skipped.
  std::vector<SourcePose> readKeyframes() {
    std::size_t size = 0, count = 0;
    for (const int joint : inQpos_) size += poseSize(builder_.joint(joint).type);
    std::vector<SourcePose> poses;
    for (const XmlElement& key : text_.inSections("keyframe")) {
      ++count;
      if (key.name() != "key" || !key.has("qpos") || poses.size() == kMostSourcePoses) continue;
      const std::vector<double> qpos = key.numbers("qpos");
      const std::string name =
          key.find("name").value_or("").empty() ? "keyframe " + std::to_string(count) : key.needName();
      if (qpos.size() != size) {
        eachOnce_.insert("The keyframe " + inQuotes(name) + " is left out: its qpos has " +
                         std::to_string(qpos.size()) + " numbers, the model " + std::to_string(size) + ".");
        continue;
      }
      poses.push_back({name, {}});
      std::size_t at = 0;
      for (const int joint : inQpos_) {
        const Joint& made = builder_.joint(joint);
        const auto first = qpos.begin() + static_cast<std::ptrdiff_t>(at), last = first + poseSize(made.type);
        std::vector<double> numbers(first, last);
        if (numbers.size() >= 4) std::rotate(numbers.end() - 4, numbers.end() - 3, numbers.end());
        poses.back().joints.emplace_back(made.name, std::move(numbers));
        at += poseSize(made.type);
      }
    }
    if (!poses.empty())
      eachOnce_.insert(std::to_string(poses.size()) + (poses.size() == 1 ? " keyframe is" : " keyframes are") +
                       " in the pose library.");
    return poses;
  }

  // -- notes

  void noteWhatIsLeftOut() {
    constexpr std::string_view kTaken =
        "compiler default worldbody asset equality tendon option size visual statistic custom extension keyframe";
    std::set<std::string> left;
    for (const XmlElement& section : text_.children(text_.root()))
      if (!isAmong(section.name(), kTaken)) left.insert(printable(section.name()));
    if (left.empty()) return;
    std::string list;
    std::size_t named = 0;
    for (const std::string& name : left)
      if (named++ < 20) list += (list.empty() ? "" : ", ") + name;
    eachOnce_.insert("Left out, not part of the kinematics: " + list + ".");
  }

  std::string_view bytes_;
  MjcfText text_;
  const MjcfDefaults none_;
  std::deque<Scope> scopes_;  ///< the model of the file, then those that are attached
  Scope& main_;
  std::map<std::pair<const void*, std::string>, Scope*> attached_;    ///< by element, prefix and suffix
  std::map<std::filesystem::path, std::unique_ptr<MjcfText>> texts_;  ///< of attached models
  std::map<const void*, MjcfCable> cables_;                           ///< by their elements
  std::size_t attachedBytes_ = 0;
  std::size_t sites_ = 0, items_ = 0;
  int bodies_ = 0;                                                     ///< in MuJoCo's numbering, where the world is 0
  std::vector<int> inQpos_;                                            ///< joints in the order of MuJoCo's qpos
  std::map<std::string, MjcfPlace, std::less<>> places_, sitePlaces_;  ///< bodies, sites
  std::set<std::string> loopNames_;
  std::set<std::string> eachOnce_;  ///< the notes
};

}  // namespace

bool looksLikeMjcf(std::string_view text) { return firstXmlElement(text) == "mujoco"; }

Result<FigureSource> readMjcf(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading model")) return Error{path.string(), "", std::string(kCancelled)};
  return faultsAsErrors<FigureSource>(path.string(), [&] {
    if (firstXmlElement(text) != "mujoco") {
      const XmlFile file(text, path);  // invalid XML is the better error message
      file.root().fail("the first element is not <mujoco>: this is not an MJCF model");
    }
    return MjcfReader(text, path, context).read();
  });
}

}  // namespace limber::io
