// SPDX-License-Identifier: MIT
// Poses of the library on any figure: by the names of its joints where it has most of them, else by the parts of its
// body or hand (problem/retarget_pose.h).
//
//   <share>/limber/poses/FIGURE/*.json          come with Limber
//   $XDG_DATA_HOME/limber/poses/FIGURE/*.json   the user's own; without the variable ~/.local/share
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/named_pose.h"
#include "limber/problem/retarget_pose.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The folder of the user's own poses, one folder a figure in it; empty when there is no home.
std::filesystem::path ownPosesFolder();

/// "Reach up!" as a name of a file: "reach_up_".
std::string poseFileName(const std::string& name);

std::vector<std::filesystem::path> shippedPoses();
std::vector<std::filesystem::path> ownPoses();

/// Takes poses to one figure.
class PoseFitter {
 public:
  enum class Way {
    None,
    HandByParts,  ///< a pose of a hand alone, on a body
    ByParts,
    ByJoints      ///< at least half of the joints of the pose are the figure's
  };
  struct Fitted {
    Pose pose;           ///< within the limits if it came by parts
    std::string remark;  ///< what the figure does not have, or its limits do not allow; empty for nothing
    std::string fault;   ///< empty, or why nothing of the pose fits; `pose` is then the base
  };

  explicit PoseFitter(const Document& document) : parts_(findPoseParts(document)) {}

  Way wayOf(const Document& document, const io::NamedPose& pose);
  /// True when the pose may go onto figures of other joints.
  bool tellsParts(const io::NamedPose& pose) { return !partsOf(pose).isEmpty(); }
  /// `document` has the figure of the constructor. Joints that the pose says nothing of are as in `base`.
  Fitted fit(const Document& document, const io::NamedPose& pose, const Pose& base, HandChoice hands = HandChoice::Both);
  /// The one hand that some of the links belong to, else both.
  HandChoice handOf(const Figure& figure, const std::vector<int>& links) const;
  const PoseParts& parts() const { return parts_; }

 private:
  /// As the file tells them; of a pose of a figure that comes with Limber from its joints.
  RolePose partsOf(const io::NamedPose& pose);
  struct Source {
    Document document;
    PoseParts parts;
  };

  PoseParts parts_;
  std::map<std::string, std::optional<Source>> sources_;  ///< by the name of the figure
};

}  // namespace limber::app
