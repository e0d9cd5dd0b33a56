// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#ifdef LIMBER_HAVE_ASSIMP
#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string_view>

#include "app/import/imported_glb.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/text.h"

namespace limber::app {

namespace {

// Limits against malformed files. The parent has a tighter limit on processor time, and ends an idle child.
constexpr std::size_t kMostBytes = std::size_t{2} << 30;
constexpr unsigned kMostProcessorSeconds = 600;
constexpr std::size_t kMostOfCause = 200;  // characters

/// A Collada text without white space between a tag and a number, which assimp 5.2 refuses in colours.
std::string withoutLeadingBlanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    out += text[at++];
    if (out.back() != '>') continue;
    const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (next < text.size() && std::string_view("+-.0123456789").find(text[next]) != std::string_view::npos) at = next;
  }
  return out;
}

/// Opens only files in the folder of `file` or below.
class FolderIo : public Assimp::DefaultIOSystem {
 public:
  explicit FolderIo(const std::filesystem::path& file)
      : file_(file), folder_(std::filesystem::weakly_canonical(file).parent_path()) {}

  bool Exists(const char* name) const override { return mayOpen(name) && Assimp::DefaultIOSystem::Exists(name); }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    if (!mayOpen(name)) return nullptr;
    if (file_ != name || !io::lowerCase(name).ends_with(".dae")) return Assimp::DefaultIOSystem::Open(name, mode);
    const auto text = io::readFile(file_);
    return text ? streamOf(withoutLeadingBlanks(*text)) : nullptr;
  }

 private:
  static Assimp::IOStream* streamOf(const std::string& text) {
    auto* bytes = new std::uint8_t[text.size()];  // the stream owns them
    std::ranges::copy(text, bytes);
    return new Assimp::MemoryIOStream(bytes, text.size(), true);
  }
  bool mayOpen(const char* name) const {
    std::error_code ignored;  // a pipe would keep the reader waiting
    return io::isInFolder(name, folder_) && std::filesystem::is_regular_file(name, ignored);
  }
  std::filesystem::path file_, folder_;
};

void set(Assimp::Importer& importer, bool isMesh) {
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);  // without it, many Maya files crash assimp 5.2
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, isMesh);  // robots use the file's own axes
}

/// The unit and the upward axis that an FBX file states. Assimp applies those of Collada itself.
ImportFrame frameOf(const aiScene& scene) {
  ImportFrame frame;
  std::int32_t up = 1, sign = 1, front = 2, frontSign = 1, right = 0, rightSign = 1;
  float single = 1.0f;
  double centimetres = 1.0;  // a float in assimp 5.2, a double in later versions
  if (!scene.mMetaData) return frame;
  if (scene.mMetaData->Get("UnitScaleFactor", single)) centimetres = static_cast<double>(single);
  else if (!scene.mMetaData->Get("UnitScaleFactor", centimetres)) return frame;
  if (std::isfinite(centimetres) && centimetres > 0.0) frame.metresPerUnit = 0.01 * centimetres;
  scene.mMetaData->Get("UpAxis", up);
  scene.mMetaData->Get("UpAxisSign", sign);
  scene.mMetaData->Get("FrontAxis", front);
  scene.mMetaData->Get("FrontAxisSign", frontSign);
  scene.mMetaData->Get("CoordAxis", right);
  scene.mMetaData->Get("CoordAxisSign", rightSign);
  const auto axis = [](std::int32_t index, std::int32_t s) -> Eigen::Vector3d {
    if (index < 0 || index > 2) return Eigen::Vector3d::Zero();
    return std::copysign(1.0, static_cast<double>(s)) * Eigen::Vector3d::Unit(index);
  };
  Eigen::Matrix3d sceneFromFile;  // its rows: what points right, up and to the front
  sceneFromFile << axis(right, rightSign).transpose(), axis(up, sign).transpose(), axis(front, frontSign).transpose();
  if (std::abs(sceneFromFile.determinant() - 1.0) < 1e-9) {
    frame.sceneFromFile = Eigen::Quaterniond(sceneFromFile);
    return frame;
  }
  // A left-handed or broken statement: the upward axis alone.
  const double quarter = std::copysign(0.5 * std::numbers::pi, static_cast<double>(sign));
  if (up == 2) frame.sceneFromFile = Eigen::AngleAxisd(-quarter, Eigen::Vector3d::UnitX());
  if (up == 0) frame.sceneFromFile = Eigen::AngleAxisd(quarter, Eigen::Vector3d::UnitZ());
  if (up == 1 && sign < 0) frame.sceneFromFile = Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitZ());
  return frame;
}

/// The first line of a library's message, which may contain pieces of a binary file.
std::string oneLine(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (out.size() == kMostOfCause) return out + "...";
    if (c >= ' ' && c <= '~') out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out.empty() ? "cannot be read" : out;
}

/// The version that an FBX file states, such as 7400; 0 for other files and without one.
std::uint32_t fbxVersionOf(std::string_view bytes) {
  constexpr std::string_view kBinary("Kaydara FBX Binary  \0\x1a\0", 23), kText = "FBXVersion:";
  std::uint32_t version = 0;
  if (bytes.starts_with(kBinary)) {
    for (std::size_t i = 0; i < 4 && kBinary.size() + i < bytes.size(); ++i)
      version |= std::uint32_t{static_cast<unsigned char>(bytes[kBinary.size() + i])} << 8 * i;
    return version;
  }
  constexpr std::size_t kNear = 1 << 16;
  const std::string_view head = bytes.substr(0, kNear);
  const std::size_t found = head.find(kText);
  if (found == std::string_view::npos) return 0;
  const std::size_t digits = std::min(head.find_first_not_of(' ', found + kText.size()), head.size());
  std::from_chars(head.data() + digits, head.data() + head.size(), version);
  return version;
}

/// Why assimp does not read the file, if that is its version; else its own message.
std::string faultOf(const std::string& path, const char* message) {
  constexpr std::uint32_t kOldest = 7100;
  const auto bytes = io::lowerCase(path).ends_with(".fbx") ? io::readFile(path) : io::Result<std::string>(io::Error{});
  const std::uint32_t version = bytes ? fbxVersionOf(*bytes) : 0;
  if (version == 0 || version >= kOldest) return message;
  const std::string number = std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10);
  return "is FBX of version " + number +
         ", and only 7.1 (2011) and later are read: Autodesk's FBX Converter, Maya or MotionBuilder save it as FBX "
         "2013 or later";
}

/// GLB of a file. Throws an exception with a sentence.
std::string convert(const std::string& path, bool isMesh) {
  Assimp::Importer importer;
  importer.SetIOHandler(new FolderIo(path));  // the importer owns it
  set(importer, isMesh);
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_TransformUVCoords);
  if (!scene || !scene->mRootNode) throw std::runtime_error(faultOf(path, importer.GetErrorString()));
  return glbOf(*scene, path, isMesh ? ImportFrame() : frameOf(*scene));
}

}  // namespace

int runImportWorker(const std::string& kind, const std::vector<std::string>& paths, std::ostream& out) {
  platform::limitThisProcess(kMostBytes, kMostProcessorSeconds);
  std::set_new_handler([] {
    std::fputs("is too large for the 2 GiB of memory that its reader may take\n", stderr);
    std::_Exit(kBadInput);
  });
  for (const std::string& path : paths) {
    std::string kindOfAnswer = "glb ", answer;
    try {
      answer = convert(path, kind == "mesh");
    } catch (const io::JsonFault& fault) {
      kindOfAnswer = "fault ";
      answer = oneLine(fault.cause);
    } catch (const std::exception& fault) {
      kindOfAnswer = "fault ";
      answer = oneLine(fault.what());
    }
    out << kindOfAnswer << answer.size() << '\n' << answer << std::flush;
  }
  return out ? kSuccess : kBadInput;
}

}  // namespace limber::app

#else

namespace limber::app {

int runImportWorker(const std::string&, const std::vector<std::string>& paths, std::ostream& out) {
  const std::string answer = "cannot be read: this Limber was built without assimp";
  for (std::size_t i = 0; i < paths.size(); ++i) out << "fault " << answer.size() << '\n' << answer << std::flush;
  return out ? kSuccess : kBadInput;
}

}  // namespace limber::app

#endif
