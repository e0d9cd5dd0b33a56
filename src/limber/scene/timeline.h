// SPDX-License-Identifier: MIT
// The timeline: keys of pose and goals, and curves along which targets run. Immutable, shared by documents; the edits
// below put a changed copy in its place.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

struct Document;

/// What a goal asks at a key.
struct GoalKey {
  int goal = -1;  ///< its id
  Eigen::Vector3d target = Eigen::Vector3d::Zero();           ///< world, metres
  Eigen::Matrix3d targetFrame = Eigen::Matrix3d::Identity();  ///< world, as columns
  bool enabled = true;
  bool operator==(const GoalKey&) const = default;
};

struct TimelineKey {
  double time = 0.0;           ///< seconds, >= 0
  Pose pose;                   ///< empty where only goals are keyed
  std::vector<GoalKey> goals;  ///< at most one a goal

  bool hasPose() const { return pose.coordinates.size() > 0; }
  bool operator==(const TimelineKey&) const = default;
};

/// A curve in space along which the target of a goal runs, at even speed (scene/path_curve.h).
struct TargetPath {
  enum class Curve {
    CatmullRom,  ///< through every point
    Bezier,      ///< cubic: a point, two handles, a point, ...; 3 k + 1 points, 3 k when closed
  };
  int goal = -1;                ///< id; at most one path a goal
  Curve curve = Curve::CatmullRom;
  std::vector<Eigen::Vector3d> points;  ///< world, metres
  bool isClosed = false;
  double begin = 0.0, end = 2.0;        ///< seconds: when the target is at its start and at its end
  bool enabled = true;
  bool operator==(const TargetPath&) const = default;

  /// True for the points of a Bezier curve that it does not pass through.
  bool isHandle(int point) const { return curve == Curve::Bezier && point % 3 != 0; }
};

/// The way from key to key.
enum class Blend {
  Linear,  ///< rotations by the shortest turn, evenly; lengths along the straight line
  Smooth,  ///< the same without corners: cubic, never beyond what the keys on both sides have
};

struct Timeline {
  std::vector<TimelineKey> keys;  ///< by time, no two at the same
  std::vector<TargetPath> paths;
  Blend blend = Blend::Smooth;
  double length = 4.0;            ///< seconds, > 0
  double framesPerSecond = 30.0;  ///< of play's solves, of a bake and of its export
  bool operator==(const Timeline&) const = default;
};

inline constexpr double kMaxTimelineSeconds = 86400.0;
inline constexpr double kMaxFramesPerSecond = 1000.0;

/// Frames of a timeline: those at 0, 1 / framesPerSecond, ... that are not after its end. At least 1.
int frameCountOf(const Timeline& timeline);
double timeOfFrame(const Timeline& timeline, int frame);
/// The frame nearest to a time, from the first to the last.
int frameNearest(const Timeline& timeline, double time);
/// The time of the frame nearest to it: where keys are set.
double snapToFrame(const Timeline& timeline, double time);

/// Empty, or what of it cannot be played, in words: a number that is not finite, a key out of order, a goal that is
/// not there ...
std::string findFault(const Timeline& timeline, const Document& document);
/// Empty, or what is odd about a path that plays all the same: "has one point: the target stands still".
std::string remarkOn(const TargetPath& path);

const TimelineKey* findKey(const Timeline& timeline, double time);  ///< the one of the nearest frame; null for none
const TargetPath* findPath(const Timeline& timeline, int goal);
TargetPath* findPath(Timeline& timeline, int goal);

// Edits of a document. Each puts a copy of the timeline, changed, in the place of the old one; a document without one
// gets an empty one.

/// The copy, to be changed at once.
Timeline& changeTimeline(Document& document);

/// Keys the document's pose at its time, beside what is keyed there already.
void keyPose(Document& document);
/// Keys what a goal asks, or all of them (-1). False when there is none.
bool keyGoals(Document& document, int goal = -1);
/// False when there is no key.
bool removeKey(Document& document, double time);
/// Moves a key, not before 0 and not beyond the end; what it meets there it adds itself to, and wins.
bool moveKey(Document& document, double from, double to);

/// Gives a goal a path from its target to a point one mean link length aside, over the whole timeline. One that it has
/// already stays. False when there is no such goal.
bool addPath(Document& document, int goal);
void removePath(Document& document, int goal);
void movePathPoint(Document& document, int goal, int point, const Eigen::Vector3d& to);
/// Adds a point at a place of the curve (PathCurve's parameter); a Bezier curve keeps its form. To a path of one point
/// it adds one aside. Returns its index.
int insertPathPoint(Document& document, int goal, double parameter);
/// A handle goes back to its point, a point goes with its handles; the last one takes the path along.
void removePathPoint(Document& document, int goal, int point);
/// The same points joined another way: to Bezier the form stays, to Catmull-Rom the handles go.
void setPathCurve(Document& document, int goal, TargetPath::Curve curve);
void setPathClosed(Document& document, int goal, bool isClosed);

/// Puts a goal's target where its enabled path has it at the document's time.
void followPath(Document& document, int goal);

/// Forgets keys and paths of goals that are gone.
void pruneTimeline(Document& document);

}  // namespace limber
