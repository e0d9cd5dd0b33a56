// SPDX-License-Identifier: MIT
// The document: everything that a user can edit, as one value. It is an inverse kinematics problem with a motion, a
// timeline and a selection. An edit makes a new document that shares the immutable figure and motions with the old one,
// which undo keeps.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/scene/motion.h"
#include "limber/scene/reference_picture.h"
#include "limber/scene/skin.h"
#include "limber/scene/timeline.h"

namespace limber {

enum class Mode { Forward, Inverse };

struct Selection {
  int joint = -1;               ///< joint and link share an index; -1 for none
  int goal = -1;                ///< id of a goal; -1 for none
  int obstacle = -1;            ///< id of an obstacle; -1 for none
  std::vector<int> links = {};  ///< if several are selected: all, ascending, including `joint`

  bool operator==(const Selection&) const = default;
  bool hasLink(int link) const;
  /// All selected links; empty if none is.
  std::vector<int> allLinks() const;
};

/// A selection of exactly these links. Panels describe `main`, or the first link if `main` is not among them.
Selection selectionOf(std::vector<int> links, int main);

enum class SourceFormat { Bvh, Gltf, Glb, Urdf, Sdf, Mjcf, Fbx, Collada };

/// Whether position channels of a BVH file replace a joint's OFFSET or are added to it. ByMotion decides per joint.
enum class OffsetRule { ByMotion, Replace, Add };
/// "motion", "replace", "add": the words used in files and on the command line.
constexpr std::string_view offsetRuleName(OffsetRule rule) {
  return rule == OffsetRule::Replace ? "replace" : rule == OffsetRule::Add ? "add" : "motion";
}

/// A pose that a robot's file names (a keyframe of MuJoCo, a group state of SRDF), by joints, so that it still fits
/// the figure after an edit.
struct SourcePose {
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> joints;  ///< by name: the coordinates, lengths in metres
};

/// Joints that a robot's file names together (a planning group of SRDF), by their names.
struct SourceGroup {
  std::string name;
  std::vector<std::string> joints;
};

/// Two links, by name, that a robot's file lets overlap (disable_collisions of SRDF).
using SourcePair = std::pair<std::string, std::string>;

/// The file that a figure came from, kept so that poses can be written back into its format.
struct SourceFile {
  SourceFormat format = SourceFormat::Bvh;
  std::filesystem::path path;
  std::string bytes;                             ///< as they were read; empty if the format is never written back
  std::vector<int> nodeOfLink;                   ///< glTF: the node that each link came from, -1 for none; else empty
  OffsetRule offsetRule = OffsetRule::ByMotion;  ///< BVH: the rule by which it was read
  std::vector<SourcePose> poses = {};
  std::vector<SourceGroup> groups = {};
  std::vector<SourcePair> disabledPairs = {};
};

/// A view of the scene: the eye looks at a centre from a distance.
struct StoredView {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world, metres
  double azimuth = 0.0;         ///< of the eye, radians: 0 in front (+z), a quarter turn on the figure's left (+x)
  double elevation = 0.0;       ///< of the eye above the horizon, radians, within a quarter turn
  double distance = 1.0;        ///< metres, > 0
  bool isOrthographic = false;  ///< parallel projection that shows the centre as large

  bool operator==(const StoredView&) const = default;
};
inline constexpr double kNearestView = 1e-4, kFarthestView = 1e6;  ///< of StoredView::distance

struct Document : IkProblem {
  std::shared_ptr<const Motion> motion;              ///< null if the figure has none; setMotion() sets it
  std::vector<std::shared_ptr<const Motion>> clips;  ///< the motions to choose from; empty if there is at most one
  std::shared_ptr<const Skin> skin;                  ///< null if the figure has none
  std::shared_ptr<const SourceFile> source;          ///< null if the figure did not come from a file of another program
  int frame = 0;                                     ///< the motion's frame at `time`
  std::shared_ptr<const Timeline> timeline;          ///< null for none
  double time = 0.0;                                 ///< seconds: the current time (scene/clock.h)
  std::vector<ReferencePicture> pictures;
  int nextPictureId = 1;
  int shownPicture = -1;  ///< id; -1 for none
  Mode mode = Mode::Inverse;
  bool follow = false;  ///< the selected (or last) target follows the mouse without a button
  Selection selection;
  std::optional<StoredView> view = {};  ///< the view with which the scene opens; if not set, the whole figure is framed
};

/// A document for a figure in its rest pose, or in frame 0 of the motion; nothing is selected. A chain (isChain()) gets
/// a goal at its site "tip".
Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion = nullptr);

void removeGoal(Document& document, int id);  ///< with its keys and its path
void removeObstacle(Document& document, int id);

/// Switches the mode. Entering inverse mode moves the targets to their end effectors and keeps the pose.
void setMode(Document& document, Mode mode);

/// True in inverse mode if there is an enabled goal or a pin.
bool asksSomething(const Document& document);

/// The link of the selected goal, else the selected link; -1 for none: PosingRequest::leadingLink.
int leadingLink(const Document& document);

/// Replaces the document's motion, and sets motionFloor for it.
void setMotion(Document& document, std::shared_ptr<const Motion> motion);
/// Shows a frame of the document's motion and its time; no change without a motion. Targets move to their end
/// effectors, unless there are keys or paths.
void showFrame(Document& document, int frame);
/// Shows the first frame of one of the document's clips.
void showClip(Document& document, std::size_t clip);

/// Replaces all motions of the document by others of its figure, and shows the first frame of one of them.
void takeMotions(Document& document, const std::vector<std::shared_ptr<const Motion>>& motions,
                 std::shared_ptr<const Motion> shown);

/// All motions of the document: its clips, then `motion` if it is not one of them.
std::vector<std::shared_ptr<const Motion>> motionsOf(const Document& document);

// The take of a document, which exports write: the frames of its motion, with the current pose in the current frame.

/// The number of frames, at least 1: the take of a document without a motion is its pose.
int takeLength(const Document& document);
/// The pose of a frame (0 <= frame < takeLength, asserted).
Pose poseOfTake(const Document& document, int frame);
/// The pose of a frame of one of motionsOf(): that of the take if the motion is the document's own.
Pose poseOfMotion(const Document& document, const Motion& motion, int frame);
/// True if the frame's pose is that of the motion.
bool isUntouched(const Document& document, int frame);

}  // namespace limber
