// SPDX-License-Identifier: MIT
// The models of an SDF file, with the models that they include, and the transforms of their frames at rest. Frames of
// nested models have names such as "gripper::palm".
//
// Of a world one model is read, with all that joints of the world join to it, directly or through others. The names of
// a single model have no prefix; those of several have the names of their models.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/robot/xml.h"
#include "limber/kinematics/transform.h"

namespace limber::io {

inline constexpr std::string_view kSdfWorld = "world";
inline constexpr std::size_t kMaxSdfModels = 1000;
inline constexpr std::size_t kMaxSdfFrames = 100'000;

struct SdfLink {
  XmlElement element;
  std::string name;
  std::string model;  ///< the frame of the model that contains it
};

struct SdfJoint {
  XmlElement element;
  std::string name, type;
  std::string model;          ///< the frame of the model that contains it
  std::string parent, child;  ///< frames
  bool hasModelAxes = false;  ///< axes are in the model's frame by default, as before version 1.5
};

/// The numbers in the text of an element's child; `otherwise` without such a child. Throws an Error.
double sdfNumber(const XmlElement& element, std::string_view child, double otherwise);
Eigen::Vector3d sdfVector(const XmlElement& element, std::string_view child, const Eigen::Vector3d& otherwise);
/// The transform in the element's <pose>; the identity without one.
Transform sdfPose(const XmlElement& element);

class SdfModel {
 public:
  /// Reads a model of the file or of its world, with its nested models: the first with joints, else the first; and
  /// those that are joined to it. Throws an Error.
  SdfModel(const XmlFile& file, const OpenContext& context);

  const std::vector<SdfLink>& links() const { return links_; }
  const std::vector<SdfJoint>& joints() const { return joints_; }
  const std::string& name() const { return name_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& missing() const { return missing_; }  ///< models that were not found

  /// The full name of a frame that an element of `model` calls `name`.
  std::string frameIn(const std::string& model, std::string_view name) const;
  /// The pose of a frame in the world at rest. Fails at `user` if the frame is missing or its pose depends on itself.
  const Transform& worldFromFrame(const std::string& frame, const XmlElement& user);
  /// Index of the link that a frame is attached to; -1 for the world.
  int linkOf(const std::string& frame, const XmlElement& user) const;

 private:
  struct Frame {
    Transform pose;  ///< in the frame `relativeTo`
    std::string relativeTo;
    std::string attachedTo;  ///< another frame, or the link itself
    std::string placed;      ///< of a model: a frame in it that has the pose; empty: the model's own
    bool isResolved = false, isOpen = false;
  };

  /// A model of the world.
  struct Candidate {
    XmlElement place;  ///< the model, or its <include>
    XmlElement model;
    std::string name;
  };
  void chooseModel(const XmlElement& root);
  void readWorld(const XmlElement& world, const std::vector<Candidate>& models, std::size_t chosen);
  Candidate candidate(const XmlElement& place);
  void noteMissing(const XmlElement& root, bool isNothingElse);
  void readModel(const XmlElement& model, const XmlElement& place, const std::string& frame, const std::string& outer);
  void readContents(const XmlElement& model, const std::string& frame);
  void readLink(const XmlElement& link, const std::string& model);
  void readJoint(const XmlElement& joint, const std::string& model);
  void readFrame(const XmlElement& frame, const std::string& model);
  void includeModel(const XmlElement& include, const std::string& model);
  /// The file of the model that an <include> refers to; null if it was not found.
  const XmlFile* included(const XmlElement& include);
  const XmlFile& parsed(const std::filesystem::path& path, const XmlElement& include);
  /// The pose of a frame in the frame of a model that contains it, before either is resolved.
  Transform poseIn(const Frame& model, const std::string& name, const XmlElement& user, int depth = 0) const;
  void addFrame(const std::string& name, const XmlElement& element, const std::string& model,
                const std::string& relativeTo, const std::string& attachedTo);

  const OpenContext& context_;
  std::string name_;
  std::vector<SdfLink> links_;
  std::vector<SdfJoint> joints_;
  std::unordered_map<std::string, int> linkIndex_;
  std::unordered_map<std::string, Frame> frames_;
  std::map<std::filesystem::path, std::unique_ptr<XmlFile>> files_;  ///< included
  std::size_t includedBytes_ = 0, models_ = 0;
  std::vector<std::string> notes_, missing_;
  std::string alone_;  ///< "NAME::" for a single model of a world, whose names are written without it
};

}  // namespace limber::io
