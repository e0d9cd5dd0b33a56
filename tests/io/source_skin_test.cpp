// SPDX-License-Identifier: MIT
#include "limber/io/open.h"

#include <sys/stat.h>

#include "gltf_sample.h"
#include "limber/io/base/file.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/figure_edit.h"
#include "limber/scene/figure_change.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::source_skin_test {
namespace {

namespace fs = std::filesystem;

/// A fixture with a character in models/ and a scene of it in scenes/.
class SourceSkin : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    fs::create_directories(folder_ / "models");
    fs::create_directories(folder_ / "scenes");
    bytes_ = test::twoJoints().glb();
    document_ = openAny(write("models/two.glb", bytes_).string())->document;
    save();
  }
  void save() const {
    const auto fault = writeScene(folder_ / "scenes" / "s.limber", document_);
    ASSERT_FALSE(fault) << fault->message();
  }
  static Opened open(const fs::path& folder) {
    auto opened = openAny((folder / "scenes" / "s.limber").string());
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? std::move(*opened) : Opened{};
  }

  std::string bytes_;
  Document document_;
};

TEST_F(SourceSkin, AnOpenedSceneWearsItAgain) {
  const Opened scene = open(folder_);
  EXPECT_TRUE(scene.notes.empty()) << scene.notes.front();
  ASSERT_TRUE(scene.document.skin);
  ASSERT_EQ(scene.document.skin->surfaces.size(), 1u);
  const SkinSurface& now = scene.document.skin->surfaces[0];
  const SkinSurface& before = document_.skin->surfaces[0];
  EXPECT_EQ(now.positions, before.positions);
  EXPECT_EQ(now.weights, before.weights);
  for (std::size_t i = 0; i < before.bones.size(); ++i) {
    EXPECT_EQ(now.bones[i].link, before.bones[i].link);
    EXPECT_TRUE(now.bones[i].linkFromSkin.matrix() == before.bones[i].linkFromSkin.matrix());
  }
  const auto home = test::valueOf(formatGltf(scene.document));
  EXPECT_TRUE(home.bytes == bytes_) << "poses can go home again";
}

TEST_F(SourceSkin, SceneAndFileMoveTogether) {
  const fs::path moved = folder_.string() + "_moved";
  fs::rename(folder_, moved);
  EXPECT_TRUE(open(moved).document.skin);
  fs::remove_all(moved);
}

TEST_F(SourceSkin, AMissingFileIsSaidAndNotForgotten) {
  fs::rename(folder_ / "models" / "two.glb", folder_ / "models" / "other.glb");
  const Opened scene = open(folder_);
  EXPECT_FALSE(scene.document.skin);
  EXPECT_EQ(scene.document.figure->linkCount(), document_.figure->linkCount());
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_NE(scene.notes[0].find("two.glb"), std::string::npos) << scene.notes[0];
  EXPECT_EQ(scene.missing, std::vector<std::string>{"two.glb"});
  const auto home = formatGltf(scene.document);
  ASSERT_FALSE(home);
  EXPECT_NE(home.error().message().find("could not be read"), std::string::npos) << home.error().message();
  document_ = scene.document;
  save();
  fs::rename(folder_ / "models" / "other.glb", folder_ / "models" / "two.glb");
  EXPECT_TRUE(open(folder_).document.skin) << "a scene that was saved without it still knows it";
}

TEST_F(SourceSkin, AFolderThatIsPointedAtIsLookedInto) {
  fs::create_directory(folder_ / "elsewhere");
  fs::rename(folder_ / "models" / "two.glb", folder_ / "elsewhere" / "two.glb");
  const auto scene =
      test::valueOf(openAny((folder_ / "scenes" / "s.limber").string(), {.folders = {folder_ / "elsewhere"}}));
  EXPECT_TRUE(scene.document.skin);
  EXPECT_TRUE(scene.missing.empty());
}

TEST_F(SourceSkin, WhatIsNoFigureAnyMoreNeverBlocks) {
  const fs::path file = folder_ / "models" / "two.glb";
  for (const std::string& broken : {std::string(), std::string("no figure"), bytes_.substr(0, bytes_.size() / 2)}) {
    write("models/two.glb", broken);
    const Opened scene = open(folder_);
    EXPECT_FALSE(scene.document.skin);
    EXPECT_EQ(scene.notes.size(), 1u);
  }
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(open(folder_).notes.size(), 1u) << "a pipe that nobody writes to is not waited for";
}

TEST_F(SourceSkin, AnEditedFigureWearsWhatIsLeft) {
  const FigureEdit shorter = removeLink(*document_.figure, document_.figure->findLink("knee"));
  ASSERT_TRUE(shorter.figure) << shorter.fault;
  replaceFigure(document_, shorter.figure, shorter.linkFromOld);
  save();
  const Opened scene = open(folder_);
  ASSERT_TRUE(scene.document.skin);
  const auto& bones = scene.document.skin->surfaces[0].bones;
  const auto& before = document_.skin->surfaces[0].bones;
  ASSERT_EQ(bones.size(), before.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    EXPECT_EQ(bones[i].link, before[i].link);
    EXPECT_TRUE(bones[i].linkFromSkin.isApprox(before[i].linkFromSkin, 1e-6f));
  }
}

TEST_F(SourceSkin, NamesThatAreNoneAreRefused) {
  const std::string text = *readFile(folder_ / "scenes" / "s.limber");
  const auto refused = [&](const std::string& now) {
    return test::messageOf(parseScene(test::replaced(text, "\"../models/two.glb\"", now), "s.limber"));
  };
  EXPECT_EQ(refused("\"\""), "s.limber: source.file: is not the name of a file");
  EXPECT_EQ(refused("\"a\\u0000b\""), "s.limber: source.file: is not the name of a file");
  EXPECT_FALSE(refused("7").empty());
}

}  // namespace
}  // namespace limber::io::source_skin_test
