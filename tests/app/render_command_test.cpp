// SPDX-License-Identifier: MIT
#include "app/commands/render.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "render/offscreen.h"
#include "support/temporary_folder.h"

namespace limber::app {
namespace {

namespace fs = std::filesystem;

class RenderCommand : public test::TemporaryFolder {
 protected:
  int run(const std::string& file, const std::string& output, int width = 64, int height = 48) {
    return run({.file = file, .output = output, .width = width, .height = height});
  }
  int run(const RenderArguments& arguments) {
    out_.str("");
    err_.str("");
    return runRender(arguments, out_, err_);
  }
  static bool hasContext() {
    std::string error;
    return render::OffscreenContext::create(error) != nullptr;
  }

  std::ostringstream out_, err_;
};

TEST_F(RenderCommand, WritesAPng) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  const fs::path png = folder_ / "chain.png";
  ASSERT_EQ(run("planar:4", png.string()), 0) << err_.str();
  std::ifstream file(png, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(bytes.substr(0, 4), "\x89PNG");
  EXPECT_EQ(out_.str(), "");

  ASSERT_EQ(run("planar:4", "-"), 0) << err_.str();
  EXPECT_EQ(out_.str(), bytes) << "standard output gets the same";
}

TEST_F(RenderCommand, SequenceGetsAPictureAFrame) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  const fs::path bvh = folder_ / "swing.bvh";
  std::ofstream(bvh) << "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 4\nFrame Time: 0.1\n"
                        "0 0 0\n30 0 0\n60 0 0\n90 0 0\n";
  RenderArguments arguments{.file = bvh.string(), .output = (folder_ / "p_%02d.png").string(), .width = 64, .height = 48,
                            .isTransparent = true, .frames = "1:3:2"};
  ASSERT_EQ(run(arguments), 0) << err_.str();
  EXPECT_NE(err_.str().find("2 of 2"), std::string::npos) << err_.str();
  for (const char* name : {"p_01.png", "p_03.png"}) EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  EXPECT_FALSE(fs::exists(folder_ / "p_02.png"));
  arguments.frames = "0:4";
  EXPECT_EQ(run(arguments), 1);
  EXPECT_NE(err_.str().find("4 frames"), std::string::npos) << err_.str();
  arguments.frames = "0:3";
  arguments.output = (folder_ / "same.png").string();
  EXPECT_EQ(run(arguments), 1);
  EXPECT_NE(err_.str().find("%04d"), std::string::npos) << err_.str();
}

TEST(RenderFrames, AreARangeWithAStep) {
  const auto range = parseFrames("2:10:3");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 2);
  EXPECT_EQ(range->last, 10);
  EXPECT_EQ(range->step, 3);
  EXPECT_EQ(parseFrames("5:5")->step, 1);
  for (const char* bad : {"", "3", "3:", ":3", "4:3", "1:2:0", "1:2:3:4", "1:2x", "-1:2", "1:2:"})
    EXPECT_FALSE(parseFrames(bad)) << bad;
}

TEST_F(RenderCommand, FramePathsCarryTheNumber) {
  EXPECT_EQ(framePath("a_%04d.png", 7), "a_0007.png");
  EXPECT_EQ(framePath("a_%d.png", 12345), "a_12345.png");
  EXPECT_EQ(framePath("a_%02d.png", 12345), "a_12345.png");
  EXPECT_EQ(framePath(folder_.string(), 3), (folder_ / "frame_0003.png").string());
  for (const char* bad : {"a.png", "%s.png", "%4d.png", "%04d%04d.png", "%n", "%", "%099d"})
    EXPECT_FALSE(framePath(bad, 1)) << bad;
}

TEST_F(RenderCommand, SizeOutsideItsRangeIsNamed) {
  EXPECT_EQ(run("planar:4", (folder_ / "a.png").string(), 9000, 48), 1);
  EXPECT_NE(err_.str().find("16 to 8192"), std::string::npos) << err_.str();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RenderCommand, MissingFileIsNamed) {
  EXPECT_EQ(run("no_such_figure.json", (folder_ / "a.png").string()), 1);
  EXPECT_NE(err_.str().find("no_such_figure.json"), std::string::npos) << err_.str();
}

TEST_F(RenderCommand, FolderThatDoesNotExistIsNamed) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  EXPECT_EQ(run("planar:4", (folder_ / "nowhere" / "a.png").string()), 1);
  EXPECT_NE(err_.str().find("nowhere"), std::string::npos) << err_.str();
}

}  // namespace
}  // namespace limber::app
