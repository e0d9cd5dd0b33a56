// SPDX-License-Identifier: MIT
#include "limber/vision/camera_from_points.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "limber/vision/robust_loss.h"

namespace limber {

namespace {

using Vector7 = Eigen::Matrix<double, 7, 1>;  // rotation and translation in the camera's axes, and change of log focal
using Matrix7 = Eigen::Matrix<double, 7, 7>;

constexpr int kMostCameraIterations = 60;
constexpr double kRests = 1e-10;             // relative decrease of f; a smaller one ends the descent
constexpr double kMostCameraDamping = 1e12;  // of the diagonal
constexpr int kHeadings = 12;                // of the starts
constexpr double kWide = 16.0;               // factor on a at a start
constexpr double kNarrower = 4.0;            // divides that factor
constexpr std::size_t kGoodStarts = 6;       // the best, which are refined
constexpr int kFirstIterations = 10;         // of a start
constexpr double kLeastSpread = 1e-6;        // metres, and pixels
constexpr double kLeastFocalShare = 1e-3;    // of the usual focal length

const std::array<double, 4> kPitches = {-15.0, 0.0, 20.0, 45.0};  // degrees downward
const std::array<double, 2> kFocals = {0.7, 1.6};                 // of the usual one

/// f, its gradient and its Gauss-Newton Hessian.
class CameraObjective {
 public:
  CameraObjective(std::span<const SightedPoint> points, const CameraFromPointsOptions& options, double widening)
      : points_(points), options_(options), outlier_(options.outlier * widening) {}

  double value(const PictureCamera& camera) const {
    double sum = 0.5 * std::pow(focalTerm(camera), 2.0);
    for (const SightedPoint& point : points_) {
      const Eigen::Vector2d at = camera.project(point.place);
      const double error = (at - point.pixel).norm() / options_.noise, x = std::isfinite(error) ? error : kLostError;
      sum += 0.5 * point.confidence * robustLoss(x, outlier_);
    }
    return sum;
  }

  void derivatives(const PictureCamera& camera, Vector7& gradient, Matrix7& hessian) const {
    gradient.setZero();
    hessian.setZero();
    for (const SightedPoint& point : points_) {
      const Eigen::Vector3d local =
          camera.worldFromCamera.rotation.transpose() * (point.place - camera.worldFromCamera.translation);
      if (!camera.isParallel && !(local.z() > 0.0)) continue;
      const double scale = camera.isParallel ? camera.focal : camera.focal / local.z();
      const Eigen::Vector2d offset = scale * local.head<2>();
      const Eigen::Vector2d error = camera.centre + offset - point.pixel;
      const double x = error.norm() / options_.noise;
      const double weight = point.confidence * robustWeight(x, outlier_) / (options_.noise * options_.noise);
      Eigen::Matrix<double, 2, 7> step;
      step << turnAndShift(local, offset, scale, camera.isParallel), offset;
      gradient += weight * step.transpose() * error;
      hessian += weight * step.transpose() * step;
    }
    constexpr double kPerLog = 1.0 / std::numbers::ln2;
    gradient[6] += kPerLog * focalTerm(camera);
    hessian(6, 6) += kPerLog * kPerLog;
    for (int k = 0; k < 7; ++k) {
      if (!isKept(camera, k)) continue;
      gradient[k] = 0.0;
      hessian.row(k).setZero();
      hessian.col(k).setZero();
      hessian(k, k) = 1.0;
    }
  }

 private:
  /// True for a fixed coordinate of a step: rotation and depth of parallel rays, and a known focal length.
  bool isKept(const PictureCamera& camera, int k) const {
    return camera.isParallel ? k < 3 || k == 5 : k == 6 && options_.knownFocal;
  }

  double focalTerm(const PictureCamera& camera) const {
    return options_.knownFocal || camera.isParallel ? 0.0 : std::log2(camera.focal / options_.usualFocal);
  }

  /// Jacobian of the pixel by a rotation w and a translation t of the camera: the point moves by p x w - t in its axes.
  /// scale: pixels per metre at the point.
  static Eigen::Matrix<double, 2, 6> turnAndShift(const Eigen::Vector3d& local, const Eigen::Vector2d& offset,
                                                  double scale, bool isParallel) {
    const Eigen::Vector2d perDepth = isParallel ? Eigen::Vector2d::Zero().eval() : (-offset / local.z()).eval();
    Eigen::Matrix<double, 2, 3> pixel;
    pixel << scale, 0.0, perDepth.x(), 0.0, scale, perDepth.y();
    Eigen::Matrix<double, 3, 6> moves;
    moves << 0.0, -local.z(), local.y(), -1.0, 0.0, 0.0,  //
        local.z(), 0.0, -local.x(), 0.0, -1.0, 0.0,       //
        -local.y(), local.x(), 0.0, 0.0, 0.0, -1.0;
    return pixel * moves;
  }

  std::span<const SightedPoint> points_;
  const CameraFromPointsOptions& options_;
  double outlier_;
};

PictureCamera moved(const PictureCamera& camera, const Vector7& step) {
  PictureCamera next = camera;
  const Eigen::Vector3d turn = step.head<3>(), shift = step.segment<3>(3);
  Transform& at = next.worldFromCamera;
  at.translation += at.rotation * shift;
  if (turn.norm() > 0.0) {
    const Eigen::Quaterniond turned(at.rotation * Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix());
    at.rotation = turned.normalized().toRotationMatrix();
  }
  next.focal *= std::exp(std::clamp(step[6], -1.0, 1.0));
  return next;
}

bool isUsable(const PictureCamera& camera, const CameraFromPointsOptions& options) {
  const Eigen::Vector3d& at = camera.worldFromCamera.translation;
  const bool isNear = at.allFinite() && at.cwiseAbs().maxCoeff() < kFarthestCamera;
  const bool isHeld = camera.focal >= kLeastFocal && camera.focal <= kMostFocal;
  if (camera.isParallel) return isNear && isHeld;
  return isNear && isHeld && camera.worldFromCamera.rotation.allFinite() &&
         camera.focal > kLeastFocalShare * options.usualFocal && camera.focal < options.usualFocal / kLeastFocalShare;
}

CameraFromPoints descend(const CameraObjective& objective, const PictureCamera& start,
                         const CameraFromPointsOptions& options, int most) {
  CameraFromPoints now{start, objective.value(start)};
  Vector7 gradient;
  Matrix7 hessian;
  double damping = 1e-3;
  for (int i = 0; i < most; ++i) {
    objective.derivatives(now.camera, gradient, hessian);
    const double before = now.cost;
    for (; damping < kMostCameraDamping; damping *= 10.0) {
      Matrix7 damped = hessian;
      damped.diagonal() *= 1.0 + damping;
      const Vector7 step = damped.ldlt().solve(-gradient);
      const PictureCamera next = moved(now.camera, step);
      const double cost = step.allFinite() && isUsable(next, options) ? objective.value(next) : before;
      if (!(cost < before)) continue;
      now = {next, cost};
      damping = std::max(0.1 * damping, 1e-12);
      break;
    }
    if (!(now.cost < before * (1.0 - kRests))) break;
  }
  return now;
}

/// Middles and extents of the points and their pixels.
struct Spread {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
  double metres = 0.0, pixels = 0.0;  ///< root mean squares of the distances from the middles

  explicit Spread(std::span<const SightedPoint> points) {
    const auto count = static_cast<double>(points.size());
    for (const SightedPoint& point : points) {
      middle += point.place / count;
      pixel += point.pixel / count;
    }
    for (const SightedPoint& point : points) {
      metres += (point.place - middle).squaredNorm() / count;
      pixels += (point.pixel - pixel).squaredNorm() / count;
    }
    metres = std::sqrt(metres);
    pixels = std::sqrt(pixels);
  }
};

/// An upright camera, as far away as the size of the points in the picture implies, with their middle at its pixel.
PictureCamera startAt(const Spread& spread, const Eigen::Vector2d& centre, double focal, double heading,
                      double pitchDegrees) {
  const double pitch = pitchDegrees * std::numbers::pi / 180.0, distance = focal * spread.metres / spread.pixels;
  const Eigen::Vector3d away(std::cos(pitch) * std::sin(heading), std::sin(pitch), std::cos(pitch) * std::cos(heading));
  PictureCamera camera = cameraLookingAt(spread.middle + distance * away, spread.middle, focal, centre);
  const Eigen::Vector2d aside = distance / focal * (spread.pixel - centre);
  camera.worldFromCamera.translation -= camera.worldFromCamera.rotation.leftCols<2>() * aside;
  return camera;
}

}  // namespace

CameraFromPoints improveCamera(std::span<const SightedPoint> points, const PictureCamera& start,
                               const CameraFromPointsOptions& options) {
  return descend(CameraObjective(points, options, 1.0), start, options, kMostCameraIterations);
}

CameraFromPoints improveRoughCamera(std::span<const SightedPoint> points, const PictureCamera& start,
                                    const CameraFromPointsOptions& options) {
  PictureCamera camera = start;
  for (double width = kWide; width > 1.0; width /= kNarrower)
    camera = descend(CameraObjective(points, options, width), camera, options, kMostCameraIterations).camera;
  return improveCamera(points, camera, options);
}

std::optional<CameraFromPoints> cameraFromPoints(std::span<const SightedPoint> points, const Eigen::Vector2d& centre,
                                                 const CameraFromPointsOptions& options) {
  if (points.size() < kPointsOfACamera) return std::nullopt;
  const Spread spread(points);
  if (!(spread.metres > kLeastSpread && spread.pixels > kLeastSpread)) return std::nullopt;
  std::vector<double> focals;
  for (const double share : kFocals) focals.push_back(share * options.usualFocal);
  if (options.knownFocal) focals = {*options.knownFocal};
  const CameraObjective wide(points, options, kWide);
  std::vector<CameraFromPoints> tried;
  for (const double focal : focals)
    for (const double pitch : kPitches)
      for (int i = 0; i < kHeadings; ++i) {
        const PictureCamera start = startAt(spread, centre, focal, 2.0 * std::numbers::pi * i / kHeadings, pitch);
        if (isUsable(start, options)) tried.push_back(descend(wide, start, options, kFirstIterations));
      }
  std::ranges::stable_sort(tried, {}, &CameraFromPoints::cost);
  tried.resize(std::min(tried.size(), kGoodStarts));
  std::optional<CameraFromPoints> best;
  for (const CameraFromPoints& one : tried)
    if (const CameraFromPoints now = improveRoughCamera(points, one.camera, options); !best || now.cost < best->cost)
      best = now;
  return best;
}

}  // namespace limber
