// SPDX-License-Identifier: MIT
#include "app/features/library_pose.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <system_error>

#include "limber/body/body_map.h"
#include "limber/io/base/resources.h"
#include "limber/io/base/text.h"
#include "limber/io/open.h"
#include "limber/posing/carry_pose.h"

namespace limber::app {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPoses = 2000;
constexpr double kLeastShareOfJoints = 0.5;  // of a pose's joints, for a fit by names

/// The .json files in a folder and its direct subfolders, sorted.
std::vector<fs::path> poseFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code fault;
  if (folder.empty()) return files;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, fault), end;
       !fault && at != end && files.size() < kMostPoses; at.increment(fault)) {
    if (at.depth() > 0) at.disable_recursion_pending();
    std::error_code ignored;
    if (at->path().extension() == ".json" && at->is_regular_file(ignored)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

void addRemark(std::string& text, const std::string& remark) {
  if (!remark.empty()) text += (text.empty() ? "" : "; ") + remark;
}

bool followsOthers(const Document& document, int joint) {
  const std::span<const Coupling> couplings = document.figure->couplings();
  const std::vector<char> active = activeCouplings(document);
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (active[i] && couplings[i].follower == joint) return true;
  return false;
}

PoseFitter::Fitted fitByJoints(const io::NamedPose& named, const Figure& figure, const Pose& base) {
  io::FittedPose found = io::fitPose(named, figure, base);
  PoseFitter::Fitted fitted{.pose = std::move(found.pose), .remark = {}, .fault = {}};
  if (!found.unknown.empty())
    fitted.remark = io::countInWords(found.unknown.size(), "joint") + " of it " +
                    (found.unknown.size() == 1 ? "is" : "are") + " not in this figure: " + found.unknown.front() +
                    (found.unknown.size() > 1 ? ", ..." : "");
  if (found.without > 0)
    addRemark(fitted.remark, io::countInWords(static_cast<std::size_t>(found.without), "joint") + " stay as they were");
  return fitted;
}

}  // namespace

fs::path ownPosesFolder() { return io::inUserFolder("XDG_DATA_HOME", ".local/share", "limber/poses"); }

std::string poseFileName(const std::string& name) {
  std::string file;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    file += u >= 0x80 || std::isalnum(u) || c == '-' ? static_cast<char>(std::tolower(u)) : '_';
  }
  return file.empty() ? "pose" : file;
}

std::vector<fs::path> shippedPoses() {
  const auto folder = io::findResource("poses");
  return folder ? poseFilesIn(*folder) : std::vector<fs::path>();
}

std::vector<fs::path> ownPoses() { return poseFilesIn(ownPosesFolder()); }

RolePose PoseFitter::partsOf(const io::NamedPose& pose) {
  if (!pose.parts.isEmpty() || pose.figure.empty()) return pose.parts;
  const auto [at, isNew] = sources_.try_emplace(pose.figure);
  if (isNew)
    if (const auto file = io::findResource("figures/" + poseFileName(pose.figure) + ".json"))
      if (const auto opened = io::openAny(file->string()))
        at->second = Source{opened->document, bodyMapOf(*opened->document.figure).poseParts()};
  if (!at->second) return {};
  const Figure& figure = *at->second->document.figure;
  const io::FittedPose found = io::fitPose(pose, figure, restPose(figure));
  return found.unknown.empty() ? rolePoseOf(figure, at->second->parts, found.pose) : RolePose{};
}

PoseFitter::Way PoseFitter::wayOf(const Document& document, const io::NamedPose& pose) {
  const io::FittedPose found = io::fitPose(pose, *document.figure, document.pose);
  const bool hasMost = found.found > 0 && found.found >= kLeastShareOfJoints * static_cast<double>(pose.joints.size());
  if (hasMost && found.unknown.empty()) return Way::ByJoints;
  const RolePose parts = partsOf(pose);
  const bool isEmpty = wantedOf(parts_, parts, HandChoice::Both).isEmpty();
  if (hasMost && (isEmpty || !parts_.hasBody || !parts.hasBody())) return Way::ByJoints;
  if (isEmpty) return Way::None;
  return parts_.hasBody && !parts.hasBody() ? Way::HandByParts : Way::ByParts;
}

PoseFitter::Fitted PoseFitter::fit(const Document& document, const io::NamedPose& pose, const Pose& base,
                                   HandChoice hands) {
  const Way way = wayOf(document, pose);
  if (way == Way::ByJoints) return fitByJoints(pose, *document.figure, base);
  const RolePose parts = partsOf(pose);
  if (parts.isEmpty())
    return {.pose = base, .remark = {}, .fault = "the pose has too few joints of this figure, and no parts of a body"};
  RetargetedPose carried = carryPose(document, parts_, parts, base, hands);
  std::erase_if(carried.stopped, [&](const BodyPlace& place) {  // couplings decide about their followers
    const auto links = parts_.links.find(place);
    return links != parts_.links.end() &&
           std::ranges::any_of(links->second, [&](int link) { return followsOthers(document, link); });
  });
  Fitted fitted{.pose = std::move(carried.pose), .remark = leftOutInWords(carried), .fault = std::move(carried.fault)};
  if (!carried.stopped.empty())
    addRemark(fitted.remark, "held back by limits: " + poseName(carried.stopped.front()) +
                                 (carried.stopped.size() > 1 ? ", ..." : ""));
  return fitted;
}

HandChoice PoseFitter::handOf(const Figure& figure, const std::vector<int>& links) const {
  const auto has = [&](BodySide side) {
    return std::ranges::any_of(links, [&](int link) { return parts_.handOf(figure, link) == side; });
  };
  const bool hasLeft = has(BodySide::Left), hasRight = has(BodySide::Right);
  return hasLeft == hasRight ? HandChoice::Both : hasLeft ? HandChoice::Left : HandChoice::Right;
}

}  // namespace limber::app
