// SPDX-License-Identifier: MIT
#include "app/commands/serve_protocol.h"

#include <chrono>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "app/commands/ways_json.h"
#include "limber/io/json/pose_json.h"
#include "limber/posing/all_ways.h"
#include "limber/version.h"

namespace limber::app {

namespace {

using ServeClock = std::chrono::steady_clock;

constexpr int kServeSlice = 100;        // iterations between two checks of the clock and of Ctrl+C ...
constexpr int kServeShortSlice = 10;    // ... if the time is limited
constexpr double kMostServeMs = 3.6e6;  // an hour
constexpr std::size_t kMaxServeNameBytes = 256;

/// Copies the request's members except those of the protocol: the rest are keys of a problem.
io::Json problemKeysOf(const io::JsonValue& request, std::initializer_list<std::string_view> others) {
  io::Json keys = request.json();
  for (const std::string_view other : others) keys.erase(std::string(other));
  return keys;
}

/// The figure's file with only its groups, which goals may name; null for none.
std::shared_ptr<const SourceFile> groupsAlone(const std::shared_ptr<const SourceFile>& source) {
  if (!source || source->groups.empty()) return nullptr;
  auto kept = std::make_shared<SourceFile>();
  kept->groups = source->groups;
  return kept;
}

std::string answerLine(const io::OrderedJson& answer) { return io::compactJson(answer) + "\n"; }

std::string faultLine(const io::Json& id, const std::string& place, const std::string& cause) {
  return answerLine({{"id", id}, {"error", place.empty() ? cause : place + ": " + cause}});
}

/// Removes the line number, because a request is one line: "line 1, column 7" becomes "column 7".
std::string placeInLine(const std::string& place) {
  constexpr std::string_view kFirst = "line 1, ";
  return place.starts_with(kFirst) ? place.substr(kFirst.size()) : place;
}

/// Null if the line has no valid id.
io::Json idOf(const io::Json& request) {
  if (!request.is_object()) return nullptr;
  const auto id = request.find("id");
  if (id == request.end()) return nullptr;
  const bool isShortText = id->is_string() && id->get_ref<const std::string&>().size() <= kMaxServeIdBytes;
  return id->is_number() || isShortText ? *id : io::Json(nullptr);
}

void checkId(const io::JsonValue& request) {
  const auto id = request.find("id");
  if (id && !id->isNull() && idOf(request.json()).is_null())
    id->fail("must be a number, or text of at most " + std::to_string(kMaxServeIdBytes) + " bytes");
}

const std::string& requestName(const io::JsonValue& value) {
  const std::string& name = value.name();
  if (name.size() > kMaxServeNameBytes) value.fail("is longer than " + std::to_string(kMaxServeNameBytes) + " bytes");
  return name;
}

void greet(const io::JsonValue& request, const ServeLimits& limits, io::OrderedJson& answer) {
  request.allowOnly("id hello");
  const io::JsonValue version = request.at("hello");
  if (version.integerIn(0, std::numeric_limits<int>::max()) != kServeVersion)
    version.fail("this is version " + std::to_string(kServeVersion) + " of the protocol");
  answer["hello"] = kServeVersion;
  answer["limber"] = LIMBER_VERSION;
  answer["limits"] = {{"line_bytes", kMaxServeLineBytes}, {"figures", limits.figures}};
}

/// Solves until the solve ends, the time is used up, or the program must exit.
const PosingReport& solveWithin(Posing& posing, Document& document, const PosingRequest& request,
                                std::optional<double> milliseconds) {
  const auto begin = ServeClock::now();
  const auto isOver = [&] {
    const std::chrono::duration<double, std::milli> passed = ServeClock::now() - begin;
    return interrupted != 0 || (milliseconds && passed.count() >= *milliseconds);
  };
  if (posing.start(document, request))
    while (!posing.advance(document, milliseconds ? kServeShortSlice : kServeSlice) && !isOver()) {
    }
  return posing.report();
}

}  // namespace

void LineSplitter::look() {
  const std::size_t end = bytes_.find('\n', looked_);
  isComplete_ = end != std::string::npos;
  looked_ = isComplete_ ? end : bytes_.size();
  if (looked_ - begin_ > kMaxServeLineBytes) {
    isTooLong_ = true;
    bytes_.erase(0, looked_);
    bytes_.shrink_to_fit();
    begin_ = looked_ = 0;
  }
}

void LineSplitter::add(std::string_view bytes) {
  if (begin_ > 0 && begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = looked_ = 0;
  }
  bytes_ += bytes;
  if (!isComplete_) look();
}

void LineSplitter::end() { isDone_ = !isComplete_ && (isTooLong_ || begin_ < bytes_.size()); }

bool LineSplitter::take(std::string& line) {
  const bool isWhole = !std::exchange(isTooLong_, false);
  line.assign(bytes_, begin_, isWhole ? looked_ - begin_ : 0);
  if (std::exchange(isDone_, false)) {
    bytes_.clear();
    begin_ = looked_ = 0;
    return isWhole;
  }
  begin_ = ++looked_;
  isComplete_ = false;
  if (begin_ > bytes_.size() / 2) {  // keep at most half of the bytes that were taken
    bytes_.erase(0, begin_);
    begin_ = looked_ = 0;
  }
  look();
  return isWhole;
}

ServeSession::~ServeSession() { limits_.openFigures -= figures_.size(); }

std::string ServeSession::answerTooLong() {
  return faultLine(nullptr, "", "the line is longer than " + std::to_string(kMaxServeLineBytes >> 20) + " MB");
}

std::string ServeSession::answerIdle() {
  return faultLine(nullptr, "", "disconnected: other clients wait, and this one has been idle for longest");
}

void ServeSession::answer(std::string_view line, const std::function<void(std::string&&)>& give) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  io::Json request, id;
  io::OrderedJson answer;
  std::string text;
  try {
    request = io::parseJson(line);
    id = idOf(request);
    answer = {{"id", id}};
    carryOut(io::JsonValue(request), answer);
    text = answerLine(answer);
  } catch (const io::JsonFault& fault) {
    text = faultLine(id, placeInLine(fault.place), fault.cause);
  } catch (const std::bad_alloc&) {
    request = nullptr;  // frees memory for the message
    answer = nullptr;
    text = faultLine(id, "", "there is not enough memory for this");
  } catch (const std::exception& fault) {
    text = faultLine(id, "", fault.what());
  }
  give(std::move(text));
}

void ServeSession::carryOut(const io::JsonValue& request, io::OrderedJson& answer) {
  if (!request.isObject()) request.fail("must be an object");
  checkId(request);
  const char* asked = nullptr;
  for (const char* verb : {"hello", "open", "solve", "close"})
    if (const auto found = request.find(verb)) {
      if (asked) found->fail("cannot stand in one request with " + io::inQuotes(asked));
      asked = verb;
    }
  if (!asked) request.fail(R"(must hold "hello", "open", "solve" or "close")");
  const std::string_view verb = asked;
  if (verb == "hello") return greet(request, limits_, answer);
  if (verb == "open") return open(request, answer);
  return verb == "solve" ? solve(request, answer) : close(request, answer);
}

void ServeSession::open(const io::JsonValue& request, io::OrderedJson& answer) {
  const io::JsonValue name = request.at("open");
  const std::string& text = requestName(name);
  if (figures_.contains(text)) name.fail(io::inQuotes(text) + " is open already");
  if (limits_.openFigures >= limits_.figures)
    name.fail(std::to_string(limits_.openFigures) + " figures are open, which is the limit (--figures)");
  io::Json keys = problemKeysOf(request, {"id", "open"});
  if (!keys.contains("goals")) keys["goals"] = io::Json::array();
  auto problem = io::openProblemFromJson(io::JsonValue(keys), {}, limits_.context);
  if (!problem) throw io::JsonFault{"figure", problem.error().message()};
  Document& document = problem->document;  // a solve needs neither its skin nor its motion
  document.skin = nullptr;
  document.source = groupsAlone(document.source);
  document.motion = nullptr;
  document.clips.clear();
  answer["open"] = text;
  answer["figure"] = document.figure->name();
  answer["notes"] = problem->notes;
  answer["pose"] = io::poseToJson(*document.figure, document.pose);
  figures_.try_emplace(text).first->second.problem = std::move(*problem);
  ++limits_.openFigures;
}

ServeSession::Figure& ServeSession::find(const io::JsonValue& name) {
  const auto found = figures_.find(name.text());
  if (found == figures_.end()) name.fail(std::string("no figure ") + io::inQuotes(name.text()) + " is open");
  return found->second;
}

void ServeSession::solve(const io::JsonValue& request, io::OrderedJson& answer) {
  Figure& figure = find(request.at("solve"));
  for (const char* key : {"figure", "base", "frame"})
    if (const auto found = request.find(key)) found->fail("belongs to the line that opens the figure");
  request.allowOnly("id solve search milliseconds all clear windings", io::kChangeableKeys);
  if (const auto all = request.find("all"); all && all->boolean()) return solveAll(request, figure, answer);
  for (const char* key : {"clear", "windings"})
    if (const auto found = request.find(key)) found->fail(R"(needs "all": true)");
  const auto search = request.find("search"), time = request.find("milliseconds");
  const bool searches = search && search->boolean();
  const auto milliseconds = time ? std::optional(time->numberIn(0.0, kMostServeMs)) : std::nullopt;
  figure.changed = figure.problem;
  figure.changed.change(request);
  const bool goesOn = std::exchange(figure.isWarm, false) && !searches && !request.find("start");
  Document& document = figure.changed.document;
  const PosingRequest asked{.searches = searches, .followsLast = goesOn, .leadingLink = leadingLink(document)};
  const PosingReport* report = nullptr;
  try {
    report = &solveWithin(*figure.posing, document, asked, milliseconds);
  } catch (...) {
    figure.posing = std::make_unique<Posing>();  // its state may be invalid
    throw;
  }
  if (report->outcome == Outcome::BadInput)
    request.fail(report->sentence.empty() ? "the objective is not finite" : report->sentence);
  answer["solve"] = request.at("solve").text();
  addSolveReport(document, *report, answer);
  std::swap(figure.problem, figure.changed);
  figure.isWarm = !searches;
}

/// Lists all poses of an arm after the changes of the request. The pose stays.
void ServeSession::solveAll(const io::JsonValue& request, Figure& figure, io::OrderedJson& answer) {
  for (const char* key : {"search", "milliseconds"})
    if (const auto found = request.find(key)) found->fail(R"(has no effect with "all": true)");
  const auto isOn = [&](const char* key) {
    const auto found = request.find(key);
    return found && found->boolean();
  };
  figure.changed = figure.problem;
  figure.changed.change(request);
  const Document& document = figure.changed.document;
  const AllWays all = allWaysOf(document, {.leavesOutColliding = isOn("clear"), .listsWindings = isOn("windings")});
  if (!all.fault.empty()) request.fail(all.fault);
  answer["solve"] = request.at("solve").text();
  answer.update(allWaysJson(document, all));
  std::swap(figure.problem, figure.changed);
  figure.isWarm = figure.isWarm && !request.find("start");
}

void ServeSession::close(const io::JsonValue& request, io::OrderedJson& answer) {
  request.allowOnly("id close");
  const std::string name = request.at("close").text();
  find(request.at("close"));
  figures_.erase(name);
  --limits_.openFigures;
  answer["close"] = name;
}

}  // namespace limber::app
