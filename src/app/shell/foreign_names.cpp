// SPDX-License-Identifier: MIT
#include "app/shell/foreign_names.h"

namespace limber::app {

namespace {

constexpr unsigned kFirstForeign = 0x2E80;

void addFigure(const Figure& figure, std::set<char16_t>& out) {
  addForeign(figure.name(), out);
  for (const Link& link : figure.links()) addForeign(link.name, out);
  for (const Joint& joint : figure.joints()) addForeign(joint.name, out);
  for (const Site& site : figure.sites()) addForeign(site.name, out);
}

}  // namespace

void addForeign(std::string_view text, std::set<char16_t>& out) {
  const auto isContinuation = [](unsigned byte) { return (byte & 0xC0u) == 0x80u; };
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[i + k])); };
    if ((at(0) & 0xF0u) != 0xE0u || !isContinuation(at(1)) || !isContinuation(at(2))) continue;
    const unsigned character = (at(0) & 0x0Fu) << 12 | (at(1) & 0x3Fu) << 6 | (at(2) & 0x3Fu);
    if (character >= kFirstForeign) out.insert(static_cast<char16_t>(character));
    i += 2;
  }
}

const std::set<char16_t>& ForeignNames::of(const Session& session) {
  const Document& document = session.document();
  const UiState& ui = session.ui;
  const auto add = [&](std::string_view text) { addForeign(text, characters_); };
  if (figure_.lock() != document.figure) {
    figure_ = document.figure;
    addFigure(*document.figure, characters_);
  }
  for (const GoalItem& goal : document.goals) add(goal.name);
  for (const Obstacle& obstacle : document.obstacles) add(obstacle.name);
  for (const auto& clip : document.clips) add(clip->name);
  for (const std::string& file : session.settings.recentFiles) add(file);
  for (const Poses::Entry& entry : session.services.poses.entries()) add(entry.pose.name);
  if (ui.browser.isOpen) {
    add(ui.browser.folder.string());
    add(ui.browser.typed);
    for (const FileEntry& entry : ui.browser.listing.entries) add(entry.name);
  }
  for (const std::string* text : {&ui.message.text, &ui.error, &ui.notes}) add(*text);
  add(session.editor.file().string());
  return characters_;
}

}  // namespace limber::app
