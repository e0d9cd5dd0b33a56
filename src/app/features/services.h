// SPDX-License-Identifier: MIT
// Services besides the solver: searches, the race, the pose library, slow jobs and autosave. Each takes its input data
// and returns its messages; none knows the session.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "app/features/global_posing.h"
#include "app/features/hand_closing.h"
#include "app/features/key_trail.h"
#include "app/features/layering.h"
#include "app/features/live.h"
#include "app/features/poses.h"
#include "app/features/racing.h"
#include "app/features/reaching.h"
#include "app/features/way_finding.h"
#include "app/jobs/autosave.h"
#include "app/jobs/job.h"

namespace limber::app {

struct Services {
  Racing racing;
  GlobalPosing global;
  Reaching reaching;
  WayFinding ways;
  Poses poses;  ///< the library
  AutoKey autoKey;
  KeyTrail trail;
  HandClosing handClosing;
  Live live;
  Job job;      ///< slow work, such as opening a file
  Job drawing;  ///< draws pictures of the document at the time of the request
  Autosave autosave;

  struct NamedJob {
    const char* name;
    Job& job;
  };
  /// The jobs whose results change the session, by their names in recordings.
  std::array<NamedJob, 5> recordedJobs();

  /// True while the window must poll for results.
  bool isBusy() const;
  /// Sets the function that the threads call when they have ended or have progress to report.
  void setWake(const std::function<void()>& wake);
  /// Ends all jobs, and waits for their threads.
  void stop();
  /// Sets the function that is called for jobs that ended by an exception.
  void setFail(const std::function<void(const std::string&)>& fail);
};

}  // namespace limber::app
