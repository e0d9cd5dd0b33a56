// SPDX-License-Identifier: MIT
// The open document with its undo history. Every edit of the user goes through here, so that each is one step.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/scene/document.h"
#include "limber/scene/history.h"

namespace limber::app {

using Change = std::function<void(Document&)>;

class Editor {
 public:
  explicit Editor(Document document);

  const Document& document() const { return document_; }
  /// For what is not a step of its own: the pose that a solve writes, the selection, a drag in progress.
  Document& touch();

  /// One step, or a part of one: consecutive edits with the same gesture (not empty) are undone together.
  /// A change that changes nothing is no step: false.
  bool edit(const std::string& label, const std::string& gesture, const Change& change);
  /// The next edit is a new step even if its gesture is the same.
  void endGesture() { gesture_.clear(); }
  const std::string& gesture() const { return gesture_; }
  /// The document as it was when the gesture in progress began; null without one.
  const Document* gestureStart() const { return gesture_.empty() ? nullptr : &gestureStart_; }

  /// Ends an edit that was made through touch(): a step back to `before`, if anything but the selection differs.
  void commit(Document before, const std::string& label);
  /// Remembers the document as it is: what touches it from now on is one step, with the edits of the gesture.
  void beginStep(const std::string& label, const std::string& gesture = "");
  /// Puts a document back, bit for bit, without a step.
  void restore(Document document);

  bool undo();
  bool redo();
  /// Undoes or redoes until so many steps of the history are done; false when it has not as many.
  bool goTo(int step);
  const History& history() const { return history_; }

  /// A loaded or new document takes the place of the open one; a step like any other.
  void open(Document document, std::filesystem::path file, const std::string& label);
  void markSaved(std::filesystem::path file);
  /// open() of what no file holds, though it may be a later form of what `file` does.
  void recover(Document document, std::filesystem::path file, const std::string& label);
  /// From here on nothing before can be undone.
  void forgetHistory();
  /// Where the document came from or was saved to; empty while unnamed. Undoing a load brings the old name back.
  std::filesystem::path file() const;
  /// True when something that a file keeps differs from what was last loaded or saved.
  bool isChanged() const;
  /// What would be lost if the program ended now: the document if it is changed, else the one with changes that another
  /// took the place of last. Null for nothing.
  struct Unsaved {
    const Document* document = nullptr;
    std::filesystem::path file;
  };
  Unsaved unsaved() const;
  /// True when the figure is an earlier or later form of the present one: the same document, its figure edited.
  bool isSameDocument(const Figure* figure) const;

 private:
  /// What a file holds. Each opened document has a figure of its own, and those that edits have made of it.
  struct Origin {
    std::filesystem::path file;
    Document content;              ///< without a figure: no file holds it
    std::optional<Document> left;  ///< as it was, with changes, when another document took its place
    std::vector<std::weak_ptr<const Figure>> figures;

    bool has(const Figure* figure) const;
  };
  const Origin* origin() const;
  Origin* origin();
  void noteLeft();
  void noteFigure(const Figure* before);

  Document document_;
  Document gestureStart_;
  History history_;
  std::string gesture_;
  std::vector<Origin> origins_;
};

/// True when the two differ in nothing but the selection.
bool isSameContent(const Document& a, const Document& b);

}  // namespace limber::app
