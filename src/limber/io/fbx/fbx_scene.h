// SPDX-License-Identifier: MIT
// The objects of an FBX file and the connections between them.
#pragma once

#include <map>
#include <string>

#include "limber/io/fbx/fbx_node.h"

namespace limber::io {

inline constexpr double kFbxUnit = 100.0;                   ///< centimetres in a metre
inline constexpr std::int64_t kFbxSecond = 46'186'158'000;  ///< ticks of its clock

/// An object's number, by which connections name it. 0 is the scene.
using FbxId = std::int64_t;

class FbxScene {
 public:
  /// kind    "Model", "Geometry", ...: the node's name
  /// class   what stands behind the name: "Model", "SubDeformer", ...
  /// type    "LimbNode", "Mesh", ...
  FbxNode& add(const char* kind, const std::string& name, const char* classOf, const char* type, FbxId& id);

  void connect(FbxId child, FbxId parent) { connections_.child("C").add("OO").add(child).add(parent); }
  void connect(FbxId child, FbxId parent, const char* property) {
    connections_.child("C").add("OP").add(child).add(parent).add(property);
  }

  /// frameTime  seconds, of the time line; stack: the first motion's name, or empty
  std::string file(double frameTime, double seconds, const std::string& stack) const;

 private:
  FbxNode objects_{"Objects"}, connections_{"Connections"};
  std::map<std::string, std::int32_t> counts_;  ///< of objects, by kind
  FbxId last_ = 1'000'000;
};

}  // namespace limber::io
