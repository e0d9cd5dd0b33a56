// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/global_pose.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/decompositions.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/best_rotation.h"

namespace limber {

namespace {

constexpr std::string_view kRefinement = "lm";
constexpr double kFirstDamping = 1e-5;  // of a weight: the start is near the minimum, where Gauss-Newton steps are best
constexpr double kExactFit = 1e-6;      // of L^2, L half the reach: an exact fit
constexpr double kRankPart = 1e-3;      // of the trace: a smaller eigenvalue counts as zero
constexpr double kNoTurn = 1e-9;        // of a matrix: a smaller one does not determine the angle

Eigen::Matrix3d nearestRotation(const Eigen::Matrix3d& matrix, const Eigen::Matrix3d& present) {
  return bestRotation(matrix.transpose(), present);
}

/// The angle of a rotation about e_x, on the turn nearest to `middle`; `middle` if the matrix does not determine it.
double angleOf(const Eigen::Matrix3d& turn, double middle) {
  const double sine = turn(2, 1) - turn(1, 2), cosine = turn(1, 1) + turn(2, 2);
  if (std::hypot(sine, cosine) < kNoTurn) return middle;
  return middle + wrapAngle(std::atan2(sine, cosine) - middle);
}

/// The rank of E[q q'], times 4, for unit quaternions q whose rotations have this mean. With the mean's singular values
/// s, the last one with the sign of its determinant, the eigenvalues are 1 + s_0 + s_1 + s_2 and 1 + s_i - s_j - s_k.
int rankOf(const Eigen::Matrix3d& mean) {
  Eigen::Vector3d s = singularValuesOf(mean).values;
  if (mean.determinant() < 0.0) s[2] = -s[2];
  const Eigen::Array4d eigenvalues(1.0 + s.sum(), 1.0 + s[0] - s[1] - s[2], 1.0 - s[0] + s[1] - s[2],
                                   1.0 - s[0] - s[1] + s[2]);
  return static_cast<int>((eigenvalues > kRankPart * eigenvalues.sum()).count());
}

Eigen::Matrix3d turnAboutX(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
}

}  // namespace

Relaxation relaxationOf(const Objective& objective, const Limits& limits, const Pose& around,
                        std::span<const PointGoal> points, RelaxationForm form) {
  std::vector<Relaxation::Point> seen;
  for (const PointGoal& g : points) seen.push_back({g.link, g.pointInLink, g.weight});
  std::vector<char> mayMove(static_cast<std::size_t>(objective.figure().stepSize()), 0);
  for (const int coordinate : objective.moving()) mayMove[coordinate] = 1;
  Limits apart = limits;
  std::fill(apart.couplingEnabled.begin(), apart.couplingEnabled.end(), 0);
  return {objective.figure(), apart, mayMove, around, std::move(seen), form};
}

std::string refuseForRelaxation(const Objective& objective, std::string_view title) {
  const Figure& figure = objective.figure();
  const auto name = [&] { return std::string(title); };  // only made if needed
  const bool asksForPlaces = std::any_of(objective.goals().begin(), objective.goals().end(), [](const auto& goal) {
    return dynamic_cast<const PositionGoal*>(goal.get()) || dynamic_cast<const PositionOrientationGoal*>(goal.get());
  });
  if (!asksForPlaces) return name() + " needs a position goal";
  std::vector<char> moves(static_cast<std::size_t>(figure.stepSize()), 0);
  for (const int c : objective.moving()) moves[c] = 1;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (!objective.isLoaded(i) || stepSize(joint.type) == 0) continue;
    const auto first = moves.begin() + joint.stepIndex;
    const auto count = std::count(first, first + stepSize(joint.type), 1);
    if (count == 0) continue;
    if (joint.type == JointType::Prismatic)
      return name() + " does not support sliding joints; joint " + joint.name + " slides";
    if (joint.type == JointType::Free && !figure.isFreeRoot(i))
      return name() + " supports free joints only at the root; joint " + joint.name + " is not a root";
  }
  return {};
}

Limits intervalsOf(const Objective& objective, const Pose& inside) {
  const Figure& figure = objective.figure();
  Limits limits = limitsOf(figure);
  std::fill(limits.balls.begin(), limits.balls.end(), BallLimits());
  std::fill(limits.couplingEnabled.begin(), limits.couplingEnabled.end(), 0);
  std::fill(limits.linearLimitEnabled.begin(), limits.linearLimitEnabled.end(), 0);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (!isScalar(joint)) continue;
    const double q = inside.coordinates[joint.poseIndex];
    limits.intervals[i] = {q - objective.feasibleSet().room(inside, joint.stepIndex, -1.0),
                           q + objective.feasibleSet().room(inside, joint.stepIndex, 1.0)};
  }
  return limits;
}

void toNeutral(const Objective& objective, std::span<const PointGoal> points, Kinematics& kinematics,
               std::vector<PointPair>& pairs, Pose& pose) {
  const Figure& figure = objective.figure();
  for (const Joint& joint : figure.joints()) {
    const int size = poseSize(joint.type);
    const bool moves = stepSize(joint.type) > 0 && objective.activeIndex(joint.stepIndex) >= 0;
    if (moves) pose.coordinates.segment(joint.poseIndex, size) = figure.restPose().segment(joint.poseIndex, size);
  }
  objective.feasibleSet().project(pose);
  layRootsOnto(objective, points, kinematics, pairs, pose);
}

/// The relaxation in a tighter form; made if the compact one is not enough.
struct TighterRelaxation {
  Relaxation relaxation;
  InteriorPoint interiorPoint;

  explicit TighterRelaxation(Relaxation made) : relaxation(std::move(made)), interiorPoint(relaxation) {}
};

struct GlobalMethod::State {
  std::vector<PointGoal> goals;
  std::string fault;
  Relaxation relaxation;
  InteriorPoint interiorPoint;
  std::unique_ptr<TighterRelaxation> tighter;
  const InteriorPoint* solved = &interiorPoint;  ///< the one solved last, whose rotations are used
  Limits limits;
  Pose around;
  const Solver& refinement = *findSolver(kRefinement);
  Workspace workspace;
  Kinematics kinematics;
  std::vector<Eigen::Matrix3d> projected, rounded;  ///< one per frame
  std::vector<Eigen::Vector3d> targets;
  std::vector<PointPair> pairs;  ///< scratch

  State(const Objective& objective, const Limits& someLimits, const Pose& pose)
      : relaxation(makeRelaxation(objective, someLimits, pose, goals)), interiorPoint(relaxation), limits(someLimits),
        around(pose) {
    fault = goals.empty() ? "there is no position goal with a weight" : relaxation.fault();
    projected.resize(relaxation.frames().size());
    rounded.resize(relaxation.frames().size());
  }

  static Relaxation makeRelaxation(const Objective& objective, const Limits& limits, const Pose& pose,
                                   std::vector<PointGoal>& goals) {
    collectSeenPoints(objective, goals);
    return relaxationOf(objective, limits, pose, goals);
  }

  InteriorPointSummary relax(const Objective& objective, const InteriorPointOptions& options,
                             const InteriorPointObserver& observer, RelaxationForm form) {
    if (!fault.empty()) return {};
    targets.clear();
    collectSeenPoints(objective, goals);
    for (const PointGoal& g : goals) targets.push_back(g.target);
    for (const Eigen::Vector3d& y : targets)
      if (!y.allFinite()) return {};
    const bool isTighter = form != RelaxationForm::Compact;
    if (isTighter && !tighter)
      tighter = std::make_unique<TighterRelaxation>(relaxationOf(objective, limits, around, goals, form));
    Relaxation& chosen = isTighter ? tighter->relaxation : relaxation;
    InteriorPoint& method = isTighter ? tighter->interiorPoint : interiorPoint;
    if (!chosen.setTargets(targets)) return {};
    solved = &method;
    return method.solve(chosen, options, observer);
  }

  int rank() const {
    int most = 0;
    for (std::size_t i = 0; i < relaxation.frames().size(); ++i)
      most = std::max(most, rankOf(solved->rotation(static_cast<int>(i))));
    return most;
  }

  GlobalSummary solve(const Objective& objective, Pose& pose, const GlobalOptions& options) {
    GlobalSummary summary;
    summary.relaxation = relax(objective, options.relaxation, {}, RelaxationForm::Compact);
    if (summary.relaxation.status == InteriorPointStatus::BadInput) return summary;
    const OptionValues values = refinementOptions(options);
    refineReadings(objective, values, summary, pose);
    const double exact = kExactFit * relaxation.length() * relaxation.length();
    const bool mayBeExact = summary.relaxation.lowerBound <= exact;
    if (!mayBeExact || meanSquareOf(objective.figure(), pose, goals) <= exact) return summary;
    summary.relaxation = relax(objective, options.relaxation, {}, RelaxationForm::Hull);
    summary.tookHull = true;
    refineReadings(objective, values, summary, pose);
    return summary;
  }

  /// Refines the angles of the last relaxation. pose: of the lowest f so far.
  void refineReadings(const Objective& objective, const OptionValues& values, GlobalSummary& summary, Pose& pose) {
    for (const bool fromRoot : {false, true}) {
      Pose trial;
      round(objective, fromRoot, trial);
      const Summary refined = refinement.solve(objective, trial, values, workspace);
      if (!(refined.objective < summary.refinement.objective) && !std::isnan(summary.refinement.objective)) continue;
      summary.refinement = refined;
      pose = trial;
    }
  }

  void round(const Objective& objective, bool fromRoot, Pose& pose) {
    pose = around;
    readAngles(objective, fromRoot, pose);
    layRootsOnto(objective, goals, kinematics, pairs, pose);
  }

  OptionValues refinementOptions(const GlobalOptions& options) const {
    OptionValues values = defaultOptions(refinement);
    setOption(refinement, "tau", kFirstDamping, values);
    setOption(refinement, "tolerance", options.tolerance, values);
    setOption(refinement, "maxIterations", options.maxIterations, values);
    return values;
  }

  void readAngles(const Objective& objective, bool fromRoot, Pose& pose) {
    const Figure& figure = objective.figure();
    for (std::size_t i = 0; i < relaxation.frames().size(); ++i) {
      const RelaxationFrame& frame = relaxation.frames()[i];
      const Joint& joint = figure.joint(frame.link);
      const Eigen::Matrix3d parentFromJoint = frame.parentFromJoint.topLeftCorner<3, 3>();
      const auto above = static_cast<std::size_t>(frame.parent);
      const bool isTop = frame.parent < 0;
      const Eigen::Matrix3d found = solved->rotation(static_cast<int>(i));
      const Eigen::Matrix3d n = isTop ? parentFromJoint : Eigen::Matrix3d(rounded[above] * parentFromJoint);
      const Eigen::Matrix3d nProjected = isTop ? parentFromJoint : Eigen::Matrix3d(projected[above] * parentFromJoint);
      projected[i] = nearestRotation(found, nProjected);
      const Eigen::Matrix3d turn = fromRoot ? n.transpose() * found : nProjected.transpose() * projected[i];
      if (frame.kind == RelaxationFrame::Kind::Hinge) {
        rounded[i] = n * turnAboutX(readHinge(joint, frame, turn, pose));
        continue;
      }
      const Eigen::Matrix3d rotation = nearestRotation(turn, Eigen::Matrix3d::Identity());
      setJointRotation(figure, frame.link, Eigen::Quaterniond(rotation).normalized(), pose);
      rounded[i] = n * rotation;
    }
    objective.feasibleSet().project(pose);
  }

  /// Extracts the angle and sets it, within the limits.
  static double readHinge(const Joint& joint, const RelaxationFrame& frame, const Eigen::Matrix3d& turn, Pose& pose) {
    const bool isLimited = frame.half < std::numbers::pi;
    double& coordinate = pose.coordinates[joint.poseIndex];
    const double middle = isLimited ? frame.middle : coordinate;
    const double angle = angleOf(turn, middle);
    coordinate = isLimited ? std::clamp(angle, middle - frame.half, middle + frame.half) : angle;
    return coordinate;
  }
};

GlobalMethod::GlobalMethod(const Objective& objective, const Limits& limits, const Pose& around)
    : state_(std::make_unique<State>(objective, limits, around)) {}
GlobalMethod::~GlobalMethod() = default;
GlobalMethod::GlobalMethod(GlobalMethod&&) noexcept = default;
GlobalMethod& GlobalMethod::operator=(GlobalMethod&&) noexcept = default;

const std::string& GlobalMethod::fault() const { return state_->fault; }
const Relaxation& GlobalMethod::relaxation() const { return state_->relaxation; }
std::span<const PointGoal> GlobalMethod::points() const { return state_->goals; }

GlobalSummary GlobalMethod::solve(const Objective& objective, Pose& pose, const GlobalOptions& options) {
  return state_->solve(objective, pose, options);
}

InteriorPointSummary GlobalMethod::relax(const Objective& objective, const InteriorPointOptions& options,
                                         const InteriorPointObserver& observer, RelaxationForm form) {
  return state_->relax(objective, options, observer, form);
}

int GlobalMethod::rank() const { return state_->rank(); }

void GlobalMethod::round(const Objective& objective, bool fromRoot, Pose& pose) {
  state_->round(objective, fromRoot, pose);
}

}  // namespace limber
