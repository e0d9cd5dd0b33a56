// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "limber/goals/support_goal.h"
#include "limber/posing/posing.h"

namespace limber {

class Staying;

/// The input of a solve: a request with everything that follows from it and the problem. completed() makes it.
///
/// Its start pose is set; `natural` is true if the prior poses the figure for any reason; its holds include those of
/// standing feet and of links that carry a figure in balance; its root is free if something holds the feet.
struct CompletedRequest : PosingRequest {
  std::shared_ptr<const Staying> staying;  ///< never null
  std::vector<SupportGoal::Side> support;  ///< of the balance that is kept; empty if none is

  /// True if the solve may move a free root that the user locked.
  bool freesRoot() const { return freeRoot || natural; }

 private:
  explicit CompletedRequest(PosingRequest request) : PosingRequest(std::move(request)) {}
  friend CompletedRequest completed(const IkProblem&, const PosingRequest&, CompletedRequest*);
};

/// last: the request of the last solve, which is not used again; may be null. Its memory is reused, and its `staying`
/// if that would be the same.
CompletedRequest completed(const IkProblem& problem, const PosingRequest& request, CompletedRequest* last = nullptr);

/// True if the prior poses the figure: requested, or the problem's reference without a drag or a start pose.
bool isNatural(const IkProblem& problem, const PosingRequest& request);

}  // namespace limber
