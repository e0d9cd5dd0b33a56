// SPDX-License-Identifier: MIT
#include "limber/scene/document.h"

#include <algorithm>
#include <cassert>

#include "limber/body/footholds.h"
#include "limber/kinematics/coupling.h"
#include "limber/scene/clock.h"

namespace limber {

Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion) {
  Document document{makeIkProblem(std::move(figure))};
  setMotion(document, std::move(motion));
  const Figure& f = *document.figure;
  if (document.motion && document.motion->frameCount > 0) {
    document.pose = document.motion->poseAt(f, 0);
    Couplings(f, activeCouplings(document)).apply(document.pose);
  }
  if (const int tip = f.findSite("tip"); tip >= 0 && isChain(f)) {
    const Site& site = f.sites()[tip];
    addGoal(document, site.link, site.linkFromSite.translation);
  }
  return document;
}

bool Selection::hasLink(int link) const {
  return link >= 0 && (link == joint || std::ranges::binary_search(links, link));
}

std::vector<int> Selection::allLinks() const {
  if (!links.empty()) return links;
  return joint >= 0 ? std::vector<int>{joint} : std::vector<int>{};
}

Selection selectionOf(std::vector<int> links, int main) {
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  if (links.empty()) return {};
  Selection selection{.joint = std::ranges::binary_search(links, main) ? main : links.front()};
  if (links.size() > 1) selection.links = std::move(links);
  return selection;
}

void removeGoal(Document& document, int id) {
  std::erase_if(document.goals, [&](const GoalItem& goal) { return goal.id == id; });
  if (document.selection.goal == id) document.selection.goal = -1;
  pruneTimeline(document);
}

void removeObstacle(Document& document, int id) {
  std::erase_if(document.obstacles, [&](const Obstacle& obstacle) { return obstacle.id == id; });
  if (document.selection.obstacle == id) document.selection.obstacle = -1;
}

bool asksSomething(const Document& document) { return document.mode == Mode::Inverse && hasGoalsOrPins(document); }

void setMode(Document& document, Mode mode) {
  if (mode == Mode::Inverse && document.mode != Mode::Inverse) moveTargetsToEndEffectors(document);
  document.mode = mode;
}

int leadingLink(const Document& document) {
  const GoalItem* goal = findGoal(document, document.selection.goal);
  return goal ? goal->link : document.selection.joint;
}

void setMotion(Document& document, std::shared_ptr<const Motion> motion) {
  document.motion = std::move(motion);
  document.motionFloor.reset();
  if (document.motion && document.motion->frameCount > 0)
    document.motionFloor = floorOf(*document.figure, document.motion->frameCount,
                                   [&](int frame) { return document.motion->poseAt(*document.figure, frame); });
}

void showFrame(Document& document, int frame) {
  if (!document.motion || document.motion->frameCount == 0) return;
  document.frame = std::clamp(frame, 0, document.motion->frameCount - 1);
  document.time = document.motion->timeOf(document.frame);
  document.pose = document.motion->poseAt(*document.figure, document.frame);
  if (showsMotion(document)) moveTargetsToEndEffectors(document);
}

namespace {

/// Lengthens a timeline with keys or paths to the end of the motion, so that all frames can be shown.
void makeRoomForMotion(Document& document) {
  if (!hasFrames(document) || !document.timeline || document.timeline->isEmpty()) return;
  const double end = document.motion->timeOf(document.motion->frameCount - 1);
  if (document.timeline->length < end) changeTimeline(document).length = end;
}

}  // namespace

void showClip(Document& document, std::size_t clip) {
  setMotion(document, document.clips.at(clip));
  makeRoomForMotion(document);
  showFrame(document, 0);
}

void takeMotions(Document& document, const std::vector<std::shared_ptr<const Motion>>& motions,
                 std::shared_ptr<const Motion> shown) {
  document.clips.clear();
  if (motions.size() > 1) document.clips = motions;
  setMotion(document, std::move(shown));
  makeRoomForMotion(document);
  showFrame(document, 0);
}

std::vector<std::shared_ptr<const Motion>> motionsOf(const Document& document) {
  std::vector<std::shared_ptr<const Motion>> out = document.clips;
  if (document.motion && std::ranges::find(out, document.motion) == out.end()) out.push_back(document.motion);
  return out;
}

int takeLength(const Document& document) { return document.motion ? std::max(1, document.motion->frameCount) : 1; }

bool isUntouched(const Document& document, int frame) {
  if (!document.motion || document.motion->frameCount == 0) return false;
  return frame != document.frame || document.pose == document.motion->poseAt(*document.figure, frame);
}

Pose poseOfTake(const Document& document, int frame) {
  assert(frame >= 0 && frame < takeLength(document));
  return isUntouched(document, frame) ? document.motion->poseAt(*document.figure, frame) : document.pose;
}

Pose poseOfMotion(const Document& document, const Motion& motion, int frame) {
  return &motion == document.motion.get() ? poseOfTake(document, frame) : motion.poseAt(*document.figure, frame);
}

}  // namespace limber
