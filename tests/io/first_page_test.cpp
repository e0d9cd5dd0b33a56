// SPDX-License-Identifier: MIT
// First page of src/limber/io: reads and writes files; errors say where and why.
//
// openAny() opens everything that Limber reads, as a document: standard figures by name, scenes, problems, and the
// formats of other programs, which are rows of a table. Each reader returns Result<T>: a value, or an Error with file,
// place and cause. No function throws because of a file, and a failed write leaves an existing file unchanged.
//
// Read next: io/base/result.h, io/open.h, io/figure_formats.h and io/export_formats.h (the tables),
// io/json/scene_json.h; docs/formats.md.
#include <gtest/gtest.h>

#include "limber/io/export_formats.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "support/temporary_folder.h"

namespace limber::io::io_first_page {
namespace {

using IoFirstPage = test::TemporaryFolder;

TEST_F(IoFirstPage, ASceneSurvivesAFileBitForBit) {
  Document document = openAny("planar:3")->document;
  document.pose.coordinates << 0.1, 1.0 / 3.0, -0.7;
  ASSERT_FALSE(writeScene(folder_ / "chain.limber", document)) << "no error";
  const Result<Opened> opened = openAny((folder_ / "chain.limber").string());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(opened->kind, FileKind::Scene);
  EXPECT_TRUE(opened->document.pose == document.pose);
  EXPECT_EQ(opened->document.goals, document.goals);
}

TEST_F(IoFirstPage, AProblemIsWrittenByHand) {
  const Result<Problem> problem =
      parseProblem(R"({"figure": "planar:2", "goals": [{"type": "position", "link": "link1", "target": [1, 1, 0]}]})",
                   "reach.json", folder_);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->document.goals.at(0).target, Eigen::Vector3d(1.0, 1.0, 0.0));
}

TEST_F(IoFirstPage, AnErrorNamesFilePlaceAndCause) {
  const Result<Problem> problem = parseProblem(
      R"({"figure": "planar:2", "goals": [{"type": "position", "link": "elbow"}]})", "reach.json", folder_);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().file, "reach.json");
  EXPECT_NE(problem.error().place.find("goals[0]"), std::string::npos) << problem.error().message();
  EXPECT_NE(problem.error().cause.find("elbow"), std::string::npos) << problem.error().message();
}

TEST_F(IoFirstPage, APoseGoesToAnotherProgram) {
  const Document document = openAny("ball:2")->document;
  const auto notes = exportFile(document, folder_ / "chain.bvh");
  ASSERT_TRUE(notes) << notes.error().message();
  const Result<Opened> back = openAny((folder_ / "chain.bvh").string());
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->kind, FileKind::Import);
  EXPECT_TRUE(back->document.motion) << "a BVH file is a motion; here it has one frame";
}

}  // namespace
}  // namespace limber::io::io_first_page
