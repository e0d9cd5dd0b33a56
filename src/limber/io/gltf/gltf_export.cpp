// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf.h"

#include "limber/io/base/referred_file.h"
#include "limber/io/gltf/gltf_parts.h"

namespace limber::io {

namespace {

/// Writes the node's transform as a matrix if it has one, else as translation and rotation.
void writePlace(const NodePlace& place, const GltfNode& node, OrderedJson& value) {
  if (const auto matrix = value.find("matrix"); matrix != value.end()) {
    Eigen::Matrix4d local;
    for (int i = 0; i < 16; ++i) local(i) = (*matrix)[i].get<double>();
    local.topLeftCorner<3, 3>() =
        place.rotation * node.rotation.toRotationMatrix().transpose() * local.topLeftCorner<3, 3>().eval();
    local.topRightCorner<3, 1>() = place.translation;
    *matrix = toJson(Eigen::Map<const Eigen::VectorXd>(local.data(), 16));
    return;
  }
  value["rotation"] = toJson(Eigen::Quaterniond(place.rotation).normalized().coeffs());
  if (place.translation != node.translation) value["translation"] = toJson(place.translation);
}

/// The file with its JSON text replaced, and bytes appended to its binary chunk.
std::string withJson(std::string_view bytes, const GltfContainer& container, std::string json, std::string_view added) {
  const auto before = static_cast<std::size_t>(container.json.data() - bytes.data());
  const std::string_view after = bytes.substr(before + container.json.size());
  if (!container.isBinary) return std::string(bytes.substr(0, before)) + json + std::string(after);
  constexpr std::size_t kChunkHeader = 8;
  std::string chunks = jsonChunk(std::move(json));
  if (added.empty()) {
    chunks += after;
  } else if (!container.binary) {
    chunks.append(binaryChunk(added)).append(after);
  } else {
    const std::size_t start = container.binary->data() - after.data();
    chunks.append(after.substr(0, start - kChunkHeader));
    chunks.append(binaryChunk(std::string(*container.binary).append(added)));
    chunks.append(after.substr(start + container.binary->size()));
  }
  return joinChunks(chunks);
}

bool readsOtherFiles(const OrderedJson& json) {
  for (const char* list : {"buffers", "images"})
    if (const auto found = json.find(list); found != json.end())
      for (const OrderedJson& element : *found)
        if (const auto uri = element.find("uri"); uri != element.end() && !uri->get<std::string>().starts_with("data:"))
          return true;
  return false;
}

/// Writes the pose into the nodes' transforms; false when all joints are at rest.
bool writePose(const Document& document, const GltfNodes& nodes, OrderedJson& json) {
  const Figure& figure = *document.figure;
  bool isPosed = false;
  for (int joint = 0; joint < figure.linkCount(); ++joint) {
    const Joint& j = figure.joint(joint);
    const auto coordinates = [&](const Eigen::VectorXd& all) { return all.segment(j.poseIndex, poseSize(j.type)); };
    if (coordinates(document.pose.coordinates) == coordinates(figure.restPose())) continue;
    const int node = document.source->nodeOfLink[joint];
    const NodePlace place = placeOfNode(figure, document.pose, joint, nodes, node);
    writePlace(place, nodes[node], json["nodes"][node]);
    isPosed = true;
  }
  return isPosed;
}

/// True if new bytes go into the binary chunk: for a GLB whose first buffer has no uri, or that has no buffers.
bool takesChunk(const GltfContainer& container, const OrderedJson& json) {
  const auto buffers = json.find("buffers");
  const bool isEmpty = buffers == json.end() || buffers->empty();
  return container.isBinary && (isEmpty || (container.binary && !buffers->front().contains("uri")));
}

/// Writes the motions as animations; `added` must be appended to the binary chunk. False when nothing changed.
bool writeMotion(const Document& document, const GltfFile& file, const GltfNodes& nodes, const GltfContainer& container,
                 OrderedJson& json, std::string& added) {
  GltfAddition addition{json};
  const bool isInChunk = takesChunk(container, json);
  const bool isNew = !isInChunk || !json.contains("buffers") || json["buffers"].empty();
  const std::size_t chunkSize = isInChunk && container.binary ? container.binary->size() : 0;
  const std::size_t padding = (4 - chunkSize % 4) % 4;
  addition.start = chunkSize + (isInChunk ? padding : 0);
  if (isNew && json.contains("buffers")) addition.buffer = static_cast<int>(json["buffers"].size());
  writeGltfMotion(document, file, nodes, addition);
  if (addition.bytes.empty()) return false;
  if (isNew) json["buffers"].push_back(OrderedJson::object());
  OrderedJson& buffer = json["buffers"][addition.buffer];
  buffer["byteLength"] = addition.start + addition.bytes.size();
  if (isInChunk) added = std::string(padding, '\0') + addition.bytes;
  else buffer["uri"] = makeDataUri(addition.bytes);
  return true;
}

/// The file in the other container; chunks that are extensions are left out.
std::string repacked(const std::string& bytes, const std::filesystem::path& path) {
  const OpenContext context;
  const GltfFile file(bytes, path, context);
  OrderedJson json = OrderedJson::parse(splitGltf(bytes).json);
  return repackGltf(file, json);
}

/// Writes the figure's unit into the JSON if the height of the posed file suggests another one; true if written.
bool markUnit(const Document& document, const std::string& posed, OrderedJson& json) {
  const double unit = document.figure->fileFrame().metresPerUnit;
  const Result<FigureSource> again = readGltf(posed, document.source->path);
  if (!again || again->figure->fileFrame().metresPerUnit == unit) return false;
  OrderedJson& extras = json["asset"]["extras"];
  if (!extras.is_object() && !extras.is_null()) return false;
  extras[kGltfMark] = {{"metres_per_unit", toJson(unit)}};
  return true;
}

Exported patch(const Document& document, bool isBinary) {
  const SourceFile& source = *document.source;
  const OpenContext context;
  const GltfFile file(source.bytes, source.path, context);
  const GltfNodes nodes = readGltfNodes(file);
  const GltfContainer container = splitGltf(source.bytes);
  OrderedJson json = OrderedJson::parse(container.json);
  const bool moves = document.motion && document.motion->frameCount > 0;
  std::string added;
  const bool isChanged =
      moves ? writeMotion(document, file, nodes, container, json, added) : writePose(document, nodes, json);
  Exported out{.bytes = isChanged ? withJson(source.bytes, container, json.dump(), added) : source.bytes};
  if (isChanged && !moves && markUnit(document, out.bytes, json))
    out.bytes = withJson(source.bytes, container, json.dump(), added);
  if (container.isBinary != isBinary) {
    out.bytes = repacked(out.bytes, source.path);
    json = OrderedJson::parse(splitGltf(out.bytes).json);
  }
  if (readsOtherFiles(json))
    out.notes.push_back("The file reads others (buffers, textures) from its own folder: keep it beside them.");
  return out;
}

}  // namespace

Result<Exported> formatGltf(const Document& document, std::optional<bool> isBinary) {
  const bool isGltf = document.source &&
                      (document.source->format == SourceFormat::Gltf || document.source->format == SourceFormat::Glb);
  if (!isGltf) return Error{"", "", "the figure did not come from a glTF file"};
  if (document.source->bytes.empty())
    return Error{"", "", document.source->path.string() + ", which the figure came from, could not be read"};
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const Result<FigureSource> inFile = readGltf(document.source->bytes, document.source->path, {});
  if (!inFile) return inFile.error();
  if (!hasSameBones(*document.figure, *inFile->figure))
    return Error{"", "", "the figure's bones are no longer those of " + document.source->path.filename().string()};
  return faultsAsErrors<Exported>(document.source->path.string(), [&] {
    return patch(document, isBinary.value_or(document.source->format == SourceFormat::Glb));
  });
}

}  // namespace limber::io
