// SPDX-License-Identifier: MIT
#include "app/session/reference_picture.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/session/fit_job.h"
#include "app/session/picture_camera.h"
#include "app/session/picture_view.h"
#include "limber/io/base/picture_file.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/points/key_points.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

/// The joints of a human body that a person can point at in a photograph, from the head down.
constexpr const char* kWalk[] = {"nose",       "left_shoulder", "right_shoulder", "left_elbow",   "right_elbow",
                                 "left_wrist", "right_wrist",   "left_hip",       "right_hip",    "left_knee",
                                 "right_knee", "left_ankle",    "right_ankle",    "left_big_toe", "right_big_toe"};

constexpr std::ptrdiff_t kMarksOfAPose = 5;  // nose, shoulders and elbows locate the body

enum class From { File, Clipboard };

void finishOpening(Session& session, const std::filesystem::path& path, From from,
                   const io::Result<std::shared_ptr<const PictureFile>>& file) {
  if (!file) return session.showError(file.error().message());
  ReferencePicture picture = io::makeReferencePicture(*file);
  picture.isInScene = from == From::Clipboard;
  session.editor.endGesture();
  session.editor.edit("add picture " + path.filename().string(), "",
                      [&](Document& document) { addPicture(document, picture); });
  if (from == From::File) session.noteFolder(path);
  session.ui.reference.isShown = session.ui.reference.isNew = true;
  session.ui.reveal = Panel::Reference;
  session.say("Make picture and figure coincide, then mark joints: panel Reference picture", 8.0);
}

/// The picture of a data URI.
io::Result<std::shared_ptr<const PictureFile>> decodeUri(const std::string& uri, const std::filesystem::path& name) {
  io::PictureBudget budget;
  auto bytes = io::readUri(uri, {}, {}, 0);
  auto file = bytes ? io::decodePicture(std::move(*bytes), name, budget) : bytes.error();
  if (file) return file;
  return io::Error{name.string(), "", file.error().cause};
}

/// The path on the first line of a text from the clipboard, which may be a file:// URI.
std::filesystem::path pathOfText(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n")), scheme = "file://";
  return line.starts_with(scheme) ? io::percentDecoded(line.substr(scheme.size())) : std::string(line);
}

/// The joint nearest to a click: where the link begins, where one of its children does, or its end.
FigurePoint jointNear(const Session& session, const Hit& hit) {
  const Figure& figure = *session.document().figure;
  const auto& links = session.picture.kinematics.worldFromLink;
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
/// the joints poses the body anew from all marks once there are kMarksOfAPose. If another picture has marks, too, it
/// waits until the user asks for the pose, since this picture's camera is seldom known yet.
void mark(Session& session, const FigurePoint& point, const std::string& name, const Eigen::Vector2d& pixel,
          bool isWalk) {
  session.editor.endGesture();
  session.editor.edit("mark " + name, kMarkGesture, [&](Document& document) {
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
  session.ui.scrollGoals = true;
  if (isWalk && hasOtherMarks(session.document())) return;
  const auto marks = std::ranges::count(session.document().goals, session.document().shownPicture, &GoalItem::seenIn);
  if (isWalk && marks >= kMarksOfAPose) fitMarks(session, MarkFit::PoseOfGesture);
  else requestSolve(session);
}

std::string nameOf(const Session& session, const FigurePoint& point) {
  const std::string& link = session.document().figure->link(point.link).name;
  return point.pointInLink.isZero() ? link : "end of " + link;
}

void goToStep(Session& session, Planting& planting, std::size_t step) {
  planting.step = step;
  if (planting.step < planting.asked.size()) return;
  session.ui.planting.reset();
  const ReferencePicture* shown = shownPicture(session.document());
  const std::string finds = shown && shown->isOnPlane() ? "Find its place, too" : "Find the camera, too";
  session.say(hasOtherMarks(session.document())
                  ? "That was the last joint. " + finds + " poses the figure by all pictures"
                  : "That was the last joint. If the pose does not fit, " + finds,
              8.0);
}

void startMarking(Session& session, std::vector<AskedMark> asked) {
  if (!hasReference(session)) return;
  session.ui.reference.isShown = true;
  session.ui.planting = Planting{.clicks = Planting::Clicks::Joints, .asked = std::move(asked)};
  session.ui.message = {};
}

void walkThrough(Session& session) {
  const std::vector<std::string> names(std::begin(kWalk), std::end(kWalk));
  std::vector<AskedMark> asked;
  for (const FitPoint& point : io::pointsOfKeyPoints(session.document(), names)) {
    std::string name = names[static_cast<std::size_t>(point.observed)];
    std::ranges::replace(name, '_', ' ');
    asked.push_back({point.point, name});
  }
  if (asked.empty()) return session.fail("This figure is not a human body: mark its joints one by one");
  startMarking(session, std::move(asked));
}

/// Takes a click on a joint of the figure, or on its place in the picture.
void markAt(Session& session, const std::optional<Hit>& hit) {
  Planting& planting = *session.ui.planting;
  const bool isAsked = !planting.asked.empty();
  if (!isAsked && !planting.first) {
    if (!hit || hit->link < 0) return session.fail("click a joint of the figure first");
    const FigurePoint joint = jointNear(session, *hit);
    planting.first = EndEffector{.link = joint.link, .point = joint.pointInLink};
    return;
  }
  const auto pixel = shownPixelAt(session, session.pointer.x, session.pointer.y);
  if (!pixel) return session.fail("click where the picture shows it");
  if (isAsked) {
    const AskedMark asked = planting.asked[planting.step];
    mark(session, asked.point, asked.name, *pixel, true);
    return goToStep(session, planting, planting.step + 1);
  }
  const FigurePoint joint{planting.first->link, planting.first->point};
  planting.first.reset();
  mark(session, joint, nameOf(session, joint), *pixel, false);
}

/// The prompt for the next joint.
std::string jointHint(const Planting& planting) {
  if (!planting.asked.empty())
    return "Click the " + planting.asked[planting.step].name + " in the picture (" + std::to_string(planting.step + 1) +
           " of " + std::to_string(planting.asked.size()) + ")";
  return planting.first ? "Now click the same joint in the picture" : "Click a joint of the figure";
}

}  // namespace

void openReference(Session& session, const std::filesystem::path& path) {
  session.services.job.start("Reading " + path.filename().string(),
                             [&session, path](const Job::Progress&) -> Job::Finish {
                               io::PictureBudget budget;
                               auto file = io::readPictureFile(path, budget);
                               return [&session, path, file] { finishOpening(session, path, From::File, file); };
                             });
  finishIfQuick(session);
}

bool pasteReference(Session& session, const std::string& text) {
  if (!text.starts_with("data:")) {
    const std::filesystem::path path = pathOfText(text);
    if (!path.is_absolute() || !io::holdsPicture(path)) return false;
    openReference(session, path);
    return true;
  }
  session.services.job.start("Reading the pasted picture", [&session, text](const Job::Progress&) -> Job::Finish {
    const std::filesystem::path name = "pasted picture";
    return [&session, name, file = decodeUri(text, name)] { finishOpening(session, name, From::Clipboard, file); };
  });
  finishIfQuick(session);
  return true;
}

void carryOutReference(Session& session, ReferenceWish wish) {
  std::optional<Planting>& planting = session.ui.planting;
  const bool isMarking = planting && planting->clicks == Planting::Clicks::Joints;
  switch (wish) {
    case ReferenceWish::Mark: return startMarking(session, {});
    case ReferenceWish::WalkThrough: return walkThrough(session);
    case ReferenceWish::Skip:
      if (isMarking) goToStep(session, *planting, planting->step + 1);
      return;
    case ReferenceWish::Back:
      if (isMarking && planting->step > 0) --planting->step;
      return;
    case ReferenceWish::Finish:
      if (planting && planting->isInPicture()) planting.reset();
      return;
    case ReferenceWish::PoseFromMarks: return fitMarks(session, MarkFit::Pose);
    case ReferenceWish::NextDepth: return fitMarks(session, MarkFit::NextDepth);
    case ReferenceWish::FindCamera: return fitMarks(session, MarkFit::PoseAndCamera);
    case ReferenceWish::DrawEdges: return startShowingCamera(session, Planting::Clicks::Edges);
    case ReferenceWish::ShowStature: return startShowingCamera(session, Planting::Clicks::Stature);
  }
}

void clickPicture(Session& session, const std::optional<Hit>& hit) {
  if (!shownPicture(session.document())) return session.ui.planting.reset();
  if (session.ui.planting->clicks == Planting::Clicks::Joints) return markAt(session, hit);
  showCamera(session);
}

std::string pictureHint(const Planting& planting) {
  const bool isJoint = planting.clicks == Planting::Clicks::Joints;
  return (isJoint ? jointHint(planting) : cameraHint(planting)) + ".  Esc ends.";
}

}  // namespace limber::app
