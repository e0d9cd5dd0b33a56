// SPDX-License-Identifier: MIT
#include "app/stage/fit_job.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

#include "limber/io/json/pose_prior_json.h"
#include "limber/io/points/key_point_views.h"
#include "limber/io/points/key_points.h"
#include "limber/io/points/observations.h"
#include "limber/problem/goal_types.h"
#include "limber/scene/picture_fit.h"

namespace limber::app {

namespace {

void finishReading(Editing& session, const std::filesystem::path& path, io::Result<io::ObservationSource> source) {
  if (!source) {
    if (source.error().cause == io::kCancelled) return;
    session.showError(source.error().message());
    return;
  }
  FitState& fit = session.ui.fit;
  fit = {};
  fit.plan = planFit(session.document(), std::make_shared<const Observations>(std::move(source->observations)),
                     path.filename().string());
  fit.figure = session.document().figure;
  fit.notes = source->notes;
  session.noteFolder(path);
  session.ui.reveal = Panel::Fit;
}

/// Replaces the document's motion by a fitted one and plays it, as one undo step. False if the figure has changed.
bool showFit(Editing& session, const std::shared_ptr<const Figure>& figure, const std::string& source,
             std::size_t frames, const std::string& more, const std::function<void(Document&)>& take) {
  if (session.document().figure != figure) {
    session.fail("The figure has changed: the fit is discarded");
    return false;
  }
  session.solving.cancel();
  session.editor.endGesture();
  session.editor.edit("fit to " + source, "play", take);
  session.say(std::to_string(frames) + (frames == 1 ? " frame" : " frames") + " fitted, Ctrl+Z goes back" +
                  (more.empty() ? "" : ": " + more),
              more.empty() ? 4.0 : 12.0);
  session.settings.visible.timeline = true;
  session.playing.start(session.document(), session.ui.now);
  return true;
}

void finishFit(Editing& session, const std::shared_ptr<const Figure>& figure, const FitPlan& plan, FitAnswer answer) {
  if (answer.result.isCancelled) return;
  if (!answer.result.fault.empty()) return session.fail("The fit could not begin: " + answer.result.fault);
  if (!showFit(session, figure, plan.source, answer.result.frames.size(), "",
               [&](Document& document) { takeFit(plan, answer, document); }))
    return;
  session.ui.fit.answer = std::make_shared<const FitAnswer>(std::move(answer));
}

struct KeyPointFit {
  std::string fault;  ///< of the file, or of the fit
  std::string notes;  ///< on the file
  PictureFitResult result;
  Eigen::Vector2d size = Eigen::Vector2d::Zero();  ///< of the pictures, pixels
  double frameTime = 1.0 / 30.0;
};

/// True if the picture has the aspect ratio of a picture of this size.
bool isSameShape(const ReferencePicture& picture, const Eigen::Vector2d& size) {
  constexpr double kSameShape = 0.01;  // of the scale of width and height
  return std::abs(picture.height / size.y() / (picture.width / size.x()) - 1.0) <= kSameShape;
}

PictureCamera resized(PictureCamera camera, double scale) {
  camera.focal *= scale;
  camera.centre *= scale;
  return camera;
}

/// Keeps the plane of the picture if its shape is that of the key points' picture; the fit finds place and scale on it.
void beginOnPlane(const ReferencePicture& picture, const Eigen::Vector2d& size, PictureFitPlan& plan) {
  if (!isSameShape(picture, size)) return;
  plan.cameras = {resized(picture.camera, size.x() / picture.width)};
  plan.areCamerasRough = true;
}

/// Assumes that the points were found in the shown picture, if there is one.
KeyPointFit runKeyPointFit(const Document& person, const std::filesystem::path& path, const Job::Progress& progress) {
  KeyPointFit fit;
  const ReferencePicture* shown = shownPicture(person);
  auto source = io::readKeyPointViews(
      path, {.shownWidth = shown ? shown->width : 0, .shownHeight = shown ? shown->height : 0, .progress = progress});
  if (!source) {
    fit.result.isCancelled = source.error().cause == io::kCancelled;
    fit.fault = source.error().message();
    return fit;
  }
  for (const std::string& note : source->notes) fit.notes += " " + note;
  const KeyPoints& view = source->views.front();
  fit.frameTime = view.frameTime;
  fit.size = Eigen::Vector2d(view.width, view.height);
  PictureFitPlan plan{.points = io::pointsOfKeyPoints(person, view.names)};
  plan.views = std::move(source->views);
  plan.cameras = std::move(source->cameras);
  if (shown && shown->isOnPlane() && plan.cameras.empty() && plan.views.size() == 1)
    beginOnPlane(*shown, fit.size, plan);
  fit.result = fitPictures(person, plan, [&](double part) { return progress(part, "frame by frame"); });
  if (!fit.result.fault.empty()) fit.fault = path.filename().string() + ": " + fit.result.fault;
  return fit;
}

/// Gives a picture the camera of the fit if it has the shape of the pictures in which the points were found.
void takeCamera(const KeyPointFit& fit, int id, Document& document) {
  ReferencePicture* picture = findPicture(document, id);
  if (picture && isSameShape(*picture, fit.size))
    picture->camera = resized(fit.result.cameras.front(), picture->width / fit.size.x());
}

void finishKeyPointFit(Editing& session, const Document& person, const std::string& source, const KeyPointFit& fit) {
  if (fit.result.isCancelled) return;
  if (!fit.fault.empty()) return session.showError(fit.fault);
  char error[64];
  std::snprintf(error, sizeof error, "%.1f pixels off on average.", fit.result.meanError);
  showFit(session, person.figure, source, fit.result.frames.size(), error + fit.notes, [&](Document& document) {
    takeFit(motionOf(fit.result.frames, fit.frameTime, "fit to " + source), document);
    takeCamera(fit, person.shownPicture, document);
  });
}

/// The marks of all pictures as key points of one frame.
struct Marks {
  struct Mark {
    int goal = 0;  ///< id
    std::size_t view = 0, point = 0;
  };

  PictureFitPlan plan;        ///< a view for each picture that has marks
  std::vector<int> pictures;  ///< ids, by view
  std::vector<Mark> marks;
  int selected = -1;  ///< the point of the selected mark; -1 for none

  bool areIn(int picture) const { return std::ranges::find(pictures, picture) != pictures.end(); }
};

/// The index of a point in the plan; adds the point if it is new.
std::size_t pointIn(PictureFitPlan& plan, const FigurePoint& point) {
  const auto known =
      std::ranges::find_if(plan.points, [&](const FitPoint& other) { return isSamePoint(other.point, point); });
  const auto index = static_cast<std::size_t>(known - plan.points.begin());
  if (index == plan.points.size()) plan.points.push_back({static_cast<int>(index), point});
  return index;
}

Marks marksOf(const Document& document) {
  Marks all;
  for (const ReferencePicture& picture : document.pictures)
    for (const GoalItem& goal : document.goals) {
      if (!goal.enabled || pictureOf(document, goal) != &picture) continue;
      if (!all.areIn(picture.id)) {
        all.pictures.push_back(picture.id);
        all.plan.views.push_back({.frameCount = 1, .width = picture.width, .height = picture.height});
        all.plan.cameras.push_back(picture.camera);
      }
      const std::size_t point = pointIn(all.plan, {goal.link, goal.pointInLink});
      all.marks.push_back({goal.id, all.pictures.size() - 1, point});
      if (goal.id == document.selection.goal) all.selected = static_cast<int>(point);
    }
  for (KeyPoints& view : all.plan.views) {
    view.names.assign(all.plan.points.size(), "");
    view.seen.assign(all.plan.points.size(), {.confidence = 0.0});
  }
  for (const Marks::Mark& mark : all.marks)
    all.plan.views[mark.view].seen[mark.point] = {
        all.plan.cameras[mark.view].project(findGoal(document, mark.goal)->target)};
  return all;
}

/// Takes the pose and the cameras of a fit. The marks keep their pixels, at the depths of their points in the new pose.
void takeMarkFit(const PictureFitResult& fit, const Marks& marks, Document& document) {
  for (std::size_t v = 0; v < marks.pictures.size(); ++v)
    findPicture(document, marks.pictures[v])->camera = fit.cameras[v];
  document.pose = fit.frames.front().pose;
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  for (const Marks::Mark& mark : marks.marks)
    if (GoalItem* goal = findGoal(document, mark.goal)) {
      goal->target = kinematics.worldFromLink[goal->link] * goal->pointInLink;
      seeAt(document, *goal, marks.plan.views[mark.view].seen[mark.point].place);
    }
}

void finishMarkFit(Editing& session, const std::shared_ptr<const Figure>& figure, const Marks& marks, MarkFit what,
                   const PictureFitResult& fit) {
  if (fit.isCancelled) return;
  const bool isOfGesture = what == MarkFit::PoseOfGesture;
  if (!fit.fault.empty()) return session.fail("The pose could not be found: " + fit.fault);
  const auto isThere = [&](int picture) { return findPicture(session.document(), picture) != nullptr; };
  if (session.document().figure != figure || !std::ranges::all_of(marks.pictures, isThere))
    return session.fail("The figure or its pictures have changed: the pose is discarded");
  if (fit.frames.empty()) return session.fail("No other depth of this limb fits the marks and the limits");
  session.solving.cancel();
  if (!isOfGesture) session.editor.endGesture();
  session.editor.edit(what == MarkFit::NextDepth ? "other depth" : "pose from the picture",
                      isOfGesture ? kMarkGesture : "", [&](Document& document) { takeMarkFit(fit, marks, document); });
  if (isOfGesture) return;
  char text[96];
  std::snprintf(text, sizeof text, "%zu marks, %.1f pixels off on average, Ctrl+Z goes back", marks.marks.size(),
                fit.meanError);
  session.say(text, 8.0);
}

}  // namespace

void fitMarks(Stage& session, MarkFit what) {
  if (session.document().pictures.empty()) return session.fail("There is no picture with marks");
  auto marks = std::make_shared<Marks>(marksOf(session.document()));
  if (marks->marks.empty()) return session.fail("Mark joints in the picture first");
  if (what == MarkFit::NextDepth && marks->selected < 0)
    return session.fail("Select the mark of an elbow, wrist, knee or ankle");
  const bool finds = what == MarkFit::PoseAndCamera;
  marks->plan.areCamerasRough = finds && std::ranges::any_of(marks->plan.cameras, &PictureCamera::isParallel);
  if (finds && !marks->plan.areCamerasRough) marks->plan.cameras.clear();
  else marks->plan.scale = 1.0;  // the cameras are the document's
  auto person = std::make_shared<Document>(session.document());
  io::addPosePrior(*person);
  const auto work = [&session, person, marks, what](const Job::Progress& progress) -> Job::Finish {
    const auto told = [&](double part) { return progress(part, "choosing among the depths"); };
    auto fit = std::make_shared<PictureFitResult>(
        what == MarkFit::NextDepth ? nextDepth(*person, marks->plan, person->pose, marks->selected, told)
                                   : fitPictures(*person, marks->plan, told));
    return [&session, person, marks, what, fit] { finishMarkFit(session, person->figure, *marks, what, *fit); };
  };
  session.services.job.start("Posing from the picture", work);
  if (isJobQuick(session)) takeJobs(session);
}

void fitKeyPoints(Stage& session, const std::filesystem::path& path) {
  auto person = std::make_shared<Document>(session.document());
  io::addPosePrior(*person);
  session.noteFolder(path);
  const std::string source = path.filename().string();
  session.services.job.start(
      "Fitting to " + source, [&session, person, path, source](const Job::Progress& progress) -> Job::Finish {
        auto fit = std::make_shared<KeyPointFit>(runKeyPointFit(*person, path, progress));
        return [&session, person, source, fit] { finishKeyPointFit(session, *person, source, *fit); };
      });
  if (isJobQuick(session)) takeJobs(session);
}

void openObservations(Stage& session, const std::filesystem::path& path) {
  session.services.job.start("Reading " + path.filename().string(),
                             [&session, path](const Job::Progress& progress) -> Job::Finish {
                               if (io::holdsKeyPoints(path)) return [&session, path] { fitKeyPoints(session, path); };
                               auto source = std::make_shared<io::Result<io::ObservationSource>>(
                                   io::readObservations(path, std::nullopt, {.progress = progress}));
                               return [&session, path, source] { finishReading(session, path, std::move(*source)); };
                             });
  if (isJobQuick(session)) takeJobs(session);
}

void startFit(Stage& session) {
  FitState& fit = session.ui.fit;
  if (!fit.plan) return;
  fit.answer.reset();
  session.playing.stop();
  auto document = std::make_shared<Document>(session.document());
  io::addPosePrior(*document);
  const FitPlan asked = *fit.plan;
  const Job::Work work = [&session, document, plan = asked](const Job::Progress& progress) -> Job::Finish {
    const auto told = [&](double part) { return progress(part, "frame by frame"); };
    auto answer = std::make_shared<FitAnswer>(runFit(*document, plan, told));
    return [&session, document, plan, answer] { finishFit(session, document->figure, plan, std::move(*answer)); };
  };
  session.services.job.start("Fitting to " + asked.source, work);
  if (isJobQuick(session)) takeJobs(session);
}

void followFigure(const Document& document, FitState& fit) {
  if (!fit.plan || fit.figure == document.figure) return;
  fit.figure = document.figure;
  fit.plan->names = guessPointNames(document, fit.plan->observations->names);
  fit.answer.reset();
}

}  // namespace limber::app
