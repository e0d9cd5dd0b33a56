// SPDX-License-Identifier: MIT
// A recording is repeated bit for bit; differences are found; damage is reported.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/recording/recorded_json.h"
#include "app/recording/recorder.h"
#include "app/recording/replay.h"
#include "app/session/documents.h"
#include "fuzz/mutation.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/io/json/scene_json.h"
#include "random_user.h"
#include "standing_figure.h"
#include "support/temporary_folder.h"

namespace limber::app::recording_test {
namespace {

namespace fs = std::filesystem;

class Recording : public test::TemporaryFolder {
 protected:
  fs::path log() const { return folder_ / "log.jsonl"; }

  std::unique_ptr<Session> start(Document document) {
    auto session = std::make_unique<Session>(std::move(document), Settings{}, Solving::Print());
    session->picture.area = {200, 30, 800, 600};
    session->ui.now = 1000.0;
    std::string fault;
    EXPECT_TRUE(Recorder::start(*session, log(), fault)) << fault;
    frame(*session);
    return session;
  }
  static void end(Session& session) {
    ASSERT_TRUE(session.outside.witness) << session.ui.message.text;
    EXPECT_EQ(session.outside.witness->fault(), "");
    session.outside.witness->stop(session);
  }
  /// Replays, and checks that every pose is as recorded.
  void expectSame(const Session& recorded) const {
    auto replay = Replay::open(log());
    ASSERT_TRUE(replay) << replay.error().message();
    (*replay)->run();
    const ReplayReport& report = (*replay)->report();
    EXPECT_EQ(report.fault, "");
    EXPECT_TRUE(report.isClosed);
    EXPECT_TRUE(report.isSameBuild);
    EXPECT_GT(report.poses, 0);
    if (report.first) ADD_FAILURE() << "line " << report.first->line << ", frame " << report.first->frame;
    EXPECT_EQ(hashOf((*replay)->session().document().pose), hashOf(recorded.document().pose));
    const auto wanted = io::formatScene(recorded.document()), got = io::formatScene((*replay)->session().document());
    ASSERT_TRUE(wanted && got);
    EXPECT_EQ(*got, *wanted) << "all else of the document, too";
  }
  std::vector<std::string> lines() const {
    std::ifstream file(log());
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  void writeLines(const std::vector<std::string>& all) const {
    std::ofstream file(log());
    for (const std::string& line : all) file << line << '\n';
  }
  ReplayReport replayed() const {
    auto replay = Replay::open(log());
    EXPECT_TRUE(replay);
    if (!replay) return {};
    (*replay)->run();
    return (*replay)->report();
  }
};

/// On the first of the links from this one on that has a capsule.
Eigen::Vector2d pixelOf(const Session& session, int link) {
  const Figure& figure = *session.document().figure;
  while (figure.link(link).capsules.empty()) link = (link + 1) % figure.linkCount();
  const Capsule& capsule = figure.link(link).capsules[0];
  const Eigen::Vector3d point = 0.5 * (capsule.start + capsule.end);
  const auto pixel = render::projectToPixel(
      session.picture.view(), session.picture.kinematics.worldFromLink[static_cast<std::size_t>(link)] * point);
  EXPECT_TRUE(pixel);
  return pixel.value_or(Eigen::Vector2d(400.0, 300.0));
}

/// Drags a link, and switches the solver in the middle of it.
void dragLink(Session& session, int link, const Eigen::Vector2d& by, const char* solver = nullptr) {
  const Eigen::Vector2d from = pixelOf(session, link);
  session.pointer.isInside = true;
  handleEvent(session, CursorMove{from.x(), from.y(), {}});
  frame(session);
  handleEvent(session, ButtonChange{Button::Left, true, {}, from.x(), from.y()});
  for (int i = 1; i <= 12; ++i) {
    const Eigen::Vector2d at = from + by * (i / 12.0);
    handleEvent(session, CursorMove{at.x(), at.y(), {}});
    frame(session);
    if (i != 6 || !solver) continue;
    CommandQueue queue;
    queue.edit("solver", "", AfterEdit::Solve, [=](Document& d) { d.solver.solver = solver; });
    carryOut(session, queue);
  }
  handleEvent(session, ButtonChange{Button::Left, false, {}, from.x() + by.x(), from.y() + by.y()});
  settle(session);
}

TEST_F(Recording, DragsEditsUndoPlayAndOpenedFilesAreTheSameAgain) {
  auto session = start(*io::readScene(*io::findResource("scenes/reach_under_a_table.limber")));
  const Figure& figure = *session->document().figure;
  dragLink(*session, figure.findLink("left_hand") >= 0 ? figure.findLink("left_hand") : figure.linkCount() - 1,
           {80, -60}, "variable-metric");
  dragLink(*session, 2, {-40, 30});
  for (int i = 0; i < 5; ++i) {  // a slider
    CommandQueue queue;
    queue.edit("weight", "widget 1", AfterEdit::Solve, [=](Document& d) { d.solver.restWeight = 0.1 * i; });
    carryOut(*session, queue);
    frame(*session);
  }
  endWidgetGesture(*session);
  settle(*session);
  perform(*session, Command::Undo);
  frame(*session);
  perform(*session, Command::Redo);
  frame(*session);
  perform(*session, Command::GoToStep, 0);
  frame(*session);
  session->playing.loop = false;
  perform(*session, Command::PlayOrPause);
  for (int i = 0; i < 40; ++i) frame(*session);
  perform(*session, Command::PlayOrPause);
  settle(*session);
  perform(*session, Command::Open, *io::findResource("scenes/six_links_two_goals.limber"));
  frame(*session);
  session->services.job.wait(60.0);
  settle(*session);
  dragLink(*session, 3, {30, 30}, "gdls");
  perform(*session, Command::Nudge);
  frame(*session);
  perform(*session, Command::CreateFigure, NewFigure{NewFigure::Kind::Humanoid, 0});
  settle(*session);
  dragLink(*session, session->document().figure->linkCount() - 1, {50, -20});
  session->outside.clipboard.read = [] { return R"({"head": [0.1, 0, 0, 0.99498743710662]})"; };
  perform(*session, Command::PastePose);
  settle(*session);
  end(*session);
  expectSame(*session);
}

class RecordingOfAnything : public Recording, public testing::WithParamInterface<unsigned> {};

TEST_P(RecordingOfAnything, IsTheSameAgain) {
  auto session = start(makeDocument(makeStandingFigure()));
  RandomUser user(
      *session, GetParam(),
      {*io::findResource("scenes/six_links_two_goals.limber"), *io::findResource("scenes/carry_a_cup.limber")});
  for (int i = 0; i < 80; ++i) {
    user.act();
    if (user.below(5) == 0) perform(*session, Command::Undo);
    if (user.below(8) == 0) perform(*session, Command::Redo);
    frame(*session);
  }
  end(*session);
  expectSame(*session);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RecordingOfAnything, testing::Values(1u, 2u, 3u, 4u, 168u));

TEST_F(Recording, BegunInTheMiddleItKnowsTheStepsBefore) {
  Session session(makeDocument(makeStandingFigure()), {}, {});
  session.picture.area = {0, 0, 800, 600};
  frame(session);
  dragLink(session, 3, {40, 10});
  dragLink(session, 6, {10, -30});
  perform(session, Command::Undo);
  std::string fault;
  ASSERT_TRUE(Recorder::start(session, log(), fault)) << fault;
  frame(session);
  dragLink(session, 4, {30, 0});
  for (const Command action :
       {Command::Undo, Command::Undo, Command::Redo, Command::Redo, Command::Undo, Command::Undo}) {
    perform(session, action);
    frame(session);
  }
  dragLink(session, 5, {-30, 0});
  end(session);
  expectSame(session);
}

TEST_F(Recording, AChangedBitIsFoundWhereItIs) {
  auto session = start(makeDocument(makeStandingFigure()));
  dragLink(*session, 3, {40, 10});
  end(*session);
  std::vector<std::string> all = lines();
  std::vector<std::size_t> poses;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].starts_with("{\"pose\"")) poses.push_back(i);
  ASSERT_GT(poses.size(), 5u);
  EXPECT_FALSE(replayed().first);

  // Another pose than was reached.
  std::vector<std::string> changed = all;
  std::string& pose = changed[poses[3]];
  pose[12] = pose[12] == '0' ? '1' : '0';
  writeLines(changed);
  ASSERT_TRUE(replayed().first);
  EXPECT_EQ(replayed().first->line, static_cast<int>(poses[3]) + 1);
  EXPECT_EQ(replayed().differing, 1);

  // The last bit of where the mouse was.
  changed = all;
  for (std::string& line : changed)
    if (const std::size_t x = line.find("\"x\":");
        line.find("\"move\"") != std::string::npos && x != std::string::npos) {
      const double was = std::stod(line.substr(x + 4));
      nlohmann::json event = nlohmann::json::parse(line);
      event["event"]["x"] = std::nextafter(was, 1e9);
      if (&line - changed.data() > 30) {
        line = event.dump();
        break;
      }
    }
  ASSERT_NE(changed, all);
  writeLines(changed);
  EXPECT_TRUE(replayed().first);
}

TEST_F(Recording, ARecordingThatWasCutOffIsFollowedAsFarAsItGoes) {
  auto session = start(makeDocument(makeStandingFigure()));
  dragLink(*session, 3, {40, 10});
  end(*session);
  const std::vector<std::string> all = lines();
  for (std::size_t count = 1; count < all.size(); count += 7) {
    writeLines({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)});
    const ReplayReport report = replayed();
    EXPECT_EQ(report.fault, "");
    EXPECT_FALSE(report.isClosed);
    EXPECT_FALSE(report.first) << "cut after line " << count;
  }
  std::ofstream(log(), std::ios::app) << all[all.size() / 2].substr(0, 9);
  const ReplayReport torn = replayed();
  EXPECT_NE(torn.fault.find("is not whole"), std::string::npos) << torn.fault;
  EXPECT_GT(torn.frames, 0);
  EXPECT_FALSE(torn.first);
}

TEST_F(Recording, ABrokenLineIsNamed) {
  auto session = start(makeDocument(makePlanarChain(3)));
  settle(*session);
  end(*session);
  std::vector<std::string> all = lines();
  for (const char* broken : {"{\"event\":{\"kind\":\"sneeze\"}}", "nonsense", "{\"action\":\"Sneeze\"}", "[]", "{}",
                             "{\"now\":-3}", "{\"command\":\"Sneeze\"}", "{\"command\":\"Edit\"}",
                             "{\"action\":\"Plant\"}", "{\"command\":\"ScrubTo\",\"with\":0.5}",
                             "{\"request\":{\"sneeze\":true}}", "{\"state\":{\"picture\":[1,2]}}", "{\"edit\":{}}"}) {
    std::vector<std::string> changed = all;
    changed.insert(changed.begin() + 3, broken);
    writeLines(changed);
    EXPECT_EQ(replayed().fault.find("line 4"), 0u) << broken << ": " << replayed().fault;
  }
}

TEST_F(Recording, NoBrokenRecordingCrashes) {
  auto session = start(makeDocument(makeStandingFigure()));
  RandomUser user(*session, 9);
  for (int i = 0; i < 12; ++i) user.act();
  end(*session);
  const auto whole = io::readFile(log());
  ASSERT_TRUE(whole);
  constexpr int kBroken = 40;
  int followed = 0;
  for (std::uint32_t seed = 0; seed < kBroken; ++seed) {
    test::Mutation mutate(seed);
    std::ofstream(log(), std::ios::binary) << mutate(*whole);
    auto replay = Replay::open(log());
    if (!replay) {
      EXPECT_NE(replay.error().cause, "");
      continue;
    }
    (*replay)->run();
    followed += (*replay)->report().frames > 10;
  }
  EXPECT_GT(followed, kBroken / 5) << "many are followed far";
}

TEST_F(Recording, SaysNothingOfOtherFiles) {
  Session session(makeDocument(makePlanarChain(3)), {}, {});
  session.settings.recentFiles = {"/home/me/secret.limber"};
  session.settings.lastFolder = "/home/me/private";
  std::string fault;
  ASSERT_TRUE(Recorder::start(session, log(), fault));
  frame(session);
  end(session);
  const auto text = io::readFile(log());
  EXPECT_EQ(text->find("secret"), std::string::npos);
  EXPECT_EQ(text->find("private"), std::string::npos);
}

TEST_F(Recording, EveryEventComesBack) {
  const InputEvent events[] = {KeyPress{Key::Letter, 'z', {.control = true}, true},
                               KeyPress{Key::F1, 0, {}, false},
                               Typed{U'\u00e9'},
                               ButtonChange{Button::Right, true, {.shift = true, .alt = true}, 0.1, 1.0 / 3.0},
                               CursorMove{-3.25, 7.0, {}},
                               WheelTurn{-1.5, 2.0, 3.0},
                               FilesDropped{{"/a b", "/c"}},
                               FocusLost{}};
  for (const InputEvent& event : events) {
    const std::string text = eventToJson(event).dump();
    const nlohmann::json json = nlohmann::json::parse(text);
    EXPECT_EQ(eventToJson(eventFromJson(io::JsonValue(json))).dump(), text);
  }
  EXPECT_EQ(eventToJson(events[3]).dump(),
            R"({"kind":"button","button":"Right","down":true,"held":"sa","x":0.1,"y":0.3333333333333333})");
}

std::optional<CommandCall> commandIn(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  return commandFromJson(io::JsonValue(json));
}

TEST_F(Recording, EveryCommandComesBack) {
  int count = 0;
  for (const CommandInfo& info : allCommands()) {
    if (info.has(kEffectOnly) || info.command == Command::Edit) continue;
    const std::string text = commandToJson({info.command, info.run.noArgument()}).dump();
    const auto read = commandIn(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->command, info.command) << text;
    EXPECT_EQ(read->argument.index(), info.run.noArgument().index()) << text;
    EXPECT_EQ(commandToJson(*read).dump(), text);
    ++count;
  }
  EXPECT_GT(count, 100);
  const CommandCall calls[] = {{Command::Select, Selection{3, 2, -1, {1, 3}}},
                               {Command::Plant, GoalType::Distance},
                               {Command::GoToStep, 7},
                               {Command::Open, std::filesystem::path("/a b/c.limber")},
                               {Command::Open},
                               {Command::UseReference, ReferenceWish::NextDepth},
                               {Command::Bake, BakeAs::Keys},
                               {Command::ScrubTo, Scrub{0.1 + 0.2, "widget 7"}}};
  for (const CommandCall& call : calls) {
    const std::string text = commandToJson(call).dump();
    EXPECT_EQ(commandToJson(*commandIn(text)).dump(), text);
  }
  EXPECT_EQ(commandToJson(calls[7]).dump(), R"({"command":"ScrubTo","with":[0.30000000000000004,"widget 7"]})");
}

/// Older recordings had a playback of motions with a loop of its own.
TEST_F(Recording, AMotionThatPlaysInAnOlderRecordingIsTheSame) {
  const auto figure = makeBallChain(3);
  auto motion = std::make_shared<Motion>();
  for (int frame = 0; frame < 20; ++frame) {
    Pose pose = restPose(*figure);
    setJointRotation(*figure, 1, exponential({0.05 * frame, 0.0, 0.1}), pose);
    motion->append(pose);
  }
  auto session = start(makeDocument(figure, motion));
  session->playing.start(session->document(), session->ui.now);  // as the button of the panel did, which was no command
  for (int i = 0; i < 90; ++i) frame(*session);
  session->playing.stop();
  frame(*session);
  end(*session);
  std::vector<std::string> all = lines();
  int states = 0;
  for (std::string& line : all) {
    auto json = nlohmann::ordered_json::parse(line);
    if (!json.contains("state") || !json["state"].contains("clock")) continue;
    json["state"]["playback"] = json["state"]["clock"];
    json["state"]["playback"]["loops"] = true;
    json["state"].erase("clock");
    line = json.dump();
    ++states;
  }
  EXPECT_GE(states, 3) << "still, playing, still";
  writeLines(all);
  expectSame(*session);
}

TEST_F(Recording, LinesOfOlderRecordingsAreRead) {
  for (const auto& [old, now] : {
           std::pair{R"({"action":"Undo"})", R"({"command":"Undo"})"},
           std::pair{R"({"action":"SelectTool"})", R"({"command":"SelectTool"})"},
           std::pair{R"({"action":"Open"})", R"({"command":"Open"})"},
           std::pair{R"({"request":{"select":[3,-1,-1,1,3]}})", R"({"command":"Select","with":[3,-1,-1,1,3]})"},
           std::pair{R"({"request":{"plant":"Distance"}})", R"({"command":"Plant","with":"Distance"})"},
           std::pair{R"({"request":{"go_to_step":4}})", R"({"command":"GoToStep","with":4})"},
           std::pair{R"({"request":{"open":"/a.bvh"}})", R"({"command":"Open","with":"/a.bvh"})"},
           std::pair{R"({"request":{"load_motion":"/a.bvh"}})", R"({"command":"LoadMotion","with":"/a.bvh"})"},
           std::pair{R"({"request":{"observe":"/a.trc"}})", R"({"command":"OpenObservations","with":"/a.trc"})"},
           std::pair{R"({"request":{"prop":"/a.obj"}})", R"({"command":"AddProp","with":"/a.obj"})"},
           std::pair{R"({"request":{"reference":"/a.png"}})", R"({"command":"OpenReference","with":"/a.png"})"},
           std::pair{R"({"request":{"on_reference":"Mark"}})", R"({"command":"UseReference","with":"Mark"})"},
           std::pair{R"({"request":{"fit":true}})", R"({"command":"Fit"})"},
           std::pair{R"({"request":{"scrub_to":0.5}})", R"({"command":"ScrubTo","with":[0.5,""]})"},
           std::pair{R"({"request":{"scrub_to":0.5,"scrub_gesture":"widget 7"}})",
                     R"({"command":"ScrubTo","with":[0.5,"widget 7"]})"},
           std::pair{R"({"request":{"bake":"Keys"}})", R"({"command":"Bake","with":"Keys"})"},
           std::pair{R"({"request":{"pause_timeline":true}})", R"({"command":"PauseTimeline"})"},
           std::pair{R"({"request":{"cancel_global":true}})", R"({"command":"CancelGlobal"})"},
           std::pair{R"({"request":{"cancel_workspace":true}})", R"({"command":"CancelWorkspace"})"},
           std::pair{R"({"request":{"forget_workspace":true}})", R"({"command":"ForgetWorkspace"})"},
           std::pair{R"({"request":{"cancel_job":true}})", R"({"command":"CancelJob"})"},
           std::pair{R"({"request":{"cancel_drawing":true}})", R"({"command":"CancelDrawing"})"},
       }) {
    const auto call = commandIn(old);
    ASSERT_TRUE(call) << old;
    EXPECT_EQ(commandToJson(*call).dump(), now);
  }
}

TEST_F(Recording, AReplayPerformsNothingThatWritesFiles) {
  auto session = start(makeDocument(makePlanarChain(3)));
  settle(*session);
  end(*session);
  const std::vector<std::string> all = lines();
  const std::string file = (folder_ / "written").string();
  for (const CommandInfo& info : allCommands()) {
    if (!info.takesFile() || !info.has(kEffectOnly)) continue;
    const std::string name = nlohmann::json::parse(commandToJson({info.command}).dump())["command"];
    for (const std::string& line :
         {R"({"command":")" + name + R"(","with":")" + file + "\"}", R"({"action":")" + name + "\"}"}) {
      std::vector<std::string> changed = all;
      changed.insert(changed.begin() + 3, line);
      writeLines(changed);
      const std::string fault = replayed().fault;
      EXPECT_EQ(fault.starts_with("line 4"), line.starts_with("{\"command")) << line << ": " << fault;
      EXPECT_FALSE(fs::exists(file)) << line;
    }
  }
}

}  // namespace
}  // namespace limber::app::recording_test
