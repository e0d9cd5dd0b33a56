// SPDX-License-Identifier: MIT
#include "limber/scene/picture_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/fit_coordinates.h"
#include "limber/scene/picture_cameras.h"
#include "limber/solvers/convex/rigid_fit.h"

namespace limber {

namespace {

constexpr double kNoiseShare = 0.01;       // of the body's size in the picture
constexpr double kLeastNoise = 0.5;        // pixels
constexpr double kMostCoordinates = 50e6;  // in all frames: 400 MB
constexpr int kSmoothingPasses = 2;        // passes over all frames after the first

/// The larger side of the smallest box around the pixels.
double sizeOf(const std::vector<Eigen::Vector2d>& pixels) {
  Eigen::Vector2d low = pixels.front(), high = low;
  for (const Eigen::Vector2d& pixel : pixels) {
    low = low.cwiseMin(pixel);
    high = high.cwiseMax(pixel);
  }
  return (high - low).maxCoeff();
}

/// A share of the median size of the body.
double noiseOf(const PictureFitPlan& plan) {
  std::vector<double> sizes;
  for (const KeyPoints& view : plan.views)
    for (int frame = 0; frame < view.frameCount; ++frame)
      if (const auto pixels = pixelsSeen(plan, view, frame); pixels.size() > 1) sizes.push_back(sizeOf(pixels));
  if (sizes.empty()) return 1.0;
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2));
  return std::max(kLeastNoise, kNoiseShare * sizes[sizes.size() / 2]);
}

/// The plan's options with its noise; the pull between poses is weaker if they are farther apart in time.
PictureFitOptions optionsFor(const PictureFitPlan& plan) {
  constexpr double kUsualPace = 30.0;  // pictures per second
  PictureFitOptions options = plan.options;
  options.noise = plan.noise ? *plan.noise : noiseOf(plan);
  const double pace = 1.0 / (kUsualPace * plan.views.front().frameTime);
  options.stillness *= pace * pace;
  options.smoothness *= pace * pace;
  return options;
}

std::string faultOf(const PictureFitPlan& plan, const Figure& figure) {
  if (plan.views.empty()) return "there are no key points";
  const int frames = plan.views.front().frameCount;
  if (frames == 0) return "there is no frame to fit";
  for (const KeyPoints& view : plan.views) {
    if (view.frameCount != frames || view.names != plan.views.front().names)
      return "the views differ in their frames or in the names of their key points";
    if (view.seen.size() != static_cast<std::size_t>(frames) * view.names.size() || !(view.frameTime > 0.0))
      return "the number of key points of a view does not match its frames";
  }
  for (const FitPoint& point : plan.points)
    if (point.observed < 0 || point.observed >= std::ssize(plan.views.front().names)) return "a point has no name";
  for (const KeyPoints& view : plan.views)
    if (plan.cameras.empty() && (view.width < 1 || view.height < 1)) return "the size of the pictures is not known";
  if (!plan.cameras.empty() && plan.cameras.size() != plan.views.size())
    return "there are " + std::to_string(plan.cameras.size()) + " cameras for " + std::to_string(plan.views.size()) +
           " views";
  if (plan.scale && plan.cameras.empty()) return "a scale needs cameras that are known";
  if (plan.scale && !(*plan.scale > 0.0 && std::isfinite(*plan.scale))) return "the scale must be a number > 0";
  if (static_cast<double>(frames) * figure.poseSize() > kMostCoordinates)
    return std::to_string(frames) + " frames are too many for a figure of " + std::to_string(figure.poseSize()) +
           " coordinates";
  return {};
}

/// The pose halfway between two.
Pose between(const Figure& figure, const Pose& a, const Pose& b) {
  Eigen::VectorXd step;
  difference(figure, a, b, step);
  Pose middle;
  integrate(figure, a, 0.5 * step, middle);
  return middle;
}

/// Checks for cancellation within a frame, too, since that of a figure of many joints takes long.
class ProgressWatch final : public Observer {
 public:
  explicit ProgressWatch(const FitProgress& told) : told_(told) {}

  bool goesOn(double part) {
    part_ = part;
    isCancelled_ = isCancelled_ || (told_ && !told_(part));
    return !isCancelled_;
  }
  bool onIteration(const IterationRecord&, const Pose&) override { return goesOn(part_); }

 private:
  const FitProgress& told_;
  double part_ = 0.0;
  bool isCancelled_ = false;
};

/// Fits a frame from the previous one in the first pass, and with a pull to the mean pose of its neighbours in others.
void fitFrame(PictureFitter& fitter, const Figure& figure, const PictureFitPlan& plan, int pass, int frame,
              PictureFitResult& result) {
  const std::vector<PictureView> views = viewsOf(plan, result.cameras, frame);
  if (pass == 0) {
    result.frames.push_back(fitter.fit(views));
    return;
  }
  const auto poseAt = [&](int i) -> const Pose& { return result.frames[i].pose; };
  const int last = static_cast<int>(result.frames.size()) - 1;
  const Pose towards = between(figure, poseAt(std::max(frame - 1, 0)), poseAt(std::min(frame + 1, last)));
  result.frames[frame] = fitter.refit(views, poseAt(frame), &towards);
}

void note(const Figure& figure, const PictureFitPlan& plan, int index, PictureFitResult& result) {
  const FittedPicture& frame = result.frames[index];
  if (frame.points == 0) {
    ++result.unobservedFrames;
    return;
  }
  result.meanError += frame.error;
  if (result.worstFrame < 0 || frame.error > result.worstError) {
    result.worstError = frame.error;
    result.worstFrame = index;
  }
  const Kinematics at = transformsOf(figure, frame.pose);
  for (std::size_t k = 0; k < plan.points.size(); ++k)
    for (std::size_t v = 0; v < plan.views.size(); ++v) {
      const SeenPixel& seen = plan.views[v].at(index, static_cast<std::size_t>(plan.points[k].observed));
      const double error = (result.cameras[v].project(placeOf(at, plan.points[k].point)) - seen.place).norm();
      if (seen.isSeen() && !std::isnan(error)) result.points[k].add(error, index);
    }
}

/// Moves figure and cameras so that the figure stands on the ground above the origin in the first frame.
void standOnGround(const IkProblem& problem, const PictureFitPlan& plan, PictureFitResult& result) {
  const Figure& figure = *problem.figure;
  const int root = figure.findFreeRootAbove(plan.points.front().point.link);
  const auto first = std::ranges::find_if(result.frames, [](const FittedPicture& frame) { return frame.points > 0; });
  if (root < 0 || first == result.frames.end()) return;
  const Kinematics now = transformsOf(figure, first->pose);
  double lowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < figure.linkCount(); ++i) lowest = std::min(lowest, now.worldFromLink[i].translation.y());
  const Eigen::Vector3d& here = now.worldFromLink[root].translation;
  const Eigen::Vector3d shift(-here.x(), -lowest, -here.z());
  for (FittedPicture& frame : result.frames) {
    const Kinematics at = transformsOf(figure, frame.pose);
    moveRoot(figure, root, at.worldFromLink[root], {Eigen::Matrix3d::Identity(), shift}, frame.pose);
  }
  for (PictureCamera& camera : result.cameras) camera.worldFromCamera.translation += shift;
}

void finish(PictureFitResult& result) {
  const int seen = static_cast<int>(result.frames.size()) - result.unobservedFrames;
  if (seen > 0) result.meanError /= seen;
  for (PointError& point : result.points) point.finish();
  poseBeforeFirst(result.frames);
}

}  // namespace

PictureFitResult fitPictures(const IkProblem& problem, const PictureFitPlan& plan, const FitProgress& told) {
  constexpr double kCameraPart = 0.3;  // of the progress
  PictureFitResult result;
  result.fault = faultOf(plan, *problem.figure);
  if (!result.fault.empty()) return result;
  const PictureFitOptions options = optionsFor(plan);
  result.noise = options.noise;
  PictureFitter fitter(problem, plan.points, options);
  result.fault = fitter.fault();
  result.isCameraFound = plan.cameras.empty();
  if (!result.fault.empty()) return result;
  ProgressWatch watch(told);
  fitter.observe(&watch);
  result.scale =
      plan.scale ? FitScale{*plan.scale, "Scale as given."} : guessPictureScale(*problem.figure, plan, result.noise);
  result.cameras = plan.cameras;
  for (PictureCamera& camera : result.cameras) {
    camera.worldFromCamera.translation *= result.scale.scale;
    if (camera.isParallel) camera.focal /= result.scale.scale;
  }
  const bool searches = result.isCameraFound || plan.areCamerasRough;
  if (searches) {
    FoundCameras found = findCameras(fitter, *problem.figure, plan, result.noise,
                                     [&](double part) { return watch.goesOn(kCameraPart * part); });
    fitter.forget();
    result.fault = found.fault;
    result.isCancelled = found.fault.empty() && found.cameras.empty();
    if (found.cameras.empty()) return result;
    result.cameras = std::move(found.cameras);
  }
  result.points.resize(plan.points.size());
  const int frames = plan.views.front().frameCount;
  const double before = searches ? kCameraPart : 0.0;
  const int passes = frames > 2 ? 1 + kSmoothingPasses : 1;
  for (int pass = 0; pass < passes; ++pass)
    for (int frame = 0; frame < frames; ++frame) {
      fitFrame(fitter, *problem.figure, plan, pass, frame, result);
      const double part = (pass + (frame + 1.0) / frames) / passes;
      result.isCancelled = !watch.goesOn(before + (1.0 - before) * part);
      if (result.isCancelled) return result;
    }
  result.fault = fitter.fault();  // fault of a camera
  if (!result.fault.empty()) return result;
  for (int frame = 0; frame < frames; ++frame) note(*problem.figure, plan, frame, result);
  finish(result);
  if (result.isCameraFound) standOnGround(problem, plan, result);
  return result;
}

PictureFitResult nextDepth(const IkProblem& problem, const PictureFitPlan& plan, const Pose& from, int name,
                           const FitProgress& told) {
  PictureFitResult result{.fault = faultOf(plan, *problem.figure), .cameras = plan.cameras};
  if (result.fault.empty() && plan.cameras.empty()) result.fault = "the camera is not known";
  if (!result.fault.empty()) return result;
  const PictureFitOptions options = optionsFor(plan);
  result.noise = options.noise;
  PictureFitter fitter(problem, plan.points, options);
  ProgressWatch watch(told);
  fitter.observe(&watch);
  if (auto frame = fitter.nextDepth(viewsOf(plan, plan.cameras, 0), from, name)) {
    result.meanError = result.worstError = frame->error;
    result.frames.push_back(std::move(*frame));
  }
  result.isCancelled = !watch.goesOn(1.0);
  result.fault = fitter.fault();
  return result;
}

}  // namespace limber
