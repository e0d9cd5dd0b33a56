// SPDX-License-Identifier: MIT
// limber_experiments stances [--account] --figure FILE... CLIP...
//
// How well feet keep their stances when a motion is put onto another body. A table on standard output
// (docs/timeline.md), with two rows for each figure and clip: without and with held stances.
//
//   drift          of the ball of a foot in the target while it stands in the source, from its mean place; scaled to a
//                  stature of 1.75 m. It stands while its speed is less than 0.15 m/s and its height less than 5 cm
//                  above its lowest ones, for 0.15 s or longer: a simpler rule than that of scene/stance.h
//   sole           depth of the lowest point of the soles below the ground
//   acceleration   largest of any joint of the body, of the target over the source: of places, in lengths of the
//                  leg, and of rotations of parts
//   limits         frames with a joint outside its limits
//
// --account prints, instead, the largest accelerations of the motion carried without limits, arms out of the body and
// stances, and then with one after the other, with part and frame.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/thread_time.h"
#include "limber/body/body_map.h"
#include "limber/body/sole.h"
#include "limber/io/carried_motion.h"
#include "limber/io/open.h"
#include "limber/kinematics/ball_limits.h"
#include "research/programs.h"

namespace limber::experiments {
namespace stances {
namespace {

constexpr double kStature = 1.75, kLeg = 0.9;  // metres
constexpr double kStandingSpeed = 0.15, kStandingHeight = 0.05, kStandingTime = 0.15;
constexpr BodySide kSides[] = {BodySide::Left, BodySide::Right};

/// All frames of a motion: by frame, the transforms of all links.
using Takes = std::vector<std::vector<Transform>>;

Takes takesOf(const Figure& figure, const Motion& motion) {
  Takes takes;
  Kinematics now;
  for (int frame = 0; frame < motion.frameCount; ++frame) {
    computeTransforms(figure, motion.poseAt(figure, frame), now);
    takes.push_back(now.worldFromLink);
  }
  return takes;
}

/// The places of the ball of a foot, by frame; empty for a figure without this foot.
std::vector<Eigen::Vector3d> ballsOf(const Figure& figure, const Takes& takes, BodySide side) {
  std::vector<Eigen::Vector3d> places;
  for (const Sole& sole : solesOf(figure, bodyMapOf(figure).poseParts()))
    for (const auto& take : takes)
      if (sole.side == side) places.push_back(take[sole.foot] * sole.ball);
  return places;
}

struct Run {
  int begin = 0, end = 0;  ///< end excluded
};

std::vector<Run> standingRuns(const std::vector<Eigen::Vector3d>& places, double leg, double frameTime) {
  if (places.empty()) return {};
  std::vector<double> heights;
  for (const Eigen::Vector3d& place : places) heights.push_back(place.y());
  std::vector<double> sorted = heights;
  std::ranges::sort(sorted);
  const double floor = sorted[sorted.size() / 20], scale = leg / kLeg;
  const int count = static_cast<int>(places.size()),
            span = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / frameTime)));
  std::vector<Run> runs;
  for (int frame = 0; frame < count; ++frame) {
    const int from = std::max(0, frame - span), to = std::min(count - 1, frame + span);
    const double speed = (places[to] - places[from]).norm() / (frameTime * (to - from));
    if (!(speed < kStandingSpeed * scale && heights[frame] - floor < kStandingHeight * scale)) continue;
    if (!runs.empty() && runs.back().end == frame) ++runs.back().end;
    else runs.push_back({frame, frame + 1});
  }
  std::erase_if(runs, [&](const Run& run) { return (run.end - run.begin) * frameTime < kStandingTime; });
  return runs;
}

double driftIn(const std::vector<Eigen::Vector3d>& places, const Run& run) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (int frame = run.begin; frame < run.end; ++frame) mean += places[frame] / (run.end - run.begin);
  double drift = 0.0;
  for (int frame = run.begin; frame < run.end; ++frame) drift = std::max(drift, (places[frame] - mean).norm());
  return drift;
}

struct Accelerations {
  double places = 0.0, turns = 0.0;                                    ///< lengths of the leg, radians; per s^2
  int placeLink = -1, placeFrame = -1, turnLink = -1, turnFrame = -1;  ///< where they are
};

Accelerations largestAccelerations(const Figure& figure, const Takes& takes, double frameTime) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  Accelerations largest;
  for (std::size_t frame = 1; frame + 1 < takes.size(); ++frame)
    for (const auto& [place, links] : parts.links) {
      if (isDigit(place.part)) continue;
      for (const int link : links) {
        const Transform &a = takes[frame - 1][link], &b = takes[frame][link], &c = takes[frame + 1][link];
        const Eigen::Vector3d by = (a.translation - 2.0 * b.translation + c.translation) / (frameTime * frameTime);
        if (const double now = by.norm() / parts.legLength; now > largest.places) {
          largest.places = now;
          largest.placeLink = link;
          largest.placeFrame = static_cast<int>(frame);
        }
        const Eigen::Vector3d before =
            logarithm(Eigen::Quaterniond(Eigen::Matrix3d(b.rotation * a.rotation.transpose())));
        const Eigen::Vector3d after =
            logarithm(Eigen::Quaterniond(Eigen::Matrix3d(c.rotation * b.rotation.transpose())));
        if (const double turn = (after - before).norm() / (frameTime * frameTime); turn > largest.turns) {
          largest.turns = turn;
          largest.turnLink = link;
          largest.turnFrame = static_cast<int>(frame);
        }
      }
    }
  return largest;
}

bool isWithinLimits(const IkProblem& problem, const Pose& pose) {
  constexpr double kRounding = 1e-9;
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const Joint& joint = problem.figure->joint(i);
    const JointSettings& settings = problem.joints[i];
    if (isScalar(joint)) {
      const double value = pose.coordinates[joint.poseIndex];
      if (value < settings.limits.lower - kRounding || value > settings.limits.upper + kRounding) return false;
    } else if (joint.type == JointType::Ball && settings.ballLimits.isBounded() &&
               BallRange(settings.ballLimits).violation(jointRotation(*problem.figure, pose, i)) > 1e-7) {
      return false;
    }
  }
  return true;
}

void printRow(const std::string& figureName, const std::string& clip, const Document& source, const Document& target,
              bool isHeld) {
  const Motion& motion = *source.motion;
  const double begun = 1e-9 * bench::threadTime();
  const auto carried = io::MotionCarrier(*source.figure, target, isHeld)(motion);
  const double seconds = 1e-9 * bench::threadTime() - begun;
  const Takes from = takesOf(*source.figure, motion), to = takesOf(*target.figure, *carried);
  const PoseParts &theirs = bodyMapOf(*source.figure).poseParts(), &ours = bodyMapOf(*target.figure).poseParts();
  const double stature = kStature / kLeg * ours.legLength;
  std::vector<double> drifts;
  for (const BodySide side : kSides) {
    const auto balls = ballsOf(*source.figure, from, side), carriedBalls = ballsOf(*target.figure, to, side);
    for (const Run& run : standingRuns(balls, theirs.legLength, motion.frameTime)) {
      if (carriedBalls.empty()) continue;
      drifts.push_back(1e3 * kStature / stature * driftIn(carriedBalls, run));
      if (isHeld && drifts.back() > 1.0)
        std::fprintf(stderr, "%s, %s: %s foot, frames %d to %d: %.1f mm (%.1f mm in the source)\n", figureName.c_str(),
                     clip.c_str(), side == BodySide::Left ? "left" : "right", run.begin, run.end - 1, drifts.back(),
                     1e3 * kLeg / theirs.legLength * driftIn(balls, run));
    }
  }
  std::ranges::sort(drifts);
  double lowest = 1e9;
  int broken = 0;
  Kinematics now;
  for (int frame = 0; frame < carried->frameCount; ++frame) {
    const Pose pose = carried->poseAt(*target.figure, frame);
    computeTransforms(*target.figure, pose, now);
    for (const Sole& sole : solesOf(*target.figure, ours)) lowest = std::min(lowest, lowestOf(sole, now));
    broken += !isWithinLimits(target, pose);
  }
  const Accelerations before = largestAccelerations(*source.figure, from, motion.frameTime),
                      after = largestAccelerations(*target.figure, to, motion.frameTime);
  std::printf("| %s | %s | %s | %zu | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %.0f |\n", figureName.c_str(),
              clip.c_str(), isHeld ? "held" : "-", drifts.size(), drifts.empty() ? 0.0 : drifts[drifts.size() / 2],
              drifts.empty() ? 0.0 : drifts.back(), 1e3 * std::max(0.0, groundOf(*target.figure, ours) - lowest),
              before.places > 0.0 ? after.places / before.places : 0.0,
              before.turns > 0.0 ? after.turns / before.turns : 0.0, broken, motion.frameCount / seconds);
  std::fflush(stdout);
}

/// The target without limits of its joints.
IkProblem withoutLimits(const IkProblem& problem) {
  IkProblem out = problem;
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    out.joints[i].ballLimits = {.twistAxis = problem.joints[i].ballLimits.twistAxis};
    if (problem.figure->joint(i).type == JointType::Revolute) out.joints[i].limits = {-1e3, 1e3};
  }
  return out;
}

/// Where accelerations come from: the motion is carried without limits, arms out of the body and stances, and then with
/// one after the other.
void printAccount(const std::string& figureName, const std::string& clip, const Document& source,
                  const Document& target) {
  const Motion& motion = *source.motion;
  const Figure& figure = *target.figure;
  const Accelerations before = largestAccelerations(*source.figure, takesOf(*source.figure, motion), motion.frameTime);
  const auto row = [&](const char* what, const Figure& body, const Accelerations& now) {
    const auto name = [&](int link) { return link < 0 ? std::string("-") : body.link(link).name; };
    std::printf("| %s | %s | %s | %.1f | %.2f | %s, %d | %.1f | %.2f | %s, %d |\n", figureName.c_str(), clip.c_str(),
                what, now.places, now.places / before.places, name(now.placeLink).c_str(), now.placeFrame, now.turns,
                now.turns / before.turns, name(now.turnLink).c_str(), now.turnFrame);
  };
  row("the motion itself", *source.figure, before);
  const auto carry = [&](const char* what, IkProblem problem, bool clears, bool holds) {
    if (!clears) problem.selfAvoidance = SelfAvoidance::Off;
    const auto carried = io::MotionCarrier(*source.figure, problem, holds)(motion);
    row(what, figure, largestAccelerations(figure, takesOf(figure, *carried), motion.frameTime));
  };
  carry("without limits", withoutLimits(target), false, false);
  carry("limits", target, false, false);
  carry("limits, arms", target, true, false);
  carry("limits, stances", target, false, true);
  carry("all", target, true, true);
}

std::string stemOf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace
}  // namespace stances

int runStances(int argc, char** argv) {
  using namespace stances;
  std::vector<std::string> figures, clips;
  bool isAccount = false;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--figure" && i + 1 < argc) figures.push_back(argv[++i]);
    else if (std::string_view(argv[i]) == "--account") isAccount = true;
    else clips.push_back(argv[i]);
  if (figures.empty()) figures.push_back("human");
  if (isAccount)
    std::printf(
        "| figure | motion | with | acceleration of places (legs/s^2) | over the source | where | of turns "
        "(rad/s^2) | over the source | where |\n|---|---|---|---|---|---|---|---|---|\n");
  else
    std::printf(
        "| figure | motion | stances | number | drift, median (mm) | drift, largest (mm) | sole (mm) | acceleration of "
        "places "
        "| of turns | limits | frames/s |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& clip : clips) {
    const auto source = io::openAny(clip);
    if (!source || !source->document.motion) {
      std::fprintf(stderr, "%s: %s\n", clip.c_str(), source ? "holds no motion" : source.error().message().c_str());
      return 1;
    }
    for (const std::string& name : figures) {
      const auto target = io::openAny(name);
      if (!target) {
        std::fprintf(stderr, "%s\n", target.error().message().c_str());
        return 1;
      }
      if (isAccount) printAccount(stemOf(name), stemOf(clip), source->document, target->document);
      for (const bool isHeld : {false, true})
        if (!isAccount) printRow(stemOf(name), stemOf(clip), source->document, target->document, isHeld);
    }
  }
  return 0;
}

}  // namespace limber::experiments
