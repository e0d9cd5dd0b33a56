// SPDX-License-Identifier: MIT
#include "limber/io/fbx/fbx_skin.h"

#include <algorithm>
#include <cmath>

#include "limber/io/base/image.h"
#include "limber/io/mesh/obj.h"

namespace limber::io {

namespace {

/// Lengths in centimetres.
Eigen::Matrix4d inFbxUnits(const Eigen::Affine3d& transform) {
  Eigen::Matrix4d matrix = transform.matrix();
  matrix.topRightCorner<3, 1>() *= kFbxUnit;
  return matrix;
}

class FbxSkinWriter {
 public:
  FbxSkinWriter(const Skin& skin, const Kinematics& rest, std::span<const FbxId> boneOf, FbxScene& scene)
      : skin_(skin), rest_(rest), boneOf_(boneOf), scene_(scene), materials_(skin.materials.size(), 0),
        textures_(skin.textures.size(), 0) {}

  void write(const SkinSurface& surface, const std::string& name) {
    const std::vector<Eigen::Affine3d> binds = bindsOf(surface);
    FbxId geometry = 0, model = 0, skin = 0;
    FbxNode& mesh = scene_.add("Geometry", name, "Geometry", "Mesh", geometry);
    writeMesh(surface, worldFromSkin_, mesh);
    FbxNode& node = scene_.add("Model", name, "Model", "Mesh", model);
    node.child("Version", std::int32_t{232});
    FbxProperties(node).vector("Lcl Scaling", "Lcl Scaling", Eigen::Vector3d::Ones());
    node.child("Shading", true).child("Culling", "CullingOff");
    scene_.connect(model, 0);
    scene_.connect(geometry, model);
    if (surface.material >= 0) scene_.connect(material(surface.material), model);
    FbxNode& deformer = scene_.add("Deformer", name, "Deformer", "Skin", skin);
    deformer.child("Version", std::int32_t{101}).child("Link_DeformAcuracy", 50.0);
    scene_.connect(skin, geometry);
    for (std::size_t bone = 0; bone < surface.bones.size(); ++bone) writeCluster(surface, bone, binds[bone], skin);
  }

 private:
  /// The place of each bone when the surface was bound.
  std::vector<Eigen::Affine3d> bindsOf(const SkinSurface& surface) {
    std::vector<Eigen::Affine3d> binds;
    for (const SkinBone& bone : surface.bones) {
      Eigen::Affine3d worldFromLink = Eigen::Affine3d::Identity();
      worldFromLink.linear() = rest_.worldFromLink[bone.link].rotation;
      worldFromLink.translation() = rest_.worldFromLink[bone.link].translation;
      const Eigen::Affine3d linkFromSkin = bone.linkFromSkin.cast<double>();
      if (binds.empty()) worldFromSkin_ = worldFromLink * linkFromSkin;
      const bool isInvertible = std::abs(linkFromSkin.linear().determinant()) > 1e-12;
      binds.push_back(isInvertible ? worldFromSkin_ * linkFromSkin.inverse() : worldFromLink);
    }
    return binds;
  }

  static void writeMesh(const SkinSurface& surface, const Eigen::Affine3d& worldFromSkin, FbxNode& mesh) {
    std::vector<double> places, normals, coordinates;
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
      const Eigen::Vector3d place = kFbxUnit * (worldFromSkin * surface.positions[i].cast<double>());
      const Eigen::Vector3d normal = carriedNormal(worldFromSkin, surface.normals[i].cast<double>());
      places.insert(places.end(), place.begin(), place.end());
      normals.insert(normals.end(), normal.begin(), normal.end());
    }
    for (const Eigen::Vector2f& at : surface.textureCoordinates) {
      coordinates.push_back(static_cast<double>(at.x()));
      coordinates.push_back(1.0 - static_cast<double>(at.y()));
    }
    // The last corner of a polygon is the complement of its index. Mirrored triangles are turned round.
    const bool isTurned = worldFromSkin.linear().determinant() < 0.0;
    std::vector<std::int32_t> corners;
    for (std::size_t i = 0; i + 2 < surface.triangles.size(); i += 3) {
      const auto at = [&](std::size_t k) { return static_cast<std::int32_t>(surface.triangles[i + k]); };
      corners.push_back(at(0));
      corners.push_back(at(isTurned ? 2 : 1));
      corners.push_back(~at(isTurned ? 1 : 2));
    }
    mesh.child("GeometryVersion", std::int32_t{124});
    mesh.child("Vertices", std::span<const double>(places));
    mesh.child("PolygonVertexIndex", std::span<const std::int32_t>(corners));
    writeElement("LayerElementNormal", "Normals", normals, mesh);
    if (!coordinates.empty()) writeElement("LayerElementUV", "UV", coordinates, mesh);
    FbxNode& material = layerElement("LayerElementMaterial", "AllSame", "IndexToDirect", mesh);
    const std::int32_t first = 0;
    material.child("Materials", std::span(&first, 1));
    FbxNode& layer = mesh.child("Layer");
    layer.add(std::int32_t{0}).child("Version", std::int32_t{100});
    for (const char* type : {"LayerElementNormal", "LayerElementUV", "LayerElementMaterial"}) {
      if (coordinates.empty() && std::string_view(type) == "LayerElementUV") continue;
      layer.child("LayerElement").child("Type", type).child("TypedIndex", std::int32_t{0});
    }
  }

  static FbxNode& layerElement(const char* name, const char* mapping, const char* reference, FbxNode& mesh) {
    FbxNode& element = mesh.child(name);
    element.add(std::int32_t{0}).child("Version", std::int32_t{101}).child("Name", "");
    return element.child("MappingInformationType", mapping).child("ReferenceInformationType", reference);
  }

  static void writeElement(const char* name, const char* list, const std::vector<double>& values, FbxNode& mesh) {
    layerElement(name, "ByVertice", "Direct", mesh).child(list, std::span<const double>(values));
  }

  void writeCluster(const SkinSurface& surface, std::size_t bone, const Eigen::Affine3d& bind, FbxId skin) {
    std::vector<std::int32_t> indices;
    std::vector<double> weights;
    for (std::size_t vertex = 0; vertex < surface.positions.size(); ++vertex) {
      double weight = 0.0;
      surface.visitBones(vertex, [&](std::size_t of, float part) {
        if (of == bone) weight += static_cast<double>(part);
      });
      if (weight <= 0.0) continue;
      indices.push_back(static_cast<std::int32_t>(vertex));
      weights.push_back(weight);
    }
    if (indices.empty()) return;
    FbxId cluster = 0;
    FbxNode& node = scene_.add("Deformer", "cluster", "SubDeformer", "Cluster", cluster);
    node.child("Version", std::int32_t{100});
    node.child("UserData").add("").add("");
    node.child("Indexes", std::span<const std::int32_t>(indices));
    node.child("Weights", std::span<const double>(weights));
    node.child("Transform", inFbxUnits(bind.inverse())).child("TransformLink", inFbxUnits(bind));
    scene_.connect(cluster, skin);
    scene_.connect(boneOf_[surface.bones[bone].link], cluster);
  }

  FbxId material(int index) {
    FbxId& id = materials_[index];
    if (id != 0) return id;
    const SkinMaterial& from = skin_.materials[index];
    FbxNode& node = scene_.add("Material", from.name.empty() ? "material" : from.name, "Material", "", id);
    node.child("Version", std::int32_t{102}).child("ShadingModel", "phong").child("MultiLayer", std::int32_t{0});
    const double alpha = from.alpha == SkinAlpha::Opaque ? 1.0 : static_cast<double>(from.color[3]);
    FbxProperties properties(node);
    properties.vector("DiffuseColor", "Color",
                      {encodedColor(from.color[0]), encodedColor(from.color[1]), encodedColor(from.color[2])});
    properties.number("DiffuseFactor", 1.0, "Number", "").number("Opacity", alpha);
    properties.number("TransparencyFactor", 1.0 - alpha, "Number", "");
    properties.vector("SpecularColor", "Color", Eigen::Vector3d::Zero());
    if (from.texture >= 0) scene_.connect(texture(from.texture), id, "DiffuseColor");
    return id;
  }

  FbxId texture(int index) {
    FbxId& id = textures_[index];
    if (id != 0) return id;
    const std::string name = "texture" + std::to_string(index), file = name + ".png";
    FbxId video = 0;
    FbxNode& clip = scene_.add("Video", name, "Video", "Clip", video);
    clip.child("Type", "Clip");
    FbxProperties(clip).text("Path", file);
    clip.child("UseMipMap", std::int32_t{0}).child("Filename", std::string_view(file));
    clip.child("RelativeFilename", std::string_view(file));
    clip.child("Content").addBytes(encodeImage(skin_.textures[index]));
    FbxNode& node = scene_.add("Texture", name, "Texture", "", id);
    node.child("Type", "TextureVideoClip").child("Version", std::int32_t{202});
    node.child("TextureName", std::string_view(name + std::string("\0\1Texture", 9)));
    node.child("Media", std::string_view(name + std::string("\0\1Video", 7)));
    node.child("FileName", std::string_view(file)).child("RelativeFilename", std::string_view(file));
    scene_.connect(video, id);
    return id;
  }

  const Skin& skin_;
  const Kinematics& rest_;
  std::span<const FbxId> boneOf_;
  FbxScene& scene_;
  Eigen::Affine3d worldFromSkin_ = Eigen::Affine3d::Identity();  ///< of the present surface, at rest
  std::vector<FbxId> materials_, textures_;                      ///< those that were written; 0 for others
};

}  // namespace

void addFbxSkin(const Skin& skin, const Kinematics& rest, std::span<const FbxId> boneOf, FbxScene& scene) {
  FbxSkinWriter writer(skin, rest, boneOf, scene);
  for (std::size_t i = 0; i < skin.surfaces.size(); ++i) {
    const std::string& name = skin.surfaces[i].name;
    if (!skin.surfaces[i].bones.empty())
      writer.write(skin.surfaces[i], name.empty() ? "mesh" + std::to_string(i) : name + "_mesh");
  }
}

}  // namespace limber::io
