// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/figure_formats.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/xml.h"

namespace limber::io {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFilesSeen = 10'000;

/// The only .srdf file of a folder; empty if it has none or several.
fs::path onlySrdfIn(const fs::path& folder) {
  fs::path found;
  std::error_code fault;
  std::size_t seen = 0;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end && ++seen <= kMostFilesSeen;
       at.increment(fault)) {
    if (endingOf(at->path()) != ".srdf") continue;
    if (!found.empty()) return {};
    found = at->path();
  }
  return found;
}

/// The SRDF file in the robot's folder, or in "../config" as in MoveIt: the one with the robot's file name, or the only
/// one.
fs::path srdfOf(const fs::path& urdf) {
  const fs::path folder = urdf.has_parent_path() ? urdf.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const fs::path& place : {folder, folder / ".." / "config"}) {
    const fs::path named = place / (urdf.stem().string() + ".srdf");
    if (fs::is_regular_file(named, ignored)) return named;
    if (fs::path only = onlySrdfIn(place); !only.empty()) return only;
  }
  return {};
}

/// Adds the coordinates of a joint; false when the figure has no such joint.
bool takeJoint(const XmlElement& element, const Figure& figure, SourcePose& pose) {
  const std::string name = element.needName();
  const std::vector<double> values = element.numbers("value");
  const int joint = figure.findJoint(name), x = figure.findJoint(name + "_x"), y = figure.findJoint(name + "_y");
  if (joint < 0) return false;
  const int size = poseSize(figure.joint(joint).type);
  if (size == 1 && values.size() == 3 && x >= 0 && y >= 0) {  // a planar joint
    pose.joints.insert(pose.joints.end(),
                       {{name + "_x", {values[0]}}, {name + "_y", {values[1]}}, {name, {values[2]}}});
    return true;
  }
  if (size > 0 && std::ssize(values) != size)
    element.fail("its joint has " + std::to_string(size) + " coordinates, not " + std::to_string(values.size()));
  if (size > 0) pose.joints.emplace_back(name, values);
  return true;
}

/// The group states; joints that the figure lacks are noted.
std::vector<SourcePose> readStates(const XmlFile& file, const Figure& figure, std::vector<std::string>& notes) {
  std::vector<SourcePose> poses;
  std::map<std::string, int> uses;
  const std::vector<XmlElement> states = file.root().children("group_state");
  for (const XmlElement& state : states) ++uses[state.needName()];
  std::set<std::string> foreign;
  for (const XmlElement& state : states) {
    if (poses.size() == kMostSourcePoses) break;
    SourcePose pose{state.needName(), {}};
    if (uses[pose.name] > 1) pose.name += ", " + state.needName("group");
    for (const XmlElement& joint : state.children("joint"))
      if (!takeJoint(joint, figure, pose)) foreign.insert(joint.needName());
    if (!pose.joints.empty()) poses.push_back(std::move(pose));
  }
  if (!foreign.empty())
    notes.push_back(file.root().file().filename().string() + " has poses of joints that the robot lacks, such as " +
                    inQuotes(*foreign.begin()) + ": these joints are left out.");
  return poses;
}

/// The planning groups: joints, links (the joints above them), chains, and other groups, each of which is entered once.
class GroupReader {
 public:
  GroupReader(const XmlFile& file, const Figure& figure) : figure_(figure) {
    for (const XmlElement& group : file.root().children("group")) groups_.emplace(group.needName(), group);
  }

  std::vector<SourceGroup> read() const {
    std::vector<SourceGroup> out;
    for (const auto& [name, group] : groups_) {
      if (out.size() == kMostSourcePoses) break;
      std::set<int> joints;
      std::set<std::string> entered;
      collect(group, entered, joints);
      SourceGroup& found = out.emplace_back(SourceGroup{name, {}});
      for (const int joint : joints)
        if (stepSize(figure_.joint(joint).type) > 0) found.joints.push_back(figure_.joint(joint).name);
      if (found.joints.empty()) out.pop_back();
    }
    return out;
  }

 private:
  void collect(const XmlElement& group, std::set<std::string>& entered, std::set<int>& joints) const {
    if (!entered.insert(group.needName()).second) return;
    for (const XmlElement& joint : group.children("joint"))
      for (const char* part : {"", "_x", "_y"}) add(figure_.findJoint(joint.needName() + part), joints);  // planar
    for (const XmlElement& link : group.children("link")) add(figure_.findLink(link.needName()), joints);
    for (const XmlElement& chain : group.children("chain"))
      addChain(figure_.findLink(chain.needName("base_link")), figure_.findLink(chain.needName("tip_link")), joints);
    for (const XmlElement& other : group.children("group"))
      if (const auto found = groups_.find(other.needName()); found != groups_.end())
        collect(found->second, entered, joints);
  }

  void add(int joint, std::set<int>& joints) const {
    if (joint >= 0) joints.insert(joint);
  }

  void addChain(int base, int tip, std::set<int>& joints) const {
    if (base < 0 || tip < 0 || !figure_.isAncestorOrSelf(base, tip)) return;
    for (int link = tip; link != base; link = figure_.link(link).parent) joints.insert(link);
  }

  const Figure& figure_;
  std::map<std::string, XmlElement> groups_;
};

/// The pairs of links that never collide: disable_collisions, and disable_default_collisions of a link with all others
/// except those of enable_collisions. Links that the figure lacks are noted.
class PairReader {
 public:
  PairReader(const XmlFile& file, const Figure& figure) : file_(file), figure_(figure) {}

  std::vector<SourcePair> read(std::vector<std::string>& notes) {
    for (const XmlElement& element : file_.root().children("disable_default_collisions"))
      if (const int link = linkOf(element, "link"); link >= 0)
        for (int other = 0; other < figure_.linkCount(); ++other) disable(link, other);
    for (const XmlElement& element : file_.root().children("enable_collisions"))
      pairs_.erase(std::minmax(linkOf(element, "link1"), linkOf(element, "link2")));
    for (const XmlElement& element : file_.root().children("disable_collisions"))
      disable(linkOf(element, "link1"), linkOf(element, "link2"));
    const std::string name = file_.root().file().filename().string();
    if (!foreign_.empty())
      notes.push_back(name + " disables collisions of links that the robot lacks, such as " +
                      inQuotes(*foreign_.begin()) + ": these are left out.");
    if (isFull_)
      notes.push_back(name + " disables more than " + std::to_string(kMostSourcePairs) +
                      " pairs: the rest is left out.");
    std::vector<SourcePair> out;
    for (const auto& [link, other] : pairs_) out.emplace_back(figure_.link(link).name, figure_.link(other).name);
    return out;
  }

 private:
  int linkOf(const XmlElement& element, const char* attribute) {
    const std::string name = element.needName(attribute);
    const int link = figure_.findLink(name);
    if (link < 0) foreign_.insert(name);
    return link;
  }

  void disable(int link, int other) {
    if (link < 0 || other < 0 || link == other) return;
    if (pairs_.size() < kMostSourcePairs) pairs_.insert(std::minmax(link, other));
    else isFull_ = true;
  }

  const XmlFile& file_;
  const Figure& figure_;
  std::set<std::pair<int, int>> pairs_;
  std::set<std::string> foreign_;
  bool isFull_ = false;
};

}  // namespace

SrdfParts readSrdfBeside(const fs::path& urdf, const Figure& figure, std::vector<std::string>& notes) {
  const fs::path path = srdfOf(urdf);
  if (path.empty()) return {};
  SrdfParts parts;
  try {
    const Result<std::string> bytes = readFile(path, kMaxXmlBytes);
    if (!bytes) throw bytes.error();
    const XmlFile file(*bytes, path);
    parts = {readStates(file, figure, notes), GroupReader(file, figure).read(), PairReader(file, figure).read(notes)};
  } catch (const Error& fault) {
    notes.push_back("The named poses, groups and disabled collisions are not read: " + fault.message());
    return {};
  }
  const std::string name = path.filename().string();
  if (!parts.poses.empty())
    notes.push_back(countInWords(parts.poses.size(), "pose") + " of " + name +
                    (parts.poses.size() == 1 ? " is" : " are") + " in the pose library.");
  if (!parts.groups.empty())
    notes.push_back(countInWords(parts.groups.size(), "group") + " of joints of " + name +
                    (parts.groups.size() == 1 ? " is" : " are") + " available as chains of goals.");
  if (!parts.disabledPairs.empty())
    notes.push_back(countInWords(parts.disabledPairs.size(), "pair") + " of links of " + name +
                    " may overlap in self-avoidance.");
  return parts;
}

}  // namespace limber::io
