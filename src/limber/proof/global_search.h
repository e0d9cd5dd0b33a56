// SPDX-License-Identifier: MIT
// The global pose of a problem: the search (solvers/methods/global.h) and then the certificate of what it found, with
// progress and cancel. It works on copies: made for a thread beside the window, and for the command line.
#pragma once

#include <functional>

#include "limber/posing/certify.h"

namespace limber {

struct GlobalProgress {
  enum class Phase { Relaxation, Refinement, Certificate };
  Phase phase = Phase::Refinement;
  int iterations = 0;                         ///< of all phases
  double cost = Certificate::kNotKnown;       ///< root mean square, metres: of the best pose so far
  double leastCost = Certificate::kNotKnown;  ///< of any pose, at least: as far as the certificate has come
};

/// Told after every iteration; false cancels.
using GlobalObserver = std::function<bool(const GlobalProgress&)>;

struct GlobalAnswer {
  std::string fault;                 ///< empty, or why there was no search
  bool isCancelled = false;          ///< in the search or in the certificate: what had been found by then stands here
  Pose pose;                         ///< the best found; the problem's own where nothing is lower
  PosingReport report;               ///< of the search
  bool isCertificateSought = false;  ///< false when the search did not come to its end
  PoseCertificate result;            ///< of `pose`
  double relaxationMs = 0.0, refinementMs = 0.0;

  std::string badge() const { return badgeOf(result.certificate); }
  std::string sentence() const { return sentenceOf(result.certificate, true); }
};

/// Poses a copy of the problem by the solver "global" with the problem's options for it, and certifies the answer.
/// Same input, same answer but for the times.
GlobalAnswer searchGlobally(const IkProblem& problem, const PosingRequest& request = {},
                            const CertificateOptions& options = {}, const GlobalObserver& observer = {});

}  // namespace limber
