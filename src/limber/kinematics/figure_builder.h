// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// Collects links, joints and sites, checks them, and builds a Figure.
///
///   FigureBuilder builder("arm");
///   int upper = builder.addLink({.name = "upper"}, {.name = "shoulder", .type = JointType::Ball});
///   int lower = builder.addLink({.name = "lower", .parent = upper}, {...});
///   auto figure = builder.build(error);     // null and a sentence if it fails
class FigureBuilder {
 public:
  explicit FigureBuilder(std::string name) : name_(std::move(name)) {}

  /// Adds a link and the joint to its parent, which must have been added before (or be -1, the world). A joint without
  /// a name gets the link's. Returns the link's index.
  int addLink(Link link, Joint joint);
  void addSite(Site site) { sites_.push_back(std::move(site)); }
  void addCoupling(Coupling coupling) { couplings_.push_back(std::move(coupling)); }
  void addLinearLimit(LinearLimit limit) { linearLimits_.push_back(std::move(limit)); }
  /// The rest pose need not close the loop.
  void addLoop(LoopClosure loop) { loops_.push_back(std::move(loop)); }
  void setFileFrame(const FileFrame& frame) { fileFrame_ = frame; }
  /// The rest coordinates of one joint, (poseSize(type) x 1); zero and the identity rotation by default. build() fails
  /// if the joint has not been added.
  void setRest(int joint, const Eigen::VectorXd& coordinates);
  /// For readers that fill in details later. Throw std::out_of_range for an index that has not been added.
  Link& link(int index) { return links_.at(static_cast<std::size_t>(index)); }
  Joint& joint(int index) { return joints_.at(static_cast<std::size_t>(index)); }

  /// The figure, or null and an `error` that names the link and the fault: no link, a duplicate or empty name, a parent
  /// that does not come before its child, a number that is not finite, a zero axis, a lower limit above the upper one,
  /// a velocity limit that is not positive, a rigidity outside [0, 1], a negative mass or radius, the faults of
  /// couplings, linear limits and loops that figure_faults.h lists, a rest outside its limits by more than 1e-9 (a
  /// scalar outside by less is clamped), or the rest of a follower that differs from its drivers' value by more than
  /// 1e-9. Links without capsules get estimated ones along their bones, thicker for longer bones; links without mass
  /// get that of their capsules at 1000 kg/m^3.
  std::shared_ptr<const Figure> build(std::string& error);

 private:
  // The steps of build(), in order. Those that can fail return the fault, or an empty string.
  std::string takeLinks(Figure& figure);
  std::string findSiteFault() const;
  std::string takeRest(Figure& figure) const;
  std::string takeRestOf(std::size_t joint, Figure& figure) const;
  std::string takeFollowersRest(Figure& figure) const;
  void measureLinks(Figure& figure) const;
  void estimateBodies(const Figure& figure);
  bool liesInPlane() const;
  std::vector<Eigen::Vector3d> boneEnds(const Figure& figure, std::size_t link) const;

  std::string name_;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::vector<Site> sites_;
  std::vector<Coupling> couplings_;
  std::vector<LinearLimit> linearLimits_;
  std::vector<LoopClosure> loops_;
  std::vector<std::optional<Eigen::VectorXd>> rest_;
  std::string fault_;  ///< of a call that build() reports
  FileFrame fileFrame_;
};

}  // namespace limber
