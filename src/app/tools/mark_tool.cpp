// SPDX-License-Identifier: MIT
// Marks joints of the figure in the reference picture, one by one or in a walk through a human body.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/stage/fit_job.h"
#include "app/stage/picture_view.h"
#include "app/tools/tools.h"
#include "limber/io/points/key_points.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

/// The joints of a human body that a person can point at in a photograph, from the head down.
constexpr const char* kWalk[] = {"nose",       "left_shoulder", "right_shoulder", "left_elbow",   "right_elbow",
                                 "left_wrist", "right_wrist",   "left_hip",       "right_hip",    "left_knee",
                                 "right_knee", "left_ankle",    "right_ankle",    "left_big_toe", "right_big_toe"};

constexpr std::ptrdiff_t kMarksOfAPose = 5;  // nose, shoulders and elbows locate the body

/// The joint nearest to a click: where the link begins, where one of its children does, or its end.
FigurePoint jointNear(const Stage& stage, const Hit& hit) {
  const Figure& figure = *stage.document().figure;
  const auto& links = stage.picture.kinematics.worldFromLink;
  FigurePoint nearest{hit.link, Eigen::Vector3d::Zero()};
  double least = (links[hit.link].translation - hit.point).norm();
  const auto offer = [&](const FigurePoint& point) {
    const double distance = (links[point.link] * point.pointInLink - hit.point).norm();
    if (distance >= least) return;
    least = distance;
    nearest = point;
  };
  for (const int child : figure.children(hit.link)) offer({child, Eigen::Vector3d::Zero()});
  if (figure.children(hit.link).empty()) offer({hit.link, endEffectorOf(figure, hit.link).point});
  return nearest;
}

/// The document's goal for that point in the shown picture; null for none.
GoalItem* markOf(Document& document, const FigurePoint& point) {
  for (GoalItem& goal : document.goals)
    if (pictureOf(document, goal) == shownPicture(document) && isSamePoint({goal.link, goal.pointInLink}, point))
      return &goal;
  return nullptr;
}

/// True if a picture other than the shown one has marks.
bool hasOtherMarks(const Document& document) {
  return std::ranges::any_of(document.goals, [&](const GoalItem& goal) {
    const ReferencePicture* picture = pictureOf(document, goal);
    return goal.enabled && picture && picture != shownPicture(document);
  });
}

/// Adds or moves the goal of a joint that is seen at a pixel, in one undo step with the resulting pose. A walk through
/// the joints poses the body anew from all marks once there are kMarksOfAPose. If another picture has marks, too, no
/// pose is fitted until the user requests it, because this picture's camera is seldom known yet.
void mark(Stage& stage, const FigurePoint& point, const std::string& name, const Eigen::Vector2d& pixel, bool isWalk) {
  stage.editor.endGesture();
  stage.editor.edit("mark " + name, kMarkGesture, [&](Document& document) {
    setMode(document, Mode::Inverse);
    if (GoalItem* goal = markOf(document, point)) {
      seeAt(document, *goal, pixel);
      document.selection.goal = goal->id;
      return;
    }
    const int id = addSeenGoal(document, point, document.shownPicture, pixel);
    findGoal(document, id)->name = name + " in the picture";
    document.selection.goal = id;
  });
  if (isWalk && hasOtherMarks(stage.document())) return;
  const auto marks = std::ranges::count(stage.document().goals, stage.document().shownPicture, &GoalItem::seenIn);
  if (isWalk && marks >= kMarksOfAPose) fitMarks(stage, MarkFit::PoseOfGesture);
  else requestSolve(stage);
}

std::string nameOf(const Stage& stage, const FigurePoint& point) {
  const std::string& link = stage.document().figure->link(point.link).name;
  return point.pointInLink.isZero() ? link : "end of " + link;
}

/// Asks for that joint, or ends after the last one.
void goToJoint(Stage& stage, Planting& planting, std::size_t step) {
  planting.step = step;
  if (planting.step < planting.asked.size()) return;
  stage.ui.planting.reset();
  const ReferencePicture* shown = shownPicture(stage.document());
  const std::string finds = shown && shown->isOnPlane() ? "Also estimate its place" : "Also estimate the camera";
  stage.say(hasOtherMarks(stage.document()) ? "That was the last joint. " + finds + " poses the figure by all pictures"
                                            : "That was the last joint. If the pose does not fit, " + finds,
            8.0);
}

void startMarking(Stage& stage, std::vector<AskedMark> asked) {
  if (!hasReference(stage)) return;
  stage.ui.reference.isShown = true;
  stage.ui.planting = Planting{.clicks = Planting::Clicks::Joints, .asked = std::move(asked)};
  stage.ui.message = {};
}

struct MarkTool : PictureTool {
 protected:
  /// Takes a click on a joint of the figure, or on its place in the picture.
  void click(Stage& stage) override {
    Planting& planting = *stage.ui.planting;
    const bool isAsked = !planting.asked.empty();
    if (!isAsked && !planting.first) {
      const std::optional<Hit>& hit = stage.pointer.pressed;
      if (!hit || hit->link < 0) return stage.fail("click a joint of the figure first");
      const FigurePoint joint = jointNear(stage, *hit);
      planting.first = EndEffector{.link = joint.link, .point = joint.pointInLink};
      return;
    }
    const auto pixel = clickedPixel(stage, "click where the picture shows it");
    if (!pixel) return;
    if (isAsked) {
      const AskedMark asked = planting.asked[planting.step];
      mark(stage, asked.point, asked.name, *pixel, true);
      return goToJoint(stage, planting, planting.step + 1);
    }
    const FigurePoint joint{planting.first->link, planting.first->point};
    planting.first.reset();
    mark(stage, joint, nameOf(stage, joint), *pixel, false);
  }
  std::string prompt(const Planting& planting) const override {
    if (!planting.asked.empty())
      return "Click the " + planting.asked[planting.step].name + " in the picture (" +
             std::to_string(planting.step + 1) + " of " + std::to_string(planting.asked.size()) + ")";
    return planting.first ? "Now click the same joint in the picture" : "Click a joint of the figure";
  }
};

}  // namespace

std::unique_ptr<Tool> makeMarkTool() { return std::make_unique<MarkTool>(); }

void startMarking(Stage& stage) { startMarking(stage, {}); }

void walkThroughJoints(Stage& stage) {
  const std::vector<std::string> names(std::begin(kWalk), std::end(kWalk));
  std::vector<AskedMark> asked;
  for (const FitPoint& point : io::pointsOfKeyPoints(stage.document(), names)) {
    std::string name = names[static_cast<std::size_t>(point.observed)];
    std::ranges::replace(name, '_', ' ');
    asked.push_back({point.point, name});
  }
  if (asked.empty()) return stage.fail("This figure is not a human body: mark its joints one by one");
  startMarking(stage, std::move(asked));
}

void skipJoints(Stage& stage, int count) {
  auto& planting = stage.ui.planting;
  if (!planting || planting->clicks != Planting::Clicks::Joints) return;
  const int step = static_cast<int>(planting->step) + count;
  if (count > 0) goToJoint(stage, *planting, static_cast<std::size_t>(step));
  else if (step >= 0) planting->step = static_cast<std::size_t>(step);
}

}  // namespace limber::app
