// SPDX-License-Identifier: MIT
#include "render/shader.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace limber::render {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> readText(const fs::path& path, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file && !text.empty()) return text;
  error = path.string() + ": the shader cannot be read";
  return std::nullopt;
}

/// The shader's text, with the version of this system and common.glsl for its first line, and other files where it
/// includes them. Line numbers in the log are those of the file.
std::optional<std::string> readSource(const fs::path& folder, const std::string& name, std::string& error) {
  static constexpr std::string_view kInclude = "#include \"";
  const auto text = readText(folder / name, error);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string source;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool isInclude = line.starts_with(kInclude);
    if (number == 1) source += std::string(kShaderVersion) + '\n';
    else if (!isInclude) source += line + '\n';
    if (!isInclude && number != 1) continue;
    const std::string part =
        isInclude ? line.substr(kInclude.size(), line.rfind('"') - kInclude.size()) : std::string("common.glsl");
    const auto included = readText(folder / part, error);
    if (!included) return std::nullopt;
    source += *included + "\n#line " + std::to_string(number + 1) + '\n';
  }
  return source;
}

template <typename GetLog>
std::string readLog(GLuint name, int length, GetLog getLog) {
  std::string log(length > 0 ? length : 1, '\0');
  GLsizei written = 0;
  getLog(name, static_cast<GLsizei>(log.size()), &written, log.data());
  log.resize(written);
  return log;
}

std::optional<ShaderHandle> compile(GLenum stage, const fs::path& folder, const std::string& name, std::string& error) {
  const auto source = readSource(folder, name, error);
  if (!source) return std::nullopt;
  ShaderHandle shader(glCreateShader(stage));
  const char* text = source->c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint compiled = 0, logLength = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &logLength);
  error = (folder / name).string() + ": the shader does not compile: " + readLog(shader, logLength, glGetShaderInfoLog);
  return std::nullopt;
}

}  // namespace

std::optional<Shader> Shader::load(const fs::path& folder, const std::string& vertex, const std::string& fragment,
                                   std::string& error) {
  const auto vertexStage = compile(GL_VERTEX_SHADER, folder, vertex, error);
  if (!vertexStage) return std::nullopt;
  const auto fragmentStage = compile(GL_FRAGMENT_SHADER, folder, fragment, error);
  if (!fragmentStage) return std::nullopt;

  Shader shader;
  shader.program_ = ProgramHandle(glCreateProgram());
  glAttachShader(shader.program_, *vertexStage);
  glAttachShader(shader.program_, *fragmentStage);
  glLinkProgram(shader.program_);
  GLint linked = 0, logLength = 0;
  glGetProgramiv(shader.program_, GL_LINK_STATUS, &linked);
  if (linked) return shader;
  glGetProgramiv(shader.program_, GL_INFO_LOG_LENGTH, &logLength);
  error = (folder / vertex).string() + " and " + fragment +
          ": the shaders do not link: " + readLog(shader.program_, logLength, glGetProgramInfoLog);
  return std::nullopt;
}

void Shader::set(const char* name, int value) const { glUniform1i(glGetUniformLocation(program_, name), value); }
void Shader::set(const char* name, float value) const { glUniform1f(glGetUniformLocation(program_, name), value); }
void Shader::set(const char* name, const glm::vec2& value) const {
  glUniform2fv(glGetUniformLocation(program_, name), 1, &value.x);
}
void Shader::set(const char* name, const glm::vec3& value) const {
  glUniform3fv(glGetUniformLocation(program_, name), 1, &value.x);
}
void Shader::set(const char* name, const glm::vec4& value) const {
  glUniform4fv(glGetUniformLocation(program_, name), 1, &value.x);
}
void Shader::set(const char* name, const glm::mat4& value) const {
  glUniformMatrix4fv(glGetUniformLocation(program_, name), 1, GL_FALSE, &value[0][0]);
}

}  // namespace limber::render
