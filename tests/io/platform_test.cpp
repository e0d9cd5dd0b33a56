// SPDX-License-Identifier: MIT
#include "limber/io/base/platform.h"

#include "support/temporary_folder.h"

namespace limber::platform_test {
namespace {
namespace fs = std::filesystem;
using Platform = test::TemporaryFolder;

TEST_F(Platform, OneHolderAtATimeHasALock) {
  const fs::path path = folder_ / "lock";
  EXPECT_FALSE(platform::FileLock::take(path, false)) << "it is not there";
  auto held = platform::FileLock::take(path, true);
  ASSERT_TRUE(held);
  EXPECT_FALSE(platform::FileLock::take(path, true));
  held.reset();
  EXPECT_TRUE(platform::FileLock::take(path, false));
}

TEST_F(Platform, APrivateFileIsItsUsersAndHoldsWhatWasWrittenAtOnce) {
  const platform::File file = platform::createPrivateFile(folder_ / "file");
  ASSERT_TRUE(file);
  EXPECT_EQ(fs::status(folder_ / "file").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(std::fwrite("abc", 1, 3, file.get()), 3u);
  EXPECT_EQ(fs::file_size(folder_ / "file"), 3u);
  EXPECT_FALSE(platform::createPrivateFile(folder_ / "none" / "file"));
  EXPECT_EQ(platform::causeOf(platform::lastError()), "there is no such file or folder");
}

TEST_F(Platform, ATimeIsWrittenInTheFormatAsked) {
  const std::time_t now = std::time(nullptr);
  EXPECT_EQ(platform::localTimeText(now, "%Y").size(), 4u);
  EXPECT_EQ(platform::localTimeText(now, "%s"), std::to_string(now));  // POSIX: seconds since 1970
}

#ifdef __linux__
TEST_F(Platform, AProcessHasBeenRunningSinceItsStart) {
  const auto before = platform::secondsSinceProcessStart(), after = platform::secondsSinceProcessStart();
  ASSERT_TRUE(before && after);
  EXPECT_GE(*before, -0.02);  // the start is told in hundredths
  EXPECT_GE(*after, *before);
}
#endif

}  // namespace
}  // namespace limber::platform_test
