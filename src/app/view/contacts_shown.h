// SPDX-License-Identifier: MIT
// The contacts at the pose on screen: those of the last solve, or recomputed if the pose has changed since (a joint was
// turned, an obstacle was moved onto the figure).
#pragma once

#include <memory>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

class ContactsShown {
 public:
  /// report: of the last solve, or null if it gave another pose. Contacts are then recomputed, but only if the figure,
  /// pose or obstacles have changed since the last call.
  void update(const Document& document, const PosingReport* report);
  const std::vector<ContactReport>& contacts() const { return contacts_; }

 private:
  std::shared_ptr<const Figure> figure_;  ///< null: `contacts_` are a report's
  Pose pose_;
  std::vector<Obstacle> obstacles_;
  std::optional<SelfAvoidance> selfAvoidance_;
  std::vector<LinkPair> disabledPairs_;
  double safetyDistance_ = 0.0;
  std::vector<ContactReport> contacts_;
};

}  // namespace limber::app
