// SPDX-License-Identifier: MIT
// One request on its way from the problem to a pose, as solver and refinements see it:
//
//   pose the problem
//   run the solver
//   while a refinement changes the problem or the pose: run the solver again
//
// Refinements are asked in their order. The first that has something to do wins, so that later ones see what earlier
// ones can bring about no more.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/posing/refinements/hard_goals.h"
#include "limber/solvers/steps/meet_goals.h"

namespace limber {

struct Solve;

/// What posing does around the runs of a solver. A refinement looks at the end of a run and may change the problem or
/// the pose, so that the solver runs again. It keeps a budget of its own, and what it remembers lasts as long as it
/// does.
class Refinement {
 public:
  virtual ~Refinement() = default;

  /// A solve has been posed; no solver has run.
  virtual void begin(Solve&) {}

  enum class Verdict { AskOthers, RunAgain, End };
  /// A run has ended: says what becomes of what this refinement has changed before it. All are asked this first.
  virtual Verdict judge(Solve&) { return Verdict::AskOthers; }

  /// A run has ended, and nothing is on trial: true when problem or pose were changed, so that the solver runs again.
  virtual bool refine(Solve&) { return false; }

  /// A run was cancelled or has met numbers that are not finite: undoes what may not stand.
  virtual void breakOff(Solve&) {}
};

/// A pose to which a solve may go back, and how the solver had ended there.
struct Snapshot {
  Pose pose;
  double objective = 0.0;
  SolveStatus status = SolveStatus::Stalled;
  PosedProblem posed = {};  ///< the problem there, while another one is solved; else without an objective
};

/// Which links keep out of each other in a solve. By default that is what the problem says, and arms in a natural pose;
/// but nothing for a solver that does not see contacts.
SelfAvoidance selfAvoidanceIn(const IkProblem& problem, const PosingRequest& request, const Solver& solver);

struct Solve {
  // What is asked.
  const IkProblem* problem = nullptr;  ///< of a path-independent solve its present stage
  PosingRequest request;               ///< whole (wholeRequest)
  const Solver* solver = nullptr;
  OptionValues options;
  Observer* observer = nullptr;
  std::vector<Refinement*> refinements;  ///< in the order in which they are asked; they live as long

  // What the solver sees. These are kept from solve to solve: the next one may be nearly the same.
  PosedProblem posed;
  Branches branches;
  Contacts contacts;
  HardGoals hardGoals;
  Trail trail;  ///< of a drag in which something stays

  // Where it stands.
  Pose startPose, pose;
  Start start = Start::Here;  ///< of the solver's next run
  Workspace workspace;
  MeetGoalsWorkspace meeting;
  Summary summary;                   ///< of all runs
  std::string fault;                 ///< why there is nothing to solve; empty while there is
  std::optional<Snapshot> standing;  ///< while another minimum is on trial: where the solve stands until that is better
  std::optional<double> objectiveBefore;  ///< of the first run
  bool isRunning = false;                 ///< between begin() and the end
  bool dragGoesOn = false;                ///< the request is the next event of the drag that was solved last
  bool isSearching = false;               ///< the runs are tries of a search
  std::vector<char> presses;              ///< by findPresses()

  /// Poses the problem and begins the refinements. False, with a fault, when there is nothing to solve.
  bool begin(const IkProblem& problem, const PosingRequest& request);
  /// The same for a further problem of the same request: runs and iterations add up.
  bool beginNext(const IkProblem& problem, const PosingRequest& request, bool hasLearnt = false);
  /// From here on iterations count as restarts.
  void beginSearch();

  /// Forgets what earlier solves have left.
  void forget();

  /// Runs the solver for so many iterations at most, and asks the refinements at its end. True when the solve has
  /// ended.
  bool advance(int iterations);

  /// Goes on with another problem; multipliers of the same hard goals are taken along.
  void replace(PosedProblem next);

  /// Evaluates the pose: the summary is then of this one.
  void moveTo(const Pose& to, SolveStatus status);
  Snapshot snapshot() const { return {pose, summary.objective, summary.status}; }
  /// Back to a snapshot, and to its problem if it holds one.
  void rollBack(Snapshot& to);

  /// Puts the pose on trial: what stands is kept until endTrial().
  void beginTrial();
  /// Keeps the pose on trial where it is better and clear of obstacles; else goes back.
  void endTrial(bool isBetter);

  /// True when the solver has been cancelled or met bad input.
  bool isBroken() const;
  IkProblem withPose() const;  ///< the problem at the present pose
  /// The pairs in contact; none for a solver that does not see them.
  std::span<const LiveContact> liveContacts() const;
  /// presses: one a contact, 1 where it pushes.
  void findPresses();
  bool isStoppedByContact();
  /// Where what is dragged with a limited force should go; null where nothing is.
  const Eigen::Vector3d* pulledTarget() const;
  /// f without pulls.
  double goalPart() const;
  /// Of the goals that count, those that the pose meets.
  int countMetGoals() const;
  /// At the end of an event of a drag: remembers where it led.
  void noteTrail();

 private:
  bool run(int iterations);
  bool refine();
  bool fail(std::string why);
  bool boundsWhatIsAsked() const;
  void countIterations(bool isEnd);
  Ahead aheadOf() const;
  void startAhead(const Ahead& ahead);
  void startPlaced();
  Pose bestOf(std::vector<Pose> starts);
  double objectiveAtStart() const;

  std::array<int, 2> iterationsBefore_ = {0, 0};  ///< of earlier runs, one a phase
  std::string_view firstPhase_;                   ///< while searching: of the solve before
  Kinematics startKinematics_;                    ///< of the problem's pose
};

}  // namespace limber
