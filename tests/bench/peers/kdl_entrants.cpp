// SPDX-License-Identifier: MIT
// Orocos KDL on single chains of hinges: LMA (Levenberg-Marquardt, knows no limits) and NR_JL (Newton-Raphson on the
// pseudo-inverse, clamped to them). Each alone and with random restarts. LMA's answer counts when its angles, brought
// back by whole turns, are inside.
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv_givens.hpp>

#include "bench/peers/entrants.h"
#include "bench/peers/hinge_model.h"

namespace limber::bench {

namespace {

KDL::Vector vectorOf(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

KDL::Frame frameOf(const Transform& t) {
  const Eigen::Matrix3d& r = t.rotation;
  return {KDL::Rotation(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
          vectorOf(t.translation)};
}

/// The joints of KDL that need no general axis are the faster ones.
KDL::Joint jointOf(const Joint& joint) {
  using KDL::Joint;
  if (joint.axis == Eigen::Vector3d::UnitX()) return Joint(joint.name, Joint::RotX);
  if (joint.axis == Eigen::Vector3d::UnitY()) return Joint(joint.name, Joint::RotY);
  if (joint.axis == Eigen::Vector3d::UnitZ()) return Joint(joint.name, Joint::RotZ);
  return Joint(joint.name, KDL::Vector::Zero(), vectorOf(joint.axis), Joint::RotAxis);
}

bool isSingleChain(const Figure& figure) {
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.link(i).parent != i - 1) return false;
  return true;
}

/// Every segment ends where the next joint stands; the last one at the frame that is asked for.
KDL::Chain chainOf(const Figure& figure, const Transform& linkFromFrame) {
  KDL::Chain chain;
  const Transform& base = figure.joint(0).parentFromJoint;
  if (base != Transform::identity()) chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::Fixed), frameOf(base)));
  for (int i = 0; i < figure.linkCount(); ++i) {
    const bool isLast = i + 1 == figure.linkCount();
    const Transform& tip = isLast ? linkFromFrame : figure.joint(i + 1).parentFromJoint;
    chain.addSegment(KDL::Segment(jointOf(figure.joint(i)), frameOf(tip)));
  }
  return chain;
}

class KdlEntrant final : public Entrant {
 public:
  enum class Method { Lma, NewtonRaphson };
  KdlEntrant(Method method, bool restarts) : method_(method), restarts_(restarts) {}

  std::string name() const override {
    return std::string("KDL ") + (method_ == Method::Lma ? "LMA" : "NR_JL") + (restarts_ ? ", random restarts" : "");
  }

  bool prepare(const Task& task) override {
    const Problem& problem = task.problems.front();
    if (task.isDrag || !HingeModel::fits(*task.figure) || !isSingleChain(*task.figure)) return false;
    if (problem.targets.size() != 1 || !problem.targets[0].turns) return false;
    if (problem.targets[0].link + 1 != task.figure->linkCount()) return false;
    model_.build(*task.figure, 1.0);
    length_ = task.length;
    angle_ = task.angle;
    chain_ = chainOf(*task.figure, problem.targets[0].linkFromFrame);
    const auto n = static_cast<unsigned>(task.figure->linkCount());
    start_.resize(n);
    end_.resize(n);
    lower_.resize(n);
    upper_.resize(n);
    lower_.data = model_.lower();
    upper_.data = model_.upper();
    makeSolvers(std::min(length_, angle_));
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    const KDL::Frame target = frameOf(problem.targets[0].worldFromTarget);
    model_.setTargets(problem.targets);
    random_.seed(7);
    start_.data = pose.coordinates;
    for (int i = 0;; ++i) {
      if (method_ == Method::Lma) lma_->CartToJnt(start_, target, end_);
      else newton_->CartToJnt(start_, target, end_);
      model_.wrap(end_.data.data());
      model_.computeFrames(end_.data.data());
      if (model_.isInside(end_.data.data()) && model_.isSolved(length_, angle_)) break;
      if (!restarts_ || i == kMaxRestarts) break;
      model_.drawStart(random_, start_.data.data());
    }
    pose.coordinates = end_.data;
  }

 private:
  void makeSolvers(double tolerance) {
    constexpr int kLmaIterations = 60, kNewtonIterations = 20;
    if (method_ == Method::Lma) {
      const Eigen::Matrix<double, 6, 1> weights = Eigen::Matrix<double, 6, 1>::Ones();
      lma_ = std::make_unique<KDL::ChainIkSolverPos_LMA>(chain_, weights, 0.5 * tolerance, kLmaIterations, 1e-9);
    } else {
      forward_ = std::make_unique<KDL::ChainFkSolverPos_recursive>(chain_);
      velocity_ = std::make_unique<KDL::ChainIkSolverVel_pinv_givens>(chain_);
      newton_ = std::make_unique<KDL::ChainIkSolverPos_NR_JL>(chain_, lower_, upper_, *forward_, *velocity_,
                                                              kNewtonIterations, 0.5 * tolerance);
    }
  }

  Method method_;
  bool restarts_;
  double length_ = 0.0, angle_ = 0.0;
  HingeModel model_;
  std::mt19937 random_;
  KDL::Chain chain_;
  KDL::JntArray start_, end_, lower_, upper_;
  std::unique_ptr<KDL::ChainIkSolverPos_LMA> lma_;
  std::unique_ptr<KDL::ChainFkSolverPos_recursive> forward_;
  std::unique_ptr<KDL::ChainIkSolverVel_pinv_givens> velocity_;
  std::unique_ptr<KDL::ChainIkSolverPos_NR_JL> newton_;
};

}  // namespace

void addKdlEntrants(Entrants& entrants) {
  using Method = KdlEntrant::Method;
  for (const Method method : {Method::Lma, Method::NewtonRaphson})
    for (const bool restarts : {false, true}) entrants.push_back(std::make_unique<KdlEntrant>(method, restarts));
}

}  // namespace limber::bench
