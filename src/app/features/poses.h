// SPDX-License-Identifier: MIT
// The pose library of the window: the pose files that fit the open figure, the pose chosen last, and how far the figure
// is blended towards it. The panel is app/panels/poses_panel.cpp; folders and fitting are in library_pose.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/features/library_pose.h"
#include "limber/io/named_pose.h"
#include "limber/kinematics/pose.h"
#include "limber/scene/document.h"

namespace limber::app {

struct Editing;
struct PoseWish;

/// The user's file for a pose of that name; empty when no home directory is known.
std::filesystem::path ownPoseFile(const Figure& figure, const std::string& name);

class Poses {
 public:
  struct Entry {
    std::filesystem::path file;                       ///< of a pose that the figure's own file names: FILE#NAME
    io::NamedPose pose;                               ///< an unreadable file has only a name
    std::string fault;                                ///< empty, or why the file cannot be read
    PoseFitter::Way way = PoseFitter::Way::ByJoints;  ///< how it is fitted to the figure
    bool isOwn = false;                               ///< the user may rename and delete it
    bool isOfSource = false;                          ///< the file that the figure came from names it
    std::filesystem::file_time_type written{};
    unsigned picture = 0;  ///< OpenGL name of a texture; 0 before it is drawn
  };

  /// The fitter for the document's figure; it is made again when the figure changes.
  PoseFitter& fitter(const Document& document);
  /// Call once per frame: reads the files when the list is out of date, and none while the panel is closed.
  void update(const Document& document, bool isOpen);
  void carryOut(Editing& editing, const PoseWish& wish);

  const std::vector<Entry>& entries() const { return entries_; }  ///< by name, body poses before hand poses
  int hidden() const { return hidden_; }                          ///< count of poses that do not fit this figure
  int chosen() const;                                             ///< the entry applied last; -1 for none
  /// How far the document's pose is blended towards the chosen one, in [0, 1]; 0 when it was posed otherwise since.
  double amount(const Document& document) const;

  /// A document with only the figure, in the pose of an entry: for its picture.
  Document shown(const Document& document, const Entry& entry);
  void setPicture(int entry, unsigned texture);
  void forgetPictures();
  /// Changes with each new figure: pictures of an earlier generation may be deleted.
  int generation() const { return generation_; }

 private:
  void lookAgain(const Document& document);
  PoseFitter::Fitted fitHere(const Document& document, const Entry& entry);
  const Entry* find(const std::filesystem::path& file) const;
  void apply(Editing& editing, const PoseWish& wish);
  void blend(Editing& editing, const PoseWish& wish);
  void save(Editing& editing, const PoseWish& wish);
  void rename(Editing& editing, const PoseWish& wish);
  void remove(Editing& editing, const PoseWish& wish);
  void edit(Editing& editing, const std::string& gesture, double amount);

  std::vector<Entry> entries_;
  std::weak_ptr<const Figure> figure_;  ///< the figure of entries_
  std::weak_ptr<const Figure> fitted_;  ///< the figure of fitter_
  std::optional<PoseFitter> fitter_;
  bool isStale_ = true;
  int hidden_ = 0, generation_ = 0;
  std::filesystem::path chosen_;
  Pose base_, target_, posed_;  ///< the pose before, the chosen pose, and their last blend
  double amount_ = 0.0;
};

}  // namespace limber::app
