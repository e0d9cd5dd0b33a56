// SPDX-License-Identifier: MIT
#include "app/features/racing.h"

#include <algorithm>
#include <array>

#include "app/editing/command.h"
#include "app/editing/ui_state.h"
#include "app/settings/settings.h"
#include "limber/solvers/registry.h"
#include "render/ghosts.h"

namespace limber::app {

namespace {

constexpr std::size_t kFirstLanes = 4;  // raced until the user chooses
constexpr double kVisiblePixels = 2.0;  // a smaller difference shows no ghost
constexpr float kGhostAlpha = 0.62f, kFaintAlpha = 0.16f;

/// The palette for colour-blind people of Okabe and Ito (2008), lightened for a dark background; black became grey.
constexpr std::array<render::Color, 8> kColors = {{{0.90f, 0.62f, 0.00f},
                                                   {0.34f, 0.71f, 0.91f},
                                                   {0.00f, 0.72f, 0.53f},
                                                   {0.94f, 0.89f, 0.26f},
                                                   {0.89f, 0.43f, 0.15f},
                                                   {0.86f, 0.55f, 0.74f},
                                                   {0.45f, 0.55f, 0.98f},
                                                   {0.78f, 0.80f, 0.83f}}};

/// Further rounds of the palette are paler, then darker, so that no two solvers share a colour.
render::Color shade(const render::Color& color, int round) {
  if (round == 0) return color;
  const float paler = round == 1 ? 0.55f : 0.0f, part = round == 1 ? 1.0f - paler : 0.6f;
  return {paler + part * color.red, paler + part * color.green, paler + part * color.blue};
}

std::size_t placeOf(std::string_view solver) {
  const auto solvers = allSolvers();
  const auto found = std::find_if(solvers.begin(), solvers.end(), [&](const Solver* s) { return s->name() == solver; });
  return static_cast<std::size_t>(found - solvers.begin());
}

/// The end effector of the race: that of the drag, else of the selected goal, else of the last goal.
struct Tip {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
};
std::optional<Tip> tipOf(const Race& race, int draggedGoal, int selectedGoal) {
  if (const PosingRequest* request = race.lastRequest(); request && request->drag)
    return Tip{request->drag->link, request->drag->pointInLink};
  const IkProblem* problem = race.problem();
  if (!problem || problem->goals.empty()) return std::nullopt;
  const GoalItem* goal = findGoal(*problem, draggedGoal);
  if (!goal) goal = findGoal(*problem, selectedGoal);
  if (!goal) goal = &problem->goals.back();
  return Tip{goal->link, goal->pointInLink};
}

}  // namespace

LaneLook lookOf(std::string_view solver) {
  const std::size_t place = placeOf(solver);
  const int round = static_cast<int>(place / kColors.size() % 3);
  return {static_cast<char>('A' + place % 26), shade(kColors[place % kColors.size()], round), round};
}

void Racing::offer(const Document& document, const Settings& settings, std::string gesture, PosingRequest request) {
  if (!settings.visible.race) return;
  race_.choose(racedSolvers(settings, document.solver.solver));
  if (!gesture.empty()) gesture += ' ' + std::to_string(gestures_);
  const bool goesOn = !gesture.empty() && gesture == gesture_ && race_.problem() && figure_ == document.figure;
  gesture_ = std::move(gesture);
  request.leadingLink = leadingLink(document);
  race_.request(document, std::move(request), goesOn ? Race::From::OwnPose : Race::From::Given);
  keepBeside(document);
}

void Racing::start(const Document& document, const Settings& settings, RaceStart start) {
  IkProblem problem = race_.problem() ? *race_.problem() : document;
  PosingRequest request = race_.lastRequest() ? *race_.lastRequest() : PosingRequest{};
  if (start == RaceStart::Rest) problem.pose = restPose(*problem.figure);
  else if (request.startPose) problem.pose = *request.startPose;
  gesture_.clear();
  race_.choose(racedSolvers(settings, document.solver.solver));
  race_.request(problem, std::move(request), Race::From::Given);
  keepBeside(document);
}

void Racing::keepBeside(const Document& document) {
  figure_ = document.figure;
  pose_ = document.pose;
}

void Racing::update(const Document& document, const Settings& settings) {
  if (!settings.visible.race) {
    if (race_.lanes().empty()) return;
    race_.clear();
    race_.choose({});
    gesture_.clear();
    shown_.clear();
    return;
  }
  race_.choose(racedSolvers(settings, document.solver.solver));
  if (race_.problem() && (figure_ != document.figure || !(pose_ == document.pose))) race_.clear();
  race_.collect();
}

int Racing::focus(const RaceView& view) const {
  const std::vector<LaneView>& lanes = race_.lanes();
  const auto hasIterates = [](const LaneView& lane) { return lane.result && !lane.result->iterates.empty(); };
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].solver == view.lane) return static_cast<int>(i);
  const auto first = std::find_if(lanes.begin(), lanes.end(), hasIterates);
  return first == lanes.end() ? -1 : static_cast<int>(first - lanes.begin());
}

int Racing::shownStep(const RaceView& view) const {
  const int lane = focus(view);
  if (lane < 0) return -1;
  const auto& result = race_.lanes()[lane].result;
  if (!result || result->iterates.empty()) return -1;
  const int last = static_cast<int>(result->iterates.size()) - 1;
  return view.stepped == result && view.step >= 0 ? std::min(view.step, last) : last;
}

void Racing::stepTo(RaceView& view, int step) const {
  const int lane = focus(view);
  if (lane < 0) return;
  const LaneView& shown = race_.lanes()[lane];
  if (!shown.result || shown.result->iterates.empty()) return;
  view.lane = shown.solver;
  view.stepped = shown.result;
  view.step = std::clamp(step, 0, static_cast<int>(shown.result->iterates.size()) - 1);
}

/// Computes the transforms of the pose that each lane shows, where it changed.
void Racing::computeShown(const Figure& figure, const RaceView& view) {
  const std::vector<LaneView>& lanes = race_.lanes();
  shown_.resize(lanes.size());
  const int focused = focus(view), step = shownStep(view);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Shown& shown = shown_[i];
    const auto& result = lanes[i].result;
    const bool hasPose = result && !result->isRefused() && result->pose.coordinates.size() > 0;
    const bool isStepped = hasPose && static_cast<int>(i) == focused && view.stepped == result;
    const int place = isStepped ? step : -1;
    if (hasPose && shown.result == result && shown.step == place) continue;
    shown.result = hasPose ? result : nullptr;
    shown.step = place;
    if (!hasPose) continue;
    const Pose* pose = &result->pose;
    if (place >= 0 && result->iterates[place].pose.coordinates.size() > 0) pose = &result->iterates[place].pose;
    computeTransforms(figure, *pose, shown.kinematics);
  }
}

void Racing::appendGhosts(const Document& document, const Kinematics& kinematics, const RaceView& view, int draggedGoal,
                          double pixel, render::DrawList& list) {
  labels_.clear();
  const Figure& figure = *document.figure;
  if (race_.lanes().empty() || !race_.problem() || figure_.get() != &figure) return;
  computeShown(figure, view);
  const double tolerance = kVisiblePixels * pixel;
  const int focused = focus(view);
  const bool isStepping = focused >= 0 && shown_[focused].step >= 0;
  const bool isCrowded = race_.lanes().size() > kMostClearLanes;
  const auto tip = tipOf(race_, draggedGoal, document.selection.goal);
  std::vector<render::Ghost> ghosts;
  const auto add = [&](int lane) {
    const Shown& shown = shown_[lane];
    if (!shown.result || !render::differs(figure, kinematics, shown.kinematics, tolerance)) return;
    render::Color color = lookOf(shown.result->solver).color;
    color.alpha = (isStepping || isCrowded) && lane != focused ? kFaintAlpha : kGhostAlpha;
    ghosts.push_back({&shown.kinematics, color});
    if (tip) labels_.push_back({lane, shown.kinematics.worldFromLink[tip->link] * tip->pointInLink});
  };
  // The lane in focus comes first, because only the first of equal ghosts is drawn.
  if (focused >= 0) add(focused);
  for (int lane = 0; lane < static_cast<int>(shown_.size()); ++lane)
    if (lane != focused) add(lane);
  render::appendGhosts(figure, kinematics, ghosts, tolerance, list);
}

std::vector<std::string> racedSolvers(const Settings& settings, std::string_view inUse) {
  std::vector<std::string> solvers;
  for (const Solver* solver : allSolvers())
    if (isRaced(settings, solver->name(), inUse)) solvers.emplace_back(solver->name());
  return solvers;
}

bool isRaced(const Settings& settings, std::string_view solver, std::string_view inUse) {
  if (settings.raceSolvers)
    return std::find(settings.raceSolvers->begin(), settings.raceSolvers->end(), solver) != settings.raceSolvers->end();
  if (solver == inUse) return true;
  std::size_t exact = 0;
  for (const Solver* other : allSolvers()) {
    if (other->limitHandling() != LimitHandling::Exact) continue;
    if (++exact > kFirstLanes) return false;
    if (other->name() == solver) return true;
  }
  return false;
}

void setRaced(Settings& settings, std::string_view solver, bool on, std::string_view inUse) {
  std::vector<std::string> solvers = racedSolvers(settings, inUse);
  std::erase(solvers, solver);
  if (on) solvers.emplace_back(solver);
  settings.raceSolvers = std::move(solvers);
}

}  // namespace limber::app
