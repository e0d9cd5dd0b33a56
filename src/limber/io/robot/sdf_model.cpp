// SPDX-License-Identifier: MIT
#include "limber/io/robot/sdf_model.h"

#include <algorithm>
#include <numbers>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/sdf_of_urdf.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kModelFrame = "__model__";
constexpr int kMaxSdfDepth = 100;  // of frames in frames, below a model that is placed by one of them
constexpr std::size_t kMaxSdfFiles = 64, kMaxSdfFileBytes = 16u << 20;  // of included files, in all

/// The numbers in the text of an element; fails unless there are `count`.
std::vector<double> numbersIn(const XmlElement& element, std::size_t count) {
  auto numbers = parseNumbers(element.text());
  if (!numbers || numbers->size() != count)
    element.fail(inQuotes(element.text()) + " must be " + std::to_string(count) +
                 (count == 1 ? " finite number" : " finite numbers"));
  for (const double number : *numbers)
    if (std::abs(number) > kMaxXmlNumber) element.fail(inQuotes(element.text()) + " is larger than 1e9");
  return std::move(*numbers);
}

Eigen::Matrix3d rotationFromEuler(const Eigen::Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

/// The prefix of the names in a model: "a::" for the model's frame "a::__model__", and for the frame of a model that is
/// merged into it.
std::string prefixOf(const std::string& modelFrame) {
  const std::size_t colons = modelFrame.rfind("::");
  return colons == std::string::npos ? std::string() : modelFrame.substr(0, colons + 2);
}

/// True for the versions 1.0 to 1.4, in which axes are in the frame of the model.
bool isOldVersion(std::string_view version) {
  const auto minor = version.starts_with("1.") ? numberOf(version.substr(2)) : std::nullopt;
  return minor && *minor < 5.0;
}

std::optional<XmlElement> poseElement(const XmlElement& element) { return element.child("pose"); }

/// The frame to which a model's frame is attached: its canonical link, its first link, its first model, or `outer`.
std::string canonicalLink(const XmlElement& model, const std::string& frame, const std::string& outer) {
  if (const auto given = model.find("canonical_link"); given && !given->empty())
    return prefixOf(frame) + std::string(*given);
  for (const char* name : {"link", "model"})
    if (const auto first = model.child(name)) return prefixOf(frame) + first->needName();
  return outer;
}

/// True for a model that has a joint, or includes models, which may have one.
bool mayMove(const XmlElement& model) {
  return model.child("joint") || model.child("include") ||
         std::ranges::any_of(model.children("model"), [](const XmlElement& inner) { return mayMove(inner); });
}

/// The name of the frame that a joint's <parent> or <child> has.
std::string_view sideOf(const XmlElement& joint, const char* side) {
  const XmlElement child = joint.needChild(side);
  const auto old = child.child("link");  // before version 1.2
  const std::string_view name = old ? old->text() : child.text();
  if (name.empty()) joint.fail("its " + std::string(side) + " is empty");
  return name;
}

/// The model of a world that holds a frame: "arm" of "arm::base".
std::string_view modelOf(std::string_view frame) { return frame.substr(0, frame.find("::")); }

}  // namespace

double sdfNumber(const XmlElement& element, std::string_view child, double otherwise) {
  const auto found = element.child(child);
  return found ? numbersIn(*found, 1)[0] : otherwise;
}

Eigen::Vector3d sdfVector(const XmlElement& element, std::string_view child, const Eigen::Vector3d& otherwise) {
  const auto found = element.child(child);
  return found ? Eigen::Vector3d(numbersIn(*found, 3).data()) : otherwise;
}

Transform sdfPose(const XmlElement& element) {
  const auto pose = poseElement(element);
  if (!pose || pose->text().empty()) return {};
  const bool isQuaternion = pose->find("rotation_format").value_or("euler_rpy") == "quat_xyzw";
  const std::vector<double> n = numbersIn(*pose, isQuaternion ? 7 : 6);
  Transform transform = Transform::fromTranslation(Eigen::Vector3d(n.data()));
  if (isQuaternion) {
    const Eigen::Quaterniond quaternion(n[6], n[3], n[4], n[5]);
    if (!(quaternion.norm() > 1e-9)) pose->fail("the quaternion has no length");
    transform.rotation = quaternion.normalized().toRotationMatrix();
    return transform;
  }
  const bool isInDegrees = pose->find("degrees").value_or("false") == "true";
  transform.rotation =
      rotationFromEuler(Eigen::Vector3d(n.data() + 3) * (isInDegrees ? std::numbers::pi / 180.0 : 1.0));
  return transform;
}

SdfModel::SdfModel(const XmlFile& file, const OpenContext& context) : context_(context) {
  Frame world;
  world.isResolved = true;
  frames_.emplace(std::string(kSdfWorld), world);
  chooseModel(file.root());
  if (links_.empty()) file.root().fail("there is no <link> in a model");
}

SdfModel::Candidate SdfModel::candidate(const XmlElement& place) {
  const XmlElement model = place.name() == "include" ? included(place)->root().needChild("model") : place;
  const auto given = place.child("name");
  return {place, model,
          given && !given->text().empty() ? std::string(given->text()) : std::string(model.find("name").value_or(""))};
}

void SdfModel::noteMissing(const XmlElement& root, bool isNothingElse) {
  constexpr std::size_t kMostNamed = 10;
  if (missing_.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(missing_.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : ", ") + inQuotes(missing_[i]);
  if (missing_.size() > kMostNamed) names += " and " + std::to_string(missing_.size() - kMostNamed) + " more";
  const bool isOne = missing_.size() == 1;
  const std::string cause =
      (isOne ? "included model " : "included models ") + names + (isOne ? " was" : " were") + " not found";
  if (isNothingElse) throw Error{root.file().string(), root.place(), "the " + cause, missing_};
  notes_.push_back("The " + cause + ".");
}

void SdfModel::chooseModel(const XmlElement& root) {
  std::vector<Candidate> models;
  for (const XmlElement& model : root.children("model")) models.push_back(candidate(model));
  const auto world = models.empty() ? root.child("world") : std::nullopt;
  if (world)
    for (const XmlElement& child : world->children()) {
      if (child.name() == "model") models.push_back(candidate(child));
      if (child.name() != "include") continue;
      const XmlFile* file = included(child);
      if (!file) missing_.emplace_back(child.needChild("uri").text());
      else if (file->root().child("model")) models.push_back(candidate(child));
    }
  noteMissing(root, models.empty());
  if (models.empty()) root.fail("there is no <model>");
  const auto moving = std::ranges::find_if(models, [](const Candidate& found) { return mayMove(found.model); });
  const std::size_t chosen = moving == models.end() ? 0 : static_cast<std::size_t>(moving - models.begin());
  name_ = models[chosen].name;
  if (world) return readWorld(*world, models, chosen);
  if (models.size() > 1)
    notes_.push_back("The file has " + std::to_string(models.size()) + " models, of which " + inQuotes(name_) +
                     " is opened.");
  readModel(models[chosen].model, models[chosen].model, std::string(kModelFrame), std::string(kSdfWorld));
}

/// Reads the chosen model and those that joints of the world join to it.
void SdfModel::readWorld(const XmlElement& world, const std::vector<Candidate>& models, std::size_t chosen) {
  const auto indexOf = [&](std::string_view frame) {
    const auto found = std::ranges::find(models, modelOf(frame), &Candidate::name);
    return found == models.end() ? models.size() : static_cast<std::size_t>(found - models.begin());
  };
  const std::vector<XmlElement> joints = world.children("joint");
  std::vector<char> isRead(models.size() + 1, 0);  // the last stands for the world, and for frames of it
  isRead[chosen] = 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (const XmlElement& joint : joints) {
      const std::size_t one = indexOf(sideOf(joint, "parent")), other = indexOf(sideOf(joint, "child"));
      if (one == models.size() || other == models.size() || isRead[one] == isRead[other]) continue;
      isRead[one] = isRead[other] = 1;
      grows = true;
    }
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(isRead, 1));
  if (count == 1) alone_ = name_ + "::";
  if (models.size() > count)
    notes_.push_back("The file has " + std::to_string(models.size()) + " models, of which " + inQuotes(name_) +
                     (count > 1 ? " and those joined to it are opened." : " is opened."));
  for (const XmlElement& frame : world.children("frame")) readFrame(frame, std::string(kSdfWorld));
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Candidate& found = models[i];
    if (!isRead[i]) continue;
    const std::string frame = (count == 1 ? "" : found.name + "::") + std::string(kModelFrame);
    readModel(found.model, poseElement(found.place) ? found.place : found.model, frame, std::string(kSdfWorld));
  }
  for (const XmlElement& joint : joints) {
    const std::size_t one = indexOf(sideOf(joint, "parent")), other = indexOf(sideOf(joint, "child"));
    if (!isRead[one] && !isRead[other]) continue;
    const auto isLost = [&](const char* side, std::size_t index) {  // in a model that was not found
      return index == models.size() && sideOf(joint, side).find("::") != std::string_view::npos;
    };
    if (!missing_.empty() && (isLost("parent", one) || isLost("child", other)))
      notes_.push_back("Joint " + inQuotes(joint.needName()) + " is left out: a model that it joins was not found.");
    else readJoint(joint, std::string(kSdfWorld));
  }
}

/// `place` is the element whose <pose> applies: the model or its <include>.
void SdfModel::readModel(const XmlElement& model, const XmlElement& place, const std::string& frame,
                         const std::string& outer) {
  if (++models_ > kMaxSdfModels) model.fail("there are more than " + std::to_string(kMaxSdfModels) + " models");
  addFrame(frame, place, outer, outer, canonicalLink(model, frame, outer));
  const auto given = place.child("placement_frame");
  const std::string_view placed = given ? given->text() : model.find("placement_frame").value_or("");
  if (!placed.empty()) frames_.at(frame).placed = frameIn(frame, placed);
  readContents(model, frame);
}

void SdfModel::readContents(const XmlElement& model, const std::string& frame) {
  for (const XmlElement& child : model.children()) {
    if (child.name() == "link") readLink(child, frame);
    if (child.name() == "joint") readJoint(child, frame);
    if (child.name() == "frame") readFrame(child, frame);
    if (child.name() == "include") includeModel(child, frame);
    if (child.name() == "model")
      readModel(child, child, prefixOf(frame) + child.needName() + "::" + std::string(kModelFrame), frame);
  }
}

void SdfModel::readLink(const XmlElement& link, const std::string& model) {
  const std::string name = prefixOf(model) + link.needName();
  if (links_.size() == kMaxRobotLinks) link.fail("there are more than " + std::to_string(kMaxRobotLinks) + " links");
  linkIndex_[name] = static_cast<int>(links_.size());
  links_.push_back({link, name, model});
  addFrame(name, link, model, model, name);
}

void SdfModel::readJoint(const XmlElement& element, const std::string& model) {
  const auto frameNamed = [&](const char* side) { return frameIn(model, sideOf(element, side)); };
  SdfJoint joint{element,
                 prefixOf(model) + element.needName(),
                 element.need("type"),
                 model,
                 frameNamed("parent"),
                 frameNamed("child"),
                 false};
  joint.hasModelAxes = isOldVersion(element.root().find("version").value_or(""));
  if (frames_.contains(joint.name)) {  // allowed before version 1.7
    const std::string written = std::exchange(joint.name, joint.name + "_joint");
    notes_.push_back("A link or frame has the name of joint " + inQuotes(written) + ", which became " +
                     inQuotes(joint.name) + ".");
  }
  addFrame(joint.name, element, model, joint.child, joint.child);
  joints_.push_back(std::move(joint));
}

void SdfModel::readFrame(const XmlElement& frame, const std::string& model) {
  const std::string attached(frame.find("attached_to").value_or(""));
  const std::string to = attached.empty() ? model : frameIn(model, attached);
  addFrame(prefixOf(model) + frame.needName(), frame, model, to, to);
}

void SdfModel::addFrame(const std::string& name, const XmlElement& element, const std::string& model,
                        const std::string& relativeTo, const std::string& attachedTo) {
  Frame frame{sdfPose(element), relativeTo, attachedTo};
  if (const auto pose = poseElement(element))
    if (const auto to = pose->find("relative_to"); to && !to->empty()) frame.relativeTo = frameIn(model, *to);
  if (frames_.size() == kMaxSdfFrames) element.fail("there are more than " + std::to_string(kMaxSdfFrames) + " frames");
  if (!frames_.emplace(name, std::move(frame)).second)
    element.fail("two links, joints, frames or models have the name " + inQuotes(name));
}

std::string SdfModel::frameIn(const std::string& model, std::string_view name) const {
  if (model == kSdfWorld && !alone_.empty()) {
    if (name == std::string_view(alone_).substr(0, alone_.size() - 2)) return std::string(kModelFrame);
    if (name.starts_with(alone_)) return std::string(name.substr(alone_.size()));
  }
  if (name == kSdfWorld || model == kSdfWorld) return std::string(name);
  if (name == kModelFrame) return model;
  return prefixOf(model) + std::string(name);
}

const Transform& SdfModel::worldFromFrame(const std::string& name, const XmlElement& user) {
  std::vector<Frame*> chain;
  const std::string* at = &name;
  while (true) {
    auto found = frames_.find(*at);
    if (found == frames_.end()) found = frames_.find(*at + "::" + std::string(kModelFrame));  // a nested model
    if (found == frames_.end()) user.fail("there is no link, joint, frame or model " + inQuotes(*at));
    Frame& frame = found->second;
    if (frame.isOpen) user.fail("the poses of frames go in a cycle through " + inQuotes(*at));
    frame.isOpen = !frame.isResolved;
    chain.push_back(&frame);
    if (frame.isResolved) break;
    at = &frame.relativeTo;
  }
  for (std::size_t i = chain.size() - 1; i-- > 0;) {
    if (!chain[i]->placed.empty())
      chain[i]->pose = chain[i]->pose * poseIn(*chain[i], chain[i]->placed, user).inverse();
    chain[i]->pose = chain[i + 1]->pose * chain[i]->pose;
    chain[i]->isResolved = true;
    chain[i]->isOpen = false;
  }
  return chain.front()->pose;
}

Transform SdfModel::poseIn(const Frame& model, const std::string& name, const XmlElement& user, int depth) const {
  if (depth > kMaxSdfDepth) user.fail("the placement frame " + inQuotes(name) + " depends on itself");
  auto found = frames_.find(name);
  if (found == frames_.end()) found = frames_.find(name + "::" + std::string(kModelFrame));
  if (found == frames_.end() || name == kSdfWorld)
    user.fail("there is no link, joint, frame or model " + inQuotes(name) + " in the model that it places");
  const Frame& frame = found->second;
  if (&frame == &model) return {};
  Transform pose = frame.pose;
  if (!frame.placed.empty()) pose = pose * poseIn(frame, frame.placed, user, depth + 1).inverse();
  return poseIn(model, frame.relativeTo, user, depth + 1) * pose;
}

int SdfModel::linkOf(const std::string& frame, const XmlElement& user) const {
  const std::string* at = &frame;
  for (std::size_t steps = 0; steps <= frames_.size(); ++steps) {
    if (*at == kSdfWorld) return -1;
    if (const auto link = linkIndex_.find(*at); link != linkIndex_.end()) return link->second;
    auto found = frames_.find(*at);
    if (found == frames_.end()) found = frames_.find(*at + "::" + std::string(kModelFrame));
    if (found == frames_.end()) user.fail("there is no link, joint, frame or model " + inQuotes(*at));
    at = &found->second.attachedTo;
  }
  user.fail("frames are attached to one another in a cycle through " + inQuotes(frame));
}

void SdfModel::includeModel(const XmlElement& include, const std::string& model) {
  const XmlFile* file = included(include);
  if (!file) {
    const std::string uri(include.needChild("uri").text());
    throw Error{include.file().string(), include.place(), "the model " + inQuotes(uri) + " was not found", {uri}};
  }
  const XmlElement inner = file->root().needChild("model");
  const auto given = include.child("name");
  const std::string name(given && !given->text().empty() ? given->text() : std::string_view(inner.needName()));
  const std::string_view merge = include.find("merge").value_or("false");
  const bool isMerged = merge == "true" || merge == "1";  // its links, joints and frames become those of this model
  const std::string frame =
      isMerged ? "_merged__" + name + std::string(kModelFrame) : name + "::" + std::string(kModelFrame);
  readModel(inner, poseElement(include) ? include : inner, prefixOf(model) + frame, model);
}

const XmlFile* SdfModel::included(const XmlElement& include) {
  const std::string uri(include.needChild("uri").text());
  fs::path path = resolveMesh(uri, include.file(), context_);
  if (path.empty()) {
    const fs::path config = resolveMesh(uri + "/model.config", include.file(), context_);
    if (!config.empty())
      if (const auto named = parsed(config, include).root().child("sdf"))
        path = resolveMesh(std::string(named->text()), config, context_);
  }
  if (path.empty()) path = resolveMesh(uri + "/model.sdf", include.file(), context_);
  return path.empty() ? nullptr : &parsed(path, include);
}

const XmlFile& SdfModel::parsed(const fs::path& path, const XmlElement& include) {
  const auto [known, isNew] = files_.try_emplace(path);
  if (!known->second) {
    if (files_.size() > kMaxSdfFiles) include.fail("more than " + std::to_string(kMaxSdfFiles) + " files are included");
    const Result<std::string> bytes = readFile(path, kMaxSdfFileBytes - includedBytes_);
    if (!bytes) include.fail(bytes.error().message());
    includedBytes_ += bytes->size();
    known->second = std::make_unique<XmlFile>(*bytes, path);
    if (known->second->root().name() == "robot") {
      auto sdf = std::make_unique<XmlFile>(path);
      addSdfOfUrdf(known->second->root(), *sdf);
      known->second = std::move(sdf);
    }
  }
  return *known->second;
}

}  // namespace limber::io
