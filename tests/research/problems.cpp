// SPDX-License-Identifier: MIT
#include "research/problems.h"

#include <algorithm>
#include <filesystem>

#include "limber/io/figure_source.h"
#include "limber/io/points/observations.h"
#include "limber/scene/fit.h"
#include "locations.h"

namespace limber::experiments {

namespace {

/// A stream of its own for every use, so that none shifts when another takes more.
std::mt19937 streamOf(std::uint64_t seed, std::string_view use) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (const char c : use) words.push_back(static_cast<unsigned char>(c));
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937(sequence);
}

std::vector<FitPoint> keyPoints(const Figure& figure) {
  std::vector<FitPoint> points;
  for (const Site& site : figure.sites())
    points.push_back({static_cast<int>(points.size()), *findPoint(figure, site.name), 1.0});
  return points;
}

/// The poses of the figure in a clip's frames.
std::vector<Pose> posesOf(const Skeleton& skeleton, const std::filesystem::path& clip, std::string& reason) {
  const auto source = io::readObservations(clip);
  if (!source) {
    reason = source.error().message();
    return {};
  }
  const Document document = makeDocument(skeleton.figure);
  const std::vector<std::string> names = guessPointNames(document, source->observations.names);
  std::vector<FitPoint> points;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) points.push_back({static_cast<int>(i), *findPoint(*skeleton.figure, names[i]), 1.0});
  FitOptions options;
  options.scale = guessFitScale(*document.figure, source->observations, points).scale;
  const FitResult fit = fitMotion(document, source->observations, points, options);
  reason = fit.fault;
  std::vector<Pose> poses;
  for (const FittedFrame& frame : fit.frames) poses.push_back(frame.pose);
  return poses;
}

}  // namespace

std::vector<Skeleton> openSkeletons(std::string& fault) {
  std::vector<Skeleton> skeletons = {{.name = "hand", .size = 0.1, .noise = 0.01},
                                     {.name = "body", .size = 0.8, .noise = 0.1}};
  for (Skeleton& skeleton : skeletons) {
    const auto source = io::openFigureSource(skeleton.name + ".json", LIMBER_SOURCE_DIR "/resources/figures");
    if (!source) {
      fault = source.error().message();
      return {};
    }
    skeleton.figure = source->figure;
    skeleton.points = keyPoints(*skeleton.figure);
  }
  return skeletons;
}

PoseSet samplePoses(const Skeleton& skeleton, int count, std::uint64_t seed) {
  PoseSet set{&skeleton, skeleton.name, {}};
  std::mt19937 random = streamOf(seed, "poses of " + skeleton.name);
  for (int i = 0; i < count; ++i) set.poses.push_back(test::samplePose(*skeleton.figure, random));
  return set;
}

PoseSet fitClips(const Skeleton& body, const std::string& folder, const std::vector<std::string>& clips, int count,
                 std::string& reason) {
  PoseSet set{&body, body.name + " motion", {}};
  std::vector<Pose> frames;
  for (const std::string& clip : clips) {
    const std::filesystem::path path = std::filesystem::path(folder) / clip;
    if (!std::filesystem::exists(path)) {
      reason = path.filename().string() + " is not in " + folder;
      return set;
    }
    const std::vector<Pose> poses = posesOf(body, path, reason);
    if (!reason.empty()) return set;
    frames.insert(frames.end(), poses.begin(), poses.end());
  }
  const auto wanted = std::min(static_cast<std::size_t>(count), frames.size());
  for (std::size_t i = 0; i < wanted; ++i) set.poses.push_back(frames[(2 * i + 1) * frames.size() / (2 * wanted)]);
  return set;
}

Case makeCase(const PoseSet& set, bool ends, bool isNoisy, std::uint64_t seed) {
  const Skeleton& skeleton = *set.skeleton;
  Case made{set.name + (ends ? " ends" : " all") + (isNoisy ? " noisy" : " clean"), &skeleton, isNoisy, ends, {}};
  std::vector<Relaxation::Point> points;
  for (const FitPoint& p : ends ? endPoints(*skeleton.figure, skeleton.points) : skeleton.points)
    points.push_back({p.point.link, p.point.pointInLink, p.weight});
  std::mt19937 random = streamOf(seed, "noise of " + made.name);
  for (const Pose& pose : set.poses)
    made.problems.push_back(test::observe(skeleton.figure, points, pose, isNoisy ? skeleton.noise : 0.0, random));
  return made;
}

}  // namespace limber::experiments
