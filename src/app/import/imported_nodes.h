// SPDX-License-Identifier: MIT
// The nodes of a scene that assimp has read, as they are in the file. Assimp splits an FBX node with pivots into a
// chain, and stores the geometric transform of its mesh and the inheritance of scales separately:
//
//   NAME_$AssimpFbx$_Translation - NAME_$AssimpFbx$_RotationPivot - ... - NAME -
//   NAME_$AssimpFbx$_GeometricScalingInverse
//
// Each chain becomes one node, at rest and in animations:
//
//   parentFromNode = T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1                  (FBX SDK, "Transformation")
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

/// An affine map in the parts that glTF has for nodes. A map with a negative determinant has three negative scales.
struct NodeParts {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  bool isSheared = false;  ///< the rotation is then the nearest one, and the parts do not compose to the map
};
NodeParts partsOf(const Eigen::Affine3d& map);

struct ImportedNode {
  std::string name;  ///< the bytes of the file, which need not be UTF-8
  int parent = -1;
  std::vector<unsigned> meshes = {};                             ///< indices of the scene's meshes
  Eigen::Affine3d parentFromNode = Eigen::Affine3d::Identity();  ///< at rest
  Eigen::Affine3d nodeFromMesh = Eigen::Affine3d::Identity();  ///< FBX's geometric transform, for meshes without bones
};

/// The keys of one node in an animation.
struct ImportedKeys {
  int node = 0;
  std::vector<double> times = {};  ///< seconds, ascending
  std::vector<NodeParts> parts = {};
};

/// The map from the file's space to Limber's.
struct ImportFrame {
  double metresPerUnit = 1.0;
  Eigen::Quaterniond sceneFromFile = Eigen::Quaterniond::Identity();
};

class ImportedNodes {
 public:
  /// Reads the scene's nodes; refers to it. Throws std::length_error for more nodes than Limber reads.
  ImportedNodes(const aiScene& scene, const ImportFrame& frame);

  const std::vector<ImportedNode>& nodes() const { return nodes_; }  ///< parents before children
  /// The first node of this name; -1 for none.
  int find(const std::string& name) const;
  /// One entry for each node that the animation moves: its keys, and one for each frame between them. Throws
  /// std::length_error for more keys than Limber reads.
  std::vector<ImportedKeys> keysOf(const aiAnimation& animation);

 private:
  class Sampler;
  void add(const aiNode& node, int parent);
  Eigen::Affine3d inherited(const Eigen::Affine3d& local, int node) const;
  void addFrames(double ticksPerFrame, bool hasPivot, std::set<double>& ticks) const;

  struct Source {
    std::vector<const aiNode*> chain;    ///< from the top; the last one has the name
    int inheritType = 1;                 ///< of FBX: 0 RrSs, 1 RSrs, 2 Rrs
    Eigen::Vector3d scale = {};          ///< its own, before inheritance
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
