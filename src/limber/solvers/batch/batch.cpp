// SPDX-License-Identifier: MIT
#include "limber/solvers/batch/batch.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <mutex>
#include <numbers>
#include <thread>

#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/kinematics/threads.h"
#include "limber/solvers/batch/batch_plan.h"
#include "limber/solvers/batch/joined_threads.h"
#include "limber/solvers/methods/multi_start.h"
#include "limber/solvers/steps/arm_starts.h"
#include "limber/solvers/steps/meet_goals.h"
#include "limber/vector/processor.h"

namespace limber {

namespace {

constexpr Eigen::Index kBlock = 256;       // problems per work item of a thread
constexpr double kPolished = 1e-9;         // metres, radians
constexpr double kSinglePrecision = 1e-5;  // of the unit of length, radians: smallest tolerance for single precision
constexpr double kFarDamping = 3.0;        // at the start of a search
constexpr double kFewSlow = 5.0;           // iterations in a row without progress that end a run
constexpr double kManySlow = 40.0;         // the same for a polish, which may begin near a singular pose
constexpr double kNearDamping = 1e-4;      // at the start of a polish, which is near its answer
constexpr double kMargin = 0.8;            // of a tolerance, to allow for the rounding of single precision

void writeFrame(const Transform& t, double* out) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[3 * r + c] = t.rotation(r, c);
  for (int r = 0; r < 3; ++r) out[9 + r] = t.translation[r];
}

/// Mixes a number into a seed: SplitMix64's finaliser over the bits. -0 and 0 are one number.
std::uint64_t mixed(std::uint64_t seed, double number) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ull + std::bit_cast<std::uint64_t>(number + 0.0);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// A rotation that maps z to the axis.
Transform fromZ(const Eigen::Vector3d& axis) {
  Transform t;
  t.rotation = shortestTurn(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
  return t;
}

double angleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  const Eigen::Matrix3d turn = a.transpose() * b;
  const Eigen::Vector3d axis(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  return std::atan2(0.5 * axis.norm(), 0.5 * (turn.trace() - 1.0));
}

}  // namespace

struct BatchSolver::Plan {
  BatchPlan numbers;
  double length = 1.0;           ///< metres: the unit of the kernel's lengths
  std::vector<int> poseIndices;  ///< one per moving joint
  std::vector<int> parents, goalJoints, pathStarts, paths;
  std::vector<char> slides;
  std::vector<double> frames, lower, upper, restartLower, restartUpper, goalFrames, positionWeights, orientationWeights;
};

struct BatchSolver::Scratch {
  std::vector<double> starts, targets, answers;
  std::vector<std::uint64_t> seeds;
  std::vector<int> iterations, runs;
  Kinematics kinematics;
  Workspace workspace;
  MeetGoalsWorkspace meeting;
  ArmStarts arm;
};

BatchSolver::BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals, Limits limits, Pose base,
                         std::vector<char> isLocked)
    : figure_(std::move(figure)), goals_(std::move(goals)), limits_(std::move(limits)), base_(std::move(base)),
      isLocked_(std::move(isLocked)), plan_(std::make_unique<Plan>()) {
  assert(!goals_.empty() && isLocked_.size() == static_cast<std::size_t>(figure_->linkCount()));
  refusal_ = findRefusal();
  if (refusal_.empty()) makePlan();
}

BatchSolver::BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals)
    : BatchSolver(figure, std::move(goals), limitsOf(*figure), restPose(*figure), [&] {
        std::vector<char> locked;
        for (const Joint& joint : figure->joints()) locked.push_back(joint.locked || joint.rigidity >= 1.0);
        return locked;
      }()) {}

BatchSolver::~BatchSolver() = default;

bool BatchSolver::isAboveGoal(int joint) const {
  return std::any_of(goals_.begin(), goals_.end(),
                     [&](const BatchGoal& goal) { return figure_->isAncestorOrSelf(joint, goal.link); });
}

bool BatchSolver::isMoved(int joint) const {
  return figure_->joint(joint).type != JointType::Fixed && !isLocked_[joint] && isAboveGoal(joint);
}

std::string BatchSolver::findRefusal() const {
  for (const Coupling& coupling : figure_->couplings())  // a locked follower counts, too: it moves with its drivers
    if (limits_.couplingEnabled[&coupling - figure_->couplings().data()] &&
        (isAboveGoal(coupling.follower) ||
         std::any_of(coupling.terms.begin(), coupling.terms.end(),
                     [&](const Coupling::Term& term) { return isMoved(term.driver); })))
      return "joint " + figure_->joint(coupling.follower).name + " follows others";
  for (const LinearLimit& limit : figure_->linearLimits())
    if (limits_.linearLimitEnabled[&limit - figure_->linearLimits().data()] &&
        std::any_of(limit.terms.begin(), limit.terms.end(),
                    [&](const LinearLimit::Term& term) { return isMoved(term.joint); }))
      return "the limit " + limit.name + " ties joints together";
  int moving = 0;
  for (int i = 0; i < figure_->linkCount(); ++i) {
    if (!isMoved(i)) continue;
    const JointType type = figure_->joint(i).type;
    if (type != JointType::Revolute && type != JointType::Prismatic)
      return "joint " + figure_->joint(i).name + " is a " + std::string(jointTypeName(type)) + " joint";
    ++moving;
  }
  if (moving == 0) return "no joint above a goal may move";
  if (moving > kMaxBatchJoints) return "more than " + std::to_string(kMaxBatchJoints) + " joints may move";
  if (goals_.size() > static_cast<std::size_t>(kMaxBatchGoals))
    return "there are more than " + std::to_string(kMaxBatchGoals) + " goals";
  for (const BatchGoal& goal : goals_) {
    bool moves = false;
    for (int link = goal.link; link >= 0; link = figure_->link(link).parent) moves = moves || isMoved(link);
    if (!moves) return "no joint above " + figure_->link(goal.link).name + " may move";
  }
  return {};
}

void BatchSolver::makePlan() {
  Plan& plan = *plan_;
  plan.length = figure_->meanLinkLength();
  const auto count = static_cast<std::size_t>(figure_->linkCount());
  std::vector<int> jointOf(count, -1);      // index of the moving joint at or above each link
  std::vector<Transform> fromJoint(count);  // the link in that joint's frame (in the world if there is none)
  const auto scale = [&](Transform t) {
    t.translation /= plan.length;
    return t;
  };
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    const int parent = figure_->link(i).parent;
    const Transform above = parent < 0 ? joint.parentFromJoint : fromJoint[parent] * joint.parentFromJoint;
    const int jointAbove = parent < 0 ? -1 : jointOf[parent];
    const bool isLoaded = std::any_of(goals_.begin(), goals_.end(),
                                      [&](const BatchGoal& goal) { return figure_->isAncestorOrSelf(i, goal.link); });
    const bool isScalar = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
    if (isLoaded && isScalar && !isLocked_[i]) {
      const Transform turn = fromZ(joint.axis);
      plan.frames.resize(plan.frames.size() + 12);
      writeFrame(scale(above * turn), plan.frames.data() + plan.frames.size() - 12);
      const bool slides = joint.type == JointType::Prismatic;
      const double unit = slides ? plan.length : 1.0;
      const Interval limits = limits_.intervals[i];
      const double rest = base_.coordinates[joint.poseIndex] / unit, reach = slides ? 1.0 : std::numbers::pi;
      double low = limits.lower / unit, high = limits.upper / unit;
      plan.lower.push_back(low);
      plan.upper.push_back(high);
      if (!std::isfinite(low)) low = (std::isfinite(high) ? high - reach : rest) - reach;
      if (!std::isfinite(high)) high = low + 2.0 * reach;
      plan.restartLower.push_back(low);
      plan.restartUpper.push_back(high);
      plan.slides.push_back(slides);
      plan.parents.push_back(jointAbove);
      plan.poseIndices.push_back(joint.poseIndex);
      jointOf[i] = static_cast<int>(plan.parents.size()) - 1;
      fromJoint[i] = turn.inverse();
      continue;
    }
    jointOf[i] = jointAbove;
    fromJoint[i] = above * jointMotion(*figure_, base_, i);  // it stays as in the base pose
  }
  plan.pathStarts.push_back(0);
  for (const BatchGoal& goal : goals_) {
    plan.goalJoints.push_back(jointOf[goal.link]);
    plan.goalFrames.resize(plan.goalFrames.size() + 12);
    writeFrame(scale(fromJoint[goal.link] * goal.linkFromFrame), plan.goalFrames.data() + plan.goalFrames.size() - 12);
    plan.positionWeights.push_back(goal.position ? 1.0 : 0.0);
    plan.orientationWeights.push_back(goal.orientation ? 1.0 : 0.0);
    const auto from = static_cast<std::ptrdiff_t>(plan.paths.size());
    for (int j = jointOf[goal.link]; j >= 0; j = plan.parents[j]) plan.paths.push_back(j);
    std::reverse(plan.paths.begin() + from, plan.paths.end());
    plan.pathStarts.push_back(static_cast<int>(plan.paths.size()));
  }
  bool isSerial = goals_.size() == 1 && plan.goalJoints[0] == static_cast<int>(plan.parents.size()) - 1;
  for (std::size_t j = 0; j < plan.parents.size(); ++j)
    isSerial = isSerial && plan.parents[j] == static_cast<int>(j) - 1 && !plan.slides[j];
  plan.numbers = {.joints = static_cast<int>(plan.parents.size()),
                  .parents = plan.parents.data(),
                  .frames = plan.frames.data(),
                  .isSerial = isSerial,
                  .slides = plan.slides.data(),
                  .lower = plan.lower.data(),
                  .upper = plan.upper.data(),
                  .restartLower = plan.restartLower.data(),
                  .restartUpper = plan.restartUpper.data(),
                  .goals = static_cast<int>(goals_.size()),
                  .goalJoints = plan.goalJoints.data(),
                  .goalFrames = plan.goalFrames.data(),
                  .positionWeights = plan.positionWeights.data(),
                  .orientationWeights = plan.orientationWeights.data(),
                  .pathStarts = plan.pathStarts.data(),
                  .paths = plan.paths.data()};
}

std::string BatchSolver::fault(const BatchProblems& problems, const BatchOptions& options) const {
  const auto count = static_cast<std::size_t>(problems.starts.cols());
  if (problems.starts.rows() != figure_->poseSize())
    return "the starts have the wrong size: expected one pose of the figure per problem";
  if (problems.targets.size() != count * goals_.size())
    return "the targets have the wrong size: expected one target per goal and problem";
  if (!(options.positionTolerance > 0.0) || !(options.angleTolerance > 0.0)) return "a tolerance is not positive";
  if (options.restarts < 0 || options.maxIterations < 1 || options.threads < 0) return "an option is out of range";
  Pose start;  // shared by all: a new one per problem would take as long as the check
  for (std::size_t i = 0; i < count; ++i) {
    start.coordinates = problems.starts.col(static_cast<Eigen::Index>(i));
    if (!isValid(*figure_, start)) return "the start of problem " + std::to_string(i) + " is not a pose of the figure";
    for (std::size_t g = 0; g < goals_.size(); ++g)
      if (!isFinite(problems.targets[i * goals_.size() + g]))
        return "a target of problem " + std::to_string(i) + " is not finite";
  }
  return {};
}

void BatchSolver::solve(const BatchProblems& problems, const BatchOptions& options, BatchAnswers& answers,
                        const std::function<bool()>& goesOn) const {
  const Eigen::Index count = problems.starts.cols();
  answers.poses = problems.starts;
  answers.answers.assign(count, {});
  if (!figure_->loops().empty()) return;
  const Eigen::Index block = refusal_.empty() ? kBlock : 1;
  std::atomic<Eigen::Index> next = 0;
  std::atomic<bool> mayGoOn = true;
  std::mutex asking;
  const auto work = [&] {
    Scratch scratch;
    while (mayGoOn) {
      const Eigen::Index begin = next.fetch_add(block);
      if (begin >= count) return;
      solveBlock(problems, options, begin, std::min(begin + block, count), scratch, answers);
      if (!goesOn) continue;
      const std::lock_guard lock(asking);
      if (mayGoOn && !goesOn()) mayGoOn = false;
    }
  };
  const unsigned wanted = threadCount(options.threads);
  const auto blocks = static_cast<unsigned>(std::min<Eigen::Index>((count + block - 1) / block, 1024));
  JoinedThreads others;
  for (unsigned t = 1; kHasThreads && t < std::min(wanted, blocks); ++t) others.threads.emplace_back(work);
  work();
}

void BatchSolver::solveBlock(const BatchProblems& problems, const BatchOptions& options, Eigen::Index begin,
                             Eigen::Index end, Scratch& scratch, BatchAnswers& answers) const {
  if (!refusal_.empty()) {
    for (Eigen::Index i = begin; i < end; ++i) solveSingly(problems, options, i, scratch, answers);
    return;
  }
  const Plan& plan = *plan_;
  const auto joints = static_cast<std::size_t>(plan.numbers.joints), goals = goals_.size();
  const auto count = static_cast<std::size_t>(end - begin);
  scratch.starts.resize(joints * count);
  scratch.answers.resize(joints * count);
  scratch.targets.resize(12 * goals * count);
  scratch.iterations.resize(count);
  scratch.runs.resize(count);
  scratch.seeds.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto problem = static_cast<std::size_t>(begin) + i;
    for (std::size_t j = 0; j < joints; ++j)
      scratch.starts[i * joints + j] = problems.starts(plan.poseIndices[j], static_cast<Eigen::Index>(problem)) /
                                       (plan.slides[j] ? plan.length : 1.0);
    for (std::size_t g = 0; g < goals; ++g) {
      Transform target = problems.targets[problem * goals + g];
      target.translation /= plan.length;
      writeFrame(target, scratch.targets.data() + 12 * (i * goals + g));
    }
    std::uint64_t& seed = scratch.seeds[i] = options.seed;
    for (std::size_t j = 0; j < joints; ++j) seed = mixed(seed, scratch.starts[i * joints + j]);
    for (std::size_t k = 0; k < 12 * goals; ++k) seed = mixed(seed, scratch.targets[12 * goals * i + k]);
  }
  const double position = options.positionTolerance / plan.length, angle = options.angleTolerance;
  const double floor = options.doublePrecision ? 0.0 : kSinglePrecision;
  runKernel(options, std::max(kMargin * position, floor), std::max(kMargin * angle, floor), options.doublePrecision,
            false, static_cast<std::int64_t>(count), scratch);
  const auto take = [&](std::size_t i) {
    for (std::size_t j = 0; j < joints; ++j)
      answers.poses(plan.poseIndices[j], begin + static_cast<Eigen::Index>(i)) =
          std::clamp(scratch.answers[i * joints + j], plan.lower[j], plan.upper[j]) *
          (plan.slides[j] ? plan.length : 1.0);
  };
  for (std::size_t i = 0; i < count; ++i) {
    BatchAnswer& answer = answers.answers[begin + i];
    answer.iterations = scratch.iterations[i];
    answer.restarts = scratch.runs[i] - 1;
    take(i);
    const Eigen::Index problem = begin + static_cast<Eigen::Index>(i);
    measure(problems, options, problem, scratch, answers);
    if (answer.reached || !answerByClosedForm(problems, options, problem, scratch, answers)) continue;
    for (std::size_t j = 0; j < joints; ++j)
      scratch.answers[i * joints + j] =
          answers.poses(plan.poseIndices[j], problem) / (plan.slides[j] ? plan.length : 1.0);
  }
  // Continues in double precision if requested, or if single precision was not enough.
  const bool isExact = options.doublePrecision && !options.polish;
  const auto wantsPolish = [&](std::size_t i) {
    const BatchAnswer& answer = answers.answers[begin + i];
    return options.polish ? answer.reached || position < floor || angle < floor : !answer.reached;
  };
  bool any = false;
  for (std::size_t i = 0; i < count && !isExact; ++i) any = any || wantsPolish(i);
  if (!any) return;
  scratch.starts = scratch.answers;
  const double fine = options.polish ? kPolished : 1.0;
  runKernel(options, std::min(kMargin * position, fine / plan.length), std::min(kMargin * angle, fine), true, true,
            static_cast<std::int64_t>(count), scratch);
  for (std::size_t i = 0; i < count; ++i) {
    if (!wantsPolish(i)) continue;
    const Eigen::Index problem = begin + static_cast<Eigen::Index>(i);
    BatchAnswer& answer = answers.answers[problem];
    answer.iterations += scratch.iterations[i];
    const BatchAnswer before = answer;
    const Eigen::VectorXd pose = answers.poses.col(problem);
    take(i);
    measure(problems, options, problem, scratch, answers);
    if (before.reached && !answer.reached) {
      answer = before;
      answers.poses.col(problem) = pose;
    }
    if (options.polish && answer.reached) finishPolish(problems, options, problem, scratch, answers);
  }
}

void BatchSolver::runKernel(const BatchOptions& options, double positionTolerance, double angleTolerance,
                            bool doublePrecision, bool isPolish, std::int64_t count, Scratch& scratch) const {
  const BatchLimits limits{positionTolerance,
                           angleTolerance,
                           options.maxIterations,
                           isPolish ? 0 : options.restarts,
                           isPolish ? kNearDamping : kFarDamping,
                           isPolish ? kManySlow : kFewSlow};
  const BatchRange range{0,
                         count,
                         scratch.starts.data(),
                         scratch.targets.data(),
                         scratch.seeds.data(),
                         scratch.answers.data(),
                         scratch.iterations.data(),
                         scratch.runs.data()};
#ifdef LIMBER_HAS_AVX2_CODE
  if (hasAvx2())
    return doublePrecision ? avx2::runBatch<double, 4>(plan_->numbers, limits, range)
                           : avx2::runBatch<float, 8>(plan_->numbers, limits, range);
#endif
  if (doublePrecision) baseline::runBatch<double, 4>(plan_->numbers, limits, range);
  else baseline::runBatch<float, 8>(plan_->numbers, limits, range);
}

void BatchSolver::measure(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i, Scratch& scratch,
                          BatchAnswers& answers) const {
  BatchAnswer& answer = answers.answers[i];
  scratch.workspace.trialPose.coordinates = answers.poses.col(i);
  computeTransforms(*figure_, scratch.workspace.trialPose, scratch.kinematics);
  answer.isSolved = true;
  answer.positionError = answer.angleError = 0.0;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const Transform frame = scratch.kinematics.worldFromLink[goals_[g].link] * goals_[g].linkFromFrame;
    const Transform& target = problems.targets[i * goals_.size() + g];
    if (goals_[g].position)
      answer.positionError = std::max(answer.positionError, (frame.translation - target.translation).norm());
    if (goals_[g].orientation)
      answer.angleError = std::max(answer.angleError, angleBetween(frame.rotation, target.rotation));
  }
  answer.reached = answer.positionError <= options.positionTolerance && answer.angleError <= options.angleTolerance;
}

Objective BatchSolver::makeObjective(const BatchProblems& problems, Eigen::Index i) const {
  const double unit = figure_->meanLinkLength();
  std::vector<std::unique_ptr<Goal>> goals;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const BatchGoal& goal = goals_[g];
    const Transform& target = problems.targets[i * goals_.size() + g];
    const PositionGoal position(goal.link, goal.linkFromFrame.translation, target.translation, 1.0, unit);
    const OrientationGoal orientation(goal.link, goal.linkFromFrame.rotation, target.rotation, {1.0, 1.0}, 1.0);
    if (goal.position && goal.orientation)
      goals.push_back(std::make_unique<PositionOrientationGoal>(position, orientation, 0.5, 1.0));
    else if (goal.position) goals.push_back(std::make_unique<PositionGoal>(position));
    else goals.push_back(std::make_unique<OrientationGoal>(orientation));
  }
  FeasibleSet feasible(*figure_, limits_);
  std::vector<int> active;
  for (int link = 0; link < figure_->linkCount(); ++link) {
    const Joint& joint = figure_->joint(link);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (!isLocked_[link] && !feasible.couplings().isFollower(c)) active.push_back(c);
  }
  Pose pose{problems.starts.col(i)};
  const std::vector<double> rigidities(figure_->linkCount(), 0.0);
  return Objective(figure_, std::move(goals), Regulariser(*figure_, pose, 0.0, rigidities), std::move(feasible),
                   std::move(active));
}

/// For an arm whose restarts have found no answer: the nearest way of its closed form within the limits. False if there
/// is none.
bool BatchSolver::answerByClosedForm(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i,
                                     Scratch& scratch, BatchAnswers& answers) const {
  if (goals_.size() != 1 || !goals_[0].position || plan_->numbers.joints > ways::kMaxJoints) return false;
  Pose start{problems.starts.col(i)};
  const Objective objective = makeObjective(problems, i);
  objective.feasibleSet().project(start);
  findArmStarts(objective, start, 1, scratch.arm);
  if (scratch.arm.count == 0) return false;
  const BatchAnswer before = answers.answers[i];
  const Eigen::VectorXd kept = answers.poses.col(i);
  answers.poses.col(i) = scratch.arm.poses[0].coordinates;
  measure(problems, options, i, scratch, answers);
  if (answers.answers[i].reached) return true;
  answers.answers[i] = before;
  answers.poses.col(i) = kept;
  return false;
}

/// If the vector code does not reach the accuracy of a polish: continues from its answer in double precision, and, if
/// that converges too slowly near a singular pose, from random poses.
void BatchSolver::finishPolish(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i,
                               Scratch& scratch, BatchAnswers& answers) const {
  BatchAnswer& answer = answers.answers[i];
  const auto isPolished = [&] { return answer.positionError <= kPolished && answer.angleError <= kPolished; };
  if (isPolished()) return;
  const BatchAnswer before = answer;
  const Eigen::VectorXd kept = answers.poses.col(i);
  Pose pose{kept};
  const double tolerance = 0.5 * kPolished / std::max(1.0, figure_->meanLinkLength());
  const MeetGoalsSummary met = meetGoals(makeObjective(problems, i), pose, {.tolerance = tolerance}, scratch.meeting);
  if (met.met) {
    answers.poses.col(i) = pose.coordinates;
    measure(problems, options, i, scratch, answers);
  } else {
    solveSingly(problems, options, i, scratch, answers);
  }
  answer.iterations += before.iterations + (met.met ? met.iterations : 0);
  answer.restarts += before.restarts;
  if (isPolished()) return;
  answer = before;
  answers.poses.col(i) = kept;
}

void BatchSolver::solveSingly(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i,
                              Scratch& scratch, BatchAnswers& answers) const {
  const double unit = figure_->meanLinkLength();
  const Objective objective = makeObjective(problems, i);
  Pose pose{problems.starts.col(i)};
  const double tolerance =
      options.polish ? kPolished : 0.5 * std::min(options.positionTolerance / unit, options.angleTolerance);
  const MultiStartOptions own{.restarts = options.restarts,
                              .answers = 1,
                              .tolerance = std::min(tolerance, 1.0),
                              .seed = static_cast<std::uint32_t>(options.seed)};
  const Summary summary = own.solver().solve(objective, pose, own, scratch.workspace);
  BatchAnswer& answer = answers.answers[i];
  answer.iterations = summary.iterations();
  answer.restarts = summary.restarts;
  if (summary.status != SolveStatus::BadInput) answers.poses.col(i) = pose.coordinates;
  measure(problems, options, i, scratch, answers);
}

}  // namespace limber
