// SPDX-License-Identifier: MIT
// Closes the loops of poses that no solve has found: forward edits, files, libraries, motions, blends between keys.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/objective/limits/loop_projection.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// After a forward edit of some joints: moves the other unlocked joints to close the loops within limits. If they
/// cannot, the edited joints return as far as they must; if the loops stay open, the pose is that of before the edit.
/// Figures without loops: no change.
void bringLoopsAlong(const Pose& before, std::span<const int> editedJoints, IkProblem& problem);

/// Moves poses to near ones that close the loops, within limits; locked joints stay. Poses that are closed keep their
/// bits. Belongs to one thread.
class LoopCloser {
 public:
  explicit LoopCloser(const IkProblem& problem);

  bool isNeeded() const { return projection_.has_value(); }  ///< false for figures without loops
  /// The nearest closed pose that was found. False if a loop stays open.
  bool close(Pose& pose);
  /// The same for the next pose of a motion. The result continues that of the pose before: of the closed poses that are
  /// connected with it, it is the one nearest to `pose` in the neighbourhood.
  bool follow(Pose& pose);
  /// The next follow() begins another motion.
  void beginMotion() { last_.reset(); }

  /// Sentences about the poses since the closer was made: by how far loops were open, and which ones stay open by how
  /// much. Gaps of closed loops that are rounding of files are not mentioned.
  std::vector<std::string> notes() const;

 private:
  struct Followed {
    Pose wanted, closed;
  };
  struct StillOpen {
    int loop = 0, poses = 0, worst = 0;  ///< index in the figure, number of poses, the pose with the largest gap
    LoopGap gap = {};
  };
  bool project(Pose& pose);
  bool finish(const LoopGap& before, const Pose& pose);

  std::shared_ptr<const Figure> figure_;
  std::optional<LoopProjection> projection_;
  std::optional<Followed> last_;
  int count_ = 0, moved_ = 0, worst_ = 0;  ///< poses, those that were open by more than rounding, the worst of these
  LoopGap gap_;                            ///< of the worst
  std::vector<StillOpen> open_;
};

/// Closes the loops of a problem's pose. Returns notes: see LoopCloser::notes().
std::vector<std::string> closeLoops(IkProblem& problem);

}  // namespace limber
