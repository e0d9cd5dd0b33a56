// SPDX-License-Identifier: MIT
// Preferred bending: where a limb that was straight has come to bend against its preference, the solver runs from the
// other bend, once a solve. It first runs with the straight limb as a limit, for the pull to rest may well lead over
// it, and then as is asked.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class OtherBend final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  bool isKept(const Solve& solve) const;

  enum class Trial { None, Held, Free } trial_ = Trial::None;
  bool hasTried_ = false;
  std::vector<char> met_;  ///< one a goal, before the trial
  double goalPart_ = 0.0;  ///< of f, then
};

}  // namespace limber
