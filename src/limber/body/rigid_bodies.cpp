// SPDX-License-Identifier: MIT
#include "limber/body/rigid_bodies.h"

#include <algorithm>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kSamePlace = 1e-3;  // of a mean link length
constexpr double kNoMass = 1e-9;     // kilograms

class Uniting {
 public:
  explicit Uniting(const Figure& figure) : figure_(figure), rest_(bodyMapOf(figure).rest()) {
    found_.bodyOfLink.assign(figure.linkCount(), -1);
  }

  RigidBodies unite() {
    for (int link = 0; link < figure_.linkCount(); ++link) place(link);
    for (int link = 0; link < figure_.linkCount(); ++link) found_.bodies[bodyOf(link)].links.push_back(link);
    connect();
    measure();
    return std::move(found_);
  }

 private:
  int bodyOf(int link) const { return found_.bodyOfLink[link]; }
  Eigen::Vector3d placeOf(int link) const { return rest_.worldFromLink[link].translation; }

  /// A new body, or that of its parent.
  void place(int link) {
    const int parent = figure_.link(link).parent;
    if (parent >= 0 && (figure_.joint(link).type == JointType::Fixed || isTurnedThrough(parent, link))) {
      found_.bodyOfLink[link] = bodyOf(parent);
      if (figure_.joint(link).type != JointType::Fixed) found_.bodies[bodyOf(parent)].main = link;
      return;
    }
    found_.bodyOfLink[link] = found_.count();
    found_.bodies.emplace_back().main = link;
  }

  static bool isBare(const Link& link) { return link.capsules.empty() && link.mass <= kNoMass; }
  /// True if the parent is only a hinge of the link.
  bool isTurnedThrough(int parent, int link) const {
    if (figure_.children(parent).size() != 1 || !isBare(figure_.link(parent))) return false;
    if (found_.bodies[bodyOf(parent)].main != parent) return false;
    const double apart = (placeOf(link) - placeOf(parent)).norm();
    return figure_.link(parent).parent < 0 || apart <= kSamePlace * figure_.meanLinkLength();
  }

  void connect() {
    for (int body = 0; body < found_.count(); ++body) {
      const int over = figure_.link(found_[body].links.front()).parent;
      if (over < 0) continue;
      found_.bodies[body].parent = bodyOf(over);
      found_.bodies[bodyOf(over)].children.push_back(body);
    }
  }

  void measure() {
    for (int body = found_.count() - 1; body >= 0; --body) {
      RigidBody& own = found_.bodies[body];
      own.place = placeOf(own.main);
      const auto reachTo = [&](const Eigen::Vector3d& point) {
        own.reach = std::max(own.reach, (point - own.place).norm());
      };
      for (const int link : own.links)
        for (const Capsule& capsule : figure_.link(link).capsules) {
          reachTo(rest_.worldFromLink[link] * capsule.start);
          reachTo(rest_.worldFromLink[link] * capsule.end);
        }
      for (const int child : own.children) {
        own.reach = std::max(own.reach, found_.armOf(child));
        own.count += found_[child].count;
      }
    }
  }

  const Figure& figure_;
  const Kinematics& rest_;
  RigidBodies found_;
};

}  // namespace

double RigidBodies::stepTo(int body) const {
  const int parent = (*this)[body].parent;
  return parent < 0 ? 0.0 : ((*this)[body].place - (*this)[parent].place).norm();
}

RigidBodies findRigidBodies(const Figure& figure) { return Uniting(figure).unite(); }

}  // namespace limber
