// SPDX-License-Identifier: MIT
// Unsaved work survives any end of the program, and work of a running Limber is not offered as lost.
#include "app/jobs/autosave.h"
#include "app/shell/frame_guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <thread>

#include "limber/io/base/file.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "settle.h"
#include "support/temporary_folder.h"

namespace limber::app::autosave_test {
namespace {

namespace fs = std::filesystem;

constexpr double kSoon = 0.1;  // seconds of the session

void setWeight(Session& session, double weight) {
  session.editor.edit("weight", "", [=](Document& d) { d.solver.targetWeight = weight; });
}

class AutosaveFolder : public test::TemporaryFolder {
 protected:
  fs::path parent() const { return folder_ / "autosave"; }

  std::unique_ptr<Session> start(int links = 3) {
    auto session = std::make_unique<Session>(makeDocument(makePlanarChain(links)), Settings{}, Solving::Print());
    session->picture.area = {0, 0, 400, 300};
    session->services.autosave.begin(parent(), kSoon);
    return session;
  }
  /// Frames for a second of the session, and all writing done.
  static void pass(Session& session) {
    for (int i = 0; i < 50; ++i) frame(session);
    EXPECT_TRUE(session.services.autosave.job().wait(60.0));
    frame(session);
  }
  std::vector<fs::path> scenes() const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(parent(), error))
      if (entry.is_regular_file() && entry.path().filename() != "lock") found.push_back(entry.path());
    return found;
  }
  /// A session whose process seems to have ended: its folder stays, its lock is released.
  void lose(double weight, const fs::path& file = {}) {
    auto session = start();
    if (!file.empty()) session->editor.markSaved(file);
    setWeight(*session, weight);
    pass(*session);
    ASSERT_FALSE(scenes().empty());
  }
};

TEST_F(AutosaveFolder, KeepsChangesInTimeAndTakesThemAwayWhenSaved) {
  auto session = start();
  pass(*session);
  EXPECT_TRUE(scenes().empty()) << "nothing is changed";
  setWeight(*session, 7.0);
  frame(*session);
  EXPECT_TRUE(scenes().empty()) << "not yet";
  ASSERT_TRUE(session->services.autosave.nextTime());
  EXPECT_NEAR(*session->services.autosave.nextTime(), session->ui.now + kSoon, 1e-9);
  ASSERT_TRUE(sleepTime(*session)) << "the window wakes for it";
  pass(*session);
  ASSERT_EQ(scenes().size(), 1u);
  const auto kept = io::readScene(scenes()[0]);
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(kept->solver.targetWeight, 7.0);
  EXPECT_FALSE(session->services.autosave.nextTime()) << "idle";

  setWeight(*session, 8.0);
  pass(*session);
  ASSERT_EQ(scenes().size(), 1u) << "one file a process";
  EXPECT_EQ(io::readScene(scenes()[0])->solver.targetWeight, 8.0);
  perform(*session, Command::SaveAs, folder_ / "saved.limber");
  pass(*session);
  EXPECT_TRUE(scenes().empty());
}

TEST_F(AutosaveFolder, ACleanEndLeavesNothing) {
  auto session = start();
  setWeight(*session, 7.0);
  pass(*session);
  ASSERT_EQ(scenes().size(), 1u);
  session->services.autosave.end();
  EXPECT_TRUE(fs::is_empty(parent()));
}

TEST_F(AutosaveFolder, UndoneIsNotChanged) {
  auto session = start();
  setWeight(*session, 7.0);
  pass(*session);
  perform(*session, Command::Undo);
  pass(*session);
  EXPECT_TRUE(scenes().empty());
}

TEST_F(AutosaveFolder, WhatAnotherDocumentTookThePlaceOfIsKept) {
  auto session = start();
  setWeight(*session, 7.0);
  perform(*session, Command::CreateFigure, NewFigure{NewFigure::Kind::BallChain, 3});
  pass(*session);
  ASSERT_EQ(scenes().size(), 1u);
  EXPECT_EQ(io::readScene(scenes()[0])->solver.targetWeight, 7.0);
  perform(*session, Command::Quit);
  EXPECT_TRUE(session->ui.askUnsaved);
  EXPECT_FALSE(session->ui.quit);
}

TEST_F(AutosaveFolder, LostWorkComesBackInOneStepUnsavedUnderItsName) {
  lose(7.0, folder_ / "mine.limber");
  auto session = start(5);
  session->services.autosave.lookForLost();
  pass(*session);
  ASSERT_EQ(session->services.autosave.lost().size(), 1u);
  EXPECT_TRUE(session->ui.askLost);
  EXPECT_EQ(session->services.autosave.lost()[0].file, folder_ / "mine.limber");
  perform(*session, Command::RecoverLost, 0);
  ASSERT_TRUE(session->services.job.wait(60.0));
  frame(*session);
  EXPECT_EQ(session->document().solver.targetWeight, 7.0);
  EXPECT_EQ(session->document().figure->linkCount(), 3);
  EXPECT_EQ(session->editor.file(), folder_ / "mine.limber");
  EXPECT_TRUE(session->editor.isChanged()) << "no file holds it";
  EXPECT_TRUE(session->services.autosave.lost().empty());
  pass(*session);
  ASSERT_EQ(scenes().size(), 1u) << "kept anew, and only then the old one is gone";
  EXPECT_EQ(io::readScene(scenes()[0])->solver.targetWeight, 7.0);
  perform(*session, Command::Undo);
  EXPECT_EQ(session->document().figure->linkCount(), 5);
}

TEST_F(AutosaveFolder, DiscardedIsGoneAndLaterIsOfferedAgain) {
  lose(7.0);
  lose(8.0);
  {
    auto session = start();
    session->services.autosave.lookForLost();
    pass(*session);
    ASSERT_EQ(session->services.autosave.lost().size(), 2u);
    perform(*session, Command::DiscardLost, 0);
    session->services.autosave.end();  // later
  }
  auto session = start();
  session->services.autosave.lookForLost();
  pass(*session);
  EXPECT_EQ(session->services.autosave.lost().size(), 1u);
}

TEST_F(AutosaveFolder, NobodyTakesWhatAnotherHolds) {
  auto living = start();
  setWeight(*living, 7.0);
  pass(*living);
  lose(8.0);
  ASSERT_EQ(scenes().size(), 2u);
  auto first = start(), second = start();
  first->services.autosave.lookForLost();
  pass(*first);
  ASSERT_EQ(first->services.autosave.lost().size(), 1u);
  EXPECT_EQ(io::readScene(first->services.autosave.lost()[0].folder->scene())->solver.targetWeight, 8.0);
  second->services.autosave.lookForLost();
  pass(*second);
  EXPECT_TRUE(second->services.autosave.lost().empty()) << "offered by the other one";
  EXPECT_EQ(scenes().size(), 2u);
}

TEST_F(AutosaveFolder, SaysOnceWhenItCannotKeep) {
  write("autosave", "a file, where the folder should be");
  auto session = start();
  setWeight(*session, 7.0);
  pass(*session);
  EXPECT_NE(session->ui.message.text.find("cannot be kept"), std::string::npos);
  session->ui.message = {};
  setWeight(*session, 8.0);
  for (int i = 0; i < 5; ++i) pass(*session);
  EXPECT_EQ(session->ui.message.text, "");
}

TEST_F(AutosaveFolder, TheSceneOfAFigureWithASkinIsSmall) {
  // The data of a skin stays in the file that the figure came from.
  Document document = makeDocument(makePlanarChain(50));
  auto skin = std::make_shared<Skin>();
  skin->surfaces.resize(1);
  skin->surfaces[0].positions.assign(1000000, Eigen::Vector3f::Zero());
  document.skin = skin;
  ASSERT_FALSE(io::writeKeptScene(folder_ / "kept.limber", document, {}));
  EXPECT_LT(fs::file_size(folder_ / "kept.limber"), 100000u);
}

// --- ended at any moment

constexpr int kKills = 50;

/// Edits and keeps in an endless loop. Weight, rest weight and pose all show the number of the edit. Each one that is
/// kept is told through the pipe.
[[noreturn]] void editUntilKilled(const fs::path& parent, int pipe) {
  Session session(makeDocument(makePlanarChain(40)), {}, {});
  session.services.autosave.begin(parent, 0.0);
  for (int i = 1;; ++i) {
    session.editor.edit("edit", "", [i](Document& d) {
      d.solver.targetWeight = d.solver.restWeight = i;
      d.pose.coordinates.setConstant(1.0 / i);
    });
    do session.services.autosave.update(session.editor, session.ui.now);
    while (!session.services.autosave.isBusy());
    session.services.autosave.job().wait(60.0);
    if (::write(pipe, &i, sizeof i) != sizeof i) ::_exit(1);
  }
}

TEST_F(AutosaveFolder, KilledAtAnyMomentTheLastOneOpens) {
  std::mt19937 random(1);
  int mostTold = 0, interrupted = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE(kill);
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(pipe[0]);
      editUntilKilled(parent(), pipe[1]);
    }
    ::close(pipe[1]);
    int told = 0;
    ASSERT_EQ(::read(pipe[0], &told, sizeof told), static_cast<ssize_t>(sizeof told)) << "the first is kept";
    // While it runs, the file is complete at every moment.
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 30000);
    do {
      for (const fs::path& path : scenes())
        if (path.extension() == ".limber")
          if (const auto scene = io::readScene(path); !scene) ADD_FAILURE() << scene.error().message();
    } while (std::chrono::steady_clock::now() < end);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (int next; ::read(pipe[0], &next, sizeof next) == static_cast<ssize_t>(sizeof next);) told = next;
    ::close(pipe[0]);
    mostTold = std::max(mostTold, told);
    for (const fs::path& path : scenes()) interrupted += path.extension() == ".tmp";

    auto session = start();
    session->services.autosave.lookForLost();
    pass(*session);
    ASSERT_EQ(session->services.autosave.lost().size(), 1u);
    const auto kept = scenes();
    ASSERT_EQ(kept.size(), 1u) << "no temporary file is left";
    const auto scene = io::readScene(kept[0]);
    ASSERT_TRUE(scene) << scene.error().message();
    EXPECT_GE(scene->solver.targetWeight, told) << "the last one that was kept, or one later";
    EXPECT_LE(scene->solver.targetWeight, told + 1);
    EXPECT_EQ(scene->solver.restWeight, scene->solver.targetWeight);
    EXPECT_EQ(scene->pose.coordinates, Eigen::VectorXd::Constant(40, 1.0 / scene->solver.targetWeight));
    perform(*session, Command::DiscardLost, 0);
    EXPECT_TRUE(fs::is_empty(parent()));
  }
  EXPECT_GT(mostTold, 1) << "killed at work, not before it";
  RecordProperty("interrupted_writes", interrupted);
}

TEST_F(AutosaveFolder, AFrameThatThrowsEndsNeitherWindowNorWork) {
  auto session = start();
  setWeight(*session, 7.0);
  FrameGuard guard;
  EXPECT_TRUE(guard.run(*session, [] {}));
  EXPECT_FALSE(guard.run(*session, [] { throw std::runtime_error("a name that is not UTF-8"); }));
  EXPECT_EQ(session->document().solver.targetWeight, 7.0);
  EXPECT_NE(session->ui.message.text.find("a name that is not UTF-8"), std::string::npos) << session->ui.message.text;
  ASSERT_EQ(scenes().size(), 1u) << "kept at once, not a minute later";
  const auto kept = io::openAny(scenes().front().string());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->document.solver.targetWeight, 7.0);
  EXPECT_TRUE(guard.run(*session, [] {}));
  EXPECT_FALSE(guard.hasGivenUp());
}

TEST_F(AutosaveFolder, OneThatThrowsAgainAndAgainGivesTheWindowUp) {
  auto session = start();
  setWeight(*session, 7.0);
  FrameGuard guard;
  for (int i = 0; i < FrameGuard::kMostFailures; ++i) {
    EXPECT_FALSE(guard.hasGivenUp());
    guard.run(*session, [] { throw std::runtime_error("always"); });
  }
  EXPECT_TRUE(guard.hasGivenUp());
  EXPECT_EQ(guard.fault(), "always");
  EXPECT_EQ(scenes().size(), 1u);
}

}  // namespace
}  // namespace limber::app::autosave_test
