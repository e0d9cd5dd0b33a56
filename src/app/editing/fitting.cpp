// SPDX-License-Identifier: MIT
#include "app/editing/fitting.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/held_stances.h"

namespace limber::app {

void takeFit(std::shared_ptr<const Motion> motion, Document& document) {
  setMotion(document, std::move(motion));
  if (!document.clips.empty()) document.clips.push_back(document.motion);
  showFrame(document, 0);
}

void takeFit(const FitPlan& plan, const FitAnswer& answer, Document& document) {
  takeFit(motionOf(answer.result.frames, plan.observations->frameTime, "fit to " + plan.source), document);
}

std::size_t holdFittedStances(Document& document) {
  std::vector<Stance> stances = findStances(*document.figure, framesOf(*document.figure, *document.motion));
  const std::size_t count = stances.size();
  if (count > 0) setStances(document, std::move(stances));
  return count;
}

MotionCost costOfMotion(const FitPlan& plan, const FitAnswer& answer, const Figure& figure, const Motion& motion) {
  MotionCost cost;
  const std::size_t width = plan.observations->names.size();
  int seen = 0;
  Kinematics now;
  for (int frame = 0; frame < motion.frameCount; ++frame) {
    computeTransforms(figure, motion.poseAt(figure, frame), now);
    double squares = 0.0;
    int points = 0;
    for (const FitPoint& point : answer.points) {
      const Eigen::Vector3d& observed =
          plan.observations
              ->positions[static_cast<std::size_t>(frame) * width + static_cast<std::size_t>(point.observed)];
      if (!observed.allFinite()) continue;
      const Eigen::Vector3d place = now.worldFromLink[point.point.link] * point.point.pointInLink;
      squares += (answer.scale.scale * observed - place).squaredNorm();
      ++points;
    }
    if (points == 0) continue;
    const double here = std::sqrt(squares / points);
    cost.mean += here;
    ++seen;
    if (cost.worstFrame >= 0 && here <= cost.worst) continue;
    cost.worst = here;
    cost.worstFrame = frame;
  }
  if (seen > 0) cost.mean /= seen;
  return cost;
}

std::vector<std::size_t> worstPoints(const FitAnswer& answer) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < answer.result.points.size(); ++i)
    if (answer.result.points[i].frames > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return answer.result.points[i].mean; });
  return order;
}

std::string fitCostsCsv(const FitPlan& plan, const FitAnswer& answer) {
  std::string text = "frame,time [s],cost [mm],sum of squares [mm^2],points,iterations,status\n";
  char line[160];
  for (std::size_t i = 0; i < answer.result.frames.size(); ++i) {
    const FittedFrame& frame = answer.result.frames[i];
    const double time = static_cast<double>(i) * plan.observations->frameTime;
    const int length = std::snprintf(line, sizeof line, "%zu,%.9g,", i, time);
    text.append(line, static_cast<std::size_t>(length));
    if (frame.points > 0) std::snprintf(line, sizeof line, "%.9g,%.9g", 1e3 * frame.cost, 1e6 * frame.squares);
    else std::snprintf(line, sizeof line, ",");
    text += line;
    text += "," + std::to_string(frame.points) + "," + std::to_string(frame.iterations) + "," +
            std::string(fitStatusName(frame.status)) + "\n";
  }
  return text;
}

}  // namespace limber::app
