// SPDX-License-Identifier: MIT
#include "app/session/reference_picture.h"

#include <memory>
#include <utility>

#include "app/stage/fit_job.h"
#include "app/tools/tools.h"
#include "limber/io/base/picture_file.h"
#include "limber/io/base/referred_file.h"

namespace limber::app {

namespace {

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
  switch (wish) {
    case ReferenceWish::Mark: return startMarking(session);
    case ReferenceWish::WalkThrough: return walkThroughJoints(session);
    case ReferenceWish::Skip: return skipJoints(session, 1);
    case ReferenceWish::Back: return skipJoints(session, -1);
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

}  // namespace limber::app
