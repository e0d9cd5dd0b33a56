// SPDX-License-Identifier: MIT
#include "app/view/contacts_shown.h"

#include "limber/posing/contacts.h"

namespace limber::app {

void ContactsShown::update(const Document& document, const PosingReport* report) {
  if (report) {
    figure_.reset();
    contacts_ = report->contacts;
    return;
  }
  if (document.figure == figure_ && document.pose == pose_ && document.obstacles == obstacles_ &&
      document.selfAvoidance == selfAvoidance_ && document.disabledPairs == disabledPairs_ &&
      document.safetyDistance == safetyDistance_)
    return;
  figure_ = document.figure;
  pose_ = document.pose;
  obstacles_ = document.obstacles;
  selfAvoidance_ = document.selfAvoidance;
  disabledPairs_ = document.disabledPairs;
  safetyDistance_ = document.safetyDistance;
  contacts_ = findContacts(document);
}

}  // namespace limber::app
