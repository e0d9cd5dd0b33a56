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

bool History::go(std::vector<Step>& from, std::vector<Step>& to, Document& document) {
  if (from.empty()) return false;
  to.push_back(std::move(from.back()));
  from.pop_back();
  std::swap(document, to.back().document);
  return true;
}

void History::clear() {
  past_.clear();
  future_.clear();
}

}  // namespace limber
