// SPDX-License-Identifier: MIT
#include "limber/io/base/child_process.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace limber::io::child_process_test {
namespace {

constexpr const char* kShell = "/bin/sh";

std::string faultOf(const std::string& script, ChildLimits limits = {}, const OpenContext& context = {}) {
  const auto answer = runChild(kShell, {"-c", script}, limits, context, "test");
  return answer ? "no fault: " + *answer : answer.error().cause;
}

class ChildProcess : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kShell)) GTEST_SKIP() << kShell << " is not there";
  }
};

TEST_F(ChildProcess, WhatItPrintsComesBackToTheByte) {
  ChildLimits limits;
  const auto answer = runChild(kShell, {"-c", "printf 'a\\0b\\n'"}, limits, {}, "test");
  ASSERT_TRUE(answer) << answer.error().cause;
  EXPECT_EQ(*answer, std::string("a\0b\n", 4));
}

TEST_F(ChildProcess, ArgumentsAreNotTheShells) {
  ChildLimits limits;
  const auto answer = runChild(kShell, {"-c", "printf %s \"$0\"", "a b; echo $HOME"}, limits, {}, "test");
  ASSERT_TRUE(answer);
  EXPECT_EQ(*answer, "a b; echo $HOME");
}

TEST_F(ChildProcess, AComplaintACrashAndSilenceAreTold) {
  EXPECT_EQ(faultOf("echo 'line 3: no' >&2; exit 1"), "line 3: no");
  EXPECT_NE(faultOf("kill -SEGV $$").find("crashed"), std::string::npos);
  EXPECT_EQ(faultOf("exit 7"), "the reader of this format ended with code 7");
}

TEST_F(ChildProcess, WhatTakesTooLongOrPrintsTooMuchIsKilled) {
  EXPECT_NE(faultOf("while :; do :; done", {.processorSeconds = 0.2}).find("processor time"), std::string::npos);
  EXPECT_NE(faultOf("sleep 100", {.idleSeconds = 0.2}).find("waited"), std::string::npos);
  EXPECT_EQ(faultOf("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", {.maxBytes = 10000}),
            "is too large once it is read");
  EXPECT_EQ(faultOf("yes x >&2 & sleep 0.2; kill $!; exit 1").substr(0, 3), "x\nx");
}

TEST_F(ChildProcess, OnlyItsOwnTimeCounts) {
  ChildLimits limits{.processorSeconds = 0.5, .idleSeconds = 5.0};
  const auto answer = runChild(kShell, {"-c", "sleep 1; echo done"}, limits, {}, "test");
  ASSERT_TRUE(answer) << answer.error().cause;
  EXPECT_EQ(*answer, "done\n");
  EXPECT_LE(limits.processorSeconds, 0.5);
  EXPECT_GT(limits.processorSeconds, 0.0);
}

TEST_F(ChildProcess, ItEndsWhenItIsCancelled) {
  int asked = 0;
  const OpenContext context{.progress = [&](double, std::string_view) { return ++asked < 3; }};
  EXPECT_EQ(faultOf("sleep 100", {}, context), kCancelled);
}

TEST_F(ChildProcess, AProgramThatIsNotThereIsNamed) {
  ChildLimits limits;
  const auto answer = runChild("/no/such/program", {}, limits, {}, "test");
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().cause.find("/no/such/program"), std::string::npos);
}

}  // namespace
}  // namespace limber::io::child_process_test
