// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include "app/commands/output.h"
#include "app/commands/report_json.h"

namespace limber::app {

int runCertify(const CertifyArguments& arguments, std::ostream& out, std::ostream& err) {
  auto opened = openPosed(arguments.file, arguments.pose, err, {.base = arguments.base, .motion = arguments.motion});
  if (!opened) return fail(opened.error(), err);
  Document& document = opened->document;
  const InterruptWatch watch;
  const PoseCertificate result = certifyPose(document, {}, {.splits = arguments.splits},
                                             [](const InteriorPointSummary&) { return interrupted == 0; });
  if (!result.certificate.fault.empty()) return fail({arguments.file, "", result.certificate.fault}, err);
  if (result.certificate.isCancelled) return fail({arguments.file, "", "cancelled"}, err);
  io::OrderedJson json = certificateJson(result, false);
  json["iterations"] = result.certificate.iterations;
  json["time_ms"] = result.timeMs;
  return print(io::formatJson(json), out, err);
}

}  // namespace limber::app
