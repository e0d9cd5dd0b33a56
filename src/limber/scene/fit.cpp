// SPDX-License-Identifier: MIT
#include "limber/scene/fit.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kMaxFittedCoordinates = 50e6;  // in all frames: 400 MB

void note(const FittedFrame& frame, std::span<const double> errors, int index, FitResult& result) {
  result.frames.push_back(frame);
  if (frame.points == 0) {
    ++result.unobservedFrames;
    return;
  }
  result.meanCost += frame.cost;
  if (result.worstFrame < 0 || frame.cost > result.worstCost) {
    result.worstCost = frame.cost;
    result.worstFrame = index;
  }
  for (std::size_t k = 0; k < errors.size(); ++k)
    if (!std::isnan(errors[k])) result.points[k].add(errors[k], index);
}

/// Turns sums into means, and gives the frames before the first observation a pose.
void finish(FitResult& result) {
  const int seen = static_cast<int>(result.frames.size()) - result.unobservedFrames;
  if (seen > 0) result.meanCost /= seen;
  for (PointError& point : result.points) point.finish();
  poseBeforeFirst(result.frames);
}

/// The observed points with a name and a positive weight.
std::vector<FitPoint> namedPoints(const FitPlan& plan, const Figure& figure) {
  std::vector<FitPoint> points;
  for (std::size_t i = 0; i < plan.names.size(); ++i) {
    const double weight = plan.observations->weights[i];
    const auto point = findPoint(figure, plan.names[i]);
    if (point && weight > 0.0) points.push_back({static_cast<int>(i), *point, weight});
  }
  return points;
}

}  // namespace

void PointError::add(double error, int frame) {
  mean += error;
  ++frames;
  if (worstFrame >= 0 && error <= worst) return;
  worst = error;
  worstFrame = frame;
}

FitResult fitMotion(const Document& document, const Observations& observations, const std::vector<FitPoint>& points,
                    const FitOptions& options, const FitProgress& progress) {
  FitResult result;
  Fitter fitter(document, points, options);
  result.fault = fitter.fault();
  if (result.fault.empty() && observations.frameCount == 0) result.fault = "there is no frame to fit";
  const auto coordinates = static_cast<double>(observations.frameCount) * document.figure->poseSize();
  if (result.fault.empty() && coordinates > kMaxFittedCoordinates)
    result.fault = std::to_string(observations.frameCount) + " frames are too many for a figure of " +
                   std::to_string(document.figure->poseSize()) + " coordinates";
  if (!result.fault.empty()) return result;
  result.points.resize(points.size());
  result.frames.reserve(observations.frameCount);
  const std::size_t width = observations.names.size();
  for (int i = 0; i < observations.frameCount && !result.isCancelled; ++i) {
    const FittedFrame frame = fitter.fit(std::span(observations.positions).subspan(i * width, width));
    note(frame, fitter.errors(), i, result);
    result.isCancelled = progress && !progress((i + 1.0) / observations.frameCount);
  }
  finish(result);
  return result;
}

std::vector<FitPoint> endPoints(const Figure& figure, const std::vector<FitPoint>& points) {
  std::vector<FitPoint> ends;
  const auto isBelow = [&](const FitPoint& below, const FitPoint& above) {
    if (below.point.link != above.point.link) return figure.isAncestorOrSelf(above.point.link, below.point.link);
    return below.point.pointInLink.norm() > above.point.pointInLink.norm();
  };
  const auto isAbove = [&](const FitPoint& a, const FitPoint& b) { return isBelow(b, a); };
  const auto root = std::ranges::min_element(points, isAbove);
  for (auto p = points.begin(); p != points.end(); ++p)
    if (p == root || std::ranges::none_of(points, [&](const FitPoint& other) { return isBelow(other, *p); }))
      ends.push_back(*p);
  return ends;
}

FitPlan planFit(const Document& document, std::shared_ptr<const Observations> observations, std::string source) {
  FitPlan plan;
  plan.names = guessPointNames(document, observations->names);
  plan.observations = std::move(observations);
  plan.source = std::move(source);
  return plan;
}

FitAnswer runFit(const Document& document, const FitPlan& plan, const FitProgress& progress) {
  FitAnswer answer;
  answer.points = namedPoints(plan, *document.figure);
  if (plan.scale) answer.scale = {*plan.scale, "Scale as given."};
  else answer.scale = guessFitScale(*document.figure, *plan.observations, answer.points);
  if (plan.onlyEnds) answer.points = endPoints(*document.figure, answer.points);
  FitOptions options = plan.options;
  options.scale = answer.scale.scale;
  answer.result = fitMotion(document, *plan.observations, answer.points, options, progress);
  return answer;
}

}  // namespace limber
