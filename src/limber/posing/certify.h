// SPDX-License-Identifier: MIT
// What a certificate (solvers/convex/certificate.h) says of a problem's pose, in words.
//
// The bound is that of the position goals, over all poses of the joints that may move, within the problem's limits.
// Pins and held points are left out of it, and so are goals that share an any-of with others: it then holds whichever
// of them counts.
#pragma once

#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/solvers/convex/certificate.h"

namespace limber {

struct PoseCertificate {
  Certificate certificate;
  std::vector<std::string> leftOut;  ///< of the bound: "2 pins", "limits of 3 ball joints"
  double timeMs = 0.0;
};

struct PosedProblem;

/// The points of a problem that a bound counts on.
std::vector<PointGoal> boundedPoints(const PosedProblem& posed);

/// Certifies problem.pose. request: as a solve would get it; its drag is a goal. The observer sees every iteration and
/// can cancel; what was found by then stands in the certificate.
PoseCertificate certifyPose(const IkProblem& problem, const PosingRequest& request = {},
                            const CertificateOptions& options = {}, const InteriorPointObserver& observer = {});

/// A gap in three digits, rounded up: what is said of it holds, too. Less than a thousandth of a millimetre is said as
/// that.
std::string gapInWords(double gap);

/// "certified", "certified, out of reach", "out of reach", "not certified", "no bound"; "places certified" where goals
/// were left out, which another pose may meet better.
std::string badgeOf(const Certificate& certificate);

/// "out of reach: at least 31.2 mm remain; certified: no pose brings the points nearer by more than 0.02 mm". Lengths
/// are root mean squares. isSearched: the pose is the best of a search, which is then said where it is not certified.
std::string sentenceOf(const Certificate& certificate, bool isSearched = false);

}  // namespace limber
