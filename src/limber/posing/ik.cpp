// SPDX-License-Identifier: MIT
#include "limber/posing/ik.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/certify.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

constexpr std::size_t kMostNames = 30;  // in a sentence

template <typename Named>
std::string listOf(std::span<const Named> all) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < kMostNames; ++i) text += (i > 0 ? ", " : "") + all[i].name;
  return text + (all.size() > kMostNames ? ", ..." : "");
}

[[noreturn]] void failOn(const Figure& figure, std::string_view what, std::string_view name) {
  std::string sentence = "figure " + figure.name() + " has no " + std::string(what) + " \"" + std::string(name) +
                         "\"; its links are " + listOf(figure.links());
  if (!figure.sites().empty()) sentence += ", its sites " + listOf(figure.sites());
  throw std::invalid_argument(sentence);
}

int jointNamed(const Figure& figure, std::string_view name) {
  if (const int joint = figure.findJoint(name); joint >= 0) return joint;
  const int link = figure.findLink(name);
  if (link < 0) failOn(figure, "link", name);
  return link;
}

void expectDirection(const std::string& end, const char* what, const Eigen::Vector3d& direction) {
  if (!direction.allFinite() || direction.isZero(0.0))
    throw std::invalid_argument("goal \"" + end + "\": the " + what + " is zero or not finite");
}

NewGoal along(GoalType type, std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
  expectDirection(end, "direction or normal", direction);
  return {.end = std::move(end), .item = {.type = type, .target = point, .targetFrame = frameAlong(direction)}};
}

}  // namespace

EndEffector endNamed(const Figure& figure, std::string_view name) {
  if (const int index = figure.findSite(name); index >= 0) {
    const Site& site = figure.sites()[index];
    return {site.link, site.linkFromSite.translation, site.linkFromSite.rotation};
  }
  const int link = figure.findLink(name);
  if (link < 0) failOn(figure, "site or link", name);
  return {link};
}

NewGoal& NewGoal::weight(double weight) {
  item.weight = weight;
  return *this;
}

NewGoal& NewGoal::uses(std::vector<std::string> names) {
  joints = std::move(names);
  return *this;
}

NewGoal& NewGoal::priority(int number) {
  if (number < 1 || number > kLowestPriority)
    throw std::invalid_argument("goal \"" + end + "\": priority " + std::to_string(number) + " is not in 1 to 9");
  item.priority = number;
  return *this;
}

NewGoal& NewGoal::preference() {
  item.preference = true;
  return *this;
}

NewGoal position(std::string end, const Eigen::Vector3d& target) {
  return {.end = std::move(end), .item = {.type = GoalType::Position, .target = target}};
}

NewGoal orientation(std::string end, const Eigen::Matrix3d& worldFromEnd) {
  return {.end = std::move(end), .item = {.type = GoalType::Orientation, .targetFrame = worldFromEnd}};
}

NewGoal placement(std::string end, const Transform& worldFromEnd) {
  return {.end = std::move(end),
          .item = {.type = GoalType::PositionOrientation,
                   .target = worldFromEnd.translation,
                   .targetFrame = worldFromEnd.rotation}};
}

NewGoal direction(std::string end, const Eigen::Vector3d& axisInEnd, const Eigen::Vector3d& directionInWorld) {
  NewGoal goal = along(GoalType::Direction, std::move(end), Eigen::Vector3d::Zero(), directionInWorld);
  goal.axis = axisInEnd;
  return goal;
}

NewGoal lookAt(std::string end, const Eigen::Vector3d& axisInEnd, const Eigen::Vector3d& target) {
  return {.end = std::move(end), .axis = axisInEnd, .item = {.type = GoalType::Aim, .target = target}};
}

NewGoal onLine(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& directionInWorld) {
  return along(GoalType::Line, std::move(end), point, directionInWorld);
}

NewGoal onPlane(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  return along(GoalType::Plane, std::move(end), point, normal);
}

NewGoal onSide(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  return along(GoalType::HalfSpace, std::move(end), point, normal);
}

NewGoal distance(std::string end, std::string other, const Interval& metres) {
  return {.end = std::move(end), .other = std::move(other), .item = {.type = GoalType::Distance, .distance = metres}};
}

NewGoal together(std::string end, std::string other) {
  return {.end = std::move(end), .other = std::move(other), .item = {.type = GoalType::Relative}};
}

NewGoal centreOfMass(const Eigen::Vector3d& target) {
  return {.end = {}, .item = {.type = GoalType::CentreOfMass, .target = target}};
}

Ik::Ik(std::shared_ptr<const Figure> figure) : Ik(makeIkProblem(std::move(figure))) {}

Ik::Ik(IkProblem problem) : problem_(std::move(problem)) {}

GoalId Ik::add(const NewGoal& goal) {
  GoalItem item = goal.item;
  item.name = goal.end;
  const GoalTypeInfo& info = infoOf(item.type);
  if (info.hasEndEffector()) {
    const EndEffector end = endNamed(figure(), goal.end);
    const bool hasAxis = info.axes == 1;
    if (hasAxis) expectDirection(goal.end, "axis", goal.axis);
    item.link = end.link;
    item.pointInLink = end.point;
    item.frameInLink = hasAxis ? frameAlong(end.frame * goal.axis) : end.frame;
  }
  if (info.other != OtherLink::None) {
    const EndEffector other = endNamed(figure(), goal.other);
    item.otherLink = other.link;
    item.pointInOther = other.point;
    item.frameInOther = other.frame;
  }
  for (const std::string& joint : goal.joints) item.chain.push_back(jointNamed(figure(), joint));
  item.id = problem_.nextGoalId++;
  problem_.goals.push_back(std::move(item));
  return {problem_.goals.back().id};
}

void Ik::remove(GoalId goal) {
  std::erase_if(problem_.goals, [&](const GoalItem& item) { return item.id == goal.value; });
}

GoalItem& Ik::operator[](GoalId goal) {
  if (GoalItem* item = findGoal(problem_, goal.value)) return *item;
  throw std::out_of_range("there is no goal " + std::to_string(goal.value));
}

void Ik::pin(std::string_view end, Keep keep) {
  const EndEffector effector = endNamed(figure(), end);
  pinLink(problem_, effector.link, keep != Keep::Rotation, keep != Keep::Position, effector.point);
}

void Ik::unpin(std::string_view end) { unpinLink(problem_, endNamed(figure(), end).link); }

void Ik::lock(std::string_view joint, bool isLocked) { problem_.joints[jointNamed(figure(), joint)].locked = isLocked; }

void Ik::observe(Observer* observer) {
  posing_.observe(observer);
  observer_ = observer;
}

void Ik::setSolver(const Solver& solver, const OptionValues& options) {
  problem_.solver.solver = solver.name();
  auto& changed = problem_.solver.options[problem_.solver.solver];
  changed.clear();
  for (std::size_t i = 0; i < options.size(); ++i)
    if (const OptionInfo& option = solver.options()[i]; options[i] != option.defaultValue)
      changed.emplace(option.name, options[i]);
}

Answer Ik::solve() { return run({.followsLast = std::exchange(isWarm_, true)}); }

Answer Ik::search() {
  isWarm_ = false;
  return run({.searches = true});
}

Answer Ik::run(const PosingRequest& request) {
  const PosingReport& report = solveToEnd(posing_, problem_, request);
  return {report, problem_.pose};
}

PoseCertificate Ik::certify() const { return certifyPose(problem_); }

FittedFrame Ik::fit(const std::vector<SeenPoint>& seen) {
  std::vector<FitPoint> points;
  std::vector<Eigen::Vector3d> places;
  for (const SeenPoint& point : seen) {
    const EndEffector end = endNamed(figure(), point.end);
    points.push_back({static_cast<int>(places.size()), {end.link, end.point}, point.weight});
    places.push_back(point.place);
  }
  Fitter fitter(problem_, std::move(points));
  fitter.observe(observer_);
  if (!fitter.fault().empty()) throw std::invalid_argument(fitter.fault());
  FittedFrame fitted = fitter.fit(places);
  setPose(fitted.pose);
  return fitted;
}

void Ik::setPose(const Pose& pose) {
  assert(pose.coordinates.size() == figure().poseSize());
  problem_.pose = pose;
  isWarm_ = false;
}

Transform Ik::placeOf(std::string_view end) const {
  const EndEffector effector = endNamed(figure(), end);
  const Kinematics kinematics = transformsOf(figure(), pose());
  return kinematics.worldFromLink[effector.link] * Transform{effector.frame, effector.point};
}

}  // namespace limber
