// SPDX-License-Identifier: MIT
#include "app/gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <cmath>

#include "app/window.h"
#include "io/resources.h"

namespace limber::app {

namespace {

constexpr float kFontSize = 15.0f;

/// Latin, Greek and Cyrillic for the names of files and joints, and a few signs of our own.
const ImWchar kGlyphs[] = {0x20, 0x24F, 0x370, 0x3FF, 0x400, 0x52F, 0x2010, 0x2044, 0x2190, 0x2193, 0x2212, 0x2212, 0};

void loadFont(double scale) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  const auto size = static_cast<float>(std::round(kFontSize * scale));
  if (const auto path = io::findResource("fonts/interface.ttf"))
    if (fonts.AddFontFromFileTTF(path->string().c_str(), size, nullptr, kGlyphs)) return;
  ImFontConfig config;
  config.SizePixels = size;
  fonts.AddFontDefault(&config);
}

void setColors(ImVec4* colors) {
  const ImVec4 accent(0.25f, 0.62f, 0.95f, 1.0f), accentDim(0.25f, 0.62f, 0.95f, 0.55f);
  colors[ImGuiCol_Text] = {0.89f, 0.90f, 0.92f, 1.0f};
  colors[ImGuiCol_TextDisabled] = {0.58f, 0.61f, 0.66f, 1.0f};
  colors[ImGuiCol_WindowBg] = {0.137f, 0.149f, 0.172f, 1.0f};
  colors[ImGuiCol_ChildBg] = {0.0f, 0.0f, 0.0f, 0.0f};
  colors[ImGuiCol_PopupBg] = {0.165f, 0.178f, 0.204f, 1.0f};
  colors[ImGuiCol_Border] = {0.0f, 0.0f, 0.0f, 0.28f};
  colors[ImGuiCol_FrameBg] = {0.095f, 0.104f, 0.122f, 1.0f};
  colors[ImGuiCol_FrameBgHovered] = {0.205f, 0.222f, 0.255f, 1.0f};
  colors[ImGuiCol_FrameBgActive] = {0.225f, 0.245f, 0.285f, 1.0f};
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = colors[ImGuiCol_PopupBg];
  colors[ImGuiCol_MenuBarBg] = {0.118f, 0.128f, 0.149f, 1.0f};
  colors[ImGuiCol_ScrollbarBg] = {0.0f, 0.0f, 0.0f, 0.0f};
  colors[ImGuiCol_ScrollbarGrab] = {0.30f, 0.325f, 0.37f, 1.0f};
  colors[ImGuiCol_ScrollbarGrabHovered] = {0.37f, 0.40f, 0.45f, 1.0f};
  colors[ImGuiCol_CheckMark] = accent;
  colors[ImGuiCol_SliderGrab] = accentDim;
  colors[ImGuiCol_SliderGrabActive] = accent;
  colors[ImGuiCol_Button] = {0.225f, 0.245f, 0.285f, 1.0f};
  colors[ImGuiCol_ButtonHovered] = {0.28f, 0.305f, 0.355f, 1.0f};
  colors[ImGuiCol_ButtonActive] = {0.20f, 0.48f, 0.74f, 1.0f};
  colors[ImGuiCol_Header] = {0.20f, 0.48f, 0.74f, 0.55f};
  colors[ImGuiCol_HeaderHovered] = {0.245f, 0.268f, 0.312f, 1.0f};
  colors[ImGuiCol_HeaderActive] = {0.28f, 0.305f, 0.355f, 1.0f};
  colors[ImGuiCol_Separator] = {1.0f, 1.0f, 1.0f, 0.07f};
  colors[ImGuiCol_TextSelectedBg] = {0.25f, 0.62f, 0.95f, 0.40f};
  colors[ImGuiCol_ModalWindowDimBg] = {0.05f, 0.06f, 0.08f, 0.45f};
}

}  // namespace

void applyTheme(double scale) {
  ImGuiStyle style;
  ImGui::StyleColorsDark(&style);
  style.WindowPadding = {10, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.WindowRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  setColors(style.Colors);
  style.ScaleAllSizes(static_cast<float>(scale));
  ImGui::GetStyle() = style;
}

Gui::Gui(Window& window, double scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // the layout is fixed; what is kept is in app/settings.h
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  ImGui_ImplOpenGL3_Init("#version 330");
  setScale(scale);
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::setScale(double scale) {
  if (scale == scale_) return;
  scale_ = scale;
  applyTheme(scale);
  loadFont(scale);
#if IMGUI_VERSION_NUM < 19200  // later ones bring textures up to date themselves
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void Gui::beginFrame(const std::vector<int>& pressedCodes) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // These see only which keys are down: one pressed and released between two frames would be lost.
  bool(&down)[IM_ARRAYSIZE(ImGuiIO::KeysDown)] = ImGui::GetIO().KeysDown;
  std::vector<int> released;
  for (const int code : pressedCodes)
    if (code >= 0 && code < IM_ARRAYSIZE(ImGuiIO::KeysDown) && !down[code]) released.push_back(code);
  for (const int code : released) down[code] = true;
  ImGui::NewFrame();
  for (const int code : released) down[code] = false;
#else
  (void)pressedCodes;  // events come one after the other
  ImGui::NewFrame();
#endif
}

void Gui::endFrame() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Gui::wantsMouse() { return ImGui::GetIO().WantCaptureMouse; }
bool Gui::wantsKeys() { return ImGui::GetIO().WantTextInput; }
bool Gui::isItemHeld() { return ImGui::IsAnyItemActive(); }

}  // namespace limber::app
