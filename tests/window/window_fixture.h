// SPDX-License-Identifier: MIT
// The real program on a display of its own, with a scene that Ctrl+S writes back to.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "limber/io/json/scene_json.h"
#include "window/private_display.h"

namespace limber::test {

class WindowFixture : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = PrivateDisplay::missingTools(); !missing.empty())
      GTEST_SKIP() << "not installed: " << missing;
    display_ = std::make_unique<PrivateDisplay>();
    ASSERT_TRUE(display_->isUp());
  }

  /// Opens the document from a scene file of that name.
  void openScene(const Document& document, const std::string& name) {
    scene_ = display_->folder() / name;
    const auto fault = io::writeScene(scene_, document);
    ASSERT_FALSE(fault) << fault->message();
    ASSERT_TRUE(display_->start({scene_.string()})) << display_->output();
  }

  /// The document that Ctrl+S writes; without a figure if it writes none.
  Document saved() {
    std::filesystem::remove(scene_);
    display_->key("ctrl+s");
    EXPECT_TRUE(waitFor([&] { return std::filesystem::exists(scene_); })) << "Ctrl+S wrote nothing";
    const auto document = io::readScene(scene_);
    EXPECT_TRUE(document) << document.error().message();
    return document ? *document : Document{};
  }

  std::unique_ptr<PrivateDisplay> display_;
  std::filesystem::path scene_;
};

}  // namespace limber::test
