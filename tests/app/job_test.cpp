// SPDX-License-Identifier: MIT
// Slow work beside the window: it ends, is told of, is cancelled, fails, and never takes the place of what came after
// it.
#include "app/job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>

#include "app/documents.h"
#include "app/session.h"
#include "kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app {
namespace {

constexpr double kForever = 60.0;  // seconds

Job::Finish say(const std::string& text) {
  return [text](Session& session) { session.say(text); };
}

struct Desk {
  Session session{makeDocument(makePlanarChain(2)), {}, {}};

  void wait() {
    EXPECT_TRUE(session.job.wait(kForever));
    finishJob(session);
  }
};

TEST(Job, ItsResultIsTakenOnceItIsThere) {
  Desk desk;
  std::promise<void> go;
  desk.session.job.start("work", [&](const Job::Progress& progress) {
    progress(0.25, "first part");
    go.get_future().wait();
    return say("done");
  });
  EXPECT_TRUE(desk.session.job.isRunning());
  EXPECT_FALSE(desk.session.job.wait(0.0));
  EXPECT_FALSE(desk.session.job.collect());
  while (desk.session.job.status().part == 0.0) {
  }
  EXPECT_EQ(desk.session.job.status().title, "work");
  EXPECT_EQ(desk.session.job.status().what, "first part");
  EXPECT_EQ(sleepTime(desk.session).has_value(), true) << "the window looks at it";
  go.set_value();
  desk.wait();
  EXPECT_EQ(desk.session.ui.message.text, "done");
  EXPECT_FALSE(desk.session.job.isRunning());
}

TEST(Job, EscCancelsItAndItsResultIsDropped) {
  Desk desk;
  std::atomic<bool> saw = false;
  desk.session.job.start("work", [&](const Job::Progress& progress) {
    while (progress(0.5, "going on")) {
    }
    saw = true;
    return say("too late");
  });
  perform(desk.session, Action::Cancel);
  EXPECT_FALSE(desk.session.job.isRunning());
  desk.session.job.stop();
  EXPECT_TRUE(saw);
  finishJob(desk.session);
  EXPECT_EQ(desk.session.ui.message.text, "");
}

TEST(Job, TheNextOneTakesItsPlace) {
  Desk desk;
  desk.session.job.start("first", [](const Job::Progress& progress) {
    while (progress(0.5, "going on")) {
    }
    return say("first");
  });
  desk.session.job.start("second", [](const Job::Progress&) { return say("second"); });
  desk.wait();
  EXPECT_EQ(desk.session.ui.message.text, "second");
}

TEST(Job, TooLittleMemoryIsToldAndNothingIsLost) {
  Desk desk;
  desk.session.job.start("Opening big.glb", [](const Job::Progress&) -> Job::Finish { throw std::bad_alloc(); });
  desk.wait();
  EXPECT_TRUE(desk.session.ui.showError);
  EXPECT_NE(desk.session.ui.error.find("big.glb"), std::string::npos);
}

using OpeningJob = test::TemporaryFolder;

TEST_F(OpeningJob, AFileThatOpensLaterIsStillOneStep) {
  Desk desk;
  Desk other;
  saveFile(other.session, folder_ / "two.limber");
  const auto before = desk.session.document().figure;
  openFile(desk.session, folder_ / "two.limber");
  desk.wait();
  EXPECT_NE(desk.session.document().figure, before);
  EXPECT_EQ(desk.session.editor.file(), folder_ / "two.limber");
  perform(desk.session, Action::Undo);
  EXPECT_EQ(desk.session.document().figure, before);
}

TEST_F(OpeningJob, AFolderThatIsLocatedIsLookedIntoAndRemembered) {
  Desk desk;
  const auto robot = write("robot/a.urdf", R"(<robot name="a"><link name="base"><visual><geometry>
    <mesh filename="package://arm/meshes/base.stl"/></geometry></visual></link></robot>)");
  write("packages/arm/meshes/base.stl", "solid t\nendsolid t\n");
  openFile(desk.session, robot);
  desk.wait();
  EXPECT_TRUE(desk.session.ui.missing.wanted);
  EXPECT_EQ(desk.session.ui.missing.names, std::vector<std::string>{"package://arm/meshes/base.stl"});
  EXPECT_EQ(desk.session.ui.missing.file, robot);
  openWithFolder(desk.session, folder_ / "packages");
  desk.wait();
  EXPECT_FALSE(desk.session.ui.missing.wanted);
  Desk tomorrow;
  tomorrow.session.settings = parseSettings(settingsText(desk.session.settings));
  openFile(tomorrow.session, robot);
  tomorrow.wait();
  EXPECT_FALSE(tomorrow.session.ui.missing.wanted) << "remembered";
  EXPECT_EQ(foldersFor(tomorrow.session.settings, folder_ / "other.urdf").size(), 0u) << "for this file alone";
}

}  // namespace
}  // namespace limber::app
