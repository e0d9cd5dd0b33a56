// SPDX-License-Identifier: MIT
// The panels run without a window: Dear ImGui needs none.
#include "app/panels/panels.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/gui.h"
#include "app/panels/widgets.h"
#include "kinematics/standard_figures.h"
#include "standing_figure.h"

namespace limber::app {
namespace {

class Panels : public testing::Test {
 protected:
  Panels() : session_(makeDocument(makePlanarChain(4)), {}, {}) {
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
    session_.picture = {0, 0, 800, 600};
  }
  ~Panels() override { ImGui::DestroyContext(); }

  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      session_.now += 0.02;
      ImGui::NewFrame();
      carryOut(session_, requests_);
      advance(session_);
      refreshScene(session_);
      drawPanels(session_, session_.ui, session_.settings, {}, requests_);
      ImGui::Render();
    }
  }
  void open(Document document) { session_.editor.open(std::move(document), {}, "open"); }

  Session session_;
  Requests requests_;
};

TEST_F(Panels, AskForNothingWhenNobodyTouchesThem) {
  const Document before = session_.document();
  frames(5);
  EXPECT_TRUE(isSameContent(before, session_.document()));
  EXPECT_FALSE(session_.editor.history().canUndo());
}

TEST_F(Panels, DrawEveryJointTypeAndEveryDialog) {
  open(makeDocument(makeStandingFigure()));
  addGoal(session_.editor.touch(), 3, {0, 0, 0});
  for (int joint = -1; joint < session_.document().figure->linkCount(); ++joint) {
    session_.editor.touch().selection = {joint, 1};
    frames(1);
  }
  session_.ui.showKeys = true;
  session_.ui.newChainWanted = true;
  frames(2);
  session_.ui.closePopups = true;
  frames(2);
  session_.ui.browser.wanted = true;
  frames(3);
  session_.ui.closePopups = true;
  frames(2);
  session_.ui.error = "arm.json: joints[3]: no such parent";
  session_.ui.showError = true;
  requests_.checkDerivatives = true;
  frames(3);
  EXPECT_TRUE(session_.ui.derivatives);
}

TEST_F(Panels, DrawALongChainAndATinyWindow) {
  open(makeDocument(makePlanarChain(1000)));
  frames(2);
  for (const float size : {900.0f, 300.0f, 60.0f, 1.0f}) {
    ImGui::GetIO().DisplaySize = ImVec2(size, size);
    frames(2);
  }
}

TEST_F(Panels, DrawAMotionAndPlayIt) {
  auto motion = std::make_shared<Motion>();
  auto figure = makeBallChain(2);
  motion->channels = {{0, ChannelType::ZRotation}};
  motion->values = {0, 10, 20, 30};
  motion->frameCount = 4;
  motion->frameTime = 0.02;
  open(makeDocument(figure, motion));
  session_.ui.playback = {true, false, session_.now, 0};
  frames(10);
  EXPECT_EQ(session_.document().frame, 3);
  EXPECT_FALSE(session_.ui.playback.isPlaying);
  session_.editor.undo();
  EXPECT_EQ(session_.document().frame, 0);
}

TEST_F(Panels, ShowTheLastSolve) {
  session_.editor.touch().goals[0].target = {2, 2, 0};
  session_.solving.request();
  frames(5);
  EXPECT_FALSE(session_.solving.posing().history().empty());
  EXPECT_TRUE(session_.solving.reportFor(session_.document()));
}

}  // namespace
}  // namespace limber::app
