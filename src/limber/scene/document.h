// SPDX-License-Identifier: MIT The document: everything a user can edit, as one value: a problem of inverse kinematics,
// and around it the motion, the timeline and what is selected. An edit makes a new document that shares what it did not
// change (figure and motion are immutable and shared); undo keeps the old ones.
#pragma once

#include <memory>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/scene/motion.h"
#include "limber/scene/skin.h"
#include "limber/scene/source_file.h"
#include "limber/scene/timeline.h"

namespace limber {

enum class Mode { Forward, Inverse };

struct Selection {
  int joint = -1;  ///< joint and link share an index; -1 for none
  int goal = -1;   ///< id of a goal; -1 for none
  int obstacle = -1;  ///< id of an obstacle; -1 for none
  std::vector<int> links = {};  ///< when several are selected: all of them, ascending, `joint` among them

  bool operator==(const Selection&) const = default;
  bool hasLink(int link) const;
  /// All of them; empty where none is selected.
  std::vector<int> allLinks() const;
};

/// The links are selected, and nothing else; `main` is what panels speak of, when it is none of them the first of them.
Selection selectionOf(std::vector<int> links, int main);

struct Document : IkProblem {
  std::shared_ptr<const Motion> motion;  ///< null when the figure came without one; setMotion() sets it
  std::vector<std::shared_ptr<const Motion>> clips;  ///< to choose `motion` from; empty when there is no choice
  std::shared_ptr<const Skin> skin;      ///< null when the figure came without one
  std::shared_ptr<const SourceFile> source;  ///< null when the figure came from no file of another program
  int frame = 0;                         ///< the motion's frame last shown
  std::shared_ptr<const Timeline> timeline;  ///< null for none
  double time = 0.0;                     ///< seconds: where the timeline stands
  Mode mode = Mode::Inverse;
  bool follow = false;  ///< the selected (or last) target follows the mouse without a button
  Selection selection;
};

/// A document for a figure at rest, selection empty. A chain (isChain()) gets a goal at its "tip". With a motion the
/// pose is that of frame 0.
Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion = nullptr);

void removeGoal(Document& document, int id);  ///< with its keys and its path
void removeObstacle(Document& document, int id);

/// Switches mode; entering inverse mode moves the targets, never the figure.
void setMode(Document& document, Mode mode);

/// True when something is asked of the pose in inverse mode: an enabled goal or a pin.
bool asksSomething(const Document& document);

/// The link of the selected goal, else the selected link; -1 for none: PosingRequest::leadingLink.
int leadingLink(const Document& document);

/// Puts another motion in the place of the document's, with the floor that the figure stands on in it.
void setMotion(Document& document, std::shared_ptr<const Motion> motion);
/// The document at a frame of its motion; no change without one.
void showFrame(Document& document, int frame);
/// The document at the first frame of another of its clips.
void showClip(Document& document, std::size_t clip);

}  // namespace limber
