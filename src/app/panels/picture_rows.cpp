// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/pictures.h"
#include "app/panels/widgets.h"
#include "limber/scene/document.h"

namespace limber::app {

namespace {

void editCount(const char* id, const char* format, int minimum, int maximum, int& count, UiState& ui) {
  double value = count;
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const NumberStyle style{.minimum = static_cast<double>(minimum),
                          .maximum = static_cast<double>(maximum),
                          .format = format,
                          .tooltip = "drag, or double-click to type"};
  if (editNumber(id, value, style, ui)) count = static_cast<int>(std::lround(value));
}

}  // namespace

void preparePictures(const Session& session, PictureChoice& pictures) {
  const auto side = [](double pixels) {
    return std::clamp(static_cast<int>(pixels), render::kMinPictureSize, render::kMaxPictureSize);
  };
  if (pictures.width == 0) {
    pictures.width = side(session.picture.area.width);
    pictures.height = side(session.picture.area.height);
  }
  pictures.first = 0;
  pictures.last = takeLength(session.document()) - 1;
  pictures.step = 1;
}

void drawPictureRows(const Session& session, bool isSequence, UiState& ui) {
  PictureChoice& pictures = ui.browser.pictures;
  editCount("##width", "%.0f pixels", render::kMinPictureSize, render::kMaxPictureSize, pictures.width, ui);
  ImGui::SameLine();
  ImGui::TextUnformatted("x");
  ImGui::SameLine();
  editCount("##height", "%.0f pixels", render::kMinPictureSize, render::kMaxPictureSize, pictures.height, ui);
  ImGui::SameLine();
  ImGui::Checkbox("Nothing behind the figure", &pictures.isTransparent);
  if (!isSequence) return;
  const int last = takeLength(session.document()) - 1;
  editCount("##first", "from %.0f", 0, last, pictures.first, ui);
  pictures.last = std::clamp(pictures.last, pictures.first, last);
  ImGui::SameLine();
  editCount("##last", "to %.0f", pictures.first, last, pictures.last, ui);
  ImGui::SameLine();
  editCount("##step", "every %.0f", 1, std::max(last, 1), pictures.step, ui);
  ImGui::SameLine();
  disabledText("%d pictures", FrameRange{pictures.first, pictures.last, pictures.step}.count());
}

}  // namespace limber::app
