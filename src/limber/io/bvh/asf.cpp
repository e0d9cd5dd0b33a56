// SPDX-License-Identifier: MIT
#include "limber/io/bvh/asf.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "limber/io/base/file.h"
#include "limber/io/base/text.h"
#include "limber/io/bvh/asf_parser.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/pose.h"

namespace limber::io {

namespace {

constexpr double kInch = 0.0254;                             // metres
constexpr double kAsfHeight = 1.7;                           // metres, of a figure whose unit is unknown
constexpr double kLowestPerson = 1.0, kTallestPerson = 2.5;  // metres
constexpr double kAmcFrameTime = 1.0 / 120.0;                // seconds: AMC has none; most were captured at this rate
constexpr std::size_t kMostAmcNumbers = 32'000'000;          // of all frames: 256 MB

bool isTurn(const AsfDof& dof) { return dof.kind == AsfDof::Kind::Rotation; }

/// The product of a bone's rotations, the first on the right: M of AsfBone.
Eigen::Matrix3d turnOfBone(const AsfBone& bone, const double* values, double toRadians) {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < bone.dofs.size(); ++i)
    if (isTurn(bone.dofs[i]))
      rotation = Eigen::AngleAxisd(values[i] * toRadians, Eigen::Vector3d::Unit(bone.dofs[i].axis)) * rotation;
  return rotation;
}

/// A bone with one angle is a hinge, one with more a ball.
Joint asfJointOf(const AsfBone& bone) {
  Joint joint{.name = bone.name};
  const auto turns = std::ranges::count_if(bone.dofs, isTurn);
  if (bone.parent < 0) joint.type = JointType::Free;
  else if (turns > 0) joint.type = turns == 1 ? JointType::Revolute : JointType::Ball;
  joint.locked = joint.type == JointType::Free;
  if (joint.type == JointType::Revolute) {
    const AsfDof& dof = *std::ranges::find_if(bone.dofs, isTurn);
    joint.axis = bone.axes.col(dof.axis);
    joint.limits = dof.limits;
  }
  return joint;
}

/// The ends of the bones with all angles zero, file units, and the box around them.
struct AsfShape {
  std::vector<Eigen::Vector3d> ends;
  Eigen::Vector3d lower = Eigen::Vector3d::Zero(), upper = Eigen::Vector3d::Zero();
};

AsfShape asfShapeOf(const AsfText& text) {
  AsfShape shape;
  for (const AsfBone& bone : text.bones) {
    shape.ends.push_back(bone.end);
    if (bone.parent >= 0) shape.ends.back() += shape.ends[bone.parent];
    shape.lower = shape.lower.cwiseMin(shape.ends.back());
    shape.upper = shape.upper.cwiseMax(shape.ends.back());
  }
  return shape;
}

FileFrame frameOf(const AsfText& text, const AsfShape& shape, std::vector<std::string>& notes) {
  FileFrame frame;
  const Eigen::Vector3d size = shape.upper - shape.lower;
  const bool isZ = size.z() > size.y();
  if (isZ) frame.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const double height = std::max(size.y(), size.z()), inches = kInch / text.lengthUnit;
  notes.push_back(std::string(isZ ? "z" : "y") + " is assumed to be up: the skeleton is longest along it.");
  if (height * inches > kLowestPerson && height * inches < kTallestPerson) {
    frame.metresPerUnit = inches;
    notes.push_back("Lengths are assumed to be inches: the skeleton is " + inShort(height * inches, 3) + " m tall.");
  } else if (height > 1e-9) {
    frame.metresPerUnit = kAsfHeight / height;
    notes.push_back("The unit of length is unknown: the skeleton is scaled to " + inShort(kAsfHeight, 3) + " m.");
  }
  return frame;
}

Eigen::VectorXd restOfRoot(const AsfBone& root, const AsfShape& shape, const FileFrame& frame) {
  const Eigen::Vector3d up = frame.sceneFromFile.row(1);
  Eigen::VectorXd rest(7);
  rest.head<3>() = -frame.metresPerUnit * up.dot(shape.lower) * up;
  rest.tail<4>() = Eigen::Quaterniond(root.axes).coeffs();
  return rest;
}

FigurePointer makeAsfFigure(const AsfText& text, const std::string& name, std::vector<std::string>& notes,
                            std::string& error) {
  const AsfShape shape = asfShapeOf(text);
  const FileFrame frame = frameOf(text, shape, notes);
  std::vector<bool> isLeaf(text.bones.size(), true);
  for (const AsfBone& bone : text.bones)
    if (bone.parent >= 0) isLeaf[bone.parent] = false;
  FigureBuilder builder(name);
  builder.setFileFrame(frame);
  int unlimited = 0;
  for (std::size_t i = 0; i < text.bones.size(); ++i) {
    const AsfBone& bone = text.bones[i];
    Joint joint = asfJointOf(bone);
    if (bone.parent < 0) joint.parentFromJoint.rotation = frame.sceneFromFile;
    else joint.parentFromJoint.translation = frame.metresPerUnit * text.bones[bone.parent].end;
    unlimited += joint.type == JointType::Ball &&
                 std::ranges::any_of(bone.dofs, [](const AsfDof& dof) { return dof.limits.isBounded(); });
    const int link = builder.addLink({.name = bone.name, .parent = bone.parent}, std::move(joint));
    if (bone.parent < 0) builder.setRest(link, restOfRoot(bone, shape, frame));
    if (isLeaf[i] && bone.parent >= 0)
      builder.addSite({bone.name + "_end", link, Transform::fromTranslation(frame.metresPerUnit * bone.end)});
  }
  if (unlimited > 0)
    notes.push_back("Limits of " + std::to_string(unlimited) + " joints that turn about several axes are left out.");
  return builder.build(error);
}

void setBone(const Figure& figure, int link, const AsfBone& bone, const double* values, double toRadians, Pose& pose) {
  const Joint& joint = figure.joint(link);
  const Eigen::Matrix3d turn = turnOfBone(bone, values, toRadians);
  if (joint.type == JointType::Free) {
    setJointRotation(figure, link, Eigen::Quaterniond(Eigen::Matrix3d(bone.axes * turn)), pose);
    pose.coordinates.segment<3>(joint.poseIndex).setZero();
    for (std::size_t i = 0; i < bone.dofs.size(); ++i)
      if (bone.dofs[i].kind == AsfDof::Kind::Translation)
        pose.coordinates[joint.poseIndex + bone.dofs[i].axis] = values[i] * figure.fileFrame().metresPerUnit;
  } else if (joint.type == JointType::Ball) {
    const Eigen::Matrix3d inFile = bone.axes * turn * bone.axes.transpose();
    setJointRotation(figure, link, Eigen::Quaterniond(inFile), pose);
  } else if (joint.type == JointType::Revolute) {
    const auto dof = std::ranges::find_if(bone.dofs, isTurn) - bone.dofs.begin();
    pose.coordinates[joint.poseIndex] = values[dof] * toRadians;
  }
}

Result<std::shared_ptr<const Motion>> makeAmcMotion(const Figure& figure, const AsfText& skeleton, const AmcText& text,
                                                    const std::string& file) {
  if (static_cast<std::size_t>(text.frameCount) > kMostAmcNumbers / static_cast<std::size_t>(figure.poseSize()))
    return Error{file, "", "the motion is too long"};
  auto motion = std::make_shared<Motion>();
  motion->name = asUtf8(std::filesystem::path(file).stem().string());
  motion->frameTime = kAmcFrameTime;
  Pose pose = restPose(figure);
  const double* values = text.values.data();
  for (int frame = 0; frame < text.frameCount; ++frame) {
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      setBone(figure, static_cast<int>(i), skeleton.bones[i], values, text.isDegrees ? std::numbers::pi / 180.0 : 1.0,
              pose);
      values += skeleton.bones[i].dofs.size();
    }
    motion->append(pose);
  }
  return std::shared_ptr<const Motion>(std::move(motion));
}

/// The skeleton, with a motion if its text is given.
Result<FigureSource> readBoth(std::string_view skeleton, const std::filesystem::path& skeletonPath,
                              const std::string* motion, const std::filesystem::path& motionPath) {
  const Result<AsfText> text = parseAsfText(skeleton, skeletonPath.string());
  if (!text) return text.error();
  FigureSource out;
  std::string error;
  out.figure = makeAsfFigure(*text, asUtf8(skeletonPath.stem().string()), out.notes, error);
  if (!out.figure) return Error{skeletonPath.string(), "", error};
  if (!motion) return out;
  const Result<AmcText> frames = parseAmcText(*motion, *text, motionPath.string());
  if (!frames) return frames.error();
  const auto made = makeAmcMotion(*out.figure, *text, *frames, motionPath.string());
  if (!made) return made.error();
  out.motion = *made;
  out.notes.push_back("The motion " + asUtf8(motionPath.filename().string()) +
                      " is assumed to have 120 frames per second.");
  return out;
}

bool isReadable(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// The only skeleton of a folder; empty for none or several.
std::filesystem::path onlySkeletonIn(const std::filesystem::path& folder) {
  std::filesystem::path found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (lowerCase(entry.path().extension().string()) != ".asf") continue;
    if (!found.empty()) return {};
    found = entry.path();
  }
  return found;
}

std::filesystem::path findSkeleton(const std::filesystem::path& motion, const OpenContext& context) {
  std::vector<std::filesystem::path> folders = {motion.parent_path().empty() ? "." : motion.parent_path()};
  folders.insert(folders.end(), context.folders.begin(), context.folders.end());
  const std::string stem = motion.stem().string(), subject = stem.substr(0, stem.rfind('_'));
  for (const std::filesystem::path& folder : folders)
    for (const std::string& name : {stem + ".asf", subject + ".asf"})
      if (isReadable(folder / name)) return folder / name;
  for (const std::filesystem::path& folder : folders)
    if (const std::filesystem::path only = onlySkeletonIn(folder); !only.empty()) return only;
  return {};
}

/// The first line that is neither blank nor a comment.
std::string_view firstLine(std::string_view text) {
  LineReader lines(text);
  while (const auto line = lines.next())
    if (const std::string_view words = trimmed(*line); !words.empty() && words[0] != '#') return words;
  return {};
}

}  // namespace

bool looksLikeAsf(std::string_view text) {
  const std::string first = lowerCase(firstLine(text).substr(0, 16));
  return first.starts_with(":version") || first.starts_with(":units") || first.starts_with(":name");
}

bool looksLikeAmc(std::string_view text) {
  const std::string first = lowerCase(firstLine(text).substr(0, 16));
  return first.starts_with(":fully-spec") || first.starts_with(":degrees") || first.starts_with(":radians");
}

Result<FigureSource> readAsf(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading motion")) return Error{path.string(), "", std::string(kCancelled)};
  const std::filesystem::path motion = std::filesystem::path(path).replace_extension(".amc");
  if (!isReadable(motion)) return readBoth(text, path, nullptr, {});
  const Result<std::string> bytes = readFile(motion);
  return bytes ? readBoth(text, path, &*bytes, motion) : bytes.error();
}

Result<FigureSource> readAmc(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading motion")) return Error{path.string(), "", std::string(kCancelled)};
  const std::filesystem::path skeleton = findSkeleton(path, context);
  if (skeleton.empty()) {
    const std::string wanted = asUtf8(path.stem().string()) + ".asf";
    return Error{path.string(), "", "its skeleton " + wanted + " is not in the same folder", {wanted}};
  }
  const Result<std::string> bytes = readFile(skeleton);
  if (!bytes) return bytes.error();
  const std::string motion(text);
  return readBoth(*bytes, skeleton, &motion, path);
}

}  // namespace limber::io
