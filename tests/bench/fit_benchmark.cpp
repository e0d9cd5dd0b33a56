// SPDX-License-Identifier: MIT
// A body of 54 degrees of freedom fitted to its 29 key points, each frame of 120 a second from the last: met exactly,
// and with noise. A frame is all that `Fitter` does: the objective made anew, the solve, the errors by forward
// kinematics.
//
// Counters: "floor" (ns of transforms and twists), "rate" (frames a second of one core), "iterations" (a frame), "cost"
// (mm, eq. 15 of scene/fit.h; the mean), "success" (the part of the frames that converged).
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bench/thread_time.h"
#include "limber/io/figure_source.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/fit.h"
#include "locations.h"

namespace limber::fit_benchmark {
namespace {

constexpr int kFrames = 240;
constexpr double kRate = 120.0;  // frames a second of the motion

/// Limbs that swing once a second, each with a phase of its own, while the body walks a circle.
Pose poseAt(const Figure& figure, const Document& document, int frame) {
  const double phase = 2.0 * std::numbers::pi * frame / kRate;
  Pose pose = restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    double& q = pose.coordinates[joint.poseIndex];
    if (joint.type == JointType::Revolute) q += 0.25 * std::sin(phase + 0.7 * i);
    if (joint.type != JointType::Free) continue;
    pose.coordinates.segment<3>(joint.poseIndex) +=
        Eigen::Vector3d(std::sin(0.5 * phase), 0.02 * std::sin(phase), std::cos(0.5 * phase));
    setJointRotation(figure, i, exponential({0.05 * std::sin(phase), 0.5 * phase, 0.0}), pose);
  }
  clampToLimits(document, pose);
  return pose;
}

struct Walk {
  Document document;
  std::vector<FitPoint> points;
  std::vector<std::vector<Eigen::Vector3d>> frames;
};

Walk makeWalk(const std::shared_ptr<const Figure>& figure, double noise) {
  Walk walk{makeDocument(figure), {}, {}};
  std::mt19937 random(2);
  std::normal_distribution<double> normal(0.0, noise / std::sqrt(3.0));
  for (const Site& site : figure->sites())
    walk.points.push_back({static_cast<int>(walk.points.size()), *findPoint(*figure, site.name), 1.0});
  Kinematics kinematics;
  for (int frame = 0; frame < kFrames; ++frame) {
    computeTransforms(*figure, poseAt(*figure, walk.document, frame), kinematics);
    auto& places = walk.frames.emplace_back();
    for (const FitPoint& p : walk.points) {
      places.push_back(kinematics.worldFromLink[static_cast<std::size_t>(p.point.link)] * p.point.pointInLink);
      if (noise > 0.0)
        for (double& number : places.back()) number += normal(random);
    }
  }
  return walk;
}

/// Nanoseconds of transforms and twists.
double floorOf(const Figure& figure, const Pose& pose) {
  constexpr int kPasses = 2000;
  Kinematics kinematics;
  computeKinematics(figure, pose, kinematics);
  const double start = bench::threadTime();
  for (int i = 0; i < kPasses; ++i) {
    computeKinematics(figure, pose, kinematics);
    benchmark::DoNotOptimize(kinematics.twists.data());
  }
  return (bench::threadTime() - start) / kPasses;
}

void fitBody(benchmark::State& state, double noise) {
  const auto source = io::openFigureSource("body.json", LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  const Walk walk = makeWalk(source->figure, noise);
  Fitter fitter(walk.document, walk.points);
  if (!fitter.fault().empty()) return state.SkipWithError(fitter.fault().c_str());
  FittedFrame frame = fitter.fit(walk.frames.back());  // the walk goes round
  double time = 0.0, iterations = 0.0, cost = 0.0, converged = 0.0, frames = 0.0;
  for (auto _ : state) {
    const auto& places = walk.frames[static_cast<std::size_t>(frames) % kFrames];
    const double start = bench::threadTime();
    frame = fitter.fit(places);
    const double taken = bench::threadTime() - start;
    state.SetIterationTime(1e-9 * taken);
    time += taken;
    iterations += frame.iterations;
    cost += frame.cost;
    converged += frame.status == FitStatus::Converged;
    ++frames;
  }
  state.counters["floor"] = floorOf(*source->figure, frame.pose);
  state.counters["rate"] = 1e9 * frames / time;
  state.counters["iterations"] = iterations / frames;
  state.counters["cost"] = 1e3 * cost / frames;
  state.counters["success"] = converged / frames;
  state.counters["coordinates"] = fitter.activeCount();
}
BENCHMARK_CAPTURE(fitBody, exact, 0.0)->Name("fit/body frame/exact")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fitBody, noise, 0.01)
    ->Name("fit/body frame/noise 10 mm")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limber::fit_benchmark
