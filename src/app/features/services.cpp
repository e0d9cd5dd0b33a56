// SPDX-License-Identifier: MIT
#include "app/features/services.h"

namespace limber::app {

std::array<Services::NamedJob, 5> Services::recordedJobs() {
  return {{{"job", job},
           {"drawing", drawing},
           {"global", global.job()},
           {"workspace", reaching.job()},
           {"ways", ways.job()}}};
}

bool Services::isBusy() const {
  return racing.race().isBusy() || job.isRunning() || drawing.isRunning() || global.isRunning() ||
         reaching.isRunning() || ways.isRunning() || autosave.isBusy();
}

void Services::setWake(const std::function<void()>& wake) {
  racing.race().setWake(wake);
  for (const NamedJob& each : recordedJobs()) each.job.setWake(wake);
  autosave.job().setWake(wake);
  live.setWake(wake);
}

void Services::stop() {
  racing.race().stop();
  for (const NamedJob& each : recordedJobs()) each.job.stop();
  autosave.job().stop();
  live.stopReceiving();
}

void Services::setFail(const std::function<void(const std::string&)>& fail) {
  for (const NamedJob& each : recordedJobs()) each.job.setFail(fail);
  autosave.job().setFail(fail);
}

}  // namespace limber::app
