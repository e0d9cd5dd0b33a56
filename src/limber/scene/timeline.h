// SPDX-License-Identifier: MIT
// The timeline: keys of pose and goals, and curves along which targets move. It is immutable and shared by documents;
// the edits below replace it by a changed copy.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

struct Document;

/// A goal's target at a key.
struct GoalKey {
  int goal = -1;                                              ///< its id
  Eigen::Vector3d target = Eigen::Vector3d::Zero();           ///< world, metres
  Eigen::Matrix3d targetFrame = Eigen::Matrix3d::Identity();  ///< world, as columns
  bool enabled = true;
  bool operator==(const GoalKey&) const = default;
};

/// How a blend passes from a key to the next: the part of the way, from 0 to 1, as a function of the part of the time.
/// It is a cubic Bezier curve from (0, 0) to (1, 1) with handles (x1, y1) and (x2, y2), so that no value leaves the
/// interval of its two keys.
struct Ease {
  enum class Kind {
    Blend,  ///< as Timeline::blend
    Step,   ///< the key holds until the next one
    Curve,
  } kind = Kind::Blend;
  double x1 = 1.0 / 3.0, y1 = 1.0 / 3.0, x2 = 2.0 / 3.0, y2 = 2.0 / 3.0;  ///< in [0, 1]; of Curve
  bool operator==(const Ease&) const = default;

  /// The part of the way at a part of the time, both in [0, 1]; not for Blend.
  double at(double part) const;
};

struct TimelineKey {
  double time = 0.0;           ///< seconds, >= 0
  Pose pose;                   ///< empty if only goals are keyed
  std::vector<GoalKey> goals;  ///< at most one for each goal
  Ease ease = {};              ///< of the way to the next key

  bool hasPose() const { return pose.coordinates.size() > 0; }
  bool operator==(const TimelineKey&) const = default;
};

/// A curve along which the target of a goal moves at constant speed (scene/path_curve.h).
struct TargetPath {
  enum class Curve {
    CatmullRom,  ///< through every point
    Bezier,      ///< cubic: a point, two handles, a point, ...; 3 k + 1 points, 3 k when closed
  };
  int goal = -1;  ///< its id; at most one path for each goal
  Curve curve = Curve::CatmullRom;
  std::vector<Eigen::Vector3d> points;  ///< world, metres
  bool isClosed = false;
  double begin = 0.0, end = 2.0;  ///< seconds: times at which the target is at the path's start and end
  bool enabled = true;
  bool operator==(const TargetPath&) const = default;

  /// True for the points of a Bezier curve that it does not pass through.
  bool isHandle(int point) const { return curve == Curve::Bezier && point % 3 != 0; }
};

/// The interpolation between keys (scene/pose_track.h).
enum class Blend {
  Linear,  ///< rotations by the shortest turn at constant speed; lengths linearly
  Smooth,  ///< cubic, with continuous velocity and without overshooting the keys
};

struct Timeline {
  std::vector<TimelineKey> keys;  ///< by time, no two at the same
  std::vector<TargetPath> paths;
  Blend blend = Blend::Smooth;
  double length = 4.0;            ///< seconds, > 0
  double framesPerSecond = 30.0;  ///< of playback, of a bake and of its export

  bool isEmpty() const { return keys.empty() && paths.empty(); }
  bool hasPoses() const;  ///< true if a key has a pose
  bool operator==(const Timeline&) const = default;
};

inline constexpr double kMaxTimelineSeconds = 86400.0;
inline constexpr double kMaxFramesPerSecond = 1000.0;

/// Empty, or why the timeline cannot be played: a number that is not finite, a key out of order, a goal that does not
/// exist ...
std::string findFault(const Timeline& timeline, const Document& document);
/// Empty, or a remark about a path that can be played: "has one point: the target stands still".
std::string remarkOn(const TargetPath& path);

const TimelineKey* findKey(const Timeline& timeline, double time);  ///< within half a frame; null for none
const TargetPath* findPath(const Timeline& timeline, int goal);
TargetPath* findPath(Timeline& timeline, int goal);

// Edits of a document. Each replaces the timeline by a changed copy; a document without one gets an empty one first.

/// Replaces the timeline by a copy, which the caller may change until the document is shared. The first key or path
/// over a motion gives the timeline the motion's length and frame rate.
Timeline& changeTimeline(Document& document);

/// Sets a key of the document's pose at its time; goals that are keyed there stay.
void keyPose(Document& document);
/// Sets a key of a goal's target, or of all goals (-1). False if there is no such goal.
bool keyGoals(Document& document, int goal = -1);
/// False if there is no key.
bool removeKey(Document& document, double time);
/// False if there is no key.
bool setEase(Document& document, double time, const Ease& ease);
/// Moves a key, within the timeline. A key that is there already is merged; the moved one's pose and goals win.
bool moveKey(Document& document, double from, double to);

/// Gives a goal without a path one from its target to a point one mean link length aside, over the whole timeline.
/// False if there is no such goal.
bool addPath(Document& document, int goal);
void removePath(Document& document, int goal);
void movePathPoint(Document& document, int goal, int point, const Eigen::Vector3d& to);
/// Adds a point on the curve at a parameter of PathCurve; a Bezier curve keeps its form. A path of one point gets a
/// second point aside. Returns the index.
int insertPathPoint(Document& document, int goal, double parameter);
/// Removes a point with its handles; for a handle, moves it back onto its point. Without its last point the path is
/// removed.
void removePathPoint(Document& document, int goal, int point);
/// Changes the kind of curve. A Bezier curve keeps the form of the old one; a Catmull-Rom curve drops the handles.
void setPathCurve(Document& document, int goal, TargetPath::Curve curve);
void setPathClosed(Document& document, int goal, bool isClosed);

/// Moves a goal's target to its place on its enabled path at the document's time.
void followPath(Document& document, int goal);

/// Removes keys and paths of goals that no longer exist.
void pruneTimeline(Document& document);

}  // namespace limber
