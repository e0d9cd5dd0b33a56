// SPDX-License-Identifier: MIT
#include "limber/scene/figure_change.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "limber/body/body_map.h"
#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

/// The user's value, unless the figure's own has changed.
template <typename T>
T carried(const T& user, const T& old, const T& now) {
  return now == old ? user : now;
}

JointSettings carried(const JointSettings& user, const JointSettings& old, const JointSettings& now) {
  return {carried(user.limits, old.limits, now.limits),
          carried(user.ballLimits, old.ballLimits, now.ballLimits),
          carried(user.rigidity, old.rigidity, now.rigidity),
          carried(user.locked, old.locked, now.locked),
          carried(user.translationLocked, old.translationLocked, now.translationLocked),
          user.preferred};
}

/// Maps links, joints and poses from one figure to the other.
struct Carrier {
  const Figure& old;
  const Figure& now;
  const std::vector<int>& linkFromOld;
  std::vector<std::string> notes = {};

  int link(int oldLink) const { return oldLink < 0 ? -1 : linkFromOld[oldLink]; }

  Pose pose(const Pose& from) const {
    Pose pose = restPose(now);
    for (int i = 0; i < old.linkCount(); ++i) {
      if (link(i) < 0 || now.joint(link(i)).type != old.joint(i).type) continue;
      const int size = poseSize(old.joint(i).type);
      pose.coordinates.segment(now.joint(link(i)).poseIndex, size) =
          from.coordinates.segment(old.joint(i).poseIndex, size);
    }
    return pose;
  }
};

std::vector<JointSettings> carrySettings(const Document& document, const Carrier& carrier) {
  std::vector<JointSettings> settings;
  for (const Joint& joint : carrier.now.joints()) settings.push_back(settingsOf(joint));
  for (int i = 0; i < carrier.old.linkCount(); ++i)
    if (const int now = carrier.link(i); now >= 0)
      settings[now] = carried(document.joints[i], settingsOf(carrier.old.joint(i)), settings[now]);
  return settings;
}

/// Empty if the goal could be carried over, else why not.
std::string carryGoal(const Carrier& carrier, GoalItem& goal) {
  const auto gone = [&](int link) { return "its link " + inQuotes(carrier.old.link(link).name) + " is gone"; };
  if (carrier.link(goal.link) < 0 && infoOf(goal.type).hasEndEffector()) return gone(goal.link);
  if (goal.otherLink >= 0 && carrier.link(goal.otherLink) < 0) return gone(goal.otherLink);
  const bool hadChain = !goal.chain.empty();
  std::erase_if(goal.chain, [&](int joint) { return carrier.link(joint) < 0; });
  if (hadChain && goal.chain.empty()) return "every joint of its chain is gone";
  goal.link = std::max(carrier.link(goal.link), 0);
  goal.otherLink = carrier.link(goal.otherLink);
  for (int& joint : goal.chain) joint = carrier.link(joint);
  if (goal.kept.coordinates.size() == carrier.old.poseSize()) goal.kept = carrier.pose(goal.kept);
  return {};
}

void carryGoals(Document& document, Carrier& carrier) {
  std::erase_if(document.goals, [&](GoalItem& goal) {
    const std::size_t chain = goal.chain.size();
    const std::string name = goalInWords(goal), fault = carryGoal(carrier, goal);
    if (!fault.empty()) carrier.notes.push_back("the " + name + " is dropped: " + fault);
    else if (goal.chain.size() < chain) carrier.notes.push_back("the chain of " + name + " is shorter");
    return !fault.empty();
  });
  std::erase_if(document.pins, [&](Pin& pin) {
    if (carrier.link(pin.link) < 0)
      carrier.notes.push_back("the pin of " + inQuotes(carrier.old.link(pin.link).name) + " is dropped");
    pin.link = carrier.link(pin.link);
    return pin.link < 0;
  });
}

/// An obstacle whose links are all removed is switched off, because an empty list would mean all links.
void carryObstacles(Document& document, Carrier& carrier) {
  for (Obstacle& obstacle : document.obstacles) {
    const bool wasForSome = !obstacle.links.empty();
    for (int& link : obstacle.links) link = carrier.link(link);
    std::erase(obstacle.links, -1);
    for (Obstacle::Point& point : obstacle.points) point.link = carrier.link(point.link);
    std::erase_if(obstacle.points, [](const Obstacle::Point& point) { return point.link < 0; });
    if (!wasForSome || !obstacle.links.empty()) continue;
    obstacle.enabled = false;
    carrier.notes.push_back(obstacleInWords(obstacle) + " is switched off: all links that avoided it are gone");
  }
}

/// Carries disabled pairs whose links both stay.
void carryDisabledPairs(Document& document, const Carrier& carrier) {
  const std::vector<LinkPair> old = std::exchange(document.disabledPairs, {});
  for (const LinkPair& pair : old)
    if (const int link = carrier.link(pair.link), other = carrier.link(pair.other); link >= 0 && other >= 0)
      setCollision(document, link, other, false);
}

/// Carries keyed poses to the new figure, and removes the keys of goals that are gone.
void carryTimeline(Document& document, const Carrier& carrier) {
  if (!document.timeline) return;
  pruneTimeline(document);
  for (TimelineKey& key : changeTimeline(document).keys)
    if (key.hasPose()) key.pose = carrier.pose(key.pose);
}

/// Couplings are matched by their followers, linear limits by their names; new ones are enabled.
void carrySwitches(Document& document, const Carrier& carrier) {
  std::vector<char> couplings(carrier.now.couplings().size(), 1), limits(carrier.now.linearLimits().size(), 1);
  for (std::size_t i = 0; i < carrier.old.couplings().size(); ++i)
    for (std::size_t k = 0; k < couplings.size(); ++k)
      if (carrier.now.couplings()[k].follower == carrier.link(carrier.old.couplings()[i].follower))
        couplings[k] = document.couplingEnabled[i];
  for (std::size_t i = 0; i < carrier.old.linearLimits().size(); ++i)
    for (std::size_t k = 0; k < limits.size(); ++k)
      if (carrier.now.linearLimits()[k].name == carrier.old.linearLimits()[i].name)
        limits[k] = document.linearLimitEnabled[i];
  document.couplingEnabled = std::move(couplings);
  document.linearLimitEnabled = std::move(limits);
}

MotionLayer carryLayer(MotionLayer layer, const Carrier& carrier) {
  for (LayerTrack& track : layer.tracks) {
    const int joint = carrier.link(track.joint);
    const bool isKept = joint >= 0 && carrier.now.joint(joint).type == carrier.old.joint(track.joint).type;
    track.joint = isKept ? joint : -1;
  }
  std::erase_if(layer.tracks, [](const LayerTrack& track) { return track.joint < 0; });
  std::ranges::sort(layer.tracks, {}, &LayerTrack::joint);
  return layer;
}

/// The motion without the channels, tracks, keys and coordinates of joints that are gone.
std::shared_ptr<const Motion> carryMotion(const Motion& motion, const Carrier& carrier) {
  if (motion.beneath) return withLayer(carryMotion(*motion.beneath, carrier), carryLayer(motion.layer, carrier));
  auto carried = std::make_shared<Motion>();
  carried->name = motion.name;
  carried->frameCount = motion.frameCount;
  carried->frameTime = motion.frameTime;
  carried->isBaked = motion.isBaked;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < motion.channels.size(); ++c)
    if (const int joint = carrier.link(motion.channels[c].joint); joint >= 0) {
      columns.push_back(c);
      carried->channels.push_back({joint, motion.channels[c].type, motion.channels[c].zero});
    }
  carried->values.reserve(columns.size() * motion.frameCount);
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(motion.frameCount); ++frame)
    for (const std::size_t c : columns) carried->values.push_back(motion.values[frame * motion.channels.size() + c]);
  for (const Track& track : motion.tracks)
    if (const int joint = carrier.link(track.joint); joint >= 0) {
      carried->tracks.push_back(track);
      carried->tracks.back().joint = joint;
    }
  if (!motion.poses.empty()) carried->frameCount = 0;
  for (int frame = 0; !motion.poses.empty() && frame < motion.frameCount; ++frame)
    carried->append(carrier.pose(motion.poseAt(carrier.old, frame)));
  carried->stances = motion.stances;
  if (motion.unheld) carried->unheld = carryMotion(*motion.unheld, carrier);
  return carried;
}

/// The skin with bones on the new links. A bone of a link that is gone moves to the nearest ancestor that stayed, in
/// its place at rest. Null when a bone has no such ancestor.
std::shared_ptr<const Skin> carrySkin(const Skin& skin, const Carrier& carrier) {
  const Kinematics rest = transformsOf(carrier.old, restPose(carrier.old));
  auto carried = std::make_shared<Skin>(skin);
  for (SkinSurface& surface : carried->surfaces)
    for (SkinBone& bone : surface.bones) {
      int kept = bone.link;
      while (kept >= 0 && carrier.link(kept) < 0) kept = carrier.old.link(kept).parent;
      if (kept < 0) return nullptr;
      if (kept != bone.link) {
        const Transform keptFromLink = rest.worldFromLink[kept].inverse() * rest.worldFromLink[bone.link];
        Eigen::Affine3d move = Eigen::Affine3d::Identity();
        move.linear() = keptFromLink.rotation;
        move.translation() = keptFromLink.translation;
        bone.linkFromSkin = move.cast<float>() * bone.linkFromSkin;
      }
      bone.link = carrier.link(kept);
    }
  return carried;
}

void carryMotions(Document& document, const Carrier& carrier) {
  const auto old = document.motion;
  if (old) document.motion = carryMotion(*old, carrier);
  for (std::shared_ptr<const Motion>& clip : document.clips)
    clip = clip == old ? document.motion : carryMotion(*clip, carrier);
}

/// Deselects removed links.
void carrySelection(Selection& selection, const Carrier& carrier) {
  std::vector<int> links;
  for (const int link : selection.allLinks())
    if (const int carried = carrier.link(link); carried >= 0) links.push_back(carried);
  const Selection carried = selectionOf(std::move(links), carrier.link(selection.joint));
  selection.joint = carried.joint;
  selection.links = carried.links;
}

}  // namespace

std::vector<std::string> replaceFigure(Document& document, std::shared_ptr<const Figure> figure,
                                       const std::vector<int>& linkFromOld) {
  assert(figure && static_cast<int>(linkFromOld.size()) == document.figure->linkCount());
  const std::shared_ptr<const Figure> old = document.figure;
  Carrier carrier{*old, *figure, linkFromOld};
  document.joints = carrySettings(document, carrier);
  document.pose = carrier.pose(document.pose);
  if (document.basePose.coordinates.size() == old->poseSize()) document.basePose = carrier.pose(document.basePose);
  carryGoals(document, carrier);
  carryObstacles(document, carrier);
  carryDisabledPairs(document, carrier);
  carryTimeline(document, carrier);
  carrySwitches(document, carrier);
  if (document.symmetry) {
    document.symmetry = bodyMapOf(*figure).symmetry().symmetry;
    if (!document.symmetry) carrier.notes.push_back("live symmetry is off: the figure has no two sides any more");
  }
  carrySelection(document.selection, carrier);
  if (!findGoal(document, document.selection.goal)) document.selection.goal = -1;
  const bool keepsEveryLink = linkFromOld == keepLinks(*old).linkFromOld;
  if (document.skin && !keepsEveryLink) {
    document.skin = carrySkin(*document.skin, carrier);
    if (!document.skin) carrier.notes.push_back("the skin is removed: a root that carried it is gone");
  }
  if (!keepsEveryLink || old->poseSize() != figure->poseSize()) carryMotions(document, carrier);
  document.figure = std::move(figure);
  setMotion(document, document.motion);
  clampToLimits(document, document.pose);
  return std::move(carrier.notes);
}

namespace {

/// True if the joints have the same type in the file, where a freed joint is fixed.
bool isSameType(const Joint& a, const Joint& b) {
  const auto inFile = [](const Joint& joint) { return joint.freed ? JointType::Fixed : joint.type; };
  return inFile(a) == inFile(b);
}

}  // namespace

std::vector<int> matchLinksByName(const Figure& old, const Figure& now) {
  std::vector<int> linkFromOld;
  for (int i = 0; i < old.linkCount(); ++i) {
    const int link = now.findLink(old.link(i).name);
    linkFromOld.push_back(link >= 0 && isSameType(old.joint(i), now.joint(link)) ? link : -1);
  }
  return linkFromOld;
}

FigureEdit bakeSettings(const Document& document, const Pose& rest) {
  FigureParts parts = takeApart(*document.figure);
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const JointSettings& settings = document.joints[i];
    Joint& joint = parts.joints[i];
    joint.limits = settings.limits;
    joint.ballLimits = settings.ballLimits;
    joint.rigidity = settings.rigidity;
    joint.locked = settings.locked;
    joint.translationLocked = settings.translationLocked;
    parts.rest[i] = rest.coordinates.segment(joint.poseIndex, poseSize(joint.type));
  }
  return putTogether(std::move(parts), keepLinks(*document.figure));
}

FigureEdit bakeSettings(const Document& document) {
  Pose rest = restPose(*document.figure);
  clampToLimits(document, rest);
  return bakeSettings(document, rest);
}

FigureEdit changeUnit(const Figure& figure, double metresPerUnit) {
  const double factor = metresPerUnit / figure.fileFrame().metresPerUnit;
  if (!(factor > 0.0 && std::isfinite(factor))) return failedEdit("a unit must be a number of metres above zero");
  FigureParts parts = takeApart(figure);
  parts.fileFrame.metresPerUnit = metresPerUnit;
  scaleLengths(parts, factor);
  for (Link& link : parts.links) link.mass *= factor * factor * factor;
  return putTogether(std::move(parts), keepLinks(figure));
}

void scaleLengths(FigureParts& parts, double factor) {
  parts.fileFrame.origin *= factor;
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    Link& link = parts.links[i];
    link.centreOfMass *= factor;
    for (Capsule& capsule : link.capsules) {
      capsule.start *= factor;
      capsule.end *= factor;
      capsule.radius *= factor;
    }
    Joint& joint = parts.joints[i];
    joint.parentFromJoint.translation *= factor;
    if (joint.type == JointType::Free) parts.rest[i].head<3>() *= factor;
    if (joint.type != JointType::Prismatic) continue;
    parts.rest[i] *= factor;
    joint.limits = {factor * joint.limits.lower, factor * joint.limits.upper};
  }
  for (Site& site : parts.sites) site.linkFromSite.translation *= factor;
}

namespace {

constexpr double kRounding = 1e-12;  // relative

void scaleCoordinates(const Figure& figure, double factor, Eigen::Ref<Eigen::VectorXd> coordinates) {
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Free) coordinates.segment<3>(joint.poseIndex) *= factor;
    if (joint.type == JointType::Prismatic) coordinates[joint.poseIndex] *= factor;
  }
}

MotionLayer scaledLayer(const Figure& figure, MotionLayer layer, double factor) {
  for (LayerTrack& track : layer.tracks) {
    const JointType type = figure.joint(track.joint).type;
    const std::size_t size = static_cast<std::size_t>(stepSize(type));
    const std::size_t lengths = type == JointType::Free ? 3 : type == JointType::Prismatic ? 1 : 0;
    for (std::size_t i = 0; i < track.steps.size(); ++i)
      if (i % size < lengths) track.steps[i] *= factor;
  }
  return layer;
}

std::shared_ptr<const Motion> scaledMotion(const Figure& figure, const Motion& motion, double factor) {
  if (motion.beneath)
    return withLayer(scaledMotion(figure, *motion.beneath, factor), scaledLayer(figure, motion.layer, factor));
  auto scaled = std::make_shared<Motion>(motion);
  for (Track& track : scaled->tracks)
    if (!track.isRotation)
      for (double& value : track.values) value *= factor;
  const auto size = static_cast<std::size_t>(figure.poseSize());
  for (std::size_t row = 0; size > 0 && row + size <= scaled->poses.size(); row += size)
    scaleCoordinates(figure, factor, Eigen::VectorXd::Map(scaled->poses.data() + row, figure.poseSize()));
  if (motion.unheld) scaled->unheld = scaledMotion(figure, *motion.unheld, factor);
  return scaled;
}

}  // namespace

void scaleLengths(Document& document, double factor) {
  const Figure& figure = *document.figure;
  scaleCoordinates(figure, factor, document.pose.coordinates);
  for (GoalItem& goal : document.goals) {
    goal.pointInLink *= factor;
    goal.pointInOther *= factor;
    goal.target *= factor;
    goal.distance = {factor * goal.distance.lower, factor * goal.distance.upper};
    if (goal.kept.coordinates.size() > 0) scaleCoordinates(figure, factor, goal.kept.coordinates);
  }
  for (Pin& pin : document.pins) {
    pin.pointInLink *= factor;
    pin.worldFromLink.translation *= factor;
  }
  document.safetyDistance *= factor;
  for (Obstacle& obstacle : document.obstacles) {
    obstacle.worldFromObstacle.translation *= factor;
    obstacle.size *= factor;
    for (Obstacle::Point& point : obstacle.points) point.pointInLink *= factor;
  }
  if (document.timeline) {
    Timeline& timeline = changeTimeline(document);
    for (TimelineKey& key : timeline.keys) {
      if (key.hasPose()) scaleCoordinates(figure, factor, key.pose.coordinates);
      for (GoalKey& goal : key.goals) goal.target *= factor;
    }
    for (TargetPath& path : timeline.paths)
      for (Eigen::Vector3d& point : path.points) point *= factor;
  }
  const auto shown = document.motion;
  if (shown) setMotion(document, scaledMotion(figure, *shown, factor));
  for (std::shared_ptr<const Motion>& clip : document.clips)
    clip = clip == shown ? document.motion : scaledMotion(figure, *clip, factor);
  if (!document.motion || document.frame >= document.motion->frameCount) return;
  const Pose played = document.motion->poseAt(figure, document.frame);
  if (played.coordinates.isApprox(document.pose.coordinates, kRounding)) document.pose = played;  // not edited
}

void scalePointsOnLink(Document& document, int link, double factor) {
  for (GoalItem& goal : document.goals) {
    if (goal.link == link) goal.pointInLink *= factor;
    if (goal.otherLink == link) goal.pointInOther *= factor;
  }
  for (Pin& pin : document.pins)
    if (pin.link == link) pin.pointInLink *= factor;
  for (Obstacle& obstacle : document.obstacles)
    for (Obstacle::Point& point : obstacle.points)
      if (point.link == link) point.pointInLink *= factor;
}

}  // namespace limber
