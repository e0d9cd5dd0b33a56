// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include "app/commands/output.h"
#include "app/commands/report_json.h"

namespace limber::app {

int runCertify(const CertifyArguments& arguments, Console& console) {
  auto opened = openPosed(arguments.file, arguments.pose, console, arguments.context);
  if (!opened) return console.fail(opened.error());
  Document& document = opened->document;
  const InterruptWatch watch;
  const PoseCertificate result = certifyPose(document, {}, {.splits = arguments.splits},
                                             [](const InteriorPointSummary&) { return interrupted == 0; });
  if (!result.certificate.fault.empty()) return console.fail({arguments.file, "", result.certificate.fault});
  if (result.certificate.isCancelled) return console.fail({arguments.file, "", "cancelled"});
  io::OrderedJson json = certificateJson(result, false);
  json["iterations"] = result.certificate.iterations;
  json["time_us"] = microseconds(result.timeMs);
  return console.print(io::formatJson(json));
}

}  // namespace limber::app
