// SPDX-License-Identifier: MIT
// limber_experiments natural-drags [--seed N] [--out FILE] [--avatar FILE] CLIP...
//
// The parts that a drag of people moves or leaves in place: drags of a hand and a foot in poses of motion clips (BVH,
// or anything that opens with a motion of a person), and of an avatar's hand in its T-pose, each Even, Natural and
// Still. Writes one row per drag (CSV); scripts/experiments tabulates and draws them (docs/natural_posing.md). The same
// seed gives the same drags. Millimetres are those of a person of 1.75 m, errors means over joints in percent of
// stature.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <numbers>
#include <random>

#include "limber/body/body_map.h"
#include "limber/io/open.h"
#include "limber/posing/posing.h"
#include "research/programs.h"

namespace limber::experiments {
namespace natural_drags {
namespace {

constexpr double kPerson = 1.75;  // metres
constexpr double kFrame = 0.033;  // metres of a person: how far the mouse moves a frame
constexpr double kDegree = 180.0 / std::numbers::pi;
constexpr PosingChoice kChoices[] = {PosingChoice::Even, PosingChoice::Natural, PosingChoice::Still};
constexpr const char* kChoiceNames[] = {"even", "natural", "still"};

struct Person {
  Document document;
  std::map<BodyPlace, int> links;
  double stature = 1.0;
  Eigen::Vector3d up, left, forward;

  int link(BodyPart part, BodySide side = BodySide::Middle) const {
    const auto found = links.find({part, side});
    return found == links.end() ? -1 : found->second;
  }
  double millimetres(double metres) const { return 1000.0 * kPerson / stature * metres; }
  double metres(double ofPerson) const { return ofPerson * stature / kPerson; }
};

Kinematics transformsOf(const Person& person, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(*person.document.figure, pose, kinematics);
  return kinematics;
}

Eigen::Vector3d placeOf(const Kinematics& kinematics, int link) {
  return kinematics.worldFromLink[static_cast<std::size_t>(link)].translation;
}

/// Nothing where the file does not open, or shows nobody.
bool readPerson(const char* file, Person& person) {
  const auto opened = io::openAny(file);
  if (!opened) {
    std::fprintf(stderr, "natural-drags: %s\n", opened.error().message().c_str());
    return false;
  }
  person.document = opened->document;
  person.document.solver = defaultSolverSettings(*person.document.figure);
  person.document.goals.clear();
  for (const auto& [link, place] : bodyMapOf(*person.document.figure).places())
    person.links[place] = link;  // the lowest wins
  const Kinematics rest = transformsOf(person, restPose(*person.document.figure));
  double lowest = 1e9, highest = -1e9;
  if (person.link(BodyPart::Hand, BodySide::Left) < 0 || person.link(BodyPart::Foot, BodySide::Left) < 0) {
    std::fprintf(stderr, "natural-drags: %s shows no person with hands and feet\n", file);
    return false;
  }
  for (int i = 0; i < person.document.figure->linkCount(); ++i)
    for (const Capsule& capsule : person.document.figure->link(i).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) {
        const double y = (rest.worldFromLink[static_cast<std::size_t>(i)] * end).y();
        lowest = std::min(lowest, y);
        highest = std::max(highest, y);
      }
  person.stature = highest - lowest;
  return true;
}

/// The link that both of a pair hang on: what they turn with.
int linkAbove(const Person& person, BodyPart part) {
  const Figure& figure = *person.document.figure;
  int above = person.link(part, BodySide::Left);
  while (above >= 0 && !figure.isAncestorOrSelf(above, person.link(part, BodySide::Right)))
    above = figure.link(above).parent;
  return above;
}

int chestOf(const Person& person) { return linkAbove(person, BodyPart::UpperArm); }
int hipsOf(const Person& person) { return linkAbove(person, BodyPart::UpperLeg); }

double turnOf(const Kinematics& from, const Kinematics& to, int link) {
  const auto i = static_cast<std::size_t>(link);
  return kDegree * Eigen::AngleAxisd(to.worldFromLink[i].rotation * from.worldFromLink[i].rotation.transpose()).angle();
}

/// The largest motion of any point of the feet: their joints and the tips of links below them.
double feetWay(const Person& person, const Kinematics& from, const Kinematics& to) {
  double most = 0.0;
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    const int foot = person.link(BodyPart::Foot, side);
    const auto i = static_cast<std::size_t>(foot);
    for (const Eigen::Vector3d& point : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 0, person.metres(0.15))})
      most = std::max(most, (to.worldFromLink[i] * point - from.worldFromLink[i] * point).norm());
  }
  return most;
}

double meanError(const Person& person, const Kinematics& from, const Kinematics& to, int skipped) {
  double sum = 0.0;
  int count = 0;
  for (const auto& [place, link] : person.links) {
    if (link == skipped || place.part == BodyPart::Thumb || place.part == BodyPart::Fingers) continue;
    sum += (placeOf(from, link) - placeOf(to, link)).norm();
    ++count;
  }
  return 100.0 * sum / count / person.stature;
}

struct Row {
  const char* what;
  std::string file;
  int frame = 0;
  const char* posing;
  double distance = 0.0;  ///< arm lengths from the shoulder
  double chest = 0.0, hips = 0.0, hand = 0.0, feet = 0.0, miss = 0.0, error = 0.0, off = 0.0;
  double chestStep = 0.0;  ///< largest turn of the chest in a frame, degrees
  double nearStep = 0.0;   ///< the same within 0.9 of an arm's length
  int iterations = 0;
  double milliseconds = 0.0;
};

class Table {
 public:
  explicit Table(const char* file) : out_(file) {
    out_ << "what,file,frame,posing,distance,chest,hips,hand,feet,miss,error,off,chest_step,near_step,iterations,ms\n";
  }
  void add(const Row& r) {
    char line[512];
    std::snprintf(line, sizeof line, "%s,%s,%d,%s,%.4f,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%d,%.4g\n", r.what,
                  r.file.c_str(), r.frame, r.posing, r.distance, r.chest, r.hips, r.hand, r.feet, r.miss, r.error,
                  r.off, r.chestStep, r.nearStep, r.iterations, r.milliseconds);
    out_ << line;
  }
  bool isGood() const { return out_.good(); }

 private:
  std::ofstream out_;
};

/// A drag of one link's joint from a pose.
class Pull {
 public:
  Pull(const Person& person, const Pose& start, int link, PosingChoice choice)
      : person_(person), document_(person.document), start_(transformsOf(person, start)), link_(link) {
    document_.pose = start;
    document_.solver.posing = choice;
    request_.startPose = start;
  }

  /// Solves to the end with the joint asked to be there.
  void to(const Eigen::Vector3d& target) {
    request_.drag = DragGoal{.link = link_, .target = target};
    const PosingReport report = solveToEnd(posing_, document_, request_);
    request_.followsLast = true;
    now_ = transformsOf(person_, document_.pose);
    iterations_ = report.summary.iterations();
    milliseconds_ = report.totalMs;
    miss_ = (placeOf(now_, link_) - target).norm();
  }

  const Kinematics& start() const { return start_; }
  const Kinematics& now() const { return now_; }
  const Document& document() const { return document_; }

  void fill(Row& row) const {
    row.chest = turnOf(start_, now_, chestOf(person_));
    row.hips = turnOf(start_, now_, hipsOf(person_));
    const BodySide side = link_ == person_.link(BodyPart::Hand, BodySide::Left) ? BodySide::Right : BodySide::Left;
    const int other = person_.link(BodyPart::Hand, side);
    row.hand = person_.millimetres((placeOf(now_, other) - placeOf(start_, other)).norm());
    row.feet = person_.millimetres(feetWay(person_, start_, now_));
    row.miss = person_.millimetres(miss_);
    row.iterations = iterations_;
    row.milliseconds = milliseconds_;
  }

 private:
  const Person& person_;
  Document document_;
  Kinematics start_, now_;
  int link_;
  PosingRequest request_;
  Posing posing_;
  int iterations_ = 0;
  double milliseconds_ = 0.0, miss_ = 0.0;
};

double armLength(const Person& person, const Kinematics& k, BodySide side) {
  const Eigen::Vector3d shoulder = placeOf(k, person.link(BodyPart::UpperArm, side)),
                        elbow = placeOf(k, person.link(BodyPart::LowerArm, side)),
                        wrist = placeOf(k, person.link(BodyPart::Hand, side));
  return (elbow - shoulder).norm() + (wrist - elbow).norm();
}

/// Forward and outward of the current chest, as people reach.
Eigen::Vector3d reachingDirection(const Person& person, const Kinematics& k, BodySide side, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Eigen::Vector3d across =
      placeOf(k, person.link(BodyPart::UpperArm, side)) - placeOf(k, person.link(BodyPart::UpperArm, otherSide(side)));
  const Eigen::Vector3d outward = across.normalized();
  const double sign = side == BodySide::Left ? 1.0 : -1.0;
  const Eigen::Vector3d forward = (sign * outward).cross(Eigen::Vector3d::UnitY()).normalized();
  while (true) {
    Eigen::Vector3d d(normal(random), normal(random), normal(random));
    d.normalize();
    if (d.dot(forward) > 0.1 && d.dot(outward) > -0.3 && std::abs(d.y()) < 0.8) return d;
  }
}

/// The height of the lower ankle when the person stands lowest.
double floorOf(const Person& person) {
  const Motion& motion = *person.document.motion;
  double lowest = 1e9;
  for (int frame = 0; frame < motion.frameCount; frame += std::max(1, motion.frameCount / 200)) {
    const Kinematics k = transformsOf(person, motion.poseAt(*person.document.figure, frame));
    for (const BodySide side : {BodySide::Left, BodySide::Right})
      lowest = std::min(lowest, placeOf(k, person.link(BodyPart::Foot, side)).y());
  }
  return lowest;
}

/// Both feet near the ground.
bool stands(const Person& person, const Kinematics& k, const Kinematics& rest, double floor) {
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    const int foot = person.link(BodyPart::Foot, side);
    if (placeOf(k, foot).y() > floor + person.metres(0.05)) return false;
    const auto i = static_cast<std::size_t>(foot);
    const Eigen::Matrix3d turn = k.worldFromLink[i].rotation * rest.worldFromLink[i].rotation.transpose();
    if (turn(1, 1) < std::cos(25.0 / kDegree)) return false;
  }
  return true;
}

void pullHands(const Person& person, const std::string& file, std::mt19937& random, Table& table) {
  const Motion& motion = *person.document.motion;
  const Kinematics rest = transformsOf(person, restPose(*person.document.figure));
  const double floor = floorOf(person);
  const int step = std::max(1, static_cast<int>(std::lround(0.7 / motion.frameTime)));
  for (int frame = 0; frame < motion.frameCount; frame += step) {
    const Pose pose = motion.poseAt(*person.document.figure, frame);
    const Kinematics k = transformsOf(person, pose);
    if (!stands(person, k, rest, floor)) continue;
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const Eigen::Vector3d direction = reachingDirection(person, k, side, random);
      const Eigen::Vector3d shoulder = placeOf(k, person.link(BodyPart::UpperArm, side));
      const double arm = armLength(person, k, side);
      for (const double distance : {0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6})
        for (std::size_t c = 0; c < std::size(kChoices); ++c) {
          Pull pull(person, pose, person.link(BodyPart::Hand, side), kChoices[c]);
          pull.to(shoulder + distance * arm * direction);
          Row row{.what = "cold", .file = file, .frame = frame, .posing = kChoiceNames[c], .distance = distance};
          pull.fill(row);
          table.add(row);
        }
    }
  }
}

/// Out along a line and back, a frame at a time.
void sweepHands(const Person& person, const std::string& file, std::mt19937& random, Table& table) {
  const Motion& motion = *person.document.motion;
  const Kinematics rest = transformsOf(person, restPose(*person.document.figure));
  const double floor = floorOf(person);
  const int step = std::max(1, static_cast<int>(std::lround(3.0 / motion.frameTime)));
  for (int frame = 0; frame < motion.frameCount; frame += step) {
    const Pose pose = motion.poseAt(*person.document.figure, frame);
    const Kinematics k = transformsOf(person, pose);
    if (!stands(person, k, rest, floor)) continue;
    const BodySide side = frame / step % 2 ? BodySide::Left : BodySide::Right;
    const Eigen::Vector3d direction = reachingDirection(person, k, side, random);
    const int hand = person.link(BodyPart::Hand, side);
    const Eigen::Vector3d shoulder = placeOf(k, person.link(BodyPart::UpperArm, side)), from = placeOf(k, hand);
    const double arm = armLength(person, k, side);
    std::vector<Eigen::Vector3d> way;
    const auto walk = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
      const int count = std::max(1, static_cast<int>(std::ceil((b - a).norm() / person.metres(kFrame))));
      for (int i = 1; i <= count; ++i) way.push_back(a + (b - a) * (static_cast<double>(i) / count));
    };
    walk(from, shoulder + 0.5 * arm * direction);
    const std::size_t outward = way.size();
    walk(way.back(), shoulder + 1.6 * arm * direction);
    const std::size_t back = way.size();
    walk(way.back(), shoulder + 0.5 * arm * direction);
    walk(way.back(), from);
    for (std::size_t c = 0; c < std::size(kChoices); ++c) {
      Pull pull(person, pose, hand, kChoices[c]);
      Row row{.what = "sweep", .file = file, .frame = frame, .posing = kChoiceNames[c], .distance = 1.6};
      Kinematics before = pull.start();
      double feet = 0.0, milliseconds = 0.0;
      int iterations = 0;
      for (std::size_t i = 0; i < way.size(); ++i) {
        pull.to(way[i]);
        Row now{.what = "", .posing = ""};
        pull.fill(now);
        feet = std::max(feet, now.feet);
        iterations += now.iterations;
        milliseconds += now.milliseconds;
        const double turned = turnOf(before, pull.now(), chestOf(person));
        row.chestStep = std::max(row.chestStep, turned);
        if (i >= outward && (way[i] - shoulder).norm() < 0.9 * arm) row.nearStep = std::max(row.nearStep, turned);
        if (i + 1 == back) row.chest = now.chest, row.hips = now.hips;
        before = pull.now();
      }
      for (const auto& [place, link] : person.links)
        row.off = std::max(row.off, person.millimetres((placeOf(pull.now(), link) - placeOf(k, link)).norm()));
      row.feet = feet;
      row.iterations = iterations / static_cast<int>(way.size());
      row.milliseconds = milliseconds / static_cast<double>(way.size());
      table.add(row);
    }
  }
}

/// What people did: one end went 5 to 60 % of its limb within 1.2 seconds, the other ends stayed.
void pullAsPeopleDo(const Person& person, const std::string& file, Table& table) {
  const Motion& motion = *person.document.motion;
  const Figure& figure = *person.document.figure;
  const int lag = std::max(1, static_cast<int>(std::lround(0.1 / motion.frameTime)));
  for (int frame = 0; frame + lag < motion.frameCount; frame += 5 * lag)
    for (int gap = 2; gap <= 12; gap += 5) {
      if (frame + gap * lag >= motion.frameCount) break;
      const Pose pose = motion.poseAt(figure, frame), later = motion.poseAt(figure, frame + gap * lag);
      const Kinematics a = transformsOf(person, pose), b = transformsOf(person, later);
      int moved = -1, count = 0;
      bool isHand = false;
      for (const BodyPart part : {BodyPart::Hand, BodyPart::Foot})
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
          const bool hand = part == BodyPart::Hand;
          const int end = person.link(part, side);
          const int upper = person.link(hand ? BodyPart::UpperArm : BodyPart::UpperLeg, side);
          const int lower = person.link(hand ? BodyPart::LowerArm : BodyPart::LowerLeg, side);
          const double limb =
              (placeOf(a, lower) - placeOf(a, upper)).norm() + (placeOf(a, end) - placeOf(a, lower)).norm();
          const double way = (placeOf(b, end) - placeOf(a, end)).norm() / limb;
          if (way > 0.6) count = 9;
          if (way < 0.05) continue;
          moved = end;
          isHand = hand;
          ++count;
        }
      if (count != 1) continue;
      Row nothing{.what = isHand ? "real hand" : "real foot", .file = file, .frame = frame, .posing = "nothing moves"};
      nothing.error = meanError(person, a, b, moved);
      table.add(nothing);
      for (std::size_t c = 0; c < std::size(kChoices); ++c) {
        Pull pull(person, pose, moved, kChoices[c]);
        pull.to(placeOf(b, moved));
        Row row{.what = nothing.what, .file = file, .frame = frame, .posing = kChoiceNames[c]};
        pull.fill(row);
        row.error = meanError(person, pull.now(), b, moved);
        table.add(row);
      }
    }
}

void pullAvatar(const Person& person, const std::string& file, Table& table) {
  const Pose rest = restPose(*person.document.figure);
  const Kinematics k = transformsOf(person, rest);
  const BodySide side = BodySide::Left;
  const int hand = person.link(BodyPart::Hand, side);
  const Eigen::Vector3d shoulder = placeOf(k, person.link(BodyPart::UpperArm, side));
  const Eigen::Vector3d outward = (placeOf(k, hand) - shoulder).normalized();
  const double arm = armLength(person, k, side);
  const Eigen::Vector3d up = Eigen::Vector3d::UnitY(), forward = outward.cross(up).normalized();
  const struct {
    const char* what;
    Eigen::Vector3d target;
  } pulls[] = {
      {"avatar within forward", shoulder + 0.8 * arm * (forward + outward).normalized()},
      {"avatar within up", shoulder + 0.8 * arm * (up + forward).normalized()},
      {"avatar 0.35 m beyond", shoulder + (arm + 0.35) * outward},
      {"avatar 0.7 m beyond", shoulder + (arm + 0.7) * outward},
      {"avatar 0.7 m beyond forward", shoulder + (arm + 0.7) * forward},
      {"avatar 0.7 m beyond down", shoulder + (arm + 0.7) * (outward + forward - up).normalized()},
  };
  for (const auto& pulled : pulls)
    for (std::size_t c = 0; c < std::size(kChoices); ++c) {
      Pull pull(person, rest, hand, kChoices[c]);
      pull.to(pulled.target);
      Row row{.what = pulled.what,
              .file = file,
              .posing = kChoiceNames[c],
              .distance = (pulled.target - shoulder).norm() / arm};
      pull.fill(row);
      table.add(row);
    }
}

std::string nameOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

int run(int argc, char** argv) {
  unsigned seed = 1;
  const char* out = "natural.csv";
  std::vector<const char*> clips, avatars;
  for (int i = 1; i < argc; ++i) {
    const bool hasValue = i + 1 < argc;
    if (hasValue && !std::strcmp(argv[i], "--seed")) seed = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    else if (hasValue && !std::strcmp(argv[i], "--out")) out = argv[++i];
    else if (hasValue && !std::strcmp(argv[i], "--avatar")) avatars.push_back(argv[++i]);
    else if (argv[i][0] == '-') {
      std::fprintf(stderr, "usage: limber_experiments natural-drags [--seed N] [--out FILE] [--avatar FILE] CLIP...\n");
      return 2;
    } else clips.push_back(argv[i]);
  }
  Table table(out);
  std::mt19937 random(seed);
  for (const char* clip : clips) {
    Person person;
    if (!readPerson(clip, person) || !person.document.motion) return 1;
    pullHands(person, nameOf(clip), random, table);
    sweepHands(person, nameOf(clip), random, table);
    pullAsPeopleDo(person, nameOf(clip), table);
  }
  for (const char* avatar : avatars) {
    Person person;
    if (!readPerson(avatar, person)) return 1;
    pullAvatar(person, nameOf(avatar), table);
  }
  return table.isGood() ? 0 : 1;
}

}  // namespace
}  // namespace natural_drags

int runNaturalDrags(int argc, char** argv) { return natural_drags::run(argc, argv); }

}  // namespace limber::experiments
