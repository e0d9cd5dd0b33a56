// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/commands/info_json.h"
#include "app/commands/output.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/closed_rest.h"

namespace limber::app {

namespace {

constexpr std::size_t kMaxNames = 40;

std::string_view kindName(const io::Opened& opened) {
  switch (opened.kind) {
    case io::FileKind::StandardFigure: return "standard figure";
    case io::FileKind::Figure: return "Limber figure";
    case io::FileKind::Scene: return "Limber scene";
    case io::FileKind::Problem: return "Limber problem";
    case io::FileKind::Import: return opened.format;
  }
  return "";
}

std::ostream& row(std::ostream& text, std::string_view label) { return text << std::left << std::setw(14) << label; }

/// "1 root", "2 roots".
std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMaxNames; ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMaxNames) out += ", and " + std::to_string(names.size() - kMaxNames) + " more";
  return out.empty() ? "none" : out;
}

void describeLinks(const Figure& figure, std::ostream& text) {
  int roots = 0, withLength = 0;
  double mass = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    roots += figure.link(i).parent < 0;
    withLength += figure.linkLength(i) > 0.0;
    mass += figure.link(i).mass;
  }
  row(text, "links") << figure.linkCount() << ", " << withLength << " of them with length; " << counted(roots, "root")
                     << "; mean length " << figure.meanLinkLength() << " m; " << mass << " kg\n";
}

void describeJoints(const Document& document, std::ostream& text) {
  const Figure& figure = *document.figure;
  std::string types;
  for (const JointType type :
       {JointType::Free, JointType::Ball, JointType::Revolute, JointType::Prismatic, JointType::Fixed}) {
    const auto count = std::count_if(figure.joints().begin(), figure.joints().end(),
                                     [&](const Joint& joint) { return joint.type == type; });
    if (count > 0)
      types += (types.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(jointTypeName(type));
  }
  std::vector<std::string> locked;
  int limited = 0, limitedSpeeds = 0;
  Interval speeds{HUGE_VAL, 0.0};
  for (int i = 0; i < figure.linkCount(); ++i) {
    const JointSettings& settings = document.joints[i];
    limited += settings.limits.isBounded();
    if (const double speed = figure.joint(i).velocityLimit; std::isfinite(speed)) {
      speeds = {std::min(speeds.lower, speed), std::max(speeds.upper, speed)};
      ++limitedSpeeds;
    }
    if (settings.locked || settings.rigidity == 1.0) locked.push_back(figure.joint(i).name);
  }
  row(text, "joints") << types << "\n";
  row(text, "coordinates") << figure.stepSize() << " (" << figure.poseSize() << " numbers in a pose)\n";
  if (!figure.couplings().empty() || !figure.loops().empty()) {
    std::vector<std::string> couplings, loops;
    for (const Coupling& coupling : figure.couplings()) couplings.push_back(figure.joint(coupling.follower).name);
    for (const LoopClosure& loop : figure.loops())
      loops.push_back(loop.name + " (" + std::string(loopKindName(loop.kind)) + ")");
    row(text, "followers") << joinedNames(couplings) << "\n";
    row(text, "loops") << joinedNames(loops) << "\n";
    row(text, "freedom") << counted(degreesOfFreedom(document.figure), "degree") << " of freedom\n";
  }
  row(text, "limits") << "on " << counted(limited, "joint") << "\n";
  if (limitedSpeeds > 0)
    row(text, "speed limits") << "on " << counted(limitedSpeeds, "joint") << ", " << speeds.lower << " to "
                              << speeds.upper << " rad/s or m/s\n";
  row(text, "locked") << joinedNames(locked) << "\n";
}

/// "0.1 - 2 j", in the unit of the file.
std::string polynomialText(const Figure& figure, const Coupling& coupling) {
  std::ostringstream text;
  text << std::setprecision(6) << coupling.offset / unitOf(figure, coupling.follower);
  for (const Coupling::Term& term : coupling.terms) {
    double power = 1.0 / unitOf(figure, coupling.follower);
    for (std::size_t i = 0; i < term.coefficients.size(); ++i) {
      power *= term.pointing ? 1.0 : unitOf(figure, term.driver);
      const double coefficient = term.coefficients[i] * power;
      if (coefficient == 0.0) continue;
      text << (coefficient < 0.0 ? " - " : " + ") << std::abs(coefficient) << ' ' << (term.pointing ? "cosine of " : "")
           << figure.joint(term.driver).name;
      if (i > 0) text << '^' << i + 1;
    }
  }
  return text.str();
}

/// "k follows j: ratio -2, offset 0.1".
std::string couplingText(const Figure& figure, const Coupling& coupling) {
  const std::string follower = figure.joint(coupling.follower).name;
  if (figure.joint(coupling.follower).type == JointType::Ball)
    return follower + " copies " + figure.joint(coupling.terms.front().driver).name;
  const bool isLinear = coupling.terms.size() == 1 && !coupling.terms[0].pointing &&
                        std::all_of(coupling.terms[0].coefficients.begin() + 1, coupling.terms[0].coefficients.end(),
                                    [](double c) { return c == 0.0; });
  if (!isLinear) return follower + " = " + polynomialText(figure, coupling);
  const Coupling::Term& term = coupling.terms[0];
  std::ostringstream text;
  text << std::setprecision(6) << follower << " follows " << figure.joint(term.driver).name << ": ratio "
       << term.coefficients[0] * unitOf(figure, term.driver) / unitOf(figure, coupling.follower) << ", offset "
       << coupling.offset / unitOf(figure, coupling.follower);
  return text.str();
}

void describeCouplings(const Figure& figure, std::ostream& text) {
  const auto couplings = figure.couplings();
  for (std::size_t i = 0; i < std::min(couplings.size(), kMaxNames); ++i)
    row(text, "coupling") << couplingText(figure, couplings[i]) << "\n";
  if (couplings.size() > kMaxNames) row(text, "couplings") << "and " << couplings.size() - kMaxNames << " more\n";
}

/// Height of the figure in a pose, capsules, joints and sites together.
double heightOf(const Figure& figure, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  double lower = HUGE_VAL, upper = -HUGE_VAL;
  const auto include = [&](int link, const Eigen::Vector3d& point, double radius) {
    const double y = (kinematics.worldFromLink[link] * point).y();
    lower = std::min(lower, y - radius);
    upper = std::max(upper, y + radius);
  };
  for (int i = 0; i < figure.linkCount(); ++i) {
    include(i, Eigen::Vector3d::Zero(), 0.0);
    for (const Capsule& capsule : figure.link(i).capsules) {
      include(i, capsule.start, capsule.radius);
      include(i, capsule.end, capsule.radius);
    }
  }
  for (const Site& site : figure.sites()) include(site.link, site.linkFromSite.translation, 0.0);
  return upper - lower;
}

void describeFileFrame(const Figure& figure, std::ostream& text) {
  const FileFrame& frame = figure.fileFrame();
  Eigen::Index up = 0;
  frame.sceneFromFile.row(1).cwiseAbs().maxCoeff(&up);
  row(text, "height") << heightOf(figure, restPose(figure)) << " m at rest, capsules included\n";
  row(text, "file's unit") << frame.metresPerUnit << " m, " << (frame.sceneFromFile(1, up) < 0.0 ? "-" : "")
                           << "xyz"[up] << " up\n";
}

void describeDocument(const Document& document, std::ostream& text) {
  std::vector<std::string> sites;
  for (const Site& site : document.figure->sites()) sites.push_back(site.name);
  row(text, "sites") << joinedNames(sites) << "\n";
  row(text, "goals") << document.goals.size() << "\n";
  if (document.timeline) {
    const Timeline& timeline = *document.timeline;
    row(text, "timeline") << timeline.length << " s, " << timeline.framesPerSecond << " frames per second, "
                          << counted(static_cast<int>(timeline.keys.size()), "key") << ", "
                          << counted(static_cast<int>(timeline.paths.size()), "path") << "\n";
  }
  if (!document.motion) return;
  const auto motions = motionsOf(document);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const auto& motion = motions[i];
    const Motion& bare = motion->bare();
    const auto channels = static_cast<int>(bare.channels.size()), tracks = static_cast<int>(bare.tracks.size());
    std::string held = !bare.poses.empty() ? "a pose a frame"
                       : tracks > 0        ? counted(tracks, "track")
                                           : counted(channels, "channel");
    if (motion->beneath) held += ", keys over " + counted(static_cast<int>(motion->layer.frames().size()), "frame");
    row(text, "motion") << (motions.size() > 1 ? std::to_string(i + 1) + " " : "")
                        << (motion->name.empty() ? "" : motion->name + ": ") << counted(motion->frameCount, "frame")
                        << ", " << held << ", frame time " << motion->frameTime << " s, "
                        << motion->frameCount * motion->frameTime << " s in all\n";
  }
}

}  // namespace

int runInfo(const InfoArguments& arguments, Console& console) {
  const io::Result<io::Opened> opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  if (arguments.isJson) return console.print(io::formatJson(infoJson(*opened)));
  const Figure& figure = *opened->document.figure;
  std::ostringstream text;
  text << std::setprecision(4);
  row(text, "file") << arguments.file << " (" << kindName(*opened) << ")\n";
  row(text, "figure") << (figure.name().empty() ? "unnamed" : figure.name()) << "\n";
  describeLinks(figure, text);
  describeJoints(opened->document, text);
  describeCouplings(figure, text);
  describeFileFrame(figure, text);
  describeDocument(opened->document, text);
  for (const std::string& note : opened->notes) row(text, "note") << note << "\n";
  return console.print(text.str());
}

}  // namespace limber::app
