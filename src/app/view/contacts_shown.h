// SPDX-License-Identifier: MIT
// What touches at the pose on screen: as the last solve left it, else looked for anew (a pose turned by hand, an
// obstacle moved onto the figure).
#pragma once

#include <memory>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

class ContactsShown {
 public:
  /// report: of the last solve, null when the pose is not its. Looks again only where the pose, or what could be
  /// touched, is another than at the last call.
  void update(const Document& document, const PosingReport* report);
  const std::vector<ContactReport>& contacts() const { return contacts_; }

 private:
  std::shared_ptr<const Figure> figure_;  ///< null: `contacts_` are a report's
  Pose pose_;
  std::vector<Obstacle> obstacles_;
  bool avoidsItself_ = false;
  std::vector<ContactReport> contacts_;
};

}  // namespace limber::app
