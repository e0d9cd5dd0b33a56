// SPDX-License-Identifier: MIT
#include "limber/io/usd/usda.h"

#include <algorithm>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/usd/usda_prims.h"

namespace limber::io {

bool looksLikeUsda(std::string_view text) { return withoutMark(text).starts_with("#usda"); }

Result<FigureSource> readUsda(std::string_view text, const std::filesystem::path& path, const OpenContext& context) {
  if (!context.goesOn(0.0, "reading scene")) return Error{path.string(), "", std::string(kCancelled)};
  return faultsAsErrors<FigureSource>(path.string(), [&]() -> Result<FigureSource> {
    const UsdaScene scene(text);
    int skeleton = -1, skeletons = 0, meshes = 0;
    bool hasJoints = false;
    std::size_t most = 0;
    for (int i = 0; i < static_cast<int>(scene.prims().size()); ++i) {
      const UsdaPrim& prim = scene.prims()[i];
      hasJoints = hasJoints || (prim.type.starts_with("Physics") && prim.type.ends_with("Joint"));
      meshes += prim.type == "Mesh" ? 1 : 0;
      if (prim.type != "Skeleton") continue;
      ++skeletons;
      const UsdaProperty* joints = prim.find("joints");
      if (const std::size_t count = joints ? joints->value.texts.size() : 0; skeleton < 0 || count > most) {
        skeleton = i;
        most = count;
      }
    }
    const std::string arcs = scene.noteAboutArcs();
    if (!hasJoints && skeleton < 0)
      return Error{path.string(), "", "has neither a skeleton nor joints" + (arcs.empty() ? "" : ". " + arcs)};
    Result<FigureSource> out =
        hasJoints ? readUsdaRobot(scene, path, context) : readUsdaSkeleton(scene, skeleton, path);
    if (!out) return out;
    const int left = hasJoints ? skeletons : skeletons - 1;
    if (left > 0) out->notes.push_back(countInWords(left, "skeleton") + (left == 1 ? " is" : " are") + " left out.");
    if (meshes > 0)
      out->notes.push_back(countInWords(meshes, "mesh") + (meshes == 1 ? " is" : "es are") +
                           " left out: links are drawn as capsules.");
    if (!arcs.empty()) out->notes.push_back(arcs);
    return out;
  });
}

}  // namespace limber::io
