// SPDX-License-Identifier: MIT
// A target that an arm cannot reach, with a proof; then the arm fitted to observed points.
#include <limber/ik.h>

#include <iostream>

int main() {
  limber::Ik ik(limber::makeArm());
  ik.pin("hand", limber::Keep::Rotation);  // its present rotation; its position is free
  ik.add(limber::position("tool", {3.0, 0.5, 0.0}));
  std::cout << ik.solve().sentence << '\n';
  const limber::PoseCertificate proof = ik.certify();
  std::cout << sentenceOf(proof.certificate) << '\n';
  for (const std::string& part : proof.leftOut) std::cout << "the proof leaves out: " << part << '\n';

  const double cost = ik.fit({{"elbow", {0.3, 0.6, 0.1}}, {"wrist", {0.6, 0.6, 0.0}}, {"tool", {0.7, 0.5, 0.1}}}).cost;
  std::cout << "points seen are met within " << 1e3 * cost << " mm, root mean square\n";
  return proof.certificate.isOutOfReach ? 0 : 1;
}
