// SPDX-License-Identifier: MIT
#include "app/session/documents.h"
#include "app/drag/obstacle_handles.h"

#include <algorithm>
#include <memory>

#include "app/jobs/pictures.h"
#include "app/session/reference_picture.h"
#include "app/session/witness.h"
#include "app/settings/window_defaults.h"
#include "app/stage/fit_job.h"
#include "limber/io/base/file.h"
#include "limber/io/base/picture_file.h"
#include "limber/io/base/resources.h"
#include "limber/io/export_formats.h"
#include "limber/io/human.h"
#include "limber/io/json/figure_json.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/io/points/key_points.h"
#include "limber/io/points/observations.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/race_lane.h"
#include "limber/scene/figure_change.h"

namespace limber::app {

namespace {

std::string onLines(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? "" : "\n") + note;
  return text;
}

/// Gives a figure the solver settings of the window; a scene or a problem has its own.
void takeWindowSettings(io::Opened& opened) {
  if (opened.kind == io::FileKind::Scene || opened.kind == io::FileKind::Problem) return;
  opened.document.solver = windowSolverSettings(*opened.document.figure);
}

/// Opens a file or standard figure as a document without a file of its own.
void openUnnamed(Session& session, const std::string& nameOrPath, const std::string& label) {
  auto opened = io::openAny(nameOrPath);
  if (!opened) return session.showError(opened.error().message());
  takeWindowSettings(*opened);
  takeOver(session, std::move(opened->document), {}, label);
  tellOf(session, nameOrPath, *opened);
}

/// Opens a figure of resources/figures.
void openOwnFigure(Session& session, const std::string& file, const std::string& label) {
  if (const auto path = io::findResource("figures/" + file)) return openUnnamed(session, path->string(), label);
  session.showError("resources/figures/" + file + " is not installed");
}

void createHuman(Session& session, const io::HumanShape& shape) {
  const auto made = io::makeHuman(shape);
  if (!made) return session.showError(made.error().message());
  io::Opened opened{makeDocument(*made), io::FileKind::StandardFigure};
  takeWindowSettings(opened);
  takeOver(session, std::move(opened.document), {}, "new human");
  session.ui.notes.clear();
}

/// Gives the motions to the figure and plays the shown one.
void finishLoadingMotion(Session& session, const std::filesystem::path& path,
                         const std::shared_ptr<const Figure>& figure, const io::Result<io::ReadMotions>& read) {
  if (!read) {
    if (read.error().cause == io::kCancelled) return;
    session.showError(read.error().message());
    return;
  }
  if (session.document().figure != figure)
    return session.fail("The figure has changed: the motion of " + path.filename().string() + " is not loaded");
  session.solving.cancel();
  session.editor.endGesture();
  session.editor.edit("load motion " + path.filename().string(), "",
                      [&](Document& document) { takeMotions(document, read->motions, read->shown); });
  session.noteFolder(path);
  session.settings.visible.timeline = true;
  session.playing.start(session.document(), session.ui.now);
  const auto count = std::to_string(read->motions.size());
  session.say(count + (count == "1" ? " motion" : " motions") + " loaded, Ctrl+Z goes back");
}

/// Places the mesh in front of the figure, standing on the ground.
void finishProp(Session& session, const std::filesystem::path& path, const io::Result<Obstacle>& read) {
  if (!read) {
    if (read.error().cause == io::kCancelled) return;
    session.showError(read.error().message());
    return;
  }
  Obstacle prop = *read;
  double lowest = prop.hull->vertices.front().y();
  for (const Eigen::Vector3d& vertex : prop.hull->vertices) lowest = std::min(lowest, vertex.y());
  const Obstacle box = newBox(session.picture.drawList.figureSize, session.picture.drawList.groundHeight);
  prop.worldFromObstacle.translation = box.worldFromObstacle.translation;
  prop.worldFromObstacle.translation.y() = session.picture.drawList.groundHeight - lowest;
  session.editor.endGesture();
  session.editor.edit("add " + prop.name, "", [&](Document& d) { d.selection = {.obstacle = addObstacle(d, prop)}; });
  session.noteFolder(path);
}

}  // namespace

void takeOver(Session& session, Document document, std::filesystem::path file, const std::string& label, bool isSaved) {
  pauseFollow(session);
  cancelTool(session);
  session.solving.cancel();
  session.playing.stop();
  if (document.timeline || hasFrames(document)) session.settings.visible.timeline = true;
  session.ui.planting.reset();
  session.pointer = {.x = session.pointer.x, .y = session.pointer.y};
  session.editor.open(std::move(document), std::move(file), label, isSaved);
}

void forgetLinks(Session& session) {
  session.solving.cancel();
  if (Drag* drag = session.pointer.drag()) session.editor.commit(std::move(drag->before), "drag");
  session.ui.planting.reset();
  session.pointer = {.x = session.pointer.x, .y = session.pointer.y, .isInside = session.pointer.isInside};
  session.editor.touch().follow = false;
}

io::Opened firstDocument(const std::string& figure, std::string& complaint, const io::OpenContext& context) {
  auto opened = io::openAny(figure.empty() ? "human" : figure, context);
  if (opened) {
    takeWindowSettings(*opened);
    return std::move(*opened);
  }
  complaint = opened.error().message();
  return io::Opened{makeDocument(makePlanarChain(4)), io::FileKind::StandardFigure};
}

void tellOf(Session& session, const std::filesystem::path& file, const io::Opened& opened) {
  session.ui.notes = onLines(opened.notes);
  if (session.ui.notes.empty() && !opened.missing.empty())
    session.ui.notes = std::to_string(opened.missing.size()) + " files not found: " + opened.missing.front() + " ...";
  session.ui.missing = {file, opened.missing};
}

namespace {

/// Shows why a document could not be opened, or which required files are missing.
void tellWhyNot(Session& session, const std::filesystem::path& path, const io::Error& error) {
  if (!error.missing.empty()) {
    session.ui.notes = error.message() + "\nThe open document is unchanged.";
    session.ui.missing = {path, error.missing};
    return;
  }
  session.showError(error.message());
}

/// Replaces the document by the file that was read, or shows why that failed. With `isFirst` the history is cleared
/// unless the user has edited meanwhile.
void finishOpening(Session& session, const std::filesystem::path& path, io::Result<io::Opened> opened, bool isFirst) {
  if (!opened) return tellWhyNot(session, path, opened.error());
  const std::string name = path.filename().string();
  const bool isUntouched = isFirst && !session.editor.history().canUndo() && !session.editor.isChanged();
  takeWindowSettings(*opened);
  takeOver(session, std::move(opened->document), path, "open " + name);
  if (isUntouched) session.editor.forgetHistory();
  tellOf(session, path, *opened);
  rememberFile(session.settings, path);
  session.noteFolder(path);
  if (!isUntouched) session.say(name + " opened, Ctrl+Z goes back");
}

void startOpening(Session& session, const std::filesystem::path& path, bool isFirst, io::OpenContext context) {
  context.folders = foldersFor(session.settings, path);
  const auto work = [&session, path, isFirst, context](const Job::Progress& progress) mutable -> Job::Finish {
    if (io::holdsPicture(path)) return [&session, path] { openReference(session, path); };
    if (io::holdsKeyPoints(path)) return [&session, path] { fitKeyPoints(session, path); };
    if (io::holdsObservations(path)) return [&session, path] { openObservations(session, path); };
    context.progress = progress;
    auto opened = std::make_shared<io::Result<io::Opened>>(io::openAny(path.string(), context));
    return [&session, path, isFirst, opened] { finishOpening(session, path, std::move(*opened), isFirst); };
  };
  session.services.job.start("Opening " + path.filename().string(), work);
}

/// The base of a robot that is opened again: the same as in the open document.
std::optional<BaseChoice> chosenBase(const Document& document, const std::filesystem::path& file) {
  if (!document.source || document.source->path != file || !hasBaseChoice(document)) return std::nullopt;
  return hasFreedBase(*document.figure) ? BaseChoice::Free : BaseChoice::Fixed;
}

}  // namespace

void openFile(Session& session, const std::filesystem::path& path, const io::OpenContext& context) {
  startOpening(session, path, false, context);
  finishIfQuick(session);
}

void openFirstFile(Session& session, const std::filesystem::path& path, const io::OpenContext& context) {
  startOpening(session, path, true, context);
}

void openWithFolder(Session& session, const std::filesystem::path& folder) {
  const std::filesystem::path file = session.ui.missing.file;
  const CommandCall open{Command::Open, file};  // a replay need not know the folder
  const Recorded recorded(session, &open);
  rememberFolder(session.settings, file, folder);
  openFile(session, file, {.base = chosenBase(session.document(), file)});
}

void recoverLost(Session& session, int index) {
  const std::vector<LostWork>& lost = session.services.autosave.lost();
  if (index >= std::ssize(lost)) return;
  const LostWork work = lost[index];
  const std::string name = work.file.empty() ? work.figure : work.file.filename().string();
  const auto read = [&session, work, name](const Job::Progress& progress) -> Job::Finish {
    auto opened =
        std::make_shared<io::Result<io::Opened>>(io::openAny(work.folder->scene().string(), {.progress = progress}));
    return [&session, work, name, opened] {
      if (!*opened) return session.showError(opened->error().message());
      takeOver(session, std::move((*opened)->document), work.file, "recover " + name, false);
      tellOf(session, work.folder->scene(), **opened);
      session.services.autosave.noteRecovered(work.folder);
      session.say(name + " is recovered, but not saved yet", 8.0);
    };
  };
  session.services.job.start("Recovering " + name, read);
}

void openExample(Session& session, const std::filesystem::path& path) {
  const bool isFigure = path.parent_path().filename() == "figures";
  openUnnamed(session, path.string(), (isFigure ? "new " : "example ") + path.stem().string());
}

void saveFile(Session& session, const std::filesystem::path& path) {
  if (session.outside.isReplay) return;
  Document scene = session.document();
  const Picture& picture = session.picture;
  if (picture.framed == scene.figure.get()) scene.view = storedViewOf(endOf(picture.turn, picture.camera));
  if (const auto failed = io::writeScene(path, scene)) return session.showError(failed->message());
  session.editor.markSaved(path);
  if (session.outside.witness) session.outside.witness->noteSaved(path);
  rememberFile(session.settings, path);
  session.noteFolder(path);
  session.say(path.filename().string() + " saved");
}

void saveFigure(Session& session, const std::filesystem::path& path) {
  const FigureEdit baked = bakeSettings(session.document());
  const auto failed =
      baked.figure ? io::writeFigure(path, *baked.figure) : std::optional<io::Error>({path.string(), "", baked.fault});
  if (failed) return session.showError(failed->message());
  rememberFile(session.settings, path);
  session.noteFolder(path);
  session.say(path.filename().string() + " saved");
}

void exportTake(Session& session, const std::filesystem::path& path) {
  const auto notes = io::exportFile(session.document(), path);
  if (!notes) return session.showError(notes.error().message());
  session.noteFolder(path);
  if (notes->empty()) session.say(path.filename().string() + " exported");
  else session.say(path.filename().string() + " exported. " + onLines(*notes), 12.0);
}

namespace {

PictureStyle styleOf(const Session& session) {
  const PictureChoice& wanted = session.ui.browser.pictures;
  const render::Highlight& shown = session.picture.highlight;
  return {.width = wanted.width,
          .height = wanted.height,
          .view = session.picture.view(),
          .look = {.surroundings = shown.surroundings,
                   .isTransparent = wanted.isTransparent,
                   .skinView = session.settings.skinView,
                   .linkStyle = session.settings.linkStyle,
                   .shell = shown.shell,
                   .hasReference = session.ui.reference.isShown}};
}

void finishDrawing(Session& session, const std::filesystem::path& path, const std::string& fault,
                   const std::string& done) {
  if (!fault.empty()) return session.showError(fault);
  session.noteFolder(path);
  session.say(done);
}

}  // namespace

void drawPictureTo(Session& session, const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const auto work = [&session, path, name, document = session.document(),
                     style = styleOf(session)](const Job::Progress& progress) -> Job::Finish {
    progress(0.0, "drawing");
    const std::string fault = drawPicture(document, path, style);
    return [&session, path, fault, name] { finishDrawing(session, path, fault, name + " saved"); };
  };
  session.services.drawing.start("Drawing " + name, work);
}

void drawSequenceTo(Session& session, const std::filesystem::path& pattern) {
  const PictureChoice& wanted = session.ui.browser.pictures;
  const FrameRange frames{wanted.first, wanted.last, wanted.step};
  const auto work = [&session, pattern, frames, document = session.document(),
                     style = styleOf(session)](const Job::Progress& progress) -> Job::Finish {
    const SequenceDrawn drawn = drawSequence(document, frames, pattern.string(), style, progress);
    return [&session, pattern, drawn] {
      finishDrawing(session, pattern, drawn.fault, std::to_string(drawn.count) + " pictures saved");
    };
  };
  session.services.drawing.start("Drawing " + pattern.filename().string(), work);
}

void saveRace(Session& session, const std::filesystem::path& path) {
  std::vector<const LaneResult*> results;
  for (const LaneView& lane : session.services.racing.race().lanes())
    if (lane.result) results.push_back(lane.result.get());
  if (const auto failed = io::writeFileAtomically(path, raceCsv(results))) return session.showError(failed->message());
  session.noteFolder(path);
  session.say(path.filename().string() + " saved");
}

void saveShell(Session& session, const std::filesystem::path& path) {
  const FoundReach* found = session.services.reaching.found();
  if (!found) return session.fail("there is no workspace to export");
  if (const auto failed = writeShell(*found, session.document(), path)) return session.showError(failed->message());
  session.noteFolder(path);
  session.say(path.filename().string() + " saved");
}

void loadMotion(Session& session, const std::filesystem::path& path) {
  auto document = std::make_shared<const Document>(session.document());
  const auto work = [&session, path, document](const Job::Progress& progress) -> Job::Finish {
    auto read =
        std::make_shared<io::Result<io::ReadMotions>>(io::readMotionsFor(*document, path, {.progress = progress}));
    return [&session, path, document, read] { finishLoadingMotion(session, path, document->figure, *read); };
  };
  session.services.job.start("Reading " + path.filename().string(), work);
  finishIfQuick(session);
}

void addProp(Session& session, const std::filesystem::path& path) {
  session.services.job.start(
      "Reading " + path.filename().string(), [&session, path](const Job::Progress& progress) -> Job::Finish {
        auto read = std::make_shared<io::Result<Obstacle>>(io::readProp(path, {.progress = progress}));
        return [&session, path, read] { finishProp(session, path, *read); };
      });
  finishIfQuick(session);
}

void createFigure(Session& session, const NewFigure& wanted) {
  const int links = std::clamp(wanted.links, 1, kMaxNewLinks);
  const std::string count = std::to_string(links) + (links == 1 ? " link" : " links");
  switch (wanted.kind) {
    case NewFigure::Kind::PlanarChain:
      takeOver(session, makeDocument(makePlanarChain(links)), {}, "new planar chain of " + count);
      break;
    case NewFigure::Kind::BallChain:
      takeOver(session, makeDocument(makeBallChain(links)), {}, "new ball chain of " + count);
      break;
    case NewFigure::Kind::Arm: takeOver(session, makeDocument(makeArm()), {}, "new arm of seven joints"); break;
    case NewFigure::Kind::Human: return createHuman(session, wanted.human);
    case NewFigure::Kind::Humanoid: return openUnnamed(session, "humanoid", "new humanoid");
    case NewFigure::Kind::SpineHuman: return openOwnFigure(session, "spine_human.json", "new human with a spine");
    case NewFigure::Kind::TorsoHuman:
      return openOwnFigure(session, "torso_human.json", "new human with five torso segments");
  }
  session.ui.notes.clear();
  session.ui.missing = {};
}

}  // namespace limber::app
