// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <iterator>

#include "limber/scene/picture_fit.h"

namespace limber {

namespace {

constexpr int kMostFrames = 300;         // bones keep their lengths, so more frames add little
constexpr double kMissesBy = 6.0;        // standard deviations of the pixels
constexpr double kLeastParallax = 1e-3;  // (1 - cos a) / 2 of two rays at an angle a: 3.6 degrees

/// Triangulates a name: the point nearest to the rays of the cameras that see it, by least squares weighted with the
/// confidence c: the minimum of sum c |(1 - d d^T) (x - p)|^2. Missing if fewer than two cameras see it, if the rays
/// are almost parallel, or if a reprojection error is too large.
Eigen::Vector3d placeSeen(const PictureFitPlan& plan, int frame, std::size_t name, double noise) {
  Eigen::Matrix3d system = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  double confidence = 0.0;
  for (std::size_t v = 0; v < plan.views.size(); ++v) {
    const SeenPixel& seen = plan.views[v].at(frame, name);
    if (!seen.isSeen()) continue;
    const PixelRay ray = plan.cameras[v].rayThrough(seen.place);
    const Eigen::Matrix3d across =
        seen.confidence * (Eigen::Matrix3d::Identity() - ray.direction * ray.direction.transpose());
    system += across;
    right += across * ray.from;
    confidence += seen.confidence;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> parts(system);
  if (!(parts.eigenvalues()[0] > kLeastParallax * confidence)) return Observations::missing();
  const Eigen::Vector3d place =
      parts.eigenvectors() * parts.eigenvalues().cwiseInverse().cwiseProduct(parts.eigenvectors().transpose() * right);
  for (std::size_t v = 0; v < plan.views.size(); ++v)
    if (const SeenPixel& seen = plan.views[v].at(frame, name);
        seen.isSeen() && !((plan.cameras[v].project(place) - seen.place).norm() < kMissesBy * noise))
      return Observations::missing();
  return place;
}

}  // namespace

FitScale guessPictureScale(const Figure& figure, const PictureFitPlan& plan, double noise) {
  if (plan.cameras.empty()) return {1.0, "Scale 1: cameras that are found are placed by the figure's size."};
  if (plan.cameras.size() < 2) return {1.0, "Scale 1: one view does not determine it."};
  std::vector<FitPoint> joints;  // without points that lie only roughly at a place of the body
  std::ranges::copy_if(plan.points, std::back_inserter(joints),
                       [](const FitPoint& point) { return point.weight >= 1.0; });
  const KeyPoints& view = plan.views.front();
  Observations observations{.names = view.names, .weights = {}, .positions = {}};
  const int step = (view.frameCount + kMostFrames - 1) / kMostFrames;
  for (int frame = 0; frame < view.frameCount; frame += step) {
    observations.positions.resize(static_cast<std::size_t>(++observations.frameCount) * view.names.size(),
                                  Observations::missing());
    for (const FitPoint& joint : joints) {
      const auto name = static_cast<std::size_t>(joint.observed);
      *(observations.positions.end() - std::ssize(view.names) + joint.observed) = placeSeen(plan, frame, name, noise);
    }
  }
  return fitScaleOfBones(figure, observations, joints)
      .value_or(FitScale{1.0, "Scale 1: the views determine fewer than three bone lengths."});
}

}  // namespace limber
