// SPDX-License-Identifier: MIT
#include "app/features/poses.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/editing/command.h"
#include "app/editing/editing.h"
#include "app/features/shown_figure.h"
#include "limber/body/blend_pose.h"
#include "limber/body/mirror.h"
#include "limber/io/base/file.h"
#include "limber/io/base/text.h"

namespace limber::app {
namespace fs = std::filesystem;

fs::path ownPoseFile(const Figure& figure, const std::string& name) {
  const fs::path folder = ownPosesFolder();
  if (folder.empty()) return {};
  return folder / poseFileName(figure.name().empty() ? "figure" : figure.name()) / (poseFileName(name) + ".json");
}

PoseFitter& Poses::fitter(const Document& document) {
  if (!fitter_ || fitted_.lock() != document.figure) {
    fitted_ = document.figure;
    fitter_.emplace(document);
  }
  return *fitter_;
}

void Poses::update(const Document& document, bool isOpen) {
  if (!isOpen) return;
  const auto& figure = document.figure;
  if (figure_.lock() != figure) {
    figure_ = figure;
    ++generation_;
    entries_.clear();
    chosen_.clear();
    isStale_ = true;
  }
  if (isStale_) lookAgain(document);
}

void Poses::lookAgain(const Document& document) {
  isStale_ = false;
  hidden_ = 0;
  std::vector<Entry> found;
  const auto add = [&](const fs::path& file, bool isOwn) {
    Entry entry{.file = file, .pose = {}, .fault = {}, .isOwn = isOwn};
    std::error_code ignored;
    entry.written = fs::last_write_time(file, ignored);
    if (const Entry* known = find(file); known && known->written == entry.written) {
      found.push_back(*known);
      return;
    }
    auto pose = io::readNamedPose(file);
    if (pose) entry.pose = std::move(*pose);
    else entry.fault = pose.error().message();
    if (!pose) entry.pose.name = file.stem().string();
    if (pose) entry.way = fitter(document).wayOf(document, entry.pose);
    if (pose && entry.way == PoseFitter::Way::None) ++hidden_;
    else found.push_back(std::move(entry));
  };
  if (document.source)
    for (const SourcePose& pose : document.source->poses) {
      Entry entry{.file = document.source->path.string() + "#" + pose.name,
                  .pose = io::namedPoseOf(pose),
                  .fault = {},
                  .isOfSource = true};
      const Entry* known = find(entry.file);
      found.push_back(known ? *known : std::move(entry));
    }
  for (const fs::path& file : shippedPoses()) add(file, false);
  for (const fs::path& file : ownPoses()) add(file, true);
  std::ranges::stable_sort(found, {}, [](const Entry& entry) {
    return std::pair(entry.way == PoseFitter::Way::HandByParts, poseFileName(entry.pose.name));
  });
  entries_ = std::move(found);
}

const Poses::Entry* Poses::find(const fs::path& file) const {
  const auto found = std::ranges::find(entries_, file, &Entry::file);
  return found == entries_.end() ? nullptr : &*found;
}

int Poses::chosen() const {
  const Entry* entry = chosen_.empty() ? nullptr : find(chosen_);
  return entry ? static_cast<int>(entry - entries_.data()) : -1;
}

double Poses::amount(const Document& document) const { return document.pose == posed_ ? amount_ : 0.0; }

Document Poses::shown(const Document& document, const Entry& entry) {
  Document figure = shownFigure(document, fitter(document).fit(document, entry.pose, restPose(*document.figure)).pose);
  clampToLimits(figure, figure.pose);
  return figure;
}

void Poses::setPicture(int entry, unsigned texture) { entries_[static_cast<std::size_t>(entry)].picture = texture; }

void Poses::forgetPictures() {
  for (Entry& entry : entries_) entry.picture = 0;
}

void Poses::carryOut(Editing& editing, const PoseWish& wish) {
  switch (wish.kind) {
    case PoseWish::Kind::Apply: apply(editing, wish); break;
    case PoseWish::Kind::Blend: blend(editing, wish); break;
    case PoseWish::Kind::Save: save(editing, wish); break;
    case PoseWish::Kind::Rename: rename(editing, wish); break;
    case PoseWish::Kind::Remove: remove(editing, wish); break;
    case PoseWish::Kind::LookAgain: isStale_ = true; break;
  }
}

void Poses::edit(Editing& editing, const std::string& gesture, double amount) {
  editing.stop();
  const Entry* entry = find(chosen_);
  editing.editor.edit("pose " + (entry ? entry->pose.name : std::string()), gesture, [&](Document& d) {
    d.pose = blendPoses(d, base_, target_, amount);
    clampToLimits(d, d.pose);
    moveTargetsToEndEffectors(d);
  });
  amount_ = amount;
  posed_ = editing.document().pose;
}

/// A hand pose is put on the selected hand, else on both.
PoseFitter::Fitted Poses::fitHere(const Document& document, const Entry& entry) {
  PoseFitter& fitter = this->fitter(document);
  return fitter.fit(document, entry.pose, document.pose,
                    fitter.handOf(*document.figure, document.selection.allLinks()));
}

namespace {

/// The joints from which outward the pose is taken; none for the whole pose.
std::vector<int> chosenJoints(const Editing& editing) {
  return editing.ui.poses.onlySelection ? editing.document().selection.allLinks() : std::vector<int>{};
}

}  // namespace

void Poses::apply(Editing& editing, const PoseWish& wish) {
  const Entry* entry = find(wish.file);
  if (!entry) return;
  if (!entry->fault.empty()) return editing.fail(entry->fault);
  const Document& document = editing.document();
  const std::vector<int> selected = chosenJoints(editing);
  const PoseFitter::Fitted fitted = fitHere(document, *entry);
  if (!fitted.fault.empty()) return editing.fail(entry->pose.name + ": " + fitted.fault);
  base_ = document.pose;
  target_ = takeFrom(*document.figure, base_, fitted.pose, selected);
  chosen_ = wish.file;
  edit(editing, wish.gesture, 1.0);
  std::string said = entry->pose.name;
  if (!selected.empty())
    said += ", from " + selectionInWords(document, partsOf(document), document.selection) + " outward";
  if (!fitted.remark.empty()) said += "; " + fitted.remark;
  const auto moved = jointsThatDiffer(*document.figure, target_, document.pose);
  if (!moved.empty() && !document.symmetry)
    said += "; stopped at limits of this figure: " + moved.front() + (moved.size() > 1 ? ", ..." : "");
  editing.say(said);
}

void Poses::blend(Editing& editing, const PoseWish& wish) {
  const Entry* entry = find(chosen_);
  if (!entry || !entry->fault.empty()) return editing.say("choose a pose first: click on its picture");
  const Document& document = editing.document();
  if (!(document.pose == posed_)) {  // posed otherwise since: blend from there
    base_ = document.pose;
    target_ = takeFrom(*document.figure, base_, fitHere(document, *entry).pose, chosenJoints(editing));
  }
  edit(editing, wish.gesture, std::clamp(wish.amount, 0.0, 1.0));
}

void Poses::save(Editing& editing, const PoseWish& wish) {
  const std::string name(io::trimmed(wish.name));
  if (name.empty()) return editing.fail("a pose needs a name");
  const Document& document = editing.document();
  const fs::path file = ownPoseFile(*document.figure, name);
  if (file.empty()) return editing.fail("no folder for poses: neither XDG_DATA_HOME nor HOME is set");
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const RolePose parts = rolePoseOf(*document.figure, fitter(document).parts(), document.pose);
  if (const auto fault =
          io::writeFileAtomically(file, io::formatNamedPose(name, *document.figure, document.pose, parts)))
    return editing.fail(fault->message());
  isStale_ = true;
  chosen_ = file;
  base_ = target_ = posed_ = document.pose;
  amount_ = 1.0;
  editing.ui.poses.scrollToChosen = true;
  editing.say("pose \"" + name + "\" saved");
}

void Poses::rename(Editing& editing, const PoseWish& wish) {
  const Entry* entry = find(wish.file);
  const std::string name(io::trimmed(wish.name));
  if (!entry || !entry->isOwn || !entry->fault.empty() || name.empty()) return;
  io::NamedPose pose = entry->pose;
  pose.name = name;
  const fs::path file = wish.file.parent_path() / (poseFileName(name) + ".json");
  std::error_code ignored;
  if (file != wish.file && fs::exists(file, ignored)) return editing.fail("a pose \"" + name + "\" exists already");
  if (const auto fault = io::writeFileAtomically(file, io::formatNamedPose(pose)))
    return editing.fail(fault->message());
  if (file != wish.file) fs::remove(wish.file, ignored);
  if (chosen_ == wish.file) chosen_ = file;
  isStale_ = true;
}

void Poses::remove(Editing& editing, const PoseWish& wish) {
  const Entry* entry = find(wish.file);
  if (!entry || !entry->isOwn) return;
  const std::string name = entry->pose.name;
  std::error_code fault;
  if (!fs::remove(wish.file, fault) && fault)
    return editing.fail(wish.file.string() + ": cannot be deleted: " + fault.message());
  isStale_ = true;
  editing.say("pose \"" + name + "\" deleted");
}

}  // namespace limber::app
