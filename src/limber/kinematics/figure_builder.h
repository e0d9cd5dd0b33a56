// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// Collects links, joints and sites, then checks and freezes them into a Figure.
///
///   FigureBuilder builder("arm");
///   int upper = builder.addLink({.name = "upper"}, {.name = "shoulder", .type = JointType::Ball});
///   int lower = builder.addLink({.name = "lower", .parent = upper}, {...});
///   auto figure = builder.build(error);     // null and a sentence on failure
class FigureBuilder {
 public:
  explicit FigureBuilder(std::string name);

  /// Adds a link and the joint to its parent, which must have been added before (or be -1, the world).
  /// Returns the link's index. An empty joint name takes the link's.
  int addLink(Link link, Joint joint);
  void addSite(Site site);
  void addCoupling(Coupling coupling);
  void addLinearLimit(LinearLimit limit);
  void setFileFrame(const FileFrame& frame);
  /// The rest coordinates of one joint, as many as poseSize(type); zero (identity rotation) when never set.
  void setRest(int joint, const Eigen::VectorXd& coordinates);
  /// Read access while building, for readers that fill in details later.
  Link& link(int index) { return links_[static_cast<std::size_t>(index)]; }
  Joint& joint(int index) { return joints_[static_cast<std::size_t>(index)]; }

  /// The figure, or null with `error` naming the link and the fault: no link, duplicate or empty names, a parent
  /// that does not come before, a number that is not finite, a zero axis, lower limit above upper, rigidity
  /// outside [0, 1], negative mass or radius, couplings and linear limits as figure_faults.h lists them, a rest outside
  /// its limits by more than 1e-9 (scalars within: clamped). A follower rests where its drivers put it; a rest of its
  /// own may not differ by more than 1e-9.
  /// Links without capsules get estimated ones along their bones, thicker for longer bones;
  /// links without mass get that of their capsules at 1000 kg/m^3.
  std::shared_ptr<const Figure> build(std::string& error);

 private:
  // The steps of build(), in order. Those that can fail return the fault, empty when all is well.
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
  std::vector<std::optional<Eigen::VectorXd>> rest_;
  FileFrame fileFrame_;
};

}  // namespace limber
