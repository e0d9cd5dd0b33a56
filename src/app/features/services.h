// SPDX-License-Identifier: MIT
// What works beside the solve under way: searches, the race, the pose library, slow work and autosave. Each takes what
// it is about and gives back what is to be shown or said; none knows the session.
#pragma once

#include "app/features/global_posing.h"
#include "app/features/hand_closing.h"
#include "app/features/layering.h"
#include "app/features/poses.h"
#include "app/features/racing.h"
#include "app/features/reaching.h"
#include "app/jobs/autosave.h"
#include "app/jobs/job.h"

namespace limber::app {

struct Services {
  Racing racing;
  GlobalPosing global;
  Reaching reaching;
  Poses poses;        ///< the library
  AutoKey autoKey;
  HandClosing handClosing;
  Job job;            ///< slow work, the opening of a file
  Job drawing;        ///< of pictures, as the document was when they were asked for
  Autosave autosave;

  /// True while the window must look for results now and then.
  bool isBusy() const;
  /// Called by the threads of works, when they have ended or got further.
  void setWake(const std::function<void()>& wake);
  /// Ends all works, and waits for their threads.
  void stop();
  /// Told of works that ended by an exception.
  void setFail(const std::function<void(const std::string&)>& fail);
};

}  // namespace limber::app
