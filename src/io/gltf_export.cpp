// SPDX-License-Identifier: MIT
// With K the mirror of a node (gltf_nodes.h), Q the rotation of its joint and rest (R, T):
//
//   R' = R K Q K        T' = T + B^-1 R K t / unit      t the joint's shift, B = parentLinkFromParentNode (1 of a root)
#include "io/gltf_export.h"

#include <Eigen/LU>
#include <cstdint>
#include <optional>

#include "io/gltf.h"
#include "io/gltf_nodes.h"
#include "io/json.h"
#include "io/same_bones.h"
#include "scene/take.h"

namespace limber::io {

namespace {

using OrderedJson = nlohmann::ordered_json;  // members stay in the order of the file

OrderedJson rowOf(const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  OrderedJson row = OrderedJson::array();
  for (const double number : numbers) row.push_back(number);
  return row;
}

/// What a joint does to its node; nothing when it is at rest.
struct Turn {
  Eigen::Matrix3d rotation;  ///< R'
  Eigen::Vector3d translation;
};
std::optional<Turn> turnOf(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int index) {
  const GltfNode& node = nodes[index];
  const Joint& j = figure.joint(joint);
  const Eigen::VectorXd now = pose.coordinates.segment(j.poseIndex, poseSize(j.type));
  if (now == figure.restPose().segment(j.poseIndex, poseSize(j.type))) return std::nullopt;
  const Eigen::Matrix3d rotation = node.rotation.toRotationMatrix();
  Turn turn{rotation * node.mirror * jointRotation(figure, pose, joint).toRotationMatrix() * node.mirror,
            node.translation};
  if (j.type != JointType::Free) return turn;
  Eigen::Matrix3d parentLinkFromParentNode = Eigen::Matrix3d::Identity();
  if (node.parent >= 0)
    parentLinkFromParentNode = nodes[node.parent].worldFromLink.transpose() * nodes[node.parent].worldFromNode.linear();
  const Eigen::FullPivLU<Eigen::Matrix3d> solver(parentLinkFromParentNode);
  if (solver.isInvertible())  // below a scale of zero nothing can be shifted
    turn.translation += solver.solve(rotation * node.mirror * now.head<3>()) / figure.fileFrame().metresPerUnit;
  return turn;
}

/// A node holds a matrix, or parts; what is written is what it holds.
void writeTurn(const Turn& turn, const GltfNode& node, OrderedJson& value) {
  if (const auto matrix = value.find("matrix"); matrix != value.end()) {
    Eigen::Matrix4d local;
    for (int i = 0; i < 16; ++i) local(i) = (*matrix)[static_cast<std::size_t>(i)].get<double>();
    local.topLeftCorner<3, 3>() =
        turn.rotation * node.rotation.toRotationMatrix().transpose() * local.topLeftCorner<3, 3>().eval();
    local.topRightCorner<3, 1>() = turn.translation;
    *matrix = rowOf(Eigen::Map<const Eigen::VectorXd>(local.data(), 16));
    return;
  }
  value["rotation"] = rowOf(Eigen::Quaterniond(turn.rotation).normalized().coeffs());
  if (turn.translation != node.translation) value["translation"] = rowOf(turn.translation);
}

void appendWord(std::string& out, std::size_t word) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((word >> shift) & 0xff);
}

/// The file with another JSON text in place of its own.
std::string withJson(std::string_view bytes, const GltfContainer& container, std::string json) {
  const auto before = static_cast<std::size_t>(container.json.data() - bytes.data());
  const std::string_view after = bytes.substr(before + container.json.size());
  if (!container.isBinary) return std::string(bytes.substr(0, before)) + json + std::string(after);
  constexpr std::size_t kHeader = 12, kChunkHeader = 8;
  json.append((4 - json.size() % 4) % 4, ' ');
  std::string out(bytes.substr(0, 8));
  appendWord(out, kHeader + kChunkHeader + json.size() + after.size());
  appendWord(out, json.size());
  return out.append("JSON").append(json).append(after);
}

bool readsOtherFiles(const OrderedJson& json) {
  for (const char* list : {"buffers", "images"})
    if (const auto found = json.find(list); found != json.end())
      for (const OrderedJson& element : *found)
        if (const auto uri = element.find("uri"); uri != element.end() && !uri->get<std::string>().starts_with("data:"))
          return true;
  return false;
}

GltfExport patch(const Document& document, const FigureSource& inFile) {
  const SourceFile& source = *inFile.file;
  const OpenContext context;
  const GltfFile file(source.bytes, source.path, context);
  const GltfNodes nodes = readGltfNodes(file);
  const GltfContainer container = splitGltf(source.bytes);
  OrderedJson json = OrderedJson::parse(container.json);
  bool isPosed = false;
  // A file with a motion opens at its first frame, where the nodes are not: that is nobody's pose.
  const bool isAsOpened = document.frame == 0 && isUntouched(document, 0);
  for (int joint = 0; joint < document.figure->linkCount() && !isAsOpened; ++joint) {
    const int node = source.nodeOfLink[static_cast<std::size_t>(joint)];
    const auto turn = turnOf(*document.figure, document.pose, joint, nodes, node);
    if (!turn) continue;
    writeTurn(*turn, nodes[node], json["nodes"][static_cast<std::size_t>(node)]);
    isPosed = true;
  }
  GltfExport out{isPosed ? withJson(source.bytes, container, json.dump()) : source.bytes, {}};
  if (readsOtherFiles(json))
    out.notes.push_back("The file reads others (buffers, textures) from its own folder: keep it beside them.");
  return out;
}

}  // namespace

Result<GltfExport> formatGltf(const Document& document) {
  const bool isGltf = document.source && (document.source->format == SourceFormat::Gltf ||
                                          document.source->format == SourceFormat::Glb);
  if (!isGltf) return Error{"", "", "the figure did not come from a glTF file"};
  if (document.source->bytes.empty())
    return Error{"", "", document.source->path.string() + ", which the figure came from, could not be read"};
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const Result<FigureSource> inFile = readGltf(document.source->bytes, document.source->path, {});
  if (!inFile) return inFile.error();
  if (!hasSameBones(*document.figure, *inFile->figure))
    return Error{"", "", "the figure's bones are no longer those of " + document.source->path.filename().string()};
  try {
    return patch(document, *inFile);
  } catch (const JsonFault& fault) {
    return Error{document.source->path.string(), fault.place, fault.cause};
  }
}

}  // namespace limber::io
