// SPDX-License-Identifier: MIT
#include "app/recording/recorder.h"

#include <ctime>
#include <system_error>
#include <utility>

#include "app/recording/recorded_json.h"
#include "app/session/session.h"
#include "limber/io/json/scene_json.h"
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
  session.playing.restart();
  plantFollowed(session);
  session.editor.endGesture();
  session.picture.camera.boundsMin = session.picture.camera.boundsMax = Eigen::Vector3d::Zero();  // refresh sets them
  recorder->writeHeader(session);
  fault = recorder->fault();
  if (!fault.empty()) return nullptr;
  recorder->know(session);
  recorder->pose_ = hashOf(session.document().pose);
  recorder->tap(session);
  recorder->noteState(session);
  recorder->write({{"event", eventToJson(CursorMove{session.pointer.x, session.pointer.y, {}})}});
  session.outside.witness = recorder;
  return recorder;
}

void Recorder::stop(Session& session) {
  noteChange(session);
  write({{"end", true}});
  for (const auto& [name, job] : session.services.recordedJobs()) job.setTap({});
  session.solving.setGrants({});
  session.outside.witness.reset();
}

/// Writes a line at once, because the deed after it may crash.
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
    return Job::Tap{.note = [this, &session, name](Job::Finish finish) -> Job::Finish {
      return [this, &session, name, finish = std::move(finish)] {
        const Document before = session.document();
        const int step = session.editor.history().presentStep();
        if (finish) finish();
        OrderedJson line = {{"arrived", name}};
        line.update(effectSince(before, step, session));
        write(line);
      };
    }};
  };
  for (const auto& [name, job] : session.services.recordedJobs()) job.setTap(noteOf(name));
  session.solving.setGrants({.note = [this](int iterations, bool isFirst) {
    write({{isFirst ? "solve" : "on", iterations}});
  }});
}

void Recorder::know(const Session& session) {
  known_ = session.document();
  knownStep_ = session.editor.history().presentStep();
}

/// The changes of document and state, and in how many undo steps.
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
  } catch (const io::JsonFault&) {  // a camera that is not finite shows nothing
  }
  return changed;
}

void Recorder::noteState(const Session& session) {
  if (OrderedJson state = stateSinceLast(session); !state.empty()) write({{"state", std::move(state)}});
}

void Recorder::noteSaved(const std::filesystem::path& path) { write({{"saved", path.string()}}); }
void Recorder::noteClipboard(const std::string& text) { write({{"clipboard", text}}); }

void Recorder::begin(const Session& session, const Deed& deed) {
  if (depth_++ > 0) return;
  if (session.ui.now != now_) write({{"now", session.ui.now}});
  now_ = session.ui.now;
  noteChange(session);
  noteState(session);
  afterwards_ = noteDeed(deed);
}

Recorder::Afterwards Recorder::noteDeed(const Deed& deed) {
  if (const auto* event = std::get_if<const InputEvent*>(&deed)) {
    write({{"event", eventToJson(**event)}});
  } else if (const auto* call = std::get_if<const CommandCall*>(&deed)) {
    if (const auto* edit = std::get_if<DocumentEdit>(&(*call)->argument)) {
      write({{"edit",
              {{"label", edit->label}, {"gesture", edit->gesture}, {"solves", edit->after == AfterEdit::Solve}}}});
      return Afterwards::Edited;
    }
    write(commandToJson(**call));
    if (infoOf((*call)->command).has(kWithResult)) return Afterwards::Became;
  } else {
    static constexpr const char* kMoments[] = {"advance", "refresh", "finish_job", "end_gesture"};
    const Moment moment = std::get<Moment>(deed);
    write({{kMoments[static_cast<int>(moment)], true}});
    if (moment == Moment::Advance) return Afterwards::Pose;
  }
  return Afterwards::Nothing;
}

/// Notes the document after the deed.
void Recorder::noteDocument(const Session& session) {
  OrderedJson line;
  line[afterwards_ == Afterwards::Edited ? "edited" : "became"] = io::sceneDelta(known_, session.document());
  if (!session.editor.isSameDocument(known_.figure.get())) line["opens"] = true;
  write(line);
}

void Recorder::end(Session& session) {
  if (--depth_ > 0) return;
  const Document& document = session.document();
  try {
    const bool isToTell = afterwards_ == Afterwards::Edited || afterwards_ == Afterwards::Became;
    if (isToTell && !isKnown(known_, document)) noteDocument(session);
  } catch (const io::JsonFault& failed) {
    fault_ = failed.cause;
  }
  if (const std::uint64_t pose = hashOf(document.pose); afterwards_ == Afterwards::Pose && pose != pose_) {
    write({{"pose", hashText(pose)}});
    pose_ = pose;
  }
  know(session);
  if (fault_.empty() || session.outside.witness.get() != this) return;
  session.fail("The recording has ended: " + fault_);
  stop(session);
}

std::filesystem::path recordingsFolder() {
  const std::filesystem::path state = stateFolder();
  return state.empty() ? state : state / "recordings";
}

void toggleRecording(Session& session) {
  if (const auto recorder = std::dynamic_pointer_cast<Recorder>(session.outside.witness)) {
    recorder->stop(session);
    return session.say("recorded in " + recorder->file().string() + ": limber replay shows whether it can be repeated",
                       15.0);
  }
  const std::filesystem::path folder = recordingsFolder();
  if (folder.empty()) return session.fail("there is no folder for recordings: HOME is not set");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string name = "limber-" + platform::localTimeText(std::time(nullptr), "%Y-%m-%d-%H%M%S") + ".jsonl";
  session.services.live.stopReceiving();
  session.services.live.stopSending();
  std::string fault;
  if (!Recorder::start(session, folder / name, fault)) return session.fail("the recording cannot begin: " + fault);
  session.say("your actions are recorded until Help > Record a bug report ends the recording", 8.0);
}

}  // namespace limber::app
