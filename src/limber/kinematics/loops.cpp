// SPDX-License-Identifier: MIT
#include "limber/kinematics/loops.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

/// The frame of one side in the world.
Transform sideOf(const Kinematics& kinematics, int link, const Transform& frame) {
  return link < 0 ? frame : kinematics.worldFromLink[link] * frame;
}

/// The columns of a frame whose directions are equations.
struct JoinedAxes {
  int first = 0, count = 0;
};
JoinedAxes axesOf(LoopClosure::Kind kind) {
  switch (kind) {
    case LoopClosure::Kind::Hinge: return {2, 1};
    case LoopClosure::Kind::Weld: return {0, 2};
    default: return {};
  }
}

/// Calls visit(link) for the links around a loop, descending, until it returns true. True if it did.
template <typename Visit>
bool anyAround(const Figure& figure, const LoopClosure& loop, const Visit& visit) {
  for (int a = loop.link, b = loop.other; a != b;) {
    int& lower = a > b ? a : b;  // parents have smaller indices
    if (visit(lower)) return true;
    lower = figure.link(lower).parent;
  }
  return false;
}

}  // namespace

LoopGap gapOf(const LoopClosure& loop, const Kinematics& kinematics) {
  const Transform a = sideOf(kinematics, loop.link, loop.linkFromLoop);
  const Transform b = sideOf(kinematics, loop.other, loop.otherFromLoop);
  LoopGap gap{.length = (a.translation - b.translation).norm()};
  if (loop.kind == LoopClosure::Kind::Hinge) gap.angle = angleBetween(a.rotation.col(2), b.rotation.col(2));
  if (loop.kind == LoopClosure::Kind::Weld)
    gap.angle = logarithm(Eigen::Quaterniond(Eigen::Matrix3d(a.rotation.transpose() * b.rotation))).norm();
  return gap;
}

LoopGap largestGap(const Figure& figure, const Pose& pose) {
  const Kinematics kinematics = transformsOf(figure, pose);
  LoopGap largest;
  for (const LoopClosure& loop : figure.loops()) {
    const LoopGap gap = gapOf(loop, kinematics);
    if (!(gap.length <= largest.length)) largest.length = gap.length;
    if (!(gap.angle <= largest.angle)) largest.angle = gap.angle;
  }
  return largest;
}

std::vector<int> linksAround(const Figure& figure, const LoopClosure& loop) {
  std::vector<int> links;
  anyAround(figure, loop, [&](int link) {
    links.push_back(link);
    return false;
  });
  std::ranges::reverse(links);
  return links;
}

bool isMovedBy(const Figure& figure, const LoopClosure& loop, std::span<const char> marks) {
  return anyAround(figure, loop, [&](int link) {
    const Joint& joint = figure.joint(link);
    const auto own = marks.subspan(joint.stepIndex, stepSize(joint.type));
    return std::ranges::find(own, 1) != own.end();
  });
}

int equationCount(LoopClosure::Kind kind) { return 3 + 3 * axesOf(kind).count; }

LoopEquations::LoopEquations(const Figure& figure, std::vector<int> loops)
    : figure_(&figure), loops_(std::move(loops)) {
  for (const int i : loops_) {
    linksAround_.push_back(linksAround(figure, figure.loops()[i]));
    rowCount_ += equationCount(figure.loops()[i].kind);
  }
}

void LoopEquations::computeResidual(const Kinematics& kinematics, Eigen::VectorXd& residual) const {
  residual.resize(rowCount_);
  int row = 0;
  for (const int i : loops_) {
    const LoopClosure& loop = figure_->loops()[i];
    const Transform a = sideOf(kinematics, loop.link, loop.linkFromLoop);
    const Transform b = sideOf(kinematics, loop.other, loop.otherFromLoop);
    residual.segment<3>(row) = (a.translation - b.translation) / figure_->meanLinkLength();
    row += 3;
    const JoinedAxes axes = axesOf(loop.kind);
    for (int k = axes.first; k < axes.first + axes.count; ++k, row += 3)
      residual.segment<3>(row) = a.rotation.col(k) - b.rotation.col(k);
  }
}

void LoopEquations::computeJacobian(const Kinematics& kinematics, Eigen::MatrixXd& jacobian) const {
  jacobian.setZero(rowCount_, figure_->stepSize());
  int row = 0;
  for (std::size_t which = 0; which < loops_.size(); ++which) {
    const LoopClosure& loop = figure_->loops()[loops_[which]];
    const JoinedAxes axes = axesOf(loop.kind);
    for (const int link : linksAround_[which]) {
      const bool isOfFirst = figure_->isAncestorOrSelf(link, loop.link);
      const double sign = isOfFirst ? 1.0 : -1.0;
      const Transform end = isOfFirst ? sideOf(kinematics, loop.link, loop.linkFromLoop)
                                      : sideOf(kinematics, loop.other, loop.otherFromLoop);
      const Joint& joint = figure_->joint(link);
      for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
        const Eigen::Vector3d turn = kinematics.twists.col(c).head<3>(), shift = kinematics.twists.col(c).tail<3>();
        jacobian.col(c).segment<3>(row) =
            sign / figure_->meanLinkLength() * (shift + turn.cross(end.translation - kinematics.origin));
        for (int k = 0; k < axes.count; ++k)
          jacobian.col(c).segment<3>(row + 3 + 3 * k) = sign * turn.cross(end.rotation.col(axes.first + k));
      }
    }
    row += equationCount(loop.kind);
  }
}

}  // namespace limber
