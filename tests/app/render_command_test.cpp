// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "locations.h"
#include "render/offscreen.h"
#include "support/temporary_folder.h"
#include "support/text_of.h"

namespace limber::app::render_command_test {
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
    Console console("render", out_, err_);
    return runRender(arguments, console);
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
  const std::string bytes = test::textOf(png);
  EXPECT_EQ(bytes.substr(0, 4), "\x89PNG");
  EXPECT_EQ(out_.str(), "");

  ASSERT_EQ(run("planar:4", "-"), 0) << err_.str();
  EXPECT_EQ(out_.str(), bytes) << "standard output gets the same";
}

TEST_F(RenderCommand, WritesAJpegWhereTheNameSaysSo) {
  EXPECT_EQ(run("planar:4", (folder_ / "chain.bmp").string()), 2);
  EXPECT_NE(err_.str().find("must end in .png or .jpg"), std::string::npos) << err_.str();
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  for (const char* name : {"chain.jpg", "CHAIN.JPEG"}) {
    const fs::path path = folder_ / name;
    ASSERT_EQ(run("planar:4", path.string()), 0) << err_.str();
    const std::string bytes = test::textOf(path);
    EXPECT_EQ(bytes.substr(0, 3), "\xFF\xD8\xFF");
    EXPECT_EQ(bytes.substr(bytes.size() - 2), "\xFF\xD9");
  }
}

TEST_F(RenderCommand, LooksFromWhereItIsTold) {
  EXPECT_FALSE(parseFrom(""));
  for (const char* wrong : {"30", "30,", ",30", "30,91", "a,b", "nan,0", "30,15,2", "1e9,0"})
    EXPECT_FALSE(parseFrom(wrong)) << wrong;
  ASSERT_TRUE(parseFrom("90,-45"));
  EXPECT_NEAR(parseFrom("90,-45")->azimuth, 1.5707963, 1e-6);
  EXPECT_NEAR(parseFrom("90,-45")->elevation, -0.7853982, 1e-6);
  EXPECT_EQ(run({.file = "ball:2", .output = (folder_ / "p.png").string(), .from = "up"}), 2);
  EXPECT_NE(err_.str().find("--from up"), std::string::npos) << err_.str();

  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  const auto pictureFrom = [&](const std::string& from) {
    EXPECT_EQ(run({.file = "arm", .output = "-", .width = 64, .height = 48, .from = from}), 0) << err_.str();
    return out_.str();
  };
  EXPECT_NE(pictureFrom("90,0"), pictureFrom(""));
  EXPECT_NE(pictureFrom("0,90"), pictureFrom("0,0")) << "straight down";
}

TEST_F(RenderCommand, EachStyleIsAnotherPicture) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  std::set<std::string> pictures;
  for (const char* style : kRenderStyles) {
    ASSERT_EQ(run({.file = "ball:3", .output = "-", .width = 64, .height = 48, .style = style}), 0) << err_.str();
    pictures.insert(out_.str());
  }
  EXPECT_EQ(pictures.size(), 3u) << "a figure without a skin is drawn in capsules where a skin is asked for";
}

TEST_F(RenderCommand, LooksFromASideInEitherProjection) {
  EXPECT_EQ(run({.file = "planar:4", .output = "-", .width = 64, .height = 48, .side = "north"}), 2);
  EXPECT_NE(err_.str().find("--view north: must be home, front"), std::string::npos) << err_.str();
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  std::set<std::string> pictures;
  for (const char* side : {"home", "front", "right", "top"})
    for (const bool isOrthographic : {false, true}) {
      const RenderArguments arguments{
          .file = "humanoid", .output = "-", .width = 64, .height = 48, .side = side, .isOrthographic = isOrthographic};
      ASSERT_EQ(run(arguments), 0) << err_.str();
      EXPECT_TRUE(pictures.insert(out_.str()).second) << side << " looks like another";
    }
}

TEST_F(RenderCommand, ASceneIsDrawnInItsViewUnlessAnotherIsAskedFor) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  Document document = makeDocument(makeBallChain(3));
  const std::string plain = (folder_ / "plain.limber").string(), stored = (folder_ / "stored.limber").string();
  ASSERT_FALSE(io::writeScene(plain, document));
  document.view = StoredView{{0.2, 1.0, 0.0}, 1.2, 0.4, 3.0, false};
  ASSERT_FALSE(io::writeScene(stored, document));
  const auto pictureOf = [&](const std::string& file, const std::string& side = "", const std::string& from = "") {
    EXPECT_EQ(run({.file = file, .output = "-", .width = 64, .height = 48, .side = side, .from = from}), 0)
        << err_.str();
    return out_.str();
  };
  EXPECT_NE(pictureOf(stored), pictureOf(plain));
  EXPECT_EQ(pictureOf(stored, "home"), pictureOf(plain));
  EXPECT_EQ(pictureOf(stored, "", "30,10"), pictureOf(plain, "", "30,10"));
}

TEST_F(RenderCommand, SequenceGetsAPictureAFrame) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  const fs::path bvh = folder_ / "swing.bvh";
  std::ofstream(bvh) << "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 4\nFrame Time: 0.1\n"
                        "0 0 0\n30 0 0\n60 0 0\n90 0 0\n";
  RenderArguments arguments{.file = bvh.string(),
                            .output = (folder_ / "p_%02d.png").string(),
                            .width = 64,
                            .height = 48,
                            .isTransparent = true,
                            .frames = "1:3:2"};
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

#ifdef LIMBER_BINARY
TEST_F(RenderCommand, CtrlCEndsASequenceBetweenTwoPictures) {
  if (!hasContext()) GTEST_SKIP() << "no OpenGL context";
  const fs::path bvh = folder_ / "long.bvh", pictures = folder_ / "pictures";
  constexpr int kFrames = 20000;
  std::string rows;
  for (int i = 0; i < kFrames; ++i) rows += std::to_string(i % 360) + " 0 0\n";
  std::ofstream(bvh) << "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: "
                     << kFrames << "\nFrame Time: 0.1\n"
                     << rows;
  fs::create_directory(pictures);
  const std::string log = (folder_ / "log").string();
  const std::vector<std::string> arguments = {LIMBER_BINARY, "render",          bvh.string(),
                                              "-o",          pictures.string(), "--size",
                                              "64x48",       "--frames",        "0:" + std::to_string(kFrames - 1)};
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::vector<char*> words;
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    if (std::freopen(log.c_str(), "w", stderr)) execv(LIMBER_BINARY, words.data());
    _exit(99);
  }
  const auto count = [&] { return std::distance(fs::directory_iterator(pictures), fs::directory_iterator()); };
  int status = 0;
  while (count() < 3 && waitpid(child, &status, WNOHANG) == 0) usleep(1000);
  kill(child, SIGINT);
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "it ends by itself";
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string said = test::textOf(log);
  EXPECT_NE(said.find("ended by Ctrl+C; " + std::to_string(count()) + " pictures"), std::string::npos) << said;
  EXPECT_LT(count(), kFrames);
  for (const auto& entry : fs::directory_iterator(pictures)) {
    EXPECT_EQ(entry.path().extension(), ".png") << entry.path();
    const std::string bytes = test::textOf(entry.path());
    ASSERT_GT(bytes.size(), 12u);
    EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND") << entry.path() << " is whole";
  }
}
#endif

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
}  // namespace limber::app::render_command_test
