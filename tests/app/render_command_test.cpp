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
    out_.str("");
    err_.str("");
    return runRender(file, output, width, height, out_, err_);
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
