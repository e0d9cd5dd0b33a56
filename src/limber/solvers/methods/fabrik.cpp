// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/fabrik.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/kinematics/shortest_turn.h"
#include "limber/solvers/convex/point_goals.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/best_rotation.h"

namespace limber {

namespace {

constexpr OptionInfo kFabrikOptions[] = {
    kIterationCap<&FabrikOptions::maxIterations, 1000000>,
    option<&FabrikOptions::tolerance>("tolerance", "Tolerance", "links", 0.0, 1.0,
                                      "Converged when every point is this near its target.", kLogarithmic),
    option<&FabrikOptions::rest>("rest", "At rest", "rad", 0.0, 1.0,
                                 "Also converged when no joint moves by more than this in an iteration.", kLogarithmic),
};
bool fabrikMoves(const Figure& figure, const Joint& joint) {
  return joint.type == JointType::Ball || (joint.type == JointType::Revolute && figure.isPlanar());
}

constexpr SolverInfo kFabrikInfo{
    .name = "fabrik",
    .title = "FABRIK",
    .description =
        "Forward and backward reaching (Aristidou and Lasenby 2011) moves points along lines, without "
        "angles. Ball joints and planar chains, position goals; few cheap iterations.",
    .limits = LimitHandling::None,
    .options = kFabrikOptions,
    .isMonotone = false,
    .seesOneSidedGoals = false,
    .refusal =
        [](const Objective& objective) {
          return refuseForGeometry(objective, "FABRIK", "turns ball joints and the hinges of planar chains",
                                   fabrikMoves);
        },
};

/// A point that moves with a body: the centre of a child body, or the point of a goal.
struct End {
  int body = -1;  ///< the child body, -1 for a goal
  int goal = -1;
  int next = -1;                                     ///< next end of the same body, -1 for none
  double weight = 0.0;                               ///< sum over the goals at and below it
  Eigen::Vector3d arm = Eigen::Vector3d::Zero();     ///< from the centre to the point, before the forward pass
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();  ///< target of the point
};

/// The links that one active joint moves rigidly. Bodies are ordered from the roots; those without goals at or below
/// them are left out.
struct Body {
  int joint = -1;
  int parentEnd = -1;  ///< the end of the parent body at its centre, -1 for a body with a fixed centre
  int firstEnd = -1;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();          ///< updated by the forward pass
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< by the forward pass, world
};

struct ReachMemory final : SolverMemory {
  std::vector<PointGoal> goals;
  std::vector<Body> bodies;
  std::vector<End> ends;
  std::vector<int> bodyOf;  ///< per link: its body, -1 for none
};

class FabrikRun : public SolverRun<FabrikOptions> {
 public:
  FabrikRun(const Objective& objective, Pose& pose, const FabrikOptions& options, Workspace& workspace, SolveLoop& loop)
      : SolverRun(objective, pose, options, workspace, loop) {
    collectPointGoals(objective, memory_.goals);
    if (figure_.isPlanar())
      for (PointGoal& goal : memory_.goals) goal.target.z() = 0.0;
    listBodies();
  }

  SolveStatus iterate() {
    while (!memory_.bodies.empty()) {
      measure();
      if (worstDistance() <= options_.tolerance * figure_.meanLinkLength()) return SolveStatus::Converged;
      if (loop_.iterationsOfPhase() >= options_.maxIterations) return SolveStatus::IterationCap;
      if (!aimStraight()) reachBackward();
      reachForward();
      poseBodies();
      const double moved = loop_.trialDistance();
      if (!std::isfinite(loop_.evaluateTrial())) return SolveStatus::Stalled;
      loop_.acceptTrial();
      const bool mayGoOn = loop_.endIteration(moved, 0.0);
      if (moved <= options_.rest) return SolveStatus::Converged;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::Converged;
  }

 private:
  Body& body(int i) { return memory_.bodies[i]; }
  End& end(int i) { return memory_.ends[i]; }
  const PointGoal& goal(int k) const { return memory_.goals[k]; }
  Transform worldFromJoint(int joint) const {
    return limber::worldFromJoint(figure_, workspace_.current.kinematics, joint);
  }

  /// visit(the end) for each end of a body.
  template <typename Visit>
  void eachEnd(const Body& b, const Visit& visit) {
    for (int e = b.firstEnd; e >= 0; e = end(e).next) visit(end(e));
  }

  int addEnd(int owner, End added) {
    added.next = std::exchange(body(owner).firstEnd, static_cast<int>(memory_.ends.size()));
    memory_.ends.push_back(added);
    return body(owner).firstEnd;
  }

  void listBodies() {
    auto& [goals, bodies, ends, bodyOf] = memory_;
    bodies.clear();
    ends.clear();
    bodyOf.assign(figure_.linkCount(), 0);
    for (const PointGoal& point : goals)  // first: 1 for the links with goals at or below them
      for (int link = point.link; link >= 0; link = figure_.link(link).parent) bodyOf[link] = 1;
    for (int i = 0; i < figure_.linkCount(); ++i) {
      const int parent = figure_.link(i).parent;
      const int above = parent >= 0 ? bodyOf[parent] : -1;
      int& own = bodyOf[i];
      const bool isLoaded = own != 0;
      own = above;
      const Joint& joint = figure_.joint(i);
      if (!isLoaded || stepSize(joint.type) == 0 || objective_.activeIndex(joint.stepIndex) < 0) continue;
      own = static_cast<int>(bodies.size());
      bodies.push_back({.joint = i});
      if (above >= 0) bodies.back().parentEnd = addEnd(above, {.body = own});
    }
    for (std::size_t k = 0; k < goals.size(); ++k)
      if (const int owner = bodyOf[goals[k].link]; owner >= 0)
        addEnd(owner, {.goal = static_cast<int>(k), .weight = goals[k].weight});
    for (std::size_t b = bodies.size(); b-- > 0;) {
      const int above = bodies[b].parentEnd;
      if (above < 0) continue;
      eachEnd(bodies[b], [&](const End& e) { end(above).weight += e.weight; });
    }
  }

  Eigen::Vector3d inPlane(Eigen::Vector3d v) const {
    if (figure_.isPlanar()) v.z() = 0.0;
    return v;
  }

  /// Computes centres and arms at the pose, and the targets of the goals' points.
  void measure() {
    const Kinematics& kinematics = workspace_.current.kinematics;
    const auto pointOf = [&](const End& e) -> Eigen::Vector3d {
      return kinematics.worldFromLink[goal(e.goal).link] * goal(e.goal).pointInLink;
    };
    for (Body& b : memory_.bodies) b.centre = worldFromJoint(b.joint).translation;
    for (Body& b : memory_.bodies)
      eachEnd(b, [&](End& e) {
        e.arm = inPlane((e.body >= 0 ? body(e.body).centre : pointOf(e)) - b.centre);
        if (e.goal >= 0) e.wanted = goal(e.goal).target;
      });
  }

  double worstDistance() {
    double worst = 0.0;
    for (const Body& b : memory_.bodies)
      eachEnd(b, [&](const End& e) {
        if (e.goal >= 0) worst = std::max(worst, inPlane(b.centre + e.arm - e.wanted).norm());
      });
    return worst;
  }

  /// True for one unbranched chain with a target beyond its reach: every body then points at the target.
  bool aimStraight() {
    double reach = 0.0;
    const End* tip = nullptr;
    for (std::size_t b = 0; b < memory_.bodies.size(); ++b) {
      const Body& link = memory_.bodies[b];
      if (b > 0 && link.parentEnd < 0) return false;  // a second root
      const End& only = end(link.firstEnd);
      if (only.next >= 0) return false;
      reach += only.arm.norm();
      tip = &only;
    }
    const Eigen::Vector3d target = tip->wanted;
    if ((target - memory_.bodies.front().centre).norm() < reach) return false;
    for (End& e : memory_.ends) e.wanted = target;
    return true;
  }

  void reachBackward() {
    for (auto b = memory_.bodies.rbegin(); b != memory_.bodies.rend(); ++b) {
      if (b->parentEnd < 0) continue;
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      eachEnd(*b, [&](const End& e) { sum += e.weight * wantedCentre(*b, e); });
      End& hanger = end(b->parentEnd);
      hanger.wanted = sum / hanger.weight;
    }
  }

  /// The point on the line from the target of the end to the current centre, at the arm's length from the target.
  static Eigen::Vector3d wantedCentre(const Body& b, const End& e) {
    const Eigen::Vector3d way = b.centre - e.wanted;
    const double distance = way.norm(), length = e.arm.norm();
    return distance > 0.0 ? Eigen::Vector3d(e.wanted + length / distance * way) : Eigen::Vector3d(e.wanted - e.arm);
  }

  void reachForward() {
    for (Body& b : memory_.bodies) {
      if (b.parentEnd >= 0) {
        const End& hanger = end(b.parentEnd);
        const Body& parent = parentOf(b);
        b.centre = parent.centre + parent.turn * hanger.arm;
      }
      b.turn = turnOf(b);
    }
  }

  const Body& parentOf(const Body& b) {
    const int parentLink = figure_.link(b.joint).parent;
    return body(memory_.bodyOf[parentLink]);
  }

  Eigen::Quaterniond turnOf(const Body& b) {
    const End& first = end(b.firstEnd);
    if (figure_.isPlanar()) {
      double along = 0.0, across = 0.0;
      eachEnd(b, [&](const End& e) {
        const Eigen::Vector3d way = e.wanted - b.centre;
        along += e.weight * e.arm.dot(way);
        across += e.weight * (e.arm.x() * way.y() - e.arm.y() * way.x());
      });
      return Eigen::Quaterniond(Eigen::AngleAxisd(std::atan2(across, along), Eigen::Vector3d::UnitZ()));
    }
    if (first.next < 0) {
      const Eigen::Vector3d way = first.wanted - b.centre;
      const bool isDefined = first.arm.squaredNorm() > 0.0 && way.squaredNorm() > 0.0;
      return isDefined ? shortestTurn(first.arm, way) : Eigen::Quaterniond::Identity();
    }
    Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
    eachEnd(b, [&](const End& e) { m += e.weight * e.arm * (e.wanted - b.centre).transpose(); });
    return Eigen::Quaterniond(bestRotation(m, Eigen::Matrix3d::Identity())).normalized();
  }

  /// Computes the trial pose: each joint's rotation follows from the turns of its body and of the parent body.
  void poseBodies() {
    workspace_.trialPose.coordinates = pose_.coordinates;
    for (const Body& b : memory_.bodies) {
      const Joint& joint = figure_.joint(b.joint);
      const Eigen::Quaterniond above = b.parentEnd >= 0 ? parentOf(b).turn : Eigen::Quaterniond::Identity();
      const Eigen::Matrix3d frame = worldFromJoint(b.joint).rotation;
      const Eigen::Quaterniond change = above.conjugate() * b.turn;  // before the parent's turn, world axes
      if (joint.type == JointType::Revolute) {
        const double angle = 2.0 * std::atan2(change.z(), change.w()) * ((frame * joint.axis).z() < 0.0 ? -1.0 : 1.0);
        workspace_.trialPose.coordinates[joint.poseIndex] += wrapAngle(angle);
        continue;
      }
      const Eigen::Quaterniond worldFromJointFrame(frame);
      const Eigen::Quaterniond rotation = worldFromJointFrame.conjugate() * change * worldFromJointFrame;
      setJointRotation(figure_, b.joint, (rotation * jointRotation(figure_, pose_, b.joint)).normalized(),
                       workspace_.trialPose);
    }
    objective_.feasibleSet().project(workspace_.trialPose);
  }

  const Figure& figure_ = objective_.figure();
  ReachMemory& memory_ = workspace_.memoryOf<ReachMemory>();
};

}  // namespace

const TypedSolver<FabrikOptions>& FabrikOptions::solver() {
  static const TypedSolver solver(kFabrikInfo, iterate<FabrikRun>);
  return solver;
}

}  // namespace limber
