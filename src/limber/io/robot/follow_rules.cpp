// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot_parts.h"

#include <algorithm>
#include <optional>

#include "limber/io/base/json.h"

namespace limber::io {

namespace {

using Polynomial = std::array<double, 5>;
constexpr std::size_t kDegree = 4;
constexpr double kRounding = 1e-9;  // tolerance of FigureBuilder for rest coordinates

double valueAt(const Polynomial& p, double q) { return p[0] + q * (p[1] + q * (p[2] + q * (p[3] + q * p[4]))); }

std::size_t degreeOf(const Polynomial& p) {
  std::size_t degree = kDegree;
  while (degree > 0 && p[degree] == 0.0) --degree;
  return degree;
}

/// The driver's coordinates that keep a linear follower within its limits.
Interval preimage(const Interval& limits, double offset, double slope) {
  const double a = (limits.lower - offset) / slope, b = (limits.upper - offset) / slope;
  return {std::min(a, b), std::max(a, b)};
}

class Folding {
 public:
  Folding(const std::vector<FollowRule>& rules, const std::vector<double>& wanted, FigureBuilder& builder)
      : rules_(rules), wanted_(wanted), builder_(builder), ruleOf_(wanted.size(), -1), onPath_(wanted.size(), 0),
        folded_(rules) {}

  std::vector<FollowFault> run() {
    takeRules();
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (ruleOf_[i] >= 0) fold(static_cast<int>(i));
    takeLimits();
    addCouplings();
    return std::move(faults_);
  }

 private:
  using Kind = FollowFault::Kind;

  int& ruleOf(int joint) { return ruleOf_[joint]; }
  FollowRule& folded(int joint) { return folded_[ruleOf(joint)]; }
  bool isScalar(int joint) const { return poseSize(builder_.joint(joint).type) == 1; }

  void leaveOut(Kind kind, int joint) {
    faults_.push_back({kind, static_cast<std::size_t>(ruleOf(joint))});
    ruleOf(joint) = -1;
  }

  void takeRules() {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const FollowRule& rule = rules_[i];
      if (!isScalar(rule.follower) || (rule.driver >= 0 && !isScalar(rule.driver)))
        faults_.push_back({Kind::NotScalar, i});
      else if (ruleOf(rule.follower) >= 0) faults_.push_back({Kind::Twice, i});
      else ruleOf(rule.follower) = static_cast<int>(i);
    }
  }

  /// Composes the joint's rule with those of its drivers, until its driver follows no other joint.
  void fold(int joint) {
    std::vector<int> path;
    for (int at = joint; at >= 0 && ruleOf(at) >= 0; at = folded(at).driver) {
      if (onPath_[at]) {
        leaveOut(Kind::Cycle, path.back());
        onPath_[path.back()] = 0;
        path.pop_back();
        break;
      }
      onPath_[at] = 1;
      path.push_back(at);
    }
    for (const int at : path) onPath_[at] = 0;
    for (auto at = path.rbegin(); at != path.rend(); ++at) foldOnce(*at);
  }

  void foldOnce(int joint) {
    const int driver = folded(joint).driver;
    if (driver < 0 || ruleOf(driver) < 0) return;
    const auto composed = compose(folded(joint).polynomial, folded(driver).polynomial);
    if (!composed) return leaveOut(Kind::Degree, joint);
    folded(joint).polynomial = *composed;
    folded(joint).driver = folded(driver).driver;
  }

  /// Finds rest coordinates within all limits. Limits of followers that cannot be met are removed.
  void takeLimits() {
    std::vector<Interval> allowed;
    for (std::size_t i = 0; i < wanted_.size(); ++i) allowed.push_back(builder_.joint(static_cast<int>(i)).limits);
    forEachFollower([&](int joint, const FollowRule& rule) {
      if (rule.driver < 0 || degreeOf(rule.polynomial) != 1) return;
      Interval& range = allowed[rule.driver];
      const Interval own = preimage(builder_.joint(joint).limits, rule.polynomial[0], rule.polynomial[1]);
      const Interval both{std::max(range.lower, own.lower), std::min(range.upper, own.upper)};
      if (both.lower <= both.upper) range = both;
    });
    rest_ = wanted_;
    for (std::size_t i = 0; i < rest_.size(); ++i)
      if (isScalar(static_cast<int>(i))) rest_[i] = std::clamp(rest_[i], allowed[i].lower, allowed[i].upper);
    forEachFollower([&](int joint, const FollowRule& rule) {
      const double q = rule.driver < 0 ? rule.polynomial[0] : valueAt(rule.polynomial, rest_[rule.driver]);
      Interval& limits = builder_.joint(joint).limits;
      if (q >= limits.lower - kRounding && q <= limits.upper + kRounding) return;
      faults_.push_back({Kind::Limits, static_cast<std::size_t>(ruleOf(joint))});
      limits = {};
    });
  }

  void addCouplings() {
    forEachFollower([&](int joint, const FollowRule& rule) {
      const Polynomial& p = rule.polynomial;
      if (rule.driver < 0) {  // without a driver the joint is fixed
        builder_.joint(joint).limits = {p[0], p[0]};
        rest_[joint] = p[0];
        return;
      }
      builder_.addCoupling({builder_.joint(rule.driver).name, joint, p[0], {{rule.driver, {p[1], p[2], p[3], p[4]}}}});
    });
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const int joint = static_cast<int>(i);
      const bool follows = ruleOf(joint) >= 0 && folded(joint).driver >= 0;
      if (isScalar(joint) && !follows) builder_.setRest(joint, Eigen::VectorXd::Constant(1, rest_[i]));
    }
  }

  template <typename Visit>
  void forEachFollower(Visit visit) {
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (ruleOf_[i] >= 0) visit(static_cast<int>(i), folded(static_cast<int>(i)));
  }

  const std::vector<FollowRule>& rules_;
  const std::vector<double>& wanted_;
  FigureBuilder& builder_;
  std::vector<int> ruleOf_;  ///< by joint, -1 for none
  std::vector<char> onPath_;
  std::vector<FollowRule> folded_;
  std::vector<double> rest_;
  std::vector<FollowFault> faults_;
};

}  // namespace

std::optional<Polynomial> compose(const Polynomial& outer, const Polynomial& inner) {
  if (degreeOf(outer) * degreeOf(inner) > kDegree) return std::nullopt;
  Polynomial out{};  // by Horner's rule
  for (std::size_t k = kDegree + 1; k-- > 0;) {
    Polynomial product{};
    for (std::size_t i = 0; i <= kDegree; ++i)
      for (std::size_t j = 0; i + j <= kDegree; ++j) product[i + j] += out[i] * inner[j];
    out = product;
    out[0] += outer[k];
  }
  return out;
}

std::vector<FollowFault> addFollowRules(const std::vector<FollowRule>& rules, const std::vector<double>& wanted,
                                        FigureBuilder& builder) {
  return Folding(rules, wanted, builder).run();
}

std::string describe(const FollowFault& fault, const std::vector<FollowRule>& rules, FigureBuilder& builder) {
  using Kind = FollowFault::Kind;
  const FollowRule& rule = rules[fault.rule];
  const auto nameOf = [&](int joint) { return inQuotes(builder.joint(joint).name); };
  const std::string follower = "Joint " + nameOf(rule.follower);
  const std::string driver = rule.driver >= 0 ? nameOf(rule.driver) : "a constant";
  switch (fault.kind) {
    case Kind::Cycle: return follower + " follows " + driver + ", which follows it in turn: it moves on its own.";
    case Kind::NotScalar:
      return follower + " cannot follow " + driver + ": not both turn about or slide along one axis.";
    case Kind::Twice: return follower + " follows something already: that it follows " + driver + " is left out.";
    case Kind::Degree: return follower + " follows " + driver + " by more than a quartic: it moves on its own.";
    case Kind::Limits: break;
  }
  return follower + " cannot keep its own limits while it follows " + driver + ": they are left out.";
}

}  // namespace limber::io
