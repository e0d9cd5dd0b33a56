// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/shell/gui.h"
#include "headless_session.h"

namespace limber::app {

/// Dear ImGui without a window during its lifetime: panels draw, but nothing is shown.
class HeadlessGui {
 public:
  HeadlessGui() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1400, 900);
    io.DeltaTime = 1.0f / 60.0f;
    applyTheme(1.0);
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;  // open menus ask for keys
#endif
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

/// The session with its panels, for fixtures that test panels. A frame draws them.
class HeadlessWindow : protected HeadlessSession {
 protected:
  explicit HeadlessWindow(Document document) : HeadlessSession(std::move(document)) {}

  void frames(int count) {
    for (int i = 0; i < count; ++i) drawFrame();
  }

  /// The mouse for panels.
  static void moveOverPanels(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMousePosEvent(x, y);
#else
    ImGui::GetIO().MousePos = ImVec2(x, y);
#endif
  }
  static void pressOverPanels(bool isDown, int button = 0) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(button, isDown);
#else
    ImGui::GetIO().MouseDown[button] = isDown;
#endif
  }
  /// A click on a panel, with the necessary frames.
  void clickPanel(const ImVec2& at) {
    moveOverPanels(at.x, at.y);
    frames(2);
    for (const bool isDown : {true, false}) {
      pressOverPanels(isDown);
      frames(1);
    }
    frames(1);
  }

  /// A key for panels and dialogs, and text for the field that has the keyboard.
  void keyOverPanels(ImGuiKey key, bool withShift = false) {
    for (const bool isDown : {true, false}) {
#if IMGUI_VERSION_NUM >= 18700
      ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, withShift && isDown);
      ImGui::GetIO().AddKeyEvent(key, isDown);
#else
      ImGui::GetIO().KeyShift = withShift && isDown;
      ImGui::GetIO().KeysDown[key] = isDown;
#endif
      if (key == ImGuiKey_Escape && isDown) session_.ui.popups.isEscape = session_.ui.popups.closes = true;
      frames(1);
    }
    frames(3);
  }
  void typeOverPanels(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frames(2);
  }

  void drawFrame() override {
    session_.ui.now += 0.02;
    ImGui::NewFrame();
    carryOut(session_, queue_);
    advance(session_);
    refreshScene(session_);
    layout_ = drawPanels(session_, session_.ui, session_.settings, {}, queue_);
    ImGui::Render();
  }

  HeadlessGui gui_;
  CommandQueue queue_;
  Layout layout_;  ///< of the last frame
};

}  // namespace limber::app
