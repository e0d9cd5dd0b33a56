// SPDX-License-Identifier: MIT
#include "app/settings/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace limber::app::theme_test {
namespace {

constexpr double kLeastContrast = 4.5;  // of text, WCAG 2.1, success criterion 1.4.3

/// Relative luminance, as WCAG 2.1 defines it.
double luminance(const ImVec4& color) {
  const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z);
}

double contrast(const ImVec4& a, const ImVec4& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

using Named = std::pair<const char*, ImVec4>;

void expectReadable(const std::vector<Named>& texts, const std::vector<Named>& grounds) {
  for (const auto& [text, color] : texts)
    for (const auto& [ground, behind] : grounds)
      EXPECT_GE(contrast(color, behind), kLeastContrast) << text << " on " << ground;
}

class Themes : public testing::TestWithParam<ThemeName> {};
INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(ThemeName::Dark, ThemeName::Light));

TEST(ThemeContrast, IsThatOfTheStandard) {
  EXPECT_NEAR(contrast({0, 0, 0, 1}, {1, 1, 1, 1}), 21.0, 1e-9);
  EXPECT_NEAR(contrast({0.4666667f, 0.4666667f, 0.4666667f, 1}, {1, 1, 1, 1}), 4.48, 0.01) << "#777 on white";
}

TEST_P(Themes, TextIsReadableOnAllThatStandsBehindIt) {
  const ThemeColors& t = themeColors(GetParam());
  expectReadable({{"text", t.text}, {"dim text", t.dimText}}, {{"window", t.window},
                                                               {"popup", t.popup},
                                                               {"menu bar", t.menuBar},
                                                               {"field", t.field},
                                                               {"hovered field", t.fieldHovered},
                                                               {"active field", t.fieldActive},
                                                               {"button", t.button},
                                                               {"header", t.header},
                                                               {"hovered row", t.rowHovered},
                                                               {"selected row", t.selected}});
  expectReadable({{"text", t.text}}, {{"hovered button", t.buttonHovered}, {"button that is down", t.buttonDown}});
}

TEST_P(Themes, MeaningfulColoursAreReadableAsText) {
  const ThemeColors& t = themeColors(GetParam());
  expectReadable({{"met", t.met}, {"unmet", t.unmet}, {"amber", t.amber}, {"accent", t.accent}},
                 {{"window", t.window}, {"popup", t.popup}, {"menu bar", t.menuBar}});
  expectReadable({{"amber", t.amber}}, {{"hovered row", t.rowHovered}, {"selected row", t.selected}});
  expectReadable({{"x", t.axes[0]}, {"y", t.axes[1]}, {"z", t.axes[2]}},
                 {{"field", t.field}, {"hovered field", t.fieldHovered}, {"active field", t.fieldActive}});
  expectReadable({{"folder", t.folder}}, {{"popup", t.popup}, {"hovered row", t.rowHovered}, {"selected", t.selected}});
}

TEST_P(Themes, SignsStandOutFromTheirDiscs) {
  const ThemeColors& t = themeColors(GetParam());
  expectReadable({{"sign", t.sign}}, {{"met", t.met}, {"unmet", t.unmet}});
}

TEST_P(Themes, IsWhatPanelsDrawWith) {
  ImGui::CreateContext();
  applyTheme(1.5, GetParam());
  const ImVec4 text = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  EXPECT_EQ(text.x, themeColors(GetParam()).text.x);
  EXPECT_EQ(colors::kMet.y, themeColors(GetParam()).met.y);
  EXPECT_EQ(ImGui::GetStyle().FramePadding.x, 12.0f);
  applyTheme(1.0);
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace limber::app::theme_test
