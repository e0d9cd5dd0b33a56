// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_parts.h"

#include <algorithm>
#include <numeric>

#include "limber/kinematics/figure_builder.h"

namespace limber {

namespace {

template <typename T>
std::vector<T> copyOf(std::span<const T> span) {
  return {span.begin(), span.end()};
}

}  // namespace

bool FigureParts::follows(int joint) const {
  return std::any_of(couplings.begin(), couplings.end(),
                     [&](const Coupling& coupling) { return coupling.follower == joint; });
}

FigureParts takeApart(const Figure& figure) {
  FigureParts parts{.name = figure.name(),
                    .fileFrame = figure.fileFrame(),
                    .links = copyOf(figure.links()),
                    .joints = copyOf(figure.joints()),
                    .rest = {},
                    .sites = copyOf(figure.sites()),
                    .couplings = copyOf(figure.couplings()),
                    .linearLimits = copyOf(figure.linearLimits()),
                    .loops = copyOf(figure.loops())};
  for (const Joint& joint : figure.joints())
    parts.rest.push_back(figure.restPose().segment(joint.poseIndex, poseSize(joint.type)));
  return parts;
}

FigureEdit putTogether(FigureParts parts, FigureEdit edit) {
  FigureBuilder builder(parts.name);
  builder.setFileFrame(parts.fileFrame);
  for (int i = 0; i < static_cast<int>(parts.links.size()); ++i) {
    builder.addLink(parts.links[i], parts.joints[i]);
    if (parts.rest[i].size() > 0 && !parts.follows(i)) builder.setRest(i, parts.rest[i]);
  }
  for (Site& site : parts.sites) builder.addSite(std::move(site));
  for (Coupling& coupling : parts.couplings) builder.addCoupling(std::move(coupling));
  for (LinearLimit& limit : parts.linearLimits) builder.addLinearLimit(std::move(limit));
  for (LoopClosure& loop : parts.loops) builder.addLoop(std::move(loop));
  edit.figure = builder.build(edit.fault);
  return edit;
}

FigureEdit keepLinks(const Figure& figure) {
  FigureEdit edit;
  edit.linkFromOld.resize(figure.linkCount());
  std::iota(edit.linkFromOld.begin(), edit.linkFromOld.end(), 0);
  return edit;
}

FigureEdit failedEdit(std::string fault) { return {.figure = nullptr, .fault = std::move(fault)}; }

}  // namespace limber
