// SPDX-License-Identifier: MIT
// The shell of a reachable workspace on the graphics card, uploaded once.
#pragma once

#include <memory>

#include "limber/scene/reach_shell.h"
#include "render/gl_handle.h"
#include "render/shader.h"

namespace limber::render {

class ShellMesh {
 public:
  explicit ShellMesh(std::shared_ptr<const ReachShell> shell);

  bool isOf(const std::shared_ptr<const ReachShell>& shell) const { return shell_.lock() == shell; }

  /// Draws the far side, then the near one. The shader of shell.vert must be in use and blending enabled. Positions are
  /// relative to `centre`, subtracted in double. Changes face culling.
  void draw(const Shader& shader, const Eigen::Vector3d& centre) const;

 private:
  std::weak_ptr<const ReachShell> shell_;
  VertexArrayHandle vertexArray_;
  BufferHandle vertices_, indices_;
  GLsizei indexCount_ = 0;
  Eigen::Vector3d middle_ = Eigen::Vector3d::Zero();
  float stripe_ = 1.0f;
  bool isPlanar_ = false;
};

}  // namespace limber::render
