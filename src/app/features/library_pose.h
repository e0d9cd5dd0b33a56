// SPDX-License-Identifier: MIT
// Applies poses of the library to any figure: by joint names if the figure has most of them, else by the parts of its
// body or hand (body/retarget_pose.h).
//
//   <share>/limber/poses/FIGURE/*.json          come with Limber
//   $XDG_DATA_HOME/limber/poses/FIGURE/*.json   the user's own; without the variable ~/.local/share
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/body/body_map.h"
#include "limber/body/retarget_pose.h"
#include "limber/io/named_pose.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The folder of the user's own poses, with one folder for each figure; empty when no home directory is known.
std::filesystem::path ownPosesFolder();

/// The file name for a pose's name: "Reach up!" gives "reach_up_".
std::string poseFileName(const std::string& name);

std::vector<std::filesystem::path> shippedPoses();
std::vector<std::filesystem::path> ownPoses();

/// Fits poses to one figure.
class PoseFitter {
 public:
  enum class Way {
    None,
    HandByParts,  ///< a pose of a hand alone, on a body
    ByParts,
    ByJoints  ///< the figure has all joints of the pose, or at least half of them and no body to fit by parts
  };
  struct Fitted {
    Pose pose;           ///< within the limits if it was fitted by parts
    std::string remark;  ///< the parts that the figure lacks or its limits do not allow; empty if none
    std::string fault;   ///< empty, or why nothing of the pose fits; `pose` is then `base`
  };

  explicit PoseFitter(const Document& document) : parts_(bodyMapOf(*document.figure).poseParts()) {}

  Way wayOf(const Document& document, const io::NamedPose& pose);
  /// True when the pose names body parts, so that it fits figures with other joints.
  bool tellsParts(const io::NamedPose& pose) { return !partsOf(pose).isEmpty(); }
  /// `document` must have the figure of the constructor. Joints that the pose does not mention stay as in `base`.
  Fitted fit(const Document& document, const io::NamedPose& pose, const Pose& base,
             HandChoice hands = HandChoice::Both);
  /// The hand that the links belong to; both when they belong to none or to both.
  HandChoice handOf(const Figure& figure, const std::vector<int>& links) const;
  const PoseParts& parts() const { return parts_; }

 private:
  /// The parts that the file names; for a pose of one of Limber's own figures they follow from its joints.
  RolePose partsOf(const io::NamedPose& pose);
  struct Source {
    Document document;
    PoseParts parts;
  };

  PoseParts parts_;
  std::map<std::string, std::optional<Source>> sources_;  ///< by figure name
};

}  // namespace limber::app
