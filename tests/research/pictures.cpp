// SPDX-License-Identifier: MIT
#include "research/pictures.h"

#include <array>
#include <fstream>

#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/steps/best_rotation.h"
#include "locations.h"
#include "render/offscreen.h"
#include "render/picture.h"
#include "research/penalty_trust_region.h"
#include "research/starts.h"

namespace limber::experiments {

namespace {

constexpr render::Color kObserved{0.80f, 0.16f, 0.14f, 1.0f};
constexpr render::Color kFitted{0.16f, 0.36f, 0.80f, 1.0f};
constexpr double kBallSize = 0.017;  // radius, of the figure's size at rest
constexpr int kRowCount = 4;

/// The link positions of one row's method; null for the observed pose.
using Placement = std::vector<Transform>;

/// All that a column shows.
struct Column {
  const test::ObservedFigure* problem = nullptr;
  std::array<Placement, kRowCount> rows;
};

Placement placementOf(const test::ObservedFigure& problem, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(*problem.figure, pose, kinematics);
  return kinematics.worldFromLink;
}

/// Each matrix as the nearest rotation, each joint at the end of its parent's bone; the whole laid onto the targets by
/// their mean. Neighbours need not turn about their axis: no pose has these.
Placement projectedPlacement(const test::ObservedFigure& problem, const GlobalMethod& global) {
  Relaxation relaxation = global.relaxation();
  relaxation.setTargets(problem.targets);
  InteriorPoint interiorPoint(relaxation);
  interiorPoint.solve(relaxation);
  Placement placement(static_cast<std::size_t>(problem.figure->linkCount()));
  std::vector<Transform> frames;
  for (std::size_t i = 0; i < relaxation.frames().size(); ++i) {
    const RelaxationFrame& frame = relaxation.frames()[i];
    const Eigen::Matrix3d found = interiorPoint.rotation(static_cast<int>(i));
    Transform& at = frames.emplace_back();
    at.rotation = bestRotation(found.transpose(), Eigen::Matrix3d::Identity());
    if (frame.parent >= 0)
      at.translation = frames[static_cast<std::size_t>(frame.parent)] *
                       Eigen::Vector3d(relaxation.length() * frame.parentFromJoint.topRightCorner<3, 1>());
    const Transform frameFromLink{frame.linkFromFrame.transpose(), Eigen::Vector3d::Zero()};
    placement[static_cast<std::size_t>(frame.link)] = at * frameFromLink;
  }
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < problem.points.size(); ++k) {
    const Relaxation::Point& p = problem.points[k];
    shift += problem.targets[k] - placement[static_cast<std::size_t>(p.link)] * p.pointInLink;
  }
  for (Transform& link : placement) link.translation += shift / static_cast<double>(problem.points.size());
  return placement;
}

Column makeColumn(const Case& problems, int index, GlobalMethod& global, std::uint64_t seed) {
  Column column;
  column.problem = &problems.problems[static_cast<std::size_t>(index)];
  const test::ObservedFigure& problem = *column.problem;
  const Objective objective = problem.objective();
  RandomStream random(seed * 1000003u + static_cast<std::uint64_t>(index));  // as Figures 4 and 5
  Pose local = randomStarts(problem, objective, 1, random)[0], best = restPose(*problem.figure);
  solveWithPenalty(objective, local);
  global.solve(objective, best);
  column.rows = {Placement{}, placementOf(problem, local), projectedPlacement(problem, global),
                 placementOf(problem, best)};
  return column;
}

void addBall(const Eigen::Vector3d& at, double radius, const render::Color& color, render::DrawList& list) {
  list.capsules.push_back({at, at, radius, color, render::Layer::Scene});
  list.boundsMin = list.boundsMin.cwiseMin(at);
  list.boundsMax = list.boundsMax.cwiseMax(at);
}

/// Bones are lines from each joint to those below it, so that the balls show.
void makeList(const Column& column, const Placement& placement, double size, render::DrawList& list) {
  const test::ObservedFigure& problem = *column.problem;
  list = {};
  list.isTransparent = true;
  list.figureSize = size;
  list.boundsMin = list.boundsMax = problem.targets[0];
  for (const Eigen::Vector3d& target : problem.targets) addBall(target, kBallSize * size, kObserved, list);
  if (placement.empty()) return;
  const Figure& figure = *problem.figure;
  const auto bone = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    list.capsules.push_back({from, to, 0.45 * kBallSize * size, {0.55f, 0.55f, 0.52f, 1.0f}, render::Layer::Scene});
  };
  for (int i = 1; i < figure.linkCount(); ++i)
    bone(placement[static_cast<std::size_t>(figure.link(i).parent)].translation,
         placement[static_cast<std::size_t>(i)].translation);
  for (const Relaxation::Point& p : problem.points) {
    const Transform& link = placement[static_cast<std::size_t>(p.link)];
    bone(link.translation, link * p.pointInLink);
    addBall(link * p.pointInLink, 0.9 * kBallSize * size, kFitted, list);
  }
}

double restSize(const Figure& figure) {
  Kinematics kinematics;
  computeTransforms(figure, restPose(figure), kinematics);
  Eigen::Vector3d lowest = kinematics.worldFromLink[0].translation, highest = lowest;
  for (const Transform& link : kinematics.worldFromLink) {
    lowest = lowest.cwiseMin(link.translation);
    highest = highest.cwiseMax(link.translation);
  }
  return (highest - lowest).maxCoeff();
}

/// Context, shaders and picture.
struct Painter {
  std::unique_ptr<render::OffscreenContext> context;  // dies last
  std::unique_ptr<render::Renderer> renderer;
  std::unique_ptr<render::OffscreenTarget> target;

  std::string prepare(int width, int height) {
    std::string error;
    context = render::OffscreenContext::create(error);
    if (!context) return error;
    renderer = render::Renderer::create(LIMBER_SOURCE_DIR "/shaders", render::OffscreenContext::loader(), error);
    if (!renderer) return error;
    target = render::OffscreenTarget::create(width, height, error);
    if (target) renderer->drawFinely();
    return error;
  }
};

void paste(const render::Picture& from, int left, render::Picture& into) {
  for (int y = 0; y < from.height; ++y)
    std::copy_n(from.pixels.begin() + static_cast<std::ptrdiff_t>(y) * from.width * from.channels,
                from.width * from.channels,
                into.pixels.begin() + (static_cast<std::ptrdiff_t>(y) * into.width + left) * into.channels);
}

render::Picture drawCell(const Column& column, const Placement& placement, const render::View& view, double size,
                         Painter& painter) {
  render::DrawList list;
  makeList(column, placement, size, list);
  painter.renderer->draw(list, view, painter.target->framebuffer());
  return render::readPicture(painter.target->resolve(), view.width, view.height, 4);
}

}  // namespace

std::vector<std::string> pictureRows() {
  return {"fig6_observed.png", "fig6_local.png", "fig6_projected.png", "fig6_sdp_ik.png"};
}

std::string drawPictures(const std::vector<Case>& cases, const PictureSettings& settings,
                         const std::filesystem::path& folder) {
  Painter painter;
  if (const std::string error = painter.prepare(settings.width, settings.height); !error.empty()) return error;
  const int columns = settings.columns * static_cast<int>(cases.size());
  const render::Picture empty{settings.width * columns, settings.height,
                              std::vector<std::uint8_t>(4u * static_cast<std::size_t>(settings.width) *
                                                        static_cast<std::size_t>(columns * settings.height)),
                              4};
  std::array<render::Picture, kRowCount> rows;
  rows.fill(empty);
  int left = 0;
  for (const Case& problems : cases) {
    const Figure& figure = *problems.skeleton->figure;
    GlobalMethod global(problems.problems.at(0).objective(), limitsOf(figure), restPose(figure));
    const double size = restSize(figure);
    for (int i = 0; i < settings.columns; ++i, left += settings.width) {
      const int spread = (2 * i + 1) * static_cast<int>(problems.problems.size()) / (2 * settings.columns);
      const Column column = makeColumn(problems, spread, global, settings.seed);
      render::DrawList framed;
      makeList(column, column.rows[kRowCount - 1], size, framed);
      const render::View view = render::frameList(framed, settings.width, settings.height);
      for (std::size_t r = 0; r < kRowCount; ++r)
        paste(drawCell(column, column.rows[r], view, size, painter), left, rows[r]);
    }
  }
  const std::vector<std::string> names = pictureRows();
  for (std::size_t r = 0; r < kRowCount; ++r) {
    const std::vector<std::uint8_t> bytes = render::encodePng(rows[r]);
    std::ofstream file(folder / names[r], std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file) return (folder / names[r]).string() + ": cannot be written";
  }
  return {};
}

}  // namespace limber::experiments
