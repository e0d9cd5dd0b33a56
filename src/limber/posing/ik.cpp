// SPDX-License-Identifier: MIT
#include "limber/posing/ik.h"

#include <atomic>
#include <cmath>
#include <utility>

#include "limber/kinematics/shortest_turn.h"
#include "limber/posing/answer_derivative.h"
#include "limber/posing/certify.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

[[noreturn]] void fail(const std::string& sentence) { throw std::invalid_argument(sentence); }

void expectNumber(const char* what, double number) {
  if (!(number >= 0.0) || !std::isfinite(number)) fail(std::string(what) + " must be a number >= 0");
}

void expectDirection(const std::string& what, const Eigen::Vector3d& direction) {
  if (!direction.allFinite() || direction.isZero(0.0)) fail(what + " is zero or not finite");
}

std::string inGoal(const std::string& end, const char* what) { return "goal \"" + end + "\": the " + what; }

NewGoal along(GoalType type, std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
  expectDirection(inGoal(end, "direction or normal"), direction);
  return {.end = std::move(end), .item = {.type = type, .target = point, .targetFrame = frameAlong(direction)}};
}

IkProblem problemOf(std::shared_ptr<const Figure> figure) {
  if (!figure) return {};  // the constructor says why this cannot be posed
  return makeIkProblem(std::move(figure));
}

/// A number that no other goal of the program has.
GoalId newGoalId() {
  static std::atomic<std::uint64_t> last{0};
  return {++last};
}

/// Converts the lengths and places of a goal by `factor` and `move`.
template <typename Move>
void convert(GoalItem& item, double factor, const Move& move) {
  const Transform place = move(Transform{item.targetFrame, item.target});
  item.target = place.translation;
  item.targetFrame = place.rotation;
  item.pointInLink *= factor;
  item.pointInOther *= factor;
  item.distance.lower *= factor;
  item.distance.upper *= factor;
}

/// Converts what a report measures from metres of the scene.
void convert(PosingReport& report, const FileFrame& frame) {
  const double unit = frame.metresPerUnit;
  for (GoalReport& goal : report.goals) goal.error /= unit;
  for (ContactReport& contact : report.contacts) {
    contact.clearance /= unit;
    contact.asked /= unit;
    contact.point = frame.toFile(contact.point);
    contact.normal = frame.sceneFromFile.transpose() * contact.normal;
  }
  if (report.balance) report.balance->margin /= unit;
  report.worstError /= unit;
}

}  // namespace

NewGoal& NewGoal::weight(double weight) {
  item.weight = weight;
  return *this;
}

NewGoal& NewGoal::uses(std::vector<std::string> names) {
  if (names.empty()) fail(inGoal(end, "list of joints that it uses is empty: leave it out to use all joints"));
  joints = std::move(names);
  return *this;
}

NewGoal& NewGoal::priority(int number) {
  if (number < 1 || number > kLowestPriority)
    fail(inGoal(end, "priority ") + std::to_string(number) + " is not in 1 to 9");
  item.priority = number;
  return *this;
}

NewGoal& NewGoal::preference() {
  item.preference = true;
  return *this;
}

NewGoal& NewGoal::positionShare(double share) {
  if (!(share >= 0.0 && share <= 1.0)) fail(inGoal(end, "share of the position must be in [0, 1]"));
  item.positionShare = share;
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

NewGoal distance(std::string end, std::string other, const Interval& lengths) {
  if (const std::string fault = faultOf(lengths); !fault.empty())
    fail(inGoal(end, "interval of distances is wrong: ") + fault);
  return {.end = std::move(end), .other = std::move(other), .item = {.type = GoalType::Distance, .distance = lengths}};
}

NewGoal together(std::string end, std::string other) {
  return {.end = std::move(end), .other = std::move(other), .item = {.type = GoalType::Relative}};
}

NewGoal centreOfMass(const Eigen::Vector3d& target) {
  return {.end = {}, .item = {.type = GoalType::CentreOfMass, .target = target}};
}

NewGoal swivel(std::string end, const Eigen::Vector3d& directionInWorld) {
  return along(GoalType::Swivel, std::move(end), Eigen::Vector3d::Zero(), directionInWorld);
}

NewGoal keepPose(const Pose& pose) { return {.item = {.type = GoalType::KeepPose, .kept = pose}}; }

Ik::Ik(std::shared_ptr<const Figure> figure, Axes axes) : Ik(problemOf(std::move(figure)), axes) {}

Ik::Ik(IkProblem problem, Axes axes) : axes_(axes), problem_(std::move(problem)) {
  if (const std::string fault = findFault(problem_); !fault.empty()) fail(fault);
  frame_ = figure().frameIn(axes);
  for (const GoalItem& item : problem_.goals) {
    goals_.push_back({newGoalId(), item});
    convert(goals_.back().item, 1.0 / frame_.metresPerUnit,
            [&](const Transform& place) { return frame_.toFile(place); });
  }
}

Ik::Ik(const Ik& other)
    : axes_(other.axes_), frame_(other.frame_), problem_(other.problem_), goals_(other.goals_), answer_(other.answer_) {
}

Ik& Ik::operator=(const Ik& other) {
  if (this != &other) *this = Ik(other);
  return *this;
}

/// Brings the goals of the problem up to date: operator[] lets them change at any time.
void Ik::bringGoals() const {
  problem_.goals.resize(goals_.size());
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    problem_.goals[i] = goals_[i].item;  // reuses its memory
    convert(problem_.goals[i], frame_.metresPerUnit, [&](const Transform& place) { return frame_.toScene(place); });
  }
}

const IkProblem& Ik::problem() const {
  bringGoals();
  return problem_;
}

GoalId Ik::add(const NewGoal& goal) {
  GoalItem item = goal.item;
  const GoalTypeInfo& info = infoOf(item.type);
  const double unit = frame_.metresPerUnit;
  if (info.hasEndEffector()) {
    const EndEffector end = endNamed(figure(), goal.end);
    const bool hasAxis = info.axes == 1;
    if (hasAxis) expectDirection(inGoal(goal.end, "axis"), goal.axis);
    item.link = end.link;
    item.pointInLink = end.point / unit;
    item.frameInLink = hasAxis ? frameAlong(end.frame * goal.axis) : end.frame;
  }
  if (info.isBend && figure().findSite(goal.end) < 0) item.pointInLink = farEndOf(figure(), item.link).point / unit;
  if (info.other != OtherLink::None) {
    const EndEffector other = endNamed(figure(), goal.other);
    item.otherLink = other.link;
    item.pointInOther = other.point / unit;
    item.frameInOther = other.frame;
  }
  if (info.kept) expectPose(figure(), item.kept);
  if (info.fault)
    if (const char* fault = info.fault(item, figure())) fail("goal \"" + goal.end + "\": " + fault);
  for (const std::string& joint : goal.joints) item.chain.push_back(jointNamed(figure(), joint));
  item.name = goal.end.empty() ? info.newName : goal.end;
  item.id = problem_.nextGoalId++;
  goals_.push_back({newGoalId(), std::move(item)});
  return goals_.back().id;
}

const Ik::OwnGoal* Ik::find(GoalId goal) const {
  for (const OwnGoal& own : goals_)
    if (own.id == goal) return &own;
  throw std::out_of_range("this Ik has no such goal: it was removed, or belongs to another Ik");
}

void Ik::remove(GoalId goal) { goals_.erase(goals_.begin() + (find(goal) - goals_.data())); }

const GoalItem& Ik::operator[](GoalId goal) const { return find(goal)->item; }

GoalItem& Ik::operator[](GoalId goal) { return goals_[static_cast<std::size_t>(find(goal) - goals_.data())].item; }

std::vector<GoalId> Ik::goals() const {
  std::vector<GoalId> all;
  for (const OwnGoal& own : goals_) all.push_back(own.id);
  return all;
}

void Ik::anyOf(const std::vector<GoalId>& goals) {
  for (const GoalId goal : goals) find(goal);  // changes none if one is wrong
  for (const GoalId goal : goals) (*this)[goal].anyOf = (*this)[goals.front()].id;
}

void Ik::pin(std::string_view end, Keep keep) {
  const EndEffector effector = endNamed(figure(), end);
  pinLink(problem_, effector.link, keep != Keep::Rotation, keep != Keep::Position, effector.point);
}

void Ik::unpin(std::string_view end) { unpinLink(problem_, endNamed(figure(), end).link); }

void Ik::lock(std::string_view joint, bool isLocked) { problem_.joints[jointNamed(figure(), joint)].locked = isLocked; }

void Ik::setLimits(std::string_view joint, double lower, double upper) {
  const int index = jointNamed(figure(), joint);
  const std::string where = "joint \"" + std::string(joint) + "\"";
  if (!isScalar(figure().joint(index))) fail(where + " is neither a hinge nor a slide");
  if (const std::string fault = faultOf({lower, upper}); !fault.empty()) fail(where + ": " + fault);
  problem_.joints[index].limits = {lower, upper};
}

void Ik::setRigidity(std::string_view joint, double rigidity) {
  const int index = jointNamed(figure(), joint);
  if (!(rigidity >= 0.0 && rigidity <= 1.0)) fail("joint \"" + std::string(joint) + "\": rigidity must be in [0, 1]");
  problem_.joints[index].rigidity = rigidity;
}

int Ik::addObstacle(Obstacle obstacle) {
  if (const std::string fault = findFault(obstacle, figure().linkCount()); !fault.empty()) fail(fault);
  return limber::addObstacle(problem_, std::move(obstacle));
}

int Ik::addBox(const Transform& worldFromBox, const Eigen::Vector3d& size, std::string name) {
  return addObstacle({.name = std::move(name),
                      .shape = Obstacle::Shape::Box,
                      .worldFromObstacle = frame_.toScene(worldFromBox),
                      .size = frame_.metresPerUnit * size});
}

int Ik::addPlane(const Eigen::Vector3d& point, const Eigen::Vector3d& normal, std::string name) {
  expectDirection("the normal", normal);
  const Eigen::Vector3d up = frame_.sceneFromFile * normal;
  return addObstacle(
      {.name = std::move(name),
       .shape = Obstacle::Shape::Plane,
       .worldFromObstacle = {shortestTurn(Eigen::Vector3d::UnitY(), up).toRotationMatrix(), frame_.toScene(point)}});
}

int Ik::addMesh(const std::vector<Eigen::Vector3d>& points, const Transform& worldFromMesh, std::string name) {
  auto hull = std::make_shared<ConvexHull>();
  if (const std::string fault = makeConvexHull(points, *hull); !fault.empty())
    fail("the mesh \"" + name + "\" has no hull: " + fault);
  return addObstacle({.name = std::move(name),
                      .shape = Obstacle::Shape::Polyhedron,
                      .worldFromObstacle = frame_.toScene(worldFromMesh),
                      .size = Eigen::Vector3d::Constant(frame_.metresPerUnit),
                      .hull = std::move(hull)});
}

int Ik::addSphere(const Eigen::Vector3d& centre, double radius, std::string name) {
  return addObstacle(makeSphere(frame_.toScene(centre), frame_.metresPerUnit * radius, std::move(name)));
}

int Ik::addCapsule(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, std::string name) {
  return addObstacle(
      makeCapsule(frame_.toScene(start), frame_.toScene(end), frame_.metresPerUnit * radius, std::move(name)));
}

void Ik::removeObstacle(int number) {
  if (std::erase_if(problem_.obstacles, [&](const Obstacle& obstacle) { return obstacle.id == number; }) == 0)
    fail("there is no obstacle " + std::to_string(number));
}

void Ik::disableCollision(std::string_view link, std::string_view other, bool isDisabled) {
  setCollision(problem_, endNamed(figure(), link).link, endNamed(figure(), other).link, !isDisabled);
}

void Ik::setSafetyDistance(double length) {
  expectNumber("the safety distance", length);
  problem_.safetyDistance = frame_.metresPerUnit * length;
}

void Ik::setReachedDistance(double length) {
  expectNumber("the reached distance", length);
  problem_.solver.reachedDistance = frame_.metresPerUnit * length;
}

double Ik::reachedDistance() const { return toleranceOf(problem_).length / frame_.metresPerUnit; }

void Ik::setReachedAngle(double radians) {
  expectNumber("the reached angle", radians);
  problem_.solver.reachedAngle = radians;
}

double Ik::reachedAngle() const { return toleranceOf(problem_).angle; }

void Ik::setRestWeight(double weight) {
  expectNumber("the rest weight", weight);
  problem_.solver.restWeight = weight;
}

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

void Ik::setSolver(const std::string& name, const std::map<std::string, double>& options) {
  const Solver* solver = findSolver(name);
  if (!solver) {
    std::string known;
    for (const Solver* other : allSolvers()) known += (known.empty() ? "" : ", ") + std::string(other->name());
    fail("there is no solver \"" + name + "\"; there are " + known);
  }
  OptionValues values = defaultOptions(*solver);
  for (const auto& [option, value] : options)
    if (!setOption(*solver, option, value, values))
      fail("the solver \"" + name + "\" has no option \"" + option + "\"");
  if (const std::string fault = validate(*solver, values); !fault.empty()) fail(fault);
  setSolver(*solver, values);
}

const Answer& Ik::solve() { return run({.followsLast = std::exchange(isWarm_, true)}); }

const Answer& Ik::search() {
  isWarm_ = false;
  return run({.searches = true});
}

const Answer& Ik::run(const PosingRequest& request) {
  bringGoals();
  static_cast<PosingReport&>(answer_) = solveToEnd(posing_, problem_, request);
  convert(answer_, frame_);
  answer_.pose = problem_.pose;
  return answer_;
}

AnswerJacobian Ik::answerJacobian() const {
  AnswerDerivative derivative = posing_.derivative();
  AnswerJacobian result{.fault = std::move(derivative.fault), .matrix = std::move(derivative.matrix)};
  const auto toOwnAxes = [&](int first, double unit) {
    if (first < 0 || result.matrix.size() == 0) return;
    auto columns = result.matrix.middleCols<3>(first);
    columns = (columns * (unit * frame_.sceneFromFile)).eval();
  };
  for (const TargetColumns& columns : derivative.goals) {
    toOwnAxes(columns.position, frame_.metresPerUnit);
    toOwnAxes(columns.rotation, 1.0);
    for (const OwnGoal& own : goals_)
      if (own.item.id == columns.goal) result.goals.push_back({own.id, columns.position, columns.rotation});
  }
  return result;
}

AllWays Ik::solveAll(const AllWaysOptions& options) const {
  AllWays result = allWaysOf(problem(), options);
  for (ArmWay& way : result.ways) {
    way.error /= frame_.metresPerUnit;
    way.clearance /= frame_.metresPerUnit;
  }
  for (WayCurve& curve : result.curves)
    for (double& clearance : curve.clearances) clearance /= frame_.metresPerUnit;
  return result;
}

PoseCertificate Ik::certify() const { return certifyPose(problem()); }

FittedFrame Ik::fit(const std::vector<SeenPoint>& seen) {
  std::vector<FitPoint> points;
  std::vector<Eigen::Vector3d> places;
  for (const SeenPoint& point : seen) {
    const EndEffector end = endNamed(figure(), point.end);
    points.push_back({static_cast<int>(places.size()), {end.link, end.point}, point.weight});
    places.push_back(frame_.toScene(point.place));
  }
  Fitter fitter(problem(), std::move(points));
  fitter.observe(observer_);
  if (!fitter.fault().empty()) fail(fitter.fault());
  FittedFrame fitted = fitter.fit(places);
  fitted.cost /= frame_.metresPerUnit;
  fitted.squares /= frame_.metresPerUnit * frame_.metresPerUnit;
  setPose(fitted.pose);
  return fitted;
}

void Ik::setPose(const Pose& pose) {
  expectPose(figure(), pose);
  problem_.pose = pose;
  isWarm_ = false;
}

Transform Ik::placeOf(std::string_view end) const { return limber::placeOf(figure(), pose(), end, axes_); }

Jacobian Ik::jacobianOf(std::string_view end, JacobianOf of) const {
  of.axes = axes_;
  Jacobians jacobians(figure(), activeCouplings(problem_));
  jacobians.setPose(figure(), pose());
  Jacobian out;
  jacobians.compute(figure(), endNamed(figure(), end), of, out);
  return out;
}

}  // namespace limber
