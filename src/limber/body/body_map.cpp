// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <memory>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

const Kinematics& BodyMap::rest() const {
  return rest_.get([&] { return transformsOf(figure_, restPose(figure_)); });
}

const std::vector<std::string>& BodyMap::names() const {
  return names_.get([&] {
    std::vector<std::string> names;
    for (const Link& link : figure_.links()) names.push_back(link.bone.empty() ? link.name : link.bone);
    return names;
  });
}

const BodyMap& bodyMapOf(const Figure& figure) {
  const auto make = [&] { return std::shared_ptr<const void>(std::make_shared<BodyMap>(figure)); };
  return *static_cast<const BodyMap*>(figure.bodyMap().get(make).get());
}

}  // namespace limber
