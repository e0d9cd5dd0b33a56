// SPDX-License-Identifier: MIT
#include "limber/posing/named_end.h"

#include <stdexcept>

namespace limber {

namespace {

constexpr std::size_t kMostNames = 30;  // in a sentence

template <typename Named>
std::string listOf(std::span<const Named> all) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < kMostNames; ++i) text += (i > 0 ? ", " : "") + all[i].name;
  return text + (all.size() > kMostNames ? ", ..." : "");
}

std::string lackOf(const Figure& figure, std::string_view what, std::string_view name) {
  return "figure " + figure.name() + " has no " + std::string(what) + " \"" + std::string(name) + "\"; its ";
}

Transform placeIn(const FileFrame& frame, const Kinematics& kinematics, const EndEffector& end) {
  return frame.toFile(kinematics.worldFromLink[end.link] * Transform{end.frame, end.point});
}

}  // namespace

EndEffector endNamed(const Figure& figure, std::string_view name) {
  if (const int index = figure.findSite(name); index >= 0) {
    const Site& site = figure.sites()[index];
    return {site.link, site.linkFromSite.translation, site.linkFromSite.rotation};
  }
  if (const int link = figure.findLink(name); link >= 0) return {link};
  std::string sentence = lackOf(figure, "site or link", name) + "links are " + listOf(figure.links());
  if (!figure.sites().empty()) sentence += ", its sites " + listOf(figure.sites());
  throw std::invalid_argument(sentence);
}

int jointNamed(const Figure& figure, std::string_view name) {
  if (const int joint = figure.findJoint(name); joint >= 0) return joint;
  if (const int link = figure.findLink(name); link >= 0) return link;
  throw std::invalid_argument(lackOf(figure, "joint", name) + "joints are " + listOf(figure.joints()));
}

void expectPose(const Figure& figure, const Pose& pose) {
  if (const std::string fault = findFault(figure, pose); !fault.empty()) throw std::invalid_argument(fault);
}

Transform placeOf(const Figure& figure, const Pose& pose, std::string_view end, Axes axes) {
  expectPose(figure, pose);
  return placeIn(figure.frameIn(axes), transformsOf(figure, pose), endNamed(figure, end));
}

std::vector<Transform> placesOf(const Figure& figure, std::span<const Pose> poses, const std::vector<std::string>& ends,
                                Axes axes) {
  std::vector<EndEffector> effectors;
  for (const std::string& end : ends) effectors.push_back(endNamed(figure, end));
  std::vector<Transform> places;
  places.reserve(poses.size() * ends.size());
  Kinematics kinematics;
  for (const Pose& pose : poses) {
    expectPose(figure, pose);
    computeTransforms(figure, pose, kinematics);
    for (const EndEffector& end : effectors) places.push_back(placeIn(figure.frameIn(axes), kinematics, end));
  }
  return places;
}

Jacobians::Jacobians(const Figure& figure, std::span<const char> couplingEnabled) {
  if (!couplingEnabled.empty()) couplings_ = Couplings(figure, couplingEnabled);
  else couplings_ = Couplings(figure, std::vector<char>(figure.couplings().size(), 1));
}

void Jacobians::setPose(const Figure& figure, const Pose& pose) {
  computeKinematics(figure, pose, kinematics_);
  couplings_.differentiate(pose, slopes_, curvatures_, crossCurvatures_);
}

void Jacobians::compute(const Figure& figure, const EndEffector& end, const JacobianOf& of, Jacobian& out) const {
  const FileFrame frame = figure.frameIn(of.axes);
  const Transform worldFromEnd = kinematics_.worldFromLink[end.link] * Transform{end.frame, end.point};
  const Eigen::Vector3d point = worldFromEnd * (frame.metresPerUnit * of.point).eval();
  const Eigen::Matrix3d outFromWorld = (of.inEndAxes ? worldFromEnd.rotation : frame.sceneFromFile).transpose();
  const Eigen::Vector3d arm = point - kinematics_.origin;
  out.setZero(6, figure.stepSize());
  for (int link = end.link; link >= 0; link = figure.link(link).parent) {
    const Joint& joint = figure.joint(link);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      const Eigen::Vector3d turn = kinematics_.twists.col(c).head<3>();
      const Eigen::Vector3d shift = kinematics_.twists.col(c).tail<3>() + turn.cross(arm);
      out.col(c).head<3>() = outFromWorld * shift / frame.metresPerUnit;
      out.col(c).tail<3>() = outFromWorld * turn;
    }
  }
  for (const Couplings::Follower& follower : couplings_.followers()) {
    const auto terms = couplings_.termsOf(follower);
    for (std::size_t t = 0; t < terms.size(); ++t)
      out.col(terms[t].driver) += slopes_[follower.firstTerm + t] * out.col(terms[t].follower);
    out.col(follower.coordinate).setZero();
  }
}

void Jacobians::addFollowers(Eigen::VectorXd& step) const {
  for (const Couplings::Follower& follower : couplings_.followers()) {
    step[follower.coordinate] = 0.0;
    const auto terms = couplings_.termsOf(follower);
    for (std::size_t t = 0; t < terms.size(); ++t)
      step[terms[t].follower] += slopes_[follower.firstTerm + t] * step[terms[t].driver];
  }
}

Jacobian jacobianOf(const Figure& figure, const Pose& pose, std::string_view end, const JacobianOf& of) {
  expectPose(figure, pose);
  Jacobians jacobians(figure);
  jacobians.setPose(figure, pose);
  Jacobian out;
  jacobians.compute(figure, endNamed(figure, end), of, out);
  return out;
}

}  // namespace limber
