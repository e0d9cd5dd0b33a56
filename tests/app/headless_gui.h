// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "app/gui.h"

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

}  // namespace limber::app
