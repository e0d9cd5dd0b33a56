// SPDX-License-Identifier: MIT
// The nodes of a scene that assimp has read, in metres and Limber's axes. Assimp splits an FBX node with pivots into a
// chain, and stores the geometric transform of its mesh and the inheritance of scales separately:
//
//   NAME_$AssimpFbx$_Translation - NAME_$AssimpFbx$_RotationPivot - ... - NAME -
//   NAME_$AssimpFbx$_GeometricScalingInverse
//
// Each chain becomes one node, at rest and in animations:
//
//   parentFromNode = T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1                  (FBX SDK, "Transformation")
//
// with T translation, R rotation, S scale, and for R and S their pivots p and offsets off, and rotations pre and post.
#pragma once

#include <Eigen/Geometry>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct aiAnimation;
struct aiNode;
struct aiScene;

namespace limber::app {

/// An affine map as the product of translation, rotation and scale, as in glTF. If its determinant is negative, all
/// three scales are.
struct NodeParts {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  bool isSheared = false;  ///< the map has a shear, which the product lacks; the rotation is the closest one
};
NodeParts partsOf(const Eigen::Affine3d& map);

struct ImportedNode {
  std::string name;  ///< bytes of the file, perhaps invalid UTF-8
  int parent = -1;
  std::vector<unsigned> meshes = {};                             ///< indices of the scene's meshes
  Eigen::Affine3d parentFromNode = Eigen::Affine3d::Identity();  ///< at rest
  Eigen::Affine3d nodeFromMesh =
      Eigen::Affine3d::Identity();  ///< FBX's geometric transform; only for meshes without skin
};

/// The keys of one node in an animation.
struct ImportedKeys {
  int node = 0;
  std::vector<double> times = {};  ///< seconds, ascending
  std::vector<NodeParts> parts = {};
};

/// The map from the file's space to Limber's; its rotation applies to nodes without parent.
struct ImportFrame {
  double metresPerUnit = 1.0;
  Eigen::Quaterniond sceneFromFile = Eigen::Quaterniond::Identity();
};

class ImportedNodes {
 public:
  /// Reads the scene's nodes; the scene must outlive this object. Throws std::length_error for more than 100,000 nodes.
  ImportedNodes(const aiScene& scene, const ImportFrame& frame);

  const std::vector<ImportedNode>& nodes() const { return nodes_; }  ///< parents before children
  /// The first node of this name; -1 for none.
  int find(const std::string& name) const;
  /// One entry for each node that the animation moves, by the first of nodes with equal names. If most keys are at
  /// whole frames, others are removed and missing frames are added, as they are for nodes with pivots; else the keys
  /// stay. Throws std::length_error if all calls together give more than 2,000,000 keys.
  std::vector<ImportedKeys> keysOf(const aiAnimation& animation);

 private:
  class Sampler;
  void add(const aiNode& node, int parent);
  Eigen::Affine3d inherited(const Eigen::Affine3d& local, int node) const;
  void addFrames(double ticksPerFrame, bool hasPivot, std::set<double>& ticks) const;

  struct Source {
    std::vector<const aiNode*> chain;    ///< from the top; the last one has the name
    int inheritType = 1;                 ///< of FBX: 0 RrSs, 1 RSrs, 2 Rrs (R, S of the parent, r, s of the node)
    Eigen::Vector3d scale = {};          ///< of the node itself, without the inherited one
    Eigen::Affine3d worldFromNode = {};  ///< at rest
  };

  ImportFrame frame_;
  bool isFbx_ = false;
  std::vector<ImportedNode> nodes_;
  std::vector<Source> sources_;  ///< of each node
  std::unordered_map<std::string, int> byName_;
  std::size_t keyCount_ = 0;
};

}  // namespace limber::app
