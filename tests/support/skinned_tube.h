// SPDX-License-Identifier: MIT
// A figure with a generated skin: a vertical chain of three links along y in a tube that bends with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"

namespace limber::test {

inline constexpr float kTubeRadius = 0.15f;

/// One surface of `rings` rings from y = 0 to y = 3, open at both ends. Each vertex follows one link, near a joint two
/// links. With 8 influences each bone is listed twice with parts of its weight, which has the same effect. `noise` > 0
/// displaces vertices by up to this length, so that triangles have all orientations.
inline SkinSurface makeTube(int influences, int rings = 31, int segments = 24, float noise = 0.0f) {
  SkinSurface tube;
  tube.name = "tube";
  tube.influences = influences;
  for (const int copy : {0, 1})
    for (int link = 0; link < 3; ++link) {
      if (copy == 1 && influences <= 4) continue;
      SkinBone bone{.link = link};
      bone.linkFromSkin.translation().y() = -static_cast<float>(link);
      tube.bones.push_back(bone);
    }
  unsigned state = 1;
  const auto random = [&] {
    state = 1664525u * state + 1013904223u;
    return static_cast<float>(state >> 8) / 16777216.0f - 0.5f;
  };
  for (int ring = 0; ring < rings; ++ring)
    for (int i = 0; i < segments; ++i) {
      const float y = 3.0f * static_cast<float>(ring) / static_cast<float>(rings - 1);
      const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(segments);
      const Eigen::Vector3f normal(std::cos(angle), 0.0f, -std::sin(angle));
      const Eigen::Vector3f jitter(random(), random(), random());
      tube.positions.push_back(kTubeRadius * normal + Eigen::Vector3f(0.0f, y, 0.0f) + 2.0f * noise * jitter);
      tube.normals.push_back(normal);
      tube.textureCoordinates.emplace_back(static_cast<float>(i) / static_cast<float>(segments), y / 3.0f);
      if (influences == 0) continue;
      float weights[3];
      float sum = 0.0f;
      for (int link = 0; link < 3; ++link)
        sum += weights[link] = std::max(0.0f, 0.75f - std::abs(y - static_cast<float>(link) - 0.5f));
      for (int k = 0; k < influences; ++k) {
        const int link = k % 4 < 3 ? k % 4 : -1;
        const float share = influences == 4 ? 1.0f : k < 4 ? 0.7f : 0.3f;
        tube.boneOf.push_back(static_cast<std::uint16_t>(link < 0 ? 0 : k < 4 ? link : 3 + link));
        tube.weights.push_back(link < 0 ? 0.0f : share * weights[link] / sum);
      }
    }
  for (int ring = 0; ring + 1 < rings; ++ring)
    for (int i = 0; i < segments; ++i) {
      const auto at = [&](int up, int around) {
        return static_cast<std::uint32_t>((ring + up) * segments + (i + around) % segments);
      };
      tube.triangles.insert(tube.triangles.end(), {at(0, 0), at(0, 1), at(1, 1), at(0, 0), at(1, 1), at(1, 0)});
    }
  return tube;
}

inline Document withSkin(SkinSurface surface, const SkinMaterial& material = {}) {
  Document document = makeDocument(makeBallChain(3));
  document.goals.clear();
  auto skin = std::make_shared<Skin>();
  surface.material = 0;
  skin->materials.push_back(material);
  skin->surfaces.push_back(std::move(surface));
  document.skin = std::move(skin);
  return document;
}

inline Document makeSkinnedTube(int influences = 4) { return withSkin(makeTube(influences)); }

}  // namespace limber::test
