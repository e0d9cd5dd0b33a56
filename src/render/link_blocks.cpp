// SPDX-License-Identifier: MIT
#include "render/link_blocks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/body/body_map.h"
#include "limber/kinematics/decompositions.h"
#include "render/limbs.h"

namespace limber::render {

namespace {

// Boxes around capsules.
constexpr int kSlices = 9;             // at which the outline is fitted
constexpr double kCapAlong = 0.35;     // part of a capsule's round end inside the box; joints' balls are there
constexpr double kCapAcross = 0.9;     // the same for a capsule normal to the axis, or a ball
constexpr double kMostTaper = 0.35;    // least ratio of the narrow end's width to the wide one's
constexpr double kBoxRounding = 0.35;  // relative to the least half width
constexpr double kNoDirection = 1e-9;  // relative to the squared lengths: no main direction

// Bones, in their lengths.
constexpr double kBoneWidth = 0.085;     // half width
constexpr double kBoneBase = 1.0 / 7.0;  // where it is widest
constexpr double kBoneRounding = 0.006;

// Parts of robots, in lengths of the part unless a comment says otherwise.
constexpr double kLeastTube = 0.09, kMostTube = 0.3, kUsualTube = 0.14;  // radius
constexpr double kTubeTaper = 0.85, kTubeRounding = 0.55;                // relative to the radius
constexpr double kPlateHalf = 0.4, kPlateHeight = 0.12;                  // of the base, in mean link lengths
constexpr double kFootHeight = 0.35, kFootTaper = 0.8;                   // height in half lengths of the sole
constexpr double kSameJoint = 1e-6;                                      // of joints, in mean link lengths
constexpr double kLow = 0.02;  // of the figure's size: height above the lowest point up to which a sole reaches

/// The unit normal to `axis` nearest to an axis of the frame.
Eigen::Vector3d sideOf(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d& nearest = std::abs(axis.x()) <= std::abs(axis.z()) + 1e-9 ? Eigen::Vector3d::UnitX().eval()
                                                                                   : Eigen::Vector3d::UnitZ().eval();
  return (nearest - axis.dot(nearest) * axis).normalized();
}

/// The main direction of the capsules; the frame's y axis if they are balls.
Eigen::Vector3d directionOf(const std::vector<Capsule>& capsules) {
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  double size = 0.0;
  for (const Capsule& capsule : capsules) {
    const Eigen::Vector3d run = capsule.end - capsule.start;
    spread += run * run.transpose();
    size += run.squaredNorm() + capsule.radius * capsule.radius;
  }
  if (!(spread.trace() > kNoDirection * size)) return Eigen::Vector3d::UnitY();
  return eigenOfSymmetric(spread).vectors.col(2);
}

/// The normal to the axis along which the capsules spread most; sideOf(axis) if they do not spread.
Eigen::Vector3d sideOf(const std::vector<Capsule>& capsules, const Eigen::Vector3d& axis) {
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - axis * axis.transpose();
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Capsule& capsule : capsules) middle += across * (capsule.start + capsule.end);
  middle /= 2.0 * static_cast<double>(capsules.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  double size = 0.0;
  for (const Capsule& capsule : capsules)
    for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) {
      const Eigen::Vector3d away = across * end - middle;
      spread += away * away.transpose();
      size += capsule.radius * capsule.radius;
    }
  if (spread.trace() < 0.02 * size) return sideOf(axis);  // practically one capsule
  const Eigen::Vector3d widest = eigenOfSymmetric(spread).vectors.col(2);
  return (across * widest).normalized();
}

/// A linear function along the axis, fitted to samples.
class EvenChange {
 public:
  void see(double t, double value) {
    moments_ += Eigen::Vector2d(1.0, t) * Eigen::RowVector2d(1.0, t);
    sums_ += value * Eigen::Vector2d(1.0, t);
  }
  double at(double t) const {
    const double determinant = moments_.determinant();
    if (!(determinant > 1e-12 * moments_(0, 0) * moments_(1, 1))) return sums_[0] / std::max(moments_(0, 0), 1.0);
    const Eigen::Vector2d line = moments_.inverse() * sums_;
    return line[0] + t * line[1];
  }

 private:
  Eigen::Matrix2d moments_ = Eigen::Matrix2d::Zero();
  Eigen::Vector2d sums_ = Eigen::Vector2d::Zero();
};

/// Axis, side and side x axis as rows.
Eigen::Matrix3d axesOf(const std::vector<Capsule>& capsules) {
  Eigen::Matrix3d axes;
  axes.row(0) = directionOf(capsules);
  axes.row(1) = sideOf(capsules, axes.row(0).transpose());
  axes.row(2) = axes.row(1).cross(axes.row(0));
  return axes;
}

/// Extends `box` (side and across) by the section at `t` of a capsule in the axes of the box.
void widenBySlice(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double radius, double t,
                  Eigen::AlignedBox2d& box) {
  const double run = b.x() - a.x();
  const auto widenAt = [&](const Eigen::Vector3d& place) {
    const double half2 = radius * radius - (t - place.x()) * (t - place.x());
    if (half2 < 0.0) return;
    const Eigen::Vector2d half = Eigen::Vector2d::Constant(std::sqrt(half2));
    box.extend(Eigen::AlignedBox2d(place.tail<2>() - half, place.tail<2>() + half));
  };
  if (std::abs(run) < radius) {  // normal to the axis
    widenAt(a);
    widenAt(b);
  } else {
    widenAt(a + std::clamp((t - a.x()) / run, 0.0, 1.0) * (b - a));
  }
}

Block boxAround(const std::vector<Capsule>& capsules) {
  const Eigen::Matrix3d axes = axesOf(capsules);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Capsule& capsule : capsules) {
    const double a = axes.row(0).dot(capsule.start), b = axes.row(0).dot(capsule.end);
    const double cap = capsule.radius * (std::abs(b - a) > capsule.radius ? kCapAlong : kCapAcross);
    low = std::min(low, std::min(a, b) - cap);
    high = std::max(high, std::max(a, b) + cap);
  }
  std::array<EvenChange, 2> least, most;
  Eigen::Vector2d widest = Eigen::Vector2d::Zero();
  for (int i = 0; i < kSlices; ++i) {
    const double t = low + (i + 0.5) / kSlices * (high - low);
    Eigen::AlignedBox2d slice;
    for (const Capsule& capsule : capsules)
      widenBySlice(axes * capsule.start, axes * capsule.end, capsule.radius, t, slice);
    if (slice.isEmpty()) continue;
    widest = widest.cwiseMax(0.5 * slice.sizes());
    for (int k = 0; k < 2; ++k) {
      least[k].see(t, slice.min()[k]);
      most[k].see(t, slice.max()[k]);
    }
  }
  const auto endAt = [&](double t, Eigen::Vector2d& half) {
    Eigen::Vector3d middle(t, 0.0, 0.0);
    for (int k = 0; k < 2; ++k) {
      const double from = least[k].at(t), to = most[k].at(t);
      middle[k + 1] = 0.5 * (from + to);
      half[k] = std::clamp(0.5 * (to - from), kMostTaper * widest[k], widest[k]);
    }
    return (axes.transpose() * middle).eval();
  };
  Block block;
  block.start = endAt(low, block.startHalf);
  block.end = endAt(high, block.endHalf);
  const Eigen::Vector3d axis = (block.end - block.start).normalized();  // differs slightly from that of the capsules
  block.side = (axes.row(1).transpose() - axes.row(1).dot(axis) * axis).normalized();
  block.rounding = kBoxRounding * std::min(block.startHalf.minCoeff(), block.endHalf.minCoeff());
  return block;
}

void appendBone(int link, const Eigen::Vector3d& end, std::vector<LinkBlock>& out) {
  const double length = end.norm();
  Block foot;
  foot.start.setZero();
  foot.end = kBoneBase * end;
  foot.side = sideOf(end / length);
  foot.startHalf.setZero();
  foot.endHalf.setConstant(kBoneWidth * length);
  foot.rounding = kBoneRounding * length;
  Block shaft = foot;
  shaft.start = foot.end;
  shaft.end = end;
  std::swap(shaft.startHalf, shaft.endHalf);
  out.push_back({link, foot});
  out.push_back({link, shaft});
}

void appendBones(const Figure& figure, int link, std::vector<LinkBlock>& out) {
  const double samePoint = kSameJoint * figure.meanLinkLength();
  std::vector<Eigen::Vector3d> ends;
  const auto add = [&](const Eigen::Vector3d& end) {
    const auto isIt = [&](const Eigen::Vector3d& other) { return (other - end).norm() <= samePoint; };
    if (end.norm() > samePoint && std::none_of(ends.begin(), ends.end(), isIt)) ends.push_back(end);
  };
  for (const int child : figure.children(link)) add(figure.joint(child).parentFromJoint.translation);
  if (ends.empty()) add(boneEnd(figure, link));
  for (const Eigen::Vector3d& end : ends) appendBone(link, end, out);
}

/// True if a tube to this joint shows something: not to a sensor's frame.
bool isLedTo(const Figure& figure, int child) {
  return figure.joint(child).type != JointType::Fixed || !figure.link(child).capsules.empty() ||
         !figure.children(child).empty();
}

double radiusOfTube(const Figure& figure, int link, double length) {
  const double known = limbRadius(figure, link);
  return std::clamp(known > 0.0 ? known : kUsualTube * length, kLeastTube * length, kMostTube * length);
}

void appendTube(const Figure& figure, int link, const Eigen::Vector3d& end, double share, std::vector<LinkBlock>& out) {
  const double length = end.norm(), radius = share * radiusOfTube(figure, link, length);
  Block block;
  block.start.setZero();
  block.end = end;
  block.side = sideOf(end / length);
  block.startHalf.setConstant(radius);
  block.endHalf.setConstant(kTubeTaper * radius);
  block.rounding = kTubeRounding * radius;
  out.push_back({link, block});
}

/// Tubes to the joints below; a link without them gets a box around its capsules, held by a tube if it is far away.
void appendTubes(const Figure& figure, int link, std::vector<LinkBlock>& out) {
  bool hasParts = false;  // below it
  for (const int child : figure.children(link)) {
    if (!isLedTo(figure, child)) continue;
    hasParts = true;
    const Eigen::Vector3d& end = figure.joint(child).parentFromJoint.translation;
    if (end.norm() > kSameJoint * figure.meanLinkLength()) appendTube(figure, link, end, 1.0, out);
  }
  const std::vector<Capsule>& capsules = figure.link(link).capsules;
  if (hasParts || capsules.empty()) return;
  out.push_back({link, boxAround(capsules)});
  const Capsule& first = capsules.front();
  if (first.start.norm() > first.radius) appendTube(figure, link, first.start, 0.5, out);
}

/// A plate under the root of a robot that is fixed to the world.
void appendBase(const Figure& figure, const Kinematics& rest, std::vector<LinkBlock>& out) {
  if (figure.linkCount() == 0 || figure.joint(0).type != JointType::Fixed) return;
  const Eigen::Vector3d up = rest.worldFromLink[0].rotation.transpose() * Eigen::Vector3d::UnitY();
  const double mean = figure.meanLinkLength();
  Block plate;
  plate.start.setZero();
  plate.end = kPlateHeight * mean * up;
  plate.side = sideOf(up);
  plate.startHalf.setConstant(kPlateHalf * mean);
  plate.endHalf.setConstant(0.9 * kPlateHalf * mean);
  plate.rounding = 0.3 * kPlateHeight * mean;
  out.push_back({0, plate});
}

/// A foot on the lowest points of a link: as long and wide as they are, or a pad under a single one.
void appendFoot(const Figure& figure, const Kinematics& rest, int link, double low, std::vector<LinkBlock>& out) {
  const Transform& place = rest.worldFromLink[link];
  const Eigen::Vector3d x = place.rotation.col(0), level(x.x(), 0.0, x.z());
  const Eigen::Vector3d along = level.norm() > 0.5 ? level.normalized().eval() : Eigen::Vector3d::UnitZ().eval();
  const Eigen::Vector3d across = Eigen::Vector3d::UnitY().cross(along);
  double bottom = std::numeric_limits<double>::infinity();
  const auto eachEnd = [&](auto use) {
    for (const Capsule& capsule : figure.link(link).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) use(place * end, capsule.radius);
  };
  eachEnd([&](const Eigen::Vector3d& end, double radius) { bottom = std::min(bottom, end.y() - radius); });
  Eigen::AlignedBox2d sole;
  eachEnd([&](const Eigen::Vector3d& end, double radius) {
    const Eigen::Vector2d at(end.dot(along), end.dot(across)), half = Eigen::Vector2d::Constant(radius);
    if (end.y() - radius <= bottom + low) sole.extend(Eigen::AlignedBox2d(at - half, at + half));
  });
  if (sole.isEmpty()) return;
  const Eigen::Vector2d half = 0.5 * sole.sizes();
  const double height = kFootHeight * half.maxCoeff();
  const Eigen::Vector3d ground = sole.center().x() * along + sole.center().y() * across;
  const Eigen::Matrix3d linkFromWorld = place.rotation.transpose();
  Block foot;
  foot.start = linkFromWorld * (ground + bottom * Eigen::Vector3d::UnitY() - place.translation);
  foot.end = foot.start + linkFromWorld * (height * Eigen::Vector3d::UnitY());
  foot.side = linkFromWorld * along;
  foot.startHalf = half;
  foot.endHalf = kFootTaper * half;
  foot.rounding = 0.3 * std::min(height, half.minCoeff());
  out.push_back({link, foot});
}

void appendRobot(const Figure& figure, std::vector<LinkBlock>& out) {
  const BodyMap& body = bodyMapOf(figure);
  appendBase(figure, body.rest(), out);
  for (int link = 0; link < figure.linkCount(); ++link) {
    const bool isFoot = std::ranges::any_of(body.feetAtRest(), [&](const Foothold& foot) { return foot.link == link; });
    if (isFoot) appendFoot(figure, body.rest(), link, kLow * body.size(), out);
    else appendTubes(figure, link, out);
  }
}

}  // namespace

double tubeRadius(const Figure& figure, int link) {
  double radius = 0.0;
  for (const int child : figure.children(link)) {
    const double length = figure.joint(child).parentFromJoint.translation.norm();
    if (isLedTo(figure, child) && length > kSameJoint * figure.meanLinkLength())
      radius = std::max(radius, radiusOfTube(figure, link, length));
  }
  return radius;
}

Block operator*(const Transform& transform, const Block& block) {
  Block moved = block;
  moved.start = transform * block.start;
  moved.end = transform * block.end;
  moved.side = transform.rotation * block.side;
  return moved;
}

std::array<Eigen::Vector3d, 8> cornersOf(const Block& block) {
  const Eigen::Vector3d across = block.side.cross((block.end - block.start).normalized());
  std::array<Eigen::Vector3d, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    const Eigen::Vector2d& half = i & 4 ? block.endHalf : block.startHalf;
    corners[i] = (i & 4 ? block.end : block.start) + (i & 1 ? 1.0 : -1.0) * half.x() * block.side +
                 (i & 2 ? 1.0 : -1.0) * half.y() * across;
  }
  return corners;
}

std::optional<double> intersectBlock(const Ray& ray, const Block& block) {
  const Eigen::Vector3d run = block.end - block.start;
  const double length = run.norm();
  if (!(length > 0.0)) return std::nullopt;
  Eigen::Matrix3d axes;  // rows: side, along, across
  axes << block.side.transpose(), run.transpose() / length, block.side.cross(run).transpose() / length;
  const Eigen::Vector3d origin = axes * (ray.origin - block.start), direction = axes * ray.direction;
  double enter = 0.0, leave = std::numeric_limits<double>::infinity();
  /// Clips the ray to  normal . x <= distance.
  const auto clip = [&](const Eigen::Vector3d& normal, double distance) {
    const double room = distance - normal.dot(origin), speed = normal.dot(direction);
    if (speed > 0.0) leave = std::min(leave, room / speed);
    else if (speed < 0.0) enter = std::max(enter, room / speed);
    else if (room < 0.0) leave = -1.0;
  };
  clip(Eigen::Vector3d(0.0, -1.0, 0.0), 0.0);
  clip(Eigen::Vector3d(0.0, 1.0, 0.0), length);
  for (int k = 0; k < 2; ++k) {
    const double slope = (block.endHalf[k] - block.startHalf[k]) / length;
    for (const double sign : {-1.0, 1.0}) {
      Eigen::Vector3d normal(0.0, -slope, 0.0);
      normal[2 * k] = sign;
      clip(normal, block.startHalf[k]);
    }
  }
  if (enter > leave) return std::nullopt;
  return enter;
}

LinkBlocks makeLinkBlocks(std::shared_ptr<const Figure> figure, LinkStyle style) {
  LinkBlocks made{figure, style, {}};
  if (style == LinkStyle::Parts) appendRobot(*figure, made.blocks);
  for (int link = 0; link < figure->linkCount(); ++link) {
    const std::vector<Capsule>& capsules = figure->link(link).capsules;
    if (style == LinkStyle::Bones) appendBones(*figure, link, made.blocks);
    else if (style == LinkStyle::Boxes && !capsules.empty()) made.blocks.push_back({link, boxAround(capsules)});
  }
  return made;
}

}  // namespace limber::render
