// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/support_goal.h"
#include "limber/posing/posing.h"

namespace limber {

class Staying;

/// What a solve needs: a request with what follows from it and the problem. completed() makes it.
///
/// Its start pose is set; `natural` is true if the prior poses the figure for any reason; its holds include those of
/// standing feet and of links that carry a figure in balance; its root is free if something holds the feet.
struct CompletedRequest : PosingRequest {
  std::shared_ptr<const Staying> staying;  ///< what stays while something is dragged; never null
  std::vector<SupportGoal::Side> support;  ///< of the balance to be kept; empty if none is

  /// True if the solve may move a free root that the user locked.
  bool freesRoot() const { return freeRoot || natural; }

 private:
  explicit CompletedRequest(PosingRequest request) : PosingRequest(std::move(request)) {}
  friend CompletedRequest completed(const IkProblem&, const PosingRequest&, std::shared_ptr<const Staying>);
};

/// last: what stayed in the last solve, which is used again if it is the same; may be null.
CompletedRequest completed(const IkProblem& problem, const PosingRequest& request,
                           std::shared_ptr<const Staying> last = nullptr);

/// True if the prior poses the figure: requested, or the problem's reference without a drag or a start pose.
bool isNatural(const IkProblem& problem, const PosingRequest& request);

}  // namespace limber
