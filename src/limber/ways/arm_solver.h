// SPDX-License-Identifier: MIT
// All ways in which a serial arm of up to six joints reaches a place: by a closed form that it finds from the axes of
// the joints, with Newton's method at the end.
#pragma once

#include <string_view>
#include <vector>

#include "limber/ways/loop.h"
#include "limber/ways/polish.h"
#include "limber/ways/screw_chain.h"

namespace limber::ways {

/// How an arm is solved.
enum class Shape {
  SphericalTriple,  ///< three consecutive axes meet in a point
  ParallelTriple,   ///< three consecutive axes are parallel
  ThreeHinges,      ///< three hinges, other joints are slides
  Position,         ///< up to three joints for a position alone
  General,          ///< by the eigenvalues of a resultant
  Search,           ///< by Newton's method from many poses, where the resultant is singular
};

/// "spherical wrist", ...: for people.
std::string_view shapeName(Shape shape);

/// One way to reach the goal.
struct Way {
  Coordinates q;            ///< angles within [-pi, pi]
  double error = 0.0;       ///< that is left, in sizes of the arm and radians
  bool isFree = false;      ///< it is on a curve of ways: see freeJoints
  unsigned freeJoints = 0;  ///< one bit per joint that moves along that curve
};

/// Whether the list has all ways.
enum class Completeness {
  Proved,    ///< every root of the closed form is separate from the others, and is in the list or complex
  Infinite,  ///< a joint is free: the list has one of infinitely many
  Open,      ///< others cannot be excluded; always so for arms of the general shape
};

struct Ways {
  std::vector<Way> all = {};
  Shape shape = Shape::General;
  Completeness completeness = Completeness::Open;
  std::string_view reason = {};  ///< a sentence about the completeness
};

/// How much is done. Quick and Sure are the same for arms with a closed form.
enum class Effort {
  Quick,         ///< one elimination, unless its ways are odd in number or nearly coincide
  Sure,          ///< two eliminations, of which each finds what the other misses, unless the first is without doubt
  WithinLimits,  ///< as Quick, but closed forms may leave out ways outside the limits of the chain
};

class ArmSolver {
 public:
  /// The chain must have no fault. An arm for a position alone has at most three joints, for a place at most six.
  ArmSolver(const ScrewChain& chain, Aspect aspect);

  /// Empty, or why the arm cannot be solved.
  const std::string& fault() const { return fault_; }
  const ScrewChain& chain() const { return chain_; }
  Aspect aspect() const { return aspect_; }

  /// Finds all ways, ignoring limits. Joints without effect keep their coordinates of `preferred`. Allocates nothing
  /// once `ways` has its memory.
  void solve(const Transform& worldFromTip, const Coordinates& preferred, Ways& ways,
             Effort effort = Effort::Sure) const;
  /// The same with one joint held at its coordinate of `preferred`: for arms of seven joints.
  void solveHolding(int joint, const Transform& worldFromTip, const Coordinates& preferred, Ways& ways,
                    Effort effort = Effort::Sure) const;

  /// True if the arm has a closed form. With a joint `held` (-1 for none), which stays at its coordinate of `at`, that
  /// of the others counts.
  bool hasClosedForm(int held, const Coordinates& at) const;

  /// Coordinates and places in the arm's own unit: the farthest axis is about 1 from the origin.
  const ScrewChain& scaled() const { return scaled_; }
  Transform scaled(const Transform& worldFromTip) const;
  Coordinates scaled(const Coordinates& q) const;
  Coordinates unscaled(const Coordinates& q) const;

 private:
  Loop loopOf(const Transform& goal, const Coordinates& preferred) const;
  void solveLoop(const Loop& loop, const Transform& goal, const Coordinates& preferred, unsigned held, Effort effort,
                 Ways& ways) const;
  int eliminate(const Loop& loop, const Transform& goal, unsigned held, Effort effort, Candidates& candidates,
                Ways& ways, bool& isUndecided) const;
  void search(const Loop& loop, const Transform& goal, unsigned held, Candidates& candidates, Ways& ways,
              bool& isUndecided) const;
  void take(const Candidates& candidates, const Transform& goal, unsigned held, Ways& ways, bool& isUndecided,
            bool onlyWithinLimits = false) const;
  bool mayBeWithinLimits(const Coordinates& q) const;
  void probeFreedom(const Transform& goal, unsigned held, Way& way) const;

  ScrewChain chain_, scaled_;
  Aspect aspect_;
  std::string fault_;
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  double size_ = 1.0;
};

}  // namespace limber::ways
