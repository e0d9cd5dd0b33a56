// SPDX-License-Identifier: MIT
// The same problems for Limber's methods and for other libraries: who solves them, how fast, judged by one code.
//
//   Task      one figure and one way of asking, with all its problems
//   Entrant   a method: "pose this, from this start, within these limits"
//   judge()   looks at the pose alone, through Limber's own forward kinematics in double
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/scene/document.h"

namespace limber::bench {

/// A frame of a link that should stand at a place of the world.
struct FrameTarget {
  int link = 0;
  Transform linkFromFrame;
  Transform worldFromTarget;
  bool turns = false;  ///< its axes count, too
};

/// The objective is for Limber's methods and for general optimisers. The judge uses the first of these that is given:
/// the document's goals; the targets; else the objective itself.
struct Problem {
  Pose start;
  std::shared_ptr<const Objective> objective;
  std::vector<FrameTarget> targets;
  std::shared_ptr<const Document> document;
};

struct Task {
  std::string name;   ///< "arm"
  std::string title;  ///< for people
  std::shared_ptr<const Figure> figure;
  std::vector<Problem> problems;
  double length = 0.0, angle = 0.0;  ///< "solved" below these: metres, radians
  bool isDrag = false;               ///< each problem starts from the entrant's own answer to the one before
};

/// Farther outside than rounding is outside.
inline constexpr double kOutside = 1e-9;
/// The best minimum is shared by all answers whose f is larger by no more than this part of it (or this much).
inline constexpr double kSameMinimum = 1e-6;

struct Verdict {
  double length = 0.0;     ///< worst of the targets, metres
  double angle = 0.0;      ///< the same, radians
  double violation = 0.0;  ///< farthest outside a limit, radians or metres; infinite when something else moved
  double objective = std::numeric_limits<double>::infinity();
  double distance = 0.0;  ///< from the start: the Euclidean length of the step between, radians and metres
  bool solved = false;    ///< without targets and document: a finite f inside the limits, see shareBest()
};

/// Nothing of what an entrant says of its own answer counts. A pose that is not finite is never solved.
Verdict judge(const Task& task, const Problem& problem, const Pose& start, const Pose& answer);

/// Of answers that are judged by f alone only those at the least f of all count as solved. verdicts[e][p] is entrant e
/// at problem p.
void shareBest(std::vector<std::vector<Verdict>>& verdicts);

/// The part of a turn by which two rotations differ, radians in [0, pi], exact for small ones.
double angleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b);

class Entrant {
 public:
  virtual ~Entrant() = default;
  virtual std::string name() const = 0;  ///< as it takes the task last prepared
  /// Builds what can be kept from problem to problem. False when the method cannot take such a task. Not timed.
  virtual bool prepare(const Task& task) = 0;
  /// pose: the start in, the answer out. This alone is timed.
  virtual void solve(const Problem& problem, Pose& pose) = 0;
};

struct Score {
  std::string entrant;
  int problems = 0;
  double solved = 0.0;              ///< part of them
  double medianMicroseconds = 0.0;  ///< of all problems, solved or not
  double p95Microseconds = 0.0;
  double medianDistance = 0.0;  ///< of those solved
};

struct Result {
  std::string task, title;
  int coordinates = 0;
  double floorMicroseconds = 0.0;  ///< forward kinematics and all twists, once, in the same run
  std::vector<Score> scores;
};

/// Every entrant that takes the task solves all its problems, alternating every few problems, so that all meet the same
/// weather. Times are the thread's own processor time.
Result run(const Task& task, std::span<const std::unique_ptr<Entrant>> entrants);

/// q in [0, 1]; the values are reordered.
double quantile(std::vector<double>& values, double q);

}  // namespace limber::bench
