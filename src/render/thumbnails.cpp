// SPDX-License-Identifier: MIT
#include "render/thumbnails.h"

#include <string>
#include <utility>
#include <vector>

#include "render/gl_handle.h"
#include "render/offscreen.h"

namespace limber::render {

struct Thumbnails::Tools {
  std::unique_ptr<OffscreenTarget> target;
  int size = 0;
  std::vector<TextureHandle> textures;
  Kinematics kinematics;
};

Thumbnails::Thumbnails() : tools_(std::make_unique<Tools>()) {}
Thumbnails::~Thumbnails() = default;

unsigned Thumbnails::draw(Renderer& renderer, const Document& document, SkinView skinView, LinkStyle linkStyle,
                          const Surroundings& surroundings, int size, const View* view) {
  Tools& t = *tools_;
  std::string fault;
  if (t.size != size) {
    t.target = OffscreenTarget::create(size, size, fault);
    t.size = t.target ? size : 0;
  }
  if (!t.target) return 0;
  computeKinematics(*document.figure, document.pose, t.kinematics);
  DrawList list;
  makeDrawList(document, t.kinematics,
               {.showTargets = false,
                .showJoints = false,
                .skinView = skinView,
                .linkStyle = linkStyle,
                .surroundings = surroundings},
               list);
  renderer.draw(list, view ? *view : frameList(list, size, size), t.target->framebuffer());
  t.target->resolve();  // leaves what it resolved bound for reading
  TextureHandle texture = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture);
  setSampling(GL_LINEAR);
  glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, size, size, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  t.textures.push_back(std::move(texture));
  return t.textures.back();
}

unsigned Thumbnails::add(const SkinTexture& picture) {
  TextureHandle texture = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture);
  setSampling(GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.pixels.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  tools_->textures.push_back(std::move(texture));
  return tools_->textures.back();
}

void Thumbnails::clear() { tools_->textures.clear(); }

}  // namespace limber::render
