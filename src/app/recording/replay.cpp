// SPDX-License-Identifier: MIT
#include "app/recording/replay.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/recording/recorded_json.h"
#include "app/session/documents.h"
#include "limber/io/base/file.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"

namespace limber::app {

namespace {

using io::Json;
using io::JsonFault;
using io::JsonValue;

constexpr int kMostGranted = 100000;  // iterations at once
constexpr double kMostSeconds = 1e9;

/// Reads the figure's skin, which a recording does not contain.
void findSkin(Document& document) {
  if (document.source && !document.skin) io::readSourceAgain(document, {});
}

}  // namespace

io::Result<std::unique_ptr<Replay>> Replay::open(const std::filesystem::path& file) {
  if (auto fault = io::findAccessFault(file)) return std::move(*fault);
  std::unique_ptr<Replay> replay(new Replay);
  try {
    replay->begin(file);
  } catch (const JsonFault& fault) {
    return io::Error{file.string(), fault.place, fault.cause};
  }
  return replay;
}

/// Reads the header; throws a JsonFault.
void Replay::begin(const std::filesystem::path& file) {
  file_.open(file, std::ios::binary);
  Line header;
  if (!readLine(header)) throw JsonFault{"", report_.fault.empty() ? "is empty" : report_.fault};
  const JsonValue json(header.json);
  const auto format = json.find("format");
  if (!format || !format->isText() || format->text() != kRecordingFormat)
    throw JsonFault{"", "is no recording of Limber"};
  json.at("version").integerIn(1, 1);
  report_.limber = json.at("limber").text();
  report_.isSameBuild = json.at("build").text() == buildHash();
  if (!report_.isSameBuild)
    report_.notes.push_back("recorded by another build (limber " + io::printable(report_.limber) +
                            "): poses may differ in their last digits");
  Document document = io::documentFromJson(json.at("document"), "/");
  findSkin(document);
  if (const auto skin = json.find("skin"); skin && fileHash(skin->at("file").text()) != skin->at("hash").text())
    report_.notes.push_back("the figure's skin has changed (" + io::printable(skin->at("file").text()) +
                            "): clicks on it may hit something else");
  session_ = std::make_unique<Session>(std::move(document), Settings{}, Solving::Print());
  session_->outside.isReplay = true;
  session_->editor.markSaved(json.at("file").text());
  expected_ = hashOf(session_->document().pose);
  tap();
}

/// Supplies job results, iteration counts and pasted texts from the recording.
void Replay::tap() {
  const auto tapOf = [this](const char* name) {
    return Job::Tap{
        .isDue = [this, name] { return !came_.arrivals.empty() && came_.arrivals.front().at("arrived") == name; },
        .take = [this]() -> Job::Finish {
          return [this, effect = std::make_shared<Json>(std::move(came_.arrivals.front()))] {
            came_.arrivals.pop_front();
            applyEffect(*effect);
          };
        }};
  };
  for (const auto& [name, job] : session_->services.recordedJobs()) job.setTap(tapOf(name));
  session_->solving.setGrants({.next = [this](bool isFirst) -> std::optional<int> {
    if (came_.grants.empty() || came_.grants.front().contains("solve") != isFirst) return std::nullopt;
    const Json grant = std::move(came_.grants.front());
    came_.grants.pop_front();
    return JsonValue(grant).at(isFirst ? "solve" : "on").integerIn(1, kMostGranted);
  }});
  session_->outside.clipboard.read = [this]() -> std::string {
    if (came_.clipboards.empty()) return {};
    const Json text = std::move(came_.clipboards.front());
    came_.clipboards.pop_front();
    return JsonValue(text).text();
  };
}

/// Reads the next line; false at the end, or with report_.fault set when the line is invalid.
bool Replay::readLine(Line& line) {
  std::string text;
  if (!std::getline(file_, text)) return false;
  line.number = ++lineNumber_;
  try {
    if (text.size() > io::kMaxJsonBytes) throw JsonFault{"", "is too long"};
    line.json = io::parseJson(text);
    if (!line.json.is_object()) throw JsonFault{"", "is no object"};
    return true;
  } catch (const JsonFault& fault) {
    report_.fault = "line " + std::to_string(line.number) + (file_.eof() ? " is not whole" : ": " + fault.cause);
    return false;
  }
}

/// Stores a line that tells an effect of the deed before it; false for other lines.
bool Replay::take(const Line& told) {
  const Json& line = told.json;
  const auto find = [&](const char* name) -> const Json* {
    const auto found = line.find(name);
    return found == line.end() ? nullptr : &*found;
  };
  if (line.contains("solve") || line.contains("on")) {
    came_.grants.push_back(line);
  } else if (line.contains("arrived")) {
    came_.arrivals.push_back(line);
  } else if (const Json* text = find("clipboard")) {
    came_.clipboards.push_back(*text);
  } else if (const Json* edited = find("edited")) {
    came_.edited = *edited;
  } else if (const Json* became = find("became")) {
    came_.became = *became;
    came_.opens = line.contains("opens");
  } else if (const Json* path = find("saved")) {
    came_.saved.push_back(JsonValue(*path).text());
  } else if (const Json* pose = find("pose")) {
    came_.pose = JsonValue(*pose).text();
    came_.poseLine = told.number;
  } else {
    return false;
  }
  return true;
}

bool Replay::readGroup() {
  came_ = {};
  if (next_) {
    line_ = std::move(*next_);
    next_.reset();
  } else if (!readLine(line_)) {
    return false;
  }
  Line line;
  while (readLine(line)) {
    if (take(line)) continue;
    next_ = std::move(line);
    return true;
  }
  isTorn_ = true;
  return true;
}

bool Replay::step() {
  if (report_.isClosed || (isTorn_ && !next_)) return false;
  try {
    if (!readGroup()) return false;
    carryOutLine(JsonValue(line_.json));
    return !report_.isClosed;
  } catch (const JsonFault& fault) {
    report_.fault =
        "line " + std::to_string(line_.number) + ": " + (fault.place.empty() ? "" : fault.place + ": ") + fault.cause;
  } catch (const Json::exception& fault) {
    report_.fault = "line " + std::to_string(line_.number) + ": " + fault.what();
  }
  isTorn_ = true;
  next_.reset();
  return false;
}

void Replay::carryOutLine(const JsonValue& line) {
  Session& session = *session_;
  const Document before = session.document();
  if (const auto now = line.find("now")) {
    session.ui.now = now->numberIn(session.ui.now, kMostSeconds);
    if (started_ == 0.0) started_ = session.ui.now;
  } else if (const auto state = line.find("state")) {
    setState(session, *state);
  } else if (const auto event = line.find("event")) {
    handleEvent(session, eventFromJson(*event));
  } else if (const auto call = commandFromJson(line)) {
    perform(session, *call);
  } else if (const auto edit = line.find("edit")) {
    carryOutEdit(*edit);
  } else if (line.find("advance")) {
    ++report_.frames;
    advance(session);
  } else if (line.find("refresh")) {
    refreshScene(session);
  } else if (line.find("finish_job")) {
    finishJob(session);
  } else if (line.find("end_gesture")) {
    endWidgetGesture(session);
  } else if (line.find("changed")) {
    applyEffect(line_.json.at("changed"));
  } else if (line.find("end")) {
    report_.isClosed = true;
  } else {
    line.fail("cannot be replayed");
  }
  follow(line, before);
}

void Replay::carryOutEdit(const JsonValue& edit) {
  const bool solves = edit.at("solves").boolean();
  std::optional<Document> edited;
  if (came_.edited) edited = after(session_->document(), *came_.edited);
  const auto change = [&](Document& document) {
    if (edited) document = *edited;
  };
  perform(*session_, Command::Edit,
          DocumentEdit{edit.at("label").text(), edit.at("gesture").text(), change,
                       solves ? AfterEdit::Solve : AfterEdit::Nothing});
  if (edited) setTo(*edited);
}

/// Sets the document to the recorded bits, since edits also apply symmetry, which the recording already contains.
void Replay::setTo(const Document& wanted) {
  const Document& present = session_->document();
  if (present.figure == wanted.figure && !io::sceneDelta(present, wanted).empty()) session_->editor.touch() = wanted;
}

/// Applies the recorded effects of the line that are still left, and compares the pose.
void Replay::follow(const JsonValue& line, const Document& before) {
  while (!came_.arrivals.empty()) {
    const Json arrival = std::move(came_.arrivals.front());
    came_.arrivals.pop_front();
    applyEffect(arrival);
  }
  for (const std::string& path : came_.saved) session_->editor.markSaved(path);
  if (came_.became) {
    // Steps from before the recording are not in the history of the replay.
    Document wanted = after(before, *came_.became);
    const Document& present = session_->document();
    bool isThere = present.figure != before.figure && present.figure && wanted.figure != before.figure &&
                   hashOf(present.pose) == hashOf(wanted.pose);
    if (present.figure == wanted.figure) isThere = io::sceneDelta(present, wanted).empty();
    if (!isThere && came_.opens) session_->editor.restore(std::move(wanted));
    else if (!isThere) session_->editor.edit("", "", [&](Document& document) { document = std::move(wanted); });
  }
  if (line.find("advance")) compare();
}

/// Applies a recorded change or job result.
void Replay::applyEffect(const Json& json) {
  const JsonValue effect(json);
  Session& session = *session_;
  const auto isSet = [&](const char* name) {
    const auto value = effect.find(name);
    return value && value->boolean();
  };
  if (const auto delta = json.find("document"); delta != json.end()) {
    const Document now = after(session.document(), *delta);
    const auto label = effect.find("label");
    const auto gesture = effect.find("gesture");
    const std::string name = label ? label->text() : "";
    const auto figure = session.document().figure;
    if (isSet("idle")) session.solving.cancel();
    if (isSet("opens")) {
      takeOver(session, now, effect.at("file").text(), name, isSet("saved"));
      if (isSet("forgets")) session.editor.forgetHistory();
    } else if (label) {
      session.editor.endGesture();
      session.editor.edit(name, gesture ? gesture->text() : "", [&](Document& document) { document = now; });
    } else {
      session.editor.touch() = now;
    }
    setTo(now);
    if (session.document().figure != figure && !isSet("opens")) forgetLinks(session);
    if (isSet("baked")) session.playing.noteBaked(session.document());
  }
  if (const auto state = effect.find("state")) setState(session, *state);
}

Document Replay::after(const Document& before, const Json& delta) {
  Document document = io::applySceneDelta(before, delta);
  if (document.figure != before.figure) findSkin(document);
  return document;
}

void Replay::compare() {
  if (isTorn_ && !came_.pose) return;  // the result of the last frame was not recorded
  if (came_.pose) {
    ++report_.poses;
    expected_ = std::strtoull(came_.pose->c_str(), nullptr, 16);
  }
  if (hashOf(session_->document().pose) == expected_) return;
  ++report_.differing;
  if (!report_.first)
    report_.first = {report_.frames, came_.pose ? came_.poseLine : line_.number, session_->ui.now - started_};
}

}  // namespace limber::app
