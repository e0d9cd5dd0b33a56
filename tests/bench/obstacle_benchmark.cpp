// SPDX-License-Identifier: MIT
// A drag among obstacles: the humanoid with a rope of hinges in its right hand, 61 degrees of freedom, five targets of
// which the left hand's goes round through a table, past a post, under a shelf and at the body. The same frames with
// and without a floor, four obstacles and self-collision; the ratio of their mean times is the counter "ratio".
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/thread_time.h"
#include "limber/io/open.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/posing/posing.h"

namespace limber::obstacle_benchmark {
namespace {

using V = Eigen::Vector3d;

constexpr int kFrames = 300;
constexpr int kDegreesOfFreedom = 61;
constexpr double kMostInside = 1e-3;  // metres

/// Hinges at the right hand until the figure has as many degrees of freedom as are asked for.
std::shared_ptr<const Figure> withRope(std::shared_ptr<const Figure> figure, int hinges) {
  int parent = figure->findLink("right_fingers");
  for (int i = 0; i < hinges; ++i) {
    NewLink link;
    link.name = "rope_" + std::to_string(i);
    link.parent = parent;
    link.parentFromJoint.translation = V(0.0, i == 0 ? -0.1 : -0.05, 0.0);
    link.axis = i % 2 == 0 ? V::UnitX() : V::UnitZ();
    link.end = V(0.0, -0.05, 0.0);
    link.radius = 0.008;
    figure = addLink(*figure, link).figure;
    parent = figure->findLink(link.name);
  }
  return figure;
}

void addBox(Document& document, const char* name, const V& middle, const V& size) {
  Obstacle box;
  box.name = name;
  box.worldFromObstacle.translation = middle;
  box.size = size;
  addObstacle(document, box);
}

void addObstacles(Document& document) {
  Obstacle floor;
  floor.name = "floor";
  floor.shape = Obstacle::Shape::Plane;
  addObstacle(document, floor);
  addBox(document, "table", {0.0, 1.0, 0.5}, {1.2, 0.04, 0.5});
  addBox(document, "post", {0.55, 1.2, 0.2}, {0.1, 0.6, 0.1});
  addBox(document, "shelf", {-0.4, 1.45, 0.35}, {0.4, 0.05, 0.4});
  addBox(document, "step", {0.1, 0.1, 0.35}, {0.4, 0.2, 0.3});
  document.selfAvoidance = SelfAvoidance::All;
}

struct Course {
  double time = 0.0;     ///< nanoseconds a frame
  double stops = 0.0;    ///< contacts that press, a frame
  double deepest = 0.0;  ///< metres
  double iterations = 0.0;
  int degreesOfFreedom = 0;
};

Course drag(Document document) {
  std::vector<V> homes;
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  for (const char* name : {"head", "left_hand", "right_hand", "left_foot", "right_foot"}) {
    const int link = document.figure->findLink(name);
    addGoal(document, link, V::Zero());
    homes.push_back(kinematics.worldFromLink[static_cast<std::size_t>(link)].translation);
  }
  PosingRequest request;
  request.freeRoot = true;
  request.startPose = document.pose;
  Posing posing;
  Course course;
  for (int frame = 0; frame < kFrames; ++frame) {
    const double t = 2.0 * std::numbers::pi * frame / kFrames;
    document.goals[1].target =
        homes[1] + V(0.15 + 0.3 * std::sin(t), 0.2 + 0.25 * std::cos(2.0 * t), 0.25 - 0.35 * std::cos(t));
    const double before = bench::threadTime();
    const PosingReport report = solveToEnd(posing, document, request);
    course.time += (bench::threadTime() - before) / kFrames;
    request.followsLast = true;
    course.iterations += static_cast<double>(report.summary.iterations()) / kFrames;
    for (const ContactReport& contact : report.contacts) {
      course.stops += contact.stops ? 1.0 / kFrames : 0.0;
      course.deepest = std::min(course.deepest, contact.clearance);
    }
  }
  course.degreesOfFreedom = posing.activeCount();
  return course;
}

void dragAmongObstacles(benchmark::State& state) {
  const auto opened = io::openAny("humanoid");
  if (!opened) return state.SkipWithError(opened.error().message().c_str());
  Posing probe;
  PosingRequest request;
  request.freeRoot = true;
  request.drag = DragGoal{.link = opened->document.figure->findLink("head")};
  probe.start(opened->document, request);
  Document without = makeDocument(withRope(opened->document.figure, kDegreesOfFreedom - probe.activeCount()));
  Document with = without;
  addObstacles(with);
  Course free, hindered;
  for (auto _ : state) {
    hindered = drag(with);
    state.PauseTiming();
    free = drag(without);
    state.ResumeTiming();
  }
  if (hindered.degreesOfFreedom != kDegreesOfFreedom) return state.SkipWithError("not 61 degrees of freedom");
  if (hindered.deepest < -kMostInside) return state.SkipWithError("a link went in by more than a millimetre");
  state.counters["frame_us"] = 1e-3 * hindered.time;
  state.counters["free_frame_us"] = 1e-3 * free.time;
  state.counters["ratio"] = hindered.time / free.time;
  state.counters["iterations"] = hindered.iterations;
  state.counters["free_iterations"] = free.iterations;
  state.counters["stops"] = hindered.stops;
  state.counters["deepest_mm"] = 1e3 * hindered.deepest;
}

BENCHMARK(dragAmongObstacles)->Name("obstacles/300 drag frames, 61 degrees of freedom")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limber::obstacle_benchmark
