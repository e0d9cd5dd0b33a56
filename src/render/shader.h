// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>

#include "render/gl_handle.h"

namespace limber::render {

/// A linked program. Each file starts with its #version line; common.glsl is inserted after it, and other files where
/// a line says #include "NAME".
class Shader {
 public:
  /// Loads folder/vertex and folder/fragment. Nothing, with a sentence in `error` that names the file and quotes the
  /// compiler's log, if one cannot be read, compiled or linked.
  static std::optional<Shader> load(const std::filesystem::path& folder, const std::string& vertex,
                                    const std::string& fragment, std::string& error);

  void use() const { glUseProgram(program_); }

  /// Sets a uniform of the program in use. Names that the shader does not use are ignored.
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const glm::vec2& value) const;
  void set(const char* name, const glm::vec3& value) const;
  void set(const char* name, const glm::vec4& value) const;
  void set(const char* name, const glm::mat4& value) const;

 private:
  ProgramHandle program_;
};

}  // namespace limber::render
