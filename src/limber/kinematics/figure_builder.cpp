// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_builder.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/figure_faults.h"

namespace limber {

namespace {

constexpr double kDensity = 1000.0;               // kg/m^3: water, close to the human body
constexpr double kEstimatedRadiusRatio = 0.15;    // to the geometric mean of a bone's length and the mean length
constexpr double kMaxEstimatedRadiusRatio = 0.3;  // to the bone's length
constexpr double kUnitRounding = 1e-12;           // such a unit vector is kept: files round-trip bit for bit

template <typename Vector>
void normalizeUnlessUnit(Vector&& vector) {
  if (std::abs(vector.norm() - 1.0) > kUnitRounding) vector.normalize();
}

/// Empty, or the fault of the link or its joint.
std::string findFault(const Link& link, const Joint& joint, int index) {
  const std::string where = "link " + inQuotes(link.name) + ": ";
  if (link.name.empty()) return "link " + std::to_string(index) + " has no name";
  if (link.parent < -1 || link.parent >= index) return where + "its parent does not come before it";
  if (!isFinite(joint.parentFromJoint)) return where + "joint placement is not finite";
  if (!isRotation(joint.parentFromJoint.rotation)) return where + "joint placement is not a rotation";
  if (!link.centreOfMass.allFinite()) return where + "centre of mass is not finite";
  if (!(link.mass >= 0.0) || !std::isfinite(link.mass)) return where + "mass is negative or not finite";
  const bool hasAxis = isScalar(joint);
  if (hasAxis && (!joint.axis.allFinite() || joint.axis.norm() < 1e-9))
    return where + "joint axis is zero or not finite";
  if (std::isnan(joint.limits.lower) || std::isnan(joint.limits.upper)) return where + "a joint limit is not a number";
  if (joint.limits.lower > joint.limits.upper) return where + "lower joint limit is above the upper one";
  if (joint.type == JointType::Ball)
    if (std::string fault = findFault(joint.ballLimits); !fault.empty()) return where + fault;
  if (!(joint.velocityLimit > 0.0)) return where + "velocity limit is not positive";
  if (!(joint.rigidity >= 0.0 && joint.rigidity <= 1.0)) return where + "rigidity is outside [0, 1]";
  for (const Capsule& capsule : link.capsules)
    if (!capsule.start.allFinite() || !capsule.end.allFinite() || !(capsule.radius >= 0.0) ||
        !std::isfinite(capsule.radius))
      return where + "a capsule has a negative radius or a number that is not finite";
  return {};
}

/// The value that a follower's drivers give it, bit for bit that of Couplings::apply.
double followerValue(const Coupling& coupling, const std::vector<Joint>& joints, const Pose& pose) {
  double q = coupling.offset;
  for (const Coupling::Term& term : coupling.terms) {
    Couplings::Drive drive{.driverPoseIndex = joints[term.driver].poseIndex, .curve = {term.coefficients}};
    if (term.pointing) {
      drive.kind = Couplings::Drive::Kind::Pointing;
      drive.pointing = *term.pointing;
    }
    q += drive.value(pose);
  }
  return q;
}

void estimateMass(Link& link) {
  double volume = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const Capsule& capsule : link.capsules) {
    const double v = volumeOf(capsule);
    volume += v;
    moment += v * 0.5 * (capsule.start + capsule.end);
  }
  if (volume <= 0.0) return;
  link.mass = kDensity * volume;
  link.centreOfMass = moment / volume;
}

}  // namespace

int FigureBuilder::addLink(Link link, Joint joint) {
  if (joint.name.empty()) joint.name = link.name;
  links_.push_back(std::move(link));
  joints_.push_back(std::move(joint));
  rest_.emplace_back();
  return static_cast<int>(links_.size()) - 1;
}

void FigureBuilder::setRest(int joint, const Eigen::VectorXd& coordinates) {
  if (joint >= 0 && joint < static_cast<int>(rest_.size())) rest_[joint] = coordinates;
  else if (fault_.empty())
    fault_ = "a rest is set for joint " + std::to_string(joint) + ", but the joints added so far are " +
             (rest_.empty() ? "none" : "0 to " + std::to_string(rest_.size() - 1));
}

std::shared_ptr<const Figure> FigureBuilder::build(std::string& error) {
  auto figure = std::make_shared<Figure>();
  figure->name_ = name_;
  figure->fileFrame_ = fileFrame_;
  error = fault_;
  if (error.empty()) error = takeLinks(*figure);
  if (error.empty()) error = findSiteFault();
  if (error.empty()) error = findFault(couplings_, joints_);
  if (error.empty()) error = findFault(linearLimits_, joints_);
  if (error.empty()) error = findFault(loops_, static_cast<int>(links_.size()));
  if (error.empty()) error = takeRest(*figure);
  if (error.empty()) error = takeFollowersRest(*figure);
  if (error.empty()) error = findRestFault(linearLimits_, joints_, figure->restPose_);
  if (!error.empty()) return nullptr;
  measureLinks(*figure);
  estimateBodies(*figure);
  figure->isPlanar_ = figure->stepSize_ > 0 && liesInPlane();
  figure->links_ = std::move(links_);
  figure->joints_ = std::move(joints_);
  figure->motionTable_ = makeMotionTable(figure->links_, figure->joints_);
  figure->sites_ = std::move(sites_);
  figure->couplings_ = std::move(couplings_);
  figure->linearLimits_ = std::move(linearLimits_);
  figure->loops_ = std::move(loops_);
  return figure;
}

std::string FigureBuilder::takeLinks(Figure& figure) {
  if (links_.empty()) return "the figure has no links";
  figure.children_.resize(links_.size());
  std::unordered_set<std::string> linkNames, jointNames;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Joint& joint = joints_[i];
    const Link& link = links_[i];
    if (std::string fault = findFault(link, joint, static_cast<int>(i)); !fault.empty()) return fault;
    if (!linkNames.insert(link.name).second) return "two links are called " + inQuotes(link.name);
    if (!jointNames.insert(joint.name).second) return "two joints are called " + inQuotes(joint.name);
    normalizeUnlessUnit(joint.axis);
    normalizeUnlessUnit(joint.ballLimits.coneAxis);
    normalizeUnlessUnit(joint.ballLimits.twistAxis);
    joint.poseIndex = figure.poseSize_;
    joint.stepIndex = figure.stepSize_;
    figure.poseSize_ += poseSize(joint.type);
    figure.stepSize_ += stepSize(joint.type);
    if (link.parent >= 0) figure.children_[link.parent].push_back(static_cast<int>(i));
  }
  return {};
}

std::string FigureBuilder::findSiteFault() const {
  std::unordered_set<std::string> names;
  for (const Site& site : sites_) {
    const std::string where = "site " + inQuotes(site.name) + ": ";
    if (site.name.empty() || !names.insert(site.name).second) return where + "the name is empty or taken";
    if (site.link < 0 || site.link >= static_cast<int>(links_.size())) return where + "there is no such link";
    if (!isFinite(site.linkFromSite) || !isRotation(site.linkFromSite.rotation))
      return where + "its frame is not finite or not a rotation";
  }
  return {};
}

std::string FigureBuilder::takeRest(Figure& figure) const {
  figure.restPose_ = Eigen::VectorXd::Zero(figure.poseSize_);
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (const std::string fault = takeRestOf(i, figure); !fault.empty())
      return "joint " + inQuotes(joints_[i].name) + ": " + fault;
  return {};
}

std::string FigureBuilder::takeRestOf(std::size_t index, Figure& figure) const {
  const Joint& joint = joints_[index];
  const int size = poseSize(joint.type);
  if (size == 0) return rest_[index] && rest_[index]->size() > 0 ? "a fixed joint has no rest" : "";
  const bool isScalar = size == 1;
  auto coordinates = figure.restPose_.segment(joint.poseIndex, size);
  if (rest_[index]) {
    if (rest_[index]->size() != size) return "its rest needs " + std::to_string(size) + " numbers";
    if (!rest_[index]->allFinite()) return "its rest is not finite";
    coordinates = *rest_[index];
  } else {
    coordinates[size - 1] =
        isScalar ? std::clamp(0.0, joint.limits.lower, joint.limits.upper) : 1.0;  // identity quaternion (0, 0, 0, 1)
  }
  if (isScalar) {
    const double q = coordinates[0];
    if (q < joint.limits.lower - kRestTolerance || q > joint.limits.upper + kRestTolerance)
      return "its rest is outside its limits";
    coordinates[0] = std::clamp(q, joint.limits.lower, joint.limits.upper);
    return {};
  }
  auto quaternion = coordinates.tail<4>();
  if (std::abs(quaternion.norm() - 1.0) > 1e-6) return "its rest quaternion does not have unit length";
  normalizeUnlessUnit(quaternion);
  return joint.type == JointType::Ball
             ? findRestFault(joint.ballLimits, Eigen::Quaterniond(Eigen::Vector4d(quaternion)))
             : "";
}

std::string FigureBuilder::takeFollowersRest(Figure& figure) const {
  for (const Coupling& coupling : couplings_) {
    const int index = coupling.follower;
    const Joint& follower = joints_[index];
    const std::string where = "joint " + inQuotes(follower.name) + ": ";
    if (follower.type == JointType::Ball) {
      auto rest = figure.restPose_.segment<4>(follower.poseIndex);
      const Eigen::Vector4d wanted = figure.restPose_.segment<4>(joints_[coupling.terms[0].driver].poseIndex);
      const bool isSame = std::min((rest - wanted).norm(), (rest + wanted).norm()) <= kRestTolerance;
      if (rest_[index] && !isSame) return where + "its rest is not that of the ball joint that it turns as";
      rest = wanted;
      if (std::string fault = findRestFault(follower.ballLimits, Eigen::Quaterniond(wanted)); !fault.empty())
        return where + fault;
      continue;
    }
    double& rest = figure.restPose_[follower.poseIndex];
    const double wanted = followerValue(coupling, joints_, Pose{figure.restPose_});
    if (!std::isfinite(wanted)) return where + "its rest, where its drivers put it, is not finite";
    if (rest_[index] && std::abs(rest - wanted) > kRestTolerance)
      return where + "its rest is not where its drivers put it, at " + std::to_string(wanted);
    if (wanted < follower.limits.lower - kRestTolerance || wanted > follower.limits.upper + kRestTolerance)
      return where + "its rest, where its drivers put it, is outside its limits";
    rest = wanted;
  }
  return {};
}

/// The ends of a link's bones, in the link frame: its child joints or, for a leaf, its sites.
std::vector<Eigen::Vector3d> FigureBuilder::boneEnds(const Figure& figure, std::size_t link) const {
  std::vector<Eigen::Vector3d> ends;
  for (int child : figure.children_[link]) ends.push_back(joints_[child].parentFromJoint.translation);
  if (ends.empty())
    for (const Site& site : sites_)
      if (site.link == static_cast<int>(link)) ends.push_back(site.linkFromSite.translation);
  return ends;
}

void FigureBuilder::measureLinks(Figure& figure) const {
  figure.linkLengths_.resize(links_.size(), 0.0);
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    double& length = figure.linkLengths_[i];
    for (const auto& end : boneEnds(figure, i)) length = std::max(length, end.norm());
    if (length == 0.0 && figure.children_[i].empty())
      for (const Capsule& capsule : links_[i].capsules)
        length = std::max({length, capsule.start.norm(), capsule.end.norm()});
    if (length == 0.0) continue;
    sum += length;
    ++count;
  }
  if (count > 0) figure.meanLinkLength_ = sum / count;
}

void FigureBuilder::estimateBodies(const Figure& figure) {
  const auto radius = [&](double length) {
    return std::min(kEstimatedRadiusRatio * std::sqrt(length * figure.meanLinkLength_),
                    kMaxEstimatedRadiusRatio * length);
  };
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (link.capsules.empty())
      for (const auto& end : boneEnds(figure, i))
        if (end.norm() > 0.0) link.capsules.push_back({Eigen::Vector3d::Zero(), end, radius(end.norm())});
    if (link.mass == 0.0) estimateMass(link);
  }
}

bool FigureBuilder::liesInPlane() const {
  constexpr double kRounding = 1e-12;
  std::vector<Eigen::Matrix3d> worldFromLink(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = joints_[i];
    const int parent = links_[i].parent;
    worldFromLink[i] = joint.parentFromJoint.rotation;  // turns about z keep z, so the rest angle is irrelevant
    if (parent >= 0) worldFromLink[i] = worldFromLink[parent] * worldFromLink[i];
    const bool turnsAboutZ = joint.type == JointType::Revolute &&
                             (worldFromLink[i] * joint.axis).cross(Eigen::Vector3d::UnitZ()).norm() < kRounding;
    const bool staysInPlane = std::abs(worldFromLink[i](2, 2)) > 1.0 - kRounding &&
                              std::abs(joint.parentFromJoint.translation.z()) < kRounding;
    if (!staysInPlane || (joint.type != JointType::Fixed && !turnsAboutZ)) return false;
  }
  return true;
}

}  // namespace limber
