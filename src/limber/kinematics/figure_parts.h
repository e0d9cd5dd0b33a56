// SPDX-License-Identifier: MIT
// A figure taken apart: what an edit changes before it is put together again.
#pragma once

#include "limber/kinematics/figure_edit.h"

namespace limber {

struct FigureParts {
  std::string name;
  FileFrame fileFrame;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Eigen::VectorXd> rest;  ///< by joint
  std::vector<Site> sites;
  std::vector<Coupling> couplings;
  std::vector<LinearLimit> linearLimits;

  Link& link(int i) { return links[static_cast<std::size_t>(i)]; }
  Joint& joint(int i) { return joints[static_cast<std::size_t>(i)]; }
  Site& site(int i) { return sites[static_cast<std::size_t>(i)]; }
  Eigen::VectorXd& restOf(int i) { return rest[static_cast<std::size_t>(i)]; }
  bool follows(int joint) const;
};

FigureParts takeApart(const Figure& figure);

/// `edit` with the figure, or with the fault that the builder found.
FigureEdit putTogether(FigureParts parts, FigureEdit edit);

/// An edit that leaves every link in its place; one that failed.
FigureEdit keepLinks(const Figure& figure);
FigureEdit failedEdit(std::string fault);

}  // namespace limber
