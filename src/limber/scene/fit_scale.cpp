// SPDX-License-Identifier: MIT
#include "limber/scene/fit.h"

#include <cmath>
#include <cstdio>

#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr int kScaleProbes = 4;      // poses in which a bone must keep its length
constexpr double kRigid = 1e-6;      // mean link lengths: a smaller change counts as none
constexpr double kLeastBone = 0.05;  // mean link lengths: shorter bones do not count
constexpr std::size_t kFewestBones = 3;
constexpr std::uint64_t kScaleProbeSeed = 11;

/// The positions of the points in a pose.
std::vector<Eigen::Vector3d> placesOf(const Figure& figure, const Pose& pose, const std::vector<FitPoint>& points) {
  const Kinematics kinematics = transformsOf(figure, pose);
  std::vector<Eigen::Vector3d> places;
  for (const FitPoint& p : points) places.push_back(kinematics.worldFromLink[p.point.link] * p.point.pointInLink);
  return places;
}

/// A pose with every joint turned and shifted at random, beyond limits: only distances that no pose changes stay the
/// same.
Pose shaken(const Figure& figure, RandomStream& random) {
  Eigen::VectorXd step(figure.stepSize());
  for (double& s : step) s = random.uniform(-1.0, 1.0);
  Pose pose = restPose(figure);
  integrate(figure, pose, step, pose);
  return pose;
}

/// The nearest point above each along the figure, -1 for none.
std::vector<int> neighboursAbove(const Figure& figure, const std::vector<FitPoint>& points) {
  std::vector<int> above(points.size(), -1);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int link = points[i].point.link; link >= 0 && above[i] < 0; link = figure.link(link).parent)
      for (std::size_t k = 0; k < points.size() && above[i] < 0; ++k) {
        const bool isOther = points[k].point.link == link && k != i;
        const bool isHigher =
            link != points[i].point.link || points[k].point.pointInLink.norm() < points[i].point.pointInLink.norm();
        if (isOther && isHigher) above[i] = static_cast<int>(k);
      }
  return above;
}

struct Bone {
  std::size_t end = 0, start = 0;  ///< points
  double length = 0.0;             ///< metres, in the figure
};

std::vector<Bone> bonesOf(const Figure& figure, const std::vector<FitPoint>& points) {
  const std::vector<int> above = neighboursAbove(figure, points);
  const std::vector<Eigen::Vector3d> rest = placesOf(figure, restPose(figure), points);
  std::vector<Bone> bones;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (above[i] >= 0) {
      const auto start = static_cast<std::size_t>(above[i]);
      bones.push_back({i, start, (rest[i] - rest[start]).norm()});
    }
  const double unit = figure.meanLinkLength();
  std::erase_if(bones, [&](const Bone& bone) { return bone.length < kLeastBone * unit; });
  RandomStream random(kScaleProbeSeed);
  for (int probe = 0; probe < kScaleProbes; ++probe) {
    const std::vector<Eigen::Vector3d> places = placesOf(figure, shaken(figure, random), points);
    std::erase_if(bones, [&](const Bone& bone) {
      return std::abs((places[bone.end] - places[bone.start]).norm() - bone.length) > kRigid * unit;
    });
  }
  return bones;
}

/// The mean distance of two observed points over the frames that have both; 0 when none has.
double meanDistance(const Observations& observations, int a, int b) {
  double sum = 0.0;
  int count = 0;
  for (int frame = 0; frame < observations.frameCount; ++frame) {
    const double distance = (observations.position(frame, a) - observations.position(frame, b)).norm();
    if (!std::isfinite(distance)) continue;
    sum += distance;
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

/// Root mean square distance of points from their centre.
double spreadOf(const std::vector<Eigen::Vector3d>& places) {
  if (places.empty()) return 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& place : places) centre += place;
  centre /= static_cast<double>(places.size());
  double squares = 0.0;
  for (const Eigen::Vector3d& place : places) squares += (place - centre).squaredNorm();
  return std::sqrt(squares / static_cast<double>(places.size()));
}

/// The spread of the points at rest over the observed spread, in the frame that has most points and, among such frames,
/// the largest spread.
double ratioOfSpreads(const Figure& figure, const Observations& observations, const std::vector<FitPoint>& points) {
  const std::vector<Eigen::Vector3d> rest = placesOf(figure, restPose(figure), points);
  std::size_t most = 0;
  double widest = 0.0, ratio = 1.0;
  for (int frame = 0; frame < observations.frameCount; ++frame) {
    std::vector<Eigen::Vector3d> observed, ofFigure;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (observations.isSeen(frame, points[k].observed)) {
        observed.push_back(observations.position(frame, points[k].observed));
        ofFigure.push_back(rest[k]);
      }
    const double spread = spreadOf(observed);
    if (observed.size() < most || (observed.size() == most && spread <= widest)) continue;
    most = observed.size();
    widest = spread;
    if (spread > 0.0 && spreadOf(ofFigure) > 0.0) ratio = spreadOf(ofFigure) / spread;
  }
  return ratio;
}

std::string inWords(double scale, const std::string& from) {
  char number[32];
  std::snprintf(number, sizeof number, "%.4g", scale);
  return std::string("Scale ") + number + ", " + from + ".";
}

}  // namespace

std::optional<FitScale> fitScaleOfBones(const Figure& figure, const Observations& observations,
                                        const std::vector<FitPoint>& points) {
  double products = 0.0, squares = 0.0;
  std::size_t count = 0;
  for (const Bone& bone : bonesOf(figure, points)) {
    const double observed = meanDistance(observations, points[bone.end].observed, points[bone.start].observed);
    products += bone.length * observed;
    squares += observed * observed;
    count += observed > 0.0;
  }
  if (count < kFewestBones || !std::isfinite(products / squares)) return std::nullopt;
  return FitScale{products / squares,
                  inWords(products / squares, "from the lengths of " + std::to_string(count) + " bones")};
}

FitScale guessFitScale(const Figure& figure, const Observations& observations, const std::vector<FitPoint>& points) {
  if (const auto scale = fitScaleOfBones(figure, observations, points)) return *scale;
  const double ratio = ratioOfSpreads(figure, observations, points);
  return {ratio, inWords(ratio, "from the spread of the points at rest: a rough guess")};
}

}  // namespace limber
