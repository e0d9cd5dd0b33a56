// SPDX-License-Identifier: MIT
// The global pose of a problem: the search (solvers/methods/global.h), then the certificate of its result, with
// progress and cancel. It works on copies, for a background thread of the window and for the command line.
#pragma once

#include <functional>

#include "limber/posing/certify.h"

namespace limber {

struct GlobalProgress {
  enum class Phase { Relaxation, Refinement, Certificate };
  Phase phase = Phase::Refinement;
  int iterations = 0;                         ///< of all phases
  double cost = Certificate::kNotKnown;       ///< of the best pose so far: root mean square, metres
  double leastCost = Certificate::kNotKnown;  ///< lower bound for any pose, by the certificate so far
};

/// Called after every iteration; false cancels.
using GlobalObserver = std::function<bool(const GlobalProgress&)>;

struct GlobalAnswer {
  std::string fault = {};            ///< empty, or why there was no search
  bool isCancelled = false;          ///< in the search or in the certificate; the other members have the results so far
  Pose pose = {};                    ///< the best pose found; the problem's own if nothing is lower
  PosingReport report = {};          ///< of the search
  bool isCertificateSought = false;  ///< false if the search did not end normally
  PoseCertificate result = {};       ///< of `pose`
  double relaxationMs = 0.0, refinementMs = 0.0;

  std::string badge() const { return badgeOf(result.certificate); }
  std::string sentence() const { return sentenceOf(result.certificate, true); }
};

/// Poses a copy of the problem by the solver "global" with the problem's options for it, and certifies the answer.
/// The same input gives the same answer, except for times.
GlobalAnswer searchGlobally(const IkProblem& problem, const PosingRequest& request = {},
                            const CertificateOptions& options = {}, const GlobalObserver& observer = {});

}  // namespace limber
