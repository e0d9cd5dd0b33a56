// SPDX-License-Identifier: MIT
// limber_experiments natural-poses [--parts] CLIP...
//
// How near a body that is posed from a few targets comes to the recorded one. From each clip up to forty standing
// frames, evenly; the places are those of hands and feet, then of the head, too, then of the hips. Each frame is solved
// for cold, with the pull to the pose of rest and with the prior. A table on standard output (docs/natural_posing.md).
//   --parts   a table of the parts of the body instead, posed with the prior: each part's share of the error, how much
//   of
//             that is the same in all frames, and how far from the prior's mean people stood
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "limber/body/body_map.h"
#include "limber/io/json/pose_prior_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/body_prior.h"
#include "limber/posing/posing.h"
#include "research/programs.h"

namespace limber::experiments {
namespace natural_poses {
namespace {

constexpr int kMostFrames = 40;    // of a clip
constexpr double kStands = 0.85;   // of the hips' height at rest
constexpr double kBentBack = 0.1;  // radians beyond straight
constexpr double kDegrees = 180.0 / std::numbers::pi;

struct Body {
  Document document;
  BodyRoles roles;
  double stature = 1.0, hipsAtRest = 1.0;

  int link(BodyPart part, BodySide side = BodySide::Middle) const { return roles.find(part, side); }
};

struct Tally {
  double places = 0.0, rotations = 0.0;  ///< sums of each frame's mean: % of stature, degrees
  int frames = 0, iterations = 0, most = 0, bends = 0, bentBack = 0, missed = 0;
};

/// Errors of a part's rotation relative to the part above; degrees, the right side mirrored to the left.
struct PartTally {
  int count = 0;
  double error = 0.0, worldError = 0.0;
  Eigen::Vector3d turned = Eigen::Vector3d::Zero();  ///< sum of error rotations
  double deviation = 0.0;                            ///< sum of what people had as phi' L phi / 3
};
using PartTallies = std::map<BodyPart, PartTally>;

Kinematics standingAt(const Figure& figure, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  return kinematics;
}

const Transform& worldOf(const Kinematics& kinematics, int link) {
  return kinematics.worldFromLink[static_cast<std::size_t>(link)];
}

double lowestFoot(const Body& body, const Kinematics& kinematics) {
  return std::min(worldOf(kinematics, body.link(BodyPart::Foot, BodySide::Left)).translation.y(),
                  worldOf(kinematics, body.link(BodyPart::Foot, BodySide::Right)).translation.y());
}

double hipsAboveFeet(const Body& body, const Kinematics& kinematics) {
  return worldOf(kinematics, body.link(BodyPart::Hips)).translation.y() - lowestFoot(body, kinematics);
}

std::vector<int> standingFrames(const Body& body) {
  const Motion& motion = *body.document.motion;
  std::vector<int> standing;
  const int step = std::max(1, static_cast<int>(std::lround(0.1 / motion.frameTime)));
  for (int frame = 0; frame < motion.frameCount; frame += step) {
    const Kinematics kinematics = standingAt(*body.document.figure, motion.poseAt(*body.document.figure, frame));
    if (hipsAboveFeet(body, kinematics) > kStands * body.hipsAtRest) standing.push_back(frame);
  }
  std::vector<int> chosen;
  const int count = std::min(kMostFrames, static_cast<int>(standing.size()));
  for (int i = 0; i < count; ++i) chosen.push_back(standing[static_cast<std::size_t>(i) * standing.size() / count]);
  return chosen;
}

std::vector<int> givenLinks(const Body& body, int places) {
  std::vector<int> links;
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const BodyPart part : {BodyPart::Hand, BodyPart::Foot}) links.push_back(body.link(part, side));
  if (places > 4) links.push_back(body.link(BodyPart::Head));
  if (places > 5) links.push_back(body.link(BodyPart::Hips));
  return links;
}

Document problemOf(const Body& body, const Kinematics& recorded, const std::vector<int>& given, bool isNatural) {
  Document document = body.document;
  document.pose = restPose(*document.figure);
  document.goals.clear();
  document.solver.targetWeight = 1e3;
  document.solver.restWeight = 0.1;
  document.solver.reference = isNatural ? RestReference::Natural : RestReference::RestPose;
  for (JointSettings& joint : document.joints) joint.rigidity = 0.0;
  for (const int link : given) {
    const int id = addGoal(document, link, Eigen::Vector3d::Zero());
    findGoal(document, id)->target = worldOf(recorded, link).translation;
  }
  return document;
}

Eigen::Matrix3d frameAt(const Body& body, const Kinematics& kinematics, int link) {
  return worldOf(kinematics, link).rotation * body.roles.linkFromTPose[static_cast<std::size_t>(link)];
}

Eigen::Matrix3d turnAt(const Body& body, const Kinematics& kinematics, int upper, int lower) {
  return frameAt(body, kinematics, upper).transpose() * frameAt(body, kinematics, lower);
}

Eigen::Vector3d logarithmOf(const Eigen::Matrix3d& rotation) {
  return logarithm(Eigen::Quaterniond(rotation).normalized());
}

Eigen::Vector3d turnOf(const Body& body, const Kinematics& kinematics, int upper, int lower) {
  return logarithmOf(turnAt(body, kinematics, upper, lower));
}

void countBends(const Body& body, const Kinematics& kinematics, Tally& tally) {
  const PosePrior& prior = *body.document.posePrior;
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const auto& [upper, lower] :
         {std::pair{BodyPart::UpperArm, BodyPart::LowerArm}, std::pair{BodyPart::UpperLeg, BodyPart::LowerLeg}}) {
      const Eigen::Vector3d way = logarithm(prior.joint(lower, side).mean).normalized();
      const double bend = way.dot(turnOf(body, kinematics, body.link(upper, side), body.link(lower, side)));
      ++tally.bends;
      tally.bentBack += bend < -kBentBack;
    }
}

int partAboveOf(const Body& body, int link) {
  do link = body.document.figure->link(link).parent;
  while (link >= 0 && !body.roles.links.contains(link));
  return link;
}

void tallyParts(const Body& body, const Pose& mean, const Pose& wanted, const Pose& solved, PartTallies& tallies) {
  const Figure& figure = *body.document.figure;
  const Kinematics recorded = standingAt(figure, wanted), found = standingAt(figure, solved),
                   middle = standingAt(figure, mean);
  for (const auto& [link, role] : body.roles.links) {
    PartTally& tally = tallies[role.part];
    ++tally.count;
    tally.worldError +=
        kDegrees * logarithmOf(worldOf(recorded, link).rotation.transpose() * worldOf(found, link).rotation).norm();
    const int upper = partAboveOf(body, link);
    if (upper < 0) continue;
    const Eigen::Matrix3d truth = turnAt(body, recorded, upper, link);
    Eigen::Vector3d error = kDegrees * logarithmOf(turnAt(body, found, upper, link) * truth.transpose());
    tally.error += error.norm();
    if (role.side == BodySide::Right) error = error.cwiseProduct(Eigen::Vector3d(1.0, -1.0, -1.0));
    tally.turned += error;
    const Eigen::Vector3d phi = logarithmOf(truth * turnAt(body, middle, upper, link).transpose());
    const PriorJoint joint = divided(body.document.posePrior->joint(role.part, role.side), role.count);
    tally.deviation += phi.dot(joint.precision * phi) / 3.0;
  }
}

void printParts(const std::string& clip, int places, const PartTallies& tallies) {
  for (const auto& [part, tally] : tallies) {
    const double n = tally.count;
    std::printf("| %s | %d | %s | %.1f | %.1f | %.1f | %.1f |\n", clip.c_str(), places,
                std::string(boneName(part)).c_str(), tally.error / n, tally.turned.norm() / n, tally.worldError / n,
                std::sqrt(tally.deviation / n));
  }
}

void judgePose(const Body& body, const Pose& wanted, const Document& solved, const std::vector<int>& given,
               Tally& tally) {
  const Figure& figure = *body.document.figure;
  const Kinematics recorded = standingAt(figure, wanted), found = standingAt(figure, solved.pose);
  double places = 0.0, rotations = 0.0;
  int placeCount = 0, rotationCount = 0;
  for (const auto& [link, role] : body.roles.links) {
    if (std::ranges::find(given, link) == given.end()) {
      places += (worldOf(recorded, link).translation - worldOf(found, link).translation).norm();
      ++placeCount;
    }
    const int parent = figure.link(link).parent;
    if (role.part == BodyPart::Hips || parent < 0) continue;
    const auto turn = [&](const Kinematics& k) -> Eigen::Matrix3d {
      return worldOf(k, parent).rotation.transpose() * worldOf(k, link).rotation;
    };
    rotations += logarithm(Eigen::Quaterniond(Eigen::Matrix3d(turn(recorded).transpose() * turn(found)))).norm();
    ++rotationCount;
  }
  tally.places += 100.0 * places / placeCount / body.stature;
  tally.rotations += kDegrees * rotations / rotationCount;
  countBends(body, found, tally);
}

void solveClip(const Body& body, int places, bool isNatural, Tally& tally, PartTallies& parts) {
  const std::vector<int> given = givenLinks(body, places);
  const auto prior = findBodyPrior(body.document, *body.document.posePrior);
  Posing posing;
  for (const int frame : standingFrames(body)) {
    const Pose wanted = body.document.motion->poseAt(*body.document.figure, frame);
    Document document = problemOf(body, standingAt(*body.document.figure, wanted), given, isNatural);
    const PosingReport report = solveToEnd(posing, document, {.freeRoot = true});
    if (report.outcome == Outcome::BadInput) std::fprintf(stderr, "%s\n", report.sentence.c_str());
    ++tally.frames;
    tally.iterations += report.summary.iterations();
    tally.most = std::max(tally.most, report.summary.iterations());
    tally.missed += report.outcome != Outcome::Reached;
    judgePose(body, wanted, document, given, tally);
    tallyParts(body, prior->mean, wanted, document.pose, parts);
  }
}

void printTally(const std::string& clip, int places, bool isNatural, const Tally& tally) {
  const double n = std::max(1, tally.frames);
  std::printf("| %s | %d | %s | %d | %.2f | %.1f | %.1f | %d | %.1f | %d |\n", clip.c_str(), places,
              isNatural ? "natural" : "rest", tally.frames, tally.places / n, tally.rotations / n, tally.iterations / n,
              tally.most, 100.0 * tally.bentBack / std::max(1, tally.bends), tally.missed);
  std::fflush(stdout);
}

bool openBody(const std::string& path, const std::shared_ptr<const PosePrior>& prior, Body& body) {
  auto opened = io::openAny(path);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message().c_str());
    return false;
  }
  body.document = opened->document;
  body.document.posePrior = prior;
  const auto roles = bodyMapOf(*body.document.figure).roles();
  if (!roles || !body.document.motion) {
    std::fprintf(stderr, "%s: no human body that moves\n", path.c_str());
    return false;
  }
  body.roles = findBodyPrior(body.document, *prior)->roles;
  const Kinematics rest = standingAt(*body.document.figure, restPose(*body.document.figure));
  double low = rest.worldFromLink[0].translation.y(), high = low;
  for (const Transform& link : rest.worldFromLink) {
    low = std::min(low, link.translation.y());
    high = std::max(high, link.translation.y());
  }
  body.stature = high - low;
  body.hipsAtRest = hipsAboveFeet(body, rest);
  return true;
}

void judgeClip(const Body& body, const std::string& clip, bool showsParts) {
  for (const int places : {4, 5, 6})
    for (const bool isNatural : {false, true}) {
      if (showsParts && !isNatural) continue;
      Tally tally;
      PartTallies parts;
      solveClip(body, places, isNatural, tally, parts);
      if (showsParts) printParts(clip, places, parts);
      else printTally(clip, places, isNatural, tally);
    }
}

int run(int count, char** arguments) {
  const bool showsParts = count > 1 && std::string_view(arguments[1]) == "--parts";
  const auto prior = io::shippedPosePrior();
  if (!prior) {
    std::fprintf(stderr, "%s\n", prior.error().message().c_str());
    return 1;
  }
  std::printf(showsParts
                  ? "| clip | places | part | rotation, degrees | of it in all frames | in the world | people off the "
                    "mean, standard deviations |\n|---|---|---|---|---|---|---|\n"
                  : "| clip | places | reference | frames | error, %% of stature | rotations, degrees | iterations "
                    "| most | bent back, %% | missed |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = showsParts ? 2 : 1; i < count; ++i) {
    Body body;
    if (!openBody(arguments[i], *prior, body)) return 1;
    const std::string path = arguments[i];
    judgeClip(body, path.substr(path.find_last_of('/') + 1), showsParts);
  }
  return 0;
}

}  // namespace
}  // namespace natural_poses

int runNaturalPoses(int argc, char** argv) { return natural_poses::run(argc, argv); }

}  // namespace limber::experiments
