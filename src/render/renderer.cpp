// SPDX-License-Identifier: MIT
// Order of a frame: shadow maps, limbs, skin, ground, backdrop, blended parts of the skin, shell of a workspace,
// reference picture in front of the figure, overlay, ghosts. If a reference picture is behind the figure, backdrop,
// ground and picture come first, since the picture is blended with the other two.
//
// Positions are relative to view.centre, subtracted in double, so that float is accurate far from the world's origin.
#include "render/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <vector>

#include "render/block_mesh.h"
#include "render/convert.h"
#include "render/mesh.h"
#include "render/palette.h"
#include "render/reference_quad.h"
#include "render/shader.h"
#include "render/shadow.h"
#include "render/shell_mesh.h"
#include "render/skin_mesh.h"

namespace limber::render {

namespace {

// Least radii in pixels.
constexpr double kMinLimbPixels = 0.7;
constexpr double kMinLinePixels = 0.85;
constexpr double kMinBlockPixels = 1.5;    // least half width of a block that is more than a line
constexpr std::size_t kMostSorted = 5000;  // limbs: if there are more, each is small and hides little
constexpr double kMergedPixels = 1.5;      // successive limbs are drawn as one up to this length
constexpr float kSeenThrough = 0.22f;      // opacity of an overlay behind a limb
constexpr float kSeenThroughSkin = 0.5f;   // for joints inside a skin, which are all hidden
constexpr std::size_t kDetails = kDetailLevels.size();

constexpr float kGlass = 0.22f;  // opacity of the ground from below
constexpr double kFine = 3.0;    // in full detail, the level of detail is that of a capsule so many times larger

bool drawsOnProcessor(const std::string& deviceName) {
  return deviceName.find("llvmpipe") != std::string::npos || deviceName.find("softpipe") != std::string::npos ||
         deviceName.find("SwiftShader") != std::string::npos;
}

std::uint32_t packColor(const Color& color) {
  const auto byte = [](float v) { return static_cast<std::uint32_t>(std::lround(255.0f * std::clamp(v, 0.0f, 1.0f))); };
  return byte(color.red) | byte(color.green) << 8 | byte(color.blue) << 16 | byte(color.alpha) << 24;
}

BlockInstance instanceOf(const DrawBlock& drawn, const Eigen::Vector3d& centre) {
  const Block& block = drawn.block;
  return {toGlm(block.start - centre), static_cast<float>(block.rounding),
          toGlm(block.end - centre),   packColor(drawn.color),
          toGlm(block.side),           toGlm(block.startHalf),
          toGlm(block.endHalf)};
}

/// Colour of an outline; alpha is its thickness relative to the thickest.
Color outlineColor(Outline outline, const Surroundings& surroundings) {
  if (outline == Outline::Selected) return withAlpha(kAccent, 1.0f);
  const bool isLight = surroundings.backdropTop.green > 0.5f;
  return withAlpha(isLight ? kHoveredOnLight : kHoveredOnDark, 0.6f);
}

void sortByDepth(std::vector<Instance>& instances, const glm::vec3& forward) {
  const auto depth = [&](const Instance& i) { return glm::dot(i.start + i.end, forward) - 2.0f * i.radius; };
  std::ranges::sort(instances, [&](const Instance& a, const Instance& b) { return depth(a) < depth(b); });
}

/// The four side planes of the view frustum, with inward normals.
struct Frustum {
  Eigen::Vector3d eye;
  Eigen::Matrix<double, 4, 3> normals;
  Eigen::Vector4d fromEye;  // distance of each plane from the eye; zero in perspective

  explicit Frustum(const View& view) : eye(view.eye) {
    View atEye = view;
    atEye.centre -= view.eye;
    atEye.eye.setZero();
    const Eigen::Matrix4d clipFromWorld = clipFromCamera(view) * cameraFromWorld(atEye);
    for (int i = 0; i < 4; ++i) {
      const Eigen::Vector4d plane = clipFromWorld.row(3) + (i % 2 ? 1.0 : -1.0) * clipFromWorld.row(i / 2);
      normals.row(i) = plane.head<3>().normalized();
      fromEye[i] = plane.w() / plane.head<3>().norm();
    }
  }
  bool misses(const DrawCapsule& capsule, double radius) const {
    const Eigen::Vector4d start = normals * (capsule.start - eye), end = normals * (capsule.end - eye);
    return ((start.cwiseMax(end) + fromEye).array() < -radius).any();
  }
};

}  // namespace

struct Renderer::Resources {
  struct Bin {
    std::vector<Instance> instances;
    std::size_t first = 0;  // in the uploaded buffer
  };

  std::string deviceName = "unknown";
  double fineness = 1.0;  // factor of the capsules' level of detail
  Shader limbShader, overlayShader, ghostShader, depthShader, groundShader, backgroundShader;
  Shader blockShader, blockDepthShader, skinShader, skinDepthShader, glassShader, shellShader;
  Shader outlineShader, blockOutlineShader, skinOutlineShader, referenceShader;
  std::unique_ptr<Shadow> shadow;
  CapsuleMesh mesh;
  BlockMesh blockMesh, outlinedBlockMesh;
  std::vector<BlockInstance> blocks, outlinedBlocks;
  VertexArrayHandle noVertices = makeVertexArray();
  std::array<Bin, kDetails> limbs, outlined, overlays, ghosts;  // by level of detail
  Bin hiddenCasters;                                            // outside the picture, but their shadow may be inside
  std::vector<Instance> all;
  std::unique_ptr<SkinMesh> skin;            // of the last document with a skin
  std::unique_ptr<ShellMesh> shell;          // while one is shown
  std::unique_ptr<SkinMesh> props;           // the obstacles
  std::unique_ptr<ReferenceQuad> reference;  // while one is shown

  /// A visible skin of the list, and its mesh.
  struct Surfaces {
    const DrawSkin& drawn;
    std::unique_ptr<SkinMesh>& mesh;
  };
  std::array<Surfaces, 2> surfacesOf(const DrawList& list) { return {{{list.skin, skin}, {list.props, props}}}; }

  void collect(const DrawList& list, const View& view);
  void placeSkins(const DrawList& list, const View& view);
  void drawSolid(const DrawList& list, const View& view, const ShadowFrame& frame);
  void drawOutlines(const DrawList& list, const View& view);
  void drawBins(const std::array<Bin, kDetails>& bins, int coarser) const;
  void layDepth(const std::function<void()>& draw) const;
  void drawCasters(const DrawList& list, const glm::mat4& clipFromWorld);
  void light(const Shader& shader, const DrawList& list, const View& view, const ShadowFrame& frame) const;
  void drawGround(const DrawList& list, const View& view, const ShadowFrame& frame, bool isGlass) const;
  void drawBackground(const Surroundings& surroundings) const;
  void drawOverlay(const DrawList& list, const View& view) const;
  void drawBlended(const DrawList& list, const View& view, const ShadowFrame& frame);
  void drawShell(const DrawList& list, const View& view);
  void drawSurroundings(const DrawList& list, const View& view, const ShadowFrame& frame) const;
  void drawReference(const DrawReference& drawn, const View& view);
  void drawGlass(const View& view) const;
  void drawGhosts(const View& view) const;
};

namespace {

/// Blends over the target by alpha. The target's alpha becomes its coverage, by which its colours are multiplied.
void blendOver() {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

bool isSeenFromBelow(const DrawList& list, const View& view) {
  const Plane plane = groundPlane(list);
  return plane.normal.dot(view.eye - plane.point) < 0.0;
}

Eigen::Matrix4d clipFromCentred(const View& view) {
  View centred = view;
  centred.eye -= view.centre;
  centred.centre.setZero();
  return clipFromCamera(view) * cameraFromWorld(centred);
}

/// Uses a shader, and sets its view.
void useFrom(const Shader& shader, const View& view) {
  shader.use();
  shader.set("clipFromWorld", toGlm(clipFromCentred(view)));
  shader.set("eye", toGlm(view.eye - view.centre));
}

/// Height up to which ground and figure darken each other, metres.
float contactHeight(const DrawList& list) {
  return static_cast<float>(0.05 * (list.boundsMax - list.boundsMin).norm());
}

glm::vec3 asVector(const Color& color) { return {color.red, color.green, color.blue}; }

void setBackdrop(const Shader& shader, const Surroundings& surroundings) {
  shader.set("backdropTop", asVector(surroundings.backdropTop));
  shader.set("backdropBottom", asVector(surroundings.backdropBottom));
}

}  // namespace

std::unique_ptr<Renderer> Renderer::create(const std::filesystem::path& shaderFolder, LoadFunction load,
                                           std::string& error) {
  if (!hasGl(load)) {
    error = std::string(kGlName) + " is needed, and the graphics driver does not offer it";
    return nullptr;
  }
  struct Files {
    Shader Resources::*shader;
    const char *vertex, *fragment;
  };
  static constexpr Files kShaders[] = {{&Resources::limbShader, "capsule.vert", "capsule.frag"},
                                       {&Resources::overlayShader, "capsule.vert", "overlay.frag"},
                                       {&Resources::ghostShader, "capsule.vert", "ghost.frag"},
                                       {&Resources::depthShader, "capsule.vert", "depth.frag"},
                                       {&Resources::blockShader, "block.vert", "capsule.frag"},
                                       {&Resources::blockDepthShader, "block.vert", "depth.frag"},
                                       {&Resources::skinShader, "skin.vert", "skin.frag"},
                                       {&Resources::skinDepthShader, "skin.vert", "skin_depth.frag"},
                                       {&Resources::glassShader, "skin.vert", "skin_glass.frag"},
                                       {&Resources::shellShader, "shell.vert", "shell.frag"},
                                       {&Resources::outlineShader, "capsule.vert", "outline.frag"},
                                       {&Resources::blockOutlineShader, "block.vert", "outline.frag"},
                                       {&Resources::skinOutlineShader, "skin.vert", "skin_outline.frag"},
                                       {&Resources::groundShader, "ground.vert", "ground.frag"},
                                       {&Resources::referenceShader, "reference.vert", "reference.frag"},
                                       {&Resources::backgroundShader, "fullscreen.vert", "background.frag"}};
  auto resources = std::make_unique<Resources>();
  for (const Files& files : kShaders) {
    auto shader = Shader::load(shaderFolder, files.vertex, files.fragment, error);
    if (!shader) return nullptr;
    (*resources).*files.shader = std::move(*shader);
  }
  resources->shadow = Shadow::create(shaderFolder, error);
  if (!resources->shadow) return nullptr;
  if (const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER))) resources->deviceName = name;
  resources->fineness = drawsOnProcessor(resources->deviceName) ? 1.0 : kFine;
  return std::unique_ptr<Renderer>(new Renderer(std::move(resources)));
}

Renderer::Renderer(std::unique_ptr<Resources> resources) : resources_(std::move(resources)) {}
Renderer::~Renderer() = default;

const std::string& Renderer::deviceName() const { return resources_->deviceName; }
bool Renderer::isSoftware() const { return drawsOnProcessor(resources_->deviceName); }
void Renderer::drawFinely() { resources_->fineness = kFine; }

void Renderer::draw(const DrawList& list, const View& view, unsigned framebuffer, int left, int bottom) {
  Resources& r = *resources_;
  r.groundShader.use();
  r.groundShader.set("pictureCorner", glm::vec2(left, bottom));
  r.collect(list, view);
  r.placeSkins(list, view);
  glEnable(GL_CULL_FACE);  // capsules are closed
  glCullFace(GL_BACK);
  glFrontFace(GL_CCW);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_STENCIL_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  setDesktopDefaults();

  const ShadowFrame frame = fitShadow(list, view);
  const auto drawCasters = [&](const glm::mat4& clipFromWorld) { r.drawCasters(list, clipFromWorld); };
  if (!frame.isEmpty) r.shadow->fill(frame, drawCasters);

  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(left, bottom, view.width, view.height);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glStencilMask(0xff);
  glClearStencil(0);
  // The backdrop covers all other pixels; without it they stay clear.
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | (list.isTransparent ? GL_COLOR_BUFFER_BIT : 0));
  const bool hasReference = list.reference.file && !list.isTransparent;
  if (!hasReference) r.reference.reset();
  const bool beginsBehind = hasReference && !list.reference.isInFront;
  if (beginsBehind) {
    r.drawSurroundings(list, view, frame);
    r.drawReference(list.reference, view);
  }
  r.light(r.limbShader, list, view, frame);
  r.drawBins(r.limbs, 0);
  if (!r.blocks.empty()) {
    r.light(r.blockShader, list, view, frame);
    r.blockMesh.draw(r.blocks.size());
  }
  r.drawSolid(list, view, frame);
  r.drawOutlines(list, view);
  if (!list.isTransparent && !beginsBehind) r.drawSurroundings(list, view, frame);
  r.drawBlended(list, view, frame);
  r.drawShell(list, view);
  const bool isInFront = hasReference && list.reference.isInFront,
             hasGlass = list.skin.isShown && list.skin.isTranslucent;
  if (isInFront) {
    if (hasGlass) r.drawGlass(view);
    r.drawReference(list.reference, view);
    glClear(GL_DEPTH_BUFFER_BIT);  // marks are over it
  }
  r.drawOverlay(list, view);
  if (hasGlass && !isInFront) r.drawGlass(view);
  r.drawGhosts(view);

  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glBindSampler(0, 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

/// Sorts visible capsules by layer and level of detail, and uploads them. Successive limbs shorter than kMergedPixels
/// are merged, so that the cost of ten thousand links depends on their length on the screen.
void Renderer::Resources::collect(const DrawList& list, const View& view) {
  for (auto* bins : {&limbs, &outlined, &overlays, &ghosts})
    for (Bin& bin : *bins) bin.instances.clear();
  hiddenCasters.instances.clear();

  const Frustum frustum(view);
  const Eigen::Vector3d forward = forwardDirection(view);
  // The width of a pixel is pixelAtEye + pixelPerDepth * depth. A depth of 1 may be before the near plane, which is
  // far away for a figure of ten thousand links.
  const double pixelAtNear = pixelSize(view, view.eye + view.nearPlane * forward);
  const double pixelAtEye = isOrthographic(view) ? pixelAtNear : 0.0;
  const double pixelPerDepth = isOrthographic(view) ? 0.0 : pixelAtNear / view.nearPlane;
  Bin* mergedBin = nullptr;  // of the last limb if it is thin
  Eigen::Vector3d mergedStart = Eigen::Vector3d::Zero(), mergedEnd = mergedStart;
  const auto pixelAt = [&](const Eigen::Vector3d& place) {
    return pixelAtEye + pixelPerDepth * std::max((place - view.eye).dot(forward), view.nearPlane);
  };
  const auto place = [&](const DrawCapsule& capsule) {
    const bool isLimb = capsule.layer == Layer::Scene;
    const bool isOfFigure = isLimb || capsule.layer == Layer::Ghost;
    const double pixel = pixelAt(0.5 * (capsule.start + capsule.end));
    const double leastRadius = (isOfFigure ? kMinLimbPixels : kMinLinePixels) * pixel;
    if (isOfFigure && capsule.radius < leastRadius && capsule.start == capsule.end) return;  // too small to see
    const double radius = std::max(capsule.radius, leastRadius);
    const Instance instance{toGlm(capsule.start - view.centre), static_cast<float>(radius),
                            toGlm(capsule.end - view.centre), packColor(capsule.color)};

    if (mergedBin && isOfFigure && (capsule.start - mergedEnd).norm() < 0.1 * pixel &&
        (capsule.end - mergedStart).norm() < kMergedPixels * pixel &&
        mergedBin->instances.back().color == instance.color) {
      mergedBin->instances.back().end = instance.end;
      mergedEnd = capsule.end;
      return;
    }
    mergedBin = nullptr;
    if (!frustum.misses(capsule, radius)) {
      const double detailRadius = (isOfFigure ? fineness : kFine) * radius / pixel;  // there are few overlays
      Bin& bin = (isLimb ? limbs : isOfFigure ? ghosts : overlays)[detailFor(detailRadius)];
      bin.instances.push_back(instance);
      if (isLimb && capsule.outline != Outline::None) {
        Bin& rim = outlined[detailFor(detailRadius)];
        rim.instances.push_back(instance);
        rim.instances.back().color = packColor(outlineColor(capsule.outline, list.surroundings));
      }
      if (isOfFigure && capsule.radius < leastRadius) {
        mergedStart = capsule.start;
        mergedEnd = capsule.end;
        mergedBin = &bin;
      }
    } else if (isLimb && list.showGround) {
      hiddenCasters.instances.push_back(instance);
    }
  };
  for (const DrawCapsule& capsule : list.capsules) place(capsule);
  blocks.clear();
  outlinedBlocks.clear();
  for (const DrawBlock& drawn : list.blocks) {
    const Block& block = drawn.block;
    const double radius = std::max(block.startHalf.maxCoeff(), block.endHalf.maxCoeff());
    if (radius < kMinBlockPixels * pixelAt(0.5 * (block.start + block.end))) {
      place({block.start, block.end, radius, drawn.color, Layer::Scene, drawn.link});
      continue;
    }
    blocks.push_back(instanceOf(drawn, view.centre));
    if (drawn.outline == Outline::None) continue;
    outlinedBlocks.push_back(blocks.back());
    outlinedBlocks.back().color = packColor(outlineColor(drawn.outline, list.surroundings));
  }
  blockMesh.upload(blocks);
  if (!outlinedBlocks.empty()) outlinedBlockMesh.upload(outlinedBlocks);

  // Near capsules are drawn first, thick before thin, so that hidden fragments are not shaded.
  for (Bin& bin : limbs)
    if (bin.instances.size() <= kMostSorted) sortByDepth(bin.instances, toGlm(forward));

  all.clear();
  const auto append = [&](Bin& bin) {
    bin.first = all.size();
    all.insert(all.end(), bin.instances.begin(), bin.instances.end());
  };
  for (auto* bins : {&limbs, &outlined, &overlays, &ghosts})
    for (Bin& bin : *bins) append(bin);
  append(hiddenCasters);
  mesh.upload(all);
}

void Renderer::Resources::drawBins(const std::array<Bin, kDetails>& bins, int coarser) const {
  for (int detail = static_cast<int>(kDetails) - 1; detail >= 0; --detail) {
    const Bin& bin = bins[detail];
    mesh.draw(std::max(detail - coarser, 0), bin.first, bin.instances.size());
  }
}

/// Uploads a new skin once, and its pose for every picture.
void Renderer::Resources::placeSkins(const DrawList& list, const View& view) {
  for (const Surfaces& surfaces : surfacesOf(list)) {
    if (!surfaces.drawn.isShown) continue;
    const std::shared_ptr<const Skin>& shown = surfaces.drawn.groups->skin;
    if (!surfaces.mesh || !surfaces.mesh->isOf(shown)) surfaces.mesh = std::make_unique<SkinMesh>(shown);
    surfaces.mesh->placeBones(surfaces.drawn, view.centre);
  }
}

void Renderer::Resources::drawSolid(const DrawList& list, const View& view, const ShadowFrame& frame) {
  for (const Surfaces& surfaces : surfacesOf(list)) {
    if (!surfaces.drawn.isShown || surfaces.drawn.isTranslucent) continue;
    light(skinShader, list, view, frame);
    skinShader.set("isBlended", 0.0f);
    surfaces.mesh->draw(skinShader, SkinMesh::Part::Solid);
  }
}

/// Outlines: the back faces of highlighted parts, slightly enlarged, visible where nothing is in front of them.
void Renderer::Resources::drawOutlines(const DrawList& list, const View& view) {
  const glm::vec2 breadth(static_cast<float>(2.0 * list.outlinePixels / view.width),
                          static_cast<float>(2.0 * list.outlinePixels / view.height));
  const glm::mat4 clipFromWorld = toGlm(clipFromCentred(view));
  const auto use = [&](const Shader& shader) {
    shader.use();
    shader.set("clipFromWorld", clipFromWorld);
    shader.set("outline", breadth);
  };
  glCullFace(GL_FRONT);
  if (std::ranges::any_of(outlined, [](const Bin& bin) { return !bin.instances.empty(); })) {
    use(outlineShader);
    drawBins(outlined, 0);
  }
  if (!outlinedBlocks.empty()) {
    use(blockOutlineShader);
    outlinedBlockMesh.draw(outlinedBlocks.size());
  }
  glCullFace(GL_BACK);
  if (!list.skin.isShown || list.skin.outlines.empty()) return;
  std::vector<Color> colors;
  for (const Outline outline : list.skin.outlines)
    colors.push_back(outline == Outline::None ? Color{0.0f, 0.0f, 0.0f, 0.0f}
                                              : outlineColor(outline, list.surroundings));
  skin->placeBones(list.skin, view.centre, colors);
  use(skinOutlineShader);
  skin->draw(skinOutlineShader, SkinMesh::Part::Rim);
  skin->placeBones(list.skin, view.centre);
}

void Renderer::Resources::drawCasters(const DrawList& list, const glm::mat4& clipFromWorld) {
  depthShader.use();
  depthShader.set("clipFromWorld", clipFromWorld);
  drawBins(limbs, 1);
  mesh.draw(0, hiddenCasters.first, hiddenCasters.instances.size());
  if (!blocks.empty()) {
    blockDepthShader.use();
    blockDepthShader.set("clipFromWorld", clipFromWorld);
    blockMesh.draw(blocks.size());
  }
  for (const Surfaces& surfaces : surfacesOf(list)) {
    if (!surfaces.drawn.isShown || surfaces.drawn.isTranslucent) continue;
    skinDepthShader.use();
    skinDepthShader.set("clipFromWorld", clipFromWorld);
    surfaces.mesh->draw(skinDepthShader, SkinMesh::Part::Outline);
  }
}

/// Uses a shader of surfaces, with light and shadows.
void Renderer::Resources::light(const Shader& shader, const DrawList& list, const View& view,
                                const ShadowFrame& frame) const {
  const Plane plane = groundPlane(list);
  useFrom(shader, view);
  shader.set("toLight", toGlm(lightDirection(list)));
  shader.set("groundNormal", toGlm(plane.normal));
  shader.set("groundDistance", static_cast<float>((view.centre - plane.point).dot(plane.normal)));
  shader.set("contactHeight", contactHeight(list));
  shadow->bindDepth(shader, frame);
}

void Renderer::Resources::drawGround(const DrawList& list, const View& view, const ShadowFrame& frame,
                                     bool isGlass) const {
  const Plane plane = groundPlane(list);
  const Eigen::Vector3d fromOrigin = view.centre - plane.point;
  const double distance = viewDistance(view);
  const double fadeRadius = 7.0 * distance;
  const Eigen::Vector2d onGrid(fromOrigin.dot(plane.u), fromOrigin.dot(plane.v));

  // The finest lines are 0.1 m apart for an eye at 1.5 m, and fade out up to ten times that distance.
  const double level = std::log10(std::max(distance, 1e-9) / 1.5);
  const double cell = 0.1 * std::pow(10.0, std::floor(level));
  const double pattern = 100.0 * cell;

  groundShader.use();
  setBackdrop(groundShader, list.surroundings);
  groundShader.set("groundNear", asVector(list.surroundings.groundNear));
  groundShader.set("groundFar", asVector(list.surroundings.groundFar));
  groundShader.set("gridLight", list.surroundings.gridLight);
  groundShader.set("clipFromWorld", toGlm(clipFromCentred(view)));
  groundShader.set("planePoint", toGlm(-fromOrigin.dot(plane.normal) * plane.normal));
  groundShader.set("planeU", toGlm(plane.u));
  groundShader.set("planeV", toGlm(plane.v));
  const Eigen::Vector3d fromCentre = view.eye - view.centre;
  groundShader.set("eyeOverGround", toGlm(Eigen::Vector3d(fromCentre.dot(plane.u), fromCentre.dot(plane.v),
                                                          (view.eye - plane.point).dot(plane.normal))));
  groundShader.set("halfSize", static_cast<float>(1.05 * fadeRadius));
  groundShader.set("pictureSize", glm::vec2(view.width, view.height));
  groundShader.set("gridOffset", toGlm(onGrid.unaryExpr([&](double x) { return std::fmod(x, pattern); })));
  groundShader.set("axisOffset", toGlm(onGrid));
  groundShader.set("cell", static_cast<float>(cell));
  groundShader.set("lineWidth", static_cast<float>(0.0008 * distance));
  groundShader.set("cellFade", static_cast<float>(level - std::floor(level)));
  groundShader.set("axisColorU", asVector(kAxisColors[list.groundAxes[0]]));
  groundShader.set("axisColorV", asVector(kAxisColors[list.groundAxes[1]]));
  groundShader.set("poolRadius", static_cast<float>(0.9 * distance));
  groundShader.set("fadeRadius", static_cast<float>(fadeRadius));
  groundShader.set("opacity", isGlass ? kGlass : 1.0f);
  glBindVertexArray(noVertices);
  glDisable(GL_CULL_FACE);  // visible from both sides
  // From below, the ground is glass, to hide neither figure nor overlay. From above, it is moved back slightly, so
  // that the shadow passes the depth test.
  glDepthMask(isGlass ? GL_FALSE : GL_TRUE);
  if (isGlass) blendOver();
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 4.0f);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  if (!frame.isEmpty && !isGlass)
    shadow->drawOnGround(frame, toGlm(clipFromCentred(view)), list.surroundings.shadow, contactHeight(list));
  glEnable(GL_CULL_FACE);
}

void Renderer::Resources::drawBackground(const Surroundings& surroundings) const {
  backgroundShader.use();
  setBackdrop(backgroundShader, surroundings);
  glBindVertexArray(noVertices);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Renderer::Resources::drawSurroundings(const DrawList& list, const View& view, const ShadowFrame& frame) const {
  const bool isGlass = isSeenFromBelow(list, view);
  if (isGlass) drawBackground(list.surroundings);  // blended with; else last, where visible
  if (list.showGround) drawGround(list, view, frame, isGlass);
  if (!isGlass) drawBackground(list.surroundings);
}

/// Uploads a new picture, and blends it over all that is drawn already.
void Renderer::Resources::drawReference(const DrawReference& drawn, const View& view) {
  if (!reference || !reference->isOf(drawn.file)) reference = std::make_unique<ReferenceQuad>(drawn.file);
  useFrom(referenceShader, view);
  blendOver();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  clampDepth(true);
  reference->draw(referenceShader, drawn, view.centre);
  clampDepth(false);
  glEnable(GL_CULL_FACE);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
}

/// Draws only the depth; the next draw then shows only the nearest surfaces.
void Renderer::Resources::layDepth(const std::function<void()>& draw) const {
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  draw();
  glDepthFunc(GL_EQUAL);
  glDepthMask(GL_FALSE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/// Draws first the hidden parts, faintly, then the visible ones. The stencil lets each pixel blend once per pass, so
/// that overlapping pieces of a ring make no dots.
void Renderer::Resources::drawOverlay(const DrawList& list, const View& view) const {
  useFrom(overlayShader, view);
  blendOver();
  glEnable(GL_STENCIL_TEST);
  glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);

  glStencilFunc(GL_EQUAL, 0, 0xff);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  overlayShader.set("opacity", list.skin.isShown && !list.skin.isTranslucent ? kSeenThroughSkin : kSeenThrough);
  drawBins(overlays, 0);

  glDisable(GL_STENCIL_TEST);
  layDepth([&] { drawBins(overlays, 0); });
  overlayShader.set("opacity", 1.0f);
  drawBins(overlays, 0);

  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

/// The blended parts of the skins, over all that is behind them.
void Renderer::Resources::drawBlended(const DrawList& list, const View& view, const ShadowFrame& frame) {
  for (const Surfaces& surfaces : surfacesOf(list)) {
    if (!surfaces.drawn.isShown || surfaces.drawn.isTranslucent || !surfaces.mesh->hasBlended()) continue;
    light(skinShader, list, view, frame);
    skinShader.set("isBlended", 1.0f);
    blendOver();
    glDepthMask(GL_FALSE);
    surfaces.mesh->draw(skinShader, SkinMesh::Part::Blended);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
  }
}

/// Uploads a new shell, and frees it when none is shown.
void Renderer::Resources::drawShell(const DrawList& list, const View& view) {
  const std::shared_ptr<const ReachShell>& shown = list.shell.shell;
  if (!shown) return shell.reset();
  if (!shell || !shell->isOf(shown)) shell = std::make_unique<ShellMesh>(shown);
  useFrom(shellShader, view);
  shellShader.set("toLight", toGlm(lightDirection(list)));
  shellShader.set("opacity", list.shell.opacity);
  blendOver();
  glDepthMask(GL_FALSE);
  shell->draw(shellShader, view.centre);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

/// The nearest side of a translucent skin, over the figure and its marks.
void Renderer::Resources::drawGlass(const View& view) const {
  useFrom(glassShader, view);
  layDepth([&] { skin->draw(glassShader, SkinMesh::Part::Outline); });
  blendOver();
  skin->draw(glassShader, SkinMesh::Part::Outline);
  glDisable(GL_BLEND);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
}

/// Only the nearest ghost is visible, once per pixel: first the depth of all, then the colour of the nearest.
void Renderer::Resources::drawGhosts(const View& view) const {
  if (std::all_of(ghosts.begin(), ghosts.end(), [](const Bin& bin) { return bin.instances.empty(); })) return;
  useFrom(ghostShader, view);
  layDepth([&] { drawBins(ghosts, 0); });
  blendOver();
  glEnable(GL_STENCIL_TEST);
  glClear(GL_STENCIL_BUFFER_BIT);
  glStencilFunc(GL_EQUAL, 0, 0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
  drawBins(ghosts, 0);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
}

}  // namespace limber::render
