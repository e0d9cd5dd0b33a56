// SPDX-License-Identifier: MIT
#include "limber/io/base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/temporary_folder.h"

namespace limber::io::file_test {
namespace {
namespace fs = std::filesystem;

using File = test::TemporaryFolder;

TEST_F(File, WhatWasWrittenIsRead) {
  const std::string bytes("a\0b\r\n", 5);
  ASSERT_FALSE(writeFileAtomically(folder_ / "new", bytes));
  EXPECT_EQ(*readFile(folder_ / "new"), bytes);
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(File, MissingFileAndDirectoryAreNamed) {
  EXPECT_NE(readFile(folder_ / "none").error().message().find("no such file"), std::string::npos);
  EXPECT_NE(readFile(folder_).error().message().find("is a folder, not a file"), std::string::npos);
  EXPECT_NE(readFile("/dev/zero").error().message().find("not a file"), std::string::npos);
}

TEST_F(File, AMissingFolderIsNamedWhenAFileGoesThere) {
  const auto fault = writeFileAtomically(folder_ / "pictures" / "x.png", "bytes");
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->cause.find("no such folder"), std::string::npos) << fault->cause;
  EXPECT_NE(fault->cause.find("pictures\""), std::string::npos) << fault->cause;
}

TEST_F(File, WhatCannotBeReadIsSaidBeforeItIsOpened) {
  for (const fs::path& path : {folder_ / "none", folder_, fs::path("/dev/zero")}) {
    const auto fault = findAccessFault(path);
    ASSERT_TRUE(fault) << path;
    EXPECT_EQ(fault->message(), readFile(path).error().message());
  }
  EXPECT_TRUE(findAccessFault(write("large", std::string(3 << 20, ' ')), 2 << 20));
  EXPECT_FALSE(findAccessFault(write("small", "x")));
}

TEST_F(File, ANamedPipeIsRefusedWithoutWaitingForItsWriter) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(readFile(pipe).error().message().find("is a pipe"), std::string::npos);
  EXPECT_TRUE(findAccessFault(pipe));
}

TEST_F(File, APipeOfTheParentIsWritten) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const auto fault = writeFileAtomically("/dev/fd/" + std::to_string(ends[1]), "text");
  EXPECT_FALSE(fault) << fault->message();
  char read[5] = {};
  EXPECT_EQ(::read(ends[0], read, 4), 4);
  EXPECT_STREQ(read, "text");
  for (const int end : ends) ::close(end);
}

TEST_F(File, APipeOfTheParentIsReadUnlessLimitsForbidIt) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const fs::path path = "/dev/fd/" + std::to_string(ends[0]);
  ASSERT_EQ(::write(ends[1], "text", 4), 4);
  ::close(ends[1]);
  {
    const ReadingLimits limits(std::nullopt);
    EXPECT_FALSE(readFile(path));
  }
  EXPECT_EQ(*readFile(path), "text");
  ::close(ends[0]);
}

TEST_F(File, LimitsToAFolderResolveLinksAndDots) {
  fs::create_directory(folder_ / "root");
  const fs::path outside = write("outside", "x"), inside = write("root/inside", "y");
  fs::create_symlink(outside, folder_ / "root" / "link");
  fs::create_symlink("inside", folder_ / "root" / "good");
  const ReadingLimits limits(folder_ / "root");
  EXPECT_EQ(*readFile(inside), "y");
  EXPECT_EQ(*readFile(folder_ / "root" / "good"), "y");
  for (const fs::path& path : {outside, folder_ / "root" / "link", folder_ / "root" / ".." / "outside", folder_ / "no"})
    EXPECT_NE(readFile(path).error().cause.find("--root"), std::string::npos) << path;
  EXPECT_NE(readFile(folder_ / "root" / "no").error().cause.find("no such file"), std::string::npos);
}

TEST_F(File, LargeFileIsRefused) {
  EXPECT_NE(readFile(write("large", std::string(3 << 20, ' ')), 2 << 20).error().cause.find("larger than 2 MiB"),
            std::string::npos);
}

TEST_F(File, MissingPermissionIsNamed) {
  const fs::path path = write("secret", "x");
  fs::permissions(path, fs::perms::none);
  if (access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
  EXPECT_NE(readFile(path).error().cause.find("no permission"), std::string::npos);
  EXPECT_TRUE(writeFileAtomically(path, "y"));
}

TEST_F(File, OverwritingKeepsPermissions) {
  const fs::path path = write("script", "old");
  fs::permissions(path, fs::perms(0640));
  ASSERT_FALSE(writeFileAtomically(path, "new"));
  EXPECT_EQ(*readFile(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(File, SymbolicLinkStaysOne) {
  write("real", "old");
  fs::create_symlink("real", folder_ / "link");
  ASSERT_FALSE(writeFileAtomically(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*readFile(folder_ / "real"), "new");
}

TEST_F(File, DanglingSymbolicLinkGetsItsTarget) {
  fs::create_symlink("later", folder_ / "link");
  ASSERT_FALSE(writeFileAtomically(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*readFile(folder_ / "later"), "new");
}

TEST_F(File, FailedWriteLeavesNothingBehind) {
  EXPECT_NE(writeFileAtomically(folder_, "x")->message().find("directory"), std::string::npos);
  EXPECT_NE(writeFileAtomically(folder_ / "none" / "file", "x")->message().find("no such"), std::string::npos);
  write("file", "old");
  EXPECT_TRUE(writeFileAtomically(folder_ / "file" / "below", "x"));
  EXPECT_EQ(fileCount(), 1u);
}

/// Writes with a limit on the size of files, beyond which the system kills the program during the write.
void dieWriting(const fs::path& path, const std::string& bytes) {
  const rlimit limit{1 << 16, 1 << 16};
  const rlimit noCore{0, 0};
  signal(SIGXFSZ, SIG_DFL);
  if (setrlimit(RLIMIT_CORE, &noCore) == 0 && setrlimit(RLIMIT_FSIZE, &limit) == 0)
    static_cast<void>(writeFileAtomically(path, bytes));
  _exit(0);
}

TEST_F(File, AKillWhileWritingLeavesTheOldFileAndNothingElse) {
#ifdef O_TMPFILE
  if (const int unnamed = ::open(folder_.c_str(), O_WRONLY | O_TMPFILE, 0600); unnamed >= 0) ::close(unnamed);
  else GTEST_SKIP() << "no files without a name in " << folder_;
#else
  GTEST_SKIP() << "no files without a name on this system";
#endif
  const fs::path old = write("file", "old");
  for (const fs::path& path : {old, folder_ / "new"}) {
    const pid_t child = fork();
    if (child == 0) dieWriting(path, std::string(1 << 20, 'x'));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it was not ended while it wrote";
    EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
  }
  EXPECT_EQ(*readFile(old), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(File, FullDiskIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_NE(writeFileAtomically("/dev/full", "x")->message().find("disk is full"), std::string::npos);
}

}  // namespace
}  // namespace limber::io::file_test
