// SPDX-License-Identifier: MIT
// Certifies a problem's pose and describes the certificate (solvers/convex/certificate.h) in words.
//
// The bound is for the position goals, over all poses of the joints that may move, within the problem's limits. It
// ignores pins and held points, and goals that share an any-of with others, so that it holds whichever of them is live.
#pragma once

#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/solvers/convex/certificate.h"

namespace limber {

struct PoseCertificate {
  Certificate certificate = {};
  std::vector<std::string> leftOut = {};  ///< ignored by the bound: "2 pins", "limits of 3 ball joints"
  double timeMs = 0.0;
};

struct PosedProblem;

/// The points of a problem that its bound considers.
std::vector<PointGoal> boundedPoints(const PosedProblem& posed);

/// Certifies problem.pose. request: that of the solve; its drag is a goal. The observer sees every iteration and can
/// cancel; the certificate then has the best bound so far.
PoseCertificate certifyPose(const IkProblem& problem, const PosingRequest& request = {},
                            const CertificateOptions& options = {}, const InteriorPointObserver& observer = {});

/// A gap in three digits, rounded up so that the text is true, and at least a thousandth of a millimetre.
std::string gapInWords(double gap);

/// "certified", "certified, out of reach", "out of reach", "not certified", "no bound"; "places certified" if goals
/// were ignored, which another pose may meet better.
std::string badgeOf(const Certificate& certificate);

/// "out of reach: at least 31.2 mm remain; certified: no pose brings the points nearer by more than 0.02 mm". Lengths
/// are root mean squares. isSearched: the pose is the best of a search, which the text says if it is not certified.
std::string sentenceOf(const Certificate& certificate, bool isSearched = false);

}  // namespace limber
