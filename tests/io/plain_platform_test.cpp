// SPDX-License-Identifier: MIT
// The branch of limber/io/base/platform.cpp without POSIX, compiled here as a second set of functions.
#define LIMBER_PLAIN_PLATFORM
#define platform plain_platform
#include "limber/io/base/platform.cpp"  // NOLINT
#undef platform

#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::plain_platform_test {
namespace {
namespace fs = std::filesystem;

std::string replaceFile(const fs::path& path, std::string_view bytes) {
  plain_platform::FileReplacement file(path);
  if (file.write(bytes)) file.commit();
  return file.fault();
}

class PlainPlatform : public test::TemporaryFolder {
 protected:
  std::string bytesOf(const fs::path& path) const {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }
};

TEST_F(PlainPlatform, AFileIsReplacedAndKeepsItsPermissions) {
  const fs::path path = write("file", "old");
  fs::permissions(path, fs::perms(0640));
  EXPECT_EQ(replaceFile(path, std::string_view("a\0b\r\n", 5)), "");
  EXPECT_EQ(bytesOf(path), std::string("a\0b\r\n", 5));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(replaceFile(folder_ / "new", "x"), "");
  EXPECT_EQ(bytesOf(folder_ / "new"), "x");
  EXPECT_EQ(fileCount(), 2u);
}

TEST_F(PlainPlatform, AFailedWriteIsToldAndLeavesNothingBehind) {
  EXPECT_TRUE(test::says(replaceFile(folder_ / "none" / "file", "x"), {"cannot be written"}));
  EXPECT_NE(replaceFile(folder_, "x"), "");
  EXPECT_EQ(fileCount(), 0u);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(replaceFile("/dev/full", "x"), "cannot be written: the disk is full");
  }
}

TEST_F(PlainPlatform, WhatIsNotAvailableIsSaid) {
  EXPECT_NE(plain_platform::ChildProcess("/bin/sh", {}).fault(), "");
  EXPECT_FALSE(plain_platform::FileLock::take(folder_ / "lock", true));
  EXPECT_FALSE(plain_platform::secondsSinceProcessStart());
  EXPECT_EQ(plain_platform::processNumber(), plain_platform::processNumber());
  EXPECT_TRUE(plain_platform::waitForInput(0));
}

TEST_F(PlainPlatform, ANewFileHoldsWhatWasWrittenAtOnce) {
  const plain_platform::File file = plain_platform::createPrivateFile(folder_ / "file");
  ASSERT_TRUE(file);
  ASSERT_EQ(std::fwrite("abc", 1, 3, file.get()), 3u);
  EXPECT_EQ(bytesOf(folder_ / "file"), "abc");
}

}  // namespace
}  // namespace limber::plain_platform_test
