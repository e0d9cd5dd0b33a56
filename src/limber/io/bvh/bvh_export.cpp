// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "limber/io/base/text.h"
#include "limber/io/bvh/bvh_parser.h"
#include "limber/io/bvh/euler_channels.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::io {

namespace {

constexpr double kExpressible = 1e-6;  // radians: larger errors of a rotation get a note

/// Replaces -0 by 0.
void appendValue(double value, std::string& text) { appendNumber(value == 0.0 ? 0.0 : value, text); }

// Writing into the file that the figure came from.

/// Writes the document's take as rows of channel values.
class ChannelRows {
 public:
  ChannelRows(const Document& document, std::span<const Channel> channels)
      : figure_(*document.figure), channels_(channels) {}

  /// values: in, those of the previous frame or the file; out, those of the pose. Joints that are as in `known` keep
  /// their values.
  void write(const Pose& pose, const Pose& known, std::span<double> values) {
    for (std::size_t first = 0; first < channels_.size();) {
      std::size_t end = first;
      while (end < channels_.size() && channels_[end].joint == channels_[first].joint) ++end;
      const Joint& joint = figure_.joint(channels_[first].joint);
      const auto size = poseSize(joint.type);
      if (pose.coordinates.segment(joint.poseIndex, size) != known.coordinates.segment(joint.poseIndex, size))
        writeJoint(pose, known, first, values.subspan(first, end - first));
      first = end;
    }
  }

  /// Notes about what the channels cannot represent.
  std::vector<std::string> notes() const {
    std::vector<std::string> out;
    for (const auto& [joint, angle] : missed_)
      out.push_back("The channels of " + figure_.joint(joint).name + " cannot express its rotation: up to " +
                    std::to_string(angle * 180.0 / std::numbers::pi) + " degrees are lost.");
    return out;
  }

 private:
  void writeJoint(const Pose& pose, const Pose& known, std::size_t first, std::span<double> values) {
    const int joint = channels_[first].joint;
    const Joint& j = figure_.joint(joint);
    std::vector<int> axes;
    std::vector<double> angles;
    for (std::size_t c = 0; c < values.size(); ++c) {
      const ChannelType type = channels_[first + c].type;
      const int axis = static_cast<int>(type) % 3;
      if (type > ChannelType::ZPosition) {
        axes.push_back(axis);
        angles.push_back(values[c]);
      } else if (j.type == JointType::Free &&
                 pose.coordinates[j.poseIndex + axis] != known.coordinates[j.poseIndex + axis]) {
        const double shift = pose.coordinates[j.poseIndex + axis] / figure_.fileFrame().metresPerUnit;
        values[c] = channels_[first + c].zero + shift;
      }
    }
    if (axes.empty()) return;
    const double left = eulerAngles(jointRotation(figure_, pose, joint).toRotationMatrix(), axes, angles);
    if (left > kExpressible) miss(joint, left);
    std::size_t next = 0;
    for (std::size_t c = 0; c < values.size(); ++c)
      if (channels_[first + c].type > ChannelType::ZPosition) values[c] = angles[next++];
  }

  void miss(int joint, double angle) {
    const auto found = std::ranges::find(missed_, joint, &std::pair<int, double>::first);
    if (found == missed_.end()) missed_.push_back({joint, angle});
    else found->second = std::max(found->second, angle);
  }

  const Figure& figure_;
  std::span<const Channel> channels_;
  std::vector<std::pair<int, double>> missed_;
};

/// The text with different values replaced; everything else is kept, including spaces and line ends.
std::string withValues(std::string_view text, const BvhText& parsed, const std::vector<double>& values) {
  std::string out(text.substr(0, parsed.valuesAt));
  std::size_t at = parsed.valuesAt;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t start = at;
    while (isSpace(text[start])) ++start;
    std::size_t end = start;
    while (end < text.size() && !isSpace(text[end])) ++end;
    if (values[i] == parsed.values[i]) {
      out.append(text.substr(at, end - at));
    } else {
      out.append(text.substr(at, start - at));
      appendValue(values[i], out);
    }
    at = end;
  }
  return out.append(text.substr(at));
}

void appendRows(const std::vector<double>& values, std::size_t columns, std::string& out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    appendValue(values[i], out);
    out += (i + 1) % columns == 0 ? '\n' : ' ';
  }
}

void appendMotionHead(int frames, double frameTime, std::string& out) {
  out += "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: ";
  appendValue(frameTime, out);
  out += '\n';
}

Pose unknownPose(const Figure& figure) {
  return {Eigen::VectorXd::Constant(figure.poseSize(), std::numeric_limits<double>::quiet_NaN())};
}

/// The row of the file's first frame; without frames, the one in which no joint is turned or shifted.
std::vector<double> firstRow(const Motion& inFile) {
  std::vector<double> row;
  for (std::size_t c = 0; c < inFile.channels.size(); ++c)
    row.push_back(inFile.frameCount > 0 ? inFile.values[c] : inFile.channels[c].zero);
  return row;
}

/// The rows of a motion with a pose per frame. Angles are those nearest to the previous frame, initially to the file.
std::vector<double> rowsOfPoses(const Figure& figure, const Motion& motion, const Motion& inFile, ChannelRows& rows) {
  const Pose unknown = unknownPose(figure);
  std::vector<double> row = firstRow(inFile), values;
  values.reserve(row.size() * motion.frameCount);
  for (int frame = 0; frame < motion.frameCount; ++frame) {
    rows.write(motion.poseAt(figure, frame), unknown, row);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

Exported patchFile(const Document& document, const Motion& inFile, const BvhText& parsed) {
  const std::string_view text = document.source->bytes;
  const Figure& figure = *document.figure;
  const std::size_t columns = inFile.channels.size();
  const int frames = takeLength(document);
  const bool hasRows = document.motion && document.motion->frameCount > 0;
  const Motion none, &motion = hasRows ? document.motion->bare() : none;
  ChannelRows rows(document, inFile.channels);
  std::vector<double> values = !hasRows               ? firstRow(inFile)
                               : motion.poses.empty() ? motion.values
                                                      : rowsOfPoses(figure, motion, inFile, rows);
  for (int frame = 0; frame < frames; ++frame) {
    if (hasRows && !document.motion->beneath && isUntouched(document, frame)) continue;
    const Pose known = hasRows ? motion.poseAt(figure, frame) : unknownPose(figure);
    const Pose pose = poseOfTake(document, frame);
    if (hasRows && pose == known) continue;
    rows.write(pose, known, std::span(values).subspan(frame * columns, columns));
  }
  Exported out{.notes = rows.notes()};
  if (frames == parsed.frameCount) {
    out.bytes = withValues(text, parsed, values);
    return out;
  }
  out.bytes = text.substr(0, parsed.motionAt);
  appendMotionHead(frames, hasRows ? document.motion->frameTime : 1.0 / 30.0, out.bytes);
  appendRows(values, columns, out.bytes);
  return out;
}

// Writing with a new hierarchy.

/// Every link is a joint whose axes in the rest pose are those of the file.
class Skeleton {
 public:
  explicit Skeleton(const Figure& figure) : figure_(figure), frame_(figure.fileFrame()) {
    computeTransforms(figure, restPose(figure), rest_);
  }

  /// Must be called first, because it sets the order of the values.
  std::string hierarchy() {
    std::string out = "HIERARCHY\n";
    for (int i = 0; i < figure_.linkCount(); ++i)
      if (figure_.link(i).parent < 0) appendTree(i, out);
    return out;
  }

  int columnCount() const {
    int count = 0;
    for (int i = 0; i < figure_.linkCount(); ++i) count += shifts(i) ? 6 : 3;
    return count;
  }

  /// values: in, those of the previous frame, initially zero; out, those of the pose.
  void write(const Pose& pose, std::span<double> values) {
    computeTransforms(figure_, pose, now_);
    std::size_t at = 0;
    for (const int link : order_) {
      const int parent = figure_.link(link).parent;
      const Eigen::Matrix3d above = parent < 0 ? Eigen::Matrix3d::Identity() : turned(parent);
      if (shifts(link)) {
        Eigen::Vector3d shift = inFile(now_.worldFromLink[link].translation);
        if (parent >= 0)
          shift = above.transpose() * (shift - inFile(now_.worldFromLink[parent].translation)) - offset(link);
        for (int axis = 0; axis < 3; ++axis) values[at++] = shift[axis];
      }
      constexpr std::array<int, 3> kOrder = {2, 0, 1};
      eulerAngles(above.transpose() * turned(link), kOrder, values.subspan(at, 3));
      at += 3;
    }
  }

 private:
  Eigen::Vector3d inFile(const Eigen::Vector3d& point) const {
    return frame_.sceneFromFile.transpose() * (point - frame_.origin) / frame_.metresPerUnit;
  }

  /// The rotation of a link from the rest pose, in the file's axes.
  Eigen::Matrix3d turned(int link) const {
    return frame_.sceneFromFile.transpose() * now_.worldFromLink[link].rotation *
           rest_.worldFromLink[link].rotation.transpose() * frame_.sceneFromFile;
  }

  /// The offset from the parent in the rest pose; zero for a root, whose position is in its channels.
  Eigen::Vector3d offset(int link) const {
    const int parent = figure_.link(link).parent;
    if (parent < 0) return Eigen::Vector3d::Zero();
    return inFile(rest_.worldFromLink[link].translation) - inFile(rest_.worldFromLink[parent].translation);
  }

  bool shifts(int link) const {
    const JointType type = figure_.joint(link).type;
    return figure_.link(link).parent < 0 || type == JointType::Free || type == JointType::Prismatic;
  }

  std::string nameOf(int link) const {
    std::string name = figure_.link(link).name;
    std::ranges::replace_if(
        name, [](char c) { return isSpace(c) || c == '{' || c == '}'; }, '_');
    return name;
  }

  /// Not recursive, so that deep hierarchies cannot overflow the stack.
  void appendTree(int root, std::string& out) {
    struct Open {
      int link;
      std::size_t nextChild;
    };
    std::vector<Open> open;
    const auto begin = [&](int link) {
      order_.push_back(link);
      const std::string indent(open.size(), '\t');
      out += indent + (open.empty() ? "ROOT " : "JOINT ") + nameOf(link) + "\n" + indent + "{\n";
      appendOffset(offset(link), indent + "\t", out);
      out += indent + "\tCHANNELS ";
      if (shifts(link)) out += "6 Xposition Yposition Zposition ";
      else out += "3 ";
      out += "Zrotation Xrotation Yrotation\n";
      open.push_back({link, 0});
    };
    begin(root);
    while (!open.empty()) {
      const int link = open.back().link;
      const auto children = figure_.children(link);
      if (open.back().nextChild < children.size()) {
        begin(children[open.back().nextChild++]);
        continue;
      }
      const std::string indent(open.size() - 1, '\t');
      if (children.empty()) {
        out += indent + "\tEnd Site\n" + indent + "\t{\n";
        appendOffset(endOf(link), indent + "\t\t", out);
        out += indent + "\t}\n";
      }
      out += indent + "}\n";
      open.pop_back();
    }
  }

  static void appendOffset(const Eigen::Vector3d& offset, const std::string& indent, std::string& out) {
    out += indent + "OFFSET";
    for (const double number : offset) {
      out += ' ';
      appendValue(number, out);
    }
    out += '\n';
  }

  /// The end site of a leaf: its own site, or the end of its capsule.
  Eigen::Vector3d endOf(int link) const {
    const Transform& worldFromLink = rest_.worldFromLink[link];
    Eigen::Vector3d end = Eigen::Vector3d::Zero();
    const auto site = std::ranges::find(figure_.sites(), link, &Site::link);
    if (site != figure_.sites().end()) end = site->linkFromSite.translation;
    else if (!figure_.link(link).capsules.empty()) end = figure_.link(link).capsules.front().end;
    return inFile(worldFromLink * end) - inFile(worldFromLink.translation);
  }

  const Figure& figure_;
  const FileFrame& frame_;
  Kinematics rest_, now_;
  std::vector<int> order_;  ///< links in the order of the file's joints
};

Exported writeFigure(const Document& document) {
  Skeleton skeleton(*document.figure);
  Exported out{.bytes = skeleton.hierarchy()};
  const int frames = takeLength(document);
  const auto columns = static_cast<std::size_t>(skeleton.columnCount());
  appendMotionHead(frames, document.motion ? document.motion->frameTime : 1.0 / 30.0, out.bytes);
  std::vector<double> row(columns, 0.0);
  for (int frame = 0; frame < frames; ++frame) {
    skeleton.write(poseOfTake(document, frame), row);
    appendRows(row, columns, out.bytes);
  }
  return out;
}

}  // namespace

Result<Exported> formatBvh(const Document& document) {
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  if (document.source && document.source->format == SourceFormat::Bvh) {
    const SourceFile& source = *document.source;
    const Result<BvhText> parsed = parseBvhText(source.bytes, source.path.string());
    // Scenes of earlier versions always added position channels to OFFSET.
    for (const OffsetRule rule : {source.offsetRule, OffsetRule::Add}) {
      const Result<FigureSource> inFile = readBvh(source.bytes, source.path, {.offsetRule = rule});
      const bool fits = inFile && parsed && hasSameBones(*document.figure, *inFile->figure) &&
                        (!document.motion || !document.motion->bare().poses.empty() ||
                         document.motion->bare().channels == inFile->motion->channels);
      if (fits) return patchFile(document, *inFile->motion, *parsed);
    }
  }
  return writeFigure(document);
}

}  // namespace limber::io
