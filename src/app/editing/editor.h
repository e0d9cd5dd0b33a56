// SPDX-License-Identifier: MIT
// The open document with its undo history. Every edit of the user goes through here, so that each is one step.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/scene/document.h"
#include "limber/scene/history.h"

namespace limber::app {

using Change = std::function<void(Document&)>;

class Editor {
 public:
  explicit Editor(Document document);

  const Document& document() const { return document_; }
  /// Gives access to the document without an undo step: for the pose of a solve, the selection, a running drag.
  Document& touch() { return document_; }

  /// Applies a change as one step; consecutive edits with the same non-empty gesture form one step. Returns false,
  /// without a step, if nothing has changed.
  bool edit(const std::string& label, const std::string& gesture, const Change& change);
  /// By how much the last edits had opened loops of the figure, which were closed again; empty if there is nothing to
  /// say. Empty afterwards.
  std::string takeLoopNote() { return std::exchange(loopNote_, {}); }
  /// The next edit is a new step even if its gesture is the same.
  void endGesture() { gesture_.clear(); }
  const std::string& gesture() const { return gesture_; }
  /// The document at the start of the running gesture; null if no gesture is running.
  const Document* gestureStart() const { return gesture_.empty() ? nullptr : &gestureStart_; }

  /// Records a change made through touch() as one step, which began at `before`, if more than the selection differs.
  void commit(Document before, const std::string& label);
  /// Begins a step at the present document. Later changes by touch() and edits with this gesture belong to it.
  void beginStep(const std::string& label, const std::string& gesture = "");
  /// Replaces the document without a step, as when a drag is cancelled.
  void restore(Document document);

  bool undo();
  bool redo();
  /// Undoes or redoes until `step` steps of the history are done. Returns false if it has fewer.
  bool goTo(int step);
  const History& history() const { return history_; }

  /// Replaces the open document by a loaded or new one, as one step. Without `isSaved` it counts as changed; `file`, if
  /// not empty, then holds an earlier state of it.
  void open(Document document, std::filesystem::path file, const std::string& label, bool isSaved = true);
  void markSaved(std::filesystem::path file);
  /// Clears the undo history.
  void forgetHistory();
  /// The file that the document was loaded from or saved to, else empty. Undoing a load brings the old file back.
  std::filesystem::path file() const;
  /// True if anything that is stored in files has changed since the document was last loaded or saved.
  bool isChanged() const;
  /// The document that would be lost if the program ended now: the open one if it is changed, else the changed one that
  /// was replaced last, else null. The editor owns it, until its next change.
  struct Unsaved {
    const Document* document = nullptr;
    std::filesystem::path file;
  };
  Unsaved unsaved() const;
  /// True if the figure is the present one, or if edits of the figure lead from one to the other.
  bool isSameDocument(const Figure* figure) const;

 private:
  /// The saved state of an opened document, which is recognised by its figure and the edited versions of that figure.
  struct Origin {
    std::filesystem::path file;
    Document content;              ///< as in its file; without a figure if it is in no file
    std::optional<Document> left;  ///< its changed state when another document replaced it
    std::vector<std::weak_ptr<const Figure>> figures;

    bool has(const Figure* figure) const;
  };
  const Origin* origin() const;
  Origin* origin();
  void keepLoops(const Document& before);
  void noteLeft();
  void noteFigure(const Figure* before);

  Document document_;
  Document gestureStart_;
  History history_;
  std::string gesture_, loopNote_;
  std::vector<Origin> origins_;
};

/// True if the two documents differ at most in the selection.
bool isSameContent(const Document& a, const Document& b);

}  // namespace limber::app
