// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/shell/gui.h"

namespace limber::app {

/// Dear ImGui without a window, as long as it lives: panels draw, nobody looks.
class HeadlessGui {
 public:
  HeadlessGui() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1400, 900);
    io.DeltaTime = 1.0f / 60.0f;
    applyTheme(1.0);
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#endif
  }
  ~HeadlessGui() { ImGui::DestroyContext(); }
  HeadlessGui(const HeadlessGui&) = delete;
  HeadlessGui& operator=(const HeadlessGui&) = delete;
};

/// The window's frames with its panels: what a fixture needs to see them work.
class HeadlessWindow {
 protected:
  explicit HeadlessWindow(Document document) : session_(std::move(document), {}, {}) {
    session_.picture.area = {0, 0, 800, 600};
  }

  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      session_.ui.now += 0.02;
      ImGui::NewFrame();
      carryOut(session_, requests_);
      advance(session_);
      refreshScene(session_);
      layout_ = drawPanels(session_, session_.ui, session_.settings, {}, requests_);
      ImGui::Render();
    }
  }

  /// A click on a panel, with the frames that it takes.
  void clickPanel(const ImVec2& at) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(at.x, at.y);
    const auto press = [&](bool down) { io.AddMouseButtonEvent(0, down); };
#else
    io.MousePos = at;
    const auto press = [&](bool down) { io.MouseDown[0] = down; };
#endif
    frames(2);
    for (const bool down : {true, false}) {
      press(down);
      frames(1);
    }
    frames(1);
  }

  HeadlessGui gui_;
  Session session_;
  Requests requests_;
  Layout layout_;  ///< of the last frame
};

}  // namespace limber::app
