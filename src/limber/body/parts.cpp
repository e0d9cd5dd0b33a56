// SPDX-License-Identifier: MIT
#include "limber/body/parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "limber/body/body_map.h"
#include "limber/body/body_words.h"
#include "limber/body/rigid_bodies.h"

namespace limber {

namespace {

constexpr double kTwig = 0.25;          // of the longest sibling branch: shorter ones belong to their carrier
constexpr int kTwigBodies = 3;          // maximum: branches with more bodies are limbs, however short
constexpr double kDigit = 0.5;          // of the limb up to the hand: fingers are shorter
constexpr int kHandBodies = 40;         // maximum number of bodies below a hand
constexpr double kTip = 0.12;           // of a limb: its last body, if shorter, belongs to the one before it
constexpr double kLongHair = 0.35;      // of the figure's size: a longer attachment of a person is a limb
constexpr std::size_t kShortSpine = 4;  // vertebrae: more are combined

/// Collects parts, each below the one that contains it.
class Builder {
 public:
  explicit Builder(const Figure& figure) : bodies_(findRigidBodies(figure)) {
    found_.partOfLink.assign(figure.linkCount(), -1);
  }

  const RigidBodies& bodies() const { return bodies_; }

  int add(PartKind kind, std::string name, int parent) {
    const int index = static_cast<int>(found_.parts.size());
    found_.parts.emplace_back();
    part(index).kind = kind;
    part(index).name = std::move(name);
    part(index).parent = parent;
    if (parent >= 0) part(parent).children.push_back(index);
    return index;
  }
  FigurePart& part(int index) { return found_.parts[index]; }
  bool isTaken(int body) const { return found_.partOfLink[bodies_[body].main] >= 0; }
  int partOf(int body) const { return found_.partOfLink[bodies_[body].main]; }

  void take(int body, int into) {
    if (part(into).mainLink < 0) part(into).mainLink = bodies_[body].main;
    for (const int link : bodies_[body].links) {
      found_.partOfLink[link] = into;
      part(into).links.push_back(link);
    }
  }
  /// Adds a body and all bodies below it that belong to no other part.
  void takeBranch(int body, int into) {
    std::vector<int> open = {body};
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      if (isTaken(next)) continue;
      take(next, into);
      open.insert(open.end(), bodies_[next].children.begin(), bodies_[next].children.end());
    }
  }

  NamedParts finish() {
    for (FigurePart& each : found_.parts) std::ranges::sort(each.links);
    return std::move(found_);
  }

 private:
  RigidBodies bodies_;
  NamedParts found_;
};

// ---- Fingers --------------------------------------------------------------------------------------------------------

/// "left thumb", by the names of a finger's links.
std::string digitName(const Figure& figure, const std::vector<int>& links, BodySide side) {
  for (const int link : links) {
    const std::string stem = sidedName(figure.link(link).name).stem;
    const auto digit = digitNamed(stem);
    const bool hasName = digit && (digit != BodyPart::Fingers || stem.find("fingers") != std::string::npos);
    if (hasName) return withSide(side, std::string(spokenName(*digit)));
    if (const std::size_t at = stem.find("finger "); at != std::string::npos)  // "finger 2 1"
      return withSide(side, stem.substr(at, stem.find(' ', at + 7) - at));
  }
  return readableName(figure.link(links.front()).name);
}

/// Makes the branches of a hand its fingers. A single branch belongs to the hand itself.
void takeDigits(const Figure& figure, int body, int hand, BodySide side, Builder& build) {
  std::vector<int> branches;
  for (const int child : build.bodies()[body].children)
    if (!build.isTaken(child)) branches.push_back(child);
  if (branches.size() == 1) return build.takeBranch(branches.front(), hand);
  for (const int branch : branches) {
    const int digit = build.add(PartKind::Digit, "", hand);
    build.takeBranch(branch, digit);
    build.part(digit).name = digitName(figure, build.part(digit).links, side);
  }
}

// ---- By shape -------------------------------------------------------------------------------------------------------

/// A body that will become a part of `holder`, `before` metres along a limb of length `reach`.
struct Growth {
  int body, holder;
  double before, reach;
};

/// Makes each body a part, with its twigs, and each of several branches a limb.
class ByShape {
 public:
  ByShape(const Figure& figure, Builder& build) : figure_(figure), build_(build) {}

  void grow(int body, int holder) {
    open_.push_back({body, holder, 0.0, reachOf(body)});
    while (!open_.empty()) {
      const Growth growth = open_.back();
      open_.pop_back();
      if (!build_.isTaken(growth.body)) growOne(growth);
    }
  }
  /// A limb of its own, unless it is a single body.
  void growLimb(int body, int holder) { grow(body, holderFor(body, holder)); }

 private:
  const RigidBody& bodyOf(int body) const { return build_.bodies()[body]; }
  double reachOf(int body) const { return bodyOf(body).reach; }
  /// The length from the joint of its carrier to its end.
  double armOf(int body) const { return build_.bodies().armOf(body); }

  /// A new limb for a row of bodies; the carrier's container for a single body, and for one that branches again.
  int holderFor(int body, int holder) {
    return bodyOf(body).children.empty() || branchesAgain(body) ? holder : build_.add(PartKind::Limb, "", holder);
  }
  bool branchesAgain(int top) const {
    double before = 0.0;
    for (int body = top;;) {
      const std::vector<int> branches = branchesOf(body);
      if (branches.empty()) return false;
      if (branches.size() > 1) return !areDigits({body, -1, before, 0.0}, branches);
      body = branches.front();
      before += build_.bodies().stepTo(body);
    }
  }
  /// The children of a body that are not twigs and belong to no part yet.
  std::vector<int> branchesOf(int body) const {
    const double longest = longestOf(body);
    std::vector<int> branches;
    for (const int child : bodyOf(body).children)
      if (!build_.isTaken(child) && !isTwig(child, longest)) branches.push_back(child);
    return branches;
  }
  double longestOf(int body) const {
    double longest = 0.0;
    for (const int child : bodyOf(body).children) longest = std::max(longest, armOf(child));
    return longest;
  }

  bool isTwig(int body, double longest) const {
    return armOf(body) < kTwig * longest && bodyOf(body).count <= kTwigBodies;
  }
  /// True for branches that are short compared with the limb that ends in their body.
  bool areDigits(const Growth& growth, const std::vector<int>& branches) const {
    return branches.size() > 1 && longestOf(growth.body) < kDigit * growth.before &&
           bodyOf(growth.body).count <= kHandBodies;
  }
  bool isTip(const Growth& growth, int child) const {
    return growth.before > 0.0 && bodyOf(child).children.empty() && growth.holder >= 0 &&
           bodyOf(child).reach < kTip * growth.reach;
  }

  void growOne(const Growth& growth) {
    const RigidBody& body = bodyOf(growth.body);
    const int part = build_.add(PartKind::Part, readableName(figure_.link(body.main).name), growth.holder);
    build_.take(growth.body, part);
    std::vector<int> branches = branchesOf(growth.body);
    const double longest = longestOf(growth.body);
    for (const int child : body.children)
      if (!build_.isTaken(child) && isTwig(child, longest)) build_.takeBranch(child, part);
    if (areDigits(growth, branches))
      return takeDigits(figure_, growth.body, part, sidedName(figure_.link(body.main).name).side, build_);
    if (branches.size() == 1 && isTip(growth, branches[0])) return build_.take(branches[0], part);
    if (branches.size() == 1)
      return open_.push_back(
          {branches[0], growth.holder, growth.before + build_.bodies().stepTo(branches[0]), growth.reach});
    std::stable_partition(branches.begin(), branches.end(),
                          [&](int branch) { return branchesAgain(branch); });  // the trunk first
    std::vector<Growth> next;
    for (const int branch : branches) next.push_back({branch, holderFor(branch, growth.holder), 0.0, reachOf(branch)});
    open_.insert(open_.end(), next.rbegin(), next.rend());
  }

  const Figure& figure_;
  Builder& build_;
  std::vector<Growth> open_;
};

bool hasOneOf(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// "left hind leg", for a limb whose parts are all of one side.
std::string sidedLimb(const std::string& side, const std::string& all) {
  std::string where;
  for (const std::string_view word : {"front ", "fore ", "back ", "hind ", "rear ", "middle "})
    if (where.empty() && all.find(word) != std::string::npos) where = word;
  const bool isLeg = hasOneOf(all, {"leg", "foot", "hip", "thigh", "knee", "shin", "ankle", "paw"});
  const bool isArm = !isLeg && hasOneOf(all, {"arm", "hand", "elbow", "wrist", "shoulder"});
  return side + where + (isLeg ? "leg" : isArm ? "arm" : "limb");
}

/// The common words of the names of a limb's parts, else "first part to last part".
std::string limbName(const NamedParts& found, const FigurePart& limb) {
  std::vector<std::string> names;
  std::string all;
  for (const int child : limb.children) {
    names.push_back(found[child].name);
    all += found[child].name + ' ';
  }
  if (names.size() < 2) return names.empty() ? "limb" : names.front();
  for (const std::string side : {"left ", "right "})
    if (std::ranges::all_of(names, [&](const std::string& name) { return name.starts_with(side); }))
      return sidedLimb(side, all);
  std::string common = names.front();
  for (const std::string& name : names) {
    const auto end = std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first;
    const auto kept = static_cast<std::size_t>(end - common.begin());
    const bool endsWord = (kept == common.size() || common[kept] == ' ') && (kept == name.size() || name[kept] == ' ');
    const std::size_t gap = endsWord ? kept : kept == 0 ? 0 : common.rfind(' ', kept - 1);
    common.resize(gap == std::string::npos ? 0 : gap);
  }
  while (!common.empty() && common.back() == ' ') common.pop_back();
  const bool saysNothing = common.size() < 2 || common == "link" || common == "joint" || common == "bone";
  if (saysNothing) return names.front() + " to " + names.back();
  return common;
}

// ---- People ---------------------------------------------------------------------------------------------------------

class ByRole {
 public:
  ByRole(const BodyMap& map, const BodyPlaces& places, Builder& build)
      : figure_(map.figure()), size_(map.size()), build_(build), roles_(build.bodies().count(), -1) {
    for (const auto& [link, place] : places) {
      if (isDigit(place.part) || place.part == BodyPart::Toes) continue;
      const int body = build.bodies().bodyOfLink[link];
      const bool isFixed = figure_.joint(link).type == JointType::Fixed;
      const bool isBranch = hasRole(body) || bodies()[body].children.size() > 1;
      if (isFixed && place.side != BodySide::Middle && isBranch)
        continue;  // it belongs to the chest, like all links fixed to it
      if (!hasRole(body) || link == bodies()[body].main) give(body, place);
    }
    findHips();
    giveNearestRoles();
  }

  void build() {
    addTrunk();
    for (const BodySide side : {BodySide::Left, BodySide::Right})
      addLimb("arm", side, {BodyPart::Clavicle, BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand});
    for (const BodySide side : {BodySide::Left, BodySide::Right})
      addLimb("leg", side, {BodyPart::UpperLeg, BodyPart::LowerLeg, BodyPart::Foot});
    addRest();
  }

 private:
  static constexpr BodyPlace kNoPlace{BodyPart::Fingers, BodySide::Middle};

  const RigidBodies& bodies() const { return build_.bodies(); }
  bool hasRole(int body) const { return roles_[body] >= 0; }
  BodyPlace roleOf(int body) const { return hasRole(body) ? kinds_[roles_[body]] : kNoPlace; }
  bool isMiddle(int body) const { return hasRole(body) && roleOf(body).side == BodySide::Middle; }

  /// The hips without a name: the lowest body that carries both legs.
  void findHips() {
    if (std::ranges::find(kinds_, BodyPlace{BodyPart::Hips, BodySide::Middle}) != kinds_.end()) return;
    std::vector<char> carries(roles_.size(), 0);  // 1: the left leg, 2: the right one, 3: both
    for (int body = bodies().count() - 1; body >= 0; --body) {
      char& own = carries[body];
      if (roleOf(body) == BodyPlace{BodyPart::UpperLeg, BodySide::Left}) own |= 1;
      if (roleOf(body) == BodyPlace{BodyPart::UpperLeg, BodySide::Right}) own |= 2;
      if (own == 3) {
        if (!hasRole(body)) give(body, {BodyPart::Hips, BodySide::Middle});
        return;
      }
      if (bodies()[body].parent >= 0) carries[bodies()[body].parent] |= own;
    }
  }
  void give(int body, BodyPlace place) {
    roles_[body] = static_cast<int>(kinds_.size());
    kinds_.push_back(place);
  }

  /// A body between two with roles takes the role of the nearer one; between pelvis and arms it is a vertebra, and a
  /// hinge of a limb belongs to the limb. A body above these bodies takes the role of the topmost one.
  void giveNearestRoles() {
    std::vector<int> below(roles_.size(), -1);  // the nearest body with a role below; of several one of the middle
    std::vector<char> carriesArms(roles_.size(), 0);  // 1: the left one, 2: the right one, 3: both
    for (int body = bodies().count() - 1; body >= 0; --body) {
      const int parent = bodies()[body].parent;
      const int seen = hasRole(body) ? body : below[body];
      if (hasRole(body) && roleOf(body).part == BodyPart::UpperArm)
        carriesArms[body] = roleOf(body).side == BodySide::Left ? 1 : 2;
      if (parent >= 0) carriesArms[parent] |= carriesArms[body];
      if (parent >= 0 && seen >= 0 && (below[parent] < 0 || isMiddle(seen))) below[parent] = seen;
    }
    given_ = roles_;
    const auto isGiven = [&](int body) { return given_[body] >= 0; };
    std::vector<int> above(roles_.size(), -1);
    for (int body = 0; body < bodies().count(); ++body) {
      const int parent = bodies()[body].parent;
      const int over = parent < 0 ? -1 : isGiven(parent) ? parent : above[parent];
      above[body] = over;
      const int under = below[body];
      if (isGiven(body) || under < 0) continue;
      if (over < 0) roles_[body] = given_[under];
      else if (isMiddle(over) && carriesArms[body] == 3) give(body, {BodyPart::Spine, BodySide::Middle});
      else roles_[body] = given_[isHingeOfLimb(body, under, over) || isNearer(body, under, over) ? under : over];
    }
  }
  /// A hinge between the trunk and a limb is one of several that turn the limb: a robot's hip. A ball joint there may
  /// be a half of the pelvis.
  bool isHingeOfLimb(int body, int under, int over) const {
    const bool isHinge = figure_.joint(bodies()[body].links.front()).type == JointType::Revolute;
    return isHinge && isMiddle(over) && !isMiddle(under);
  }
  bool isNearer(int body, int under, int over) const {
    return (bodies()[under].place - bodies()[body].place).norm() < (bodies()[over].place - bodies()[body].place).norm();
  }

  /// In the order of the tree, bodies with a recognised role first.
  std::vector<int> bodiesOf(BodyPlace place) const {
    std::vector<int> all;
    for (int body = 0; body < bodies().count(); ++body)
      if (hasRole(body) && roleOf(body) == place) all.push_back(body);
    std::stable_partition(all.begin(), all.end(), [&](int body) { return given_[body] >= 0; });
    return all;
  }

  /// Makes bodies one part, whose main link is that of the first.
  int addPart(const std::vector<int>& members, const std::string& name, int holder) {
    const int part = build_.add(PartKind::Part, name, holder);
    for (const int body : members) build_.take(body, part);
    return part;
  }

  void addTrunk() {
    if (const auto head = bodiesOf({BodyPart::Head, BodySide::Middle}); !head.empty()) addPart(head, "head", -1);
    std::vector<int> neck = bodiesOf({BodyPart::Neck, BodySide::Middle});
    for (std::size_t i = neck.size(); i-- > 0;)
      addPart({neck[i]}, neck.size() == 1 ? "neck" : "neck " + std::to_string(i + 1), -1);
    std::vector<int> spine = bodiesOf({BodyPart::Spine, BodySide::Middle});
    std::ranges::sort(spine);
    addSpine(spine);
    if (const auto hips = bodiesOf({BodyPart::Hips, BodySide::Middle}); !hips.empty()) addPart(hips, "pelvis", -1);
  }

  /// From the chest down. More than kShortSpine vertebrae become a part "spine".
  void addSpine(const std::vector<int>& spine) {
    const std::size_t count = spine.size();
    if (count == 0) return;
    addPart({spine.back()}, "chest", -1);
    if (count == 1) return;
    if (count <= 3) {
      if (count == 3) addPart({spine[1]}, "lower chest", -1);
      addPart({spine[0]}, "waist", -1);
      return;
    }
    const int holder = count > kShortSpine ? build_.add(PartKind::Limb, "spine", -1) : -1;
    for (std::size_t i = count - 1; i-- > 0;)
      addPart({spine[i]}, readableName(figure_.link(bodies()[spine[i]].main).name), holder);
  }

  void addLimb(const char* limb, BodySide side, std::initializer_list<BodyPart> parts) {
    int holder = -1;
    for (const BodyPart part : parts) {
      const std::vector<int> members = bodiesOf({part, side});
      if (members.empty()) continue;
      if (holder < 0) holder = build_.add(PartKind::Limb, withSide(side, limb), -1);
      addPart(members, withSide(side, std::string(spokenName(part))), holder);
    }
  }

  /// Bodies without a role belong to the part that carries them, are its fingers, or are limbs if they are long.
  void addRest() {
    ByShape shape(figure_, build_);
    for (int body = 0; body < bodies().count(); ++body) {
      if (build_.isTaken(body)) continue;
      const int carrier = bodies()[body].parent;
      const BodyPlace place = carrier < 0 ? kNoPlace : roleOf(carrier);
      if (carrier >= 0 && place.part == BodyPart::Hand)
        takeDigits(figure_, carrier, build_.partOf(carrier), place.side, build_);
      else if (carrier < 0 || (bodies().armOf(body) > kLongHair * size_ && place.part != BodyPart::Foot))
        shape.growLimb(body, -1);
      else build_.takeBranch(body, build_.partOf(carrier));
    }
  }

  const Figure& figure_;
  double size_;  // metres
  Builder& build_;
  std::vector<int> roles_;  // by body, an index of kinds_; -1 for none
  std::vector<int> given_;  // the same, before giveNearestRoles()
  std::vector<BodyPlace> kinds_;
};

/// Names limbs that have no name, and numbers parts of the same name.
void finishNames(NamedParts& found) {
  for (std::size_t i = found.parts.size(); i-- > 0;)  // contents before containers
    if (found.parts[i].name.empty()) found.parts[i].name = limbName(found, found.parts[i]);
  std::set<std::string> taken;
  for (FigurePart& part : found.parts) {
    const std::string name = part.name;
    for (int times = 2; !taken.insert(part.name).second; ++times) part.name = name + " " + std::to_string(times);
  }
}

}  // namespace

int NamedParts::wholeOf(int link) const {
  int part = partOfLink[link];
  while ((*this)[part].kind == PartKind::Digit) part = (*this)[part].parent;
  return part;
}

std::vector<int> NamedParts::linksOf(int part) const {
  std::vector<int> links, open = {part};
  while (!open.empty()) {
    const FigurePart& next = (*this)[open.back()];
    open.pop_back();
    links.insert(links.end(), next.links.begin(), next.links.end());
    open.insert(open.end(), next.children.begin(), next.children.end());
  }
  std::ranges::sort(links);
  return links;
}

int NamedParts::mainLinkOf(int part) const {
  while ((*this)[part].mainLink < 0) part = (*this)[part].children.front();
  return (*this)[part].mainLink;
}

std::string readableName(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos && colon + 1 < name.size())
    name.remove_prefix(colon + 1);
  if (const std::size_t slash = name.find('/'); slash != std::string_view::npos && slash > 0)
    name = name.substr(0, slash);  // for a body with several hinges, "foot/ankle_y"
  const SidedName sided = sidedName(name);
  std::string text(name);
  if (sided.side != BodySide::Middle && !sided.stem.empty()) {
    text = withSide(sided.side, sided.stem);
    for (const auto& [letters, word] : {std::pair{" f leg", " front leg"}, std::pair{" h leg", " hind leg"},
                                        std::pair{" b leg", " back leg"}, std::pair{" r leg", " rear leg"}})
      if (const std::size_t at = text.find(letters); at != std::string::npos)
        text.replace(at, std::string_view(letters).size(), word);
  }
  std::ranges::replace(text, '_', ' ');
  for (const std::string_view tail : {" link", " joint"})
    if (text.size() > tail.size() && text.ends_with(tail)) text.resize(text.size() - tail.size());
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string(name) : text.substr(first, last - first + 1);
}

const NamedParts& BodyMap::parts() const {
  return parts_.get([&] {
    const BodyPlaces& roles = hasLimbs() ? placesByNamesOrShape() : places();
    Builder build(figure_);
    if (!roles.empty()) {
      ByRole(*this, roles, build).build();
    } else {
      ByShape shape(figure_, build);
      for (int body = 0; body < build.bodies().count(); ++body)
        if (build.bodies()[body].parent < 0) shape.grow(body, -1);
    }
    NamedParts found = build.finish();
    finishNames(found);
    return found;
  });
}

}  // namespace limber
