// SPDX-License-Identifier: MIT
// The bodies, joints and markers of a model of OpenSim, from both dialects: version 4 has a JointSet, whose joints
// connect frames that are fixed to bodies; before, each body had its joint in it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/io/robot/osim_function.h"
#include "limber/io/robot/xml.h"
#include "limber/kinematics/transform.h"

namespace limber::io {

struct OsimBody {
  XmlElement element;
  std::string name;
  double mass = 0.0;
  Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();
};

struct OsimCoordinate {
  std::string name;
  double value = 0.0;   ///< of the default pose
  Interval range = {};  ///< as written, which binds only if it is clamped
  bool isClamped = false, isLocked = false;
};

/// A translation along an axis or a rotation about it, by a function of a coordinate.
struct OsimAxis {
  bool isRotation = false;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit
  std::optional<std::size_t> coordinate = {};       ///< of the joint; nothing: the function is constant
  OsimFunction function = OsimFunction::linear(0.0, 1.0);
};

/// childFromWorld follows from  worldFromParent * parentFromJoint * motion * childFromJoint^-1.
struct OsimJoint {
  enum class Kind { Fixed, Ball, Free, Axes };
  XmlElement element;
  std::string name;
  Kind kind = Kind::Fixed;
  int parent = -1, child = 0;  ///< bodies; -1 for the ground
  Transform parentFromJoint = {}, childFromJoint = {};
  std::vector<OsimCoordinate> coordinates = {};  ///< ball: angles about x, y, z; free: the same and a translation
  std::vector<OsimAxis> axes = {};  ///< translations, then rotations, each in the frame that the last one left
};

struct OsimMarker {
  std::string name;
  int body = 0;  ///< -1 for the ground
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
};

/// dependent = function(independent)
struct OsimCoupler {
  XmlElement element;
  std::string dependent, independent;
  OsimFunction function;
};

/// Rotations about x, then the turned y, then the turned z: Rx Ry Rz.
Eigen::Matrix3d turnAboutAxes(const Eigen::Vector3d& angles);

class OsimModel {
 public:
  /// Throws an Error.
  explicit OsimModel(const XmlFile& file);

  const std::string& name() const { return name_; }
  const std::vector<OsimBody>& bodies() const { return bodies_; }
  const std::vector<OsimJoint>& joints() const { return joints_; }
  const std::vector<OsimMarker>& markers() const { return markers_; }
  const std::vector<OsimCoupler>& couplers() const { return couplers_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// A frame that is fixed to a body or to another frame.
  struct Frame {
    XmlElement element;
    std::string owner;  ///< the joint or body that holds it
  };
  struct Place {
    int body = -1;
    Transform bodyFromFrame;
  };

  void readBodies();
  void collectFrames(const XmlElement& element, const std::string& owner);
  void readJoint(const XmlElement& joint, int child);
  void readCoordinates(const XmlElement& joint, OsimJoint& out) const;
  void readMotion(OsimJoint& out);
  void readTransform(OsimJoint& out) const;
  void readMarkers();
  void readConstraints();
  void noteWhatIsLeftOut();
  int bodyNamed(const std::string& path, const XmlElement& user) const;
  /// The body of a frame, which a path names as seen from `owner`.
  Place placeOf(const std::string& path, const std::string& owner, const XmlElement& user, int depth = 0) const;
  const Frame* findFrame(const std::string& path, const std::string& owner) const;

  XmlElement model_;
  std::string name_;
  std::vector<OsimBody> bodies_;
  std::unordered_map<std::string, int> bodyIndex_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string, std::size_t> frameIndex_;  ///< by NAME, and by OWNER/NAME
  std::vector<OsimJoint> joints_;
  std::vector<OsimMarker> markers_;
  std::vector<OsimCoupler> couplers_;
  std::vector<std::string> notes_;
};

}  // namespace limber::io
