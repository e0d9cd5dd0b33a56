// SPDX-License-Identifier: MIT
#include "app/shell/gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "app/shell/window.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/resources.h"

namespace limber::app {

namespace {

constexpr float kFontSize = 15.0f;

/// Latin, Greek and Cyrillic for the names of files and joints, and a few symbols of the panels.
const ImWchar kGlyphs[] = {0x20, 0x24F, 0x370, 0x3FF, 0x400, 0x52F, 0x2010, 0x2044, 0x2190, 0x2193, 0x2212, 0x2212, 0};

/// A font of the system with Chinese, Japanese and Korean characters; empty for none.
std::filesystem::path findForeignFont() {
  for (const char* file :
       {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"}) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return {};
}

/// Adds characters to the last font of the atlas, which keeps `ranges` until it is built.
void mergeForeign(float size, const std::set<char16_t>& characters, std::vector<ImWchar>& ranges) {
  const std::filesystem::path file = findForeignFont();
  if (characters.empty() || file.empty()) return;
  for (const char16_t character : characters) ranges.insert(ranges.end(), 2, static_cast<ImWchar>(character));
  ranges.push_back(0);
  ImFontConfig config;
  config.MergeMode = true;
  config.OversampleH = config.OversampleV = 1;
  ImGui::GetIO().Fonts->AddFontFromFileTTF(file.string().c_str(), size, &config, ranges.data());
}

}  // namespace

void loadFonts(double scale, const std::set<char16_t>& foreign) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  const auto size = static_cast<float>(std::round(kFontSize * scale));
  const auto path = io::findResource("fonts/interface.ttf");
  static std::vector<ImWchar> ranges;  // the atlas keeps its address
  ranges.clear();
  if (path && fonts.AddFontFromFileTTF(path->string().c_str(), size, nullptr, kGlyphs)) {
    mergeForeign(size, foreign, ranges);
  } else {
    ImFontConfig config;
    config.SizePixels = size;
    fonts.AddFontDefault(&config);
  }
#if IMGUI_VERSION_NUM < 19200
  fonts.Build();
  fonts.ClearInputData();  // a font with all Chinese characters has 20 MB
#endif
}

Gui::Gui(Window& window, double scale, ThemeName theme) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // app/settings/settings.h keeps all settings
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  ImGui_ImplOpenGL3_Init(platform::kIsPage ? "#version 300 es" : "#version 330");
  setLook(scale, theme, {});
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::setLook(double scale, ThemeName theme, const std::set<char16_t>& foreign) {
  if (scale != scale_ || theme != theme_) applyTheme(scale, theme);
  theme_ = theme;
  if (scale == scale_ && foreign == foreign_) return;
  scale_ = scale;
  foreign_ = foreign;
  loadFonts(scale, foreign);
#if IMGUI_VERSION_NUM < 19200  // later versions update textures themselves
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void Gui::beginFrame(const std::vector<int>& pressedCodes, [[maybe_unused]] bool isEnterAnswer) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // These versions see only which keys are down: a key pressed and released between two frames would be lost.
  bool(&down)[IM_ARRAYSIZE(ImGuiIO::KeysDown)] = ImGui::GetIO().KeysDown;
  std::vector<int> released;
  for (const int code : pressedCodes)
    if (code >= 0 && code < IM_ARRAYSIZE(ImGuiIO::KeysDown) && !down[code]) released.push_back(code);
  for (const int code : released) down[code] = true;
  const bool leadsByKeyboard = !isEnterAnswer && (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard);
  if (const int enter = ImGui::GetIO().KeyMap[ImGuiKey_Enter]; leadsByKeyboard && enter >= 0 && down[enter])
    ImGui::GetIO().NavInputs[ImGuiNavInput_Activate] = 1.0f;  // Enter activates a menu entry, as Space does
  ImGui::NewFrame();
  for (const int code : released) down[code] = false;
#else
  (void)pressedCodes;  // these versions queue events
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
