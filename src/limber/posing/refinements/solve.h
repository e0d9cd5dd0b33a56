// SPDX-License-Identifier: MIT
// One request on its way from the problem to a pose, as the solver and the refinements see it:
//
//   build the objective
//   run the solver
//   while a refinement changes the problem or the pose: run the solver again
//
// Refinements are called in order, and the first one that has something to do ends the round.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/posing/refinements/multipliers.h"

namespace limber {

struct Solve;

/// A step around the runs of a solver: it looks at the end of a run and may change the problem or the pose, so that the
/// solver runs again. It limits its own number of runs and owns what it remembers, for as long as it exists.
class Refinement {
 public:
  virtual ~Refinement() = default;

  /// The objective of a solve has been built; no solver has run.
  virtual void begin(Solve&) {}

  enum class Verdict { AskOthers, RunAgain, End };
  /// A run has ended: keeps or undoes what this refinement changed before the run. All are asked before any refines.
  virtual Verdict judge(Solve&) { return Verdict::AskOthers; }

  /// A run has ended, and nothing is on trial. True if problem or pose were changed, so that the solver runs again.
  virtual bool refine(Solve&) { return false; }
  /// True if it refines before all others, wherever it is in the order.
  virtual bool comesFirst(const Solve&) const { return false; }

  /// A run was cancelled or met numbers that are not finite: undoes changes that must not stay.
  virtual void breakOff(Solve&) {}
};

/// A pose to which a solve may return, and how the solver had ended there.
struct Snapshot {
  Pose pose;
  double objective = 0.0;
  SolveStatus status = SolveStatus::Stalled;
  PosedProblem posed = {};  ///< the problem there while another one is solved; otherwise without an objective
};

/// Which links avoid each other in a solve: those of the problem's setting, by default the arms in a natural pose. None
/// for a solver that does not see contacts.
SelfAvoidance selfAvoidanceIn(const IkProblem& problem, const PosingRequest& request, const Solver& solver);

struct Solve {
  // The request.
  const IkProblem* problem = nullptr;       ///< in a path-independent solve that of the current stage
  std::optional<CompletedRequest> request;  ///< set by begin()
  const Solver* solver = nullptr;
  OptionValues options;
  Observer* observer = nullptr;
  std::vector<Refinement*> refinements;  ///< in the order in which they are called; they must outlive the solve

  // The problem as the solver sees it. The next solve may reuse parts of it.
  PosedProblem posed;
  Branches branches;
  Contacts contacts;
  Multipliers multipliers;

  // The state.
  Pose startPose, pose;
  Start start = Start::Here;  ///< of the solver's next run
  Workspace workspace;
  Summary summary;                   ///< of all runs
  std::string fault;                 ///< why nothing can be solved; empty if something can
  std::optional<Snapshot> fallback;  ///< during a trial: where the solve returns unless the trial is better
  bool isRunning = false;            ///< between begin() and the end
  bool isSearching = false;          ///< the runs are attempts of a search
  bool dragContinues = false;        ///< the request is the next event of the drag that was solved last

  /// Builds the objective and begins the refinements. False, with a fault, if nothing can be solved.
  bool begin(const IkProblem& problem, const PosingRequest& request);
  /// Continues with another problem of the same request: runs and iterations add up.
  bool beginNext(const IkProblem& problem, const PosingRequest& request, bool hasLearnt = false);
  /// Counts all further iterations as restarts.
  void beginSearch();

  /// Forgets everything that earlier solves have left.
  void forget();

  /// Runs at most `iterations` of the solver and calls the refinements at its end. True if the solve has ended.
  bool advance(int iterations);

  /// Continues with another problem; multipliers of the same goals are kept.
  void replace(PosedProblem next);

  /// Changes the pose and evaluates it for the summary.
  void moveTo(const Pose& to, SolveStatus status);
  Snapshot snapshot() const { return {pose, summary.objective, summary.status}; }
  /// Returns to a snapshot, and to its problem if it has one.
  void rollBack(Snapshot& to);

  /// Begins a trial of another pose, and of another problem unless it has no objective. The present state is kept as
  /// the fallback until endTrial().
  void beginTrial(const Pose& tried, PosedProblem other = {});
  /// Keeps the pose of the trial if it is better and clear of obstacles; otherwise returns to the fallback.
  void endTrial(bool isBetter);

  /// True if the solver was cancelled or met bad input.
  bool isBroken() const;
  const IkProblem& withPose() const;  ///< the problem at the present pose; valid until the next call
  /// The request for a changed problem, with the same branches, contacts and multipliers; without an objective if the
  /// problem is faulty. reference: as in makeProblem().
  PosedProblem variant(const IkProblem& changed, const Pose* reference) const;
  /// The pairs in contact; none for a solver that does not see them.
  std::span<const LiveContact> liveContacts() const;
  /// One entry per live contact: 1 if it presses.
  std::vector<char> findPresses() const;
  bool isStoppedByContact() const;
  /// The target of the goal that is dragged with a limited force; null for none.
  const Eigen::Vector3d* pulledTarget() const;
  /// The goals' part of f.
  double goalPart() const;
  /// Number of goals that count and are met.
  int countMetGoals() const;
  /// At the end of an event of a drag: remembers its target and pose, to predict the next event.
  void noteTrail();

 private:
  bool run(int iterations);
  bool refine();
  bool fail(std::string why);
  bool hasValidBound() const;
  void countIterations(bool isEnd);
  Ahead aheadOf() const;
  void startAhead(const Ahead& ahead);
  void startPlaced();
  Pose bestOf(std::vector<Pose> starts);
  double objectiveAtStart() const;

  Trail trail_;                                   ///< of a drag with a stay term
  std::optional<double> objectiveBefore_;         ///< of the first run
  std::array<int, 2> iterationsBefore_ = {0, 0};  ///< of earlier runs, one entry per phase
  std::string_view firstPhase_;                   ///< while searching: that of the solve before
  Kinematics startKinematics_;                    ///< of the problem's pose
  Pose referenceBefore_;                          ///< of the last solve
  // Scratch, kept so that a warm solve allocates nothing.
  Pose placed_;
  std::vector<char> moves_;
  mutable IkProblem withPose_;
};

}  // namespace limber
