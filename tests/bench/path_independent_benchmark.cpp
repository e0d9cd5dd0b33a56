// SPDX-License-Identifier: MIT
// Path-independent posing by how many stages it goes in, on drags of a hand and of a foot of the humanoid and of a
// robot arm's tool: straight lines through random targets that some pose reaches, in steps of 5 mm. Counters: the share
// that is reached; jumps a hundred steps (a joint turns by more than 0.05 + 4 sqrt(step) radians, steps in mean link
// lengths); and the same share for a drag that continues from pose to pose.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/refinements/refinements.h"
#include "locations.h"
#include "support/awkward_figure.h"

namespace limber::path_independent_benchmark {
namespace {

constexpr int kLines = 40;
constexpr double kStep = 5e-3;  // metres

struct Dragged {
  const char* name;
  const char* site;
};
constexpr Dragged kDragged[] = {{"humanoid", "left_palm"}, {"humanoid", "left_ball"}, {"arm", "tool"}};

std::optional<Document> open(const char* name) {
  if (name == std::string("arm")) return makeDocument(makeArm());
  const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/" + std::string(name) + ".json");
  if (!opened) return std::nullopt;
  return opened->document;
}

Eigen::Vector3d placeOf(const Document& document, const Pose& pose, const Site& site) {
  Kinematics kinematics;
  computeTransforms(*document.figure, pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * site.linkFromSite.translation;
}

/// Where the site is in a random pose; locked joints as the document has them.
Eigen::Vector3d reachablePlace(const Document& document, const Site& site, std::mt19937& random) {
  Document posed = document;
  posed.basePose = test::randomPose(*document.figure, random);
  return placeOf(document, basePoseOf(posed), site);
}

double largestTurn(const Figure& figure, const Pose& a, const Pose& b) {
  Eigen::VectorXd step;
  difference(figure, a, b, step);
  double largest = 0.0;
  for (const double s : step) largest = std::max(largest, std::abs(std::remainder(s, 2.0 * 3.14159265358979323846)));
  return largest;
}

/// zero stages: a drag that continues from pose to pose.
PosingReport pose(Posing& posing, Document& document, PosingRequest& request, int stages) {
  if (stages == 0) return solveToEnd(posing, document, request);
  Stages course(document, request, stages);
  IkProblem at = course.problem();
  PosingReport report;
  do {
    at = course.problem();
    Posing fresh;
    report = solveToEnd(fresh, at, course.request());
  } while (course.next(at.pose));
  document.pose = at.pose;
  return report;
}

void dragLines(benchmark::State& state, Dragged dragged, int stages) {
  const auto start = open(dragged.name);
  if (!start) return state.SkipWithError("the figure does not open");
  const Site& site = start->figure->sites()[static_cast<std::size_t>(start->figure->findSite(dragged.site))];
  const double unit = start->figure->meanLinkLength(), allowed = 0.05 + 4.0 * std::sqrt(kStep / unit);
  int steps = 0, reached = 0, jumps = 0;
  for (auto _ : state) {
    std::mt19937 random(5);
    for (int line = 0; line < kLines; ++line) {
      const Eigen::Vector3d from = reachablePlace(*start, site, random), to = reachablePlace(*start, site, random);
      const int count = std::max(2, static_cast<int>((to - from).norm() / kStep));
      Document document = *start;
      Posing posing;
      PosingRequest request;
      request.startPose = start->pose;
      Pose before;
      for (int k = 0; k <= count; ++k) {
        request.drag = DragGoal{site.link, site.linkFromSite.translation, from + (to - from) * k / count, 1.0};
        request.followsLast = k > 0;
        const PosingReport report = pose(posing, document, request, stages);
        ++steps;
        reached += report.outcome == Outcome::Reached;
        if (k > 0) jumps += largestTurn(*document.figure, before, document.pose) > allowed;
        before = document.pose;
      }
    }
  }
  state.counters["reached_%"] = 100.0 * reached / steps;
  state.counters["jumps_per_100"] = 100.0 * jumps / steps;
  state.counters["ms"] = benchmark::Counter(1e-3 * steps, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void registerDrags() {
  for (const Dragged& dragged : kDragged)
    for (const int stages : {0, 1, 2, 4, 8, 16})
      benchmark::RegisterBenchmark((std::string("path_independent/") + dragged.name + " " + dragged.site + ", " +
                                    (stages == 0 ? "no mode" : "stages " + std::to_string(stages)))
                                       .c_str(),
                                   dragLines, dragged, stages)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
}

const bool areRegistered = (registerDrags(), true);

}  // namespace
}  // namespace limber::path_independent_benchmark
