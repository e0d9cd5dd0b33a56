// SPDX-License-Identifier: MIT
#include "limber/scene/history.h"

namespace limber {

namespace {
const std::string kNothing;
}

void History::record(Document before, std::string label) {
  future_.clear();
  past_.push_back({std::move(before), std::move(label)});
  if (past_.size() > capacity_) past_.erase(past_.begin());
}

const std::string& History::undoLabel() const { return past_.empty() ? kNothing : past_.back().label; }
const std::string& History::redoLabel() const { return future_.empty() ? kNothing : future_.back().label; }

const std::string& History::label(int step) const {
  const auto place = static_cast<std::size_t>(step);
  return place < past_.size() ? past_[place].label : future_[past_.size() + future_.size() - 1 - place].label;
}

bool History::undo(Document& document) {
  if (past_.empty()) return false;
  Step step = std::move(past_.back());
  past_.pop_back();
  std::swap(document, step.document);
  future_.push_back(std::move(step));
  return true;
}

bool History::redo(Document& document) {
  if (future_.empty()) return false;
  Step step = std::move(future_.back());
  future_.pop_back();
  std::swap(document, step.document);
  past_.push_back(std::move(step));
  return true;
}

void History::clear() {
  past_.clear();
  future_.clear();
}

}  // namespace limber
