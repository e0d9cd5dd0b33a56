// SPDX-License-Identifier: MIT
// A pose is exported from the window and read back: clipboard and files.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/session/documents.h"
#include "app/session/session.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::export_test {
namespace {

using Export = test::TemporaryFolder;

struct Desk {
  explicit Desk(Document document) : session(std::move(document), {}, {}) {
    session.outside.clipboard = {[this] { return text; }, [this](const std::string& copied) { text = copied; }};
  }
  std::string text;
  Session session;
};

TEST_F(Export, ACopiedPosePastesIntoAnotherDocumentInOneStep) {
  Document posed = makeDocument(makePlanarChain(3));
  posed.pose.coordinates << 0.1, -0.2, 1.0 / 3.0;
  Desk desk(posed);
  perform(desk.session, Command::CopyPose);
  Desk other(makeDocument(makePlanarChain(3)));
  const Pose before = other.session.document().pose;
  other.text = desk.text;
  perform(other.session, Command::PastePose);
  EXPECT_TRUE(other.session.document().pose == posed.pose);
  const GoalItem& tip = other.session.document().goals.at(0);
  EXPECT_GT((tip.target - makeDocument(makePlanarChain(3)).goals.at(0).target).norm(), 0.1) << "targets go along";
  perform(other.session, Command::Undo);
  EXPECT_TRUE(other.session.document().pose == before);
}

TEST_F(Export, APastedPoseKeepsTheLimits) {
  Document limited = makeDocument(makePlanarChain(2));
  limited.joints[0].limits = {-0.5, 0.5};
  Desk desk(limited);
  desk.text = R"({"joint0": 2.0})";
  perform(desk.session, Command::PastePose);
  EXPECT_EQ(desk.session.document().pose.coordinates[0], 0.5);
}

TEST_F(Export, TextThatIsNoPoseIsRefusedWithTheReason) {
  for (const char* text : {"", "hello", R"({"elbow": 1})", R"({"joint0": "x"})", R"({"joint0": 1e999})"}) {
    Desk desk(makeDocument(makePlanarChain(2)));
    const Pose before = desk.session.document().pose;
    desk.text = text;
    perform(desk.session, Command::PastePose);
    EXPECT_TRUE(desk.session.document().pose == before) << text;
    EXPECT_TRUE(desk.session.ui.message.isError) << text;
    EXPECT_NE(desk.session.ui.message.text.find("clipboard"), std::string::npos) << desk.session.ui.message.text;
  }
}

TEST_F(Export, WritesTheFormatOfTheNameAndOpensAgain) {
  Document document = makeDocument(makePlanarChain(2));
  document.pose.coordinates << 0.3, 0.4;
  Desk desk(document);
  exportTake(desk.session, folder_ / "chain.bvh");
  EXPECT_FALSE(desk.session.ui.showError) << desk.session.ui.error;
  const auto back = io::openAny((folder_ / "chain.bvh").string());
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->document.figure->linkCount(), 2);
  exportTake(desk.session, folder_ / "chain.xyz");
  EXPECT_TRUE(desk.session.ui.showError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "chain.xyz"));
}

}  // namespace
}  // namespace limber::app::export_test
