// SPDX-License-Identifier: MIT
// The parts of a figure, which an edit changes and from which it builds the new figure.
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
  std::vector<LoopClosure> loops;

  bool follows(int joint) const;
};

FigureParts takeApart(const Figure& figure);

/// `edit` with the figure built from the parts, or with the builder's fault.
FigureEdit putTogether(FigureParts parts, FigureEdit edit);

/// An edit that renumbers no link; an edit that failed.
FigureEdit keepLinks(const Figure& figure);
FigureEdit failedEdit(std::string fault);

}  // namespace limber
