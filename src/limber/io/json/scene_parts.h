// SPDX-License-Identifier: MIT
// The parts of scene and problem files as JSON (docs/formats.md): limits, goals, settings, obstacles, motions,
// timelines. Readers throw JsonFault.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/io/base/json.h"
#include "limber/scene/document.h"

namespace limber::io {

// Names, lengths, transforms, joint limits and couplings; figure files use them too.

using IndexByName = std::unordered_map<std::string, int>;
/// The index of the element that the value names; `kind` is the word for its elements ("link").
int indexFromJson(const JsonValue& value, const IndexByName& indexOf, const char* kind);

/// The enumerator whose name is the value's text.
template <typename Enum, typename Name>
Enum readWord(const JsonValue& value, std::initializer_list<Enum> choices, Name name) {
  std::string known;
  for (const Enum choice : choices) {
    if (value.text() == name(choice)) return choice;
    known += (known.empty() ? "" : " or ") + inQuotes(name(choice));
  }
  value.fail(std::string("must be ") + known);
}

inline constexpr double kLargestLength = 1e9;   ///< metres; products of lengths cannot overflow
inline constexpr double kLargestWeight = 1e12;  ///< of goals and of the regulariser
inline constexpr int kLargestId = 1'000'000'000;

/// Three lengths of at most kLargestLength.
Eigen::Vector3d lengthsFromJson(const JsonValue& value);
/// The transform of "position" and "rotation"; each defaults to the identity.
Transform placeFromJson(const JsonValue& value);

/// "limits" of a joint: [lower, upper], null for no limit.
Interval intervalFromJson(const JsonValue& value);
OrderedJson intervalToJson(const Interval& interval);

/// "ball_limits" of a ball joint. Axes are normalised; missing keys have their defaults.
BallLimits ballLimitsFromJson(const JsonValue& value);
OrderedJson ballLimitsToJson(const BallLimits& limits);

/// An element of a figure's "couplings", and of its "linear_limits".
Coupling couplingFromJson(const JsonValue& value, const IndexByName& jointByName,
                          const std::function<bool(int)>& isBall);
OrderedJson couplingToJson(const Figure& figure, const Coupling& coupling);
LinearLimit linearLimitFromJson(const JsonValue& value, const IndexByName& jointByName);
OrderedJson linearLimitToJson(const Figure& figure, const LinearLimit& limit);

// Goals and pins. Points, targets and distances are in the file's own units, targets and their axes in the file's own
// axes: those of the figure's file in a problem, metres and the world in a scene. Points and frames in a link have the
// link's axes.

using GroupsOfJoints = std::span<const SourceGroup>;

/// Everything of a goal but its id. Missing keys take the defaults of GoalItem, except that a target is required if the
/// type has one; without "kept" the pose `present` is kept. The end effector defaults to the site "tip". "chain" is a
/// list of joints or, if `groups` are given, the name of one of them.
GoalItem goalFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame, const Pose& present,
                      std::optional<GroupsOfJoints> groups = std::nullopt);

/// Refuses keys that the goal's type does not use, and the lack of keys that it requires: for files that people write.
void checkGoalKeys(const JsonValue& value, const GoalItem& goal);

/// The form in scenes: the keys that its type needs, and values that differ from the defaults.
OrderedJson goalToJson(const GoalItem& goal, const Figure& figure);

/// The pins of an array, at most one for each link. A pin without "world_from_link" holds its link at its place in the
/// pose `present`.
std::vector<Pin> pinsFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame,
                              const Pose& present);
OrderedJson pinToJson(const Pin& pin, const Figure& figure);

/// Index of the named link or joint.
int linkFromJson(const JsonValue& value, const Figure& figure);
int jointFromJson(const JsonValue& value, const Figure& figure);

// Settings of joints and of the solver, obstacles, motions and timelines.

/// Reads "limits", "ball_limits", "rigidity", "locked", "translation_locked" and "preferred"; missing keys leave the
/// settings unchanged. "limits" of a prismatic joint are lengths in units of `metresPerUnit`.
void readJointSettings(const JsonValue& value, const Joint& joint, double metresPerUnit, JointSettings& settings);

/// Reads "insist", "path_independent", "posing" and "body_follows"; missing keys leave the settings unchanged.
void readSolverSettings(const JsonValue& value, SolverSettings& settings);
/// Writes those of these keys whose values differ from the defaults.
void appendSolverSettings(const SolverSettings& settings, OrderedJson& out);

///   {"id": 1, "name": "table", "shape": "box", "place": {"position": [x, y, z], "rotation": [x, y, z, w]},
///    "size": [x, y, z], "radius": r, "length": l, "vertices": [[x, y, z], ...],
///    "prop": {"positions": [x, y, z, ...], "triangles": [...]}, "links": [name, ...], "points": [{"link": name,
///    "point": [x, y, z]}, ...], "enabled": true}
///
/// Lengths are metres, axes those of the scene. The order of a polyhedron's vertices does not matter; its faces are
/// computed from them. A capsule is along its y axis; its length is the distance between the centres of its ends. The
/// id defaults to 0.
Obstacle obstacleFromJson(const JsonValue& value, const Figure& figure);
OrderedJson obstacleToJson(const Obstacle& obstacle, const Figure& figure);

/// "disabled_pairs": [[link, other], ...]. Adds them to those of the document.
void disablePairsFromJson(const JsonValue& value, Document& document);
OrderedJson disabledPairsToJson(const IkProblem& problem);

/// "avoids_itself": "off", "arms" or "all"; or false for off and true for all.
SelfAvoidance selfAvoidanceFromJson(const JsonValue& value);
OrderedJson selfAvoidanceToJson(SelfAvoidance choice);  ///< true for All, which earlier versions read

/// Reads "pictures", "next_picture_id" and "shown_picture" of a scene. A picture has its bytes, the file of the picture
/// with the same id in `shared`, or only the path of its file (readPictures(), io/open.h).
void picturesFromJson(const JsonValue& scene, const std::filesystem::path& folder, const Document* shared,
                      Document& document);
/// Writes those of these keys that apply, without the files that `shared` has.
void appendPictures(const Document& document, const std::filesystem::path& folder, const Document* shared,
                    OrderedJson& out);

/// The path relative to the scene's folder, so that both can be moved together; absolute if they share no root.
std::string pathFrom(const std::filesystem::path& folder, const std::filesystem::path& path);

/// Channels with a row of raw values per frame, tracks of keys, or a pose per frame; or a layer of keys over one of
/// these (scene/motion_layer.h).
std::shared_ptr<const Motion> motionFromJson(const JsonValue& value, const Figure& figure);
OrderedJson motionToJson(const Motion& motion, const Figure& figure);

/// The ease of a key: "step", or the handles [x1, y1, x2, y2] of its curve, which must be from 0 to 1. Not for
/// Ease::Kind::Blend.
Ease easeFromJson(const JsonValue& value);
OrderedJson easeToJson(const Ease& ease);

/// `document` must already have its figure and goals.
std::shared_ptr<const Timeline> timelineFromJson(const JsonValue& value, const Document& document);
OrderedJson timelineToJson(const Timeline& timeline);

}  // namespace limber::io
