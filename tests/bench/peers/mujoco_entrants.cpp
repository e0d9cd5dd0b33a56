// SPDX-License-Identifier: MIT
// MuJoCo's kinematics and Jacobians with damped least squares, as its users write it:
//
//   dq = J' (J J' + damping)^-1 e,   clamped to the limits, until the targets are met
//
// on the figure exported as MJCF.
#include <mujoco/mujoco.h>

#include <cstring>
#include <sstream>

#include "bench/peers/entrants.h"
#include "bench/peers/hinge_model.h"

namespace limber::bench {

namespace {

void writePlace(std::ostream& out, const Transform& place) {
  const Eigen::Quaterniond q(place.rotation);
  out << " pos=\"" << place.translation.transpose() << "\" quat=\"" << q.w() << ' ' << q.x() << ' ' << q.y() << ' '
      << q.z() << "\"";
}

/// A body for each link, a hinge in each; sites for the frames that are asked for, in their order.
void writeBody(std::ostream& out, const Figure& figure, int link, std::span<const FrameTarget> targets) {
  const Joint& joint = figure.joint(link);
  out << "<body";
  writePlace(out, joint.parentFromJoint);
  out << "><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint type=\"hinge\" axis=\""
      << joint.axis.transpose() << "\"/>";
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (targets[k].link != link) continue;
    out << "<site name=\"target" << k << "\"";
    writePlace(out, targets[k].linkFromFrame);
    out << "/>";
  }
  for (const int child : figure.children(link)) writeBody(out, figure, child, targets);
  out << "</body>";
}

std::string mjcfOf(const Figure& figure, std::span<const FrameTarget> targets) {
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler angle=\"radian\"/><worldbody>";
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.link(i).parent < 0) writeBody(out, figure, i, targets);
  out << "</worldbody></mujoco>";
  return out.str();
}

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using Model = std::unique_ptr<mjModel, DeleteModel>;

Model loadModel(const std::string& mjcf) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "figure.xml", static_cast<int>(mjcf.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "figure.xml")], mjcf.data(), mjcf.size());
  char error[500] = "";
  Model model(mj_loadXML("figure.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) std::fprintf(stderr, "MuJoCo does not read the figure: %s\n", error);
  return model;
}

class MujocoEntrant final : public Entrant {
 public:
  explicit MujocoEntrant(bool restarts) : restarts_(restarts) {}

  std::string name() const override {
    return std::string("MuJoCo, damped least squares") + (restarts_ ? ", random restarts" : "");
  }

  bool prepare(const Task& task) override {
    const Problem& problem = task.problems.front();
    if (problem.targets.empty() || !HingeModel::fits(*task.figure) || (restarts_ && task.isDrag)) return false;
    limits_.build(*task.figure, 1.0);
    model_ = loadModel(mjcfOf(*task.figure, problem.targets));
    if (!model_) return false;
    data_.reset(mj_makeData(model_.get()));
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    length_ = task.length;
    angle_ = task.angle;
    findPlaces(*task.figure);
    limits_.setTargets(problem.targets);
    const Eigen::Index m = limits_.residualSize(), n = limits_.size();
    jacobian_.resize(m, n);
    error_.resize(m);
    square_.resize(m, m);
    return true;
  }

  void solve(const Problem& problem, Pose& pose) override {
    random_.seed(7);
    Eigen::VectorXd& q = pose.coordinates;
    for (int i = 0;; ++i) {
      if (descend(problem, q) || !restarts_ || i == kMaxRestarts) return;
      limits_.drawStart(random_, q.data());
    }
  }

 private:
  /// MuJoCo numbers bodies depth first, the figure its links as it likes.
  void findPlaces(const Figure& figure) {
    places_.assign(static_cast<std::size_t>(figure.linkCount()), 0);
    int next = 0;
    const auto visit = [&](const auto& self, int link) -> void {
      places_[static_cast<std::size_t>(link)] = next++;
      for (const int child : figure.children(link)) self(self, child);
    };
    for (int i = 0; i < figure.linkCount(); ++i)
      if (figure.link(i).parent < 0) visit(visit, i);
    sites_.clear();
    for (int k = 0; k < model_->nsite; ++k) {
      const std::string name = "target" + std::to_string(k);
      sites_.push_back(mj_name2id(model_.get(), mjOBJ_SITE, name.c_str()));
    }
  }

  /// Rows of J and of the residuals, for every target; true if all are met.
  bool look(const Problem& problem, const Eigen::VectorXd& q) {
    for (std::size_t i = 0; i < places_.size(); ++i) data_->qpos[places_[i]] = q[static_cast<Eigen::Index>(i)];
    mj_kinematics(model_.get(), data_.get());
    bool isMet = true;
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < problem.targets.size(); ++k) {
      const FrameTarget& target = problem.targets[k];
      const int site = sites_[k];
      const Eigen::Vector3d gap =
          target.worldFromTarget.translation - Eigen::Map<const Eigen::Vector3d>(data_->site_xpos + 3 * site);
      error_.segment<3>(row) = gap;
      isMet = isMet && gap.norm() <= 0.9 * length_;
      if (target.turns) {
        const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> frame(data_->site_xmat + 9 * site);
        const Eigen::Vector3d turn =
            logarithm(Eigen::Quaterniond(Eigen::Matrix3d(target.worldFromTarget.rotation * frame.transpose())));
        error_.segment<3>(row + 3) = turn;
        isMet = isMet && turn.norm() <= 0.9 * angle_;
      }
      row += target.turns ? 6 : 3;
    }
    return isMet;
  }

  void computeJacobian(const Problem& problem) {
    mj_comPos(model_.get(), data_.get());
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < problem.targets.size(); ++k) {
      const bool turns = problem.targets[k].turns;
      mj_jacSite(model_.get(), data_.get(), jacobian_.row(row).data(), turns ? jacobian_.row(row + 3).data() : nullptr,
                 sites_[k]);
      row += turns ? 6 : 3;
    }
  }

  bool descend(const Problem& problem, Eigen::VectorXd& q) {
    constexpr int kIterations = 60;
    constexpr double kDamping = 0.1;
    double best = std::numeric_limits<double>::infinity();
    for (int iteration = 0, idle = 0; iteration < kIterations && idle < kPatience; ++iteration) {
      if (look(problem, q)) return true;
      const double left = error_.norm();
      idle = left < 0.8 * best ? 0 : idle + 1;
      best = std::min(best, left);
      computeJacobian(problem);
      square_.noalias() = jacobian_ * jacobian_.transpose();
      square_.diagonal().array() += kDamping * std::min(1.0, left);  // fades as the targets come near
      llt_.compute(square_);
      llt_.solveInPlace(error_);
      for (std::size_t i = 0; i < places_.size(); ++i) {
        const auto c = static_cast<Eigen::Index>(i);
        q[c] += jacobian_.col(places_[i]).dot(error_);
        q[c] = std::min(std::max(q[c], limits_.lower()[c]), limits_.upper()[c]);
      }
    }
    return look(problem, q);
  }

  static constexpr int kPatience = 10;  // iterations without progress

  bool restarts_;
  double length_ = 0.0, angle_ = 0.0;
  HingeModel limits_;
  std::mt19937 random_;
  Model model_;
  std::unique_ptr<mjData, DeleteData> data_;
  std::vector<int> places_, sites_;  ///< of links among MuJoCo's hinges; of targets among its sites
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobian_;
  Eigen::MatrixXd square_;
  Eigen::VectorXd error_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

}  // namespace

void addMujocoEntrants(Entrants& entrants) {
  for (const bool restarts : {false, true}) entrants.push_back(std::make_unique<MujocoEntrant>(restarts));
}

}  // namespace limber::bench
