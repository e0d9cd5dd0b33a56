// SPDX-License-Identifier: MIT
#include "limber/io/bvh/bvh_guess.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "limber/body/body_words.h"
#include "limber/io/base/text.h"
#include "limber/kinematics/transform.h"

namespace limber::io {

namespace {

constexpr int kMostSamples = 60;               // sampled frames
constexpr int kMostSampledPlaces = 2'000'000;  // sampled frames times joints
constexpr int kZeroPose = -1;                  // instead of a frame: all rotations zero

constexpr double kAssumedHeight = 1.7;                // metres, of a figure whose unit cannot be guessed
constexpr double kMinHeight = 1.3, kMaxHeight = 2.2;  // metres, of a person
constexpr double kClearlyLonger = 1.25;               // ratio of the extents along two axes
constexpr double kLikePosed = 2.0;                    // largest ratio of the skeleton's height to its poses' length

constexpr double kNoOffset = 1e-3;       // of the mean OFFSET: a shorter OFFSET decides nothing
constexpr double kSteady = 0.05;         // of OFFSET: lower bound of a channel's spread
constexpr double kUnsteady = 0.3;        // of OFFSET: channels with a larger spread decide nothing
constexpr double kTellsApart = 0.25;     // of OFFSET: largest distance of the channels from OFFSET or zero
constexpr double kSameNumber = 1e-5;     // of OFFSET: rounding in a file
constexpr double kOnGround = 0.3;        // of the size of poses: largest distance of the lowest point from zero
constexpr double kTellingHeight = 0.15;  // of the size of poses: smallest lift by OFFSET that decides
constexpr int kMostCarriers = 4;

/// The joints of a root: [begin, end) in file order.
struct BvhTree {
  int begin = 0, end = 0;
};

std::vector<BvhTree> treesOf(const BvhText& text) {
  std::vector<BvhTree> trees;
  for (int i = 0; i < static_cast<int>(text.joints.size()); ++i) {
    if (text.joints[i].parent < 0) trees.push_back({i, i});
    trees.back().end = i + 1;
  }
  return trees;
}

/// The median of the finite values; 0 if there are none.
double medianOf(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The median distance from the median.
double spreadOf(std::vector<double> values) {
  const double median = medianOf(values);
  for (double& value : values) value = std::abs(value - median);
  return medianOf(std::move(values));
}

std::vector<BvhPositions> surveyPositions(const BvhText& text) {
  std::vector<BvhPositions> out(text.joints.size());
  const auto columns = static_cast<std::size_t>(text.channelCount);
  for (std::size_t i = 0; i < text.joints.size(); ++i)
    for (std::size_t c = 0; c < text.joints[i].channels.size(); ++c) {
      const ChannelType type = text.joints[i].channels[c];
      if (type > ChannelType::ZPosition) continue;
      const std::size_t start = text.joints[i].firstColumn + c;
      out[i].columns[static_cast<std::size_t>(type)] = static_cast<int>(start);
      for (std::size_t at = start; at < text.values.size() && out[i].isConstant; at += columns)
        out[i].isConstant = text.values[at] == text.values[start];
    }
  return out;
}

double channelAt(const BvhText& text, int frame, int column) {
  return text.values[static_cast<std::size_t>(frame) * text.channelCount + column];
}

/// The joint's position in its parent in a frame.
Eigen::Vector3d placeInParent(const BvhText& text, const BvhPositions& positions, int joint, int frame) {
  Eigen::Vector3d place = text.joints[joint].offset;
  for (int axis = 0; axis < 3; ++axis)
    if (const int column = positions.columns[axis]; column >= 0)
      place[axis] = channelAt(text, frame, column) + (positions.replaces ? 0.0 : place[axis]);
  return place;
}

Eigen::Matrix3d rotationAt(const BvhText& text, int joint, int frame) {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  const BvhJoint& j = text.joints[joint];
  for (std::size_t c = 0; c < j.channels.size(); ++c) {
    if (j.channels[c] <= ChannelType::ZPosition) continue;
    const double degrees = channelAt(text, frame, j.firstColumn + static_cast<int>(c));
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(static_cast<int>(j.channels[c]) % 3);
    rotation *= Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis).toRotationMatrix();
  }
  return rotation;
}

/// The places of a tree's joints in a frame.
std::vector<Transform> placesOf(const BvhText& text, const std::vector<BvhPositions>& positions, BvhTree tree,
                                int frame) {
  std::vector<Transform> places(tree.end - tree.begin);
  for (int i = tree.begin; i < tree.end; ++i) {
    Transform& place = places[i - tree.begin];
    if (frame == kZeroPose) place.translation = offsetInFigure(text, positions[i], i);
    else place = {rotationAt(text, i, frame), placeInParent(text, positions[i], i, frame)};
    if (const int parent = text.joints[i].parent; parent >= 0) place = places[parent - tree.begin] * place;
  }
  return places;
}

/// The box around the joints and End Sites of a tree in a frame.
BvhExtent extentOf(const BvhText& text, const std::vector<BvhPositions>& positions, BvhTree tree, int frame) {
  BvhExtent extent;
  const auto include = [&](const Eigen::Vector3d& point) {
    extent.lower = extent.lower.cwiseMin(point);
    extent.upper = extent.upper.cwiseMax(point);
  };
  const std::vector<Transform> places = placesOf(text, positions, tree, frame);
  for (int i = tree.begin; i < tree.end; ++i) {
    const Transform& place = places[i - tree.begin];
    include(place.translation);
    for (const Eigen::Vector3d& end : text.joints[i].endSites) include(place * end);
  }
  return extent;
}

/// Chooses up axis, unit and the use of OFFSET for one file.
class BvhGuesser {
 public:
  BvhGuesser(const BvhText& text, std::vector<std::string>& notes)
      : text_(text), notes_(notes), positions_(surveyPositions(text)), trees_(treesOf(text)) {
    const int joints = static_cast<int>(text.joints.size());
    const int samples = std::min(text.frameCount, std::clamp(kMostSampledPlaces / joints, 1, kMostSamples));
    for (int i = 0; i < samples; ++i)
      samples_.push_back(static_cast<int>(static_cast<std::int64_t>(i) * text.frameCount / samples));
    body_ = *std::ranges::max_element(trees_, {}, [](const BvhTree& tree) { return tree.end - tree.begin; });
    for (const BvhJoint& joint : text.joints) noOffset_ += kNoOffset * joint.offset.norm() / joints;
    findHeadAndFeet();
  }

  BvhGuess guess(OffsetRule rule) {
    votes_.resize(positions_.size());
    if (rule == OffsetRule::ByMotion)
      for (std::size_t i = 0; i < positions_.size(); ++i) votes_[i] = voteOfChannels(static_cast<int>(i));
    applyVotes(rule);
    guessAxis();
    guessUnit();
    if (rule == OffsetRule::ByMotion) {
      for (const BvhTree& tree : trees_) voteByGround(tree);
      applyVotes(rule);
    }
    noteOffsets(rule);
    return {std::move(positions_), frame_};
  }

 private:
  /// True if the channels replace OFFSET, false if they are added to it; nullopt if the motion does not decide.
  using Vote = std::optional<bool>;

  bool matters(int joint) const {
    const BvhPositions& positions = positions_[joint];
    const Eigen::Vector3d& offset = text_.joints[joint].offset;
    double length = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      if (positions.columns[axis] >= 0) length = std::max(length, std::abs(offset[axis]));
    return length > noOffset_;
  }

  /// Fits the channels to t OFFSET: t minimises the sum over axes of ((median - t OFFSET) / spread)^2. It is near 1 if
  /// they replace OFFSET and near 0 if they are added to it.
  Vote voteOfChannels(int joint) const {
    if (samples_.empty() || !matters(joint)) return std::nullopt;
    const Eigen::Vector3d& offset = text_.joints[joint].offset;
    const double floor = kSteady * offset.norm();
    double product = 0.0, square = 0.0;
    bool beginsAtOffset = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int column = positions_[joint].columns[axis];
      if (column < 0) continue;
      std::vector<double> values;
      for (const int frame : samples_) values.push_back(channelAt(text_, frame, column));
      const double weight = 1.0 / (std::pow(spreadOf(values), 2) + floor * floor);
      product += weight * medianOf(values) * offset[axis];
      square += weight * offset[axis] * offset[axis];
      beginsAtOffset = beginsAtOffset && std::abs(values.front() - offset[axis]) < kSameNumber * offset.norm();
    }
    const double factor = product / square;
    if (square * kUnsteady * kUnsteady > 1.0) {
      if (std::abs(factor - 1.0) < kTellsApart) return true;
      if (std::abs(factor) < kTellsApart) return false;
    }
    return beginsAtOffset ? Vote(true) : std::nullopt;
  }

  /// Joints without a vote follow the majority, because one program wrote them all.
  void applyVotes(OffsetRule rule) {
    const auto replacing = std::ranges::count(votes_, Vote(true)), adding = std::ranges::count(votes_, Vote(false));
    const bool others = rule == OffsetRule::Replace || replacing > adding;
    isTold_ = replacing + adding > 0;
    for (std::size_t i = 0; i < positions_.size(); ++i) positions_[i].replaces = votes_[i].value_or(others);
  }

  template <typename Measure>
  std::vector<double> overSamples(BvhTree tree, Measure measure) const {
    std::vector<double> out;
    for (const int frame : samples_) out.push_back(measure(extentOf(text_, positions_, tree, frame)));
    return out;
  }

  std::vector<double> lowestOverSamples(BvhTree tree, int axis) const {
    return overSamples(tree, [axis](const BvhExtent& extent) { return extent.lower[axis]; });
  }

  /// The joints of the body that are named head, or else neck, and feet.
  void findHeadAndFeet() {
    std::vector<std::string> names;
    for (int i = body_.begin; i < body_.end; ++i) names.push_back(text_.joints[i].name);
    const BodyPlaces parts = recogniseParts(names);
    head_ = linkAt(parts, {BodyPart::Head, BodySide::Middle});
    if (head_ < 0) head_ = linkAt(parts, {BodyPart::Neck, BodySide::Middle});
    for (const BodySide side : {BodySide::Left, BodySide::Right})
      if (const int foot = linkAt(parts, {BodyPart::Foot, side}); foot >= 0) feet_.push_back(foot);
  }

  /// The size of the body in a frame along each axis: from feet to head if they are known, because spread arms may be
  /// longer than the body is tall; else that of its box.
  Eigen::Vector3d lengthsIn(int frame) const {
    if (head_ >= 0 && feet_.size() == 2) {
      const std::vector<Transform> places = placesOf(text_, positions_, body_, frame);
      const Eigen::Vector3d foot = 0.5 * (places[feet_[0]].translation + places[feet_[1]].translation);
      const Eigen::Vector3d lengths = (places[head_].translation - foot).cwiseAbs();
      if (std::max(lengths.y(), lengths.z()) > lengths.x()) return lengths;
    }
    return extentOf(text_, positions_, body_, frame).size();
  }

  /// The up axis, y or z: the one along which the body is clearly longer over the motion, else that along which the
  /// skeleton is longer. If the two differ, as when people lie, the skeleton's axis is kept if the lowest point stays
  /// nearer to zero along it.
  void guessAxis() {
    zero_ = extentOf(text_, positions_, body_, kZeroPose).size();
    posed_ = zero_;
    if (!samples_.empty())
      for (int axis = 0; axis < 3; ++axis)
        posed_[axis] = medianOf(overSamples(body_, [axis](const BvhExtent& extent) { return extent.size()[axis]; }));
    const Eigen::Vector3d zero = lengthsIn(kZeroPose);
    Eigen::Vector3d posed = zero;
    if (!samples_.empty())
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> lengths;
        for (const int frame : samples_) lengths.push_back(lengthsIn(frame)[axis]);
        posed[axis] = medianOf(std::move(lengths));
      }
    bool isZ = zero.z() > zero.y();
    std::string reason =
        isZ ? "the skeleton is longer along z than along y" : "the skeleton is no longer along z than along y";
    const bool isPosedAlongZ = posed.z() > posed.y();
    const bool isClear = std::max(posed.y(), posed.z()) > kClearlyLonger * std::min(posed.y(), posed.z());
    if (isClear && isPosedAlongZ != isZ && !samples_.empty()) {
      isZ = isPosedAlongZ;
      reason =
          std::string("over the motion, the figure is longer along ") + (isZ ? "z than along y" : "y than along z");
      if (isLikePosed() && isOnGround(isZ ? 1 : 2, isZ ? 2 : 1)) {
        isZ = !isZ;
        reason = std::string("over the motion, the figure's lowest point stays near ") + (isZ ? "z" : "y") + " = 0";
      }
    }
    if (isZ) frame_.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    up_ = isZ ? 2 : 1;
    notes_.push_back(std::string(isZ ? "z" : "y") + " is assumed to be up: " + reason + ".");
  }

  /// True when the skeleton with all rotations zero is about as long as the poses, so that it has the shape of a body.
  bool isLikePosed() const {
    const double skeleton = std::max(zero_.y(), zero_.z()), poses = posed_.norm();
    return skeleton < kLikePosed * poses && poses < kLikePosed * skeleton;
  }

  /// True when the body's lowest point is nearer to zero along `axis` than along `other`. The use of the root's OFFSET
  /// is not known yet, so the one that brings the point nearer counts.
  bool isOnGround(int axis, int other) const {
    const auto away = [&](int a) {
      const std::vector<double> lowest = lowestOverSamples(body_, a);
      const double now = medianOf(lowest), offset = text_.joints[body_.begin].offset[a];
      const double otherwise = positions_[body_.begin].replaces ? now + offset : now - offset;
      return std::min(std::abs(now), std::abs(otherwise)) + spreadOf(lowest);
    };
    return away(axis) < away(other);
  }

  struct Unit {
    const char* name;
    double metres;
  };

  /// The unit in which the height is that of a person; null if no unit fits.
  static const Unit* unitOf(double height) {
    static constexpr std::array<Unit, 5> kUnits = {
        {{"metres", 1.0}, {"centimetres", 0.01}, {"millimetres", 0.001}, {"inches", 0.0254}, {"feet", 0.3048}}};
    const auto found = std::ranges::find_if(kUnits, [&](const Unit& unit) {
      return height * unit.metres >= kMinHeight && height * unit.metres <= kMaxHeight;
    });
    return found == kUnits.end() ? nullptr : found;
  }

  /// Guesses the unit from the height of the skeleton if that has the shape of a body, else from that over the motion.
  void guessUnit() {
    const double skeleton = std::max(zero_.y(), zero_.z());
    const bool isOfSkeleton = samples_.empty() || (isLikePosed() && (unitOf(skeleton) || !unitOf(posed_[up_])));
    const double height = isOfSkeleton ? skeleton : posed_[up_];
    const std::string what = isOfSkeleton ? "the skeleton is " : "over the motion, the figure is ";
    if (const Unit* unit = unitOf(height)) {
      frame_.metresPerUnit = unit->metres;
      notes_.push_back(std::string("Lengths are assumed to be ") + unit->name + ": " + what +
                       inShort(height * unit->metres, 3) + " m tall.");
      return;
    }
    const double size = (isOfSkeleton ? zero_ : posed_).norm();
    const double length = height > 1e-6 * size ? height : size;
    if (length > 1e-9 && length < 1e9) frame_.metresPerUnit = kAssumedHeight / length;
    notes_.push_back(length > 1e-9
                         ? std::string("The unit of length is unknown: the ") + (isOfSkeleton ? "skeleton" : "figure") +
                               " is scaled to " + inShort(length * frame_.metresPerUnit, 3) + " m."
                         : "The skeleton has no extent: one unit is assumed to be 1 m.");
  }

  /// Votes on the joints that carry the whole tree, from its root to the first branching: only one of the two uses of
  /// their OFFSET puts the tree on the ground.
  void voteByGround(BvhTree tree) {
    if (samples_.empty()) return;
    int carriers = 0;
    for (int i = tree.begin; carriers < kMostCarriers; ++i, ++carriers) {
      const double lift = std::abs(text_.joints[i].offset[up_]);
      if (lift > kTellingHeight * posed_.norm() && positions_[i].columns[up_] >= 0 && !isExact(i))
        if (const Vote vote = voteOfGround(tree, i)) votes_[i] = vote;
      const bool goesOn = i + 1 < tree.end && childCount(tree, i) == 1;
      if (!goesOn) return;
    }
  }

  /// True if the channels equal OFFSET, or zero, in every frame: that shows the program's convention, which the ground
  /// must not overrule.
  bool isExact(int joint) const {
    const Eigen::Vector3d& offset = text_.joints[joint].offset;
    const double rounding = kSameNumber * offset.norm();
    bool isOffset = positions_[joint].isConstant, isZero = isOffset;
    for (int axis = 0; axis < 3; ++axis) {
      if (positions_[joint].columns[axis] < 0) continue;
      const double value = channelAt(text_, 0, positions_[joint].columns[axis]);
      isOffset = isOffset && std::abs(value - offset[axis]) <= rounding;
      isZero = isZero && std::abs(value) <= rounding;
    }
    return isOffset || isZero;
  }

  std::ptrdiff_t childCount(BvhTree tree, int joint) const {
    return std::count_if(text_.joints.begin() + joint, text_.joints.begin() + tree.end,
                         [joint](const BvhJoint& other) { return other.parent == joint; });
  }

  Vote voteOfGround(BvhTree tree, int joint) {
    const bool now = positions_[joint].replaces;
    const auto awayFromGround = [&](bool replaces) {
      positions_[joint].replaces = replaces;
      return std::abs(medianOf(lowestOverSamples(tree, up_)));
    };
    const double replacing = awayFromGround(true), adding = awayFromGround(false), size = posed_.norm();
    positions_[joint].replaces = now;
    if (std::min(replacing, adding) > kOnGround * size || std::abs(replacing - adding) < kTellingHeight * size)
      return std::nullopt;
    return replacing < adding;
  }

  void noteOffsets(OffsetRule rule) {
    std::vector<std::string> replacing, adding;
    for (int i = 0; i < static_cast<int>(positions_.size()); ++i)
      if (positions_[i].isPresent() && matters(i))
        (positions_[i].replaces ? replacing : adding).push_back(text_.joints[i].name);
    if (replacing.empty() && adding.empty()) return;
    const bool mostReplace = replacing.size() > adding.size();
    std::string note = mostReplace ? "Position channels replace OFFSET" : "Position channels are added to OFFSET";
    if (rule != OffsetRule::ByMotion) note += ", as requested";
    else note += isTold_ ? ", as the motion shows" : ", because the motion does not show otherwise";
    const std::vector<std::string>& others = mostReplace ? adding : replacing;
    if (!others.empty())
      note += ", but those of " + inOneList(others) + (mostReplace ? " are added to it" : " replace it");
    notes_.push_back(note + ".");
  }

  /// "a", "a, b and c", "a, b and 7 others"
  static std::string inOneList(const std::vector<std::string>& names) {
    constexpr std::size_t kMostNames = 3;
    const std::size_t shown = names.size() <= kMostNames ? names.size() : kMostNames - 1;
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
      const bool isLast = i + 1 == names.size();
      list += (i == 0 ? "" : isLast ? " and " : ", ") + names[i];
    }
    return shown == names.size() ? list : list + " and " + std::to_string(names.size() - shown) + " others";
  }

  const BvhText& text_;
  std::vector<std::string>& notes_;
  std::vector<BvhPositions> positions_;
  std::vector<BvhTree> trees_;
  std::vector<int> samples_;  ///< frames
  BvhTree body_;              ///< the largest tree
  double noOffset_ = 0.0;     ///< file units
  std::vector<Vote> votes_;   ///< by joint
  bool isTold_ = false;
  Eigen::Vector3d zero_, posed_;  ///< sizes of the body: all rotations zero, and the median over the samples
  int up_ = 1;
  int head_ = -1;          ///< joint of the body's tree; -1 if none is named so
  std::vector<int> feet_;  ///< the same; both or fewer
  FileFrame frame_;
};

}  // namespace

BvhGuess guessBvh(const BvhText& text, OffsetRule rule, std::vector<std::string>& notes) {
  return BvhGuesser(text, notes).guess(rule);
}

Eigen::Vector3d offsetInFigure(const BvhText& text, const BvhPositions& positions, int joint) {
  const bool isPart = text.joints[joint].parent >= 0 && positions.isConstant && text.frameCount > 0;
  return isPart ? placeInParent(text, positions, joint, 0) : text.joints[joint].offset;
}

BvhExtent zeroExtent(const BvhText& text, const std::vector<BvhPositions>& positions) {
  BvhExtent all;
  for (const BvhTree& tree : treesOf(text)) {
    const BvhExtent extent = extentOf(text, positions, tree, kZeroPose);
    all.lower = all.lower.cwiseMin(extent.lower);
    all.upper = all.upper.cwiseMax(extent.upper);
  }
  return all;
}

}  // namespace limber::io
