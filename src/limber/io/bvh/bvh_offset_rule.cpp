// SPDX-License-Identifier: MIT
#include <cmath>

#include "limber/io/bvh/bvh.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

constexpr double kSameUnit = 1e-9;  // relative

bool hasSameTree(const Figure& a, const Figure& b) {
  if (a.linkCount() != b.linkCount()) return false;
  for (int i = 0; i < a.linkCount(); ++i)
    if (a.link(i).parent != b.link(i).parent || a.joint(i).type != b.joint(i).type) return false;
  return true;
}

void changeUnitOf(Document& document, double metresPerUnit) {
  const double factor = metresPerUnit / document.figure->fileFrame().metresPerUnit;
  const FigureEdit edit = changeUnit(*document.figure, metresPerUnit);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  scaleLengths(document, factor);
}

/// The figure with joint frames, capsules and masses from another reading of its file. Names, limits and sites stay.
FigureEdit withBonesOf(const Figure& figure, const Figure& read) {
  FigureParts parts = takeApart(figure);
  FigureParts bones = takeApart(read);
  parts.fileFrame.sceneFromFile = bones.fileFrame.sceneFromFile;
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    parts.joints[i].parentFromJoint = bones.joints[i].parentFromJoint;
    parts.links[i].mass = bones.links[i].mass;
    parts.links[i].centreOfMass = bones.links[i].centreOfMass;
    parts.links[i].capsules = std::move(bones.links[i].capsules);
    if (parts.joints[i].type == JointType::Free) parts.rest[i].head<3>() = bones.rest[i].head<3>();
  }
  return putTogether(std::move(parts), keepLinks(figure));
}

std::shared_ptr<const Motion> withChannels(const Motion& motion, const std::vector<Channel>& channels) {
  if (motion.beneath) return withLayer(withChannels(*motion.beneath, channels), motion.layer);
  auto changed = std::make_shared<Motion>(motion);
  if (motion.channels.size() == channels.size()) changed->channels = channels;
  return changed;
}

}  // namespace

bool hasOffsetRule(const Document& document) {
  return document.source && document.source->format == SourceFormat::Bvh && !document.source->bytes.empty();
}

std::string changeOffsetRule(Document& document, OffsetRule rule) {
  if (!hasOffsetRule(document)) return std::string(kNoOffsetRule);
  const SourceFile& source = *document.source;
  const Result<FigureSource> old = readBvh(source.bytes, source.path, {.offsetRule = source.offsetRule});
  const Result<FigureSource> now = readBvh(source.bytes, source.path, {.offsetRule = rule});
  if (!old || !now) return (old ? now : old).error().message();
  if (!hasSameTree(*document.figure, *now->figure)) return "the figure no longer has the joints of its file";
  const bool isShown = document.motion && document.frame < document.motion->frameCount &&
                       document.pose == document.motion->poseAt(*document.figure, document.frame);
  const double unit = document.figure->fileFrame().metresPerUnit, guessed = old->figure->fileFrame().metresPerUnit;
  if (std::abs(unit - guessed) <= kSameUnit * guessed) changeUnitOf(document, now->figure->fileFrame().metresPerUnit);
  const FigureEdit read = changeUnit(*now->figure, document.figure->fileFrame().metresPerUnit);
  const FigureEdit edit = read.figure ? withBonesOf(*document.figure, *read.figure) : read;
  if (!edit.figure) return edit.fault;
  replaceFigure(document, edit.figure, edit.linkFromOld);
  if (document.motion) setMotion(document, withChannels(*document.motion, now->motion->channels));
  if (isShown) document.pose = document.motion->poseAt(*document.figure, document.frame);
  document.source = now->file;
  return {};
}

}  // namespace limber::io
