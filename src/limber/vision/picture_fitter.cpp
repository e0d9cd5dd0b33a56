// SPDX-License-Identifier: MIT
#include "limber/vision/picture_fitter.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "limber/goals/line_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/posing/loop_keeper.h"
#include "limber/posing/posed_problem.h"
#include "limber/solvers/convex/rigid_fit.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/vision/robust_loss.h"

namespace limber {

namespace {

constexpr int kFitHeadings = 8;         // of the first frame
constexpr int kGoodHeadings = 3;        // the best, which are refined
constexpr int kFitFirstIterations = 8;  // of each heading, and of each mirrored limb
constexpr double kRootMoves = 2.0;      // ratio of root to joint motion from frame to frame; angle, mean link lengths
constexpr double kGoesOn = 0.7;         // share of a frame's motion in the predicted motion of the next frame
constexpr double kFaint = 1e-2;         // weight of the pull to rest without a prior, 1 / square radians
constexpr double kNearest = 0.1;        // metres; least depth of a point in the weights
constexpr int kSettles = 6;             // most solves with one value of a
constexpr double kSettled = 1e-4;       // relative decrease of f below which reweighting ends
constexpr double kFitWide = 8.0;        // least factor on a in the first solve
constexpr double kFitNarrower = 3.0;    // divides the factor from solve to solve
constexpr double kMirrorPull = 0.03;    // metres; standard deviation of the pull to the mirrored positions of a limb
constexpr double kStraight = 0.05;      // share of its length by which a bone that is mirrored leaves the picture plane

std::string faultOf(const IkProblem& problem, const std::vector<FitPoint>& points, const PictureFitOptions& options) {
  const auto isPositive = [](double number) { return number > 0.0 && std::isfinite(number); };
  if (!isPositive(options.noise)) return "the noise is not a number of pixels > 0";
  if (!isPositive(options.outlier)) return "the outlier is not a number of standard deviations > 0";
  for (const double weight : {options.priorWeight, options.stillness, options.smoothness})
    if (!(weight >= 0.0 && std::isfinite(weight))) return "a weight is not a number >= 0";
  return faultOfPoints(problem, points);
}

std::string faultOf(const PictureView& view) {
  const PictureCamera& camera = view.camera;
  const bool isSound = camera.focal > 0.0 && std::isfinite(camera.focal) && camera.centre.allFinite() &&
                       isRotation(camera.worldFromCamera.rotation) && isFinite(camera.worldFromCamera);
  if (!isSound) return "a camera has a focal length that is not > 0, or numbers that are not finite";
  const bool isNear = camera.worldFromCamera.translation.cwiseAbs().maxCoeff() <= kFarthestCamera &&
                      camera.centre.cwiseAbs().maxCoeff() <= kFarthestCamera;
  return isNear ? "" : "a camera is more than 1e9 metres away, or its centre more than 1e9 pixels";
}

}  // namespace

struct PictureFitter::State {
  /// A point on a ray.
  struct Sighting {
    std::size_t point = 0;  ///< index among the FitPoints
    const PictureCamera* camera = nullptr;
    Eigen::Vector2d pixel;
    PixelRay ray;
    double weight = 0.0;  ///< c: confidence times the point's weight
  };

  /// Three points of the figure in a row, each below the last: shoulder, elbow, wrist.
  struct SeenLimb {
    std::size_t root = 0, middle = 0, end = 0;  ///< indices among the FitPoints
  };

  /// A pose and f there.
  struct Candidate {
    Pose pose;
    double cost = std::numeric_limits<double>::infinity();
    SolveStatus status = SolveStatus::Converged;
  };

  IkProblem problem;
  std::vector<FitPoint> points;
  PictureFitOptions options;
  std::string fault;
  std::optional<BodyPrior> body;
  int root = -1;  ///< the free root above the first point, -1 for none
  std::vector<int> active;
  LoopKeeper loops;
  std::vector<SeenLimb> limbs;
  GlobalisedNewtonOptions solverOptions;
  Workspace workspace;
  Evaluation evaluation;
  Kinematics kinematics;
  Observer* observer = nullptr;
  double pull = 0.0;  ///< weight of the pull to another pose, 1 / square radians

  std::vector<Sighting> sightings;  ///< of the frame
  int iterations = 0;               ///< of the frame
  bool hasStarted = false;
  Pose firstStart;           ///< the prior's mean, or rest
  Pose pose;                 ///< of the last frame
  Eigen::VectorXd velocity;  ///< (stepSize x 1): step from the frame before the last to the last

  State(const IkProblem& source, std::vector<FitPoint> all, const PictureFitOptions& chosen)
      : problem(withFreeRoots(source)), points(std::move(all)), options(chosen) {
    fault = faultOf(problem, points, options);
    if (fault.empty()) begin();
  }

  const Figure& figure() const { return *problem.figure; }

  void begin() {
    if (problem.posePrior && options.priorWeight > 0.0) body = findBodyPrior(problem, *problem.posePrior);
    solverOptions = {.maxIterations = options.maxIterations, .tolerance = options.tolerance};
    root = figure().findFreeRootAbove(points.front().point.link);
    firstStart = body ? priorStart(problem, *body, restPose(figure()), {}) : restPose(figure());
    clampToLimits(problem, firstStart);
    pose = firstStart;
    const std::vector<char> usable = usableCoordinates(problem, true);
    active = coordinatesAbove(problem, points, usable);
    const Objective all = objectiveOf({}, {}, pose, nullptr);
    fault = all.feasibleSet().fault();
    if (fault.empty()) fault = all.feasibleSet().fault(figure(), pose);
    if (!fault.empty()) return;
    active = coordinatesAbove(problem, points, observableCoordinates(problem, points, all, usable));
    if (active.empty()) fault = "no joint can move the observed points: all are fixed, locked or rigid";
    loops = LoopKeeper(problem, active);
    loops.close(firstStart);
    pose = firstStart;
    findLimbs();
  }

  /// Finds arms and legs: three points in a row, with no other point directly below the first or the second.
  void findLimbs() {
    constexpr std::size_t kNone = -1;
    std::vector<std::size_t> above(points.size(), kNone), below(points.size(), 0);
    for (std::size_t k = 0; k < points.size(); ++k)
      for (std::size_t i = 0; i < points.size(); ++i) {
        const int link = points[i].point.link;
        if (link == points[k].point.link || !figure().isAncestorOrSelf(link, points[k].point.link)) continue;
        if (above[k] == kNone || figure().isAncestorOrSelf(points[above[k]].point.link, link)) above[k] = i;
      }
    for (const std::size_t i : above)
      if (i != kNone) ++below[i];
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::size_t middle = above[k], top = middle == kNone ? kNone : above[middle];
      if (top != kNone && below[middle] == 1 && below[top] == 1) limbs.push_back({top, middle, k});
    }
  }

  // ---- The objective

  Regulariser regulariser() const {
    if (body) return regulariserOf(figure(), *body, options.priorWeight);
    std::vector<double> weights(figure().linkCount(), kFaint);
    for (int i = 0; i < figure().linkCount(); ++i)
      if (figure().isFreeRoot(i)) weights[i] = 0.0;
    return {figure(), restPose(figure()), weights};
  }

  /// The objective: line goals of the sightings with these weights (pixels^-2), `others`, the goals of the prior, those
  /// of loops and, unless null, a pull to `last`.
  Objective objectiveOf(std::span<const double> weights, std::vector<std::unique_ptr<Goal>> others, const Pose& from,
                        const Pose* last) const {
    const double length = figure().meanLinkLength();
    Kinematics now;
    computeTransforms(figure(), from, now);
    std::vector<std::unique_ptr<Goal>> goals;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Sighting& s = sightings[i];
      const FigurePoint& point = points[s.point].point;
      const double perMetre = s.camera->pixelsPerMetre(s.camera->depthOf(placeOf(now, point)), kNearest);
      goals.push_back(std::make_unique<LineGoal>(point.link, point.pointInLink, s.ray.from, s.ray.direction,
                                                 weights[i] * perMetre * perMetre * length * length, length));
    }
    for (auto& goal : others) goals.push_back(std::move(goal));
    if (body)
      for (auto& goal : priorGoals(*body, *problem.posePrior, options.priorWeight)) goals.push_back(std::move(goal));
    loops.addTo(goals);
    std::vector<Regulariser> keeps;
    if (last) {
      std::vector<double> stillness(figure().linkCount(), pull);
      if (root >= 0) stillness[root] /= kRootMoves * kRootMoves;
      keeps.emplace_back(figure(), *last, stillness);
    }
    return {problem.figure, std::move(goals), regulariser(), FeasibleSet(figure(), limitsOf(problem)),
            active,         std::move(keeps)};
  }

  /// e of a sighting, pixels; very large for a point behind the camera.
  double errorOf(const Sighting& s, const Kinematics& at) const {
    const Eigen::Vector2d shown = s.camera->project(placeOf(at, points[s.point].point));
    const double error = (shown - s.pixel).norm();
    return std::isfinite(error) ? error : kLostError * options.noise;
  }

  /// Weights of the sightings at a pose, pixels^-2.
  std::vector<double> weightsAt(const Pose& at, double a) {
    computeTransforms(figure(), at, kinematics);
    std::vector<double> weights;
    const double variance = options.noise * options.noise;
    for (const Sighting& s : sightings)
      weights.push_back(s.weight * robustWeight(errorOf(s, kinematics) / options.noise, a) / variance);
    return weights;
  }

  /// f: the loss of the sightings, and all other terms of the objective.
  double costAt(const Pose& at, double a, const Pose* last) {
    const std::vector<double> none(sightings.size(), 0.0);
    double cost = objectiveOf(none, {}, at, last).evaluate(at, evaluation);
    for (const Sighting& s : sightings)
      cost += 0.5 * s.weight * robustLoss(errorOf(s, evaluation.kinematics) / options.noise, a);
    return cost;
  }

  // ---- Solves

  SolveStatus solve(Objective objective, int most, Pose& from) {
    GlobalisedNewtonOptions with = solverOptions;
    with.maxIterations = std::min(most, options.maxIterations);
    SolveStatus status = SolveStatus::Converged;
    loops.solve(objective, from, [&] {
      const Summary summary = with.solver().solve(objective, from, with, workspace, {}, Start::Here, observer);
      iterations += summary.iterations();
      status = summary.status;
      return status != SolveStatus::Cancelled;
    });
    return status;
  }

  /// Reweights and solves until f hardly changes.
  Candidate settle(Pose from, double a, const Pose* last) {
    Candidate best{from, costAt(from, a, last)};
    for (int i = 0; i < kSettles && best.status != SolveStatus::Cancelled; ++i) {
      const SolveStatus status = solve(objectiveOf(weightsAt(from, a), {}, from, last), options.maxIterations, from);
      const double cost = costAt(from, a, last);
      const bool isLower = cost < best.cost * (1.0 - kSettled);
      if (cost < best.cost || status == SolveStatus::Cancelled) best = {from, cost, status};
      if (!isLower) break;
    }
    return best;
  }

  /// The factor that widens a at a pose, so that no point counts as an outlier before the pose is about right.
  double widthAt(const Pose& at) {
    computeTransforms(figure(), at, kinematics);
    double squares = 0.0;
    for (const Sighting& s : sightings) squares += std::pow(errorOf(s, kinematics), 2.0);
    return std::max(kFitWide, std::sqrt(squares / sightings.size()) / (options.outlier * options.noise));
  }

  /// Settles while a shrinks to its own value.
  Candidate settleAll(const Pose& from, const Pose* last) {
    Candidate now{from};
    for (double width = widthAt(from);; width = std::max(1.0, width / kFitNarrower)) {
      now = settle(now.pose, width * options.outlier, last);
      if (width == 1.0 || now.status == SolveStatus::Cancelled) return now;
    }
  }

  // ---- The first frame

  /// Turns the root about the vertical through itself, then shifts it so that the points are nearest to their rays.
  Pose placed(double heading) {
    Pose at = firstStart;
    if (root < 0) return at;
    computeTransforms(figure(), at, kinematics);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(heading, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const Eigen::Vector3d here = kinematics.worldFromLink[root].translation;
    moveRoot(figure(), root, kinematics.worldFromLink[root], {turn, here - turn * here}, at);
    computeTransforms(figure(), at, kinematics);
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (const Sighting& s : sightings) {
      const Eigen::Matrix3d across =
          s.weight * (Eigen::Matrix3d::Identity() - s.ray.direction * s.ray.direction.transpose());
      sum += across;
      right += across * (s.ray.from - placeOf(kinematics, points[s.point].point));
    }
    const Eigen::Vector3d shift = sum.fullPivLu().solve(right);
    if (shift.allFinite())
      moveRoot(figure(), root, kinematics.worldFromLink[root], {Eigen::Matrix3d::Identity(), shift}, at);
    return at;
  }

  Candidate start() {
    std::vector<Candidate> tried;
    double width = std::numeric_limits<double>::infinity();
    for (int i = 0; i < (root < 0 ? 1 : kFitHeadings); ++i) {
      Candidate& now = tried.emplace_back(Candidate{placed(2.0 * std::numbers::pi * i / kFitHeadings)});
      now.status =
          solve(objectiveOf(weightsAt(now.pose, kLostError), {}, now.pose, nullptr), kFitFirstIterations, now.pose);
      if (now.status == SolveStatus::Cancelled) return now;
      width = std::min(width, widthAt(now.pose));
    }
    for (Candidate& now : tried) now.cost = costAt(now.pose, width * options.outlier, nullptr);
    std::ranges::stable_sort(tried, {}, &Candidate::cost);
    tried.resize(std::min<std::size_t>(tried.size(), kGoodHeadings));
    Candidate best{tried.front().pose};  // if no cost is finite
    for (const Candidate& one : tried) {
      const Candidate now = settleAll(one.pose, nullptr);
      if (now.cost < best.cost || now.status == SolveStatus::Cancelled) best = now;
      if (best.status == SolveStatus::Cancelled) return best;
    }
    for (int round = 0; round < 2 && tryMirrored(best); ++round) {
    }
    return best;
  }

  /// Tries each limb with its upper bone, its lower one, or both mirrored in the plane of the picture. True if one of
  /// them is better.
  bool tryMirrored(Candidate& best) {
    bool isBetter = false;
    for (const SeenLimb& limb : limbs)
      for (const auto& [isUpper, isLower] : {std::pair(true, false), {false, true}, {true, true}}) {
        if (best.status == SolveStatus::Cancelled) return false;
        const std::optional<Pose> start = mirrored(limb, isUpper, isLower, best.pose);
        if (!start) continue;
        const Candidate now = settle(*start, options.outlier, nullptr);
        if (!(now.cost < best.cost * (1.0 - kSettled)) && now.status != SolveStatus::Cancelled) continue;
        best = now;
        isBetter = true;
      }
    return isBetter;
  }

  /// The first camera that sees the point, null for none.
  const PictureCamera* cameraOf(std::size_t point) const {
    const auto found = std::ranges::find(sightings, point, &Sighting::point);
    return found == sightings.end() ? nullptr : found->camera;
  }

  std::optional<Pose> mirrored(const SeenLimb& limb, bool isUpper, bool isLower, const Pose& at) {
    const PictureCamera* camera = cameraOf(limb.middle);
    if (!camera) return std::nullopt;
    computeTransforms(figure(), at, kinematics);
    const auto place = [&](std::size_t point) -> Eigen::Vector3d { return placeOf(kinematics, points[point].point); };
    const Eigen::Vector3d away = camera->directionTo(place(limb.middle));
    Eigen::Vector3d upper = place(limb.middle) - place(limb.root), lower = place(limb.end) - place(limb.middle);
    const auto mirror = [&](Eigen::Vector3d& bone) {
      const double out = away.dot(bone);
      bone -= 2.0 * out * away;
      return std::abs(out) > kStraight * bone.norm();
    };
    if ((isUpper && !mirror(upper)) || (isLower && !mirror(lower))) return std::nullopt;
    const Eigen::Vector3d other = place(limb.root) + upper, end = other + lower;
    const double length = figure().meanLinkLength(), weight = length * length / (kMirrorPull * kMirrorPull);
    const auto pullTo = [&](std::size_t point, const Eigen::Vector3d& target) {
      const FigurePoint& p = points[point].point;
      return std::make_unique<PositionGoal>(p.link, p.pointInLink, target, weight, length);
    };
    std::vector<std::unique_ptr<Goal>> pulls;
    pulls.push_back(pullTo(limb.middle, other));
    pulls.push_back(pullTo(limb.end, end));
    Pose start = at;
    solve(objectiveOf(weightsAt(at, options.outlier), std::move(pulls), at, nullptr), kFitFirstIterations, start);
    return start;
  }

  /// The depth directions of a limb's two bones: (upper one away from the camera, lower one away).
  using Way = std::pair<bool, bool>;

  Way wayOf(const SeenLimb& limb, const PictureCamera& camera, const Pose& at) {
    computeTransforms(figure(), at, kinematics);
    const auto place = [&](std::size_t point) -> Eigen::Vector3d { return placeOf(kinematics, points[point].point); };
    const Eigen::Vector3d middle = place(limb.middle), away = camera.directionTo(middle);
    return {away.dot(middle - place(limb.root)) > 0.0, away.dot(place(limb.end) - middle) > 0.0};
  }

  std::optional<Candidate> nextWay(const SeenLimb& limb, const Pose& from) {
    static constexpr std::array<Way, 4> kRound = {{{false, false}, {false, true}, {true, true}, {true, false}}};
    const PictureCamera* camera = cameraOf(limb.middle);
    if (!camera) return std::nullopt;
    const Way now = wayOf(limb, *camera, from);
    const auto place = static_cast<std::size_t>(std::ranges::find(kRound, now) - kRound.begin());
    for (std::size_t step = 1; step < kRound.size(); ++step) {
      const Way next = kRound[(place + step) % kRound.size()];
      const auto start = mirrored(limb, next.first != now.first, next.second != now.second, from);
      if (!start) continue;
      const Candidate found = settle(*start, options.outlier, nullptr);
      if (found.status == SolveStatus::Cancelled) return std::nullopt;
      if (wayOf(limb, *camera, found.pose) != now) return found;
    }
    return std::nullopt;
  }

  // ---- A frame

  /// Solves from the last pose, with a pull to the pose that its motion predicts.
  Candidate follow() {
    Pose ahead;
    integrate(figure(), pose, kGoesOn * velocity, ahead);
    clampToLimits(problem, ahead);
    pull = options.stillness;
    return settleAll(pose, &ahead);
  }

  void keep(const Pose& found, bool isNew) {
    difference(figure(), pose, found, velocity);
    if (isNew) velocity.setZero();
    pose = found;
    hasStarted = true;
  }

  /// True if more than half of the points are outliers: the figure is lost, or another one is seen.
  bool isLost(const Pose& at) {
    computeTransforms(figure(), at, kinematics);
    const auto isWrong = [&](const Sighting& s) { return errorOf(s, kinematics) > options.outlier * options.noise; };
    return 2 * std::ranges::count_if(sightings, isWrong) > std::ssize(sightings);
  }

  void take(std::span<const PictureView> views) {
    sightings.clear();
    for (const PictureView& view : views)
      for (std::size_t k = 0; k < points.size(); ++k) {
        const auto observed = static_cast<std::size_t>(points[k].observed);
        if (observed >= view.seen.size() || !view.seen[observed].isSeen()) continue;
        const SeenPixel& seen = view.seen[observed];
        sightings.push_back({k, &view.camera, seen.place, view.camera.rayThrough(seen.place),
                             std::min(seen.confidence, 1.0) * points[k].weight});
      }
  }

  void report(const Candidate& found, FittedPicture& frame) {
    frame.pose = pose;
    frame.cost = found.cost;
    frame.iterations = iterations;
    frame.status = fitStatusOf(found.status);
    computeTransforms(figure(), pose, kinematics);
    double squares = 0.0;
    for (const Sighting& s : sightings) {
      const double error = errorOf(s, kinematics);
      squares += error * error;
      frame.wrong += error > options.outlier * options.noise;
    }
    frame.points = static_cast<int>(sightings.size());
    frame.error = std::sqrt(squares / frame.points);
  }
};

PictureFitter::PictureFitter(const IkProblem& problem, std::vector<FitPoint> points, const PictureFitOptions& options)
    : state_(std::make_unique<State>(problem, std::move(points), options)) {}
PictureFitter::~PictureFitter() = default;
PictureFitter::PictureFitter(PictureFitter&&) noexcept = default;
PictureFitter& PictureFitter::operator=(PictureFitter&&) noexcept = default;

const std::string& PictureFitter::fault() const { return state_->fault; }
void PictureFitter::observe(Observer* observer) { state_->observer = observer; }
void PictureFitter::forget() { state_->hasStarted = false; }

FittedPicture PictureFitter::fit(std::span<const PictureView> views) {
  State& s = *state_;
  FittedPicture frame{.pose = s.pose};
  if (s.fault.empty())
    for (const PictureView& view : views)
      if (s.fault = faultOf(view); !s.fault.empty()) break;
  if (!s.fault.empty()) return frame;
  s.take(views);
  s.iterations = 0;
  if (s.sightings.empty()) return frame;
  State::Candidate found;
  if (s.hasStarted) found = s.follow();
  const bool isNew = !s.hasStarted || s.isLost(found.pose);
  if (isNew) found = s.start();
  s.keep(found.pose, isNew);
  s.report(found, frame);
  return frame;
}

FittedPicture PictureFitter::refit(std::span<const PictureView> views, const Pose& from, const Pose* towards) {
  State& s = *state_;
  FittedPicture frame{.pose = towards ? *towards : from};
  s.take(views);
  s.iterations = 0;
  s.pull = s.options.smoothness;
  s.pose = from;
  if (!s.fault.empty() || s.sightings.empty()) return frame;
  const State::Candidate found = s.settle(from, s.options.outlier, towards);
  s.pose = found.pose;
  s.report(found, frame);
  return frame;
}

std::optional<FittedPicture> PictureFitter::nextDepth(std::span<const PictureView> views, const Pose& from,
                                                      int observed) {
  State& s = *state_;
  if (!s.fault.empty()) return std::nullopt;
  s.take(views);
  s.iterations = 0;
  const auto isOf = [&](const State::SeenLimb& limb) {
    return s.points[limb.middle].observed == observed || s.points[limb.end].observed == observed;
  };
  const auto limb = std::ranges::find_if(s.limbs, isOf);
  if (limb == s.limbs.end()) return std::nullopt;
  const auto found = s.nextWay(*limb, from);
  if (!found) return std::nullopt;
  FittedPicture frame;
  s.keep(found->pose, true);
  s.report(*found, frame);
  return frame;
}

}  // namespace limber
