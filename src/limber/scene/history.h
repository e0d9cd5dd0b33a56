// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "limber/scene/document.h"

namespace limber {

/// Undo and redo over whole documents. Documents share figures and motions, so that a step costs about as much as a
/// pose.
class History {
 public:
  explicit History(std::size_t capacity = 500) : capacity_(capacity) {}

  /// Remembers `before`, the document as it was before the edit called `label` ("drag", "turn joint", ...).
  /// Clears redo; drops the oldest step if full.
  void record(Document before, std::string label);

  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  const std::string& undoLabel() const;  ///< empty if nothing can be undone
  const std::string& redoLabel() const;

  /// Replaces `document` by the one before the last edit; false if nothing can be undone.
  bool undo(Document& document) { return go(past_, future_, document); }
  bool redo(Document& document) { return go(future_, past_, document); }
  void clear();

  /// The stored steps, oldest first: presentStep() of them are done, the others undone.
  int stepCount() const { return static_cast<int>(past_.size() + future_.size()); }
  int presentStep() const { return static_cast<int>(past_.size()); }
  const std::string& label(int step) const;

 private:
  struct Step {
    Document document;
    std::string label;
  };
  static bool go(std::vector<Step>& from, std::vector<Step>& to, Document& document);

  std::vector<Step> past_, future_;
  std::size_t capacity_;
};

}  // namespace limber
