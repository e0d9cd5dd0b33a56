// SPDX-License-Identifier: MIT
#include "app/session/witness.h"

#include "app/session/session.h"

namespace limber::app {

Recorded::Recorded(Session& session, const Deed& deed) : session_(session), witness_(session.outside.witness) {
  if (witness_) witness_->begin(session, deed);
}

Recorded::~Recorded() {
  if (witness_) witness_->end(session_);
}

}  // namespace limber::app
