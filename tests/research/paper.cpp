// SPDX-License-Identifier: MIT
// limber_experiments [--quick] [--only fig3|fig4|fig5|fig6|certificates] [--figure hand|body] [--seed N]
//                    [--out FOLDER]
//
// The experiments of Yenamandra and others (2019), section 5, which scripts/experiments draws and tabulates. Writes
// local.csv, curves.csv (Figure 3), fits.csv (Figures 4 and 5), certificates.csv, fig6_*.png and experiments.json into
// the folder, experiments unless told. --quick takes two poses and three starts. The same seed gives the same numbers,
// except times.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>

#include <nlohmann/json.hpp>

#include "locations.h"
#include "research/fits.h"
#include "research/local_methods.h"
#include "research/pictures.h"
#include "research/programs.h"

namespace limber::experiments {
namespace paper {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  bool isQuick = false;
  std::string only, figure;
  std::uint64_t seed = 1;
  fs::path out = "experiments";

  bool wants(std::string_view what) const { return only.empty() || only == what; }
  int poses() const { return isQuick ? 2 : 100; }
  int starts() const { return isQuick ? 3 : 20; }
};

bool isExperiment(std::string_view name) {
  return name == "fig3" || name == "fig4" || name == "fig5" || name == "fig6" || name == "certificates";
}

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quick") {
      arguments.isQuick = true;
      continue;
    }
    if (++i == argc) return false;
    const std::string value = argv[i];
    if (name == "--only" && isExperiment(value)) arguments.only = value;
    else if (name == "--figure" && (value == "hand" || value == "body")) arguments.figure = value;
    else if (name == "--seed" && value.find_first_not_of("0123456789") == std::string::npos && value.size() < 19)
      arguments.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--out") arguments.out = value;
    else return false;
  }
  return true;
}

std::ofstream openTable(const fs::path& path) {
  std::ofstream file(path);
  file << std::setprecision(9);
  return file;
}

/// Sampled poses of each figure, and those of motion capture where it is present.
std::vector<PoseSet> makePoseSets(const std::vector<Skeleton>& skeletons, const Arguments& arguments,
                                  nlohmann::json& report) {
  std::vector<PoseSet> sets;
  for (const Skeleton& skeleton : skeletons) {
    if (!arguments.figure.empty() && arguments.figure != skeleton.name) continue;
    sets.push_back(samplePoses(skeleton, arguments.poses(), arguments.seed));
    if (skeleton.name != "body") continue;
    std::vector<std::string> clips = {"cmu_jumping_jacks.bvh"};
    if (!arguments.isQuick) clips.insert(clips.end(), {"cmu_01_01.bvh", "fair_dab.bvh", "fair_wave_hello.bvh"});
    std::string reason;
    PoseSet motion = fitClips(skeleton, LIMBER_SHARED_DATA_DIR "/bvh", clips, arguments.poses(), reason);
    if (!reason.empty()) {
      std::fprintf(stderr, "poses of motion capture: skipped, %s\n", reason.c_str());
      report["skipped"].push_back("poses of motion capture");
    } else {
      report["clips"] = clips;
      sets.push_back(std::move(motion));
    }
  }
  return sets;
}

void runFigure3(const std::vector<PoseSet>& sets, const Arguments& arguments) {
  for (const PoseSet& set : sets) {
    if (set.name != "hand") continue;
    std::fprintf(stderr, "Figure 3: local methods ...\n");
    LocalSettings settings;
    settings.seed = arguments.seed;
    if (arguments.isQuick) settings = {.problems = 2, .starts = 2, .cap = 0.2, .seed = arguments.seed};
    const std::vector<LocalRun> runs = runLocalMethods(makeCase(set, false, false, arguments.seed), settings);
    std::ofstream table = openTable(arguments.out / "local.csv"), curves = openTable(arguments.out / "curves.csv");
    writeLocalRuns(runs, table);
    writeLocalCurves(runs, curves);
  }
}

void runFigures4And5(const std::vector<PoseSet>& sets, const Arguments& arguments) {
  std::ofstream fits = openTable(arguments.out / "fits.csv");
  writeTrialHead(fits);
  for (const bool isNoisy : {false, true}) {
    if (!arguments.wants(isNoisy ? "fig5" : "fig4")) continue;
    for (const PoseSet& set : sets)
      for (const bool ends : {false, true}) {
        const Case problems = makeCase(set, ends, isNoisy, arguments.seed);
        std::fprintf(stderr, "Figure %d: %s ...\n", isNoisy ? 5 : 4, problems.name.c_str());
        writeTrials(problems, fitCase(problems, {arguments.starts(), arguments.seed}), fits);
      }
  }
}

void runCertificates(const std::vector<PoseSet>& sets, const Arguments& arguments) {
  std::ofstream certificates = openTable(arguments.out / "certificates.csv");
  writeCertificateHead(certificates);
  for (const PoseSet& set : sets)
    for (const bool ends : {false, true}) {
      const Case problems = makeCase(set, ends, true, arguments.seed);
      std::fprintf(stderr, "certificates: %s ...\n", problems.name.c_str());
      writeCertificates(problems, certifyCase(problems), certificates);
    }
}

void runFigure6(const std::vector<PoseSet>& sets, const Arguments& arguments, nlohmann::json& report) {
  std::fprintf(stderr, "Figure 6: pictures ...\n");
  std::vector<Case> cases;
  for (std::size_t i = 0; i < sets.size(); ++i)  // of each skeleton the last set: motion capture where there is any
    if (i + 1 == sets.size() || sets[i + 1].skeleton != sets[i].skeleton)
      cases.push_back(makeCase(sets[i], false, true, arguments.seed));
  PictureSettings settings;
  settings.seed = arguments.seed;
  if (arguments.isQuick) settings.columns = 1;
  const std::string fault = drawPictures(cases, settings, arguments.out);
  if (fault.empty()) return;
  std::fprintf(stderr, "pictures: skipped, %s\n", fault.c_str());
  report["skipped"].push_back("pictures");
}

int run(const Arguments& arguments) {
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error) return std::fprintf(stderr, "%s: %s\n", arguments.out.c_str(), error.message().c_str()), 1;
  std::string fault;
  const std::vector<Skeleton> skeletons = openSkeletons(fault);
  if (!fault.empty()) return std::fprintf(stderr, "%s\n", fault.c_str()), 1;
  nlohmann::json report = {{"seed", arguments.seed},
                           {"quick", arguments.isQuick},
                           {"poses", arguments.poses()},
                           {"starts", arguments.starts()},
                           {"skipped", nlohmann::json::array()}};
  for (const FitMethod& method : fitMethods())
    report["methods"].push_back({{"name", method.name}, {"title", method.title}, {"keeps_limits", method.keepsLimits}});
  for (const Skeleton& skeleton : skeletons)
    report["figures"][skeleton.name] = {{"size_mm", 1e3 * skeleton.size}, {"noise_mm", 1e3 * skeleton.noise}};
  const std::vector<PoseSet> sets = makePoseSets(skeletons, arguments, report);
  if (arguments.wants("fig3")) runFigure3(sets, arguments);
  if (arguments.wants("fig4") || arguments.wants("fig5")) runFigures4And5(sets, arguments);
  if (arguments.wants("certificates")) runCertificates(sets, arguments);
  if (arguments.wants("fig6")) runFigure6(sets, arguments, report);
  std::ofstream json(arguments.out / "experiments.json");
  json << report.dump(1) << '\n';
  if (json.flush()) return 0;
  return std::fprintf(stderr, "%s: cannot be written\n", arguments.out.c_str()), 1;
}

}  // namespace
}  // namespace paper

int runPaper(int argc, char** argv) {
  paper::Arguments arguments;
  if (paper::parse(argc, argv, arguments)) return paper::run(arguments);
  std::fputs(
      "usage: limber_experiments [--quick] [--only fig3|fig4|fig5|fig6|certificates] [--figure hand|body] "
      "[--seed N] [--out FOLDER]\n",
      stderr);
  return 2;
}

}  // namespace limber::experiments
