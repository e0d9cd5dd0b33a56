// SPDX-License-Identifier: MIT
#include "app/recorder.h"

#include <ctime>
#include <system_error>
#include <utility>

#include "app/recorded_json.h"
#include "app/session.h"
#include "limber/io/json/scene_delta.h"
#include "limber/version.h"

namespace limber::app {

namespace {

using io::OrderedJson;

bool isKnown(const Document& known, const Document& document) {
  return isSameContent(known, document) && known.selection == document.selection && known.clips == document.clips &&
         known.skin == document.skin;
}

}  // namespace

std::shared_ptr<Recorder> Recorder::start(Session& session, const std::filesystem::path& file, std::string& fault) {
  platform::File output = platform::createPrivateFile(file);
  if (!output) {
    fault = file.string() + " cannot be written: " + platform::lastError().message();
    return nullptr;
  }
  std::shared_ptr<Recorder> recorder(new Recorder(file, std::move(output)));
  session.solving.restart();
  const bool loops = session.playing.loop;
  session.playing = {};
  session.playing.loop = loops;
  plantFollowed(session);
  session.editor.endGesture();
  session.camera.boundsMin = session.camera.boundsMax = Eigen::Vector3d::Zero();  // found anew at the next refresh
  recorder->writeHeader(session);
  fault = recorder->fault();
  if (!fault.empty()) return nullptr;
  recorder->know(session);
  recorder->pose_ = hashOf(session.document().pose);
  recorder->tap(session);
  recorder->noteState(session);
  recorder->write({{"event", eventToJson(CursorMove{session.pointer.x, session.pointer.y, {}})}});
  session.recorder = recorder;
  return recorder;
}

void Recorder::stop(Session& session) {
  noteChange(session);
  write({{"end", true}});
  for (Job* job : {&session.job, &session.drawing}) job->setTap({});
  session.global.setTap({});
  session.reaching.setTap({});
  session.solving.setGrants({});
  session.recorder.reset();
}

/// A line at once: what comes after may crash.
void Recorder::write(const OrderedJson& line) {
  if (!fault_.empty()) return;
  const std::string text = io::compactJson(line) + '\n';
  bytes_ += text.size();
  if (bytes_ > kMostBytes) {
    fault_ = "it has grown to " + std::to_string(kMostBytes >> 20) + " MB";
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), output_.get()) != text.size()) fault_ = platform::lastError().message();
}

void Recorder::writeHeader(const Session& session) {
  const Document& document = session.document();
  OrderedJson header;
  header["format"] = kRecordingFormat;
  header["version"] = 1;
  header["limber"] = LIMBER_VERSION;
  header["build"] = buildHash();
  header["file"] = session.editor.file().string();
  try {
    header["document"] = io::documentToJson(document, "/");
  } catch (const io::JsonFault& failed) {
    fault_ = failed.place + ": " + failed.cause;
    return;
  }
  if (document.skin && document.source)
    header["skin"] = {{"file", document.source->path.string()}, {"hash", fileHash(document.source->path)}};
  write(header);
}

void Recorder::tap(Session& session) {
  const auto noteOf = [&](const char* name) {
    return Job::Tap{.note = [this, name](Job::Finish finish) -> Job::Finish {
      return [this, name, finish = std::move(finish)](Session& finished) {
        const Document before = finished.document();
        const int step = finished.editor.history().presentStep();
        if (finish) finish(finished);
        OrderedJson line = {{"arrived", name}};
        line.update(effectSince(before, step, finished));
        write(line);
      };
    }, .isDue = {}, .take = {}};
  };
  session.job.setTap(noteOf("job"));
  session.drawing.setTap(noteOf("drawing"));
  session.global.setTap(noteOf("global"));
  session.reaching.setTap(noteOf("workspace"));
  session.solving.setGrants({.note = [this](int iterations, bool isFirst) {
    write({{isFirst ? "solve" : "on", iterations}});
  }, .next = {}});
}

void Recorder::know(const Session& session) {
  known_ = session.document();
  knownStep_ = session.editor.history().presentStep();
}

/// What became of the document, and in how many steps; its state besides.
OrderedJson Recorder::effectSince(const Document& before, int step, const Session& session) {
  OrderedJson effect = OrderedJson::object();
  if (OrderedJson state = stateSinceLast(session); !state.empty()) effect["state"] = std::move(state);
  if (isKnown(before, session.document())) return effect;
  const History& history = session.editor.history();
  const int steps = history.presentStep() - step;
  try {
    effect["document"] = io::sceneDelta(before, session.document());
  } catch (const io::JsonFault& failed) {
    fault_ = failed.cause;
    return effect;
  }
  effect["steps"] = steps;
  if (steps > 0) effect["label"] = history.undoLabel();
  if (!session.editor.gesture().empty()) effect["gesture"] = session.editor.gesture();
  effect["idle"] = !session.solving.isBusy();
  if (session.playing.isBaked(session.document()) && !session.playing.isBaked(before)) effect["baked"] = true;
  if (session.editor.isSameDocument(before.figure.get())) return effect;
  effect["opens"] = true;
  effect["forgets"] = history.stepCount() == 0;
  effect["saved"] = !session.editor.isChanged();
  effect["file"] = session.editor.file().string();
  return effect;
}

void Recorder::noteChange(const Session& session) {
  if (isKnown(known_, session.document())) return;
  write({{"changed", effectSince(known_, knownStep_, session)}});
  know(session);
}

OrderedJson Recorder::stateSinceLast(const Session& session) {
  OrderedJson changed = OrderedJson::object();
  try {
    OrderedJson state = stateToJson(session);
    for (auto member = state.begin(); member != state.end(); ++member)
      if (!state_.is_object() || !state_.contains(member.key()) || state_[member.key()] != *member)
        changed[member.key()] = *member;
    state_ = std::move(state);
  } catch (const io::JsonFault&) {  // a camera that is not finite: nothing is seen of it either
  }
  return changed;
}

void Recorder::noteState(const Session& session) {
  if (OrderedJson state = stateSinceLast(session); !state.empty()) write({{"state", std::move(state)}});
}

void Recorder::noteSaved(const std::filesystem::path& path) { write({{"saved", path.string()}}); }
void Recorder::noteClipboard(const std::string& text) { write({{"clipboard", text}}); }

bool Recorded::begin() {
  if (!recorder_) return false;
  isOutermost_ = recorder_->depth_++ == 0;
  if (!isOutermost_) return false;
  if (session_.now != recorder_->now_) recorder_->write({{"now", session_.now}});
  recorder_->now_ = session_.now;
  recorder_->noteChange(session_);
  recorder_->noteState(session_);
  return true;
}

void Recorded::note(const char* what, OrderedJson value) {
  OrderedJson line;
  line[what] = std::move(value);
  recorder_->write(line);
}

/// What became of it.
void Recorded::noteDocument(const Document& before) {
  const Document& now = session_.document();
  OrderedJson line;
  line[afterwards_ == Afterwards::Edited ? "edited" : "became"] = io::sceneDelta(before, now);
  if (!session_.editor.isSameDocument(before.figure.get())) line["opens"] = true;
  recorder_->write(line);
}

Recorded::Recorded(Session& session, const InputEvent& event) : session_(session), recorder_(session.recorder) {
  if (begin()) note("event", eventToJson(event));
}

Recorded::Recorded(Session& session, Action action) : session_(session), recorder_(session.recorder) {
  if (!begin()) return;
  note("action", actionToJson(action));
  if (action == Action::Undo || action == Action::Redo) afterwards_ = Afterwards::Became;
}

Recorded::Recorded(Session& session, const EditRequest& edit) : session_(session), recorder_(session.recorder) {
  if (!begin()) return;
  note("edit", {{"label", edit.label}, {"gesture", edit.gesture}, {"solves", edit.after == AfterEdit::Solve}});
  afterwards_ = Afterwards::Edited;
}

Recorded::Recorded(Session& session, const Requests& request) : session_(session), recorder_(session.recorder) {
  if (!begin()) return;
  note("request", requestsToJson(request));
  if (request.goToStep) afterwards_ = Afterwards::Became;
}

Recorded::Recorded(Session& session, Moment moment) : session_(session), recorder_(session.recorder) {
  if (!begin()) return;
  static constexpr const char* kMoments[] = {"advance", "refresh", "finish_job", "end_gesture"};
  note(kMoments[static_cast<std::size_t>(moment)], true);
  if (moment == Moment::Advance) afterwards_ = Afterwards::Pose;
}

Recorded::~Recorded() {
  if (!recorder_) return;
  --recorder_->depth_;
  if (!isOutermost_) return;
  Recorder& recorder = *recorder_;
  const Document& document = session_.document();
  try {
    const bool isToTell = afterwards_ == Afterwards::Edited || afterwards_ == Afterwards::Became;
    if (isToTell && !isKnown(recorder.known_, document))
      noteDocument(recorder.known_);
  } catch (const io::JsonFault& failed) {
    recorder.fault_ = failed.cause;
  }
  if (const std::uint64_t pose = hashOf(document.pose); afterwards_ == Afterwards::Pose && pose != recorder.pose_) {
    note("pose", hashText(pose));
    recorder.pose_ = pose;
  }
  recorder.know(session_);
  if (recorder.fault_.empty() || session_.recorder != recorder_) return;
  session_.fail("The recording has ended: " + recorder.fault_);
  recorder.stop(session_);
}

std::filesystem::path recordingsFolder() {
  const std::filesystem::path state = stateFolder();
  return state.empty() ? state : state / "recordings";
}

void toggleRecording(Session& session) {
  if (const std::shared_ptr<Recorder> recorder = session.recorder) {
    recorder->stop(session);
    return session.say("recorded in " + recorder->file().string() + ": limber replay shows whether it can be repeated",
                       15.0);
  }
  const std::filesystem::path folder = recordingsFolder();
  if (folder.empty()) return session.fail("there is no folder for recordings: HOME is not set");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string name = "limber-" + platform::localTimeText(std::time(nullptr), "%Y-%m-%d-%H%M%S") + ".jsonl";
  std::string fault;
  if (!Recorder::start(session, folder / name, fault))
    return session.fail("nothing is recorded: " + fault);
  session.say("what you do is recorded, until Help > Record a bug report ends it", 8.0);
}

}  // namespace limber::app
