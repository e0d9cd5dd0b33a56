// SPDX-License-Identifier: MIT
#include "limber/scene/skin.h"

#include <Eigen/LU>

namespace limber {

void computeBoneTransforms(const Skin& skin, const Kinematics& kinematics,
                           std::vector<Eigen::Affine3d>& worldFromSkin) {
  worldFromSkin.clear();
  for (const SkinSurface& surface : skin.surfaces)
    for (const SkinBone& bone : surface.bones) {
      const Transform& worldFromLink = kinematics.worldFromLink[bone.link];
      Eigen::Affine3d& out = worldFromSkin.emplace_back(Eigen::Affine3d::Identity());
      out.linear() = worldFromLink.rotation * bone.linkFromSkin.linear().cast<double>();
      out.translation() = worldFromLink * bone.linkFromSkin.translation().cast<double>().eval();
    }
}

Eigen::Affine3d blendedTransform(const SkinSurface& surface, std::size_t vertex,
                                 std::span<const Eigen::Affine3d> worldFromSkin) {
  if (surface.influences == 0) return worldFromSkin[0];
  Eigen::Affine3d blended;
  blended.matrix().setZero();
  surface.visitBones(vertex, [&](std::size_t bone, double weight) {
    if (weight > 0.0) blended.matrix() += weight * worldFromSkin[bone].matrix();
  });
  blended.makeAffine();
  return blended;
}

Eigen::Vector3d carriedNormal(const Eigen::Affine3d& worldFromSkin, const Eigen::Vector3d& normal) {
  const Eigen::Matrix3d& m = worldFromSkin.linear();
  Eigen::Matrix3d cofactors;  // the inverse transpose times the determinant: no division
  cofactors << m.col(1).cross(m.col(2)), m.col(2).cross(m.col(0)), m.col(0).cross(m.col(1));
  const Eigen::Vector3d carried = cofactors * normal;
  return (m.determinant() < 0.0 ? -1.0 : 1.0) * carried.stableNormalized();
}

bool isMirrored(const SkinSurface& surface) { return surface.bones[0].linkFromSkin.linear().determinant() < 0.0f; }

}  // namespace limber
