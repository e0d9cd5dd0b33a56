// SPDX-License-Identifier: MIT
#include "app/editing/editor.h"

#include <algorithm>
#include <utility>

#include "limber/body/mirror.h"
#include "limber/posing/loops_along.h"

namespace limber::app {

namespace {

constexpr std::size_t kMaxOrigins = 32;

/// False if an edit goes to another frame or time. Symmetry must not change the pose there.
bool isAtSameTime(const Document& a, const Document& b) {
  return a.figure == b.figure && a.motion == b.motion && a.frame == b.frame && a.time == b.time;
}

}  // namespace

bool isSameContent(const Document& a, const Document& b) {
  return a.figure == b.figure && a.motion == b.motion && a.frame == b.frame && a.joints == b.joints &&
         a.pose == b.pose && a.basePose == b.basePose && a.goals == b.goals && a.pins == b.pins &&
         a.couplingEnabled == b.couplingEnabled && a.linearLimitEnabled == b.linearLimitEnabled && a.mode == b.mode &&
         a.follow == b.follow && a.solver == b.solver && a.timeline == b.timeline && a.time == b.time &&
         a.pictures == b.pictures && a.shownPicture == b.shownPicture && hasSameWorld(a, b) &&
         (a.symmetry != nullptr) == (b.symmetry != nullptr);
}

Editor::Editor(Document document) : document_(std::move(document)) { markSaved({}); }

bool Editor::Origin::has(const Figure* figure) const {
  return std::ranges::any_of(figures, [&](const auto& known) { return known.lock().get() == figure; });
}

const Editor::Origin* Editor::origin() const {
  const auto found = std::ranges::find_if(origins_, [&](const Origin& o) { return o.has(document_.figure.get()); });
  return found == origins_.end() ? nullptr : &*found;
}

Editor::Origin* Editor::origin() { return const_cast<Origin*>(std::as_const(*this).origin()); }

bool Editor::isSameDocument(const Figure* figure) const {
  const Origin* found = origin();
  return figure && found && found->has(figure);
}

/// Records that an edit has replaced the figure `before`: the new figure belongs to the same opened document.
void Editor::noteFigure(const Figure* before) {
  if (document_.figure.get() == before) return;
  for (Origin& known : origins_) {
    std::erase_if(known.figures, [](const auto& figure) { return figure.expired(); });
    if (known.has(before)) known.figures.push_back(document_.figure);
  }
}

std::filesystem::path Editor::file() const {
  const Origin* found = origin();
  return found ? found->file : std::filesystem::path();
}

/// Closes the loops of a pose that an edit has set, such as one of the library.
void Editor::keepLoops(const Document& before) {
  const bool isSameFigure = document_.figure == before.figure;
  if (isSameFigure && document_.pose == before.pose) return;
  const std::vector<std::string> notes = closeLoops(document_);
  if (isSameFigure && !notes.empty() && !largestGap(*before.figure, before.pose).isClosed()) return;  // said before
  for (const std::string& note : notes) loopNote_ += (loopNote_.empty() ? "" : "; ") + note;
}

bool Editor::edit(const std::string& label, const std::string& gesture, const Change& change) {
  Document before = document_;
  change(document_);
  noteFigure(before.figure.get());
  if (isAtSameTime(before, document_)) keepSymmetry(before.pose, document_);
  keepLoops(before);
  keepSeenGoals(before, document_);
  if (isSameContent(before, document_)) return false;
  if (!gesture.empty() && gesture == gesture_) return true;
  if (!gesture.empty()) gestureStart_ = before;
  gesture_ = gesture;
  history_.record(std::move(before), label);
  return true;
}

void Editor::commit(Document before, const std::string& label) {
  endGesture();
  if (isAtSameTime(before, document_)) keepSymmetry(before.pose, document_);
  keepSeenGoals(before, document_);
  if (!isSameContent(before, document_)) history_.record(std::move(before), label);
}

void Editor::beginStep(const std::string& label, const std::string& gesture) {
  gesture_ = gesture;
  if (!gesture.empty()) gestureStart_ = document_;
  history_.record(document_, label);
}

void Editor::restore(Document document) {
  endGesture();
  document_ = std::move(document);
}

bool Editor::undo() {
  endGesture();
  return history_.undo(document_);
}

bool Editor::redo() {
  endGesture();
  return history_.redo(document_);
}

bool Editor::goTo(int step) {
  endGesture();
  if (step < 0 || step > history_.stepCount()) return false;
  while (history_.presentStep() > step) history_.undo(document_);
  while (history_.presentStep() < step) history_.redo(document_);
  return true;
}

/// Keeps a changed document before another one replaces it, and moves its origin to the end of the list.
void Editor::noteLeft() {
  Origin* known = origin();
  if (!known) return;
  known->left = isChanged() ? std::optional(document_) : std::nullopt;
  std::rotate(origins_.begin() + (known - origins_.data()), origins_.begin() + (known - origins_.data()) + 1,
              origins_.end());
}

void Editor::open(Document document, std::filesystem::path file, const std::string& label, bool isSaved) {
  endGesture();
  noteLeft();
  history_.record(std::move(document_), label);
  document_ = std::move(document);
  markSaved(std::move(file));
  if (Origin* known = isSaved ? nullptr : origin()) known->content = {};
}

void Editor::markSaved(std::filesystem::path file) {
  if (Origin* known = origin()) {
    known->file = std::move(file);
    known->content = document_;
    known->left.reset();
    return;
  }
  origins_.push_back({std::move(file), document_, std::nullopt, {document_.figure}});
  if (origins_.size() > kMaxOrigins) origins_.erase(origins_.begin());
}

Editor::Unsaved Editor::unsaved() const {
  if (isChanged()) return {&document_, file()};
  const Origin* present = origin();
  const auto found = std::find_if(origins_.rbegin(), origins_.rend(),
                                  [&](const Origin& known) { return known.left && &known != present; });
  return found == origins_.rend() ? Unsaved{} : Unsaved{&*found->left, found->file};
}

void Editor::forgetHistory() {
  endGesture();
  history_.clear();
}

bool Editor::isChanged() const {
  const Origin* found = origin();
  return !found || !isSameContent(found->content, document_);
}

}  // namespace limber::app
