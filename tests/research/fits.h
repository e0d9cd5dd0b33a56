// SPDX-License-Identifier: MIT
// Figures 4 and 5 of the paper: each method on each problem of a case, judged by the same code.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>

#include "research/problems.h"

namespace limber::experiments {

/// One run of a method on a problem, or, where `start` is -1, its only run.
struct Trial {
  std::string_view method;  ///< one of fitMethods()
  int problem = 0;
  int start = -1;
  double cost = 0.0;      ///< (15), metres
  double time = 0.0;      ///< of the processor, milliseconds
  double overstep = 0.0;  ///< largest angle outside a limit, radians
};

struct FitMethod {
  std::string_view name;   ///< as in files
  std::string_view title;  ///< for people
  bool keepsLimits = true;
};

/// Those that start at random have a run a start; each sees the same starts.
std::span<const FitMethod> fitMethods();

/// The certificate of the pipeline's pose (solvers/convex/certificate.h).
struct CertificateTrial {
  int problem = 0;
  double cost = 0.0;         ///< of the pose, metres
  double bound = 0.0;        ///< no pose within the limits costs less, metres
  bool isCertified = false;  ///< to 1 %
  double time = 0.0;         ///< of the processor, milliseconds
};

struct FitSettings {
  int starts = 20;
  std::uint64_t seed = 1;
};

std::vector<Trial> fitCase(const Case& problems, const FitSettings& settings);
std::vector<CertificateTrial> certifyCase(const Case& problems);

/// Comma-separated, with a head; lengths in millimetres, angles in degrees.
void writeTrialHead(std::ostream& out);
void writeTrials(const Case& problems, const std::vector<Trial>& trials, std::ostream& out);
void writeCertificateHead(std::ostream& out);
void writeCertificates(const Case& problems, const std::vector<CertificateTrial>& trials, std::ostream& out);

}  // namespace limber::experiments
