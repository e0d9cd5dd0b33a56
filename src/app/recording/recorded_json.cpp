// SPDX-License-Identifier: MIT
#include "app/recording/recorded_json.h"

#include <bit>
#include <cmath>
#include <type_traits>

#include "app/session/session.h"
#include "app/settings/enumerators.h"
#include "limber/io/base/file.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

using io::JsonValue;
using io::OrderedJson;

constexpr double kMostPixels = 1e5, kMostNumber = 1e9;
constexpr int kMostCount = 1'000'000'000;

// The table of events: for each kind its fields with their names, and the name of the kind. The structured bindings do
// not compile when a field is missing. A field with its default value is not written.
template <typename Visit>
const char* fields(KeyPress& event, Visit v) {
  auto& [key, letter, held, repeats] = event;
  return v("key", key), v("letter", letter), v("held", held), v("repeats", repeats), "press";
}
template <typename Visit>
const char* fields(Typed& event, Visit v) {
  auto& [character, numpad] = event;
  return v("character", character), v("numpad", numpad), "type";
}
template <typename Visit>
const char* fields(ButtonChange& event, Visit v) {
  auto& [button, down, held, x, y] = event;
  return v("button", button), v("down", down), v("held", held), v("x", x), v("y", y), "button";
}
template <typename Visit>
const char* fields(CursorMove& event, Visit v) {
  auto& [x, y, held] = event;
  return v("x", x), v("y", y), v("held", held), "move";
}
template <typename Visit>
const char* fields(WheelTurn& event, Visit v) {
  auto& [steps, x, y, held, sideways] = event;
  return v("steps", steps), v("x", x), v("y", y), v("held", held), v("sideways", sideways), "wheel";
}
template <typename Visit>
const char* fields(FilesDropped& event, Visit v) {
  auto& [paths] = event;
  return v("paths", paths), "drop";
}
template <typename Visit>
const char* fields(FocusLost&, Visit) {
  return "leave";
}

/// The requests of older recordings.
constexpr std::pair<std::string_view, Command> kOldRequests[] = {
    {"select", Command::Select},
    {"plant", Command::Plant},
    {"go_to_step", Command::GoToStep},
    {"open", Command::Open},
    {"load_motion", Command::LoadMotion},
    {"observe", Command::OpenObservations},
    {"prop", Command::AddProp},
    {"reference", Command::OpenReference},
    {"on_reference", Command::UseReference},
    {"fit", Command::Fit},
    {"scrub_to", Command::ScrubTo},
    {"bake", Command::Bake},
    {"pause_timeline", Command::PauseTimeline},
    {"cancel_global", Command::CancelGlobal},
    {"cancel_workspace", Command::CancelWorkspace},
    {"forget_workspace", Command::ForgetWorkspace},
    {"cancel_job", Command::CancelJob},
    {"cancel_drawing", Command::CancelDrawing},
};

// Conversion of a field of each type to JSON and back. A number that is not finite counts as missing.
OrderedJson toField(bool value) { return value ? OrderedJson(true) : OrderedJson(); }
OrderedJson toField(double value) { return value != 0.0 && std::isfinite(value) ? OrderedJson(value) : OrderedJson(); }
OrderedJson toField(char value) { return value ? OrderedJson(std::string(1, value)) : OrderedJson(); }
OrderedJson toField(char32_t value) { return static_cast<std::uint32_t>(value); }
OrderedJson toField(int value) { return value; }
OrderedJson toField(const std::string& value) { return value.empty() ? OrderedJson() : OrderedJson(value); }
OrderedJson toField(const std::filesystem::path& value) { return value.string(); }
OrderedJson toField(const std::vector<std::string>& value) { return value; }
OrderedJson toField(const Modifiers& value) {
  return toField(std::string(value.shift ? "s" : "") + (value.control ? "c" : "") + (value.alt ? "a" : ""));
}
OrderedJson toField(const Selection& value) {  // the main selection, then all links when there are several
  OrderedJson json = {value.joint, value.goal, value.obstacle};
  for (const int link : value.links) json.push_back(link);
  return json;
}
template <typename Enum>
requires std::is_enum_v<Enum> OrderedJson toField(Enum value) { return nameOf(value); }
OrderedJson toField(const Scrub& value) { return {value.time, value.gesture}; }

void fromField(const JsonValue& json, bool& value) { value = json.boolean(); }
void fromField(const JsonValue& json, double& value) { value = json.numberIn(-kMostPixels, kMostPixels); }
void fromField(const JsonValue& json, char& value) { value = json.name()[0]; }
void fromField(const JsonValue& json, char32_t& value) { value = static_cast<char32_t>(json.integerIn(0, 0x10FFFF)); }
void fromField(const JsonValue& json, int& value) { value = json.integerIn(0, kMostCount); }
void fromField(const JsonValue& json, std::string& value) { value = json.text(); }
void fromField(const JsonValue& json, std::filesystem::path& value) {
  if (json.text().find('\0') != std::string::npos) json.fail("is not the name of a file");
  value = json.text();
}
void fromField(const JsonValue& json, std::vector<std::string>& value) {
  for (const JsonValue& element : json.elements()) value.push_back(element.text());
}
void fromField(const JsonValue& json, Modifiers& value) {
  for (const char held : json.text()) (held == 's' ? value.shift : held == 'c' ? value.control : value.alt) = true;
}
void fromField(const JsonValue& json, Selection& value) {
  const std::vector<JsonValue> parts = json.elements();
  if (parts.size() < 3) json.fail("must hold 3 numbers or more");
  std::vector<int> links;
  for (std::size_t i = 3; i < parts.size(); ++i) links.push_back(parts[i].integerIn(0, kMostCount));
  value = selectionOf(std::move(links), parts[0].integerIn(-1, kMostCount));
  if (parts.size() > 3 && value.joint != parts[0].integerIn(0, kMostCount)) json.fail("must list the main link, too");
  value.joint = parts[0].integerIn(-1, kMostCount);
  value.goal = parts[1].integerIn(-1, kMostCount);
  value.obstacle = parts[2].integerIn(-1, kMostCount);
}
template <typename Enum>
requires std::is_enum_v<Enum>
void fromField(const JsonValue& json, Enum& value) {
  const auto named = enumeratorNamed<Enum>(json.text());
  if (!named) json.fail("is not known here: " + io::inQuotes(json.text()));
  value = *named;
}
void fromField(const JsonValue& json, Scrub& value) {
  const std::vector<JsonValue> parts = json.elements();
  if (parts.size() != 2) json.fail("must hold a time and a gesture");
  fromField(parts[0], value.time);
  fromField(parts[1], value.gesture);
}

/// Reads the argument. It is unchanged if commands with arguments of its type are recorded by their effect.
void readArgument(const JsonValue& json, Argument& argument) {
  std::visit(
      [&](auto& value) {
        if constexpr (requires { fromField(json, value); }) fromField(json, value);
      },
      argument);
}

CommandCall oldRequestFromJson(const JsonValue& request) {
  for (const auto& [name, command] : kOldRequests) {
    const auto value = request.find(name);
    if (!value) continue;
    CommandCall call{command, infoOf(command).run.noArgument()};
    if (auto* scrub = std::get_if<Scrub>(&call.argument)) {
      fromField(*value, scrub->time);
      if (const auto gesture = request.find("scrub_gesture")) scrub->gesture = gesture->text();
    } else {
      readArgument(*value, call.argument);
    }
    return call;
  }
  request.fail("is not known here");
}

/// Finds the alternative of the variant that has the name.
template <std::size_t I = 0>
InputEvent eventOf(const JsonValue& kind, const JsonValue& json) {
  if constexpr (I == std::variant_size_v<InputEvent>) {
    kind.fail("is no event: " + io::inQuotes(kind.text()));
  } else {
    std::variant_alternative_t<I, InputEvent> event{};
    if (kind.text() != fields(event, [](const char*, auto&) {})) return eventOf<I + 1>(kind, json);
    fields(event, [&](const char* name, auto& value) {
      if (const auto field = json.find(name)) fromField(*field, value);
    });
    return event;
  }
}

class Fnv {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3u;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

OrderedJson numbersToJson(std::initializer_list<double> numbers) {
  OrderedJson out = OrderedJson::array();
  for (const double number : numbers) out.push_back(io::toJson(number));
  return out;
}

std::optional<Playing::Run> runFromJson(const JsonValue& json, double now) {
  if (!json.at("plays").boolean()) return std::nullopt;
  return Playing::Run{json.at("from").integerIn(0, kMostCount), json.at("started").numberIn(0.0, now)};
}

/// Older recordings had a playback of motions with a loop of its own.
void setOldPlayback(Session& session, const JsonValue& json) {
  session.playing.setRun(runFromJson(json, session.ui.now));
  if (session.playing.isPlaying()) session.playing.loop = json.at("loops").boolean();
}

std::vector<double> numbersFromJson(const JsonValue& json, std::size_t count) {
  std::vector<double> numbers = json.numbers(count);
  for (const double number : numbers)
    if (!(std::abs(number) <= kMostNumber)) json.fail("is out of range");
  return numbers;
}

}  // namespace

OrderedJson eventToJson(const InputEvent& event) {
  return std::visit(
      [](auto copy) {
        OrderedJson json = OrderedJson::object();
        json["kind"] = fields(copy, [](const char*, auto&) {});
        fields(copy, [&](const char* name, auto& value) {
          if (OrderedJson field = toField(std::as_const(value)); !field.is_null()) json[name] = std::move(field);
        });
        return json;
      },
      event);
}

InputEvent eventFromJson(const JsonValue& json) { return eventOf(json.at("kind"), json); }

OrderedJson commandToJson(const CommandCall& call) {
  OrderedJson json;
  json["command"] = nameOf(call.command);
  std::visit(
      [&](const auto& value) {
        if constexpr (requires { toField(value); }) json["with"] = toField(value);
      },
      call.argument);
  return json;
}

std::optional<CommandCall> commandFromJson(const JsonValue& line) {
  if (const auto request = line.find("request")) return oldRequestFromJson(*request);
  auto name = line.find("command");
  if (!name) name = line.find("action");
  if (!name) return std::nullopt;
  CommandCall call;
  fromField(*name, call.command);
  const CommandInfo& info = infoOf(call.command);
  const auto argument = line.find("with");
  if (argument) readArgument(*argument, call.argument = info.run.noArgument());
  const bool asks = info.takesFile() && !argument;  // a question writes nothing
  const bool isWhole = asks || call.argument.index() == info.run.noArgument().index();
  if (!isWhole || (info.has(kEffectOnly) && !asks) || call.command == Command::Edit)
    name->fail("cannot be repeated like this: " + io::inQuotes(name->text()));
  return call;
}

OrderedJson stateToJson(const Session& session) {
  Settings settings = session.settings;  // without the user's private data
  settings.recentFiles.clear();
  settings.located.clear();
  settings.lastFolder.clear();
  settings.live = {};
  const Camera& camera = session.picture.camera;
  const Rectangle& picture = session.picture.area;
  const UiState& ui = session.ui;
  OrderedJson json;
  json["settings"] = settingsText(settings);
  json["picture"] = numbersToJson({picture.x, picture.y, picture.width, picture.height});
  json["scale"] = numbersToJson({session.picture.displayScale, session.picture.clickReach});
  json["camera"] =
      numbersToJson({camera.yaw, camera.pitch, camera.distance, camera.centre.x(), camera.centre.y(), camera.centre.z(),
                     camera.isOrthographic ? 1.0 : 0.0, camera.magnification, camera.shift.x(), camera.shift.y()});
  if (const LookThrough& through = camera.through; through.isOn)
    json["through"] = numbersToJson({through.zoom, through.shift.x(), through.shift.y()});
  json["shows_picture"] = ui.reference.isShown;
  json["moves_picture"] = ui.reference.movesCamera;
  json["gizmo"] = {nameOf(session.picture.gizmo.kind), session.picture.gizmo.isLocal};
  json["framed"] = session.editor.isSameDocument(session.picture.framed);
  json["inside"] = session.pointer.isInside;
  json["turns"] = {ui.joint.owner, ui.joint.coordinate};
  json["path"] = {ui.timeline.pathGoal, ui.timeline.pathPoint};
  const auto run = session.playing.run().value_or(Playing::Run());
  json["clock"] = {{"plays", session.playing.isPlaying()}, {"from", run.from}, {"started", io::toJson(run.started)}};
  json["loops"] = session.playing.loop;
  json["nudges"] = ui.nudgeSeed;
  json["planting"] = ui.planting.has_value();
  return json;
}

void setState(Session& session, const JsonValue& json) {
  UiState& ui = session.ui;
  if (const auto settings = json.find("settings")) {
    session.settings = parseSettings(settings->text());
    session.settings.visible.race = false;  // it costs time and changes no pose
  }
  if (const auto picture = json.find("picture")) {
    for (const double number : picture->numbers(4))
      if (!(number >= 0.0 && number <= kMostPixels)) picture->fail("is out of range");
    const std::vector<double> n = picture->numbers(4);
    session.picture.area = {n[0], n[1], n[2], n[3]};
  }
  if (const auto scale = json.find("scale")) {
    const std::vector<double> n = numbersFromJson(*scale, 2);
    if (!(n[0] >= 0.01 && n[0] <= 100.0)) scale->fail("is out of range");
    session.picture.displayScale = n[0];
    session.picture.clickReach = n[1];
  }
  if (const auto camera = json.find("camera")) {
    constexpr std::size_t kFirst = 7, kAll = 10;  // older recordings lack magnification and shift
    const std::vector<double> n = numbersFromJson(*camera, camera->elements().size() > kFirst ? kAll : kFirst);
    if (n.size() == kAll && !(n[7] >= 1e-3 && n[7] <= 1e3 && std::abs(n[8]) <= 1e3 && std::abs(n[9]) <= 1e3))
      camera->fail("is out of range");
    session.picture.camera.yaw = n[0];
    session.picture.camera.pitch = n[1];
    session.picture.camera.distance = n[2];
    session.picture.camera.centre = {n[3], n[4], n[5]};
    session.picture.camera.isOrthographic = n[6] != 0.0;
    recentre(session.picture.camera);
    if (n.size() == kAll) {
      session.picture.camera.magnification = n[7];
      session.picture.camera.shift = {n[8], n[9]};
    }
  }
  if (const auto through = json.find("through")) {
    const std::vector<double> n = numbersFromJson(*through, 3);
    if (!(n[0] >= 1e-3 && n[0] <= 1e3)) through->fail("is out of range");
    session.picture.camera.through = {.isOn = true, .zoom = n[0], .shift = {n[1], n[2]}};
  } else {
    session.picture.camera.through = {};
  }
  if (const auto shows = json.find("shows_picture")) ui.reference.isShown = shows->boolean();
  if (const auto moves = json.find("moves_picture")) ui.reference.movesCamera = moves->boolean();
  if (const auto gizmo = json.find("gizmo")) {
    if (gizmo->elements().size() != 2) gizmo->fail("must hold 2 values");
    fromField(gizmo->elements()[0], session.picture.gizmo.kind);
    session.picture.gizmo.isLocal = gizmo->elements()[1].boolean();
  }
  if (const auto framed = json.find("framed")) {
    if (!framed->boolean()) session.picture.framed = nullptr;
    else if (!session.editor.isSameDocument(session.picture.framed))
      session.picture.framed = session.document().figure.get();
  }
  if (const auto inside = json.find("inside")) session.pointer.isInside = inside->boolean();
  if (const auto turns = json.find("turns")) {
    const std::vector<double> n = turns->numbers(2);
    const int joint = static_cast<int>(n[0]), coordinate = static_cast<int>(n[1]);
    const Figure& figure = *session.document().figure;
    if (!(n[0] >= -1.0 && n[0] < figure.linkCount())) turns->fail("is out of range");
    if (joint >= 0 && !(n[1] >= 0.0 && n[1] <= std::max(0, stepSize(figure.joint(joint).type) - 1)))
      turns->fail("is out of range");
    ui.joint.owner = joint;
    ui.joint.coordinate = joint < 0 ? 0 : coordinate;
  }
  if (const auto path = json.find("path")) {
    if (path->elements().size() != 2) path->fail("must hold 2 numbers");
    ui.timeline.pathGoal = path->elements()[0].integerIn(-1, kMostCount);
    ui.timeline.pathPoint = path->elements()[1].integerIn(-1, kMostCount);
  }
  if (const auto loops = json.find("loops")) session.playing.loop = loops->boolean();
  if (const auto clock = json.find("clock")) session.playing.setRun(runFromJson(*clock, session.ui.now));
  if (const auto old = json.find("playback"); old && showsMotion(session.document())) setOldPlayback(session, *old);
  if (const auto nudges = json.find("nudges")) ui.nudgeSeed = static_cast<unsigned>(nudges->integerIn(0, kMostCount));
  if (const auto planting = json.find("planting"); planting && !planting->boolean()) ui.planting.reset();
}

std::uint64_t hashOf(const Pose& pose) {
  Fnv hash;
  for (const double coordinate : pose.coordinates) {
    const auto bits = std::bit_cast<std::uint64_t>(coordinate);
    hash.add(&bits, sizeof bits);
  }
  return hash.value();
}

std::string hashText(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string fileHash(const std::filesystem::path& path) {
  const auto bytes = io::readFile(path);
  if (!bytes) return {};
  Fnv hash;
  hash.add(bytes->data(), bytes->size());
  return hashText(hash.value());
}

std::string buildHash() {
  const std::string hash = fileHash("/proc/self/exe");
  return hash.empty() ? "unknown" : hash;
}

}  // namespace limber::app
