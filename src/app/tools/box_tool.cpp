// SPDX-License-Identifier: MIT
// Selects the links in a box.
#include "app/tools/tools.h"

namespace limber::app {

namespace {

struct BoxTool : Tool {
  void release(Stage& stage, const Modifiers&) override {
    const auto [from, to] = cornersOf(stage.pointer);
    stage.editor.touch().selection = boxedSelection(stage.document(), stage.picture.kinematics,
                                                    partsOf(stage.document()), stage.picture.view(), from, to);
    stage.ui.tree.scrolls = true;
    stage.editor.endGesture();
  }
  bool cancel(Stage&) override { return true; }
  void draw(const Stage& stage, Overlay& overlay) const override { overlay.box = cornersOf(stage.pointer); }

 private:
  static std::array<Eigen::Vector2d, 2> cornersOf(const Pointer& pointer) {
    return {Eigen::Vector2d(pointer.pressX, pointer.pressY), Eigen::Vector2d(pointer.x, pointer.y)};
  }
};

}  // namespace

std::unique_ptr<Tool> makeBoxTool() { return std::make_unique<BoxTool>(); }

}  // namespace limber::app
