// SPDX-License-Identifier: MIT
// A joint of OpenSim becomes a chain of hinges and slides, one for each axis that moves. With the fixed frame of the
// child X = R T (rotation, then translation), and a motion J in the joint's frame:
//
//   J X^-1 = R^T (R J R^T) T(-p)        p: the translation of X
//
// so that the axes of J, turned by R, are those of the link, and a link on a fixed joint follows if p is not zero.
//
// A coordinate is the coordinate of the hinge or slide that it moves one to one. All others that it moves follow it, by
// polynomials. A coordinate without such a joint gets a link of its own, that nothing hangs on.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <utility>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/osim_model.h"
#include "limber/io/robot/robot.h"
#include "limber/io/robot/robot_parts.h"

namespace limber::io {

namespace {

constexpr double kSameOsim = 1e-12;  // metres, or entries of a rotation
constexpr double kNoOsimLimit = 1e4;

bool isNoMove(const Transform& place) {
  return place.translation.norm() < kSameOsim && (place.rotation - Eigen::Matrix3d::Identity()).norm() < kSameOsim;
}

/// The polynomial of the fourth degree nearest to a function over an interval, and its largest deviation there.
struct FittedPolynomial {
  OsimPolynomial polynomial{};
  double deviation = 0.0;
};

FittedPolynomial fitPolynomial(const std::function<double(double)>& function, const Interval& range) {
  constexpr int kSamples = 101;
  const double middle = 0.5 * (range.lower + range.upper), half = 0.5 * (range.upper - range.lower);
  Eigen::Matrix<double, kSamples, 5> powers;
  Eigen::Matrix<double, kSamples, 1> values;
  for (int i = 0; i < kSamples; ++i) {
    const double u = 2.0 * i / (kSamples - 1) - 1.0;  // well conditioned, unlike the coordinate itself
    powers.row(i) << 1.0, u, u * u, u * u * u, u * u * u * u;
    values[i] = function(middle + half * u);
  }
  const Eigen::Matrix<double, 5, 1> best = powers.colPivHouseholderQr().solve(values);
  OsimPolynomial ofU;
  std::copy(best.begin(), best.end(), ofU.begin());
  return {*compose(ofU, {-middle / half, 1.0 / half, 0, 0, 0}), (powers * best - values).cwiseAbs().maxCoeff()};
}

class OsimReader : RobotReader {
 public:
  OsimReader(const XmlFile& file, const OpenContext& context) : RobotReader(context), file_(file), model_(file) {}

  Result<FigureSource> read() {
    begin(model_.name(), file_.path());
    builder_.setFileFrame({});  // metres, y up
    notes_ = model_.notes();
    for (const OsimBody& body : model_.bodies()) linkNames_.insert(body.name);
    hangBodies();
    for (const int body : sortBodies()) addBody(body);
    addDrivers();
    addRules();
    addMarkers();
    noteFits();
    Result<FigureSource> out = finish({SourceFormat::Urdf, file_.path(), {}, {}});
    if (out) out->file = nullptr;  // nothing is written back
    return out;
  }

 private:
  struct Coordinate {
    const OsimCoordinate* written = nullptr;
    const OsimJoint* joint = nullptr;
    int driver = -1;     ///< its joint of the figure; -1 for none
    bool turns = false;  ///< an angle
    const OsimCoupler* coupler = nullptr;
  };
  /// A joint of the figure that follows a coordinate.
  struct Follower {
    int joint;
    std::string coordinate;
    const OsimFunction* function;
    double shift;
  };

  // -- the tree

  void hangBodies() {
    jointAbove_.assign(model_.bodies().size(), nullptr);
    for (const OsimJoint& joint : model_.joints()) {
      if (jointAbove_[joint.child]) {
        notes_.push_back("Joint " + inQuotes(joint.name) + " closes a loop and is left out: the loop is open.");
        continue;
      }
      jointAbove_[joint.child] = &joint;
      if (joint.kind != OsimJoint::Kind::Axes) continue;
      for (const OsimCoordinate& coordinate : joint.coordinates)
        if (!coordinates_.emplace(coordinate.name, Coordinate{.written = &coordinate, .joint = &joint}).second)
          joint.element.fail("there are two coordinates " + inQuotes(coordinate.name));
    }
    for (const OsimCoupler& coupler : model_.couplers()) {
      const auto dependent = coordinates_.find(coupler.dependent);
      if (dependent == coordinates_.end() || !coordinates_.contains(coupler.independent))
        coupler.element.fail("there is no coordinate " +
                             inQuotes(dependent == coordinates_.end() ? coupler.dependent : coupler.independent));
      dependent->second.coupler = &coupler;
    }
    for (auto& [name, coordinate] : coordinates_) {
      const std::string* at = &name;
      for (std::size_t steps = 0; coordinates_.at(*at).coupler; at = &coordinates_.at(*at).coupler->independent)
        if (++steps > coordinates_.size()) coordinate.coupler->element.fail("coordinates drive one another in a cycle");
    }
  }

  /// The bodies, parents first.
  std::vector<int> sortBodies() const {
    std::vector<int> order;
    std::vector<char> isDone(jointAbove_.size(), 0);
    for (std::size_t i = 0; i < jointAbove_.size(); ++i) {
      std::vector<int> path;
      for (int at = static_cast<int>(i); at >= 0 && !isDone[at]; at = jointAbove_[at] ? jointAbove_[at]->parent : -1) {
        if (path.size() > jointAbove_.size())
          model_.bodies()[i].element.fail("bodies hang on one another in a cycle through it");
        path.push_back(at);
      }
      for (auto at = path.rbegin(); at != path.rend(); ++at)
        if (!std::exchange(isDone[*at], 1)) order.push_back(*at);
    }
    return order;
  }

  void addBody(int index) {
    const OsimBody& body = model_.bodies()[index];
    linkOf_.resize(model_.bodies().size(), -1);
    Link link{.name = body.name};
    if (const OsimJoint* joint = jointAbove_[index]) {
      link.parent = joint->parent < 0 ? -1 : linkOf_[joint->parent];
      std::vector<Moving> chain = chainOf(*joint);
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        Link between{.name = unusedName(body.name + "/" + chain[i].joint.name, linkNames_), .parent = link.parent};
        link.parent = addMoving(std::move(between), std::move(chain[i]), {}, joint->element);
      }
      linkOf_[index] =
          addMoving(std::move(link), std::move(chain.back()), {body.mass, body.centreOfMass}, joint->element);
      return;
    }
    notes_.push_back("Body " + inQuotes(body.name) + " has no joint: it is free.");
    Joint free{.name = unusedName(body.name, jointNames_), .type = JointType::Free};
    linkOf_[index] = add(std::move(link), std::move(free), {body.mass, body.centreOfMass});
  }

  // -- joints

  /// A joint of the figure, with the rest coordinates that a joint of several has.
  struct Moving {
    Joint joint = {};
    const OsimAxis* axis = nullptr;  ///< null unless it moves along or about one
    std::string coordinate = {};     ///< of its axis
    bool isDriver = false;
    double rest = 0.0;
    double shift = 0.0;  ///< of a follower: the part of its function that its place contains
    Eigen::VectorXd restOfAll = {};
  };

  int addMoving(Link link, Moving moving, const LinkWeight& weight, const XmlElement& element) {
    if (weight_.size() >= kMaxRobotLinks)
      element.fail("there are more than " + std::to_string(kMaxRobotLinks) + " links");
    const int index = add(std::move(link), std::move(moving.joint), weight, moving.rest);
    if (moving.restOfAll.size() > 0) builder_.setRest(index, moving.restOfAll);
    if (moving.isDriver) coordinates_.at(moving.coordinate).driver = index;
    else if (moving.axis) followers_.push_back({index, moving.coordinate, &moving.axis->function, moving.shift});
    return index;
  }

  /// At least one joint, the last of which is that of the body itself.
  std::vector<Moving> chainOf(const OsimJoint& osim) {
    const Eigen::Matrix3d turn = osim.childFromJoint.rotation;
    Transform place = osim.parentFromJoint * Transform{turn.transpose(), Eigen::Vector3d::Zero()};
    std::vector<Moving> chain;
    if (osim.kind == OsimJoint::Kind::Ball || osim.kind == OsimJoint::Kind::Free)
      chain.push_back(ballOf(osim, std::exchange(place, Transform())));
    for (const OsimAxis& axis : osim.axes) {
      const Eigen::Vector3d direction = turn * axis.axis;
      const auto shift = [&](double by) {
        place = place * (axis.isRotation ? Transform{Eigen::AngleAxisd(by, direction).toRotationMatrix(), {0, 0, 0}}
                                         : Transform::fromTranslation(by * direction));
      };
      if (!axis.coordinate) {
        shift(axis.function.at(0.0));
        continue;
      }
      const OsimCoordinate& written = osim.coordinates[*axis.coordinate];
      Moving moving{.axis = &axis, .coordinate = written.name};
      moving.joint.type = axis.isRotation ? JointType::Revolute : JointType::Prismatic;
      moving.joint.axis = direction;
      Coordinate& coordinate = coordinates_.at(written.name);
      coordinate.turns = coordinate.turns || axis.isRotation;
      if (const auto sense = senseOf(axis.function); sense && !drives_.contains(written.name)) {
        drives_.insert(written.name);
        shift(axis.function.at(0.0));
        moving.joint.axis *= *sense;
        makeDriver(written, moving);
      } else {
        moving.joint.name = unusedName(osim.name + "/" + axisName(osim, axis), jointNames_);
        if (!axis.isRotation) shift(moving.shift = defaultOf(axis.function, written.name));  // bones have their length
      }
      moving.joint.parentFromJoint = std::exchange(place, Transform());
      chain.push_back(std::move(moving));
    }
    place = place * Transform::fromTranslation(-osim.childFromJoint.translation);
    if (chain.empty() || !isNoMove(place)) {
      Moving fixed;
      fixed.joint.name = unusedName(chain.empty() ? osim.name : osim.name + "_offset", jointNames_);
      fixed.joint.parentFromJoint = place;
      chain.push_back(std::move(fixed));
    }
    return chain;
  }

  /// 1 or -1 if the function adds to the coordinate or to its negative.
  static std::optional<double> senseOf(const OsimFunction& function) {
    if (!function.polynomial()) return std::nullopt;
    const OsimPolynomial& p = *function.polynomial();
    const bool isLinear = p[2] == 0.0 && p[3] == 0.0 && p[4] == 0.0;
    return isLinear && std::abs(p[1]) == 1.0 ? std::optional(p[1]) : std::nullopt;
  }

  static std::string axisName(const OsimJoint& osim, const OsimAxis& axis) {
    int number = 1;
    for (const OsimAxis* before = osim.axes.data(); before != &axis; ++before)
      number += before->isRotation == axis.isRotation ? 1 : 0;
    return (axis.isRotation ? "rotation" : "translation") + std::to_string(number);
  }

  void makeDriver(const OsimCoordinate& written, Moving& moving) {
    moving.isDriver = true;
    moving.rest = written.value;
    moving.joint.name = unusedName(written.name, jointNames_);
    moving.joint.locked = written.isLocked;
    if (!written.isClamped) return;
    if (std::abs(written.range.lower) < kNoOsimLimit) moving.joint.limits.lower = written.range.lower;
    if (std::abs(written.range.upper) < kNoOsimLimit) moving.joint.limits.upper = written.range.upper;
  }

  /// A ball or free joint; the coordinates of its default pose are angles about x, y, z.
  Moving ballOf(const OsimJoint& osim, const Transform& place) {
    const bool isFree = osim.kind == OsimJoint::Kind::Free;
    Moving moving;
    moving.joint.name = unusedName(osim.name, jointNames_);
    moving.joint.type = isFree ? JointType::Free : JointType::Ball;
    moving.joint.parentFromJoint = place;
    const auto value = [&](std::size_t i) { return osim.coordinates[i].value; };
    const Eigen::Matrix3d turn = osim.childFromJoint.rotation;
    const Eigen::Quaterniond rotation(
        Eigen::Matrix3d(turn * turnAboutAxes({value(0), value(1), value(2)}) * turn.transpose()));
    moving.restOfAll.resize(isFree ? 7 : 4);
    moving.restOfAll.tail<4>() = rotation.normalized().coeffs();
    if (isFree) moving.restOfAll.head<3>() = turn * Eigen::Vector3d(value(3), value(4), value(5));
    std::size_t clamped = 0, locked = 0;
    for (const OsimCoordinate& coordinate : osim.coordinates) {
      clamped += coordinate.isClamped ? 1 : 0;
      locked += coordinate.isLocked ? 1 : 0;
    }
    moving.joint.locked = !osim.coordinates.empty() && locked == osim.coordinates.size();
    if (clamped > 0)
      notes_.push_back("Joint " + inQuotes(osim.name) +
                       " turns about a point: the ranges of its coordinates are left out.");
    return moving;
  }

  // -- coordinates

  /// A coordinate that moves nothing one to one, and follows no other, becomes a joint without a load.
  void addDrivers() {
    std::set<std::string> wanted;
    for (const Follower& follower : followers_) wanted.insert(independentOf(follower.coordinate));
    for (const auto& [name, coordinate] : coordinates_)
      if (coordinate.coupler && coordinate.driver >= 0) wanted.insert(independentOf(name));
    for (const std::string& name : wanted) {
      Coordinate& coordinate = coordinates_.at(name);
      if (coordinate.driver >= 0) continue;
      Moving moving{.coordinate = name};
      makeDriver(*coordinate.written, moving);
      moving.joint.type = coordinate.turns ? JointType::Revolute : JointType::Prismatic;
      moving.joint.parentFromJoint = coordinate.joint->parentFromJoint;
      const int parent = coordinate.joint->parent;
      addMoving({.name = unusedName(name, linkNames_), .parent = parent < 0 ? -1 : linkOf_[parent]}, std::move(moving),
                {}, coordinate.joint->element);
      hasSite_.back() = 1;
    }
  }

  /// The coordinate that drives this one, itself or through others.
  const std::string& independentOf(const std::string& name) const {
    const std::string* at = &name;
    while (const OsimCoupler* coupler = coordinates_.at(*at).coupler) at = &coupler->independent;
    return *at;
  }

  /// The value of a coordinate at that of its independent one.
  double valueAt(const std::string& name, double independent) const {
    const OsimCoupler* coupler = coordinates_.at(name).coupler;
    return coupler ? coupler->function.at(valueAt(coupler->independent, independent)) : independent;
  }

  /// The value of a function of a coordinate in the default pose.
  double defaultOf(const OsimFunction& function, const std::string& name) const {
    return function.at(valueAt(name, coordinates_.at(independentOf(name)).written->value));
  }

  /// The polynomial of the coordinate over the independent one; nothing if it is none, or of a higher degree.
  std::optional<OsimPolynomial> polynomialOf(const std::string& name) const {
    const OsimCoupler* coupler = coordinates_.at(name).coupler;
    if (!coupler) return OsimPolynomial{0, 1, 0, 0, 0};
    const auto inner = polynomialOf(coupler->independent);
    return inner && coupler->function.polynomial() ? compose(*coupler->function.polynomial(), *inner) : std::nullopt;
  }

  /// Where the independent coordinate is expected: its range, or the points of a spline over it.
  Interval expectedRange(const std::string& name, const OsimFunction& function) const {
    const std::string& independent = independentOf(name);
    const OsimCoordinate& written = *coordinates_.at(independent).written;
    Interval range = written.range;
    const Interval& points =
        coordinates_.at(name).coupler ? coordinates_.at(name).coupler->function.domain() : function.domain();
    const Interval both{std::max(range.lower, points.lower), std::min(range.upper, points.upper)};
    if (both.lower < both.upper) range = both;
    const bool isUseful = range.upper - range.lower < kNoOsimLimit && range.upper - range.lower > 1e-9;
    return isUseful ? range : Interval{-std::numbers::pi, std::numbers::pi};
  }

  void addRules() {
    std::vector<FollowRule> rules;
    const auto addRule = [&](int joint, const std::string& coordinate, const OsimFunction& function, double shift) {
      const auto inner = polynomialOf(coordinate);
      std::optional<OsimPolynomial> polynomial =
          inner && function.polynomial() ? compose(*function.polynomial(), *inner) : std::nullopt;
      if (!polynomial) {
        const FittedPolynomial fitted = fitPolynomial([&](double q) { return function.at(valueAt(coordinate, q)); },
                                                      expectedRange(coordinate, function));
        polynomial = fitted.polynomial;
        const bool isAngle = builder_.joint(joint).type == JointType::Revolute;
        fits_.push_back(builder_.joint(joint).name + " within " +
                        (isAngle ? inShort(fitted.deviation * 180.0 / std::numbers::pi, 2) + " degrees"
                                 : inShort(fitted.deviation * 1000.0, 2) + " mm"));
      }
      (*polynomial)[0] -= shift;
      rules.push_back({joint, coordinates_.at(independentOf(coordinate)).driver, *polynomial});
    };
    for (const Follower& follower : followers_)
      addRule(follower.joint, follower.coordinate, *follower.function, follower.shift);
    for (const auto& [name, coordinate] : coordinates_)
      if (coordinate.coupler && coordinate.driver >= 0)
        addRule(coordinate.driver, name, OsimFunction::linear(0.0, 1.0), 0.0);
    for (const FollowFault& fault : addFollowRules(rules, rest_, builder_))
      notes_.push_back(describe(fault, rules, builder_));
  }

  void noteFits() {
    constexpr std::size_t kMostNamed = 12;
    if (fits_.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < std::min(fits_.size(), kMostNamed); ++i) list += (i > 0 ? ", " : "") + fits_[i];
    notes_.push_back("Functions of coordinates became polynomials of the fourth degree: " + list +
                     (fits_.size() > kMostNamed ? ", and more." : "."));
  }

  void addMarkers() {
    std::size_t left = 0;
    for (const OsimMarker& marker : model_.markers()) {
      if (marker.body < 0 || siteNames_.size() >= kMaxRobotSites) {
        ++left;
        continue;
      }
      const int link = linkOf_[marker.body];
      builder_.addSite({unusedName(marker.name, siteNames_), link, Transform::fromTranslation(marker.place)});
      hasSite_[link] = 1;
    }
    if (left > 0) notes_.push_back(countInWords(left, "marker") + " on the ground, or beyond 5000, left out.");
  }

  const XmlFile& file_;
  OsimModel model_;
  std::vector<const OsimJoint*> jointAbove_;  ///< by body, null for none
  std::vector<int> linkOf_;                   ///< by body
  std::map<std::string, Coordinate> coordinates_;
  std::set<std::string> drives_;  ///< coordinates with a joint that they move one to one
  std::vector<Follower> followers_;
  std::vector<std::string> fits_;
};

}  // namespace

bool looksLikeOsim(std::string_view text) { return firstXmlElement(text) == "OpenSimDocument"; }

Result<FigureSource> readOsim(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading model")) return Error{path.string(), "", std::string(kCancelled)};
  return faultsAsErrors<FigureSource>(path.string(), [&] {
    const XmlFile file(text, path);
    return OsimReader(file, context).read();
  });
}

}  // namespace limber::io
