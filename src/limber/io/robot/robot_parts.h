// SPDX-License-Identifier: MIT
// Common parts of the readers of URDF, SDF and MJCF: geometric primitives, meshes, mimic joints and masses. In all of
// these formats z is up, lengths are metres, and links may have no mass.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/io/figure_source.h"
#include "limber/kinematics/figure_builder.h"

namespace limber::io {

// Geometric primitives: their volumes, their surfaces, and the capsules that approximate them when links are drawn and
// picked.

enum class ShapeType { Box, Cylinder, Sphere, Capsule, Ellipsoid };

struct RobotShape {
  ShapeType type = ShapeType::Sphere;
  /// Metres. Box, ellipsoid: half extents. Others: radius, radius, and half the length along z, for a capsule without
  /// its caps.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Transform linkFromShape;
  std::optional<Eigen::Vector4f> color;  ///< sRGB, alpha
};

inline constexpr std::size_t kMaxDrawnShapes = 10'000;  ///< of a figure; further shapes get no surface

double volumeOf(const RobotShape& shape);

/// A capsule of about the same extent: along the longest axis, with the geometric mean of the other two as its radius.
Capsule capsuleOf(const RobotShape& shape);

/// Adds the shape's surface, rigidly bound to the link, and a material of its colour unless there is one.
void addSurface(const RobotShape& shape, int link, Skin& skin);

/// Index of the material with this colour (sRGB), which is added if missing.
int materialOf(const Eigen::Vector4f& color, Skin& skin);

/// The skin with the capsules of links that have no surface, so that no link is invisible. Null when no link has a
/// surface.
std::shared_ptr<const Skin> finishSkin(Skin skin, const Figure& figure);

// Poses and groups of joints that a robot's files name.

inline constexpr std::size_t kMostSourcePoses = 1000;
inline constexpr std::size_t kMostSourcePairs = 1'000'000;

/// The contents of a robot's SRDF file.
struct SrdfParts {
  std::vector<SourcePose> poses;          ///< group states
  std::vector<SourceGroup> groups;        ///< with the joints that move, from the root outward; empty ones are left out
  std::vector<SourcePair> disabledPairs;  ///< that may overlap
};

/// The SRDF file of a robot: in its folder or in "../config", with the robot's file name, or the only one there. Notes
/// name the file and the omissions; a file that cannot be read becomes a note.
SrdfParts readSrdfBeside(const std::filesystem::path& urdf, const Figure& figure, std::vector<std::string>& notes);

// References to mesh files, and the search for these.

/// A mesh that is attached to a link.
struct MeshReference {
  int link = 0;
  Transform linkFromMesh;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  ///< of the mesh's coordinates, before linkFromMesh
  std::optional<Eigen::Vector4f> color;             ///< sRGB, alpha; replaces the mesh's own
  std::string written;                              ///< the reference as in the file
  std::filesystem::path path;                       ///< the mesh file; empty when not found
};

/// The path of a mesh or an included file; empty when it was not found or may not be opened.
///
/// package://NAME/REST and model://NAME/REST are searched as NAME/REST, and as REST in a folder NAME or one with this
/// name in its package.xml: in the file's folder and those above it, then in context.folders, which may also be the
/// package itself and contain REST. Relative paths are searched in the same folders. Absolute paths, file:// and ".."
/// beyond the file's folder are followed within the package that the file belongs to, the nearest folder above it with
/// a package.xml, and elsewhere only if context.mayLeaveFolder; in context.folders leading ".." are dropped.
std::filesystem::path resolveMesh(const std::string& written, const std::filesystem::path& file,
                                  const OpenContext& context);

/// Sets the paths of the meshes that have none; each reference is searched once.
void resolveMeshes(std::vector<MeshReference>& meshes, const std::filesystem::path& file, const OpenContext& context);

/// The references that were not found, as written, each once.
std::vector<std::string> missingPaths(const std::vector<MeshReference>& meshes);

/// "2 meshes not found: a.stl, b.stl", with the first few names; empty when all were found.
std::string missingMeshes(const std::vector<MeshReference>& meshes);

inline constexpr std::size_t kMaxMeshVertices = 10'000'000;  ///< on all links of a figure together

/// Adds the surfaces of the meshes that were found; each file is read once (io/mesh/foreign.h). Meshes that cannot be
/// read or are too large, and cancelling, only lead to sentences in the result: the robot opens without them.
std::vector<std::string> addMeshes(const std::vector<MeshReference>& meshes, const OpenContext& context, Skin& skin);

/// True for a relative path that does not leave the folder that it starts from.
bool staysInFolder(const std::filesystem::path& path);

// Mimic joints as couplings of a figure, in which no driver follows another joint and the rest pose obeys all limits.

/// q_follower = c0 + c1 q_driver + ... + c4 q_driver^4; without a driver (-1) q_follower = c0.
struct FollowRule {
  int follower = 0;
  int driver = 0;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
};

struct FollowFault {
  enum class Kind {
    Cycle,      ///< the joints drive each other: the rule is left out
    NotScalar,  ///< follower or driver is neither revolute nor prismatic: left out
    Twice,      ///< the follower has a rule already: left out
    Degree,     ///< a chain of rules has a degree above 4: left out
    Limits,     ///< the follower's limits cannot be met: they are left out
  };
  Kind kind = Kind::Cycle;
  std::size_t rule = 0;  ///< index in the given list
};

/// outer(inner(q)); empty if its degree is above 4.
std::optional<std::array<double, 5>> compose(const std::array<double, 5>& outer, const std::array<double, 5>& inner);

/// Adds the couplings, and sets the rest coordinate of every scalar joint to the value nearest to `wanted` (by joint)
/// at which the joint and its followers are within their limits. The builder must have all joints.
std::vector<FollowFault> addFollowRules(const std::vector<FollowRule>& rules, const std::vector<double>& wanted,
                                        FigureBuilder& builder);

/// The fault as a sentence for people.
std::string describe(const FollowFault& fault, const std::vector<FollowRule>& rules, FigureBuilder& builder);

// The figure as a whole.

// Bounds, far beyond any robot: the time to build a figure grows with the product of both.
inline constexpr std::size_t kMaxRobotLinks = 20'000;
inline constexpr std::size_t kMaxRobotSites = 5'000;

/// The frame that maps the file's z to the scene's y, and x to x.
FileFrame zUpFrame();

struct LinkWeight {
  double mass = 0.0;  ///< kilograms
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();
};

/// The name, with "_" appended until it is not in `taken`, to which it is added.
std::string unusedName(std::string name, std::set<std::string>& taken);

/// True when the figure still has the links and joints of its file, and no others; only joints of roots may differ, and
/// a freed base may be added. Only then can its changes be written into the file.
bool hasLinksOfFile(const Figure& figure, const Figure& inFile);

/// Adds the poses, groups and disabled pairs that the SRDF file names to the robot.
void giveParts(SrdfParts parts, FigureSource& robot);

/// The common part of the readers: a figure that grows link by link.
class RobotReader {
 protected:
  explicit RobotReader(const OpenContext& context) : context_(context) {}

  /// Names the figure; without a name it has that of the file.
  void begin(const std::string& name, const std::filesystem::path& file);
  /// Adds a link. rest: the wanted rest coordinate of its joint.
  int add(Link link, Joint joint, const LinkWeight& weight, double rest = 0.0);
  /// Adds the capsule of a shape, if the figure has not too many yet.
  void addCapsule(const RobotShape& shape, int link);
  /// Sets the two sides of a loop, links with a frame each; a link of -1 is the world in the file's axes.
  static void setSides(LoopClosure& loop, std::pair<int, Transform> one, std::pair<int, Transform> two);
  /// Notes that a shape or colour is left out because it cannot be read: the first ten by name and place, then once
  /// that there are more.
  void noteLeftOut(const std::string& what, const Error& fault);
  /// The figure with its end effectors and skin, after all links were added: shapes the links, resolves the meshes and
  /// adds the ones found.
  Result<FigureSource> finish(const SourceFile& file);

  const OpenContext& context_;
  FigureBuilder builder_{""};
  std::set<std::string> linkNames_, jointNames_, siteNames_;
  std::unordered_map<std::string, int> jointIndex_;  ///< in the figure
  std::vector<double> rest_;                         ///< wanted rest coordinates, by joint of the figure
  std::vector<LinkWeight> weight_;                   ///< by link of the figure
  std::vector<char> hasSite_;                        ///< by link of the figure
  std::vector<MeshReference> meshes_;
  Skin skin_;
  std::vector<std::string> notes_;

 private:
  std::size_t capsules_ = 0, leftOut_ = 0;
};

}  // namespace limber::io
