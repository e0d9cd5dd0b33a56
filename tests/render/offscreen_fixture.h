// SPDX-License-Identifier: MIT
// Tests that draw without a window.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "locations.h"
#include "render/offscreen.h"

namespace limber::test {

inline const std::filesystem::path kShaders = std::filesystem::path(LIMBER_SOURCE_DIR) / "shaders";

/// Skips its tests, visibly, if the system has no OpenGL context.
class Offscreen : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    if (!render::OffscreenContext::create(error)) GTEST_SKIP() << error;
  }
};

}  // namespace limber::test
