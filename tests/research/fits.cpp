// SPDX-License-Identifier: MIT
#include "research/fits.h"

#include <cmath>
#include <numbers>
#include <ostream>

#include "bench/thread_time.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/registry.h"
#include "research/penalty_trust_region.h"
#include "research/starts.h"

namespace limber::experiments {

namespace {

constexpr double kLambda = 100.0;  // of the paper, without a unit
constexpr double kSquareMillimetre = 1e-6;

constexpr FitMethod kFitMethods[] = {
    {"penalty_mm", "Trust region, penalty of 100 mm²/rad²", false},
    {"penalty_m", "Trust region, penalty of 100 m²/rad²", false},
    {"bounds", "Trust region within the limits", true},
    {"lm", "Levenberg-Marquardt within the limits, starts laid on", true},
    {"neutral", "Levenberg-Marquardt from rest, laid on", true},
    {"sdp_ik", "SDP-IK", true},
    {"global", "Pipeline `global`", true},
    {"truth", "Levenberg-Marquardt from the observed pose", true},
};

double milliseconds(double before) { return 1e-6 * (bench::threadTime() - before); }

/// One problem and all that its methods share.
class FitRun {
 public:
  FitRun(const test::ObservedFigure& problem, const Objective& objective, int index, std::vector<Trial>& out)
      : problem_(problem), objective_(objective), index_(index), out_(out) {}

  /// Runs `solve` from the start and judges its pose. Workspaces are warm, as a window's would be.
  template <class Solve>
  void judge(std::string_view method, int start, Pose pose, const Solve& solve) {
    const double before = bench::threadTime();
    solve(pose);
    const double time = milliseconds(before);
    out_.push_back({method, index_, start, problem_.cost(pose), time, objective_.feasibleSet().violation(pose)});
  }

  void runPenalty(std::string_view method, double lambda, std::span<const Pose> starts) {
    for (std::size_t s = 0; s < starts.size(); ++s)
      judge(method, static_cast<int>(s), starts[s], [&](Pose& pose) { solveWithPenalty(objective_, pose, lambda); });
  }

  void runSolver(std::string_view method, std::string_view solver, int start, const Pose& from, Workspace& workspace,
                 Start how = Start::Here) {
    const Solver& found = *findSolver(solver);
    judge(method, start, from,
          [&](Pose& pose) { found.solve(objective_, pose, defaultOptions(found), workspace, {}, how); });
  }

  /// With where the start comes to lie, which is part of the method.
  void runLaid(std::string_view method, int start, const Pose& from, Workspace& workspace) {
    const Solver& found = *findSolver("lm");
    judge(method, start, from, [&](Pose& pose) {
      pose = laidOnTargets(problem_, std::move(pose));
      found.solve(objective_, pose, defaultOptions(found), workspace);
    });
  }

 private:
  const test::ObservedFigure& problem_;
  const Objective& objective_;
  int index_;
  std::vector<Trial>& out_;
};

/// Made once for all targets of a case.
struct FitTools {
  Workspace trustRegion, marquardt, pipeline;
  GlobalMethod global;

  explicit FitTools(const Case& problems)
      : global(problems.problems.at(0).objective(), limitsOf(*problems.skeleton->figure),
               restPose(*problems.skeleton->figure)) {}
};

void fitProblem(const Case& problems, int index, const FitSettings& settings, FitTools& tools,
                std::vector<Trial>& out) {
  const test::ObservedFigure& problem = problems.problems[static_cast<std::size_t>(index)];
  const Objective objective = problem.objective();
  const Pose rest = restPose(*problem.figure);
  FitRun run(problem, objective, index, out);
  RandomStream random(settings.seed * 1000003u + static_cast<std::uint64_t>(index));
  const std::vector<Pose> starts = randomStarts(problem, objective, settings.starts, random);
  run.runPenalty("penalty_mm", kLambda * kSquareMillimetre, starts);
  run.runPenalty("penalty_m", kLambda, starts);
  for (int s = 0; s < settings.starts; ++s) {
    run.runSolver("bounds", "trust-region", s, starts[static_cast<std::size_t>(s)], tools.trustRegion);
    run.runLaid("lm", s, starts[static_cast<std::size_t>(s)], tools.marquardt);
  }
  run.runLaid("neutral", -1, rest, tools.marquardt);
  run.judge("sdp_ik", -1, rest, [&](Pose& pose) { tools.global.solve(objective, pose); });
  run.runSolver("global", "global", -1, rest, tools.pipeline, Start::Anywhere);
  run.runSolver("truth", "lm", -1, problem.pose, tools.marquardt);
}

double millimetres(double metres) { return 1e3 * metres; }
double degrees(double radians) { return radians * 180.0 / std::numbers::pi; }

}  // namespace

std::span<const FitMethod> fitMethods() { return kFitMethods; }

std::vector<Trial> fitCase(const Case& problems, const FitSettings& settings) {
  std::vector<Trial> out;
  FitTools tools(problems);
  for (std::size_t i = 0; i < problems.problems.size(); ++i)
    fitProblem(problems, static_cast<int>(i), settings, tools, out);
  return out;
}

std::vector<CertificateTrial> certifyCase(const Case& problems) {
  std::vector<CertificateTrial> out;
  const Solver& global = *findSolver("global");
  Workspace workspace;
  for (std::size_t i = 0; i < problems.problems.size(); ++i) {
    const test::ObservedFigure& problem = problems.problems[i];
    const Objective objective = problem.objective();
    Pose pose = restPose(*problem.figure);
    global.solve(objective, pose, defaultOptions(global), workspace, {}, Start::Anywhere);
    const double before = bench::threadTime();
    const Certificate certificate = certify(objective, limitsOf(*problem.figure), pose);
    out.push_back({static_cast<int>(i), certificate.cost(), certificate.leastCost(), certificate.isCertified,
                   milliseconds(before)});
  }
  return out;
}

void writeTrialHead(std::ostream& out) { out << "case,pose,method,start,cost_mm,time_ms,overstep_deg\n"; }

void writeTrials(const Case& problems, const std::vector<Trial>& trials, std::ostream& out) {
  for (const Trial& t : trials)
    out << problems.name << ',' << t.problem << ',' << t.method << ',' << t.start << ',' << millimetres(t.cost) << ','
        << t.time << ',' << degrees(t.overstep) << '\n';
}

void writeCertificateHead(std::ostream& out) { out << "case,pose,cost_mm,bound_mm,certified,time_ms\n"; }

void writeCertificates(const Case& problems, const std::vector<CertificateTrial>& trials, std::ostream& out) {
  for (const CertificateTrial& t : trials)
    out << problems.name << ',' << t.problem << ',' << millimetres(t.cost) << ',' << millimetres(t.bound) << ','
        << t.isCertified << ',' << t.time << '\n';
}

}  // namespace limber::experiments
