// SPDX-License-Identifier: MIT
#include "app/features/hand_closing.h"

#include <algorithm>
#include <string>

#include "limber/body/blend_pose.h"
#include "limber/io/base/resources.h"

namespace limber::app {

namespace {

/// The named hand pose of the library on both hands of the figure; the rest pose when the file cannot be read.
Pose handPose(const Document& document, PoseFitter& fitter, const char* name) {
  const Pose rest = restPose(*document.figure);
  const auto file = io::findResource("poses/hand/" + std::string(name) + ".json");
  if (!file) return rest;
  const auto pose = io::readNamedPose(*file);
  return pose ? fitter.fit(document, *pose, rest).pose : rest;
}

}  // namespace

void HandClosing::update(const Document& document, PoseFitter& fitter) {
  if (figure_.lock() == document.figure) return;
  figure_ = document.figure;
  hands_ = fitter.parts().hands;
  if (hands_.empty()) return;
  open_ = handPose(document, fitter, "open");
  fist_ = handPose(document, fitter, "fist");
}

std::vector<int> HandClosing::fingersOf(const Figure& figure, const std::vector<int>& links) const {
  std::vector<int> fingers;
  for (const auto& [side, hand] : hands_) {
    const int palm = hand.palm;
    const bool isMeant = std::ranges::any_of(links, [&](int link) { return figure.isAncestorOrSelf(palm, link); });
    if (!isMeant) continue;
    for (const auto& digit : hand.digits) fingers.insert(fingers.end(), digit.begin(), digit.end());
    fingers.insert(fingers.end(), hand.mitten.begin(), hand.mitten.end());
  }
  return fingers;
}

double HandClosing::amount(const Document& document, const std::vector<int>& fingers) const {
  Eigen::VectorXd whole, gone;
  difference(*document.figure, open_, fist_, whole);
  difference(*document.figure, open_, document.pose, gone);
  double along = 0.0, length = 0.0;
  for (const int finger : fingers) {
    const Joint& joint = document.figure->joint(finger);
    const auto ofWhole = whole.segment(joint.stepIndex, stepSize(joint.type));
    along += ofWhole.dot(gone.segment(joint.stepIndex, stepSize(joint.type)));
    length += ofWhole.squaredNorm();
  }
  return length > 0.0 ? std::clamp(along / length, 0.0, 1.0) : 0.0;
}

void HandClosing::close(Document& document, const std::vector<int>& fingers, double amount) const {
  const Pose closed = blendPoses(document, open_, fist_, std::clamp(amount, 0.0, 1.0));
  for (const int finger : fingers) {
    const Joint& joint = document.figure->joint(finger);
    if (document.joints[finger].locked) continue;
    document.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
        closed.coordinates.segment(joint.poseIndex, poseSize(joint.type));
  }
  clampToLimits(document, document.pose);
  moveTargetsToEndEffectors(document);
}

}  // namespace limber::app
