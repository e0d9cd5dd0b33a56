// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_json.h"

#include "limber/io/base/json.h"

namespace limber::io {

namespace {

const std::filesystem::path kWholePath = "/";  // files are named by their whole paths

/// The texts are compared, too, because -0 equals 0 as a number.
bool isSameToTheBit(const OrderedJson& a, const OrderedJson& b) { return a == b && compactJson(a) == compactJson(b); }

/// Equal hulls become shared ones, so that data cached by hull between solves stays valid.
void shareHulls(const Document& before, Document& after) {
  for (Obstacle& obstacle : after.obstacles) {
    const Obstacle* old = findObstacle(before, obstacle.id);
    if (!old || !old->hull || !obstacle.hull || old->hull->vertices != obstacle.hull->vertices) continue;
    obstacle.hull = old->hull;
    if (old->prop && obstacle.prop && old->prop->triangles == obstacle.prop->triangles) obstacle.prop = old->prop;
  }
}

/// Copies the parts of `before` that have no member in the delta.
void keepTheRest(const Document& before, const Json& delta, Document& after) {
  const auto keep = [&](const char* member, auto part) {
    if (!delta.contains(member)) after.*part = before.*part;
  };
  keep("joints", &Document::joints);
  keep("pose", &Document::pose);
  keep("goals", &Document::goals);
  keep("pins", &Document::pins);
  keep("solver", &Document::solver);
  keep("selection", &Document::selection);
  keep("pictures", &Document::pictures);
  if (delta.contains("obstacles")) shareHulls(before, after);
  else after.obstacles = before.obstacles;
  if (!delta.contains("source")) after.source = before.source;
  if (!delta.contains("symmetry")) after.symmetry = before.symmetry;
  after.skin = before.skin;
}

}  // namespace

OrderedJson sceneDelta(const Document& before, const Document& after) {
  const OrderedJson old = documentToJson(before, kWholePath, &before);
  const OrderedJson now = documentToJson(after, kWholePath, &before);
  OrderedJson delta = OrderedJson::object();
  for (auto member = now.begin(); member != now.end(); ++member)
    if (const auto known = old.find(member.key()); known == old.end() || !isSameToTheBit(*known, *member))
      delta[member.key()] = *member;
  for (auto member = old.begin(); member != old.end(); ++member)
    if (!now.contains(member.key())) delta[member.key()] = nullptr;
  if (before.timeline && !after.timeline) delta["timeline"] = nullptr;
  if (before.motion && !after.motion) delta["motion"] = nullptr;
  return delta;
}

Document applySceneDelta(const Document& before, const Json& delta) {
  if (!delta.is_object()) throw JsonFault{"", "must be an object"};
  Json scene = Json(documentToJson(before, kWholePath, &before));
  for (const auto& [member, value] : delta.items()) {
    if (value.is_null()) scene.erase(member);
    else scene[member] = value;
  }
  Document shared = before;
  if (delta.contains("timeline")) shared.timeline = nullptr;
  if (delta.contains("motion") || delta.contains("clips")) {
    shared.motion = nullptr;
    shared.clips.clear();
  }
  Document after = documentFromJson(JsonValue(scene), kWholePath, &shared);
  if (after.figure == before.figure) keepTheRest(before, delta, after);
  return after;
}

}  // namespace limber::io
