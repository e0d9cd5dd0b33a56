// SPDX-License-Identifier: MIT
#include "limber/scene/picture_cameras.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/vision/camera_from_points.h"

namespace limber {

namespace {

constexpr std::array<double, 4> kFocals = {0.8, 1.2, 1.8, 3.0};      // heights of the picture
constexpr std::array<double, 4> kPitches = {0.0, 10.0, 25.0, 45.0};  // degrees downward
constexpr double kUsualFocal = 1.5;                                  // heights of the picture
constexpr std::size_t kLeastPoints = 4;                              // in the frame that determines the first camera
constexpr int kFramesOfCameras = 12;                                 // for the cameras of several views
constexpr int kMostRounds = 60;
constexpr double kRests = 1e-4;  // relative decrease of f; a smaller one ends the rounds

/// A camera at the world's origin that looks along -z, pitched down.
PictureCamera cameraAt(const KeyPoints& view, double focal, double pitchDegrees) {
  const double pitch = pitchDegrees * std::numbers::pi / 180.0;
  const Eigen::Vector3d ahead(0.0, -std::sin(pitch), -std::cos(pitch));
  return cameraLookingAt(Eigen::Vector3d::Zero(), ahead, focal, {0.5 * view.width, 0.5 * view.height});
}

std::size_t countSeen(const PictureFitPlan& plan, int frame) {
  std::size_t count = 0;
  for (const KeyPoints& view : plan.views) count += pixelsSeen(plan, view, frame).size();
  return count;
}

/// The frame in which the first view sees most points.
int fullestFrame(const PictureFitPlan& plan) {
  int fullest = 0;
  std::size_t most = 0;
  for (int frame = 0; frame < plan.views.front().frameCount; ++frame) {
    const std::size_t count = pixelsSeen(plan, plan.views.front(), frame).size();
    if (count <= most) continue;
    most = count;
    fullest = frame;
  }
  return fullest;
}

/// Frames spread evenly over the frames in which the first view sees kLeastPoints: from each part of them, the frame in
/// which all views together see most points.
std::vector<int> framesThatTell(const PictureFitPlan& plan) {
  std::vector<int> usable, chosen;
  for (int frame = 0; frame < plan.views.front().frameCount; ++frame)
    if (pixelsSeen(plan, plan.views.front(), frame).size() >= kLeastPoints) usable.push_back(frame);
  const std::size_t parts = std::min<std::size_t>(kFramesOfCameras, usable.size());
  for (std::size_t i = 0; i < parts; ++i) {
    const auto from = usable.begin() + static_cast<std::ptrdiff_t>(i * usable.size() / parts);
    const auto to = usable.begin() + static_cast<std::ptrdiff_t>((i + 1) * usable.size() / parts);
    chosen.push_back(
        *std::max_element(from, to, [&](int a, int b) { return countSeen(plan, a) < countSeen(plan, b); }));
  }
  return chosen;
}

using GoesOn = std::function<bool(double)>;

/// The first view's camera with the lowest f; none if cancelled.
std::vector<PictureCamera> findFirst(PictureFitter& fitter, const PictureFitPlan& plan, const GoesOn& goesOn) {
  const KeyPoints& view = plan.views.front();
  const int frame = fullestFrame(plan);
  std::vector<double> focals;
  for (const double focal : kFocals) focals.push_back(focal * view.height);
  if (plan.focal) focals = {*plan.focal};
  PictureCamera best = cameraAt(view, focals.front(), kPitches.front());
  double lowest = std::numeric_limits<double>::infinity();
  std::size_t tried = 0;
  for (const double focal : focals)
    for (const double pitch : kPitches) {
      const PictureCamera camera = cameraAt(view, focal, pitch);
      fitter.forget();
      const double cost = fitter.fit(viewsOf(plan, {&camera, 1}, frame)).cost;
      if (cost < lowest) {
        lowest = cost;
        best = camera;
      }
      if (!goesOn(static_cast<double>(++tried) / static_cast<double>(focals.size() * kPitches.size()))) return {};
    }
  return {best};
}

/// Cameras of several views, and the poses of some frames.
class CamerasOfViews {
 public:
  CamerasOfViews(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, double noise)
      : fitter_(fitter), figure_(figure), plan_(plan), noise_(noise), frames_(framesThatTell(plan)) {}

  /// Starts from the cameras of the first views; the poses found with them determine the other cameras.
  FoundCameras findFrom(std::span<const PictureCamera> first, const GoesOn& goesOn) {
    cameras_.assign(first.begin(), first.end());
    pose();
    return find(goesOn);
  }

  /// Starts from the rest pose.
  FoundCameras findFromRest(const GoesOn& goesOn) {
    cameras_.clear();
    poses_.assign(frames_.size(), {.pose = restPose(figure_)});
    return find(goesOn);
  }

  /// The sum of f over the frames.
  double cost() const { return cost_; }

 private:
  /// Finds the cameras of the other views from the poses, then improves all cameras and poses in turn.
  FoundCameras find(const GoesOn& goesOn) {
    while (cameras_.size() < plan_.views.size()) {
      const std::size_t v = cameras_.size();
      const PictureCamera* rough = plan_.areCamerasRough ? &plan_.cameras[v] : nullptr;
      std::optional<CameraFromPoints> found;
      if (!rough || !rough->isParallel) found = cameraFromPoints(pointsOf(v), centreOf(v), optionsOf(v));
      if (!found && rough) found = improveRoughCamera(pointsOf(v), *rough, optionsOf(v));
      if (!found) return {"view " + std::to_string(v + 1) + " has too few key points to determine its camera", {}};
      cameras_.push_back(found->camera);
    }
    pose();
    for (int round = 0; round < kMostRounds; ++round) {
      if (!goesOn(0.2 + 0.8 * round / kMostRounds)) return {};
      const double before = cost_;
      improve();
      if (!(cost_ < before * (1.0 - kRests))) break;
    }
    return {{}, cameras_};
  }

  Eigen::Vector2d centreOf(std::size_t view) const {
    return {0.5 * plan_.views[view].width, 0.5 * plan_.views[view].height};
  }

  CameraFromPointsOptions optionsOf(std::size_t view) const {
    return {.noise = noise_,
            .outlier = plan_.options.outlier,
            .usualFocal = kUsualFocal * plan_.views[view].height,
            .knownFocal = plan_.focal};
  }

  /// The points of the poses that a view sees, with their pixels.
  std::vector<SightedPoint> pointsOf(std::size_t view) const {
    std::vector<SightedPoint> points;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const Kinematics at = transformsOf(figure_, poses_[i].pose);
      for (const FitPoint& point : plan_.points) {
        const SeenPixel& seen = plan_.views[view].at(frames_[i], static_cast<std::size_t>(point.observed));
        if (seen.isSeen())
          points.push_back({placeOf(at, point.point), seen.place, std::min(seen.confidence, 1.0) * point.weight});
      }
    }
    return points;
  }

  /// Poses each frame again.
  void pose() {
    poses_.clear();
    cost_ = 0.0;
    for (const int frame : frames_) {
      fitter_.forget();
      poses_.push_back(fitter_.fit(viewsOf(plan_, cameras_, frame)));
      cost_ += poses_.back().cost;
    }
  }

  /// Improves the cameras for the poses, then the poses for the cameras.
  void improve() {
    for (std::size_t v = 0; v < cameras_.size(); ++v)
      cameras_[v] = improveCamera(pointsOf(v), cameras_[v], optionsOf(v)).camera;
    cost_ = 0.0;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      poses_[i] = fitter_.refit(viewsOf(plan_, cameras_, frames_[i]), poses_[i].pose, nullptr);
      cost_ += poses_[i].cost;
    }
  }

  PictureFitter& fitter_;
  const Figure& figure_;
  const PictureFitPlan& plan_;
  double noise_;
  std::vector<int> frames_;
  std::vector<FittedPicture> poses_;    ///< of the frames
  std::vector<PictureCamera> cameras_;  ///< of the first views, with which the frames are posed
  double cost_ = 0.0;                   ///< the sum of f over the frames
};

}  // namespace

std::vector<PictureView> viewsOf(const PictureFitPlan& plan, std::span<const PictureCamera> cameras, int frame) {
  std::vector<PictureView> views;
  for (std::size_t v = 0; v < cameras.size(); ++v) {
    const KeyPoints& points = plan.views[v];
    const auto first = points.seen.begin() + static_cast<std::ptrdiff_t>(frame * points.names.size());
    views.push_back({cameras[v], {first, first + static_cast<std::ptrdiff_t>(points.names.size())}});
  }
  return views;
}

std::vector<Eigen::Vector2d> pixelsSeen(const PictureFitPlan& plan, const KeyPoints& view, int frame) {
  std::vector<Eigen::Vector2d> pixels;
  for (const FitPoint& point : plan.points)
    if (const SeenPixel& seen = view.at(frame, static_cast<std::size_t>(point.observed)); seen.isSeen())
      pixels.push_back(seen.place);
  return pixels;
}

FoundCameras findCameras(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, double noise,
                         const GoesOn& goesOn) {
  if (pixelsSeen(plan, plan.views.front(), fullestFrame(plan)).size() < kLeastPoints)
    return {"no frame has " + std::to_string(kLeastPoints) + " key points, which are needed to determine the camera",
            {}};
  const bool canMove = figure.findFreeRootAbove(plan.points.front().point.link) >= 0;
  const bool hasFirst = canMove || plan.areCamerasRough, isFirstAll = plan.views.size() == 1 && !plan.areCamerasRough;
  const double restPart = !hasFirst ? 1.0 : isFirstAll ? 0.0 : 0.3;
  CamerasOfViews fromRest(fitter, figure, plan, noise), fromFirst(fitter, figure, plan, noise);
  FoundCameras found;
  if (restPart > 0.0) {
    found = fromRest.findFromRest([&](double part) { return goesOn(restPart * part); });
    if (!hasFirst || found.cameras.empty()) return found;
  }
  const double firstPart = isFirstAll ? 1.0 : 0.4;
  const std::vector<PictureCamera> first =
      plan.areCamerasRough ? plan.cameras
                           : findFirst(fitter, plan, [&](double part) { return goesOn(restPart + firstPart * part); });
  if (first.empty() || isFirstAll) return {{}, first};
  FoundCameras other = fromFirst.findFrom(first, [&](double part) { return goesOn(0.7 + 0.3 * part); });
  const bool isCancelled = other.fault.empty() && other.cameras.empty();
  const bool isBetter = other.fault.empty() && !(fromRest.cost() <= fromFirst.cost());
  return isCancelled || isBetter ? other : found;
}

}  // namespace limber
