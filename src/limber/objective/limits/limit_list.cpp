// SPDX-License-Identifier: MIT
#include "limber/objective/limits/limit_list.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

namespace {

constexpr double kOutside = 1e-9;  // radians, metres: a smaller violation is rounding

bool isStraight(const Couplings::Drive& drive) {
  const auto& c = drive.curve.coefficients;
  return c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0;
}

class Reader {
 public:
  Reader(const Figure& figure, const Limits& limits, const Couplings& couplings, LimitList& list)
      : figure_(figure), limits_(limits), couplings_(couplings), list_(list) {}

  void read() {
    list_.bounds.resize(figure_.stepSize());
    for (int i = 0; i < figure_.linkCount(); ++i) readJoint(i);
    for (const Couplings::Follower& follower : couplings_.followers()) readFollower(follower);
    for (std::size_t k = 0; k < figure_.linearLimits().size(); ++k)
      if (limits_.linearLimitEnabled[k]) readLinearLimit(static_cast<int>(k));
  }

 private:
  void readJoint(int i) {
    const Joint& joint = figure_.joint(i);
    const Interval& interval = limits_.intervals[i];
    if (isScalar(joint) && interval.isBounded() && !couplings_.isFollower(joint.stepIndex)) {
      assert(interval.lower <= interval.upper);
      list_.bounds[joint.stepIndex] = {
          joint.poseIndex, interval, {LimitKind::Lower, i, 1.0}, {LimitKind::Upper, i, 1.0}};
    }
    if (joint.type != JointType::Ball || couplings_.isFollower(joint.stepIndex)) return;
    const BallRange range(limitsOfBall(i));
    if (range.limitsSwing() || range.limitsTwist()) list_.balls.push_back({i, joint.poseIndex, joint.stepIndex, range});
  }

  /// The intersection of the ball's own limits with those of the balls that copy it.
  BallLimits limitsOfBall(int driver) {
    BallLimits limits = limits_.balls[driver];
    for (int i = 0; i < figure_.linkCount(); ++i) {
      const BallLimits& other = limits_.balls[i];
      if (!turnsAs(i, driver) || !other.isBounded()) continue;
      const std::optional<BallLimits> both = intersection(limits, other);
      if (both) limits = *both;
      else
        fail("the limits of joint \"" + nameOf(i) + "\" cannot be kept: it turns as joint \"" + nameOf(driver) +
             "\", whose cone or twist lies elsewhere");
    }
    return limits;
  }

  bool turnsAs(int joint, int driver) const {
    if (figure_.joint(joint).type != JointType::Ball || !couplings_.isFollower(figure_.joint(joint).stepIndex))
      return false;
    const auto& followers = couplings_.followers();
    return std::any_of(followers.begin(), followers.end(), [&](const Couplings::Follower& follower) {
      return follower.coordinate == figure_.joint(joint).stepIndex &&
             couplings_.drivesOf(follower)[0].driver == figure_.joint(driver).stepIndex;
    });
  }

  void readFollower(const Couplings::Follower& follower) {
    if (!follower.isScalar) return;
    const int joint = jointOf(follower.coordinate);
    const Interval& interval = limits_.intervals[joint];
    if (!interval.isBounded()) return;
    list_.followers.push_back({follower.poseIndex, interval});
    const auto drives = couplings_.drivesOf(follower);
    const auto followsBall = [](const Couplings::Drive& d) { return d.kind == Couplings::Drive::Kind::Pointing; };
    if (std::any_of(drives.begin(), drives.end(), followsBall)) return checkRange(joint, follower, interval);
    const bool hasOneDriver =
        std::all_of(drives.begin(), drives.end(), [&](const auto& drive) { return drive.driver == drives[0].driver; });
    if (!drives.empty() && hasOneDriver) return narrow(joint, follower, interval);
    LimitList::Row row{{}, interval, LimitKind::Lower, LimitKind::Upper, joint};
    if (add(follower.coordinate, follower.poseIndex, 1.0, row)) list_.rows.push_back(std::move(row));
    else
      fail("the limits of joint \"" + nameOf(joint) +
           "\" cannot be kept: it follows several joints, not all of them by a constant factor");
  }

  /// A follower does not limit the ball joint that drives it, so its limits must contain all values that it can get.
  void checkRange(int joint, const Couplings::Follower& follower, const Interval& interval) {
    Interval range{follower.offset, follower.offset};
    for (const Couplings::Drive& drive : couplings_.drivesOf(follower)) {
      const Interval part = rangeOf(drive.curve, drive.kind == Couplings::Drive::Kind::Pointing
                                                     ? Interval{-1.0, 1.0}
                                                     : limits_.intervals[jointOf(drive.driver)]);
      range = {range.lower + part.lower, range.upper + part.upper};
    }
    if (range.lower < interval.lower - kOutside || range.upper > interval.upper + kOutside)
      fail("the limits of joint \"" + nameOf(joint) +
           "\" cannot be kept: it follows a ball joint, which takes it farther");
  }

  void narrow(int joint, const Couplings::Follower& follower, const Interval& interval) {
    Quartic sum;
    const auto drives = couplings_.drivesOf(follower);
    const Couplings::Drive& driver = drives[0];
    for (const Couplings::Drive& drive : drives)
      for (std::size_t i = 0; i < sum.coefficients.size(); ++i) sum.coefficients[i] += drive.curve.coefficients[i];
    LimitList::Bound& bound = list_.bounds[driver.driver];
    const double rest =
        std::clamp(figure_.restPose()[driver.driverPoseIndex], bound.interval.lower, bound.interval.upper);
    const auto narrowed = narrowDriver(sum.coefficients, follower.offset, interval, bound.interval, rest);
    if (!narrowed) {
      return fail("the limits of joint \"" + nameOf(joint) + "\" leave no angle to joint \"" +
                  nameOf(jointOf(driver.driver)) + "\", which it follows");
    }
    const auto side = [&](double q) {
      const double slope = sum.slope(q);
      return LimitList::Side{slope * (q == narrowed->upper ? 1.0 : -1.0) > 0.0 ? LimitKind::Upper : LimitKind::Lower,
                             joint, std::abs(slope)};
    };
    if (narrowed->lower > bound.interval.lower) bound.lower = side(narrowed->lower);
    if (narrowed->upper < bound.interval.upper) bound.upper = side(narrowed->upper);
    if (narrowed->isBounded()) bound.poseIndex = driver.driverPoseIndex;
    bound.interval = *narrowed;
  }

  void readLinearLimit(int index) {
    const LinearLimit& limit = figure_.linearLimits()[index];
    LimitList::Row row{{}, limit.bounds, LimitKind::LinearLower, LimitKind::LinearUpper, index};
    if (limit.bounds.lower == limit.bounds.upper) row.lowerKind = row.upperKind = LimitKind::Equality;
    for (const LinearLimit::Term& term : limit.terms) {
      const Joint& joint = figure_.joint(term.joint);
      if (!isScalar(joint))
        return fail("the linear limit \"" + limit.name + "\" names joint \"" + joint.name +
                    "\", which has no single coordinate");
      if (!add(joint.stepIndex, joint.poseIndex, term.coefficient, row))
        return fail("the linear limit \"" + limit.name + "\" cannot be kept: joint \"" + joint.name +
                    "\" follows others, not all of them by a constant factor");
    }
    if (row.terms.empty() && !(row.bounds.lower <= 0.0 && row.bounds.upper >= 0.0))
      return fail("the linear limit \"" + limit.name + "\" asks 0 to lie outside 0");
    if (!row.terms.empty() && row.bounds.isBounded()) list_.rows.push_back(std::move(row));
  }

  /// Adds coefficient * coordinate to the row, a follower by its drivers. False if it follows nonlinearly.
  bool add(int coordinate, int poseIndex, double coefficient, LimitList::Row& row) const {
    if (coefficient == 0.0) return true;
    if (couplings_.isFollower(coordinate)) {
      for (const Couplings::Follower& follower : couplings_.followers()) {
        if (follower.coordinate != coordinate) continue;
        row.bounds.lower -= coefficient * follower.offset;
        row.bounds.upper -= coefficient * follower.offset;
        for (const Couplings::Drive& drive : couplings_.drivesOf(follower))
          if (drive.kind != Couplings::Drive::Kind::Scalar || !isStraight(drive) ||
              !add(drive.driver, drive.driverPoseIndex, coefficient * drive.curve.coefficients[0], row))
            return false;
      }
      return true;
    }
    const auto same =
        std::find_if(row.terms.begin(), row.terms.end(), [&](const auto& t) { return t.coordinate == coordinate; });
    if (same == row.terms.end()) row.terms.push_back({coordinate, poseIndex, coefficient});
    else same->coefficient += coefficient;
    return true;
  }

  int jointOf(int coordinate) const {
    for (int i = 0; i < figure_.linkCount(); ++i)
      if (isScalar(figure_.joint(i)) && figure_.joint(i).stepIndex == coordinate) return i;
    return -1;
  }

  const std::string& nameOf(int joint) const { return figure_.joint(joint).name; }
  void fail(const std::string& fault) {
    if (list_.fault.empty()) list_.fault = fault;
  }

  const Figure& figure_;
  const Limits& limits_;
  const Couplings& couplings_;
  LimitList& list_;
};

}  // namespace

Limits limitsOf(const Figure& figure) {
  Limits limits;
  for (const Joint& joint : figure.joints()) {
    limits.intervals.push_back(joint.limits);
    limits.balls.push_back(joint.ballLimits);
  }
  limits.couplingEnabled.assign(figure.couplings().size(), 1);
  limits.linearLimitEnabled.assign(figure.linearLimits().size(), 1);
  return limits;
}

LimitList listLimits(const Figure& figure, const Limits& limits, const Couplings& couplings) {
  LimitList list;
  Reader(figure, limits, couplings, list).read();
  return list;
}

}  // namespace limber
