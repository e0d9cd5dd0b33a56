// SPDX-License-Identifier: MIT
// Poses from pictures of known poses: how far the fitted joints are from those of motion clips, seen by known cameras
// (docs/from_pictures.md). Prints a line of CSV for each kind of picture.
//
//   limber_experiments pictures FRAMES CLIP...       FRAMES of each clip, evenly spread
#include <Eigen/SVD>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "limber/body/body_map.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/scene/picture_fit.h"
#include "limber/vision/picture_fitter.h"
#include "research/programs.h"

namespace limber::experiments {
namespace from_pictures {
namespace {

constexpr double kHeight = 1000.0;  // pixels of the pictures
constexpr double kFill = 0.7;       // of the picture's height that the body has

struct Kind {
  std::string view;       // front, three-quarter, side, above, two
  double lens = 35.0;     // millimetres on film 24 high
  double noise = 0.0;     // pixels
  bool isHidden = false;  // a fifth of the points
  bool usesPrior = true;
  bool isCameraKnown = true;
};

struct Scores {
  std::vector<double> reprojection, aligned, milliseconds;
  int right = 0, sides = 0;
  int missed = 0;  // pictures in which a pose next to the truth has a lower f
};

double median(std::vector<double> numbers) {
  if (numbers.empty()) return NAN;
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

double mean(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

/// The seventeen joints of a body that pictures show.
std::vector<FitPoint> pointsOf(const BodyRoles& roles) {
  std::vector<FitPoint> points;
  const auto add = [&](BodyPart part, BodySide side) {
    if (const int link = roles.find(part, side); link >= 0)
      points.push_back({static_cast<int>(points.size()), {link}, 1.0});
  };
  for (const BodyPart part : {BodyPart::Hips, BodyPart::Neck, BodyPart::Head}) add(part, BodySide::Middle);
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const BodyPart part : {BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand, BodyPart::UpperLeg,
                                BodyPart::LowerLeg, BodyPart::Foot, BodyPart::Toes})
      add(part, side);
  return points;
}

std::vector<Eigen::Vector3d> placesOf(const Figure& figure, const Pose& pose, const std::vector<FitPoint>& points) {
  const Kinematics kinematics = transformsOf(figure, pose);
  std::vector<Eigen::Vector3d> places;
  for (const FitPoint& point : points) places.push_back(placeOf(kinematics, point.point));
  return places;
}

/// Root mean square distance after the best similarity (Procrustes).
double alignedError(const std::vector<Eigen::Vector3d>& found, const std::vector<Eigen::Vector3d>& truth) {
  const auto n = static_cast<Eigen::Index>(found.size());
  Eigen::MatrixXd a(3, n), b(3, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    a.col(i) = found[static_cast<std::size_t>(i)];
    b.col(i) = truth[static_cast<std::size_t>(i)];
  }
  const Eigen::Matrix4d motion = Eigen::umeyama(a, b, true);
  const Eigen::MatrixXd moved =
      (motion.topLeftCorner<3, 3>() * a).colwise() + Eigen::Vector3d(motion.topRightCorner<3, 1>());
  return std::sqrt((moved - b).squaredNorm() / static_cast<double>(n));
}

PictureCamera cameraFor(const std::string& view, double heading, double lens,
                        const std::vector<Eigen::Vector3d>& places, double height) {
  const std::map<std::string, std::pair<double, double>> kSides = {
      {"front", {0.0, 0.0}}, {"three-quarter", {0.25, 0.0}}, {"side", {0.5, 0.0}}, {"above", {0.15, 0.25}}};
  const auto [turn, rise] = kSides.at(view);
  const double yaw = heading + turn * M_PI, pitch = rise * M_PI, focal = lens / 24.0 * kHeight;
  const double distance = focal * height / (kFill * kHeight);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& place : places) middle += place / static_cast<double>(places.size());
  const Eigen::Vector3d to(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
  return cameraLookingAt(middle + distance * to, middle, focal, {kHeight / 2.0, kHeight / 2.0});
}

struct Truth {
  Pose pose;
  double heading = 0.0;
};

/// A clip, and the body whose poses it has.
struct Subject {
  std::string name;
  Document document;
  BodyRoles roles;
  std::vector<FitPoint> points;
  std::vector<Truth> truths;
  double height = 0.0;  ///< metres

  const Figure& figure() const { return *document.figure; }
  /// The index of a part's point; the number of points for none.
  std::size_t indexOf(BodyPart part, BodySide side) const {
    const int link = roles.find(part, side);
    const auto found = std::ranges::find_if(points, [&](const FitPoint& point) { return point.point.link == link; });
    return static_cast<std::size_t>(found - points.begin());
  }
};

double heightOf(const Figure& figure, const std::vector<FitPoint>& points) {
  constexpr double kAboveHead = 1.1;  // the head's joint is below its top
  const std::vector<Eigen::Vector3d> rest = placesOf(figure, restPose(figure), points);
  const auto [low, high] = std::ranges::minmax_element(rest, {}, [](const Eigen::Vector3d& p) { return p.y(); });
  return kAboveHead * (high->y() - low->y());
}

/// Frames of the motion, evenly spread, and where the hips look to in each.
std::vector<Truth> truthsOf(const Figure& figure, const BodyRoles& roles, const Motion& motion, int count) {
  std::vector<Truth> truths;
  for (int i = 0; i < count; ++i) {
    Truth& truth = truths.emplace_back();
    truth.pose = motion.poseAt(figure, static_cast<int>((i + 0.5) * motion.frameCount / count));
    const Kinematics now = transformsOf(figure, truth.pose);
    const auto hip = [&](BodySide side) { return now.worldFromLink[roles.find(BodyPart::UpperLeg, side)].translation; };
    const Eigen::Vector3d left = hip(BodySide::Left) - hip(BodySide::Right);
    truth.heading = std::atan2(-left.z(), left.x());  // x to the left when it faces z
  }
  return truths;
}

/// "CLIP", whose own skeleton is fitted, or "FIGURE@CLIP".
std::optional<Subject> openSubject(const std::string& clip, int frames) {
  const auto fail = [&](const std::string& cause) {
    std::fprintf(stderr, "pictures: %s: %s\n", clip.c_str(), cause.c_str());
    return std::nullopt;
  };
  auto opened = io::openAny(clip.substr(0, clip.find('@')));
  if (!opened) return fail(opened.error().message());
  Subject subject{.name = clip.substr(clip.rfind('/') + 1), .document = std::move(opened->document)};
  std::shared_ptr<const Motion> motion = subject.document.motion;
  if (const std::size_t at = clip.find('@'); at != std::string::npos) {
    const auto read = io::readMotionFor(subject.document, clip.substr(at + 1));
    if (!read) return fail(read.error().message());
    motion = *read;
  }
  io::addPosePrior(subject.document);
  const auto roles = bodyMapOf(*subject.document.figure).roles();
  if (!motion || !roles) return fail("no motion of a human body");
  subject.roles = *roles;
  subject.points = pointsOf(*roles);
  subject.truths = truthsOf(subject.figure(), *roles, *motion, frames);
  subject.height = heightOf(subject.figure(), subject.points);
  return subject;
}

std::vector<PictureView> picturesOf(const Subject& subject, const Truth& truth, const Kind& kind,
                                    std::mt19937& random) {
  std::normal_distribution<double> normal(0.0, 1.0);
  const std::vector<Eigen::Vector3d> places = placesOf(subject.figure(), truth.pose, subject.points);
  std::vector<PictureView> views;
  for (const std::string& side :
       kind.view == "two" ? std::vector<std::string>{"front", "side"} : std::vector<std::string>{kind.view}) {
    PictureView view{cameraFor(side, truth.heading, kind.lens, places, subject.height), {}};
    for (const Eigen::Vector3d& place : places)
      view.seen.push_back(
          {view.camera.project(place) + kind.noise * Eigen::Vector2d(normal(random), normal(random)), 1.0});
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    if (kind.isHidden)
      for (std::size_t i = 0; i < order.size() / 5; ++i) view.seen[order[i]].confidence = 0.0;
    views.push_back(std::move(view));
  }
  return views;
}

double noiseFor(const Kind& kind) { return std::max(kind.noise, 0.1); }

FittedPicture fitNew(PictureFitter& fitter, const std::vector<PictureView>& views) {
  fitter.forget();
  return fitter.fit(views);
}

/// By cameras that are found.
FittedPicture fitUnknown(const Subject& subject, const std::vector<PictureView>& views, const Kind& kind) {
  PictureFitPlan plan{.points = subject.points, .noise = noiseFor(kind)};
  for (const PictureView& one : views) {
    KeyPoints& view = plan.views.emplace_back();
    view.names.assign(subject.points.size(), "");
    view.seen = one.seen;
    view.frameCount = 1;
    view.width = view.height = static_cast<int>(kHeight);
  }
  return fitPictures(subject.document, plan).frames.front();
}

/// Counts the upper bones that lean toward the camera or away, and those of them that do so in the fit.
void countSides(const Subject& subject, const PictureCamera& camera, const std::vector<Eigen::Vector3d>& places,
                const std::vector<Eigen::Vector3d>& found, Scores& scores) {
  constexpr double kLeans = 0.15;  // of its length
  const Eigen::Vector3d ahead = camera.worldFromCamera.rotation.col(2);
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const auto& [middle, top] :
         {std::pair(BodyPart::LowerArm, BodyPart::UpperArm), {BodyPart::LowerLeg, BodyPart::UpperLeg}}) {
      const std::size_t m = subject.indexOf(middle, side), t = subject.indexOf(top, side);
      if (m == places.size() || t == places.size()) continue;
      const double was = ahead.dot(places[m] - places[t]), is = ahead.dot(found[m] - found[t]);
      if (std::abs(was) < kLeans * (places[m] - places[t]).norm()) continue;
      ++scores.sides;
      scores.right += was * is > 0.0;
    }
}

void tryKind(const Subject& subject, const Kind& kind) {
  constexpr double kLower = 0.05;  // of f: less is hardly another minimum
  PictureFitter fitter(subject.document, subject.points,
                       {.noise = noiseFor(kind), .priorWeight = kind.usesPrior ? 1.0 : 0.0});
  std::mt19937 random(7);
  Scores scores;
  for (const Truth& truth : subject.truths) {
    const std::vector<PictureView> views = picturesOf(subject, truth, kind, random);
    const auto start = std::chrono::steady_clock::now();
    const FittedPicture frame = kind.isCameraKnown ? fitNew(fitter, views) : fitUnknown(subject, views, kind);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    const std::vector<Eigen::Vector3d> places = placesOf(subject.figure(), truth.pose, subject.points),
                                       found = placesOf(subject.figure(), frame.pose, subject.points);
    scores.reprojection.push_back(frame.error);
    scores.aligned.push_back(100.0 * alignedError(found, places) / subject.height);
    scores.milliseconds.push_back(time.count());
    if (!kind.isCameraKnown) continue;
    countSides(subject, views[0].camera, places, found, scores);
    scores.missed += fitter.refit(views, truth.pose, nullptr).cost < frame.cost - kLower;
  }
  std::printf("%s,%s,%.0f,%.0f,%s,%s,%s,%zu,%.4f,%.3f,%.3f,%d,%d,%d,%.2f,%.2f\n", subject.name.c_str(),
              kind.view.c_str(), kind.lens, kind.noise, kind.isHidden ? "a fifth hidden" : "all",
              kind.usesPrior ? "natural" : "none", kind.isCameraKnown ? "known" : "found", subject.truths.size(),
              median(scores.reprojection), mean(scores.aligned), *std::ranges::max_element(scores.aligned),
              scores.right, scores.sides, scores.missed, median(scores.milliseconds),
              *std::ranges::max_element(scores.milliseconds));
  std::fflush(stdout);
}

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const char* view : {"front", "three-quarter", "side", "above"}) {
    for (const double lens : {35.0, 85.0})
      for (const double noise : {0.0, 3.0, 10.0}) all.push_back({.view = view, .lens = lens, .noise = noise});
    all.push_back({.view = view, .noise = 3.0, .isHidden = true});
    all.push_back({.view = view, .noise = 3.0, .usesPrior = false});
    all.push_back({.view = view, .noise = 3.0, .isCameraKnown = false});
  }
  for (const double noise : {0.0, 3.0, 10.0}) all.push_back({.view = "two", .noise = noise});
  for (const double noise : {3.0, 10.0}) all.push_back({.view = "two", .noise = noise, .isCameraKnown = false});
  all.push_back({.view = "two", .lens = 85.0, .noise = 3.0, .isCameraKnown = false});
  return all;
}

int run(int frames, const std::vector<std::string>& clips) {
  std::printf(
      "clip,view,lens,noise,points,prior,camera,pictures,reprojection,aligned,worst,right,sides,missed,ms,most_ms\n");
  for (const std::string& clip : clips) {
    const auto subject = openSubject(clip, frames);
    if (!subject) return 1;
    for (const Kind& kind : kinds()) tryKind(*subject, kind);
  }
  return 0;
}

}  // namespace
}  // namespace from_pictures

int runFromPictures(int argc, char** argv) {
  if (argc < 3 || std::atoi(argv[1]) < 1) {
    std::fprintf(stderr, "usage: limber_experiments pictures FRAMES CLIP...\n");
    return 2;
  }
  return from_pictures::run(std::atoi(argv[1]), {argv + 2, argv + argc});
}

}  // namespace limber::experiments
