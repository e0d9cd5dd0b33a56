// SPDX-License-Identifier: MIT
#include "limber/scene/document.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/new_goal.h"

namespace limber {

namespace {

/// The assignment's weights leave a millimetre on an arm of a metre; a figure that is dragged should meet its target.
constexpr double kFigureRestWeight = 0.1;
/// A chain keeps those weights: up to pi w_reg / w_tar = 0.003 links of its error are the pull to rest, not a miss.
constexpr double kChainReachedTolerance = 1e-2;

/// Links in one line, hinged in the plane or all on balls: the assignment's chain or its sister, not a robot's arm.
bool isChain(const Figure& figure) {
  const JointType type = figure.joint(0).type;
  if (type != JointType::Ball && !(type == JointType::Revolute && figure.isPlanar())) return false;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.joint(i).type != type || figure.link(i).parent != i - 1) return false;
  return true;
}

}  // namespace

std::string_view posingName(PosingChoice choice) {
  switch (choice) {
    case PosingChoice::Even: return "even";
    case PosingChoice::Natural: return "natural";
    case PosingChoice::Still: return "still";
  }
  return "even";
}

std::optional<PosingChoice> findPosing(std::string_view name) {
  for (const PosingChoice choice : {PosingChoice::Even, PosingChoice::Natural, PosingChoice::Still})
    if (posingName(choice) == name) return choice;
  return std::nullopt;
}

SolverSettings defaultSolverSettings(const Figure& figure) {
  SolverSettings settings;
  const bool chain = isChain(figure);
  settings.reference = chain ? RestReference::RestPose : RestReference::StartPose;
  if (chain) settings.reachedTolerance = kChainReachedTolerance;
  else settings.restWeight = kFigureRestWeight;
  return settings;
}

Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion) {
  assert(figure);
  Document document;
  document.figure = std::move(figure);
  document.motion = std::move(motion);
  const Figure& f = *document.figure;
  for (const Joint& joint : f.joints())
    document.joints.push_back(
        {joint.limits, joint.ballLimits, joint.rigidity, joint.locked, joint.translationLocked, {}});
  document.couplingEnabled.assign(f.couplings().size(), 1);
  document.linearLimitEnabled.assign(f.linearLimits().size(), 1);
  document.pose = restPose(f);
  if (document.motion && document.motion->frameCount > 0) document.pose = document.motion->poseAt(f, 0);
  Couplings(f, document.couplingEnabled).apply(document.pose);
  document.solver = defaultSolverSettings(f);
  if (const int tip = f.findSite("tip"); tip >= 0 && isChain(f)) {
    const Site& site = f.sites()[static_cast<std::size_t>(tip)];
    addGoal(document, site.link, site.linkFromSite.translation);
  }
  return document;
}

bool Selection::hasLink(int link) const {
  return link >= 0 && (link == joint || std::ranges::binary_search(links, link));
}

std::vector<int> Selection::allLinks() const {
  if (!links.empty()) return links;
  return joint >= 0 ? std::vector<int>{joint} : std::vector<int>{};
}

Selection selectionOf(std::vector<int> links, int main) {
  std::ranges::sort(links);
  const auto repeated = std::ranges::unique(links);
  links.erase(repeated.begin(), repeated.end());
  if (links.empty()) return {};
  Selection selection{.joint = std::ranges::binary_search(links, main) ? main : links.front()};
  if (links.size() > 1) selection.links = std::move(links);
  return selection;
}

const GoalItem* findGoal(const Document& document, int id) {
  const auto found = std::find_if(document.goals.begin(), document.goals.end(),
                                  [&](const GoalItem& goal) { return goal.id == id; });
  return found == document.goals.end() ? nullptr : &*found;
}

GoalItem* findGoal(Document& document, int id) {
  return const_cast<GoalItem*>(findGoal(static_cast<const Document&>(document), id));
}

int addGoal(Document& document, int link, const Eigen::Vector3d& pointInLink) {
  return addGoal(document, GoalType::Position, {.link = link, .point = pointInLink});
}

void removeGoal(Document& document, int id) {
  std::erase_if(document.goals, [&](const GoalItem& goal) { return goal.id == id; });
  if (document.selection.goal == id) document.selection.goal = -1;
  pruneTimeline(document);
}

void moveTargetsToEndEffectors(Document& document) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  for (GoalItem& goal : document.goals) moveTargetToEndEffector(document, kinematics, goal);
}

const Obstacle* findObstacle(const Document& document, int id) {
  const auto found = std::ranges::find(document.obstacles, id, &Obstacle::id);
  return found == document.obstacles.end() ? nullptr : &*found;
}

Obstacle* findObstacle(Document& document, int id) {
  return const_cast<Obstacle*>(findObstacle(static_cast<const Document&>(document), id));
}

int addObstacle(Document& document, Obstacle obstacle) {
  obstacle.id = document.nextObstacleId++;
  document.obstacles.push_back(std::move(obstacle));
  return document.obstacles.back().id;
}

void removeObstacle(Document& document, int id) {
  std::erase_if(document.obstacles, [&](const Obstacle& obstacle) { return obstacle.id == id; });
  if (document.selection.obstacle == id) document.selection.obstacle = -1;
}

const Pin* findPin(const Document& document, int link) {
  const auto found = std::find_if(document.pins.begin(), document.pins.end(),
                                  [&](const Pin& pin) { return pin.link == link; });
  return found == document.pins.end() ? nullptr : &*found;
}

void pinLink(Document& document, int link, bool position, bool rotation, const Eigen::Vector3d& pointInLink) {
  unpinLink(document, link);
  if (!position && !rotation) return;
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  document.pins.push_back(
      {link, position, rotation, pointInLink, kinematics.worldFromLink[static_cast<std::size_t>(link)]});
}

void unpinLink(Document& document, int link) {
  std::erase_if(document.pins, [&](const Pin& pin) { return pin.link == link; });
}

bool goesRound(const Document& document, int joint) {
  return document.figure->joint(joint).type == JointType::Revolute &&
         !document.joints[static_cast<std::size_t>(joint)].limits.isBounded();
}

std::vector<char> jointsThatGoRound(const Document& document) {
  std::vector<char> round(static_cast<std::size_t>(document.figure->linkCount()));
  for (std::size_t i = 0; i < round.size(); ++i) round[i] = goesRound(document, static_cast<int>(i));
  return round;
}

bool keepsOutOfThings(const Document& document) {
  return document.avoidsItself || std::ranges::any_of(document.obstacles, &Obstacle::enabled);
}

bool asksSomething(const Document& document) {
  if (document.mode != Mode::Inverse) return false;
  return std::ranges::any_of(document.goals, &GoalItem::enabled) ||
         std::ranges::any_of(document.pins, [](const Pin& pin) { return pin.position || pin.rotation; });
}

void setMode(Document& document, Mode mode) {
  if (mode == Mode::Inverse && document.mode != Mode::Inverse) moveTargetsToEndEffectors(document);
  document.mode = mode;
}

Pose basePoseOf(const Document& document) {
  const Figure& figure = *document.figure;
  Pose base = document.basePose.coordinates.size() == figure.poseSize() ? document.basePose : restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = document.joints[static_cast<std::size_t>(i)];
    const bool isLocked = settings.locked || settings.rigidity >= 1.0;
    const bool isHeldInPlace = joint.type == JointType::Free && settings.translationLocked;
    const int size = isLocked ? poseSize(joint.type) : isHeldInPlace ? 3 : 0;
    base.coordinates.segment(joint.poseIndex, size) = document.pose.coordinates.segment(joint.poseIndex, size);
  }
  clampToLimits(document, base);
  return base;
}

void resetPose(Document& document) {
  document.pose = restPose(*document.figure);
  clampToLimits(document, document.pose);
  moveTargetsToEndEffectors(document);
}

namespace {

/// Moves the drivers of a follower until it stands at `wanted`: Newton's method, each step the shortest.
void turnDrivers(const Couplings& couplings, const Couplings::Follower& follower, double wanted, Pose& pose) {
  constexpr int kMaxRounds = 20;
  std::vector<double> slopes, bends, crossBends;
  const auto slopeOf = [&](int term) { return slopes[static_cast<std::size_t>(term)]; };
  for (int round = 0; round < kMaxRounds; ++round) {
    couplings.differentiate(pose, slopes, bends, crossBends);
    double left = wanted - follower.offset, squares = 0.0;
    for (const Couplings::Drive& drive : couplings.drivesOf(follower)) {
      left -= drive.value(pose);
      for (int i = drive.firstTerm; i < drive.firstTerm + drive.termCount; ++i) squares += slopeOf(i) * slopeOf(i);
    }
    if (left == 0.0 || !(squares > 0.0) || !std::isfinite(left / squares)) return;
    const auto stepOf = [&](int term) { return std::clamp(slopeOf(term) * left / squares, -1.0, 1.0); };
    for (const Couplings::Drive& drive : couplings.drivesOf(follower)) {
      if (drive.kind == Couplings::Drive::Kind::Scalar) {
        pose.coordinates[drive.driverPoseIndex] += stepOf(drive.firstTerm);
        continue;
      }
      const Eigen::Vector3d step(stepOf(drive.firstTerm), stepOf(drive.firstTerm + 1), stepOf(drive.firstTerm + 2));
      auto rotation = pose.coordinates.segment<4>(drive.driverPoseIndex);
      rotation = (Eigen::Quaterniond(Eigen::Vector4d(rotation)) * exponential(step)).normalized().coeffs();
    }
  }
}

}  // namespace

namespace {

/// How far the pose is outside what ties joints together: linear limits, and the intervals of followers.
double tiedViolation(const Document& document, const Couplings& couplings, const Pose& pose) {
  const Figure& figure = *document.figure;
  const auto outside = [](const Interval& bounds, double q) { return std::max(bounds.lower - q, q - bounds.upper); };
  double worst = 0.0;
  for (std::size_t i = 0; i < figure.linearLimits().size(); ++i) {
    if (!document.linearLimitEnabled[i]) continue;
    double sum = 0.0;
    for (const LinearLimit::Term& term : figure.linearLimits()[i].terms)
      sum += term.coefficient * pose.coordinates[figure.joint(term.joint).poseIndex];
    worst = std::max(worst, outside(figure.linearLimits()[i].bounds, sum));
  }
  for (int i = 0; i < figure.linkCount(); ++i)
    if (stepSize(figure.joint(i).type) == 1 && couplings.isFollower(figure.joint(i).stepIndex))
      worst = std::max(worst, outside(document.joints[static_cast<std::size_t>(i)].limits,
                                      pose.coordinates[figure.joint(i).poseIndex]));
  return worst;
}

/// The pose with one coordinate of a joint turned by `amount`, within the joints' own limits.
Pose turned(const Document& document, const Couplings& couplings, int joint, int coordinate, double amount) {
  const Joint& j = document.figure->joint(joint);
  Pose pose = document.pose;
  const auto followers = couplings.followers();
  const auto follower = std::find_if(followers.begin(), followers.end(),
                                     [&](const Couplings::Follower& f) { return f.coordinate == j.stepIndex; });
  if (follower != followers.end() && !follower->isScalar) {  // the ball that it turns as
    Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
    step[couplings.drivesOf(*follower)[0].driver + coordinate] = amount;
    integrate(*document.figure, document.pose, step, pose);
  } else if (follower != followers.end()) {
    const Interval& limits = document.joints[static_cast<std::size_t>(joint)].limits;
    const double wanted = std::clamp(pose.coordinates[j.poseIndex] + amount, limits.lower, limits.upper);
    turnDrivers(couplings, *follower, wanted, pose);
  } else {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
    step[j.stepIndex + coordinate] = amount;
    integrate(*document.figure, document.pose, step, pose);
  }
  clampToLimits(document, pose);
  return pose;
}

}  // namespace

void turnJoint(Document& document, int joint, int coordinate, double amount) {
  if (coordinate < 0 || coordinate >= stepSize(document.figure->joint(joint).type)) return;
  constexpr double kRounding = 1e-12;
  constexpr int kHalvings = 50;
  const Couplings couplings(*document.figure, document.couplingEnabled);
  const double allowed = tiedViolation(document, couplings, document.pose) + kRounding;
  Pose pose = turned(document, couplings, joint, coordinate, amount);
  if (tiedViolation(document, couplings, pose) > allowed) {  // as far as what ties it to others lets it
    double inside = 0.0, outside = 1.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (inside + outside);
      pose = turned(document, couplings, joint, coordinate, middle * amount);
      (tiedViolation(document, couplings, pose) > allowed ? outside : inside) = middle;
    }
    pose = turned(document, couplings, joint, coordinate, inside * amount);
  }
  document.pose = pose;
  wrapAngles(*document.figure, document.pose);
}

void clampToLimits(const Document& document, Pose& pose) {
  const Couplings couplings(*document.figure, document.couplingEnabled);
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const Joint& joint = document.figure->joint(i);
    const BallLimits& ball = document.joints[static_cast<std::size_t>(i)].ballLimits;
    if (joint.type == JointType::Ball && ball.isBounded())
      setJointRotation(*document.figure, i, BallRange(ball).clamp(jointRotation(*document.figure, pose, i)), pose);
    if (joint.type != JointType::Revolute && joint.type != JointType::Prismatic) continue;
    if (couplings.isFollower(joint.stepIndex)) continue;
    const Interval& limits = document.joints[static_cast<std::size_t>(i)].limits;
    double& q = pose.coordinates[joint.poseIndex];
    q = std::clamp(q, limits.lower, limits.upper);
  }
  for (const Couplings::Follower& follower : couplings.followers()) {  // a ball turns as far as those that turn as it may
    if (follower.isScalar) continue;
    const auto link = static_cast<std::size_t>(std::ranges::find(document.figure->joints(), follower.poseIndex,
                                                                 &Joint::poseIndex) - document.figure->joints().begin());
    const BallLimits& limits = document.joints[link].ballLimits;
    auto rotation = pose.coordinates.segment<4>(couplings.drivesOf(follower)[0].driverPoseIndex);
    if (limits.isBounded())
      rotation = BallRange(limits).clamp(Eigen::Quaterniond(Eigen::Vector4d(rotation))).coeffs();
  }
  couplings.apply(pose);
}

void showFrame(Document& document, int frame) {
  if (!document.motion || document.motion->frameCount == 0) return;
  document.frame = std::clamp(frame, 0, document.motion->frameCount - 1);
  document.pose = document.motion->poseAt(*document.figure, document.frame);
  moveTargetsToEndEffectors(document);
}

void showClip(Document& document, std::size_t clip) {
  document.motion = document.clips.at(clip);
  showFrame(document, 0);
}

}  // namespace limber
