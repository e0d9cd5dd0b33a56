// SPDX-License-Identifier: MIT
#include "limber/posing/staying.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/body/body_map.h"
#include "limber/body/mass_shares.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"

namespace limber {

namespace {

// Only ratios matter for the pose. They were chosen by what people expect of a body, without data of motions
// (docs/natural_posing.md). Weights and forces are relative to the rest weight and for a displacement by the figure's
// size; resistances are factors of a joint's pull to the reference.
constexpr double kStayWeight = 64000.0;
constexpr double kFollowDecades = 4.0;     // powers of ten by which "body follows" at 1 lowers the stay weight
constexpr double kUnderGaze = 0.2;         // factor of the stay weight if only gazes are dragged
constexpr double kResistance = 512.0;      // of a joint outside the limb
constexpr double kOfLargerLimb = 4.0;      // resistance in the limb that contains the limb: the arm of a finger
constexpr double kAcrossFold = 64.0;       // resistance of an elbow or knee across its fold axis
constexpr double kSpineBends = 64.0;       // resistance of the spine below a head whose gaze is dragged
constexpr double kSpineTwists = 4.0;       // resistance of that spine about its long axis
constexpr double kSpineAfterDetour = 0.1;  // factor of the spine's resistance after a detour
constexpr double kForceLimit = 4120.0;     // largest force of a drag
constexpr double kMoreForce = 2.0;         // factor of the force limit if joints outside the limb resist
constexpr double kTrunkForce = 4.0;        // factor for a dragged trunk, which moves the whole body
constexpr double kGentle = 0.01;           // factor for an arm that is pulled to a place within kGentleTo of its length
constexpr double kGentleTo = 0.85;         // of an arm's length: beyond, the force grows
constexpr double kDetourForce = 0.05;      // factor for an arm after a detour
constexpr double kHangs = 100.0;           // weight of the rotation of a foot, or of links below a dragged link
constexpr double kHangsUpTo = 0.1;         // radians: beyond, its torque is constant
constexpr double kTrunk = 1e4;             // weight of the rotation of a dragged trunk
constexpr double kTrunkOfLeg = 3e4;        // weight of the rotation of a trunk whose leg is dragged
constexpr double kTrunkUpTo = 1.0;         // radians: beyond, the torque on a trunk is constant
// The largest force on a heel, relative to the force limit, while a trunk, a leg, or an arm or head is dragged.
constexpr double kHeelForceOfTrunk = 0.05, kHeelForceOfLeg = 0.2, kHeelForceInReach = 1.0;
// The weight of a heel, relative to that of a hold, while a trunk is dragged, and otherwise. With the first, a person's
// heel rises by half a millimetre under its largest force.
constexpr double kHeelSpring = 3e-4, kHeelClamp = 0.1;
constexpr double kHardly = 0.15;     // part of a turn: a joint that would turn by less is left out
constexpr double kSeenShift = 0.01;  // of the figure's size: a visible displacement
constexpr double kSeenTurn = 0.035;  // radians: a visible rotation

/// True for goals that can be dragged: those for a place or direction of one link.
bool mayBePulled(const GoalItem& goal) {
  const GoalTypeInfo& info = infoOf(goal.type);
  return info.hasEndEffector() && !isTied(goal) && !info.isGentle;
}

std::vector<Sight> sightsOf(const IkProblem& problem, const PosingRequest& request) {
  std::vector<Sight> sights;
  const GoalItem* dragged = findGoal(problem, request.draggedGoal);
  const bool areAllDragged = !request.drag && !dragged && !findPin(problem, request.draggedPin);
  const auto add = [&](const GoalItem& goal, bool isDragged) {
    if (isGaze(goal)) sights.push_back({goal.link, goal.frameInLink.col(0), isDragged});
  };
  for (const GoalItem& goal : problem.goals)
    if (goal.enabled) add(goal, areAllDragged || &goal == dragged);
  for (const GoalItem& image : request.images) add(image, dragged != nullptr);
  return sights;
}

/// Adds a dragged pin, and its mirror image if both sides are posed alike.
void addPin(const IkProblem& problem, int link, std::vector<int>& dragged) {
  dragged.push_back(link);
  const int partner = problem.symmetry ? problem.symmetry->partner[link] : -1;
  if (partner >= 0 && partner != link) dragged.push_back(partner);
}

}  // namespace

bool dragsNaturally(const IkProblem& problem) {
  return problem.solver.posing == PosingChoice::Natural && problem.solver.bodyFollows < 1.0 &&
         problem.solver.restWeight > 0.0 && problem.solver.reference != RestReference::RestPose;
}

Staying::Key Staying::keyOf(const IkProblem& problem, const PosingRequest& request) {
  Key key;
  if (isNatural(problem, request)) return key;  // the prior poses the whole body
  const bool pullsToStart = problem.solver.reference != RestReference::RestPose || request.pullsToStart;
  if (!pullsToStart || problem.solver.posing == PosingChoice::Even || !(problem.solver.restWeight > 0.0)) return key;
  if (problem.solver.posing == PosingChoice::Still || problem.solver.bodyFollows < 1.0)
    key.posing = problem.solver.posing;
  if (key.posing == PosingChoice::Even) return key;
  key.figure = problem.figure;
  key.bodyFollows = problem.solver.bodyFollows;
  key.restWeight = problem.solver.restWeight;
  key.selfAvoidance = selfAvoidanceOf(problem);
  key.keepsOut = avoidsCollisions(problem) && problem.selfAvoidance != SelfAvoidance::Arms;
  key.holdsFeet = key.posing == PosingChoice::Natural && !request.letsFeetGo;
  key.letsTrunkTurn = request.letsTrunkTurn;
  key.start = request.startPose ? *request.startPose : problem.pose;
  const auto add = [&](int id, int link, const Eigen::Vector3d& point) {
    key.goals.push_back(id);
    key.dragged.push_back(link);
    key.points.push_back(point);
  };
  const GoalItem* dragged = findGoal(problem, request.draggedGoal);
  if (request.drag) add(-1, request.drag->link, request.drag->pointInLink);
  else if (dragged) add(dragged->id, dragged->link, dragged->pointInLink);
  else if (findPin(problem, request.draggedPin)) addPin(problem, request.draggedPin, key.dragged);
  else
    for (const GoalItem& goal : problem.goals)
      if (goal.enabled && mayBePulled(goal)) add(goal.id, goal.link, goal.pointInLink);
  if (request.drag || dragged)
    for (const GoalItem& image : request.images)
      if (mayBePulled(image)) key.dragged.push_back(image.link);
  for (const GoalItem& goal : problem.goals)  // two hands on a bar: both arms move first
    if (goal.enabled && isTied(goal) && !key.dragged.empty())
      for (const int link : linksOf(goal)) {
        key.dragged.push_back(link);
        key.tiesLimbs = true;
      }
  const auto ask = [&](const GoalItem& goal) {
    for (const int link : linksOf(goal)) {
      key.asked.push_back(link);
      if (infoOf(goal.type).axes > 0) key.turned.push_back(link);
    }
  };
  for (const Pin& pin : problem.pins) {
    key.asked.push_back(pin.link);
    if (pin.rotation) key.turned.push_back(pin.link);
  }
  for (const GoalItem& goal : problem.goals)
    if (goal.enabled) ask(goal);
  for (const Hold& hold : request.holds) ask(hold.goal);
  if (key.posing == PosingChoice::Natural) key.sights = sightsOf(problem, request);
  return key;
}

Staying::Staying(const IkProblem& problem, const PosingRequest& request) : key_(keyOf(problem, request)) {
  const Figure& figure = *problem.figure;
  const bool mayStay = key_.posing != PosingChoice::Even && !key_.dragged.empty() && isValid(figure, key_.start) &&
                       std::ranges::all_of(key_.dragged, [&](int link) { return link < figure.linkCount(); });
  if (!mayStay) return;
  computeTransforms(figure, key_.start, there_);
  size_ = std::max(bodyMapOf(figure).size(), figure.meanLinkLength());  // joints may all stand at one place
  trunks_ = bodyMapOf(figure).trunks();
  findLimb();
  if (key_.posing == PosingChoice::Natural) findMovedLimbs();
  if (key_.holdsFeet) holdFeet(problem);
  if (key_.posing == PosingChoice::Natural) keepRotations();
  isOn_ = !holds_.empty() || !rotations_.empty() || std::ranges::find(limb_, 0) != limb_.end();
  if (!isOn_) return;
  gazes_ = findGazes(problem, key_.sights, there_);
  weigh(problem);
  findResting();
  if (key_.selfAvoidance != SelfAvoidance::Off) findArms();
}

bool Staying::fits(const IkProblem& problem, const PosingRequest& request) const {
  return !detour_ && key_ == keyOf(problem, request);
}

/// In Still there is no limb: the whole figure stays.
void Staying::findLimb() {
  limb_.assign(key_.figure->linkCount(), 0);
  largerLimb_ = limb_;
  if (key_.posing == PosingChoice::Still) return;
  for (const int link : key_.dragged) {
    const std::vector<char> one = bodyMapOf(*key_.figure).limbOf(link);
    for (std::size_t i = 0; i < limb_.size(); ++i) limb_[i] = limb_[i] || one[i];
    addLargerLimb(link, one);
  }
}

/// Adds the limb that contains the limb, unless that is a trunk: the arm of a finger, the leg of a toe.
void Staying::addLargerLimb(int link, const std::vector<char>& limb) {
  const Figure& figure = *key_.figure;
  while (link >= 0 && limb[link]) link = figure.link(link).parent;
  if (link < 0 || trunks_[link]) return;
  const std::vector<char> larger = bodyMapOf(figure).limbOf(link);
  const bool isWholeFigure = std::ranges::count(larger, 0) == 0;
  for (std::size_t i = 0; !isWholeFigure && i < larger.size(); ++i) largerLimb_[i] = largerLimb_[i] || larger[i];
}

void Staying::holdFeet(const IkProblem& problem) {
  const bool isTrunkDragged = std::ranges::any_of(key_.dragged, [&](int link) { return trunks_[link] != 0; });
  for (const Foothold& foot : findFootholds(problem, there_, key_.dragged)) {
    heldFeet_.push_back(foot.link);
    const auto bones = isTrunkDragged ? limber::findTwoBones(bodyMapOf(*key_.figure), foot.link) : std::nullopt;
    if (bones) standingLegs_.push_back({foot.ball ? foot.ball->foot : foot.link, *bones, foot.ball});
    if (foot.ball) {
      holdFoot(*foot.ball, isTrunkDragged);
      continue;
    }
    const Transform& stands = there_.worldFromLink[foot.link];
    Hold& hold = holds_.emplace_back(holdPoint(foot.link, foot.point, stands * foot.point));
    if (!foot.isSole) continue;
    hold.goal.type = GoalType::PositionOrientation;
    hold.goal.targetFrame = stands.rotation;
  }
}

/// Holds a foot that may turn about its ball: ball and toes stay, and a limited force holds the heel in place, or under
/// a dragged trunk on the ground. If the force is small, a half-space keeps the heel out of the ground.
void Staying::holdFoot(const FootBall& ball, bool isTrunkDragged) {
  const Transform& stands = there_.worldFromLink[ball.foot];
  Hold hinge = holdPoint(ball.foot, ball.place, stands * ball.place);
  hinge.goal.type = GoalType::PositionOrientation;
  hinge.goal.frameInLink = frameAlong(ball.axis);
  hinge.goal.targetFrame = stands.rotation * hinge.goal.frameInLink;
  hinge.goal.directionScale = {1.0, 0.0};
  holds_.push_back(hinge);
  holds_.push_back(holdRotation(ball.toes, there_.worldFromLink[ball.toes].rotation));
  const bool isLegDragged = std::ranges::any_of(movedLimbs_, &MovedLimb::isLeg);
  Hold heel = holdPoint(ball.foot, ball.heel, isTrunkDragged ? ball.ground : Eigen::Vector3d(stands * ball.heel));
  heel.force = isTrunkDragged ? kHeelForceOfTrunk : isLegDragged ? kHeelForceOfLeg : kHeelForceInReach;
  heel.goal.weight = isTrunkDragged ? kHeelSpring : kHeelClamp;
  if (isTrunkDragged) heel.tolerance = std::numeric_limits<double>::infinity();
  holds_.push_back(heel);
  if (!isTrunkDragged && !isLegDragged) return;
  Hold ground = holdPoint(ball.foot, ball.heel, ball.ground);
  ground.goal.type = GoalType::HalfSpace;
  ground.goal.weight = kHeelClamp;
  ground.goal.targetFrame = frameAlong(Eigen::Vector3d::UnitY());
  holds_.push_back(ground);
}

void Staying::findMovedLimbs() {
  const BodyMap& body = bodyMapOf(*key_.figure);
  const std::vector<Foothold>& feet = body.feetAtRest();
  for (const int link : key_.dragged) {
    if (findMovedLimb(link)) continue;
    const std::vector<char> limb = body.limbOf(link);
    const auto bones = limber::findTwoBones(body, link);
    const bool isLeg = std::ranges::any_of(feet, [&](const Foothold& foot) { return limb[foot.link] != 0; });
    if (bones) movedLimbs_.push_back({link, *bones, isLeg});
  }
}

const MovedLimb* Staying::findMovedLimb(int link) const {
  const auto moved = std::ranges::find(movedLimbs_, link, &MovedLimb::link);
  return moved == movedLimbs_.end() ? nullptr : &*moved;
}

const TwoBones* Staying::findTwoBones(int link) const {
  const MovedLimb* moved = findMovedLimb(link);
  return moved ? &moved->bones : nullptr;
}

/// Finds the links that keep their rotation.
void Staying::keepRotations() {
  for (std::size_t i = 0; i < key_.goals.size(); ++i) {
    const int link = key_.dragged[i];
    if (trunks_[link] && !key_.letsTrunkTurn) keepRotation({link, kTrunk, kTrunkUpTo});
    const MovedLimb* moved = findMovedLimb(link);
    if (!moved) continue;
    keepRotationsBehind(*moved, key_.points[i]);
    const int trunk = key_.figure->link(moved->bones.rootJoints.front()).parent;
    if (moved->isLeg && trunk >= 0 && trunks_[trunk]) keepRotation({trunk, kTrunkOfLeg, kTrunkUpTo});
  }
}

/// `rotation` has a weight relative to the rest weight.
void Staying::keepRotation(StayTerm::Rotation rotation) {
  const auto isOfLink = [&](const StayTerm::Rotation& other) { return other.link == rotation.link; };
  const bool isAsked = std::ranges::find(key_.turned, rotation.link) != key_.turned.end();
  if (isAsked || std::ranges::any_of(rotations_, isOfLink)) return;
  rotation.weight *= key_.restWeight;
  rotations_.push_back(rotation);
}

/// Keeps the rotation of the links below the dragged one: the end of the limb, and the lower bone unless that is
/// dragged at its end. The nearer the dragged point is to the fold, the more the lower bone keeps its rotation. A
/// dragged foot keeps its rotation, too.
void Staying::keepRotationsBehind(const MovedLimb& limb, const Eigen::Vector3d& point) {
  const TwoBones& bones = limb.bones;
  const int mover = rigidTopOf(*key_.figure, limb.link);
  const bool isAtEnd = !bones.endJoints.empty() && key_.figure->isAncestorOrSelf(bones.endJoints.front(), mover);
  if (isAtEnd && !limb.isLeg) return;
  for (const int end : bones.endJoints) keepRotation({end, kHangs, kHangsUpTo});
  if (isAtEnd) return;
  const bool isLower = std::ranges::find(bones.foldJoints, mover) != bones.foldJoints.end();
  const Eigen::Vector3d fold = there_.worldFromLink[bones.upper()] * bones.fold;
  const double share = (there_.worldFromLink[limb.link] * point - fold).norm() / bones.lowerLength;
  if (isLower && share >= 1.0) return;
  keepRotation({bones.lower(), kHangs * (isLower ? 1.0 - share : 1.0), kHangsUpTo});
}

/// Lets the spine bend and twist below a dragged head, for when neck and head reach their limits.
void Staying::loosenSpine(double bending, double twisting) {
  for (const Gaze& gaze : gazes_)
    for (const SpineJoint& part : gaze.spine)
      if (gaze.sight.isDragged && !limb_[part.link]) loosen(part.link, part.axis, twisting, bending);
}

/// Keeps the knees of standing legs ahead of their feet: hips and ankles turn about the knee's axis first.
void Staying::keepKneesAhead(double across) {
  for (const StandingLeg& leg : standingLegs_) {
    const int knee = leg.bones.foldJoints.front();
    const Joint& joint = key_.figure->joint(knee);
    const bool isHinge = joint.type == JointType::Revolute;
    if (!isHinge && leg.bones.foldAxis.isZero(0.0)) continue;
    const Eigen::Vector3d axis = isHinge ? worldFromJoint(*key_.figure, there_, knee).rotation * joint.axis
                                         : there_.worldFromLink[leg.bones.lower()].rotation * leg.bones.foldAxis;
    for (const std::vector<int>& joints : {leg.bones.rootJoints, leg.bones.endJoints})
      for (const int link : joints) loosen(link, there_.worldFromLink[link].rotation.transpose() * axis, 1.0, across);
  }
}

/// Makes elbows and knees that are ball joints fold like hinges.
void Staying::foldLikeHinges() {
  const auto fold = [&](const TwoBones& bones) {
    if (!bones.foldAxis.isZero(0.0)) loosen(bones.lower(), bones.foldAxis, 1.0, kAcrossFold);
  };
  for (const MovedLimb& limb : movedLimbs_) fold(limb.bones);
  for (const StandingLeg& leg : standingLegs_) fold(leg.bones);
}

/// Sets the resistance of a joint about an axis (unit, link frame) and across it.
void Staying::loosen(int link, const Eigen::Vector3d& axis, double about, double across) {
  const Joint& joint = key_.figure->joint(link);
  if (std::ranges::find(looseAxes_, link, &LooseAxis::link) != looseAxes_.end()) return;
  resistances_[link] = across;
  if (joint.type == JointType::Ball) looseAxes_.push_back({link, axis, about});
  if (joint.type == JointType::Revolute) resistances_[link] += std::pow(joint.axis.dot(axis), 2) * (about - across);
}

std::vector<std::unique_ptr<Goal>> Staying::gazeGoals(const GoalItem& goal) const {
  const auto gaze = std::ranges::find_if(gazes_, [&](const Gaze& other) { return isOfGaze(goal, other); });
  if (gaze == gazes_.end()) return {};
  return makeGazeGoals(*gaze, there_, key_.restWeight * goal.weight, key_.figure->meanLinkLength());
}

void Staying::weigh(const IkProblem& problem) {
  const Figure& figure = *key_.figure;
  const bool isStill = key_.posing == PosingChoice::Still;
  const double follows = isStill ? 0.0 : key_.bodyFollows;
  const auto isDragged = [](const Gaze& gaze) { return gaze.sight.isDragged; };
  const bool isGazeAlone = std::ranges::count_if(gazes_, isDragged) == std::ssize(key_.goals);
  const double stay =
      kStayWeight * key_.restWeight * std::pow(10.0, -kFollowDecades * follows) * (isGazeAlone ? kUnderGaze : 1.0);
  const auto among = [&](double whole) { return isStill ? 1.0 : std::pow(whole, 1.0 - follows); };
  const double resistance = among(kResistance), ofLargerLimb = among(kOfLargerLimb);
  const std::vector<double> shares = massShares(*problem.figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const bool isRoot = figure.link(i).parent < 0 || figure.isFreeRoot(i);
    weights_.push_back(limb_[i] ? 0.0 : stay * shares[i] / (size_ * size_));
    resistances_.push_back(limb_[i] || isRoot ? 1.0 : largerLimb_[i] ? ofLargerLimb : resistance);
  }
  for (const Gaze& gaze : gazes_)
    for (const int link : gaze.neck) resistances_[link] = 1.0;
  loosenSpine(among(kSpineBends), among(kSpineTwists));
  keepKneesAhead(resistance);
  foldLikeHinges();
  const double force = isStill ? kForceLimit : kForceLimit * std::pow(kMoreForce, 1.0 - follows);
  forceLimit_ = force * key_.restWeight * figure.meanLinkLength() / size_;
  for (Hold& hold : holds_) hold.force *= forceLimit_;
}

/// Finds the joints that rest: toes, fingers, eyes outside the limb. The part below such a joint has so little inertia,
/// compared with the joint's pull, that all its joints together would turn by less than kHardly of the turn of the link
/// above. There is no goal below it. Coupled joints rest together or not at all.
void Staying::findResting() {
  const Figure& figure = *key_.figure;
  const int count = figure.linkCount();
  resting_.assign(count, 0);
  if (key_.posing == PosingChoice::Still || key_.keepsOut) return;
  std::vector<char> isAsked(count, 0);  // links with a goal at or below them, and joints of linear limits
  const auto ask = [&](int link) {
    for (; link >= 0 && !isAsked[link]; link = figure.link(link).parent) isAsked[link] = 1;
  };
  for (const std::vector<int>& links : {key_.asked, key_.dragged})
    for (const int link : links)
      if (link >= 0 && link < figure.linkCount()) ask(link);
  for (const Hold& hold : holds_) ask(hold.goal.link);
  for (const LinearLimit& limit : figure.linearLimits())
    for (const LinearLimit::Term& term : limit.terms) ask(term.joint);
  struct Hung {  // the part below a joint: weight, first and second moments about the joint
    double weight = 0.0, second = 0.0;
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    double ratio = 0.0;  // inertia divided by pull, the largest sum along a path below
  };
  std::vector<Hung> hung(count);
  for (int i = figure.linkCount() - 1; i >= 0; --i) {
    const Transform& stands = there_.worldFromLink[i];
    Hung& here = hung[i];
    const Eigen::Vector3d arm = stands.rotation * figure.link(i).centreOfMass;
    const double weight = weights_[i];
    here.weight += weight;
    here.first += weight * arm;
    here.second += weight * (arm.squaredNorm() + secondMoments(figure.link(i)).trace());
    here.ratio += here.second / (key_.restWeight * resistances_[i]);
    const JointType type = figure.joint(i).type;
    const bool turns = type == JointType::Revolute || type == JointType::Ball;
    resting_[i] = turns && !limb_[i] && !isAsked[i] && here.ratio < kHardly;
    const int parent = figure.link(i).parent;
    if (parent < 0) continue;
    Hung& above = hung[parent];
    const Eigen::Vector3d apart = stands.translation - there_.worldFromLink[parent].translation;
    above.weight += here.weight;
    above.first += here.first + here.weight * apart;
    above.second += here.second + 2.0 * apart.dot(here.first) + here.weight * apart.squaredNorm();
    above.ratio = std::max(above.ratio, here.ratio);
  }
  restTogether();
}

void Staying::restTogether() {
  const auto rests = [&](int joint) -> char& { return resting_[joint]; };
  for (bool changed = true; changed;) {  // a driver may have several followers
    changed = false;
    for (const Coupling& coupling : key_.figure->couplings()) {
      bool all = rests(coupling.follower) != 0, any = all;
      for (const Coupling::Term& term : coupling.terms) {
        all = all && rests(term.driver);
        any = any || rests(term.driver);
      }
      if (all || !any) continue;
      changed = true;
      rests(coupling.follower) = 0;
      for (const Coupling::Term& term : coupling.terms) rests(term.driver) = 0;
    }
  }
}

void Staying::findArms() {
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    if (const int upper = bodyMapOf(*key_.figure).find(BodyPart::UpperArm, side); upper >= 0 && limb_[upper])
      arms_.push_back({upper, there_.worldFromLink[upper].translation});
}

std::optional<ArmPull> Staying::armPull(const GoalItem& goal) const {
  const Figure& figure = *key_.figure;
  const auto arm =
      std::ranges::find_if(arms_, [&](const ArmPull& a) { return figure.isAncestorOrSelf(a.upper, goal.link); });
  if (arm == arms_.end() || !infoOf(goal.type).isPlace) return std::nullopt;
  double length = goal.pointInLink.norm();
  for (int link = goal.link; link != arm->upper; link = figure.link(link).parent)
    length += figure.joint(link).parentFromJoint.translation.norm();
  if (!(length > 0.0)) return std::nullopt;
  return ArmPull{arm->upper, arm->shoulder, length};
}

std::shared_ptr<const Staying> Staying::afterDetour(const Pose& pose, int hand) const {
  auto staying = std::make_shared<Staying>(*this);
  staying->detour_ = pose;
  for (int link = key_.figure->link(hand).parent; link >= 0; link = key_.figure->link(link).parent)
    if (!limb_[link] && resistances_[link] > 1.0) staying->resistances_[link] *= kSpineAfterDetour;
  return staying;
}

void Staying::placeLimb(Pose& reference) const {
  if (!detour_) return;
  for (int link = 0; link < key_.figure->linkCount(); ++link)
    if (const Joint& joint = key_.figure->joint(link); limb_[link])
      std::copy_n(detour_->coordinates.begin() + joint.poseIndex, poseSize(joint.type),
                  reference.coordinates.begin() + joint.poseIndex);
}

double Staying::forceLimit(const GoalItem& goal) const {
  if (keepsRotation(goal.link) && trunks_[goal.link]) return kTrunkForce * forceLimit_;
  const auto arm = armPull(goal);
  if (!arm || key_.tiesLimbs) return forceLimit_;
  if (detour_) return kDetourForce * forceLimit_;
  const double distance = (goal.target - arm->shoulder).norm() / arm->length;
  const double share = std::clamp((distance - kGentleTo) / (1.0 - kGentleTo), 0.0, 1.0);
  return forceLimit_ * std::pow(kGentle, 1.0 - share);
}

bool Staying::isPulled(const GoalItem& goal) const {
  if (!isOn_ || !mayBePulled(goal)) return false;
  return std::ranges::find(key_.goals, goal.id) != key_.goals.end();
}

const StayTerm& Staying::term(std::span<const char> moves) const {
  if (!std::ranges::equal(moves, termMoves_)) {
    termMoves_.assign(moves.begin(), moves.end());
    term_ = StayTerm(*key_.figure, weights_, there_, moves, rotations_);
  }
  return term_;
}

bool Staying::hasBodyMoved(const Kinematics& kinematics) const {
  if (!isOn_ || key_.posing == PosingChoice::Still) return false;
  const auto isOfLimb = [&](int link) { return limb_[link] || largerLimb_[link]; };
  for (int i = 0; i < key_.figure->linkCount(); ++i) {
    const int parent = key_.figure->link(i).parent;
    if (!isOfLimb(i) || parent < 0 || isOfLimb(parent)) continue;
    const Transform& now = kinematics.worldFromLink[parent];
    const Transform& before = there_.worldFromLink[parent];
    const double turn = Eigen::AngleAxisd(now.rotation * before.rotation.transpose()).angle();
    if ((now.translation - before.translation).norm() > kSeenShift * size_ || turn > kSeenTurn) return true;
  }
  return false;
}

std::vector<char> Staying::movesOfLimb(const std::vector<char>& moves) const {
  std::vector<char> result = moves;
  for (int i = 0; i < key_.figure->linkCount(); ++i)
    if (const Joint& joint = key_.figure->joint(i); !limb_[i])
      std::fill_n(result.begin() + joint.stepIndex, stepSize(joint.type), 0);
  return result;
}

}  // namespace limber
