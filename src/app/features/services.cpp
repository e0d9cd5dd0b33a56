// SPDX-License-Identifier: MIT
#include "app/features/services.h"

namespace limber::app {

bool Services::isBusy() const {
  return racing.race().isBusy() || job.isRunning() || drawing.isRunning() || global.isRunning() ||
         reaching.isRunning() || autosave.isBusy();
}

void Services::setWake(const std::function<void()>& wake) {
  racing.race().setWake(wake);
  global.setWake(wake);
  reaching.setWake(wake);
  job.setWake(wake);
  drawing.setWake(wake);
  autosave.setWake(wake);
}

void Services::stop() {
  racing.race().stop();
  global.stop();
  reaching.stop();
  job.stop();
  drawing.stop();
  autosave.stop();
}

void Services::setFail(const std::function<void(const std::string&)>& fail) {
  global.setFail(fail);
  reaching.setFail(fail);
  job.setFail(fail);
  drawing.setFail(fail);
  autosave.setFail(fail);
}

}  // namespace limber::app
