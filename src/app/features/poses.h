// SPDX-License-Identifier: MIT
// The pose library in the window: the files of the folders of poses that suit the open figure, the one chosen last and
// how far the figure has been blended to it. The panel is app/panels/poses_panel.cpp.
// Where they are and how a figure takes them: app/features/library_pose.h.
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

/// Where a pose of that name is kept.
std::filesystem::path ownPoseFile(const Figure& figure, const std::string& name);

class Poses {
 public:
  struct Entry {
    std::filesystem::path file;
    io::NamedPose pose;                        ///< a broken file has its name at least
    std::string fault;                         ///< empty, or why it cannot be read
    PoseFitter::Way way = PoseFitter::Way::ByJoints;  ///< how the figure takes it
    bool isOwn = false;                        ///< the user may rename and delete it
    std::filesystem::file_time_type written{};
    unsigned picture = 0;                      ///< OpenGL name of a texture; 0 while there is none
  };

  /// Takes poses to the document's figure; made anew for another one.
  PoseFitter& fitter(const Document& document);
  /// Looks for files where that is wanted; reads none while the panel is closed (isOpen false). Once a frame.
  void update(const Document& document, bool isOpen);
  void carryOut(Editing& editing, const PoseWish& wish);

  const std::vector<Entry>& entries() const { return entries_; }  ///< by name, those of hands after those of bodies
  int hidden() const { return hidden_; }                          ///< poses that this figure cannot take
  int chosen() const;                                             ///< the entry applied last; -1 for none
  /// How far from the pose before to the chosen one the document's pose is, in [0, 1]; 0 for any other.
  double amount(const Document& document) const;

  /// The figure in the pose of an entry, and nothing around it.
  Document shown(const Document& document, const Entry& entry);
  void setPicture(int entry, unsigned texture);
  void forgetPictures();
  /// Counts the figures: pictures of an earlier one may go.
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
  std::weak_ptr<const Figure> figure_;  ///< that they were looked up for
  std::weak_ptr<const Figure> fitted_;  ///< that the fitter is for
  std::optional<PoseFitter> fitter_;
  bool isStale_ = true;
  int hidden_ = 0, generation_ = 0;
  std::filesystem::path chosen_;
  Pose base_, target_, posed_;  ///< the pose before, the chosen one, and what was made of them last
  double amount_ = 0.0;
};

}  // namespace limber::app
