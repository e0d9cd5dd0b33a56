// SPDX-License-Identifier: MIT
// Background work of the window: it ends, reports, is cancelled, fails, and never replaces a document that was opened
// after it.
#include "app/jobs/job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>

#include "app/session/documents.h"
#include "app/session/session.h"
#include "io/gltf_sample.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::job_test {
namespace {

constexpr double kForever = 60.0;  // seconds

struct Desk {
  Session session{makeDocument(makePlanarChain(2)), {}, {}};

  /// The result of a work: says this.
  Job::Finish say(const std::string& text) {
    return [this, text] { session.say(text); };
  }

  void wait() {
    EXPECT_TRUE(session.services.job.wait(kForever));
    finishJob(session);
  }
};

TEST(Job, ItsResultIsTakenOnceItIsThere) {
  Desk desk;
  std::promise<void> go;
  desk.session.services.job.start("work", [&](const Job::Progress& progress) {
    progress(0.25, "first part");
    go.get_future().wait();
    return desk.say("done");
  });
  EXPECT_TRUE(desk.session.services.job.isRunning());
  EXPECT_FALSE(desk.session.services.job.wait(0.0));
  EXPECT_FALSE(desk.session.services.job.collect());
  while (desk.session.services.job.status().part == 0.0) {
  }
  EXPECT_EQ(desk.session.services.job.status().title, "work");
  EXPECT_EQ(desk.session.services.job.status().what, "first part");
  EXPECT_EQ(sleepTime(desk.session).has_value(), true) << "the window looks at it";
  go.set_value();
  desk.wait();
  EXPECT_EQ(desk.session.ui.message.text, "done");
  EXPECT_FALSE(desk.session.services.job.isRunning());
}

TEST(Job, EscCancelsItAndItsResultIsDropped) {
  Desk desk;
  std::atomic<bool> saw = false;
  desk.session.services.job.start("work", [&](const Job::Progress& progress) {
    while (progress(0.5, "going on")) {
    }
    saw = true;
    return desk.say("too late");
  });
  perform(desk.session, Command::Cancel);
  EXPECT_FALSE(desk.session.services.job.isRunning());
  desk.session.services.job.stop();
  EXPECT_TRUE(saw);
  finishJob(desk.session);
  EXPECT_EQ(desk.session.ui.message.text, "");
}

TEST(Job, TheNextOneTakesItsPlace) {
  Desk desk;
  desk.session.services.job.start("first", [&](const Job::Progress& progress) {
    while (progress(0.5, "going on")) {
    }
    return desk.say("first");
  });
  desk.session.services.job.start("second", [&](const Job::Progress&) { return desk.say("second"); });
  desk.wait();
  EXPECT_EQ(desk.session.ui.message.text, "second");
}

TEST(Job, TooLittleMemoryIsToldAndNothingIsLost) {
  Desk desk;
  desk.session.services.job.start("Opening big.glb",
                                  [](const Job::Progress&) -> Job::Finish { throw std::bad_alloc(); });
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
  perform(desk.session, Command::Undo);
  EXPECT_EQ(desk.session.document().figure, before);
}

TEST_F(OpeningJob, AFolderThatIsLocatedIsLookedIntoAndRemembered) {
  Desk desk;
  const auto robot = write("robot/a.urdf", R"(<robot name="a"><link name="base"><visual><geometry>
    <mesh filename="package://arm/meshes/base.stl"/></geometry></visual></link></robot>)");
  write("packages/arm/meshes/base.stl", "solid t\nendsolid t\n");
  openFile(desk.session, robot);
  desk.wait();
  EXPECT_EQ(desk.session.ui.missing.names, std::vector<std::string>{"package://arm/meshes/base.stl"});
  EXPECT_EQ(desk.session.ui.missing.file, robot);
  openWithFolder(desk.session, folder_ / "packages");
  desk.wait();
  EXPECT_TRUE(desk.session.ui.missing.names.empty());
  Desk tomorrow;
  tomorrow.session.settings = parseSettings(settingsText(desk.session.settings));
  openFile(tomorrow.session, robot);
  tomorrow.wait();
  EXPECT_TRUE(tomorrow.session.ui.missing.names.empty()) << "remembered";
  EXPECT_EQ(foldersFor(tomorrow.session.settings, folder_ / "other.urdf").size(), 0u) << "for this file alone";
}

TEST_F(OpeningJob, BuffersThatAreNotThereAreTold) {
  const test::GltfSample sample = test::twoJoints();
  nlohmann::json text = sample.json;
  text["buffers"] = {{{"byteLength", sample.bytes.size()}, {"uri", "body.bin"}}};
  const auto model = write("model/body.gltf", text.dump());
  write("buffers/body.bin", sample.bytes);
  Desk desk;
  const auto before = desk.session.document().figure;
  openFile(desk.session, model);
  desk.wait();
  EXPECT_EQ(desk.session.document().figure, before);
  EXPECT_FALSE(desk.session.ui.showError) << "the notes say it, and block nothing";
  EXPECT_NE(desk.session.ui.notes.find("body.bin"), std::string::npos) << desk.session.ui.notes;
  EXPECT_EQ(desk.session.ui.missing.names, std::vector<std::string>{"body.bin"});
  openWithFolder(desk.session, folder_ / "buffers");
  desk.wait();
  EXPECT_TRUE(desk.session.ui.missing.names.empty());
  EXPECT_TRUE(desk.session.document().skin);
}

TEST_F(OpeningJob, ObservedPointsGoToTheFitPanel) {
  const std::string json = R"({"points": {"wrist": [0, 1, 0], "tip": [0, 2, 0]}})";
  const std::string trc =
      "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
      "OrigDataStartFrame\tOrigNumFrames\n100\t100\t1\t1\tm\t100\t1\t1\nFrame#\tTime\twrist\t\t\n\t\tX1\tY1\tZ1\n\n"
      "1\t0\t0\t1\t0\n";
  for (const auto& [name, text] : {std::pair("a.csv", std::string("wrist.x,wrist.y,wrist.z\n0,1,0\n")),
                                   std::pair("a.trc", trc), std::pair("a.json", json)}) {
    Desk desk;
    const auto figure = desk.session.document().figure;
    openFile(desk.session, write(name, text));
    while (desk.session.services.job.isRunning()) desk.wait();
    ASSERT_TRUE(desk.session.ui.fit.plan) << name << ": " << desk.session.ui.error;
    EXPECT_EQ(desk.session.ui.fit.plan->observations->names[0], name == std::string("a.json") ? "tip" : "wrist");
    EXPECT_EQ(desk.session.document().figure, figure);
  }
}

TEST_F(OpeningJob, TheFirstFileIsNothingToGoBackFrom) {
  Desk other;
  saveFile(other.session, folder_ / "two.limber");
  Desk desk;
  const auto before = desk.session.document().figure;
  openFirstFile(desk.session, folder_ / "two.limber");
  EXPECT_EQ(desk.session.document().figure, before) << "the window is there first";
  desk.wait();
  EXPECT_NE(desk.session.document().figure, before);
  EXPECT_EQ(desk.session.editor.file(), folder_ / "two.limber");
  EXPECT_FALSE(desk.session.editor.history().canUndo());
  EXPECT_FALSE(desk.session.editor.isChanged());
  ASSERT_FALSE(desk.session.settings.recentFiles.empty());
}

TEST_F(OpeningJob, WhatWasPosedBeforeTheFirstFileCameIsKept) {
  Desk other;
  saveFile(other.session, folder_ / "two.limber");
  Desk desk;
  openFirstFile(desk.session, folder_ / "two.limber");
  desk.session.editor.edit("turn", "", [](Document& document) { document.pose.coordinates[0] = 0.5; });
  const Document posed = desk.session.document();
  desk.wait();
  perform(desk.session, Command::Undo);
  EXPECT_TRUE(isSameContent(desk.session.document(), posed));
}

TEST_F(OpeningJob, ABrokenFirstFileIsSaid) {
  Desk desk;
  const auto before = desk.session.document().figure;
  openFirstFile(desk.session, write("broken.bvh", "HIERARCHY\nROOT a\n{ OFFSET 0 x 0"));
  desk.wait();
  EXPECT_TRUE(desk.session.ui.showError);
  EXPECT_NE(desk.session.ui.error.find("broken.bvh: line 3"), std::string::npos) << desk.session.ui.error;
  EXPECT_EQ(desk.session.document().figure, before);
}

}  // namespace
}  // namespace limber::app::job_test
