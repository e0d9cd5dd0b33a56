// SPDX-License-Identifier: MIT
#include "app/editing/file_listing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/temporary_folder.h"

namespace limber::app::file_listing_test {
namespace {

namespace fs = std::filesystem;

/// A folder of walk.bvh, Arm.limber, notes.txt, .secret, RUN.BVH, sub/, Sunset/
class FileListing : public test::TemporaryFolder {
 protected:
  fs::path sampleFolder() const {
    fs::create_directories(folder_ / "sub/deeper");
    fs::create_directories(folder_ / "Sunset");
    for (const char* name : {"walk.bvh", "Arm.limber", "notes.txt", ".secret", "RUN.BVH"}) write(name, "x");
    return folder_;
  }
};

std::vector<std::string> names(const Listing& listing) {
  std::vector<std::string> all;
  for (const FileEntry& entry : listing.entries) all.push_back(entry.name);
  return all;
}

using Names = std::vector<std::string>;

TEST_F(FileListing, ShowsFoldersFirstAndSortsWithoutCase) {
  EXPECT_EQ(names(listFolder(sampleFolder(), {}, false)),
            (Names{"sub", "Sunset", "Arm.limber", "notes.txt", "RUN.BVH", "walk.bvh"}));
}

TEST_F(FileListing, FiltersFilesButNotFolders) {
  const FileFilter motions{"Motion", {".bvh"}};
  EXPECT_EQ(names(listFolder(sampleFolder(), motions, false)), (Names{"sub", "Sunset", "RUN.BVH", "walk.bvh"}));
}

TEST_F(FileListing, HidesHiddenFilesUnlessAsked) { EXPECT_EQ(names(listFolder(sampleFolder(), {}, true)).size(), 7u); }

TEST_F(FileListing, SaysWhyThereIsNothing) {
  const fs::path folder = sampleFolder();
  const Listing missing = listFolder(folder / "nowhere", {}, false);
  EXPECT_TRUE(missing.entries.empty());
  EXPECT_NE(missing.error.find("nowhere"), std::string::npos);
  EXPECT_FALSE(listFolder(folder / "walk.bvh", {}, false).error.empty());
}

TEST_F(FileListing, CutsAHugeFolder) {
  const fs::path folder = sampleFolder();
  for (std::size_t i = 0; i < kMaxEntries + 10; ++i) std::ofstream(folder / std::to_string(i));
  const Listing listing = listFolder(folder, {}, false);
  EXPECT_TRUE(listing.isCut);
  EXPECT_EQ(listing.entries.size(), kMaxEntries);
}

TEST_F(FileListing, TypedPathsAreRelativeAbsoluteOrHome) {
  setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(typedPath("/data", "x/../a.bvh"), "/data/a.bvh");
  EXPECT_EQ(typedPath("/data", "/b.bvh"), "/b.bvh");
  EXPECT_EQ(typedPath("/data", "~/c.bvh"), "/home/ada/c.bvh");
  EXPECT_EQ(typedPath("/data", ".."), "/");
}

TEST_F(FileListing, CompletesAsFarAsNamesAgree) {
  const fs::path folder = sampleFolder();
  EXPECT_EQ(complete(folder, "wa", false), "walk.bvh");
  EXPECT_EQ(complete(folder, "su", false), "sub/");
  EXPECT_EQ(complete(folder, "sub/de", false), "sub/deeper/");
  EXPECT_EQ(complete(folder, "zzz", false), "zzz");
  EXPECT_EQ(complete(folder, "", false), "");
  EXPECT_EQ(complete(folder, folder.string() + "/wa", false), (folder / "walk.bvh").string());
}

TEST_F(FileListing, AddsAMissingExtensionOnce) {
  EXPECT_EQ(withExtension("scene", ".limber"), "scene.limber");
  EXPECT_EQ(withExtension("scene.limber", ".limber"), "scene.limber");
  EXPECT_EQ(withExtension("scene.v2", ".limber"), "scene.v2.limber");
}

TEST_F(FileListing, SizesAreReadable) {
  EXPECT_EQ(sizeText(12), "12 B");
  EXPECT_EQ(sizeText(45678), "46 kB");
  EXPECT_EQ(sizeText(3456789), "3.5 MB");
}

}  // namespace
}  // namespace limber::app::file_listing_test
